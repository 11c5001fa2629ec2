"""Which policy is in force here, and how does another come into force? Versions, signed and never altered (R16, R93).

A change holds for the very next write of every process: each write reads the newest version's number, and only what a
version says, which nothing can alter, is remembered between writes.
"""

import uuid
from dataclasses import dataclass, replace
from datetime import datetime
from functools import lru_cache

from django.db import IntegrityError, connection, transaction
from django.db.models import QuerySet

from accounts.models import Agent, User
from memoryhub.errors import Invalid, NotFound, NotGranted, PolicyUnusable, Stale
from memoryhub.governance import audit
from memoryhub.governance.policy import SHIPPED, Policy
from memoryhub.governance.policy_document import read, written
from memoryhub.governance.policy_floors import threshold_faults
from memoryhub.models import AgentPolicy, PolicyVersion
from memoryhub.permissions import check_may
from memoryhub.tenancy import Principal
from memoryhub.vocabulary import Kind, PolicyMode, Remembers
from memoryhub.working.redaction import redact

MAX_REASON = 500
_CHANGED_FIRST = "Somebody changed the policy meanwhile; look at the version in force and decide anew."
_MODES = (Kind.EPISODIC, Kind.SEMANTIC, Kind.PROCEDURAL)
_NEWEST_AND_OWN = """
SELECT (SELECT p.id FROM memoryhub_policyversion p WHERE p.organisation_id = %s ORDER BY p.version DESC LIMIT 1),
       a.id IS NOT NULL, a.commit_at, a.discard_below, a.episodic, a.semantic, a.procedural,
       a.remembers
FROM (VALUES (1)) AS always LEFT JOIN memoryhub_agentpolicy a ON a.agent_id = %s
"""
_UNSIGNED = dict.fromkeys(Kind, PolicyMode.PROPOSE_ONLY)


def in_force(organisation: uuid.UUID) -> Policy:
    """The organisation's newest version, or the one shipped. Raises PolicyUnusable where it can't be obeyed."""
    return _asked(organisation, None)[0]


def in_force_for(by: Principal) -> Policy:
    """The policy for what this principal writes: the organisation's, as far as its agent's own goes (R16).

    An agent without a policy of its own only proposes.
    """
    policy, own = _asked(by.organisation, by.agent)
    if by.agent is None:
        return policy
    if own is None:
        return policy.narrowed(modes=_UNSIGNED, commit_at=None, discard_below=None)
    return policy.narrowed(
        modes=own.modes, commit_at=own.commit_at, discard_below=own.discard_below, failures_only=own.failures_only
    )


def version_of(organisation: uuid.UUID, version: int) -> Policy:
    """One version, in force or not. Raises NotFound."""
    if version == 0:
        return SHIPPED
    row = PolicyVersion.objects.filter(organisation_id=organisation, version=version).first()
    if row is None:
        raise NotFound(f"There is no version {version} of this policy.")
    return _read(row)


def history(organisation: uuid.UUID) -> list[Policy]:
    """Every version, oldest first, beginning with the one shipped."""
    return [SHIPPED, *(_read(row) for row in reversed(_rows(organisation)))]


def newest(organisation: uuid.UUID, *, below: int | None = None, most: int) -> list[Policy]:
    """The newest versions that a row can be read of, newest first, below a number: with the one before each it can be
    told what differs. The one shipped comes last."""
    found = _rows(organisation) if below is None else _rows(organisation).filter(version__lt=below)
    rows = list(found[: most + 1])
    return [*(_read(row) for row in rows[:most]), *([] if len(rows) > most else [SHIPPED])]


def proposed(*, document: object, by: Principal) -> tuple[Policy, Policy]:
    """The version in force and what the document would make of it; nothing is written. Raises Invalid."""
    base = _base(by.organisation)
    return base, read(document, base=base)


@transaction.atomic
def change(*, document: object, reason: str, by: Principal, now: datetime, based_on: int | None = None) -> Policy:
    """Sign a new version: the one in force with what the document names changed.

    Raises NotGranted unless a named operator signs, Invalid for what can't be, Stale when another version came into
    force since the one it is `based_on`, or while it was read.
    """
    signer = _signer(by)
    base, changed = proposed(document=document, by=by)
    if based_on is not None and based_on != base.version:
        raise Stale(_CHANGED_FIRST)
    if written(changed) == written(base):
        raise Invalid(errors={"document": ["It changes nothing: the policy in force says all of it."]})
    row = PolicyVersion(
        organisation_id=by.organisation, version=base.version + 1, document=written(changed), signed_by=signer.email,
        signer=signer.pk, signed_at=now, reason=_explained(reason),
    )  # fmt: skip
    try:
        with transaction.atomic():
            row.save(force_insert=True)
    except IntegrityError as error:  # the same number: two read the same version, and the other was first
        raise Stale(_CHANGED_FIRST) from error
    audit.record(
        by=by, now=now, action="policy.change", object_kind="policy", object_id=row.pk, reason=f"version {row.version}"
    )
    return _read(row)


