"""The curator's queue as a list: what waits, narrowed and ordered, many at a glance (R92)."""

import uuid
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

from django.db.models import Count, QuerySet
from django.http import HttpResponse, HttpResponseRedirect
from django.urls import reverse
from django.utils import timezone
from django.views.decorators.http import require_POST, require_safe

from accounts.models import Agent
from curation.forms import RejectForm
from curation.fragments import done, page
from curation.paging import rows_after
from curation.queue_filters import AGES, CERTAINTIES, CLAIMS, STANDINGS, Filters, short
from curation.refusals import check_page, first_fault
from curation.visitor import PageRequest
from memoryhub.errors import NotFound, NotGranted, Stale
from memoryhub.governance import decisions, figures, review_queue, saved_views
from memoryhub.governance.due import Due, due
from memoryhub.governance.policy_versions import in_force
from memoryhub.governance.why_here import sureness
from memoryhub.http_errors import status_of
from memoryhub.models import ReviewItem
from memoryhub.permissions import can_do, proposer_of
from memoryhub.tenancy import ALL_SUBJECTS, acting_for
from memoryhub.vocabulary import Kind, Reason, ReviewType

STAFF = "The queue is for curators and operators of this organisation."


@dataclass(frozen=True)
class Row:
    """One line of the list: an item, or all that waits of one source that nobody vouched for, as its first item."""

    item: ReviewItem
    short: str
    due: Due
    claimed: bool
    certainty: str = ""
    selected: bool = False
    group: list[ReviewItem] = field(default_factory=list)
    etag: str = ""
    mine: bool = False  # somebody else has to decline it


@require_safe
def queue_list(request: PageRequest) -> HttpResponse:
    """What waits, most overdue first; what it is narrowed to, the place and the selection are in the address."""
    check_page(request.principal, "read_queue", sentence=STAFF)
    if not request.GET and (begins := _own_default(request)):
        return HttpResponseRedirect(f"{reverse('curation:queue-list')}?{begins}")
    return list_page(request, Filters.read(request.GET))


@require_safe
def queue_focus(request: PageRequest) -> HttpResponse:
    """The same, one by one: the first item that fits."""
    check_page(request.principal, "read_queue", sentence=STAFF)
    filters = Filters.read(request.GET)
    with acting_for(request.principal, subjects=ALL_SUBJECTS):
        first = filters.of_type(filters.waiting(by=request.principal, now=timezone.now())).first()
    if first is None:
        return HttpResponseRedirect(reverse("curation:queue-list") + filters.query)
    return HttpResponseRedirect(reverse("curation:queue-item", args=[first.pk]) + filters.query)


@require_safe
def queue_counts(request: PageRequest) -> HttpResponse:
    """How many of each type wait now, put into the tabs of a page that is open."""
    check_page(request.principal, "read_queue", sentence=STAFF)
    filters = Filters.read(request.GET)
    with acting_for(request.principal, subjects=ALL_SUBJECTS):
        context = counts_of(filters.waiting(by=request.principal, now=timezone.now()), filters)
    return page(request, "curation/queue/_counts.html", {**context, "out_of_band": True})


@require_POST
def queue_reject_group(request: PageRequest, group: uuid.UUID) -> HttpResponse:
    """Say no to all that waits of one source, with one reason."""
    check_page(request.principal, "decide", sentence="Only a curator decides.")
    chosen = Filters(group=str(group))
    form = RejectForm(request.POST)
    if not form.is_valid():
        fault = f"Nothing was declined. {first_fault(form)}"
        return list_page(request, chosen, reject=form, fault=fault, status=422)
    try:
        with acting_for(request.principal, subjects=ALL_SUBJECTS):
            declined = decisions.reject_group(
                group=group, reason=form.reason, by=request.principal, now=timezone.now(),
                etag=request.POST.get("etag") or None,
            )  # fmt: skip
    except (Stale, NotGranted, NotFound) as refusal:
        return list_page(request, chosen, fault=f"Nothing was declined. {refusal.detail}", status=status_of(refusal))
    return done(request, f"Declined: all {len(declined)} from this source.", url=reverse("curation:queue-list"))


