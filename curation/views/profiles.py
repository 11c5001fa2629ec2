"""AGENT.md, one agent's profile: read on every turn, versioned, changed only by a proposal that is approved (R82)."""

from typing import Any, Final

from django.http import HttpResponse
from django.urls import reverse
from django.utils import timezone
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from accounts.models import Agent
from curation.compared import comparison
from curation.fragments import done, page, posted
from curation.procedure_forms import FileForm
from curation.refusals import check_page
from curation.visitor import PageRequest
from memoryhub.errors import AlreadyDecided, Invalid, NotFound, Stale
from memoryhub.governance import access, procedure_versions
from memoryhub.governance.procedure_fit import room_of
from memoryhub.governance.procedures import propose_profile
from memoryhub.http_errors import status_of
from memoryhub.models import Profile, ReviewItem
from memoryhub.permissions import can_do
from memoryhub.tenancy import ALL_SUBJECTS, acting_for
from memoryhub.vocabulary import ReviewState, SkillStatus

STAFF: Final = "Profiles are for curators and operators of this organisation."
CURATORS: Final = "Only a curator may do that."
VIEWS: Final = (("", "As the agent reads it"), ("file", "The file"), ("versions", "Versions"))
FORMAT: Final = "text/markdown; charset=utf-8"
VERSIONS: Final = 100  # newest that are listed


@require_safe
def profile_item(request: PageRequest, agent: str) -> HttpResponse:
    """An agent's profile: the version in force, or the one in the address (`version`)."""
    check_page(request.principal, "read_skills", sentence=STAFF)
    return _item(request, agent)


@require_safe
def profile_file(request: PageRequest, agent: str) -> HttpResponse:
    """The version shown, as a file."""
    check_page(request.principal, "read_skills", sentence=STAFF)
    with acting_for(request.principal, subjects=ALL_SUBJECTS):
        owner = access.agent_of(slug=agent, by=request.principal)
        shown = _shown(request, _versions(owner))
    if shown is None:
        raise NotFound
    return HttpResponse(
        shown.text, content_type=FORMAT, headers={"Content-Disposition": 'attachment; filename="AGENT.md"'}
    )


@require_http_methods(["GET", "HEAD", "POST"])
def profile_propose(request: PageRequest, agent: str) -> HttpResponse:
    """A new version, pasted or uploaded; it waits for another curator."""
    check_page(request.principal, "propose_skill", sentence="Only a curator proposes a profile here.")
    form = FileForm(posted(request), request.FILES or None)
    faults: dict[str, list[str]] = {}
    proposed = None
    with acting_for(request.principal, subjects=ALL_SUBJECTS):
        owner = access.agent_of(slug=agent, by=request.principal)
        if request.method == "POST" and form.is_valid():
            try:
                proposed = propose_profile(
                    text=form.cleaned_data["text"].replace("\r\n", "\n"), agent=owner, by=request.principal,
                    now=timezone.now(),
                )  # fmt: skip
            except Invalid as refusal:
                faults = refusal.errors or {"": [refusal.detail]}
        elif request.method != "POST":
            newest = _shown(request, _versions(owner))
            form = FileForm(initial={"text": newest.text if newest else ""})
    if proposed is not None:
        return done(request, _said(proposed), url=_url(owner, proposed))
    context = {"section": "skills", "agent": owner, "form": form, "faults": faults}
    return page(request, "curation/profiles/propose.html", context, status=422 if request.method == "POST" else 200)


@require_POST
def profile_retire(request: PageRequest, agent: str) -> HttpResponse:
    """Put the profile in force out of use: the agent has none then."""
    check_page(request.principal, "decide", sentence=CURATORS)
    try:
        with acting_for(request.principal, subjects=ALL_SUBJECTS):
            owner = access.agent_of(slug=agent, by=request.principal)
            procedure_versions.retire_profile(
                profile=_named(request, owner), by=request.principal, now=timezone.now(),
                etag=request.POST.get("etag") or None,
            )  # fmt: skip
    except (AlreadyDecided, Stale) as refusal:
        return _item(request, agent, faults=[refusal.detail], status=status_of(refusal))
    return done(request, f"Out of use: {owner.name} has no profile now.", url=_url(owner))


