"""What does a browser test stand on? A Chromium that is installed, and the real server on a port of its own."""

import os
import shutil
import socket
import threading
import time
from collections.abc import Iterator

import pytest
import uvicorn
from playwright.sync_api import Browser, Page, expect, sync_playwright

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
