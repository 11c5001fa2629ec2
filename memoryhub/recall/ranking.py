"""How well does an entry answer a question, and in which order are entries given? (R32, R33)

Values in, values out: the search brings candidates with a cosine and a lexical coverage, this module turns them into
signals, a score and an order.

Relevance is absolute: it looks at one entry and the question, never at the other candidates, so the bar of R33 means
the same for every question. It fuses two parts, each in 0..1:

* meaning: the cosine, stretched so that `COSINE_NONE` is 0 and `COSINE_FULL` is 1. Measured with all-MiniLM-L6-v2 on
  short facts, unrelated pairs stay under .3 and close paraphrases reach .7;
* words: the share of the question's words that the entry holds, rare ones counting for more (candidates.py). An
  identifier that both hold (order number, error code) makes it 1.

They are added half and half: either alone loses to the sum, on conversations and on documents (docs/recall.md). Other
words for the same count for a little more than half. With an identifier in common the result is never below its better
part. Where one part is missing (embedding pending, a question of stop words only), the other stands alone. An entry
that names other identifiers than the one asked about is about something else.

Four things make an entry likelier than its own words do, each closing a share of the gap to 1: it was said by the one
speaker whom the question names, in the month or year it names, right before or after something relevant, or in the same
conversation. What is itself a question loses a little: it names what is looked for and answers nothing.
"""

import math
import re
import unicodedata
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, fields
from datetime import datetime, timedelta
from typing import Final

from memoryhub import conf
from memoryhub.vocabulary import Category, Channel, Kind, RecallProfile

COSINE_NONE: Final = 0.15  # at or below: nothing to do with one another
COSINE_FULL: Final = 0.75  # at or above: says the same
OTHER_IDENTIFIER: Final = 0.2  # of the relevance is left when the entry is about another order, code or version

#: Lexemes (as PostgreSQL stems them) that name the one asked about; every question holds them and no fact should.
SUBJECT_LEXEMES: Final = frozenset({"user", "custom", "client", "person"})

ACCESS_DECAY: Final = 0.995  # per hour since last access, in the generative_agents profile
EVERY_ALIKE: Final = 0.5  # min-max of a column in which all values are equal

_TOKEN = re.compile(r"[^\W_]+(?:[-_./:#][^\W_]+)*")
_DATE_OR_TIME = re.compile(
    r"(?:19|20)\d\d|\d{1,4}[-./]\d{1,2}(?:[-./]\d{1,4})?|\d{1,2}[-./](?:19|20)\d\d"
    r"|\d{1,2}:\d\d(?::\d\d)?|(?<!\d)\d+(?:st|nd|rd|th|am|pm)"
)
_NOBODY: Final = (None, None)  # stands beside it
_SHORTEST_IDENTIFIER: Final = 4  # characters; "42" or "v2" is no more telling than a word


@dataclass(frozen=True, slots=True)
class Candidate:
    """What ranking needs to know of one entry that passed the filters (R30, R31).

    `lexical` is the weighed share of the question's words, None where it had none; `cosine` is None
    while the embedding is pending. `importance` and `authority` are 0..1. Times carry a zone.
    """

    id: str
    kind: Kind
    category: Category
    importance: float
    authority: float
    valid_from: datetime
    cosine: float | None = None
    lexical: float | None = None
    identifier_hit: bool = False
    other_identifier: bool = False
    use_count: int = 0
    valid_now: bool = True
    last_confirmed_at: datetime | None = None
    last_used_at: datetime | None = None
    named_speaker: bool = False
    named_time: bool = False
    neighbours: tuple[tuple[float | None, float | None], ...] = ()  # cosine and words of what was said around it
    same_session: float = 0.0  # the relevance of the most relevant other thing said in the conversation
    asks: bool = False  # it ends as a question: it names what is looked for and answers nothing


@dataclass(frozen=True, slots=True)
class Signals:
    """The six signals of R32, each in 0..1 and absolute: they depend on one entry, the question and the hour."""

    relevance: float
    recency: float
    importance: float
    authority: float
    frequency: float
    validity: float


