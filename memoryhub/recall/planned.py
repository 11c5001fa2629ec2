"""How is a statement written once and planned once, however often it is asked? (ADR 0016)

Filters are querysets (filters.py), so that each rule stands in one place. Making SQL of one, and planning it, takes
longer than running it does. Both are done once per *shape* of a question: the filters are compiled with stand-ins for
all that differs from question to question (who asks, of whom, when), and for each question its own values are sent in
their places. What is the same for all of a shape is written into the text, where PostgreSQL can plan with it.
"""

import re
import struct
import uuid
from collections.abc import Hashable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import fields, replace
from datetime import UTC, datetime, timedelta
from enum import Enum
from functools import cache
from typing import Any, Final, NamedTuple, TypeVar

from django.db import connection
from django.db.models import Model, QuerySet
from django.db.models.constants import OnConflict
from django.db.models.expressions import RawSQL
from django.db.models.sql import InsertQuery
from psycopg import RawCursor, sql
from psycopg.adapt import Dumper
from psycopg.pq import Format

from memoryhub.recall.filters import Reach
from memoryhub.tenancy import Principal

Values = dict[str, object]
_T = TypeVar("_T")

_PLACE: Final = re.compile(r"%\((\w+)\)s")
_WHO: Final = tuple(field.name for field in fields(Principal) if field.name != "roles")  # each a value, not a branch
_WHEN: Final = ("as_of", "valid_at", "since", "until")
_FIRST_MOMENT: Final = datetime(1970, 1, 1, tzinfo=UTC)
#: Every stand-in that was made, and the name of what it stands for.
_NAMES: Final[dict[object, str]] = {}


class Place(str):
    """A parameter by name, where SQL is written by hand inside a queryset."""

    __slots__ = ()


class Statement(NamedTuple):
    """A statement with PostgreSQL's own places ($1, $2 …) and the name of what is sent in each."""

    text: str
    names: tuple[str, ...]


class Vector:
    """An embedding as PostgreSQL takes it without reading numbers from text."""

    __slots__ = ("sent",)

    def __init__(self, numbers: Sequence[float]) -> None:
        self.sent = struct.pack(f">HH{len(numbers)}f", len(numbers), 0, *numbers)


class _VectorDumper(Dumper):
    format = Format.BINARY  # of no type that psycopg knows: the statement says which

    def dump(self, obj: Vector) -> bytes:
        return obj.sent


def statement(text: str) -> Statement:
    """Of SQL with named places, as in `%(now)s`; one that is named twice is sent once."""
    places: dict[str, int] = {}
    numbered = _PLACE.sub(lambda found: f"${places.setdefault(found[1], len(places) + 1)}", text)
    return Statement(numbered, tuple(places))


def ask(asked: Statement, values: Values) -> list[tuple[Any, ...]]:
    """Its rows. It is planned at its first use on a connection."""
    with _sent(asked, values) as cursor:
        return cursor.fetchall()


def tell(told: Statement, values: Values) -> None:
    """The same for a statement that gives no rows."""
    with _sent(told, values):
        pass


@contextmanager
def _sent(asked: Statement, values: Values) -> Iterator[RawCursor[tuple[Any, ...]]]:
    # Past Django's cursor, which would send the values inside the text, so that nothing could be prepared.
    with connection.wrap_database_errors, RawCursor(connection.connection) as cursor:
        cursor.adapters.register_dumper(Vector, _VectorDumper)
        cursor.execute(asked.text, [values[name] for name in asked.names], prepare=True, binary=True)
        yield cursor


def shape_of(reach: Reach) -> tuple[Reach, dict[str, object]]:
    """The reach with stand-ins for all that differs between questions of its shape, and what they stand for by name."""
    values: dict[str, object] = {name: value for name in _WHO if (value := getattr(reach.by, name))}
    who: dict[str, Any] = {name: _stand_in(name, value) for name, value in values.items()}
    when = {name: moment for name in _WHEN if (moment := getattr(reach.window, name)) is not None}
    audiences = {f"audience_{number}": audience for number, audience in enumerate(reach.audiences)}
    values |= {"now": reach.now, **when, **audiences}
    shape = replace(
        reach,
        by=replace(reach.by, **who),
        now=_moment("now"),
        audiences=tuple(_id(name) for name in audiences),
        window=replace(reach.window, **{name: _moment(name) for name in when}),
    )
    return shape, values


def place(name: str, kind: str = "") -> RawSQL:
    """A named place as the value of a field, of an SQL type where PostgreSQL can't tell."""
    return RawSQL(f"%s::{kind}" if kind else "%s", [Place(name)])


def written(entries: QuerySet[Any]) -> str:
    """SQL of filters compiled for a shape: stand-ins as named places, everything else as it is."""
    return _named_places(*entries.query.sql_with_params())


def adding(row: Model, *, unless_there: bool = False) -> str:
    """SQL that stores a row with places among its values."""
    query = InsertQuery(type(row), on_conflict=OnConflict.IGNORE if unless_there else None)
    query.insert_values(row._meta.concrete_fields, [row])
    ((text, parameters),) = query.get_compiler(connection=connection).as_sql()
    return _named_places(text, parameters)


def _named_places(text: str, parameters: Sequence[object]) -> str:
    first, *rest = text.split("%s")
    return first + "".join(f"{_written(value)}{piece}" for value, piece in zip(parameters, rest, strict=True))


def _written(value: object) -> str:
    if isinstance(value, Place):
        return f"%({value})s"
    if isinstance(value, Hashable) and (name := _NAMES.get(value)) is not None:
        return f"%({name})s"
    return sql.Literal(value.value if isinstance(value, Enum) else value).as_string(None)


@cache
def _id(name: str) -> uuid.UUID:
    return _named(uuid.uuid5(uuid.NAMESPACE_OID, name), name)


@cache
def _moment(name: str) -> datetime:
    return _named(_FIRST_MOMENT + timedelta(seconds=("now", *_WHEN).index(name)), name)


def _stand_in(name: str, value: object) -> object:
    return _id(name) if isinstance(value, uuid.UUID) else Place(name)


def _named(stand_in: _T, name: str) -> _T:
    _NAMES[stand_in] = name
    return stand_in
