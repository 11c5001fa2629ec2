"""Which skills does this turn carry, and why? Decided without a model (R41).

First the always-on skills, then those whose triggers are among the turn's signals, then those whose keywords or
description share words with the query, ranked by BM25. The same input gives the same answer: ties go by name.

BM25 is written out here instead of taken from bm25s. Measured with 60 skills, index and question together, since the
set of skills differs by agent: 0.7 ms here, 1.3 ms there; and bm25s brings 0.3 s and 50 MB of NumPy and SciPy into
every process and raises or divides by zero for an empty question, an empty text and an empty set.
"""

import math
import unicodedata
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final, Generic, Literal, Protocol, TypeVar

from memoryhub import conf
from memoryhub.skills.words import words
from memoryhub.word_caches import holds_words

Reason = Literal["always", "trigger", "keyword"]

_K1: Final = 1.2  # how soon repeating a word stops counting; the usual value
_B: Final = 0.75  # how much a long description is discounted; the usual value

# Where no whole keyword stands in the query, a skill must share several words with it and reach this share of the
# best score the query could get at all: one shared word ("order", "account") chooses nothing.
SHARED_WORDS: Final = 2
SHARE_OF_BEST: Final = 0.25


class Candidate(Protocol):
    """What selection needs to know of an active skill; a `SkillDocument` fits, and so does a row."""

    @property
    def name(self) -> str: ...
    @property
    def description(self) -> str: ...
    @property
    def triggers(self) -> Sequence[str]: ...
    @property
    def keywords(self) -> Sequence[str]: ...
    @property
    def always(self) -> bool: ...


C = TypeVar("C", bound=Candidate)


@dataclass(frozen=True, slots=True)
class Selected(Generic[C]):
    """A chosen skill with the reason it was chosen."""

    candidate: C
    reason: Reason


def select(
    skills: Sequence[C], *, signals: Sequence[str], query: str, limit: int = conf.ACTIVE_SKILLS
) -> tuple[Selected[C], ...]:
    """At most `limit` skills for one turn, most compelling reason first (R41).

    `signals` are the turn's own ("intent:CHANGE_SEAT"); one equals a trigger when they are the same text apart from
    case. Within a reason: more matching signals first, or the higher BM25 score; then by name.
    """
    by_name = sorted(skills, key=lambda skill: skill.name)
    heard = {_signal(signal) for signal in signals}
    matches = [len(heard & {_signal(trigger) for trigger in skill.triggers}) for skill in by_name]
    scores = keyword_scores(by_name, query)

    chosen: list[Selected[C]] = []
    left = range(len(by_name))
    chosen += [Selected(by_name[i], "always") for i in left if by_name[i].always]
    left_over = [i for i in left if not by_name[i].always]
    triggered = sorted((i for i in left_over if matches[i]), key=lambda i: -matches[i])
    chosen += [Selected(by_name[i], "trigger") for i in triggered]
    worded = sorted((i for i in left_over if not matches[i] and scores[i] > 0), key=lambda i: -scores[i])
    chosen += [Selected(by_name[i], "keyword") for i in worded]
    return tuple(chosen[: max(0, limit)])


def keyword_scores(skills: Sequence[Candidate], query: str) -> list[float]:
    """For each skill its BM25 score for the query, 0 where it stays below the bar (R41)."""
    asked = words(query)
    texts = [
        _skill_words(" ; ".join((skill.name.replace("-", " "), skill.description, *skill.keywords))) for skill in skills
    ]
    if not asked or not any(texts):
        return [0.0] * len(skills)
    counts = [Counter(text) for text in texts]
    found_in = Counter(word for count in counts for word in count)
    weights = {word: _rarity(found_in[word], len(texts)) for word in set(asked)}
    best = sum(weights.values()) * (_K1 + 1)
    usual_length = sum(map(len, texts)) / len(texts)
    scores = []
    for skill, text, count in zip(skills, texts, counts, strict=True):
        damping = _K1 * (1 - _B + _B * len(text) / usual_length)
        score = math.fsum(w * count[word] * (_K1 + 1) / (count[word] + damping) for word, w in sorted(weights.items()))
        shared = sum(1 for word in weights if count[word])
        fits = _names_keyword(skill, asked) or (shared >= SHARED_WORDS and score >= SHARE_OF_BEST * best)
        scores.append(score if fits else 0.0)
    return scores


def _rarity(found_in: int, texts: int) -> float:
    """Inverse document frequency, never negative: a word in every skill still says a little."""
    return math.log(1 + (texts - found_in + 0.5) / (found_in + 0.5))


def _names_keyword(skill: Candidate, asked: list[str]) -> bool:
    """Whether a whole keyword, all its words side by side, stands in the query."""
    for keyword in map(_skill_words, skill.keywords):
        size = len(keyword)
        if size and any(tuple(asked[i : i + size]) == keyword for i in range(len(asked) - size + 1)):
            return True
    return False


@holds_words(most=4096)
def _skill_words(text: str) -> tuple[str, ...]:
    """Words of a skill's own text, which is the same every turn; what people ask is never cached."""
    return tuple(words(text))


def _signal(text: str) -> str:
    return unicodedata.normalize("NFKC", text).strip().casefold()
