"""Which keys does an agent have, and how does an operator make, replace and end one? (R93, R110; security.md section 3)

A key is shown once, by whoever called the verb; only its lookup part and a keyed hash stay. What an operator gives here
is an agent's own: other roles state facts, decide or read everything, and are given by the command `issue_key` alone.
"""

import uuid
from collections.abc import Collection
from datetime import datetime, timedelta
from typing import Final

from django.db import transaction

from accounts.models import Agent, Key
from memoryhub.errors import Invalid, NotFound
from memoryhub.governance import access, audit
from memoryhub.governance.access import Issued
from memoryhub.governance.subjects import check_external_id
from memoryhub.permissions import check_may
from memoryhub.tenancy import Principal
from memoryhub.vocabulary import KeyRole

#: What a key made for an agent may do; the first is always given.
ROLES: Final = (KeyRole.AGENT, KeyRole.CUSTOMER_RELAY)
LONGEST_OVERLAP: Final = timedelta(days=30)


def keys_of(agent: Agent) -> list[Key]:
    """An agent's keys, newest first; those that ended too."""
    return list(Key.objects.filter(agent=agent).select_related("user").order_by("-created_at", "-id"))


@transaction.atomic
def issue(
    *,
    agent: Agent,
    relay: bool,
    lifetime: timedelta | None,
    by: Principal,
    now: datetime,
    pepper: str,
    subject: str = "",
) -> Issued:
    """A new key of an agent; with `relay` it also passes on the person's own words. `lifetime` None: until revoked.

    `subject`: external id of the only subject it reaches. Raises NotGranted, Invalid for what is no external id.
    """
    check_may(by, "change_agent")
    if subject:
        check_external_id(subject)
    return access.mint(
        name=agent.slug, roles=ROLES if relay else ROLES[:1], agent=agent, person=None, subject=subject, by=by, now=now,
        pepper=pepper, expires_at=now + lifetime if lifetime is not None else None,
    )  # fmt: skip


@transaction.atomic
def rotate(*, agent: Agent, key_id: uuid.UUID, overlap: timedelta, by: Principal, now: datetime, pepper: str) -> Issued:
    """A new key in place of another: same roles, subject and length of life. The other ends after `overlap`, or when
    it would have ended anyway.

    Raises NotFound for no key of this agent, Invalid for one that ended or whose roles the command alone gives.
    """
    check_may(by, "change_agent")
    if not timedelta(0) <= overlap <= LONGEST_OVERLAP:
        raise Invalid(errors={"overlap": [f"Between none and {LONGEST_OVERLAP.days} days."]})
    old = _locked(agent, key_id)
    if not is_alive(old, now=now):
        raise Invalid(errors={"key": ["This key has ended already; make a new one."]})
    _check_ours(old.roles)
    lifetime = old.expires_at - old.created_at if old.expires_at else None
    issued = access.mint(
        name=old.name, roles=old.roles, agent=agent, person=old.user, subject=old.subject, by=by, now=now,
        pepper=pepper, expires_at=now + lifetime if lifetime is not None else None,
    )  # fmt: skip
    ends = now + overlap
    Key.objects.filter(pk=old.pk).update(expires_at=min(old.expires_at, ends) if old.expires_at else ends)
    audit.record(
        by=by, now=now, action="key.revoke", object_kind="key", object_id=old.pk, reason=f"replaced by {issued.lookup}"
    )
    return issued


@transaction.atomic
def revoke(*, agent: Agent, key_id: uuid.UUID, by: Principal, now: datetime) -> Key:
    """End a key at once; twice is no error. Raises NotFound for no key of this agent."""
    check_may(by, "change_agent")
    key = _locked(agent, key_id)
    if key.revoked_at is None:
        key.revoked_at = now
        key.save(update_fields=["revoked_at"])
        audit.record(by=by, now=now, action="key.revoke", object_kind="key", object_id=key.pk)
    return key


def is_alive(key: Key, *, now: datetime) -> bool:
    """Whether a key still opens anything."""
    return key.revoked_at is None and (key.expires_at is None or key.expires_at > now)


def is_ours(roles: Collection[str]) -> bool:
    """Whether a key with these roles may be replaced here."""
    return set(roles) <= set(ROLES)


def _check_ours(roles: Collection[str]) -> None:
    if not is_ours(roles):
        raise Invalid(errors={"key": ["The command issue_key alone makes a key with these roles; revoke this one."]})


def _locked(agent: Agent, key_id: uuid.UUID) -> Key:
    key = Key.objects.select_for_update(of=("self",)).filter(agent=agent, pk=key_id).first()
    if key is None:
        raise NotFound
    return key
