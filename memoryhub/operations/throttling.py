"""How often may one key call? Off unless MEMORYHUB_RATE says how many requests a minute (api.md, habits).

Counted in this process, by the minute: the hub serves from one web process, and a count in the database would cost
every call a write.
"""

import threading
import time
import uuid

from django.conf import settings

from memoryhub.errors import TooMany

_lock = threading.Lock()
_minute = 0
_calls: dict[uuid.UUID, int] = {}


def check_rate(key: uuid.UUID | None, *, at: float | None = None) -> None:
    """Count one call of `key`. Raises TooMany, with the seconds until the next minute, past the limit."""
    limit = int(getattr(settings, "MEMORYHUB_RATE", 0) or 0)
    if limit <= 0 or key is None:
        return
    global _minute
    seconds = time.time() if at is None else at
    with _lock:
        if int(seconds // 60) != _minute:
            _minute = int(seconds // 60)
            _calls.clear()
        _calls[key] = _calls.get(key, 0) + 1
        over = _calls[key] > limit
    if over:
        raise TooMany(retry_after=max(1, 60 - int(seconds % 60)))
