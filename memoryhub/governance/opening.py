"""Which item is before somebody, as the database has it now, may they decide it, and how is it closed? (R92)

Every verb of the queue begins here: the subject's lock first, then the item's row, read anew under both, so that of two
who decide at once the second hears what the first did.
"""

import uuid
from collections.abc import Collection, Iterable, Mapping
from datetime import datetime
from typing import Any, Final

from memoryhub.errors import AlreadyDecided, NotFound, NotGranted, Stale
from memoryhub.governance import audit, notices
from memoryhub.governance.announcement import announce
from memoryhub.governance.reconciliation import lock
from memoryhub.models import ReviewItem
from memoryhub.permissions import check_may, check_may_decide
from memoryhub.tenancy import Principal
from memoryhub.vocabulary import ReviewState

#: Decided how → the verb of the audit trail.
VERBS: Final = {ReviewState.APPROVED: "approve", ReviewState.REJECTED: "reject", ReviewState.MERGED: "merge"}
#: In queries of their own, as in review_queue.py: what an item does not name costs none.
_WITH: list[Any] = ["entry__provenance__speaker", "skill__agent", "profile__agent", "rival", "merged_into"]


def undecided(item_id: uuid.UUID | str, *, by: Principal, etag: str | None) -> ReviewItem:
    """The item, locked and still undecided, as the curator saw it, for somebody who may decide it. Raises NotFound,
    AlreadyDecided with what was decided, Stale, NotGranted.
    """
    check_may(by, "decide")
    item = waiting(item_id, by=by)
    check_seen(item, etag)
    check_may_decide(by, item)
    return item


def waiting(item_id: uuid.UUID | str, *, by: Principal) -> ReviewItem:
    """The item, locked and still undecided, for a curator who does not decide it: to claim, snooze or ask."""
    check_may(by, "decide")
    named(by)
    item = locked(item_id, by=by)
    if item.state != ReviewState.WAITING:
        raise AlreadyDecided(decision=item.state, item=item)
    return item


def locked(item_id: uuid.UUID | str, *, by: Principal) -> ReviewItem:
    """The item in any state, and its subject, locked until the transaction ends."""
    about = ReviewItem.objects.filter(organisation_id=by.organisation, pk=item_id).values_list("subject", flat=True)
    if (subject := about.first()) is not None:
        lock(subject)  # other writers about the same subject wait, or are through
    announce()
    rows = ReviewItem.objects.select_for_update().prefetch_related(*_WITH)
    item = rows.filter(organisation_id=by.organisation, pk=item_id).first()
    if item is None:
        raise NotFound
    return item


def alone(item_id: uuid.UUID | str, *, by: Principal) -> ReviewItem:
    """The item in any state, locked without its subject: for what changes nothing but who is on it."""
    announce()
    rows = ReviewItem.objects.select_for_update(of=("self",))
    item = rows.filter(organisation_id=by.organisation, pk=item_id).first()
    if item is None:
        raise NotFound
    return item


def lock_all(ids: Collection[uuid.UUID], *, by: Principal) -> None:
    """Lock several items and all their subjects, in one order for everybody, so that two who mean some of the same
    never wait for each other."""
    rows = ReviewItem.objects.filter(organisation_id=by.organisation, pk__in=ids)
    about: Iterable[uuid.UUID | None] = rows.values_list("subject", flat=True)
    for subject in sorted({one for one in about if one is not None}):
        lock(subject)
    announce()
    list(rows.select_for_update().order_by("pk").values_list("pk"))


def check_seen(item: ReviewItem, etag: str | None) -> None:
    """Raise Stale unless the item is still as somebody saw it; None looks at nothing."""
    if etag is not None and etag.removeprefix("W/") not in (item.etag, "*"):
        raise Stale


def named(by: Principal) -> uuid.UUID:
    """The person behind a principal; raises NotGranted where there is none."""
    if by.user is None:
        raise NotGranted("Only a named curator decides.")
    return by.user


def noted(verb: str, item: ReviewItem, *, by: Principal, now: datetime, reason: str = "") -> None:
    """The audit row of a verb of the queue; never with words."""
    audit.record(
        by=by, now=now, action=f"queue.{verb}", object_kind="review_item", object_id=item.pk, subject=item.subject_id,
        reason=reason,
    )  # fmt: skip


def changed(item: ReviewItem, *, by: Principal, now: datetime) -> None:
    """What waits says something else by now: whoever saw it is told, and a first yes of two was to other words."""
    item.version += 1
    if item.first_yes_at is None:
        item.save(update_fields=["version"])
        return
    item.first_yes_by, item.first_yes_at, item.first_yes_text = None, None, ""
    item.save(update_fields=["version", "first_yes_by", "first_yes_at", "first_yes_text"])
    noted("undo", item, by=by, now=now, reason="changed")


def close(item: ReviewItem, state: ReviewState, kept: Mapping[str, Any], *, by: Principal, now: datetime) -> ReviewItem:
    """The item is decided; `kept` is what taking it back needs, beside the claim that ends here."""
    held = item.claimed_at.isoformat() if item.claimed_at else None
    item.undo = {**kept, "claim": [str(item.claimed_by_id), held] if held else None}
    item.state, item.decided_at, item.decided_by_id = state, now, named(by)
    item.claimed_by, item.claimed_at = None, None
    item.version += 1
    item.save()
    noted(VERBS[state], item, by=by, now=now, reason=item.reason)
    if state == ReviewState.APPROVED:
        notices.tell_approved(item, by=by, now=now)
    return item


def reopen(item: ReviewItem, *, by: Principal, now: datetime) -> ReviewItem:
    """The item waits again, for whoever was on it; what was decided about is put back by the caller."""
    holder, held = (item.undo or {}).get("claim") or (None, None)
    item.claimed_by_id, item.claimed_at = holder, datetime.fromisoformat(held) if held else None
    item.state, item.decided_at, item.decided_by, item.decided_reason = ReviewState.WAITING, None, None, ""
    item.undo, item.merged_into, item.batch = None, None, None
    item.version += 1
    item.save()
    noted("undo", item, by=by, now=now)
    return item
