"""What does another machine answer over HTTP? One call, boxed in time and size, to an address judged beforehand: a GET
for a record, a POST for a model, and one that only hands something over.

Everything the other side may do is bounded by the wall clock: a deadline holds for looking the name up, connecting,
TLS and every single read, so a server that sends a byte a second gains nothing.
"""

import functools
import json
import ssl
import time
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any, Final, NoReturn
from urllib.parse import urljoin, urlsplit

import httpcore

from memoryhub.providers import addresses

REDIRECTS: Final = 2
PIECE: Final = 16 * 1024  # bytes read at once


class Unreadable(Exception):
    """Why nothing could be read: words for a person, never what the other side sent."""


@dataclass(frozen=True)
class Answer:
    """A status and, with 200, the JSON document."""

    status: int
    document: Any


@dataclass(frozen=True)
class Deadline:
    """The end of a time box, on the monotonic clock."""

    ends: float

    @classmethod
    def after(cls, seconds: float) -> "Deadline":
        return cls(time.monotonic() + seconds)

    def left(self) -> float:
        """Seconds. Raises Unreadable when none are left."""
        left = self.ends - time.monotonic()
        if left <= 0:
            raise Unreadable("it did not answer in time")
        return left

    def within(self, timeout: float | None) -> float:
        """The time one operation may take: what is asked for, never more than what is left."""
        left = self.left()
        return left if timeout is None else min(left, timeout)


def get_json(
    url: str, *, headers: Iterable[tuple[str, str]], trusted: frozenset[str], deadline: Deadline, max_bytes: int
) -> Answer:
    """GET `url` and read its JSON. Follows at most two redirects, to the same scheme, host and port alone.

    Raises Unreadable for everything that is no whole, small, timely JSON document; 404 and 410 come back as they are.
    """
    origin = _origin(url)
    for _ in range(REDIRECTS + 1):
        answer, location = _call(
            "GET", url, headers=headers, trusted=trusted, deadline=deadline, max_bytes=max_bytes, body=None
        )
        if location is None:
            return answer
        url = urljoin(url, location)
        if _origin(url) != origin:
            raise Unreadable("it redirects to another place")
    raise Unreadable("it redirects again and again")


def post_json(
    url: str,
    document: Any,
    *,
    headers: Iterable[tuple[str, str]],
    trusted: frozenset[str],
    deadline: Deadline,
    max_bytes: int,
) -> Any:
    """POST a JSON document once and read the JSON that is answered with 200. Follows no redirect.

    Raises Unreadable for everything else, as get_json does.
    """
    body = json.dumps(document, ensure_ascii=False).encode("utf-8", "replace")
    answer, location = _call(
        "POST", url, headers=[("Content-Type", "application/json"), *headers], trusted=trusted, deadline=deadline,
        max_bytes=max_bytes, body=body,
    )  # fmt: skip
    if location is not None:
        raise Unreadable("it redirects, which is not followed")
    if answer.status != 200:
        raise Unreadable(f"it answered with status {answer.status}")
    return answer.document


def hand_over(
    url: str,
    body: bytes,
    *,
    headers: Iterable[tuple[str, str]],
    trusted: frozenset[str],
    setting: str,
    deadline: Deadline,
) -> int:
    """POST a body once and give the status that is answered; whatever else is answered is not read. Follows no
    redirect. Raises Unreadable where no answer begins in time. `setting`: where an operator lists inner hosts.
    """
    sent = [("Content-Type", "application/json"), *headers]
    with _asked("POST", url, headers=sent, trusted=trusted, deadline=deadline, body=body, setting=setting) as response:
        return response.status


def _call(
    method: str,
    url: str,
    *,
    headers: Iterable[tuple[str, str]],
    trusted: frozenset[str],
    deadline: Deadline,
    max_bytes: int,
    body: bytes | None,
) -> tuple[Answer, str | None]:
    with _asked(method, url, headers=headers, trusted=trusted, deadline=deadline, body=body) as response:
        return _read(response, max_bytes)


@contextmanager
def _asked(
    method: str,
    url: str,
    *,
    headers: Iterable[tuple[str, str]],
    trusted: frozenset[str],
    deadline: Deadline,
    body: bytes | None,
    setting: str = "MEMORYHUB_RECORD_HOSTS",
) -> Iterator[httpcore.Response]:
    """An answer whose head is there, and whose body may be read inside."""
    _, host, port = _origin(url)
    try:
        allowed = addresses.resolve(host, port, trusted=trusted, within=deadline.left(), setting=setting)
    except addresses.AddressRefused as error:
        raise Unreadable(str(error)) from error
    sent = [("Accept", "application/json"), ("Accept-Encoding", "identity"), ("User-Agent", "memory-hub"), *headers]
    network = _Pinned(allowed, deadline)
    try:
        with (
            httpcore.ConnectionPool(network_backend=network, ssl_context=_certificates()) as pool,
            pool.stream(method, url, headers=sent, content=body) as response,
        ):
            yield response
    except httpcore.TimeoutException as error:
        raise Unreadable("it did not answer in time") from error
    except (
        httpcore.NetworkError,
        httpcore.ProtocolError,
        httpcore.UnsupportedProtocol,
        ssl.SSLError,
        OSError,
    ) as error:
        deadline.left()
        raise Unreadable("the connection failed or broke off") from error


