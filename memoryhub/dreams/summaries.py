"""What happened in this session, in one entry? One summary per session, over all of its events (R72).

What the customer wanted stands first, where one sentence of it passes every check (`intent`). Outcomes come from a
template over structured actions (`outcomes`), so a summary cannot state what did not happen. A later dream that finds
more turns of the session writes a new version over all of them, which supersedes the former.
"""

import hashlib
import uuid
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from datetime import date, datetime, tzinfo
from functools import partial
from typing import Final

from django.conf import settings

from memoryhub import conf
from memoryhub.dreams import intent, outcomes
from memoryhub.dreams.inbox import PAUSED, QUARANTINED, STRUCK
from memoryhub.dreams.plain_reports import is_kind
from memoryhub.dreams.requests import usable
from memoryhub.errors import ModelUnavailable
from memoryhub.governance import intake, lifecycle, review_queue, zones
from memoryhub.governance.dates import credible
from memoryhub.governance.injection import Threat, threat_of
from memoryhub.governance.policy_versions import in_force_for
from memoryhub.governance.removal import SPEAKER_FORGOTTEN
from memoryhub.models import AgentTool, Entry, Event, Lineage, ReviewItem, Session
from memoryhub.providers import embeddings, entailment, intent_model
from memoryhub.providers.chat_model import Endpoint
from memoryhub.tenancy import ALL_SUBJECTS, Principal, acting_for
from memoryhub.vocabulary import Category, Channel, Kind, Op, Reason, ReviewType, Role, Status

MAX_SIGNALS: Final = 5  # findings told beside the actions
#: Of such a turn not a word is told, only what was done and how it ended.
_NOT_QUOTED = (QUARANTINED, STRUCK, SPEAKER_FORGOTTEN)
_WAITS_OR_HOLDS = (Status.ACCEPTED, Status.PROPOSED)


@dataclass(frozen=True)
class Summary:
    """A summary's words, the event ids it rests on, and what the least trusted of its sources weighs: the person's own
    words, where it says what they wanted, else what tools recorded (R32).
    """

    text: str
    event_refs: tuple[str, ...]
    weighs_at_most: float | None = None


def proposed(session_id: uuid.UUID, *, by: Principal) -> tuple[str, ...]:
    """What a language model proposes of the customer's wish, where one is set (off by default); read in a transaction
    of its own and asked outside of any, for nobody is to wait for it behind a lock.
    """
    if not settings.MEMORYHUB_INTENT_URL:
        return ()
    with acting_for(by, subjects=ALL_SUBJECTS):
        if in_force_for(by).failures_only:
            return ()
        session = Session.objects.filter(pk=session_id).first()
        turns = _turns(list(_events_of(session)), session) if session is not None else []
    return intent_model.ask([turn for turn in turns if usable(turn)], endpoint=_endpoint())


def summarise(*, session: Session, by: Principal, now: datetime, proposals: Sequence[str] = ()) -> intake.Result | None:
    """Write the session's summary through the gate, or None when nothing new was told.

    `by` is the dreamer acting for the session's agent. Words that the gate refuses are left out and the bare outcomes
    offered again, so that a poisoned detail cannot suppress what happened.
    """
    events = list(_events_of(session))
    if not events:
        return None
    former = _former(session)
    dream_made = [entry for entry in former if entry.provenance.channel == Channel.DREAM]
    told_before = dream_made[0] if dream_made else None
    words = partial(compose, events, session=session, failures_only=in_force_for(by).failures_only, proposals=proposals)
    summary = words(former=told_before)
    if summary is None:
        return None
    if told_before is not None and told_before.content == summary.text:
        return None
    result = _propose(summary, events, session, former, by=by, now=now)
    if result.op == Op.REFUSED or (result.op == Op.QUEUED and result.reason == Reason.SUSPICIOUS):
        bare = words(quoting=False)
        if bare is None:
            return result
        former = [*former, result.entry] if result.entry is not None else former
        result = _propose(bare, events, session, former, by=by, now=now)
    if result.op not in (Op.REFUSED, Op.DISCARDED):  # by a stricter policy: what is kept already stays as it is
        _clear_queue(former, by=by, now=now)
    if result.op in (Op.ADD, Op.UPDATE) and result.entry is not None and is_sampled(session):
        review_queue.put(
            type=ReviewType.SAMPLE, reason=Reason.SAMPLED, why=Reason.SAMPLED.label, subject=session.subject,
            entry=result.entry, by=by, now=now, agent=session.agent_id,
        )  # fmt: skip
    return result


