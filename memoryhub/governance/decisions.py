"""A curator's verbs: approve, approve with an edit, reject, undo, reverse; claim, snooze, escalate (R92, R82, R19).

Every decision carries the version the curator saw; a stale one raises, nothing is overwritten. Approver ≠ proposer is
judged by person. The pages and the API call the same verbs.
"""

import uuid
from datetime import datetime

from django.db import transaction
from django.db.models import Q

from memoryhub import conf
from memoryhub.errors import Invalid, NotFound, Stale
from memoryhub.governance import (
    acceptance,
    activation,
    confirmation,
    four_eyes,
    merging,
    opening,
    questions,
    review_notes,
    review_queue,
)
from memoryhub.governance.policy_versions import in_force
from memoryhub.governance.reconciliation import lock
from memoryhub.governance.screening import screen
from memoryhub.models import ReviewItem
from memoryhub.permissions import check_may, check_may_decide, may_decide
from memoryhub.skills.skillmd import parse
from memoryhub.tenancy import Principal
from memoryhub.vocabulary import Category, Channel, Kind, ReviewState, Role, SkillStatus, Status

MAX_REASON = 500


@transaction.atomic
def approve(
    *, item_id: uuid.UUID | str, by: Principal, now: datetime, text: str | None = None, etag: str | None = None
) -> ReviewItem:
    """Say yes: the fact is in force, the skill or profile active. `text` edits it first, screened like any other
    words. Where the policy wants two to say yes, the first leaves it waiting, with `first_yes_by` (four_eyes.py).
    """
    return _approve(opening.undecided(item_id, by=by, etag=etag), text, by=by, now=now)


def _approve(item: ReviewItem, text: str | None, *, by: Principal, now: datetime, reason: str = "") -> ReviewItem:
    policy, person = in_force(by.organisation), opening.named(by)
    if text and item.profile is not None:
        raise Invalid(errors={"text": ["A profile is approved as it is; propose a new version to change it."]})
    if four_eyes.is_first(item, text, by=by, policy=policy, now=now):
        return four_eyes.say_first(item, text, by=by, policy=policy, now=now)
    text = text or item.first_yes_text or None
    kept: acceptance.Kept = {}
    if item.skill is not None:
        acceptance.check_granted(policy, Kind.PROCEDURAL, Category.LESSON)
        document = parse(text) if text else None
        kept = activation.activate(item.skill, person=person, by=by, now=now, text=document)
    elif item.profile is not None:
        kept = activation.decide_profile(item.profile, SkillStatus.ACTIVE, person=person, by=by, now=now)
    elif item.entry is not None and acceptance.disputes_what_is_in_force(item):
        kept = acceptance.dispute(item.entry, by=by, now=now)
    elif item.entry is not None:
        kept = acceptance.accept(item, item.entry, text=text, by=by, now=now)
    item.decided_reason = reason
    return opening.close(item, ReviewState.APPROVED, kept, by=by, now=now)


@transaction.atomic
def reject(
    *, item_id: uuid.UUID | str, reason: str, by: Principal, now: datetime, etag: str | None = None
) -> ReviewItem:
    """Say no, with a reason; the same claim does not come back without new evidence (R19)."""
    words = _why(reason, by=by)
    item = opening.undecided(item_id, by=by, etag=etag)
    person = opening.named(by)
    kept: acceptance.Kept = {}
    if item.skill is not None:
        kept = activation.decline(item.skill, person=person, by=by, now=now)
    elif item.profile is not None:
        kept = activation.decide_profile(item.profile, SkillStatus.REJECTED, person=person, by=by, now=now)
    elif item.entry is not None:
        kept = acceptance.decline(item, item.entry, by=by, now=now)
    item.decided_reason = words
    return opening.close(item, ReviewState.REJECTED, kept, by=by, now=now)


def _why(reason: str, *, by: Principal) -> str:
    """The reason of a decision, as it may be kept. Raises Invalid for none, or too long a one."""
    if not reason.strip():
        raise Invalid(errors={"reason": ["Say why, in a few words."]})
    if len(reason) > MAX_REASON:
        raise Invalid(errors={"reason": [f"At most {MAX_REASON} characters."]})
    treatments = in_force(by.organisation).treatments
    return screen(reason, channel=Channel.CURATOR, role=Role.CURATOR, treatments=treatments).text[:MAX_REASON]


@transaction.atomic
def reject_group(
    *, group: uuid.UUID, reason: str, by: Principal, now: datetime, etag: str | None = None
) -> list[ReviewItem]:
    """Say no to all that waits of one source, with one reason: all of it or none (R15). Each is declined like any
    other, so nobody declines their own; a yes is said one by one. `etag`: what was seen; raises Stale when that
    changed.
    """
    check_may(by, "decide")
    waiting = review_queue.waiting(by=by, group=group, now=now)
    if (first := waiting.first()) is None:
        raise NotFound("Nothing of this source waits any more.")
    if first.subject_id is not None:
        lock(first.subject_id)
    items = list(waiting)
    if etag is not None and etag != review_queue.etag_of(items):
        raise Stale
    return [reject(item_id=item.pk, reason=reason, by=by, now=now) for item in items]


