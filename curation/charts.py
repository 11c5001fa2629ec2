"""What does the dashboard draw? Figures as series with names, colours and dates, ready for templates/components."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from typing import Any, TypeVar

from django.utils.dateformat import format as in_words

from curation.drawing import Bars, Cell, Line, Series, line, stacked, strip
from memoryhub.governance import figures
from memoryhub.governance.figures import Decided, Forgotten, Gate, Recalls
from memoryhub.vocabulary import ReviewState

_T = TypeVar("_T")


@dataclass(frozen=True)
class Chart:
    """A drawing with what stands around it: its name, legend (label, tone, sum), ends of the axis, and its table."""

    name: str
    first: str
    last: str
    head: tuple[str, ...]
    rows: tuple[tuple[Any, ...], ...]
    bars: Bars | None = None
    lines: tuple[tuple[str, Line], ...] = ()
    cells: tuple[Cell, ...] = ()
    legend: tuple[tuple[str, str, float | None], ...] = ()
    unit: str = ""


def gate(found: Gate) -> Chart:
    """Claims by what became of them."""
    return _bars(
        "What became of claims", found.by_day,
        [
            ("kept", "fill-good", lambda day: day[figures.KEPT]),
            ("put before a person", "fill-warn", lambda day: day[figures.ASKED]),
            ("refused", "fill-bad", lambda day: day[figures.REFUSED]),
            ("not worth keeping", "fill-soft", lambda day: day[figures.PASSED]),
        ],
    )  # fmt: skip


def decided(found: Decided) -> Chart:
    """What people said."""
    return _bars(
        "What people decided", found.by_day,
        [
            ("approved", "fill-good", lambda day: day[ReviewState.APPROVED]),
            ("declined", "fill-bad", lambda day: day[ReviewState.REJECTED]),
            ("merged", "fill-accent", lambda day: day["merged"]),
        ],
    )  # fmt: skip


def forgotten(found: Forgotten) -> Chart:
    """Entries erased, by day."""
    names = [short(day) for day in found.by_day]
    gone = [entries for _, entries in found.by_day.values()]
    rows = tuple((name, *both) for name, both in zip(names, found.by_day.values(), strict=True))
    return Chart(
        "Memories forgotten by day", names[0], names[-1], ("Day", "Requests", "Memories"), rows,
        cells=strip(names, gone, unit="memories"),
    )  # fmt: skip


def latency(found: Recalls) -> Chart:
    """How long an answer took, in the middle and for the slowest twentieth."""
    names = [short(day) for day in found.by_day]
    slow = line([reads.p95 for reads in found.by_day.values()])
    rows = tuple(
        (name, reads.count, reads.empty, rounded(reads.p50), rounded(reads.p95))
        for name, reads in zip(names, found.by_day.values(), strict=True)
    )
    head = ("Day", "Answers", "Empty", "Median (ms)", "95 % within (ms)")
    return Chart(
        "How long recall took", names[0], names[-1], head, rows,
        lines=(("chart-line-2", slow), ("", line([reads.p50 for reads in found.by_day.values()], top=slow.top))),
        legend=(("median", "fill-accent", None), ("95 % of answers within", "fill-warn", None)), unit="ms",
    )  # fmt: skip


def hours(found: Recalls) -> Chart:
    """When agents ask."""
    names = [f"{hour:02}:00" for hour in range(24)]
    return Chart(
        "Answers by hour of the day", names[0], "24:00", ("Hour", "Answers"),
        tuple(zip(names, found.by_hour, strict=True)), cells=strip(names, found.by_hour, unit="answers"),
    )  # fmt: skip


def short(day: date) -> str:
    """ "30 Nov" """
    return in_words(day, "j M")


def rounded(figure: float | None) -> str:
    """A time as somebody reads it; a dash where none is known."""
    if figure is None:
        return "–"
    return f"{figure:.0f}" if figure >= 10 else f"{figure:.1f}"


def _bars(name: str, by_day: Mapping[date, _T], kinds: Sequence[tuple[str, str, Callable[[_T], float]]]) -> Chart:
    days = list(by_day)
    names = [short(day) for day in days]
    series = [Series(label, tone, [read(by_day[day]) for day in days]) for label, tone, read in kinds]
    drawn = stacked(names, series)
    rows = tuple((label, *(one.values[place] for one in series)) for place, label in enumerate(names))
    return Chart(
        name, names[0], names[-1], ("Day", *(one.label.capitalize() for one in series)), rows, bars=drawn,
        legend=tuple((one.label, one.tone, sum(one.values)) for one in series),
    )  # fmt: skip
