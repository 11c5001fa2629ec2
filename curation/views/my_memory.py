"""What I remember about you: one person sees, corrects, confirms and forgets what is kept (R90).

The visitor acts as the person: bound to their one subject, so that nothing else is found or changed, whatever address
is typed. Reached by signing in or by a one-time link. Each form says which version it was made for: what changed since,
in another window or by somebody else, is shown as it is now, and the words that were typed are kept.
"""

import uuid
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Final

from django.http import HttpResponse
from django.shortcuts import redirect
from django.urls import reverse
from django.utils import timezone
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from accounts import links
from curation.as_person import as_person, zone_for
from curation.as_person import own as own_entry
from curation.days import in_their_language
from curation.forms import PauseForm, StatementForm
from curation.fragments import done, page
from curation.middleware import open_to_all
from curation.plain_refusals import TOPICS, kind_in_words, refusals_of, unwanted_of
from curation.plain_words import outcome_of, receipt, remembered
from curation.remembering import Narrowed, living, what_is_kept
from curation.visitor import PageRequest, open_link_visit
from memoryhub.errors import AlreadyDecided, Invalid, NotFound
from memoryhub.governance import answers, audit, confirmation, erasure, grace, intake, never_again, subjects
from memoryhub.governance.unwanted import kind_of
from memoryhub.models import Entry
from memoryhub.permissions import check_may_touch_authority
from memoryhub.tenancy import Principal, acting_for, knowing
from memoryhub.vocabulary import Channel, Role

HOME: Final = "curation:my-memory"
GONE: Final = (
    "That is not here any more; it was removed in the meantime, perhaps in another window. Nothing was changed."
)
CHANGED: Final = "This changed in the meantime, perhaps in another window. It stands here as it is now; look again."
PAUSE_OR_NOT: Final = "Nothing was changed. Say whether to pause remembering or to go on."
KEPT_WORDS: Final = f"{CHANGED} What you wrote is kept."


@dataclass(frozen=True)
class Wrong:
    """Words that have to be looked at again: of the form of an entry, or of one that is not there any more."""

    text: str
    fault: str
    entry: uuid.UUID | None = None


class _Outdated(Exception):
    """The form was made for another version; `now` is what stands in its place, if anything does."""

    def __init__(self, now: Entry | None) -> None:
        self.now = now


@in_their_language
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


@in_their_language
@require_POST
def still_true(request: PageRequest, entry_id: uuid.UUID) -> HttpResponse:
    """The person confirms a statement: it is kept for another while."""

    def confirm(entry: Entry, person: Principal) -> str:
        check_may_touch_authority(person, entry.category)
        confirmation.confirm(entry=entry, by=person, now=timezone.now())
        return "Thank you. We keep it for longer now."

    return _about(request, entry_id, confirm)


@in_their_language
@require_POST
def not_any_more(request: PageRequest, entry_id: uuid.UUID) -> HttpResponse:
    """The person says that a statement is true no more: it ends now, and is kept as history until they forget it."""

    def end(entry: Entry, person: Principal) -> str:
        check_may_touch_authority(person, entry.category)
        confirmation.no_longer(entry=entry, by=person, now=timezone.now())
        return "Thank you. From now on it is not used any more."

    return _about(request, entry_id, end, over="It had ended already; thank you all the same.")


@in_their_language
@require_POST
def never_keep(request: PageRequest, entry_id: uuid.UUID) -> HttpResponse:
    """The person wants nothing of this kind to be kept: this one goes, and none like it comes back."""

    def leave_out(entry: Entry, person: Principal) -> str:
        words = kind_in_words(kind_of(entry))
        never_again.never_again(entry=entry, by=person, now=timezone.now())
        return f"Forgotten, and {words} is not remembered from now on."

    return _about(request, entry_id, leave_out, erasing=True)


