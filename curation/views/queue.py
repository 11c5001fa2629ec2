"""The curator's queue: what waits, one item with what stands behind it, and deciding it (R92).

Every write is a POST that calls one verb of governance/decisions.py, as the API does. With HTMX the item is shown
anew in place; without, the browser is sent back to it.
"""

import uuid
from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import timedelta
from typing import Any

from django.db.models import Count, Q
from django.http import HttpResponse
from django.urls import reverse
from django.utils import timezone
from django.views.decorators.http import require_POST, require_safe

from accounts.models import Agent
from curation.evidence import behind
from curation.forms import EditForm, RejectForm
from curation.fragments import done, page
from curation.paging import rows_after
from curation.refusals import check_page
from curation.visitor import PageRequest
from memoryhub import conf
from memoryhub.errors import AlreadyDecided, Invalid, NotFound, NotGranted, Stale
from memoryhub.governance import decisions, review_queue
from memoryhub.http_errors import status_of
from memoryhub.models import ReviewItem
from memoryhub.permissions import can_do, check_may_decide
from memoryhub.tenancy import ALL_SUBJECTS, acting_for
from memoryhub.vocabulary import Kind, Reason, ReviewState, ReviewType, Status

IN_A_ROW = ("entry", "skill", "profile__agent", "subject", "agent", "claimed_by", "proposer")  # no more than is shown
FILTERS = ("type", "subject", "agent", "group", "kind", "reason", "age")
AGES = {"1": "a day", "3": "three days", "7": "a week", "30": "a month"}  # waiting for at least so many days
STAFF = "The queue is for curators and operators of this organisation."


@dataclass(frozen=True)
class Row:
    """One line of the list: an item, or all that waits of one source that nobody vouched for, as its first item."""

    item: ReviewItem
    claimed: bool
    group: list[ReviewItem] = field(default_factory=list)
    etag: str = ""
    mine: bool = False  # somebody else has to decline it


@require_safe
def queue_list(request: PageRequest) -> HttpResponse:
    """What waits, oldest first; what it is narrowed to and the page are in the address."""
    check_page(request.principal, "read_queue", sentence=STAFF)
    return _list(request, {name: _typed(request.GET.get(name, "")) for name in FILTERS})


@require_POST
def queue_reject_group(request: PageRequest, group: uuid.UUID) -> HttpResponse:
    """Say no to all that waits of one source, with one reason."""
    check_page(request.principal, "decide", sentence="Only a curator decides.")
    chosen = {**dict.fromkeys(FILTERS, ""), "group": str(group)}
    form = RejectForm(request.POST)
    if not form.is_valid():
        return _list(request, chosen, reject=form, status=422)
    try:
        with acting_for(request.principal, subjects=ALL_SUBJECTS):
            declined = decisions.reject_group(
                group=group, reason=form.reason, by=request.principal, now=timezone.now(),
                etag=request.POST.get("etag") or None,
            )  # fmt: skip
    except (Stale, NotGranted, NotFound) as refusal:
        return _list(request, chosen, fault=f"Nothing was declined. {refusal.detail}", status=status_of(refusal))
    return done(request, f"Declined: all {len(declined)} from this source.", url=reverse("curation:queue-list"))


