"""Which words does a process still hold in memory, and when does it let go of them? (R91)

Pure functions of people's words remember what they were asked last. After an erasure every process empties them: how
many erasures there were comes along with the identity that each transaction sets (tenancy.py), without a query of its
own. A second time a while later, since a thread that began before the erasure may still have been at work.
"""

import threading
import time
from collections.abc import Callable
from functools import lru_cache
from typing import Any, Final, ParamSpec, TypeVar

#: How many erasures there were, as one more column of a statement: a sequence, which nobody has to wait for.
COUNTED: Final = "(SELECT last_value FROM memoryhub_erasures)"
COUNT: Final = "SELECT nextval('memoryhub_erasures')"
AGAIN_AFTER: Final = 30.0  # seconds: longer than a request or a step of a job is at work on words

_Asked = ParamSpec("_Asked")
_Answer = TypeVar("_Answer")


class _Seen:
    """What this process knows of erasures: how many there were, and when to empty its caches once more."""

    def __init__(self) -> None:
        self.lock = threading.Lock()
        self.count: int | None = None
        self.again: float | None = None


_forgetters: list[Callable[[], Any]] = []
_seen = _Seen()


def holds_words(*, most: int) -> Callable[[Callable[_Asked, _Answer]], Callable[_Asked, _Answer]]:
    """An lru_cache of `most` answers that is emptied when somebody's words are erased."""

    def decorate(function: Callable[_Asked, _Answer]) -> Callable[_Asked, _Answer]:
        cached = lru_cache(maxsize=most)(function)
        forget_with(cached.cache_clear)
        return cached  # type: ignore[return-value]

    return decorate


def forget_with(forget: Callable[[], Any]) -> None:
    """Call this too when caches are emptied."""
    _forgetters.append(forget)


def notice(count: int) -> None:
    """So many erasures there were by now: empty the caches if there are new ones, or if it is time to once more."""
    now = time.monotonic()
    if count == _seen.count and (_seen.again is None or now < _seen.again):
        return
    with _seen.lock:
        first, _seen.count = count != _seen.count, count
        _seen.again = now + AGAIN_AFTER if first else None
    empty()


def empty() -> None:
    """Let go of all remembered words in this process."""
    for forget in _forgetters:
        forget()