@require_POST
def profile_bring_back(request: PageRequest, agent: str) -> HttpResponse:
    """Propose an older version's words as the newest one."""
    check_page(request.principal, "propose_skill", sentence=CURATORS)
    try:
        with acting_for(request.principal, subjects=ALL_SUBJECTS):
            owner = access.agent_of(slug=agent, by=request.principal)
            proposed = procedure_versions.bring_back_profile(
                profile=_named(request, owner), by=request.principal, now=timezone.now()
            )
    except (AlreadyDecided, Invalid) as refusal:
        faults = refusal.faults if isinstance(refusal, Invalid) else [refusal.detail]
        return _item(request, agent, faults=faults, status=status_of(refusal))
    return done(request, _said(proposed), url=_url(owner, proposed))


def _item(request: PageRequest, slug: str, *, status: int = 200, **shown: Any) -> HttpResponse:
    """The page of one version. `shown` says what just happened."""
    principal = request.principal
    view = request.GET.get("view", "")
    view = view if view in dict(VIEWS) else ""
    with acting_for(principal, subjects=ALL_SUBJECTS):
        agent = access.agent_of(slug=slug, by=principal)
        versions = _versions(agent)
        profile = _shown(request, versions)
        waiting = (
            ReviewItem.objects.filter(profile=profile, state=ReviewState.WAITING).first()
            if profile is not None
            else None
        )
        room = room_of(agent, profile=profile)
    compared = None
    if view == "versions" and profile is not None:
        old, new = request.GET.get("old", ""), request.GET.get("new", "")
        compared = comparison(versions, shown=profile, old=old, new=new, text_of=lambda one: one.text)
    in_force = profile is not None and profile.status == SkillStatus.ACTIVE
    over = profile is not None and profile.status in (SkillStatus.RETIRED, SkillStatus.REJECTED)
    context = {
        "section": "skills",
        "agent": agent,
        "profile": profile,
        "view": view,
        "views": [(value, label, {"versions": len(versions)}.get(value)) for value, label in VIEWS],
        "versions": versions,
        "compared": compared,
        "waiting": waiting,
        "room": room,
        "may_retire": in_force and can_do(principal, "decide"),
        "may_bring_back": over and can_do(principal, "propose_skill"),
        "may_propose": can_do(principal, "propose_skill"),
        **shown,
    }
    with timezone.override(request.visitor.zone_of()):
        return page(request, "curation/profiles/item.html", context, status=status)


def _versions(agent: Agent) -> list[Profile]:
    rows = Profile.objects.filter(agent=agent).select_related("agent", "decided_by")
    return list(rows.order_by("-number")[:VERSIONS])


def _shown(request: PageRequest, versions: list[Profile]) -> Profile | None:
    """The version in the address, else the one in force, else the newest."""
    wanted = request.GET.get("version", "")
    if wanted:
        found = next((one for one in versions if str(one.number) == wanted), None)
        if found is None:
            raise NotFound
        return found
    in_force = next((one for one in versions if one.status == SkillStatus.ACTIVE), None)
    return in_force or (versions[0] if versions else None)


def _named(request: PageRequest, agent: Agent) -> Profile:
    """The version that the form names."""
    number = request.POST.get("number", "")
    found = Profile.objects.filter(agent=agent, number=int(number)).first() if _is_number(number) else None
    if found is None:
        raise NotFound
    found.agent = agent
    return found


def _is_number(text: str) -> bool:
    return text.isascii() and text.isdigit() and len(text) < 9


def _said(profile: Profile) -> str:
    return f"Proposed as version {profile.number}. It waits for another curator; until then nothing changes."


def _url(agent: Agent, profile: Profile | None = None) -> str:
    address = reverse("curation:profile-item", args=[agent.slug])
    return f"{address}?version={profile.number}" if profile is not None else address
