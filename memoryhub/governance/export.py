"""Everything that is kept about one subject, as a file they can take away (R90, R91)."""

from datetime import datetime

from memoryhub.governance import audit
from memoryhub.models import (
    Entry,
    Event,
    Evidence,
    NoteFile,
    Recall,
    Record,
    RecordReading,
    ReviewQuestion,
    Session,
    Subject,
)
from memoryhub.tenancy import Principal

SCHEMA = "memoryhub-export-1"


def export_subject(*, subject: Subject, by: Principal, now: datetime) -> dict[str, object]:
    """All entries of every status with their origins, the sessions and turns kept, and who read what; audited."""
    entries = (
        Entry.objects.filter(subject=subject)
        .select_related("provenance__speaker", "supersedes")
        .prefetch_related("lineage")
        .order_by("recorded_at", "id")
        .defer("embedding", "search")
    )
    sessions = Session.objects.filter(subject=subject).prefetch_related("turns").order_by("started_at", "id")
    events = Event.objects.filter(subject=subject).order_by("occurred_at", "id")
    reads = Recall.objects.filter(subject=subject).order_by("created_at", "id")
    audit.record(
        by=by, now=now, action="subject.export", object_kind="subject", object_id=subject.pk, subject=subject.pk
    )
    return {
        "schema": SCHEMA,
        "exported_at": now.isoformat(),
        "subject": {
            "external_id": subject.external_id, "kind": subject.kind, "display_name": subject.display_name,
            "timezone": subject.timezone, "paused": subject.paused_at is not None,
            "never_keep": subject.never_keep,
        },
        "entries": [_entry(entry) for entry in entries],
        "files": [
            {"path": file.path, "lines": [str(line) for line in file.lines]}
            for file in NoteFile.objects.filter(subject=subject).order_by("path")
        ],
        "sessions": [_session(session) for session in sessions],
        "events": [_event(event) for event in events],
        "records": [
            {"key": record.key, "value": record.value or None, "from": record.pushed_by, "at": _time(record.pushed_at),
             "until": _time(record.replaced_at)}
            for record in Record.objects.filter(subject=subject).order_by("pushed_at", "id")
        ],
        "readings": [
            {"key": told.source.key, "state": told.state, "value": told.value or None, "at": _time(told.read_at)}
            for told in RecordReading.objects.filter(subject=subject).select_related("source").order_by("read_at", "id")
        ],
        "evidence": [
            {"type": shown.type, "ref": shown.ref, "value": shown.value, "session_id": shown.session_ref,
             "from": shown.given_by, "at": _time(shown.given_at),
             "entries": [str(backing.entry_id) for backing in shown.backings.all()]}
            for shown in Evidence.objects.filter(subject=subject).prefetch_related("backings").order_by("given_at")
        ],
        "questions": [
            {"question": asked.text, "about": str(asked.item.entry_id) if asked.item.entry_id else None,
             "at": _time(asked.asked_at), "answer": asked.answer or None, "text": asked.answer_text or None,
             "answered_at": _time(asked.answered_at)}
            for asked in ReviewQuestion.objects.filter(subject=subject).select_related("item").order_by("asked_at")
        ],
        "reads": [
            {"id": str(read.pk), "at": read.created_at.isoformat(), "by": read.actor, "purpose": read.purpose,
             "entries": [item["id"] for item in read.items]}
            for read in reads
        ],
    }  # fmt: skip


def _entry(entry: Entry) -> dict[str, object]:
    origin = entry.provenance
    return {
        "id": str(entry.pk), "text": entry.content, "kind": entry.kind, "category": entry.category,
        "scope": entry.scope, "entity": entry.entity, "key": entry.key, "value": entry.value, "status": entry.status,
        "sensitivity": entry.sensitivity, "confidence": entry.confidence, "importance": entry.importance,
        "authority": entry.authority, "valid_from": _time(entry.valid_from), "valid_to": _time(entry.valid_to),
        "recorded_at": _time(entry.recorded_at), "last_confirmed_at": _time(entry.last_confirmed_at),
        "confirmed_by": entry.confirmed_by, "review_by": _time(entry.review_by), "expires_at": _time(entry.expires_at),
        "supersedes": str(entry.supersedes_id) if entry.supersedes_id else None, "episode": entry.episode,
        "derived_from": [str(edge.parent_id) for edge in entry.lineage.all() if edge.parent_id],
        "provenance": {
            "role": origin.role, "channel": origin.channel,
            "speaker": origin.speaker.external_id if origin.speaker else None, "session_id": origin.session_ref,
            "event_id": origin.event_ref, "message_id": origin.message_id, "ref": origin.ref, "uri": origin.uri,
            "quote": origin.quote, "verified_by": origin.verified_by,
            "said_at": _time(origin.said_at), "recorded_at": _time(origin.recorded_at),
        },
    }  # fmt: skip


def _session(session: Session) -> dict[str, object]:
    return {
        "id": session.external_id, "started_at": _time(session.started_at), "ended_at": _time(session.ended_at),
        "state": session.state, "summary": session.compacted,
        "turns": [
            {"user_input": turn.user_input, "assistant_output": turn.assistant_output, "at": _time(turn.occurred_at)}
            for turn in session.turns.all()
        ],
    }  # fmt: skip


def _event(event: Event) -> dict[str, object]:
    return {
        "id": event.external_id, "at": _time(event.occurred_at), "user_input": event.user_input,
        "assistant_output": event.assistant_output, "withheld": event.withheld, "actions": event.actions,
        "observations": event.observations, "signals": event.signals,
    }  # fmt: skip


def _time(moment: datetime | None) -> str | None:
    return moment.isoformat() if moment else None
