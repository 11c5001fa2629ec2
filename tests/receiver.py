"""A receiver of webhooks on this machine: answers each delivery as a test tells it, and knows what it was sent."""

import base64
import hashlib
import hmac
import json
import socket
import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from itertools import chain, repeat
from typing import Any

from tests.raw_server import RawServer

How = Callable[[socket.socket], None]


@dataclass(frozen=True)
class Delivered:
    """One delivery as it came in."""

    headers: dict[str, str]
    raw: bytes

    @property
    def body(self) -> dict[str, Any]:
        document: dict[str, Any] = json.loads(self.raw)
        return document

    @property
    def ids(self) -> list[str]:
        return list(self.body["data"]["ids"])

    def is_signed_with(self, secret: str) -> bool:
        """Checked as the Standard Webhooks say, with nothing of the hub's."""
        key = base64.b64decode(secret.removeprefix("whsec_"))
        signed = f"{self.headers['webhook-id']}.{self.headers['webhook-timestamp']}.".encode() + self.raw
        wanted = base64.b64encode(hmac.new(key, signed, hashlib.sha256).digest()).decode()
        return hmac.compare_digest(f"v1,{wanted}", self.headers["webhook-signature"])


class Receiver(RawServer):
    """Answers one delivery after another by `hows`; the last of them goes on."""

    def __init__(self, *hows: How) -> None:
        every = hows or (ok,)
        self._hows: Iterator[How] = iter(chain(every, repeat(every[-1])))
        super().__init__(lambda connection, _: next(self._hows)(connection))

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.port}/hook"

    @property
    def got(self) -> list[Delivered]:
        """What was sent, in order; whatever was answered."""
        return [_read(request) for request in list(self.requests)]

    def request_of(self, connection: socket.socket) -> bytes:
        request = b""
        while b"\r\n\r\n" not in request:
            request += _more(connection)
        head, _, body = request.partition(b"\r\n\r\n")
        length = int(_headers(head)["content-length"])
        while len(body) < length:
            body += _more(connection)
        return head + b"\r\n\r\n" + body


def answering(status: str, *, more: str = "", body: str = "") -> How:
    head = f"HTTP/1.1 {status}\r\nContent-Length: {len(body)}\r\n{more}\r\n{body}".encode()
    return lambda connection: connection.sendall(head)


ok: How = answering("200 OK")
broken: How = answering("500 Internal Server Error", body="a stack trace")
moved: How = answering("307 Temporary Redirect", more="Location: http://127.0.0.1:1/elsewhere\r\n")


def hangs(connection: socket.socket) -> None:
    """Takes it, and says nothing for long."""
    time.sleep(3)


def dies(connection: socket.socket) -> None:
    """Breaks off in the middle of its answer's head."""
    connection.sendall(b"HTTP/1.1 2")


@contextmanager
def receiving(*hows: How) -> Iterator[Receiver]:
    receiver = Receiver(*hows)
    try:
        yield receiver
    finally:
        receiver.close()


def told(deliveries: Iterable[Delivered]) -> list[str]:
    """The ids that were told, in order."""
    return [one for delivery in deliveries for one in delivery.ids]


def _read(request: bytes) -> Delivered:
    head, _, body = request.partition(b"\r\n\r\n")
    return Delivered(_headers(head), body)


def _headers(head: bytes) -> dict[str, str]:
    lines = head.decode("latin-1").split("\r\n")[1:]
    return {name.lower(): value.strip() for name, _, value in (line.partition(":") for line in lines)}


def _more(connection: socket.socket) -> bytes:
    piece = connection.recv(65536)
    if not piece:
        raise OSError("the caller went away")
    return piece
