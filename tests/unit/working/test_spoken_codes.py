"""What opens a door is found by what a sentence says it does; numbers of other use are left alone (R12)."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memoryhub.working.patterns import Scan
from memoryhub.working.spoken_codes import find_spoken_codes

FRAMES = [
    "The shed opens with {}.",
    "Punch in {} to get past the gate.",
    "You unlock the bike room with {}.",
    "{} opens the cellar.",
    "The keypad wants {}.",
    "The alarm number is {}.",
    "Das Garagentor geht mit {} auf.",
    "Le code de la porte est {}.",
    "Код домофона {}.",
]
NOT_ONES = [
    "The shed cost 2264 euros.",
    "The gate opens at 0730.",
    "The office has 1200 desks.",
    "Room 4410 is on the fourth floor.",
    "Order 48213377 arrived in two boxes.",
    "The building dates from 1904.",
]


def found(text):
    return {text[start:end] for start, end, _ in find_spoken_codes(Scan(text))}


@pytest.mark.parametrize("frame", FRAMES)
@given(code=st.integers(1000, 999999).map(str))
def test_a_code_is_found_in_every_frame(frame, code):
    assert code in found(frame.format(code))


@pytest.mark.parametrize("text", NOT_ONES)
def test_other_numbers_open_nothing(text):
    assert not found(text)


@pytest.mark.parametrize(
    ("text", "chosen"),
    [
        ("I typed Vole#77creek to log in to the portal.", "Vole#77creek"),
        ("requirepass Kettle9spout", "Kettle9spout"),
        ("ssh key passphrase copper lantern 4", "copper lantern 4"),
        ("The shared secret for the tunnel is moss^Kite^8", "moss^Kite^8"),
    ],
)
def test_a_chosen_word_is_found_by_its_use(text, chosen):
    assert chosen in found(text)
