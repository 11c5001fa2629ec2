"""Who gets in? Organisations, people, agents and their keys, made and taken away, each with its audit row (R110).

The commands issue_key, revoke_key and create_user are these verbs; so is the link to a person's memory page.
"""

import re
import secrets
import uuid
from collections.abc import Collection
from dataclasses import dataclass, field
from datetime import datetime
from typing import Final

from django.core.exceptions import ValidationError
from django.core.validators import validate_email
from django.db import IntegrityError, transaction

from accounts import keys, links
from accounts.models import Agent, Key, Membership, Organisation, PageLink, User
from memoryhub import conf
from memoryhub.errors import Invalid, NotFound, NotGranted
from memoryhub.governance import audit
from memoryhub.governance.subjects import check_external_id
from memoryhub.models import AgentPolicy, Subject
from memoryhub.tenancy import ALL_SUBJECTS, Principal, acting_for, knowing, system_principal
from memoryhub.vocabulary import KeyRole, MemberRole, PolicyMode

SLUG: Final = re.compile(r"[A-Za-z0-9][A-Za-z0-9_-]{0,79}")
MAX_NAME: Final = 200  # characters of a key's name
BY_COMMAND: Final = "command"


@dataclass(frozen=True)
class Issued:
    """A new key: `text` is shown once, `lookup` names it from then on."""

    text: str = field(repr=False)
    lookup: str


def organisation_of(slug: str, *, create: bool = False) -> Organisation:
    """The organisation of that slug, made if wanted. Raises Invalid for what can't be a slug, NotFound when absent."""
    check_slug(slug, "organisation")
    with knowing("slug", slug):
        found = Organisation.objects.filter(slug=slug).first()
        if found is not None:
            return found
        if not create:
            raise NotFound(f"There is no organisation '{slug}'.")
        try:
            with transaction.atomic():
                return Organisation.objects.create(slug=slug, name=slug)
        except IntegrityError:  # somebody else made it first
            return Organisation.objects.get(slug=slug)


def issue_key(
    *,
    organisation: str,
    name: str,
    roles: Collection[str],
    now: datetime,
    pepper: str,
    subject: str = "",
    user: str = "",
) -> Issued:
    """Make a key with these roles, and what it needs: organisation, agent with its policy, person (api.md, commands).

    Raises Invalid with a sentence for what can't be.
    """
    wanted = _checked_roles(roles)
    _check_name(name, needs_slug=KeyRole.AGENT in wanted)
    if subject:
        check_external_id(subject)
    if KeyRole.CURATOR in wanted and not user:
        raise Invalid(errors={"user": ["A curator's key names the person: give --user EMAIL."]})
    tenant = organisation_of(organisation, create=True)
    by = system_principal(tenant.pk, BY_COMMAND)
    with acting_for(by, subjects=ALL_SUBJECTS):
        person = ensure_person(email=user, by=by, now=now) if user else None
        if person is not None and KeyRole.CURATOR in wanted:
            ensure_member(person=person, role=MemberRole.CURATOR, by=by, now=now)
        agent = ensure_agent(slug=name, owner=person, by=by, now=now) if KeyRole.AGENT in wanted else None
        return mint(name=name, roles=wanted, agent=agent, person=person, subject=subject, by=by, now=now, pepper=pepper)


def mint(
    *,
    name: str,
    roles: Collection[str],
    agent: Agent | None,
    person: User | None,
    by: Principal,
    now: datetime,
    pepper: str,
    subject: str = "",
    expires_at: datetime | None = None,
) -> Issued:
    """Write a new key of the organisation acted for, and its audit row. Who may is asked before; inside acting_for."""
    text = keys.new_text()
    lookup = keys.lookup_of(text)
    assert lookup is not None  # its own checksum
    key = Key.objects.create(
        organisation_id=by.organisation, name=name, roles=list(roles), agent=agent, user=person, subject=subject,
        lookup=lookup, digest=keys.digest_of(text, pepper=pepper), expires_at=expires_at,
    )  # fmt: skip
    audit.record(by=by, now=now, action="key.issue", object_kind="key", object_id=key.pk, reason="+".join(roles)[:40])
    return Issued(text=text, lookup=lookup)


