"""What day do "tomorrow" and "until Friday" mean? Relative dates made absolute against the message's own time and zone
(R13).

The words stay; the date is put after them in brackets. An expression that names no certain day is left alone.
"""

import re
from collections.abc import Callable
from dataclasses import dataclass
from datetime import UTC, date, datetime, time, timedelta, tzinfo

from memoryhub import conf
from memoryhub.errors import Invalid

_WEEKDAYS = {
    name: index
    for index, name in enumerate(("monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday"))
}
_MONTHS = {
    name: index
    for index, name in enumerate(
        ["jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"], start=1
    )
}
_NUMBERS = {
    word: value
    for value, word in enumerate(
        ["one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve"], start=1
    )
} | {"a": 1, "an": 1, "a couple of": 2}

_DAY = "|".join(_WEEKDAYS)
_MONTH = (
    r"jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|sept?(?:ember)?|oct(?:ober)?|"
    r"nov(?:ember)?|dec(?:ember)?"
)
_CLOCK = (
    r"(?:[ ,]+(?:at|from|around|by)?[ ]?(?P<hour>\d{1,2})(?:[:.](?P<minute>\d{2}))?[ ]?(?P<half>am|pm|a\.m\.|p\.m\.|"
    r"o'clock|h\b)?(?![\d:.-]\d|[ ]?(?:days?|weeks?|people|items?|%|st|nd|rd|th)\b))?"
)
_EXPRESSION = re.compile(
    rf"""(?ix)\b(?P<phrase>
      (?P<lead>until|till|through|by|before|since|from|starting|as[ ]of|effective|for|on|in|due|during|after)?
      [ ]?(?:the[ ])?
      (?: (?P<near>day[ ]after[ ]tomorrow|day[ ]before[ ]yesterday|today|tonight|tomorrow|yesterday
              |this[ ](?:morning|afternoon|evening)|last[ ]night|right[ ]now)
          (?:[ ](?P<part>morning|afternoon|evening|night|noon))?
        | (?P<which>next|last|this|this[ ]coming|coming|past)[ ]
          (?:(?P<weekday>{_DAY})|(?P<unit>week|month|year|weekend|quarter)|(?P<named>{_MONTH}))
        | in[ ](?P<ahead>\d{{1,3}}|{"|".join(_NUMBERS)})[ ](?P<ahead_unit>days?|weeks?|months?|years?)(?:['’][ ]time)?
        | (?P<ago>\d{{1,3}}|{"|".join(_NUMBERS)})[ ](?P<ago_unit>days?|weeks?|months?|years?)[ ]ago
        | (?P<span>\d{{1,3}}|{"|".join(_NUMBERS)})[ ](?P<span_unit>days?|weeks?|months?)(?=[ .,!]|$)
        | (?P<bare>{_DAY})(?!s)
        | (?P<iso>\d{{4}}-\d\d-\d\d)
        | (?P<day>\d{{1,2}})(?:st|nd|rd|th)?(?:[ ]of)?[ ](?P<month>{_MONTH})\b\.?(?:,?[ ](?P<year>\d{{4}})\b)?
        | (?P<month2>{_MONTH})\.?[ ](?P<day2>\d{{1,2}})(?:st|nd|rd|th)?\b(?:,?[ ](?P<year2>\d{{4}})\b)?
        | (?P<end_of>end[ ]of[ ])(?:the[ ]|this[ ]|next[ ])?(?P<end_unit>week|month|year)
      ){_CLOCK})"""
)
_MARGIN = timedelta(days=2)  # from either end of the calendar, to move a zone or a day away
_PARTS = {"morning": 9, "noon": 12, "afternoon": 15, "evening": 19, "night": 21}


@dataclass(frozen=True)
class When:
    """One expression of time in a text: its span, what led up to it, and the instants it begins and ends."""

    start: int
    end: int
    lead: str
    begins: datetime
    ends: datetime
    exact: bool
    relative: bool

    @property
    def iso(self) -> str:
        """A day as YYYY-MM-DD, an instant as RFC 3339 with its zone's offset, a longer span as begin/end days."""
        if self.exact:
            return self.begins.isoformat()
        last = (self.ends - timedelta(seconds=1)).date()
        return (
            self.begins.date().isoformat()
            if last == self.begins.date()
            else f"{self.begins.date().isoformat()}/{last.isoformat()}"
        )


