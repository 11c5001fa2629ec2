"""What runs by itself: when it begins, what each job did last, and what could not be done (R70, R77)."""

from typing import Any

from django.http import HttpResponse
from django.urls import reverse
from django.utils import timezone
from django.views.decorators.http import require_http_methods, require_POST

from curation.forms import TimesForm
from curation.fragments import done, page
from curation.refusals import check_page
from curation.views.dreams import STAFF
from curation.visitor import PageRequest
from memoryhub.dreams import backlog, schedules, upkeep
from memoryhub.errors import NotFound
from memoryhub.permissions import can_do
from memoryhub.tenancy import ALL_SUBJECTS, acting_for
from memoryhub.vocabulary import Chore, Deed

HOME = "curation:upkeep"
OPERATORS = "Only an operator changes what runs by itself."


@require_http_methods(["GET", "HEAD", "POST"])
def overview(request: PageRequest) -> HttpResponse:
    """The times, the jobs of housekeeping with their last runs, and what is stuck; a POST sets the times."""
    check_page(request.principal, "read_dreams", sentence=STAFF)
    form = None
    if request.method == "POST":
        check_page(request.principal, "dream", sentence=OPERATORS)
        form = TimesForm(request.POST)
        if form.is_valid():
            with acting_for(request.principal, subjects=ALL_SUBJECTS):
                schedules.change(**form.times, by=request.principal, now=timezone.now())
            return done(request, "The times are set.", url=reverse(HOME))
    return _overview(request, form=form)


@require_POST
def run_chore(request: PageRequest, chore: str) -> HttpResponse:
    """One job of housekeeping, as soon as a worker is free."""
    check_page(request.principal, "dream", sentence=OPERATORS)
    if chore not in Chore.values:
        raise NotFound
    with acting_for(request.principal, subjects=ALL_SUBJECTS):
        upkeep.ask_for(chore=Chore(chore), by=request.principal, now=timezone.now())
    return done(request, "It was asked for; its report appears here.", url=reverse(HOME))


@require_POST
def try_again(request: PageRequest) -> HttpResponse:
    """Conversations that were set aside are read by the next dream, which is asked for."""
    check_page(request.principal, "dream", sentence=OPERATORS)
    with acting_for(request.principal, subjects=ALL_SUBJECTS):
        dream = upkeep.read_set_aside(by=request.principal, now=timezone.now())
    return done(request, "A dream tries them again.", url=reverse("curation:dream-detail", args=[dream.pk]))


def _overview(request: PageRequest, *, form: TimesForm | None) -> HttpResponse:
    now, organisation = timezone.now(), request.principal.organisation
    with acting_for(request.principal, subjects=ALL_SUBJECTS):
        schedule = schedules.of(organisation)
        next_dream, next_chores = schedules.next_slots(schedule, now=now) if schedule else (None, None)
        context: dict[str, Any] = {
            "section": "upkeep",
            "form": form or TimesForm.of(schedule),
            "schedule": schedule,
            "next_dream": next_dream,
            "next_chores": next_chores,
            "idle_from": schedules.idle_from(schedule, now=now) if schedule else None,
            "now": now,
            "backlog": backlog.standing(organisation, now=now),
            "chores": [
                (chore, run, [(count, Deed(deed).label) for deed, count in run.counts.items()] if run else [])
                for chore, run in upkeep.last_runs(organisation)
            ],
            "parked": upkeep.parked(organisation),
            "may_change": can_do(request.principal, "dream"),
            "zone_name": upkeep.zone_name(organisation),
        }
    with timezone.override(request.visitor.zone_of()):
        return page(request, "curation/dreams/upkeep.html", context, status=422 if form is not None else 200)
