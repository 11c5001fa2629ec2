"""How is a file of memories taken in? Line by line through the gate, a piece at a time (R10, R114).

Every line is read before any is written: a file with a line that can't be read is refused whole. Then pieces of a
hundred lines are written, each whole or not at all; a run that was broken off is run again, and what is there already
is NOOP. A dry run writes a piece and takes it back, so a line is judged with what stands before it in its piece.
"""

import uuid
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from functools import partial
from typing import Any, Final

from django.db import IntegrityError, transaction

from accounts.ids import new_id
from accounts.models import Agent
from memoryhub.errors import HubError, Invalid, NotFound
from memoryhub.governance import agents, intake, memory_files, never_again, subjects, transfer
from memoryhub.governance.import_lines import Line, moment
from memoryhub.governance.proposal import Proposal, Result, Source
from memoryhub.governance.restored import Restored
from memoryhub.models import Entry, Subject
from memoryhub.tenancy import ALL_SUBJECTS, Principal, acting_for
from memoryhub.vocabulary import Category, Channel, Kind, Op, Reason, Role, Sensitivity, Status, SubjectKind

#: A text of another system: the number of its line, whose it is, and how it is offered.
Offered = tuple[int, str, Callable[[Subject], Proposal]]

#: Why a file ended as it did.
_OF_FILES: Final = {Op.NOOP: Reason.DUPLICATE, Op.DISCARDED: Reason.UNSUPPORTED}
PIECE: Final = 100  # lines in one transaction: other writers of the organisation wait as long


@dataclass(frozen=True)
class Outcome:
    """What became of one line, or of one claim of it; `fault`: why it could not be judged."""

    line: int
    op: Op | None
    reason: Reason | None
    subject: str
    entry: uuid.UUID | None = None
    fault: str = ""


@dataclass
class _Run:
    """One import: who does it, the ids it gave anew, and whose words stand behind the file."""

    by: Principal
    now: datetime
    vouched: bool
    ids: dict[str, uuid.UUID] = field(default_factory=dict)
    subjects: dict[str, Subject] = field(default_factory=dict)
    agents: dict[str, uuid.UUID] = field(default_factory=dict)
    wishes: dict[str, Mapping[str, Any]] = field(default_factory=dict)


class _TakenBack(Exception):
    """Ends a dry run's transaction."""


def take_in(
    lines: Sequence[Line], *, by: Principal, now: datetime, vouched: bool = False, dry_run: bool = False
) -> Iterator[Outcome]:
    """Bring exported entries back, in the order of what they came from; one outcome a line, as its piece is through.

    `vouched`: the curator who `by` is stands behind what the lines say of their own trust.
    """
    run = _Run(by, now, vouched)
    files = [line for line in lines if line.document["format"] == transfer.FILE_FORMAT]
    for piece in _pieces(_in_order([line for line in lines if line.document["format"] != transfer.FILE_FORMAT])):
        yield from _through(partial(_bring_back, piece, run), run, dry_run=dry_run)
    for piece in _pieces(files):  # once all their lines are there
        yield from _through(partial(_files, piece, run, dry_run), run, dry_run=dry_run)
    if not dry_run:
        _keep_wishes(run)


def offer(
    proposals: Sequence[Offered],
    *,
    by: Principal,
    now: datetime,
    dry_run: bool = False,
) -> Iterator[Outcome]:
    """Offer texts of another system, each with the number of its line and its subject's external id, to the gate."""
    run = _Run(by, now, vouched=False)
    for piece in _pieces(proposals):
        yield from _through(partial(_put_forward, piece, run), run, dry_run=dry_run)


def _bring_back(piece: Sequence[Line], run: _Run) -> list[Outcome]:
    return [_one(line, run) for line in piece]


def _files(piece: Sequence[Line], run: _Run, dry_run: bool) -> list[Outcome]:
    return [_file(line, run, dry_run=dry_run) for line in piece]


def _put_forward(piece: Sequence[Offered], run: _Run) -> list[Outcome]:
    return [outcome for number, named, make in piece for outcome in _offered(number, named, make, run)]


def _pieces(every: Sequence[Any]) -> Iterator[Sequence[Any]]:
    return (every[at : at + PIECE] for at in range(0, len(every), PIECE))


def _through(work: Callable[[], list[Outcome]], run: _Run, *, dry_run: bool) -> list[Outcome]:
    """One piece in a transaction of its own."""
    outcomes: list[Outcome] = []
    try:
        with acting_for(run.by, subjects=ALL_SUBJECTS):
            outcomes = work()
            if dry_run:
                raise _TakenBack
    except _TakenBack:
        run.subjects.clear()  # those that were made are gone again
        run.agents.clear()
    return outcomes


