"""When do two statements say the same, and what is the opposite of one? By their words alone (R17)."""

import re
import unicodedata
from typing import Final

from rapidfuzz import fuzz

NEAR_DUPLICATE: Final = 92  # of 100: same words in another order or with another ending, not merely the same topic

#: A minus, a unit of money or measure, and what is written behind a name (C++) are said too: with another, it differs.
_WORD = re.compile(r"(?:(?<!\w)-(?=\d))?[^\W_]+(?:'[^\W_]+)?(?:[+#]+(?!\w))?|[%°$€£¥₹]")
_SPELT = str.maketrans("\u2019\u2212", "'-")
_NEGATION = re.compile(
    r"\b(?:not|no|never|none|nor|without|neither|cannot|nothing|nobody|dislikes?|hates?|avoids?|stopped|\w+n['’]t)\b"
)
_NUMBER = re.compile(r"-?\d+|[%°$€£¥₹]")


def normalised(text: str) -> str:
    """Words without case, punctuation, accents of composition or apostrophe style: what makes two statements the
    same."""
    folded = unicodedata.normalize("NFKC", text).casefold().translate(_SPELT)
    return " ".join(_WORD.findall(folded)) or " ".join(folded.split())


def near_duplicate(one: str, other: str) -> bool:
    """Whether two normalised statements say the same: alike in words, with the same numbers and the same negation."""
    return (
        fuzz.token_sort_ratio(one, other) >= NEAR_DUPLICATE
        and sorted(_NUMBER.findall(one)) == sorted(_NUMBER.findall(other))
        and len(_NEGATION.findall(one)) % 2 == len(_NEGATION.findall(other)) % 2
    )


def opposite(value: str) -> str:
    """The value with its polarity turned round."""
    plain = normalised(value)
    return plain[4:] if plain.startswith("not ") else f"not {plain}"
