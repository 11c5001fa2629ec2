"""In which tables can words about a subject stand, and since when was a row of each known? One list, for counting what
an erasure left, for holding receipts against what is stored, and for clearing the files (R91).
"""

from dataclasses import dataclass
from typing import Final

from django.db.models import Model

from memoryhub.models import (
    AgentPolicy,
    AgentSignal,
    AgentTool,
    Entry,
    Event,
    Evidence,
    ExportArchive,
    NoteFile,
    Offload,
    PendingErasure,
    PolicyVersion,
    Profile,
    Record,
    RecordReading,
    ReviewItem,
    ReviewNote,
    ReviewQuestion,
    SavedView,
    Session,
    Skill,
    Turn,
)

#: Table → its moment. Each has a `subject`. Stored answers are asked for besides: their rows stay, emptied.
KNOWN_SINCE: Final[dict[type[Model], str]] = {
    Entry: "recorded_at", Event: "received_at", Turn: "occurred_at", Offload: "created_at", Session: "started_at",
    ReviewItem: "waiting_since", ReviewNote: "created_at", ReviewQuestion: "asked_at", Record: "pushed_at",
    RecordReading: "read_at", Evidence: "given_at", NoteFile: "made_at", PendingErasure: "asked_at",
    ExportArchive: "requested_at",
}  # fmt: skip


@dataclass(frozen=True)
class Remark:
    """A free text of staff beside the memory: who is named in it can be told by its words alone. `since`: when it was
    written; `counted`: the name in a receipt.
    """

    model: type[Model]
    fields: tuple[str, ...]
    since: str
    counted: str


#: What staff write to each other and keep for themselves. Removed where it names somebody who is forgotten whole.
REMARKS: Final = (
    Remark(SavedView, ("name", "query"), "changed_at", "views"),
    Remark(ReviewNote, ("text",), "created_at", "notes"),
    Remark(ReviewQuestion, ("text",), "asked_at", "questions"),
    Remark(ReviewItem, ("why", "decided_reason"), "waiting_since", "reasons"),
)
#: What agents run by, signed or approved as it stands: never rewritten by itself, so a receipt says that it is there.
DOCUMENTS: Final[dict[type[Model], tuple[str, ...]]] = {
    Skill: ("name", "description", "body"), Profile: ("text",), PolicyVersion: ("reason",),
    AgentPolicy: ("improves",), AgentSignal: ("wording",), AgentTool: ("description",),
}  # fmt: skip
