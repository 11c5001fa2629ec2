"""What does a finished turn leave behind? Exactly three writes, together or not at all (R60–R63).

The redacted exchange goes to working memory, the event to the dream inbox, and what the person asserted through the
gate, as their claim. What tools, documents or the agent said never becomes a claim. Where the gate refused a claim,
the turn's words are withheld whole, so that no later summary or history can bring them back (R61).
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime
from typing import Any, Final

from django.db import IntegrityError, transaction

from accounts.ids import new_id
from accounts.models import Agent
from memoryhub.dreams import signals
from memoryhub.dreams.backlog import check_room
from memoryhub.errors import Invalid, NotFound
from memoryhub.governance import audit, forgotten, intake
from memoryhub.governance.dates import check_credible
from memoryhub.governance.policy_versions import in_force, in_force_for
from memoryhub.governance.reconciliation import lock
from memoryhub.governance.screening import screen
from memoryhub.governance.subjects import check_external_id
from memoryhub.models import Event, Session, Subject, subject_key
from memoryhub.tenancy import Principal
from memoryhub.vocabulary import Channel, Op, Reason, Role
from memoryhub.working import session as working
from memoryhub.working.nested import Refused, cleaned
from memoryhub.working.redaction import redact

#: Why an event carries no words; a dream reads nothing out of it but the structured actions.
QUARANTINED: Final = "Withheld: the message was quarantined."
REFUSED: Final = "Withheld: a part of the message may not be kept."
#: The agent's policy keeps of a turn only how it failed (R79).
FAILURES: Final = "Withheld: this agent remembers only how its runs fail."
STRUCK: Final = "Withheld: struck from the session."
#: It was forgotten, and is sent once more.
FORGOTTEN: Final = "Withheld: the person had it forgotten."
#: A paused person's event carries nothing at all and is never pending: there is nothing to dream about.
PAUSED: Final = "Withheld: remembering is paused."

_STRUCTURED: Final = ("actions", "observations", "signals")
#: Refusals that say nothing against the words themselves.
_HARMLESS = frozenset({Reason.PAUSED, Reason.KIND_OFF})


@dataclass(frozen=True)
class FinishedTurn:
    """One finished turn as `POST /turns` receives it; checked for form by the caller, for content here."""

    event_id: str
    session_id: str
    user_input: str = field(default="", repr=False)
    assistant_output: str = field(default="", repr=False)
    occurred_at: datetime | None = None
    actions: Sequence[Mapping[str, Any]] = field(default=(), repr=False)
    observations: Sequence[Mapping[str, Any]] = field(default=(), repr=False)
    signals: Sequence[Mapping[str, Any]] = field(default=(), repr=False)
    scope: Sequence[str] = ()
    state: Mapping[str, Any] = field(default_factory=dict, repr=False)
    quarantined: bool = False
    memory: str = "on"


@dataclass(frozen=True)
class Received:
    """What became of a turn: `working` is written, unchanged or off; `event` is written, withheld or duplicate. After
    a dry run the same words say what would have become of it. `note`: why the words are withheld.
    """

    working: str
    event: str
    results: tuple[intake.Result, ...] = ()
    note: str = ""


def receive_turn(
    *,
    turn: FinishedTurn,
    agent: Agent,
    subject: Subject,
    speaker: Subject | None,
    by: Principal,
    now: datetime,
    dry_run: bool = False,
) -> Received:
    """Take in one finished turn (R60–R63); the same event id again writes nothing, nor does `memory="off"`, nor a
    conversation that its person does not want remembered.

    Raises Backlog while too much waits for a dream, Invalid for bad ids, a time that cannot be, too large a state or
    current turn, and a session of another subject.
    """
    check_external_id(turn.event_id, "event_id")
    check_external_id(turn.session_id, "session_id")
    check_credible(turn.occurred_at, "occurred_at")
    if turn.memory == "off":
        return Received("off", "withheld")
    if Event.objects.filter(agent=agent, external_id=turn.event_id).exists():
        return Received("unchanged", "duplicate")
    when = min(turn.occurred_at or now, now)
    if forgotten.is_forgotten_turn(subject=subject.pk, agent=agent.pk, external_id=turn.event_id, occurred_at=when):
        return Received("unchanged", "withheld", note=FORGOTTEN)
    check_room(by=by)
    try:
        with transaction.atomic():
            received = _receive(turn, agent, subject, speaker, by=by, now=now, dry_run=dry_run)
            if dry_run:
                transaction.set_rollback(True)
            return received
    except IntegrityError as error:
        if "event_id_once" not in str(error):
            raise
        return Received("unchanged", "duplicate")  # the same event came in parallel, or about somebody else


def _receive(
    turn: FinishedTurn,
    agent: Agent,
    subject: Subject,
    speaker: Subject | None,
    *,
    by: Principal,
    now: datetime,
    dry_run: bool,
) -> Received:
    lock(subject)
    subject_key.look_up([subject.pk])  # once, for all that is sealed below
    session = working.open_session(agent=agent, external_id=turn.session_id, subject=subject, by=by, now=now)
    if session.off_record_at is not None:
        return Received("off", "withheld")
    occurred_at = min(turn.occurred_at or now, now)  # a clock that runs ahead must not date things in the future
    event_id = new_id()
    noted = audit.Row(action="turn.receive", object_kind="event", object_id=str(event_id), subject=subject.pk)
    words = redact(turn.user_input)
    results: tuple[intake.Result, ...] = ()
    failures_only = in_force_for(by).failures_only
    proposal = None if failures_only else _claims_of(turn, subject, speaker, occurred_at)
    if proposal is None:
        audit.record_all(by=by, now=now, rows=[noted])
    else:
        told = noted if subject.paused_at else replace(noted, content=words.text)
        results = intake.propose(proposal=proposal, by=by, now=now, dry_run=dry_run, also=[told]).results
    note = _why_withheld(turn, subject, results) or (FAILURES if failures_only else "")
    hidden_now = bool(note) and note != PAUSED  # a paused person's words stay readable in the running session
    if note == PAUSED:  # the gate stopped before its screen
        treatments = in_force(by.organisation).treatments
        screened = screen(turn.user_input, channel=Channel.USER_MESSAGE, role=Role.CUSTOMER, treatments=treatments)
        hidden_now = screened.outcome == "refuse"
    refused = Refused(
        values=tuple(value for result in results if _is_grave(result) for value in result.refused_values),
        message=turn.user_input if hidden_now else "",
    )
    said = working.NOTHING if hidden_now else words
    answered = working.NOTHING if hidden_now else redact(turn.assistant_output)
    state = working.state_of(turn.state, refused)
    event = Event(
        id=event_id,
        organisation_id=by.organisation,
        agent=agent,
        external_id=turn.event_id,
        session=session,
        subject=subject,
        speaker=speaker,
        withheld=note,
        occurred_at=occurred_at,
        utc_offset=_offset_of(turn.occurred_at),
        received_at=now,
        claims=[{"op": each.op, "reason": each.reason, "entry": _id_of(each)} for each in results],
    )
    if note == PAUSED:
        event.consolidated_at = now
    else:
        _fill(event, turn, session, refused)
        if not note:
            event.user_input, event.assistant_output = said.text, answered.text
    if failures_only:
        event.actions, event.observations = [], []
        event.signals = signals.of_failures(event.signals, agent)
    event.save(force_insert=True)
    working.record_turn(
        session=session, event_ref=turn.event_id, said=said, answered=answered, withheld=hidden_now,
        occurred_at=occurred_at, state=state, now=now,
    )  # fmt: skip
    return Received("written", "withheld" if note else "written", results, note)


def _claims_of(
    turn: FinishedTurn, subject: Subject, speaker: Subject | None, said_at: datetime
) -> intake.Proposal | None:
    """What the person said, as their claim; nothing from a message the agent's own screening quarantined."""
    if turn.quarantined or not turn.user_input.strip():
        return None
    return intake.Proposal(
        subject=subject,
        text=turn.user_input,
        channel=Channel.USER_MESSAGE,
        role=Role.CUSTOMER,
        speaker=speaker,
        session_ref=turn.session_id,
        event_ref=turn.event_id,
        said_at=said_at,
    )


