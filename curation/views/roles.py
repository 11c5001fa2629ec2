"""Roles: what each may open and change, and which kinds of memory it may write as the policy has it (R15)."""

from django.http import HttpResponse
from django.views.decorators.http import require_safe

from curation.fragments import page
from curation.refusals import check_page
from curation.role_words import grants_in_words, told
from curation.visitor import PageRequest
from memoryhub.errors import PolicyUnusable
from memoryhub.governance import policy_versions
from memoryhub.permissions import can_do
from memoryhub.tenancy import ALL_SUBJECTS, acting_for

READERS = "Roles are for the people who work here."


@require_safe
def role_list(request: PageRequest) -> HttpResponse:
    """Every role in plain words; the first part is the same everywhere, the second is the policy's."""
    check_page(request.principal, "read_roles", sentence=READERS)
    by = request.principal
    with acting_for(by, subjects=ALL_SUBJECTS):
        try:
            policy = policy_versions.in_force(by.organisation)
        except PolicyUnusable:
            policy = None
    roles = list(told())
    context = {
        "section": "roles",
        "people": [role for role in roles if role.of_people],
        "programs": [role for role in roles if not role.of_people],
        "policy": policy,
        "grants": grants_in_words(policy) if policy is not None else [],
        "may_read": can_do(by, "read_policy"),
        "may_sign": can_do(by, "change_policy"),
        "may_members": can_do(by, "read_members"),
    }
    return page(request, "curation/roles/page.html", context)
