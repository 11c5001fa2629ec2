"""What are an organisation and its agents called, and how does a demonstration go away? Each with its audit row."""

import uuid
from datetime import datetime

from django.db import IntegrityError, connection, transaction

from accounts.models import Agent, Membership, Organisation, User
from memoryhub.errors import NotGranted
from memoryhub.governance import audit, erasure
from memoryhub.governance.announcement import announce
from memoryhub.models import Subject
from memoryhub.tenancy import Principal, knowing


@transaction.atomic
def describe(
    *, organisation: Organisation, name: str, timezone: str, demo: bool, by: Principal, now: datetime
) -> Organisation:
    """Give an organisation the name people read, its zone, and the mark that it is a demonstration."""
    organisation.name, organisation.timezone, organisation.demo = name, timezone, demo
    organisation.save(update_fields=["name", "timezone", "demo"])
    audit.record(by=by, now=now, action="organisation.describe", object_kind="organisation", object_id=organisation.pk)
    return organisation


@transaction.atomic
def name_agent(*, agent: Agent, name: str, by: Principal, now: datetime) -> Agent:
    """Give an agent the name people read."""
    agent.name = name
    agent.save(update_fields=["name"])
    audit.record(by=by, now=now, action="agent.name", object_kind="agent", object_id=agent.pk)
    return agent


@transaction.atomic
def remove_demo(*, organisation: Organisation, by: Principal, now: datetime) -> int:
    """Erase everything about every subject of a demonstration, then the organisation and its people.

    Returns how many subjects were erased. Raises NotGranted for an organisation that is none: those are never removed
    in one go. The audit trail stays; it holds no content.
    """
    if not organisation.demo:
        raise NotGranted("Only a demonstration can be removed in one go.")
    announce()
    erased = 0
    for subject in Subject.objects.filter(organisation=organisation).order_by("id"):
        erasure.erase_subject(subject=subject, by=by, now=now)
        erased += 1
    people = set(Membership.objects.filter(organisation=organisation).values_list("user_id", flat=True))
    audit.record(by=by, now=now, action="organisation.remove", object_kind="organisation", object_id=organisation.pk)
    organisation.delete()
    for person in people:
        _remove_person(person)
    return erased


def _remove_person(person: uuid.UUID) -> None:
    """Somebody who belongs to no other organisation goes; whoever decided something elsewhere stays."""
    with knowing("user", str(person)):
        if Membership.objects.filter(user_id=person).exists():
            return
    try:
        with transaction.atomic():
            User.objects.filter(pk=person).delete()
            connection.check_constraints()  # references from other tenants are unseen here, but not unfelt
    except IntegrityError:
        User.objects.filter(pk=person).update(is_active=False)
