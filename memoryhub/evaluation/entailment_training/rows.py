"""What is a labelled pair, and which files may be read for training?"""

import gzip
import json
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from memoryhub.errors import Invalid

#: In the order of the model's classes (config.json, id2label). `not_entailment` is neutral or contradiction, not told
#: apart: it trains the sum of the two.
LABELS: Final = ("entailment", "neutral", "contradiction")
NOT_ENTAILMENT: Final = "not_entailment"
TRAIN: Final = "train_"


@dataclass(frozen=True)
class Row:
    """Does `premise` entail `hypothesis`? `source`: set:kind:domain."""

    premise: str
    hypothesis: str
    label: str
    source: str

    @property
    def entailed(self) -> bool:
        return self.label == LABELS[0]


def read(path: Path) -> Iterator[Row]:
    """The rows of one file, gzip, one JSON object a line."""
    with gzip.open(path, "rt", encoding="utf-8") as lines:
        for line in lines:
            row = json.loads(line)
            yield Row(row["premise"], row["hypothesis"], row["label"], row["source"])


def read_for_training(folder: Path, name: str) -> list[Row]:
    """As `read`; refuses every file that is not named as one for training (licence, or held out for tests)."""
    if not name.startswith(TRAIN):
        raise Invalid(f"{name} is not for training: only files whose name starts with {TRAIN} are.")
    path = folder / f"{name}.jsonl.gz"
    if not path.is_file():
        raise Invalid(f"{path} is missing; name the folder that holds the train_*.jsonl.gz files.")
    return list(read(path))
