"""How is a memory told to the person it is about? In words nobody has to look up: no kinds, scores or machine terms.

A test walks what this module and its templates can say and refuses jargon (R90).
"""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, tzinfo

from curation.days import on_day
from curation.plain_refusals import BECAUSE, kind_in_words
from memoryhub.governance.intake import Result
from memoryhub.governance.read_by import Reading
from memoryhub.governance.unwanted import CATEGORY, kind_of
from memoryhub.models import Entry
from memoryhub.permissions import AUTHORITY_CATEGORIES
from memoryhub.vocabulary import Category, Channel, Kind, Op, Reason, Role, Status

CHECKED = frozenset({Role.SYSTEM_OF_RECORD, Role.CURATOR})


@dataclass(frozen=True)
class Standing:
    """How far a statement may be relied on: a word or two, a sentence, and its colour."""

    word: str
    sentence: str
    tone: str = ""


@dataclass(frozen=True)
class Remembered:
    """One entry as its person sees it."""

    entry: Entry
    where_from: str
    words: str
    standing: Standing
    own_to_change: bool
    can_forget: bool
    can_confirm: bool
    needs_asking: bool
    ends_at: datetime
    kind_words: str = ""
    reads: tuple[str, ...] = ()
    shows_use: bool = True


#: What is kept as history only: it stands in the file that a person takes along, not on their page.
PAST = {
    Status.REPLACED: Standing("No longer true", "It is kept as history, and not used."),
    Status.EXPIRED: Standing("Lapsed", "Nobody had confirmed it for long; it is not used."),
    Status.REJECTED: Standing("Not kept", "A person looked at it and said no; it is not used."),
    Status.ARCHIVED: Standing("Put aside", "Nobody had used it for long; it is not used."),
}


def remembered(entry: Entry, *, zone: tzinfo, own: bool = True, reads: Sequence[Reading] = ()) -> Remembered:
    """An entry in plain words, with who read it. What gives a right or sets a limit, or concerns a group, is shown, not
    editable."""
    authority = entry.category in AUTHORITY_CATEGORIES
    in_force = entry.status == Status.ACCEPTED
    fact = entry.kind == Kind.SEMANTIC
    quote = entry.provenance.quote if entry.provenance.channel != Channel.DREAM or fact else ""
    return Remembered(
        entry=entry,
        where_from=where_from(entry, zone=zone),
        words=quote.strip(),
        standing=standing(entry, zone=zone),
        own_to_change=own and fact and not authority,
        can_forget=own and not authority,
        can_confirm=own and in_force and fact and not authority,
        needs_asking=own and authority and in_force and not entry.contested,
        ends_at=min(entry.expires_at, entry.valid_to or entry.expires_at),
        kind_words=_kind(entry) if own and fact and not authority else "",
        reads=tuple(told_of(reading, zone=zone) for reading in reads),
        shows_use=own,
    )


def _kind(entry: Entry) -> str:
    """The kind that its person may ask never to keep; what is of no particular kind has none: pausing is for that."""
    kind = kind_of(entry)
    return kind_in_words(kind) if kind != f"{CATEGORY}{Category.GENERAL}" else ""


def told_of(reading: Reading, *, zone: tzinfo) -> str:
    """One time that something was read: by an assistant, by its name, or by one of the people on a page."""
    day = on_day(reading.at, zone)
    if reading.looked:
        return f"One of our people looked at it on {day}."
    return f"{reading.agent or 'A system of ours'} was given it on {day}."


def where_from(entry: Entry, *, zone: tzinfo) -> str:
    """One sentence such as: You told the support assistant on 12 October 2026."""
    origin = entry.provenance
    day = on_day(origin.said_at, zone)
    agent = origin.agent.name if origin.agent else "us"
    other = origin.speaker is not None and origin.speaker_id != entry.subject_id
    who = (origin.speaker.display_name or origin.speaker.external_id) if other and origin.speaker else "You"
    match origin.channel:
        case Channel.USER_MESSAGE:
            return f"{who} told {agent} on {day}."
        case Channel.USER_PAGE:
            return f"{who} wrote it on this page on {day}."
        case Channel.SYSTEM_OF_RECORD:
            return f"Set by our records on {day}."
        case Channel.CURATOR:
            return f"Entered by one of our people on {day}."
        case Channel.EVIDENCE:
            return f"Backed by a record of {day}."
        case Channel.DREAM if entry.kind == Kind.EPISODIC:
            return f"Written down after your conversation with {agent} of {day}."
        case Channel.DREAM:
            return f"You told {agent} on {day}."
        case Channel.AGENT_INFERENCE:
            return f"Concluded by {agent} on {day}; you did not say it yourself."
        case Channel.EMAIL:
            return f"Read by {agent} in an e-mail on {day}."
        case Channel.WEB_PAGE:
            return f"Read by {agent} on a web page on {day}."
        case _:
            return f"Read by {agent} in a document or a system on {day}."


