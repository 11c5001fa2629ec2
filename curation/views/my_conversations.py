"""What do I find kept of my conversations, and which facts came from each? Forgetting one asks about these (R90).

One that goes on can be left out of memory from here: what is said in it from then on is neither kept nor answered from
what is known (governance/incognito.py).
"""

import uuid
from datetime import datetime
from typing import Any, Final

from django.http import HttpResponse
from django.urls import reverse
from django.utils import timezone
from django.views.decorators.http import require_POST, require_safe

from curation.as_person import as_person, own, zone_for
from curation.days import at_time, in_their_language
from curation.fragments import done, page
from curation.plain_words import receipt, remembered
from curation.remembering import READS, spoken_in, summaries_of
from curation.visitor import PageRequest
from memoryhub.errors import NotFound
from memoryhub.governance import conversations as talks
from memoryhub.governance import incognito
from memoryhub.governance.read_by import of_person
from memoryhub.vocabulary import Kind

PLACE: Final = "curation:my-conversations"
GONE: Final = (
    "That is not here any more; it was removed in the meantime, perhaps in another window. Nothing was changed."
)
CHOICES: Final = ("forget", "keep")
CHOOSE: Final = "Nothing was changed. Say whether to forget what came of it, or to keep it."


@in_their_language
@require_safe
def conversations(request: PageRequest) -> HttpResponse:
    """What is kept of conversations, newest first, each with the facts that came from it; above them, what goes on."""
    return _list(request)


@in_their_language
@require_safe
def words(request: PageRequest, entry_id: uuid.UUID) -> HttpResponse:
    """What is left of the words of one conversation."""
    with as_person(request) as (person, subject):
        summary, zone = _summary(entry_id, person), zone_for(request, subject)
        one = remembered(summary, zone=zone)
        said = [  # opened here: outside of this nobody has the key
            (
                at_time(event.occurred_at, zone),
                {name: getattr(event, name) for name in ("withheld", "user_input", "assistant_output")},
            )
            for event in spoken_in(summary)
        ]
    with timezone.override(zone):
        return page(request, "curation/my_memory/words.html", {"section": "mine", "one": one, "said": said})


@in_their_language
@require_POST
def forget(request: PageRequest, entry_id: uuid.UUID) -> HttpResponse:
    """A conversation goes; the facts that came from it too, unless the person keeps them."""
    facts = request.POST.get("facts", "forget")
    if facts not in CHOICES:
        return _list(request, note=CHOOSE, warning=True, status=422)
    try:
        with as_person(request, erasing=True) as (person, _):
            summary = _summary(entry_id, person)
            removed = talks.forget(summary=summary, with_facts=facts == "forget", by=person, now=timezone.now())
    except NotFound:
        return _gone(request)
    return _changed(request, f"Forgotten. Removed: {', '.join(receipt(removed))}.")


@in_their_language
@require_POST
def leave_out(request: PageRequest, session_id: uuid.UUID) -> HttpResponse:
    """A conversation that goes on is not remembered from now on; what was said so far goes too, unless it is kept."""
    so_far = request.POST.get("so_far", "forget")
    if so_far not in CHOICES:
        return _list(request, note=CHOOSE, warning=True, status=422)
    try:
        with as_person(request, erasing=True) as (person, subject):
            incognito.begin(
                session_id=session_id, subject=subject, forget=so_far == "forget", by=person, now=timezone.now()
            )
    except NotFound:
        return _gone(request)
    return _changed(
        request, "From now on nothing of this conversation is remembered, and nothing we know is used in it."
    )


@in_their_language
@require_POST
def take_in(request: PageRequest, session_id: uuid.UUID) -> HttpResponse:
    """It may be remembered again."""
    try:
        with as_person(request) as (person, subject):
            incognito.end(session_id=session_id, subject=subject, by=person, now=timezone.now())
    except NotFound:
        return _gone(request)
    return _changed(request, "This conversation may be remembered again from now on.")


def _summary(entry_id: uuid.UUID, person: Any) -> Any:
    """The person's summary of that id; a fact is none. Raises NotFound."""
    summary = own(entry_id, person)
    if summary.kind != Kind.EPISODIC:
        raise NotFound
    return summary


def _changed(request: PageRequest, sentence: str) -> HttpResponse:
    if request.htmx:
        return _list(request, note=sentence)
    return done(request, sentence, url=reverse(PLACE))


def _gone(request: PageRequest) -> HttpResponse:
    if request.htmx:
        raise NotFound
    return _list(request, note=GONE, warning=True, status=404)


def _list(request: PageRequest, *, status: int = 200, **shown: Any) -> HttpResponse:
    now = timezone.now()
    going: list[dict[str, Any]] = []
    try:
        with as_person(request) as (person, subject):
            zone = zone_for(request, subject)
            found, after = summaries_of(subject=subject, after=request.GET.get("after", ""), by=person, now=now)
            ids = [summary.entry.pk for summary in found]
            read = of_person(subject, entries=ids, by=person, most=READS)
            told = [
                (remembered(one.entry, zone=zone, reads=read.get(one.entry.pk, ())), one.facts) for one in found
            ]  # fmt: skip
            going = [
                {"session": one, "with": one.agent.name, "since": at_time(one.started_at, zone),
                 "last": at_time(one.last_turn_at, zone), "left_out": _when(one.off_record_at, zone)}
                for one in incognito.going_on(subject, now=now)
            ]  # fmt: skip
    except NotFound:  # nobody has mentioned them yet
        told, after, zone = [], "", request.visitor.zone_of()
    context = {"section": "mine", "tab": "conversations", "going": going, "told": told, "after": after, **shown}
    with timezone.override(zone):
        return page(request, "curation/my_memory/conversations.html", context, part="mine", status=status)


def _when(moment: datetime | None, zone: Any) -> str:
    return at_time(moment, zone) if moment else ""
