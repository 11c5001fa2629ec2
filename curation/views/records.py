"""One memory or one skill, to read: where the links of a dream's report and of the queue lead."""

import uuid

from django.http import HttpResponse
from django.utils import timezone
from django.views.decorators.http import require_safe

from curation.evidence import SESSIONS, sessions_behind, text_of
from curation.fragments import page
from curation.refusals import check_page
from curation.visitor import PageRequest
from memoryhub.errors import NotFound
from memoryhub.governance import given, reading
from memoryhub.models import ReviewItem, Skill
from memoryhub.tenancy import ALL_SUBJECTS, acting_for
from memoryhub.vocabulary import ReviewState

READS = 3  # newest recalls of a memory that are named on its page
SOURCES = 50  # shown of what a summary was made from


@require_safe
def entry(request: PageRequest, entry_id: uuid.UUID) -> HttpResponse:
    """A memory with its origin, what it was made from, and its other versions."""
    check_page(
        request.principal, "read_queue", sentence="Memories are for curators and operators of this organisation."
    )
    with acting_for(request.principal, subjects=ALL_SUBJECTS):
        found = reading.entry(entry_id=entry_id, by=request.principal)
        versions = reading.versions(found)
        sources = list(found.lineage.select_related("parent", "event").order_by("id")[: SOURCES + 1])
        waiting = ReviewItem.objects.filter(entry=found, state=ReviewState.WAITING).first()
        speaker = found.provenance.speaker
        recalled = given.reads_of(found)
        times, newest = recalled.count(), list(recalled[:READS])
    context = {
        "section": "",
        "entry": found,
        "speaker": speaker,
        "versions": [version for version in versions if version.pk != found.pk],
        "sources": sources[:SOURCES],
        "more_sources": len(sources) > SOURCES,
        "waiting": waiting,
        "recalled": times,
        "reads": newest,
    }
    with timezone.override(request.visitor.zone_of()):
        return page(request, "curation/records/entry.html", context)


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
