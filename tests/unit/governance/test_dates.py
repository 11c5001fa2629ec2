"""Relative dates become absolute in the message's zone, beside the words themselves (R13)."""

from datetime import UTC, date, datetime, time, timedelta, timezone
from zoneinfo import ZoneInfo

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from memoryhub import conf
from memoryhub.errors import Invalid
from memoryhub.governance.dates import check_credible, credible, find_dates, validity, with_absolute_dates
from memoryhub.governance.extraction import extract
from memoryhub.vocabulary import Channel

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
        ("in a fortnight", "in a fortnight (2026-09-17)"),
        ("in a couple of weeks", "in a couple of weeks (2026-09-17)"),
        ("twenty days ago", "twenty days ago (2026-08-14)"),
        ("two weeks from now", "two weeks from now (2026-09-17)"),
        ("for the next two weeks", "for the next two weeks (2026-09-03/2026-09-17)"),
        ("since May", "since May (2026-05-01/2026-05-31)"),
        ("we are moving in March", "we are moving in March (2027-03-01/2027-03-31)"),
        ("I moved in October", "I moved in October (2025-10-01/2025-10-31)"),
        ("we close in August", "we close in August"),
        ("on the 14th", "on the 14th (2026-09-14)"),
        ("since the 28th", "since the 28th (2026-08-28)"),
        ("until the 31st", "until the 31st (2026-10-31)"),
        ("on the 3rd floor", "on the 3rd floor"),
        ("by the end of March", "by the end of March (2027-03-31)"),
        ("from 3 November", "from 3 November (2026-11-03)"),
    ],
)
def test_an_expression_of_time_gets_its_date(text, resolved):
    assert absolute(text) == resolved


def test_the_day_is_the_speakers_not_the_servers():
    assert absolute("today", zone=ZoneInfo("America/Lima")) == "today (2026-09-02)"


def test_a_day_on_which_the_clocks_change_is_still_one_day():
    oslo = ZoneInfo("Europe/Oslo")
    eve = datetime(2026, 10, 24, 23, 30, tzinfo=oslo)  # that night 03:00 comes twice
    (tomorrow,) = find_dates("tomorrow", said_at=eve, zone=oslo)
    assert (tomorrow.begins.isoformat(), tomorrow.ends.isoformat()) == (
        "2026-10-25T00:00:00+02:00",
        "2026-10-26T00:00:00+01:00",
    )


def test_last_friday_said_on_a_friday_is_a_week_ago():
    assert absolute("last Friday", said_at=datetime(2026, 9, 4, 3, tzinfo=UTC)) == "last Friday (2026-08-28)"


def test_a_leap_day_one_year_on_is_the_last_of_february():
    leap = datetime(2028, 2, 29, 12, tzinfo=UTC)
    assert absolute("in 1 year", said_at=leap, zone=ZoneInfo("UTC")) == "in 1 year (2029-02-28)"


def test_until_ends_and_since_begins():
    begins, ends = validity(find_dates("since last month until Friday", said_at=WEDNESDAY, zone=TOKYO))
    assert begins == datetime(2026, 8, 1, tzinfo=TOKYO)
    assert ends == datetime(2026, 9, 5, tzinfo=TOKYO)


#: Some with a local mean time before 1900, one a day away from the other.
NAMED_ZONES = [ZoneInfo(name) for name in ("Pacific/Kiritimati", "Pacific/Niue", "Asia/Manila", "Europe/Paris", "UTC")]
ZONES = st.one_of(
    st.sampled_from(NAMED_ZONES),
    st.integers(-14 * 60, 14 * 60).map(lambda minutes: timezone(timedelta(minutes=minutes))),
)
DAYS = st.one_of(st.dates(max_value=date(1, 3, 1)), st.dates(min_value=date(9999, 11, 1)), st.dates())
FIRST, LAST = datetime.combine(date.min, time.min, UTC), datetime.combine(date.max, time.max, UTC)
TALK = [
    "I moved to Oslo yesterday",
    "My lease ends next year",
    "My appointment is on 31 December at 23:59",
    "I was in Oslo two days ago and I leave in 999 years",
    "I work from home until the end of the month",
    "My contract runs from 0001-01-01 to 9999-12-31",
    "I prefer tea since last quarter",
    "My visit is tomorrow",
]


@given(
    said_at=st.builds(datetime.combine, DAYS, st.times()),
    spoken_in=ZONES,
    zone=ZONES,
    text=st.sampled_from(TALK),
    keyed=st.booleans(),
)
@example(said_at=FIRST, spoken_in=UTC, zone=NAMED_ZONES[1], text=TALK[0], keyed=False)
@example(said_at=LAST, spoken_in=UTC, zone=NAMED_ZONES[0], text=TALK[7], keyed=True)
def test_reading_a_text_never_fails_at_the_ends_of_the_calendar(said_at, spoken_in, zone, text, keyed):
    found = extract(
        text,
        said_at=said_at.replace(tzinfo=spoken_in),
        zone=zone,
        channel=Channel.USER_MESSAGE,
        keyed=("visit", "tomorrow") if keyed else None,
    )
    for claim in found.claims:
        for moment in (claim.valid_from, claim.valid_to):
            assert moment is None or moment.astimezone(UTC)


def test_where_the_calendar_ends_the_words_stay_alone():
    late = datetime(9999, 12, 31, 23, tzinfo=UTC)
    assert absolute("it comes next week", said_at=late) == "it comes next week"
    assert absolute("it came yesterday", said_at=FIRST) == "it came yesterday"


@pytest.mark.parametrize(
    "moment",
    [FIRST, conf.EARLIEST - timedelta(seconds=1), conf.LATEST + timedelta(seconds=1), LAST],
)
def test_a_time_no_message_can_have_is_refused_by_the_name_of_its_field(moment):
    with pytest.raises(Invalid) as caught:
        check_credible(moment, "heard_at")
    assert list(caught.value.errors) == ["heard_at"]


@pytest.mark.parametrize("moment", [None, conf.EARLIEST, datetime(2026, 2, 3, tzinfo=UTC), conf.LATEST])
def test_any_other_time_passes(moment):
    check_credible(moment, "heard_at")


def test_a_recorded_time_out_of_this_age_is_read_as_the_end_it_lies_beyond():
    assert [credible(moment) for moment in (FIRST, WEDNESDAY, LAST)] == [conf.EARLIEST, WEDNESDAY, conf.LATEST]
