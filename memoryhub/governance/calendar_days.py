"""Which days make a week, a month, a quarter, and which day lies so many of them away? Plain calendar reckoning."""

from datetime import date, timedelta


def quarter(today: date, step: int) -> tuple[date, date]:
    first = (today.month - 1) // 3 * 3 + 1 + 3 * step
    return month_of(*divmod_month(today.year, first))[0], month_of(*divmod_month(today.year, first + 2))[1]


def divmod_month(year: int, month: int) -> tuple[int, int]:
    """A month that may lie outside 1..12, as a year and a month."""
    return year + (month - 1) // 12, (month - 1) % 12 + 1


def month_of(year: int, month: int) -> tuple[date, date]:
    return date(year, month, 1), date(*divmod_month(year, month + 1), 1)


def next_weekday(today: date, weekday: int, *, past: bool) -> date:
    ahead = (weekday - today.weekday()) % 7 or 7
    return today + timedelta(days=ahead - 7 if past and ahead < 7 else -7 if past else ahead)


def shifted(day: date, count: int, unit: str) -> date:
    if unit.startswith("day"):
        return day + timedelta(days=count)
    if unit.startswith(("week", "fortnight")):
        return day + timedelta(weeks=2 * count if unit.startswith("fortnight") else count)
    year, month = (
        divmod_month(day.year, day.month + count) if unit.startswith("month") else (day.year + count, day.month)
    )
    last = (month_of(year, month)[1] - timedelta(days=1)).day
    return date(year, month, min(day.day, last))


def one_day(day: date) -> tuple[date, date]:
    return day, day + timedelta(days=1)
