"""Who is offered which pages?"""

import uuid
from dataclasses import replace

import pytest

from curation.navigation import PLACES, grouped, may_open, pages_of
from memoryhub.permissions import ACTIONS, MEMBER_ROLES, can_do
from memoryhub.tenancy import Principal
from memoryhub.vocabulary import MemberRole


def somebody(*roles: MemberRole) -> Principal:
    held = frozenset().union(*(MEMBER_ROLES[role] for role in roles))
    return Principal(organisation=uuid.uuid4(), label="user:x", roles=held)


@pytest.mark.parametrize("role", [MemberRole.CURATOR, MemberRole.OPERATOR, MemberRole.AUDITOR])
def test_staff_are_offered_what_they_may_open_and_nothing_else(role: MemberRole) -> None:
    who = somebody(role)
    offered = {page.name for page in pages_of(who, subject="")}
    assert offered == {place.name for place in PLACES if can_do(who, place.action)}


def test_a_customer_has_one_page_and_no_navigation() -> None:
    pages = pages_of(somebody(MemberRole.CUSTOMER), subject="mira")
    assert [page.name for page in pages] == ["mine"]
    assert list(grouped(pages)) == []


def test_staff_who_are_customers_too_find_their_own_page_beside_their_preferences() -> None:
    groups = list(grouped(pages_of(somebody(MemberRole.CURATOR, MemberRole.CUSTOMER), subject="mira")))
    assert [page.name for page in groups[-1].pages] == ["preferences", "mine"]
    assert all("mine" not in {page.name for page in group.pages} for group in groups[:-1])


def test_whoever_signed_in_finds_their_account_and_somebody_by_a_link_has_none() -> None:
    person = replace(somebody(MemberRole.CUSTOMER), user=uuid.uuid4())
    assert [page.name for page in pages_of(person, subject="mira")] == ["account", "mine"]
    assert list(grouped(pages_of(person, subject="mira"))) == []


def test_every_line_of_the_table_names_a_known_action_and_stands_once() -> None:
    assert {place.action for place in PLACES} <= set(ACTIONS)
    assert len({place.name for place in PLACES}) == len({place.view for place in PLACES}) == len(PLACES)


def test_a_link_is_shown_to_who_may_open_what_it_leads_to() -> None:
    assert may_open(somebody(MemberRole.CURATOR), "curation:memory-item")
    assert not may_open(somebody(MemberRole.CURATOR), "audit")
    assert may_open(somebody(MemberRole.AUDITOR), "dream-detail")
    for view in ("memory-item", "queue-item", "queue-list", "skill-item", "agent-item", "nothing-known"):
        assert not may_open(somebody(MemberRole.AUDITOR), view)
