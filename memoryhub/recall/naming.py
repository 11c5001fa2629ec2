"""Whom and when does a question name? And which pieces of an unspaced script can be matched? (R31)

"What did Ana cook in May?" names a speaker and a month: what Ana said, and what was said in May, is likelier to be
meant. Names and months are looked for in the words of the question only; nothing is guessed.
"""

import re
import unicodedata
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime
from typing import Final

_MONTHS: Final = (
    "january", "february", "march", "april", "may", "june", "july", "august", "september", "october", "november",
    "december",
)  # fmt: skip
_MONTH = "|".join(_MONTHS)
#: "May" and "March" are words as well: they name a month beside a number or after a word of time.
_NAMED_MONTH = re.compile(
    rf"\b(?:(?P<day>\d{{1,2}})(?:st|nd|rd|th)?(?: of)? )?"
    rf"(?:(?P<cue>in|of|since|during|by|until|last|this|early|late|mid|before|after)[ -])?"
    rf"(?P<month>{_MONTH})\b(?:,? (?P<after>\d{{1,2}})(?:st|nd|rd|th)?\b)?(?:,? (?P<year>(?:19|20)\d\d)\b)?"
)
_NAMED_YEAR = re.compile(r"\b(?:19|20)\d\d\b")
_AMBIGUOUS: Final = frozenset({"may", "march"})
_UNSPACED = re.compile(
    r"[\u0e00-\u0e7f\u0e80-\u0eff\u1000-\u109f\u1780-\u17ff\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff"
    r"\U00020000-\U0003ffff]+"
)


#: SQL: the query that finds a lexeme called `word` as it is, whatever characters it is made of.
FOR_ITSELF: Final = r"('''' || replace(replace(word, '\', '\\'), '''', '''''') || '''')"


@dataclass(frozen=True)
class Period:
    """A month, a year, or a month of a year; None: any."""

    year: int | None
    month: int | None
    day: int | None = None

    def covers(self, moment: datetime) -> bool:
        """Whether `moment` lies in the period."""
        return (
            self.year in (None, moment.year) and self.month in (None, moment.month) and self.day in (None, moment.day)
        )


def periods_named(question: str) -> tuple[Period, ...]:
    """The months and years a question names, as far as its words say."""
    words = unicodedata.normalize("NFKC", question).casefold()
    found = []
    for match in _NAMED_MONTH.finditer(words):
        number = match["day"] or match["after"]
        if match["month"] in _AMBIGUOUS and not (match["cue"] or number or match["year"]):
            continue
        day = int(number) if number and 1 <= int(number) <= 31 else None
        year = int(match["year"]) if match["year"] else None
        found.append(Period(year, _MONTHS.index(match["month"]) + 1, day))
    if not found:
        found = [Period(int(year), None) for year in _NAMED_YEAR.findall(words)]
    return tuple(found)


def speaker_named(question: str, speakers: Iterable[str]) -> str | None:
    """The one speaker a question names; None when it names none, or several."""
    words = f" {' '.join(_words(question))} "
    named = {speaker for speaker in set(speakers) if f" {' '.join(_words(speaker))} " in words and _words(speaker)}
    return named.pop() if len(named) == 1 else None


def pairs_of_characters(text: str) -> str:
    """Chinese, Japanese, Thai and other unspaced runs as overlapping pairs: word search finds them by these.

    Measured on Chinese questions: splitting into words finds 1 %, pairs find 83 % (recall-evidence 9).
    """
    pairs: list[str] = []
    for run in _UNSPACED.findall(unicodedata.normalize("NFKC", text)):
        pairs += [run] if len(run) == 1 else [run[at : at + 2] for at in range(len(run) - 1)]
    return " ".join(pairs)


def _words(text: str) -> list[str]:
    words = re.findall(r"[^\W_]+(?:['’][^\W_]+)*", unicodedata.normalize("NFKC", text).casefold())
    return [re.sub(r"['’]s$", "", word) for word in words]
