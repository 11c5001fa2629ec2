"""Is a memory given to agents now, until when, and with which caution? In a sentence (R3, R5, R34)."""

from dataclasses import dataclass
from datetime import datetime, tzinfo

from django.utils import formats

from memoryhub.models import Entry
from memoryhub.recall.rendering import Note, warnings_for
from memoryhub.vocabulary import Category, Channel, Kind, Role, Scope, Status

_NOT_IN_USE = {
    Status.PROPOSED: "No agent is given it until a person says yes.",
    Status.REJECTED: "A person declined it; no agent is ever given it.",
    Status.REPLACED: "A newer version took its place; agents are given that one.",
    Status.DISPUTED: "It is out of use until a person settles the dispute.",
    Status.EXPIRED: "It lapsed, because nobody confirmed it; it is kept as history.",
    Status.ARCHIVED: "It was put aside; no agent is given it.",
}


@dataclass(frozen=True)
class Use:
    """Whether agents get it: a sentence, and what they are told along with it."""

    now: bool
    sentence: str
    cautions: tuple[str, ...] = ()


def use_of(entry: Entry, *, now: datetime, zone: tzinfo) -> Use:
    """What a memory means for an agent that asks at `now`."""
    if entry.status != Status.ACCEPTED:
        return Use(False, _NOT_IN_USE[Status(entry.status)])
    if entry.subject.paused_at is not None and not entry.subject.use_existing:
        return Use(False, "Remembering is paused for whom it is about, and what is known is not used meanwhile.")
    if entry.valid_from > now:
        return Use(False, f"It begins to hold on {_day(entry.valid_from, zone)}; until then no agent is given it.")
    if entry.valid_to is not None and entry.valid_to <= now:
        return Use(False, f"It held until {_day(entry.valid_to, zone)}; agents are no longer given it.")
    if entry.expires_at <= now:
        return Use(False, f"Its time was over on {_day(entry.expires_at, zone)}; agents are no longer given it.")
    until = min(entry.expires_at, entry.valid_to) if entry.valid_to else entry.expires_at
    who = f"{_READERS[Scope(entry.scope)]} may be given it until {_day(until, zone)}"
    ending = "." if entry.valid_to and entry.valid_to <= until else ", unless somebody confirms it before."
    return Use(True, who + ending, _cautions(entry, now=now))


_READERS = {
    Scope.SUBJECT: "Agents that talk with whom it is about",
    Scope.ACCOUNT: "Agents that talk with anybody of the account",
    Scope.TEAM: "Agents that talk with anybody of the project, site or team",
    Scope.AGENT: "The one agent that keeps it",
    Scope.ORGANISATION: "Every agent of the organisation",
}


def _cautions(entry: Entry, *, now: datetime) -> tuple[str, ...]:
    """What the agent is told to be careful about, by the rule that recall goes by."""
    origin = entry.provenance
    note = Note(
        id=str(entry.pk), subject="", text="", kind=Kind(entry.kind), category=Category(entry.category),
        role=Role(origin.role), channel=Channel(origin.channel), written_at=origin.said_at, valid_from=entry.valid_from,
        confidence=entry.confidence, authority=entry.authority, confirmed_by=entry.confirmed_by,
        review_by=entry.review_by, contested=entry.contested,
    )  # fmt: skip
    return tuple(caution.label for caution in warnings_for(note, now))


def _day(moment: datetime, zone: tzinfo) -> str:
    return formats.date_format(moment.astimezone(zone), "j F Y")
