"""Wrong passwords are counted for a while, per caller and account."""

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack
from datetime import timedelta

import pytest
from django.core.cache import cache
from django.test import RequestFactory

from accounts import attempts
from accounts.attempts import (
    AT_ONCE,
    CALLER_FAILURES,
    PAIR_FAILURES,
    caller_of,
    forget,
    forget_codes,
    may_try,
    may_try_code,
    turn_to_be_judged,
)


@pytest.fixture(autouse=True)
def _empty() -> Iterator[None]:
    cache.clear()
    yield
    cache.clear()


HERE = {"caller": "192.0.2.1"}


def test_after_some_tries_the_pair_has_to_wait_and_nobody_else() -> None:
    assert [may_try(email="A@example.org ", **HERE) for _ in range(PAIR_FAILURES)] == [True] * PAIR_FAILURES
    assert not may_try(email="a@example.org", **HERE)
    assert may_try(email="a@example.org", caller="192.0.2.2")
    assert may_try(email="b@example.org", **HERE)


def test_many_tries_at_the_same_moment_are_as_few_as_one_by_one() -> None:
    with ThreadPoolExecutor(16) as pool:
        tries = list(pool.map(lambda _: may_try(email="a@example.org", **HERE), range(64)))
    assert sum(tries) == PAIR_FAILURES


def test_one_caller_can_t_try_everybody() -> None:
    assert all(may_try(email=f"{number}@example.org", **HERE) for number in range(CALLER_FAILURES))
    assert not may_try(email="fresh@example.org", **HERE)


def test_a_password_that_matched_was_no_guess() -> None:
    for _ in range(CALLER_FAILURES * 2):
        assert may_try(email="a@example.org", **HERE)
        forget(email="a@example.org", **HERE)
    assert may_try(email="fresh@example.org", **HERE)


def test_few_passwords_are_judged_at_once_and_a_place_becomes_free_again(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(attempts, "PATIENCE", timedelta(0))
    with ExitStack() as stack:
        assert [stack.enter_context(turn_to_be_judged()) for _ in range(AT_ONCE + 1)] == [True] * AT_ONCE + [False]
    with turn_to_be_judged() as mine:
        assert mine


def test_second_factors_are_counted_for_the_account_wherever_the_tries_come_from() -> None:
    assert [may_try_code(account="a") for _ in range(PAIR_FAILURES + 2)] == [True] * PAIR_FAILURES + [False] * 2
    assert may_try_code(account="b")
    forget_codes(account="a")
    assert may_try_code(account="a")


@pytest.mark.parametrize(
    ("told", "address"),
    [("192.0.2.7", "192.0.2.7"), ("2001:DB8::1", "2001:db8::1"), ("fe80::1%eth0", "fe80::1"), ("", "0.0.0.0"),
     ("unix:", "0.0.0.0"), ("testclient", "0.0.0.0")],
)  # fmt: skip
def test_the_caller_is_an_address_whatever_the_server_says(told: str, address: str) -> None:
    assert caller_of(RequestFactory().get("/", REMOTE_ADDR=told)) == address