def begin_agent(*, agent: Agent, by: Principal, now: datetime) -> AgentPolicy:
    """The policy a new agent begins with, signed by nobody: whatever the kind, it only proposes (R16)."""
    own = AgentPolicy.objects.create(organisation_id=by.organisation, agent=agent)
    audit.record(by=by, now=now, action="policy.agent", object_kind="agent", object_id=agent.pk)
    return own


@transaction.atomic
def change_agent(
    *,
    agent: Agent,
    by: Principal,
    now: datetime,
    modes: dict[Kind, PolicyMode] | None = None,
    thresholds: tuple[float, float] | None = None,
    own_thresholds: bool = True,
    improves: str | None = None,
    remembers: Remembers | None = None,
) -> AgentPolicy:
    """Sign an agent's own policy: how far each kind goes, what of its turns is kept (R79), which decision the memory
    improves, and, where they differ from the organisation's, `thresholds` as (commit_at, discard_below) (R16). What is
    left out stays as it is; `own_thresholds=False` takes the organisation's again.

    Raises NotGranted unless a named operator signs, Invalid below a floor.
    """
    signer = _signer(by)
    AgentPolicy.objects.get_or_create(agent=agent, defaults={"organisation_id": by.organisation})
    own = AgentPolicy.objects.select_for_update().get(agent=agent)
    if thresholds is not None:
        if faults := dict(threshold_faults(*thresholds)):
            raise Invalid(errors={field: [sentence] for field, sentence in faults.items()})
        own.commit_at, own.discard_below = thresholds
    elif not own_thresholds:
        own.commit_at, own.discard_below = None, None
    for kind, mode in (modes or {}).items():
        setattr(own, kind.value, mode)
    if remembers is not None:
        own.remembers = remembers
    if improves is not None:
        own.improves = _words(improves, "improves")
    own.signed_by, own.signed_at = signer.email, now
    own.save()
    audit.record(by=by, now=now, action="policy.agent", object_kind="agent", object_id=agent.pk)
    return own


def _rows(organisation: uuid.UUID) -> QuerySet[PolicyVersion]:
    return PolicyVersion.objects.filter(organisation_id=organisation).order_by("-version")


@dataclass(frozen=True)
class _Own:
    """What an agent's own policy says, as far as the gate reads it."""

    modes: dict[Kind, PolicyMode]
    commit_at: float | None
    discard_below: float | None
    failures_only: bool


def _asked(organisation: uuid.UUID, agent: uuid.UUID | None) -> tuple[Policy, _Own | None]:
    """Both policies in one query: it is asked before every write, and the ORM would take ten times as long over two."""
    with connection.cursor() as cursor:
        cursor.execute(_NEWEST_AND_OWN, [organisation, agent])
        newest, has_own, commit_at, discard_below, *modes, remembers = cursor.fetchone()
    policy = SHIPPED if newest is None else _said_by(newest)
    if not has_own:
        return policy, None
    named = {kind: PolicyMode(mode) for kind, mode in zip(_MODES, modes, strict=True)}
    return policy, _Own(named, commit_at, discard_below, remembers == Remembers.FAILURES)


@lru_cache(maxsize=256)
def _said_by(row: uuid.UUID) -> Policy:
    """What a version says; a version is never altered, so one reading lasts."""
    return _read(PolicyVersion.objects.get(pk=row))


def _read(row: PolicyVersion) -> Policy:
    try:
        policy = read(row.document, base=SHIPPED)
    except Invalid as error:
        raise PolicyUnusable(version=row.version) from error
    return replace(policy, version=row.version, signed_by=row.signed_by, signed_at=row.signed_at, reason=row.reason)


def _base(organisation: uuid.UUID) -> Policy:
    """What a change begins with; where the version in force can't be read, the one shipped, under its number."""
    try:
        return in_force(organisation)
    except PolicyUnusable as error:
        return replace(SHIPPED, version=int(str(error.extra["version"])))


def _signer(by: Principal) -> User:
    check_may(by, "change_policy")
    if by.user is None:
        raise NotGranted("Only a named operator signs a policy.")
    return User.objects.get(pk=by.user)


def _explained(reason: str) -> str:
    if not reason.strip():
        raise Invalid(errors={"reason": ["Say why, in a few words; the next person will ask."]})
    return _words(reason, "reason")


def _words(text: str, field: str) -> str:
    if len(text) > MAX_REASON:
        raise Invalid(errors={field: [f"At most {MAX_REASON} characters."]})
    return redact(text.strip()).text