def _why_withheld(turn: FinishedTurn, subject: Subject, results: Sequence[intake.Result]) -> str:
    if subject.paused_at is not None:
        return PAUSED
    if turn.quarantined:
        return QUARANTINED
    return REFUSED if any(_is_grave(result) for result in results) else ""


def _offset_of(told: datetime | None) -> int | None:
    """Minutes east of UTC, where the caller's clock says so itself: an offset of nothing may be no more than UTC."""
    offset = told.utcoffset() if told is not None else None
    return round(offset.total_seconds() / 60) if offset else None


def _id_of(result: intake.Result) -> str | None:
    return str(result.entry.pk) if result.entry is not None else None


def _is_grave(result: intake.Result) -> bool:
    """Whether a refusal says that the words themselves may not be kept."""
    return result.op == Op.REFUSED and result.reason not in _HARMLESS


def _fill(event: Event, turn: FinishedTurn, session: Session, refused: Refused) -> None:
    """The structured part: always the record of what was done, cleaned of secrets and refused words (R61, R62).

    A turn posted without actions or observations takes those noted while it ran.
    """
    event.actions = cleaned(list(turn.actions or session.current.get("actions", ())), refused)
    event.observations = cleaned(list(turn.observations or session.current.get("observations", ())), refused)
    event.signals = cleaned(list(turn.signals), refused)
    event.scope = cleaned(list(turn.scope), refused)


