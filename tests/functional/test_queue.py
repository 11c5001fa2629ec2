"""The queue in a real browser: thirty items by keyboard alone, two curators at once, without JavaScript (R92)."""

import re

import pytest
from axe_playwright_python.sync_playwright import Axe
from django.utils import timezone
from playwright.sync_api import Page, expect

from curation.forms import REJECT_REASONS
from memoryhub.governance import decisions, saved_views
from memoryhub.models import ReviewItem
from memoryhub.tenancy import ALL_SUBJECTS, acting_for
from memoryhub.vocabulary import ReviewState
from tests.factories.visitors import Visitors, conclude, offer_skill, tell
from tests.functional.conftest import Open, Watched

pytestmark = pytest.mark.browser

COUNT_EVENTS = """
window.counted = {keys: 0, mouse: 0};
addEventListener("keydown", () => counted.keys++, true);
for (const name of ["mousedown", "mouseup", "mousemove", "pointerdown", "touchstart"])
  addEventListener(name, () => counted.mouse++, true);
"""


def press(window: Page, key: str) -> None:
    """As somebody does who sees the page: its words stand there before its styles and its keys do."""
    window.wait_for_load_state()
    window.keyboard.press(key)


def fill(visitors: Visitors, count: int) -> list[ReviewItem]:
    """So many conclusions, each about somebody else, the oldest first."""
    return [
        conclude(visitors.ground, visitors.ground.subject(f"guest-{number:03}"), f"A guest wants room {number:03}.",
                 hours_ago=count + 1 - number)
        for number in range(1, count + 1)
    ]  # fmt: skip


def states(visitors: Visitors) -> list[str]:
    with acting_for(visitors.ground.as_hub, subjects=ALL_SUBJECTS):
        return sorted(ReviewItem.objects.values_list("state", flat=True))


def one_by_one(window: Page) -> None:
    """From the list to its first item, by key."""
    window.wait_for_load_state()
    press(window, "f")
    expect(window.get_by_role("heading", name="Decide")).to_be_visible()
    window.wait_for_load_state()


def claim(window: Page, words: str) -> None:
    expect(window.get_by_role("heading", level=1, name=words)).to_be_focused()


def test_items_are_decided_by_keys_alone_with_two_strokes_each(
    visitors: Visitors, open_as: Open, watched: Watched
) -> None:
    decide_by_keys(visitors, open_as, watched, count=6)


@pytest.mark.long
def test_thirty_items_are_decided_by_keys_alone(visitors: Visitors, open_as: Open, watched: Watched) -> None:
    decide_by_keys(visitors, open_as, watched, count=30)


