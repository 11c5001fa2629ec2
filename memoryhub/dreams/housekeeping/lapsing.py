"""What lapses, what is asked about before it does, and what is put aside because nobody uses it? (R77)

Episodes that are to be folded are left to that (`folding`), until it had its time.
"""

import uuid
from datetime import datetime

from django.db.models import Q

from memoryhub import conf
from memoryhub.dreams.housekeeping.deeds import BATCH, Did, did, subjects_with
from memoryhub.dreams.housekeeping.folding import to_be_folded
from memoryhub.governance import archives, erasure, upkeep
from memoryhub.governance.reconciliation import lock
from memoryhub.models import Entry, ReviewItem, Subject
from memoryhub.tenancy import Principal
from memoryhub.vocabulary import Deed, ReviewState, ReviewType


def _to_expire(now: datetime) -> Q:
    return upkeep.lapsed(now) & (~to_be_folded() | Q(expires_at__lte=now - conf.FOLD_GRACE))


def due_to_expire(*, organisation: uuid.UUID, now: datetime, after: uuid.UUID | None) -> list[uuid.UUID]:
    """Subjects with something whose lifetime is over: a statement, or the file that they could take along."""
    found = subjects_with(_to_expire(now), organisation=organisation, after=after)
    late = archives.late(organisation=organisation, now=now, after=after)[:BATCH]
    return sorted({*found, *late})[:BATCH]


def expire(subject: uuid.UUID, *, by: Principal, now: datetime) -> tuple[list[Did], bool]:
    """Let lapse what nobody confirmed (R5), and remove the file that was not fetched in time."""
    archives.drop_late(organisation=by.organisation, now=now, subject=subject)
    found, more = _some(subject, _to_expire(now))
    return [did(Deed.EXPIRED, entry) for entry in found if upkeep.expire(entry=entry, by=by, now=now)], more


def due_to_erase(*, organisation: uuid.UUID, now: datetime, after: uuid.UUID | None) -> list[uuid.UUID]:
    """Subjects with something that lapsed long ago."""
    return subjects_with(upkeep.lapsed_long_ago(now), organisation=organisation, after=after)


def erase(subject: uuid.UUID, *, by: Principal, now: datetime) -> tuple[list[Did], bool]:
    """Erase what lapsed long ago, by the path of every erasure (R91)."""
    found, more = _some(subject, upkeep.lapsed_long_ago(now))
    about = Subject.objects.get(pk=subject)
    receipt = erasure.erase_lapsed(subject=about, entries=[entry.pk for entry in found], by=by, now=now)
    return [did(Deed.ERASED, entry) for entry in found], more and receipt is not None


def due_to_ask(*, organisation: uuid.UUID, now: datetime, after: uuid.UUID | None) -> list[uuid.UUID]:
    """Subjects with a fact past its review date, as long as the curators' queue can take it."""
    if _waiting(organisation) >= conf.CONFIRMATIONS_WAITING:
        return []
    return subjects_with(upkeep.to_ask_about(now), organisation=organisation, after=after)


def ask(subject: uuid.UUID, *, by: Principal, now: datetime) -> tuple[list[Did], bool]:
    """Ask whether it is still so, before it lapses."""
    room = max(0, conf.CONFIRMATIONS_WAITING - _waiting(by.organisation))
    found, more = _some(subject, upkeep.to_ask_about(now))
    asked = [did(Deed.ASKED, entry) for entry in found[:room] if upkeep.ask(entry=entry, by=by, now=now)]
    return asked, more and len(found) <= room


def due_to_archive(*, organisation: uuid.UUID, now: datetime, after: uuid.UUID | None) -> list[uuid.UUID]:
    """Subjects with facts that nobody used for long; none where nobody reports what was useful: it can't be told
    there.
    """
    reported = Entry.objects.filter(organisation_id=organisation, last_used_at__gt=now - conf.UNUSED_AFTER)
    if not reported.exists():
        return []
    return subjects_with(upkeep.unused(now), organisation=organisation, after=after)


def archive(subject: uuid.UUID, *, by: Principal, now: datetime) -> tuple[list[Did], bool]:
    """Put aside what nobody uses."""
    found, more = _some(subject, upkeep.unused(now))
    return [did(Deed.ARCHIVED, entry) for entry in found if upkeep.archive(entry=entry, by=by, now=now)], more


def _some(subject: uuid.UUID, condition: Q) -> tuple[list[Entry], bool]:
    """Some of a subject's entries for which it holds, and whether there are more."""
    lock(subject)
    rows = Entry.objects.filter(condition, subject_id=subject).defer("embedding", "search").order_by("pk")
    found = list(rows[: conf.KEPT_AT_ONCE + 1])
    return found[: conf.KEPT_AT_ONCE], len(found) > conf.KEPT_AT_ONCE


def _waiting(organisation: uuid.UUID) -> int:
    return ReviewItem.objects.filter(
        organisation_id=organisation, state=ReviewState.WAITING, type=ReviewType.RECONFIRM
    ).count()
