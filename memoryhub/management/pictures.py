"""What do the pages look like? Opens each in a headless Chromium, and takes small pictures of it.

Playwright and a Chromium are for tests and this alone; the hub runs without them.
"""

import base64
import shutil
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from memoryhub.errors import Invalid
from memoryhub.management import tour
from memoryhub.management.tour import Examples, Found, Stop

try:
    from playwright.sync_api import Browser, BrowserContext, Error, Page, sync_playwright
except ImportError:  # not installed where no tests are run; `browser` says so
    sync_playwright = None  # type: ignore[assignment]

CHROMIUMS: Final = ("chromium", "chromium-browser", "google-chrome")
PATIENCE: Final = 60_000  # milliseconds for a page
QUALITY: Final = 45  # of WebP: letters stay sharp
LONGEST: Final = 2400  # pixels of a page that are shown


@dataclass(frozen=True)
class Look:
    """A size of window and a scheme; the picture is `scale` as large."""

    name: str
    width: int
    height: int
    scheme: str
    scale: float


LOOKS: Final = (
    Look("light", 1280, 860, "light", 0.75),
    Look("dark", 1280, 860, "dark", 0.75),
    Look("phone", 360, 740, "light", 1.0),
)


#: A page with nothing on it yet.
EMPTY: Final = (Look("empty", 1280, 620, "light", 0.5),)


@dataclass(frozen=True)
class Person:
    """Somebody who signs in to look."""

    email: str
    password: str


@dataclass(frozen=True)
class Shown:
    """One page as it was seen: its own heading and first sentence, and a picture of each look."""

    stop: Stop
    heading: str
    lead: str
    pictures: Mapping[str, bytes]


@contextmanager
def browser() -> Iterator["Browser"]:
    """A Chromium of this machine. Raises Invalid with what to install where there is none."""
    if sync_playwright is None:
        raise Invalid("Playwright is not installed here: pip install playwright (it is part of the test extra).")
    path = next(filter(None, map(shutil.which, CHROMIUMS)), None)
    if path is None:
        raise Invalid("No Chromium is installed here (Debian: apt-get install chromium).")
    with sync_playwright() as playwright:
        running = playwright.chromium.launch(executable_path=path, args=["--no-sandbox", "--disable-gpu"])
        try:
            yield running
        finally:
            running.close()


def take(
    running: "Browser", *, url: str, people: Sequence[Person], examples: Examples, looks: Sequence[Look] = LOOKS
) -> tuple[Found, list[Shown]]:
    """Sign everybody in, find the pages, and picture each as the first who may open it; nobody is signed in first."""
    contexts: dict[str, BrowserContext] = {"": _context(running, url)}
    for person in people:
        contexts[person.email] = _signed_in(_context(running, url), person)

    def ask(who: str, address: str) -> tuple[int, str]:
        answer = contexts[who].request.get(address, max_redirects=0)
        whole = answer.headers.get("content-type", "").startswith("text/html")
        return answer.status, answer.text() if whole else ""

    found = tour.find(people=list(contexts), examples=examples, ask=ask)
    windows = {who: context.new_page() for who, context in contexts.items()}
    return found, [_shown(windows[stop.who], stop, looks) for stop in found.stops]


def take_empty(running: "Browser", *, url: str, person: Person, stops: Sequence[Stop]) -> list[Shown]:
    """The pages that name nothing, as somebody sees them in whose organisation nothing happened yet."""
    context = _signed_in(_context(running, url), person)
    window = context.new_page()
    bare = [stop for stop in stops if stop.who and "<" not in stop.route]
    return [
        _shown(window, stop, EMPTY) for stop in bare if context.request.get(stop.address, max_redirects=0).status == 200
    ]


def _context(running: "Browser", url: str) -> "BrowserContext":
    context = running.new_context(base_url=url, reduced_motion="reduce")
    context.set_default_timeout(PATIENCE)
    return context


def _signed_in(context: "BrowserContext", person: Person) -> "BrowserContext":
    window = context.new_page()
    try:
        window.goto("/sign-in/")
    except Error:
        raise Invalid(
            "The hub does not answer at its address; start it with manage.py serve, or name its --url."
        ) from None
    window.get_by_label("E-mail address").fill(person.email)
    window.get_by_label("Password").fill(person.password)
    window.get_by_role("button", name="Sign in").click()
    window.wait_for_load_state()
    if "/sign-in/" in window.url:
        raise Invalid(f"{person.email} could not sign in: is the password right, and does this hub know them?")
    window.close()
    return context


def _shown(window: "Page", stop: Stop, looks: Sequence[Look]) -> Shown:
    window.goto(stop.address)
    pictures = {}
    for look in looks:
        window.emulate_media(color_scheme=look.scheme, reduced_motion="reduce")  # type: ignore[arg-type]
        window.set_viewport_size({"width": look.width, "height": look.height})
        pictures[look.name] = _picture(window, look)
    return Shown(stop, _words(window, "h1"), _words(window, ".lead"), pictures)


def _picture(window: "Page", look: Look) -> bytes:
    """As WebP, which Playwright's own screenshots don't offer."""
    room = {"x": 0, "y": 0, "width": look.width, "height": look.height, "scale": look.scale}
    session = window.context.new_cdp_session(window)
    try:
        wanted: dict[str, Any] = {"format": "webp", "quality": QUALITY, "clip": room}
        return base64.b64decode(session.send("Page.captureScreenshot", wanted)["data"])
    finally:
        session.detach()


def _words(window: "Page", selector: str) -> str:
    found = window.locator(selector).first
    return " ".join(found.inner_text().split()) if found.count() else ""


def write(shown: Sequence[Shown], folder: Path) -> int:
    """Write every picture as <page>-<look>.webp, in place of those that were there; returns their bytes together."""
    folder.mkdir(parents=True, exist_ok=True)
    for old in folder.glob("*.webp"):
        old.unlink()
    for page in shown:
        for look, picture in page.pictures.items():
            (folder / f"{file_of(page.stop)}-{look}.webp").write_bytes(picture)
    return sum(len(picture) for page in shown for picture in page.pictures.values())


def file_of(stop: Stop) -> str:
    """The name of a page's pictures, without the look."""
    return stop.name.partition(":")[2]
