"""Is it new, known, a newer version, or a contradiction? Compared with what is in force before anything is written
(R17–R19).

Newer does not win by being newer: the order is system of record, curator, evidence, the person about themselves, agent
inference, text nobody vouched for. What nothing settles goes to a person, and the accepted statement stays in use.
"""

import hashlib
import uuid
from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Final

from django.db import connection
from django.db.models import Q, QuerySet

from memoryhub import conf
from memoryhub.governance.classification import Classification
from memoryhub.governance.extraction import Claim
from memoryhub.governance.opposed import elsewhere
from memoryhub.governance.sameness import near_duplicate, normalised, opposite
from memoryhub.governance.wording import says_more
from memoryhub.models import Entry, ReviewItem, Subject
from memoryhub.recall import planned
from memoryhub.tenancy import is_marked, mark
from memoryhub.vocabulary import UNTRUSTED_CHANNELS, Category, Channel, Op, Reason, ReviewState, Role, Status

COMPARED: Final = 500  # open unkeyed statements of one subject looked at, newest first

_LOCKED: Final = "subject locked"
_HELD: Final = (
    f"SELECT id FROM memoryhub_entry WHERE subject_id = %(subject)s AND status = '{Status.ACCEPTED.value}'"
    " AND entity = %(entity)s AND key = %(key)s AND (valid_to IS NULL OR valid_to > %(now)s)"
)
_UNDER_KEY: Final = planned.statement(_HELD)
_SAYING: Final = planned.statement(f"{_HELD} AND fingerprint = ANY (%(marks)s::text[])")
#: How much each origin settles (R18); a higher one replaces a lower one, a lower one is put to a person.
_TRUST: Final = {
    Role.SYSTEM_OF_RECORD: 5,
    Role.CURATOR: 4,
    Role.OPERATOR: 3,
    Role.CUSTOMER: 2,
    Role.DREAMER: 2,  # what a person said in the turns it read
    Role.AGENT: 1,
}


@dataclass(frozen=True)
class Plan:
    """What reconciling found: the operation, and the entries it touches.

    `known`: the entry that says the same (NOOP); `vouches`: it counts as verified from now on. `closes`: entries the
    new version supersedes. `rival`: what it contradicts. `status` and `valid_to`: how the new entry begins. `before`:
    the version that follows it in time, when it was said late. `upheld`: what is in force and a record confirmed;
    `verified_by`: the record that confirmed the claim itself.
    """

    op: Op
    reason: Reason
    detail: str = ""
    known: Entry | None = None
    confirms: bool = False
    vouches: bool = False
    closes: tuple[Entry, ...] = ()
    rival: Entry | None = None
    status: Status = Status.ACCEPTED
    valid_to: datetime | None = None
    before: Entry | None = None
    upheld: Entry | None = None
    verified_by: str = ""


def lock(subject: Subject | uuid.UUID) -> None:
    """Make other writers about this subject wait until the transaction ends.

    Wider than the (subject, entity, key) of R17 on purpose: it also covers statements without a key, and a message
    with several claims can't deadlock with another. Whoever changes anything about a subject takes this lock first,
    then rows, and the end of the audit chain last: in that one order nobody waits for somebody who waits for them.
    What was read before the lock may be old; it is read again.
    """
    key = subject if isinstance(subject, uuid.UUID) else subject.pk
    number = int.from_bytes(hashlib.blake2b(key.bytes, digest_size=8).digest(), signed=True)
    with connection.cursor() as cursor:
        cursor.execute("SELECT pg_advisory_xact_lock(%s)", [number])
    mark(_LOCKED)


def holds_a_lock() -> bool:
    """Whether this transaction took the lock of any subject, so that other writers may be waiting for it."""
    return is_marked(_LOCKED)


def fingerprint(claim: Claim) -> str:
    """A hash of what is claimed, the same for the same claim in other punctuation (duplicates, declines: R17, R19)."""
    if claim.key and claim.value is not None:
        return _mark(claim.entity, claim.key, claim.value)
    return _mark("", "", claim.text)


def _mark(entity: str, key: str, said: str) -> str:
    return hashlib.sha256(f"{entity}|{key}|{normalised(said)}".encode()).hexdigest()


def trust(role: str, channel: str) -> int:
    """Where an origin stands in the order of R18."""
    if channel in UNTRUSTED_CHANNELS:
        return 0
    if channel == Channel.EVIDENCE:
        return 3
    return _TRUST[Role(role)]


