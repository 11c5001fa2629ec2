"""Filters written once for a shape say the same as filters written for each question (R30)."""

import uuid
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from enum import Enum

import pytest
from hypothesis import given
from hypothesis import strategies as st
from psycopg import sql

from memoryhub.recall import planned
from memoryhub.recall.filters import Reach, Window
from memoryhub.tenancy import Principal
from memoryhub.vocabulary import Category, Kind, Scope

MOMENTS = st.integers(10**8, 10**9 * 4).map(lambda seconds: datetime.fromtimestamp(seconds, UTC))
ROLES = st.frozensets(st.sampled_from(["agent", "curator", "operator", "customer_relay"]))
READERS = st.builds(
    Principal, organisation=st.uuids(), label=st.text(), roles=ROLES, agent=st.none() | st.uuids(),
    user=st.none() | st.uuids(), key=st.none() | st.uuids(), bound_subject=st.sampled_from(["", "somebody"]),
)  # fmt: skip
REACHES = st.builds(
    Reach,
    by=READERS,
    now=MOMENTS,
    audiences=st.lists(st.uuids(), min_size=1, max_size=4, unique=True).map(tuple),
    window=st.builds(Window, *[st.none() | MOMENTS] * 4),
    kinds=st.lists(st.sampled_from(Kind), max_size=2, unique=True).map(tuple),
    categories=st.lists(st.sampled_from(Category), max_size=2, unique=True).map(tuple),
    scopes=st.lists(st.sampled_from(Scope), max_size=2, unique=True).map(tuple),
)


def spelled(value: object) -> str:
    return sql.Literal(value.value if isinstance(value, Enum) else value).as_string(None)


def filled(text: str, values: planned.Values) -> str:
    """A statement with its values in their places."""
    for name in sorted(values, key=len, reverse=True):
        text = text.replace(f"%({name})s", spelled(values[name]))
    return text


@given(reach=REACHES)
def test_with_its_values_in_place_a_shape_is_the_filter_itself(reach: Reach) -> None:
    shape, values = planned.shape_of(reach)
    text, parameters = reach.entries.values_list("id").query.sql_with_params()
    assert filled(planned.written(shape.entries.values_list("id")), values) == text % tuple(map(spelled, parameters))


@given(reach=REACHES)
def test_questions_of_one_shape_share_a_statement_and_send_values_of_their_own(reach: Reach) -> None:
    day = timedelta(days=1)
    asks = replace(
        reach.by, organisation=uuid.uuid4(), agent=reach.by.agent and uuid.uuid4(),
        bound_subject=reach.by.bound_subject and "somebody else",
    )  # fmt: skip
    window = Window(*(moment and moment + day for moment in vars(reach.window).values()))
    audiences = tuple(uuid.uuid4() for _ in reach.audiences)
    another = replace(reach, by=asks, now=reach.now + day, audiences=audiences, window=window)
    (shape, values), (same, others) = planned.shape_of(reach), planned.shape_of(another)
    assert shape == same
    assert values.keys() == others.keys()
    assert all(values[name] != others[name] for name in ("organisation", "now", "audience_0"))


def test_what_is_named_twice_is_sent_once() -> None:
    asked = planned.statement("SELECT %(a)s, %(b)s, %(a)s")
    assert asked == ("SELECT $1, $2, $1", ("a", "b"))


def test_a_constant_is_quoted_and_can_end_no_string() -> None:
    by = Principal(uuid.uuid4(), "x")
    reach = Reach(by, datetime.now(UTC), (uuid.uuid4(),), kinds=("it's \\ over",))
    assert "'it''s \\\\ over'" in planned.written(planned.shape_of(reach)[0].entries.values_list("id"))


def test_a_vector_is_sent_as_the_database_keeps_it() -> None:
    assert planned.Vector([1.0, -2.0]).sent == b"\x00\x02\x00\x00\x3f\x80\x00\x00\xc0\x00\x00\x00"


@pytest.mark.parametrize("name", ["", "x y", "a-b"])
def test_only_words_are_places(name: str) -> None:
    assert planned.statement(f"SELECT '%({name})s'").names == ()
