"""A population of entries nobody would make by hand, and a plain list of who may be given which of them.

The rows go past the gate on purpose: every mixture that the table allows is wanted, also what the gate never writes.
Only inside a transaction that is taken back, which is where the database asks for the decisions behind them.
"""

from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

from django.db import transaction
from hypothesis import strategies as st

from accounts.ids import new_id
from accounts.models import Agent
from memoryhub.governance import access
from memoryhub.governance.announcement import announce
from memoryhub.governance.subjects import describe
from memoryhub.models import Entry, Provenance, Subject
from memoryhub.recall.filters import Window
from memoryhub.tenancy import ALL_SUBJECTS, Principal, acting_for
from memoryhub.vocabulary import Category, Channel, Kind, Role, Scope, Sensitivity, Status
from tests.factories.ground import NOW, Ground, make_ground

DAY = timedelta(days=1)
#: Ann works for the firm and in the crew, Ben in the crew; Lone belongs to nothing.
PEOPLE = ("ann", "ben", "lone")
GROUPS = ("firm", "crew")
EVERYBODY = (*PEOPLE, *GROUPS)
REACH = {
    "ann": {"ann", "firm", "crew"}, "ben": {"ben", "crew"}, "lone": {"lone"}, "firm": {"firm"}, "crew": {"crew"},
}  # fmt: skip
VALUES = (*EVERYBODY, "Ann", "BEN!", "oak", "elm", "fig")
ONCE = {Status.ACCEPTED, Status.REPLACED, Status.EXPIRED}


@dataclass(frozen=True)
class Written:
    """One entry: days are counted from NOW."""

    subject: str
    scope: Scope
    audience: str
    status: Status
    sensitivity: Sensitivity
    kind: Kind
    category: Category
    begins: int
    lasts: int | None
    lives: int
    heard: int
    doubted: int | None
    own_agent: bool
    foreign: bool
    value: str
    session: str


def mostly(usual: Any, others: Iterable[Any]) -> st.SearchStrategy[Any]:
    """The usual value four times in five: of what has one fault at most, every filter shows."""
    rest = st.sampled_from(list(others))
    return st.integers(0, 4).flatmap(lambda die: rest if die == 4 else st.just(usual))


def entries() -> st.SearchStrategy[Written]:
    """Any entry the table allows; most have little that speaks against giving them."""
    return st.builds(
        Written,
        subject=st.sampled_from(EVERYBODY),
        scope=st.sampled_from(Scope),
        audience=st.sampled_from(EVERYBODY),
        status=mostly(Status.ACCEPTED, Status),
        sensitivity=mostly(Sensitivity.ORDINARY, Sensitivity),
        kind=st.sampled_from(Kind),
        category=st.sampled_from([Category.PREFERENCE, Category.ACCOUNT_FACT, Category.EPISODE_OUTCOME]),
        begins=mostly(-10, range(-20, 3)),
        lasts=mostly(None, range(26)),
        lives=mostly(30, [-5, 0, 1]),
        heard=mostly(-10, range(-20, 1)),
        doubted=mostly(None, range(-20, 1)),
        own_agent=mostly(True, [False]),
        foreign=mostly(False, [True]),
        value=st.sampled_from(VALUES),
        session=st.sampled_from(["s-1", "s-2", ""]),
    )


@dataclass
class World:
    """Two organisations with the same names in them, and two agents in the first."""

    ground: Ground
    foreign: Ground
    other_agent: Agent
    subjects: dict[str, Subject]
    foreign_subjects: dict[str, Subject]

    def audiences(self, named: Iterable[str]) -> frozenset[str]:
        return frozenset().union(*(REACH[name] for name in named))


def make_world() -> World:
    """The ground of many populations."""
    ground, foreign = make_ground(), make_ground()
    with acting_for(ground.as_hub, subjects=ALL_SUBJECTS):
        other = access.ensure_agent(slug="other", owner=ground.ada, by=ground.as_hub, now=NOW)
    return World(ground, foreign, other, _people(ground), _people(foreign))


def _people(ground: Ground) -> dict[str, Subject]:
    with acting_for(ground.as_hub, subjects=ALL_SUBJECTS):
        describe(external_id="firm", kind="account", by=ground.as_hub, now=NOW)
        describe(external_id="ann", kind="person", account="firm", by=ground.as_hub, now=NOW)
        describe(external_id="crew", kind="team", members=["ann", "ben"], by=ground.as_hub, now=NOW)
        describe(external_id="lone", kind="person", by=ground.as_hub, now=NOW)
        return {subject.external_id: subject for subject in Subject.objects.all()}


