"""How much does the queue weigh, and what does one more row cost? Sizes and counts, which no machine changes (U6)."""

import gzip
import re
from collections.abc import Callable
from pathlib import Path

import pytest
from django.conf import settings
from django.contrib.staticfiles import finders
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from memoryhub.models import ReviewItem
from tests.factories.visitors import Visitors, conclude, tell
from tests.integration.pages.conftest import SignedIn

HTMX = {"HX-Request": "true"}
FIRST_VIEW = 150_000  # bytes, compressed: the page and all it loads
FRAGMENT = 15_000  # bytes, compressed


def packed(content: bytes) -> int:
    return len(gzip.compress(content, 6))


def loaded_by(page: str) -> int:
    """The compressed size of all styles, scripts and pictures a page names."""
    names = {match.removeprefix(settings.STATIC_URL) for match in re.findall(r'(?:href|src)="(/static/[^"?]+)', page)}
    assert names
    found = [finders.find(name) for name in names]
    return sum(packed(Path(str(path)).read_bytes()) for path in found if path)


def many(visitors: Visitors, count: int, *, start: int = 0) -> list[ReviewItem]:
    return [
        conclude(
            visitors.ground, visitors.ground.subject(f"guest-{n}"), f"A guest wants room {n}, {'quietly, ' * 9}please."
        )
        for n in range(start, start + count)
    ]


def queries(call: Callable[[], object]) -> int:
    with CaptureQueriesContext(connection) as captured:
        call()
    return len(captured)


def decided(client: Client, item: ReviewItem) -> bytes:
    return client.post(f"/queue/{item.pk}/approve/", {"etag": item.etag}, headers=HTMX).content


def test_the_first_view_and_every_fragment_are_light(visitors: Visitors, signed_in: SignedIn) -> None:
    items, client = many(visitors, 50), signed_in(visitors.cal)
    for path in ("/queue/", f"/queue/{items[0].pk}/", "/decisions/"):
        page = client.get(path).content
        assert packed(page) + loaded_by(page.decode()) < FIRST_VIEW
    assert packed(decided(client, items[0])) < FRAGMENT
    for path in ("/queue/counts/", f"/queue/{items[3].pk}/"):
        assert packed(client.get(path, headers=HTMX).content) < FRAGMENT
    beat = client.post(f"/queue/{items[3].pk}/heartbeat/", {"seen": "free"}, headers=HTMX)
    assert packed(beat.content) < FRAGMENT


@pytest.mark.parametrize("path", ["/queue/", "/queue/?q=room&certainty=medium", "/queue/one-by-one/", "/queue/counts/"])
def test_more_rows_cost_no_more_queries(visitors: Visitors, signed_in: SignedIn, path: str) -> None:
    client = signed_in(visitors.cal)
    many(visitors, 3)
    few = queries(lambda: client.get(path))
    many(visitors, 20, start=3)
    assert queries(lambda: client.get(path)) == few


def test_an_item_costs_the_same_however_much_waits_and_is_known(visitors: Visitors, signed_in: SignedIn) -> None:
    client = signed_in(visitors.cal)
    item = many(visitors, 1)[0]
    client.get(f"/queue/{item.pk}/")  # the look is noted once
    few = queries(lambda: client.get(f"/queue/{item.pk}/"))
    many(visitors, 10, start=1)
    for n in range(6):
        tell(visitors.ground, visitors.ground.subject("guest-0"), f"I want room {n} please.")
        conclude(visitors.ground, visitors.ground.subject("guest-0"), f"A guest wants room {n} with a view.")
    assert queries(lambda: client.get(f"/queue/{item.pk}/")) <= few + 1  # whether evidence stands behind what is known
