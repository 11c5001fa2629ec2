"""Agents: their keys, tools, signals and policy, and what came of what they proposed (R16, R73, R93)."""

import uuid
from datetime import timedelta
from typing import Any

from django.conf import settings
from django.http import HttpResponse
from django.urls import reverse
from django.utils import timezone
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from accounts import step_up
from accounts.models import Agent
from curation import once
from curation.agent_forms import AgentPolicyForm, NewAgentForm, NewKeyForm, RotateForm, SignalForms, signal_forms
from curation.fragments import done, page
from curation.paging import rows_after
from curation.refusals import check_page, told_in
from curation.visitor import PageRequest
from memoryhub.errors import Invalid, NotGranted
from memoryhub.governance import agent_keys, agent_tools, agents, policy_versions, record_sources
from memoryhub.governance.access import Issued
from memoryhub.governance.policy import Policy
from memoryhub.models import AgentPolicy, AgentSignal, AgentTool, Profile, Skill
from memoryhub.permissions import can_do
from memoryhub.tenancy import ALL_SUBJECTS, Principal, acting_for
from memoryhub.vocabulary import Kind, SkillStatus

SENT_TWICE = "That form was sent before, and its key was made then; no second one was. Revoke it if nobody noted it."
READERS = "Agents are for operators and curators of this organisation."
OPERATORS = "Only an operator changes agents and their keys."
SKILLS = 50  # of one agent on its page, newest first


@require_http_methods(["GET", "HEAD", "POST"])
def agent_list(request: PageRequest) -> HttpResponse:
    """Every agent at a glance; a POST makes one, which only proposes until an operator signs otherwise (R16)."""
    check_page(request.principal, "read_agents", sentence=READERS)
    now, by, form = timezone.now(), request.principal, None
    with acting_for(by, subjects=ALL_SUBJECTS):
        people = agents.people(by.organisation) if can_do(by, "change_agent") else []
    if request.method == "POST":
        check_page(by, "change_agent", sentence=OPERATORS)
        form = NewAgentForm(request.POST, people=people)
        with told_in(form):
            if form.is_valid():
                with acting_for(by, subjects=ALL_SUBJECTS):
                    made = agents.make(**form.cleaned_data, by=by, now=now)
                return done(
                    request, "The agent is made; it only proposes until its policy is signed. Give it a key next.",
                    url=_url(made),
                )  # fmt: skip
    with acting_for(by, subjects=ALL_SUBJECTS):
        rows = Agent.objects.filter(organisation_id=by.organisation).order_by("created_at", "id")
        paged = rows_after(rows, request.GET.get("after", ""), field="created_at")
        context = {
            "section": "agents",
            "glances": agents.glances(paged.rows, now=now),
            "after": paged.after,
            "form": form or NewAgentForm(people=people),
            "may_change": can_do(by, "change_agent"),
            "faulty": form is not None,
        }
    with timezone.override(request.visitor.zone_of()):
        return page(request, "curation/agents/list.html", context, status=422 if form is not None else 200)


@require_safe
def agent_item(request: PageRequest, agent_id: uuid.UUID) -> HttpResponse:
    """One agent: keys, tools, signals, policy, skills, and how its proposals were decided."""
    check_page(request.principal, "read_agents", sentence=READERS)
    return _item(request, agent_id)


@require_POST
@step_up.required
def make_key(request: PageRequest, agent_id: uuid.UUID) -> HttpResponse:
    """A new key, shown in this answer and never again: it is kept nowhere. Sent twice, it is one key."""
    agent = _to_change(request, agent_id)
    form = NewKeyForm(request.POST)
    with told_in(form):
        if form.is_valid():
            with acting_for(request.principal, subjects=ALL_SUBJECTS):
                if once.is_spent(request):
                    return done(request, SENT_TWICE, url=f"{_url(agent)}#keys", warning=True)
                issued = agent_keys.issue(
                    agent=agent, relay=form.cleaned_data["relay"], lifetime=form.life,
                    subject=form.cleaned_data["subject"], by=request.principal, now=timezone.now(),
                    pepper=settings.MEMORYHUB_KEY_PEPPER,
                )  # fmt: skip
            return _shown_once(request, agent, issued)
    return _item(request, agent_id, status=422, key_form=form)


