"""Who belongs to an organisation, in which role, and how do they come and go? (R15, R93, R110)

An operator changes it, never so that nobody is left who can. An account may belong to several organisations: no
operator sets the password, or takes away the second factor, of somebody who belongs to another one as well.
"""

import uuid
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from django.db import transaction

from accounts import invitations, second_factor, sessions
from accounts.models import Key, Membership, Organisation, User
from memoryhub.errors import Invalid, NotFound
from memoryhub.governance import access, account, audit
from memoryhub.governance.subjects import check_external_id
from memoryhub.permissions import check_may
from memoryhub.tenancy import Principal, acting_for, knowing, system_principal
from memoryhub.vocabulary import KeyRole, MemberRole, SecondFactor

ELSEWHERE = (
    "This address has an account in another organisation of this hub. Whoever runs the hub adds them: "
    "manage.py create_user."
)
NOT_YOURS = "They belong to another organisation as well, so this is not yours to do; whoever runs the hub can."
LAST_OPERATOR = "Then nobody could change anything here any more: make somebody else an operator first."


@dataclass(frozen=True)
class Member:
    """One person of the organisation, as a list shows them."""

    person: User
    roles: tuple[Membership, ...]
    second_factor: bool
    last_seen: datetime | None

    @property
    def is_staff(self) -> bool:
        return any(one.role != MemberRole.CUSTOMER for one in self.roles)

    @property
    def can_sign_in(self) -> bool:
        return self.person.is_active and self.person.has_usable_password()


@dataclass(frozen=True)
class Added:
    """Somebody who was added; `token` of a link to set their password with, shown once; empty: they have one."""

    person: User
    token: str


def told(people: Sequence[User], *, organisation: uuid.UUID) -> list[Member]:
    """Each of these people with their roles here, in three queries however many they are; inside acting_for."""
    roles: dict[uuid.UUID, list[Membership]] = {}
    for one in Membership.objects.filter(organisation_id=organisation, user__in=people).order_by("created_at", "id"):
        roles.setdefault(one.user_id, []).append(one)
    held, seen = second_factor.with_one(people), sessions.last_seen(people)
    return [
        Member(person, tuple(roles.get(person.pk, ())), person.pk in held, seen.get(person.pk)) for person in people
    ]


def person_of(*, person_id: uuid.UUID, organisation: uuid.UUID) -> User:
    """Somebody who belongs to the organisation. Raises NotFound for anybody else."""
    found = User.objects.filter(memberships__organisation_id=organisation, pk=person_id).distinct().first()
    if found is None:
        raise NotFound
    return found


def without_second_factor(organisation: uuid.UUID) -> int:
    """How many people who decide or operate here sign in with a password alone."""
    staff = User.objects.filter(
        memberships__organisation_id=organisation,
        memberships__role__in=[MemberRole.CURATOR, MemberRole.OPERATOR],
        is_active=True,
    ).distinct()  # fmt: skip
    able = [person for person in staff if person.has_usable_password()]
    return len({person.pk for person in able} - second_factor.with_one(able))


@transaction.atomic
def add(*, email: str, role: str, by: Principal, now: datetime, subject: str = "") -> Added:
    """Let somebody in, in a role; a customer is some subject. Whoever has no password yet is given a link to set one.

    Raises NotGranted, and Invalid for what is no address or role, or somebody with an account elsewhere.
    """
    check_may(by, "change_members")
    wanted = _checked(role, subject)
    known = User.objects.filter(email=email.strip().lower()).first()
    if known is not None and _is_elsewhere(known, by.organisation):
        raise Invalid(errors={"email": [ELSEWHERE]})
    person = access.ensure_person(email=email, by=by, now=now)
    access.ensure_member(person=person, role=wanted, subject=subject, by=by, now=now)
    if person.has_usable_password():
        return Added(person, "")
    return Added(person, _link(person, by=by, now=now))


@transaction.atomic
def give_role(*, person: User, role: str, by: Principal, now: datetime, subject: str = "") -> Membership:
    """One more role for somebody who belongs here. Raises NotGranted, NotFound, Invalid."""
    check_may(by, "change_members")
    person_of(person_id=person.pk, organisation=by.organisation)
    return access.ensure_member(person=person, role=_checked(role, subject), subject=subject, by=by, now=now)


@transaction.atomic
def end_role(*, person: User, membership: uuid.UUID, by: Principal, now: datetime) -> Membership:
    """Take one role away, with the keys they hold in it. Raises NotFound, Invalid for the last operator's."""
    check_may(by, "change_members")
    found = Membership.objects.filter(organisation_id=by.organisation, user=person, pk=membership).first()
    if found is None:
        raise NotFound
    end_roles([found], by=by, now=now)
    return found


@transaction.atomic
def end(*, person: User, by: Principal, now: datetime) -> None:
    """They no longer belong here: roles and keys go, and the sessions of whoever belongs nowhere any more."""
    check_may(by, "change_members")
    roles = list(Membership.objects.filter(organisation_id=by.organisation, user=person))
    if not roles:
        raise NotFound
    end_roles(roles, by=by, now=now)
    if not _is_elsewhere(person, by.organisation):
        account.end_sessions(person=person, by=by, now=now)


@transaction.atomic
def end_sessions(*, person: User, by: Principal, now: datetime) -> int:
    """Sign somebody who belongs here out everywhere; how many sessions ended."""
    check_may(by, "change_members")
    person_of(person_id=person.pk, organisation=by.organisation)
    return account.end_sessions(person=person, by=by, now=now)