def check_credible(moment: datetime | None, field: str) -> None:
    """Raises Invalid, naming the field, for an aware time out of this age; None is no time and passes."""
    if faults := faults_of(moment):
        raise Invalid(errors={field: faults})


def faults_of(moment: datetime | None) -> list[str]:
    """The sentence for an aware time out of this age, in a list as `Invalid` names faults; empty for any other."""
    if moment is None or conf.EARLIEST <= moment <= conf.LATEST:
        return []
    return [f"It has to lie between {conf.EARLIEST.year} and {conf.LATEST.year}."]


def credible(moment: datetime) -> datetime:
    """The time, or the end of this age it lies beyond: what was recorded before this was checked is still read."""
    return max(conf.EARLIEST, min(conf.LATEST, moment))


def find_dates(text: str, *, said_at: datetime, zone: tzinfo) -> tuple[When, ...]:
    """Every expression of time that names a certain day, in order, in the zone of the message; none where the calendar
    ends: what has no instant is no certain day.
    """
    try:
        now = said_at.astimezone(zone)
    except (ValueError, OverflowError):
        return ()
    found = []
    for match in _EXPRESSION.finditer(text):
        days = _days(match, now)
        if days is None:
            continue
        begins, ends = days
        clock = _clock(match)
        lead = (match.group("lead") or "").lower()
        start, end = datetime.combine(begins, clock or time(), zone), datetime.combine(ends, time(), zone)
        if not (_is_instant(start) and _is_instant(end)):
            continue
        relative = match.group("iso") is None and not (match.group("year") or match.group("year2"))
        found.append(
            When(
                match.start(),
                match.start() + len(match.group().rstrip()),
                lead,
                start,
                end,
                clock is not None,
                relative,
            )
        )
    return tuple(found)


def _is_instant(moment: datetime) -> bool:
    """Whether it can be told in UTC, with a day to spare on either side for whoever reckons with it."""
    try:
        return date.min + _MARGIN < moment.astimezone(UTC).date() < date.max - _MARGIN
    except (ValueError, OverflowError):
        return False


def with_absolute_dates(text: str, dates: tuple[When, ...]) -> str:
    """The text with the date put in brackets behind each relative expression."""
    for when in reversed([when for when in dates if when.relative]):
        text = f"{text[: when.end]} ({when.iso}){text[when.end :]}"
    return text


def validity(dates: tuple[When, ...]) -> tuple[datetime | None, datetime | None]:
    """From when and until when a statement with these dates holds, as far as they say so."""
    begins = ends = None
    for when in dates:
        if when.lead in ("until", "till", "through", "for", "during"):
            ends = when.ends
        elif when.lead in ("since", "from", "starting", "as of", "effective"):
            begins = when.begins
        elif when.lead in ("by", "before", "due"):
            ends = when.ends
    return begins, ends


def _days(match: re.Match[str], now: datetime) -> tuple[date, date] | None:
    """First day and the day after the last one."""
    today = now.date()
    try:
        if near := match.group("near"):
            return _one_day(today + timedelta(days=_offset(near.lower())))
        if which := match.group("which"):
            return _which(match, which.lower(), today)
        if match.group("ahead"):
            return _one_day(_shift(today, _number(match.group("ahead")), match.group("ahead_unit")))
        if match.group("ago"):
            return _one_day(_shift(today, -_number(match.group("ago")), match.group("ago_unit")))
        if match.group("span"):
            lead = (match.group("lead") or "").lower()
            if lead == "in":
                return _one_day(_shift(today, _number(match.group("span")), match.group("span_unit")))
            if lead != "for":
                return None
            return today, _shift(today, _number(match.group("span")), match.group("span_unit")) + timedelta(days=1)
        if bare := match.group("bare"):
            if (match.group("lead") or "").lower() not in (
                "until",
                "till",
                "through",
                "by",
                "before",
                "since",
                "from",
                "on",
                "this",
            ):
                return None
            return _one_day(
                _next_weekday(today, _WEEKDAYS[bare.lower()], past=(match.group("lead") or "").lower() == "since")
            )
        if match.group("iso"):
            return _one_day(date.fromisoformat(match.group("iso")))
        if match.group("end_of"):
            return _end_of(match, today)
        return _calendar_day(match, today)
    except (ValueError, OverflowError):
        return None


def _offset(near: str) -> int:
    return {"day after tomorrow": 2, "tomorrow": 1, "yesterday": -1, "last night": -1, "day before yesterday": -2}.get(
        near, 0
    )


