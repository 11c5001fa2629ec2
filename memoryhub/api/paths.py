"""How is an id with a slash addressed? Percent-encoded segments of API paths, kept apart (api.md, habits).

A server decodes the path before Django sees it, and "team%2F2" looks like two segments. This middleware reads the path
as it was sent and hands Django one segment per segment; the converter below gives the view the caller's own id.
"""

from collections.abc import Callable
from typing import Any, Final
from urllib.parse import unquote

from django.http import HttpRequest, HttpResponse

from memoryhub.api.problems import problem

PREFIX: Final = "/api/v1/"


class KeepSegments:
    """Middleware: below PREFIX, a slash or per cent sign inside a segment stays escaped until the converter."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        if request.path_info.startswith(PREFIX) and (raw := raw_path(request)):
            try:
                segments = [_escaped(unquote(segment, errors="strict")) for segment in raw.split("/")]
            except UnicodeDecodeError:
                return problem(400, "The path is not UTF-8.", code="malformed")
            request.path_info = "/".join(segments)
        return self.get_response(request)


class ExternalIdConverter:
    """A path converter: one segment, given to the view as the caller wrote it."""

    regex = "[^/]+"

    def to_python(self, value: str) -> str:
        return value.replace("%2F", "/").replace("%25", "%")

    def to_url(self, value: str) -> str:
        return _escaped(value)


def raw_path(request: HttpRequest) -> str:
    """The path as it was sent, or empty where the server does not tell."""
    scope: dict[str, Any] = getattr(request, "scope", {})
    raw = scope.get("raw_path") or request.META.get("RAW_URI") or request.META.get("REQUEST_URI") or ""
    text = raw.decode("latin-1") if isinstance(raw, bytes) else str(raw)
    path = text.partition("?")[0]
    return path if path.startswith(PREFIX) else ""


def _escaped(segment: str) -> str:
    return segment.replace("%", "%25").replace("/", "%2F")
