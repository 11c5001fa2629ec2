"""How often may somebody guess? Counts failed sign-ins for a while, per address of the caller and account tried.

Counted in the cache: a restart forgives, which is harmless, and no table of failed guesses has to be kept. The pair is
counted first, so that a stranger's guesses do not lock the owner out. Second factors are short, and whoever guesses one
knows the password: those are counted for the account alone, from wherever they come.
"""

import hashlib
import ipaddress
from datetime import timedelta

from django.core.cache import cache
from django.http import HttpRequest

PAIR_FAILURES = 8  # of one caller for one account
CALLER_FAILURES = 60  # of one caller for any account
WINDOW = timedelta(minutes=15)
UNKNOWN = "0.0.0.0"
WAIT = f"Too many tries that did not match. Wait {int(WINDOW.total_seconds() // 60)} minutes and try again."


def caller_of(request: HttpRequest) -> str:
    """The address a request came from, as far as the server knows it; of a link-local one without its interface."""
    try:
        return str(ipaddress.ip_address(str(request.META.get("REMOTE_ADDR", "")).partition("%")[0]))
    except ValueError:  # a socket of this machine has none
        return UNKNOWN


def are_used_up(*, email: str, caller: str) -> bool:
    """Whether this caller has to wait before trying this account again."""
    pair, alone = _names(email, caller)
    return int(cache.get(pair, 0)) >= PAIR_FAILURES or int(cache.get(alone, 0)) >= CALLER_FAILURES


def count_failure(*, email: str, caller: str) -> None:
    """Remember one failed try."""
    for name in _names(email, caller):
        _count(name)


def forget(*, email: str, caller: str) -> None:
    """A successful sign-in clears the account's count for this caller."""
    cache.delete(_names(email, caller)[0])


def may_try_code(*, account: object) -> bool:
    """Spend one try at a second factor of this account. False: nobody may try for now.

    Counted before it is judged, so that many tries sent at the same moment are as few as those sent one by one.
    """
    return _count(_code(account)) <= PAIR_FAILURES


def forget_codes(*, account: object) -> None:
    """A second factor that matched clears the account's count."""
    cache.delete(_code(account))


def _count(name: str) -> int:
    cache.add(name, 0, timeout=int(WINDOW.total_seconds()))
    try:
        return int(cache.incr(name))
    except ValueError:  # it lapsed between the two calls
        cache.set(name, 1, timeout=int(WINDOW.total_seconds()))
        return 1


def _code(account: object) -> str:
    return f"second-factor-{account}"


def _names(email: str, caller: str) -> tuple[str, str]:
    pair = hashlib.sha256(f"{email.strip().lower()}\n{caller}".encode()).hexdigest()
    alone = hashlib.sha256(caller.encode()).hexdigest()
    return f"sign-in-pair-{pair}", f"sign-in-caller-{alone}"
