"""Dreams: what waits for one, starting one now, and what a run did (R70, R76)."""

import uuid
from collections.abc import Sequence
from typing import Any

from django.db.models import Count, Q
from django.http import HttpResponse
from django.urls import reverse
from django.utils import timezone
from django.views.decorators.http import require_http_methods, require_safe
from django_htmx.http import HttpResponseStopPolling

from curation.fragments import done, page
from curation.paging import rows_after
from curation.refusals import check_page
from curation.typed import uuid_of
from curation.visitor import PageRequest
from memoryhub import conf
from memoryhub.dreams import backlog, dreamer
from memoryhub.errors import NotFound
from memoryhub.models import Dream, DreamOperation, ReviewItem, Skill
from memoryhub.permissions import can_do
from memoryhub.tenancy import ALL_SUBJECTS, acting_for
from memoryhub.vocabulary import DreamStatus, Op, ReviewState, Store

STAFF = "Dreams are for operators, curators and auditors of this organisation."
UNFINISHED = frozenset({DreamStatus.QUEUED, DreamStatus.RUNNING})
CANDIDATES = 5  # learnt skills named above the report
OPERATIONS = 25  # of a report on one page: a screen or two, also on a phone
SET_ASIDE = 20  # conversations that no dream could read, named on the page
#: Progress is asked for again after so many seconds, the longer the dream lasts: (up to this age, seconds between).
POLLED = ((30, 2), (120, 5), (600, 15))
POLLED_SELDOM = 30


@require_http_methods(["GET", "HEAD", "POST"])
def dream_list(request: PageRequest) -> HttpResponse:
    """The runs, newest first, and how much waits; a POST starts one."""
    check_page(request.principal, "read_dreams", sentence=STAFF)
    if request.method == "POST":
        check_page(request.principal, "dream", sentence="Only an operator starts a dream.")
        with acting_for(request.principal, subjects=ALL_SUBJECTS):
            dream = dreamer.request(by=request.principal, now=timezone.now())
        return done(request, "A dream was asked for.", url=reverse("curation:dream-detail", args=[dream.pk]))
    with acting_for(request.principal, subjects=ALL_SUBJECTS):
        organisation = request.principal.organisation
        now = timezone.now()
        waiting = backlog.standing(organisation, now=now)
        inbox = backlog.by_agent(organisation, now=now)
        aside = backlog.set_aside(organisation, now=now, most=SET_ASIDE) if waiting.set_aside else []
        dreams = (
            Dream.objects.filter(organisation_id=organisation).select_related("agent").order_by("-created_at", "-id")
        )
        paged = rows_after(dreams, request.GET.get("after", ""), field="created_at", newest_first=True)
    context = {
        "section": "dreams",
        "dreams": paged.rows,
        "after": paged.after,
        "backlog": waiting,
        "inbox": inbox,
        "set_aside": aside,
        "paused": sum(one.paused for one in inbox),
        "may_start": can_do(request.principal, "dream"),
        "may_see_agents": can_do(request.principal, "read_agents"),
        "running": next((dream for dream in paged.rows if dream.status in UNFINISHED), None),
    }
    with timezone.override(request.visitor.zone_of()):
        return page(request, "curation/dreams/list.html", context)


@require_safe
def dream_detail(request: PageRequest, dream_id: uuid.UUID) -> HttpResponse:
    """One run: how far it is, and exactly what it did. Polled until it is done (286 stops that), ever less often."""
    check_page(request.principal, "read_dreams", sentence=STAFF)
    store, op = _one_of(Store.values, request.GET.get("store")), _one_of(Op.values, request.GET.get("op"))
    session = request.GET.get("session", "").replace("\x00", "")[: conf.MAX_EXTERNAL_ID]
    with acting_for(request.principal, subjects=ALL_SUBJECTS):
        dream = (
            Dream.objects.filter(organisation_id=request.principal.organisation, pk=dream_id)
            .select_related("agent")
            .first()
        )
        if dream is None:
            raise NotFound
        unfinished = dream.status in UNFINISHED
        context = {
            "section": "dreams",
            "dream": dream,
            "unfinished": unfinished,
            "store": store,
            "op": op,
            "session": session,
        }
        if not unfinished:
            context |= _report(request, dream, store=store, op=op, session=session)
        else:
            context["seconds"] = _until_asked_again(dream)
    if not unfinished and request.htmx and request.GET.get("following"):
        response = HttpResponseStopPolling()
        response.content = _rendered(request, context).content
        return response
    return _rendered(request, context)


