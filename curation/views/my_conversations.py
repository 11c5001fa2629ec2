"""What do I find kept of my conversations, and which facts came from each? Forgetting one asks about these (R90)."""

import uuid
from typing import Any

from django.http import HttpResponse
from django.urls import reverse
from django.utils import timezone
from django.views.decorators.http import require_POST, require_safe

from curation.as_person import as_person, own, zone_for
from curation.fragments import done, page
from curation.plain_words import receipt, remembered
from curation.remembering import READS, summaries_of
from curation.visitor import PageRequest
from memoryhub.errors import NotFound
from memoryhub.governance import conversations as talks
from memoryhub.governance.read_by import of_person
from memoryhub.vocabulary import Kind


@require_safe
def conversations(request: PageRequest) -> HttpResponse:
    """What is kept of conversations, newest first, each with the facts that came from it."""
    return _list(request)


@require_POST
def forget(request: PageRequest, entry_id: uuid.UUID) -> HttpResponse:
    """A conversation goes; the facts that came from it too, unless the person keeps them."""
    facts = request.POST.get("facts", "forget")
    if facts not in ("forget", "keep"):
        return _list(request, status=422)
    with as_person(request, erasing=True) as (person, _):
        summary = own(entry_id, person)
        if summary.kind != Kind.EPISODIC:
            raise NotFound
        removed = talks.forget(summary=summary, with_facts=facts == "forget", by=person, now=timezone.now())
    sentence = f"Forgotten. Removed: {', '.join(receipt(removed))}."
    if request.htmx:
        return _list(request, note=sentence)
    return done(request, sentence, url=reverse("curation:my-conversations"))


def _list(request: PageRequest, *, status: int = 200, **shown: Any) -> HttpResponse:
    now = timezone.now()
    try:
        with as_person(request) as (person, subject):
            zone = zone_for(request, subject)
            found, after = summaries_of(subject=subject, after=request.GET.get("after", ""), by=person, now=now)
            ids = [summary.entry.pk for summary in found]
            read = of_person(subject, entries=ids, by=person, most=READS)
            told = [
                (remembered(one.entry, zone=zone, reads=read.get(one.entry.pk, ())), one.facts) for one in found
            ]  # fmt: skip
    except NotFound:  # nobody has mentioned them yet
        told, after, zone = [], "", request.visitor.zone_of()
    context = {"section": "mine", "tab": "conversations", "told": told, "after": after, **shown}
    with timezone.override(zone):
        return page(request, "curation/my_memory/conversations.html", context, part="mine", status=status)
