"""Whom does this transaction act for? The one place that tells the database who is asking (R30).

`acting_for` opens a transaction and sets the identity that row-level security reads; nothing else may. Absent identity
reads nothing. Settings are transaction-local, so pooled connections never carry one request's identity to the next;
nested scopes restore what was there before.
"""

import uuid
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, field, replace
from typing import Final

from django.db import connection, transaction

from memoryhub import word_caches
from memoryhub.models import subject_key

ALL_SUBJECTS: Final = "*"

_IDENTITY = ("hub.organisation", "hub.subjects", "hub.agent", "hub.user")
_marks: ContextVar[set[str] | None] = ContextVar("marks", default=None)
_PRESENTED = frozenset({"key", "link", "slug", "user", "worker"})


@dataclass(frozen=True)
class Principal:
    """Who issues a command. `label` names them in audit rows; `organisation` alone decides the tenant."""

    organisation: uuid.UUID
    label: str
    roles: frozenset[str] = frozenset()
    agent: uuid.UUID | None = None
    user: uuid.UUID | None = None
    key: uuid.UUID | None = None
    bound_subject: str = ""
    request_id: str = field(default="", compare=False)

    def with_request(self, request_id: str) -> "Principal":
        return replace(self, request_id=request_id)


def system_principal(organisation: uuid.UUID, label: str) -> Principal:
    """The hub itself at work (a dream, a job, a command) in one organisation."""
    return Principal(organisation=organisation, label=f"system:{label}", roles=frozenset({"system"}))


@contextmanager
def acting_for(principal: Principal, *, subjects: Iterable[uuid.UUID] | str, savepoint: bool = True) -> Iterator[None]:
    """One transaction as `principal`, able to see rows about `subjects` (ids, or ALL_SUBJECTS) of its organisation.

    Inside another one, `savepoint` False: a failure here takes all of it back, and nothing more is asked in it.
    """
    seen = ALL_SUBJECTS if subjects == ALL_SUBJECTS else ",".join(sorted(str(s) for s in subjects))
    values = (str(principal.organisation), seen, str(principal.agent or ""), str(principal.user or ""))
    with _settings(dict(zip(_IDENTITY, values, strict=True)), savepoint=savepoint):
        yield


def narrow(*, subjects: Iterable[uuid.UUID]) -> None:
    """From here to the end of the transaction see rows about these subjects alone: nothing widens it again, so there
    is nothing to restore. Raises RuntimeError outside a transaction, or where one of them was out of sight already.
    """
    if not connection.in_atomic_block:
        raise RuntimeError("narrow() holds for a transaction; begin one with acting_for()")
    wanted = {str(subject) for subject in subjects}
    (before,) = _exchange({"hub.subjects": ",".join(sorted(wanted))})
    if before != ALL_SUBJECTS and not wanted <= set(before.split(",")):
        raise RuntimeError("narrow() can't bring into sight what was out of it")


@contextmanager
def knowing(setting: str, value: str) -> Iterator[None]:
    """A transaction that can see the one row found by a value the caller presented: a key, a link, a slug, a user.

    `setting` is one of key, link, slug, user, worker; used before an organisation is known (accounts migration 0002).
    """
    if setting not in _PRESENTED:
        raise ValueError(f"unknown identity setting {setting!r}")
    with _settings({f"hub.{setting}": value}):
        yield


@contextmanager
def as_worker() -> Iterator[None]:
    """A transaction that sees job rows (ids and states, no content) and organisations across tenants."""
    with knowing("worker", "on"):
        yield


def mark(word: str) -> None:
    """Note something about the transaction that the outermost scope opened; gone when that scope ends."""
    marks = _marks.get()
    if marks is not None:
        marks.add(word)


def is_marked(word: str) -> bool:
    """Whether `mark` was called with this word since the outermost scope began."""
    return word in (_marks.get() or ())


@contextmanager
def _settings(wanted: dict[str, str], *, savepoint: bool = True) -> Iterator[None]:
    """A transaction, or a savepoint in one, with these settings; what was set outside is in force again afterwards."""
    outermost = _marks.set(set()) if _marks.get() is None else None
    try:
        with subject_key.one_transaction(), _in_transaction(wanted, savepoint=savepoint):
            yield
    finally:
        if outermost is not None:
            _marks.reset(outermost)


@contextmanager
def _in_transaction(wanted: dict[str, str], *, savepoint: bool) -> Iterator[None]:
    nested = connection.in_atomic_block
    with transaction.atomic(savepoint=savepoint):
        before = _exchange(wanted, noticing=not nested)
        yield
        # An exception takes the settings back with the savepoint, the end of a transaction takes them along; without a
        # savepoint Django refuses every further statement of the transaction.
        if nested:
            _exchange(dict(zip(wanted, before, strict=True)))


def _exchange(wanted: dict[str, str], *, noticing: bool = False) -> list[str]:
    """Set settings for the transaction and return what they were, in one round trip: columns are evaluated in order.
    `noticing`: whether to look for erasures besides, after which no process keeps words in memory."""
    reads = ", ".join(f"current_setting('{name}', true)" for name in wanted)
    writes = ", ".join(f"set_config('{name}', %s, true)" for name in wanted)
    with connection.cursor() as cursor:
        counted = f", {word_caches.COUNTED}" if noticing else ""
        cursor.execute(f"SELECT {reads}, {writes}{counted}", list(wanted.values()))
        row = cursor.fetchone()
    if noticing:
        word_caches.notice(row[-1])
    return [value or "" for value in row[: len(wanted)]]
