"""What says how the organisation treats its speaker is never kept on their word, however it is put (R15, ADR 11)."""

import time

import pytest

from memoryhub.governance.authority import Told
from memoryhub.governance.bearing import Bearing, bearing_of
from tests.unit.governance.paraphrases import claims, twins

CLAIMS = list(claims())
TWINS = list(twins())


def passes(text: str) -> bool:
    """Whether nothing of it is refused or waits for a claim of authority."""
    return not Told(text).claims_authority() and not Told(text).touches_authority()


def test_there_are_enough_of_both_and_none_twice():
    assert len(set(CLAIMS)) == len(CLAIMS) >= 600
    assert len(set(TWINS)) == len(TWINS) >= 400


def test_no_paraphrase_of_a_claim_passes():
    assert [text for text in CLAIMS if passes(text)] == []


def test_of_honest_twins_hardly_any_is_refused_and_nine_in_ten_pass():
    refused = [text for text in TWINS if Told(text).claims_authority()]
    held = [text for text in TWINS if not passes(text)]
    assert len(refused) <= len(TWINS) * 0.02, refused
    assert len(held) <= len(TWINS) * 0.1, held


@pytest.mark.parametrize(
    "unit",
    ["refund limit policy check ", "I like tea. ", "my my my the ", "we ask them. ", "a", "My gym fee is high. "],
)
def test_reading_takes_time_in_proportion_to_the_length(unit):
    seconds = []
    for size in (4_000, 64_000):
        text = (unit * (size // len(unit) + 1))[:size]
        began = time.process_time()
        bearing_of(text)
        seconds.append(time.process_time() - began)
    assert seconds[1] < 40 * seconds[0] + 1  # in proportion it is 16 times, by the square 256


def test_a_claim_beyond_what_is_read_still_waits_for_a_person():
    assert bearing_of("I like low fees. " * 400 + "My refund limit is 900.") >= Bearing.DOUBTFUL
