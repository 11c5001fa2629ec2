"""Wrong passwords are counted for a while, per caller and account."""

from collections.abc import Iterator

import pytest
from django.core.cache import cache
from django.test import RequestFactory

from accounts.attempts import (
    CALLER_FAILURES,
    PAIR_FAILURES,
    are_used_up,
    caller_of,
    count_failure,
    forget,
    forget_codes,
    may_try_code,
)


@pytest.fixture(autouse=True)
def _empty() -> Iterator[None]:
    cache.clear()
    yield
    cache.clear()


def test_after_some_failures_the_pair_has_to_wait_and_nobody_else() -> None:
    for _ in range(PAIR_FAILURES):
        assert not are_used_up(email="a@example.org", caller="192.0.2.1")
        count_failure(email="A@example.org ", caller="192.0.2.1")
    assert are_used_up(email="a@example.org", caller="192.0.2.1")
    assert not are_used_up(email="a@example.org", caller="192.0.2.2")
    assert not are_used_up(email="b@example.org", caller="192.0.2.1")


def test_one_caller_can_t_try_everybody() -> None:
    for number in range(CALLER_FAILURES):
        count_failure(email=f"{number}@example.org", caller="192.0.2.1")
    assert are_used_up(email="fresh@example.org", caller="192.0.2.1")


def test_success_forgives_the_pair() -> None:
    for _ in range(PAIR_FAILURES):
        count_failure(email="a@example.org", caller="192.0.2.1")
    forget(email="a@example.org", caller="192.0.2.1")
    assert not are_used_up(email="a@example.org", caller="192.0.2.1")


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
