"""What does one entry look like outside, so that another hub can take it in? JSON Lines, sealed (R114).

A line holds an entry with its provenance, its lineage and what its subject is; or a memory file (R112): which of these
stand in it, in which order. Its seal says that this hub took it in
like that: a keyed hash over everything but ids, which another organisation may have to give anew. It vouches for what
the line says of its own trust, within this installation (docs/adr/0028).
"""

import hmac
import json
from collections.abc import Iterator
from datetime import datetime
from typing import Any, Final

from django.conf import settings
from django.utils.crypto import salted_hmac

from memoryhub.governance import audit
from memoryhub.models import Entry, NoteFile, Subject, SubjectMember
from memoryhub.tenancy import Principal

FORMAT: Final = "memoryhub-entry-1"
FILE_FORMAT: Final = "memoryhub-file-1"
#: What another organisation may have to give anew, and so is not sealed.
IDS: Final = frozenset({"id", "supersedes", "derived_from", "lines", "seal"})
AT_ONCE: Final = 500
_SALT: Final = "memoryhub.export"

Document = dict[str, Any]


def lines(*, by: Principal, now: datetime, subject: Subject | None = None) -> Iterator[Document]:
    """Every entry of the organisation, or of one subject, in every status, oldest first, and behind them the memory
    files; audited. Inside acting_for.
    """
    audit.record(
        by=by, now=now, action="entries.export", object_kind="subject" if subject else "organisation",
        object_id=subject.pk if subject else by.organisation, subject=subject.pk if subject else None,
    )  # fmt: skip
    rows = Entry.objects.filter(organisation_id=by.organisation).defer("embedding", "search")
    if subject is not None:
        rows = rows.filter(subject=subject)
    rows = rows.select_related(
        "subject__account", "audience", "agent", "provenance__speaker", "provenance__agent"
    ).prefetch_related("lineage").order_by("recorded_at", "id")  # fmt: skip
    described: dict[object, Document] = {}
    for entry in rows.iterator(chunk_size=AT_ONCE):
        if entry.subject_id not in described:
            described[entry.subject_id] = _about(entry.subject)
        yield sealed(_document(entry, described[entry.subject_id]))
    files = NoteFile.objects.filter(organisation_id=by.organisation).select_related("subject")
    if subject is not None:
        files = files.filter(subject=subject)
    for file in files.order_by("subject__external_id", "path").iterator(chunk_size=AT_ONCE):
        yield sealed(_file(file))


def sealed(document: Document) -> Document:
    """The document with its seal."""
    return {**document, "seal": _seal_of(document)}


def is_sealed(document: Document) -> bool:
    """Whether this installation gave out the line as it stands, but for ids."""
    given = document.get("seal")
    return isinstance(given, str) and hmac.compare_digest(given.encode(), _seal_of(document).encode())


def as_line(document: Document) -> str:
    """As it stands in a file."""
    return json.dumps(document, ensure_ascii=False, separators=(",", ":"))


def _seal_of(document: Document) -> str:
    kept = {name: value for name, value in document.items() if name not in IDS}
    text = json.dumps(kept, sort_keys=True, separators=(",", ":"))
    return salted_hmac(_SALT, text, secret=settings.SECRET_KEY, algorithm="sha256").hexdigest()


def _about(subject: Subject) -> Document:
    """What the subject is, and what it asked for."""
    members = SubjectMember.objects.filter(group=subject).order_by("person__external_id")
    return {
        "kind": subject.kind,
        "display_name": subject.display_name,
        "timezone": subject.timezone,
        "account": subject.account.external_id if subject.account else None,
        "members": list(members.values_list("person__external_id", flat=True)),
        "paused": subject.paused_at is not None,
        "use_existing": subject.use_existing,
        "never_keep": sorted(subject.never_keep),
    }


def _document(entry: Entry, about: Document) -> Document:
    origin = entry.provenance
    edges = list(entry.lineage.all())
    return {
        "format": FORMAT, "id": str(entry.pk), "subject": entry.subject.external_id, "about": about,
        "scope": entry.scope, "audience": entry.audience.external_id if entry.audience else None,
        "agent": entry.agent.slug if entry.agent else None, "kind": entry.kind, "category": entry.category,
        "text": entry.content, "entity": entry.entity, "key": entry.key, "value": entry.value, "single": entry.single,
        "episode": entry.episode, "language": entry.language, "status": entry.status, "contested": entry.contested,
        "sensitivity": entry.sensitivity, "confidence": entry.confidence, "importance": entry.importance,
        "authority": entry.authority, "valid_from": _time(entry.valid_from), "valid_to": _time(entry.valid_to),
        "recorded_at": _time(entry.recorded_at), "recorded_until": _time(entry.recorded_until),
        "last_confirmed_at": _time(entry.last_confirmed_at), "confirmed_by": entry.confirmed_by,
        "review_by": _time(entry.review_by), "expires_at": _time(entry.expires_at), "use_count": entry.use_count,
        "last_used_at": _time(entry.last_used_at),
        "supersedes": str(entry.supersedes_id) if entry.supersedes_id else None,
        "derived_from": sorted(str(edge.parent_id) for edge in edges if edge.parent_id),
        "events": sorted(edge.event_ref for edge in edges if edge.event_ref),
        "provenance": {
            "role": origin.role, "channel": origin.channel,
            "speaker": origin.speaker.external_id if origin.speaker else None,
            "agent": origin.agent.slug if origin.agent else None, "session_id": origin.session_ref,
            "event_id": origin.event_ref, "message_id": origin.message_id, "ref": origin.ref, "uri": origin.uri,
            "quote": origin.quote, "verified_by": origin.verified_by, "said_at": _time(origin.said_at),
            "recorded_at": _time(origin.recorded_at),
        },
    }  # fmt: skip


def _file(file: NoteFile) -> Document:
    return {
        "format": FILE_FORMAT, "subject": file.subject.external_id, "path": file.path,
        "lines": [str(line) for line in file.lines], "made_at": _time(file.made_at),
        "changed_at": _time(file.changed_at),
    }  # fmt: skip


def _time(moment: datetime | None) -> str | None:
    return moment.isoformat() if moment else None
