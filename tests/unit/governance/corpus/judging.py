"""Did the gate do with a labelled message what its label says? The corpus, how it is offered, and how it is judged.

A line of statements*.jsonl holds one message and its acceptable outcomes; a line of changes*.jsonl holds messages to one
subject, the operation of the last, and what is then in force. Words are judged, not wording: where the spec leaves two
outcomes open, either passes. The labels were written without knowledge of the extraction's code.

`open.txt` lists the lines that fail today. It may only shrink.
"""

import json
import re
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from itertools import groupby
from pathlib import Path
from typing import Any
from uuid import UUID

from django.db import transaction

from memoryhub.governance.intake import Proposal, Result, propose
from memoryhub.governance.subjects import describe, ensure, readable
from memoryhub.models import Entry, Subject
from memoryhub.providers.embeddings import HashingEmbedder, using
from memoryhub.tenancy import ALL_SUBJECTS, Principal, acting_for
from memoryhub.vocabulary import Channel, Op, Role, Status
from tests.factories.ground import NOW, Ground, make_ground

FOLDER = Path(__file__).parent
OPEN = FOLDER / "open.txt"
KEEPING = frozenset({Op.ADD, Op.UPDATE, Op.NOOP})
ROLES = {
    Channel.USER_MESSAGE: Role.CUSTOMER,
    Channel.CURATOR: Role.CURATOR,
    Channel.SYSTEM_OF_RECORD: Role.SYSTEM_OF_RECORD,
}
NEGATIVE = re.compile(
    r"\b(?:not|no|nor|never|none|nothing|neither|without|\w+n['’]?t|cannot|hates?|dislikes?|avoids?|avoided|"
    r"stop(?:s|ped)?|quit|gave up|given up|isn|bears?|closed|off|free of|against|refuses?)\b",
    re.IGNORECASE,
)
PAST = re.compile(
    r"\b(?:used to|no longer|formerly|former|any ?more|until|before|was|were|had|taught)\b", re.IGNORECASE
)

Line = dict[str, Any]


# The corpus ---------------------------------------------------------------------------------------------------------


def lines(pattern: str) -> list[Line]:
    """All labelled lines of the files that match, in order."""
    return [
        json.loads(text)
        for path in sorted(FOLDER.glob(pattern))
        for text in path.read_text("utf-8").splitlines()
        if text
    ]


def open_ids() -> frozenset[str]:
    """The ids that fail today; comments begin with #."""
    return frozenset(
        text.split("#")[0].strip() for text in OPEN.read_text("utf-8").splitlines() if text.split("#")[0].strip()
    )


def strike(ids: Sequence[str]) -> None:
    """Take lines that pass now off the list; nothing is ever put on it by a program."""
    kept = [text for text in OPEN.read_text("utf-8").splitlines() if text.split("#")[0].strip() not in set(ids)]
    OPEN.write_text("\n".join(kept) + "\n", "utf-8")


# Offering -----------------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Kept:
    """What an entry says, as far as labels ask."""

    text: str
    key: str
    value: str
    valid_from: datetime
    valid_to: datetime | None
    expires_at: datetime

    @property
    def words(self) -> str:
        return f"{self.text} {self.value}".casefold()

    @property
    def negative(self) -> bool:
        return bool(NEGATIVE.search(f"{self.text} {self.value}"))


@dataclass(frozen=True)
class Answer:
    """What became of one claim."""

    op: str
    reason: str
    entry: Kept | None

    @property
    def accepted(self) -> bool:
        return self.op in KEEPING


@dataclass(frozen=True)
class Cast:
    """Whom a sequence is about, who may speak, and whose entries are in reach; the same for every sequence of a kind."""

    subject: Subject
    people: dict[str | None, Subject]
    within: frozenset[UUID]


@contextmanager
def ground() -> Iterator[Ground]:
    """One organisation for a whole corpus; everything is taken back at the end."""
    with using(HashingEmbedder()), transaction.atomic():
        yield make_ground()
        transaction.set_rollback(True)


def message(line: Line) -> str:
    """The text as it is offered: `pad` puts the same idle sentence around it many times."""
    text: str = line["text"]
    if pad := line.get("pad"):
        idle = " ".join([pad["text"]] * pad["times"])
        before, after = pad["where"] in ("before", "both"), pad["where"] in ("after", "both")
        return " ".join(filter(None, [idle if before else "", text, idle if after else ""]))
    return text


def offer_statements(statements: Sequence[Line], on: Ground) -> dict[str, list[Answer]]:
    """What the gate would do with each message of a person about whom nothing is known; nothing stays. By id."""
    person = on.subject()
    within = _within(person, on)
    answers = {}
    for who, said in groupby(sorted(statements, key=_speaks), key=_speaks):
        principal: Principal = getattr(on, who)
        with acting_for(principal, subjects=within):
            for line in said:
                said_at = datetime.fromisoformat(line["said_at"]) if "said_at" in line else NOW
                proposal = _proposal(person, message(line), line["channel"], said_at)
                outcome = propose(proposal=proposal, by=principal, now=said_at, dry_run=True)
                answers[line["id"]] = [_answer(result) for result in outcome.results]
    return answers