def list_page(request: PageRequest, filters: Filters, *, status: int = 200, **shown: Any) -> HttpResponse:
    """The list page. `shown` says what just happened: a fault, or a form to put right."""
    by, now = request.principal, timezone.now()
    with acting_for(by, subjects=ALL_SUBJECTS):
        waiting = filters.waiting(by=by, now=now)
        given = review_queue.waiting(by=by).order_by().values_list("reason", flat=True).distinct()
        reasons = sorted({*given, filters.reason} - {""})
        counts = counts_of(waiting, filters)
        light = review_queue.in_a_row(waiting)
        paged = rows_after(review_queue.by_source(filters.of_type(light)), filters.after, field="place_at")
        rows = _rows(request, paged.rows, filters=filters, now=now)
        empty = {} if rows or filters.given else empty_of(request, now=now)
        views = saved_views.of(by)
        agents = list(Agent.objects.filter(organisation_id=by.organisation).order_by("slug")[:200])
    context = {
        "section": "queue",
        "rows": rows,
        "after": paged.after,
        "filters": filters,
        "agents": agents,
        "kinds": Kind.choices,
        "reasons": [(value, Reason(value).label) for value in reasons],
        "ages": AGES.items(),
        "certainties": CERTAINTIES,
        "whose": CLAIMS.items(),
        "reject": RejectForm(),
        "may_decide": can_do(by, "decide"),
        "shortcuts": request.visitor.shortcuts,
        "views": views,
        "standings": STANDINGS.items(),
        **counts,
        **empty,
        **shown,
    }
    with timezone.override(request.visitor.zone_of()):
        return page(request, "curation/queue/list.html", context, status=status)


def _own_default(request: PageRequest) -> str:
    """The filters of the view the visitor begins with, if they chose one."""
    with acting_for(request.principal, subjects=ALL_SUBJECTS):
        views = saved_views.of(request.principal)
    own = (view.query for view in views if view.is_default and view.owner_id == request.principal.user)
    return next(own, "")


def empty_of(request: PageRequest, *, now: datetime) -> dict[str, Any]:
    """What an empty queue means: what colleagues are on, and what the gate did today without asking anybody."""
    period = figures.Period(days=1, now=now, zone=request.visitor.zone_of())
    return {
        "others": review_queue.waiting(by=request.principal, now=now).order_by().count(),
        "today": figures.gate(by=request.principal, period=period).total,
    }


def counts_of(waiting: QuerySet[ReviewItem], filters: Filters) -> dict[str, Any]:
    """How many wait of each type, for the tabs: the other filters hold, the type does not."""
    counts = dict(waiting.select_related(None).order_by().values_list("type").annotate(rows=Count("pk")))
    total = sum(counts.values())
    return {
        "types": [(value, label, counts.get(value, 0)) for value, label in ReviewType.choices],
        "total": total,
        "left": counts.get(filters.type, 0) if filters.type else total,
    }


def _rows(request: PageRequest, items: list[ReviewItem], *, filters: Filters, now: datetime) -> list[Row]:
    """The lines of a page; what waits beside the first of a group is read in one query for all groups shown."""
    groups: dict[uuid.UUID | None, list[ReviewItem]] = {item.group: [] for item in items if item.group is not None}
    beside = review_queue.waiting(by=request.principal).filter(group__in=groups)
    for one in review_queue.in_a_row(beside):
        groups[one.group].append(one)
    rows, policy = [], in_force(request.principal.organisation)
    for item in items:
        whole = groups.get(item.group, [])
        claimed = decisions.is_claimed(item, now=now)
        row: dict[str, Any] = {
            "item": item, "short": short(item), "due": due(item, now=now), "claimed": claimed
        }  # fmt: skip
        if len(whole) < 2:
            certainty = sureness(item.entry.confidence, policy=policy) if item.entry else ""
            rows.append(Row(**row, certainty=certainty, selected=short(item) in filters.chosen))
            continue
        mine = any(request.principal.user in proposer_of(one) for one in whole)
        rows.append(Row(**row, group=whole, etag=review_queue.etag_of(whole), mine=mine))
    return rows
