"""What stands around an entry? Its origin, what backs it, what it came from and what followed it, in one statement.

Every answer that shows entries needs it. Asked of the ORM it is five queries, which it takes longer to write down than
the database to answer.
"""

import uuid
from collections.abc import Sequence
from datetime import datetime
from typing import Final, NamedTuple

from memoryhub.models import Entry
from memoryhub.recall import planned

#: What it tells of where an entry came from, as the columns are called.
OF_ORIGIN: Final = (
    "role", "channel", "session_ref", "event_ref", "message_id", "ref", "uri", "quote", "verified_by", "said_at",
    "recorded_at",
)  # fmt: skip

_AROUND: Final = planned.statement(f"""
SELECT shown.id, {", ".join(f"p.{name}" for name in OF_ORIGIN)},
       (SELECT external_id FROM memoryhub_subject WHERE id = shown.subject_id),
       (SELECT external_id FROM memoryhub_subject WHERE id = p.speaker_id),
       evidence.type, evidence.ref,
       ARRAY(SELECT parent_id FROM memoryhub_lineage
             WHERE child_id = shown.id AND parent_id IS NOT NULL ORDER BY id),
       (SELECT id FROM memoryhub_entry WHERE supersedes_id = shown.id ORDER BY recorded_at DESC LIMIT 1)
FROM unnest(%(entries)s::uuid[], %(subjects)s::uuid[]) AS shown (id, subject_id)
LEFT JOIN memoryhub_provenance p ON p.entry_id = shown.id
LEFT JOIN LATERAL (
    SELECT e.type, e.ref FROM memoryhub_backing b JOIN memoryhub_evidence e ON e.id = b.evidence_id
    WHERE b.entry_id = shown.id AND b.op IN ('ADD', 'UPDATE') ORDER BY b.id DESC LIMIT 1
) evidence ON true
""")


class Around(NamedTuple):
    """One row of it; `role` and all of the origin are None for an entry that is not stored (`of_new`)."""

    entry: uuid.UUID
    role: str | None
    channel: str
    session_ref: str
    event_ref: str
    message_id: str
    ref: str
    uri: str
    quote: str
    verified_by: str
    said_at: datetime
    recorded_at: datetime
    subject: str | None
    speaker: str | None
    evidence_type: str | None
    evidence_ref: str | None
    parents: list[uuid.UUID]
    successor: uuid.UUID | None


def of_new(entry: Entry) -> Around:
    """The same of an entry that was written just now: all there is hangs on the object, and nothing followed yet. What
    callers propose is derived from no entry.
    """
    origin = entry.provenance
    said = {name: getattr(origin, name) for name in OF_ORIGIN}
    speaker = origin.speaker.external_id if origin.speaker else None
    return Around(
        entry=entry.pk, **said, subject=entry.subject.external_id, speaker=speaker, evidence_type=None,
        evidence_ref=None, parents=[], successor=None,
    )  # fmt: skip


def around(entries: Sequence[Entry]) -> dict[uuid.UUID, Around]:
    """By entry. Subjects that can't be seen here have no name."""
    if not entries:
        return {}
    asked: planned.Values = {
        "entries": [entry.pk for entry in entries],
        "subjects": [entry.subject_id for entry in entries],
    }
    return {row[0]: Around(*row) for row in planned.ask(_AROUND, asked)}
