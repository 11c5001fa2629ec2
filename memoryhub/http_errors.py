"""Which HTTP status does each refusal have, and what is told of it? The one table, for every door (api.md, errors).

Nothing a caller sent is repeated, and an unexpected error shows and logs its class alone: messages of libraries may
quote content.
"""

import logging
import traceback
from collections.abc import Mapping, Sequence
from typing import Any, Final

from django.db import DataError, OperationalError
from rest_framework import exceptions

from memoryhub import errors
from memoryhub.errors import HubError, Invalid

log = logging.getLogger(__name__)

STATUS: Final[dict[type[errors.HubError], int]] = {
    errors.Malformed: 400,
    errors.NotAuthenticated: 401,
    errors.NotGranted: 403,
    errors.NotFound: 404,
    errors.AlreadyDecided: 409,
    errors.StillRunning: 409,
    errors.LeaseLost: 409,
    errors.Stale: 412,
    errors.TooLarge: 413,
    errors.Invalid: 422,
    errors.TooMany: 429,
    errors.Backlog: 503,
    errors.AuditUnavailable: 503,
    errors.PolicyUnusable: 503,
    errors.ModelUnavailable: 503,
    errors.KeysUnusable: 503,
    errors.KeyDestroyed: 404,
    errors.SealBroken: 503,
    errors.HubError: 422,
}

#: Short names of the statuses the hub answers with, for a problem's `title` and a page's heading.
TITLES: Final[dict[int, str]] = {
    400: "Malformed request",
    401: "Not authenticated",
    403: "Not granted",
    404: "Not found",
    405: "Method not allowed",
    406: "Not acceptable",
    409: "Conflict",
    412: "Changed meanwhile",
    413: "Too large",
    415: "Unsupported media type",
    422: "Not valid",
    429: "Too many requests",
    500: "Internal error",
    503: "Unavailable",
}


def status_of(error: errors.HubError) -> int:
    """The HTTP status of a refusal; a class without a row has the status of the class it extends."""
    return next(STATUS[cls] for cls in type(error).__mro__ if cls in STATUS)


def document(
    status: int, detail: str, *, code: str, errors: Mapping[str, Sequence[str]] | None = None
) -> dict[str, Any]:
    """The members every problem has."""
    return {
        "type": f"urn:memoryhub:problem:{code}",
        "title": TITLES.get(status, "Error"),
        "status": status,
        "detail": detail,
        "code": code,
        "errors": {field: list(faults) for field, faults in (errors or {}).items()},
    }


def members_of(error: HubError | exceptions.ValidationError) -> dict[str, Any]:
    """The members of a refusal's problem document, those its kind adds included."""
    if isinstance(error, exceptions.ValidationError):
        error = Invalid(errors=flat(error.detail))
    faults = error.errors if isinstance(error, Invalid) else None
    added = {name: value for name, value in error.extra.items() if isinstance(value, str | int | float | dict | list)}
    return {**document(status_of(error), error.detail, code=error.code, errors=faults), **added}


def members_of_any(error: Exception) -> dict[str, Any]:
    """The same of whatever went wrong; what nobody expected is logged."""
    if isinstance(error, HubError | exceptions.ValidationError):
        return members_of(error)
    _log(error)
    if isinstance(error, DataError):  # the database's last word on a value that nothing before it refused
        return members_of(Invalid("A value can't be stored."))
    if isinstance(error, OperationalError):
        detail = "The database can't be reached or is overloaded. Try again later."
        return document(503, detail, code="database_unavailable")
    return document(500, "Something went wrong inside the hub. It was logged under this X-Request-ID.", code="internal")


def flat(detail: Any, prefix: str = "") -> dict[str, list[str]]:
    """DRF's nested faults as `field.0.field` → sentences."""
    if isinstance(detail, Mapping):
        found: dict[str, list[str]] = {}
        for name, inner in detail.items():
            if name == "non_field_errors":
                name = ""
            path = f"{prefix}.{name}".strip(".")
            for field, faults in flat(inner, path).items():
                found.setdefault(field, []).extend(faults)
        return found
    if isinstance(detail, list | tuple) and any(isinstance(item, Mapping | list) for item in detail):
        found = {}
        for number, item in enumerate(detail):
            for field, faults in flat(item, f"{prefix}.{number}".strip(".")).items():
                found.setdefault(field, []).extend(faults)
        return found
    faults = [str(fault) for fault in detail] if isinstance(detail, list | tuple) else [str(detail)]
    return {prefix or "body": faults} if faults else {}


def _log(error: Exception) -> None:
    """The class of an error and where it came from, never its message: that may quote content."""
    frames = "".join(traceback.format_tb(error.__traceback__)[-8:])
    log.error("unexpected %s\n%s", type(error).__name__, frames)
