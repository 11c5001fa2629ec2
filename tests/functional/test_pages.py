"""The ways through the pages in a real browser: by keyboard alone, by two at once, without JavaScript."""

import pytest
from playwright.sync_api import Page, expect

from memoryhub.models import Entry, ReviewItem
from memoryhub.tenancy import ALL_SUBJECTS, acting_for
from memoryhub.vocabulary import ReviewState, Status
from tests.factories.visitors import Visitors, conclude, tell
from tests.functional.conftest import Open, Watched

pytestmark = pytest.mark.browser


def rows(visitors: Visitors, model, **about):
    with acting_for(visitors.ground.as_hub, subjects=ALL_SUBJECTS):
        return list(model.objects.filter(organisation=visitors.ground.organisation, **about))


def focused(window: Page) -> str:
    return window.evaluate(
        "document.activeElement.tagName + ' ' + document.activeElement.textContent.trim().slice(0, 60)"
    )


def tab_to(window: Page, name: str) -> None:
    """Press Tab until the control of that name has the focus."""
    for _ in range(60):
        window.keyboard.press("Tab")
        if name in focused(window):
            return
    raise AssertionError(f"no amount of Tab reaches {name!r}")


def test_a_curator_decides_with_the_keyboard_alone(visitors: Visitors, open_as: Open, watched: Watched) -> None:
    conclude(visitors.ground, visitors.mira, "Mira likes window seats.", hours_ago=5)
    conclude(visitors.ground, visitors.ground.subject("noor"), "Noor likes aisle seats.", hours_ago=2)
    window = open_as(visitors.cal)
    window.keyboard.press("Tab")
    assert "Skip to the content" in focused(window)
    window.keyboard.press("Enter")
    tab_to(window, "Mira likes window seats.")
    window.keyboard.press("Enter")
    expect(window.get_by_role("heading", name="Decide")).to_be_visible()
    tab_to(window, "Approve")
    window.keyboard.press("Enter")
    expect(window.get_by_role("heading", name="The claim: Noor likes aisle seats.")).to_be_focused()
    tab_to(window, "Reject")
    window.keyboard.press("Enter")
    tab_to(window, "It is not true")
    window.keyboard.press("Enter")
    expect(window.get_by_role("heading", name="Nothing else waits.")).to_be_focused()
    tab_to(window, "Undo")
    window.keyboard.press("Enter")
    expect(window.get_by_role("heading", name="Decide")).to_be_focused()
    assert {entry.status for entry in rows(visitors, Entry)} == {Status.ACCEPTED, Status.PROPOSED}
    assert watched.faults == []


def test_the_second_of_two_curators_sees_the_first_decision_in_place(
    visitors: Visitors, open_as: Open, watched: Watched
) -> None:
    item = conclude(visitors.ground, visitors.mira, "Mira likes window seats.")
    first, second = open_as(visitors.cal), open_as(visitors.dee)
    for window in (first, second):
        window.goto(f"/queue/{item.pk}/")
    first.get_by_role("button", name="Approve", exact=True).click()
    expect(first.get_by_role("heading", name="Approved. Nothing else waits.")).to_be_visible()
    second.get_by_role("button", name="Approve", exact=True).click()
    expect(second.get_by_role("heading", name="Somebody decided this first")).to_be_focused()
    expect(second.get_by_text(visitors.cal.email).first).to_be_visible()
    assert watched.faults == []


def test_a_form_with_a_fault_keeps_its_words_and_takes_the_focus(
    visitors: Visitors, open_as: Open, watched: Watched
) -> None:
    tell(visitors.ground, visitors.mira, "I live in Lisbon.")
    window = open_as(visitors.mira_user)
    window.get_by_text("Correct it").first.click()
    window.get_by_label("How is it really?").fill("   ")
    window.get_by_role("button", name="Correct it", exact=True).click()
    expect(window.get_by_text("Write a sentence first.", exact=True)).to_be_focused()
    window.get_by_label("How is it really?").fill("I live in Porto.")
    window.get_by_role("button", name="Correct it", exact=True).click()
    expect(window.get_by_text("It is corrected, at once.")).to_be_focused()
    expect(window.get_by_text("I live in Porto").first).to_be_visible()
    assert watched.faults == []


def test_everything_works_without_javascript(visitors: Visitors, open_as: Open) -> None:
    item = conclude(visitors.ground, visitors.mira, "Mira likes window seats.")
    other = conclude(visitors.ground, visitors.mira, "Mira travels light.")
    tell(visitors.ground, visitors.mira, "I live in Lisbon.")
    curator = open_as(visitors.cal, script=False)
    curator.goto(f"/queue/{item.pk}/")
    curator.get_by_role("button", name="Approve", exact=True).click()
    expect(curator.get_by_role("heading", name="Approved")).to_be_visible()
    curator.goto(f"/queue/{other.pk}/")
    curator.locator("summary", has_text="Reject").click()
    curator.get_by_role("button", name="It is not true").click()
    expect(curator.get_by_role("heading", name="Rejected")).to_be_visible()
    assert {one.state for one in rows(visitors, ReviewItem)} == {ReviewState.APPROVED, ReviewState.REJECTED}
    person = open_as(visitors.mira_user, script=False)
    card = person.get_by_role("listitem").filter(has_text="I live in Lisbon").first
    card.get_by_role("button", name="Still true").click()
    expect(person.get_by_text("We keep it for longer now.")).to_be_visible()
    card = person.get_by_role("listitem").filter(has_text="I live in Lisbon").first
    card.get_by_text("Forget it").first.click()
    card.get_by_role("button", name="Yes, forget it").click()
    expect(person.get_by_text("Forgotten.")).to_be_visible()
    person.get_by_role("link", name="Forget everything").click()
    person.get_by_label("Type the word").fill("forget")
    person.get_by_role("button", name="Forget everything").click()
    person.get_by_role("button", name="Keep it after all").click()
    expect(person.get_by_text("Nothing is forgotten.")).to_be_visible()
    person.get_by_role("link", name="Forget everything").click()
    person.get_by_label("Now.").check()
    person.get_by_label("Type the word").fill("forget")
    person.get_by_role("button", name="Forget everything").click()
    expect(person.get_by_role("heading", name="Everything is forgotten")).to_be_visible()
    assert rows(visitors, Entry, subject=visitors.mira) == []
