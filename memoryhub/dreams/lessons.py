"""What keeps happening? A finding recorded in several sessions becomes one proposed skill (R73).

A pattern is (agent, signal kind, masked value, scope). Three distinct sessions make a candidate; it says no more than
the signal recorded, in the wording configured for its kind, and acts only with tools configured for it.
"""

import hashlib
import re
import textwrap
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any, Final

from accounts.models import Agent
from memoryhub import conf
from memoryhub.dreams import masking, signals
from memoryhub.dreams.inbox import QUARANTINED, STRUCK
from memoryhub.dreams.plain_reports import reads_as_order
from memoryhub.governance.injection import Threat, threat_of
from memoryhub.governance.procedures import Learned, SessionSeen, SkillOutcome, propose_skill, tools_of
from memoryhub.models import AgentSignal, Dream, Event, Skill, SkillEvidence
from memoryhub.models.sealed import in_clear
from memoryhub.skills.skillmd import MAX_DESCRIPTION, MAX_NAME, MAX_TRIGGER, SkillDocument, compose_body
from memoryhub.tenancy import Principal
from memoryhub.vocabulary import DreamStatus

#: Where nothing is configured: what was recorded, and no more.
DEFAULT_WORDING: Final = '"{value}" was recorded as {kind} in {sessions} sessions.'
DEFAULT_PROCEDURE: Final = "Bear this in mind when the same request comes up again."
MAX_VALUE: Final = 300  # characters of a masked value in a skill

_SLUG = re.compile(r"[^a-z0-9]+")


@dataclass
class Pattern:
    """One recurring finding of one agent: its first wording, and where it was first recorded in each session."""

    kind: str
    value: str
    scope: str
    seen: dict[str, SessionSeen] = field(default_factory=dict)
    fresh: bool = False

    @property
    def digest(self) -> str:
        """The identity of the pattern: what it is about, never where it was seen."""
        return hashlib.sha256("\x1f".join((self.kind, masking.key(self.value), self.scope)).encode()).hexdigest()


def learn(*, agent: Agent, dream: Dream, by: Principal, now: datetime) -> list[SkillOutcome]:
    """Propose one skill per pattern that reached conf.LESSON_SESSIONS sessions and has a session not noted before.

    Reads every event not yet pruned, so that a pattern grows from dream to dream; offers what this dream, or one that
    failed, added to. Called in one transaction per agent.
    """
    known = set(Skill.objects.filter(agent=agent).exclude(pattern="").values_list("pattern", flat=True))
    outcomes = []
    for pattern in find(_findings(agent, dream)):
        if not pattern.fresh:
            continue
        if len(pattern.seen) < conf.LESSON_SESSIONS and pattern.digest not in known:
            continue
        noted = _noted(agent, pattern)
        if all(session in noted for session in pattern.seen):
            continue  # nothing new: neither a candidate, a declined nor an active skill is touched
        learned = Learned(pattern.digest, tuple({**noted, **pattern.seen}.values()))
        document = draft(pattern, sessions=len(learned.evidence), agent=agent)
        outcomes.append(propose_skill(document=document, agent=agent, by=by, now=now, learned=learned))
    return outcomes


def find(findings: Iterable[tuple[Mapping[str, Any], SessionSeen, bool]]) -> list[Pattern]:
    """The patterns in these signals, in the order they first appear; each session counts once.

    A finding is a signal, where it was seen, and whether it is new to the dream. One that reads as an order to somebody
    is none.
    """
    found: dict[tuple[str, str, str], Pattern] = {}
    for signal, seen, fresh in findings:
        kind, value = str(signal.get("kind") or "").strip(), str(signal.get("value") or "")
        scope = str(signal.get("scope") or "").strip()
        if not kind or not masking.says_something(value) or _orders(value):
            continue
        pattern = found.setdefault((kind, masking.key(value), scope), Pattern(kind, value, scope))
        pattern.seen.setdefault(seen.session_ref, seen)
        pattern.fresh |= fresh
    return list(found.values())


def _orders(value: str) -> bool:
    """Whether a finding is an order in plain words; an attack goes on to the gate, whose refusal the report shows."""
    return reads_as_order(value) and threat_of(value, vouched=False) is Threat.NONE


