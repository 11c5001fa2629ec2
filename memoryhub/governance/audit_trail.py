"""How is the audit trail read? Filtered, row by row, never with content; and taken along as JSON Lines (R103).

Newest first on a page, oldest first in a file: a file is checked link by link from its beginning.
"""

import json
import uuid
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any, Final

from django.db.models import Q, QuerySet

from accounts.models import User
from memoryhub.governance import audit
from memoryhub.models import AuditEvent, Subject
from memoryhub.permissions import check_may
from memoryhub.tenancy import ALL_SUBJECTS, Principal, acting_for

EXPORTED_AT_ONCE: Final = 1000  # rows read in one transaction while a file is written
LOOKED_AT: Final = 2000  # newest links, for the actions to choose from


@dataclass(frozen=True)
class Wanted:
    """What to look for; empty fields ask for nothing.

    `subject`: external id, or the hub's own. `actor`: an address, or a part of how a key or job is named. `object`: an
    id. `since`, `until`: both included.
    """

    subject: str = ""
    actor: str = ""
    action: str = ""
    object_kind: str = ""
    object: str = ""
    since: datetime | None = None
    until: datetime | None = None

    @property
    def any(self) -> bool:
        return self != Wanted()


def rows(organisation: uuid.UUID, wanted: Wanted) -> QuerySet[AuditEvent]:
    """The links that fit, in no order yet. Called inside acting_for."""
    found = AuditEvent.objects.filter(organisation_id=organisation)
    if wanted.subject:
        found = found.filter(subject__in=_ids_of(organisation, wanted.subject))
    if wanted.actor:
        found = found.filter(_by(wanted.actor))
    if wanted.action:
        found = found.filter(action=wanted.action)
    if wanted.object_kind:
        found = found.filter(object_kind=wanted.object_kind)
    if wanted.object:
        found = found.filter(object_id=wanted.object)
    if wanted.since:
        found = found.filter(at__gte=wanted.since)
    if wanted.until:
        found = found.filter(at__lte=wanted.until)
    return found


def recent_actions(organisation: uuid.UUID) -> list[str]:
    """The actions that the newest links name, in order, to choose from; the trail itself may be very long."""
    found = AuditEvent.objects.filter(organisation_id=organisation).order_by("-seq")
    return sorted(set(found.values_list("action", flat=True)[:LOOKED_AT]))


def export(*, wanted: Wanted, by: Principal, now: datetime) -> Iterator[str]:
    """Every link that fits as a line of JSON, oldest first, up to now; that it was taken along is a link as well.

    The link is written before the first line is given, in a transaction of its own, so that a file broken off is
    recorded too. Raises NotGranted. Called outside acting_for: each batch is read in a transaction of its own.
    """
    with acting_for(by, subjects=ALL_SUBJECTS):
        check_may(by, "read_audit")
        link = audit.record(
            by=by, now=now, action="audit.export", object_kind="audit", object_id=by.organisation,
            reason="filtered" if wanted.any else "all",
        )  # fmt: skip
    return _lines(wanted, by=by, before=link.seq)


def _lines(wanted: Wanted, *, by: Principal, before: int) -> Iterator[str]:
    last = 0
    while True:
        with acting_for(by, subjects=ALL_SUBJECTS):
            batch = list(
                rows(by.organisation, wanted).filter(seq__gt=last, seq__lt=before).order_by("seq")[:EXPORTED_AT_ONCE]
            )
        if batch:
            yield "".join(f"{json.dumps(as_document(row), ensure_ascii=False)}\n" for row in batch)
            last = batch[-1].seq
        if len(batch) < EXPORTED_AT_ONCE:
            return


def as_document(row: AuditEvent) -> dict[str, Any]:
    """One link as the API and a file give it."""
    return {
        "seq": row.seq,
        "at": row.at.astimezone(UTC).isoformat().replace("+00:00", "Z"),
        "actor": row.actor,
        "action": row.action,
        "subject": row.subject or None,
        "object_kind": row.object_kind,
        "object_id": row.object_id,
        "reason": row.reason or None,
        "request_id": row.request_id or None,
        "content_hmac": row.content_hmac or None,
        "previous_hash": row.previous_hash,
        "row_hash": row.row_hash,
    }


def _ids_of(organisation: uuid.UUID, named: str) -> list[str]:
    """The hub's own ids of a subject: by its external id, or the id itself, whose subject may be gone by now."""
    known = Subject.objects.filter(organisation_id=organisation, external_id=named).values_list("pk", flat=True)
    return [*map(str, known), named.lower()]


def _by(actor: str) -> Q:
    if "@" in actor:
        people = User.objects.filter(email__istartswith=actor.strip()).values_list("pk", flat=True)[:20]
        return Q(actor__in=[f"user:{one}" for one in people])
    return Q(actor__icontains=actor)
