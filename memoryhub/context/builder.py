"""What does one call to a model get to see from memory? Every part in a fixed order, with its tokens (R40–R42).

The stable parts come first, so that prompt caches hold: profile, skill index, memory file; then what changes with the
turn: chosen skills, recalled notes, working memory. Procedures stand above notes and say that they go first.
"""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from accounts.models import Agent
from memoryhub.context import memory_file
from memoryhub.context.memory_file import Fact
from memoryhub.errors import Invalid
from memoryhub.governance.checked_recall import recall
from memoryhub.governance.procedures import active_profile, active_skills, document_of
from memoryhub.models import Profile, Session, Skill, Subject
from memoryhub.providers.embeddings import embedder
from memoryhub.recall.escaping import quoted
from memoryhub.recall.filters import Window, eligible, readers
from memoryhub.recall.search import Query, Recalled
from memoryhub.skills.selection import select
from memoryhub.tenancy import Principal
from memoryhub.vocabulary import Category, Kind, Sensitivity, SubjectKind
from memoryhub.working import session as working

PARTS = ("profile", "skill_index", "memory_file", "skills", "memories", "working")
PROCEDURES_FIRST = (
    "Procedures below were approved by a person. Where a note differs from a procedure, follow the procedure."
)


@dataclass(frozen=True)
class ContextRequest:
    """What a call is about; `parts` leaves out what is not named, `memory_off` reads and writes nothing of memory."""

    agent: Agent
    subjects: tuple[Subject, ...]
    session: Session | None
    query: str
    signals: tuple[str, ...] = ()
    token_budget: int | None = None
    parts: tuple[str, ...] = PARTS
    memory_off: bool = False


@dataclass(frozen=True)
class ChosenSkill:
    """A skill whose body is given, and why: always, trigger or keyword (R41)."""

    skill: Skill
    reason: str


@dataclass(frozen=True)
class Context:
    """The memory part of a prompt: each part, the whole as text, and the tokens of each."""

    recalled: Recalled | None
    profile: Profile | None
    skill_index: tuple[Skill, ...]
    memory_file: str
    skills: tuple[ChosenSkill, ...]
    working: Mapping[str, Any]
    rendered: str
    tokens: Mapping[str, int]


def build(*, request: ContextRequest, by: Principal, now: datetime) -> Context:
    """Build the memory part of one prompt. Raises Invalid for a part that does not exist or a negative budget.

    Procedures belong to the agent and are given even with memory off; notes, the memory file and working memory are
    not.
    """
    unknown = set(request.parts) - set(PARTS)
    if unknown:
        raise Invalid(errors={"parts": [f"Parts are: {', '.join(PARTS)}."]})
    wanted = set(request.parts) - ({"memory_file", "memories", "working"} if request.memory_off else set())
    skills = active_skills(request.agent)
    profile = active_profile(request.agent) if "profile" in wanted else None
    chosen = _chosen(skills, request) if "skills" in wanted else ()
    index = tuple(skills) if "skill_index" in wanted else ()
    recalled = None
    if "memories" in wanted:
        recalled = recall(
            query=Query(subjects=request.subjects, text=request.query, token_budget=request.token_budget),
            by=by, now=now, purpose="context",
        )  # fmt: skip
    stable = _memory_file(request, by=by, now=now) if "memory_file" in wanted else ""
    shown: Mapping[str, Any] = {"history": [], "state": {}, "current_turn": {}}
    if "working" in wanted and request.session is not None:
        shown = working.show(request.session, now=now)
    blocks = _blocks(profile, index, stable, chosen, recalled, shown)
    count = embedder().count_tokens
    rendered = "\n\n".join(text for text in blocks.values() if text)
    tokens = {part: count(text) if text else 0 for part, text in blocks.items()}
    return Context(recalled, profile, index, stable, chosen, shown, rendered, {**tokens, "total": count(rendered)})


def _chosen(skills: Sequence[Skill], request: ContextRequest) -> tuple[ChosenSkill, ...]:
    by_name = {skill.name: skill for skill in skills}
    selected = select([document_of(skill) for skill in skills], signals=request.signals, query=request.query)
    return tuple(ChosenSkill(by_name[each.candidate.name], each.reason) for each in selected)


def _memory_file(request: ContextRequest, *, by: Principal, now: datetime) -> str:
    """The always-included file, in bytes that change only with a fact."""
    subjects = [subject for subject in request.subjects if subject.paused_at is None or subject.use_existing]
    if not subjects:
        return ""
    entries = eligible(
        by=by, now=now, audiences=readers(subjects), window=Window(), kinds=(Kind.SEMANTIC,)
    ).select_related("subject")
    facts = [
        Fact(
            id=str(entry.pk),
            about=SubjectKind(entry.subject.kind),
            text=entry.content,
            kind=Kind(entry.kind),
            category=Category(entry.category),
            importance=entry.importance,
            authority=entry.authority,
            confidence=entry.confidence,
            recorded_at=entry.recorded_at,
            sensitivity=Sensitivity(entry.sensitivity),
            contested=entry.contested,
            time_bound=entry.valid_to is not None,
        )
        for entry in entries.defer("embedding", "search").order_by("-importance", "-authority", "recorded_at")[:50]
    ]
    return memory_file.build(facts).text


def _blocks(
    profile: Profile | None,
    index: Collection[Skill],
    stable: str,
    chosen: Collection[ChosenSkill],
    recalled: Recalled | None,
    shown: Mapping[str, Any],
) -> dict[str, str]:
    lines = [f"- {skill.name}: {skill.description}" for skill in index]
    bodies = [f"## {each.skill.name}\n{each.skill.body.strip()}" for each in chosen]
    return {
        "profile": profile.text.strip() if profile else "",
        "skill_index": "\n".join(["Skills of this agent:", *lines]) if lines else "",
        "memory_file": stable.strip(),
        "skills": "\n\n".join([PROCEDURES_FIRST, *bodies]) if bodies else "",
        "memories": recalled.rendered if recalled else "",
        "working": _conversation(shown),
    }


def _conversation(shown: Mapping[str, Any]) -> str:
    """Working memory as text: the pinned state, then the last turns; quoted, so that words stay words."""
    lines = [
        f"state {quoted(str(key))} = {quoted(str(value))}" for key, value in sorted(shown.get("state", {}).items())
    ]
    if shown.get("summary"):
        lines.append(f"earlier: {quoted(str(shown['summary']))}")
    for turn in shown.get("history", []):
        if turn.get("note"):
            lines.append(str(turn["note"]))
            continue
        lines.append(f"user: {quoted(str(turn.get('user_input', '')))}")
        lines.append(f"assistant: {quoted(str(turn.get('assistant_output', '')))}")
    return "\n".join(["This conversation so far:", *lines]) if lines else ""
