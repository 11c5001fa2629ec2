"""A passkey in a real browser: made, asked for when signing in, and asked for again before what can't be taken back."""

from datetime import timedelta

import pytest
from django.contrib.sessions.models import Session
from django.utils import timezone
from playwright.sync_api import Browser, Page, expect

from accounts import step_up
from accounts.models import User
from tests.factories.visitors import PASSWORD, Visitors
from tests.functional.conftest import PATIENCE
from tests.functional.test_walk import AXE

pytestmark = pytest.mark.browser


def sign_in(page: Page, user: User) -> None:
    page.goto("/sign-in/")
    page.get_by_label("E-mail address").fill(user.email)
    page.get_by_label("Password").fill(PASSWORD)
    page.get_by_role("button", name="Sign in").click()


def accessible(page: Page) -> None:
    """These pages come after something was done, so the walk over all pages does not see them."""
    page.evaluate(AXE)
    found = page.evaluate("() => axe.run(document)")["violations"]
    assert [(fault["id"], [node["target"] for node in fault["nodes"]]) for fault in found] == []


def test_a_passkey_is_made_and_signs_in_and_proves(visitors: Visitors, browser: Browser, live_hub: str) -> None:
    # As on the walk, nothing fades from one colour to another while axe compares them.
    context = browser.new_context(base_url=live_hub.replace("127.0.0.1", "localhost"), reduced_motion="reduce")
    context.set_default_timeout(PATIENCE)
    page, faults = context.new_page(), list[str]()
    page.on("pageerror", lambda error: faults.append(str(error)))
    device = context.new_cdp_session(page)
    device.send("WebAuthn.enable")
    device.send(
        "WebAuthn.addVirtualAuthenticator",
        {"options": {"protocol": "ctap2", "transport": "internal", "hasResidentKey": True, "hasUserVerification": True,
                     "isUserVerified": True, "automaticPresenceSimulation": True}},
    )  # fmt: skip
    sign_in(page, visitors.olu)
    page.goto("/account/passkey/")
    page.get_by_label("What to call it").fill("Blue key")
    page.get_by_role("button", name="Make the passkey").click()
    expect(page.get_by_role("heading", name="Your recovery codes")).to_be_visible()
    accessible(page)
    page.get_by_role("link", name="I have them").click()
    expect(page.get_by_text("Passkey: Blue key")).to_be_visible()
    page.get_by_role("button", name="Sign out").click()

    sign_in(page, visitors.olu)
    expect(page.get_by_role("heading", name="One more step")).to_be_visible()
    accessible(page)
    page.get_by_role("button", name="Use your passkey").click()
    expect(page.get_by_role("heading", level=1, name="Dreams")).to_be_visible()

    for session in Session.objects.all():  # half an hour later
        store = session.get_session_store_class()(session.session_key)
        store[step_up.PROVED] = (timezone.now() - timedelta(minutes=31)).isoformat()
        store.save()
    page.goto("/policy/change/")
    accessible(page)
    page.get_by_role("button", name="Use your passkey").click()
    page.wait_for_url("**/policy/change/")
    assert faults == []
    context.close()