def draft(pattern: Pattern, *, sessions: int, agent: Agent) -> SkillDocument:
    """The candidate's document: configured wording, the signal's scope as trigger, and of the configured tools those
    that the agent still offers.
    """
    signal = AgentSignal.objects.filter(agent=agent, kind=pattern.kind).first()
    side_effects = {tool.name: tool.side_effects for tool in tools_of(agent)}
    value = masking.mask(pattern.value)[:MAX_VALUE]
    recorded = _worded(DEFAULT_WORDING, pattern.kind, value, sessions)
    lesson = _worded(signal.wording, pattern.kind, value, sessions) if signal and signal.wording.strip() else ""
    scope = f" (scope {pattern.scope})" if pattern.scope else ""
    return SkillDocument(
        name=_name(pattern, value, agent),
        description=(lesson or recorded)[:MAX_DESCRIPTION],
        triggers=(pattern.scope,) if pattern.scope and len(pattern.scope) <= MAX_TRIGGER else (),
        prefetch=tuple(name for name in signal.prefetch if side_effects.get(name) is False) if signal else (),
        tools=tuple(name for name in signal.tools if name in side_effects) if signal else (),
        body=compose_body(
            preconditions=f"{recorded[:-1]}{scope}.",
            procedure=lesson or DEFAULT_PROCEDURE,
            boundaries="This was learned from recorded findings alone; N stands for a number, a date or an id.",
        ),
    )


def _findings(agent: Agent, dream: Dream) -> Iterable[tuple[Mapping[str, Any], SessionSeen, bool]]:
    events = (
        Event.objects.filter(agent=agent, consolidated_at__isnull=False)
        .exclude(structured=None)
        .exclude(withheld__in=(QUARANTINED, STRUCK))  # what a screening or a person took out teaches nothing
        .order_by("occurred_at", "received_at", "id")
        .select_related("session", "dream")
        .only(
            "structured", "external_id", "organisation_id", "subject_id", "occurred_at", "session__external_id",
            "dream__status",
        )
    )  # fmt: skip
    kinds = signals.declared(agent)
    for event in in_clear(events.iterator(chunk_size=500)):
        seen = SessionSeen(event.session.external_id, event.external_id, event.subject_id, event.occurred_at)
        fresh = event.dream is None or event.dream.pk == dream.pk or event.dream.status == DreamStatus.FAILED
        ids = masking.ids_in(event.actions)
        for signal in event.signals:
            if isinstance(signal, dict) and signals.teaches(str(signal.get("kind") or "").strip(), kinds):
                yield {**signal, "value": masking.without_ids(str(signal.get("value") or ""), ids)}, seen, fresh


def _noted(agent: Agent, pattern: Pattern) -> dict[str, SessionSeen]:
    """The sessions that stand behind any version of this pattern's skill already, events pruned since included."""
    rows = SkillEvidence.objects.filter(skill__agent=agent, skill__pattern=pattern.digest).order_by("seen_at", "id")
    return {row.session_ref: SessionSeen(row.session_ref, row.event_ref, row.subject_id, row.seen_at) for row in rows}


def _name(pattern: Pattern, value: str, agent: Agent) -> str:
    """The name this pattern has, else one made of its words; another pattern's name is never taken."""
    known = Skill.objects.filter(agent=agent, pattern=pattern.digest).order_by("-number").first()
    if known is not None:
        return known.name
    words = _SLUG.sub("-", f"{pattern.kind} {value}".casefold().encode("ascii", "ignore").decode()).strip("-")
    name = textwrap.shorten(words.replace("-", " "), MAX_NAME - 7, placeholder="").replace(" ", "-") or "lesson"
    if Skill.objects.filter(agent=agent, name=name).exists():
        name = f"{name}-{pattern.digest[:6]}"
    return name


def _worded(wording: str, kind: str, value: str, sessions: int) -> str:
    """Fill in the placeholders and nothing else: the wording is a person's text, not a format string."""
    filled = {"{kind}": kind, "{value}": value, "{sessions}": str(sessions)}
    return re.sub(r"\{(?:kind|value|sessions)\}", lambda match: filled[match.group()], " ".join(wording.split()))
