"""What does an episode tell, taken apart? Its days, and its sentences without the particulars (R77).

Nothing here makes a sentence: a fold quotes whole sentences of its episodes, a reflection counts them.
"""

import re
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import date, tzinfo

from memoryhub.models import Entry

_HEAD = re.compile(r"(?P<first>\d{4}-\d\d-\d\d)(?: to (?P<last>\d{4}-\d\d-\d\d))?, \d+ turns?: ")


@dataclass(frozen=True)
class Told:
    """One episode: the days it names first and last, and its sentences."""

    first: date
    last: date
    sentences: tuple[str, ...]


def told_by(entry: Entry, *, zone: tzinfo) -> Told:
    """An episode taken apart; one without the head of a summary is dated by when it was so. A summary that was carried
    on over pruned turns has several heads."""
    heads = list(_HEAD.finditer(entry.content))
    days = [day for head in heads for day in head.group("first", "last") if day]
    own = entry.valid_from.astimezone(zone).date()
    dated = sorted(date.fromisoformat(day) for day in days if _is_a_day(day)) or [own]
    text = _HEAD.sub("", entry.content)
    return Told(dated[0], dated[-1], sentences_of(text))


def sentences_of(text: str) -> tuple[str, ...]:
    """The sentences of a summary: a full stop inside quotes or brackets ends none."""
    found: list[str] = []
    begin, quoted, depth = 0, False, 0
    for place, sign in enumerate(text):
        if sign == '"':
            quoted = not quoted
        elif not quoted and sign in "()":
            depth = max(0, depth + (1 if sign == "(" else -1))
        elif sign == "." and not quoted and not depth and _ends(text, place):
            found.append(text[begin : place + 1].strip())
            begin = place + 1
    return tuple(sentence for sentence in [*found, text[begin:].strip()] if sentence)


def _ends(text: str, place: int) -> bool:
    """Whether the full stop there is followed by the end or by another sentence."""
    rest = text[place + 1 : place + 3]
    return not rest.strip() or (rest[0] == " " and rest[1:].isupper())


def without_particulars(sentence: str) -> str:
    """What recurs of a sentence: quotes and brackets left out; "" where a number is left, as it names one thing."""
    kept, quoted, depth = "", False, 0
    for sign in sentence:
        if sign == '"':
            quoted = not quoted
            kept = kept.rstrip(": ") if quoted else kept
        elif not quoted and sign in "()":
            depth = max(0, depth + (1 if sign == "(" else -1))
            kept = kept.rstrip() if sign == "(" else kept
        elif not quoted and not depth:
            kept += sign
    bare = " ".join(kept.split()).rstrip(".").strip()
    return "" if any(sign.isdigit() for sign in bare) else bare


def whole_sentences(sentences: Iterable[str], *, limit: int) -> str:
    """As many sentences from the beginning as fit, each whole: half of one would say something else."""
    taken: list[str] = []
    for sentence in sentences:
        if len(" ".join([*taken, sentence])) > limit:
            break
        taken.append(sentence)
    return " ".join(taken)


def _is_a_day(text: str) -> bool:
    try:
        date.fromisoformat(text)
    except ValueError:
        return False
    return True
