"""The policy: what is in force, every version of it with what differs, and signing another (R5, R12, R15, R16, R93)."""

import json
import uuid
from itertools import pairwise
from typing import Any

from django.http import HttpResponse
from django.urls import reverse
from django.utils import timezone
from django.views.decorators.http import require_http_methods, require_safe

from accounts import step_up
from curation import policy_words
from curation.fragments import done, page
from curation.policy_form import PolicyForm
from curation.refusals import check_page
from curation.role_words import grants_in_words
from curation.visitor import PageRequest
from memoryhub.errors import Invalid, NotFound, PolicyUnusable, Stale
from memoryhub.governance import policy_floors, policy_versions, record_sources
from memoryhub.governance.policy import Policy
from memoryhub.governance.policy_document import told, written
from memoryhub.models import AgentPolicy, RecordSource
from memoryhub.permissions import can_do
from memoryhub.tenancy import ALL_SUBJECTS, acting_for
from memoryhub.vocabulary import Category, FourEyes, Kind, SensitiveData

READERS = "The policy is for operators and curators of this organisation."
OPERATORS = "Only an operator signs a policy."
VERSIONS = 10  # on one page, each with what it changed
MOST = 999_999_999  # a version's number; what is larger is none
SOURCES = 100  # records that have the last word, of all agents


@require_safe
def in_force(request: PageRequest) -> HttpResponse:
    """The policy in force in tables, the records that stand above it, and the versions before."""
    check_page(request.principal, "read_policy", sentence=READERS)
    organisation = request.principal.organisation
    below = _number(request.GET.get("below", ""))
    with acting_for(request.principal, subjects=ALL_SUBJECTS):
        context: dict[str, Any] = {
            "section": "policy",
            "may_sign": can_do(request.principal, "change_policy"),
            "unusable": None,
            "policy": None,
        }
        try:
            policy = policy_versions.in_force(organisation)
            versions = policy_versions.newest(organisation, below=below, most=VERSIONS)
        except PolicyUnusable as error:
            context["unusable"] = error
        else:
            context |= _shown(policy) | {
                "versions": _with_changes(versions),
                "below": versions[-1].version + 1 if versions[-1].version > 0 else None,
                "sources": _sources(organisation),
                "agents": _agents(organisation),
            }
    with timezone.override(request.visitor.zone_of()):
        return page(request, "curation/policy/page.html", context)


@require_safe
def version(request: PageRequest, number: int) -> HttpResponse:
    """One version, in force or not, and what it changed."""
    check_page(request.principal, "read_policy", sentence=READERS)
    if number > MOST:
        raise NotFound
    organisation = request.principal.organisation
    with acting_for(request.principal, subjects=ALL_SUBJECTS):
        policy = policy_versions.version_of(organisation, number)
        before = policy_versions.version_of(organisation, number - 1) if number else None
        newest = policy_versions.in_force(organisation).version
    context = _shown(policy) | {
        "section": "policy",
        "newest": newest,
        "changes": policy_words.changes(before, policy) if before else [],
        "document": json.dumps(written(policy), indent=2, ensure_ascii=False),
    }
    with timezone.override(request.visitor.zone_of()):
        return page(request, "curation/policy/version.html", context)


@require_http_methods(["GET", "HEAD", "POST"])
@step_up.required
def change(request: PageRequest) -> HttpResponse:
    """Set what is to differ, look at it, and sign: two steps, the first of which writes nothing."""
    check_page(request.principal, "change_policy", sentence=OPERATORS)
    with acting_for(request.principal, subjects=ALL_SUBJECTS):
        base = policy_versions.proposed(document={}, by=request.principal)[0]
    if request.method != "POST":
        return _form(request, PolicyForm(base), base)
    form = PolicyForm(base, request.POST)
    status, changes = 422, None
    try:
        if request.POST.get("step") == "sign":
            with acting_for(request.principal, subjects=ALL_SUBJECTS):
                signed = policy_versions.change(
                    document=form.document, reason=form.reason, by=request.principal, now=timezone.now(),
                    based_on=form.base_version,
                )  # fmt: skip
            return done(
                request, f"Version {signed.version} is signed, and holds for the very next write.",
                url=reverse("curation:policy"),
            )  # fmt: skip
        with acting_for(request.principal, subjects=ALL_SUBJECTS):
            before, after = policy_versions.proposed(document=form.document, by=request.principal)
        changes, status = policy_words.changes(before, after), 200
        if not form.reason.strip():
            form.tell({"reason": ["Say why, in a few words; the next person will ask."]})
            status = 422
    except Invalid as error:
        form.tell(error.errors or {"": [error.detail]})
    except Stale as error:
        form.tell({"": [error.detail]})
        status = 412
    return _form(request, form, base, changes=changes, status=status)


def _form(
    request: PageRequest, form: PolicyForm, base: Policy, *, changes: list[policy_words.Change] | None = None,
    status: int = 200,
) -> HttpResponse:  # fmt: skip
    context = {
        "section": "policy", "form": form, "base": base, "changes": changes,
        "may_go_on": bool(changes) and not form.faulty,
    }  # fmt: skip
    with timezone.override(request.visitor.zone_of()):
        return page(request, "curation/policy/change.html", context, status=status)


def _shown(policy: Policy) -> dict[str, Any]:
    """A policy as a page's tables need it."""
    return {
        "policy": policy,
        "modes": [(kind.label, policy.modes[kind]) for kind in Kind],
        "treatments": [
            (family.label, policy.treatments[family], policy_floors.TREATMENTS.get(family)) for family in SensitiveData
        ],
        "lifetimes": [(category.label, told(policy.lifetimes[category])) for category in Category],
        "review_before": told(policy.review_before),
        "grants": grants_in_words(policy),
        "members": [category.label for category in Category if category in policy.member_may_add],
        "four_eyes": [one.label for one in FourEyes if one in policy.four_eyes],
        "standing": policy_floors.STANDING,
    }


def _with_changes(versions: list[Policy]) -> list[tuple[Policy, list[policy_words.Change] | None]]:
    """Each version with what it changed; of the last one, what stood before it is on the next page (None)."""
    changed: list[tuple[Policy, list[policy_words.Change] | None]] = [
        (after, policy_words.changes(before, after)) for after, before in pairwise(versions)
    ]
    last = versions[-1]
    return [*changed, (last, [] if last.version == 0 else None)]


def _sources(organisation: uuid.UUID) -> list[tuple[RecordSource, str]]:
    rows = RecordSource.objects.filter(organisation_id=organisation).select_related("agent", "subject")
    return [(row, record_sources.name_of(row)) for row in rows.order_by("agent__slug", "key", "id")[:SOURCES]]


def _agents(organisation: uuid.UUID) -> list[AgentPolicy]:
    """Agents with a policy of their own beneath this one."""
    rows = AgentPolicy.objects.filter(organisation_id=organisation).select_related("agent")
    return list(rows.order_by("agent__name", "id")[:SOURCES])


def _number(text: str) -> int | None:
    if not text:
        return None
    if not text.isascii() or not text.isdigit() or len(text) > len(str(MOST)):
        raise NotFound
    return int(text)