def strike(
    *, session: Session, turn: int | str | None = None, line: str | None = None, by: Principal, now: datetime
) -> tuple[str, ...]:
    """Remove a poisoned turn or line from working memory, and withhold its words in that turn's event too (R50): in
    the pending one, and in one that a dream read already, which the next summary and a search would read again.

    Returns the event ids it reached. Raises Invalid unless exactly one of the two is named, NotFound when neither
    working memory nor an event holds it.
    """
    if (turn is None) == (line is None or not line.strip()):
        raise Invalid(errors={"turn": ["Name either a turn or a line."]})
    kept = Event.objects.select_for_update(of=("self",)).filter(session=session).exclude(withheld=PAUSED)
    with transaction.atomic():
        lock(session.subject_id)
        events = list(kept.order_by("id"))
        spoken = {each.external_id for each in events if (_says(each, line) if line else each.external_id == turn)}
        spoken |= {each.external_id for each in events if line and _mask(each, Refused((line,)))}
        try:
            refs = set(working.strike(session=session, turn=turn, line=line, spoken=spoken, now=now)) | spoken
        except NotFound:
            if not spoken:
                raise
            refs = spoken
        for event in events:
            if event.external_id in refs:
                withhold(event, note=STRUCK, refused=Refused((line,) if line else (), event.user_input))
        audit.record(
            by=by, now=now, action="session.strike", object_kind="session", object_id=session.pk,
            subject=session.subject_id,
        )  # fmt: skip
    return tuple(sorted(refs))


def withhold(event: Event, *, note: str, refused: Refused) -> None:
    """Take the words out of an event, and refused words out of its structured part."""
    event.withheld = note
    event.user_input = event.assistant_output = ""
    _mask(event, refused)
    event.save(update_fields=["withheld", *Event.SEALED])


def _mask(event: Event, refused: Refused) -> bool:
    """Take refused words out of what an event was told in fields; whether there were any. The caller saves the row."""
    before = [getattr(event, name) for name in _STRUCTURED]
    for name, value in zip(_STRUCTURED, before, strict=True):
        setattr(event, name, cleaned(value, refused))
    return [getattr(event, name) for name in _STRUCTURED] != before


def _says(event: Event, line: str) -> bool:
    return working.holds_line(line, event.user_input, event.assistant_output)
