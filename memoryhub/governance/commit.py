"""Writes what the gate decided: one entry with its origin and lineage, and closes what it supersedes (R2–R5, R17).

The only file that makes entries; what they say was decided before. Called by intake alone.
"""

import uuid
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from memoryhub import conf
from memoryhub.errors import Invalid
from memoryhub.governance import audit, embedding, lifecycle
from memoryhub.governance.classification import Classification
from memoryhub.governance.extraction import Claim
from memoryhub.governance.policy import Policy
from memoryhub.governance.reconciliation import fingerprint
from memoryhub.governance.restored import Restored
from memoryhub.models import Entry, Event, Lineage, Provenance, Subject
from memoryhub.permissions import groups_of
from memoryhub.tenancy import Principal
from memoryhub.vocabulary import Channel, Role, Scope, Sensitivity, Status, SubjectKind

_STRICTNESS = list(Sensitivity)
_MAY_LENGTHEN = frozenset({Role.CURATOR, Role.SYSTEM_OF_RECORD})


@dataclass(frozen=True)
class Origin:
    """Who said it, through which channel, where and when (R4); `quote` is redacted already, `verified_by` is the record
    that said the same.
    """

    role: Role
    channel: Channel
    said_at: datetime
    speaker: Subject | None = None
    session_ref: str = ""
    event_ref: str = ""
    message_id: str = ""
    ref: str = ""
    uri: str = ""
    quote: str = ""
    verified_by: str = ""


@dataclass(frozen=True)
class Wish:
    """What the caller asked for beyond the statement; None leaves it to the rules."""

    scope: str | None = None
    expires_at: datetime | None = None
    review_by: datetime | None = None
    episode: dict[str, object] | None = None
    derived_from: tuple[Entry, ...] = ()
    events: tuple[Event, ...] = ()
    corrects: Entry | None = None
    weighs_at_most: float | None = None
    folds: bool = False
    restored: Restored | None = None


def scope_of(subject: Subject, wanted: str | None) -> tuple[Scope, Subject | None]:
    """The scope and its audience: whose readers see the entry. Raises Invalid where the subject has no such group."""
    own = {SubjectKind.PERSON: Scope.SUBJECT, SubjectKind.ACCOUNT: Scope.ACCOUNT}.get(
        SubjectKind(subject.kind), Scope.TEAM
    )
    scope = Scope(wanted) if wanted else own
    if scope == Scope.SUBJECT or scope == own:
        return scope, subject
    if scope in (Scope.AGENT, Scope.ORGANISATION):
        return scope, None
    if scope == Scope.ACCOUNT:
        groups = [subject.account] if subject.account else []
    else:
        groups = list(groups_of(subject).exclude(kind=SubjectKind.ACCOUNT)[:2])
    if len(groups) != 1 or groups[0] is None:
        raise Invalid(errors={"scope": [f"The subject does not belong to exactly one {scope.value}."]})
    return scope, groups[0]


def expiry(
    category: str, *, policy: Policy, role: Role, now: datetime, claim_ends: datetime | None, wanted: datetime | None
) -> datetime:
    """When an entry lapses unless confirmed again: by the policy's lifetime of its category, or at its own end
    if that is sooner (R5, R14).

    A wish can shorten a lifetime; only a curator and a system of record can lengthen it.
    """
    usual = policy.lapses_at(category, now=now)
    if wanted is not None and (wanted < usual or role in _MAY_LENGTHEN):
        usual = wanted
    return usual if claim_ends is None else min(usual, claim_ends)


