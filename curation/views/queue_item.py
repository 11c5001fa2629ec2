"""One item of the queue: the claim, what stands behind it, what happened to it, and who is on it (R92)."""

import uuid
from collections.abc import Mapping
from datetime import datetime
from typing import Any

from django.db.models import Q
from django.http import HttpResponse
from django.urls import reverse
from django.utils import timezone
from django.views.decorators.http import require_POST, require_safe

from curation.ages import span
from curation.editing import leaves_key
from curation.effects import acting_tools
from curation.evidence import behind, to_merge_into
from curation.forms import REJECT_REASONS, EditForm, RejectForm
from curation.fragments import page
from curation.queue_filters import Filters, short
from curation.queue_forms import ESCALATIONS, SNOOZES, AskForm, EscalateForm, MergeForm, NoteForm, SnoozeForm
from curation.refusals import check_page
from curation.turns import turns_behind
from curation.views.queue import STAFF, counts_of, empty_of
from curation.visitor import PageRequest
from memoryhub import conf
from memoryhub.errors import NotGranted
from memoryhub.governance import consequences, decisions, edits, looked, review_queue, timeline, why_here
from memoryhub.governance.due import due
from memoryhub.governance.policy_versions import in_force
from memoryhub.models import ReviewItem
from memoryhub.permissions import can_do, check_may_decide
from memoryhub.recall import read_log
from memoryhub.tenancy import ALL_SUBJECTS, Principal, acting_for
from memoryhub.vocabulary import ReviewState, ReviewType, Status, SubjectKind

CURATORS = "Only a curator decides."


@require_POST
def queue_heartbeat(request: PageRequest, item_id: uuid.UUID) -> HttpResponse:
    """Who is on it now? Asked as long as an item is open in a window: takes it softly when nobody is, unless its
    curator let go of it (`idle`), and holds it as long as they look; the item is read once. Nothing is sent while
    nothing changed. `leaving`: they go on to another item, so theirs is free again.
    """
    by, now = request.principal, timezone.now()
    check_page(by, "decide", sentence=CURATORS)
    idle, leaving = "idle" in request.POST, "leaving" in request.POST
    with acting_for(by, subjects=ALL_SUBJECTS):
        item = decisions.heartbeat(item_id=item_id, by=by, now=now, takes=not idle, leaves=leaving)
        context = {"item": item, "filters": Filters.read(request.GET), "idle": idle, **whose(item, by=by, now=now)}
        if leaving or context["seen"] == request.POST.get("seen"):
            return HttpResponse(status=204)
        context |= {"shortcuts": request.visitor.shortcuts, "polled": True}
        with timezone.override(request.visitor.zone_of()):
            answer = page(request, "curation/queue/_whose.html", context)
    if item.state != ReviewState.WAITING:
        answer.status_code = 286  # no more need to ask
    return answer


def whose(item: ReviewItem, *, by: Principal, now: datetime) -> dict[str, Any]:
    """Who is on an item, for its page: `seen` is what a window sends back, so that only changes are answered."""
    claimed = decisions.is_claimed(item, now=now)
    waits = item.state == ReviewState.WAITING
    return {
        "waits": waits,
        "claimed": claimed,
        "mine": claimed and item.claimed_by_id == by.user,
        "until": item.claimed_at + conf.CLAIM_LIFETIME if item.claimed_at else None,
        "decided_ago": span(now - item.decided_at) if item.decided_at else "",
        "seen": (str(item.claimed_by_id) if claimed else "free") if waits else item.state,
    }


@require_safe
def queue_item(request: PageRequest, item_id: uuid.UUID) -> HttpResponse:
    """One item: the claim, what stands behind it, and what may be done about it."""
    check_page(request.principal, "read_queue", sentence=STAFF)
    return item_page(request, item_id)


def next_page(request: PageRequest, decided: ReviewItem, *, sentence: str, back: str) -> HttpResponse:
    """What comes in place of an item that was just decided, and the way `back` to it."""
    filters = Filters.read(request.GET)
    with acting_for(request.principal, subjects=ALL_SUBJECTS):
        _, following = neighbours(request, decided, filters)
        empty = {} if following or filters.given else empty_of(request, now=timezone.now())
    if following is None:
        context = {
            "filters": filters, "decided": decided, "sentence": sentence, "back": back,
            "shortcuts": request.visitor.shortcuts, "left": 0, **empty,
        }  # fmt: skip
        response = page(request, "curation/queue/item.html", context, part="nothing_left")
        return pushed(response, reverse("curation:queue-list") + filters.query)
    response = item_page(request, following, decided=decided, sentence=sentence, back=back)
    return pushed(response, reverse("curation:queue-item", args=[following]) + filters.place)


def pushed(response: HttpResponse, address: str) -> HttpResponse:
    """The answer to HTMX, with the address the window shows from now on."""
    response["HX-Push-Url"] = address
    return response


