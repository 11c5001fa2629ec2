"""Numbers known by their shape are looked for in one pass, and found as if each was looked for alone (R12)."""

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memoryhub.working import state_ids
from memoryhub.working.patterns import Scan

SHAPES = (*state_ids._FIGURES_FIRST, *state_ids._LETTERS_FIRST)
PIECES = st.sampled_from(
    ["123-45-6789", "AB 12 34 56 C", "ABCPA1234K", "X-1234567-L", "12345678Z", "2345 6789 0123", "2345-6789-0123", "&ABC123456A1B",
     "ABCDEF12A34B567C", "1 23 45 67 890 123 45", "131052-308T", "123456-1234567", "12.345.678-5", "20-12345678-1", "756.1234.5678.97",
     "850730-023.12", "123456/123", "S1234567D", "1-2345-67890-12-3", " ", "-", ".", "7", "A", "x", "_", "ſ", "ı", "\n", "٣", "é"]
)  # fmt: skip


@given(st.lists(PIECES, max_size=9).map("".join))
def test_every_shape_is_found_where_it_stands(text):
    alone = {(match.span(), kind) for kind, shape, _ in SHAPES for match in re.finditer(shape, text)}
    together = set()
    for begins, shapes in state_ids._BY_SHAPE:
        starts = {place.start() for place in begins.finditer(text)}
        assert starts >= {span[0] for span, kind in alone if kind in {name for name, _, _ in shapes}}
        together |= {(match.span(), name) for name, shape, _ in shapes for match in shape.finditer(text)}
    assert together == alone


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        ("it says 078-05-1121 there", "social security number"),
        ("RSSMRA85T10A562S", "codice fiscale"),
        ("rssmra85t10a562s", "codice fiscale"),
        ("131052-308T", "HETU"),
        ("12345678Z", "DNI"),
        ("AB 12 34 56 C", "national insurance number"),
    ],
)
def test_a_number_with_its_check_stands_without_words(text, kind):
    assert kind in {name for _, _, name in state_ids.find_state_ids(Scan(text))}
    assert kind in {name for _, _, name in state_ids.find_state_ids(Scan(f"{'- ' * 2000}{text}{' -' * 2000}"))}
