"""How does a curator take a memory out of use by hand, and bring it back? (R3, R92)

Nothing is erased: it stays in the history, with its audit rows. What is wrong is corrected or disputed; what only is of
no use any more is put aside.
"""

from datetime import datetime
from typing import Final

from django.db import transaction

from memoryhub.errors import AlreadyDecided, NotFound, NotGranted, Stale
from memoryhub.governance import four_eyes, lifecycle, opening
from memoryhub.governance.acceptance import check_granted, check_room, check_wanted
from memoryhub.governance.announcement import announce
from memoryhub.governance.confirmation import is_their_own
from memoryhub.governance.policy_versions import in_force
from memoryhub.governance.reconciliation import lock
from memoryhub.models import AuditEvent, Entry, ReviewItem
from memoryhub.permissions import check_may
from memoryhub.tenancy import Principal
from memoryhub.vocabulary import ReviewState, Status

BY_HAND: Final = "by hand"  # as its audit row says


@transaction.atomic
def put_aside(*, entry: Entry, by: Principal, now: datetime) -> Entry:
    """No agent recalls it from now on. Raises AlreadyDecided for what is not in force, Stale where a question about it
    waits for an answer: deciding that says what becomes of it."""
    entry = _locked(entry, by=by)
    if ReviewItem.objects.filter(entry=entry, state=ReviewState.WAITING).exists():
        raise Stale("A question about it waits in the queue; decide that instead.")
    return lifecycle.move(entry, Status.ARCHIVED, by=by, now=now, reason=BY_HAND)


@transaction.atomic
def bring_back(*, entry: Entry, by: Principal, now: datetime) -> Entry:
    """It is recalled again, as it was. Raises AlreadyDecided for what is not put aside; Stale where it lapsed, or
    something newer is in force under its key; Invalid where its person asked meanwhile never to keep such a fact;
    NotGranted where another put it aside and it is one's own word, or one that two have to say yes to.
    """
    entry = _locked(entry, by=by)
    if entry.status != Status.ARCHIVED:
        raise AlreadyDecided(f"It is {Status(entry.status).label}, so it can't be brought back.")
    policy = in_force(by.organisation)
    check_granted(policy, entry.kind, entry.category)
    check_wanted(entry)
    if entry.expires_at <= now:
        raise Stale("It would have lapsed by now; say it anew if it is still so.")
    if not _put_aside_by(by, entry):
        if is_their_own(entry, by):
            raise NotGranted("You, or an agent you own, said this; somebody else has to bring it back.")
        if four_eyes.is_of_two([entry.category], entry.content, policy=policy, now=now):
            raise NotGranted("Two people have to say yes to this; propose it anew, so that both are asked.")
    check_room(entry)
    return lifecycle.move(entry, Status.ACCEPTED, by=by, now=now)


def _put_aside_by(by: Principal, entry: Entry) -> bool:
    """Whether the same person put it aside by hand: taking that back is nobody else's business."""
    rows = AuditEvent.objects.filter(organisation_id=by.organisation, object_kind="entry", object_id=str(entry.pk))
    last = rows.filter(action="entry.archive").order_by("-seq").values_list("actor", "reason").first()
    return last == (by.label, BY_HAND)


def _locked(entry: Entry, *, by: Principal) -> Entry:
    check_may(by, "decide")
    opening.named(by)
    lock(entry.subject_id)
    announce()
    rows = Entry.objects.select_for_update(of=("self",)).select_related("subject", "provenance")
    found = rows.filter(pk=entry.pk).first()
    if found is None:  # erased meanwhile
        raise NotFound
    return found
