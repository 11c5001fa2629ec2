"""What is liked and what is hated, under whatever keys: of one thing only what was said last holds (R17, R18)."""

from datetime import timedelta

import pytest

from memoryhub.models import Entry, ReviewItem, Subject
from memoryhub.tenancy import ALL_SUBJECTS, acting_for
from memoryhub.vocabulary import Channel, Op, Reason, Role, Status
from tests.factories.ground import NOW, Ground
from tests.integration.governance.conftest import Say

DAY = timedelta(days=1)


def in_force(ground: Ground) -> set[str]:
    with acting_for(ground.as_hub, subjects=ALL_SUBJECTS):
        found = Entry.objects.filter(status=Status.ACCEPTED, valid_to__isnull=True)
        return set(found.values_list("content", flat=True))


#: What is said first, and what turns it round; the keys of the two are not the same.
TURNED = [
    ("I prefer tea", "I hate tea"),
    ("I prefer tea", "I no longer like tea"),
    ("I prefer tea", "I can't stand tea"),
    ("I hate tea", "I prefer tea"),
    ("I prefer window seats", "I dislike window seats"),
    ("I prefer a window seat", "I hate window seats"),
    ("I hate window seats", "I prefer a window seat"),
    ("I hate rye bread", "I prefer rye bread"),
    ("I prefer rye bread", "I loathe rye bread"),
    ("My favourite drink is cocoa", "I hate cocoa"),
    ("I hate cocoa", "Cocoa is my favourite drink"),
    ("I prefer night trains", "I do not like night trains"),
]


@pytest.mark.parametrize(("first", "then"), TURNED)
def test_a_person_who_says_the_opposite_of_a_taste_corrects_it(ground: Ground, say: Say, first: str, then: str) -> None:
    (before,) = say(first, now=NOW - DAY).results
    (after,) = say(then).results
    assert (before.op, after.op, after.reason) == (Op.ADD, Op.UPDATE, Reason.SUPERSEDED)
    assert in_force(ground) == {then}
    assert [entry.content for entry in after.replaces] == [first]


@pytest.mark.parametrize(
    ("first", "then"),
    [
        ("I prefer tea", "I hate coffee"),
        ("I prefer tea", "I like tea"),
        ("I prefer window seats", "I hate middle seats"),
        ("Call me Sam", "I hate Sam"),
        ("I prefer mornings", "I hate tea"),
        ("I prefer glass", "I hate glas"),
        ("I use Postgres", "I hate Postgres"),
    ],
)
def test_what_is_of_another_thing_or_no_taste_stands_beside_it(ground: Ground, say: Say, first: str, then: str) -> None:
    say(first, now=NOW - DAY)
    (after,) = say(then).results
    assert after.op in (Op.ADD, Op.DISCARDED)
    assert first in in_force(ground)


def test_what_was_said_before_what_turned_it_round_is_history(ground: Ground, say: Say) -> None:
    say("I prefer tea", now=NOW - DAY)
    (late,) = say("I hate tea", said_at=NOW - 9 * DAY).results
    assert (late.op, late.reason) == (Op.NOOP, Reason.OLDER)
    assert in_force(ground) == {"I prefer tea"}


def test_an_earlier_choice_and_the_opposite_are_both_replaced(ground: Ground, say: Say) -> None:
    say("I prefer coffee", now=NOW - 3 * DAY)
    say("I hate tea", now=NOW - 2 * DAY)
    (after,) = say("I prefer tea").results
    assert after.op == Op.UPDATE
    assert in_force(ground) == {"I prefer tea"}


def test_every_word_for_the_liking_is_replaced_at_once(ground: Ground, say: Say) -> None:
    say("I like tea", now=NOW - 3 * DAY)
    say("I prefer tea", now=NOW - 2 * DAY)
    (after,) = say("I hate tea").results
    assert {entry.content for entry in after.replaces} == {"I like tea", "I prefer tea"}
    assert in_force(ground) == {"I hate tea"}


def test_what_a_curator_stated_stays_and_the_person_is_asked_about(ground: Ground, say: Say, asha: Subject) -> None:
    say(
        "She prefers tea",
        channel=Channel.CURATOR,
        role=Role.CURATOR,
        by=ground.as_cal,
        key="preferred_drink",
        value="tea",
    )
    (after,) = say("I hate tea").results
    assert (after.op, after.reason) == (Op.QUEUED, Reason.CONTRADICTS)
    assert in_force(ground) == {"She prefers tea"}
    with acting_for(ground.as_hub, subjects=ALL_SUBJECTS):
        assert ReviewItem.objects.get(entry=after.entry).rival is not None


def test_an_agent_s_guess_turns_nothing_round(ground: Ground, say: Say) -> None:
    say("I prefer tea", now=NOW - DAY)
    (after,) = say(
        "She hates tea", channel=Channel.AGENT_INFERENCE, role=Role.AGENT, key="likes", value="not tea"
    ).results
    assert after.op == Op.QUEUED
    assert in_force(ground) == {"I prefer tea"}


def test_somebody_else_s_taste_is_theirs(ground: Ground, say: Say) -> None:
    other = ground.subject("bo")
    say("I prefer tea", subject=other, now=NOW - DAY)
    (after,) = say("I hate tea").results
    assert after.op == Op.ADD
    assert in_force(ground) == {"I prefer tea", "I hate tea"}
