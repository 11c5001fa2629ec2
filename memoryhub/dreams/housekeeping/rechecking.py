"""Do facts still say what the records behind them say? Asked at night too, not only when somebody recalls them (R36,
R77).

What a record says otherwise goes through the gate, as at recall. A fact that is past its review date and that its
record still says is confirmed by it: nobody else needs to be asked. Sources are asked before anything is locked.
"""

import uuid
from datetime import datetime

from django.db.models import Exists, OuterRef, Q

from memoryhub import conf
from memoryhub.dreams.housekeeping.deeds import Did, did, subjects_with
from memoryhub.governance import confirmation, upkeep
from memoryhub.governance.checked_recall import hold_against_records
from memoryhub.governance.records import Box
from memoryhub.governance.settling import OWN
from memoryhub.models import Entry, RecordSource
from memoryhub.tenancy import Principal
from memoryhub.vocabulary import Deed, Kind, ReadingState, Role, Status


def _mapped(now: datetime) -> Q:
    """Facts in force whose key is mapped to a record for the agent they came through."""
    sources = RecordSource.objects.filter(
        Q(subject=OuterRef("subject")) | Q(subject__isnull=True), agent=OuterRef("agent"), key=OuterRef("key")
    )
    facts = Q(kind=Kind.SEMANTIC, single=True, entity=OWN, expires_at__gt=now, subject__paused_at__isnull=True)
    return upkeep.holds(now) & facts & ~Q(key="") & Q(Exists(sources))


def due(*, organisation: uuid.UUID, now: datetime, after: uuid.UUID | None) -> list[uuid.UUID]:
    """Subjects with a fact that a record has the last word about; nobody where nothing is mapped."""
    if not RecordSource.objects.filter(organisation_id=organisation).exists():
        return []
    return subjects_with(_mapped(now), organisation=organisation, after=after)


def recheck(subject: uuid.UUID, *, by: Principal, now: datetime) -> tuple[list[Did], bool]:
    """Hold a subject's facts against their records."""
    rows = Entry.objects.filter(_mapped(now), subject_id=subject).order_by("pk").values_list("pk", flat=True)
    entries = [str(pk) for pk in rows[: conf.KEPT_AT_ONCE]]
    held = hold_against_records(entries, by=by, now=now, box=Box(len(entries)))
    done = []
    for each in held.values():
        if each.checked.reading.state == ReadingState.UNREACHABLE:
            done.append(did(Deed.UNREACHABLE, each.entry))
        elif each.differs:
            if each.stands is not None and each.stands.pk != each.entry.pk:
                done.append(did(Deed.CORRECTED, each.entry))
        elif each.agrees and _is_to_review(each.entry, now):
            confirmation.confirm(entry=each.entry, by=by, now=now, role=Role.SYSTEM_OF_RECORD)
            done.append(did(Deed.CONFIRMED, each.entry))
    return done, False


def _is_to_review(entry: Entry, now: datetime) -> bool:
    """Whether somebody would be asked about it; read again, as an entry that was vouched for has a new date."""
    return Entry.objects.filter(pk=entry.pk, status=Status.ACCEPTED, review_by__lte=now).exists()