@contextmanager
def populated(world: World, rows: list[Written], *, resting: Iterable[str]) -> Iterator[dict[str, Written]]:
    """The world with these entries, by id, and these subjects paused without use; gone afterwards."""
    with transaction.atomic():
        ids: dict[str, Written] = {}
        for ground, people, foreign in (
            (world.ground, world.subjects, False), (world.foreign, world.foreign_subjects, True),
        ):  # fmt: skip
            with acting_for(ground.as_hub, subjects=ALL_SUBJECTS):
                announce()
                made = [(row, _entry(row, world, ground, people)) for row in rows if row.foreign is foreign]
                Entry.objects.bulk_create([entry for _, entry in made])
                Provenance.objects.bulk_create([_provenance(row, entry) for row, entry in made])
                ids |= {str(entry.pk): row for row, entry in made}
        with acting_for(world.ground.as_hub, subjects=ALL_SUBJECTS):
            for name, subject in world.subjects.items():
                paused = name in resting
                subject.paused_at, subject.paused_by = (NOW, "test") if paused else (None, "")
                subject.use_existing = not paused
                subject.save()
        yield ids
        transaction.set_rollback(True)


def _entry(row: Written, world: World, ground: Ground, people: dict[str, Subject]) -> Entry:
    begins = NOW + row.begins * DAY
    shared = row.scope in (Scope.AGENT, Scope.ORGANISATION)
    audience = None if shared else people[row.subject if row.scope == Scope.SUBJECT else row.audience]
    return Entry(
        id=new_id(), organisation=ground.organisation, subject=people[row.subject], scope=row.scope, audience=audience,
        agent=ground.agent if row.own_agent or row.foreign else world.other_agent, kind=row.kind,
        category=row.category, content=f"harbour {row.value}", entity="subject", key="berth", value=row.value,
        status=row.status, sensitivity=row.sensitivity, confidence=0.9, importance=0.6, authority=0.3,
        valid_from=begins, valid_to=None if row.lasts is None else begins + row.lasts * DAY,
        recorded_at=NOW + row.heard * DAY, recorded_until=None if row.doubted is None else NOW + row.doubted * DAY,
        expires_at=NOW + row.lives * DAY, fingerprint=new_id().hex,
    )  # fmt: skip


def _provenance(row: Written, entry: Entry) -> Provenance:
    return Provenance(
        organisation_id=entry.organisation_id, entry=entry, role=Role.CUSTOMER, channel=Channel.USER_MESSAGE,
        said_at=entry.valid_from, recorded_at=entry.recorded_at, session_ref=row.session,
    )  # fmt: skip


def may_be_given(
    row: Written,
    *,
    by: Principal,
    named: Iterable[str],
    resting: Iterable[str],
    window: Window,
    world: World,
    all_subjects: bool = False,
    now: datetime = NOW,
) -> bool:
    """The plain answer: foreign, at rest, out of reach, too sensitive, or not in force then."""
    awake = [name for name in named if name not in resting]
    if row.foreign or (not awake and not all_subjects) or row.subject in resting:
        return False
    audiences = world.audiences(awake) if awake else frozenset()
    if row.scope in (Scope.ORGANISATION, Scope.AGENT):
        if row.scope == Scope.AGENT and not (by.agent == world.ground.agent.pk and row.own_agent):
            return False
        if by.bound_subject and row.subject not in audiences:
            return False
    else:
        audience = row.subject if row.scope == Scope.SUBJECT else row.audience
        if audience in resting or not (all_subjects or audience in audiences):
            return False
    if row.sensitivity == Sensitivity.RESTRICTED and not by.roles & {"curator", "operator"}:
        return False
    begins = NOW + row.begins * DAY
    ends = None if row.lasts is None else begins + row.lasts * DAY
    lapses = NOW + row.lives * DAY
    if window.since and begins < window.since:
        return False
    if window.until and begins >= window.until:
        return False
    if window.as_of is None and window.valid_at is None:
        return row.status == Status.ACCEPTED and lapses > now and begins <= now and (ends is None or ends > now)
    moment = window.valid_at or window.as_of
    assert moment is not None
    open_then = ends is None or ends > moment
    if window.as_of is not None:
        if NOW + row.heard * DAY > window.as_of:
            return False
        open_then |= row.doubted is not None and NOW + row.doubted * DAY > window.as_of
    return row.status in ONCE and begins <= moment and lapses > moment and open_then
