"""What does a language model answer? One call to an OpenAI-compatible API that always comes back in time, with an
answer or with the reason why there is none.

`complete` never raises anything but Unreadable. What a model is shown stands as data between marks it can't know; what
it says is a proposal by a stranger, and whoever asked believes none of it that its own checks don't pass.
"""

import re
import secrets
import threading
import time
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final
from urllib.parse import urlsplit

from memoryhub import conf
from memoryhub.providers import http_record
from memoryhub.providers.http_record import Deadline, Unreadable

MAX_KEY_BYTES: Final = 8 * 1024
NOT_IN_TIME: Final = "it did not answer in time"
RESTS: Final = "it did not answer in time a moment ago and is left alone for a while"
BUSY: Final = "it is busy with other messages"
FORMLESS: Final = "what it answered is not in the form asked for"

_FENCED: Final = re.compile(r"^\s*```(?:json)?(.*)```\s*", re.DOTALL)


@dataclass(frozen=True)
class Endpoint:
    """Where the model is asked, by which name, with which key (read when it is needed), within how many seconds."""

    url: str
    model: str
    key_file: Path | None = None
    seconds: float = conf.EXTRACTOR_SECONDS
    max_bytes: int = conf.EXTRACTOR_BYTES


def complete(task: str, data: str, *, endpoint: Endpoint) -> str:
    """The words of the answer, without a fence around them. Raises Unreadable with a reason in plain words.

    At most conf.EXTRACTOR_CALLS run at once in a process, and a model that just ran out of time rests for
    conf.EXTRACTOR_REST: nobody queues up behind a dead one.
    """
    if _resting.holds(endpoint):
        raise Unreadable(RESTS)
    if not _calls.acquire(blocking=False):
        raise Unreadable(BUSY)
    try:
        return _said(_ask(task, data, endpoint))
    except Unreadable as error:
        if str(error) == NOT_IN_TIME:
            _resting.add(endpoint)
        raise
    finally:
        _calls.release()


def _ask(task: str, data: str, endpoint: Endpoint) -> Any:
    mark = f"=== {secrets.token_hex(12)} ==="
    asked = {
        "model": endpoint.model,
        "temperature": 0,
        "response_format": {"type": "json_object"},
        "messages": [
            {"role": "system", "content": task},
            {"role": "user", "content": f"{mark}\n{data}\n{mark}"},
        ],
    }
    parts = urlsplit(endpoint.url)
    headers = [("Authorization", f"Bearer {_key(endpoint.key_file)}")] if endpoint.key_file else []
    return http_record.post_json(
        f"{endpoint.url}/chat/completions", asked, headers=headers,
        trusted=frozenset({(parts.hostname or "").lower()}),  # an operator named it
        deadline=Deadline.after(endpoint.seconds), max_bytes=endpoint.max_bytes,
    )  # fmt: skip


def _said(document: Any) -> str:
    try:
        said = document["choices"][0]["message"]["content"]
        fenced = _FENCED.fullmatch(said)
    except (KeyError, IndexError, TypeError) as error:
        raise Unreadable(FORMLESS) from error
    return fenced.group(1) if fenced else said


def _key(file: Path) -> str:
    try:
        with file.open("rb") as opened:
            raw = opened.read(MAX_KEY_BYTES + 1)
        key = raw.decode("ascii").strip()
    except (OSError, ValueError) as error:
        raise Unreadable("the key for it can't be read") from error
    if len(raw) > MAX_KEY_BYTES or not key or not key.isprintable():
        raise Unreadable("the key for it can't be sent")
    return key


class _Resting:
    """Models that ran out of time and are left alone for a while, in this process."""

    def __init__(self) -> None:
        self._until: dict[Endpoint, float] = {}

    def add(self, endpoint: Endpoint) -> None:
        self._until[endpoint] = time.monotonic() + conf.EXTRACTOR_REST.total_seconds()

    def holds(self, endpoint: Endpoint) -> bool:
        return self._until.get(endpoint, 0.0) > time.monotonic()

    def wake(self) -> None:
        """Forget all of it: for tests."""
        self._until.clear()


_resting = _Resting()
_calls = threading.BoundedSemaphore(conf.EXTRACTOR_CALLS)
wake = _resting.wake