def offer_sequences(sequences: Sequence[Line], on: Ground) -> dict[str, tuple[list[Answer], list[Kept]]]:
    """Say each sequence's messages one after another: the last one's answers, and what is in force afterwards. By id."""
    casts: dict[str, Cast] = {}
    played = {}
    for line in sequences:
        kind = line.get("subject_kind", "person")
        played[line["id"]] = _say(line, casts.setdefault(kind, casts.get(kind) or _cast(kind, on)), on)
    return played


def _say(line: Line, cast: Cast, on: Ground) -> tuple[list[Answer], list[Kept]]:
    answers: list[Answer] = []
    now = NOW
    with transaction.atomic():
        for number, said in enumerate(line["messages"]):
            said_at = NOW + timedelta(days=said["day"])
            now = max(NOW + timedelta(days=7 * number), said_at)
            channel = said.get("channel", Channel.USER_MESSAGE)
            principal: Principal = getattr(on, _speaks(said))
            with acting_for(principal, subjects=cast.within):
                proposal = _proposal(cast.subject, said["text"], channel, said_at, cast.people.get(said.get("speaker")))
                outcome = propose(proposal=proposal, by=principal, now=now)
            answers = [_answer(result) for result in outcome.results]
        with acting_for(on.as_hub, subjects=ALL_SUBJECTS):
            entries = Entry.objects.filter(subject=cast.subject, status=Status.ACCEPTED, valid_from__lte=now)
            force = [_kept(entry) for entry in entries if entry.valid_to is None or entry.valid_to > now]
        transaction.set_rollback(True)
    return answers, force


def _cast(kind: str, on: Ground) -> Cast:
    subject = on.subject(kind=kind)
    if kind == "person":
        return Cast(subject, {}, _within(subject, on))
    with acting_for(on.as_hub, subjects=ALL_SUBJECTS):
        members = {name: f"{name}-{subject.external_id}" for name in ("member", "member2")}
        subject, _ = describe(
            external_id=subject.external_id, members=list(members.values()), by=on.as_hub, now=NOW - timedelta(days=900)
        )
        people: dict[str | None, Subject] = {
            name: ensure(external_id=f"{name}-{subject.external_id}", by=on.as_hub, now=NOW)
            for name in (*members, "stranger")
        }
    return Cast(subject, people, _within(subject, on))


def _proposal(subject: Subject, text: str, channel: str, said_at: datetime, speaker: Subject | None = None) -> Proposal:
    way = Channel(channel)
    return Proposal(
        subject=subject, text=text, channel=way, role=ROLES.get(way, Role.AGENT), said_at=said_at, speaker=speaker
    )


def _speaks(said: Line) -> str:
    """Which principal of the ground passes words of this channel on."""
    return {"curator": "as_cal", "system_of_record": "as_record"}.get(said.get("channel", ""), "as_agent")


def _within(subject: Subject, on: Ground) -> frozenset[UUID]:
    with acting_for(on.as_hub, subjects=ALL_SUBJECTS):
        return frozenset(readable(subject))


def _answer(result: Result) -> Answer:
    return Answer(str(result.op), str(result.reason), _kept(result.entry) if result.entry else None)


def _kept(entry: Entry) -> Kept:
    return Kept(
        entry.content, entry.key or "", entry.value or "", entry.valid_from or NOW, entry.valid_to, entry.expires_at
    )


# Judging ------------------------------------------------------------------------------------------------------------


def faults_of_statement(line: Line, answers: list[Answer]) -> list[str]:
    """Why none of the acceptable outcomes fits; empty: one does."""
    leaked = [
        word
        for word in line.get("never", ())
        for answer in answers
        if answer.accepted and answer.entry and word.casefold() in answer.entry.words
    ]
    if leaked:
        return [f"kept what must never be: {leaked}"]
    zone = datetime.fromisoformat(line["said_at"]).tzinfo if "said_at" in line else UTC
    found = [_fits(expected, answers, zone) for expected in line.get("expect_any", [line.get("expect")])]
    return [] if any(not fault for fault in found) else [fault for fault in found if fault]


