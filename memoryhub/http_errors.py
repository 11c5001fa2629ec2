"""Which HTTP status does each refusal have? The one table, for the API and for the pages (api.md, errors)."""

from typing import Final

from memoryhub import errors

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
