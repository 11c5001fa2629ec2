"""One skill, to read: where the links of a dream's report and of the queue lead."""

import uuid

from django.http import HttpResponse
from django.utils import timezone
from django.views.decorators.http import require_safe

from curation.evidence import SESSIONS, sessions_behind, text_of
from curation.fragments import page
from curation.refusals import check_page
from curation.visitor import PageRequest
from memoryhub.errors import NotFound
from memoryhub.models import ReviewItem, Skill
from memoryhub.tenancy import ALL_SUBJECTS, acting_for
from memoryhub.vocabulary import ReviewState


@require_safe
def skill(request: PageRequest, skill_id: uuid.UUID) -> HttpResponse:
    """A version of a skill as its agent reads it, and the sessions it rests on."""
    check_page(request.principal, "read_skills", sentence="Skills are for curators and operators of this organisation.")
    with acting_for(request.principal, subjects=ALL_SUBJECTS):
        found = (
            Skill.objects.filter(organisation_id=request.principal.organisation, pk=skill_id)
            .select_related("agent", "decided_by")
            .first()
        )
        if found is None:
            raise NotFound
        sessions = sessions_behind(found)
        count = found.evidence.count() if len(sessions) >= SESSIONS else len(sessions)
        waiting = ReviewItem.objects.filter(skill=found, state=ReviewState.WAITING).first()
    context = {
        "section": "",
        "skill": found,
        "document": text_of(found),
        "sessions": sessions,
        "session_count": count,
        "waiting": waiting,
    }
    with timezone.override(request.visitor.zone_of()):
        return page(request, "curation/records/skill.html", context)