@in_their_language
@require_POST
def keep_again(request: PageRequest) -> HttpResponse:
    """The person takes that back: such things may be remembered again."""
    with as_person(request) as (person, subject):
        never_again.keep_again(subject=subject, kind=request.POST.get("kind", ""), by=person, now=timezone.now())
    return _changed(request, "It may be remembered again.")


@in_their_language
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
        fault = refusal.faults[0]
        wrong = {"question": question_id, "fault": fault, "text": text}
        return _mine(request, wrong_answer=wrong, note=f"Nothing was answered. {fault}", warning=True, status=422)
    return _changed(request, "Thank you. One of our people goes by what you say.")


@in_their_language
@require_POST
def correct(request: PageRequest, entry_id: uuid.UUID) -> HttpResponse:
    """The person says how it really is: offered to the gate as their own words, like anything else."""

    def offer(entry: Entry, person: Principal) -> tuple[str, bool]:
        check_may_touch_authority(person, entry.category)
        proposal = intake.Proposal(
            subject=entry.subject, text=text, channel=Channel.USER_PAGE, role=Role.CUSTOMER, corrects=entry
        )
        return outcome_of(intake.propose(proposal=proposal, by=person, now=timezone.now()).results)

    form = StatementForm(request.POST)
    if not form.is_valid():
        return _wrong(request, entry_id, form)
    text = form.cleaned_data["text"]
    return _about(request, entry_id, offer, words=text)


@in_their_language
@require_POST
def forget(request: PageRequest, entry_id: uuid.UUID) -> HttpResponse:
    """The person takes one thing back: it goes, with everything made from it."""

    def erase(entry: Entry, person: Principal) -> str:
        check_may_touch_authority(person, entry.category)
        receipted = erasure.erase_entry(entry=entry, by=person, now=timezone.now())
        removed = ", ".join(receipt(receipted.removed))
        return f"Forgotten. Removed: {removed}." if removed else "Forgotten."

    return _about(request, entry_id, erase, erasing=True)


@in_their_language
@require_POST
def dispute(request: PageRequest, entry_id: uuid.UUID) -> HttpResponse:
    """Something the person may not change themselves is wrong: a curator is asked."""

    def ask(entry: Entry, person: Principal) -> str:
        confirmation.dispute(entry=entry, reason=text, by=person, now=timezone.now())
        return "Thank you. One of our people is going to look at it."

    form = StatementForm(request.POST)
    if not form.is_valid():
        return _wrong(request, entry_id, form)
    text = form.cleaned_data["text"]
    return _about(request, entry_id, ask, words=text)


@in_their_language
@require_POST
def pause(request: PageRequest) -> HttpResponse:
    """Stop or resume remembering."""
    form = PauseForm(request.POST)
    if not form.is_valid():
        return _mine(request, note=PAUSE_OR_NOT, warning=True, status=422)
    paused, use_existing = form.cleaned_data["paused"], form.cleaned_data["use_existing"]
    try:
        with as_person(request) as (person, subject):
            use = use_existing if paused else True
            subjects.pause(subject=subject, paused=paused, use_existing=use, by=person, now=timezone.now())
    except Invalid as refusal:
        return _changed(request, refusal.detail, warning=True)
    return _changed(request, "Paused: nothing new is remembered." if paused else "Remembering is on again.")


def _about(
    request: PageRequest,
    entry_id: uuid.UUID,
    verb: Callable[[Entry, Principal], str | tuple[str, bool]],
    *,
    words: str = "",
    erasing: bool = False,
    over: str = CHANGED,
) -> HttpResponse:
    """Do it to the entry that the form was made for, and say what came of it. `over`: what to say where it is not in
    force any more. Words that could not be used are shown again.
    """
    try:
        with as_person(request, erasing=erasing) as (person, _):
            entry = own_entry(entry_id, person)
            _check_version(request, entry)
            said = verb(entry, person)
    except _Outdated as change:
        outdated = Wrong(words, KEPT_WORDS if words else CHANGED, change.now.pk if change.now else None)
        return _mine(request, wrong=outdated, note=CHANGED, warning=True, status=409)
    except AlreadyDecided:
        wrong = Wrong(words, KEPT_WORDS) if words else None
        return _mine(request, wrong=wrong, note=over, warning=True, status=409)
    except Invalid as refusal:
        return _changed(request, refusal.faults[0], warning=True)
    except NotFound:
        if request.htmx:
            raise
        return _mine(request, wrong=Wrong(words, GONE) if words else None, note=GONE, warning=True, status=404)
    sentence, kept = said if isinstance(said, tuple) else (said, True)
    return _changed(request, sentence, warning=not kept)


