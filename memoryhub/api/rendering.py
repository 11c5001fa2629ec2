"""How does a row become JSON? One function per noun; the number of queries does not grow with the rows (api.md).

Run where every subject of the organisation can be seen: a speaker may be somebody else than the subject.
"""

import uuid
from collections import defaultdict
from collections.abc import Iterable, Sequence
from datetime import UTC, datetime
from typing import Any

from memoryhub.api.around import Around, around, of_new
from memoryhub.governance.intake import Outcome, Result
from memoryhub.models import Entry, Lineage, Subject, SubjectMember
from memoryhub.vocabulary import Channel, Op

Json = dict[str, Any]


def moment(at: datetime | None) -> str | None:
    """RFC 3339 in UTC."""
    return at.astimezone(UTC).isoformat().replace("+00:00", "Z") if at is not None else None


def entry_json(entry: Entry) -> Json:
    """One entry as api.md has it."""
    return entries_json([entry])[0]


def entries_json(entries: Sequence[Entry]) -> list[Json]:
    """Entries as api.md has them, with one query however many there are."""
    stored = around(entries)
    # A dry run's entry was taken back.
    found = [stored[entry.pk] if stored[entry.pk].role is not None else of_new(entry) for entry in entries]
    return [_entry_json(entry, beside) for entry, beside in zip(entries, found, strict=True)]


def _entry_json(entry: Entry, beside: Around) -> Json:
    return {
        "id": str(entry.pk),
        "subject": beside.subject or "",
        "scope": entry.scope,
        "kind": entry.kind,
        "category": entry.category,
        "text": entry.content,
        "entity": entry.entity or None,
        "key": entry.key or None,
        "value": entry.value or None,
        "episode": entry.episode,
        "language": entry.language or None,
        "status": entry.status,
        "contested": entry.contested,
        "sensitivity": entry.sensitivity,
        "confidence": entry.confidence,
        "importance": entry.importance,
        "authority": entry.authority,
        "valid_from": moment(entry.valid_from),
        "valid_to": moment(entry.valid_to),
        "recorded_at": moment(entry.recorded_at),
        "supersedes": _id(entry.supersedes_id),
        "superseded_by": _id(beside.successor),
        "last_confirmed_at": moment(entry.last_confirmed_at),
        "confirmed_by": entry.confirmed_by or None,
        "review_by": moment(entry.review_by),
        "expires_at": moment(entry.expires_at),
        "use_count": entry.use_count,
        "last_used_at": moment(entry.last_used_at),
        "embedding_state": entry.embedding_state,
        "provenance": _provenance_json(beside),
        "derived_from": [str(parent) for parent in beside.parents],
        "created_at": moment(entry.created_at or entry.recorded_at),
        "etag": entry.etag,
    }


def entry_detail_json(entry: Entry, versions: Sequence[Entry]) -> Json:
    """An entry with its lineage and all versions of its statement."""
    shown, *earlier = entries_json([entry, *versions])
    edges = Lineage.objects.filter(child=entry).order_by("id").values_list("parent", "event_ref")
    derived = Lineage.objects.filter(parent=entry).order_by("id").values_list("child", flat=True)
    lineage = {
        "entries": [str(parent) for parent, _ in edges if parent],
        "events": [event for parent, event in edges if not parent],
        "derived": [str(child) for child in derived],
    }
    return {**shown, "lineage": lineage, "versions": earlier}


def results_json(results: Iterable[Result], *, proposed: bool = False) -> list[Json]:
    """What became of each claim; refused values are not part of it. `proposed`: the words came in this call, so that
    what is said to be added is new; evidence adds what was there."""
    results = list(results)
    kept = [result.entry for result in results if result.entry is not None]
    if proposed and kept and [result.op for result in results] == [Op.ADD]:  # the usual one: nothing came after it
        shown = {str(kept[0].pk): _entry_json(kept[0], of_new(kept[0]))}
    else:
        shown = {entry["id"]: entry for entry in entries_json(kept)}
    return [
        {
            "op": str(result.op),
            "entry": shown[str(result.entry.pk)] if result.entry is not None else None,
            "reason": str(result.reason),
            "message": result.message,
            "redacted": result.redacted,
            "steps": [{"step": str(one.step), "outcome": one.outcome, "detail": one.detail} for one in result.steps],
        }
        for result in results
    ]


def outcome_json(outcome: Outcome, *, dry_run: bool = False, proposed: bool = False) -> Json:
    """A gate's outcome as POST /memories answers it; `proposed` as in `results_json`."""
    return {
        "decision_id": None if dry_run else _id(outcome.decision_id),
        "results": results_json(outcome.results, proposed=proposed),
    }


def external_ids(ids: Iterable[uuid.UUID | None]) -> dict[uuid.UUID, str]:
    """The callers' own names of subjects."""
    wanted = {one for one in ids if one is not None}
    return dict(Subject.objects.filter(pk__in=wanted).values_list("pk", "external_id")) if wanted else {}


def subjects_json(found: Sequence[Subject]) -> list[Json]:
    """Subjects with their accounts' and members' external ids."""
    members: dict[uuid.UUID, list[str]] = defaultdict(list)
    rows = SubjectMember.objects.filter(group__in=[subject.pk for subject in found])
    for group, person in rows.order_by("person__external_id").values_list("group", "person__external_id"):
        members[group].append(person)
    accounts = external_ids(subject.account_id for subject in found)
    return [
        {
            "id": str(subject.pk),
            "external_id": subject.external_id,
            "kind": subject.kind,
            "display_name": subject.display_name,
            "account": accounts.get(subject.account_id) if subject.account_id else None,
            "timezone": subject.timezone or None,
            "members": members[subject.pk],
            "paused": subject.paused_at is not None,
            "use_existing": subject.use_existing,
            "created_at": moment(subject.created_at),
        }
        for subject in found
    ]


def _provenance_json(origin: Around) -> Json:
    """Where an entry came from; what evidence put in force is its evidence's, and says what it was before (R19)."""
    backed = origin.evidence_ref is not None
    return {
        "role": origin.role,
        "channel": Channel.EVIDENCE.value if backed else origin.channel,
        "speaker": origin.speaker,
        "session_id": origin.session_ref or None,
        "event_id": origin.event_ref or None,
        "message_id": origin.message_id or None,
        "ref": origin.evidence_ref if backed else origin.ref or None,
        "uri": origin.uri or None,
        "quote": origin.quote or None,
        "verified_by": f"{origin.evidence_type} {origin.evidence_ref}"[:500] if backed else origin.verified_by or None,
        "offered_through": origin.channel if backed else None,
        "offered_ref": (origin.ref or None) if backed else None,
        "said_at": moment(origin.said_at),
        "recorded_at": moment(origin.recorded_at),
    }


def _id(value: object) -> str | None:
    return str(value) if value is not None else None
