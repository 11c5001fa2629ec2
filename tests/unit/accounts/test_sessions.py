"""A browser is named roughly, and what a program sends of itself is never repeated."""

import pytest

from accounts.sessions import browser_of

CHROME = "Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/142.0.0.0 Safari/537.36"


@pytest.mark.parametrize(
    ("agent", "told"),
    [
        (CHROME, "Chrome on Linux"),
        (f"{CHROME} Edg/142.0.0.0", "Edge on Linux"),
        ("Mozilla/5.0 (Windows NT 10.0; Win64; x64; rv:145.0) Gecko/20100101 Firefox/145.0", "Firefox on Windows"),
        ("Mozilla/5.0 (iPhone; CPU iPhone OS 19_1 like Mac OS X) Version/19.1 Mobile/15E148 Safari/604.1",
         "Safari on an iPhone"),
        ("Mozilla/5.0 (Linux; Android 16; Pixel 10) Chrome/142.0 Mobile Safari/537.36", "Chrome on Android"),
        ("Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7)", "A browser on a Mac"),
        ("curl/8.5.0 <script>alert(1)</script>", "A browser or program"),
        ("", "A browser or program"),
    ],
)  # fmt: skip
def test_a_browser_is_named_roughly(agent: str, told: str) -> None:
    assert browser_of(agent) == told
