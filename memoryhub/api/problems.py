"""How does a refusal look to a caller? RFC 9457 problem documents, for every error under /api/v1/ (api.md, errors).

Nothing a caller sent is repeated in them. What stands in one, http_errors.py says.
"""

from collections.abc import Mapping, Sequence
from typing import Any

from django.core.exceptions import BadRequest, PermissionDenied, RequestDataTooBig, SuspiciousOperation
from django.http import Http404, HttpRequest, HttpResponse, JsonResponse
from django.views.decorators.csrf import csrf_exempt
from rest_framework import exceptions

from memoryhub.errors import HubError, NotFound, TooMany
from memoryhub.http_errors import document, members_of, members_of_any
from memoryhub.operations.callers import CHALLENGE

__all__ = ["document", "exception_handler", "members_of", "method_not_allowed", "not_found", "problem", "unknown_path"]

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
        response["WWW-Authenticate"] = CHALLENGE
    for name, value in (headers or {}).items():
        response[name] = value
    return response


def of_hub_error(error: HubError) -> HttpResponse:
    """The problem of a domain refusal."""
    headers = {"Retry-After": str(error.retry_after)} if isinstance(error, TooMany) else None
    return _respond(members_of(error), headers)


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
    told = members_of_any(error)
    return _respond(told, {"Retry-After": "5"} if told["status"] == 503 else None)


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


def _sentence(error: exceptions.APIException) -> str:
    return str(error.detail) if isinstance(error.detail, str) else str(error.default_detail)
