"""How is a memory's descent drawn? Boxes and lines for a small picture: what it came from, it, what came from it (R4).

Two drawings of the same: across, for a page with room, and down, for a telephone, since a picture that is scaled down
can't be read. The numbers are units of the picture, which is shown at its own size at most.
"""

import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Final, Literal

Part = Literal["source", "self", "derived", "more"]

DRAWN: Final = 5  # on each side; the list behind the picture has the rest
WIDE: Final = 520  # the whole picture where there is room
GAP: Final = 14  # between boxes
AISLE: Final = 44  # between columns, where the lines run
LINE: Final = 17  # height of a line of text
PADDING: Final = 10
CHARACTER: Final = 7.0  # width of a usual one at the size the picture is written in
LINES: Final = 3  # of a statement; what is longer is cut


@dataclass(frozen=True)
class Kin:
    """One thing in the picture: its words, a word about it, and where it leads."""

    label: str
    note: str
    url: str = ""


@dataclass(frozen=True)
class Box:
    """Where one thing is drawn; `lines` are its words as they fit, `rows` those with the height each is written at."""

    part: Part
    x: int
    y: int
    width: int
    height: int
    lines: tuple[str, ...]
    note: str
    url: str = ""

    @property
    def rows(self) -> list[tuple[int, str]]:
        """Each line of words with the height of its foot."""
        return [(self.y + PADDING + 12 + LINE * number, line) for number, line in enumerate(self.lines)]

    @property
    def foot(self) -> int:
        """Where the note is written."""
        return self.y + self.height - PADDING

    @property
    def inner(self) -> int:
        """Where words begin."""
        return self.x + PADDING


@dataclass(frozen=True)
class Picture:
    """What to draw, in units: boxes in reading order, and lines as SVG paths."""

    width: int
    height: int
    boxes: tuple[Box, ...]
    paths: tuple[str, ...]


def across(sources: Sequence[Kin], self: Kin, derived: Sequence[Kin]) -> Picture:
    """Three columns, or two where one side is empty: sources, the memory, what came from it."""
    sides: list[list[tuple[Part, Kin]]] = [_side(sources, "source"), [("self", self)], _side(derived, "derived")]
    columns = [side for side in sides if side]
    width = (WIDE - AISLE * (len(columns) - 1)) // len(columns)
    heights = [_stack(side, width) for side in columns]
    tall = max(heights)
    boxes: list[list[Box]] = []
    for number, (side, height) in enumerate(zip(columns, heights, strict=True)):
        x, y = number * (width + AISLE), (tall - height) // 2
        boxes.append(_placed(side, x=x, y=y, width=width))
    paths = [_sideways(left, right) for one, two in pairwise(boxes) for left in one for right in two]
    return Picture(
        len(columns) * width + AISLE * (len(columns) - 1),
        tall,
        tuple(box for column in boxes for box in column),
        tuple(paths),
    )


def down(sources: Sequence[Kin], self: Kin, derived: Sequence[Kin]) -> Picture:
    """One column with a rail at its side that joins the boxes, for a narrow page."""
    rail, width = 18, 252
    everything = [*_side(sources, "source"), ("self", self), *_side(derived, "derived")]
    boxes = _placed(everything, x=rail, y=0, width=width)
    middle = [box.y + box.height // 2 for box in boxes]
    paths = [f"M {rail // 2} {middle[0]} V {middle[-1]}"] if len(boxes) > 1 else []
    paths += [f"M {rail // 2} {y} H {rail}" for y in middle] if len(boxes) > 1 else []
    return Picture(rail + width, boxes[-1].y + boxes[-1].height, tuple(boxes), tuple(paths))


def fitted(text: str, *, room: int, lines: int = LINES) -> tuple[str, ...]:
    """The words of a text in at most `lines` lines of `room` units; what does not fit ends in an ellipsis."""
    words, row = text.split(), ""
    rows: list[str] = []
    while words and len(rows) < lines:
        word = words.pop(0)
        grown = f"{row} {word}" if row else word
        if _width(grown) <= room:
            row = grown
        elif row:
            rows.append(row)
            row = ""
            words.insert(0, word)
        else:  # one word, wider than the box
            cut = _cut(word, room)
            rows.append(cut)
            words.insert(0, word[len(cut) :])
    if row and len(rows) < lines:
        rows.append(row)
        row = ""
    if (words or row) and rows:
        rows[-1] = _cut(rows[-1], room - int(CHARACTER * 2)).rstrip() + "…"
    return tuple(rows)


def _side(kin: Sequence[Kin], part: Part) -> list[tuple[Part, Kin]]:
    side: list[tuple[Part, Kin]] = [(part, one) for one in kin[:DRAWN]]
    if len(kin) > DRAWN:
        side.append(("more", Kin(f"and {len(kin) - DRAWN} more", "in the list below")))
    return side


def _placed(side: Sequence[tuple[Part, Kin]], *, x: int, y: int, width: int) -> list[Box]:
    boxes = []
    for part, kin in side:
        lines, height = _words(kin, width), _height(kin, width)
        boxes.append(Box(part, x, y, width, height, lines, _first(kin.note, width), kin.url))
        y += height + GAP
    return boxes


def _stack(side: Sequence[tuple[Part, Kin]], width: int) -> int:
    return sum(_height(kin, width) + GAP for _, kin in side) - GAP


def _words(kin: Kin, width: int) -> tuple[str, ...]:
    return fitted(kin.label, room=width - 2 * PADDING) or ("(nothing to see)",)


def _height(kin: Kin, width: int) -> int:
    return 2 * PADDING + LINE * (len(_words(kin, width)) + 1)


def _first(note: str, width: int) -> str:
    rows = fitted(note, room=width - 2 * PADDING, lines=1)
    return rows[0] if rows else ""


def _sideways(left: Box, right: Box) -> str:
    """A curve from the right edge of one box to the left edge of another."""
    x1, y1 = left.x + left.width, left.y + left.height // 2
    x2, y2 = right.x, right.y + right.height // 2
    bend = (x1 + x2) // 2
    return f"M {x1} {y1} C {bend} {y1} {bend} {y2} {x2} {y2}"


def _cut(text: str, room: float) -> str:
    """As much of the beginning as fits, one character at least."""
    taken, used = 0, 0.0
    for character in text:
        used += _wide(character)
        if used > room and taken:
            break
        taken += 1
    return text[:taken]


def _width(text: str) -> float:
    return sum(map(_wide, text))


def _wide(character: str) -> float:
    return CHARACTER * (1.9 if unicodedata.east_asian_width(character) in "WF" else 1)