def reconcile(
    claim: Claim,
    classification: Classification,
    *,
    subject: Subject,
    role: Role,
    channel: Channel,
    said_at: datetime,
    now: datetime,
    corrects: Entry | None = None,
) -> Plan:
    """Compare one claim with what is in force for its subject. Reads only; the caller holds `lock(subject)`."""
    standing = trust(role, channel)
    plan = _compared(claim, classification, subject, role, standing, said_at=said_at, now=now, corrects=corrects)
    return _vouched_for(plan, claim, standing) if classification.authority >= conf.VERIFIED else plan


def _compared(
    claim: Claim,
    classification: Classification,
    subject: Subject,
    role: Role,
    standing: int,
    *,
    said_at: datetime,
    now: datetime,
    corrects: Entry | None,
) -> Plan:
    confirms = role in (Role.CUSTOMER, Role.CURATOR, Role.SYSTEM_OF_RECORD)
    open_now = Q(valid_to__isnull=True) | Q(valid_to__gt=now)
    in_force = Entry.objects.filter(open_now, subject=subject, status=Status.ACCEPTED)
    if corrects is not None:
        return _correction(claim, corrects, standing, in_force.exclude(pk=corrects.pk), confirms)
    if claim.key and (claim.value is not None or claim.ends_key):  # one value at a time, of whatever kind it is
        return _keyed(claim, in_force, subject, standing, claim.valid_from or said_at, confirms, now)
    return _unkeyed(claim, fingerprint(claim), in_force.filter(kind=classification.kind), confirms)


def _vouched_for(plan: Plan, claim: Claim, standing: int) -> Plan:
    """What a record, a curator or evidence says too counts as verified, as if it had come from them (R18, R32). They
    vouch for no more than they say: where what is in force says more, their own words become the new version.
    """
    known = plan.known
    if plan.reason != Reason.DUPLICATE or not plan.confirms or known is None or known.authority >= conf.VERIFIED:
        return plan
    if normalised(known.content) == normalised(claim.text) or _is_bare(known, claim):
        return replace(plan, vouches=True)
    if _standing_of(known) > standing:
        return plan
    return Plan(Op.UPDATE, Reason.SUPERSEDED, "what is in force says more than is vouched for", closes=(known,))


def _is_bare(known: Entry, claim: Claim) -> bool:
    """Whether an entry says a claim's value under its key, and nothing around it."""
    under_key = bool(known.key) and known.fingerprint == fingerprint(claim)
    return under_key and not says_more(known.content, known.value, known.key)


def ended(claim: Claim, *, subject: Subject) -> Plan:
    """Whoever has the last word says that there is nothing under the key: what is in force there ends, unreplaced."""
    held = Entry.objects.filter(
        subject=subject, status=Status.ACCEPTED, entity=claim.entity, key=claim.key, valid_to__isnull=True
    )
    against = tuple(held.select_related("provenance").defer("embedding", "search").order_by("-valid_from", "-id"))
    if not against:
        return Plan(Op.DISCARDED, Reason.ASSERTS_NOTHING, "nothing is in force under the key")
    return Plan(Op.UPDATE, Reason.SUPERSEDED, "there is none any more", closes=against, known=against[0])


def seen_before(claim: Claim, subject: Subject, role: Role) -> Plan | None:
    """What is known of a claim that would be queued: the same waits already, or a curator declined it (R17, R19).

    A curator and a system of record speak anew: they are the new evidence.
    """
    known = Entry.objects.filter(
        subject=subject,
        fingerprint=fingerprint(claim),
        status__in=[Status.PROPOSED, Status.DISPUTED, Status.REJECTED],
    )
    entry = known.order_by("-recorded_at", "-id").first()
    if entry is None:
        merged = ReviewItem.objects.filter(
            subject=subject, state=ReviewState.MERGED, entry__fingerprint=fingerprint(claim),
            merged_into__status=Status.ACCEPTED,
        ).select_related("merged_into__provenance")  # fmt: skip
        item = merged.order_by("-decided_at").first()
        return Plan(Op.NOOP, Reason.DUPLICATE, "a curator merged it", known=item.merged_into) if item else None
    if entry.status != Status.REJECTED:
        return Plan(Op.NOOP, Reason.WAITING, "already in the queue", known=entry)
    if role in (Role.CURATOR, Role.SYSTEM_OF_RECORD):
        return None
    return Plan(Op.REFUSED, Reason.DECLINED_BEFORE, "declined by a curator", known=entry)