def _in_order(lines: Sequence[Line]) -> list[Line]:
    """Sources before what came from them, and what was superseded before what took its place; else as they stand.
    Raises Invalid for lines that come from one another in a circle.
    """
    at = {line.document["id"]: line for line in lines}
    placed: list[Line] = []
    state: dict[str, bool] = {}  # False: being looked at, True: placed
    for start in lines:
        path = [start.document["id"]]
        while path:
            here = path[-1]
            if state.get(here):
                path.pop()
                continue
            state[here] = False
            document = at[here].document
            before = [one for one in (document["supersedes"], *document["derived_from"]) if one in at]
            waiting = [one for one in before if not state.get(one)]
            if any(one in path for one in waiting):
                number = at[here].number
                raise Invalid(errors={f"line {number}": ["it comes from a line that comes from it."]})
            if waiting:
                path.append(waiting[0])
            else:
                state[here] = True
                placed.append(at[here])
                path.pop()
    return placed


def _one(line: Line, run: _Run) -> Outcome:
    """One exported entry through the gate. Where its id is another organisation's, it gets a new one."""
    document = line.document
    named, result, fault = document["subject"], None, ""
    for wanted in (uuid.UUID(document["id"]), new_id()):
        made = dict(run.subjects), dict(run.agents)
        try:
            with transaction.atomic():
                result = _restored(document, wanted, run)
            break
        except IntegrityError:
            fault = "it does not fit to what is here already"
            run.subjects, run.agents = made  # what was made on the way is gone again
        except HubError as error:
            fault = _sentence(error)
            run.subjects, run.agents = made
            break
    if result is None:
        return Outcome(line.number, None, None, named, fault=fault)
    if result.entry is not None:
        run.ids[document["id"]] = result.entry.pk
    return Outcome(line.number, result.op, result.reason, named, result.entry.pk if result.entry else None)


def _file(line: Line, run: _Run, *, dry_run: bool) -> Outcome:
    """One memory file, of the lines that were taken in or are here. What a dry run took back can't stand in one: then
    a file that would get lines counts as added.
    """
    document = line.document
    named = document["subject"]
    found = [one for one in document["lines"] if one in run.ids] if dry_run else []
    if found:
        return Outcome(line.number, Op.ADD, Reason.COMMITTED, named)
    try:
        with transaction.atomic():
            op = memory_files.bring_back(
                subject=subjects.find(external_id=named, by=run.by), path=document["path"],
                lines=[id for one in document["lines"] if (id := _here(one, run)) is not None],
                made_at=moment(document["made_at"]), changed_at=moment(document["changed_at"]), by=run.by, now=run.now,
            )  # fmt: skip
    except NotFound:
        op = Op.DISCARDED  # nothing about them was taken in
    except HubError as error:
        return Outcome(line.number, None, None, named, fault=_sentence(error))
    return Outcome(line.number, op, _OF_FILES.get(op, Reason.COMMITTED), named)


def _restored(document: Mapping[str, Any], wanted: uuid.UUID, run: _Run) -> Result:
    vouched = run.vouched or transfer.is_sealed(dict(document))
    sources = [found for one in document["derived_from"] if (found := _here(one, run)) is not None]
    told, origin = document, document["provenance"]
    subject = _subject(document, run, vouched=vouched)
    restores = Restored(
        id=wanted, vouched=vouched, status=Status(told["status"]), kind=Kind(told["kind"]),
        category=Category(told["category"]), sensitivity=Sensitivity(told["sensitivity"]),
        confidence=told["confidence"], importance=told["importance"], authority=told["authority"],
        valid_from=moment(told["valid_from"]), valid_to=_moment(told["valid_to"]),
        recorded_at=min(moment(told["recorded_at"]), run.now), recorded_until=_moment(told["recorded_until"]),
        last_confirmed_at=_past(told["last_confirmed_at"], run), confirmed_by=told["confirmed_by"],
        review_by=_moment(told["review_by"]), expires_at=moment(told["expires_at"]),
        offered_at=min(moment(origin["recorded_at"]), run.now), entity=told["entity"],
        key=told["key"], value=told["value"], single=told["single"], language=told["language"],
        contested=told["contested"], use_count=told["use_count"], last_used_at=_past(told["last_used_at"], run),
        audience=_audience(told, subject, run, vouched=vouched), agent=_agent(told["agent"], run),
        speaker_agent=_agent(origin["agent"], run), verified_by=origin["verified_by"],
        supersedes=_here(told["supersedes"], run), event_refs=tuple(told["events"]),
    )  # fmt: skip
    proposal = Proposal(
        subject=subject, text=told["text"], channel=Channel(origin["channel"]), role=Role(origin["role"]),
        speaker=_speaker(origin["speaker"], subject, run), session_ref=origin["session_id"],
        event_ref=origin["event_id"], message_id=origin["message_id"], said_at=min(moment(origin["said_at"]), run.now),
        source=Source(ref=origin["ref"], uri=origin["uri"], quote=origin["quote"]), kind=restores.kind,
        category=restores.category, key=told["key"] or None, value=told["value"] or None, scope=told["scope"],
        episode=told["episode"], restores=restores,
        derived_from=tuple(Entry.objects.filter(pk__in=sources)),
    )  # fmt: skip
    (result,) = intake.propose(proposal=proposal, by=run.by, now=run.now).results
    return result