def compose(
    events: Sequence[Event],
    *,
    session: Session,
    former: Entry | None = None,
    quoting: bool = True,
    failures_only: bool = False,
    proposals: Sequence[str] = (),
) -> Summary | None:
    """The words: date, turns, what was wanted, outcomes, findings that no action told; None: there is nothing to tell.

    Where events the former summary rests on are pruned by now, its words stand in front of what is told anew. Of an
    agent that remembers only how its runs fail nothing but the findings is told, and nothing of a run without (R79).
    """
    lost = _lost_refs(former, events) if former is not None else ()
    known = set(_refs_of(former)) if former is not None and lost else set()
    fresh = [event for event in events if event.external_id not in known]
    head = f"{_dated(fresh, session)}, {len(fresh)} {'turn' if len(fresh) == 1 else 'turns'}:"
    safe = _may_be_quoted if quoting else _nothing
    parts = _findings(fresh, "", safe) if failures_only else _outcomes(fresh, session, safe, quoting)
    wanted = _wanted(_turns(fresh, session), proposals) if quoting and parts and not failures_only else []
    parts = [*wanted, *parts]
    weights = [conf.AUTHORITY[Channel.USER_MESSAGE]] if wanted else []
    refs = tuple(lost) + tuple(event.external_id for event in events)
    text = " ".join([head, *parts]) if fresh and parts else ""
    if former is not None and lost:
        text, weights = f"{former.content} {text}".strip(), [*weights, former.authority]
    return Summary(text, refs, min(weights, default=None)) if text else None


def _wanted(turns: Sequence[str], proposals: Sequence[str]) -> list[str]:
    """What the customer wanted, in one sentence, or nothing."""
    if not any(turns) or not entailment.available():
        return []
    try:
        found = intent.of(turns, embed=embeddings.embedder().embed, entails=entailment.entails, proposals=proposals)
    except ModelUnavailable:
        return []
    return [found.sentence] if found is not None else []


def _turns(events: Sequence[Event], session: Session) -> list[str]:
    """The customer's words turn by turn; "" where they are withheld or another's."""
    return [
        "" if event.withheld or event.speaker_id not in (None, session.subject_id) else event.user_input
        for event in events
    ]


def _endpoint() -> Endpoint:
    return Endpoint(
        settings.MEMORYHUB_INTENT_URL, settings.MEMORYHUB_INTENT_MODEL, settings.MEMORYHUB_INTENT_KEY_FILE,
        float(settings.MEMORYHUB_INTENT_SECONDS),
    )  # fmt: skip


def _outcomes(fresh: Sequence[Event], session: Session, safe: Callable[[str], bool], quoting: bool) -> list[str]:
    """What was done, then what was found that no action tells."""
    side_effects = {tool.name: tool.side_effects for tool in AgentTool.objects.filter(agent_id=session.agent_id)}
    attempts = [
        attempt
        for event in fresh
        for action in event.actions
        if isinstance(action, dict)
        and (
            attempt := outcomes.read(
                # What was done for a group stays; what it was done with may be the words of who is forgotten.
                {**action, "arguments": {}} if event.withheld == SPEAKER_FORGOTTEN else action,
                side_effects=side_effects, safe=_nothing if event.withheld in _NOT_QUOTED else safe,
                skip=session.subject.external_id, quoting=quoting and event.withheld not in _NOT_QUOTED,
            )
        )
    ]  # fmt: skip
    parts = [told.sentence for told in outcomes.tell(attempts)]
    if not attempts and (
        looked_at := outcomes.seen(
            (each for event in fresh if event.withheld not in _NOT_QUOTED for each in event.observations), safe=safe
        )
    ):
        parts.append(looked_at)
    return parts + _findings(fresh, " ".join(parts), safe)


def is_sampled(session: Session) -> bool:
    """Whether this session's summary is one of the two in a hundred that a person samples; the same on every run."""
    number = int.from_bytes(hashlib.sha256(session.pk.bytes).digest()[:8])
    return number / 2**64 < conf.SAMPLE_SHARE