def standing(entry: Entry, *, zone: tzinfo) -> Standing:
    """Confirmed, said by the person, being looked at, or in dispute."""
    origin = entry.provenance
    if entry.status == Status.PROPOSED:
        return Standing("Being reviewed", "It is not used until a person has looked at it.", "warn")
    if entry.status == Status.DISPUTED:
        return Standing("We disagree", "It is not used until a person has looked at it.", "warn")
    if entry.status in PAST:
        return PAST[Status(entry.status)]
    if entry.contested:
        return Standing("Being reviewed", "Somebody says it is wrong; a person is going to look at it.", "warn")
    if entry.kind == Kind.EPISODIC:
        return Standing("Noted", "It lists what was done, nothing more.")
    if origin.role in CHECKED or entry.confirmed_by in CHECKED:
        return Standing("Confirmed", "One of our people or systems has checked it.", "good")
    if entry.last_confirmed_at and entry.last_confirmed_at > entry.recorded_at:
        return Standing("Confirmed", f"You confirmed it on {on_day(entry.last_confirmed_at, zone)}.", "good")
    if origin.role == Role.AGENT:
        return Standing("Not checked", "It is a conclusion; nobody has checked it.")
    if origin.speaker_id is not None and origin.speaker_id != entry.subject_id:
        return Standing("Not checked", "Somebody else said it; nobody has checked it.")
    return Standing("You said this, not checked", "It is used as you said it.")


def outcome_of(results: tuple[Result, ...]) -> tuple[str, bool]:
    """What a correction led to, as a sentence, and whether it was kept. It never repeats the words: they may be the
    secret."""
    ops = {result.op for result in results}
    if ops & {Op.ADD, Op.UPDATE}:
        cut = any(result.redacted for result in results)
        left_out = " A part that is never kept was left out." if cut else ""
        return f"Thank you. It is corrected, at once.{left_out}", True
    if Op.QUEUED in ops:
        return "Thank you. A person is going to look at your correction first; until then nothing changes.", True
    if Op.NOOP in ops:
        return "That is what we have already, so nothing had to change.", True
    if Op.REFUSED in ops:
        reason = next(result.reason for result in results if result.op == Op.REFUSED)
        if reason == Reason.PAUSED:
            return "Nothing was changed: nothing new is kept while remembering is paused.", False
        because = BECAUSE.get(reason, "it may not be kept")
        return f"Nothing was changed: we could not keep it, because {because}.", False
    return "Nothing was changed: we found no statement in it. Write how it is, as a sentence.", False


#: What was asked to be forgotten, on its receipt.
ENDED = {
    "entry": "One thing", "kind": "Everything of one kind", "conversation": "A conversation", "subject": "Everything",
    "lapsed": "What had lapsed long ago",
}  # fmt: skip
#: What an erasure removed, one and many, in the order of a receipt.
REMOVED = {
    "entries": ("thing remembered", "things remembered, earlier versions included"),
    "derived": ("summary or conclusion drawn from it", "summaries and conclusions drawn from it"),
    "events": ("record of a conversation", "records of conversations"),
    "turns": ("exchange of a running conversation", "exchanges of running conversations"),
    "sessions": ("running conversation", "running conversations"),
    "offloads": ("passage put aside", "passages put aside"),
    "queue": ("thing that waited for a look", "things that waited for a look"),
    "evidence": ("mention as an example", "mentions as examples"),
    "reads": ("note on who was given something", "notes on who was given something"),
    "reports": ("line in a report", "lines in reports"),
    "answers": ("stored answer", "stored answers"),
    "notes": ("note of somebody who looked at it", "notes of people who looked at it"),
    "questions": ("question to somebody else with the name in it", "questions to others with the name in them"),
    "reasons": ("reason with the name in it", "reasons with the name in them"),
    "views": ("list that was saved with the name in it", "lists that were saved with the name in them"),
    "archives": ("file to take along", "files to take along"),
    "embeddings": ("copy made for searching", "copies made for searching"),
}
#: Counted in another line of the receipt already.
_COUNTED = frozenset({"versions"})


def receipt(removed: dict[str, int]) -> list[str]:
    """What was removed, in plain words with its count; what had nothing to remove is left out."""
    lines = [f"{removed[name]} {words[removed[name] > 1]}" for name, words in REMOVED.items() if removed.get(name)]
    others = sum(count for name, count in removed.items() if name not in REMOVED and name not in _COUNTED)
    return [*lines, f"{others} other records that belonged to it"] if others else lines
