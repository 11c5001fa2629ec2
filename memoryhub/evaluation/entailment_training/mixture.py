"""Which rows does a run see, how many of each kind, and in which order?

Rows are shuffled once; a run reads them in that order until its time is over, so that every stretch holds every kind in
its share.
"""

import random
from collections.abc import Sequence
from pathlib import Path
from typing import Final

from memoryhub.evaluation.entailment_training import derived_rows, own_rows, pictures
from memoryhub.evaluation.entailment_training.rows import Row, read_for_training

#: Rows of each general file, of each kind of conversation file; a kind that is not named has the share of `_OTHERS`.
GENERAL: Final = {
    "train_snli_dev": 9_840, "train_conjnli": 5_000, "train_help": 5_000, "train_med_crowd": 4_067,
    "train_fever_symmetric_dev": 708,
}  # fmt: skip
CONVERSATIONS: Final = {"train_sgd": 13_000, "train_multidogo": 8_000, "train_svc": 5_500}
_HARD: Final = frozenset({
    "swapped", "superseded", "offer_taken_as_wish", "offer_value_as_wish", "intent_pair", "declined", "changed",
    "asked", "asked_not_wanted", "changed_mind",
})  # fmt: skip
_HARD_WEIGHT: Final = 2.0
_LONG: Final = 75  # words of a premise; beyond, a row costs as much as three and counts for less
_LONG_WEIGHT: Final = 0.35
NEAR_VERBATIM, CAPTIONS, OWN, PICTURES = 8_000, 6_000, 9_000, 18_000


def rows(folder: Path, *, seed: int) -> list[Row]:
    """The rows of one run, shuffled; the same for the same files and seed."""
    rng = random.Random(seed)
    files = {name: read_for_training(folder, name) for name in (*GENERAL, *CONVERSATIONS)}
    mixed: list[Row] = []
    for name, count in GENERAL.items():
        mixed += rng.sample(files[name], min(count, len(files[name])))
    for name, count in CONVERSATIONS.items():
        mixed += _weighted(files[name], count, rng)
    conversations = [row for name in CONVERSATIONS for row in files[name]]
    mixed += derived_rows.near_verbatim(conversations, NEAR_VERBATIM, seed=seed)
    mixed += derived_rows.changed_captions(files["train_snli_dev"], CAPTIONS, seed=seed)
    mixed += own_rows.rows(OWN, seed=seed)
    mixed += pictures.rows(PICTURES, seed=seed)
    rng.shuffle(mixed)
    return mixed


def _weighted(rows: Sequence[Row], count: int, rng: random.Random) -> list[Row]:
    """`count` of them without repetition, hard kinds and short premises first by their weight."""

    def key(row: Row) -> float:
        weight = _HARD_WEIGHT if row.source.split(":")[1] in _HARD else 1.0
        if len(row.premise.split()) > _LONG:
            weight *= _LONG_WEIGHT
        return float(rng.random() ** (1.0 / weight))

    return sorted(rows, key=key, reverse=True)[:count]
