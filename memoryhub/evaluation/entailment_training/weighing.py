"""How much should nearness weigh beside the model (providers/nearness.py)? What other weights would make of pairs that
have labels: training rows, or a development file.

The model knows training rows by heart, the more the rarer their kind, so on them nearness seems to be worth little.
Hence the rows of conversations that the second run left out; of plain sentences hardly any were.
"""

import random
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import numpy

from memoryhub.evaluation.entailment_training import derived_rows, mixture, own_rows, pictures
from memoryhub.evaluation.entailment_training.rows import Row, read_for_training
from memoryhub.providers import nearness
from memoryhub.providers.entailment import Checker

RUN: Final = 21  # seed of the second run
ANOTHER: Final = 77  # seed of what is made anew
STEPS: Final = (0.0, 1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 8.0, 10.0, 12.0)
_LEAST: Final = 1e-12


@dataclass(frozen=True)
class Weighed:
    """Pairs of one set with what the model alone makes of them, and how near they are."""

    name: str
    entailed: tuple[bool, ...]
    of_model: tuple[float, ...]  # log odds
    cosine: tuple[float, ...]
    weight: nearness.Weight  # that most of them get

    def scores(self, by: float) -> list[float]:
        """The log odds if a cosine of one counted `by`, without an offset."""
        most = self.weight.most
        return [odds + by * min(cosine, most) for odds, cosine in zip(self.of_model, self.cosine, strict=True)]


def sets(folder: Path, limit: int) -> dict[str, list[Row]]:
    """By name, at most `limit` training rows: conversations the second run left out, sentences, and rows made anew."""
    read = {name: read_for_training(folder, name) for name in (*mixture.GENERAL, *mixture.CONVERSATIONS)}
    seen = {(row.premise, row.hypothesis) for row in mixture.rows(folder, seed=RUN)}
    left = {
        name: [row for row in rows if name in mixture.GENERAL or (row.premise, row.hypothesis) not in seen]
        for name, rows in read.items()
    }
    left["near-verbatim"] = derived_rows.near_verbatim(
        [row for name in mixture.CONVERSATIONS for row in read[name]], limit, seed=ANOTHER
    )
    left["captions"] = derived_rows.changed_captions(read["train_snli_dev"], limit, seed=ANOTHER)
    left["own"], left["pictures"] = own_rows.rows(limit, seed=ANOTHER), pictures.rows(limit, seed=ANOTHER)
    return {name: some(rows, limit) for name, rows in left.items() if rows}


def some(rows: Sequence[Row], limit: int) -> list[Row]:
    """A seeded sample."""
    return random.Random(RUN).sample(list(rows), min(limit, len(rows)))


def weighed(name: str, rows: Sequence[Row], alone: Checker, embed: nearness.Embed) -> Weighed:
    """The rows that are of the kind most of the set are; `alone`: the model without nearness."""
    kinds = [nearness.weight_of((row.premise, row.hypothesis)) for row in rows]
    kind = max((nearness.CONVERSATIONS, nearness.SENTENCES), key=kinds.count)
    rows = [row for row, its in zip(rows, kinds, strict=True) if its is kind]
    pairs = [(row.premise, row.hypothesis) for row in rows]
    found = numpy.clip(alone.entails(pairs), _LEAST, 1 - _LEAST)
    odds = (numpy.log(found) - numpy.log1p(-found)).tolist()
    cosines = [cosine for pair in pairs for cosine in nearness.cosines([pair], embed)]
    return Weighed(name, tuple(row.entailed for row in rows), tuple(odds), tuple(cosines), kind)


def offset(found: Sequence[Weighed], by: float) -> float:
    """The log odds to add so that, every set counting alike, as many pairs are expected to be entailed as are."""
    low, high = -40.0, 40.0
    scores = [(numpy.asarray(one.scores(by)), sum(one.entailed) / len(one.entailed)) for one in found]
    while high - low > 1e-4:
        middle = (low + high) / 2
        over = sum(float((1 / (1 + numpy.exp(-(odds + middle)))).mean()) - share for odds, share in scores)
        low, high = (low, middle) if over > 0 else (middle, high)
    return (low + high) / 2
