"""Who was given what is kept about a person, in the words of the log? For that person's own page (R37, R90).

Told are the recalls of agents and the looks of people on a page; a measurement of the hub is neither.
"""

import uuid
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Final

from django.db.models import QuerySet

from memoryhub.models import Recall, Subject
from memoryhub.recall import read_log
from memoryhub.tenancy import ALL_SUBJECTS, Principal, acting_for

MEASURED: Final = "bench"
LOOKED_THROUGH: Final = 1000  # newest recalls, and newest looks, about one person


@dataclass(frozen=True)
class Reading:
    """One time that something was given: through which agent, or to whom it was shown on a page (`looked`)."""

    agent: str
    looked: bool
    at: datetime


def of_person(
    subject: Subject, *, entries: Collection[uuid.UUID], by: Principal, most: int | None = None
) -> Mapping[uuid.UUID, Sequence[Reading]]:
    """For each of these entries about the person who read it, newest first, at most `most` of each; what nobody read
    is left out. Two queries, however many entries.

    A list that staff looked at names the person beside others, so the log is read as a whole: no more is told of a row
    than that it gave an entry of theirs.
    """
    wanted = {str(entry): entry for entry in entries}
    found: dict[uuid.UUID, list[Reading]] = {}
    with acting_for(by, subjects=ALL_SUBJECTS):
        rows = [*_newest(_asked(subject)), *_newest(_looked(subject))]
    for row in sorted(rows, key=lambda row: (row.created_at, row.pk), reverse=True):
        reading = Reading(row.agent.name if row.agent else "", row.purpose in read_log.LOOKS, row.created_at)
        for item in dict.fromkeys(str(item["id"]) for item in row.items):
            if item in wanted and (most is None or len(found.get(wanted[item], ())) < most):
                found.setdefault(wanted[item], []).append(reading)
    return found


def _asked(subject: Subject) -> QuerySet[Recall]:
    rows = Recall.objects.filter(organisation_id=subject.organisation_id, subject=subject)
    return rows.exclude(purpose__in=[MEASURED, *read_log.LOOKS]).order_by("-created_at", "-id")


def _looked(subject: Subject) -> QuerySet[Recall]:
    rows = Recall.objects.filter(organisation_id=subject.organisation_id, purpose__in=sorted(read_log.LOOKS))
    return rows.filter(subjects__contains=[subject.pk]).order_by("-id")  # ids begin with their time


def _newest(rows: QuerySet[Recall]) -> QuerySet[Recall]:
    return rows.select_related("agent").only("purpose", "items", "created_at", "agent__name")[:LOOKED_THROUGH]
