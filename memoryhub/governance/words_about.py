"""In which tables can words about a subject stand, and since when was a row of each known? One list, for counting what
an erasure left, for holding receipts against what is stored, and for clearing the files (R91).
"""

from typing import Final

from django.db.models import Model

from memoryhub.models import (
    Entry,
    Event,
    Evidence,
    ExportArchive,
    NoteFile,
    Offload,
    PendingErasure,
    Record,
    RecordReading,
    ReviewItem,
    ReviewNote,
    ReviewQuestion,
    Session,
    Turn,
)

#: Table → its moment. Each has a `subject`. Stored answers are asked for besides: their rows stay, emptied.
KNOWN_SINCE: Final[dict[type[Model], str]] = {
    Entry: "recorded_at", Event: "received_at", Turn: "occurred_at", Offload: "created_at", Session: "started_at",
    ReviewItem: "waiting_since", ReviewNote: "created_at", ReviewQuestion: "asked_at", Record: "pushed_at",
    RecordReading: "read_at", Evidence: "given_at", NoteFile: "made_at", PendingErasure: "asked_at",
    ExportArchive: "requested_at",
}  # fmt: skip
