"""Two curators decide the same items at the same time: nothing is decided twice, every loser hears what was (U2, R92).

Real threads with connections of their own, against the real database.
"""

import random
from collections import Counter
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from uuid import UUID

import pytest
from django.db import connections

from memoryhub.errors import AlreadyDecided, Stale
from memoryhub.governance import audit, bulk, decisions
from memoryhub.governance.intake import Proposal, propose
from memoryhub.models import AuditEvent, ReviewItem
from memoryhub.providers.embeddings import HashingEmbedder, using
from memoryhub.tenancy import ALL_SUBJECTS, Principal, acting_for
from memoryhub.vocabulary import Channel, ReviewState, Role
from tests.factories.ground import NOW, Ground, make_ground


@pytest.fixture(autouse=True)
def _no_meaning_needed(committed_db: None) -> Iterator[None]:
    with using(HashingEmbedder()):
        yield


@dataclass
class Tally:
    """What one curator came to."""

    won: dict[UUID, str] = field(default_factory=dict)
    lost: dict[UUID, str] = field(default_factory=dict)


def waiting(ground: Ground, count: int) -> list[UUID]:
    """So many claims that wait, about a few people."""
    people = [ground.subject(f"p-{n}") for n in range(min(count, 8))]
    by = ground.as_agent
    with acting_for(by, subjects=ALL_SUBJECTS):
        for number in range(count):
            text = f"The customer keeps {number + 2} parcels in locker {number * 7 + 11}"
            proposal = Proposal(
                subject=people[number % len(people)], text=text, channel=Channel.AGENT_INFERENCE, role=Role.AGENT
            )
            propose(proposal=proposal, by=by, now=NOW)
    with acting_for(ground.as_hub, subjects=ALL_SUBJECTS):
        found = list(ReviewItem.objects.filter(state=ReviewState.WAITING).values_list("pk", flat=True))
    assert len(found) == count
    return found


def work_through(ids: list[UUID], *, by: Principal, seed: int) -> Tally:
    luck, tally = random.Random(seed), Tally()
    order = luck.sample(ids, k=len(ids))
    try:
        for pk in order:
            verb = luck.choice(("approve", "reject"))
            try:
                with acting_for(by, subjects=ALL_SUBJECTS):
                    if verb == "approve":
                        item = decisions.approve(item_id=pk, by=by, now=NOW)
                    else:
                        item = decisions.reject(item_id=pk, reason="No.", by=by, now=NOW)
                tally.won[pk] = item.state
            except AlreadyDecided as first:
                tally.lost[pk] = str(first.extra["decision"])
    finally:
        connections.close_all()
    return tally


def both(ground: Ground, ids: list[UUID]) -> tuple[Tally, Tally]:
    with ThreadPoolExecutor(2) as pool:
        runs = [pool.submit(work_through, ids, by=by, seed=n) for n, by in enumerate((ground.as_cal, ground.as_dee))]
        return runs[0].result(timeout=300), runs[1].result(timeout=300)


def check(ground: Ground, ids: list[UUID]) -> None:
    cal, dee = both(ground, ids)
    assert set(cal.won) & set(dee.won) == set()
    assert set(cal.won) | set(dee.won) == set(ids)
    assert {**cal.lost, **dee.lost} == {**dee.won, **cal.won}
    with acting_for(ground.as_hub, subjects=ALL_SUBJECTS):
        decided = {item.pk: item for item in ReviewItem.objects.filter(pk__in=ids)}
        assert {pk: item.state for pk, item in decided.items()} == {**dee.won, **cal.won}
        for tally, by in ((cal, ground.as_cal), (dee, ground.as_dee)):
            assert {decided[pk].decided_by_id for pk in tally.won} <= {by.user}
        rows = AuditEvent.objects.filter(
            organisation_id=ground.organisation.pk, action__in=["queue.approve", "queue.reject"]
        )
        assert Counter(rows.values_list("object_id", flat=True)) == Counter(str(pk) for pk in ids)
        assert audit.first_broken_link(ground.organisation.pk) is None


def test_nothing_is_decided_twice() -> None:
    ground = make_ground()
    check(ground, waiting(ground, 20))


@pytest.mark.long
def test_nothing_of_two_hundred_is_decided_twice() -> None:
    ground = make_ground()
    check(ground, waiting(ground, 200))


def test_two_batches_over_the_same_items_are_one_and_a_refusal() -> None:
    ground = make_ground()
    ids = waiting(ground, 12)

    def decide(by: Principal, some: list[UUID]) -> str:
        try:
            with acting_for(by, subjects=ALL_SUBJECTS):
                return str(len(bulk.decide(ids=some, verb="reject", reason="No.", by=by, now=NOW).items))
        except Stale as refused:
            return refused.code
        finally:
            connections.close_all()

    with ThreadPoolExecutor(2) as pool:
        runs = [pool.submit(decide, ground.as_cal, ids[:8]), pool.submit(decide, ground.as_dee, ids[:3:-1])]
        assert sorted(run.result(timeout=120) for run in runs) == ["8", "stale"]