def _read(response: httpcore.Response, max_bytes: int) -> tuple[Answer, str | None]:
    said = {name.lower(): value.decode("latin-1").strip() for name, value in response.headers}
    if response.status in (301, 302, 303, 307, 308):
        if not said.get(b"location"):
            raise Unreadable("it redirects to nowhere")
        return Answer(response.status, None), said[b"location"]
    if response.status in (404, 410):
        return Answer(response.status, None), None
    if response.status != 200:
        raise Unreadable(f"it answered with status {response.status}")
    kind = said.get(b"content-type", "").partition(";")[0].strip().lower()
    if kind != "application/json" and not (kind.startswith("application/") and kind.endswith("+json")):
        raise Unreadable("what it answered is not JSON")
    if said.get(b"content-encoding", "identity").lower() not in ("", "identity"):
        raise Unreadable("what it answered is compressed, though that was not asked for")
    too_large = Unreadable(f"what it answered is larger than {max_bytes // 1024} KB")
    if (length := said.get(b"content-length", "")).isdigit() and int(length[:20]) > max_bytes:
        raise too_large
    body = bytearray()
    for piece in response.iter_stream():
        body += piece
        if len(body) > max_bytes:
            raise too_large
    return Answer(200, parsed(bytes(body))), None


def parsed(body: bytes) -> Any:
    """The JSON document in UTF-8. Raises Unreadable for anything else, also for what is too deep to read."""
    try:
        return json.loads(body.decode("utf-8"), parse_constant=_no_constant)
    except (ValueError, RecursionError) as error:
        raise Unreadable("what it answered is not JSON") from error


def _no_constant(name: str) -> NoReturn:
    raise ValueError(f"{name} is no JSON")


@functools.cache
def _certificates() -> ssl.SSLContext:
    """Whom this machine trusts; loaded once, for it takes as long as a request."""
    return ssl.create_default_context()


def _origin(url: str) -> tuple[str, str, int]:
    """Scheme, host and port. Raises Unreadable for what the hub does not call."""
    try:
        parts = urlsplit(url)
        host, port = parts.hostname, parts.port
    except ValueError as error:
        raise Unreadable("that is no address") from error
    if parts.scheme not in ("http", "https") or not host or "@" in parts.netloc or port == 0:
        raise Unreadable("only http and https addresses are read")
    return parts.scheme, host, port or (443 if parts.scheme == "https" else 80)


class _Boxed(httpcore.NetworkStream):
    """A connection whose every read and write ends with the deadline."""

    def __init__(self, stream: httpcore.NetworkStream, deadline: Deadline) -> None:
        self._stream, self._deadline = stream, deadline

    def read(self, max_bytes: int, timeout: float | None = None) -> bytes:
        return self._stream.read(min(max_bytes, PIECE), self._deadline.within(timeout))

    def write(self, buffer: bytes, timeout: float | None = None) -> None:
        self._stream.write(buffer, self._deadline.within(timeout))

    def close(self) -> None:
        self._stream.close()

    def start_tls(
        self, ssl_context: ssl.SSLContext, server_hostname: str | None = None, timeout: float | None = None
    ) -> httpcore.NetworkStream:
        within = self._deadline.within(timeout)
        return _Boxed(self._stream.start_tls(ssl_context, server_hostname, within), self._deadline)

    def get_extra_info(self, info: str) -> Any:
        return self._stream.get_extra_info(info)


class _Pinned(httpcore.NetworkBackend):
    """Connects to the addresses that were judged, whatever the name would lead to by now."""

    def __init__(self, allowed: tuple[str, ...], deadline: Deadline) -> None:
        self._allowed, self._deadline, self._network = allowed, deadline, httpcore.SyncBackend()

    def connect_tcp(
        self,
        host: str,
        port: int,
        timeout: float | None = None,
        local_address: str | None = None,
        socket_options: Any = None,
    ) -> httpcore.NetworkStream:
        failure: Exception = Unreadable("the connection failed or broke off")
        for address in self._allowed:
            try:
                within = self._deadline.within(timeout)
                return _Boxed(self._network.connect_tcp(address, port, within, None, socket_options), self._deadline)
            except (httpcore.ConnectError, httpcore.ConnectTimeout) as error:
                failure = error
        raise failure
