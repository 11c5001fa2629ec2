"""A curator's verbs: approve, approve with an edit, reject, undo, claim, release (R92, R82, R19).

Every decision carries the version the curator saw; a stale one raises, nothing is overwritten. Approver ≠ proposer is
judged by person. The pages and the API call the same verbs.
"""

import uuid
from collections.abc import Sequence
from dataclasses import replace
from datetime import UTC, datetime

from django.db import transaction
from django.db.models import Q

from memoryhub import conf
from memoryhub.errors import AlreadyDecided, Invalid, NotFound, NotGranted, Stale
from memoryhub.governance import audit, disputes, embedding, lifecycle, procedures, review_queue
from memoryhub.governance.announcement import announce
from memoryhub.governance.claims import Claim
from memoryhub.governance.extraction import extract
from memoryhub.governance.policy import Policy
from memoryhub.governance.policy_versions import in_force
from memoryhub.governance.reconciliation import fingerprint, lock
from memoryhub.governance.screening import screen
from memoryhub.models import Entry, ReviewItem
from memoryhub.permissions import check_may, check_may_decide, grant
from memoryhub.skills.skillmd import parse
from memoryhub.tenancy import Principal
from memoryhub.vocabulary import Category, Channel, Form, Kind, ReviewState, ReviewType, Role, SkillStatus, Status

MAX_REASON = 500
_KEPT_FOR_UNDO = (
    "content",
    "entity",
    "key",
    "value",
    "single",
    "fingerprint",
    "authority",
    "confirmed_by",
    "contested",
)
_MOMENTS_KEPT = ("last_confirmed_at", "expires_at", "review_by", "recorded_at")


@transaction.atomic
def approve(
    *, item_id: uuid.UUID | str, by: Principal, now: datetime, text: str | None = None, etag: str | None = None
) -> ReviewItem:
    """Say yes: the fact is in force, the skill or profile active. `text` edits it first, screened like any other
    words."""
    item = _open(item_id, by=by, etag=etag)
    person = _person(by)
    if item.skill is not None:
        _check_granted(in_force(by.organisation), Kind.PROCEDURAL, Category.LESSON)
        procedures.activate(item.skill, person=person, by=by, now=now, text=parse(text) if text else None)
    elif item.profile is not None:
        if text:
            raise Invalid(errors={"text": ["A profile is approved as it is; propose a new version to change it."]})
        procedures.decide_profile(item.profile, SkillStatus.ACTIVE, person=person, by=by, now=now)
    elif item.entry is not None and _disputes_what_is_in_force(item):
        item.undo = {"status": item.entry.status}
        lifecycle.move(item.entry, Status.DISPUTED, by=by, now=now)
    elif item.entry is not None:
        item.undo = _accept(item, item.entry, text=text, by=by, now=now)
    return _close(item, ReviewState.APPROVED, by=by, now=now)


@transaction.atomic
def reject(
    *, item_id: uuid.UUID | str, reason: str, by: Principal, now: datetime, etag: str | None = None
) -> ReviewItem:
    """Say no, with a reason; the same claim does not come back without new evidence (R19)."""
    if not reason.strip():
        raise Invalid(errors={"reason": ["Say why, in a few words."]})
    if len(reason) > MAX_REASON:
        raise Invalid(errors={"reason": [f"At most {MAX_REASON} characters."]})
    treatments = in_force(by.organisation).treatments
    screening = screen(reason, channel=Channel.CURATOR, role=Role.CURATOR, treatments=treatments)
    item = _open(item_id, by=by, etag=etag)
    person = _person(by)
    if item.skill is not None:
        procedures.decline(item.skill, person=person, by=by, now=now)
    elif item.profile is not None:
        procedures.decide_profile(item.profile, SkillStatus.REJECTED, person=person, by=by, now=now)
    elif item.entry is not None:
        entry = item.entry
        item.undo = {"status": entry.status}
        if _disputes_what_is_in_force(item):
            item.undo["stands"] = disputes.settle(entry, besides=item)
        elif entry.status == Status.ACCEPTED:  # a sample or a re-confirmation that a person says no to
            lifecycle.move(entry, Status.ARCHIVED, by=by, now=now)
        else:
            lifecycle.move(entry, Status.REJECTED, by=by, now=now)
        if item.rival is not None:
            item.undo["settled"] = disputes.settle(item.rival, besides=item)
    item.decided_reason = screening.text
    return _close(item, ReviewState.REJECTED, by=by, now=now)