def _correction(claim: Claim, corrects: Entry, standing: int, others: QuerySet[Entry], confirms: bool) -> Plan:
    """A new version of one named entry: by the person about what they said, or by somebody above its origin (R18).

    What another entry in force says already is not said twice; what holds the same single-valued key goes with it.
    """
    if corrects.status not in (Status.ACCEPTED, Status.PROPOSED, Status.DISPUTED):
        return Plan(Op.NOOP, Reason.OLDER, "that version is history already", known=corrects)
    if _says_the_same(corrects, claim) and normalised(corrects.content) == normalised(claim.text):
        return Plan(Op.NOOP, Reason.DUPLICATE, "the same words", known=corrects, confirms=True)
    if (twin := _twin(claim, others)) is not None:
        return Plan(Op.NOOP, Reason.DUPLICATE, "another entry in force says the same", known=twin, confirms=confirms)
    against = [corrects] if corrects.status == Status.ACCEPTED else []
    if claim.key and claim.single and claim.valid_to is None:
        against += _held(claim, others).filter(valid_to__isnull=True)
    if (stronger := _stronger(against, standing)) is not None:
        return stronger
    if corrects.status != Status.ACCEPTED and not against:
        return Plan(Op.ADD, Reason.COMMITTED, "replaces a proposal")
    return Plan(Op.UPDATE, Reason.SUPERSEDED, closes=tuple(against))


def _twin(claim: Claim, others: QuerySet[Entry]) -> Entry | None:
    """The entry in force that says what a correction would say."""
    mark, words = fingerprint(claim), normalised(claim.text)
    found = others.filter(fingerprint=mark).values_list("pk", flat=True).first()
    if found is None:
        rows = others.order_by("-recorded_at", "-id").values_list("pk", "content", "key")[:COMPARED]
        bare = not claim.key
        for pk, content, key in rows:
            known = normalised(content)
            if known == words or (bare and not key and near_duplicate(words, known)):
                found = pk
                break
    return others.select_related("provenance").get(pk=found) if found else None


def _held(claim: Claim, in_force: QuerySet[Entry]) -> QuerySet[Entry]:
    """What is in force under a claim's key, newest first."""
    under_key = in_force.filter(entity=claim.entity, key=claim.key).select_related("provenance")
    return under_key.order_by("-valid_from", "-id").defer("embedding", "search")


def _stronger(against: Sequence[Entry], standing: int) -> Plan | None:
    """A more trusted statement stays in use, and a person is asked (R18)."""
    stronger = next((entry for entry in against if _standing_of(entry) > standing), None)
    if stronger is None:
        return None
    return Plan(
        Op.QUEUED, Reason.CONTRADICTS, "a more trusted statement is in force", rival=stronger, status=Status.DISPUTED
    )


def _under_key(claim: Claim, subject: Subject, *, marks: Sequence[str] | None, now: datetime) -> list[uuid.UUID]:
    """Which entries in force stand under a claim's key; `marks`: only those that say one of these.

    Most claims are about something new, and the ORM takes ten times as long to find that there is nothing.
    """
    asked = {"subject": subject.pk, "entity": claim.entity, "key": claim.key, "now": now}
    if marks is None:
        return [row[0] for row in planned.ask(_UNDER_KEY, asked)]
    return [row[0] for row in planned.ask(_SAYING, {**asked, "marks": list(marks)})]