_SIGNALS: Final = tuple(field.name for field in fields(Signals))


@dataclass(frozen=True, slots=True)
class Ranked:
    """A candidate with what its place rests on; the signals are the same six under every profile (R33, R34)."""

    candidate: Candidate
    signals: Signals
    score: float


# Words ----------------------------------------------------------------------------------------------------------


def identifiers(text: str) -> frozenset[str]:
    """Order numbers, error codes, versions, part numbers: tokens with a digit that are not dates or times (R31)."""
    tokens = _TOKEN.findall(unicodedata.normalize("NFKC", text).casefold())
    return frozenset(
        token
        for token in tokens
        if len(token) >= _SHORTEST_IDENTIFIER and any(map(str.isdecimal, token)) and not _DATE_OR_TIME.fullmatch(token)
    )


def compare_identifiers(asked: Collection[str], text: str) -> tuple[bool, bool]:
    """Whether a text holds one of the identifiers asked about, and whether it holds only others (R31).

    `asked` are the question's `identifiers`, read once for all candidates.
    """
    if not asked:
        return False, False
    held = identifiers(text)
    hit = not held.isdisjoint(asked)
    return hit, bool(held) and not hit


# Signals --------------------------------------------------------------------------------------------------------


def relevance(
    *, cosine: float | None, lexical: float | None, identifier_hit: bool = False, other_identifier: bool = False
) -> float:
    """The fused absolute relevance in 0..1, as the module says (R32, R33)."""
    meaning = None if cosine is None else _clamped((cosine - COSINE_NONE) / (COSINE_FULL - COSINE_NONE))
    words = 1.0 if identifier_hit else None if lexical is None else _clamped(lexical)
    if meaning is None or words is None:
        fused = meaning if meaning is not None else words if words is not None else 0.0
    else:
        fused = max((1 - conf.LEXICAL_SHARE) * meaning + conf.LEXICAL_SHARE * words, conf.MEANING_ALONE * meaning)
    if identifier_hit:
        return max(fused, meaning or 0.0, words or 0.0)
    return fused * OTHER_IDENTIFIER if other_identifier else fused


def likelihood(candidate: Candidate) -> float:
    """The relevance of an entry, raised by what the question names and by its neighbours, in 0..1 (R32)."""
    fused = relevance(
        cosine=candidate.cosine,
        lexical=candidate.lexical,
        identifier_hit=candidate.identifier_hit,
        other_identifier=candidate.other_identifier,
    )
    near = [pair for pair in candidate.neighbours if pair != _NOBODY]
    beside = max((relevance(cosine=cosine, lexical=lexical) for cosine, lexical in near), default=0.0)
    for gain in (
        conf.NAMED_SPEAKER * candidate.named_speaker,
        conf.NAMED_TIME * candidate.named_time,
        conf.NEIGHBOUR * beside,
        conf.SAME_SESSION * candidate.same_session,
    ):
        fused += (1 - fused) * gain
    return fused * (1 - conf.ASKS * candidate.asks)


def recency(candidate: Candidate, now: datetime) -> float:
    """Halves every 14 days since the last confirmation, else since it became valid; 1 for the future (R32)."""
    age = now - (candidate.last_confirmed_at or candidate.valid_from)
    return math.exp2(-(max(age, timedelta()) / conf.RECENCY_HALF_LIFE))


def frequency(use_count: int) -> float:
    """How often it was reported useful: ln(1 + used) / ln 21, at most 1 (R32)."""
    return min(1.0, math.log1p(max(0, use_count)) / math.log(conf.FREQUENCY_FULL_AT))


def importance_of(category: Category) -> float:
    """The importance a category starts with, in 0..1 (R32)."""
    return conf.IMPORTANCE[category]


