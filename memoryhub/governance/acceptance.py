"""What does a curator's decision make of an entry, and how is it taken back to just what it was? (R3, R18, R32, R92)

Whatever a decision touches is written down before it is touched: the entry, what it superseded, whose dispute was
settled, what else waited. Taking it back puts each of them as it was, or refuses where something was built on it.
"""

import uuid
from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any, Final

from django.db.models import Q

from memoryhub.errors import Invalid, NotGranted, Stale
from memoryhub.governance import audit, disputes, embedding, lifecycle, review_queue, rewording
from memoryhub.governance.policy import Policy
from memoryhub.governance.policy_versions import in_force
from memoryhub.governance.reconciliation import fingerprint
from memoryhub.governance.screening import screen
from memoryhub.governance.unwanted import is_unwanted
from memoryhub.models import Entry, ReviewItem
from memoryhub.permissions import grant
from memoryhub.tenancy import Principal
from memoryhub.vocabulary import Channel, EmbeddingState, Reason, ReviewState, ReviewType, Role, Status

Kept = dict[str, Any]

UNWANTED: Final = "The person asked never to keep this kind of fact about them."

_WORDS: Final = (
    "content", "entity", "key", "value", "single", "fingerprint", "kind", "category", "sensitivity", "importance",
    "confidence", "authority", "confirmed_by", "contested", "context", "embedding_state",
)  # fmt: skip
_MOMENTS: Final = ("last_confirmed_at", "expires_at", "review_by", "recorded_at", "recorded_until", "valid_to")


def kept_of(entry: Entry) -> Kept:
    """What an entry is now, as far as a decision may change it; its vector follows from its words."""
    return {
        "status": entry.status,
        **{name: getattr(entry, name) for name in _WORDS},
        **{name: moment(getattr(entry, name)) for name in _MOMENTS},
        "supersedes_id": str(entry.supersedes_id) if entry.supersedes_id else None,
    }


def accept(
    item: ReviewItem,
    entry: Entry,
    *,
    text: str | None,
    by: Principal,
    now: datetime,
    instead_of: Sequence[uuid.UUID] = (),
) -> Kept:
    """Put a proposed or disputed entry in force, superseding what it stands against and `instead_of`; returns what
    taking it back needs."""
    policy = in_force(by.organisation)
    check_granted(policy, entry.kind, entry.category)
    before = kept_of(entry)
    if text is not None and text.strip() != entry.content:
        _edit(entry, text.strip(), policy=policy, now=now)
        check_granted(policy, entry.kind, entry.category)  # of what is approved, as well as of what was proposed
        entry.save()  # before it moves: the key that it no longer answers to may be another's
        audit.record_entry(entry, "entry.edit", by=by, now=now)
    if entry.status in (Status.PROPOSED, Status.DISPUTED):
        check_wanted(entry)
    closed: dict[str, list[str | None]] = {}
    withdrawn: list[str] = []
    if entry.status in (Status.PROPOSED, Status.DISPUTED):
        for older in _in_the_way(item, entry, instead_of):
            closed[str(older.pk)] = [moment(older.valid_to), moment(older.recorded_until)]
            lifecycle.supersede(older, begins=entry.valid_from, said_at=entry.provenance.said_at, by=by, now=now)
            entry.supersedes = entry.supersedes or older
            withdrawn += review_queue.withdraw(ReviewItem.objects.filter(entry=older), by=by, now=now)
        lifecycle.move(entry, Status.ACCEPTED, by=by, now=now)
        entry.recorded_at = now  # believed from now on; when it was said is in its origin
    else:
        audit.record_entry(entry, "entry.vouch", by=by, now=now)
    moved = _hand_over([uuid.UUID(pk) for pk in closed], entry, besides=item) if closed else {}
    entry.last_confirmed_at, entry.confirmed_by = now, Role.CURATOR
    if item.type != ReviewType.SAMPLE:
        entry.authority = 1.0  # a curator vouches for it (R32)
    entry.expires_at = max(entry.expires_at, policy.lapses_at(entry.category, now=now))
    entry.review_by = policy.review_by(entry.expires_at, now=now)
    if not embedding.give([(entry, entry.provenance.speaker)]):
        embedding.later(by=by, now=now)
    entry.save()
    return {**before, "closed": closed, "moved": moved, "withdrawn": withdrawn}