def revoke_key(*, prefix: str, now: datetime) -> str:
    """Make a key useless at once, by its prefix (`mhk_` and eight characters). Returns the prefix.

    Revoking twice is no error. Raises Invalid for what is no prefix, NotFound when there is no such key.
    """
    match = re.fullmatch(r"(?:mhk_)?([0-9A-Za-z]{8})[0-9A-Za-z]*", prefix.strip())
    if match is None:
        raise Invalid(errors={"prefix": ["It is 'mhk_' and the eight characters after it."]})
    with knowing("key", match[1]):
        key = Key.objects.filter(lookup=match[1]).first()
    if key is None:
        raise NotFound("There is no key with this prefix.")
    by = system_principal(key.organisation_id, BY_COMMAND)
    with acting_for(by, subjects=ALL_SUBJECTS):
        if Key.objects.filter(pk=key.pk, revoked_at__isnull=True).update(revoked_at=now):
            audit.record(by=by, now=now, action="key.revoke", object_kind="key", object_id=key.pk)
    return key.lookup


def create_user(*, organisation: str, email: str, password: str, role: str, now: datetime, subject: str = "") -> User:
    """Make a person who signs in with this password, and a member of the organisation; both may exist already.

    Raises Invalid for an unknown role, an address that is none, a blank password, a customer without a subject.
    """
    if role not in MemberRole.values:
        raise Invalid(errors={"role": [f"It is one of: {', '.join(MemberRole.values)}."]})
    if not password.strip():
        raise Invalid(errors={"password": ["It may not be blank."]})
    if (role == MemberRole.CUSTOMER) != bool(subject):
        raise Invalid(errors={"subject": ["A customer, and nobody else, names the subject they are: --subject ID."]})
    if subject:
        check_external_id(subject)
    tenant = organisation_of(organisation, create=True)
    by = system_principal(tenant.pk, BY_COMMAND)
    with acting_for(by, subjects=ALL_SUBJECTS):
        person = ensure_person(email=email, by=by, now=now)
        person.set_password(password)
        person.is_active = True
        person.save(update_fields=["password", "is_active"])
        ensure_member(person=person, role=MemberRole(role), subject=subject, by=by, now=now)
        audit.record(by=by, now=now, action="user.password", object_kind="user", object_id=person.pk)
    return person


def ensure_person(*, email: str, by: Principal, now: datetime) -> User:
    """The person with this address, made without a usable password if missing."""
    address = email.strip().lower()
    try:
        validate_email(address)
    except ValidationError as error:
        raise Invalid(errors={"email": ["It is no e-mail address."]}) from error
    person = User.objects.filter(email=address).first()
    if person is not None:
        return person
    try:
        with transaction.atomic():
            person = User.objects.create_user(address)
    except IntegrityError:  # somebody else made them first
        return User.objects.get(email=address)
    audit.record(by=by, now=now, action="user.add", object_kind="user", object_id=person.pk)
    return person


def ensure_member(*, person: User, role: MemberRole, by: Principal, now: datetime, subject: str = "") -> Membership:
    """The person's membership in the organisation acted for, made if missing."""
    member, made = Membership.objects.get_or_create(
        organisation_id=by.organisation, user=person, role=role, subject=subject
    )
    if made:
        audit.record(by=by, now=now, action="member.add", object_kind="user", object_id=person.pk, reason=role)
    return member


def ensure_agent(*, slug: str, by: Principal, now: datetime, owner: User | None = None) -> Agent:
    """The agent of that slug with its policy; made by a command it follows the rules for every kind (R16)."""
    agent = Agent.objects.filter(organisation_id=by.organisation, slug=slug).first()
    if agent is None:
        agent = Agent.objects.create(organisation_id=by.organisation, slug=slug, name=slug, owner=owner)
        audit.record(by=by, now=now, action="agent.add", object_kind="agent", object_id=agent.pk)
    elif agent.owner_id is None and owner is not None:
        agent.owner = owner
        agent.save(update_fields=["owner"])
        audit.record(by=by, now=now, action="agent.owner", object_kind="agent", object_id=agent.pk)
    rules = PolicyMode.RULES
    _, made = AgentPolicy.objects.get_or_create(
        agent=agent,
        defaults={"organisation_id": by.organisation, "episodic": rules, "semantic": rules, "procedural": rules},
    )
    if made:
        audit.record(by=by, now=now, action="policy.agent", object_kind="agent", object_id=agent.pk)
    return agent


