"""Whom does this transaction act for? The one place that tells the database who is asking (R30).

`acting_for` opens a transaction and sets the identity that row-level security reads; nothing else may. Absent identity
reads nothing. Settings are transaction-local, so pooled connections never carry one request's identity to the next;
nested scopes restore what was there before.
"""

import uuid
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from typing import Final

from django.db import connection, transaction

ALL_SUBJECTS: Final = "*"

_SETTINGS = ("hub.organisation", "hub.subjects", "hub.agent", "hub.user")


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
def acting_for(principal: Principal, *, subjects: Iterable[uuid.UUID] | str, durable: bool = False) -> Iterator[None]:
    """One transaction as `principal`, able to see rows about `subjects` (ids, or ALL_SUBJECTS) of its organisation."""
    seen = ALL_SUBJECTS if subjects == ALL_SUBJECTS else ",".join(sorted(str(s) for s in subjects))
    with transaction.atomic(durable=durable):
        before = _set(str(principal.organisation), seen, str(principal.agent or ""), str(principal.user or ""))
        yield
        # On an exception the savepoint or transaction takes the settings back by itself.
        if before is not None:
            _restore(before)


@contextmanager
def knowing(setting: str, value: str) -> Iterator[None]:
    """A transaction that can see the one row found by a value the caller presented: a key, a link, a slug, a user.

    `setting` is one of key, link, slug, user; used before an organisation is known (accounts migration 0002).
    """
    if setting not in ("key", "link", "slug", "user", "worker"):
        raise ValueError(f"unknown identity setting {setting!r}")
    with transaction.atomic():
        with connection.cursor() as cursor:
            cursor.execute(
                f"SELECT current_setting('hub.{setting}', true), set_config('hub.{setting}', %s, true)", [value]
            )
            (before, _) = cursor.fetchone()
        yield
        with connection.cursor() as cursor:
            cursor.execute(f"SELECT set_config('hub.{setting}', %s, true)", [before or ""])


@contextmanager
def as_worker() -> Iterator[None]:
    """A transaction that sees job rows (ids and states, no content) and organisations across tenants."""
    with knowing("worker", "on"):
        yield


def _set(*values: str) -> list[str] | None:
    """Set the identity in one round trip; returns what was set before when inside another scope, else None."""
    reads = ", ".join(f"current_setting('{name}', true)" for name in _SETTINGS)
    with connection.cursor() as cursor:
        cursor.execute(f"SELECT {reads}")
        before = [value or "" for value in cursor.fetchone()]
        _write(cursor, values)
    return before


def _restore(before: list[str]) -> None:
    with connection.cursor() as cursor:
        _write(cursor, before)


def _write(cursor, values: Iterable[str]) -> None:  # type: ignore[no-untyped-def]  # Django's cursor wrapper is untyped
    writes = ", ".join(f"set_config('{name}', %s, true)" for name in _SETTINGS)
    cursor.execute(f"SELECT {writes}", list(values))
