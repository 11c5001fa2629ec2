"""What may a log line say? That something happened and where, never to whom or about what.

Paths carry callers' own ids ("/subjects/cust-42"), and messages of database errors carry values, so both stay out.
"""

import logging
import traceback
from types import TracebackType

_ExcInfo = tuple[type[BaseException], BaseException, TracebackType | None] | tuple[None, None, None]


class RouteOnly(logging.Filter):
    """Replaces the path in Django's own request records by the route that matched; drops those of a 503."""

    def filter(self, record: logging.LogRecord) -> bool:
        if getattr(record, "status_code", None) == 503:
            return False  # an answer, not an accident: what is unavailable was said where it was found
        request = getattr(record, "request", None)
        if request is not None:
            match = getattr(request, "resolver_match", None)
            route = match.route if match else "no route"
            record.msg, record.args = (
                "%s %s answered %s",
                (
                    getattr(request, "method", "?"),
                    route,
                    getattr(record, "status_code", "?"),
                ),
            )
        return True


class WithoutValues(logging.Formatter):
    """Formats an exception as the places it passed and the classes of the errors, without their messages."""

    def formatException(self, ei: _ExcInfo) -> str:  # noqa: N802 (logging's own name)
        parts: list[str] = []
        error, seen = ei[1], set[int]()
        while error is not None and id(error) not in seen:
            seen.add(id(error))
            lines = "".join(traceback.format_tb(error.__traceback__)).rstrip()
            parts.append(f"{lines}\n{type(error).__module__}.{type(error).__qualname__}")
            error = error.__cause__ or (None if error.__suppress_context__ else error.__context__)
        return "\ncaused by:\n".join(parts)
