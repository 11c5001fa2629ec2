"""Are the skills in force the ones that were approved? (R78)

A curator's yes seals a skill: the hash of all they saw is kept with it and in the audit trail. One that differs from
either was changed past every verb: it is out of use at once, the audit says so, and a curator is asked.
"""

import uuid
from datetime import datetime

from memoryhub.dreams.housekeeping.deeds import BATCH, Did, did
from memoryhub.governance import procedure_audit
from memoryhub.models import Skill
from memoryhub.tenancy import Principal
from memoryhub.vocabulary import Deed, SkillStatus


def due(*, organisation: uuid.UUID, now: datetime, after: uuid.UUID | None) -> list[uuid.UUID]:
    """Agents with a skill in force, decided by then."""
    skills = Skill.objects.filter(organisation_id=organisation, status=SkillStatus.ACTIVE, created_at__lte=now)
    if after is not None:
        skills = skills.filter(agent_id__gt=after)
    return list(skills.order_by("agent_id").values_list("agent_id", flat=True).distinct()[:BATCH])


def audit(agent: uuid.UUID, *, by: Principal, now: datetime) -> tuple[list[Did], bool]:
    """Compare an agent's skills in force with what was approved."""
    skills = Skill.objects.select_for_update(of=("self",)).filter(agent_id=agent, status=SkillStatus.ACTIVE)
    altered = procedure_audit.altered(list(skills.select_related("agent").order_by("pk")), by=by)
    for skill in altered:
        procedure_audit.suspend(skill, by=by, now=now)
    return [did(Deed.DEACTIVATED, skill) for skill in altered], False
