"""Who is looking at a page? A person who signed in, or somebody who came by a one-time link (R90)."""

import uuid
from dataclasses import dataclass, replace
from datetime import datetime, timedelta, tzinfo
from typing import Any, Final

from django.http import HttpRequest

from accounts import second_factor, step_up
from accounts.models import Membership, Organisation, User
from curation.navigation import Group, Page, grouped, pages_of
from memoryhub.governance.saved_views import preferences_of
from memoryhub.governance.zones import first_of
from memoryhub.permissions import MEMBER_ROLES, can_do, is_staff
from memoryhub.tenancy import Principal, acting_for, knowing
from memoryhub.vocabulary import Density, MemberRole, SecondFactor

ORGANISATION: Final = "organisation"  # session: the organisation chosen by somebody who has several
LINK: Final = "link"  # session: whose page a one-time link opened, and until when
LINK_VISIT: Final = timedelta(hours=1)
PLAIN_KEYS, ALT_KEYS = "plain", "alt"  # how the keys of a page are pressed: alone, or with Alt (WCAG 2.1.4)
PERSON: Final = frozenset({"person"})


@dataclass(frozen=True)
class Visitor:
    """A person on a page. `principal` acts as staff; `person` acts as the one remembered, and as nobody else."""

    principal: Principal
    name: str
    subject: str = ""  # external id of the person they are, if any
    organisation_name: str = ""
    zone: str = "UTC"
    by_link: bool = False
    others: tuple[Organisation, ...] = ()
    density: str = Density.ROOMY
    shortcuts: str = PLAIN_KEYS
    lacks_second_factor: bool = False  # which their organisation asks of them before anything else

    @property
    def person(self) -> Principal:
        """The same visitor as the person remembered, bound to their own subject."""
        return replace(self.principal, roles=PERSON, bound_subject=self.subject)

    @property
    def pages(self) -> tuple[Page, ...]:
        """What they may open, in the navigation's order."""
        return pages_of(self.principal, subject=self.subject)

    @property
    def groups(self) -> tuple[Group, ...]:
        """The navigation; empty for somebody who is only a customer."""
        return tuple(grouped(self.pages))

    @property
    def home(self) -> str | None:
        """Where they land: a curator on the queue, an operator on the dreams, a customer on their memories."""
        pages = {page.name: page.url for page in self.pages}
        if can_do(self.principal, "decide"):
            return pages.get("queue")
        return pages.get("dreams") or pages.get("mine")

    def zone_of(self, name: str = "") -> tzinfo:
        """The zone dates are shown in: the one named, else the organisation's, else UTC."""
        return first_of(name, self.zone)


class PageRequest(HttpRequest):
    """A request that the page middleware let in."""

    visitor: Visitor
    principal: Principal
    htmx: Any


def identify(request: HttpRequest, *, now: datetime) -> Visitor | None:
    """The visitor, from the session alone; None for somebody unknown, or who belongs to no organisation."""
    if request.user.is_authenticated:
        return _by_membership(request)
    link = request.session.get(LINK)
    return _by_link(link, request_id=_request_id(request), now=now) if link else None


def open_link_visit(
    request: HttpRequest, *, organisation: uuid.UUID, subject: str, link: uuid.UUID, now: datetime
) -> None:
    """Begin a visit of one hour that reaches one subject; whoever was signed in before no longer is."""
    request.session.flush()
    request.session[LINK] = {
        "organisation": str(organisation), "subject": subject, "id": str(link), "until": (now + LINK_VISIT).isoformat()
    }  # fmt: skip
    request.session.set_expiry(LINK_VISIT)
    step_up.proved(request, now)


def _by_link(link: dict[str, str], *, request_id: str, now: datetime) -> Visitor | None:
    if datetime.fromisoformat(link["until"]) <= now:
        return None
    principal = Principal(
        organisation=uuid.UUID(link["organisation"]),
        label=f"link:{link['id']}",
        roles=PERSON,
        bound_subject=link["subject"],
        request_id=request_id,
    )
    return _placed(Visitor(principal=principal, name="", subject=link["subject"], by_link=True))


def _by_membership(request: HttpRequest) -> Visitor | None:
    user = request.user
    assert isinstance(user, User)  # the caller asked whether they are signed in
    with knowing("user", str(user.pk)):
        memberships = list(Membership.objects.filter(user_id=user.pk).order_by("created_at", "pk"))
    if not memberships:
        return None
    chosen = request.session.get(ORGANISATION)
    known = {str(membership.organisation_id): membership.organisation_id for membership in memberships}
    organisation = known.get(str(chosen)) or memberships[0].organisation_id
    here = [membership for membership in memberships if membership.organisation_id == organisation]
    principal = Principal(
        organisation=organisation,
        label=f"user:{user.pk}",
        roles=frozenset().union(*(MEMBER_ROLES.get(membership.role, frozenset()) for membership in here)),
        user=user.pk,
        request_id=_request_id(request),
    )
    subject = next((membership.subject for membership in here if membership.role == MemberRole.CUSTOMER), "")
    others = tuple(
        found
        for other in known.values()
        if other != organisation and (found := _organisation(replace(principal, organisation=other)))
    )
    return _placed(Visitor(principal=principal, name=user.get_username(), subject=subject, others=others))


def _placed(visitor: Visitor) -> Visitor | None:
    """The same with the organisation they are in and how they like to work there."""
    with acting_for(visitor.principal, subjects=()):
        organisation = Organisation.objects.filter(pk=visitor.principal.organisation).first()
        if organisation is None:  # it was removed while they were signed in
            return None
        liked = preferences_of(visitor.principal)
    return replace(
        visitor, organisation_name=organisation.name, zone=organisation.timezone, density=liked.density,
        shortcuts=PLAIN_KEYS if liked.shortcuts else ALT_KEYS,
        lacks_second_factor=_lacks_second_factor(visitor.principal, organisation),
    )  # fmt: skip


def _lacks_second_factor(principal: Principal, organisation: Organisation) -> bool:
    """Whether they work in an organisation that asks those who do for a second factor, and have none."""
    if organisation.second_factor != SecondFactor.REQUIRED or principal.user is None or not is_staff(principal):
        return False
    return not second_factor.has_one_of(principal.user)


def _organisation(principal: Principal) -> Organisation | None:
    with acting_for(principal, subjects=()):
        return Organisation.objects.filter(pk=principal.organisation).first()


def _request_id(request: HttpRequest) -> str:
    return str(getattr(request, "request_id", ""))[:64]
