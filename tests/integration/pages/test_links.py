"""No page leads somebody to what their role may not open."""

import re
from html import unescape

import pytest

from accounts.ids import new_id
from accounts.models import User
from memoryhub.vocabulary import MemberRole
from tests.factories.visitors import Visitors, conclude, join, offer_skill, tell
from tests.integration.pages.conftest import SignedIn


@pytest.mark.parametrize("role", [MemberRole.AUDITOR, MemberRole.CURATOR, MemberRole.OPERATOR])
def test_no_link_on_any_page_of_the_navigation_is_refused(
    visitors: Visitors, signed_in: SignedIn, role: MemberRole
) -> None:
    conclude(visitors.ground, visitors.mira, "Mira likes window seats.", hours_ago=90)
    tell(visitors.ground, visitors.mira, "I prefer a seat by the window.", hours_ago=30)
    offer_skill(visitors.ground)
    somebody = User.objects.create_user(f"who-{new_id().hex}@example.org")
    join(visitors.ground, somebody, role)
    client = signed_in(somebody)
    start = client.get("/", follow=True).content.decode()
    pages = set(links(start))
    assert "/health/" in pages
    leading = {link: page for page in sorted(pages) for link in links(client.get(page).content.decode())}
    refused = {link: page for link, page in leading.items() if client.get(link).status_code == 403}
    assert refused == {}


def links(page: str) -> list[str]:
    found = [unescape(one).partition("#")[0] for one in re.findall(r'<a [^>]*href="(/[^"]*)"', page)]
    return [one for one in dict.fromkeys(found) if not one.startswith(("/static/", "/api/"))]
