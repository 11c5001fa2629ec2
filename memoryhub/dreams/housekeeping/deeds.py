"""What does a job of housekeeping look like, and what does it report? Values only (R77)."""

import uuid
from dataclasses import dataclass
from datetime import datetime
from typing import Final, Protocol

from django.db.models import Q

from memoryhub.models import Entry, Skill
from memoryhub.tenancy import Principal
from memoryhub.vocabulary import Deed

BATCH: Final = 200  # subjects or agents looked up at once


@dataclass(frozen=True)
class Did:
    """One thing that was done, to an entry or to a skill."""

    deed: Deed
    kind: str
    id: uuid.UUID

    def as_json(self) -> list[str]:
        return [self.deed.value, self.kind, str(self.id)]


def did(deed: Deed, what: Entry | Skill) -> Did:
    """A deed about an entry or a skill."""
    return Did(deed, "skill" if isinstance(what, Skill) else "entry", what.pk)


class Due(Protocol):
    """Whom a job concerns: ids after one of them, in order, BATCH at most."""

    def __call__(self, *, organisation: uuid.UUID, now: datetime, after: uuid.UUID | None) -> list[uuid.UUID]: ...


class Tend(Protocol):
    """Sees to one of them in the caller's transaction: what was done, and whether more is left of the same one."""

    def __call__(self, id: uuid.UUID, /, *, by: Principal, now: datetime) -> tuple[list[Did], bool]: ...


@dataclass(frozen=True)
class Work:
    """How one job goes about it."""

    due: Due
    tend: Tend


def subjects_with(condition: Q, *, organisation: uuid.UUID, after: uuid.UUID | None) -> list[uuid.UUID]:
    """The subjects that have entries for which the condition holds."""
    entries = Entry.objects.filter(condition, organisation_id=organisation)
    if after is not None:
        entries = entries.filter(subject_id__gt=after)
    return list(entries.order_by("subject_id").values_list("subject_id", flat=True).distinct()[:BATCH])
