"""What I remember about you: one person sees, corrects, confirms, forgets and takes along what is kept (R90).

The visitor acts as the person: bound to their one subject, so that nothing else is found or changed, whatever address
is typed. Reached by signing in or by a one-time link.
"""

import uuid
from typing import Any

from django.http import HttpResponse, JsonResponse
from django.shortcuts import redirect
from django.urls import reverse
from django.utils import timezone
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from accounts import links, step_up
from curation.as_person import as_person, zone_for
from curation.as_person import own as own_entry
from curation.forms import FORGET_WORD, ForgetEverythingForm, PauseForm, StatementForm
from curation.fragments import done, page
from curation.middleware import open_to_all
from curation.plain_refusals import kind_in_words, refusals_of, unwanted_of
from curation.plain_words import outcome_of, receipt, remembered
from curation.remembering import what_is_kept
from curation.visitor import PageRequest, open_link_visit
from memoryhub.errors import AlreadyDecided, Invalid, NotFound
from memoryhub.governance import answers, audit, confirmation, erasure, export, intake, never_again, subjects
from memoryhub.governance.unwanted import kind_of
from memoryhub.permissions import check_may_touch_authority
from memoryhub.tenancy import Principal, acting_for, knowing
from memoryhub.vocabulary import Channel, Role

HOME = "curation:my-memory"


@require_safe
def my_memory(request: PageRequest) -> HttpResponse:
    """Everything that is remembered about the visitor, newest first."""
    return _mine(request)


@open_to_all
@require_http_methods(["GET", "HEAD", "POST"])
def enter(request: PageRequest, token: str) -> HttpResponse:
    """A one-time link: opening it shows a button, pressing the button uses it up (link scanners only open)."""
    now, digest = timezone.now(), links.digest_of(token)
    with knowing("link", digest):
        link = links.usable(digest, now=now)
        if link is not None and request.method == "POST":
            link = link if links.use(link, now=now) else None
            if link is not None:
                by = Principal(organisation=link.organisation_id, label=f"link:{link.pk}", bound_subject=link.subject)
                with acting_for(by, subjects=()):
                    audit.record(by=by, now=now, action="page_link.open", object_kind="page_link", object_id=link.pk)
    if link is None:
        return page(request, "curation/my_memory/enter.html", {"usable": False}, status=404)
    if request.method != "POST":
        return page(request, "curation/my_memory/enter.html", {"usable": True})
    open_link_visit(request, organisation=link.organisation_id, subject=link.subject, link=link.pk, now=now)
    return redirect(HOME)


@require_POST
def still_true(request: PageRequest, entry_id: uuid.UUID) -> HttpResponse:
    """The person confirms a statement: it is kept for another while."""
    with as_person(request) as (person, _):
        entry = own_entry(entry_id, person)
        check_may_touch_authority(person, entry.category)
        confirmation.confirm(entry=entry, by=person, now=timezone.now())
    return _changed(request, "Thank you. We keep it for longer now.")


@require_POST
def not_any_more(request: PageRequest, entry_id: uuid.UUID) -> HttpResponse:
    """The person says that a statement is true no more: it ends now, and is kept as history until they forget it."""
    try:
        with as_person(request) as (person, _):
            entry = own_entry(entry_id, person)
            check_may_touch_authority(person, entry.category)
            confirmation.no_longer(entry=entry, by=person, now=timezone.now())
    except AlreadyDecided:
        return _changed(request, "It had ended already; thank you all the same.", warning=True)
    return _changed(request, "Thank you. From now on it is not used any more.")


@require_POST
def never_keep(request: PageRequest, entry_id: uuid.UUID) -> HttpResponse:
    """The person wants nothing of this kind to be kept: this one goes, and none like it comes back."""
    try:
        with as_person(request, erasing=True) as (person, _):
            entry = own_entry(entry_id, person)
            words = kind_in_words(kind_of(entry))
            never_again.never_again(entry=entry, by=person, now=timezone.now())
    except Invalid as refusal:
        return _changed(request, refusal.detail, warning=True)
    return _changed(request, f"Forgotten, and {words} is not remembered from now on.")


@require_POST
def keep_again(request: PageRequest) -> HttpResponse:
    """The person takes that back: such things may be remembered again."""
    with as_person(request) as (person, subject):
        never_again.keep_again(subject=subject, kind=request.POST.get("kind", ""), by=person, now=timezone.now())
    return _changed(request, "It may be remembered again.")


@require_POST
def answer(request: PageRequest, question_id: uuid.UUID) -> HttpResponse:
    """The person answers what somebody who looks after their memory asked; a curator goes by it."""
    said, text = request.POST.get("answer", ""), request.POST.get("text", "")
    try:
        with as_person(request) as (person, _):
            answers.answer(question_id=question_id, answer=said, text=text, by=person, now=timezone.now())
    except AlreadyDecided as settled:
        return _changed(request, settled.detail, warning=True)
    except Invalid as refusal:
        wrong = {"question": question_id, "fault": refusal.faults[0], "text": text}
        return _mine(request, wrong_answer=wrong, status=422)
    return _changed(request, "Thank you. One of our people goes by what you say.")


