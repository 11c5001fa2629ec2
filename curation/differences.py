"""What changed from the old words to the new? A word by word difference, for people to read."""

import re
from dataclasses import dataclass
from difflib import SequenceMatcher
from typing import Final, Literal

LONGEST: Final = 4000  # words; beyond it the comparison costs more than it shows


@dataclass(frozen=True)
class Part:
    """A run of words that stayed, went or came."""

    kind: Literal["same", "gone", "new"]
    text: str


def by_words(old: str, new: str) -> list[Part]:
    """The parts of both texts in reading order; very long texts are shown as one that went and one that came."""
    before, after = re.findall(r"\s+|\S+", old), re.findall(r"\s+|\S+", new)
    if max(len(before), len(after)) > LONGEST:
        return [Part("gone", old), Part("new", new)]
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
