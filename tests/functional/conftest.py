"""What does a browser test stand on? A Chromium that is installed, the real server on a port of its own, and a watch on
what goes wrong in the browser, whatever else a test looks at.
"""

import os
import shutil
import socket
import threading
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field

import pytest
import uvicorn
from playwright.sync_api import Browser, BrowserContext, Page, expect, sync_playwright

from accounts.models import User
from memoryhub.providers.embeddings import HashingEmbedder, using
from tests.factories.visitors import PASSWORD, Visitors, make_visitors

Open = Callable[..., Page]

PATIENCE = 60_000  # milliseconds until a page or what should be on it is there, on a busy machine
NO_CHROMIUM = "no Chromium is installed (Debian: apt-get install chromium), so nothing was opened in a browser"


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    """Debian's Chromium through Playwright; the test is skipped where there is none.

    One for each file: while a browser is driven, an event loop counts as running in this process and asyncio.run
    refuses, so none may be left open for the files that come after.
    """
    path = next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None)
    if path is None:
        pytest.skip(NO_CHROMIUM)
    # Playwright runs an event loop in this thread, which Django takes for a reason to refuse the ORM.
    os.environ["DJANGO_ALLOW_ASYNC_UNSAFE"] = "1"
    expect.set_options(timeout=PATIENCE)
    try:
        with sync_playwright() as playwright:
            browser = playwright.chromium.launch(executable_path=path, args=["--no-sandbox", "--disable-gpu"])
            yield browser
            browser.close()
    finally:
        os.environ.pop("DJANGO_ALLOW_ASYNC_UNSAFE")


@pytest.fixture(scope="session")
def _server() -> Iterator[str]:
    from memoryhub.asgi import application

    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        config = uvicorn.Config(application, lifespan="off", log_level="warning", timeout_graceful_shutdown=2)
        server = uvicorn.Server(config)
        thread = threading.Thread(target=server.run, kwargs={"sockets": [listener]}, daemon=True)
        thread.start()
        while not server.started:
            time.sleep(0.02)
        yield f"http://127.0.0.1:{listener.getsockname()[1]}"
        server.should_exit = True
        thread.join(timeout=10)


@pytest.fixture
def live_hub(committed_db: None, _server: str) -> str:
    """The address of the real ASGI application, on what the test has committed."""
    return _server


@pytest.fixture
def page(browser: Browser, live_hub: str) -> Iterator[Page]:
    """A fresh browser window; `page.goto("/…")` is relative to the hub."""
    context = browser.new_context(base_url=live_hub, viewport={"width": 1280, "height": 900})
    context.set_default_timeout(PATIENCE)
    page = context.new_page()
    yield page
    context.close()


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
    """A window of its own for a person who signed in by the form; `watched` hears of what goes wrong in it."""
    contexts: list[BrowserContext] = []

    def open_window(user: User | None, *, width: int = 1280, scheme: str = "light", script: bool = True) -> Page:
        context = browser.new_context(
            base_url=live_hub, viewport={"width": width, "height": 900}, color_scheme=scheme,  # type: ignore[arg-type]
            java_script_enabled=script, reduced_motion="reduce",
        )  # fmt: skip
        contexts.append(context)
        context.set_default_timeout(PATIENCE)
        context.add_init_script(FOCUS_WATCH)
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


#: After every swap that somebody asked for, and every one that took the focus away, it must be somewhere (U4).
FOCUS_WATCH = """
(() => {
  const held = () => document.activeElement && document.activeElement !== document.body;
  let had = false;
  document.addEventListener("htmx:beforeSwap", (event) => {
    had = held() && Boolean(event.detail.target?.contains(document.activeElement));
  });
  document.addEventListener("htmx:afterSettle", (event) => {
    const trigger = event.detail.requestConfig?.triggeringEvent;
    const asked = trigger != null && trigger.type !== "load";  // a page that fetches a part of itself takes no focus
    if (asked || had) setTimeout(() => {
      if (!held()) console.error(`the focus fell on body after a swap into ${event.detail.target?.id || "?"}`);
    }, 100);
  });
  document.addEventListener("securitypolicyviolation", (event) => {
    console.error(`the policy forbids ${event.violatedDirective}: ${event.blockedURI || event.sample}`);
  });
})();
"""


def _watch(window: Page, hub: str, watched: Watched) -> None:
    """Note what a console shows as an error, thrown errors, and requests to any other host."""

    def console(message) -> None:
        # A refusal's own status is no fault of the page; Chromium reports it as a failed resource.
        if message.type == "error" and "the server responded with a status of 4" not in message.text:
            watched.faults.append(f"{window.url}: {message.text}")

    window.on("console", console)
    window.on("pageerror", lambda error: watched.faults.append(f"{window.url}: {error}"))
    window.on("request", lambda request: request.url.startswith((hub, "data:")) or watched.faults.append(request.url))