@require_POST
@step_up.required
def rotate_key(request: PageRequest, agent_id: uuid.UUID, key_id: uuid.UUID) -> HttpResponse:
    """A new key in place of another, which goes on working for a while; shown once, like any new key."""
    agent = _to_change(request, agent_id)
    form = RotateForm(request.POST)
    try:
        if not form.is_valid():
            raise Invalid("Choose how long the old key still works.")
        with acting_for(request.principal, subjects=ALL_SUBJECTS):
            if once.is_spent(request, of=key_id):
                return done(request, SENT_TWICE, url=f"{_url(agent)}#keys", warning=True)
            issued = agent_keys.rotate(
                agent=agent, key_id=key_id, overlap=timedelta(seconds=form.cleaned_data["overlap"]),
                by=request.principal, now=timezone.now(), pepper=settings.MEMORYHUB_KEY_PEPPER,
            )  # fmt: skip
    except Invalid as error:
        return _item(request, agent_id, status=422, key_fault=_first(error))
    return _shown_once(request, agent, issued)


@require_POST
@step_up.required
def revoke_key(request: PageRequest, agent_id: uuid.UUID, key_id: uuid.UUID) -> HttpResponse:
    """End a key at once."""
    agent = _to_change(request, agent_id)
    with acting_for(request.principal, subjects=ALL_SUBJECTS):
        key = agent_keys.revoke(agent=agent, key_id=key_id, by=request.principal, now=timezone.now())
    return done(request, f"The key mhk_{key.lookup} ended.", url=f"{_url(agent)}#keys")


@require_POST
@step_up.required
def sign_policy(request: PageRequest, agent_id: uuid.UUID) -> HttpResponse:
    """The agent's own policy, signed by the operator who sends it (R16)."""
    check_page(request.principal, "change_policy", sentence="Only an operator signs a policy.")
    agent = _found(request, agent_id)
    form = AgentPolicyForm(request.POST)
    with told_in(form):
        if form.is_valid():
            with acting_for(request.principal, subjects=ALL_SUBJECTS):
                policy_versions.change_agent(
                    agent=agent, by=request.principal, now=timezone.now(), modes=form.modes, thresholds=form.thresholds,
                    own_thresholds=form.thresholds is not None, improves=form.cleaned_data["improves"],
                    remembers=form.cleaned_data["remembers"],
                )  # fmt: skip
            return done(
                request, "The policy is signed, and holds for the very next write.", url=f"{_url(agent)}#policy"
            )
    return _item(request, agent_id, status=422, policy_form=form)


@require_POST
def set_signals(request: PageRequest, agent_id: uuid.UUID) -> HttpResponse:
    """How the agent's signals become lessons; for an operator, or the agent's owner (R73)."""
    agent = _found(request, agent_id)
    if not _may_set_signals(request.principal, agent):
        raise NotGranted("Only an operator, or the agent's owner, says how its signals become lessons.")
    forms = SignalForms(request.POST, prefix="signals")
    fault = ""
    try:
        if forms.is_valid():
            with acting_for(request.principal, subjects=ALL_SUBJECTS):
                agent_tools.set_signals(agent=agent, signals=forms.specs, by=request.principal, now=timezone.now())
            return done(request, "The signals are set.", url=f"{_url(agent)}#signals")
    except Invalid as error:
        fault = " ".join(sentence for sentences in error.errors.values() for sentence in sentences)
    return _item(request, agent_id, status=422, signal_forms=forms, signal_fault=fault)


