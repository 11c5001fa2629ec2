"""Is it still true? Confirming, disputing and dating an entry that is in force (R3, R5, R18)."""

from datetime import datetime, timedelta
from typing import Final

from django.db import transaction

from memoryhub import conf
from memoryhub.errors import AlreadyDecided, Invalid, NotFound
from memoryhub.governance import audit, lifecycle, questions, review_queue
from memoryhub.governance.announcement import announce
from memoryhub.governance.policy import Policy
from memoryhub.governance.policy_versions import in_force
from memoryhub.governance.reconciliation import lock
from memoryhub.governance.screening import screen
from memoryhub.models import Entry, ReviewItem
from memoryhub.permissions import owner_of
from memoryhub.tenancy import Principal
from memoryhub.vocabulary import Answer, Channel, Reason, ReviewType, Role, Status

_TODAY: Final = timedelta(days=1)  # a day that still is one has begun no longer ago
NO_LONGER: Final = "no longer true, by the person's own word"


@transaction.atomic
def confirm(*, entry: Entry, by: Principal, now: datetime, role: Role = Role.CUSTOMER) -> Entry:
    """Somebody who may know says it is still true: its confirmation and its lifetime start anew (R5)."""
    entry = _locked(entry)
    if entry.status != Status.ACCEPTED:
        raise AlreadyDecided("Only something in force can be confirmed.")
    policy = in_force(by.organisation)
    if role == Role.CURATOR and not is_their_own(entry, by):
        vouch(entry, role=role, policy=policy, by=by, now=now)
    else:
        if role == Role.CUSTOMER and (question := questions.open_about(entry)) is not None:
            questions.take(question, Answer.YES, "", by=by, now=now)
        touch(entry, role=role, policy=policy, by=by, now=now)
    audit.record_entry(entry, "entry.confirm", by=by, now=now)
    return entry


def is_their_own(entry: Entry, by: Principal) -> bool:
    """Whether who confirms, or their agent, said it: nobody vouches for their own proposal (R92)."""
    origin = entry.provenance
    told = owner_of(origin.agent_id) if origin.role == Role.AGENT else origin.user_id
    return by.user is None or told == by.user


def vouch(entry: Entry, *, role: Role, policy: Policy, by: Principal, now: datetime) -> None:
    """A record, evidence or a curator says the same: it is confirmed, and counts as verified from now on (R18, R32).
    Where it came from stays as it is.
    """
    if entry.authority < conf.VERIFIED:
        entry.authority = conf.VERIFIED
        entry.save(update_fields=["authority", "updated_at"])
        audit.record_entry(entry, "entry.vouch", by=by, now=now)
    touch(entry, role=role, policy=policy, by=by, now=now)


def touch(entry: Entry, *, role: Role, policy: Policy, by: Principal, now: datetime) -> None:
    """Move the last confirmation and with it the expiry; never shortens a lifetime. Whoever was asked whether it is
    still so needs not answer any more (R77).
    """
    if entry.review_by is not None and entry.review_by <= now:
        _answered(entry, by=by, now=now)
    entry.last_confirmed_at, entry.confirmed_by = now, role
    if entry.valid_to is None:
        entry.expires_at = max(entry.expires_at, policy.lapses_at(entry.category, now=now))
    entry.review_by = policy.review_by(entry.expires_at, now=now)
    entry.version += 1
    entry.save(update_fields=["last_confirmed_at", "confirmed_by", "expires_at", "review_by", "version", "updated_at"])


@transaction.atomic
def no_longer(*, entry: Entry, by: Principal, now: datetime) -> Entry:
    """The person says that it is true no more: it ends as of now, unreplaced, and is kept as history (R3, R90). Nothing
    new is kept by it, so it works while remembering is paused too."""
    entry = _locked(entry)
    if entry.status != Status.ACCEPTED:
        raise AlreadyDecided("Only something in force can end.")
    if (question := questions.open_about(entry)) is not None:
        questions.take(question, Answer.NO, "", by=by, now=now)
    review_queue.withdraw(ReviewItem.objects.filter(entry=entry), by=by, now=now)
    return lifecycle.move(entry, Status.REPLACED, by=by, now=now, reason=NO_LONGER, valid_to=now)


@transaction.atomic
def dispute(*, entry: Entry, reason: str, by: Principal, now: datetime) -> Entry:
    """Somebody says it is wrong: it stays in use, marked contested, and a person is asked (R3)."""
    if not reason.strip():
        raise Invalid(errors={"reason": ["Say what is wrong, in a few words."]})
    entry = _locked(entry)
    if entry.status != Status.ACCEPTED:
        raise AlreadyDecided("Only something in force can be disputed.")
    said = screen(
        reason, channel=Channel.USER_MESSAGE, role=Role.CUSTOMER, treatments=in_force(by.organisation).treatments
    )
    entry.contested = True
    entry.version += 1
    entry.save(update_fields=["contested", "version", "updated_at"])
    review_queue.propose_again(entry, by=by)
    why = f"Disputed: {said.text}" if said.outcome != "refuse" else "Disputed."
    if not review_queue.turn_into_dispute(entry, why=why):
        review_queue.put(
            type=ReviewType.DISPUTE, reason=Reason.CONTRADICTS, why=why, entry=entry, subject=entry.subject,
            by=by, now=now,
        )  # fmt: skip
    audit.record_entry(entry, "entry.dispute", by=by, now=now)
    return entry


@transaction.atomic
def set_review_by(*, entry: Entry, review_by: datetime, by: Principal, now: datetime) -> Entry:
    """Say when it has to be looked at again: today at the earliest, in any zone. Raises Invalid before that, and after
    its expiry."""
    entry = _locked(entry)
    if review_by < now - _TODAY:
        raise Invalid(errors={"review_by": ["That day is over; choose today or a later one."]})
    if review_by > entry.expires_at:
        raise Invalid(errors={"review_by": ["It lapses before that day; confirm it first."]})
    if review_by > now:
        _answered(entry, by=by, now=now)
    entry.review_by = review_by
    entry.version += 1
    entry.save(update_fields=["review_by", "version", "updated_at"])
    audit.record_entry(entry, "entry.review_by", by=by, now=now)
    return entry


def _answered(entry: Entry, *, by: Principal, now: datetime) -> None:
    asked = ReviewItem.objects.filter(entry=entry, type=ReviewType.RECONFIRM)
    review_queue.withdraw(asked, by=by, now=now)


def _locked(entry: Entry) -> Entry:
    announce()
    lock(entry.subject_id)
    rows = Entry.objects.select_for_update(of=("self",)).select_related("subject", "provenance")
    found = rows.filter(pk=entry.pk).first()
    if found is None:  # erased meanwhile
        raise NotFound
    return found
