"""How does a row of figures become a picture? Geometry of the charts, which templates/components draw as SVG.

Pure: numbers in, coordinates out. A drawing is a box of `width` × `height` units that the page stretches to the room
there is, so it holds shapes and no words; names, dates and limits stand in the page beside it.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

GAP: Final = 0.2  # of a bar's room, between it and the next
SHADES: Final = 4  # of a heat strip, above "none"
ROUND: Final = (1, 2, 2.5, 5, 10)


@dataclass(frozen=True)
class Series:
    """One kind of figure over all columns; `tone` is a class of the stylesheet (fill-good …)."""

    label: str
    tone: str
    values: Sequence[float]


@dataclass(frozen=True)
class Box:
    """A rectangle."""

    x: float
    y: float
    width: float
    height: float
    tone: str


@dataclass(frozen=True)
class Column:
    """What stands above one label: its boxes, the room it has to be pointed at, and what a pointer is told."""

    title: str
    boxes: tuple[Box, ...]
    x: float
    width: float


@dataclass(frozen=True)
class Bars:
    """Stacked bars, and the value at the upper edge."""

    columns: tuple[Column, ...]
    top: float
    width: float
    height: float


@dataclass(frozen=True)
class Line:
    """One or more strokes, as SVG's `points`: a gap in the values is a gap in the line."""

    strokes: tuple[str, ...]
    dots: tuple[tuple[float, float], ...]
    top: float
    width: float
    height: float


@dataclass(frozen=True)
class Cell:
    """One field of a heat strip; `shade` from 0 (none) to SHADES (the most)."""

    x: float
    width: float
    shade: int
    title: str


def stacked(labels: Sequence[str], series: Sequence[Series], *, width: float = 600, height: float = 100) -> Bars:
    """One column for each label, the first series at the bottom. A column's boxes touch, whatever was rounded."""
    totals = [sum(one.values[place] for one in series) for place in range(len(labels))]
    top = round_up(max(totals, default=0))
    step = width / len(labels) if labels else width
    columns = []
    for place, label in enumerate(labels):
        under, boxes = 0.0, []
        for one in series:
            value = one.values[place]
            if value > 0:
                y = height * (1 - (under + value) / top)
                boxes.append(
                    Box(
                        x=_short(place * step + step * GAP / 2), y=_short(y), width=_short(step * (1 - GAP)),
                        height=_short(height * (1 - under / top) - y), tone=one.tone,
                    )
                )  # fmt: skip
            under += value
        told = ", ".join(f"{one.values[place]:g} {one.label}" for one in series if one.values[place])
        columns.append(Column(f"{label}: {told or 'nothing'}", tuple(boxes), _short(place * step), _short(step)))
    return Bars(tuple(columns), top, width, height)


def line(values: Sequence[float | None], *, top: float | None = None, width: float = 600, height: float = 100) -> Line:
    """A value in the middle of each column's room. A value alone between gaps is a dot, or nobody would see it."""
    known = [value for value in values if value is not None]
    upper = top or round_up(max(known, default=0))
    step = width / len(values) if values else width
    strokes: list[str] = []
    dots: list[tuple[float, float]] = []
    stroke: list[tuple[float, float]] = []
    for place, value in enumerate([*values, None]):
        if value is not None:
            stroke.append((_short((place + 0.5) * step), _short(height * (1 - value / upper))))
            continue
        if len(stroke) == 1:
            dots += stroke
        elif stroke:
            strokes.append(" ".join(f"{x:g},{y:g}" for x, y in stroke))
        stroke = []
    return Line(tuple(strokes), tuple(dots), upper, width, height)


def strip(labels: Sequence[str], values: Sequence[float], *, unit: str, width: float = 600) -> tuple[Cell, ...]:
    """One field for each label, darker for more; any value above zero is told from none."""
    most = max(values, default=0)
    step = width / len(labels) if labels else width
    return tuple(
        Cell(
            x=_short(place * step), width=_short(step * 0.94), title=f"{label}: {value:g} {unit}",
            shade=-(-int(value * SHADES * 1000 / most) // 1000) if value > 0 else 0,
        )
        for place, (label, value) in enumerate(zip(labels, values, strict=True))
    )  # fmt: skip


def round_up(value: float) -> float:
    """The next number that is easy to read at an axis, at least 1: 0 → 1, 7 → 10, 23 → 25, 260 → 500."""
    if value <= 1:
        return 1
    power = 10.0 ** (len(str(int(value))) - 1)
    return next(step * power for step in ROUND if step * power >= value)


def _short(number: float) -> float:
    """As exact as a screen needs: two decimals."""
    return round(number, 2) + 0.0  # no minus zero