def _keyed(
    claim: Claim,
    in_force: QuerySet[Entry],
    subject: Subject,
    standing: int,
    begins: datetime,
    confirms: bool,
    now: datetime,
) -> Plan:
    own = fingerprint(claim) if claim.value is not None else None
    whole = claim.single or claim.ends_key
    # Of many values only those that this one ends or turns round; found by what they say, however many there are.
    ended = [*claim.closes, *([opposite(claim.value)] if claim.value else [])]
    turned = [_mark(claim.entity, claim.key or "", value) for value in ended]
    found = _under_key(claim, subject, marks=None if whole else [*([own] if own else []), *turned], now=now)
    held = list(_held(claim, in_force.filter(pk__in=found))) if found else []
    same = next((entry for entry in held if entry.fingerprint == own), None)
    if same is not None:
        return Plan(Op.NOOP, Reason.DUPLICATE, "the same value is in force", known=same, confirms=confirms)
    crossing = elsewhere(claim, in_force)
    if later := [entry for entry in crossing if _began_after(begins, entry, standing, now)]:
        return _history(min(later, key=lambda entry: entry.valid_from))
    against = [*(held if whole else [entry for entry in held if entry.fingerprint in turned]), *crossing]
    if not against:
        return Plan(Op.ADD, Reason.COMMITTED)
    until: datetime | None = None
    if not claim.single:
        later = [entry for entry in against if _began_after(begins, entry, standing, now)]
        if later and (not claim.ends_key or len(later) == len(against)):  # said before what turns it round
            return _history(min(later, key=lambda entry: entry.valid_from))
        against = [entry for entry in against if entry not in later]
    if claim.single:
        # Said for a later day; a clock that ran ahead, or a parallel writer a moment later, announces nothing.
        announced = [entry for entry in against if entry.valid_from > max(now, entry.provenance.said_at)]
        current = next((entry for entry in against if entry not in announced), None)
        if current is not None and begins < current.valid_from and standing <= _standing_of(current):
            return _history(_following(claim, current, begins))
        announced = [entry for entry in announced if entry.valid_from > begins]  # stays so: this holds until then
        until = min((entry.valid_from for entry in announced), default=None)
        against = [entry for entry in against if entry not in announced]
    if (stronger := _stronger(against, standing)) is not None:
        return stronger
    if not against:
        return Plan(Op.ADD, Reason.COMMITTED, valid_to=until)
    return Plan(Op.UPDATE, Reason.SUPERSEDED, closes=tuple(against), valid_to=until)


def _began_after(begins: datetime, entry: Entry, standing: int, now: datetime) -> bool:
    """Whether what is in force began later, on no less trust; what is only announced for a later day did not begin."""
    announced = entry.valid_from > max(now, entry.provenance.said_at)
    return begins < entry.valid_from and not announced and standing <= _standing_of(entry)


def _history(following: Entry) -> Plan:
    """A statement said late: it held until the one that follows it (R17)."""
    return Plan(
        Op.NOOP, Reason.OLDER, "kept as history", status=Status.REPLACED, valid_to=following.valid_from,
        before=following,
    )  # fmt: skip


def _following(claim: Claim, current: Entry, begins: datetime) -> Entry:
    """The version, in force or history, that begins next after a statement said late."""
    versions = Entry.objects.filter(
        subject_id=current.subject_id, entity=claim.entity, key=claim.key, single=True, valid_from__gt=begins,
        status__in=[Status.ACCEPTED, Status.REPLACED, Status.EXPIRED],
    )  # fmt: skip
    return versions.defer("embedding", "search").order_by("valid_from", "recorded_at", "id").first() or current


def _unkeyed(claim: Claim, mark: str, in_force: QuerySet[Entry], confirms: bool) -> Plan:
    words = normalised(claim.text)
    rows = in_force.filter(Q(key="") | Q(fingerprint=mark)).order_by("-recorded_at", "-id")
    for pk, content, known_mark in rows.values_list("pk", "content", "fingerprint")[:COMPARED]:
        if known_mark == mark or near_duplicate(words, normalised(content)):
            known = in_force.select_related("provenance").get(pk=pk)
            return Plan(Op.NOOP, Reason.DUPLICATE, "the same statement is in force", known=known, confirms=confirms)
    return Plan(Op.ADD, Reason.COMMITTED)


def _says_the_same(entry: Entry, claim: Claim) -> bool:
    if claim.key and claim.value is not None:
        return (entry.entity, entry.key) == (claim.entity, claim.key) and normalised(entry.value) == normalised(
            claim.value
        )
    return normalised(entry.content) == normalised(claim.text)


def _standing_of(entry: Entry) -> int:
    """An entry's place in the order; a verified one counts as a curator's, except a preference, which stays the
    person's."""
    own = trust(entry.provenance.role, entry.provenance.channel)
    verified = entry.authority >= conf.VERIFIED and entry.category != Category.PREFERENCE
    return max(own, _TRUST[Role.CURATOR]) if verified else own


def keeps_history(plan: Plan) -> bool:
    """Whether a NOOP still writes a closed version: said before the current one became valid, or settled otherwise."""
    return plan.op == Op.NOOP and plan.reason in (Reason.OLDER, Reason.SETTLED) and plan.known is None
