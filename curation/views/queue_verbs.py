"""What a curator does with one item of the queue, each a POST that calls one verb, as the API does (R92).

With HTMX the next item comes in place, with a way back for ten seconds; without, the browser is sent to the item that
was decided, which has the way back.
"""

import uuid
from collections.abc import Callable, Mapping
from types import MappingProxyType

from django.forms import Form
from django.http import HttpResponse
from django.urls import reverse
from django.utils import timezone
from django.views.decorators.http import require_POST

from curation.editing import leaves_key, moved
from curation.effects import acting_tools
from curation.forms import EditForm, RejectForm
from curation.fragments import done
from curation.queue_filters import Filters
from curation.queue_forms import AskForm, EscalateForm, MergeForm, NoteForm, SnoozeForm
from curation.refusals import check_page
from curation.typed import as_typed
from curation.views.queue_item import CURATORS, item_page, next_page, pushed
from curation.visitor import PageRequest
from memoryhub.errors import AlreadyDecided, Invalid, NotFound, Stale
from memoryhub.governance import decisions, edits, merging, review_notes, review_queue
from memoryhub.http_errors import status_of
from memoryhub.models import ReviewItem
from memoryhub.tenancy import ALL_SUBJECTS, acting_for
from memoryhub.vocabulary import ReviewState

FIRST_OF_TWO = "Your yes is the first of two; somebody else says the second."
NO_SUCH_MEMORY = "There is no memory with that id. Search for it by its words, or choose one of those above."


@require_POST
def queue_approve(request: PageRequest, item_id: uuid.UUID) -> HttpResponse:
    """Say yes, to the claim as it is or as edited. A skill that may act outside asks once more (R82)."""
    check_page(request.principal, "decide", sentence=CURATORS)
    text, form = None, None
    if "text" in request.POST:
        form = EditForm(request.POST)
        if not form.is_valid():
            return item_page(request, item_id, edit=form, opened="edit", status=422)
        text = form.cleaned_data["text"]
    sure_of, takes_over = request.POST.get("sure_of", ""), "take_over" in request.POST
    if "sure" not in request.POST and _acts_outside(request, item_id):
        return item_page(request, item_id, ask_again=True, edited_text=text or "", takes_over=takes_over, status=422)
    if text and text.split() != sure_of.split() and (leaves := _leaves_key(request, item_id, text)):
        return item_page(
            request, item_id, edit=form, opened="edit", leaves_key=leaves, sure_of=text, takes_over=takes_over,
            status=422,
        )  # fmt: skip
    agreed = {"ask_again": "sure" in request.POST, "edited_text": text or "", "sure_of": sure_of}
    etag = request.POST.get("etag") or None

    def approve() -> ReviewItem:
        return decisions.approve(item_id=item_id, by=request.principal, now=timezone.now(), text=text, etag=etag)

    return decide(
        request, item_id, approve, sentence=_approved, opened="edit" if text is not None else "",
        typed={"edit": form} if form else {}, decides=True, agreed=agreed,
    )  # fmt: skip


@require_POST
def queue_reject(request: PageRequest, item_id: uuid.UUID) -> HttpResponse:
    """Say no, with a reason."""
    check_page(request.principal, "decide", sentence=CURATORS)
    form = RejectForm(request.POST)
    if not form.is_valid():
        return item_page(request, item_id, reject=form, opened="reject", status=422)
    etag = request.POST.get("etag") or None

    def reject() -> ReviewItem:
        return decisions.reject(
            item_id=item_id, reason=form.reason, by=request.principal, now=timezone.now(), etag=etag
        )

    return decide(request, item_id, reject, sentence="Rejected.", opened="reject", typed={"reject": form}, decides=True)


@require_POST
def queue_undo(request: PageRequest, item_id: uuid.UUID) -> HttpResponse:
    """Take a decision back; the item waits again and is shown."""

    def undo() -> ReviewItem:
        return decisions.undo(item_id=item_id, by=request.principal, now=timezone.now())

    return decide(request, item_id, undo, sentence="Taken back: it waits again.", stay=True)


@require_POST
def queue_claim(request: PageRequest, item_id: uuid.UUID) -> HttpResponse:
    """Tell the other curators that you are on it, or take it over from one of them."""

    def claim() -> ReviewItem:
        return decisions.claim(item_id=item_id, by=request.principal, now=timezone.now())

    return decide(request, item_id, claim, sentence="Claimed for ten minutes.", stay=True)


