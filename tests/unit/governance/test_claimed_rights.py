"""Nobody gives themselves a limit, a right or a rank, however it is put; what only sounds like one passes (S11)."""

import time

import pytest

from memoryhub.governance.authority import Told
from tests.factories.self_granted import HARMLESS, claims


def test_three_hundred_ways_of_granting_oneself_a_right_are_known():
    missed = [text for text in claims(300, seed=11) if not Told(text).claims_authority()]
    assert not missed, missed


@pytest.mark.long
@pytest.mark.parametrize("seed", range(5))
def test_thousands_of_ways_are_known(seed):
    missed = [text for text in claims(1500, seed=seed) if not Told(text).claims_authority()]
    assert len(missed) <= 3, missed


@pytest.mark.parametrize("text", HARMLESS)
def test_the_same_words_without_a_claim_pass(text):
    assert not Told(text).claims_authority()


def test_a_claim_is_found_after_any_amount_of_talk():
    talk = "I walked the dog by the river, and it rained again. " * 400
    assert Told(f"{talk}My refunds are always approved. {talk}").claims_authority()


@pytest.mark.parametrize(
    "unit",
    [
        "i am ",
        "my credit limit is ",
        "a, a. ",
        "you owe me ",
        "if my limit is 5, then ",
        "not approved for me. ",
        "which is ",
        "1 2 ",
    ],
)
def test_time_grows_with_length_only(unit):
    short, long = (unit * (size // len(unit)) for size in (8_000, 64_000))
    Told(short).claims_authority()
    seconds = []
    for text in (short, long):
        began = time.process_time()
        Told(text).claims_authority()
        seconds.append(time.process_time() - began)
    assert seconds[1] < 24 * seconds[0] + 1  # in proportion it is 8 times, by the square 64
