"""What is kept here, why and how long, who may see it, when is it gone? Told to the person it is about (R90)."""

from django.http import HttpResponse
from django.utils import timezone
from django.views.decorators.http import require_safe

from accounts.models import Organisation
from curation import plain_rules
from curation.as_person import as_person, zone_for
from curation.days import in_their_language
from curation.fragments import page
from curation.visitor import PageRequest
from memoryhub.errors import NotFound, NotGranted
from memoryhub.governance import processing
from memoryhub.tenancy import acting_for


@in_their_language
@require_safe
def my_policy(request: PageRequest) -> HttpResponse:
    """The rules as they stand, in plain words."""
    if not request.visitor.subject:
        raise NotGranted("This page belongs to people about whom something is remembered; you are signed in as staff.")
    try:
        with as_person(request) as (_, subject):
            zone = zone_for(request, subject)
    except NotFound:  # nobody has mentioned them yet
        zone = request.visitor.zone_of()
    with acting_for(request.visitor.person, subjects=()):
        held = processing.of(Organisation.objects.get(pk=request.principal.organisation))
    context = {
        "section": "mine",
        "tab": "data",
        "held": held,
        "review_before": plain_rules.how_long(held.review_before),
        "statements": plain_rules.statements(held),
        "around": plain_rules.around(held),
        "never": plain_rules.never(held),
        "seen": plain_rules.seen(held),
        "handlers": plain_rules.handlers(held),
        "backups": plain_rules.how_long(held.backups),
        "grace": plain_rules.how_long(held.grace),
    }
    with timezone.override(zone):
        return page(request, "curation/my_memory/policy.html", context)
