"""Where does one sentence end and the next begin? Spans of sentences, in order, without losing a character that matters
(R1).
"""

import re
from collections.abc import Iterator

_END = re.compile(r"[.!?…]+[\"'”’)\]]*(?=\s|$)|[。！？]+|\n+|;(?=\s)")
_ABBREVIATION = re.compile(
    r"(?i)(?:^|[\s(])(?:mr|mrs|ms|dr|prof|sr|jr|st|no|nr|vs|etc|e\.g|i\.e|approx|dept|inc|ltd|co|corp|a\.m|p\.m|u\.s|"
    r"u\.k|[a-z])\.$"
)


def sentences(text: str) -> Iterator[str]:
    """The sentences of a text, trimmed, their closing mark included; a line break and a semicolon end one too."""
    start = 0
    for match in _END.finditer(text):
        mark = match.group()
        if (
            mark[0] == "."
            and _ABBREVIATION.search(text[max(start, match.start() - 12) : match.start() + 1])
            and _goes_on(text, match.end())
        ):
            continue
        end = match.start() if mark.startswith(("\n", ";")) else match.end()
        if piece := text[start:end].strip():
            yield piece
        start = match.end()
    if piece := text[start:].strip():
        yield piece


def _goes_on(text: str, position: int) -> bool:
    """Whether the next word continues the sentence: it begins small, or with a name after a title."""
    following = text[position : position + 12].strip()
    before = text[max(0, position - 6) : position].lower()
    return bool(following) and (
        following[0].islower() or following[0].isdigit() or bool(re.search(r"\b(?:mr|mrs|ms|dr|prof|st)\.$", before))
    )