@transaction.atomic
def reject_group(
    *, group: uuid.UUID, reason: str, by: Principal, now: datetime, etag: str | None = None
) -> list[ReviewItem]:
    """Say no to all that waits of one source, with one reason: all of it or none (R15). Each is declined like any
    other, so nobody declines their own; a yes is said one by one. `etag`: what was seen; raises Stale when that
    changed.
    """
    check_may(by, "decide")
    waiting = review_queue.waiting(by=by, group=group)
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
    """Take a decision back while nothing has been built on it; the item waits again. History rows stay."""
    check_may(by, "decide")
    item = _locked(item_id, by=by)
    if item.state not in (ReviewState.APPROVED, ReviewState.REJECTED):
        raise Stale("It is not decided, so there is nothing to take back.")
    check_may_decide(by, item)
    again = ReviewItem.objects.filter(state=ReviewState.WAITING)
    about_the_same = Q(entry__isnull=False, entry=item.entry_id) | Q(skill__isnull=False, skill=item.skill_id)
    if again.filter(about_the_same).exists():
        raise Stale("The same waits for a decision again already; decide that instead.")
    if item.skill is not None:
        procedures.reopen(item.skill, by=by, now=now)
    elif item.profile is not None:
        procedures.decide_profile(item.profile, SkillStatus.PROPOSED, person=None, by=by, now=now)
    elif item.entry is not None:
        _reopen(item, item.entry, by=by, now=now)
    item.state, item.decided_at, item.decided_by, item.decided_reason = ReviewState.WAITING, None, None, ""
    item.undo = None
    item.version += 1
    item.save()
    audit.record(
        by=by, now=now, action="queue.undo", object_kind="review_item", object_id=item.pk, subject=item.subject_id
    )
    return item


@transaction.atomic
def claim(*, item_id: uuid.UUID | str, by: Principal, now: datetime) -> ReviewItem:
    """Say that you are looking at it, for ten minutes; somebody else may take it over, nothing is locked."""
    check_may(by, "decide")
    item = _waiting(_locked(item_id, by=by))
    item.claimed_by_id, item.claimed_at = _person(by), now
    item.save(update_fields=["claimed_by", "claimed_at"])
    audit.record(by=by, now=now, action="queue.claim", object_kind="review_item", object_id=item.pk)
    return item


@transaction.atomic
def release(*, item_id: uuid.UUID | str, by: Principal, now: datetime) -> ReviewItem:
    """Let go of a claimed item."""
    check_may(by, "decide")
    item = _waiting(_locked(item_id, by=by))
    item.claimed_by, item.claimed_at = None, None
    item.save(update_fields=["claimed_by", "claimed_at"])
    audit.record(by=by, now=now, action="queue.release", object_kind="review_item", object_id=item.pk)
    return item


def is_claimed(item: ReviewItem, *, now: datetime) -> bool:
    """Whether somebody's claim on the item still holds."""
    return item.claimed_at is not None and now - item.claimed_at < conf.CLAIM_LIFETIME


def _accept(item: ReviewItem, entry: Entry, *, text: str | None, by: Principal, now: datetime) -> dict[str, object]:
    """Put a proposed or disputed entry in force, superseding what it stands against; returns what undo needs."""
    policy = in_force(by.organisation)
    _check_granted(policy, entry.kind, entry.category)
    before: dict[str, object] = {"status": entry.status, **{name: getattr(entry, name) for name in _KEPT_FOR_UNDO}}
    before |= {name: _moment(getattr(entry, name)) for name in _MOMENTS_KEPT}
    before["supersedes_id"] = str(entry.supersedes_id) if entry.supersedes_id else None
    if text is not None and text.strip() != entry.content:
        _edit(entry, text.strip(), policy=policy, now=now)
        _audit("edit", entry, by=by, now=now)
    closed: dict[str, str | None] = {}
    if entry.status in (Status.PROPOSED, Status.DISPUTED):
        for older in _in_the_way(item, entry):
            closed[str(older.pk)] = _moment(older.valid_to)
            lifecycle.supersede(older, begins=entry.valid_from, said_at=entry.provenance.said_at, by=by, now=now)
            entry.supersedes = entry.supersedes or older
            review_queue.withdraw(ReviewItem.objects.filter(entry=older), by=by, now=now)
        lifecycle.move(entry, Status.ACCEPTED, by=by, now=now)
        entry.recorded_at = now  # believed from now on; when it was said is in its origin
    else:
        _audit("vouch", entry, by=by, now=now)
    moved = _hand_over([uuid.UUID(pk) for pk in closed], entry, besides=item) if closed else []
    entry.last_confirmed_at, entry.confirmed_by = now, Role.CURATOR
    if item.type != ReviewType.SAMPLE:
        entry.authority = 1.0  # a curator vouches for it (R32)
    entry.expires_at = max(entry.expires_at, policy.lapses_at(entry.category, now=now))
    entry.review_by = policy.review_by(entry.expires_at, now=now)
    if not embedding.give([(entry, entry.provenance.speaker)]):
        embedding.later(by=by, now=now)
    entry.save()
    return {**before, "closed": closed, "moved": moved}