def decide_by_keys(visitors: Visitors, open_as: Open, watched: Watched, *, count: int) -> None:
    """Every third a no with a reason, the others a yes; one key to begin, one or two for each item (U1)."""
    fill(visitors, count)
    window = open_as(visitors.cal)
    one_by_one(window)
    window.evaluate(COUNT_EVENTS)
    strokes = 0
    for number in range(1, count + 1):
        for key in ("r", "2") if number % 3 == 0 else ("a",):
            press(window, key)
            strokes += 1
        if number < count:
            claim(window, f"A guest wants room {number + 1:03}.")
    expect(window.get_by_role("heading", name="Nothing else waits.")).to_be_focused()
    assert window.evaluate("counted") == {"keys": strokes, "mouse": 0}
    assert strokes <= 2 * count
    assert states(visitors) == [ReviewState.APPROVED] * (count - count // 3) + [ReviewState.REJECTED] * (count // 3)
    with acting_for(visitors.ground.as_hub, subjects=ALL_SUBJECTS):
        reasons = ReviewItem.objects.filter(state=ReviewState.REJECTED).values_list("decided_reason", flat=True)
        assert set(reasons) == {REJECT_REASONS[1]}, "the reason whose key was pressed"
    press(window, "z")
    expect(window.get_by_role("heading", name="Decide")).to_be_focused()
    assert states(visitors).count(ReviewState.WAITING) == 1
    assert watched.faults == []


def test_keys_do_nothing_in_fields_and_with_alt_where_single_ones_are_off(
    visitors: Visitors, open_as: Open, watched: Watched
) -> None:
    fill(visitors, 2)
    window = open_as(visitors.cal)
    one_by_one(window)
    press(window, "n")
    expect(window.get_by_label("Note to the other curators")).to_be_focused()
    window.keyboard.type("a rare case")
    press(window, "Escape")
    press(window, "?")
    expect(window.get_by_role("dialog")).to_be_visible()
    press(window, "a")
    press(window, "Escape")
    expect(window.get_by_role("dialog")).to_be_hidden()
    assert states(visitors) == [ReviewState.WAITING] * 2
    with acting_for(visitors.ground.as_cal, subjects=ALL_SUBJECTS):
        saved_views.prefer(by=visitors.ground.as_cal, now=timezone.now(), shortcuts=False)
    window.reload()
    press(window, "a")
    press(window, "Alt+a")
    claim(window, "A guest wants room 002.")
    assert states(visitors) == [ReviewState.APPROVED, ReviewState.WAITING]
    assert watched.faults == []


def test_the_list_is_walked_selected_and_found_again_by_keys(
    visitors: Visitors, open_as: Open, watched: Watched
) -> None:
    fill(visitors, 3)
    window = open_as(visitors.cal)
    for key in ("j", "Space", "j", "Space"):
        press(window, key)
    expect(window.locator("#selected-count")).to_have_text("2")
    press(window, "o")
    expect(window.get_by_role("heading", name="Decide")).to_be_visible()
    window.go_back()
    expect(window.locator("[data-rows] input:checked")).to_have_count(2)
    expect(window.get_by_role("link", name="A guest wants room 002.")).to_be_focused()
    press(window, "a")
    expect(window.get_by_role("heading", name="Approve: 2 items?")).to_be_visible()
    press(window, "a")
    expect(window.get_by_role("heading", name="2 decided at once")).to_be_visible()
    press(window, "z")
    expect(window.get_by_text("all 2 wait again")).to_be_visible()
    assert states(visitors) == [ReviewState.WAITING] * 3
    assert watched.faults == []


def test_going_back_to_the_list_goes_on_from_the_line_that_was_left(
    visitors: Visitors, open_as: Open, watched: Watched
) -> None:
    fill(visitors, 6)
    window = open_as(visitors.cal)
    for key in "jjjjo":
        press(window, key)
    expect(window.get_by_role("heading", name="Decide")).to_be_visible()
    window.wait_for_load_state()
    press(window, "f")
    expect(window.get_by_role("link", name="A guest wants room 004.")).to_be_focused()
    window.wait_for_load_state()
    window.wait_for_timeout(200)
    press(window, "j")
    expect(window.get_by_role("link", name="A guest wants room 005.")).to_be_focused()
    assert watched.faults == []


def test_of_two_curators_each_loser_sees_the_other_decision(
    visitors: Visitors, open_as: Open, watched: Watched
) -> None:
    both_decide(visitors, open_as, watched, count=3)


@pytest.mark.long
def test_of_two_curators_every_loser_of_forty_sees_the_other_decision(
    visitors: Visitors, open_as: Open, watched: Watched
) -> None:
    both_decide(visitors, open_as, watched, count=40)


def both_decide(visitors: Visitors, open_as: Open, watched: Watched, *, count: int) -> None:
    """Both have the same item open; who decides first takes turns, and the other is told (U2)."""
    items = fill(visitors, count)
    windows = {visitors.cal: open_as(visitors.cal), visitors.dee: open_as(visitors.dee)}
    for window in windows.values():  # nobody takes it by looking for long: both are as free to decide
        window.route("**/heartbeat/", lambda route: route.fulfill(status=204))
    for number, item in enumerate(items):
        for window in windows.values():
            window.goto(f"/queue/{item.pk}/")
        (_, winner), (_, loser) = list(windows.items())[:: 1 if number % 2 == 0 else -1]
        name = visitors.cal.email if number % 2 == 0 else visitors.dee.email
        press(winner, "a")
        expect(winner.locator("#toast")).to_contain_text("Approved.")
        press(loser, "r")
        press(loser, "1")
        expect(loser.get_by_role("heading", name="Somebody decided this first")).to_be_focused()
        expect(loser.get_by_text(re.compile(rf"Changed by {re.escape(name)} \d+ (s|min) ago"))).to_be_visible()
    assert states(visitors) == [ReviewState.APPROVED] * count
    assert watched.faults == []


def test_opening_an_item_takes_it_softly_and_a_colleague_takes_it_over(
    visitors: Visitors, open_as: Open, watched: Watched
) -> None:
    (item,) = fill(visitors, 1)
    first, second = open_as(visitors.cal), open_as(visitors.dee)
    first.goto(f"/queue/{item.pk}/")
    expect(first.get_by_text("Nobody is on it")).to_be_visible()
    expect(first.get_by_text("Yours until")).to_be_visible(timeout=15_000)
    second.goto(f"/queue/{item.pk}/")
    expect(second.get_by_text(f"{visitors.cal.email} is on it")).to_be_visible()
    second.wait_for_load_state()
    press(second, "t")
    expect(second.get_by_text("Yours until")).to_be_visible()
    expect(second.get_by_text("took it over")).to_be_visible()
    second.wait_for_load_state()
    press(second, "f")
    expect(second.get_by_role("heading", name="Queue", exact=True)).to_be_visible()
    first.reload()
    expect(first.get_by_text("Nobody is on it")).to_be_visible()
    assert watched.faults == []


def test_every_way_to_decide_works_without_javascript(visitors: Visitors, open_as: Open) -> None:
    tell(visitors.ground, visitors.ground.subject("guest-003"), "I prefer a room by the lift.", hours_ago=30)
    items = fill(visitors, 6)
    window = open_as(visitors.cal, script=False)

    def act(item: ReviewItem, fold: str, button: str, then: str) -> None:
        window.goto(f"/queue/{item.pk}/")
        if fold:
            window.locator("summary.button", has_text=fold).click()
        window.get_by_role("button", name=button).first.click()
        expect(window.get_by_text(then).first).to_be_visible()

    act(items[0], "", "Approve", "Approved.")
    window.get_by_role("button", name="Undo the decision").click()
    expect(window.get_by_text("Taken back: it waits again.")).to_be_visible()
    act(items[0], "Reject", "It is not true", "Rejected.")
    act(items[1], "Edit and approve", "Approve the edited text", "Approved.")
    act(items[2], "Merge into", "I prefer a room by the lift", "Merged.")
    act(items[3], "Ask the person", "Ask whether it is so", "The person is asked")
    act(items[4], "Snooze", "Until tomorrow morning", "Snoozed.")
    window.get_by_role("button", name="Bring it back").click()
    expect(window.get_by_text("Back in the queue.")).to_be_visible()
    act(items[4], "Escalate", "It may be an attack", "Escalated")
    act(items[5], "", "Claim", "Yours until")
    window.get_by_role("button", name="Release").click()
    expect(window.get_by_text("Released.")).to_be_visible()
    window.get_by_label("Note to the other curators").fill("She called twice.")
    window.get_by_role("button", name="Add the note").click()
    expect(window.get_by_text("She called twice.")).to_be_visible()
    window.goto("/queue/?all=yes")
    window.get_by_role("checkbox").first.check()
    window.get_by_role("button", name="Approve the selected").click()
    window.get_by_role("button", name="Approve all 1").click()
    expect(window.get_by_role("heading", name="1 decided at once")).to_be_visible()


@pytest.mark.parametrize(
    ("width", "scheme"),
    [
        (1280, "light"),
        (320, "dark"),
        pytest.param(1280, "dark", marks=pytest.mark.long),
        pytest.param(320, "light", marks=pytest.mark.long),
    ],
)
def test_the_queue_s_pages_and_states_pass_the_accessibility_check_and_fit(
    visitors: Visitors, open_as: Open, watched: Watched, width: int, scheme: str
) -> None:
    first, second, third = fill(visitors, 3)
    skill = offer_skill(visitors.ground)
    by = visitors.ground.as_dee
    with acting_for(by, subjects=ALL_SUBJECTS):
        decisions.reject(item_id=first.pk, reason="It is not true", by=by, now=timezone.now())
        decisions.claim(item_id=second.pk, by=by, now=timezone.now())
    axe, found = Axe(), []
    window = open_as(visitors.cal, width=width, scheme=scheme)

    def check(state: str) -> None:
        window.wait_for_load_state()  # its words are there before its styles are
        window.evaluate("for (const fold of document.querySelectorAll('details')) fold.name = '', fold.open = true")
        found.extend(
            f"{state}: {fault['id']} ({fault['impact']}) at {[node['target'] for node in fault['nodes']][:3]}"
            for fault in axe.run(window).response["violations"]
        )
        wide = window.evaluate("document.documentElement.scrollWidth - document.documentElement.clientWidth")
        if wide > 0:
            found.append(f"{state}: {wide} px wider than the window")

    for path in ("/queue/?all=yes", "/queue/?q=nothing-like-this", f"/queue/{second.pk}/", f"/queue/{first.pk}/",
                 f"/queue/{skill.pk}/", "/decisions/"):  # fmt: skip
        window.goto(path)
        check(path)
    window.goto(f"/queue/{third.pk}/")
    press(window, "?")
    check("the dialog of keys")
    press(window, "Escape")
    window.goto("/queue/")
    press(window, "j")
    press(window, "Space")
    press(window, "r")
    expect(window.get_by_role("heading", name="Reject: 1 item?")).to_be_visible()
    check("a preview of many")
    assert found == []
    assert watched.faults == []
