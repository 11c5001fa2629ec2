"""What is happening now? Working memory of one session: history, state, current turn, offloads, strike (R50).

It ends with the session (hours, not days) and never becomes long-term memory. Everything in it is redacted before it is
stored. A session belongs to one agent and one subject from its first use.
"""

import json
import re
import textwrap
import uuid
from collections.abc import Collection, Mapping, Sequence
from datetime import datetime
from typing import Any, Final

from accounts.models import Agent
from memoryhub import conf
from memoryhub.errors import Invalid, NotFound
from memoryhub.models import Offload, Session, Subject, Turn
from memoryhub.tenancy import ALL_SUBJECTS, Principal, acting_for
from memoryhub.working import hours
from memoryhub.working.nested import Refused, cleaned
from memoryhub.working.redaction import Redacted, redact

NOTHING: Final = Redacted("", ())
#: The one refusal of whatever would have to be kept, out of a conversation that its person does not want remembered.
OFF_RECORD: Final = "The person does not want this conversation remembered; nothing of it is kept."
CURRENT_PARTS: Final = ("actions", "observations")
_COMPACTED_LINE = re.compile(r"turn (\d+): ")


def open_session(*, agent: Agent, external_id: str, subject: Subject, by: Principal, now: datetime) -> Session:
    """The session, locked until the transaction ends; made at its first use, begun anew where it had ended.

    Raises Invalid, code `session_of_another_subject`, when it was first used for somebody else.
    """
    session = _locked(agent, external_id)
    if session is None:
        new = Session(
            organisation_id=by.organisation, agent=agent, external_id=external_id, subject=subject,
            started_at=now, last_turn_at=now, expires_at=now + conf.SESSION_LIFETIME,
        )  # fmt: skip
        Session.objects.bulk_create([new], ignore_conflicts=True)  # a parallel first use may have been quicker
        hours.end_in_time(new, now=now)
        session = _locked(agent, external_id)
    if session is None or session.subject_id != subject.pk:  # row security hides a session of another subject
        raise Invalid(
            "This session belongs to another subject.",
            errors={"session_id": ["A session belongs to one subject from its first use."]},
            code="session_of_another_subject",
        )
    return _running(session, now=now)


def find(*, external_id: str, agent: Agent | None = None) -> Session:
    """The session of that id (of this agent, or for an operator of any: the latest). Raises NotFound."""
    sessions = Session.objects.filter(external_id=external_id).select_related("agent", "subject")
    if agent is not None:
        sessions = sessions.filter(agent=agent)
    session = sessions.order_by("-last_turn_at").first()
    if session is None:
        raise NotFound
    return session


def is_off_record(*, external_id: str, by: Principal) -> bool:
    """Whether its person does not want this conversation of the caller's agent (no agent: of any) remembered (R90),
    whomever the call is about: what is told of their account or their project comes out of it too.
    """
    if not external_id:
        return False
    rows = Session.objects.filter(external_id=external_id, off_record_at__isnull=False)
    with acting_for(by, subjects=ALL_SUBJECTS, savepoint=False):
        return (rows.filter(agent=by.agent) if by.agent else rows).exists()


def lock(session: Session) -> Session:
    """The same session, fresh and locked until the transaction ends. Raises NotFound when it was erased meanwhile."""
    fresh = Session.objects.select_for_update(of=("self",)).filter(pk=session.pk).first()
    if fresh is None:
        raise NotFound
    return fresh


def is_over(session: Session, *, now: datetime) -> bool:
    """Whether it was ended, or nothing happened for conf.SESSION_LIFETIME."""
    return session.ended_at is not None or session.expires_at <= now


