"""Many items in one go: what may be decided or moved, what may not and why, then all of them or none (R92).

A yes in bulk is for what needs no second look: not for how agents act, not for what contradicts something in force, not
for text nobody vouched for. A no is for anything; so is putting off, putting first, and taking either back.
"""

import hashlib
import uuid
from collections.abc import Collection
from dataclasses import dataclass
from datetime import datetime
from typing import Final, Literal

from django.db import transaction
from django.utils import timezone

from accounts.ids import new_id
from memoryhub import conf
from memoryhub.errors import Invalid, NotFound, NotGranted, Stale
from memoryhub.governance import acceptance, audit, decisions, four_eyes, opening, review_queue
from memoryhub.governance.policy import Policy
from memoryhub.governance.policy_versions import in_force
from memoryhub.models import AuditEvent, ReviewItem
from memoryhub.permissions import check_may, check_may_decide
from memoryhub.tenancy import Principal
from memoryhub.vocabulary import ReviewState, ReviewType

Verb = Literal["approve", "reject", "snooze", "wake", "escalate", "lower"]
DECIDING: Final = ("approve", "reject")
MOVING: Final = ("snooze", "wake", "escalate", "lower")
VERBS: Final = (*DECIDING, *MOVING)


@dataclass(frozen=True)
class Preview:
    """What a bulk decision would do: to which items, to which not and why, as a sentence each."""

    verb: str
    eligible: list[ReviewItem]
    ineligible: list[tuple[ReviewItem, str]]
    etag: str


@dataclass(frozen=True)
class Batch:
    """What was decided in one go, in the order of the queue."""

    id: uuid.UUID
    verb: str
    items: list[ReviewItem]


def preview(*, ids: Collection[uuid.UUID | str], verb: str, by: Principal, now: datetime | None = None) -> Preview:
    """Look at what would be decided; nothing is written. Raises Invalid for an unknown verb, none or too many items,
    NotFound where one of them is not there."""
    check_may(by, "decide")
    opening.named(by)
    if verb not in VERBS:
        raise Invalid(errors={"verb": [f"One of: {', '.join(VERBS)}."]})
    wanted = _ids(ids)
    items = review_queue.by_ids(wanted, by=by)
    if len(items) != len(wanted):
        raise NotFound("One of the selected items is not there any more; select anew.")
    policy, moment = in_force(by.organisation), now or timezone.now()
    eligible: list[ReviewItem] = []
    ineligible: list[tuple[ReviewItem, str]] = []
    under: set[tuple[object, ...]] = set()
    for item in items:
        why_not = _why_not(item, verb, policy, by=by, now=moment)
        place = (item.subject_id, item.entry.entity, item.entry.key) if item.entry and item.entry.single else None
        if not why_not and verb == "approve" and place in under:
            why_not = "Another of the selected says something under the same key."
        if why_not:
            ineligible.append((item, why_not))
            continue
        eligible.append(item)
        if place is not None:
            under.add(place)
    seen = hashlib.sha256(f"{verb} {review_queue.etag_of(eligible)}".encode()).hexdigest()[:16]
    return Preview(verb, eligible, ineligible, seen)


@transaction.atomic
def decide(
    *,
    ids: Collection[uuid.UUID | str],
    verb: str,
    by: Principal,
    now: datetime,
    reason: str = "",
    etag: str | None = None,
) -> Batch:
    """Decide all of them or none. `etag`: of the preview that was seen, of just these items. Raises Stale where any of
    them changed since, or may not be decided like this (`ineligible` names them with their reasons)."""
    if verb not in DECIDING:
        raise Invalid(errors={"verb": [f"One of: {', '.join(DECIDING)}."]})
    found = _all_of(ids, verb, etag, by=by, now=now)
    batch, decided = new_id(), []
    with audit.together():
        for seen in found.eligible:
            if verb == "approve":
                item = decisions.approve(item_id=seen.pk, by=by, now=now)
            else:
                item = decisions.reject(item_id=seen.pk, reason=reason, by=by, now=now)
            item.batch = batch
            decided.append(item)
        ReviewItem.objects.filter(pk__in=[item.pk for item in decided]).update(batch=batch)
        audit.record(by=by, now=now, action="queue.batch", object_kind="batch", object_id=batch, reason=verb)
    return Batch(batch, verb, decided)


@transaction.atomic
def move(
    *, ids: Collection[uuid.UUID | str], verb: str, by: Principal, now: datetime, until: datetime | None = None,
    reason: str = "", etag: str | None = None,
) -> list[ReviewItem]:  # fmt: skip
    """Put all of them off `until` a moment or first for a `reason`, or take either back; or none of them. Raises as
    `decide` does, and as the verb does for one item."""
    if verb not in MOVING:
        raise Invalid(errors={"verb": [f"One of: {', '.join(MOVING)}."]})
    if verb == "snooze" and until is None:
        raise Invalid(errors={"until": ["Say until when."]})
    found = _all_of(ids, verb, etag, by=by, now=now)
    moved = []
    with audit.together():
        for seen in found.eligible:
            if verb == "snooze" and until is not None:
                moved.append(decisions.snooze(item_id=seen.pk, until=until, by=by, now=now))
            elif verb == "escalate":
                moved.append(decisions.escalate(item_id=seen.pk, reason=reason, by=by, now=now))
            else:
                take_back = decisions.wake if verb == "wake" else decisions.lower
                moved.append(take_back(item_id=seen.pk, by=by, now=now))
    return moved


