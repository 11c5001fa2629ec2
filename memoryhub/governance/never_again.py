"""A person says what kind of fact is never to be kept about them, and takes it back (R12, R90)."""

from collections.abc import Sequence
from datetime import datetime

from django.db import transaction

from memoryhub.errors import Invalid, NotFound
from memoryhub.governance import audit, erasure
from memoryhub.governance.reconciliation import lock
from memoryhub.governance.unwanted import CATEGORY, KEY, kind_of
from memoryhub.models import Entry, Erasure, Subject
from memoryhub.permissions import check_may_touch_authority
from memoryhub.tenancy import Principal
from memoryhub.vocabulary import Kind

MOST = 100  # kinds one person may name


@transaction.atomic
def never_again(*, entry: Entry, by: Principal, now: datetime) -> Erasure:
    """Forget this fact with all that was made from it, and keep none of its kind from now on; the receipt.

    Raises NotGranted for what gives a right or sets a limit, Invalid for what is no fact and past MOST kinds.
    """
    check_may_touch_authority(by, entry.category)
    if entry.kind != Kind.SEMANTIC:
        raise Invalid("Only facts have a kind that can be left out; pause remembering to keep nothing new at all.")
    subject, kind = _locked(entry.subject), kind_of(entry)
    if kind not in subject.never_keep:
        if len(subject.never_keep) >= MOST:
            raise Invalid(f"{MOST} kinds are left out already; pause remembering instead.")
        _set(subject, [*subject.never_keep, kind], "subject.never_keep", by=by, now=now)
    return erasure.erase_entry(entry=entry, by=by, now=now)


@transaction.atomic
def keep_again(*, subject: Subject, kind: str, by: Principal, now: datetime) -> None:
    """Take the wish back: facts of that kind may be kept again. Raises NotFound for a kind that was not left out."""
    subject = _locked(subject)
    if kind not in subject.never_keep:
        raise NotFound
    _set(subject, [one for one in subject.never_keep if one != kind], "subject.keep_again", by=by, now=now)


@transaction.atomic
def bring_back(*, subject: Subject, kinds: Sequence[str], by: Principal, now: datetime) -> None:
    """Keep none of these kinds from now on, besides those left out already: a wish that an export brings along."""
    subject = _locked(subject)
    wanted = [kind for kind in kinds if kind.startswith((KEY, CATEGORY)) and kind not in subject.never_keep]
    if wanted:
        every = [*subject.never_keep, *wanted][:MOST]
        _set(subject, every, "subject.never_keep", by=by, now=now)


def _locked(subject: Subject) -> Subject:
    lock(subject)
    return Subject.objects.select_for_update().get(pk=subject.pk)


def _set(subject: Subject, kinds: list[str], action: str, *, by: Principal, now: datetime) -> None:
    subject.never_keep = kinds
    subject.save(update_fields=["never_keep"])
    audit.record(by=by, now=now, action=action, object_kind="subject", object_id=subject.pk, subject=subject.pk)
