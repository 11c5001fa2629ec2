"""An account is closed for good: nobody signs in with it any more, and its e-mail address is gone (R91).

Its row stays without the address, because what somebody decided here stands under it. What is remembered about a person
is another matter, and stays: an account opens the page on which it is forgotten (docs/adr/0024).
"""

from dataclasses import replace
from datetime import datetime
from typing import Final

from django.db import transaction

from accounts import second_factor, sessions
from accounts.models import Membership, User
from memoryhub.errors import NotGranted
from memoryhub.governance import audit, members
from memoryhub.models import Subject
from memoryhub.permissions import check_may
from memoryhub.tenancy import Principal, acting_for, knowing
from memoryhub.vocabulary import MemberRole

#: The domain of addresses that are none (RFC 2606); the id before it says nothing.
NOWHERE: Final = "closed.invalid"


@transaction.atomic
def close_own(*, person: User, by: Principal, now: datetime) -> None:
    """Close one's own account, wherever one belongs. Raises Invalid for the last operator of an organisation."""
    if by.user != person.pk:
        raise NotGranted
    _close(person, by=by, now=now)


@transaction.atomic
def close(*, person: User, by: Principal, now: datetime) -> None:
    """Close the account of somebody who belongs here and nowhere else. Raises NotGranted, NotFound, and Invalid, also
    for the last operator.
    """
    check_may(by, "change_members")
    members.person_of(person_id=person.pk, organisation=by.organisation)
    members.check_only_here(person, by)
    _close(person, by=by, now=now)


def has_account(subject: Subject) -> bool:
    """Whether somebody signs in as this subject; inside acting_for."""
    rows = Membership.objects.filter(organisation_id=subject.organisation_id, role=MemberRole.CUSTOMER)
    return rows.filter(subject=subject.external_id).exists()


def _close(person: User, *, by: Principal, now: datetime) -> None:
    person = User.objects.select_for_update().get(pk=person.pk)
    with knowing("user", str(person.pk)):
        places = set(Membership.objects.filter(user=person).values_list("organisation_id", flat=True))
    for place in sorted(places):
        there = replace(by, organisation=place)
        with acting_for(there, subjects=()):
            roles = list(Membership.objects.filter(organisation_id=place, user=person).order_by("id"))
            members.end_roles(roles, by=there, now=now)
            audit.record(by=there, now=now, action="user.close", object_kind="user", object_id=person.pk)
    second_factor.remove(person)
    sessions.end_all(person)
    person.email, person.is_active = f"closed-{person.pk.hex}@{NOWHERE}", False
    person.set_unusable_password()
    person.save(update_fields=["email", "is_active", "password"])
