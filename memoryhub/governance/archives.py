"""How does a person take along what is kept about them? Asked for, put together, sealed, handed out, removed (R90).

The archive is a zip: the export for programs with its schema, and a page for people. It is sealed with the person's own
key, handed out for conf.ARCHIVE_KEPT, and goes with the person's key, with an erasure, or when its time is over.
"""

import io
import json
import uuid
import zipfile
from collections.abc import Callable, Mapping
from datetime import datetime
from typing import Any, Final

from django.db import transaction

from memoryhub import conf, jobs
from memoryhub.errors import NotFound
from memoryhub.governance import audit, export, subject_keys
from memoryhub.governance.export_schema import schema
from memoryhub.governance.reconciliation import lock
from memoryhub.models import ExportArchive, Subject
from memoryhub.models.archive import ArchiveState
from memoryhub.tenancy import ALL_SUBJECTS, Principal, acting_for, system_principal

JOB: Final = "archive"
PURPOSE: Final = "export"  # what it is sealed for
STEM: Final = "memories"
DATA, SCHEMA, PAGE = f"{STEM}.json", "schema.json", f"{STEM}.html"

#: Makes the page for people: from the export, the subject, and the language of its dates.
Readable = Callable[[Mapping[str, Any], Subject, str], str]


@transaction.atomic
def ask(*, subject: Subject, by: Principal, now: datetime, language: str = "") -> ExportArchive:
    """Have everything put together; what was made before goes. One that is being made already is enough."""
    lock(subject)
    before = of(subject, now=now)
    if before is not None and before.state == ArchiveState.WAITING:
        return before
    ExportArchive.objects.filter(subject=subject).delete()
    archive = ExportArchive.objects.create(
        organisation_id=subject.organisation_id, subject=subject, language=language[:12], requested_at=now,
        expires_at=now + conf.ARCHIVE_KEPT,
    )  # fmt: skip
    jobs.enqueue(JOB, organisation=subject.organisation_id, now=now, payload={"archive": str(archive.pk)})
    _noted("export.request", archive, by=by, now=now)
    return archive


def of(subject: Subject, *, now: datetime) -> ExportArchive | None:
    """The person's archive, without what is in it; none once its time is over."""
    rows = ExportArchive.objects.filter(subject=subject, expires_at__gt=now)
    return rows.defer("sealed").first()


@transaction.atomic
def fetch(*, archive_id: uuid.UUID, subject: Subject, by: Principal, now: datetime) -> bytes:
    """The zip itself; who fetched it is put on record. Raises NotFound while it is not ready, once its time is over,
    and for anybody else's.
    """
    rows = ExportArchive.objects.filter(subject=subject, state=ArchiveState.READY, expires_at__gt=now)
    archive = rows.filter(pk=archive_id).first()
    if archive is None or archive.sealed is None:
        raise NotFound
    content = subject_keys.unseal(subject=subject, data=bytes(archive.sealed), purpose=PURPOSE)
    _noted("export.fetch", archive, by=by, now=now)
    return content


def build(claim: jobs.Claim, *, readable: Readable, now: datetime) -> None:
    """Put one together, for the job that was named with it. Erased or asked for anew meanwhile: nothing is done.

    What is told and what is stored is one transaction under the subject's lock: an erasure comes before or after it,
    never in between.
    """
    by = system_principal(claim.organisation, JOB)
    with acting_for(by, subjects=ALL_SUBJECTS):
        drop_late(organisation=claim.organisation, now=now)
        archive = _waiting(claim)
        if archive is None:
            return
        lock(archive.subject)
        archive = _waiting(claim)  # as it is now that nobody else writes about them
        if archive is None:
            return
        subject = archive.subject
        content = packed(export.told(subject, by=by, now=now), subject, archive.language, readable=readable)
        archive.sealed = subject_keys.seal(subject=subject, data=content, purpose=PURPOSE)
        archive.state, archive.size = ArchiveState.READY, len(content)
        archive.ready_at, archive.expires_at = now, now + conf.ARCHIVE_KEPT
        archive.save(update_fields=["sealed", "state", "size", "ready_at", "expires_at"])
        jobs.enqueue(  # as it has to go, also where nobody asked for housekeeping
            JOB, organisation=claim.organisation, now=now, payload=claim.payload, run_after=archive.expires_at
        )
        _noted("export.build", archive, by=by, now=now)
        claim.hold()


def give_up(claim: jobs.Claim, *, now: datetime) -> None:
    """It could not be put together: its person reads so, and may ask again."""
    by = system_principal(claim.organisation, JOB)
    with acting_for(by, subjects=ALL_SUBJECTS):
        archive = _waiting(claim)
        if archive is not None:
            archive.state = ArchiveState.FAILED
            archive.save(update_fields=["state"])
            _noted("export.fail", archive, by=by, now=now)


def packed(told: Mapping[str, Any], subject: Subject, language: str, *, readable: Readable) -> bytes:
    """The files of an archive as one zip, the same bytes for the same content."""
    files = {DATA: _json(told), SCHEMA: _json(schema()), PAGE: readable(told, subject, language)}
    made = io.BytesIO()
    with zipfile.ZipFile(made, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, text in files.items():
            archive.writestr(zipfile.ZipInfo(name), text.encode(), zipfile.ZIP_DEFLATED)
    return made.getvalue()


def late(*, organisation: uuid.UUID, now: datetime, after: uuid.UUID | None) -> list[uuid.UUID]:
    """Subjects whose archive's time is over, in order, those after one of them."""
    rows = ExportArchive.objects.filter(organisation_id=organisation, expires_at__lte=now)
    rows = rows.filter(subject_id__gt=after) if after else rows
    return list(rows.order_by("subject_id").values_list("subject_id", flat=True))


def drop_late(*, organisation: uuid.UUID, now: datetime, subject: uuid.UUID | None = None) -> int:
    """Remove those whose time is over, of one subject or of all; how many. Called inside acting_for."""
    rows = ExportArchive.objects.filter(organisation_id=organisation, expires_at__lte=now)
    return (rows.filter(subject_id=subject) if subject else rows).delete()[0]


def forget(subject: uuid.UUID) -> int:
    """Remove what was put together about somebody; how many. Called by erasures: it holds what they erase."""
    return ExportArchive.objects.filter(subject_id=subject).delete()[0]


def _waiting(claim: jobs.Claim) -> ExportArchive | None:
    rows = ExportArchive.objects.select_related("subject__organisation").filter(pk=claim.payload["archive"])
    return rows.filter(state=ArchiveState.WAITING).first()


def _json(value: object) -> str:
    return json.dumps(value, indent=2, ensure_ascii=False)


def _noted(action: str, archive: ExportArchive, *, by: Principal, now: datetime) -> None:
    audit.record(
        by=by, now=now, action=action, object_kind="archive", object_id=archive.pk, subject=archive.subject_id
    )  # fmt: skip
