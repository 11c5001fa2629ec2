"""Every page there is, in a real browser: accessible, nothing from elsewhere, no fault in the console, fits a phone."""

from pathlib import Path

import axe_playwright_python
import pytest
from playwright.sync_api import Page

from memoryhub.management.tour import Stop
from tests.factories import walk
from tests.factories.visitors import Visitors
from tests.functional.conftest import Open, Watched

pytestmark = pytest.mark.browser

AXE = (Path(axe_playwright_python.__file__).parent / "axe.min.js").read_text()
ALSO = (Stop("nowhere", "/nowhere/", "curator"), Stop("a fault", "/recalls/?id=x", "curator"))
#: What is polled asks by itself; everything else that HTMX fetches is asked for by pressing it.
PRESSED = "[hx-get]:not([hx-trigger*='every']):not([hx-trigger*='load']):visible"

#: What a first look at a page settles for every width and scheme is not asked again; colours and room are.
AGAIN = ("color-contrast", "link-in-text-block", "scrollable-region-focusable", "target-size")

#: But for the navigation's menu, which lies over the page, and the tables of charts after the first, which are alike.
UNFOLD = """
const chart = document.querySelector(".chart");
for (const fold of document.querySelectorAll("details:not(.menu)"))
  fold.open = !fold.closest(".chart") || chart.contains(fold);
"""

Look = tuple[int, str]


@pytest.mark.parametrize(
    "looks",
    [
        # Width decides about layout, scheme about contrast: the other two pairs can hardly differ.
        [(1280, "light"), (320, "dark")],
        pytest.param([(1280, "dark"), (320, "light"), (2560, "light"), (320, "dark")], marks=pytest.mark.long),
    ],
)
def test_every_page_is_accessible_quiet_and_fits(
    visitors: Visitors, open_as: Open, watched: Watched, looks: list[Look]
) -> None:
    examples = walk.fill_in(visitors)
    people = walk.cast(visitors)
    table = walk.find(people, examples)
    assert table.lost == ()
    assert len(table.stops) > 10
    windows: dict[str, Page] = {}
    found: list[str] = []
    for stop in [*table.stops, *ALSO]:
        if stop.who not in windows:
            windows[stop.who] = _open(open_as, people.get(stop.who))
        found += list(_faults(windows[stop.who], stop, looks))
    assert not found, "\n".join(found)
    assert watched.faults == []


def _open(open_as: Open, person) -> Page:
    if person is not None:
        person.set_password("a-quiet-harbour-at-dawn")
        person.save()
    window = open_as(person)
    window.context.add_init_script(AXE)
    return window


def _faults(window: Page, stop: Stop, looks: list[Look]):
    window.goto(stop.address)
    for place, (width, scheme) in enumerate(looks):
        window.set_viewport_size({"width": width, "height": 900})
        window.emulate_media(color_scheme=scheme, reduced_motion="reduce")  # type: ignore[arg-type]
        seen = f"{stop.name} ({stop.address}) at {width} px, {scheme}"
        yield from (f"{seen}: {fault}" for fault in _by_axe(window, rules=AGAIN if place else ()))
        wide = window.evaluate("document.documentElement.scrollWidth - document.documentElement.clientWidth")
        if wide > 0:
            yield f"{seen}: {wide} px wider than the window"
    pressed = window.locator(PRESSED)
    if pressed.count():
        with window.expect_response(lambda response: response.request.headers.get("hx-request") == "true"):
            pressed.first.click()
        window.wait_for_timeout(150)


def _by_axe(window: Page, *, rules: tuple[str, ...]) -> list[str]:
    """What axe finds, of all its rules or of some, while what folds is open."""
    window.evaluate(UNFOLD)
    some = {"runOnly": {"type": "rule", "values": list(rules)}} if rules else {}
    answer = window.evaluate("how => axe.run(document, how)", {"resultTypes": ["violations"], "preload": False, **some})
    return [
        f"{fault['id']} ({fault['impact']}) at {[node['target'] for node in fault['nodes']][:3]}"
        for fault in answer["violations"]
    ]
