"""Does one wording show another? Word by word, numbers whole, and never across a negation (R18, R19).

Stricter than the duplicate check: a record that says "15.2" shows nothing about "15", and "not MySQL" does not show
"MySQL".
"""

import re
import unicodedata
from collections.abc import Sequence
from typing import Final

_WORD: Final = re.compile(r"\w+(?:(?:[.'-]|(?<=\d)[:,](?=\d))\w+)*")
_NEGATING: Final = re.compile(r"not|no|never|without|nor|non|none|neither|cannot|\w+n't")
#: A word that names something exactly: it has a digit, or is joined of several.
_TERM: Final = re.compile(r"\d|\w[._-]\w")
_NEAR: Final = 3  # words before a value in which a negation turns it round
#: What stands between two statements in one sentence, or between a statement and its purpose or measure.
_JOINT: Final = re.compile(
    r"\s*(?:;|(?<=[.!?])\s|,\s*(?:and|but|which|so)\b|,\s)\s*|"
    r"\s(?:and|but|which|that takes|taking|because|so that|for|within|(?=in (?:under|about|less|around|only|\d)))\s*\b",
    re.IGNORECASE,
)


def words(text: str) -> tuple[str, ...]:
    """The words of a text, folded; what is joined by a dot, a dash or an apostrophe is one."""
    folded = unicodedata.normalize("NFKC", text).casefold().replace("’", "'")
    return tuple(_WORD.findall(folded))


def contains(shown: str, value: str) -> bool:
    """Whether the words of `value` stand in `shown`, in a row, and are not turned round there."""
    return _stands_in(words(value), words(shown))


def agrees(record: str, value: str) -> bool:
    """Whether what a record says and a value can both be so: either contains the other."""
    return contains(record, value) or contains(value, record)


def clauses(text: str) -> list[str]:
    """The statements of a sentence, in its own words: at commas, semicolons and joining words."""
    return [part.strip() for part in _JOINT.split(" ".join(text.split())) if part.strip()]


def shown_part(value: str, shown: str) -> str | None:
    """The part of `value` that `shown` says in full, in `value`'s own words; None where it has no such part."""
    if not contains(value, shown):
        return None
    wanted = r"\W+".join(re.escape(word) for word in words(shown))
    found = re.search(rf"(?<!\w){wanted}(?!\w)", unicodedata.normalize("NFKC", value).replace("’", "'"), re.IGNORECASE)
    return found.group() if found else None


def is_shown(clause: str, shown: str) -> bool:
    """Whether a clause states only what `shown` shows: it stands there, or names it, or names something of it by a term
    (a target, a file, a number); and holds no other term and no other negation.
    """
    if contains(shown, clause):
        return True
    told, evidence = words(clause), words(shown)
    terms = [word for word in told if _TERM.search(word)]
    if not terms and not _stands_in(evidence, told):
        return False
    return all(word in evidence for word in told if _TERM.search(word) or _NEGATING.fullmatch(word))


def _stands_in(value: tuple[str, ...], text: tuple[str, ...]) -> bool:
    if not value:
        return False
    size = len(value)
    negative = _is_negative(value)
    for start in range(len(text) - size + 1):
        if text[start] == value[0] and text[start : start + size] == value:
            before = text[max(0, start - _NEAR) : start]
            if negative or not _is_negative(before):
                return True
    return False


def _is_negative(some: Sequence[str]) -> bool:
    return any(_NEGATING.fullmatch(word) for word in some)
