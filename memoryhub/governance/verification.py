"""Is what was erased really gone? Every receipt held against what is stored, by its ids and its moment (R91).

For whoever runs the hub, and before a restored database is served: nothing a receipt names may be there, and nothing
about a subject that was known before everything about them was forgotten.
"""

import uuid
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.db.models import Model, QuerySet

from memoryhub.governance import named_by_staff
from memoryhub.governance.words_about import KNOWN_SINCE, REMARKS
from memoryhub.models import Entry, Erasure, Event, IdempotentRequest, Session, Subject
from memoryhub.vocabulary import Ending


@dataclass(frozen=True)
class Left:
    """What an erasure left behind: its receipt and how many rows of which table."""

    receipt: uuid.UUID
    ending: str
    table: str
    rows: int


def left_behind(organisation: uuid.UUID) -> Iterator[Left]:
    """What is there although a receipt says that it is gone; nothing where all erasures hold. Called inside
    acting_for, with all subjects in sight."""
    for receipt in Erasure.objects.filter(organisation_id=organisation).order_by("erased_at", "id").iterator():
        for table, rows in _left_of(receipt):
            if rows:
                yield Left(receipt.pk, receipt.ending, table, rows)


def _left_of(receipt: Erasure) -> Iterator[tuple[str, int]]:
    tables: tuple[tuple[type[Model], str], ...] = ((Entry, "entries"), (Event, "events"), (Session, "sessions"))
    for model, name in tables:
        ids = receipt.options.get(name, ())
        yield name, _rows(model).filter(pk__in=ids).count() if ids else 0
    if receipt.ending == Ending.SUBJECT:
        yield from _before(receipt.subject_id or receipt.target, receipt.erased_at)


def _before(subject: uuid.UUID, moment: datetime) -> Iterator[tuple[str, int]]:
    for model, since in KNOWN_SINCE.items():
        rows = _rows(model).filter(subject=subject, **{f"{since}__lt": moment})
        yield model._meta.db_table.removeprefix("memoryhub_"), rows.count()
    about = Subject.objects.filter(pk=subject).first()
    if about is not None:
        names = named_by_staff.names_of(about)
        for remark in REMARKS:
            found = named_by_staff.naming(names, remark, organisation=about.organisation_id, before=moment)
            yield f"{remark.counted} that name them", len(found)
    answers = IdempotentRequest.objects.filter(subject=subject, body__isnull=False, created_at__lt=moment)
    yield "stored answers", answers.count()


def _rows(model: type[Model]) -> QuerySet[Any]:
    return QuerySet(model)
