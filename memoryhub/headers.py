"""Which headers does every answer carry? The strict ones, and an id by which one request can be found in the logs.

`SecurityHeaders` is the outermost middleware, so that errors and static files have them too.
"""

import re
from collections.abc import Awaitable, Callable

from asgiref.sync import iscoroutinefunction, markcoroutinefunction
from django.http import HttpRequest
from django.http.response import HttpResponseBase

from accounts.ids import new_id

REQUEST_ID = "X-Request-ID"
#: A UUID as RFC 9562 writes it and nothing else: the id goes into the append-only audit trail, where a card number, a
#: token or a name that somebody sends as an id could never be erased again.
SANE_ID = re.compile(r"[0-9a-f]{8}-[0-9a-f]{4}-[1-8][0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}", re.IGNORECASE)
CONTENT_SECURITY_POLICY = "; ".join(
    (
        "default-src 'self'",
        "script-src 'self'",
        "style-src 'self'",
        "img-src 'self'",
        "object-src 'none'",
        "base-uri 'none'",
        "frame-ancestors 'none'",
        "form-action 'self'",
    )
)
HEADERS = {
    "Content-Security-Policy": CONTENT_SECURITY_POLICY,
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "same-origin",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Permissions-Policy": "camera=(), geolocation=(), microphone=(), payment=(), usb=()",
    "X-Frame-Options": "DENY",
}

_Answer = Callable[[HttpRequest], HttpResponseBase] | Callable[[HttpRequest], Awaitable[HttpResponseBase]]


class SecurityHeaders:
    """Adds the headers that a view has not set itself, and `X-Request-ID`: the caller's if it is a UUID, else a
    fresh one.

    Views find the id at `request.request_id`.
    """

    sync_capable = True
    async_capable = True

    def __init__(self, get_response: _Answer) -> None:
        self.get_response = get_response
        self._asynchronous = iscoroutinefunction(get_response)
        if self._asynchronous:
            markcoroutinefunction(self)

    def __call__(self, request: HttpRequest) -> HttpResponseBase | Awaitable[HttpResponseBase]:
        if self._asynchronous:
            return self._later(request)
        request_id = _identify(request)
        response = self.get_response(request)
        assert isinstance(response, HttpResponseBase)
        return _mark(response, request_id)

    async def _later(self, request: HttpRequest) -> HttpResponseBase:
        request_id = _identify(request)
        response = self.get_response(request)
        assert isinstance(response, Awaitable)
        return _mark(await response, request_id)


def _identify(request: HttpRequest) -> str:
    given = request.headers.get(REQUEST_ID, "")
    request_id = given if SANE_ID.fullmatch(given) else str(new_id())
    request.request_id = request_id  # type: ignore[attr-defined]
    return request_id


def _mark(response: HttpResponseBase, request_id: str) -> HttpResponseBase:
    for name, value in HEADERS.items():
        response.headers.setdefault(name, value)
    response.headers[REQUEST_ID] = request_id
    return response
