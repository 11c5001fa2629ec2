"""Binds the reads into the audit chain, a batch at a time, soon after they happened (R37).

Reads are logged in their own transactions and do not wait for the chain's lock; until a batch is sealed, fail-closed
covers them but tamper evidence does not. A seal holds a hash over the batch's rows.
"""

import hashlib
import json
import uuid
from datetime import datetime

from django.utils import timezone

from memoryhub import jobs
from memoryhub.governance import audit
from memoryhub.models import Recall
from memoryhub.tenancy import ALL_SUBJECTS, Principal, acting_for, system_principal

BATCH = 500


def run_job(claim: jobs.Claim) -> None:
    """Seal what this organisation has read since the last seal."""
    seal(organisation=claim.organisation, now=timezone.now())


def seal(*, organisation: uuid.UUID, now: datetime) -> int:
    """Seal every unsealed read of one organisation; returns how many."""
    principal, sealed = system_principal(organisation, "seal"), 0
    while True:
        with acting_for(principal, subjects=ALL_SUBJECTS):
            audit.take_the_end(by=principal)  # before the reads: an erasure holds the end when it takes reads away
            rows = list(
                Recall.objects.select_for_update(skip_locked=True, of=("self",))
                .filter(organisation_id=organisation, sealed_at__isnull=True)
                .order_by("id")[:BATCH]
            )
            if not rows:
                return sealed
            digest = hash_of(rows)
            audit.record(
                by=principal, now=now, action="recall.seal", object_kind="recalls", object_id=digest,
                reason=f"{len(rows)} read{'' if len(rows) == 1 else 's'}",
            )  # fmt: skip
            Recall.objects.filter(pk__in=[row.pk for row in rows]).update(sealed_at=now)
            sealed += len(rows)


def seal_about(subject: uuid.UUID, *, by: Principal, now: datetime) -> None:
    """Seal the reads about one subject that are not yet, so that they can be taken away: the trail keeps that there
    were some. Part of an erasure, which holds the end of the chain from here on.
    """
    audit.take_the_end(by=by)
    rows = list(
        Recall.objects.select_for_update(of=("self",)).filter(subject=subject, sealed_at__isnull=True).order_by("id")
    )
    if rows:
        audit.record(
            by=by, now=now, action="recall.seal", object_kind="recalls", object_id=hash_of(rows),
            reason=f"{len(rows)} reads",
        )  # fmt: skip
        Recall.objects.filter(pk__in=[row.pk for row in rows]).update(sealed_at=now)


def hash_of(rows: list[Recall]) -> str:
    """SHA-256 over who read what when, row by row."""
    lines = [
        json.dumps([str(row.pk), row.actor, row.purpose, row.query_digest, row.items, row.created_at.isoformat()])
        for row in rows
    ]
    return hashlib.sha256("\n".join(lines).encode()).hexdigest()
