"""How often may somebody guess? Counts failed sign-ins for a while, per address of the caller and account tried.

Counted in the cache: a restart forgives, which is harmless, and no table of failed guesses has to be kept. A try is
counted before it is judged, so that many sent at the same moment are as few as those sent one by one; and few are
judged at once, because judging a password is slow on purpose and holds a connection to the database that others need.
The pair is counted first, so that a stranger's guesses do not lock the owner out. Second factors are short, and whoever
guesses one knows the password: those are counted for the account alone, from wherever they come.
"""

import hashlib
import ipaddress
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from datetime import timedelta

from django.core.cache import cache
from django.http import HttpRequest

PAIR_FAILURES = 8  # of one caller for one account
CALLER_FAILURES = 60  # of one caller for any account
WINDOW = timedelta(minutes=15)
AT_ONCE = 4  # passwords that one process judges at the same time, each a third of a second of a processor
PATIENCE = timedelta(seconds=3)  # for one of those places
UNKNOWN = "0.0.0.0"
BUSY = "Many people sign in at this moment. Try again in a few seconds."
_PLACES = threading.BoundedSemaphore(AT_ONCE)
WAIT = f"Too many tries that did not match. Wait {int(WINDOW.total_seconds() // 60)} minutes and try again."


def caller_of(request: HttpRequest) -> str:
    """The address a request came from, as far as the server knows it; of a link-local one without its interface."""
    try:
        return str(ipaddress.ip_address(str(request.META.get("REMOTE_ADDR", "")).partition("%")[0]))
    except ValueError:  # a socket of this machine has none
        return UNKNOWN


def may_try(*, email: str, caller: str) -> bool:
    """Spend one try of this caller at the password of this account. False: they have to wait."""
    pair, alone = _names(email, caller)
    of_pair, of_caller = _count(pair), _count(alone)
    return of_pair <= PAIR_FAILURES and of_caller <= CALLER_FAILURES


def forget(*, email: str, caller: str) -> None:
    """A password that matched was no guess: it clears the account's count for this caller, and takes back its own."""
    pair, alone = _names(email, caller)
    cache.delete(pair)
    with suppress(ValueError):  # it lapsed meanwhile
        cache.decr(alone)


@contextmanager
def turn_to_be_judged() -> Iterator[bool]:
    """A place among the few passwords that are judged at once; False where none became free in time."""
    got = _PLACES.acquire(timeout=PATIENCE.total_seconds())
    try:
        yield got
    finally:
        if got:
            _PLACES.release()


def may_try_code(*, account: object) -> bool:
    """Spend one try at a second factor of this account. False: nobody may try for now."""
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
