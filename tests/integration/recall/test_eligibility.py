"""No filter combination gives what is over, foreign, paused or above the reader's sensitivity (R30, R39).

Random populations in a real database, against a plain list (tests/factories/population.py).
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from datetime import timedelta
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from memoryhub.models import Event, Session, Subject
from memoryhub.providers.embeddings import HashingEmbedder, using
from memoryhub.recall import graph, session_search
from memoryhub.recall.filters import Window
from memoryhub.recall.search import Query, find
from memoryhub.tenancy import ALL_SUBJECTS, Principal, acting_for
from memoryhub.vocabulary import Category, Kind, Scope
from tests.factories.ground import NOW
from tests.factories.population import (
    DAY,
    EVERYBODY,
    GROUPS,
    PEOPLE,
    World,
    Written,
    entries,
    make_world,
    may_be_given,
    mostly,
    populated,
)

FEW = settings(
    max_examples=20, deadline=None,
    suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow, HealthCheck.data_too_large],
)  # fmt: skip
MANY = settings(FEW, max_examples=250)
READERS = ("agent", "operator", "bound agent")
RESTING = mostly(frozenset(), [frozenset({name}) for name in EVERYBODY])
Check = Callable[[World, st.DataObject], None]
POPULATION = st.lists(entries(), min_size=20, max_size=30)
MOMENTS = mostly(None, [NOW + days * DAY + timedelta(hours=1) for days in range(-20, 2)])


@pytest.fixture
def world(db: None) -> Iterator[World]:
    with using(HashingEmbedder()):
        yield make_world()


def reader(world: World, who: str, named: Sequence[str]) -> Principal:
    """Who asks; a key that is bound asks about its subject alone."""
    if who == "operator":
        return world.ground.as_operator
    return replace(world.ground.as_agent, bound_subject=named[0] if who == "bound agent" else "")


def seen_by(world: World, by: Principal, named: Sequence[str], *, narrow: bool) -> Any:
    """The transaction as the API narrows it, or as wide as the organisation, where the filters stand alone."""
    ids = [world.subjects[name].pk for name in world.audiences(named)]
    return acting_for(by, subjects=ids if narrow else ALL_SUBJECTS)


def check_recall(world: World, data: st.DataObject) -> None:
    rows, resting = data.draw(POPULATION), data.draw(RESTING)
    who = data.draw(st.sampled_from(READERS))
    many = 1 if who == "bound agent" else 3
    named = data.draw(st.lists(st.sampled_from(EVERYBODY), min_size=1, max_size=many, unique=True))
    window = Window(*(data.draw(MOMENTS) for _ in range(4)))
    kinds = data.draw(mostly((), [(kind,) for kind in Kind]))
    categories = data.draw(mostly((), [(Category.PREFERENCE, Category.EPISODE_OUTCOME), (Category.ACCOUNT_FACT,)]))
    scopes = data.draw(mostly((), [tuple(Scope)[:number] for number in range(1, 6)]))
    by = reader(world, who, named)
    with populated(world, rows, resting=resting) as ids:
        with seen_by(world, by, named, narrow=data.draw(st.booleans())):
            query = Query(
                subjects=tuple(world.subjects[name] for name in named), text="harbour", kinds=kinds,
                categories=categories, scopes=scopes, limit=200, token_budget=100_000, min_relevance=0,
                as_of=window.as_of, valid_at=window.valid_at, since=window.since, until=window.until,
            )  # fmt: skip
            given = {note.id for note in find(query=query, by=by, now=NOW).fitted.notes}
        wanted = {
            id
            for id, row in ids.items()
            if may_be_given(row, by=by, named=named, resting=resting, window=window, world=world)
            and (not kinds or row.kind in kinds)
            and (not categories or row.category in categories)
            and (not scopes or row.scope in scopes)
        }
    assert given == wanted


def check_graph(world: World, data: st.DataObject) -> None:
    rows, resting, hops = data.draw(POPULATION), data.draw(RESTING), data.draw(st.integers(1, 4))
    who = data.draw(st.sampled_from([*READERS, "operator of all"]))
    start = data.draw(st.sampled_from(EVERYBODY))
    everywhere = who == "operator of all"
    by = reader(world, who.removesuffix(" of all"), [start])
    window = Window(as_of=data.draw(MOMENTS), valid_at=data.draw(MOMENTS))
    with populated(world, rows, resting=resting) as ids:
        with seen_by(world, by, [start], narrow=not everywhere):
            found = graph.explore(
                question=graph.Question(start, (world.subjects[start],), hops=hops, window=window), by=by, now=NOW,
                audiences=ALL_SUBJECTS if everywhere else [world.subjects[one].pk for one in world.audiences([start])],
            )  # fmt: skip
        facts = {
            id: row
            for id, row in ids.items()
            if may_be_given(
                row, by=by, named=[start], resting=resting, window=window, world=world, all_subjects=everywhere
            )
        }
    if start in resting:
        facts = {}
    known = set(EVERYBODY) if everywhere else world.audiences([start])
    assert {edge.note.id for edge in found.edges} == reached(start, facts, known, hops)
    for path in found.paths:
        assert len(path.nodes) == len(set(path.nodes)) == len(path.entries) + 1


def reached(start: str, facts: dict[str, Written], known: set[str] | frozenset[str], hops: int) -> set[str]:
    """Facts at most so many steps away, by walking a list."""
    nodes, found = {start}, set()
    for _ in range(hops):
        step = {id for id, row in facts.items() if row.subject in nodes}
        found |= step
        nodes = {name for id in step if (name := facts[id].value.strip("!").lower()) in known}
    return found


def check_search(world: World, data: st.DataObject) -> None:
    rows, resting = data.draw(POPULATION), data.draw(RESTING)
    who = data.draw(st.sampled_from(READERS))
    subject = data.draw(st.sampled_from(EVERYBODY))
    by = reader(world, who, [subject])
    told = data.draw(
        st.lists(st.tuples(st.sampled_from(EVERYBODY), mostly(True, [False]), mostly("", ["struck"])), max_size=12)
    )
    with populated(world, rows, resting=resting) as ids:
        events = {str(_event(world, *one).pk): one for one in told}
        with seen_by(world, by, [subject], narrow=data.draw(st.booleans())):
            hits, _ = session_search.search(
                subject=world.subjects[subject], text="harbour", by=by, now=NOW, limit=200,
                audiences=frozenset(world.subjects[one].pk for one in world.audiences([subject])),
            )  # fmt: skip
    wanted = {
        id
        for id, row in ids.items()
        if may_be_given(row, by=by, named=[subject], resting=resting, window=Window(), world=world)
        and (row.subject, row.kind) == (subject, Kind.EPISODIC)
        and row.session
        and (who == "operator" or row.own_agent)
    }
    if subject not in resting:
        wanted |= {
            id
            for id, (about, own, withheld) in events.items()
            if about == subject and not withheld and (who == "operator" or own)
        }
    assert {str(hit.place.id) for hit in hits} == wanted


def _event(world: World, about: str, own: bool, withheld: str) -> Event:
    agent = world.ground.agent if own else world.other_agent
    subject: Subject = world.subjects[about]
    with acting_for(world.ground.as_hub, subjects=ALL_SUBJECTS):
        session, _ = Session.objects.get_or_create(
            organisation=world.ground.organisation, agent=agent, external_id=f"of-{about}", subject=subject,
            defaults={"started_at": NOW, "last_turn_at": NOW, "expires_at": NOW + DAY},
        )  # fmt: skip
        return Event.objects.create(
            organisation=world.ground.organisation, agent=agent, external_id=f"e-{Event.objects.count()}",
            session=session, subject=subject, user_input="" if withheld else "the harbour", withheld=withheld,
            occurred_at=NOW, received_at=NOW,
        )  # fmt: skip


@FEW
@given(data=st.data())
def test_recall_considers_exactly_what_may_be_given(world: World, data: st.DataObject) -> None:
    check_recall(world, data)


@FEW
@given(data=st.data())
def test_a_graph_holds_exactly_what_may_be_given_and_can_be_reached(world: World, data: st.DataObject) -> None:
    check_graph(world, data)


@FEW
@given(data=st.data())
def test_a_search_in_sessions_finds_exactly_what_the_reader_may_read(world: World, data: st.DataObject) -> None:
    check_search(world, data)


@pytest.mark.long
@pytest.mark.parametrize("check", [check_recall, check_graph, check_search])
@MANY
@given(data=st.data())
def test_it_holds_for_many_more(world: World, check: Check, data: st.DataObject) -> None:
    check(world, data)


def test_the_plain_answer_knows_every_reason_to_give_nothing(world: World) -> None:
    """The model itself can say yes and no: a population is no proof where nothing may be given."""
    row = Written(
        subject="ann", scope=Scope.SUBJECT, audience="ann", status="accepted", sensitivity="ordinary",  # type: ignore[arg-type]
        kind=Kind.SEMANTIC, category=Category.PREFERENCE, begins=-1, lasts=None, lives=30, heard=-1, doubted=None,
        own_agent=True, foreign=False, value="oak", session="",
    )  # fmt: skip
    asked: dict[str, Any] = {
        "by": world.ground.as_agent,
        "named": ["ann"],
        "resting": (),
        "window": Window(),
        "world": world,
    }
    assert may_be_given(row, **asked)
    over: dict[str, Any] = {
        "lives": -1,
        "lasts": 0,
        "begins": 1,
        "foreign": True,
        "sensitivity": "restricted",
        "status": "disputed",
    }
    for name, value in over.items():
        assert not may_be_given(replace(row, **{name: value}), **asked), name
    assert not may_be_given(row, **{**asked, "resting": ["ann"]})
    assert not may_be_given(row, **{**asked, "named": [*GROUPS, *PEOPLE[1:]]})
