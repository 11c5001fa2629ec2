"""How may an agent be told to act? Skills and profiles: proposed by anybody granted, active only by a curator (R73,
R80–R82).

The file that writes skills and profiles; activation.py puts them in force, and what was altered past the two is taken
out of use by procedure_audit.py. A learned
candidate is one per pattern: more sessions update it, and a declined one comes back only with more evidence than it was
declined on.
"""

import hashlib
import re
import uuid
from dataclasses import dataclass, field, replace
from datetime import datetime
from typing import Final

from django.db import connection, transaction
from django.db.models import Max

from accounts.models import Agent
from memoryhub.errors import AlreadyDecided, Invalid
from memoryhub.governance import audit, opening, review_queue
from memoryhub.governance.announcement import announce
from memoryhub.governance.policy import Policy
from memoryhub.governance.policy_versions import in_force, in_force_for
from memoryhub.governance.screening import screen
from memoryhub.models import AgentTool, Decision, Profile, ReviewItem, Skill, SkillEvidence
from memoryhub.permissions import grant
from memoryhub.providers.embeddings import embedder
from memoryhub.skills.skillmd import SkillDocument, check_document, write
from memoryhub.skills.validation import ToolSpec, check, check_set
from memoryhub.tenancy import Principal
from memoryhub.vocabulary import (
    Category,
    Channel,
    Kind,
    Op,
    PolicyMode,
    Reason,
    ReviewState,
    ReviewType,
    Role,
    SkillStatus,
    Step,
)

LINES_LOOKED_AT: Final = 400  # of a text that is refused, to say where
LINES_NAMED: Final = 3
SEAL: Final = "skill.seal"  # the audit row that holds the hash of what was approved, with the skill's id as reason


@dataclass(frozen=True)
class SessionSeen:
    """One session in which a pattern was recorded."""

    session_ref: str
    event_ref: str
    subject_id: uuid.UUID | None
    seen_at: datetime


@dataclass(frozen=True)
class Learned:
    """What a dream found: the pattern's hash and the sessions behind it, each once (R73)."""

    pattern: str
    evidence: tuple[SessionSeen, ...]


@dataclass(frozen=True)
class SkillOutcome:
    """What became of a proposed skill."""

    op: Op
    reason: Reason
    skill: Skill | None = None
    item: ReviewItem | None = None
    faults: dict[str, list[str]] = field(default_factory=dict)


@transaction.atomic
def propose_skill(
    *,
    document: SkillDocument,
    agent: Agent,
    by: Principal,
    now: datetime,
    learned: Learned | None = None,
    renews: Skill | None = None,
) -> SkillOutcome:
    """Offer a skill: screened, checked against its agent (R81), and put before a curator; never active by itself (R82).

    `renews`: the older version whose words these are; it hands on the sessions it rests on, so that erasing them
    reaches the new one as well (R91). Raises Invalid (code invalid_skill) for a person's or agent's own file; a dream's
    candidate is REFUSED instead.
    """
    announce()
    role = Role.DREAMER if learned else (Role.CURATOR if "curator" in by.roles else Role.AGENT)
    channel = {Role.DREAMER: Channel.DREAM, Role.CURATOR: Channel.CURATOR}.get(role, Channel.AGENT_INFERENCE)
    policy = in_force_for(replace(by, agent=agent.pk))
    outcome = _judge(document, agent, policy, role=role, channel=channel, raises=learned is None)
    if outcome is None and learned:
        outcome = _known_pattern(document, agent, learned, by=by, now=now)
    if outcome is None:
        outcome = _queue(document, agent, by=by, now=now, learned=learned, renews=renews)
    decision = Decision.objects.create(
        organisation_id=by.organisation, role=role, channel=channel, agent=agent, user_id=by.user, created_at=now,
        policy_version=policy.version,
        results=[{"op": outcome.op, "reason": outcome.reason, "skill": str(outcome.skill.pk) if outcome.skill else None,
                  "steps": [{"step": Step.ROUTE, "outcome": outcome.op, "detail": outcome.reason}]}],
    )  # fmt: skip
    if outcome.item is not None and outcome.op == Op.QUEUED:
        outcome.item.decision = decision
        outcome.item.save(update_fields=["decision"])
    audit.record(
        by=by, now=now, action=f"skill.{outcome.op.lower()}", object_kind="skill" if outcome.skill else "decision",
        object_id=outcome.skill.pk if outcome.skill else decision.pk, reason=outcome.reason,
    )  # fmt: skip
    return outcome


def _judge(
    document: SkillDocument, agent: Agent, policy: Policy, *, role: Role, channel: Channel, raises: bool
) -> SkillOutcome | None:
    """A refusal, or None when the skill may go on."""
    if policy.modes[Kind.PROCEDURAL] is PolicyMode.OFF:
        return SkillOutcome(Op.DISCARDED, Reason.KIND_OFF)
    granted = grant(
        role=role, channel=channel, kind=Kind.PROCEDURAL, op="add", category=Category.LESSON, grants=policy.grants
    )
    if not granted.allowed:
        return SkillOutcome(Op.REFUSED, Reason.NOT_GRANTED)
    screening = screen(write(document), channel=channel, role=role, treatments=policy.treatments)
    if screening.outcome == "refuse" and screening.reason is not None:
        return SkillOutcome(Op.REFUSED, screening.reason)
    if screening.redacted:
        return SkillOutcome(Op.REFUSED, Reason.SECRET)
    try:
        check_document(document)
        check_fits(document, agent)
    except Invalid as error:
        if raises:
            raise
        return SkillOutcome(Op.REFUSED, Reason.INVALID_SKILL, faults=error.errors)
    return None