def decline(item: ReviewItem, entry: Entry, *, by: Principal, now: datetime) -> Kept:
    """Put a proposal, or what a sample or a re-confirmation asked about, out of the way; a dispute of what is in use
    leaves it in use. Returns what taking it back needs."""
    kept = kept_of(entry)
    if disputes_what_is_in_force(item):
        kept["stands"] = disputes.settle(entry, besides=item)
    elif entry.status == Status.ACCEPTED:  # a sample or a re-confirmation that a person says no to
        lifecycle.move(entry, Status.ARCHIVED, by=by, now=now)
    else:
        lifecycle.move(entry, Status.REJECTED, by=by, now=now)
    if item.rival is not None:
        kept["settled"] = disputes.settle(item.rival, besides=item)
    return kept


def dispute(entry: Entry, *, by: Principal, now: datetime) -> Kept:
    """Take what is in use out of use, because whoever disputed it is right."""
    kept = kept_of(entry)
    lifecycle.move(entry, Status.DISPUTED, by=by, now=now)
    return kept


def take_back(item: ReviewItem, entry: Entry, kept: Mapping[str, Any], *, by: Principal, now: datetime) -> None:
    """Put everything back as the decision found it. Raises Stale when something was built on it meanwhile."""
    before = Status(str(kept.get("status", Status.PROPOSED)))
    if entry.status not in _left_by(item, before):
        raise Stale("It was changed since it was decided; decide the newer version instead.")
    if kept.get("settled") and item.rival is not None:
        disputes.contest(item.rival)
    if kept.get("stands"):
        disputes.contest(entry)
    if before != entry.status:
        if before == Status.ACCEPTED:
            check_room(entry)
        lifecycle.move(entry, before, by=by, now=now, valid_to=entry.valid_to)
    # What was vouched for or edited goes back too, whatever its move is called.
    audit.record_entry(entry, "entry.undo", by=by, now=now)
    restore(entry, kept, by=by, now=now)
    closed: Mapping[str, Any] = kept.get("closed") or {}
    _hand_back(kept.get("moved") or {}, closed)
    for pk, ends in closed.items():
        older = Entry.objects.filter(pk=pk, status__in=[Status.REPLACED, Status.ACCEPTED]).first()
        if older is not None:
            valid_to, recorded_until = ends if isinstance(ends, list) else (ends, None)
            check_room(older)
            lifecycle.resume(
                older, valid_to=read_moment(valid_to), recorded_until=read_moment(recorded_until), by=by, now=now
            )
    review_queue.reinstate(kept.get("withdrawn") or [], by=by, now=now)


def restore(entry: Entry, kept: Mapping[str, Any], *, by: Principal, now: datetime) -> None:
    """Give an entry the fields it had; its audit row is the caller's. Raises Stale where its key is taken by now."""
    if "content" not in kept:  # of a decision made before this was written down
        return
    reworded = (entry.content, entry.key) != (kept["content"], kept["key"])
    for name in _MOMENTS:
        if name in kept:
            setattr(entry, name, read_moment(kept[name]))
    for name in _WORDS:
        if name in kept:
            setattr(entry, name, kept[name])
    entry.supersedes = Entry.objects.filter(pk=kept["supersedes_id"]).first()  # it may be erased by now
    if entry.status == Status.ACCEPTED and reworded:
        check_room(entry)
    if kept.get("embedding_state") != EmbeddingState.READY:
        entry.embedding, entry.embedding_model = None, ""
    elif reworded and not embedding.give([(entry, entry.provenance.speaker)]):
        embedding.later(by=by, now=now)
    entry.version += 1
    entry.save()


def disputes_what_is_in_force(item: ReviewItem) -> bool:
    """Somebody said that an accepted entry is wrong: approving takes it out of use, rejecting leaves it."""
    return item.type == ReviewType.DISPUTE and item.entry is not None and item.entry.status == Status.ACCEPTED


def check_granted(policy: Policy, kind: str, category: str) -> None:
    """Raise NotGranted where the policy lets no curator approve such a memory (R15)."""
    granted = grant(
        role=Role.CURATOR, channel=Channel.CURATOR, kind=kind, op="approve", category=category, grants=policy.grants
    )
    if not granted.allowed:
        raise NotGranted("The organisation's policy lets no curator approve this; an operator changes the policy.")


def check_wanted(entry: Entry) -> None:
    """Raise Invalid for what waited before its person asked never to keep such a fact (R12)."""
    if is_unwanted(entry.subject, category=entry.category, key=entry.key):
        raise Invalid(UNWANTED, code=Reason.ASKED_NOT_TO_KEEP)


