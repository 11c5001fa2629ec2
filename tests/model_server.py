"""A language model's API on this machine that answers as a test tells it: real sockets, one thread a connection."""

import json
import re
import socket
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

from memoryhub.providers import claim_model
from tests.raw_server import RawServer

Behaviour = Callable[[socket.socket], None]


class ModelServer(RawServer):
    """Answers every connection with `behaviour`; `requests` are what came in, head and body."""

    def __init__(self, behaviour: Behaviour) -> None:
        self.behaviour = behaviour
        super().__init__(lambda connection, _: self.behaviour(connection))
        self.url = f"http://127.0.0.1:{self.port}/v1"

    def request_of(self, connection: socket.socket) -> bytes:
        return _whole_request(connection)

    @property
    def asked(self) -> list[dict[str, Any]]:
        """The documents that were sent."""
        return [json.loads(request.partition(b"\r\n\r\n")[2]) for request in self.requests]


@contextmanager
def model_server(behaviour: Behaviour) -> Iterator[ModelServer]:
    server = ModelServer(behaviour)
    try:
        yield server
    finally:
        server.close()


def answer(body: bytes, *, kind: str = "application/json", status: str = "200 OK", more: str = "") -> Behaviour:
    head = f"HTTP/1.1 {status}\r\nContent-Type: {kind}\r\nContent-Length: {len(body)}\r\n{more}\r\n".encode()
    return lambda connection: connection.sendall(head + body)


def says(content: str) -> Behaviour:
    """The model answers with these words."""
    return answer(json.dumps({"choices": [{"message": {"role": "assistant", "content": content}}]}).encode())


def proposes(*claims: tuple[str, str, str] | dict[str, Any]) -> Behaviour:
    """The model proposes claims: quote, key and value."""
    told = [
        claim if isinstance(claim, dict) else dict(zip(("quote", "key", "value"), claim, strict=True))
        for claim in claims
    ]
    return says(json.dumps({"claims": told}))


def _whole_request(connection: socket.socket) -> bytes:
    request = b""
    while b"\r\n\r\n" not in request:
        request += connection.recv(65536)
    head, _, body = request.partition(b"\r\n\r\n")
    length = re.search(rb"(?i)content-length: (\d+)", head)
    while length and len(body) < int(length.group(1)):
        body += connection.recv(65536)
    return head + b"\r\n\r\n" + body


def hangs(connection: socket.socket) -> None:
    time.sleep(60)  # longer than any test waits


def slowly(connection: socket.socket) -> None:
    connection.sendall(b"HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: 5000\r\n\r\n")
    while True:
        connection.sendall(b" ")
        time.sleep(0.05)


def without_an_end(connection: socket.socket) -> None:
    connection.sendall(b"HTTP/1.1 200 OK\r\nContent-Type: application/json\r\n\r\n")
    while True:
        connection.sendall(b" " * 65536)


def cut_off(connection: socket.socket) -> None:
    connection.sendall(b'HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: 5000\r\n\r\n{"cho')


FORM = "what it answered is not in the form asked for"
JSON = "what it answered is not JSON"
#: Answers that are no use, and the reason the hub gives for each.
BAD: dict[str, tuple[Behaviour, str]] = {
    "hangs": (hangs, claim_model.NOT_IN_TIME),
    "trickles": (slowly, claim_model.NOT_IN_TIME),
    "10 MB": (answer(b" " * 10_000_000), "what it answered is larger than 256 KB"),
    "no end": (without_an_end, "what it answered is larger than 256 KB"),
    "cut off": (cut_off, "the connection failed or broke off"),
    "HTML": (answer(b"<html>Tere</html>", kind="text/html"), JSON),
    "HTML called JSON": (answer(b"<html>Tere</html>"), JSON),
    "broken JSON": (answer(b'{"choices": ['), JSON),
    "deep JSON": (answer(b"[" * 100_000), JSON),
    "no choices": (answer(b"{}"), FORM),
    "empty choices": (answer(b'{"choices": []}'), FORM),
    "null content": (answer(b'{"choices": [{"message": {"content": null}}]}'), FORM),
    "prose": (says("Certainly! Here are the claims."), FORM),
    "a list": (says("[]"), FORM),
    "claims that are none": (says('{"claims": {"a": 1}}'), FORM),
    "deep content": (says("[" * 60_000), FORM),
    "500": (answer(b"{}", status="500 Internal Server Error"), "it answered with status 500"),
    "404": (answer(b"{}", status="404 Not Found"), "it answered with status 404"),
    "401": (answer(b'{"key": "wrong"}', status="401 Unauthorized"), "it answered with status 401"),
    "compressed": (
        answer(b"{}", more="Content-Encoding: gzip\r\n"),
        "what it answered is compressed, though that was not asked for",
    ),
    "no HTTP": (lambda connection: connection.sendall(b"SSH-2.0-x\r\n\r\n"), "the connection failed or broke off"),
}
