"""What does one call to a model get to see from memory? Every part in a fixed order, with its tokens (R40–R42).

The stable parts come first, so that prompt caches hold: profile, skill index, memory file; then what changes with the
turn: chosen skills, recalled notes, working memory. Procedures stand above notes and say that they go first.
"""

from collections.abc import Mapping, Sequence
from concurrent.futures import Future
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any

from django.db.models import Exists, OuterRef

from accounts.models import Agent
from memoryhub.context import memory_file, prompt
from memoryhub.context.asking import questions
from memoryhub.context.memory_file import Fact
from memoryhub.errors import Invalid
from memoryhub.governance.checked_recall import hold_against_records, recall
from memoryhub.governance.procedures import active_profile, active_skills, document_of
from memoryhub.governance.records import Box
from memoryhub.governance.settling import OWN
from memoryhub.models import Profile, RecordSource, Session, Skill
from memoryhub.providers.embeddings import embedder
from memoryhub.recall.filters import in_use
from memoryhub.recall.named import Named
from memoryhub.recall.search import Correction, Query, Recalled, within
from memoryhub.skills.selection import select
from memoryhub.tenancy import Principal
from memoryhub.vocabulary import Category, Kind, Sensitivity, SubjectKind
from memoryhub.working import session as working

PARTS = ("profile", "skill_index", "memory_file", "skills", "memories", "working")


@dataclass(frozen=True)
class ContextRequest:
    """What a call is about; `parts` leaves out what is not named, `memory_off` reads and writes nothing of memory.
    `known` are the subjects with what was looked up of them, `purpose` is what the read is logged for.
    """

    agent: Agent
    known: Named
    session: Session | None
    query: str
    meaning: Future[list[list[float]]] | None = None
    signals: tuple[str, ...] = ()
    token_budget: int | None = None
    parts: tuple[str, ...] = PARTS
    memory_off: bool = False
    purpose: str = "context"


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
    box = Box()  # both parts that hold facts share one box of time for their records
    stable, corrections = _memory_file(request, by=by, now=now, box=box) if "memory_file" in wanted else ("", ())
    recalled = None
    if "memories" in wanted:
        recalled = recall(
            query=_query(
                request, text=request.query, meaning=request.meaning, token_budget=request.token_budget
            ),
            by=by, now=now, purpose=request.purpose, box=box,
        )  # fmt: skip
        asked = questions(
            _query(request, text="", kinds=(Kind.SEMANTIC,)), asked=[each.id for each in recalled.please_confirm],
            by=by, now=now,
        )  # fmt: skip
        recalled = replace(
            recalled, corrections=(*corrections, *recalled.corrections),
            please_confirm=(*recalled.please_confirm, *asked),
        )  # fmt: skip
    shown: Mapping[str, Any] = {"history": [], "state": {}, "current_turn": {}}
    if "working" in wanted and request.session is not None:
        shown = working.show(request.session, now=now)
    blocks = prompt.blocks(
        profile=profile.text if profile else "",
        index=[(skill.name, skill.description) for skill in index],
        memory_file=stable,
        skills=[(each.skill.name, each.skill.body) for each in chosen],
        memories=recalled.rendered if recalled else "",
        questions=[each.question for each in recalled.please_confirm] if recalled else [],
        working=shown,
    )
    count = embedder().count_tokens
    rendered = "\n\n".join(text for text in blocks.values() if text)
    tokens = {part: count(text) if text else 0 for part, text in blocks.items()}
    return Context(recalled, profile, index, stable, chosen, shown, rendered, {**tokens, "total": count(rendered)})


def _chosen(skills: Sequence[Skill], request: ContextRequest) -> tuple[ChosenSkill, ...]:
    by_name = {skill.name: skill for skill in skills}
    selected = select([document_of(skill) for skill in skills], signals=request.signals, query=request.query)
    return tuple(ChosenSkill(by_name[each.candidate.name], each.reason) for each in selected)


def _memory_file(
    request: ContextRequest, *, by: Principal, now: datetime, box: Box
) -> tuple[str, tuple[Correction, ...]]:
    """The always-included file, in bytes that change only with a fact or what its record says of it (R36, R40)."""
    if not in_use(request.known.subjects):
        return "", ()
    facts = _facts(request, by=by, now=now)
    built = memory_file.build(facts)
    held = hold_against_records([fact.id for fact in built.facts if fact.mapped], by=by, now=now, box=box)
    corrected = [each for each in held.values() if each.stands is not None]
    changed = corrected or any(each.verified is not None for each in held.values())
    if not held:
        return built.text, ()
    doubted = {id for id, each in held.items() if each.stands is None and each.caution is not None}
    facts = _facts(request, by=by, now=now) if changed else facts
    built = memory_file.build([replace(fact, doubted=fact.id in doubted) for fact in facts])
    return built.text, tuple(each.correction(str(each.stands.pk)) for each in corrected if each.stands is not None)


def _query(request: ContextRequest, **asked: Any) -> Query:
    return Query(subjects=request.known.subjects, known=request.known, **asked)


def _facts(request: ContextRequest, *, by: Principal, now: datetime) -> list[Fact]:
    """What the file may choose from; `mapped` where a record has the last word about it for the agent that asks."""
    theirs = RecordSource.objects.filter(agent=by.agent, key=OuterRef("key"))
    entries = (
        within(_query(request, text="", kinds=(Kind.SEMANTIC,)), by=by, now=now)
        .annotate(mapped=Exists(theirs))
        .select_related("subject")
        .defer("embedding", "search")
    )
    return [
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
            mapped=entry.mapped and entry.single and entry.entity == OWN,
        )
        for entry in entries.order_by("-importance", "-authority", "recorded_at")[:50]
    ]
