"""What was done, by whom, in which order? The append-only, hash-chained record of one organisation (R103).

A row is written in the transaction of the effect it records: if it can't be written, the effect rolls back and the
caller hears `audit_unavailable`. Content is never in it, so erasing content never breaks the chain.
"""

import hashlib
import json
import uuid
from dataclasses import dataclass
from datetime import UTC, datetime

from django.db import DatabaseError

from memoryhub.errors import AuditUnavailable
from memoryhub.models import AuditEvent, AuditHead
from memoryhub.tenancy import Principal

GENESIS = "0" * 64
_HASHED = ("organisation_id", "seq", "actor", "action", "subject", "object_kind", "object_id", "reason", "request_id")


@dataclass(frozen=True)
class Broken:
    """The first link that does not hold: its `seq` and what is wrong with it."""

    seq: int
    fault: str


def record(
    *,
    by: Principal,
    now: datetime,
    action: str,
    object_kind: str,
    object_id: object,
    subject: uuid.UUID | None = None,
    reason: str = "",
) -> AuditEvent:
    """Append one link to the chain of `by`'s organisation. Raises AuditUnavailable when it can't be written."""
    try:
        head = AuditHead.objects.select_for_update().filter(organisation_id=by.organisation).first()
        if head is None:
            AuditHead.objects.bulk_create([AuditHead(organisation_id=by.organisation)], ignore_conflicts=True)
            head = AuditHead.objects.select_for_update().get(organisation_id=by.organisation)
        event = AuditEvent(
            organisation_id=by.organisation,
            seq=head.seq + 1,
            at=now,
            actor=by.label,
            action=action,
            subject=str(subject or ""),
            object_kind=object_kind,
            object_id=str(object_id),
            reason=reason,
            request_id=by.request_id,
            previous_hash=head.row_hash or GENESIS,
        )
        event.row_hash = hash_of(event)
        event.save(force_insert=True)
        AuditHead.objects.filter(organisation_id=by.organisation).update(seq=event.seq, row_hash=event.row_hash)
    except DatabaseError as error:
        raise AuditUnavailable from error
    return event


def hash_of(event: AuditEvent) -> str:
    """SHA-256 over the previous hash and the row's fields in canonical JSON."""
    row = {name: str(getattr(event, name)) for name in _HASHED}
    row["at"] = event.at.astimezone(UTC).isoformat(timespec="microseconds")
    text = json.dumps(row, sort_keys=True, separators=(",", ":"))
    return hashlib.sha256(f"{event.previous_hash}{text}".encode()).hexdigest()


def first_broken_link(organisation: uuid.UUID) -> Broken | None:
    """Walk the chain from its start: gaps, altered rows, wrong links and a cut tail, or None when it holds."""
    previous, expected = GENESIS, 1
    for event in AuditEvent.objects.filter(organisation_id=organisation).order_by("seq").iterator(chunk_size=2000):
        if event.seq != expected:
            return Broken(expected, f"link {expected} is missing")
        if event.previous_hash != previous:
            return Broken(event.seq, "it does not follow from the link before it")
        if hash_of(event) != event.row_hash:
            return Broken(event.seq, "its content was altered")
        previous, expected = event.row_hash, expected + 1
    head = AuditHead.objects.filter(organisation_id=organisation).first()
    if head is not None and (head.seq, head.row_hash or GENESIS) != (expected - 1, previous):
        return Broken(expected, "the end of the chain was cut off")
    return None