def record_turn(
    *,
    session: Session,
    event_ref: str,
    said: Redacted,
    answered: Redacted,
    withheld: bool,
    occurred_at: datetime,
    state: Mapping[str, object],
    now: datetime,
) -> Turn:
    """Add one exchange to a locked session: history and state grow, the current turn is over.

    `state` is cleaned already. Words beyond the last conf.HISTORY_TURNS turns are compacted into a shorter line each.
    """
    newest = Turn.objects.filter(session=session).order_by("-number")
    recent = list(newest.values_list("number", flat=True)[: conf.HISTORY_TURNS])
    turn = Turn.objects.create(
        organisation_id=session.organisation_id,
        session=session,
        subject_id=session.subject_id,
        number=recent[0] + 1 if recent else 1,
        event_ref=event_ref,
        user_input="" if withheld else said.text,
        assistant_output="" if withheld else answered.text,
        withheld=withheld,
        occurred_at=occurred_at,
    )
    if len(recent) == conf.HISTORY_TURNS:
        _compact(session, Turn.objects.get(session=session, number=recent[-1]))
    session.state = _merged(session.state, state)
    session.current = {}
    session.last_turn_at, session.expires_at = now, now + conf.SESSION_LIFETIME
    session.save(update_fields=["state", "current", "compacted", "last_turn_at", "expires_at"])
    return turn


def set_state(*, session: Session, values: Mapping[str, object], now: datetime) -> Session:
    """Pin a few key-values, redacted; null unpins, which is all that is done in a conversation that is not to be
    remembered. Raises Invalid past the caps (conf.STATE_…).
    """
    session = _running(lock(session), now=now)
    pinned = state_of(values)
    if session.off_record_at is not None:
        pinned = {name: value for name, value in pinned.items() if value is None}
    session.state = _merged(session.state, pinned)
    session.expires_at = now + conf.SESSION_LIFETIME
    session.save(update_fields=["state", "expires_at"])
    return session


def state_of(values: Mapping[str, object], refused: Refused | None = None) -> dict[str, object]:
    """A turn's `state`, cleaned and within the caps on keys and values."""
    clean = cleaned(dict(values), refused or Refused())
    assert isinstance(clean, dict)
    for key, value in clean.items():
        if not key.strip() or len(key) > conf.STATE_KEY_CHARACTERS:
            raise Invalid(errors={"state": [f"A name has 1 to {conf.STATE_KEY_CHARACTERS} characters."]})
        if len(json.dumps(value, ensure_ascii=False)) > conf.STATE_VALUE_CHARACTERS:
            raise Invalid(errors={"state": [f"A value has at most {conf.STATE_VALUE_CHARACTERS} characters."]})
    return clean


def add_to_current(
    *, session: Session, actions: Sequence[object] = (), observations: Sequence[object] = (), now: datetime
) -> Session:
    """Note what the running turn did and saw; it becomes the event with the turn, where there is to be one. Raises
    Invalid past a cap."""
    session = _running(lock(session), now=now)
    if session.off_record_at is not None:
        return session
    current: dict[str, Any] = dict(session.current)
    for name, items in zip(CURRENT_PARTS, (actions, observations), strict=True):
        known = [*current.get(name, []), *cleaned(list(items))]  # type: ignore[misc]  # a list gives a list
        if len(known) > conf.CURRENT_ITEMS:
            raise Invalid(errors={name: [f"One turn has at most {conf.CURRENT_ITEMS} of them."]})
        current[name] = known
    session.current = current
    session.expires_at = now + conf.SESSION_LIFETIME
    session.save(update_fields=["current", "expires_at"])
    return session


def offload(*, session: Session, text: str, now: datetime) -> Offload:
    """Move a passage out of the window; its id is the handle. Raises Invalid past conf.OFFLOADS passages, and in a
    conversation that is not to be remembered (code `off_record`): no handle is given for what is not kept.
    """
    session = _running(lock(session), now=now)
    if session.off_record_at is not None:
        raise Invalid(
            OFF_RECORD, errors={"text": ["Keep the passage in the window; it is not kept here."]}, code="off_record"
        )
    if Offload.objects.filter(session=session).count() >= conf.OFFLOADS:
        raise Invalid(errors={"text": [f"A session holds at most {conf.OFFLOADS} passages."]})
    passage = Offload(
        organisation_id=session.organisation_id, session=session, subject_id=session.subject_id, created_at=now
    )
    passage.text = redact(text).text
    passage.save(force_insert=True)
    return passage


