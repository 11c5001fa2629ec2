"""How agents act: every skill, one version with what it rests on and how it fits, and files in and out (R80-R82).

A skill changes only by a proposal that another curator approves; putting one out of use is at once.
"""

import uuid
from typing import Any, Final

from django.http import HttpResponse
from django.urls import reverse
from django.utils import timezone
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from accounts.models import Agent
from curation.compared import comparison
from curation.evidence import SESSIONS, sessions_behind, text_of
from curation.fragments import done, page, posted
from curation.paging import rows_after
from curation.procedure_forms import SkillFileForm
from curation.refusals import check_page
from curation.visitor import PageRequest
from memoryhub.errors import AlreadyDecided, Invalid, NotFound, Stale
from memoryhub.governance import procedure_versions
from memoryhub.governance.procedure_fit import room_of, tools_named
from memoryhub.governance.procedures import SkillOutcome, document_of, propose_skill
from memoryhub.http_errors import status_of
from memoryhub.models import Profile, ReviewItem, Skill
from memoryhub.permissions import can_do
from memoryhub.skills.skillmd import export, parse
from memoryhub.tenancy import ALL_SUBJECTS, acting_for
from memoryhub.vocabulary import ReviewState, SkillStatus

STAFF: Final = "Skills are for curators and operators of this organisation."
CURATORS: Final = "Only a curator may do that."
VIEWS: Final = (("", "As its agent reads it"), ("file", "The file"), ("versions", "Versions"), ("evidence", "Evidence"))
CURRENT: Final = (SkillStatus.ACTIVE, SkillStatus.PROPOSED)
ANY: Final = "any"
STATUSES: Final = [*SkillStatus.choices, (ANY, "any")]
AGENTS: Final = 200  # of one organisation, that are listed with their profile
FORMAT: Final = "text/markdown; charset=utf-8"


@require_safe
def skill_list(request: PageRequest) -> HttpResponse:
    """Skills in force and those that wait, newest first, and each agent's profile."""
    check_page(request.principal, "read_skills", sentence=STAFF)
    organisation = request.principal.organisation
    status, agent = request.GET.get("status", ""), request.GET.get("agent", "")[:80].replace("\x00", "")
    status = status if status in dict(STATUSES) else ""
    with acting_for(request.principal, subjects=ALL_SUBJECTS):
        found = Skill.objects.filter(organisation_id=organisation)
        if status != ANY:
            found = found.filter(status__in=[status] if status else CURRENT)
        if agent:
            found = found.filter(agent__slug=agent)
        rows = found.select_related("agent", "decided_by").order_by("-created_at", "-id")
        paged = rows_after(rows, request.GET.get("after", ""), field="created_at", newest_first=True)
        agents = list(Agent.objects.filter(organisation_id=organisation).order_by("slug")[:AGENTS])
        profiles = Profile.objects.filter(organisation_id=organisation, agent__in=agents, status__in=CURRENT)
        held: dict[uuid.UUID, dict[str, int]] = {}
        for owner, state, number in profiles.order_by("number").values_list("agent", "status", "number"):
            held.setdefault(owner, {})[state] = number
    context = {
        "section": "skills",
        "rows": paged.rows,
        "after": paged.after,
        "status": status,
        "chosen_agent": agent,
        "statuses": STATUSES,
        "filtered": bool(status or agent),
        "agents": agents,
        "profiles": [(one, held.get(one.pk, {})) for one in agents],
        "may_propose": can_do(request.principal, "propose_skill"),
    }
    with timezone.override(request.visitor.zone_of()):
        return page(request, "curation/skills/list.html", context)


@require_safe
def skill_item(request: PageRequest, skill_id: uuid.UUID) -> HttpResponse:
    """One version of a skill; which side of it is in the address (`view`), and which versions are compared."""
    check_page(request.principal, "read_skills", sentence=STAFF)
    return _item(request, skill_id)


@require_safe
def skill_file(request: PageRequest, skill_id: uuid.UUID) -> HttpResponse:
    """The skill as a file in the public Agent Skills format, to keep or to bring to another hub."""
    check_page(request.principal, "read_skills", sentence=STAFF)
    with acting_for(request.principal, subjects=ALL_SUBJECTS):
        text = export(document_of(_find(request, skill_id)))
    return HttpResponse(text, content_type=FORMAT, headers={"Content-Disposition": 'attachment; filename="SKILL.md"'})


