"""Where does one sentence end and the next begin? Spans of sentences, in order, without losing a character that
    matters
(R1).
"""

import re
from collections.abc import Iterator

from memoryhub.governance.chat import EMOJI

_EMOJI = EMOJI.pattern[1:-2]  # what stands in its set
#: The first sign is looked for alone, which is quick; runs are taken whole and from their start: linear.
_END = re.compile(
    rf"[.!?…。！？\n;{_EMOJI}](?:"
    r"(?<=[.!?…])(?<![.!?…]{2})[.!?…]*+[\"'”’)\]]*+(?=\s|$)|(?<=[。！？])[。！？]*|(?<=\n)\n*|(?<=;)(?=\s)|"
    rf"(?<=[{_EMOJI}])(?<![{_EMOJI}]{{2}})[{_EMOJI}]*+(?=\s|$))"
)
_BULLET = re.compile(r"^(?:[-*+•·▪‣–—]|\(?\d{1,2}[.)]|\(?[a-z]\)|\[[ xX]?\])[ \t]+(?=\S)")
_INITIAL = re.compile(r"(?:^|[\s(.])(?![AI]\.)[A-Z]\.$")
_BEGINS = re.compile(
    r"(?:I|I'm|I’m|My|We|Our|The|It|It's|This|That|There|They|He|She|You|Please|And|But|So|If|When|What|How|Can|Do|Is|"
    r"Are|Thanks|"
    r"No|Yes|Also|Not|Don't|Never|Always|In|On|At)\b"
)
_ABBREVIATION = re.compile(
    r"(?i)(?:^|[\s(.])(?:mr|mrs|ms|dr|prof|sr|jr|st|no|nr|vs|etc|e\.g|i\.e|approx|dept|inc|ltd|co|corp|a\.m|p\.m|u\.s|"
    r"u\.k|fig|vol|ext|tel|max|min|ave|rd|blvd|mt|ft|gen|sgt|capt|rev|hon|[a-z])\.$"
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
        if piece := _BULLET.sub("", text[start:end].strip()):
            yield piece
        start = match.end()
    if piece := _BULLET.sub("", text[start:].strip()):
        yield piece


def _goes_on(text: str, position: int) -> bool:
    """Whether the next word continues the sentence: it begins small, or with a name after a title."""
    following = text[position : position + 12].strip()
    before = text[max(0, position - 6) : position].lower()
    if following and _INITIAL.search(text[max(0, position - 4) : position]) and following[0].isupper():
        return not _BEGINS.match(following)
    return bool(following) and (
        following[0].islower() or following[0].isdigit() or bool(re.search(r"\b(?:mr|mrs|ms|dr|prof|st)\.$", before))
    )
