"""Filters under a name: one's own, shared, and the one a curator begins with (R92)."""

import re

from memoryhub.models import SavedView
from memoryhub.tenancy import ALL_SUBJECTS, acting_for
from tests.factories.visitors import Visitors, conclude, make_visitors
from tests.integration.pages.conftest import SignedIn


def views(visitors: Visitors) -> list[SavedView]:
    with acting_for(visitors.ground.as_hub, subjects=ALL_SUBJECTS):
        return list(SavedView.objects.order_by("name"))


def test_the_filters_of_the_address_are_saved_under_a_name(visitors: Visitors, signed_in: SignedIn) -> None:
    client = signed_in(visitors.cal)
    answer = client.post("/queue/views/?type=fact&subject=mira&after=x", {"name": "Mira's facts"})
    assert answer.status_code == 303
    assert [(view.name, view.query, view.shared) for view in views(visitors)] == [
        ("Mira's facts", "type=fact&subject=mira", False)
    ]
    page = client.get("/queue/").content.decode()
    assert 'href="/queue/?type=fact&amp;subject=mira"' in page
    assert "Mira" not in signed_in(visitors.dee).get("/queue/").content.decode()


def test_a_shared_view_is_everybody_s_to_use_and_its_owner_s_to_remove(visitors: Visitors, signed_in: SignedIn) -> None:
    signed_in(visitors.cal).post("/queue/views/?type=dispute", {"name": "Disputes", "shared": "on"})
    (view,) = views(visitors)
    page = signed_in(visitors.dee).get("/queue/").content.decode()
    assert f"Shared by {visitors.cal.email}" in page
    assert signed_in(visitors.dee).post(f"/queue/views/{view.pk}/remove/").status_code == 404
    assert signed_in(make_visitors().cal).post(f"/queue/views/{view.pk}/remove/").status_code == 404
    assert signed_in(visitors.cal).post(f"/queue/views/{view.pk}/remove/").status_code == 303
    assert views(visitors) == []


def test_the_queue_opens_with_the_view_its_curator_begins_with(visitors: Visitors, signed_in: SignedIn) -> None:
    conclude(visitors.ground, visitors.mira, "Mira likes window seats.")
    client = signed_in(visitors.cal)
    client.post("/queue/views/?type=skill", {"name": "Skills first", "is_default": "on"})
    opened = client.get("/queue/")
    assert (opened.status_code, opened["Location"]) == (302, "/queue/?type=skill")
    assert "Mira likes window seats." in client.get("/queue/?all=yes").content.decode()
    assert signed_in(visitors.dee).get("/queue/").status_code == 200
    item = re.search(r'href="(/queue/[^"?]+/\?all=yes)"', client.get("/queue/?all=yes").content.decode())
    assert item is not None  # and one item leads back to all of it


def test_a_view_needs_a_name(visitors: Visitors, signed_in: SignedIn) -> None:
    answer = signed_in(visitors.cal).post("/queue/views/?type=fact", {"name": "  "})
    assert answer.status_code == 422
    assert "Give the view a name." in answer.content.decode()
    assert views(visitors) == []


def test_customers_save_no_views(visitors: Visitors, signed_in: SignedIn) -> None:
    assert signed_in(visitors.mira_user).post("/queue/views/", {"name": "Mine"}).status_code == 403


def test_a_name_that_is_taken_is_asked_about_and_keeps_what_its_view_is(
    visitors: Visitors, signed_in: SignedIn
) -> None:
    client = signed_in(visitors.cal)
    client.post("/queue/views/?type=skill", {"name": "First", "is_default": "on", "shared": "on"})
    asked = client.post("/queue/views/?type=fact", {"name": "First"})
    assert asked.status_code == 422
    page = asked.content.decode()
    assert "You have a view of this name." in page
    assert [(view.query, view.is_default) for view in views(visitors)] == [("type=skill", True)]
    sent = dict.fromkeys(re.findall(r'type="checkbox" name="(\w+)" checked', page), "on")
    assert sent == {"shared": "on", "is_default": "on", "replaces": "on"}
    assert client.post("/queue/views/?type=fact", {"name": "First", **sent}).status_code == 303
    assert [(view.query, view.is_default, view.shared) for view in views(visitors)] == [("type=fact", True, True)]
