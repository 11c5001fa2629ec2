"""The ASGI entry point that `make run` serves: Django behind a limit on bodies, the model loading in the background."""

import gc
import json
import os
import threading
from collections.abc import Awaitable, Callable, Mapping, MutableMapping
from typing import Any

import django

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "memoryhub.settings")

django.setup(set_prefix=False)

from django.template.loader import render_to_string  # noqa: E402
from django.urls import get_resolver  # noqa: E402

from memoryhub import conf  # noqa: E402  (Django has to be set up before anything of the hub is imported)
from memoryhub.governance.language import detect  # noqa: E402
from memoryhub.headers import HEADERS, REQUEST_ID, new_id  # noqa: E402
from memoryhub.one_thread import OneThread  # noqa: E402
from memoryhub.providers import embeddings  # noqa: E402

Message = MutableMapping[str, Any]
Receive = Callable[[], Awaitable[Message]]
Send = Callable[[Mapping[str, Any]], Awaitable[None]]
Application = Callable[[MutableMapping[str, Any], Receive, Send], Awaitable[None]]

MOST = conf.MAX_BODY_BYTES + 64 * 1024  # a little above, so that the API itself can answer what is just too large


class _TooLarge(Exception):
    pass


class BodyLimit:
    """Answers 413 as soon as a body is too long, announced or not, before Django spools any more of it to disk."""

    def __init__(self, application: Application, *, most: int = MOST) -> None:
        self._application, self._most = application, most

    async def __call__(self, scope: MutableMapping[str, Any], receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self._application(scope, receive, send)
            return
        announced = dict(scope["headers"]).get(b"content-length", b"0")
        if announced.isdigit() and int(announced) > self._most:
            await _refuse(scope, send)
            return
        seen = 0

        async def counted() -> Message:
            nonlocal seen
            message = await receive()
            seen += len(message.get("body", b""))
            if seen > self._most:
                raise _TooLarge
            return message

        try:
            await self._application(scope, counted, send)
        except _TooLarge:
            await _refuse(scope, send)


async def _refuse(scope: Mapping[str, Any], send: Send) -> None:
    kind, body = _page() if _is_for_a_person(scope) else _problem()
    headers = {**HEADERS, REQUEST_ID: str(new_id()), "Content-Type": kind, "Connection": "close"}
    await send(
        {
            "type": "http.response.start",
            "status": 413,
            "headers": [(name.lower().encode(), value.encode()) for name, value in headers.items()],
        }
    )
    await send({"type": "http.response.body", "body": body.encode()})


def _is_for_a_person(scope: Mapping[str, Any]) -> bool:
    """A browser says that it shows pages; the API answers programs, whatever they say."""
    accepts = dict(scope["headers"]).get(b"accept", b"")
    return b"text/html" in accepts and not str(scope.get("path", "")).startswith("/api/")


def _page() -> tuple[str, str]:
    return "text/html; charset=utf-8", render_to_string("413.html", {"most": MOST // 1024})


def _problem() -> tuple[str, str]:
    code = "too_large"
    problem = {
        "type": f"urn:memoryhub:problem:{code}",
        "title": "Too large",
        "status": 413,
        "detail": "The body is too large.",
        "code": code,
        "errors": {},
    }
    return "application/problem+json", json.dumps(problem)


application = BodyLimit(OneThread())
embeddings.preload()
threading.Thread(target=detect, args=("asdf qwert plugh xyzzy",), name="preload-languages", daemon=True).start()
_ = get_resolver().url_patterns  # imports every view now, not during the first request
# What is loaded stays for the life of the process: no collection during a request has to walk over it.
gc.collect()
gc.freeze()