def _rendered(request: PageRequest, context: dict[str, Any]) -> HttpResponse:
    with timezone.override(request.visitor.zone_of()):
        return page(request, "curation/dreams/detail.html", context, part="run")


def _until_asked_again(dream: Dream) -> int:
    age = (timezone.now() - dream.created_at).total_seconds()
    return next((seconds for most, seconds in POLLED if age < most), POLLED_SELDOM)


def _report(request: PageRequest, dream: Dream, *, store: str, op: str, session: str) -> dict[str, Any]:
    """Counts by store and operation, and one page of operations with what each led to."""
    rows = DreamOperation.objects.filter(dream=dream)
    counted: dict[str, dict[str, int]] = {name: {} for name in Store.values}
    for row in rows.values("store", "op").annotate(count=Count("pk")).order_by():
        counted[row["store"]][row["op"]] = row["count"]
    ops = [name for name in Op.values if any(name in counts for counts in counted.values())]
    if store:
        rows = rows.filter(store=store)
    if op:
        rows = rows.filter(op=op)
    if session:
        rows = rows.filter(session_ref=session)
    took = (dream.finished_at - dream.started_at).total_seconds() if dream.started_at and dream.finished_at else None
    learnt = Skill.objects.filter(
        pk__in=DreamOperation.objects.filter(dream=dream, skill__isnull=False).values("skill")
    )
    candidates = list(learnt.annotate(sessions=Count("evidence")).order_by("name")[:CANDIDATES])
    more_candidates = learnt.count() - CANDIDATES if len(candidates) == CANDIDATES else 0
    waiting = {
        item.skill_id: item for item in ReviewItem.objects.filter(state=ReviewState.WAITING, skill__in=candidates)
    }
    last = request.GET.get("after", "")
    rows = rows.select_related("entry", "skill", "subject").order_by("id")
    if last:
        if (mark := uuid_of(last)) is None:
            raise NotFound
        rows = rows.filter(id__gt=mark)
    found = list(rows[: OPERATIONS + 1])
    shown = found[:OPERATIONS]
    return {
        "table": [
            (Store(name).label, name, [(one, counts.get(one, 0)) for one in ops]) for name, counts in counted.items()
        ],
        "ops": [(name, "put before a curator" if name == Op.QUEUED else Op(name).label) for name in ops],
        "queued": sum(counts.get(Op.QUEUED, 0) for counts in counted.values()),
        "still_waiting": _still_waiting(dream),
        "took": took,
        "each": took / dream.sessions_done if took is not None and dream.sessions_done else None,
        "candidates": [(skill, waiting.get(skill.pk)) for skill in candidates],
        "more_candidates": more_candidates,
        "operations": _with_items(shown),
        "after": str(shown[-1].pk) if len(found) > OPERATIONS else "",
    }


def _still_waiting(dream: Dream) -> int:
    """Of what the dream put before curators, how much nobody decided yet."""
    put = DreamOperation.objects.filter(dream=dream, op=Op.QUEUED)
    about = Q(entry__in=put.exclude(entry=None).values("entry")) | Q(skill__in=put.exclude(skill=None).values("skill"))
    return ReviewItem.objects.filter(about, state=ReviewState.WAITING).count()


def _with_items(operations: list[DreamOperation]) -> list[tuple[DreamOperation, ReviewItem | None]]:
    """Each operation with the queue item that still waits because of it, in one query for all."""
    touched = Q(entry__in=[one.entry_id for one in operations]) | Q(skill__in=[one.skill_id for one in operations])
    waiting = ReviewItem.objects.filter(touched, state=ReviewState.WAITING)
    items = {item.entry_id or item.skill_id: item for item in waiting}
    return [(one, items.get(one.entry_id or one.skill_id)) for one in operations]


def _one_of(words: Sequence[str], word: str | None) -> str:
    return word if word is not None and word in words else ""
