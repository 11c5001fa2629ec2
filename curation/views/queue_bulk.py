"""Many items of the queue in one go: first what would be decided and what not, then all of it or nothing (R92)."""

import uuid
from typing import Any

from django.http import HttpResponse, HttpResponseRedirect
from django.urls import reverse
from django.utils import timezone
from django.views.decorators.http import require_POST, require_safe

from curation.forms import REJECT_REASONS, RejectForm
from curation.fragments import done, page
from curation.queue_filters import Filters, short
from curation.refusals import check_page
from curation.views.queue import STAFF, list_page
from curation.visitor import PageRequest
from memoryhub.errors import Invalid, NotFound, NotGranted, Stale
from memoryhub.governance import bulk
from memoryhub.http_errors import status_of
from memoryhub.permissions import can_do
from memoryhub.tenancy import ALL_SUBJECTS, acting_for

CURATORS = "Only a curator decides."


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
        "reject": RejectForm(),
        "reasons": REJECT_REASONS,
        "shortcuts": request.visitor.shortcuts,
        **shown,
    }
    return page(request, "curation/queue/bulk.html", context, status=status)


def _batch(request: PageRequest, batch: uuid.UUID, *, status: int = 200, **shown: Any) -> HttpResponse:
    with acting_for(request.principal, subjects=ALL_SUBJECTS):
        items = bulk.items_of(batch, by=request.principal)
    if not items:
        raise NotFound
    context = {
        "section": "queue",
        "batch": batch,
        "items": items,
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