def _check_granted(policy: Policy, kind: str, category: str) -> None:
    """Raise NotGranted where the policy lets no curator approve such a memory (R15)."""
    granted = grant(
        role=Role.CURATOR, channel=Channel.CURATOR, kind=kind, op="approve", category=category, grants=policy.grants
    )
    if not granted.allowed:
        raise NotGranted("The organisation's policy lets no curator approve this; an operator changes the policy.")


def _edit(entry: Entry, text: str, *, policy: Policy, now: datetime) -> None:
    """Other words for a proposal, screened like any others; the value under its key is read from them anew."""
    screening = screen(text, channel=Channel.CURATOR, role=Role.CURATOR, treatments=policy.treatments)
    if screening.outcome == "refuse" or screening.redacted or not text:
        reason = screening.reason.label if screening.reason else "Secrets can't be kept."
        raise Invalid(errors={"text": [reason]}, code=str(screening.reason or "invalid"))
    claims = extract(text, said_at=now, zone=UTC, channel=Channel.CURATOR).claims
    claim = next((one for one in claims if one.key and one.key == entry.key), None)
    if claim is None:  # they answer to no key any more
        claim = Claim(text=text, quote=text, form=Form.ASSERTION)
        entry.entity, entry.key, entry.single = "", "", False
    entry.content, entry.value = text, claim.value or ""
    entry.fingerprint = fingerprint(replace(claim, text=text))


def _audit(verb: str, entry: Entry, *, by: Principal, now: datetime) -> None:
    audit.record(
        by=by, now=now, action=f"entry.{verb}", object_kind="entry", object_id=entry.pk, subject=entry.subject_id
    )


def _moment(value: datetime | None) -> str | None:
    return value.isoformat() if value else None


def _in_the_way(item: ReviewItem, entry: Entry) -> list[Entry]:
    """The open entries a newly accepted one supersedes: its rival, and whatever is current under a single-valued
    key."""
    against = Q(pk=item.rival_id) if item.rival_id else Q(pk__in=[])
    if entry.key and entry.single:
        against |= Q(subject_id=entry.subject_id, entity=entry.entity, key=entry.key, valid_to__isnull=True)
    against |= Q(subject_id=entry.subject_id, fingerprint=entry.fingerprint)  # said by somebody else meanwhile
    rows = Entry.objects.select_for_update(of=("self",)).filter(against, status=Status.ACCEPTED).exclude(pk=entry.pk)
    return list(rows.order_by("valid_from"))


def _disputes_what_is_in_force(item: ReviewItem) -> bool:
    """Somebody said that an accepted entry is wrong: approving takes it out of use, rejecting leaves it."""
    return item.type == ReviewType.DISPUTE and item.entry is not None and item.entry.status == Status.ACCEPTED


def _hand_over(closed: Sequence[uuid.UUID], entry: Entry, *, besides: ReviewItem) -> list[str]:
    """What else waits against a statement that was replaced stands against the one in force now; which items."""
    rows = ReviewItem.objects.filter(type=ReviewType.DISPUTE, state=ReviewState.WAITING, rival__in=closed)
    moved = [str(pk) for pk in rows.exclude(pk=besides.pk).values_list("pk", flat=True)]
    ReviewItem.objects.filter(pk__in=moved).update(rival=entry)
    entry.contested = disputes.is_disputed(entry, besides=besides)
    return moved


