"""How does somebody ask to have everything forgotten, and change their mind? It is due conf.GRACE after the asking;
until then nothing is used and nothing new is kept, as in a pause, and asking again changes nothing (R90, R91).
"""

import uuid
from datetime import datetime
from typing import Final

from django.db import transaction
from django.utils import timezone

from memoryhub import conf, jobs
from memoryhub.errors import NotFound
from memoryhub.governance import audit, erasure, subjects
from memoryhub.governance.reconciliation import lock
from memoryhub.models import Erasure, PendingErasure, Subject
from memoryhub.tenancy import ALL_SUBJECTS, Principal, acting_for, system_principal

JOB: Final = "erase_due"


@transaction.atomic
def ask(*, subject: Subject, by: Principal, now: datetime) -> PendingErasure:
    """Everything about the subject is to be forgotten when the time is over. What was asked before stands."""
    lock(subject)
    if (pending := of(subject)) is not None:
        return pending
    subject.refresh_from_db(fields=["paused_at", "use_existing"])
    pending = PendingErasure.objects.create(
        organisation_id=by.organisation, subject=subject, asked_by=by.label[:120], asked_at=now,
        due_at=now + conf.GRACE, paused_before=subject.paused_at is not None, used_before=subject.use_existing,
    )  # fmt: skip
    subjects.pause(subject=subject, paused=True, use_existing=False, by=by, now=now)
    jobs.enqueue(
        JOB, organisation=by.organisation, now=now, run_after=pending.due_at, payload={"pending": str(pending.pk)}
    )
    _audit("ask", pending, by=by, now=now)
    return pending


@transaction.atomic
def cancel(*, subject: Subject, by: Principal, now: datetime) -> None:
    """They changed their mind. Raises NotFound where nothing is pending: it was taken back, or done, already."""
    lock(subject)
    pending = of(subject)
    if pending is None:
        raise NotFound("Nothing waits to be forgotten: it was taken back already, or it is done.")
    _audit("cancel", pending, by=by, now=now)
    pending.delete()
    subjects.pause_as_before(pending, by=by, now=now)


def of(subject: Subject) -> PendingErasure | None:
    """What was asked for and is not due yet."""
    return PendingErasure.objects.filter(subject=subject).first()


def run_job(claim: jobs.Claim) -> None:
    """Do what was asked for, if it is still wished and its time is over."""
    hub = system_principal(claim.organisation, "grace")
    with acting_for(hub, subjects=ALL_SUBJECTS):
        erase_if_due(uuid.UUID(claim.payload["pending"]), by=hub, now=timezone.now())
        claim.hold()


def erase_if_due(pending: uuid.UUID, *, by: Principal, now: datetime) -> Erasure | None:
    """Forget everything about the subject of a request that is due; None where it was taken back or is not due yet."""
    asked = PendingErasure.objects.select_related("subject").filter(pk=pending).first()
    if asked is None:
        return None
    lock(asked.subject)
    if not PendingErasure.objects.filter(pk=pending, due_at__lte=now).exists():  # taken back meanwhile
        return None
    return erasure.erase_subject(subject=asked.subject, by=by, now=now, asked_by=asked.asked_by)


def _audit(verb: str, pending: PendingErasure, *, by: Principal, now: datetime) -> None:
    audit.record(
        by=by, now=now, action=f"erasure.{verb}", object_kind="pending_erasure", object_id=pending.pk,
        subject=pending.subject_id,
    )  # fmt: skip
