"""A day is written in the person's zone, and as their language writes it."""

from datetime import UTC, datetime, timedelta
from zoneinfo import ZoneInfo

import pytest
from django.test import RequestFactory
from django.utils import timezone, translation

from curation.days import at_time, language_of, on_day, time_left

LATE = datetime(2026, 10, 12, 23, 30, tzinfo=UTC)


@pytest.mark.parametrize(
    ("asked", "day"),
    [
        ("", "12 October 2026"), ("en-US,en;q=0.9", "12 October 2026"), ("de-AT", "12. Oktober 2026"),
        ("pt-BR", "12 de Outubro de 2026"), ("fr", "12 octobre 2026"), ("tlh", "12 October 2026"),
        ("<script>", "12 October 2026"),
    ],
)  # fmt: skip
def test_the_language_is_the_one_the_browser_asks_for(asked: str, day: str) -> None:
    request = RequestFactory().get("/me/", headers={"Accept-Language": asked} if asked else {})
    with translation.override(language_of(request)):
        assert on_day(LATE, UTC).casefold() == day.casefold()


def test_the_day_is_that_of_the_zone() -> None:
    assert on_day(LATE, ZoneInfo("Pacific/Kiritimati")) == "13 October 2026"
    assert at_time(LATE, ZoneInfo("Europe/Lisbon")) == "13 October 2026, 00:30"


@pytest.mark.parametrize(
    ("left", "words"),
    [
        (timedelta(days=6, hours=3, minutes=5), "6 days and 3 hours"), (timedelta(days=1, minutes=1), "1 day"),
        (timedelta(hours=2, minutes=1), "2 hours"), (timedelta(minutes=5, seconds=9), "5 minutes"),
        (timedelta(seconds=5), "less than a minute"), (timedelta(days=-2), "less than a minute"),
    ],
)  # fmt: skip
def test_how_long_it_still_is(left: timedelta, words: str) -> None:
    assert time_left(timezone.now() + left + timedelta(seconds=1)) == words
