"""Which words of a message a claim was read from is marked, and nothing of the message is lost or made up."""

from hypothesis import given
from hypothesis import strategies as st

from curation.highlighting import AROUND, Piece, pieces


def test_the_words_are_marked_where_they_stand() -> None:
    assert pieces("Well, I moved to Porto last week.", "I moved to Porto") == [
        Piece("Well, "), Piece("I moved to Porto", marked=True), Piece(" last week."),
    ]  # fmt: skip


def test_case_and_white_space_make_no_difference() -> None:
    (marked,) = [piece for piece in pieces("so i MOVED\n to Porto", "I moved to Porto") if piece.marked]
    assert marked.text == "i MOVED\n to Porto"


def test_what_stands_nowhere_marks_nothing() -> None:
    assert pieces("I moved to Porto", "I live in Lisbon") == [Piece("I moved to Porto")]
    assert pieces("a (b) c", "(x") == [Piece("a (b) c")]
    assert pieces("I moved", "   ") == [Piece("I moved")]
    assert pieces("", "I moved") == []


def test_far_away_words_of_a_long_message_are_left_out() -> None:
    shown = pieces("a" * 5000 + " I moved " + "b" * 5000, "I moved")
    assert [piece.text[0] for piece in shown] == ["…", "I", " "]
    assert sum(len(piece.text) for piece in shown) < 3 * AROUND


@given(st.text(max_size=AROUND), st.text(max_size=20))
def test_the_pieces_of_a_short_message_are_the_message(text: str, words: str) -> None:
    assert "".join(piece.text for piece in pieces(text, words)) == text