@require_POST
def correct(request: PageRequest, entry_id: uuid.UUID) -> HttpResponse:
    """The person says how it really is: offered to the gate as their own words, like anything else."""
    form = StatementForm(request.POST)
    if not form.is_valid():
        return _mine(request, wrong={"entry": entry_id, "form": form}, status=422)
    with as_person(request) as (person, subject):
        entry = own_entry(entry_id, person)
        check_may_touch_authority(person, entry.category)
        proposal = intake.Proposal(
            subject=subject,
            text=form.cleaned_data["text"],
            channel=Channel.USER_PAGE,
            role=Role.CUSTOMER,
            corrects=entry,
        )
        outcome = intake.propose(proposal=proposal, by=person, now=timezone.now())
    sentence, kept = outcome_of(outcome.results)
    return _changed(request, sentence, warning=not kept)


@require_POST
def forget(request: PageRequest, entry_id: uuid.UUID) -> HttpResponse:
    """The person takes one thing back: it goes, with everything made from it."""
    with as_person(request, erasing=True) as (person, _):
        entry = own_entry(entry_id, person)
        check_may_touch_authority(person, entry.category)
        receipted = erasure.erase_entry(entry=entry, by=person, now=timezone.now())
    removed = ", ".join(receipt(receipted.removed))
    return _changed(request, f"Forgotten. Removed: {removed}." if removed else "Forgotten.")


@require_POST
def dispute(request: PageRequest, entry_id: uuid.UUID) -> HttpResponse:
    """Something the person may not change themselves is wrong: a curator is asked."""
    form = StatementForm(request.POST)
    if not form.is_valid():
        return _mine(request, wrong={"entry": entry_id, "form": form}, status=422)
    with as_person(request) as (person, _):
        entry = own_entry(entry_id, person)
        confirmation.dispute(entry=entry, reason=form.cleaned_data["text"], by=person, now=timezone.now())
    return _changed(request, "Thank you. One of our people is going to look at it.")


@require_POST
def pause(request: PageRequest) -> HttpResponse:
    """Stop or resume remembering."""
    form = PauseForm(request.POST)
    if not form.is_valid():
        return _mine(request, status=422)
    paused, use_existing = form.cleaned_data["paused"], form.cleaned_data["use_existing"]
    with as_person(request) as (person, subject):
        subjects.pause(
            subject=subject, paused=paused, use_existing=use_existing if paused else True, by=person, now=timezone.now()
        )
    return _changed(request, "Paused: nothing new is remembered." if paused else "Remembering is on again.")


@require_http_methods(["GET", "HEAD", "POST"])
@step_up.required
def forget_everything(request: PageRequest) -> HttpResponse:
    """All of it goes, after a word is typed; the receipt says what was removed."""
    form = ForgetEverythingForm(request.POST or None)
    context: dict[str, Any] = {"section": "mine", "form": form, "word": FORGET_WORD}
    if request.method != "POST" or not form.is_valid():
        status = 422 if request.method == "POST" else 200
        return page(request, "curation/my_memory/forget_everything.html", context, status=status)
    with as_person(request, erasing=True) as (person, subject):
        receipted = erasure.erase_subject(subject=subject, by=person, now=timezone.now())
        zone = zone_for(request, subject)
    context |= {"receipt": receipted, "removed": receipt(receipted.removed)}
    with timezone.override(zone):
        return page(request, "curation/my_memory/forgotten.html", context)


@require_safe
@step_up.required
def download(request: PageRequest) -> HttpResponse:
    """Everything as a file for programs; what is in it is described in the documentation of the export."""
    with as_person(request) as (person, subject):
        everything = export.export_subject(subject=subject, by=person, now=timezone.now())
    response = JsonResponse(everything, json_dumps_params={"indent": 2, "ensure_ascii": False})
    response["Content-Disposition"] = 'attachment; filename="what-is-remembered.json"'
    return response


def _changed(request: PageRequest, sentence: str, *, warning: bool = False) -> HttpResponse:
    if request.htmx:
        return _mine(request, note=sentence, warning=warning)
    return done(request, sentence, url=reverse(HOME), warning=warning)


def _mine(request: PageRequest, *, status: int = 200, **shown: Any) -> HttpResponse:
    """The page, or the part of it that changes. `shown` says what just happened."""
    now = timezone.now()
    try:
        with as_person(request) as (person, subject):
            zone = zone_for(request, subject)
            kept = what_is_kept(subject=subject, after=request.GET.get("after", ""), by=person, now=now)
            own, asked = (
                [remembered(entry, zone=zone, reads=kept.reads.get(entry.pk, ())) for entry in rows]
                for rows in (kept.own, kept.asked)
            )
            refusals = refusals_of(subject, now=now, zone=zone)
            groups = [
                (group, [remembered(entry, zone=zone, own=False) for entry in rows]) for group, rows in kept.groups
            ]
    except NotFound:  # nobody has mentioned them yet
        context = {"section": "mine", "nobody": True, **shown}
        return page(request, "curation/my_memory/page.html", context, part="mine", status=status)
    context = {
        "section": "mine",
        "tab": "facts",
        "subject": subject,
        "count": kept.count,
        "since": kept.since,
        "questions": kept.questions,
        "asked": asked,
        "facts": own,
        "summaries": kept.summaries,
        "refusals": refusals,
        "unwanted": unwanted_of(subject),
        "groups": groups,
        "after": kept.after,
        **shown,
    }
    with timezone.override(zone):
        return page(request, "curation/my_memory/page.html", context, part="mine", status=status)