def check_fits(document: SkillDocument, agent: Agent) -> None:
    """Raise Invalid (invalid_skill) where the skill does not fit its agent's tools or budget (R81)."""
    count = embedder().count_tokens
    profile = active_profile(agent)
    others = [count(skill.body) for skill in active_skills(agent) if skill.name != document.name]
    check(
        document, tools=tools_of(agent), profile_tokens=count(profile.text) if profile else 0,
        other_skill_tokens=others, count_tokens=count,
    )  # fmt: skip


def _known_pattern(
    document: SkillDocument, agent: Agent, learned: Learned, *, by: Principal, now: datetime
) -> SkillOutcome | None:
    """What is known of a learned pattern: a candidate grows, an active one gathers evidence, a declined one needs
    more."""
    known = Skill.objects.filter(agent=agent, pattern=learned.pattern).order_by("-number", "-created_at").first()
    if known is None:
        return None
    if known.status == SkillStatus.PROPOSED:
        added = _add_evidence(known, learned, by=by)
        item = ReviewItem.objects.filter(skill=known, state=ReviewState.WAITING).first()
        if not added:
            return SkillOutcome(Op.NOOP, Reason.WAITING, known, item)
        fill(known, document, name=known.name)
        known.version += 1
        known.save()
        if item is not None:
            opening.changed(item, by=by, now=now)
        return SkillOutcome(Op.UPDATE, Reason.SUPERSEDED, known, item)
    if known.status == SkillStatus.REJECTED:
        if len(learned.evidence) <= known.decided_evidence:
            return SkillOutcome(Op.NOOP, Reason.DECLINED_BEFORE, known)
        return None
    _add_evidence(known, learned, by=by)
    return SkillOutcome(Op.NOOP, Reason.DUPLICATE, known)


def _queue(
    document: SkillDocument,
    agent: Agent,
    *,
    by: Principal,
    now: datetime,
    learned: Learned | None,
    renews: Skill | None = None,
) -> SkillOutcome:
    same = (
        None if learned else Skill.objects.filter(agent=agent, name=document.name, status=SkillStatus.PROPOSED).first()
    )
    if same is not None and write(document_of(same)) == write(document):
        return SkillOutcome(Op.NOOP, Reason.WAITING, same, ReviewItem.objects.filter(skill=same).first())
    if renews is not None and renews.learned:
        learned = _rests_on(renews)
    skill = Skill(
        organisation_id=by.organisation, agent=agent, number=next_number(agent, document.name),
        owner_id=by.user or agent.owner_id,
        learned=learned is not None, pattern=learned.pattern if learned else "", created_at=now,
        status=SkillStatus.PROPOSED,
    )  # fmt: skip
    fill(skill, document, name=document.name)
    skill.save(force_insert=True)
    why = Reason.PROCEDURE.label
    if learned:
        _add_evidence(skill, learned, by=by)
        why = f"The same thing was recorded in {len(learned.evidence)} sessions. {why}"
    item = review_queue.put(
        type=ReviewType.SKILL, reason=Reason.PROCEDURE, why=why, skill=skill, agent=agent.pk, by=by, now=now
    )
    return SkillOutcome(Op.QUEUED, Reason.PROCEDURE, skill, item)


def _rests_on(skill: Skill) -> Learned:
    """What a learned version was made from. Raises AlreadyDecided while a candidate for the same pattern waits."""
    if Skill.objects.filter(agent=skill.agent_id, pattern=skill.pattern, status=SkillStatus.PROPOSED).exists():
        raise AlreadyDecided("A newer candidate for the same waits for a decision already; decide that first.")
    seen = skill.evidence.order_by("seen_at", "id").values_list("session_ref", "event_ref", "subject_id", "seen_at")
    return Learned(skill.pattern, tuple(SessionSeen(*one) for one in seen))


def next_number(agent: Agent, name: str) -> int:
    """The version a new file of that name gets."""
    return (Skill.objects.filter(agent=agent, name=name).aggregate(last=Max("number"))["last"] or 0) + 1


def check_words(text: str, *, channel: Channel, role: Role, field: str, by: Principal) -> None:
    """Raise Invalid where words may not be kept: attacks, secrets, other people's data (R11, R12)."""
    treatments = in_force(by.organisation).treatments

    def refused(words: str) -> Reason | None:
        screening = screen(words, channel=channel, role=role, treatments=treatments)
        may_not = screening.outcome == "refuse" or screening.redacted
        return (screening.reason or Reason.SECRET) if may_not else None

    if (reason := refused(text)) is not None:
        lines = enumerate(text.splitlines()[:LINES_LOOKED_AT], start=1)
        found = [str(number) for number, line in lines if line.strip() and refused(line)][:LINES_NAMED]
        where = f" Look at line{'s' if len(found) > 1 else ''} {', '.join(found)}." if found and "\n" in text else ""
        raise Invalid(errors={field: [f"{reason.label}{where}"]}, code=str(reason))