@require_POST
def queue_release(request: PageRequest, item_id: uuid.UUID) -> HttpResponse:
    """Let go of a claimed item."""

    def release() -> ReviewItem:
        return decisions.release(item_id=item_id, by=request.principal, now=timezone.now())

    return decide(request, item_id, release, sentence="Released.", stay=True, idle=True)


@require_POST
def queue_snooze(request: PageRequest, item_id: uuid.UUID) -> HttpResponse:
    """Put it off; it comes back by itself."""
    check_page(request.principal, "decide", sentence=CURATORS)
    form = SnoozeForm(request.POST)
    if not form.is_valid():
        return item_page(request, item_id, snooze=form, opened="snooze", status=422)
    now = timezone.now()
    until = form.moment(now=now, zone=request.visitor.zone_of())
    etag = request.POST.get("etag") or None

    def snooze() -> ReviewItem:
        return decisions.snooze(item_id=item_id, until=until, by=request.principal, now=now, etag=etag)

    return decide(request, item_id, snooze, sentence="Snoozed.", opened="snooze", back="curation:queue-wake",
                  typed={"snooze": form}, decides=True)  # fmt: skip


@require_POST
def queue_wake(request: PageRequest, item_id: uuid.UUID) -> HttpResponse:
    """Bring back what was put off."""

    def wake() -> ReviewItem:
        return decisions.wake(item_id=item_id, by=request.principal, now=timezone.now())

    return decide(request, item_id, wake, sentence="Back in the queue.", stay=True)


@require_POST
def queue_escalate(request: PageRequest, item_id: uuid.UUID) -> HttpResponse:
    """Put it before everything else, with a reason that the others read."""
    check_page(request.principal, "decide", sentence=CURATORS)
    form = EscalateForm(request.POST)
    if not form.is_valid():
        return item_page(request, item_id, escalate=form, opened="escalate", status=422)

    def escalate() -> ReviewItem:
        return decisions.escalate(item_id=item_id, reason=form.reason, by=request.principal, now=timezone.now())

    sentence = "Escalated: it comes first from now on."
    return decide(request, item_id, escalate, sentence=sentence, opened="escalate", back="curation:queue-lower",
                  typed={"escalate": form})  # fmt: skip


@require_POST
def queue_lower(request: PageRequest, item_id: uuid.UUID) -> HttpResponse:
    """Take an escalation back."""

    def lower() -> ReviewItem:
        return decisions.lower(item_id=item_id, by=request.principal, now=timezone.now())

    return decide(request, item_id, lower, sentence="It waits where its turn is.", stay=True)


@require_POST
def queue_merge(request: PageRequest, item_id: uuid.UUID) -> HttpResponse:
    """Fold it into a memory that is in force already; with words to `find`, those of the person that hold them."""
    check_page(request.principal, "decide", sentence=CURATORS)
    if "find" in request.POST and "into" not in request.POST:
        words = as_typed(request.POST["find"])
        return item_page(request, item_id, find=words, opened="merge")
    form = MergeForm(request.POST)
    if not form.is_valid():
        return item_page(request, item_id, merge=form, opened="merge", status=422)
    into, etag = form.cleaned_data["into"], request.POST.get("etag") or None

    def merge() -> ReviewItem:
        try:
            return merging.merge(item_id=item_id, into=into, by=request.principal, now=timezone.now(), etag=etag)
        except NotFound:
            review_queue.get(item_id=item_id, by=request.principal)  # not the item: what it was to go into
            raise Invalid(errors={"into": [NO_SUCH_MEMORY]}) from None

    return decide(request, item_id, merge, sentence="Merged.", opened="merge", typed={"merge": form}, decides=True)


@require_POST
def queue_ask(request: PageRequest, item_id: uuid.UUID) -> HttpResponse:
    """Ask the person it is about; it rests until they answer."""
    check_page(request.principal, "decide", sentence=CURATORS)
    form = AskForm(request.POST)
    if not form.is_valid():
        return item_page(request, item_id, ask=form, opened="ask", status=422)
    question, etag = form.cleaned_data["question"] or None, request.POST.get("etag") or None

    def ask() -> ReviewItem:
        return decisions.ask_person(
            item_id=item_id, question=question, by=request.principal, now=timezone.now(), etag=etag
        )

    return decide(request, item_id, ask, sentence="The person is asked; it rests until they answer.", opened="ask",
                  back="curation:queue-wake", typed={"ask": form}, decides=True)  # fmt: skip