def _fits(expected: Line, answers: list[Answer], zone: Any) -> str:
    """What stands against this outcome, in words; empty: nothing."""
    accepted = [answer for answer in answers if answer.accepted]
    if "kept" in expected:
        return _claims_fit(expected["kept"], [answer.entry for answer in accepted if answer.entry], zone)
    if accepted:
        return f"kept: {[answer.entry and (answer.entry.key, answer.entry.text) for answer in accepted]}"
    if "nothing" in expected:
        wanted, op = expected["nothing"], Op.DISCARDED
        bad = [answer for answer in answers if answer.op != op or (wanted != "any" and answer.reason != wanted)]
        return f"not simply dropped: {[(answer.op, answer.reason) for answer in bad]}" if bad else ""
    name, op = ("queued", Op.QUEUED) if "queued" in expected else ("refused", Op.REFUSED)
    wanted = expected[name]
    fitting = [answer for answer in answers if answer.op == op and wanted in (None, answer.reason)]
    if not fitting:
        return f"not {name} ({wanted}): {[(answer.op, answer.reason) for answer in answers]}"
    for word in expected.get("text_contains", ()):
        if not any(answer.entry and word.casefold() in answer.entry.words for answer in fitting):
            return f"{name} without its own words: {word}"
    return ""


def _claims_fit(claims: list[Line], entries: list[Kept], zone: Any) -> str:
    """Each claim has an entry of its own, and no entry stands there that no claim asked for."""
    if not entries:
        return "nothing was kept"
    spare = list(entries)
    for claim in claims:
        faults = {entry.text: _claim_fault(claim, entry, zone) for entry in spare}
        if fitting := next((entry for entry in spare if not faults[entry.text]), None):
            spare.remove(fitting)
        else:
            return f"no entry for {claim}: {faults or [entry.text for entry in entries]}"
    words = [word for claim in claims for words in claim.get("text_contains", ()) for word in words.split("|")]
    extra = [entry.text for entry in spare if words and not any(word.casefold() in entry.words for word in words)]
    return f"kept besides: {extra}" if extra else ""


def _claim_fault(claim: Line, entry: Kept, zone: Any) -> str:
    checks: dict[str, Callable[[Any], bool]] = {
        "text_contains": lambda words: all(
            any(part.casefold() in entry.words for part in word.split("|")) for word in words
        ),
        "value": lambda value: not entry.value or entry.value.casefold().strip(" .") == value.casefold(),
        "key_like": lambda names: not entry.key or any(name in entry.key.casefold() for name in names),
        "polarity": lambda polarity: entry.negative == (polarity == "negative"),
        "past": lambda _: entry.valid_to is not None or bool(PAST.search(entry.text)),
        "date": lambda day: _names_day(day, entry, zone),
        "valid_to": lambda day: any(_about(day, end, zone) for end in (entry.valid_to, entry.expires_at) if end),
        "valid_from": lambda day: _begins(day, entry, zone),
    }
    return ", ".join(f"{name} is not {wanted}" for name, wanted in claim.items() if not checks[name](wanted))


def _names_day(day: str, entry: Kept, zone: Any) -> bool:
    """In words, in the value, or as one of the bounds."""
    date = datetime.fromisoformat(day)
    spelt = (day, f"{date.day} {date:%B %Y}", f"{date:%B} {date.day}, {date.year}", f"{date:%d/%m/%Y}")
    begins = entry.valid_from.astimezone(zone).date().isoformat() == day
    ends = entry.valid_to is not None and _about(day, entry.valid_to, zone)
    return begins or ends or any(words.casefold() in entry.words for words in spelt)


def _about(day: str, end: datetime, zone: Any) -> bool:
    """A period that ends on a day may end with its beginning, its end, or the next day's first moment."""
    first = datetime.fromisoformat(day).replace(tzinfo=zone)
    return first <= end.astimezone(zone) <= first + timedelta(days=1)


def _begins(day: str | list[str], entry: Kept, zone: Any) -> bool:
    first, last = (day, day) if isinstance(day, str) else day
    return first <= entry.valid_from.astimezone(zone).date().isoformat() <= last or first[:4] in entry.words


def faults_of_sequence(line: Line, answers: list[Answer], force: list[Kept]) -> list[str]:
    """Everything that does not hold after the last message."""
    expected: Line = line["expect"]
    ops = {answer.op for answer in answers}
    faults = []
    if not ops & set(expected["op"]) or (ops & {Op.ADD, Op.UPDATE}) - set(expected["op"]):
        faults.append(f"op {[(answer.op, answer.reason) for answer in answers]}, not {expected['op']}")
    if "reason" in expected and expected["reason"] not in {answer.reason for answer in answers}:
        faults.append(f"reason is not {expected['reason']}")
    wanted = [word.casefold() for word in expected.get("in_force", ())]
    faults += [f"not in force: {word}" for word in wanted if not any(word in entry.words for entry in force)]
    for word in expected.get("not_in_force", ()):
        left = [entry.text for entry in force if word.casefold() in (entry.value or entry.text).casefold()]
        faults += [f"still in force: {text}" for text in left if not any(other in text.casefold() for other in wanted)]
    for name, negative in (("no_positive", False), ("no_negative", True)):
        for word in expected.get(name, ()):
            left = [entry.text for entry in force if word.casefold() in entry.words and entry.negative == negative]
            faults += [f"still in force: {text}" for text in left]
    if "count" in expected and len(force) != expected["count"]:
        faults.append(f"{len(force)} in force, not {expected['count']}: {[entry.text for entry in force]}")
    return faults
