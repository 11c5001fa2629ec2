"""Does one wording show another? Word by word, numbers whole, and never across a negation (R18, R19).

Stricter than the duplicate check: a record that says "15.2" shows nothing about "15", and "not MySQL", "MySQL: removed"
or "MySQL or Oracle" does not show "MySQL".
"""

import re
import unicodedata
from collections.abc import Sequence
from typing import Final

from memoryhub.working.normalisation import listed

#: A number's sign and what is written behind a name (C++, F#) are of the word: they make it another.
_WORD: Final = re.compile(r"(?:(?<!\w)[-+](?=\d))?\w+(?:(?:[.'-]|(?<=\d)[:,](?=\d))\w+)*(?:[+#]+(?!\w))?|!=|<>")
_MINUS: Final = str.maketrans("\u2019\u2212\u2010\u2011", "'---")
_NEGATING: Final = re.compile(r"^(?:not|no|never|without|nor|non|none|neither|cannot|\w+n't|!=|<>)")
#: What turns round or ends what follows it, besides a negation.
_LEAVING: Final = frozenset(
    listed(
        """
        instead rather except excluding excludes former formerly previously deprecated obsolete removed
        removes remove dropped drops drop replaced replaces replacing left leaves leaving stopped stops stop
        cancelled canceled ended retired expired disabled disables disable avoid avoids avoiding forbidden
        forbids banned unless until was were
        """
    )
)
#: What says of the thing before it that it is over.
_OVER: Final = frozenset(
    listed(
        """
        deprecated obsolete removed dropped replaced stopped cancelled canceled ended retired expired disabled
        forbidden banned off false gone
        """
    )
)
#: Words that state nothing by themselves.
_GLUE: Final = frozenset(
    listed(
        """
        a an the this that these those there here it its is are am be being has have had do does will would i
        me my we us our you your they them their he him his she her who which of in on at to for from by with
        as and so s now currently use uses used using set called named known runs run lives live works work
        kept keep stands subject customer person user member client project site team account service app
        application repository repo system file record setting settings value option name number field entry
        target script command task config configuration exists present default one i'm i've i'll we're we've it's that's
        he's she's they're you're
        """
    )
)
#: A word that names something exactly: it has a digit, or is joined of several.
_TERM: Final = re.compile(r"\d|\w[._-]\w")
_NAMING: Final = 2  # words in front of a value that may say what it is the value of
_NEAR: Final = 3  # words before a value in which a negation turns it round
#: What stands between two statements in one sentence, or between a statement and its purpose or measure.
_JOINT: Final = re.compile(
    r"\s?(?:;|(?<=[.!?])\s|,\s?(?:and|but|which|so)\b|,\s)\s?|"
    r"\s(?:and|but|which|that takes|taking|because|so that|for|within|(?=in (?:under|about|less|around|only|\d)))\s?\b",
    re.IGNORECASE,
)


def words(text: str) -> tuple[str, ...]:
    """The words of a text, folded; what is joined by a dot, a dash or an apostrophe is one."""
    return tuple(_WORD.findall(_folded(text)))


def contains(shown: str, value: str) -> bool:
    """Whether the words of `value` stand in `shown`, in a row, and are not turned round there."""
    return _stands_in(words(value), shown)


def says_more(statement: str, value: str, *told: str) -> bool:
    """Whether a statement says more than its value and these texts do. What it is the value of may be named in up to
    two words more in front of it ("the nightly build's limit is 40"); nothing may be added behind it.
    """
    known = {word for text in (value, *told) for word in words(text.replace("_", " "))}
    said, wanted = words(statement.replace("_", " ")), words(value.replace("_", " "))
    places = [start for start in range(len(said)) if said[start : start + len(wanted)] == wanted] if wanted else []
    first = places[0] if places else 0
    naming = [word for word in said[:first] if word not in known and word not in _GLUE]
    adding = [word for word in said[first:] if word not in known and word not in _GLUE]
    turned = any(_NEGATING.fullmatch(word) or word in _LEAVING or not word.isalpha() for word in naming)
    return bool(adding) or turned or len(naming) > _NAMING


def agrees(record: str, value: str) -> bool:
    """Whether what a record says and a value can both be so: either contains the other."""
    return contains(record, value) or contains(value, record)


def stated(key: str, value: str) -> str:
    """What a key and a value say, and nothing else."""
    return f"{key.replace('_', ' ')}: {value}"


def clauses(text: str) -> list[str]:
    """The statements of a sentence, in its own words: at commas, semicolons and joining words."""
    return [part.strip() for part in _JOINT.split(" ".join(text.split())) if part.strip()]


def shown_part(value: str, shown: str) -> str | None:
    """The part of `value` that `shown` says in full, in `value`'s own words; None where it has no such part."""
    if not contains(value, shown):
        return None
    wanted = r"\W+".join(re.escape(word) for word in words(shown))
    found = re.search(rf"(?<!\w){wanted}(?!\w)", unicodedata.normalize("NFKC", value).translate(_MINUS), re.IGNORECASE)
    return found.group() if found else None


def is_shown(clause: str, shown: str) -> bool:
    """Whether a clause states only what `shown` shows: it stands there, or names it, or names something of it by a term
    (a target, a file, a number); and holds no other term and no other negation.
    """
    if contains(shown, clause):
        return True
    told, evidence = words(clause), words(shown)
    terms = [word for word in told if _TERM.search(word)]
    if not terms and not _stands_in(evidence, clause):
        return False
    return all(word in evidence for word in told if _TERM.search(word) or _NEGATING.fullmatch(word))


def backed_part(clause: str, shown: str) -> str:
    """What of a clause `shown` shows: the clause itself; that what it names is there, where it says more of it; or
    nothing.
    """
    if not is_shown(clause, shown):
        return ""
    named = [word for word in words(clause) if _TERM.search(word)]
    if contains(shown, clause) or not named or not says_more(clause, named[0], shown):
        return clause
    return f"{', '.join(dict.fromkeys(named))}: there"


def _folded(text: str) -> str:
    return unicodedata.normalize("NFKC", text).casefold().translate(_MINUS)


def _stands_in(value: tuple[str, ...], shown: str) -> bool:
    if not value:
        return False
    folded = _folded(shown)
    found = list(_WORD.finditer(folded))
    text = [word.group() for word in found]
    size = len(value)
    negative = _is_negative(value)
    for start in range(len(text) - size + 1):
        if text[start] != value[0] or tuple(text[start : start + size]) != value:
            continue
        end = start + size
        before = text[max(0, start - _NEAR) : start]
        if not negative and (_is_negative(before) or not _LEAVING.isdisjoint(before)):
            continue
        if "or" in (*before[-1:], *text[end : end + 1]):
            continue  # one of several
        behind = folded[found[end - 1].end() : found[min(end + _NEAR, len(text)) - 1].end()]
        if negative or not _is_over(behind):
            return True
    return False


def _is_over(behind: str) -> bool:
    """Whether the words behind a value, up to the next stop, say that it is not so, or no longer."""
    near = re.split(r"\n|[.,;!?](?!\w)", behind, maxsplit=1)[0]
    return not _OVER.isdisjoint(words(near)) or _is_negative(words(near.partition("(")[0]))


def _is_negative(some: Sequence[str]) -> bool:
    return any(_NEGATING.fullmatch(word) for word in some)