def _list(request: PageRequest, chosen: dict[str, str], *, status: int = 200, **shown: Any) -> HttpResponse:
    """The list page. `shown` says what just happened: a fault, or a form to put right."""
    for name, known in (("type", ReviewType.values), ("kind", Kind.values), ("reason", Reason.values), ("age", AGES)):
        if chosen[name] not in known:
            chosen[name] = ""
    until = timezone.now() - timedelta(days=int(chosen["age"])) if chosen["age"] else None
    chosen["group"] = str(uuid_of(chosen["group"]) or "")
    with acting_for(request.principal, subjects=ALL_SUBJECTS):
        waiting = review_queue.waiting(
            by=request.principal, subject=chosen["subject"] or None, agent=chosen["agent"] or None,
            group=uuid_of(chosen["group"]), kind=chosen["kind"] or None, reason=chosen["reason"] or None, until=until,
        )  # fmt: skip
        given = review_queue.waiting(by=request.principal).order_by().values_list("reason", flat=True).distinct()
        reasons = sorted({*given, chosen["reason"]} - {""})
        counts = dict(waiting.order_by().values_list("type").annotate(rows=Count("pk")))
        light = waiting.select_related(None).select_related(*IN_A_ROW).defer("entry__embedding", "entry__search")
        typed = light.filter(type=chosen["type"]) if chosen["type"] else light
        paged = rows_after(review_queue.by_source(typed), request.GET.get("after", ""), field="place_at")
        rows = _rows(request, paged.rows)
        agents = list(Agent.objects.filter(organisation_id=request.principal.organisation).order_by("slug")[:200])
    context = {
        "section": "queue",
        "rows": rows,
        "after": paged.after,
        "chosen": chosen,
        "filtered": any(chosen.values()),
        "types": [(value, label, counts.get(value, 0)) for value, label in ReviewType.choices],
        "total": sum(counts.values()),
        "agents": agents,
        "kinds": Kind.choices,
        "reasons": [(value, Reason(value).label) for value in reasons],
        "ages": AGES.items(),
        "reject": RejectForm(),
        "may_decide": can_do(request.principal, "decide"),
        **shown,
    }
    with timezone.override(request.visitor.zone_of()):
        return page(request, "curation/queue/list.html", context, status=status)


def _rows(request: PageRequest, items: list[ReviewItem]) -> list[Row]:
    """The lines of a page; what waits beside the first of a group is read in one query for all groups shown."""
    now = timezone.now()
    groups: dict[uuid.UUID | None, list[ReviewItem]] = {item.group: [] for item in items if item.group is not None}
    beside = review_queue.waiting(by=request.principal).filter(group__in=groups).select_related(None)
    for one in beside.select_related(*IN_A_ROW).defer("entry__embedding", "entry__search"):
        groups[one.group].append(one)
    rows = []
    for item in items:
        whole = groups.get(item.group, [])
        claimed = decisions.is_claimed(item, now=now)
        if len(whole) < 2:
            rows.append(Row(item, claimed))
            continue
        owners = {one.agent.owner_id for one in whole if one.agent is not None}
        mine = request.principal.user in owners.union(*([one.proposer_id, *one.others] for one in whole))
        rows.append(Row(item, claimed, whole, review_queue.etag_of(whole), mine))
    return rows


@require_safe
def queue_item(request: PageRequest, item_id: uuid.UUID) -> HttpResponse:
    """One item: the claim, what stands behind it, and what may be done about it."""
    check_page(request.principal, "read_queue", sentence=STAFF)
    return _item(request, item_id)


@require_POST
def queue_approve(request: PageRequest, item_id: uuid.UUID) -> HttpResponse:
    """Say yes, to the claim as it is or as edited."""
    text = None
    if "text" in request.POST:
        form = EditForm(request.POST)
        if not form.is_valid():
            return _item(request, item_id, edit=form, status=422)
        text = form.cleaned_data["text"]
    etag = request.POST.get("etag") or None

    def approve() -> ReviewItem:
        return decisions.approve(item_id=item_id, by=request.principal, now=timezone.now(), text=text, etag=etag)

    return _decide(request, item_id, approve, sentence="Approved.")


@require_POST
def queue_reject(request: PageRequest, item_id: uuid.UUID) -> HttpResponse:
    """Say no, with a reason."""
    form = RejectForm(request.POST)
    if not form.is_valid():
        return _item(request, item_id, reject=form, status=422)
    etag = request.POST.get("etag") or None

    def reject() -> ReviewItem:
        return decisions.reject(
            item_id=item_id, reason=form.reason, by=request.principal, now=timezone.now(), etag=etag
        )

    return _decide(request, item_id, reject, sentence="Rejected.")


@require_POST
def queue_undo(request: PageRequest, item_id: uuid.UUID) -> HttpResponse:
    """Take a decision back; the item waits again."""

    def undo() -> ReviewItem:
        return decisions.undo(item_id=item_id, by=request.principal, now=timezone.now())

    return _decide(request, item_id, undo, sentence="Taken back: it waits again.")