@transaction.atomic
def undo(*, item_id: uuid.UUID | str, by: Principal, now: datetime) -> ReviewItem:
    """Take a decision back while nothing has been built on it; the item waits again, and all is as it was. History
    rows stay. The first of two who have to say yes takes theirs back like this, too."""
    check_may(by, "decide")
    item = opening.locked(item_id, by=by)
    if item.state == ReviewState.WAITING and item.first_yes_by_id is not None and item.first_yes_by_id == by.user:
        return four_eyes.take_back(item, by=by, now=now)
    _check_decided(item, by=by)
    _take_back(item, by=by, now=now)
    return opening.reopen(item, by=by, now=now)


@transaction.atomic
def reverse(*, item_id: uuid.UUID | str, reason: str, by: Principal, now: datetime) -> ReviewItem:
    """Decide the other way what was decided within conf.REVERSED_WITHIN: a new decision about a new item, which this
    returns; the old one stays as it was made. What was approved is declined, what was declined is approved; what was
    merged waits again, to be decided by itself.

    Raises Stale where it is too long ago, was reversed already, or something was built on it.
    """
    words = _why(reason, by=by)
    check_may(by, "decide")
    old = opening.locked(item_id, by=by)
    _check_decided(old, by=by)
    if old.decided_at is None or now - old.decided_at > conf.REVERSED_WITHIN:
        raise Stale(f"It was decided more than {conf.REVERSED_WITHIN.days} days ago; change what is in force instead.")
    _take_back(old, by=by, now=now)
    opening.noted("undo", old, by=by, now=now, reason="reversed")
    item = review_queue.put_again(old, by=by, now=now)
    opening.noted("reverse", item, by=by, now=now)
    item = opening.locked(item.pk, by=by)
    if old.state == ReviewState.APPROVED:
        return reject(item_id=item.pk, reason=reason, by=by, now=now)
    if old.state == ReviewState.REJECTED:
        return _approve(item, None, by=by, now=now, reason=words)
    review_notes.write(item, reason, field="reason", by=by, now=now)
    return item


def _check_decided(item: ReviewItem, *, by: Principal) -> None:
    """Raise Stale unless the item is decided and that was not reversed since, NotGranted for who may not decide it."""
    if item.state not in opening.VERBS:
        raise Stale("It is not decided, so there is nothing to take back.")
    check_may_decide(by, item)
    if ReviewItem.objects.filter(reverses=item).exists():
        raise Stale("That decision was reversed since; decide the newer one instead.")


def _take_back(item: ReviewItem, *, by: Principal, now: datetime) -> None:
    """Take back what a decision did. Raises Stale where the same waits again, or something was built on it."""
    again = ReviewItem.objects.filter(state=ReviewState.WAITING)
    about_the_same = (
        Q(entry__isnull=False, entry=item.entry_id)
        | Q(skill__isnull=False, skill=item.skill_id)
        | Q(profile__isnull=False, profile=item.profile_id)
    )
    if again.filter(about_the_same).exists():
        raise Stale("The same waits for a decision again already; decide that instead.")
    kept = item.undo or {}
    if item.entry is not None and "into" in kept:
        merging.take_back(item, item.entry, kept, by=by, now=now)
    elif item.skill is not None:
        activation.take_back(item, item.skill, kept, by=by, now=now)
    elif item.profile is not None:
        activation.take_back_profile(item, item.profile, kept, by=by, now=now)
    elif item.entry is not None:
        acceptance.take_back(item, item.entry, kept, by=by, now=now)


@transaction.atomic
def claim(*, item_id: uuid.UUID | str, by: Principal, now: datetime) -> ReviewItem:
    """Say that you are looking at it, for ten minutes; somebody else may take it over, which is recorded. Nothing is
    locked."""
    item: ReviewItem = opening.waiting(item_id, by=by)
    holder = item.claimed_by_id if is_claimed(item, now=now) else None
    item.claimed_by_id, item.claimed_at = opening.named(by), now
    item.save(update_fields=["claimed_by", "claimed_at"])
    if holder is not None and holder != by.user:
        opening.noted("take_over", item, by=by, now=now, reason=str(holder))
    elif holder is None:
        opening.noted("claim", item, by=by, now=now)
    return item


