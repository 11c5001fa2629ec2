"""What does the record say right now? Asks one source outside the hub, and always comes back in time (R36).

`fetch` never raises: a reading is a value, that there is none, or why it could not be read. Sources are set by an
operator (governance/records.py); what answers is trusted with its answer and with nothing else.
"""

import os
import threading
import time
from dataclasses import dataclass, field
from datetime import datetime
from pathlib import Path
from typing import Any, Final
from urllib.parse import quote

from memoryhub import conf
from memoryhub.providers import file_record, http_record, json_pointer
from memoryhub.providers.http_record import Deadline, Unreadable
from memoryhub.vocabulary import ReadingState

SUBJECT: Final = "{subject}"
MAX_SECRET_BYTES: Final = 8 * 1024
NOT_IN_TIME: Final = "it did not answer in time"


@dataclass(frozen=True)
class Header:
    """A request header whose secret is read when it is needed, and stored nowhere."""

    name: str
    prefix: str = ""
    environment: str = ""
    file: str = ""


@dataclass(frozen=True)
class HttpSource:
    """A URL that may hold `{subject}`, and the JSON pointer to the value in what it answers."""

    url: str
    pointer: str
    header: Header | None = None


@dataclass(frozen=True)
class FileSource:
    """A path that may hold `{subject}`, and a pattern whose one group is the value."""

    path: str
    pattern: str


Source = HttpSource | FileSource


@dataclass(frozen=True)
class Reach:
    """How far the hub may go: hosts of inner networks, folders, seconds and bytes."""

    hosts: frozenset[str] = frozenset()
    roots: tuple[Path, ...] = ()
    seconds: float = conf.RECORD_SECONDS
    max_bytes: int = conf.RECORD_BYTES


@dataclass(frozen=True)
class Reading:
    """What a record said at `read_at`: its `value`, or why there is none (`reason`: plain words, never content)."""

    state: ReadingState
    read_at: datetime
    value: str = field(default="", repr=False)
    reason: str = ""

    @property
    def found(self) -> bool:
        """Whether it says a value."""
        return self.state == ReadingState.VALUE


def fetch(source: Source, subject: str, *, now: datetime, reach: Reach) -> Reading:
    """Ask a source about a subject (its external id), within `reach.seconds` of wall clock.

    A source that just ran out of time rests for conf.RECORD_REST: callers don't queue up behind a dead server.
    """
    if _resting.holds(source):
        return Reading(ReadingState.UNREACHABLE, now, reason=NOT_IN_TIME)
    try:
        value = (
            _ask_http(source, subject, reach) if isinstance(source, HttpSource) else _ask_file(source, subject, reach)
        )
    except Unreadable as error:
        if str(error) == NOT_IN_TIME:
            _resting.add(source)
        return Reading(ReadingState.UNREACHABLE, now, reason=str(error))
    if value is None:
        return Reading(ReadingState.ABSENT, now, reason="it holds none")
    return Reading(ReadingState.VALUE, now, value=value)


def _ask_http(source: HttpSource, subject: str, reach: Reach) -> str | None:
    deadline = Deadline.after(reach.seconds)
    headers = [(source.header.name, source.header.prefix + _secret(source.header))] if source.header else []
    url = source.url.replace(SUBJECT, quote(_one_step(subject), safe=""))
    answer = http_record.get_json(
        url, headers=headers, trusted=reach.hosts, deadline=deadline, max_bytes=reach.max_bytes
    )
    if answer.status != 200:
        return None
    try:
        return one_value(json_pointer.resolve(answer.document, source.pointer))
    except ValueError as error:
        raise Unreadable("its pointer can't be used") from error


def _ask_file(source: FileSource, subject: str, reach: Reach) -> str | None:
    name = _one_step(subject)
    if SUBJECT in source.path and ("/" in name or "\\" in name or "\x00" in name):
        raise Unreadable("the subject's id can't be part of a path")
    path = source.path.replace(SUBJECT, name)
    found = file_record.find(path, source.pattern, roots=reach.roots, max_bytes=reach.max_bytes)
    return one_value(json_pointer.MISSING if found is None else found)


def one_value(found: Any) -> str | None:
    """A single value in words, None for null and for what is missing. Raises Unreadable for lists and objects."""
    if found is json_pointer.MISSING or found is None:
        return None
    if isinstance(found, bool):
        return "true" if found else "false"
    if not isinstance(found, str | int | float):
        raise Unreadable("it points at several values")
    value = " ".join(str(found).split())
    if len(value) > conf.RECORD_VALUE:
        raise Unreadable(f"its value has more than {conf.RECORD_VALUE} characters")
    if not value.isprintable():
        raise Unreadable("its value holds control characters")
    return value or None


def _one_step(subject: str) -> str:
    """A subject's id, unless it could climb out of its place in a path: agents choose ids."""
    if {".", ".."} & set(subject.replace("\\", "/").split("/")):
        raise Unreadable("the subject's id can't be part of an address")
    return subject


def _secret(header: Header) -> str:
    try:
        raw = os.environ[header.environment] if header.environment else _small_text(Path(header.file))
    except (KeyError, OSError, ValueError) as error:
        raise Unreadable("the secret for it can't be read") from error
    secret = raw.strip()
    if not secret or not secret.isascii() or not secret.isprintable():
        raise Unreadable("the secret for it can't be sent")
    return secret


def _small_text(path: Path) -> str:
    handle = os.open(path, os.O_RDONLY | os.O_NONBLOCK | os.O_CLOEXEC)
    with os.fdopen(handle, "rb") as file:
        body = file.read(MAX_SECRET_BYTES + 1)
    if len(body) > MAX_SECRET_BYTES:
        raise ValueError("too large")
    return body.decode("utf-8")


class _Resting:
    """Sources that ran out of time and are left alone for a while, in this process."""

    def __init__(self) -> None:
        self._until: dict[Source, float] = {}
        self._lock = threading.Lock()

    def add(self, source: Source) -> None:
        with self._lock:
            now = time.monotonic()
            self._until = {one: until for one, until in self._until.items() if until > now}
            self._until[source] = now + conf.RECORD_REST.total_seconds()

    def holds(self, source: Source) -> bool:
        with self._lock:
            return self._until.get(source, 0.0) > time.monotonic()

    def wake(self) -> None:
        """Forget all of it: for tests."""
        with self._lock:
            self._until = {}


_resting = _Resting()
wake = _resting.wake