def _reopen(item: ReviewItem, entry: Entry, *, by: Principal, now: datetime) -> None:
    """Put everything back as the decision found it. Raises Stale when something was built on it meanwhile."""
    kept = item.undo or {}
    before = Status(str(kept.get("status", Status.PROPOSED)))
    if entry.status not in _left_by(item, before):
        raise Stale("It was changed since it was decided; decide the newer version instead.")
    if "content" in kept:
        for name in _MOMENTS_KEPT:
            setattr(entry, name, _read_moment(kept[name]))
        for name in _KEPT_FOR_UNDO:
            setattr(entry, name, kept[name])
        entry.supersedes = Entry.objects.filter(pk=kept["supersedes_id"]).first()  # it may be erased by now
        entry.save()
    if kept.get("settled") and item.rival is not None:
        disputes.contest(item.rival)
    if kept.get("stands"):
        disputes.contest(entry)
    if before != entry.status:
        if before == Status.ACCEPTED:
            _check_room(entry)
        lifecycle.move(entry, before, by=by, now=now, valid_to=entry.valid_to)
    if "content" in kept:  # what was vouched for or edited goes back too, whatever its move is called
        _audit("undo", entry, by=by, now=now)
    closed, moved = kept.get("closed"), kept.get("moved")
    ends_of = closed if isinstance(closed, dict) else dict.fromkeys(closed if isinstance(closed, list) else ())
    if ends_of and isinstance(moved, list):
        ReviewItem.objects.filter(pk__in=moved, state=ReviewState.WAITING).update(rival_id=next(iter(ends_of)))
    for pk, ends in ends_of.items():
        older = Entry.objects.filter(pk=pk, status__in=[Status.REPLACED, Status.ACCEPTED]).first()
        if older is not None:
            _check_room(older)
            lifecycle.resume(older, valid_to=_read_moment(ends), by=by, now=now)


def _left_by(item: ReviewItem, before: Status) -> frozenset[Status]:
    """The statuses that the decision can have left its entry in."""
    if item.type == ReviewType.DISPUTE and before == Status.ACCEPTED:  # of what was in use: taken out, or left
        return frozenset({Status.DISPUTED if item.state == ReviewState.APPROVED else Status.ACCEPTED})
    if item.state == ReviewState.APPROVED:
        return frozenset({Status.ACCEPTED})
    return frozenset({Status.ARCHIVED if before == Status.ACCEPTED else Status.REJECTED})


def _check_room(entry: Entry) -> None:
    """Raise Stale when something else is in force under the same single-valued key by now."""
    if not entry.key or not entry.single:
        return
    same = Entry.objects.filter(
        subject_id=entry.subject_id, entity=entry.entity, key=entry.key, single=True, status=Status.ACCEPTED,
        valid_to__isnull=True,
    )  # fmt: skip
    if same.exclude(pk=entry.pk).exists():
        raise Stale("Something newer is in force by now; decide that instead.")


def _read_moment(text: object) -> datetime | None:
    return datetime.fromisoformat(str(text)) if text else None


def _open(item_id: uuid.UUID | str, *, by: Principal, etag: str | None) -> ReviewItem:
    """The item, locked and still undecided, as the curator saw it, decided by somebody who may."""
    check_may(by, "decide")
    item = _waiting(_locked(item_id, by=by))
    if etag is not None and etag.removeprefix("W/") not in (item.etag, "*"):
        raise Stale
    check_may_decide(by, item)
    return item


def _locked(item_id: uuid.UUID | str, *, by: Principal) -> ReviewItem:
    about = ReviewItem.objects.filter(organisation_id=by.organisation, pk=item_id).values_list("subject", flat=True)
    if (subject := about.first()) is not None:
        lock(subject)  # other writers about the same subject wait, or are through
    announce()
    rows = ReviewItem.objects.select_for_update(of=("self",)).select_related(
        "entry", "skill__agent", "profile__agent", "rival"
    )
    item = rows.filter(organisation_id=by.organisation, pk=item_id).first()
    if item is None:
        raise NotFound
    return item


def _waiting(item: ReviewItem) -> ReviewItem:
    if item.state != ReviewState.WAITING:
        raise AlreadyDecided(decision=item.state, item=item)
    return item


def _close(item: ReviewItem, state: ReviewState, *, by: Principal, now: datetime) -> ReviewItem:
    item.state, item.decided_at, item.decided_by_id = state, now, _person(by)
    item.claimed_by, item.claimed_at = None, None
    item.version += 1
    item.save()
    audit.record(
        by=by, now=now, action=f"queue.{'approve' if state == ReviewState.APPROVED else 'reject'}",
        object_kind="review_item", object_id=item.pk, subject=item.subject_id, reason=item.reason,
    )  # fmt: skip
    return item


def _person(by: Principal) -> uuid.UUID:
    if by.user is None:
        raise NotGranted("Only a named curator decides.")
    return by.user