@require_POST
def queue_note(request: PageRequest, item_id: uuid.UUID) -> HttpResponse:
    """Tell the other curators something about it."""
    check_page(request.principal, "decide", sentence=CURATORS)
    form = NoteForm(request.POST)
    if not form.is_valid():
        return item_page(request, item_id, note=form, status=422)

    def note() -> ReviewItem:
        return review_notes.add(
            item_id=item_id, text=form.cleaned_data["text"], by=request.principal, now=timezone.now()
        ).item

    return decide(request, item_id, note, sentence="Noted.", stay=True, typed={"note": form})


def decide(
    request: PageRequest, item_id: uuid.UUID, verb: Callable[[], ReviewItem], *,
    sentence: str | Callable[[ReviewItem], str], stay: bool = False, opened: str = "",
    back: str = "curation:queue-undo", idle: bool = False, typed: Mapping[str, Form] = MappingProxyType({}),
    decides: bool = False, agreed: Mapping[str, object] = MappingProxyType({}),
) -> HttpResponse:  # fmt: skip
    """Call one verb. Somebody first, changed meanwhile or not valid: the item as it is now, with what happened.

    `sentence`: what was done, or what says it of the item. `stay`: the item waits afterwards and is shown again;
    otherwise the next one comes. `opened`: the form to put right. `back`: the address that takes it back, if there is
    one. `idle`: nobody means to go on with it. `typed`: the form as it was sent, by its name on the page; whatever is
    refused, its words are shown again. `decides`: it takes the item away from whoever is on it, so that is asked first;
    `agreed`: what was asked and answered before.
    """
    check_page(request.principal, "decide", sentence=CURATORS)
    try:
        with acting_for(request.principal, subjects=ALL_SUBJECTS):
            if decides and (other := _on_it(request, item_id)):
                if "take_over" not in request.POST:
                    asked = {**typed, **agreed, "held_by": other, "takes_over": True, "opened": opened}
                    return item_page(request, item_id, status=409, **asked)
                decisions.claim(item_id=item_id, by=request.principal, now=timezone.now())
            item = verb()
    except AlreadyDecided as error:
        words = [word for form in typed.values() for word in _words(form)]
        return item_page(request, item_id, beaten=True, words=words, status=status_of(error), **typed)
    except Stale as error:
        return item_page(request, item_id, stale=error.detail, opened=opened, status=status_of(error), **typed)
    except Invalid as error:
        for form in typed.values():
            for name in form.fields.keys() & error.errors.keys():
                for fault in error.errors[name]:
                    form.add_error(name, fault)
        at_fields = {name for form in typed.values() for name in form.fields}
        elsewhere = [fault for name, field in error.errors.items() if name not in at_fields for fault in field]
        faults = elsewhere if error.errors else [error.detail]
        return item_page(request, item_id, faults=faults, refused=True, opened=opened, status=status_of(error), **typed)
    said = sentence if isinstance(sentence, str) else sentence(item)
    address = reverse("curation:queue-item", args=[item_id]) + Filters.read(request.GET).place
    if not request.htmx:
        return done(request, said, url=address)
    if stay:
        return pushed(item_page(request, item_id, said=said, idle=idle), address)
    return next_page(request, item, sentence=said, back=back)


def _approved(item: ReviewItem) -> str:
    """What a yes did: it may wait for a second, and an edit may have taken a key away."""
    if item.state == ReviewState.WAITING:
        return FIRST_OF_TWO
    edit = edits.by(item)
    if edit is None or item.entry is None or not edit.lost_key:
        return "Approved."
    return f"Approved as edited. {moved(edit.lost_key, item.entry.key)}"


def _on_it(request: PageRequest, item_id: uuid.UUID) -> str:
    """Which colleague is on an item that waits."""
    item = review_queue.alone(item_id=item_id, by=request.principal)
    waits = item.state == ReviewState.WAITING
    return decisions.held_by_another(item, by=request.principal, now=timezone.now()) if waits else ""


def _leaves_key(request: PageRequest, item_id: uuid.UUID, text: str) -> str:
    with acting_for(request.principal, subjects=ALL_SUBJECTS):
        item = review_queue.alone(item_id=item_id, by=request.principal)
        return leaves_key(item, text, now=timezone.now())


def _words(form: Form) -> list[str]:
    """What somebody wrote in their own words, not what they chose."""
    return [form.cleaned_data[name] for name in ("text", "question") if form.cleaned_data.get(name)]


def _acts_outside(request: PageRequest, item_id: uuid.UUID) -> bool:
    """Whether a yes would put tools in an agent's hands that change things outside."""
    with acting_for(request.principal, subjects=ALL_SUBJECTS):
        item = review_queue.alone(item_id=item_id, by=request.principal)
        return item.skill is not None and item.state == ReviewState.WAITING and bool(acting_tools(item.skill))
