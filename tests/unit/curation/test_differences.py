"""Words that went and words that came, and nothing lost between them."""

from hypothesis import given
from hypothesis import strategies as st

from curation.differences import LONGEST, Part, by_words


def test_a_changed_word_is_shown_as_gone_and_new() -> None:
    assert by_words("I live in Faro now", "I live in Porto now") == [
        Part("same", "I live in "),
        Part("gone", "Faro"),
        Part("new", "Porto"),
        Part("same", " now"),
    ]


def test_the_same_words_are_one_part() -> None:
    assert by_words("as it was", "as it was") == [Part("same", "as it was")]


def test_texts_with_little_in_common_are_shown_whole() -> None:
    parts = by_words("I moved to Porto", "Mira now lives in Braga and wants parcels there")
    assert [part.kind for part in parts] == ["gone", "new"]


def test_very_long_texts_are_shown_whole() -> None:
    long = "word " * LONGEST
    assert [part.kind for part in by_words(long, "short")] == ["gone", "new"]


@given(st.text(max_size=80), st.text(max_size=80))
def test_both_texts_can_be_read_out_of_their_difference(old: str, new: str) -> None:
    parts = by_words(old, new)
    assert "".join(part.text for part in parts if part.kind != "new") == old
    assert "".join(part.text for part in parts if part.kind != "gone") == new