def fill(skill: Skill, document: SkillDocument, *, name: str) -> None:
    """Give a skill that is not saved yet, or waits, the words of a file."""
    skill.name = name
    skill.description, skill.body, skill.always = document.description, document.body, document.always
    skill.triggers, skill.keywords = list(document.triggers), list(document.keywords)
    skill.prefetch, skill.tools = list(document.prefetch), list(document.tools)
    skill.extra = {
        "license": document.license, "compatibility": document.compatibility, "metadata": list(document.metadata),
    }  # fmt: skip


def hold_lessons(organisation: uuid.UUID, *, learning: bool = False) -> None:
    """Let nobody learn from turns that are being erased, and nobody erase what is being learnt from, until the
    transaction ends. Many may erase at once; whoever learns is alone. Taken after a subject's lock.
    """
    number = int.from_bytes(hashlib.blake2b(b"lessons" + organisation.bytes, digest_size=8).digest(), signed=True)
    how = "pg_advisory_xact_lock" if learning else "pg_advisory_xact_lock_shared"
    with connection.cursor() as cursor:
        cursor.execute(f"SELECT {how}(%s)", [number])


def recount(skill: Skill, *, before: int, left: int) -> None:
    """A candidate that lost sessions claims no more than are left (R73, R91); inside the erasure's own audit."""
    counted = re.compile(
        rf"(?<!\w){before}(?=(?: distinct| different)? (?:sessions|runs|conversations|visits|times)\b)"
    )
    skill.description, skill.body = (counted.sub(str(left), text) for text in (skill.description, skill.body))
    skill.version += 1
    skill.save(update_fields=["description", "body", "version"])


def _add_evidence(skill: Skill, learned: Learned, *, by: Principal) -> int:
    """Note the sessions not noted yet; returns how many were new."""
    known = set(SkillEvidence.objects.filter(skill=skill).values_list("session_ref", flat=True))
    new = [
        SkillEvidence(
            organisation_id=by.organisation, skill=skill, subject_id=seen.subject_id, session_ref=seen.session_ref,
            event_ref=seen.event_ref, seen_at=seen.seen_at,
        )
        for seen in learned.evidence
        if seen.session_ref not in known
    ]  # fmt: skip
    SkillEvidence.objects.bulk_create(new)
    return len(new)


def digest_of(skill: Skill) -> str:
    """A hash of everything the curator saw (R78)."""
    return hashlib.sha256(write(document_of(skill)).encode()).hexdigest()


def document_of(skill: Skill) -> SkillDocument:
    """The skill as a file."""
    extra = skill.extra or {}
    return SkillDocument(
        name=skill.name, description=skill.description, triggers=tuple(skill.triggers), keywords=tuple(skill.keywords),
        prefetch=tuple(skill.prefetch), tools=tuple(skill.tools), always=skill.always, body=skill.body,
        license=extra.get("license", ""), compatibility=extra.get("compatibility", ""),
        metadata=tuple((key, value) for key, value in extra.get("metadata", [])),
    )  # fmt: skip


def active_skills(agent: Agent) -> list[Skill]:
    """The skills in force, by name."""
    return list(Skill.objects.filter(agent=agent, status=SkillStatus.ACTIVE).order_by("name"))


def active_profile(agent: Agent) -> Profile | None:
    """AGENT.md in force."""
    return Profile.objects.filter(agent=agent, status=SkillStatus.ACTIVE).first()


def tools_of(agent: Agent) -> list[ToolSpec]:
    """What the agent offers."""
    return [ToolSpec(tool.name, tool.side_effects) for tool in AgentTool.objects.filter(agent=agent).order_by("name")]


@transaction.atomic
def propose_profile(*, text: str, agent: Agent, by: Principal, now: datetime) -> Profile:
    """Offer a new version of AGENT.md; it waits for a curator (R82). Raises Invalid when screened out or too large."""
    role, channel = (Role.CURATOR, Channel.CURATOR) if "curator" in by.roles else (Role.AGENT, Channel.AGENT_INFERENCE)
    check_words(text, channel=channel, role=role, field="text", by=by)
    docs = [document_of(skill) for skill in active_skills(agent)]
    count = embedder().count_tokens
    check_set(docs, tools=tools_of(agent), profile_tokens=count(text), count_tokens=count)
    announce()
    last = Profile.objects.filter(agent=agent).aggregate(last=Max("number"))["last"] or 0
    profile = Profile.objects.create(
        organisation_id=by.organisation, agent=agent, number=last + 1, text=text, created_at=now
    )
    review_queue.put(type=ReviewType.PROFILE, reason=Reason.PROCEDURE, profile=profile, agent=agent.pk, by=by, now=now)
    audit.record(by=by, now=now, action="profile.propose", object_kind="profile", object_id=profile.pk)
    return profile
