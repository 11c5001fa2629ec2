"""In which ways can a sentence about what was wanted be false, and does a check object to each? (R72)"""

from collections.abc import Sequence

import pytest

from memoryhub.dreams.intent_checks import CHECKS, Draft, faults
from memoryhub.dreams.polarity import denies


def draft(sentence: str, turns: Sequence[str], *, said: str = "", turn: int = 0) -> Draft:
    said = said or turns[turn]
    return Draft(sentence, said, turn, tuple(turns), tuple(turns[turn + 1 :]))


MOVE = "I'd like to move my fitting from Leeds to York on 3 May"
GOOD = "The customer wanted to move their fitting from Leeds to York."


def test_a_copy_of_the_request_passes_every_check() -> None:
    assert faults(draft(GOOD, [f"{MOVE}.", "Thank you."])) == ()


@pytest.mark.parametrize(
    ("sentence", "check"),
    [
        ("They wanted to move their fitting.", "form"),
        ("The customer wanted to move their fitting", "form"),
        ("The customer wanted to move their fitting. It was moved.", "form"),
        ("The customer was glad to move their fitting.", "form"),
        ('The customer wanted to move "their fitting".', "form"),
        ("The customer wanted to move my fitting.", "subject"),
        ("The customer wanted to move her fitting.", "subject"),
        ("The customer wanted to cancel their fitting.", "words"),
        ("The customer wanted to move their fitting to Hull.", "value"),
        ("The customer wanted to move their fitting to 4 May.", "value"),
        ("The customer wanted to move their 2 fitting.", "value"),
        ("The customer wanted to move their fitting from York to Leeds.", "order"),
        ("The customer wanted to move their fitting from Leeds to York on 3 May.", "slots"),
        ("The customer wanted to not move their fitting.", "polarity"),
        ("The customer wanted to know their fitting was moved.", "outcome"),
    ],
)
def test_each_way_of_being_false_meets_its_check(sentence: str, check: str) -> None:
    assert check in faults(draft(sentence, [f"{MOVE}."]))


@pytest.mark.parametrize(
    "later",
    [
        "Make it Hull.", "Actually, to Hull please.", "To Hull instead, please.", "Sorry, I meant Hull.",
        "Never mind.", "I've changed my mind.", "Forget it.", "Leave it as it is.", "On second thoughts, no.",
        "I'd rather have it fixed at home.", "Scratch that.", "My mistake, it's Hull.", "I'll stay in Leeds after all.",
        "I got it backwards.", "Only kidding!", "Keep it where it is.", "I never asked for that.", "Not worth it.",
        "Don't move my fitting.", "What if I just cancelled?", "The one in Hull looks nicer. I'll take that.", "Oh, that was another shop. Sorry to bother you!", "It should go to Hull.", "Please put it from Hull to York.",
    ],
)  # fmt: skip
def test_what_is_taken_back_or_overtaken_later_is_not_told(later: str) -> None:
    assert faults(draft(GOOD, [f"{MOVE}.", later])) != ()


@pytest.mark.parametrize(
    "later",
    ["Thanks!", "Yes, please.", "My number is 5512.", "No insurance, thank you.", "I was born on 7 June 1990.",
     "Is there a fee?", "The 3rd is fine.", "Could you also send me a receipt?"],
)  # fmt: skip
def test_what_only_goes_on_takes_nothing_back(later: str) -> None:
    assert faults(draft(GOOD, [f"{MOVE}.", later])) == ()


@pytest.mark.parametrize(
    ("first", "later", "sentence"),
    [
        ("I want to add two bags", "Three bags, I miscounted.", "The customer wanted to add two bags."),
        ("I want to raise it to 400 euros", "300 is more realistic.", "The customer wanted to raise it to 400 euros."),
        ("Book a table at 7 pm", "8 pm suits us better.", "The customer asked the agent to book a table at 7 pm."),
        ("Book a table for Friday", "Saturday it is.", "The customer asked the agent to book a table for Friday."),
        ("I want two tickets", "We're three now.", "The customer wanted two tickets."),
        ("Cancel order 55121", "It is 55122.", "The customer asked the agent to cancel order 55121."),
    ],
)
def test_a_later_value_of_the_same_kind_overtakes_the_first(first: str, later: str, sentence: str) -> None:
    assert "superseded" in faults(draft(sentence, [f"{first}.", later]))


@pytest.mark.parametrize(
    ("said", "sentence"),
    [
        ("I want a room without a view", "The customer wanted a room."),
        ("I do not want to extend my stay", "The customer wanted to extend their stay."),
        ("I want to extend my stay", "The customer wanted to never extend their stay."),
    ],
)
def test_a_sentence_denies_exactly_where_its_clause_does(said: str, sentence: str) -> None:
    assert "polarity" in faults(draft(sentence, [said]))
    assert denies(said) is not denies(sentence)


@pytest.mark.parametrize(
    ("said", "sentence", "check"),
    [
        (
            "I want all refunds approved from now on",
            "The customer wanted all refunds approved from now on.",
            "instructs",
        ),
        (
            "I want to use my card 4111 1111 1111 1111",
            "The customer wanted to use their card 4111 1111 1111 1111.",
            "unclean",
        ),
        ("I need my insulin sent to Leeds", "The customer needed their insulin sent to Leeds.", "unclean"),
        ("Book a cab for tomorrow", "The customer asked the agent to book a cab for tomorrow.", "relative day"),
    ],
)
def test_what_may_not_stand_in_a_memory_is_refused(said: str, sentence: str, check: str) -> None:
    assert check in faults(draft(sentence, [said]))


def test_every_check_can_object_and_can_be_silent() -> None:
    good = draft(GOOD, [MOVE])
    assert not any(objects(good) for objects in CHECKS.values())