@transaction.atomic
def heartbeat(
    *, item_id: uuid.UUID | str, by: Principal, now: datetime, takes: bool = False, leaves: bool = False
) -> ReviewItem:
    """Say that you have it before you: your claim holds for ten more minutes, or ends where you leave. `takes`: what
    nobody is on, and you may decide, is yours from now on. Otherwise nothing changes, whatever its state, and the item
    tells who is on it, or who decided it; it is read once. A claim that goes on moves a time that no decision rests on,
    so it is not audited.
    """
    check_may(by, "decide")
    person = opening.named(by)
    item: ReviewItem = opening.alone(item_id, by=by)
    if item.state != ReviewState.WAITING:
        return item
    held = is_claimed(item, now=now)
    if held and item.claimed_by_id == person:
        if leaves:
            return _let_go(item, by=by, now=now)
        item.claimed_at = now
        item.save(update_fields=["claimed_at"])
    elif takes and not held and not leaves and may_decide(by, item):
        item.claimed_by_id, item.claimed_at = person, now
        item.save(update_fields=["claimed_by", "claimed_at"])
        opening.noted("claim", item, by=by, now=now)
    return item


@transaction.atomic
def release(*, item_id: uuid.UUID | str, by: Principal, now: datetime) -> ReviewItem:
    """Let go of a claimed item."""
    return _let_go(opening.waiting(item_id, by=by), by=by, now=now)


def _let_go(item: ReviewItem, *, by: Principal, now: datetime) -> ReviewItem:
    item.claimed_by, item.claimed_at = None, None
    item.save(update_fields=["claimed_by", "claimed_at"])
    opening.noted("release", item, by=by, now=now)
    return item


def is_claimed(item: ReviewItem, *, now: datetime) -> bool:
    """Whether somebody's claim on the item still holds."""
    return item.claimed_at is not None and now - item.claimed_at < conf.CLAIM_LIFETIME


def held_by_another(item: ReviewItem, *, by: Principal, now: datetime) -> str:
    """Who else is on it, by e-mail address; empty where nobody is. What a colleague is on is decided by somebody else
    only once they took it over."""
    if item.claimed_by is None or item.claimed_by_id == by.user or not is_claimed(item, now=now):
        return ""
    return item.claimed_by.email


@transaction.atomic
def snooze(
    *, item_id: uuid.UUID | str, until: datetime, by: Principal, now: datetime, etag: str | None = None
) -> ReviewItem:
    """Leave it out of the queue until then; it goes on being due. Raises Invalid for a moment that is past, or further
    away than conf.SNOOZED_AT_MOST."""
    if not now < until <= now + conf.SNOOZED_AT_MOST:
        raise Invalid(errors={"until": [f"A moment within the next {conf.SNOOZED_AT_MOST.days} days."]})
    item: ReviewItem = opening.waiting(item_id, by=by)
    opening.check_seen(item, etag)
    item.snoozed_until = until
    item.version += 1
    item.save(update_fields=["snoozed_until", "version"])
    opening.noted("snooze", item, by=by, now=now)
    return item


@transaction.atomic
def wake(*, item_id: uuid.UUID | str, by: Principal, now: datetime) -> ReviewItem:
    """Bring a snoozed item back now."""
    item: ReviewItem = opening.waiting(item_id, by=by)
    if item.snoozed_until is None:
        return item
    item.snoozed_until = None
    item.version += 1
    item.save(update_fields=["snoozed_until", "version"])
    opening.noted("wake", item, by=by, now=now)
    return item


@transaction.atomic
def escalate(*, item_id: uuid.UUID | str, reason: str, by: Principal, now: datetime) -> ReviewItem:
    """Put it before everything else that waits, and say why; the reason stands among its notes. Raises Stale for what
    comes first already: a further reason is a note."""
    item: ReviewItem = opening.waiting(item_id, by=by)
    if item.escalated_at is not None:
        raise Stale("It was escalated already; leave a note instead.")
    review_notes.write(item, reason, field="reason", by=by, now=now, escalates=True)
    return _placed(item, now, "escalate", by=by, now=now)


@transaction.atomic
def lower(*, item_id: uuid.UUID | str, by: Principal, now: datetime) -> ReviewItem:
    """Take an escalation back: it waits where its turn is. What was said with it stays among the notes."""
    item: ReviewItem = opening.waiting(item_id, by=by)
    return item if item.escalated_at is None else _placed(item, None, "lower", by=by, now=now)


def _placed(item: ReviewItem, escalated_at: datetime | None, verb: str, *, by: Principal, now: datetime) -> ReviewItem:
    item.escalated_at = escalated_at
    item.place_at = review_queue.place_of(item.type, item.turn_at, escalated=escalated_at is not None)
    item.save(update_fields=["escalated_at", "place_at"])
    opening.noted(verb, item, by=by, now=now)
    return item


@transaction.atomic
def ask_person(
    *, item_id: uuid.UUID | str, by: Principal, now: datetime, question: str | None = None, etag: str | None = None
) -> ReviewItem:
    """Ask the person it is about: on their page, and, for what is in force, through any agent they talk to. It rests
    until they answer. Raises Invalid where nobody can be asked, or the words can't be kept."""
    item: ReviewItem = opening.waiting(item_id, by=by)
    opening.check_seen(item, etag)
    questions.put(item, question, by=by, now=now)
    entry = item.entry
    if entry is not None and entry.status == Status.ACCEPTED and not entry.contested:
        confirmation.set_review_by(entry=entry, review_by=now, by=by, now=now)
    return item