def write(
    claim: Claim,
    classification: Classification,
    *,
    status: Status,
    subject: Subject,
    origin: Origin,
    wish: Wish,
    language: str,
    policy: Policy,
    by: Principal,
    now: datetime,
    closes: Sequence[Entry] = (),
    valid_to: datetime | None = None,
    before: Entry | None = None,
    begun: embedding.Begun | None = None,
) -> Entry:
    """Write one entry; accepted ones get their embedding here (api.md: a fact committed by a request is embedded in
    it), or have it `begun` already. `before`: the version that follows one said late, so that all versions stay one
    chain."""
    scope, audience, agent = _readers(subject, wish, by)
    ends = expiry(
        classification.category, policy=policy, role=origin.role, now=now, claim_ends=claim.valid_to,
        wanted=wish.expires_at,
    )  # fmt: skip
    begins = claim.valid_from or origin.said_at
    confirming = Role.SYSTEM_OF_RECORD if origin.verified_by else origin.role
    confirmed = status == Status.ACCEPTED and confirming in (Role.CUSTOMER, Role.CURATOR, Role.SYSTEM_OF_RECORD)
    sources = wish.derived_from
    own = [] if wish.weighs_at_most is None else [wish.weighs_at_most]
    weights = [
        *own,
        *(source.authority for source in sources),
    ]  # what is derived weighs no more, unless it was verified itself
    entry = Entry(
        organisation_id=by.organisation,
        subject=subject,
        scope=scope,
        audience=audience,
        agent_id=agent,
        kind=classification.kind,
        category=classification.category,
        content=claim.text,
        entity=(claim.entity or "") if claim.key else "",
        key=claim.key or "",
        value=claim.value or "",
        single=bool(claim.key) and claim.single,
        episode=wish.episode,
        language=language,
        sensitivity=strictest([classification.sensitivity, *(source.sensitivity for source in sources)]),
        confidence=classification.confidence,
        importance=classification.importance,
        authority=classification.authority if origin.verified_by else min([classification.authority, *weights]),
        valid_from=begins,
        valid_to=_end(begins, claim.valid_to, valid_to),
        recorded_at=now,
        recorded_until=now if status == Status.REPLACED else None,
        supersedes_id=before.supersedes_id if before else closes[0].pk if closes else None,
        last_confirmed_at=now if confirmed else None,
        confirmed_by=confirming if confirmed else "",
        expires_at=now + conf.FOLDED_LIFETIME
        if wish.folds
        else min([ends, *(source.expires_at for source in sources)]),
        fingerprint=fingerprint(claim),
    )
    entry.review_by = wish.review_by or policy.review_by(entry.expires_at, now=now)
    # What was true until a past day stays accepted, its validity hides it; what lapsed already is history.
    over = status == Status.ACCEPTED and wish.expires_at is not None and wish.expires_at <= now
    lifecycle.begin(entry, Status.EXPIRED if over else status)
    if over:
        entry.recorded_until = now
    if wish.restored is not None:
        wish.restored.put_on(entry)
    if status == Status.ACCEPTED and not embedding.give([(entry, origin.speaker)], begun=begun):
        embedding.later(by=by, now=now)  # before anything is audited: who waits for this job must not hold the chain
    for closed in closes:
        if closed.status == Status.ACCEPTED:
            lifecycle.supersede(closed, begins=begins, said_at=origin.said_at, by=by, now=now)
    entry.save(force_insert=True)
    if before is not None:
        before.supersedes, before.version = entry, before.version + 1
        before.save(update_fields=["supersedes", "version", "updated_at"])
        audit.record_entry(before, "entry.relink", by=by, now=now)
    _write_origin(entry, origin, wish.restored, by=by, now=now)
    _write_lineage(entry, wish, by=by)
    return entry


def _readers(subject: Subject, wish: Wish, by: Principal) -> tuple[Scope, Subject | None, uuid.UUID | None]:
    """Scope, audience and agent of a new entry: those of the one it corrects, else as wished."""
    if wish.restored is not None:
        return Scope(wish.scope or Scope.SUBJECT), wish.restored.audience, wish.restored.agent
    if wish.corrects is not None:
        kept = wish.corrects
        return Scope(kept.scope), kept.audience, kept.agent_id if kept.scope == Scope.AGENT else by.agent
    scope, audience = scope_of(subject, wish.scope)
    if scope == Scope.AGENT and by.agent is None:
        raise Invalid(errors={"scope": ["Only an agent's own key keeps something for that agent alone."]})
    return scope, audience, by.agent


def strictest(sensitivities: Sequence[str]) -> Sensitivity:
    """The strictest of several sensitivities (R5)."""
    return max((Sensitivity(one) for one in sensitivities), key=_STRICTNESS.index)


def _end(begins: datetime, own: datetime | None, closed: datetime | None) -> datetime | None:
    ends = [end for end in (own, closed) if end is not None]
    return max(begins, min(ends)) if ends else None


def _write_origin(entry: Entry, origin: Origin, restored: Restored | None, *, by: Principal, now: datetime) -> None:
    entry.provenance = Provenance.objects.create(
        organisation_id=by.organisation,
        entry=entry,
        role=origin.role,
        channel=origin.channel,
        speaker=origin.speaker,
        agent_id=restored.speaker_agent if restored else by.agent,
        user_id=None if restored else by.user,  # who brings it back did not say it
        session_ref=origin.session_ref,
        event_ref=origin.event_ref,
        message_id=origin.message_id,
        ref=origin.ref,
        uri=origin.uri,
        quote=origin.quote,
        verified_by=origin.verified_by,
        said_at=origin.said_at,
        recorded_at=restored.offered_at if restored else now,
    )


def _write_lineage(entry: Entry, wish: Wish, *, by: Principal) -> None:
    refs = wish.restored.event_refs if wish.restored else ()
    if not wish.derived_from and not wish.events and not refs:
        return
    parents = [Lineage(organisation_id=by.organisation, child=entry, parent=parent) for parent in wish.derived_from]
    events = [
        Lineage(organisation_id=by.organisation, child=entry, event=event, event_ref=event.external_id)
        for event in wish.events
    ]
    pruned = [Lineage(organisation_id=by.organisation, child=entry, event_ref=ref) for ref in refs]
    Lineage.objects.bulk_create(parents + events + pruned)


def is_shared(subject: Subject, wanted: str | None) -> bool:
    """Whether others than the subject would read it (R15)."""
    return scope_of(subject, wanted)[0] != Scope.SUBJECT
