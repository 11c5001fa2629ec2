"""Is a skill in force still what a curator approved, and what happens when it is not? (R78)

What was approved is known twice: by the hash kept with the skill, and by the one in the append-only audit trail.
Whoever can change a row past every verb can change the first along with the words, but not the second.
"""

import logging
from collections.abc import Sequence
from datetime import datetime
from typing import Final

from django.db import transaction

from memoryhub.governance import audit, review_queue
from memoryhub.governance.announcement import announce
from memoryhub.governance.procedures import SEAL, digest_of
from memoryhub.models import AuditEvent, ReviewItem, Skill
from memoryhub.tenancy import Principal
from memoryhub.vocabulary import Reason, ReviewState, ReviewType, SkillStatus

log = logging.getLogger(__name__)

ALERT: Final = "skill.alert"  # the action in the audit trail


def altered(skills: Sequence[Skill], *, by: Principal) -> list[Skill]:
    """Those whose words are not the ones that were approved."""
    sealed = _seals(skills, by=by)
    found = []
    for skill in skills:
        digest = digest_of(skill)
        if digest != skill.approved_digest or digest != sealed.get(str(skill.pk), digest):
            found.append(skill)
    return found


@transaction.atomic
def suspend(skill: Skill, *, by: Principal, now: datetime) -> None:
    """Take a skill out of use because it is not what was approved, raise the alert, and ask a curator."""
    announce()
    log.error("a skill in force is not what was approved, and was taken out of use: %s", skill.pk)
    audit.record(by=by, now=now, action=ALERT, object_kind="skill", object_id=skill.pk, reason=Reason.ALTERED)
    twin = Skill.objects.filter(agent_id=skill.agent_id, pattern=skill.pattern, status=SkillStatus.PROPOSED)
    if skill.pattern and twin.exists():  # a newer candidate for the same waits already: that one is decided
        skill.status = SkillStatus.RETIRED
        action = "skill.retired"
    else:
        skill.status, skill.decided_at, skill.decided_by_id, skill.approved_digest = (
            SkillStatus.PROPOSED,
            None,
            None,
            "",
        )
        action = "skill.undo"
    skill.version += 1
    skill.save()
    audit.record(by=by, now=now, action=action, object_kind="skill", object_id=skill.pk, reason=Reason.ALTERED)
    waits = ReviewItem.objects.filter(skill=skill, state=ReviewState.WAITING).exists()
    if skill.status == SkillStatus.PROPOSED and not waits:
        review_queue.put(
            type=ReviewType.SKILL, reason=Reason.ALTERED, skill=skill, agent=skill.agent_id, by=by, now=now
        )


def _seals(skills: Sequence[Skill], *, by: Principal) -> dict[str, str]:
    """Per skill the hash that the audit trail holds since its last approval; none for one approved before there were
    any."""
    rows = AuditEvent.objects.filter(
        organisation_id=by.organisation, action=SEAL, reason__in=[str(skill.pk) for skill in skills]
    )
    return dict(rows.order_by("seq").values_list("reason", "object_id"))