def _item(request: PageRequest, agent_id: uuid.UUID, *, status: int = 200, **faulty: Any) -> HttpResponse:
    """The page of an agent; `faulty` forms keep what was typed."""
    now, by = timezone.now(), request.principal
    with acting_for(by, subjects=ALL_SUBJECTS):
        agent = agents.one(agent_id=agent_id, organisation=by.organisation)
        own = AgentPolicy.objects.filter(agent=agent).first()
        signals = list(AgentSignal.objects.filter(agent=agent).order_by("kind"))
        keys = agent_keys.keys_of(agent)
        context: dict[str, Any] = {
            "section": "agents",
            "agent": agent,
            "keys": [(key, agent_keys.is_alive(key, now=now), agent_keys.is_ours(key.roles)) for key in keys],
            "alive": sum(agent_keys.is_alive(key, now=now) for key in keys),
            "tools": list(AgentTool.objects.filter(agent=agent).order_by("name")),
            "signals": signals,
            "own": own,
            "modes": _modes(own, policy_versions.in_force_for(_as(by, agent))),
            "policy": policy_versions.in_force_for(_as(by, agent)),
            "sources": [(row, record_sources.name_of(row)) for row in record_sources.sources_of(agent)],
            "skills": _skills(agent),
            "profile": Profile.objects.filter(agent=agent, status=SkillStatus.ACTIVE).first(),
            "proposed": agents.proposed(agent),
            "may_change": can_do(by, "change_agent"),
            "may_sign": can_do(by, "change_policy"),
            "may_set_signals": _may_set_signals(by, agent),
            "key_form": NewKeyForm(),
            "once": once.token(),
            "rotate_form": RotateForm(),
            "policy_form": AgentPolicyForm.of(own),
            "signal_forms": signal_forms(signals),
        }
    with timezone.override(request.visitor.zone_of()):
        return page(request, "curation/agents/item.html", context | faulty, status=status)


def _shown_once(request: PageRequest, agent: Agent, issued: Issued) -> HttpResponse:
    """The key itself in the answer to the POST that made it: not in the session, a message, a log or an address."""
    context = {"section": "agents", "agent": agent, "issued": issued}
    return page(request, "curation/agents/new_key.html", context, status=201)


def _found(request: PageRequest, agent_id: uuid.UUID) -> Agent:
    check_page(request.principal, "read_agents", sentence=READERS)
    with acting_for(request.principal, subjects=ALL_SUBJECTS):
        return agents.one(agent_id=agent_id, organisation=request.principal.organisation)


def _to_change(request: PageRequest, agent_id: uuid.UUID) -> Agent:
    check_page(request.principal, "change_agent", sentence=OPERATORS)
    return _found(request, agent_id)


def _may_set_signals(by: Principal, agent: Agent) -> bool:
    return can_do(by, "change_agent") or (agent.owner_id is not None and agent.owner_id == by.user)


def _as(by: Principal, agent: Agent) -> Principal:
    return Principal(by.organisation, by.label, agent=agent.pk)


def _modes(own: AgentPolicy | None, policy: Policy) -> list[tuple[Kind, str, str]]:
    """Each kind, how far the agent's own policy lets it go, and, where the organisation's goes less far, how far it
    goes in truth."""
    rows = []
    for kind in Kind:
        signed = getattr(own, f"get_{kind.value}_display")() if own else policy.modes[kind].label
        holds = policy.modes[kind].label
        rows.append((kind, str(signed), "" if holds == signed else str(holds)))
    return rows


def _skills(agent: Agent) -> list[Skill]:
    """The newest version of each skill in force or waiting, then what was; the first of them."""
    found = Skill.objects.filter(agent=agent, status__in=[SkillStatus.ACTIVE, SkillStatus.PROPOSED])
    return list(found.order_by("status", "name", "-id")[:SKILLS])


def _first(error: Invalid) -> str:
    return next((sentence for sentences in error.errors.values() for sentence in sentences), error.detail)


def _url(agent: Agent) -> str:
    return reverse("curation:agent-item", args=[agent.pk])