def authority_of(channel: Channel, sources: Collection[float] = ()) -> float:
    """How far a channel is to be believed, in 0..1; what is derived, no further than its weakest source (R32)."""
    return min(sources, default=conf.AUTHORITY[channel])


def signals_of(candidate: Candidate, now: datetime) -> Signals:
    """All six signals of one candidate (R32)."""
    return Signals(
        relevance=likelihood(candidate),
        recency=recency(candidate, now),
        importance=_clamped(candidate.importance),
        authority=_clamped(candidate.authority),
        frequency=frequency(candidate.use_count),
        validity=1.0 if candidate.valid_now else 0.0,
    )


def told(signals: Signals) -> dict[str, float]:
    """The six by name, as answers and the read log give them: to four places (R34)."""
    return {name: round(getattr(signals, name), 4) for name in _SIGNALS}


def score(signals: Signals) -> float:
    """The weighted sum of the six signals; the weights add up to 1.10 on purpose (R32)."""
    return math.fsum([weight * getattr(signals, name) for name, weight in conf.WEIGHTS.items()])


# Order ----------------------------------------------------------------------------------------------------------


def order(candidates: Sequence[Candidate], *, profile: RecallProfile, now: datetime) -> list[Ranked]:
    """Best first, by the policy's profile (R32). Equal scores: the one confirmed later first, then by id."""
    signals = [signals_of(candidate, now) for candidate in candidates]
    if profile == RecallProfile.GENERATIVE_AGENTS:
        scores = _generative_scores(candidates, now)
    else:
        scores = [score(each) for each in signals]
    ranked = [Ranked(c, s, total) for c, s, total in zip(candidates, signals, scores, strict=True)]
    return sorted(ranked, key=_place)


def above_bar(ranked: Sequence[Ranked], min_relevance: float) -> list[Ranked]:
    """Those at or above the bar, in their order; a bar of 0 lets everything through (R33)."""
    return [each for each in ranked if each.signals.relevance >= min_relevance]


def explain(ranked: Ranked) -> Mapping[str, float]:
    """What each signal added to the score, for `explain` (R38)."""
    return {name: weight * getattr(ranked.signals, name) for name, weight in conf.WEIGHTS.items()}


def importance_rating(importance: float) -> int:
    """Importance on the scale 1..10 that the generative_agents profile and reflection use (R32, R77)."""
    return round(1 + 9 * _clamped(importance))


def _generative_scores(candidates: Sequence[Candidate], now: datetime) -> list[float]:
    """Recency of access, importance and cosine, each min-max normalised over the candidates, summed (R32)."""
    columns = (
        [ACCESS_DECAY ** _hours_since_access(candidate, now) for candidate in candidates],
        [float(importance_rating(candidate.importance)) for candidate in candidates],
        [_cosine(candidate) for candidate in candidates],
    )
    return [math.fsum(row) for row in zip(*map(_min_max, columns), strict=True)]


def _hours_since_access(candidate: Candidate, now: datetime) -> float:
    accessed = candidate.last_used_at or candidate.last_confirmed_at or candidate.valid_from
    return max(now - accessed, timedelta()) / timedelta(hours=1)


def _cosine(candidate: Candidate) -> float:
    """The cosine; while it is pending, the one that would be as relevant as the words are."""
    if candidate.cosine is not None:
        return candidate.cosine
    return COSINE_NONE + (COSINE_FULL - COSINE_NONE) * _clamped(candidate.lexical or 0.0)


def _min_max(column: list[float]) -> list[float]:
    low, high = min(column, default=0.0), max(column, default=0.0)
    return [(value - low) / (high - low) if high > low else EVERY_ALIKE for value in column]


def _place(ranked: Ranked) -> tuple[float, float, str]:
    candidate = ranked.candidate
    return (-ranked.score, -(candidate.last_confirmed_at or candidate.valid_from).timestamp(), candidate.id)


def _clamped(value: float) -> float:
    """Into 0..1; a value that is no number counts as 0."""
    return value if 0.0 <= value <= 1.0 else float(value > 1.0)
