"""Every page of the navigation: who may open it, what an organisation with nothing in it sees, where one is told to be."""

import re

import pytest

from accounts.models import User
from curation.navigation import PLACES, pages_of
from memoryhub.permissions import MEMBER_ROLES
from memoryhub.tenancy import Principal
from tests.factories import walk
from tests.factories.visitors import Visitors, join
from tests.integration.pages.conftest import SignedIn

ROLES = ("curator", "operator", "auditor")


@pytest.fixture
def people(visitors: Visitors) -> dict[str, User]:
    auditor = User.objects.create_user(f"auditor-{visitors.ground.organisation.slug}@example.org")
    join(visitors.ground, auditor, "auditor")
    return {"curator": visitors.cal, "operator": visitors.olu, "auditor": auditor}


@pytest.mark.parametrize("role", ROLES)
def test_each_page_offered_opens_with_nothing_in_it_and_says_where_one_is(
    visitors: Visitors, people: dict[str, User], signed_in: SignedIn, role: str
) -> None:
    client = signed_in(people[role])
    who = Principal(visitors.ground.organisation.pk, "user:x", MEMBER_ROLES[role])
    faults = []
    for page in pages_of(who, subject=""):
        response = client.get(page.url)
        words = response.content.decode()
        if response.status_code != 200:
            faults.append(f"{page.url} answers {response.status_code}")
        bar = words.partition('class="side-nav"')[2].partition("</nav>")[0]
        here = re.findall(r'<a href="([^"]*)" aria-current="page"', bar)
        if here != [page.url]:
            faults.append(f'{page.url} says of itself that it is {here}: its view gives "section": "{page.name}"')
    assert faults == []


@pytest.mark.parametrize("role", ROLES)
def test_what_is_not_offered_is_refused(
    visitors: Visitors, people: dict[str, User], signed_in: SignedIn, role: str
) -> None:
    everything = Principal(visitors.ground.organisation.pk, "user:x", frozenset().union(*MEMBER_ROLES.values()))
    own = Principal(visitors.ground.organisation.pk, "user:x", MEMBER_ROLES[role])
    hidden = {page.url for page in pages_of(everything, subject="")} - {page.url for page in pages_of(own, subject="")}
    client, customer = signed_in(people[role]), signed_in(visitors.mira_user)
    assert {url: client.get(url).status_code for url in hidden} == dict.fromkeys(hidden, 403)
    urls = [page.url for page in pages_of(everything, subject="")]
    assert {url: customer.get(url).status_code for url in urls} == dict.fromkeys(urls, 403)


def test_a_customer_is_shown_no_navigation(visitors: Visitors, signed_in: SignedIn) -> None:
    words = signed_in(visitors.mira_user).get("/me/").content.decode()
    assert "side-nav" not in words
    assert 'class="menu"' not in words
    assert [place.label for place in PLACES if f">{place.label}</a>" in words] == []


def test_every_address_has_its_place_in_the_walk(visitors: Visitors) -> None:
    """A page added later is walked by itself (tests/functional/test_walk.py), if somebody of the cast can open it."""
    examples = walk.fill_in(visitors)
    found = walk.find(walk.cast(visitors), examples)
    assert found.lost == ()
    shown = {stop.name for stop in found.stops}
    assert {f"curation:{place.view}" for place in PLACES} <= shown
