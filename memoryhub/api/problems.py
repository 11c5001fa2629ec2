"""How does a refusal look to a caller? RFC 9457 problem documents, for every error under /api/v1/ (api.md, errors).

Nothing a caller sent is repeated in them, and an unexpected error shows and logs its class alone: messages of
libraries may quote content.
"""

import logging
import traceback
from collections.abc import Mapping, Sequence
from typing import Any

from django.core.exceptions import BadRequest, PermissionDenied, RequestDataTooBig, SuspiciousOperation
from django.db import DataError, OperationalError
from django.http import Http404, HttpRequest, HttpResponse, JsonResponse
from django.views.decorators.csrf import csrf_exempt
from rest_framework import exceptions

from memoryhub.errors import HubError, Invalid, NotFound, TooMany
from memoryhub.http_errors import TITLES, status_of

log = logging.getLogger(__name__)

CONTENT_TYPE = "application/problem+json"


def problem(
    status: int,
    detail: str,
    *,
    code: str,
    errors: Mapping[str, Sequence[str]] | None = None,
    headers: Mapping[str, str] | None = None,
) -> HttpResponse:
    """One problem document as a response."""
    return _respond(document(status, detail, code=code, errors=errors), headers)


def _respond(members: Mapping[str, Any], headers: Mapping[str, str] | None = None) -> HttpResponse:
    status = int(members["status"])
    response = JsonResponse(members, status=status, content_type=CONTENT_TYPE)
    response["Cache-Control"] = "no-store"
    if status == 401:
        response["WWW-Authenticate"] = 'Bearer realm="memoryhub"'
    for name, value in (headers or {}).items():
        response[name] = value
    return response


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


def of_hub_error(error: HubError) -> HttpResponse:
    """The problem of a domain refusal."""
    headers = {"Retry-After": str(error.retry_after)} if isinstance(error, TooMany) else None
    return _respond(members_of(error), headers)


def members_of(error: HubError | exceptions.ValidationError) -> dict[str, Any]:
    """The members of a refusal's problem document, those its kind adds included."""
    if isinstance(error, exceptions.ValidationError):
        error = Invalid(errors=flat(error.detail))
    faults = error.errors if isinstance(error, Invalid) else None
    added = {name: value for name, value in error.extra.items() if isinstance(value, str | int | float | dict | list)}
    return {**document(status_of(error), error.detail, code=error.code, errors=faults), **added}


def exception_handler(error: Exception, context: Mapping[str, Any]) -> HttpResponse:
    """DRF's EXCEPTION_HANDLER: every error that leaves a view of the API."""
    if isinstance(error, HubError):
        return of_hub_error(error)
    if isinstance(error, exceptions.ValidationError):
        return _respond(members_of(error))
    if isinstance(error, exceptions.MethodNotAllowed):
        return method_not_allowed(*context["view"].allowed_methods)
    if isinstance(error, exceptions.APIException):
        return problem(error.status_code, _sentence(error), code=str(error.default_code))
    if isinstance(error, Http404):
        return not_found()
    if isinstance(error, PermissionDenied):
        return problem(403, "This key may not do that.", code="not_granted")
    if isinstance(error, RequestDataTooBig):
        return problem(413, "The body is too large.", code="too_large")
    if isinstance(error, SuspiciousOperation | BadRequest):
        return problem(400, "The request could not be read.", code="malformed")
    if isinstance(error, DataError):  # the database's last word on a value that nothing before it refused
        _log(error)
        return of_hub_error(Invalid("A value can't be stored."))
    if isinstance(error, OperationalError):
        _log(error)
        return problem(
            503, "The database can't be reached or is overloaded. Try again later.", code="database_unavailable",
            headers={"Retry-After": "5"},
        )  # fmt: skip
    _log(error)
    return problem(500, "Something went wrong inside the hub. It was logged under this X-Request-ID.", code="internal")


def not_found() -> HttpResponse:
    """The one body for what is absent and for what is somebody else's."""
    return of_hub_error(NotFound())


def method_not_allowed(*allowed: str) -> HttpResponse:
    """The answer to a method that a path does not take."""
    listed = ", ".join(allowed)
    return problem(405, f"This path takes {listed}.", code="method_not_allowed", headers={"Allow": listed})


@csrf_exempt  # what is not there takes no session either, so every method hears the same
def unknown_path(request: HttpRequest, *args: object, **kwargs: object) -> HttpResponse:
    """The view behind every path under /api/v1/ that leads nowhere."""
    return not_found()


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


def _sentence(error: exceptions.APIException) -> str:
    return str(error.detail) if isinstance(error.detail, str) else str(error.default_detail)


def _log(error: Exception) -> None:
    """The class of an error and where it came from, never its message: that may quote content."""
    frames = "".join(traceback.format_tb(error.__traceback__)[-8:])
    log.error("unexpected %s\n%s", type(error).__name__, frames)
