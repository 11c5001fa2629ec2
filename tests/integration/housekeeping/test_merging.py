"""Statements in force that say the same become one; no trust, number or negation is lost on the way (R17, R77)."""

from collections.abc import Callable
from datetime import timedelta

import pytest

from memoryhub.governance import confirmation, erasure
from memoryhub.models import Entry, Subject
from memoryhub.vocabulary import Channel, Chore, Deed, Role, Scope, Sensitivity, Status
from tests.factories.ground import NOW, Ground
from tests.factories.turns import all_of
from tests.integration.housekeeping.conftest import Keep, Tell

ONE, OTHERWISE = "Always knock twice at the side door.", "Please always knock twice at side door."
HOUR = timedelta(hours=1)
LATER = NOW + timedelta(days=1)


def open_ones(ground: Ground) -> list[str]:
    with all_of(ground):
        return sorted(Entry.objects.filter(status=Status.ACCEPTED).values_list("content", flat=True))


def test_the_one_confirmed_last_stays_with_the_uses_and_the_longer_life_of_both(
    ground: Ground, tell: Tell, keep: Keep, look: Callable[[Entry], Entry]
) -> None:
    older = tell(ONE)
    newer = tell(OTHERWISE, now=NOW + HOUR)
    with all_of(ground):
        Entry.objects.filter(pk=older.pk).update(use_count=2, last_used_at=NOW)
        Entry.objects.filter(pk=newer.pk).update(use_count=1)
    assert keep(Chore.MERGE, LATER).lines == [[Deed.MERGED, "entry", str(older.pk)]]
    stays, goes = look(newer), look(older)
    assert (stays.status, goes.status) == (Status.ACCEPTED, Status.REPLACED)
    assert (stays.use_count, stays.last_used_at, stays.supersedes_id) == (3, NOW, older.pk)
    assert stays.authority == newer.authority
    assert keep(Chore.MERGE, LATER).counts == {}


def test_the_more_trusted_stays_and_takes_over_the_later_confirmation(
    ground: Ground, tell: Tell, keep: Keep, look: Callable[[Entry], Entry]
) -> None:
    trusted = tell(ONE)
    with all_of(ground):
        confirmation.confirm(entry=trusted, by=ground.as_cal, now=NOW, role=Role.CURATOR)
    tell(OTHERWISE, now=NOW + HOUR)
    keep(Chore.MERGE, LATER)
    stays = look(trusted)
    assert (stays.status, stays.authority, stays.last_confirmed_at) == (Status.ACCEPTED, 1.0, NOW + HOUR)
    assert stays.expires_at > look(trusted).recorded_at


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("Always knock 2 times at the side door.", "Always knock 3 times at the side door."),
        (ONE, "Never knock twice at the side door."),
        (ONE, "Always knock twice at the back door."),
        ("I prefer trains to planes.", "I prefer planes to trains."),
    ],
)
def test_numbers_negation_and_other_things_are_no_duplicates(
    ground: Ground, tell: Tell, keep: Keep, one: str, other: str
) -> None:
    tell(one)
    tell(other, now=NOW + HOUR)
    before = open_ones(ground)
    assert keep(Chore.MERGE, LATER).counts == {}
    assert open_ones(ground) == before


def test_what_others_read_or_is_more_sensitive_is_not_merged_into_something_else(
    ground: Ground, asha: Subject, tell: Tell, keep: Keep
) -> None:
    curator = {"channel": Channel.CURATOR, "role": Role.CURATOR}
    tell(ONE, **curator)
    tell(OTHERWISE, scope=Scope.ORGANISATION, **curator)
    tell("Always knock twice at side door.", sensitivity=Sensitivity.RESTRICTED)
    assert keep(Chore.MERGE, LATER).counts == {}
    assert len(open_ones(ground)) == 3


def test_what_somebody_disputes_is_left_alone(ground: Ground, tell: Tell, keep: Keep) -> None:
    doubted = tell(ONE)
    tell(OTHERWISE)
    with all_of(ground):
        confirmation.dispute(entry=doubted, reason="It is quick.", by=ground.as_agent, now=NOW)
    assert keep(Chore.MERGE, LATER).counts == {}


def test_forgetting_the_one_that_stayed_forgets_the_other(ground: Ground, tell: Tell, keep: Keep) -> None:
    tell(ONE)
    stays = tell(OTHERWISE, now=NOW + HOUR)
    keep(Chore.MERGE, LATER)
    with all_of(ground):
        erasure.erase_entry(entry=stays, by=ground.as_agent, now=LATER)
        assert not Entry.objects.exists()


def test_three_of_a_kind_become_one(ground: Ground, tell: Tell, keep: Keep) -> None:
    for hours, text in enumerate((ONE, OTHERWISE, "Always knock twice at a side door.")):
        tell(text, now=NOW + hours * HOUR)
    assert keep(Chore.MERGE, LATER).counts == {Deed.MERGED: 2}
    assert len(open_ones(ground)) == 1
