"""Many items of the queue in one go: first what would be decided and what not, then all of it or nothing (R92)."""

import uuid
from typing import Any, Final

from django.http import HttpResponse, HttpResponseRedirect
from django.urls import reverse
from django.utils import timezone
from django.views.decorators.http import require_POST, require_safe

from curation.forms import REJECT_REASONS, RejectForm
from curation.fragments import done, page
from curation.queue_filters import Filters, short
from curation.queue_forms import ESCALATIONS, SNOOZES, EscalateForm, SnoozeForm
from curation.refusals import check_page
from curation.views.queue import STAFF, list_page
from curation.visitor import PageRequest
from memoryhub.errors import Invalid, NotFound, NotGranted, Stale
from memoryhub.governance import bulk
from memoryhub.http_errors import status_of
from memoryhub.permissions import can_do
from memoryhub.tenancy import ALL_SUBJECTS, acting_for

CURATORS = "Only a curator decides."
#: Verb → what its button says; what was done to so many is in MOVED.
NAMES: Final = {
    "approve": "Approve", "reject": "Reject", "snooze": "Snooze", "wake": "Bring back", "escalate": "Escalate",
    "lower": "Put back in turn",
}  # fmt: skip
MOVED: Final = {
    "snooze": "Snoozed: {}. They stand under “How it stands: Snoozed”, where you can bring them back.",
    "wake": "Brought back: {}.",
    "escalate": "Escalated: {}. They come first; under “How it stands: Escalated” you can put them back.",
    "lower": "Put back in their turn: {}.",
}


@require_POST
def queue_bulk(request: PageRequest) -> HttpResponse:
    """What a yes or a no to the selected items would do; nothing is decided yet."""
    check_page(request.principal, "decide", sentence=CURATORS)
    return _preview(request, request.POST.getlist("ids"))


@require_POST
def queue_bulk_decide(request: PageRequest) -> HttpResponse:
    """Decide all that was shown, or none of it when any of it changed meanwhile."""
    check_page(request.principal, "decide", sentence=CURATORS)
    ids, verb = request.POST.getlist("ids"), request.POST.get("verb", "")
    if verb in bulk.MOVING:
        return _move(request, ids, verb)
    reason = ""
    if verb == "reject":
        form = RejectForm(request.POST)
        if not form.is_valid():
            return _preview(request, ids, reject=form, status=422)
        reason = form.reason
    try:
        with acting_for(request.principal, subjects=ALL_SUBJECTS):
            batch = bulk.decide(
                ids=ids, verb=verb, reason=reason, by=request.principal, now=timezone.now(),
                etag=request.POST.get("etag") or None,
            )  # fmt: skip
    except (Stale, Invalid, NotGranted) as refusal:
        return _preview(request, ids, fault=_words(refusal), status=status_of(refusal))
    response = HttpResponseRedirect(reverse("curation:queue-batch", args=[batch.id]) + Filters.read(request.GET).query)
    response.status_code = 303
    return response


def _move(request: PageRequest, ids: list[str], verb: str) -> HttpResponse:
    """Put all of them off or first, or take that back."""
    now, filters = timezone.now(), Filters.read(request.GET)
    until, reason = None, ""
    if verb == "snooze":
        snooze = SnoozeForm(request.POST)
        if not snooze.is_valid():
            return _preview(request, ids, snooze=snooze, status=422)
        until = snooze.moment(now=now, zone=request.visitor.zone_of())
    elif verb == "escalate":
        escalate = EscalateForm(request.POST)
        if not escalate.is_valid():
            return _preview(request, ids, escalate=escalate, status=422)
        reason = escalate.reason
    try:
        with acting_for(request.principal, subjects=ALL_SUBJECTS):
            moved = bulk.move(
                ids=ids, verb=verb, until=until, reason=reason, by=request.principal, now=now,
                etag=request.POST.get("etag") or None,
            )  # fmt: skip
    except (Stale, Invalid, NotGranted) as refusal:
        return _preview(request, ids, fault=_words(refusal), status=status_of(refusal))
    url = reverse("curation:queue-list") + (filters.only(selected="").place or "?all=yes")
    return done(request, MOVED[verb].format(len(moved)), url=url)


@require_safe
def queue_batch(request: PageRequest, batch: uuid.UUID) -> HttpResponse:
    """What was decided in one go, item by item, and the way back."""
    check_page(request.principal, "read_queue", sentence=STAFF)
    return _batch(request, batch)


@require_POST
def queue_batch_undo(request: PageRequest, batch: uuid.UUID) -> HttpResponse:
    """Take all of it back, or nothing."""
    check_page(request.principal, "decide", sentence=CURATORS)
    try:
        with acting_for(request.principal, subjects=ALL_SUBJECTS):
            undone = bulk.undo(batch=batch, by=request.principal, now=timezone.now())
    except (Stale, NotGranted) as refusal:
        return _batch(request, batch, fault=refusal.detail, status=status_of(refusal))
    return done(request, f"Taken back: all {len(undone)} wait again.", url=_list(request))


def _preview(request: PageRequest, ids: list[str], *, status: int = 200, **shown: Any) -> HttpResponse:
    filters, verb = Filters.read(request.GET), request.POST.get("verb", "")
    try:
        with acting_for(request.principal, subjects=ALL_SUBJECTS):
            found = bulk.preview(ids=ids, verb=verb, by=request.principal, now=timezone.now())
    except (Invalid, NotFound) as refusal:
        return list_page(request, filters, fault=_words(refusal), status=422)
    selected = [short(item) for item in (*found.eligible, *(item for item, _ in found.ineligible))]
    context = {
        "section": "queue",
        "found": found,
        "verb": verb,
        "filters": filters.only(selected=".".join(selected)),
        "name": NAMES.get(verb, ""),
        "reject": RejectForm(),
        "reasons": REJECT_REASONS,
        "snooze": SnoozeForm(),
        "snoozes": SNOOZES.items(),
        "escalate": EscalateForm(),
        "escalations": ESCALATIONS,
        "shortcuts": request.visitor.shortcuts,
        **shown,
    }
    return page(request, "curation/queue/bulk.html", context, status=status)


def _batch(request: PageRequest, batch: uuid.UUID, *, status: int = 200, **shown: Any) -> HttpResponse:
    with acting_for(request.principal, subjects=ALL_SUBJECTS):
        items = bulk.items_of(batch, by=request.principal)
        undone = not items and bulk.was_undone(batch, by=request.principal)
    if not items and not undone:
        raise NotFound
    context = {
        "section": "queue",
        "batch": batch,
        "items": items,
        "undone": undone,
        "filters": Filters.read(request.GET),
        "may_decide": can_do(request.principal, "decide"),
        "shortcuts": request.visitor.shortcuts,
        **shown,
    }
    with timezone.override(request.visitor.zone_of()):
        return page(request, "curation/queue/batch.html", context, status=status)


def _words(refusal: Invalid | NotFound | NotGranted | Stale) -> str:
    return " ".join(refusal.faults) if isinstance(refusal, Invalid) else refusal.detail


def _list(request: PageRequest) -> str:
    return reverse("curation:queue-list") + (Filters.read(request.GET).place or "?all=yes")
