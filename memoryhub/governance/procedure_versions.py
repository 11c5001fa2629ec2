"""How does a curator put a skill or a profile out of use, and bring an older version back? (R80, R82)

Out of use it goes at once. Back it comes only as a new version that waits for another curator, like anything that
changes how an agent acts: nobody puts in force what they proposed.
"""

import uuid
from datetime import datetime

from django.db import transaction

from memoryhub.errors import AlreadyDecided, NotFound, NotGranted, Stale
from memoryhub.governance import activation, procedures
from memoryhub.governance.announcement import announce
from memoryhub.models import Profile, Skill
from memoryhub.permissions import check_may
from memoryhub.tenancy import Principal
from memoryhub.vocabulary import SkillStatus


@transaction.atomic
def retire_skill(*, skill: Skill, by: Principal, now: datetime, etag: str | None = None) -> Skill:
    """Put a skill in force out of use. Raises AlreadyDecided when it is not in force, Stale when it changed."""
    person = _curator(by)
    found = Skill.objects.select_for_update(of=("self",)).select_related("agent").filter(pk=skill.pk).first()
    if found is None:
        raise NotFound
    _check(found, etag, what="skill")
    activation.retire(found, person=person, by=by, now=now)
    return found


@transaction.atomic
def retire_profile(*, profile: Profile, by: Principal, now: datetime, etag: str | None = None) -> Profile:
    """Put the profile in force out of use: its agent has none then. Raises as `retire_skill`."""
    person = _curator(by)
    found = Profile.objects.select_for_update(of=("self",)).select_related("agent").filter(pk=profile.pk).first()
    if found is None:
        raise NotFound
    _check(found, etag, what="profile")
    activation.decide_profile(found, SkillStatus.RETIRED, person=person, by=by, now=now)
    return found


@transaction.atomic
def bring_back_skill(*, skill: Skill, by: Principal, now: datetime) -> procedures.SkillOutcome:
    """Propose the words of an older version as the newest one. Raises Invalid where they no longer fit the agent (R81),
    AlreadyDecided when they are in force or wait already.
    """
    check_may(by, "propose_skill")
    _check_is_over(skill.status, what="skill")
    document = procedures.document_of(skill)
    return procedures.propose_skill(document=document, agent=skill.agent, by=by, now=now, renews=skill)


@transaction.atomic
def bring_back_profile(*, profile: Profile, by: Principal, now: datetime) -> Profile:
    """Propose the words of an older AGENT.md as the newest one. Raises as `bring_back_skill`."""
    check_may(by, "propose_skill")
    _check_is_over(profile.status, what="profile")
    same = Profile.objects.filter(agent=profile.agent_id, text=profile.text)
    if same.filter(status=SkillStatus.PROPOSED).exists():
        raise AlreadyDecided("The same words wait for a decision already.")
    return procedures.propose_profile(text=profile.text, agent=profile.agent, by=by, now=now)


def _curator(by: Principal) -> uuid.UUID:
    check_may(by, "decide")
    if by.user is None:
        raise NotGranted("Only a named curator decides.")
    announce()
    return by.user


def _check(found: Skill | Profile, etag: str | None, *, what: str) -> None:
    if found.status != SkillStatus.ACTIVE:
        raise AlreadyDecided(f"Only a {what} in force can be put out of use.")
    if etag is not None and etag != found.etag:
        raise Stale


def _check_is_over(status: str, *, what: str) -> None:
    if status == SkillStatus.ACTIVE:
        raise AlreadyDecided(f"This version of the {what} is in force already.")
    if status == SkillStatus.PROPOSED:
        raise AlreadyDecided(f"This version of the {what} waits for a decision already.")