def agent_of(*, slug: str, by: Principal) -> Agent:
    """The organisation's agent of that slug. Raises NotFound."""
    found = Agent.objects.filter(organisation_id=by.organisation, slug=slug).first()
    if found is None:
        raise NotFound
    return found


def operator_of(*, organisation: uuid.UUID, email: str) -> Principal:
    """The operator with this address, as who they sign in as. Raises NotGranted for anybody else; inside acting_for."""
    person = User.objects.filter(email=email.strip().lower(), is_active=True).first()
    if person is None or not Membership.objects.filter(
        organisation_id=organisation, user=person, role=MemberRole.OPERATOR
    ).exists():  # fmt: skip
        raise NotGranted(f"'{email}' is no operator of this organisation; create_user --role operator makes one.")
    return Principal(organisation, f"user:{person.pk}", frozenset({KeyRole.OPERATOR}), user=person.pk)


def curator_of(*, organisation: uuid.UUID, email: str) -> User:
    """The curator with this address. Raises NotGranted for anybody else; inside acting_for."""
    person = User.objects.filter(email=email.strip().lower(), is_active=True).first()
    if person is None or not Membership.objects.filter(
        organisation_id=organisation, user=person, role=MemberRole.CURATOR
    ).exists():  # fmt: skip
        raise NotGranted(f"'{email}' is no curator of this organisation; create_user --role curator makes one.")
    return person


def make_page_link(*, subject: Subject, by: Principal, now: datetime) -> tuple[str, datetime]:
    """A token that opens the subject's memory page once, and until when; only its hash is stored (R90)."""
    token, expires_at = secrets.token_urlsafe(32), now + conf.PAGE_LINK_LIFETIME
    link = PageLink.objects.create(
        organisation_id=by.organisation,
        subject=subject.external_id,
        digest=links.digest_of(token),
        expires_at=expires_at,
    )
    audit.record(
        by=by, now=now, action="page_link.make", object_kind="page_link", object_id=link.pk, subject=subject.pk
    )
    return token, expires_at


def organisations() -> list[tuple[uuid.UUID, str]]:
    """Every organisation's id and slug, for commands that go through all of them."""
    with knowing("worker", "on"):
        return list(Organisation.objects.order_by("slug").values_list("pk", "slug"))


def _checked_roles(roles: Collection[str]) -> list[str]:
    wanted = list(dict.fromkeys(roles))
    unknown = [role for role in wanted if role not in KeyRole.values]
    if not wanted or unknown:
        raise Invalid(errors={"role": [f"It is one or more of: {', '.join(KeyRole.values)}."]})
    if {KeyRole.AGENT, KeyRole.CURATOR} <= set(wanted):
        raise Invalid(errors={"role": ["An agent can't be its own curator; make two keys."]})
    return wanted


def _check_name(name: str, *, needs_slug: bool) -> None:
    if needs_slug:
        check_slug(name, "name")
    else:
        check_label(name)


def check_label(name: str) -> None:
    """Raise Invalid for what can't be the name of a key or an agent."""
    if not name.strip() or len(name) > MAX_NAME or not name.isprintable():
        raise Invalid(errors={"name": [f"It is 1 to {MAX_NAME} printable characters."]})


def check_slug(slug: str, field: str) -> None:
    """Raise Invalid, under the name of the field, for what can't be the slug of an organisation or an agent."""
    if not SLUG.fullmatch(slug):
        raise Invalid(errors={field: ["It is 1 to 80 letters, digits, '-' or '_', and begins with a letter or digit."]})