def _which(match: re.Match[str], which: str, today: date) -> tuple[date, date] | None:
    step = {"next": 1, "last": -1, "past": -1}.get(which, 0)
    if weekday := match.group("weekday"):
        wanted = _next_weekday(today, _WEEKDAYS[weekday.lower()], past=step < 0)
        same_week = step > 0 and wanted.isocalendar()[1] == today.isocalendar()[1]
        return _one_day(wanted + timedelta(days=7 if same_week else 0))
    if named := match.group("named"):
        month = _MONTHS[named[:3].lower()]
        year = today.year + (
            step if step < 0 and month >= today.month else 1 if step >= 0 and month < today.month else 0
        )
        return _month(year, month)
    unit = match.group("unit").lower()
    monday = today - timedelta(days=today.weekday()) + timedelta(weeks=step)
    periods: dict[str, Callable[[], tuple[date, date]]] = {
        "week": lambda: (monday, monday + timedelta(days=7)),
        "weekend": lambda: (monday + timedelta(days=5), monday + timedelta(days=7)),
        "month": lambda: _month(*divmod_month(today.year, today.month + step)),
        "quarter": lambda: _quarter(today, step),
        "year": lambda: (date(today.year + step, 1, 1), date(today.year + step + 1, 1, 1)),
    }
    return periods[unit]()


def _quarter(today: date, step: int) -> tuple[date, date]:
    first = (today.month - 1) // 3 * 3 + 1 + 3 * step
    return _month(*divmod_month(today.year, first))[0], _month(*divmod_month(today.year, first + 2))[1]


def divmod_month(year: int, month: int) -> tuple[int, int]:
    """A month that may lie outside 1..12, as a year and a month."""
    return year + (month - 1) // 12, (month - 1) % 12 + 1


def _month(year: int, month: int) -> tuple[date, date]:
    return date(year, month, 1), date(*divmod_month(year, month + 1), 1)


def _end_of(match: re.Match[str], today: date) -> tuple[date, date]:
    unit = match.group("end_unit").lower()
    step = 1 if "next" in match.group().lower() else 0
    if unit == "week":
        return _one_day(today - timedelta(days=today.weekday()) + timedelta(days=6 + 7 * step))
    after = (
        _month(*divmod_month(today.year, today.month + step))[1]
        if unit == "month"
        else date(today.year + 1 + step, 1, 1)
    )
    return after - timedelta(days=1), after


def _calendar_day(match: re.Match[str], today: date) -> tuple[date, date]:
    day = int(match.group("day") or match.group("day2"))
    month = _MONTHS[(match.group("month") or match.group("month2"))[:3].lower()]
    given = match.group("year") or match.group("year2")
    if given:
        return _one_day(date(int(given), month, day))
    year = today.year
    past = (match.group("lead") or "").lower() in ("since", "from")
    if date(year, month, day) > today and past:
        year -= 1
    elif date(year, month, day) < today - timedelta(days=60) and not past:
        year += 1
    return _one_day(date(year, month, day))


def _next_weekday(today: date, weekday: int, *, past: bool) -> date:
    ahead = (weekday - today.weekday()) % 7 or 7
    return today + timedelta(days=ahead - 7 if past and ahead < 7 else -7 if past else ahead)


def _shift(day: date, count: int, unit: str) -> date:
    if unit.startswith("day"):
        return day + timedelta(days=count)
    if unit.startswith("week"):
        return day + timedelta(weeks=count)
    year, month = (
        divmod_month(day.year, day.month + count) if unit.startswith("month") else (day.year + count, day.month)
    )
    last = (_month(year, month)[1] - timedelta(days=1)).day
    return date(year, month, min(day.day, last))


def _number(word: str) -> int:
    return _NUMBERS.get(word.lower()) or int(word)


def _one_day(day: date) -> tuple[date, date]:
    return day, day + timedelta(days=1)


def _clock(match: re.Match[str]) -> time | None:
    if match.group("hour") is None:
        return None
    hour, minute = int(match.group("hour")), int(match.group("minute") or 0)
    half = (match.group("half") or "").replace(".", "").lower()
    if not half and match.group("minute") is None and " at" not in match.group().lower():
        return None
    if half == "pm" and hour < 12:
        hour += 12
    if half == "am" and hour == 12:
        hour = 0
    return time(hour, minute) if hour < 24 and minute < 60 else None
