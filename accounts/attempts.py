"""How often may somebody guess? Counts failed sign-ins for a while, per address of the caller and account tried.

Counted in the cache: a restart forgives, which is harmless, and no table of failed guesses has to be kept. The pair is
counted first, so that a stranger's guesses do not lock the owner out.
"""

import hashlib
from datetime import timedelta

from django.core.cache import cache

PAIR_FAILURES = 8  # of one caller for one account
CALLER_FAILURES = 60  # of one caller for any account
WINDOW = timedelta(minutes=15)


def are_used_up(*, email: str, caller: str) -> bool:
    """Whether this caller has to wait before trying this account again."""
    pair, alone = _names(email, caller)
    return int(cache.get(pair, 0)) >= PAIR_FAILURES or int(cache.get(alone, 0)) >= CALLER_FAILURES


def count_failure(*, email: str, caller: str) -> None:
    """Remember one failed try."""
    for name in _names(email, caller):
        cache.add(name, 0, timeout=int(WINDOW.total_seconds()))
        try:
            cache.incr(name)
        except ValueError:  # it lapsed between the two calls
            cache.set(name, 1, timeout=int(WINDOW.total_seconds()))


def forget(*, email: str, caller: str) -> None:
    """A successful sign-in clears the account's count for this caller."""
    cache.delete(_names(email, caller)[0])


def _names(email: str, caller: str) -> tuple[str, str]:
    pair = hashlib.sha256(f"{email.strip().lower()}\n{caller}".encode()).hexdigest()
    alone = hashlib.sha256(caller.encode()).hexdigest()
    return f"sign-in-pair-{pair}", f"sign-in-caller-{alone}"
