"""A body that is too long is refused at the door, announced or not."""

import asyncio
import json
from collections.abc import MutableMapping
from typing import Any

import pytest

from memoryhub.asgi import BodyLimit


class Call:
    """One request to the guarded application, which reads its whole body and answers 200."""

    def __init__(self, *parts: bytes, announced: str | None = None) -> None:
        self.messages = [
            {"type": "http.request", "body": part, "more_body": number < len(parts) - 1}
            for number, part in enumerate(parts)
        ]
        headers = [(b"content-length", announced.encode())] if announced is not None else []
        self.scope: MutableMapping[str, Any] = {"type": "http", "headers": headers}
        self.sent: list[MutableMapping[str, Any]] = []
        self.reached = False

    async def application(self, scope: Any, receive: Any, send: Any) -> None:
        self.reached = True
        while (await receive()).get("more_body"):
            pass
        await send({"type": "http.response.start", "status": 200, "headers": []})
        await send({"type": "http.response.body", "body": b"read"})

    async def _receive(self) -> MutableMapping[str, Any]:
        return self.messages.pop(0)

    async def _send(self, message: MutableMapping[str, Any]) -> None:
        self.sent.append(message)

    def run(self) -> int:
        asyncio.run(BodyLimit(self.application, most=10)(self.scope, self._receive, self._send))
        return int(self.sent[0]["status"])


@pytest.mark.parametrize("parts", [(b"",), (b"x" * 10,), (b"12345", b"67890")])
def test_a_body_within_the_limit_passes(parts: tuple[bytes, ...]) -> None:
    assert Call(*parts).run() == 200


def test_an_announced_length_is_refused_before_anything_is_read() -> None:
    call = Call(b"x", announced="11")
    assert call.run() == 413
    assert not call.reached
    assert len(call.messages) == 1


def test_an_unannounced_length_is_refused_once_it_is_too_much() -> None:
    call = Call(b"123456", b"123456", b"never read")
    assert call.run() == 413
    assert len(call.messages) == 1


@pytest.mark.parametrize("announced", ["", "-5", "eleven"])
def test_a_senseless_length_is_left_to_the_server(announced: str) -> None:
    assert Call(b"x", announced=announced).run() == 200


def test_the_refusal_is_a_problem_with_the_usual_headers() -> None:
    call = Call(b"x" * 11)
    call.run()
    headers = dict(call.sent[0]["headers"])
    assert headers[b"content-type"] == b"application/problem+json"
    assert headers[b"x-content-type-options"] == b"nosniff"
    assert len(headers[b"x-request-id"]) == 36
    problem = json.loads(call.sent[1]["body"])
    assert (problem["status"], problem["code"]) == (413, "too_large")


def test_what_is_not_http_is_none_of_its_business() -> None:
    call = Call(b"x" * 100)
    call.scope["type"] = "websocket"
    assert call.run() == 200


def test_a_browser_is_shown_a_page_and_a_program_a_problem() -> None:
    for path, accepts, kind in (
        ("/skills/import/", b"text/html,*/*", b"text/html"), ("/skills/import/", b"*/*", b"application/problem"),
        ("/api/v1/skills", b"text/html", b"application/problem"),
    ):  # fmt: skip
        call = Call(b"x", announced="11")
        call.scope |= {"path": path, "headers": [*call.scope["headers"], (b"accept", accepts)]}
        assert call.run() == 413
        assert dict(call.sent[0]["headers"])[b"content-type"].startswith(kind)
        assert (b"<h1>That is too much at once</h1>" in call.sent[1]["body"]) is (kind == b"text/html")
