"""Which words of a longer text are the ones a claim was read from? Cut into parts, for a page to mark them (R4)."""

import re
from dataclasses import dataclass

AROUND = 400  # characters of a long message that are shown on each side of the words


@dataclass(frozen=True)
class Piece:
    """A run of a text, and whether it is what was read."""

    text: str
    marked: bool = False


def pieces(text: str, words: str) -> list[Piece]:
    """`text` with `words` marked where they first stand, whatever the case and the white space between them.

    What is far away from them is left out with an ellipsis. Words that stand nowhere mark nothing.
    """
    wanted = words.split()
    if not wanted:
        return [Piece(text)] if text else []
    found = re.search(r"\s+".join(map(re.escape, wanted)), text, re.IGNORECASE)
    if found is None:
        return [Piece(text)] if text else []
    start, end = found.span()
    before = text[:start] if start <= AROUND else "…" + text[start - AROUND : start]
    after = text[end:] if len(text) - end <= AROUND else text[end : end + AROUND] + "…"
    parts = [Piece(before), Piece(text[start:end], marked=True), Piece(after)]
    return [part for part in parts if part.text]
