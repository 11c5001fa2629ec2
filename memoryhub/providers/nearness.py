"""How much does being near what was said speak for a sentence, beside the entailment model's own verdict?

The model and the cosine of the embedding model err differently, so the cosine is added to the model's log odds, with a
weight and an offset. A sentence about somebody in a conversation is held against the nearest sentence of it; beyond
`most` being nearer says no more, since a near-copy that is wrong in one value is as near as one that is right. A plain
sentence is held against the whole of another.

Where the numbers come from (`manage.py weigh_nearness`, docs/entailment.md): the weight of conversations is the best on
rows of `train_sgd` that the second training run had left out, and `most` was set on training rows; those of plain
sentences were nearly all learnt from, so their weight was chosen on the development part of XNLI. With either offset as
many pairs of the training rows are expected to be entailed as are. They belong to the packaged model and to the
packaged embedding model.
"""

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Final

Pair = tuple[str, str]  # premise, hypothesis
#: Texts to vectors of length one, in order (embeddings.py).
Embed = Callable[[Sequence[str]], list[list[float]]]


@dataclass(frozen=True)
class Weight:
    """`by`: log odds for a cosine of one; `most`: the cosine beyond which nothing is added; `offset`: log odds."""

    by: float
    most: float
    offset: float

    def log_odds(self, cosine: float) -> float:
        return self.by * min(cosine, self.most) + self.offset


CONVERSATIONS: Final = Weight(by=3.0, most=0.8, offset=-1.45)
SENTENCES: Final = Weight(by=8.0, most=1.0, offset=-5.66)
READ: Final = 2000  # characters of a premise: the model reads no more either

_NAME: Final = re.compile(r"(?:^|\n)[A-Za-z][\w ]{0,20}: ")
_PARTY: Final = re.compile(r"(?i)\b(?:customer|client|user|caller|agent|assistant)\b")
#: Between turns, also such as stand in one line, and between the sentences of a turn.
_BETWEEN: Final = re.compile(
    r"(?i:(?:^|\s)(?:customer|user|client|guest|caller|agent|assistant|support|person \d):\s+)|\n|(?<=[.!?])\s+"
)


def log_odds(pairs: Sequence[Pair], embed: Embed) -> list[float]:
    """What is to be added to the model's log odds of each pair, in order. Raises what `embed` raises."""
    return [weight_of(pair).log_odds(cosine) for pair, cosine in zip(pairs, cosines(pairs, embed), strict=True)]


def weight_of(pair: Pair) -> Weight:
    """By its kind: what somebody said (turns with names, several lines, a sentence about a party), or a sentence."""
    premise, told = pair
    in_conversation = "\n" in premise.strip() or _NAME.search(premise) or _PARTY.search(told)
    return CONVERSATIONS if in_conversation else SENTENCES


def cosines(pairs: Sequence[Pair], embed: Embed) -> list[float]:
    """Of each pair how near its sentence is to the premise, or to the nearest part of a conversation."""
    beside = [parts_of(pair[0][:READ]) if weight_of(pair) is CONVERSATIONS else [pair[0][:READ]] for pair in pairs]
    texts = sorted({text for (_, told), parts in zip(pairs, beside, strict=True) for text in (told, *parts)})
    vectors = dict(zip(texts, embed(texts), strict=True))
    return [
        max(_cosine(vectors[told], vectors[part]) for part in parts)
        for (_, told), parts in zip(pairs, beside, strict=True)
    ]


def parts_of(premise: str) -> list[str]:
    """The sentences of a conversation without the speakers' names; the premise itself where there is none."""
    return [part for part in (found.strip() for found in _BETWEEN.split(premise)) if len(part) > 1] or [premise]


def _cosine(one: Sequence[float], other: Sequence[float]) -> float:
    return sum(a * b for a, b in zip(one, other, strict=True))
