"""What changed from the old words to the new? A word by word difference, for people to read."""

import re
from dataclasses import dataclass
from difflib import SequenceMatcher
from typing import Final, Literal

LONGEST: Final = 4000  # words; beyond it the comparison costs more than it shows
ALIKE: Final = 0.4  # share of words in common from which a comparison word by word helps
Kind = Literal["same", "gone", "new"]


@dataclass(frozen=True)
class Part:
    """A run of words that stayed, went or came."""

    kind: Kind
    text: str


def by_words(old: str, new: str) -> list[Part]:
    """The parts of both texts in reading order.

    Very long texts, and texts with little in common, are shown as one that went and one that came: a mosaic of single
    words says less.
    """
    before, after = re.findall(r"\s+|\S+", old), re.findall(r"\s+|\S+", new)
    if old != new and (max(len(before), len(after)) > LONGEST or _likeness(old.split(), new.split()) < ALIKE):
        return [Part(kind, text) for kind, text in _both(old, new) if text]
    parts: list[Part] = []
    for op, i1, i2, j1, j2 in SequenceMatcher(a=before, b=after, autojunk=False).get_opcodes():
        if op == "equal":
            parts.append(Part("same", "".join(before[i1:i2])))
            continue
        if i2 > i1:
            parts.append(Part("gone", "".join(before[i1:i2])))
        if j2 > j1:
            parts.append(Part("new", "".join(after[j1:j2])))
    return parts


def _both(old: str, new: str) -> tuple[tuple[Kind, str], tuple[Kind, str]]:
    return ("gone", old), ("new", new)


def _likeness(before: list[str], after: list[str]) -> float:
    return SequenceMatcher(a=before, b=after, autojunk=False).ratio()