def fetch(*, session: Session, handle: str, now: datetime) -> Offload:
    """The passage of that handle. Raises NotFound, also for a handle of another session or of one that is over."""
    if is_over(session, now=now):
        raise NotFound
    try:
        passage = Offload.objects.filter(session=session, pk=uuid.UUID(handle)).first()
    except ValueError:
        passage = None
    if passage is None:
        raise NotFound
    return passage


def strike(
    *,
    session: Session,
    turn: int | str | None = None,
    line: str | None = None,
    spoken: Collection[str] = (),
    now: datetime,
) -> tuple[str, ...]:
    """Take a whole turn (by number or event id) or every line that contains `line` out of working memory.

    `spoken` are the event ids of turns known to have said the line: what they were compacted to goes whole, since only
    a piece of the line may be left of it.

    Returns the event ids of the turns it touched, so that their pending events can be withheld (dreams/inbox.strike).
    Raises NotFound when nothing of it is there.
    """
    session = lock(session)
    turns = list(Turn.objects.filter(session=session).order_by("number"))
    touched = [each for each in turns if _is_meant(each, turn) or (line and line_stands_in(line, each))]
    numbers = {each.number for each in touched}
    told = numbers if turn is not None else {each.number for each in turns if each.event_ref in spoken}
    kept, numbers_compacted = _without(session.compacted, told, line)
    touched += [each for each in turns if each.number in numbers_compacted - numbers]
    changed = _strike_elsewhere(session, line) if line else False
    if not touched and not changed:
        raise NotFound
    for each in touched:
        each.struck_at = now
        each.user_input = "" if line is None else _lines_without(each.user_input, line)
        each.assistant_output = "" if line is None else _lines_without(each.assistant_output, line)
    Turn.objects.bulk_update(touched, ["struck_at", "user_input", "assistant_output"])
    session.compacted = kept
    session.save(update_fields=["compacted", "state", "current"])
    return tuple(each.event_ref for each in touched)


def holds_line(line: str, *texts: str) -> bool:
    """Whether any of the texts contains the line, whatever the case and the spaces."""
    wanted = " ".join(line.casefold().split())
    return bool(wanted) and any(wanted in " ".join(text.casefold().split()) for text in texts)


def line_stands_in(line: str, turn: Turn) -> bool:
    """Whether a turn's words contain the line."""
    return holds_line(line, turn.user_input, turn.assistant_output)


def end(*, session: Session, now: datetime) -> Session:
    """End the session: its working memory is gone at once; events and entries are not touched."""
    session = lock(session)
    hours.forget(session)
    session.ended_at = session.ended_at or now
    session.save()
    return session


def show(session: Session, *, now: datetime) -> dict[str, Any]:
    """The session as `GET /sessions/{id}` answers it; nothing of it once it is over."""
    gone = is_over(session, now=now)
    # What was compacted keeps its row without words; it does not come back when a later turn is erased.
    said = Turn.objects.filter(session=session).exclude(
        user_input="", assistant_output="", withheld=False, struck_at__isnull=True
    )
    turns = [] if gone else list(said.order_by("-number")[: conf.HISTORY_TURNS])
    handles = [] if gone else list(Offload.objects.filter(session=session).order_by("id").values_list("pk", flat=True))
    return {
        "id": session.external_id,
        "agent": session.agent.slug,
        "subject": session.subject.external_id,
        "history": [_shown(turn) for turn in reversed(turns)],
        "summary": "" if gone else session.compacted,
        "state": {} if gone else session.state,
        "current_turn": {name: [] if gone else session.current.get(name, []) for name in CURRENT_PARTS},
        "offloaded": [str(handle) for handle in handles],
        "started_at": session.started_at,
        "last_turn_at": session.last_turn_at,
        "ended_at": session.ended_at,
        "expires_at": session.expires_at,
        "off_record": session.off_record_at is not None,
    }


