"""Sentences end where a reader ends them, and nothing of the text is lost (R1)."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memoryhub.governance.sentences import sentences


@pytest.mark.parametrize(
    ("text", "parts"),
    [
        ("I like figs. I hate dates!", ["I like figs.", "I hate dates!"]),
        ("See Dr. Lund at 3 p.m. today. Thanks", ["See Dr. Lund at 3 p.m. today.", "Thanks"]),
        ("Version 2.4.1 is out", ["Version 2.4.1 is out"]),
        ("one\ntwo; three", ["one", "two", "three"]),
        ("好。行！", ["好。", "行！"]),
        ("", []),
    ],
)
def test_a_text_is_cut_into_sentences(text, parts):
    assert list(sentences(text)) == parts


@given(st.text(max_size=300))
def test_sentences_stand_in_the_text_in_their_order(text):
    position = 0
    for sentence in sentences(text):
        position = text.index(sentence, position) + len(sentence)
