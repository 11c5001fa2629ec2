"""What becomes of an entry that nobody looks after? The verbs of housekeeping (R77): it lapses, is asked about, is put
aside, or goes into another that says the same.

Each looks again under the subject's lock whether the moment has come, so that doing it twice, or a person's answer in
between, changes nothing. What a text states is never touched here; whatever states something new goes through intake.
"""

from datetime import datetime
from typing import Final

from django.db import transaction
from django.db.models import Q

from memoryhub import conf
from memoryhub.governance import audit, lifecycle, review_queue, versions
from memoryhub.governance.announcement import announce
from memoryhub.governance.commit import strictest
from memoryhub.governance.policy_versions import in_force
from memoryhub.governance.reconciliation import lock
from memoryhub.models import Entry, ReviewItem
from memoryhub.permissions import AUTHORITY_CATEGORIES
from memoryhub.tenancy import Principal
from memoryhub.vocabulary import Kind, Reason, ReviewState, ReviewType, Status

UNUSED: Final = "unused"  # the reason in the audit trail
LIVING: Final = (Status.ACCEPTED, Status.PROPOSED, Status.DISPUTED)


def holds(now: datetime) -> Q:
    """In force: accepted, and its validity not over."""
    return Q(status=Status.ACCEPTED) & (Q(valid_to__isnull=True) | Q(valid_to__gt=now))


def lapsed(now: datetime) -> Q:
    """Accepted, and its lifetime over."""
    return Q(status=Status.ACCEPTED, expires_at__lte=now)


def lapsed_long_ago(now: datetime) -> Q:
    """Lapsed, put aside or declined, its lifetime over for conf.LAPSED_KEPT, and nothing in use rests on it (R91)."""
    since = now - conf.LAPSED_KEPT
    over = Q(status__in=(Status.EXPIRED, Status.ARCHIVED, Status.REJECTED), expires_at__lte=since)
    return over & Q(recorded_until__lte=since) & ~Q(superseded_by_set__status__in=LIVING) & ~Q(
        derived__child__status__in=LIVING
    )  # fmt: skip


def to_ask_about(now: datetime) -> Q:
    """Facts in force past their review date about which nothing waits in the queue (R5); nobody is asked what
    happened."""
    due = holds(now) & Q(kind=Kind.SEMANTIC, review_by__lte=now, expires_at__gt=now, subject__paused_at__isnull=True)
    return due & ~Q(review_items__state=ReviewState.WAITING)


def unused(now: datetime) -> Q:
    """Facts that for conf.UNUSED_AFTER were neither reported useful nor confirmed; what a record, a curator or evidence
    stands behind stays, and so does a right, a limit or an identity."""
    since = now - conf.UNUSED_AFTER
    idle = Q(recorded_at__lte=since) & (Q(last_used_at__isnull=True) | Q(last_used_at__lte=since))
    idle &= Q(last_confirmed_at__isnull=True) | Q(last_confirmed_at__lte=since)
    facts = Q(kind=Kind.SEMANTIC, authority__lt=conf.VERIFIED, contested=False) & ~Q(category__in=AUTHORITY_CATEGORIES)
    return holds(now) & facts & idle & ~Q(review_items__state=ReviewState.WAITING)


@transaction.atomic
def expire(*, entry: Entry, by: Principal, now: datetime) -> bool:
    """It lapses: kept as history, out of the queue. False when somebody confirmed or changed it meanwhile."""
    found = _still(entry, lapsed(now))
    if found is None:
        return False
    review_queue.withdraw(ReviewItem.objects.filter(entry=found), by=by, now=now)
    lifecycle.move(found, Status.EXPIRED, by=by, now=now)
    return True


@transaction.atomic
def ask(*, entry: Entry, by: Principal, now: datetime) -> bool:
    """Ask whether it is still so: in the curators' queue, while its review date asks the person and the agent (R77)."""
    found = _still(entry, to_ask_about(now))
    if found is None:
        return False
    review_queue.put(
        type=ReviewType.RECONFIRM, reason=Reason.LAPSES, subject=found.subject, entry=found, by=by, now=now,
        why=f"Is it still so? Unless somebody says so, it lapses on {found.expires_at.date().isoformat()}.",
    )  # fmt: skip
    audit.record_entry(found, "entry.ask", by=by, now=now)
    return True


@transaction.atomic
def archive(*, entry: Entry, by: Principal, now: datetime) -> bool:
    """Nobody uses it: put aside, where a curator can bring it back from."""
    found = _still(entry, unused(now))
    if found is None:
        return False
    lifecycle.move(found, Status.ARCHIVED, by=by, now=now, reason=UNUSED)
    return True


@transaction.atomic
def merge(*, keep: Entry, drop: Entry, by: Principal, now: datetime) -> bool:
    """Two entries say the same: one stays, the other is history of it, erased with it. The one that stays takes over
    the later confirmation, the longer lifetime and the uses, and no more trust than it had.

    False where one of them changed meanwhile, or their readers, kinds or sensitivity differ.
    """
    stays, goes = _still(keep, holds(now)), _still(drop, holds(now))
    if stays is None or goes is None or stays.pk == goes.pk or not _alike(stays, goes):
        return False
    review_queue.withdraw(ReviewItem.objects.filter(entry=goes), by=by, now=now)
    lifecycle.move(goes, Status.REPLACED, by=by, now=now, reason=Reason.DUPLICATE)
    tail = versions.oldest_of(stays)
    if tail.pk != goes.pk and not versions.is_version_of(goes, tail):
        versions.relink(tail, goes, by=by, now=now)
        stays.refresh_from_db(fields=["version"])
    later = goes.last_confirmed_at is not None and (
        stays.last_confirmed_at is None or stays.last_confirmed_at < goes.last_confirmed_at
    )
    if later:
        stays.last_confirmed_at, stays.confirmed_by = goes.last_confirmed_at, goes.confirmed_by
    stays.expires_at = max(stays.expires_at, goes.expires_at)
    stays.review_by = in_force(by.organisation).review_by(stays.expires_at, now=now)
    stays.use_count += goes.use_count
    stays.last_used_at = max(filter(None, (stays.last_used_at, goes.last_used_at)), default=None)
    stays.version += 1
    stays.save(
        update_fields=[
            "last_confirmed_at", "confirmed_by", "expires_at", "review_by", "use_count", "last_used_at", "version",
            "updated_at",
        ]
    )  # fmt: skip
    audit.record_entry(stays, "entry.confirm", by=by, now=now, reason=Reason.DUPLICATE)
    return True


def _alike(one: Entry, other: Entry) -> bool:
    """Whether the same people read both, of the same kind, and neither is in doubt or ends by itself."""
    same = ("subject_id", "scope", "audience_id", "kind", "entity", "key")
    agents = one.agent_id == other.agent_id or one.scope != "agent"
    settled = not (one.contested or other.contested or one.valid_to or other.valid_to)
    strict = strictest([one.sensitivity, other.sensitivity]) == one.sensitivity
    return all(getattr(one, name) == getattr(other, name) for name in same) and agents and settled and strict


def _still(entry: Entry, condition: Q) -> Entry | None:
    """The entry, locked, while the condition holds for it."""
    announce()
    lock(entry.subject_id)
    rows = Entry.objects.select_for_update(of=("self",)).select_related("subject", "provenance")
    return rows.filter(condition, pk=entry.pk).first()