def item_page(request: PageRequest, item_id: uuid.UUID, *, status: int = 200, **shown: Any) -> HttpResponse:
    """The item page. `shown` says what just happened: said, beaten, stale, faults, or a form to put right."""
    principal, now, filters = request.principal, timezone.now(), Filters.read(request.GET)
    with acting_for(principal, subjects=ALL_SUBJECTS):
        item = review_queue.get(item_id=item_id, by=principal)
        evidence = behind(item)
        previous, following = neighbours(request, item, filters)
        context: dict[str, Any] = {
            "section": "queue",
            "item": item,
            "short": short(item),
            "filters": filters,
            "evidence": evidence,
            "yes": consequences.in_words(item, evidence),
            "no": consequences.if_declined(item),
            "acts": acting_tools(item.skill) if item.skill and item.state == ReviewState.WAITING else (),
            "why": why_here.why(item, policy=in_force(principal.organisation)),
            "found": to_merge_into(item, shown.get("find", ""), by=principal),
            "turns": turns_behind(item.entry) if item.entry else [],
            "why_not": why_not(request, item),
            "edited": edits.of(item.entry) if item.entry else None,
            "first_yes_leaves": leaves_key(item, item.first_yes_text, now=now),
            "previous": previous,
            "following": following,
            "moments": timeline.of(item, looks=can_do(principal, "read_audit")),
            "shortcuts": request.visitor.shortcuts,
            **counts_of(filters.waiting(by=principal, now=now), filters),
        }
        looked.record(item, by=principal, now=now)
        if context["found"]:  # a search among the memories of a person, as on their list
            read_log.write(
                by=principal, now=now, purpose=read_log.PAGE, subjects=[one for one in (item.subject,) if one],
                query=shown.get("find", ""), items=[{"id": str(one.pk), "score": 1.0} for one in context["found"]],
            )  # fmt: skip
    turns = context["turns"]
    context |= {
        "quoted": any(turn.person_marked or turn.agent_marked for turn in turns),
        # A yes to a dispute of what is in use takes it out of use; a no leaves it (governance/decisions.py).
        "disputed": item.type == ReviewType.DISPUTE and item.entry is not None and item.entry.status == Status.ACCEPTED,
        "due": due(item, now=now),
        "snoozed": item.snoozed_until is not None and item.snoozed_until > now,
        **whose(item, by=principal, now=now),
        "reject": RejectForm(),
        "reasons": REJECT_REASONS,
        "edit": EditForm(initial={"text": item.entry.content if item.entry else evidence.document}),
        "snooze": SnoozeForm(),
        "snoozes": SNOOZES.items(),
        "escalate": EscalateForm(),
        "escalations": ESCALATIONS,
        "note": NoteForm(),
        "ask": AskForm(),
        "merge": MergeForm(),
        "mergeable": item.entry is not None and item.entry.status in (Status.PROPOSED, Status.DISPUTED),
        "askable": item.entry is not None and item.subject is not None and item.subject.kind == SubjectKind.PERSON,
        "first_is_mine": item.first_yes_by_id is not None and item.first_yes_by_id == principal.user,
        "may_note": can_do(principal, "decide"),
        **shown,
    }
    if out_of_place := _out_of_place(item, context):
        context |= {"refused": True, "faults": [*context.get("faults", ()), *out_of_place]}
    with timezone.override(request.visitor.zone_of()):
        return page(request, "curation/queue/item.html", context, part="item", status=status)


def _out_of_place(item: ReviewItem, context: Mapping[str, Any]) -> list[str]:
    """What is wrong with a form that was sent although the item, as it is now, offers none of its kind."""
    no_place = {
        "merge": not context["mergeable"], "ask": not context["askable"] or item.asked_at is not None,
        "snooze": context["snoozed"], "escalate": item.escalated_at is not None,
        "edit": item.profile is not None or context["disputed"], "reject": False, "note": False,
    }  # fmt: skip
    over = item.state != ReviewState.WAITING or bool(context["why_not"])
    wrong = [context[name] for name, absent in no_place.items() if absent or (over and name != "note")]
    return [fault for form in wrong if form.is_bound for faults in form.errors.values() for fault in faults]


def neighbours(request: PageRequest, item: ReviewItem, filters: Filters) -> tuple[uuid.UUID | None, uuid.UUID | None]:
    """The items before and after this one, of those that fit the filters; after the last comes the first again."""
    waiting = filters.of_type(filters.waiting(by=request.principal, now=timezone.now()))
    others = waiting.exclude(pk=item.pk).select_related(None)
    later = Q(place_at__gt=item.place_at) | Q(place_at=item.place_at, pk__gt=item.pk)
    following = others.filter(later).values_list("pk", flat=True).first() or others.values_list("pk", flat=True).first()
    before = others.exclude(later).order_by("-place_at", "-id").values_list("pk", flat=True).first()
    return before, following


def why_not(request: PageRequest, item: ReviewItem) -> str:
    """Why the visitor may not decide this, as a sentence; empty when they may."""
    if not can_do(request.principal, "decide"):
        return "You can look at this; a curator decides it."
    try:
        check_may_decide(request.principal, item)
    except NotGranted as refusal:
        return refusal.detail
    return ""
