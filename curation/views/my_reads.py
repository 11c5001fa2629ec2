"""Who was given one thing that is remembered about me? The whole log, for the person it is about (R37, R90)."""

import uuid

from django.http import HttpResponse
from django.utils import timezone
from django.views.decorators.http import require_safe

from curation.as_person import as_person, own, zone_for
from curation.days import in_their_language
from curation.fragments import page
from curation.plain_words import remembered
from curation.visitor import PageRequest
from memoryhub.governance.read_by import of_person


@in_their_language
@require_safe
def reads(request: PageRequest, entry_id: uuid.UUID) -> HttpResponse:
    """Each time that it was given to an assistant or looked at by one of the people, newest first."""
    with as_person(request) as (person, subject):
        entry, zone = own(entry_id, person), zone_for(request, subject)
        found = of_person(subject, entries=[entry.pk], by=person)
        one = remembered(entry, zone=zone, reads=found.get(entry.pk, ()))
    with timezone.override(zone):
        return page(request, "curation/my_memory/reads.html", {"section": "mine", "one": one})