@require_http_methods(["GET", "HEAD", "POST"])
def skill_import(request: PageRequest) -> HttpResponse:
    """A SKILL.md from elsewhere: checked, and put before another curator."""
    check_page(request.principal, "propose_skill", sentence="Only a curator proposes a skill here.")
    faults: dict[str, list[str]] = {}
    outcome: SkillOutcome | None = None
    with acting_for(request.principal, subjects=ALL_SUBJECTS):
        first = {"agent": request.GET.get("agent", "")[:80]}
        form = SkillFileForm(
            posted(request), request.FILES or None, organisation=request.principal.organisation, initial=first
        )
        if request.method == "POST" and form.is_valid():
            try:
                outcome = propose_skill(
                    document=parse(form.cleaned_data["text"]), agent=form.cleaned_data["agent"], by=request.principal,
                    now=timezone.now(),
                )  # fmt: skip
            except Invalid as refusal:
                faults = refusal.errors or {"": [refusal.detail]}
        agents = list(form.fields["agent"].queryset[:AGENTS])  # type: ignore[attr-defined]  # a model's choice
    if outcome is not None and outcome.skill is not None:
        return done(request, _said(outcome), url=reverse("curation:skill-item", args=[outcome.skill.pk]))
    if outcome is not None:
        faults = {"": [outcome.reason.label]}
    context = {"section": "skills", "form": form, "faults": faults, "agents": agents}
    return page(request, "curation/skills/import.html", context, status=422 if request.method == "POST" else 200)


@require_POST
def skill_retire(request: PageRequest, skill_id: uuid.UUID) -> HttpResponse:
    """Put a skill in force out of use."""
    check_page(request.principal, "decide", sentence=CURATORS)
    try:
        with acting_for(request.principal, subjects=ALL_SUBJECTS):
            skill = procedure_versions.retire_skill(
                skill=_find(request, skill_id), by=request.principal, now=timezone.now(),
                etag=request.POST.get("etag") or None,
            )  # fmt: skip
    except (AlreadyDecided, Stale) as refusal:
        return _item(request, skill_id, faults=[refusal.detail], status=status_of(refusal))
    sentence = f"Out of use: {skill.agent.name} no longer follows it."
    return done(request, sentence, url=reverse("curation:skill-item", args=[skill_id]))


@require_POST
def skill_bring_back(request: PageRequest, skill_id: uuid.UUID) -> HttpResponse:
    """Propose an older version's words as the newest one."""
    check_page(request.principal, "propose_skill", sentence=CURATORS)
    try:
        with acting_for(request.principal, subjects=ALL_SUBJECTS):
            outcome = procedure_versions.bring_back_skill(
                skill=_find(request, skill_id), by=request.principal, now=timezone.now()
            )
    except AlreadyDecided as refusal:
        return _item(request, skill_id, faults=[refusal.detail], status=status_of(refusal))
    except Invalid as refusal:
        return _item(request, skill_id, faults=refusal.faults, status=status_of(refusal))
    if outcome.skill is None:
        return _item(request, skill_id, faults=[outcome.reason.label], status=422)
    return done(request, _said(outcome), url=reverse("curation:skill-item", args=[outcome.skill.pk]))


def _said(outcome: SkillOutcome) -> str:
    number = outcome.skill.number if outcome.skill else ""
    if outcome.item is not None and outcome.item.state == ReviewState.WAITING:
        return f"Proposed as version {number}. It waits for another curator; until then nothing changes."
    return outcome.reason.label


def _item(request: PageRequest, skill_id: uuid.UUID, *, status: int = 200, **shown: Any) -> HttpResponse:
    """The page of one version. `shown` says what just happened."""
    principal = request.principal
    view = request.GET.get("view", "")
    view = view if view in dict(VIEWS) else ""
    with acting_for(principal, subjects=ALL_SUBJECTS):
        skill = _find(request, skill_id)
        same = Skill.objects.filter(agent=skill.agent_id, name=skill.name).select_related("agent", "decided_by")
        versions = list(same.order_by("-number"))
        sessions = sessions_behind(skill)
        count = skill.evidence.count() if len(sessions) >= SESSIONS else len(sessions)
        waiting = ReviewItem.objects.filter(skill=skill, state=ReviewState.WAITING).first()
        room = room_of(skill.agent, skill=skill)
        tools = tools_named(skill)
    compared = None
    if view == "versions":
        old, new = request.GET.get("old", ""), request.GET.get("new", "")
        compared = comparison(versions, shown=skill, old=old, new=new, text_of=text_of)
    context = {
        "section": "skills",
        "skill": skill,
        "view": view,
        "views": [(value, label, {"versions": len(versions), "evidence": count}.get(value)) for value, label in VIEWS],
        "document": text_of(skill),
        "versions": versions,
        "compared": compared,
        "sessions": sessions,
        "session_count": count,
        "waiting": waiting,
        "room": room,
        "tools": tools,
        "tool_faults": sum(1 for tool in tools if tool.fault),
        "may_retire": skill.status == SkillStatus.ACTIVE and can_do(principal, "decide"),
        "may_bring_back": skill.status not in CURRENT and can_do(principal, "propose_skill"),
        "may_propose": can_do(principal, "propose_skill"),
        **shown,
    }
    with timezone.override(request.visitor.zone_of()):
        return page(request, "curation/skills/item.html", context, status=status)


def _find(request: PageRequest, skill_id: uuid.UUID) -> Skill:
    rows = Skill.objects.filter(organisation_id=request.principal.organisation, pk=skill_id)
    found = rows.select_related("agent", "owner", "decided_by").first()
    if found is None:
        raise NotFound
    return found
