"""What is offered to the gate, and what it answers: values only (R10)."""

from dataclasses import dataclass, field
from datetime import datetime
from uuid import UUID

from memoryhub.governance.restored import Restored
from memoryhub.models import Entry, Event, Subject
from memoryhub.vocabulary import Category, Channel, Kind, Op, Reason, Role, Sensitivity, Step


@dataclass(frozen=True)
class Source:
    """Where the words came from, as the caller knows it."""

    ref: str = ""
    uri: str = ""
    quote: str = ""


@dataclass(frozen=True)
class Proposal:
    """A text offered for memory, by whom and through which channel; None leaves a field to the rules.

    `ends`: whoever has the last word says that there is nothing under `key`. `folds`: one dated line in place of
    episodes that lapse, which lives conf.FOLDED_LIFETIME instead of as long as they would (R5). `reflects`: it sums up
    what recurred, so a person looks first (R77). `weighs_at_most`: the authority of the least trusted of the sources
    it is made from, where these are no entries (R32). `restores`: an exported entry that comes back as it was (R114).
    """

    subject: Subject
    text: str
    channel: Channel
    role: Role
    speaker: Subject | None = None
    session_ref: str = ""
    event_ref: str = ""
    message_id: str = ""
    said_at: datetime | None = None
    source: Source = Source()
    kind: Kind | None = None
    category: Category | None = None
    key: str | None = None
    value: str | None = None
    ends: bool = False
    confidence: float | None = None
    scope: str | None = None
    sensitivity: Sensitivity | None = None
    expires_at: datetime | None = None
    review_by: datetime | None = None
    episode: dict[str, object] | None = None
    corrects: Entry | None = None
    derived_from: tuple[Entry, ...] = ()
    events: tuple[Event, ...] = ()
    supersedes_all: tuple[Entry, ...] = ()
    weighs_at_most: float | None = None
    folds: bool = False
    reflects: bool = False
    restores: Restored | None = None


@dataclass(frozen=True)
class StepOutcome:
    """What one step said; `detail` is plain words, never content."""

    step: Step
    outcome: str
    detail: str = ""


@dataclass(frozen=True)
class Result:
    """What became of one claim. `refused_values` are the words to mask elsewhere in the turn (R61).

    For whoever tries something out, and kept nowhere: `words` of the claim, empty where the whole text was judged;
    `replaces`, what it puts out of force; `against`, what stands against it while a person decides.
    """

    op: Op
    reason: Reason
    entry: Entry | None
    redacted: bool
    steps: tuple[StepOutcome, ...]
    refused_values: tuple[str, ...] = field(default=(), repr=False)
    words: str = field(default="", repr=False)
    replaces: tuple[Entry, ...] = field(default=(), repr=False)
    against: Entry | None = field(default=None, repr=False)

    @property
    def message(self) -> str:
        return self.reason.label

    def as_json(self) -> dict[str, object]:
        """As a decision keeps it: no words, but the entry's id and each step's outcome."""
        return {
            "op": self.op,
            "reason": self.reason,
            "entry": str(self.entry.pk) if self.entry else None,
            "redacted": self.redacted,
            "steps": [{"step": step.step, "outcome": step.outcome, "detail": step.detail} for step in self.steps],
        }


@dataclass(frozen=True)
class Outcome:
    """One decision: its id (None where there was nothing to decide), and one result per claim, in the text's order."""

    decision_id: UUID | None
    results: tuple[Result, ...]
