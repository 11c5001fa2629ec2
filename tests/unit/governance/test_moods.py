"""How a sentence is meant decides whether it can be a claim (R11, R13)."""

import pytest

from memoryhub.governance.moods import Mood, is_request, mood_of, speaks_for_somebody_else


@pytest.mark.parametrize(
    ("sentence", "mood"),
    [
        ("I live in Graz.", Mood.ASSERTION),
        ("I told you that I live in Graz.", Mood.ASSERTION),
        ("What I like most is rye.", Mood.ASSERTION),
        ("I want to be called before eight.", Mood.ASSERTION),
        ("I like flowers, for example tulips.", Mood.ASSERTION),
        ("I guess I live in Graz.", Mood.HEDGED),
        ("How do I get to Graz", Mood.QUESTION),
        ("what is the price", Mood.QUESTION),
        ("I would like to know where it is.", Mood.QUESTION),
        ("Good evening, dear team", Mood.EMPTY),
        ("What if I lived in Graz", Mood.QUESTION),
        ("Imagine I lived in Graz.", Mood.HYPOTHETICAL),
        ("Yeah right, I adore queues.", Mood.IRONY),
        ("According to Liv I live in Graz.", Mood.REPORTED),
        ("I was told my plan is gold.", Mood.REPORTED),
        ("I need a new card.", Mood.REQUEST),
        ("I am going to move to Graz.", Mood.INTENTION),
        ("Summarise the text below", Mood.TASK_WITH_TEXT),
    ],
)
def test_a_sentence_has_its_mood(sentence, mood):
    assert mood_of(sentence) is mood


def test_an_imperative_is_a_request_unless_it_stands():
    assert is_request("please send it again")
    assert not is_request("always send it by post")


def test_a_borrowed_phone_speaks_for_somebody_else():
    assert speaks_for_somebody_else("Hi, it's Rune, borrowing her phone")
    assert not speaks_for_somebody_else("This is Rune.")
