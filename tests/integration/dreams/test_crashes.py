"""Killed at any statement, cut off from the database, under a clock that jumps: a dream ends as one clean run does,
compared row by row (R75).

A kill is an exception that nothing catches, raised between two statements: the transaction is gone, nobody tidies up,
and the job's lease runs out. Real SIGKILLs are in test_in_parallel.py.
"""

import itertools
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import datetime, timedelta
from typing import Any

import pytest
from django.db import OperationalError, connection, models
from django.utils import timezone

from memoryhub import conf, jobs
from memoryhub.dreams import dreamer
from memoryhub.models import (
    Dream,
    DreamOperation,
    Entry,
    Event,
    Job,
    Lineage,
    Provenance,
    ReviewItem,
    Session,
    Skill,
    SkillEvidence,
    Subject,
    Turn,
)
from memoryhub.models.sealed import SealedRow
from memoryhub.providers.embeddings import HashingEmbedder, using
from memoryhub.vocabulary import DreamStatus
from tests.factories.ground import Ground, make_ground
from tests.factories.turns import action, all_of, post, signal

pytestmark = pytest.mark.django_db

DREAMS = frozenset({"dream"})
POINTS = 24  # of the statements of a dream, evenly spread, the first and the last among them
PICTURED = (
    Entry, Provenance, Lineage, Event, Session, Turn, Skill, SkillEvidence, ReviewItem, DreamOperation, Subject,
)  # fmt: skip
#: Which run it was, and what a vector or a search column is made of, is said by other columns.
LEFT_OUT = frozenset(
    {"id", "organisation", "embedding", "search", "command", "turn_at", "place_at", "fingerprint", "pattern"}
)


