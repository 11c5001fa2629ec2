"""The records of processing: what is kept and why, how long, who sees it, who handles it, when it is gone (R5, R93)."""

from django.http import HttpResponse
from django.utils import timezone
from django.views.decorators.http import require_safe

from accounts.models import Organisation
from curation import plain_rules
from curation.fragments import page
from curation.refusals import check_page
from curation.visitor import PageRequest
from memoryhub.errors import PolicyUnusable
from memoryhub.governance import processing
from memoryhub.tenancy import ALL_SUBJECTS, acting_for
from memoryhub.vocabulary import Category, KeyRole

READERS = "The records of processing are for operators and curators of this organisation."


@require_safe
def records(request: PageRequest) -> HttpResponse:
    """Drawn from the policy in force and from this hub's settings, so that it says what holds."""
    check_page(request.principal, "read_policy", sentence=READERS)
    with acting_for(request.principal, subjects=ALL_SUBJECTS):
        try:
            held = processing.of(Organisation.objects.get(pk=request.principal.organisation))
        except PolicyUnusable as error:
            return page(request, "curation/policy/records.html", {"section": "policy", "unusable": error}, status=503)
    context = {
        "section": "policy",
        "held": held,
        "review_before": plain_rules.how_long(held.review_before),
        "statements": [
            (Category(one.name).label, one, plain_rules.how_long(one.lifetime)) for one in held.statements
        ],
        "around": [(one, plain_rules.how_long(one.lifetime)) for one in held.around],
        "seen": [("the person" if one.role == "person" else KeyRole(one.role).label, one.what) for one in held.seen],
        "backups": plain_rules.how_long(held.backups),
        "grace": plain_rules.how_long(held.grace),
    }  # fmt: skip
    with timezone.override(request.visitor.zone_of()):
        return page(request, "curation/policy/records.html", context)