@require_POST
def queue_claim(request: PageRequest, item_id: uuid.UUID) -> HttpResponse:
    """Tell the other curators that you are on it."""

    def claim() -> ReviewItem:
        return decisions.claim(item_id=item_id, by=request.principal, now=timezone.now())

    return _decide(request, item_id, claim, sentence="Claimed for ten minutes.")


@require_POST
def queue_release(request: PageRequest, item_id: uuid.UUID) -> HttpResponse:
    """Let go of a claimed item."""

    def release() -> ReviewItem:
        return decisions.release(item_id=item_id, by=request.principal, now=timezone.now())

    return _decide(request, item_id, release, sentence="Released.")


def _decide(request: PageRequest, item_id: uuid.UUID, verb: Callable[[], ReviewItem], *, sentence: str) -> HttpResponse:
    """Call one verb. Somebody first, changed meanwhile or not valid: the item as it is now, with what happened."""
    check_page(request.principal, "decide", sentence="Only a curator decides.")
    try:
        with acting_for(request.principal, subjects=ALL_SUBJECTS):
            verb()
    except AlreadyDecided as error:
        return _item(request, item_id, beaten=True, status=status_of(error))
    except Stale as error:
        return _item(request, item_id, stale=error.detail, status=status_of(error))
    except Invalid as error:
        faults = [fault for field in error.errors.values() for fault in field] or [error.detail]
        return _item(request, item_id, faults=faults, status=status_of(error))
    if request.htmx:
        return _item(request, item_id, said=sentence)
    return done(request, sentence, url=reverse("curation:queue-item", args=[item_id]))


def _item(request: PageRequest, item_id: uuid.UUID, *, status: int = 200, **shown: Any) -> HttpResponse:
    """The item page. `shown` says what just happened: said, beaten, stale, faults, or a form to put right."""
    principal = request.principal
    now = timezone.now()
    with acting_for(principal, subjects=ALL_SUBJECTS):
        item = review_queue.get(item_id=item_id, by=principal)
        why_not = _why_not(request, item)
        evidence = behind(item)
        following = _following(request, item)
    context = {
        "section": "queue",
        "item": item,
        "evidence": evidence,
        # A yes to a dispute of what is in use takes it out of use; a no leaves it (governance/decisions.py).
        "disputed": item.type == ReviewType.DISPUTE and item.entry is not None and item.entry.status == Status.ACCEPTED,
        "waits": item.state == ReviewState.WAITING,
        "why_not": why_not,
        "claimed": decisions.is_claimed(item, now=now),
        "mine": item.claimed_by_id == principal.user,
        "following": following,
        "reject": RejectForm(),
        "edit": EditForm(initial={"text": item.entry.content if item.entry else evidence.document}),
        **shown,
    }
    with timezone.override(request.visitor.zone_of()):
        return page(request, "curation/queue/item.html", context, part="item", status=status)


def uuid_of(text: str) -> uuid.UUID | None:
    """The id in an address, if it is one."""
    try:
        return uuid.UUID(text)
    except ValueError:
        return None


def _typed(text: str) -> str:
    """A filter as somebody typed it; what can't be part of an id is left out, a NUL byte above all."""
    return "".join(char for char in text if char.isprintable()).strip()[: conf.MAX_EXTERNAL_ID]


def _following(request: PageRequest, item: ReviewItem) -> uuid.UUID | None:
    """The next item that waits, after this one; from the front again at the end."""
    others = review_queue.waiting(by=request.principal).exclude(pk=item.pk).values_list("pk", flat=True)
    later = Q(place_at__gt=item.place_at) | Q(place_at=item.place_at, pk__gt=item.pk)
    return others.filter(later).first() or others.first()


def _why_not(request: PageRequest, item: ReviewItem) -> str:
    """Why the visitor may not decide this, as a sentence; empty when they may."""
    if not can_do(request.principal, "decide"):
        return "You can look at this; a curator decides it."
    try:
        check_may_decide(request.principal, item)
    except NotGranted as refusal:
        return refusal.detail
    return ""