def in_words(entry: Entry, text: str, *, policy: Policy, now: datetime) -> rewording.Reworded:
    """What an entry would be in these words. Raises Invalid where they may not be kept: they are screened like any
    others, and held against what the person asked never to keep."""
    screening = screen(text, channel=Channel.CURATOR, role=Role.CURATOR, treatments=policy.treatments)
    if screening.outcome == "refuse" or screening.redacted or not text:
        reason = screening.reason.label if screening.reason else "Secrets can't be kept."
        raise Invalid(errors={"text": [reason]}, code=str(screening.reason or "invalid"))
    said = rewording.read(entry, text, now=now)
    if is_unwanted(entry.subject, category=said.classification.category, key=said.claim.key):
        raise Invalid(errors={"text": [UNWANTED]}, code=Reason.ASKED_NOT_TO_KEEP)
    return said


def _edit(entry: Entry, text: str, *, policy: Policy, now: datetime) -> None:
    """Other words for a proposal: what they say, and what that is, is read from them anew."""
    said = in_words(entry, text, policy=policy, now=now)
    claim, found = said.claim, said.classification
    entry.content, entry.value, entry.key = text, claim.value or "", claim.key or ""
    entry.entity, entry.single = (claim.entity, claim.single) if claim.key else ("", False)
    entry.kind, entry.category, entry.sensitivity = found.kind, found.category, found.sensitivity
    entry.importance, entry.confidence, entry.authority = found.importance, found.confidence, found.authority
    entry.fingerprint = fingerprint(claim)


def _in_the_way(item: ReviewItem, entry: Entry, instead_of: Sequence[uuid.UUID]) -> list[Entry]:
    """The open entries a newly accepted one supersedes: its rival, and whatever is current under a single-valued
    key."""
    against = Q(pk__in=[*instead_of, *([item.rival_id] if item.rival_id else [])])
    if entry.key and entry.single:
        against |= Q(subject_id=entry.subject_id, entity=entry.entity, key=entry.key, valid_to__isnull=True)
    against |= Q(subject_id=entry.subject_id, fingerprint=entry.fingerprint)  # said by somebody else meanwhile
    rows = Entry.objects.select_for_update(of=("self",)).filter(against, status=Status.ACCEPTED).exclude(pk=entry.pk)
    return list(rows.order_by("valid_from"))


def _hand_over(closed: Sequence[uuid.UUID], entry: Entry, *, besides: ReviewItem) -> dict[str, str]:
    """What else waits against a statement that was replaced stands against the one in force now: which items, and what
    they stood against."""
    rows = ReviewItem.objects.filter(type=ReviewType.DISPUTE, state=ReviewState.WAITING, rival__in=closed)
    moved = {str(pk): str(rival) for pk, rival in rows.exclude(pk=besides.pk).values_list("pk", "rival_id")}
    ReviewItem.objects.filter(pk__in=moved).update(rival=entry)
    entry.contested = disputes.is_disputed(entry, besides=besides)
    return moved


def _hand_back(moved: Mapping[str, str] | Sequence[str], closed: Mapping[str, Any]) -> None:
    rivals = moved if isinstance(moved, Mapping) else dict.fromkeys(moved, next(iter(closed), None))
    for rival in set(rivals.values()):
        items = [pk for pk, stood in rivals.items() if stood == rival]
        ReviewItem.objects.filter(pk__in=items, state=ReviewState.WAITING).update(rival_id=rival)


def _left_by(item: ReviewItem, before: Status) -> frozenset[Status]:
    """The statuses that the decision can have left its entry in."""
    if item.type == ReviewType.DISPUTE and before == Status.ACCEPTED:  # of what was in use: taken out, or left
        return frozenset({Status.DISPUTED if item.state == ReviewState.APPROVED else Status.ACCEPTED})
    if item.state in (ReviewState.APPROVED, ReviewState.MERGED):
        return frozenset({Status.ACCEPTED})
    return frozenset({Status.ARCHIVED if before == Status.ACCEPTED else Status.REJECTED})


def check_room(entry: Entry) -> None:
    """Raise Stale when something else is in force under the same single-valued key by now."""
    if not entry.key or not entry.single:
        return
    same = Entry.objects.filter(
        subject_id=entry.subject_id, entity=entry.entity, key=entry.key, single=True, status=Status.ACCEPTED,
        valid_to__isnull=True,
    )  # fmt: skip
    if same.exclude(pk=entry.pk).exists():
        raise Stale("Something newer is in force by now; decide that instead.")


def moment(value: datetime | None) -> str | None:
    """A moment as JSON holds it."""
    return value.isoformat() if value else None


def read_moment(text: object) -> datetime | None:
    """The reverse of `moment`."""
    return datetime.fromisoformat(str(text)) if text else None
