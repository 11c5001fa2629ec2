"""Every page in a real browser: keyboard alone, without JavaScript, with an accessibility check, and nothing from elsewhere."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Browser, BrowserContext, Page, expect

from accounts.models import User
from memoryhub.models import Entry, ReviewItem
from memoryhub.providers.embeddings import HashingEmbedder, using
from memoryhub.tenancy import ALL_SUBJECTS, acting_for
from memoryhub.vocabulary import ReviewState, Status
from tests.factories.turns import night, post, refused_in
from tests.factories.visitors import PASSWORD, Visitors, ask, conclude, grant_right, make_visitors, offer_skill, tell

pytestmark = pytest.mark.browser

Open = Callable[..., Page]


@pytest.fixture(autouse=True)
def _no_meaning_needed() -> Iterator[None]:
    with using(HashingEmbedder()):
        yield


@pytest.fixture
def visitors(committed_db: None) -> Visitors:
    return make_visitors()


@dataclass
class Watched:
    """What went wrong in the browser while the pages were walked."""

    faults: list[str] = field(default_factory=list)


@pytest.fixture
def watched() -> Watched:
    return Watched()


@pytest.fixture
def open_as(browser: Browser, live_hub: str, watched: Watched) -> Iterator[Open]:
    """A window of its own for a person who signed in by the form."""
    contexts: list[BrowserContext] = []

    def open_window(user: User | None, *, width: int = 1280, scheme: str = "light", script: bool = True) -> Page:
        context = browser.new_context(
            base_url=live_hub, viewport={"width": width, "height": 900}, color_scheme=scheme,  # type: ignore[arg-type]
            java_script_enabled=script, reduced_motion="reduce",
        )  # fmt: skip
        contexts.append(context)
        context.set_default_timeout(60_000)
        window = context.new_page()
        _watch(window, live_hub, watched)
        if user is not None:
            window.goto("/sign-in/")
            window.get_by_label("E-mail address").fill(user.email)
            window.get_by_label("Password").fill(PASSWORD)
            window.get_by_role("button", name="Sign in").click()
            window.wait_for_url(lambda url: "sign-in" not in url)
        return window

    yield open_window
    for context in contexts:
        context.close()


def _watch(window: Page, hub: str, watched: Watched) -> None:
    """Note what a console shows as an error, thrown errors, and requests to any other host."""

    def console(message) -> None:
        # A refusal's own status is no fault of the page; Chromium reports it as a failed resource.
        if message.type == "error" and "the server responded with a status of 4" not in message.text:
            watched.faults.append(message.text)

    window.on("console", console)
    window.on("pageerror", lambda error: watched.faults.append(str(error)))
    window.on("request", lambda request: request.url.startswith((hub, "data:")) or watched.faults.append(request.url))


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
    expect(window.get_by_text("Write a sentence first.")).to_be_focused()
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
    expect(person.get_by_role("heading", name="Everything is forgotten")).to_be_visible()
    assert rows(visitors, Entry, subject=visitors.mira) == []


def fill_in(visitors: Visitors) -> dict[str, list[str]]:
    """Something on every page; the addresses each person walks."""
    ground, mira = visitors.ground, visitors.mira
    refused_in(ground, "a", "b", "c")
    post(ground, mira, "I live in Lisbon.", session="d")
    dream = night(ground)
    fact, skill = conclude(ground, mira, "Mira likes window seats."), offer_skill(ground)
    tell(ground, mira, "I prefer tea.")
    grant_right(ground, mira, "Two free changes a year.")
    entry = rows(visitors, Entry)[0]
    read = f"/recalls/{ask(visitors).recall_id}/"
    staff = ["/queue/", f"/queue/{fact.pk}/", f"/queue/{skill.pk}/", "/dreams/", f"/dreams/{dream.pk}/",
             f"/memories/{entry.pk}/", f"/skills/{skill.skill_id}/", "/nowhere/", "/me/", "/recalls/", "/recalls/?id=x",
             f"/recalls/?entry={entry.pk}", read]  # fmt: skip
    return {"cal": staff, "olu": ["/dreams/", f"/queue/{fact.pk}/"], "mira_user": ["/me/", "/me/forget-everything/"]}


@pytest.mark.parametrize(
    ("width", "scheme"),
    [
        (1280, "light"),
        (320, "dark"),
        # Width decides about layout, scheme about contrast: the other two pairs can hardly differ.
        pytest.param(1280, "dark", marks=pytest.mark.long),
        pytest.param(320, "light", marks=pytest.mark.long),
    ],
)
def test_every_page_passes_the_accessibility_check_and_fits(
    visitors: Visitors, open_as: Open, watched: Watched, width: int, scheme: str
) -> None:
    axe, found = Axe(), []
    walk = fill_in(visitors)
    for who, paths in [*walk.items(), ("", ["/sign-in/", "/me/enter/nothing/"])]:
        window = open_as(getattr(visitors, who) if who else None, width=width, scheme=scheme)
        for path in paths:
            window.goto(path)
            for summary in window.locator("summary:visible").all():
                summary.click()
            found += [
                f"{path}: {fault['id']} ({fault['impact']}) at {[node['target'] for node in fault['nodes']][:3]}"
                for fault in axe.run(window).response["violations"]
            ]
            wide = window.evaluate("document.documentElement.scrollWidth - document.documentElement.clientWidth")
            found += [f"{path}: {wide} px wider than the window"] if wide > 0 else []
    assert found == []
    assert watched.faults == []
