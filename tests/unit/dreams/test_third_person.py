"""How does what a customer says of themselves read when somebody else tells it? (R72)"""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memoryhub.dreams.third_person import points_elsewhere, third_person
from memoryhub.working.normalisation import listed


@pytest.mark.parametrize(
    ("said", "told"),
    [
        ("change my flight to May 21st", "change their flight to May 21st"),
        ("send me the invoice", "send them the invoice"),
        ("book a table for me and my sister", "book a table for them and their sister"),
        ("open an account for myself", "open an account for themselves"),
        ("move our meeting to room 4", "move their meeting to room 4"),
        ("have the charge on a card of mine explained", "have the charge on a card of theirs explained"),
        ("get the refund I was promised", "get the refund they were promised"),
        ("return the coat I am wearing", "return the coat they are wearing"),
        ("tell us when we can collect our keys", "tell them when they can collect their keys"),
        ("do the exam ourselves", "do the exam themselves"),
        ("find a flight to the US", "find a flight to the US"),
        ("keep one chair", "keep one chair"),
        ("return a lamp that arrived broken", "return a lamp that arrived broken"),
        ("return my lamp and have it repaired", "return their lamp and have it repaired"),
    ],
)
def test_pronouns_change_and_nothing_else_does(said: str, told: str) -> None:
    assert third_person(said) == told


@pytest.mark.parametrize(
    "said",
    [
        "cancel it", "do that", "take this one", "book the second option", "change them", "go there", "do so",
        "have the same again", "cancel that order", "thank you", "see what you offer", "pick the other one",
        "know what she said", "get something better", "switch to the cheaper one",
    ],
)  # fmt: skip
def test_words_that_point_at_what_is_not_told_have_no_answer(said: str) -> None:
    assert points_elsewhere(said) or third_person(said) is None
    assert third_person(said) is None


@given(st.lists(st.sampled_from(listed("a 17 lamp Leeds my I was me to 5.20 of and coat")), min_size=1, max_size=12))
def test_every_word_that_is_no_pronoun_is_copied_in_its_order(words: list[str]) -> None:
    told = third_person(" ".join(words))
    if told is not None:
        kept = [word for word in words if word not in ("my", "I", "was", "me")]
        assert [word for word in told.split() if word not in ("their", "they", "was", "were", "them")] == kept
