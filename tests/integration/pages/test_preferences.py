"""Preferences: kept for one person in one organisation, and seen at once on every page."""

import pytest
from django.test import Client

from memoryhub.models import AuditEvent, Preferences
from tests.factories.turns import all_of
from tests.factories.visitors import Visitors
from tests.integration.pages.conftest import SignedIn

HOME = "/preferences/"


def text(client: Client, path: str = HOME) -> str:
    response = client.get(path)
    assert response.status_code == 200
    return response.content.decode()


def test_a_choice_is_kept_for_one_person_and_seen_on_every_page(visitors: Visitors, signed_in: SignedIn) -> None:
    cal, dee = signed_in(visitors.cal), signed_in(visitors.dee)
    assert 'data-density="roomy"' in text(cal, "/queue/")
    response = cal.post(HOME, {"density": "dense"}, follow=True)
    assert "Your preferences are kept." in response.content.decode()
    assert 'data-density="dense"' in text(cal, "/queue/")
    assert 'data-density="roomy"' in text(dee, "/queue/")
    with all_of(visitors.ground):
        kept = Preferences.objects.get()
        assert (kept.density, kept.shortcuts) == ("dense", False)
        assert AuditEvent.objects.filter(action="preferences.save").count() == 1
    cal.post(HOME, {"density": "roomy", "shortcuts": "on"})
    page = text(cal)
    assert 'value="roomy" checked' in page
    assert 'name="shortcuts" aria-describedby="keys-hint" checked' in page


def test_what_is_no_choice_is_said_beside_the_field(visitors: Visitors, signed_in: SignedIn) -> None:
    response = signed_in(visitors.cal).post(HOME, {"density": "tiny"})
    assert response.status_code == 422
    assert "Choose one of the two." in response.content.decode()


@pytest.mark.parametrize("method", ["get", "post"])
def test_a_customer_has_none(visitors: Visitors, signed_in: SignedIn, method: str) -> None:
    assert getattr(signed_in(visitors.mira_user), method)(HOME).status_code == 403
