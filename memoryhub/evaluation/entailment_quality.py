"""How well does the entailment check tell true sentences from false ones?

Labelled pairs of files that no training saw (`test_*`, `evalonly_*`, SICK), scored by the check that serves. Files are
read, never kept: some may be measured with and not passed on.
"""

import csv
import random
import time
from collections.abc import Callable, Iterable, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, Final

import numpy

from memoryhub.errors import Invalid
from memoryhub.evaluation.entailment_training import derived_rows
from memoryhub.evaluation.entailment_training.rows import LABELS, TRAIN, Row, read
from memoryhub.providers.entailment import Checker, negation_rule

THRESHOLDS: Final = (0.5, 0.9, 0.97, 0.99)
KEPT: Final = 0.8  # of the entailed pairs of SICK, at the threshold that keeps so many
SAMPLE: Final = 20  # seed of the sample of a large file
AT_ONCE: Final = 256
#: Whose customer turns are told near-verbatim, as intent sentences are, and wrong in one point: none was trained with.
TURNS: Final = ("test_sgd_unseen_services", "test_multidogo_unseen_domains")
NEAR_VERBATIM: Final = 1000


@dataclass(frozen=True)
class OfFile:
    """Of one file: `auroc` of entailment against the rest; by threshold (precision, recall, pairs kept); by kind of row
    the share judged rightly at .5, and how many there are."""

    name: str
    pairs: int
    entailed: int
    auroc: float
    accuracy: float
    by_threshold: dict[str, tuple[float, float, int]]
    by_kind: dict[str, tuple[float, int]]
    milliseconds: float


@dataclass(frozen=True)
class OfSick:
    """Of SICK: at the threshold that keeps 80 % of the entailed pairs, which share of the contradictions and of the
    neutral pairs passes, and how many of what passes are entailed."""

    pairs: int
    auroc: float
    contradictions: float
    neutrals: float
    precision: float


def measure(
    checker: Checker, nli: Path, sick: Path, *, limit: int, said: Callable[[str], object]
) -> dict[str, dict[str, Any]]:
    """Figures by file of the folder `nli`, at most `limit` pairs of each (a seeded sample), and of SICK without and
    with the rule of negation. Raises Invalid where nothing can be measured."""
    files = sorted(path for path in nli.glob("*.jsonl.gz") if not path.name.startswith(TRAIN))
    if not files or checker.state() != "ok":
        raise Invalid("No file to measure with, or no model: name a folder of test_*.jsonl.gz, and see /readyz.")
    found: dict[str, dict[str, Any]] = {}
    for path in files:
        rows = list(read(path))
        if len(rows) > limit:
            rows = random.Random(SAMPLE).sample(rows, limit)
        name = path.name.removesuffix(".jsonl.gz")
        found[name] = asdict(of_rows(name, rows, checker))
        said(f"{name}: AUROC {found[name]['auroc']:.3f} over {len(rows)} pairs")
    turns = [row for name in TURNS for path in nli.glob(f"{name}.jsonl.gz") for row in read(path)]
    if turns:
        rows = derived_rows.near_verbatim(turns, NEAR_VERBATIM, seed=SAMPLE)
        found["near-verbatim"] = asdict(of_rows("near-verbatim", rows, checker))
    for path in sorted(sick.glob("SICK_*.txt")):
        pairs = read_sick(path)
        plain = checker.entails([(row.premise, row.hypothesis) for row in pairs])
        ruled = [negation_rule(row.premise, row.hypothesis, score) for row, score in zip(pairs, plain, strict=True)]
        found[path.stem] = asdict(of_sick(pairs, plain))
        found[f"{path.stem} with the rule of negation"] = asdict(of_sick(pairs, ruled))
    return found


def of_rows(name: str, rows: Sequence[Row], checker: Checker) -> OfFile:
    """Figures of one file's rows."""
    started = time.thread_time()
    scores: list[float] = []
    for start in range(0, len(rows), AT_ONCE):
        scores += checker.entails([(row.premise, row.hypothesis) for row in rows[start : start + AT_ONCE]])
    took = time.thread_time() - started
    truth = [row.entailed for row in rows]
    right: dict[str, list[bool]] = {}
    for row, score in zip(rows, scores, strict=True):
        kind = row.source.split(":")[1] if ":" in row.source else row.label
        right.setdefault(kind, []).append((score > 0.5) == row.entailed)
    return OfFile(
        name=name,
        pairs=len(rows),
        entailed=sum(truth),
        auroc=auroc(truth, scores),
        accuracy=sum(sum(one) for one in right.values()) / len(rows),
        by_threshold={str(at): _kept(truth, scores, at) for at in THRESHOLDS},
        by_kind={kind: (sum(one) / len(one), len(one)) for kind, one in sorted(right.items())},
        milliseconds=1000 * took / len(rows),
    )


def of_sick(rows: Sequence[Row], scores: Sequence[float]) -> OfSick:
    """Figures of SICK's rows."""
    entailed = sorted((score for row, score in zip(rows, scores, strict=True) if row.entailed), reverse=True)
    at = entailed[int(KEPT * len(entailed) + 0.5) - 1]
    passed = [row.label for row, score in zip(rows, scores, strict=True) if score >= at]
    labels = [row.label for row in rows]
    return OfSick(
        pairs=len(rows),
        auroc=auroc([row.entailed for row in rows], scores),
        contradictions=passed.count(LABELS[2]) / labels.count(LABELS[2]),
        neutrals=passed.count(LABELS[1]) / labels.count(LABELS[1]),
        precision=passed.count(LABELS[0]) / len(passed),
    )


def read_sick(path: Path) -> list[Row]:
    """SICK's tab-separated pairs."""
    with path.open(encoding="utf-8", newline="") as file:
        return [
            Row(line["sentence_A"], line["sentence_B"], line["entailment_judgment"].strip().lower(), "sick")
            for line in csv.DictReader(file, delimiter="\t")
        ]


def auroc(truth: Sequence[bool], scores: Sequence[float]) -> float:
    """How likely a true pair scores higher than a false one; ties count half."""
    values, inverse, counts = numpy.unique(numpy.asarray(scores), return_inverse=True, return_counts=True)
    assert len(values) == len(counts)
    ranks = (numpy.cumsum(counts) - (counts - 1) / 2.0)[inverse]
    positive = numpy.asarray(truth, dtype=bool)
    many, rest = int(positive.sum()), int((~positive).sum())
    if not many or not rest:
        return float("nan")
    return float((ranks[positive].sum() - many * (many + 1) / 2.0) / (many * rest))


def _kept(truth: Iterable[bool], scores: Sequence[float], at: float) -> tuple[float, float, int]:
    truth = list(truth)
    kept = [true for true, score in zip(truth, scores, strict=True) if score > at]
    return (sum(kept) / len(kept) if kept else float("nan"), sum(kept) / max(1, sum(truth)), len(kept))