def _shown(turn: Turn) -> dict[str, Any]:
    note = "Struck from this session." if turn.struck_at else "Withheld: a part of it may not be kept."
    hidden = not (turn.user_input or turn.assistant_output) and (turn.withheld or turn.struck_at is not None)
    return {
        "turn": turn.number,
        "event_id": turn.event_ref,
        "user_input": turn.user_input,
        "assistant_output": turn.assistant_output,
        "withheld": turn.withheld,
        "struck": turn.struck_at is not None,
        "note": note if hidden else "",
        "occurred_at": turn.occurred_at,
    }


def _running(session: Session, *, now: datetime) -> Session:
    """A locked session, begun anew where it was over: nothing said before comes back."""
    if is_over(session, now=now):
        hours.forget(session)
        session.ended_at, session.started_at = None, now
        session.expires_at = now + conf.SESSION_LIFETIME
        session.save()
        hours.end_in_time(session, now=now)
    return session


def _locked(agent: Agent, external_id: str) -> Session | None:
    return Session.objects.select_for_update(of=("self",)).filter(agent=agent, external_id=external_id).first()


def _merged(known: Mapping[str, object], new: Mapping[str, object]) -> dict[str, object]:
    merged = {key: value for key, value in {**known, **new}.items() if value is not None}
    if len(merged) > conf.STATE_KEYS:
        raise Invalid(errors={"state": [f"At most {conf.STATE_KEYS} values can be pinned."]})
    return merged


def _compact(session: Session, turn: Turn) -> None:
    """Shorten a turn that leaves the history to one line; its row stays, without words, to find its event by."""
    if turn.user_input or turn.assistant_output:
        parts = (("user", turn.user_input), ("agent", turn.assistant_output))
        told = "; ".join(f"{who}: {_shorter(words)}" for who, words in parts if words)
        lines = [*session.compacted.splitlines(), f"turn {turn.number}: {told}"]
        while sum(len(line) + 1 for line in lines) > conf.COMPACTED_CHARACTERS:
            lines.pop(0)
        session.compacted = "\n".join(lines)
    Turn.objects.filter(pk=turn.pk).update(user_input="", assistant_output="")


def _shorter(words: str) -> str:
    return textwrap.shorten(words, conf.COMPACTED_WORDS, placeholder=" …")


def _without(compacted: str, numbers: set[int], line: str | None) -> tuple[str, set[int]]:
    """The compacted lines without those of these turns or with that line; and the numbers of the turns taken out."""
    kept, gone = [], set()
    for told in compacted.splitlines():
        found = _COMPACTED_LINE.match(told)
        number = int(found.group(1)) if found else 0
        if number in numbers or (line and holds_line(line, told)):
            gone.add(number)
        else:
            kept.append(told)
    return "\n".join(kept), gone


def _lines_without(words: str, line: str) -> str:
    kept = "\n".join(each for each in words.splitlines() if not holds_line(line, each))
    return "" if holds_line(line, kept) else kept  # it may run over a line break


def _strike_elsewhere(session: Session, line: str) -> bool:
    """Mask the line in the pinned state, the current turn and the offloads; whether it was there."""
    refused = Refused(values=(line,))
    state, current = cleaned(session.state, refused), cleaned(session.current, refused)
    changed = (state, current) != (session.state, session.current)
    session.state, session.current = state, current
    for passage in Offload.objects.filter(session=session):
        if holds_line(line, passage.text):
            passage.text = _lines_without(passage.text, line)
            passage.save(update_fields=["passage"])
            changed = True
    return changed


def _is_meant(turn: Turn, wanted: int | str | None) -> bool:
    return wanted is not None and (turn.number == wanted or turn.event_ref == wanted)