def _offered(number: int, named: str, make: Callable[[Subject], Proposal], run: _Run) -> Iterable[Outcome]:
    try:
        with transaction.atomic():
            if named not in run.subjects:
                run.subjects[named] = subjects.ensure(external_id=named, by=run.by, now=run.now)
            results = intake.propose(proposal=make(run.subjects[named]), by=run.by, now=run.now).results
    except HubError as error:
        return [Outcome(number, None, None, named, fault=_sentence(error))]
    return [Outcome(number, one.op, one.reason, named, one.entry.pk if one.entry else None) for one in results]


def _subject(document: Mapping[str, Any], run: _Run, *, vouched: bool) -> Subject:
    """Whom a line is about; made, as the line describes it, where they are not known here. Who speaks for whom is
    believed of a line that somebody vouches for."""
    named, about = document["subject"], document["about"]
    if vouched and (about["paused"] or about["never_keep"]):
        run.wishes[named] = about
    if named in run.subjects:
        return run.subjects[named]
    known = Subject.objects.filter(organisation_id=run.by.organisation, external_id=named).first()
    if known is None:
        known, _ = subjects.describe(
            external_id=named, by=run.by, now=run.now, kind=about["kind"], display_name=about["display_name"] or None,
            timezone=about["timezone"] or None, account=(about["account"] or None) if vouched else None,
            members=(about["members"] or None) if vouched and about["kind"] != SubjectKind.PERSON else None,
        )  # fmt: skip
        run.wishes[named] = about
    elif known.kind != about["kind"]:
        raise Invalid(f"The subject is a {known.kind} here, and a {about['kind']} in the file.")
    run.subjects[named] = known
    return known


def _audience(document: Mapping[str, Any], subject: Subject, run: _Run, *, vouched: bool) -> Subject | None:
    """Who reads it. Raises Invalid for a line nobody vouches for that would be read by others than its subject's."""
    named = document["audience"]
    if named == document["subject"]:
        return subject
    if not vouched:
        raise Invalid("Others than its own subject would read it, and nobody vouches for that.")
    return subjects.find(external_id=named, by=run.by) if named is not None else None


def _speaker(named: str | None, subject: Subject, run: _Run) -> Subject | None:
    if named is None or named == subject.external_id:
        return subject if named else None
    return subjects.ensure(external_id=named, by=run.by, now=run.now)


def _agent(slug: str | None, run: _Run) -> uuid.UUID | None:
    """The agent of that slug; a new one only proposes until an operator signs otherwise (R16)."""
    if slug is None:
        return None
    if slug not in run.agents:
        found = Agent.objects.filter(organisation_id=run.by.organisation, slug=slug).first()
        found = found or agents.make(slug=slug, name=slug, owner=None, by=run.by, now=run.now)
        run.agents[slug] = found.pk
    return run.agents[slug]


def _here(named: str | None, run: _Run) -> uuid.UUID | None:
    """The entry that a line names, under the id that it has here; None: it is not here."""
    if named is None:
        return None
    if named in run.ids:
        return run.ids[named]
    known = Entry.objects.filter(organisation_id=run.by.organisation, pk=named).values_list("pk", flat=True)
    return known.first()


def _keep_wishes(run: _Run) -> None:
    """A pause, and what somebody asked never to keep, hold here too; after their memories are in, which they would
    keep out."""
    with acting_for(run.by, subjects=ALL_SUBJECTS):
        for named, about in run.wishes.items():
            subject = subjects.find(external_id=named, by=run.by)
            if about["paused"] and subject.paused_at is None:
                subjects.pause(subject=subject, paused=True, use_existing=about["use_existing"], by=run.by, now=run.now)
            never_again.bring_back(subject=subject, kinds=about["never_keep"], by=run.by, now=run.now)


def _moment(text: str | None) -> datetime | None:
    return moment(text) if text is not None else None


def _past(text: str | None, run: _Run) -> datetime | None:
    """A time that can't lie ahead."""
    return min(moment(text), run.now) if text is not None else None


def _sentence(error: HubError) -> str:
    if isinstance(error, Invalid) and error.errors:
        return "; ".join(f"{name}: {' '.join(said)}" for name, said in error.errors.items())
    return error.detail