def _check_version(request: PageRequest, entry: Entry) -> None:
    """Raises _Outdated where the form was made for another version than there is."""
    seen = request.POST.get("seen", "")
    if seen and seen != entry.etag:
        raise _Outdated(living(entry, now=timezone.now()))


def _wrong(request: PageRequest, entry_id: uuid.UUID, form: StatementForm) -> HttpResponse:
    """The form of an entry once more, with its fault and what was typed."""
    with as_person(request) as (person, _):
        own_entry(entry_id, person)
    wrong = Wrong(str(form.data.get("text", "")), str(form.errors["text"][0]), entry_id)
    return _mine(request, wrong=wrong, note=f"Nothing was changed. {wrong.fault}", warning=True, status=422)


def _changed(request: PageRequest, sentence: str, *, warning: bool = False) -> HttpResponse:
    if request.htmx:
        return _mine(request, note=sentence, warning=warning)
    here = Narrowed.read(request.GET).address()
    return done(request, sentence, url=f"{reverse(HOME)}{f'?{here}' if here else ''}", warning=warning)


def _mine(request: PageRequest, *, status: int = 200, wrong: Wrong | None = None, **shown: Any) -> HttpResponse:
    """The page, or the part of it that changes. `shown` says what just happened, `wrong` what has to be put right."""
    now, narrowed = timezone.now(), Narrowed.read(request.GET)
    try:
        with as_person(request) as (person, subject):
            zone = zone_for(request, subject)
            kept = what_is_kept(subject=subject, narrowed=narrowed, by=person, now=now)
            own, asked = (
                [remembered(entry, zone=zone, reads=kept.reads.get(entry.pk, ())) for entry in rows]
                for rows in (kept.own, kept.asked)
            )
            apart = None
            if wrong and wrong.entry and wrong.entry not in {one.entry.pk for one in (*own, *asked)}:
                apart = remembered(own_entry(wrong.entry, person), zone=zone)
            refusals = refusals_of(subject, now=now, zone=zone)
            groups = [
                (group, [remembered(entry, zone=zone, own=False) for entry in rows]) for group, rows in kept.groups
            ]
            going = grace.of(subject)
    except NotFound:  # nobody has mentioned them yet
        context = {"section": "mine", "tab": "facts", "nobody": True, "wrong": wrong, **shown}
        return page(request, "curation/my_memory/page.html", context, part="mine", status=status)
    context = {
        "section": "mine",
        "tab": "facts",
        "subject": subject,
        "going": going,
        "count": kept.count,
        "since": kept.since,
        "questions": kept.questions,
        "asked": asked,
        "facts": own,
        "apart": apart,
        "wrong": wrong,
        "summaries": kept.summaries,
        "refusals": refusals,
        "unwanted": unwanted_of(subject),
        "groups": groups,
        "topics": [
            (TOPICS[category], count, Narrowed(category).address(), category == narrowed.about)
            for category, count in kept.topics
        ],
        "narrowed": narrowed,
        "place": f"?{here}" if (here := narrowed.address()) else "",
        "older": narrowed.address(after=kept.after) if kept.after else "",
        "newest": narrowed.address(after=""),
        **shown,
    }
    with timezone.override(zone):
        return page(request, "curation/my_memory/page.html", context, part="mine", status=status)
