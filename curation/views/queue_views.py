"""Views of the queue that a curator saves and comes back to, and may share (R92)."""

import uuid

from django.http import HttpResponse
from django.urls import reverse
from django.utils import timezone
from django.views.decorators.http import require_POST

from curation.fragments import done
from curation.queue_filters import Filters
from curation.queue_forms import ViewForm
from curation.refusals import check_page
from curation.views.queue import STAFF, list_page
from curation.visitor import PageRequest
from memoryhub.errors import Invalid
from memoryhub.governance.saved_views import TAKEN, own, remove, save
from memoryhub.http_errors import status_of
from memoryhub.tenancy import ALL_SUBJECTS, acting_for


@require_POST
def queue_views(request: PageRequest) -> HttpResponse:
    """Keep the filters of the address under a name."""
    check_page(request.principal, "read_queue", sentence=STAFF)
    filters = Filters.read(request.GET)
    form = ViewForm(request.POST)
    if not form.is_valid():
        return list_page(request, filters, view=form, status=422)
    given = form.cleaned_data
    try:
        with acting_for(request.principal, subjects=ALL_SUBJECTS):
            save(
                name=given["name"], query=filters.plain, shared=given["shared"], is_default=given["is_default"],
                replaces=given["replaces"], by=request.principal, now=timezone.now(),
            )  # fmt: skip
    except Invalid as refusal:
        if refusal.code == TAKEN:
            return _ask(request, filters, form)
        form.add_error("name", " ".join(refusal.faults))
        return list_page(request, filters, view=form, status=status_of(refusal))
    return done(request, "The view is saved.", url=_list(filters))


@require_POST
def queue_view_remove(request: PageRequest, view_id: uuid.UUID) -> HttpResponse:
    """Forget a view of one's own."""
    check_page(request.principal, "read_queue", sentence=STAFF)
    with acting_for(request.principal, subjects=ALL_SUBJECTS):
        remove(view_id=view_id, by=request.principal, now=timezone.now())
    return done(request, "The view is removed.", url=_list(Filters.read(request.GET)))


def _ask(request: PageRequest, filters: Filters, form: ViewForm) -> HttpResponse:
    """Does the visitor mean to replace the view that has this name? What it is beside its filters stays, unless they
    say otherwise."""
    with acting_for(request.principal, subjects=ALL_SUBJECTS):
        taken = own(form.cleaned_data["name"], by=request.principal)
    stays = {name: "on" for name in ("shared", "is_default") if taken is not None and getattr(taken, name)}
    form = ViewForm({**request.POST.dict(), **stays})
    form.add_error("name", "You have a view of this name. Save once more to give it these filters, or choose another.")
    return list_page(request, filters, view=form, taken=taken.name if taken else "", status=422)


def _list(filters: Filters) -> str:
    return reverse("curation:queue-list") + (filters.place or "?all=yes")
