"""What recurs in many episodes is proposed, in counts alone, to a person (R77)."""

from collections.abc import Callable
from datetime import timedelta

import pytest

from memoryhub import conf
from memoryhub.dreams.housekeeping.reflection import importance_of
from memoryhub.governance import decisions
from memoryhub.models import Entry, ReviewItem
from memoryhub.vocabulary import Chore, Deed, Reason, ReviewState, Sensitivity, Status
from tests.factories.ground import NOW, Ground
from tests.factories.turns import all_of
from tests.integration.housekeeping.conftest import Keep

Episode = Callable[..., Entry]
DAY = timedelta(days=1)
LATER = NOW + 60 * DAY
ENOUGH = 26  # at 6 each, the first number of episodes that passes 150


def many(episode: Episode, count: int, *, since: int = 0, **more: object) -> list[Entry]:
    return [
        episode(
            f'Cancel booking (booking id {n}) was refused: "Booking {n} has begun".'
            if n % 3 == 0
            else "Move booking succeeded."
            if n % 3 == 1
            else f"Sent letter {n}.",
            on=NOW + n * DAY,
            **more,
        )
        for n in range(since, since + count)
    ]


def proposed(ground: Ground) -> list[Entry]:
    with all_of(ground):
        rows = Entry.objects.filter(provenance__ref__startswith="reflection").order_by("recorded_at")
        return list(rows.select_related("provenance"))


def test_when_the_importance_passes_150_what_recurs_is_put_before_a_person_with_its_sources(
    ground: Ground, episode: Episode, keep: Keep
) -> None:
    episodes = many(episode, ENOUGH - 1)
    assert {importance_of(entry) for entry in episodes} == {6}
    assert keep(Chore.REFLECT, LATER).counts == {}
    episodes += many(episode, 1, since=ENOUGH - 1)
    assert keep(Chore.REFLECT, LATER).counts == {Deed.PROPOSED: 1}
    (entry,) = proposed(ground)
    assert entry.status == Status.PROPOSED
    assert entry.content == (
        'From 2026-11-30 to 2026-12-25, in 26 episodes: "Cancel booking was refused" in 9; "Move booking succeeded" in 9.'
    )
    assert entry.authority == min(one.authority for one in episodes)
    assert entry.expires_at == min(one.expires_at for one in episodes)
    with all_of(ground):
        assert set(entry.lineage.values_list("parent_id", flat=True)) == {one.pk for one in episodes}
        item = ReviewItem.objects.get(entry=entry, state=ReviewState.WAITING)
    assert item.reason == Reason.REFLECTED


def test_an_episode_is_reflected_on_once_whatever_became_of_it(ground: Ground, episode: Episode, keep: Keep) -> None:
    many(episode, ENOUGH)
    keep(Chore.REFLECT, LATER)
    assert keep(Chore.REFLECT, LATER).counts == {}
    with all_of(ground):
        (item,) = ReviewItem.objects.filter(state=ReviewState.WAITING)
        decisions.reject(item_id=item.pk, reason="no news", by=ground.as_cal, now=LATER)
    assert keep(Chore.REFLECT, LATER).counts == {}
    many(episode, ENOUGH, since=ENOUGH)
    assert keep(Chore.REFLECT, LATER).counts == {Deed.PROPOSED: 1}
    assert len(proposed(ground)) == 2


def test_where_nothing_recurs_nothing_is_said(ground: Ground, episode: Episode, keep: Keep) -> None:
    for n in range(ENOUGH):
        episode(f"Sent letter {n} to the office.", on=NOW + n * DAY)
    assert keep(Chore.REFLECT, LATER).counts == {}
    assert proposed(ground) == []


def test_one_is_sensitive_so_is_what_is_drawn_from_it(
    ground: Ground, episode: Episode, keep: Keep, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(conf, "REFLECT_AT", 30)
    many(episode, 9)
    many(episode, 1, since=9, sensitivity=Sensitivity.RESTRICTED)
    keep(Chore.REFLECT, LATER)
    (entry,) = proposed(ground)
    assert entry.sensitivity == Sensitivity.RESTRICTED


def test_nobodys_episodes_are_mixed_with_anothers(
    ground: Ground, episode: Episode, keep: Keep, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(conf, "REFLECT_AT", 30)
    many(episode, 4)
    many(episode, 4, about=ground.subject("bela"))
    assert keep(Chore.REFLECT, LATER).counts == {}
