"""How does a skill or a profile come into force, and out of it again? By a curator's decision alone (R78, R82).

What a decision touches is written down before it is touched, so that taking it back puts the skill and the version it
retired as they were.
"""

import uuid
from collections.abc import Mapping
from datetime import datetime
from typing import Any, Final

from memoryhub.errors import Stale
from memoryhub.governance import audit
from memoryhub.governance.procedures import SEAL, check_fits, check_words, digest_of, document_of, fill, next_number
from memoryhub.models import Profile, ReviewItem, Skill
from memoryhub.skills.skillmd import SkillDocument, check_document, write
from memoryhub.tenancy import Principal
from memoryhub.vocabulary import Channel, ReviewState, Role, SkillStatus

Kept = dict[str, Any]

_WORDS: Final = (
    "name", "number", "description", "body", "always", "triggers", "keywords", "prefetch", "tools", "extra",
    "approved_digest",
)  # fmt: skip
_CHANGED: Final = "It was changed since it was decided; decide the newer version instead."


def check_edit(skill: Skill, text: SkillDocument, *, by: Principal) -> None:
    """Raise Invalid where other words for a skill may not be kept, or do not fit its agent."""
    check_words(write(text), channel=Channel.CURATOR, role=Role.CURATOR, field="text", by=by)
    check_document(text)
    check_fits(text, skill.agent)


def activate(
    skill: Skill, *, person: uuid.UUID, by: Principal, now: datetime, text: SkillDocument | None = None
) -> Kept:
    """A curator approves: checked again (R81), the version in force is retired, this one is sealed (R78). Returns what
    taking it back needs."""
    kept = _kept_of(skill) | {name: getattr(skill, name) for name in _WORDS}
    if text is not None:
        check_edit(skill, text, by=by)
        if text.name != skill.name:
            skill.number = next_number(skill.agent, text.name)
        fill(skill, text, name=text.name)
    check_fits(document_of(skill), skill.agent)
    retired = {}
    for older in Skill.objects.select_for_update().filter(
        agent=skill.agent, name=skill.name, status=SkillStatus.ACTIVE
    ):
        retired[str(older.pk)] = _kept_of(older)
        _decide(older, SkillStatus.RETIRED, person=person, by=by, now=now)
    skill.approved_digest = digest_of(skill)
    _decide(skill, SkillStatus.ACTIVE, person=person, by=by, now=now)
    audit.record(
        by=by, now=now, action=SEAL, object_kind="digest", object_id=skill.approved_digest, reason=str(skill.pk)
    )
    return {**kept, "retired": retired}


def retire(skill: Skill, *, person: uuid.UUID, by: Principal, now: datetime) -> None:
    """Out of use, without another in its place."""
    _decide(skill, SkillStatus.RETIRED, person=person, by=by, now=now)


def decline(skill: Skill, *, person: uuid.UUID, by: Principal, now: datetime) -> Kept:
    """A curator declines; the number of sessions behind it is remembered (R73)."""
    kept = _kept_of(skill)
    _decide(skill, SkillStatus.REJECTED, person=person, by=by, now=now)
    return kept


def take_back(item: ReviewItem, skill: Skill, kept: Mapping[str, Any], *, by: Principal, now: datetime) -> None:
    """Put a skill, and the version that it retired, as its decision found them. Raises Stale where another version came
    into force since."""
    if skill.status != (SkillStatus.ACTIVE if item.state == ReviewState.APPROVED else SkillStatus.REJECTED):
        raise Stale(_CHANGED)
    reopen(skill, by=by, now=now, again=None if "decided_evidence" not in kept else kept.get("retired", {}))
    if "decided_evidence" in kept:
        for name in (*_WORDS, "decided_evidence"):
            if name in kept:
                setattr(skill, name, kept[name])
        skill.save()


def reopen(skill: Skill, *, by: Principal, now: datetime, again: Mapping[str, Any] | None = None) -> None:
    """The skill waits again. `again`: the versions to put back in force, and how they had been decided; None: the one
    before it, if there is one."""
    was = skill.status
    skill.status, skill.decided_at, skill.decided_by_id, skill.approved_digest = SkillStatus.PROPOSED, None, None, ""
    skill.version += 1
    skill.save()
    audit.record(by=by, now=now, action="skill.undo", object_kind="skill", object_id=skill.pk)
    retired = Skill.objects.select_for_update().filter(agent=skill.agent, status=SkillStatus.RETIRED)
    if again is None:
        named = retired.filter(name=skill.name, decided_by__isnull=False).order_by("-number")
        older = named.first() if was == SkillStatus.ACTIVE else None
        if older is not None and older.decided_by_id is not None:
            _decide(older, SkillStatus.ACTIVE, person=older.decided_by_id, by=by, now=now)
        return
    for older in retired.filter(pk__in=again):
        decided = again[str(older.pk)]
        older.status, older.decided_evidence = SkillStatus.ACTIVE, decided["decided_evidence"]
        older.decided_at = datetime.fromisoformat(decided["decided_at"])
        older.decided_by_id = uuid.UUID(decided["decided_by"])
        older.version += 1
        older.save()
        audit.record(by=by, now=now, action="skill.active", object_kind="skill", object_id=older.pk)


def decide_profile(profile: Profile, status: SkillStatus, *, person: uuid.UUID, by: Principal, now: datetime) -> Kept:
    """Approve or decline a version of AGENT.md; returns what taking it back needs."""
    retired = []
    if status == SkillStatus.ACTIVE:
        for older in Profile.objects.select_for_update().filter(agent=profile.agent, status=SkillStatus.ACTIVE):
            _turn(older, SkillStatus.RETIRED, by=by, now=now)
            retired.append(str(older.pk))
    profile.decided_at, profile.decided_by_id = now, person
    _turn(profile, status, by=by, now=now)
    return {"retired": retired}


def take_back_profile(
    item: ReviewItem, profile: Profile, kept: Mapping[str, Any], *, by: Principal, now: datetime
) -> None:
    """The version waits again, and the one it had retired is in force again. Raises Stale where it no longer is what
    was decided."""
    if profile.status != (SkillStatus.ACTIVE if item.state == ReviewState.APPROVED else SkillStatus.REJECTED):
        raise Stale(_CHANGED)
    profile.decided_at, profile.decided_by = None, None
    _turn(profile, SkillStatus.PROPOSED, by=by, now=now)
    rows = Profile.objects.select_for_update().filter(pk__in=kept.get("retired", []), status=SkillStatus.RETIRED)
    for older in rows:
        _turn(older, SkillStatus.ACTIVE, by=by, now=now)


def _turn(profile: Profile, status: SkillStatus, *, by: Principal, now: datetime) -> None:
    profile.status, profile.version = status, profile.version + 1
    profile.save()
    audit.record(by=by, now=now, action=f"profile.{status}", object_kind="profile", object_id=profile.pk)


def _kept_of(skill: Skill) -> Kept:
    return {
        "decided_at": skill.decided_at.isoformat() if skill.decided_at else None,
        "decided_by": str(skill.decided_by_id) if skill.decided_by_id else None,
        "decided_evidence": skill.decided_evidence,
    }


def _decide(skill: Skill, status: SkillStatus, *, person: uuid.UUID, by: Principal, now: datetime) -> None:
    skill.status, skill.decided_at, skill.decided_by_id = status, now, person
    skill.decided_evidence = skill.evidence.count()
    skill.version += 1
    skill.save()
    audit.record(by=by, now=now, action=f"skill.{status}", object_kind="skill", object_id=skill.pk)