def _propose(
    summary: Summary,
    events: Sequence[Event],
    session: Session,
    former: Sequence[Entry],
    *,
    by: Principal,
    now: datetime,
) -> intake.Result:
    proposal = intake.Proposal(
        subject=session.subject,
        text=summary.text,
        channel=Channel.DREAM,
        role=Role.DREAMER,
        session_ref=session.external_id,
        said_at=credible(events[-1].occurred_at),
        kind=Kind.EPISODIC,
        category=Category.EPISODE_OUTCOME,
        events=tuple(events),
        supersedes_all=tuple(former),
        weighs_at_most=summary.weighs_at_most,
    )
    (result,) = intake.propose(proposal=proposal, by=by, now=now).results
    return result


def _clear_queue(former: Sequence[Entry], *, by: Principal, now: datetime) -> None:
    """What a new version supersedes need not be looked at any more; one still waiting is closed with it."""
    review_queue.withdraw(ReviewItem.objects.filter(entry__in=former), by=by, now=now)
    for entry in former:
        if entry.status == Status.PROPOSED:
            lifecycle.move(entry, Status.REJECTED, by=by, now=now, reason=Reason.SUPERSEDED)


def _events_of(session: Session) -> Iterable[Event]:
    """Every event of the session not yet pruned, in the order it happened; a paused person's say nothing."""
    return Event.objects.filter(session=session).exclude(withheld=PAUSED).order_by("occurred_at", "received_at", "id")


def _former(session: Session) -> list[Entry]:
    """What a new summary supersedes: the former one first, then untyped records the agent made of single turns."""
    entries = (
        Entry.objects.filter(
            subject_id=session.subject_id,
            agent_id=session.agent_id,
            kind=Kind.EPISODIC,
            category=Category.EPISODE_OUTCOME,
            status__in=_WAITS_OR_HOLDS,
            provenance__session_ref=session.external_id,
            episode__isnull=True,
        )
        .select_related("provenance")
        .order_by("-recorded_at", "-id")
    )
    held = [e for e in entries if e.provenance.channel == Channel.DREAM or e.status == Status.ACCEPTED]
    return sorted(held, key=lambda entry: entry.provenance.channel != Channel.DREAM)


def _refs_of(entry: Entry) -> list[str]:
    lineage = Lineage.objects.filter(child=entry, parent__isnull=True).order_by("id")
    return list(lineage.values_list("event_ref", flat=True))


def _lost_refs(former: Entry, events: Sequence[Event]) -> tuple[str, ...]:
    """The events a former summary rests on that are pruned by now."""
    kept = {event.external_id for event in events}
    return tuple(ref for ref in _refs_of(former) if ref not in kept)


def _findings(events: Sequence[Event], told: str, safe: Callable[[str], bool]) -> list[str]:
    """Signals whose value no action's sentence carries: each once, in its own words."""
    found: dict[tuple[str, str], int] = {}
    for event in events:
        for signal in event.signals if event.withheld not in _NOT_QUOTED else ():
            kind, value = str(signal.get("kind") or ""), outcomes.quotable(str(signal.get("value") or ""), safe)
            if value and is_kind(kind) and safe(kind) and value not in told:
                found[kind, value] = found.get((kind, value), 0) + 1
    lines = [
        f'Recorded as {kind}: "{value}"' + (f" ({times} times)." if times > 1 else ".")
        for (kind, value), times in list(found.items())[:MAX_SIGNALS]
    ]
    more = len(found) - len(lines)
    return [*lines, f"{more} more {'finding was' if more == 1 else 'findings were'} recorded."] if more else lines


def _dated(events: Sequence[Event], session: Session) -> str:
    if not events:
        return ""
    own, usual = zones.named(session.subject.timezone), zones.first_of(session.organisation.timezone)
    days = sorted({_day_of(event, own or (None if event.utc_offset else usual)) for event in events})
    return days[0].isoformat() if len(days) == 1 else f"{days[0].isoformat()} to {days[-1].isoformat()}"


def _day_of(event: Event, zone: tzinfo | None) -> date:
    """The day in the zone, else by the clock that told it; where the calendar ends before it gets there, as recorded.

    The zone is the subject's, else the clock's own, else the organisation's, else UTC (api.md, habits).
    """
    try:
        return (event.told_at.astimezone(zone) if zone else event.told_at).date()
    except (ValueError, OverflowError):
        return event.occurred_at.date()


def _may_be_quoted(text: str) -> bool:
    """Whether words that came from outside may stand in a summary: nothing in them tries to instruct anybody."""
    return threat_of(text, vouched=False) == Threat.NONE


def _nothing(text: str) -> bool:
    return text.replace(" ", "").isalnum() and len(text) <= 80 and threat_of(text, vouched=False) == Threat.NONE
