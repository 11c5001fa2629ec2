"""Which words of a sentence carry its meaning, and are they copied from what was said? (R72); pure."""

import re
from typing import Final

from memoryhub.governance.clauses import expand
from memoryhub.working.normalisation import listed

_WORD = re.compile(r"[^\W\d_][\w'’-]+")
#: Words of the telling, not of the told.
_TELLING: Final = frozenset(
    listed(
        "the customer wanted needed hoped looking asked agent whether they could possible how what where when much "
        "why were was "
        "got in touch about reported having that them their theirs themselves to for it had did would be are kept"
    )
)
#: Endings that a word may lose or gain between what is said and how it is told.
_ENDINGS = re.compile(r"(?i)(?<=[a-z]{3})(?:ing|ed|es|s|e)$")


def content_of(words: str) -> set[str]:
    """The stems of the words that carry the meaning of a phrase."""
    return {stem(word) for word in _WORD.findall(words) if len(word) > 3 and word.lower() not in _TELLING}


def added(told: str, said: str) -> set[str]:
    """The words of a telling that what was said does not have."""
    known = {stem(word) for word in _WORD.findall(expand(said)) + _WORD.findall(said)}
    return {word for word in _WORD.findall(told) if word.lower() not in _TELLING and stem(word) not in known}


def stem(word: str) -> str:
    """A word without its ending: "moving", "moved" and "move" are one."""
    return _ENDINGS.sub("", word.lower().replace("’", "'").removesuffix("'s"))
