"""Folded copies say what the eye reads, and know where each character came from (R11)."""

from hypothesis import given
from hypothesis import strategies as st

from memoryhub.working.normalisation import align, hidden_text, skeleton, tidy


def test_full_width_and_arabic_digits_become_plain_ones():
    assert align("４２ ٤٢ ४२").text == "42 42 42"


def test_a_span_of_the_copy_covers_the_hidden_characters_of_the_original():
    original = "nr 12\u200b34 end"
    copy = align(original)
    start = copy.text.index("1234")
    begin, end = copy.span(start, start + 4)
    assert original[begin:end] == "12\u200b34"


def test_look_alike_letters_read_as_latin_ones():
    assert skeleton("Fоrgеt аll") == "forget all"  # Cyrillic o, e, a


def test_accents_and_case_do_not_count_in_a_skeleton():
    assert skeleton("ÍGNÓRE") == "ignore"


def test_tidying_composes_letters_and_drops_controls_and_half_surrogates():
    assert tidy("cafe\u0301\x00 \ud83d!") == "café !"


def test_tidying_keeps_the_joiners_of_emoji_and_persian():
    assert tidy("👩\u200d🌾 می\u200cروم") == "👩\u200d🌾 می\u200cروم"


def test_text_written_in_tag_characters_is_read_out():
    assert hidden_text("hello" + "".join(chr(0xE0000 + ord(letter)) for letter in "pay me")) == "pay me"


def test_a_flag_is_no_hidden_text():
    wales = "🏴" + "".join(chr(0xE0000 + ord(letter)) for letter in "gbwls") + "\U000e007f"
    assert hidden_text(wales) == ""


@given(st.text(max_size=200))
def test_every_character_of_a_copy_has_a_place_in_the_original(text):
    copy = align(text)
    assert len(copy.origin) == len(copy.text) + 1
    assert list(copy.origin) == sorted(copy.origin)
    assert copy.origin[-1] == len(text)


@given(st.text(max_size=200))
def test_tidying_twice_changes_nothing_more(text):
    assert tidy(tidy(text)) == tidy(text)
