"""Relative dates become absolute in the message's zone, beside the words themselves (R13)."""

from datetime import UTC, datetime
from zoneinfo import ZoneInfo

import pytest

from memoryhub.governance.dates import find_dates, validity, with_absolute_dates

TOKYO = ZoneInfo("Asia/Tokyo")
WEDNESDAY = datetime(2026, 9, 2, 22, 30, tzinfo=UTC)  # Thursday the 3rd in Tokyo


def absolute(text: str, *, said_at: datetime = WEDNESDAY, zone: ZoneInfo = TOKYO) -> str:
    return with_absolute_dates(text, find_dates(text, said_at=said_at, zone=zone))


@pytest.mark.parametrize(
    ("text", "resolved"),
    [
        ("it comes tomorrow", "it comes tomorrow (2026-09-04)"),
        ("it came yesterday", "it came yesterday (2026-09-02)"),
        ("I moved this morning", "I moved this morning (2026-09-03)"),
        ("tomorrow at 15:00 at the gate", "tomorrow at 15:00 (2026-09-04T15:00:00+09:00) at the gate"),
        ("next Monday at 3pm", "next Monday at 3pm (2026-09-07T15:00:00+09:00)"),
        ("in 3 days", "in 3 days (2026-09-06)"),
        ("two weeks ago", "two weeks ago (2026-08-20)"),
        ("next month", "next month (2026-10-01/2026-10-31)"),
        ("last year", "last year (2025-01-01/2025-12-31)"),
        ("until Friday", "until Friday (2026-09-04)"),
        ("until the end of the month", "until the end of the month (2026-09-30)"),
        ("on 31 January", "on 31 January (2027-01-31)"),
        ("the slot is 2026-09-10 10 to 12", "the slot is 2026-09-10 10 to 12"),
        ("on 5 May 2027", "on 5 May 2027"),
        ("on Mondays", "on Mondays"),
        ("I may march on", "I may march on"),
        ("on 31 February", "on 31 February"),
    ],
)
def test_an_expression_of_time_gets_its_date(text, resolved):
    assert absolute(text) == resolved


def test_the_day_is_the_speakers_not_the_servers():
    assert absolute("today", zone=ZoneInfo("America/Lima")) == "today (2026-09-02)"


def test_a_leap_day_one_year_on_is_the_last_of_february():
    leap = datetime(2028, 2, 29, 12, tzinfo=UTC)
    assert absolute("in 1 year", said_at=leap, zone=ZoneInfo("UTC")) == "in 1 year (2029-02-28)"


def test_until_ends_and_since_begins():
    begins, ends = validity(find_dates("since last month until Friday", said_at=WEDNESDAY, zone=TOKYO))
    assert begins == datetime(2026, 8, 1, tzinfo=TOKYO)
    assert ends == datetime(2026, 9, 5, tzinfo=TOKYO)