@transaction.atomic
def new_link(*, person: User, by: Principal, now: datetime) -> str:
    """A link with which somebody who belongs here, and nowhere else, sets a password anew. Raises Invalid, NotFound."""
    check_may(by, "change_members")
    person_of(person_id=person.pk, organisation=by.organisation)
    check_only_here(person, by)
    return _link(person, by=by, now=now)


@transaction.atomic
def take_second_factor(*, person: User, by: Principal, now: datetime) -> None:
    """Let somebody who lost theirs sign in with the password alone again. Raises Invalid, NotFound."""
    check_may(by, "change_members")
    person_of(person_id=person.pk, organisation=by.organisation)
    check_only_here(person, by)
    if second_factor.remove(person):
        audit.record(by=by, now=now, action="user.factor_remove", object_kind="user", object_id=person.pk)


@transaction.atomic
def ask_for_second_factor(*, required: bool, by: Principal, now: datetime) -> None:
    """Say whether everybody who works here needs a second factor; who lacks one sets it up before anything else."""
    check_may(by, "change_members")
    word = SecondFactor.REQUIRED if required else SecondFactor.OFFERED
    Organisation.objects.filter(pk=by.organisation).update(second_factor=word)
    audit.record(
        by=by, now=now, action="organisation.second_factor", object_kind="organisation", object_id=by.organisation,
        reason=word,
    )  # fmt: skip


def forget_second_factor(*, organisation: str, email: str, now: datetime) -> User:
    """The same from the machine the hub runs on, for whoever runs it: also for the last operator, and for people of
    several organisations. Raises NotFound, with a sentence.
    """
    tenant = access.organisation_of(organisation)
    by = system_principal(tenant.pk, access.BY_COMMAND)
    with acting_for(by, subjects=()):
        person = User.objects.filter(
            memberships__organisation_id=tenant.pk, email=email.strip().lower()
        ).distinct().first()  # fmt: skip
        if person is None:
            raise NotFound("Nobody with this address belongs to this organisation.")
        if second_factor.remove(person):
            audit.record(by=by, now=now, action="user.factor_remove", object_kind="user", object_id=person.pk)
    return person


def invited(token: str) -> User | None:
    """Whose link this is, while it works; None for one that is altered, too old, used, or of somebody who left."""
    found = invitations.read(token)
    if found is None:
        return None
    with acting_for(_themselves(found), subjects=()):
        return _usable(found)


def accept(*, token: str, password: str, now: datetime) -> User | None:
    """Set the password that a link is for; of two at once one does. None when the link does not work (any more).

    Raises Invalid for a password that is too weak: the link is still good then.
    """
    found = invitations.read(token)
    if found is None:
        return None
    by = _themselves(found)
    with acting_for(by, subjects=()):
        person = _usable(found, lock=True)
        if person is not None:
            account.set_password(person=person, password=password, by=by, now=now)
    return person


def _usable(found: invitations.Invitation, *, lock: bool = False) -> User | None:
    people = User.objects.select_for_update() if lock else User.objects.all()
    person = people.filter(pk=found.person).first()
    if person is None or not found.is_for(person):
        return None
    belongs = Membership.objects.filter(organisation_id=found.organisation, user=person).exists()
    return person if belongs and not _is_elsewhere(person, found.organisation) else None


def _themselves(found: invitations.Invitation) -> Principal:
    return Principal(found.organisation, f"user:{found.person}", user=found.person)


def _link(person: User, *, by: Principal, now: datetime) -> str:
    audit.record(by=by, now=now, action="user.link_make", object_kind="user", object_id=person.pk)
    return invitations.make(person, organisation=by.organisation)


def end_roles(roles: Sequence[Membership], *, by: Principal, now: datetime) -> None:
    """Take these roles of one person in one organisation away, with the keys held in them; for the verbs that asked
    whether it may be done. Raises Invalid for the last operator's.
    """
    # Locked, all of them: two operators who take each other's role away at the same moment wait for one another.
    operators = list(
        Membership.objects.select_for_update(of=("self",))
        .filter(organisation_id=by.organisation, role=MemberRole.OPERATOR)
        .select_related("user")
        .order_by("id")
    )
    going = {one.pk for one in roles}
    if going & {one.pk for one in operators} and not any(
        one.pk not in going and one.user.is_active for one in operators
    ):
        raise Invalid(LAST_OPERATOR)
    for one in roles:
        audit.record(by=by, now=now, action="member.end", object_kind="user", object_id=one.user_id, reason=one.role)
        one.delete()
        _end_keys(one, by=by, now=now)


def _end_keys(role: Membership, *, by: Principal, now: datetime) -> None:
    if role.role not in KeyRole.values:
        return
    alive = Key.objects.filter(
        organisation_id=by.organisation, user_id=role.user_id, roles__contains=[role.role], revoked_at__isnull=True
    )
    for key in alive:
        key.revoked_at = now
        key.save(update_fields=["revoked_at"])
        audit.record(by=by, now=now, action="key.revoke", object_kind="key", object_id=key.pk)


def _checked(role: str, subject: str) -> MemberRole:
    if role not in MemberRole.values:
        raise Invalid(errors={"role": ["Choose a role."]})
    if (role == MemberRole.CUSTOMER) != bool(subject):
        raise Invalid(errors={"subject": ["A customer, and nobody else, is named by the id of the person they are."]})
    if subject:
        check_external_id(subject)
    return MemberRole(role)


def _is_elsewhere(person: User, organisation: uuid.UUID) -> bool:
    with knowing("user", str(person.pk)):
        return Membership.objects.filter(user=person).exclude(organisation_id=organisation).exists()


def check_only_here(person: User, by: Principal) -> None:
    """Raise Invalid for somebody who belongs to another organisation as well."""
    if _is_elsewhere(person, by.organisation):
        raise Invalid(NOT_YOURS)
