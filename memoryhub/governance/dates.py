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
from memoryhub.governance.calendar_days import divmod_month, month_of, next_weekday, one_day, quarter, shifted
from memoryhub.working.patterns import Sieved

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
        [
            "one",
            "two",
            "three",
            "four",
            "five",
            "six",
            "seven",
            "eight",
            "nine",
            "ten",
            "eleven",
            "twelve",
            "thirteen",
            "fourteen",
            "fifteen",
            "sixteen",
            "seventeen",
            "eighteen",
            "nineteen",
            "twenty",
        ],
        start=1,
    )
} | {"a": 1, "an": 1, "a couple of": 2, "couple of": 2, "thirty": 30, "forty": 40, "sixty": 60, "ninety": 90}
_COUNT = r"\d{1,3}|" + "|".join(sorted(_NUMBERS, key=len, reverse=True)).replace(" ", "[ ]")

_DAY = "|".join(_WEEKDAYS)
_MONTH = (
    r"jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|sept?(?:ember)?|oct(?:ober)?|"
    r"nov(?:ember)?|dec(?:ember)?"
)
_CLOCK = (
    r"(?:[ ,]+(?:at|from|around|by)?[ ]?(?P<hour>\d{1,2})(?:[:.](?P<minute>\d{2}))?[ ]?(?P<half>am|pm|a\.m\.|p\.m\.|"
    r"o'clock|h\b)?(?![\d:.-]\d|[ ]?(?:days?|weeks?|people|items?|%|st|nd|rd|th)\b))?"
)
_EXPRESSION = Sieved(
    rf"""(?ix)\b(?P<phrase>
      (?P<lead>until|till|through|by|before|since|from|starting|as[ ]of|effective|for|on|in|due|during|after)?
      [ ]?(?:the[ ])?
      (?: (?P<near>day[ ]after[ ]tomorrow|day[ ]before[ ]yesterday|today|tonight|tomorrow|yesterday
              |this[ ](?:morning|afternoon|evening)|last[ ]night|right[ ]now)
          (?:[ ](?P<part>morning|afternoon|evening|night|noon))?
        | (?P<which>next|last|this|this[ ]coming|coming|past)[ ]
          (?:(?P<weekday>{_DAY})|(?P<unit>week|month|year|weekend|quarter)|(?P<named>{_MONTH}))
        | in[ ](?:about[ ])?(?P<ahead>{_COUNT})[ ](?P<ahead_unit>days?|weeks?|fortnights?|months?|years?)
          (?:['’]s?[ ]time)?
        | (?P<from_now>{_COUNT})[ ](?P<from_now_unit>days?|weeks?|fortnights?|months?|years?)[ ]from[ ](?:now|today)
        | (?P<ago>{_COUNT})[ ](?P<ago_unit>days?|weeks?|fortnights?|months?|years?)[ ]ago
        | (?:next[ ]|coming[ ]|following[ ])?
          (?P<span>{_COUNT})[ ](?P<span_unit>days?|weeks?|fortnights?|months?)(?=[ .,!]|$)
        | (?P<bare_month>{_MONTH})\b(?![ ]\d{{1,2}}(?!\d))(?:[ ](?P<month_year>\d{{4}})\b)?
        | (?P<bare>{_DAY})(?!s)
        | (?P<iso>\d{{4}}-\d\d-\d\d)
        | (?P<day>\d{{1,2}})(?:st|nd|rd|th)?(?:[ ]of)?[ ](?P<month>{_MONTH})\b\.?(?:,?[ ](?P<year>\d{{4}})\b)?
        | (?P<month2>{_MONTH})\.?[ ](?P<day2>\d{{1,2}})(?:st|nd|rd|th)?\b(?:,?[ ](?P<year2>\d{{4}})\b)?
        | (?P<end_of>end[ ]of[ ])(?:the[ ]|this[ ]|next[ ])?(?:(?P<end_unit>week|month|year)|(?P<end_month>{_MONTH}))\b
        | (?P<day_of_month>\d{{1,2}})(?:st|nd|rd|th)(?=[ ,.!?]|$)(?![ ](?:of|floor|street|avenue|time|{_MONTH}))
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
            return one_day(today + timedelta(days=_offset(near.lower())))
        if which := match.group("which"):
            return _which(match, which.lower(), today)
        if match.group("ahead"):
            return one_day(shifted(today, _number(match.group("ahead")), match.group("ahead_unit")))
        if match.group("from_now"):
            return one_day(shifted(today, _number(match.group("from_now")), match.group("from_now_unit")))
        if match.group("ago"):
            return one_day(shifted(today, -_number(match.group("ago")), match.group("ago_unit")))
        if match.group("span"):
            lead = (match.group("lead") or "").lower()
            if lead == "in":
                return one_day(shifted(today, _number(match.group("span")), match.group("span_unit")))
            if lead != "for":
                return None
            return today, shifted(today, _number(match.group("span")), match.group("span_unit")) + timedelta(days=1)
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
                "starting",
                "as of",
                "effective",
            ):
                return None
            return one_day(
                next_weekday(today, _WEEKDAYS[bare.lower()], past=(match.group("lead") or "").lower() == "since")
            )
        if match.group("bare_month"):
            return _named_month(match, today)
        if match.group("day_of_month"):
            return _day_of_month(match, today)
        if match.group("iso"):
            return one_day(date.fromisoformat(match.group("iso")))
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
        wanted = next_weekday(today, _WEEKDAYS[weekday.lower()], past=step < 0)
        same_week = step > 0 and wanted.isocalendar()[1] == today.isocalendar()[1]
        return one_day(wanted + timedelta(days=7 if same_week else 0))
    if named := match.group("named"):
        month = _MONTHS[named[:3].lower()]
        year = today.year + (
            step if step < 0 and month >= today.month else 1 if step >= 0 and month < today.month else 0
        )
        return month_of(year, month)
    unit = match.group("unit").lower()
    monday = today - timedelta(days=today.weekday()) + timedelta(weeks=step)
    periods: dict[str, Callable[[], tuple[date, date]]] = {
        "week": lambda: (monday, monday + timedelta(days=7)),
        "weekend": lambda: (monday + timedelta(days=5), monday + timedelta(days=7)),
        "month": lambda: month_of(*divmod_month(today.year, today.month + step)),
        "quarter": lambda: quarter(today, step),
        "year": lambda: (date(today.year + step, 1, 1), date(today.year + step + 1, 1, 1)),
    }
    return periods[unit]()


#: What is told of the past, and what is announced: which October "in October" is.
_TOLD = re.compile(
    r"(?i)\b(?:was|were|had|did|have|been|left|began|became|got|went|bought|sold|took|met|won|lost|\w{3,}ed|ago)\b"
)
_ANNOUNCED = re.compile(r"(?i)\b(?:will|'ll|shall|going to|(?:am|are|is|'m|'re) \w+ing|due|starts?|expires?|ends?)\b")


def _day_of_month(match: re.Match[str], today: date) -> tuple[date, date] | None:
    """ "On the 14th": the next one; with "since" the last one."""
    lead = (match.group("lead") or "").lower()
    if lead not in ("on", "until", "till", "by", "from", "before", "since", "as of", "starting"):
        return None
    day, step = int(match.group("day_of_month")), -1 if lead == "since" else 1
    year, month = today.year, today.month
    for _ in range(12):
        try:
            found = date(year, month, day)
        except ValueError:
            found = None  # a month without a 31st
        if found is not None and (found <= today if step < 0 else found >= today):
            return one_day(found)
        year, month = divmod_month(year, month + step)
    return None


def _named_month(match: re.Match[str], today: date) -> tuple[date, date] | None:
    """ "In October", "since May": the one that is meant, seen from today; a bare "may" is no month."""
    lead = (match.group("lead") or "").lower()
    if lead not in ("in", "from", "since", "until", "till", "through", "by", "before", "starting", "as of", "during"):
        return None
    month = _MONTHS[match.group("bare_month")[:3].lower()]
    if match.group("month_year"):
        return month_of(int(match.group("month_year")), month)
    told, announced = _TOLD.search(match.string), _ANNOUNCED.search(match.string)
    if lead == "in" and not (told or announced):
        return None  # every year, for all one can tell
    past = lead == "since" or (lead == "in" and not announced)
    return month_of(
        today.year + (-1 if past and month > today.month else 1 if not past and month < today.month else 0), month
    )


def _end_of(match: re.Match[str], today: date) -> tuple[date, date]:
    if named := match.group("end_month"):
        month = _MONTHS[named[:3].lower()]
        after = month_of(today.year + (1 if month < today.month else 0), month)[1]
        return after - timedelta(days=1), after
    unit = match.group("end_unit").lower()
    step = 1 if "next" in match.group().lower() else 0
    if unit == "week":
        return one_day(today - timedelta(days=today.weekday()) + timedelta(days=6 + 7 * step))
    after = (
        month_of(*divmod_month(today.year, today.month + step))[1]
        if unit == "month"
        else date(today.year + 1 + step, 1, 1)
    )
    return after - timedelta(days=1), after


def _calendar_day(match: re.Match[str], today: date) -> tuple[date, date]:
    day = int(match.group("day") or match.group("day2"))
    month = _MONTHS[(match.group("month") or match.group("month2"))[:3].lower()]
    given = match.group("year") or match.group("year2")
    if given:
        return one_day(date(int(given), month, day))
    year = today.year
    past = (match.group("lead") or "").lower() == "since"
    if date(year, month, day) > today and past:
        year -= 1
    elif date(year, month, day) < today - timedelta(days=60) and not past:
        year += 1
    return one_day(date(year, month, day))


def _number(word: str) -> int:
    return _NUMBERS.get(word.lower()) or int(word)


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