@pytest.fixture(autouse=True)
def _quick(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    monkeypatch.setattr(conf, "SAMPLE_SHARE", 0.0)  # drawn by the session's id
    # A process that is gone leaves no cursor open; our kill would leave the server's, to be complained of later.
    monkeypatch.setitem(connection.settings_dict, "DISABLE_SERVER_SIDE_CURSORS", True)
    with using(HashingEmbedder()):
        yield


class Killed(BaseException):
    """As a SIGKILL."""


def a_day(ground: Ground) -> None:
    for number, session in enumerate(("one", "two", "three")):
        finding = signal(f"Booking {4100 + number} has begun")
        who = ground.subject(f"guest-of-{session}")
        post(ground, who, session=session, event=f"refused-{session}", signals=[finding])
    guest = ground.subject("guest-of-one")
    post(ground, guest, "I prefer the quiet floor.", session="one", event="a", actions=[action("book_room", room="12")])
    post(ground, guest, "And it is Pune where I live.", session="one", event="b", minutes=1)


def picture(ground: Ground) -> dict[str, list[str]]:
    """Every row that a dream could touch, with names for ids, and for times whether there is one."""
    with all_of(ground):
        names: dict[Any, str] = {}
        for model, natural in (
            (Subject, "external_id"), (Session, "external_id"), (Event, "external_id"), (Entry, "content"),
            (Skill, "name"),
        ):  # fmt: skip
            names |= {pk: f"{model.__name__} {name}" for pk, name in model._default_manager.values_list("pk", natural)}
        return {model.__name__: sorted(_row(row, names) for row in model._default_manager.all()) for model in PICTURED}


def _row(row: models.Model, names: dict[Any, str]) -> str:
    told = {}
    for field in row._meta.concrete_fields:
        value = getattr(row, field.attname)
        if field.name in LEFT_OUT:
            continue
        if isinstance(value, datetime):
            value = True
        elif isinstance(row, SealedRow) and field.name in row.SEALED:
            value = row.opened(field.name)
        elif field.is_relation and value is not None:
            value = names.get(value, "another")
        told[field.name] = value
    words = repr(told)
    for pk, name in names.items():
        words = words.replace(str(pk), name)
    return words


@contextmanager
def after(statements: int, error: BaseException | None) -> Iterator[list[int]]:
    """Count the statements in the list, and raise the error in place of that one."""
    seen = [0]

    def counted(execute: Any, sql: str, params: Any, many: bool, context: Any) -> Any:
        seen[0] += 1
        if error is not None and seen[0] == statements:
            raise error
        return execute(sql, params, many, context)

    with connection.execute_wrapper(counted):
        yield seen


def asked(ground: Ground) -> Dream:
    a_day(ground)
    with all_of(ground):
        return dreamer.request(by=ground.as_operator, now=timezone.now())


def finished(ground: Ground, dream: Dream) -> Dream:
    """Whoever comes next takes the job over when its lease has run out, until nothing is left."""
    with all_of(ground):
        Job.objects.filter(kind="dream", lease_until__isnull=False).update(
            lease_until=timezone.now() - timedelta(seconds=1)
        )
        Job.objects.filter(kind="dream").update(run_after=timezone.now() - timedelta(seconds=1))
    while jobs.run_one(now=timezone.now(), kinds=DREAMS):
        with all_of(ground):
            Job.objects.filter(kind="dream").update(run_after=timezone.now() - timedelta(seconds=1))
    with all_of(ground):
        dream.refresh_from_db()
    return dream


_clean: dict[str, Any] = {}


def clean() -> tuple[dict[str, list[str]], int]:
    """What one clean run leaves, and how many statements it takes; made once."""
    if not _clean:
        ground = make_ground()
        asked(ground)
        with after(0, None) as seen:
            assert jobs.run_one(now=timezone.now(), kinds=DREAMS)
        _clean.update(picture=picture(ground), statements=seen[0])
    return _clean["picture"], _clean["statements"]


def points() -> list[int]:
    """Which of POINTS evenly spread places, as their number among all statements is known only when one has run."""
    return list(range(POINTS))


def statement_at(point: int) -> int:
    _, statements = clean()
    return 1 + point * (statements - 1) // (POINTS - 1)


@pytest.mark.parametrize("point", points())
def test_killed_at_any_statement_it_ends_as_one_clean_run(point: int) -> None:
    expected, _ = clean()
    ground = make_ground()
    dream = asked(ground)
    with after(statement_at(point), Killed()), pytest.raises(Killed):
        jobs.run_one(now=timezone.now(), kinds=DREAMS)
    done = finished(ground, dream)
    assert (done.status, done.failure, done.sessions_done, done.events) == (DreamStatus.DONE, "", 3, 5)
    assert picture(ground) == expected


@pytest.mark.parametrize("point", points()[3::6])
def test_a_database_that_restarts_in_the_middle_changes_nothing(point: int) -> None:
    expected, _ = clean()
    ground = make_ground()
    dream = asked(ground)
    with after(statement_at(point), OperationalError("terminating connection due to administrator command")):
        jobs.run_one(now=timezone.now(), kinds=DREAMS)
    done = finished(ground, dream)
    assert (done.status, done.failure) == (DreamStatus.DONE, "")
    assert picture(ground) == expected


def test_killed_twice_in_a_row_it_still_ends_as_one_clean_run() -> None:
    expected, statements = clean()
    ground = make_ground()
    dream = asked(ground)
    for _ in range(2):
        with after(statements // 3, Killed()), pytest.raises(Killed):
            jobs.run_one(now=timezone.now(), kinds=DREAMS)
        with all_of(ground):
            Job.objects.update(lease_until=timezone.now() - timedelta(seconds=1))
    done = finished(ground, dream)
    assert (done.status, done.failure) == (DreamStatus.DONE, "")
    assert picture(ground) == expected


@pytest.mark.parametrize("jump", [timedelta(hours=-7), timedelta(hours=7), timedelta(days=-400)])
def test_a_clock_that_jumps_in_the_middle_changes_nothing(jump: timedelta, monkeypatch: pytest.MonkeyPatch) -> None:
    """From the second session on, the machine's clock is another."""
    expected, _ = clean()
    ground = make_ground()
    dream = asked(ground)
    now, sessions = timezone.now, itertools.count(1)
    whole = dreamer._consolidate

    def consolidate(*given: Any) -> None:
        if next(sessions) == 2:
            monkeypatch.setattr(timezone, "now", lambda: now() + jump)
        whole(*given)

    monkeypatch.setattr(dreamer, "_consolidate", consolidate)
    assert jobs.run_one(now=now(), kinds=DREAMS)
    with all_of(ground):
        dream.refresh_from_db()
    assert (dream.status, dream.failure, dream.sessions_done) == (DreamStatus.DONE, "", 3)
    assert picture(ground) == expected


def test_a_clock_that_is_put_back_by_hours_lets_nobody_wait_for_a_lease_for_hours() -> None:
    """A worker dies, and the clock is put back before its lease runs out."""
    ground = make_ground()
    dream = asked(ground)
    with after(statement_at(POINTS // 2), Killed()), pytest.raises(Killed):
        jobs.run_one(now=timezone.now(), kinds=DREAMS)
    put_back = timezone.now() - timedelta(hours=7)
    assert jobs.run_one(now=put_back, kinds=DREAMS)
    with all_of(ground):
        dream.refresh_from_db()
    assert dream.status == DreamStatus.DONE
