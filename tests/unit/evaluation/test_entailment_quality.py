"""Figures of the entailment check, on small files made here."""

import gzip
import json
from collections.abc import Sequence
from pathlib import Path

import pytest

from memoryhub.errors import Invalid
from memoryhub.evaluation import entailment_quality
from memoryhub.evaluation.entailment_quality import auroc, of_rows, of_sick, read_sick
from memoryhub.evaluation.entailment_training.rows import Row
from memoryhub.providers.entailment import NoChecker


class Words:
    """A check that gives the share of the hypothesis's words that the premise holds."""

    model_id = "words"

    def state(self) -> str:
        return "ok"

    def entails(self, pairs: Sequence[tuple[str, str]]) -> list[float]:
        split = [(set(one.lower().split()), other.lower().split()) for one, other in pairs]
        return [sum(word in one for word in other) / len(other) for one, other in split]


ROWS = [
    Row("red tea with milk", "red tea", "entailment", "set:plain:shop"),
    Row("red tea with milk", "tea with lemon juice", "not_entailment", "set:changed:shop"),
    Row("two cups", "two cups", "entailment", "set:plain:shop"),
    Row("two cups", "nine plates", "contradiction", "set:changed:shop"),
    Row("two cups", "two cups of", "neutral", "set:added:shop"),
]


def test_auroc_is_the_chance_that_a_true_pair_scores_higher_and_ties_count_half() -> None:
    assert auroc([True, False], [0.9, 0.1]) == 1.0
    assert auroc([True, False], [0.1, 0.9]) == 0.0
    assert auroc([True, False, True, False], [0.5, 0.5, 0.5, 0.5]) == 0.5
    assert auroc([True, True, False], [0.9, 0.3, 0.5]) == 0.5


def test_a_file_s_figures_count_kept_pairs_by_threshold_and_right_ones_by_kind() -> None:
    found = of_rows("cups", ROWS, Words())
    assert (found.pairs, found.entailed, found.auroc) == (5, 2, 1.0)
    assert found.by_threshold["0.5"] == (2 / 3, 1.0, 3)
    assert found.by_threshold["0.9"] == (1.0, 1.0, 2)
    assert found.by_kind == {"added": (0.0, 1), "changed": (1.0, 2), "plain": (1.0, 2)}
    assert found.accuracy == 0.8


def test_of_sick_what_passes_is_counted_at_the_threshold_that_keeps_four_fifths() -> None:
    rows = [Row("a", "b", label, "sick") for label in ["entailment"] * 5 + ["contradiction"] * 2 + ["neutral"] * 4]
    scores = [0.9, 0.8, 0.7, 0.6, 0.1, 0.65, 0.2, 0.95, 0.3, 0.3, 0.3]
    found = of_sick(rows, scores)
    assert (found.contradictions, found.neutrals) == (0.5, 0.25)
    assert found.precision == pytest.approx(4 / 6)


def test_a_folder_is_measured_without_its_training_files(tmp_path: Path) -> None:
    for name in ("train_cups", "test_cups"):
        with gzip.open(tmp_path / f"{name}.jsonl.gz", "wt") as file:
            file.writelines(json.dumps(vars(row)) + "\n" for row in ROWS)
    (tmp_path / "SICK_own.txt").write_text(
        "pair_ID\tsentence_A\tsentence_B\trelatedness_score\tentailment_judgment\n"
        "1\tA cup is red\tA cup is red\t5\tENTAILMENT\n"
        "2\tA cup is red\tA cup is not red\t3\tCONTRADICTION\n"
        "3\tA cup is red\tA plate flies\t1\tNEUTRAL\n"
    )
    assert [row.label for row in read_sick(tmp_path / "SICK_own.txt")] == ["entailment", "contradiction", "neutral"]
    found = entailment_quality.measure(Words(), tmp_path, tmp_path, limit=4, said=lambda _: None)
    assert set(found) == {"test_cups", "SICK_own", "SICK_own with the rule of negation"}
    assert found["test_cups"]["pairs"] == 4
    assert found["SICK_own with the rule of negation"]["auroc"] == 1.0


def test_without_a_model_or_files_nothing_is_measured(tmp_path: Path) -> None:
    for checker in (Words(), NoChecker()):
        with pytest.raises(Invalid, match="/readyz"):
            entailment_quality.measure(checker, tmp_path, tmp_path, limit=4, said=lambda _: None)