def _all_of(ids: Collection[uuid.UUID | str], verb: str, etag: str | None, *, by: Principal, now: datetime) -> Preview:
    """The items, locked, as somebody saw them. Raises Stale where they changed since, or any of them may not be."""
    check_may(by, "decide")
    opening.lock_all(_ids(ids), by=by)
    found = preview(ids=ids, verb=verb, by=by, now=now)
    if found.ineligible:
        told = [(str(item.pk), why_not) for item, why_not in found.ineligible]
        raise Stale(f"Nothing was done: {len(told)} of the selected can't be. {told[0][1]}", ineligible=told)
    if etag is not None and etag != found.etag:
        raise Stale("Nothing was done: something of it changed since you looked; look again.")
    return found


@transaction.atomic
def undo(*, batch: uuid.UUID | str, by: Principal, now: datetime) -> list[ReviewItem]:
    """Take back what was decided in one go, all of it that still stands or nothing; the last first. Raises NotFound
    where nothing of it stands, Stale where something was built on any of it."""
    check_may(by, "decide")
    rows = ReviewItem.objects.filter(organisation_id=by.organisation, batch=batch)
    opening.lock_all(list(rows.values_list("pk", flat=True)), by=by)
    items = list(rows.order_by("-place_at", "-id"))
    if not items:
        raise NotFound("Nothing of that stands any more.")
    undone = []
    with audit.together():
        for item in items:
            try:
                undone.append(decisions.undo(item_id=item.pk, by=by, now=now))
            except Stale as refusal:
                raise Stale(f"Nothing was taken back. {refusal.detail}", item=str(item.pk)) from refusal
        audit.record(by=by, now=now, action="queue.batch", object_kind="batch", object_id=batch, reason="undo")
    return undone


def items_of(batch: uuid.UUID | str, *, by: Principal) -> list[ReviewItem]:
    """What was decided in one go and still stands."""
    check_may(by, "read_queue")
    rows = ReviewItem.objects.filter(organisation_id=by.organisation, batch=batch)
    return review_queue.by_ids(list(rows.values_list("pk", flat=True)), by=by)


def was_undone(batch: uuid.UUID | str, *, by: Principal) -> bool:
    """Whether there was such a batch and nothing of it stands any more."""
    check_may(by, "read_queue")
    told = AuditEvent.objects.filter(
        organisation_id=by.organisation, object_kind="batch", object_id=str(batch), action="queue.batch"
    )
    return told.exists() and not ReviewItem.objects.filter(organisation_id=by.organisation, batch=batch).exists()


def _ids(ids: Collection[uuid.UUID | str]) -> list[uuid.UUID]:
    try:
        wanted = list(dict.fromkeys(one if isinstance(one, uuid.UUID) else uuid.UUID(one) for one in ids))
    except ValueError:
        raise NotFound("One of the selected items is not there any more; select anew.") from None
    if not wanted:
        raise Invalid(errors={"ids": ["Select something first."]})
    if len(wanted) > conf.BATCH_AT_MOST:
        raise Invalid(errors={"ids": [f"At most {conf.BATCH_AT_MOST} at once."]})
    return wanted


def _why_not(item: ReviewItem, verb: str, policy: Policy, *, by: Principal, now: datetime) -> str:
    """Why an item may not be decided like this, as a sentence; empty when it may."""
    if item.state != ReviewState.WAITING:
        return f"It is {ReviewState(item.state).label} already."
    if verb in DECIDING:
        try:
            check_may_decide(by, item)
        except NotGranted as refusal:
            return refusal.detail
    elif verb != "snooze":
        return _why_not_moved(item, verb)
    if other := decisions.held_by_another(item, by=by, now=now):
        return f"{other} is on it right now; on its own page you can take it over."
    return _why_no_yes(item, policy, now=now) if verb == "approve" else ""


def _why_not_moved(item: ReviewItem, verb: str) -> str:
    if verb == "escalate":
        return "It was escalated already." if item.escalated_at is not None else ""
    if verb == "lower":
        return "It waits where its turn is." if item.escalated_at is None else ""
    return "It does not rest." if item.snoozed_until is None else ""


def _why_no_yes(item: ReviewItem, policy: Policy, *, now: datetime) -> str:
    if item.entry is None:
        return "It changes how an agent acts, so a yes to it is said on its own page."
    if item.type == ReviewType.DISPUTE:
        return "It contradicts what is in force, so a yes to it is said on its own page."
    if item.group is not None:
        return "Nobody vouched for where it came from, so a yes to it is said on its own page."
    if four_eyes.needs_two(item, policy=policy, now=now):
        return "Two people have to say yes to it, each on its own page."
    try:
        acceptance.check_granted(policy, item.entry.kind, item.entry.category)
        if item.type == ReviewType.FACT:
            acceptance.check_wanted(item.entry)
    except (NotGranted, Invalid) as refusal:
        return refusal.detail
    return ""
