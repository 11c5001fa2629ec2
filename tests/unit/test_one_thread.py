"""A request goes through one thread that is kept, with nothing of the request that had it before."""

import asyncio
import contextvars
import threading
from collections.abc import Iterator, MutableMapping
from typing import Any

import pytest
from asgiref.sync import iscoroutinefunction
from django.http import HttpRequest, HttpResponse, StreamingHttpResponse
from django.urls import get_urlconf

from memoryhub.one_thread import OneThread

Messages = list[MutableMapping[str, Any]]
SCOPE = {"type": "http", "method": "POST", "path": "/somewhere", "headers": [], "query_string": b""}
_left = contextvars.ContextVar("left", default="nothing")


class Told(OneThread):
    """Answers with the body, and notes who did it and what was there."""

    def __init__(self, **asked: int) -> None:
        super().__init__(**asked)
        self.threads: list[threading.Thread] = []
        self.found: list[str] = []
        self.closed_in: list[threading.Thread] = []

    def get_response(self, request: HttpRequest) -> HttpResponse:
        self.threads.append(threading.current_thread())
        self.found.append(_left.get())
        _left.set("something")
        response = HttpResponse(b"read: " + request.read(), status=201)
        response._resource_closers.append(lambda: self.closed_in.append(threading.current_thread()))  # type: ignore[attr-defined]
        return response


def ask(handler: OneThread, *messages: MutableMapping[str, Any], scope: MutableMapping[str, Any] = SCOPE) -> Messages:
    """What it sends for a request that arrives in these messages."""
    waiting, sent = list(messages), Messages()

    async def receive() -> MutableMapping[str, Any]:
        return waiting.pop(0)

    async def send(message: MutableMapping[str, Any]) -> None:
        sent.append(message)

    asyncio.run(handler(dict(scope), receive, send))
    return sent


def part(body: bytes, *, more: bool = False) -> MutableMapping[str, Any]:
    return {"type": "http.request", "body": body, "more_body": more}


def test_the_whole_body_is_answered() -> None:
    start, body = ask(Told(), part(b"one ", more=True), part(b"two"))
    assert start["status"] == 201
    assert body["body"] == b"read: one two"


def test_no_middleware_waits_for_the_loop() -> None:
    assert not iscoroutinefunction(OneThread()._middleware_chain)


def test_a_request_is_answered_and_closed_in_a_thread_that_is_kept() -> None:
    handler = Told(threads=1)
    ask(handler, part(b"one"))
    ask(handler, part(b"two"))
    first, second = handler.threads
    assert first is second is not threading.current_thread()
    assert handler.closed_in == [first, first]


def test_nothing_that_one_request_left_is_found_by_the_next() -> None:
    handler = Told(threads=1)
    ask(handler, part(b"one"))
    ask(handler, part(b"two"))
    assert handler.found == ["nothing", "nothing"]
    assert get_urlconf() is None


def test_who_has_gone_before_the_end_of_the_body_is_not_answered() -> None:
    handler = Told()
    assert ask(handler, part(b"one", more=True), {"type": "http.disconnect"}) == []
    assert not handler.threads


def test_only_http_is_served() -> None:
    with pytest.raises(ValueError, match="websocket"):
        ask(OneThread(), scope=SCOPE | {"type": "websocket"})


class Streams(OneThread):
    """Answers in parts, and notes in which threads they were made and whether it was closed at the end."""

    def __init__(self, *parts: bytes) -> None:
        super().__init__(threads=1)
        self.parts, self.done = parts, list[str]()

    def get_response(self, request: HttpRequest) -> StreamingHttpResponse:  # type: ignore[override]
        response = StreamingHttpResponse(self._made())
        response.set_cookie("seen", "yes")
        response._resource_closers.append(lambda: self.done.append("closed"))  # type: ignore[attr-defined]
        return response

    def _made(self) -> Iterator[bytes]:
        for one in self.parts:
            self.done.append(threading.current_thread().name)
            yield one


def test_what_streams_is_sent_part_by_part_from_the_threads_and_closed_at_the_end() -> None:
    handler = Streams(b"one\n", b"", b"two\n")
    start, *bodies = ask(handler, part(b""))
    assert (b"set-cookie", b"seen=yes; Path=/") in start["headers"]
    assert [(one["body"], one.get("more_body", False)) for one in bodies] == [
        (b"one\n", True), (b"two\n", True), (b"", False)
    ]  # fmt: skip
    assert len(set(handler.done[:-1])) == 1
    assert handler.done[0].startswith("request")
    assert handler.done[-1] == "closed"
