"""Weights of nearness: what other weights and offsets would make of labelled pairs."""

from collections.abc import Sequence

import pytest

from memoryhub.evaluation.entailment_quality import auroc
from memoryhub.evaluation.entailment_training import weighing
from memoryhub.evaluation.entailment_training.rows import Row
from memoryhub.providers.nearness import CONVERSATIONS, SENTENCES


class Undecided:
    """A model that says one half to everything."""

    model_id = "undecided"

    def state(self) -> str:
        return "ok"

    def entails(self, pairs: Sequence[tuple[str, str]]) -> list[float]:
        return [0.5] * len(pairs)


def by_letter(texts: Sequence[str]) -> list[list[float]]:
    return [[float(text[:1] == letter) for letter in "AB"] for text in texts]


ROWS = [
    Row("A cup.", "A cup.", "entailment", "set"),
    Row("A cup.", "B cup.", "neutral", "set"),
    Row("B cup.", "B plate.", "neutral", "set"),
    Row("B cup.", "The customer wanted a cup.", "neutral", "set"),
]


def test_the_rows_of_the_commoner_kind_are_weighed_by_the_model_and_by_nearness() -> None:
    found = weighing.weighed("cups", ROWS, Undecided(), by_letter)
    assert found.weight is SENTENCES
    assert (found.entailed, found.cosine) == ((True, False, False), (1.0, 0.0, 1.0))
    assert found.of_model == pytest.approx((0.0, 0.0, 0.0))
    assert auroc(found.entailed, found.scores(0.0)) == 0.5
    assert auroc(found.entailed, found.scores(3.0)) == 0.75


def test_with_the_offset_as_many_are_expected_to_be_entailed_as_are() -> None:
    found = weighing.weighed("cups", ROWS, Undecided(), by_letter)
    added = weighing.offset([found], 2.0)
    expected = sum(1 / (1 + 2.718281828459045 ** -(score + added)) for score in found.scores(2.0))
    assert expected == pytest.approx(1.0, abs=1e-3)


def test_a_verdict_beyond_doubt_has_finite_log_odds_and_near_copies_count_no_further() -> None:
    class Sure(Undecided):
        def entails(self, pairs: Sequence[tuple[str, str]]) -> list[float]:
            return [1.0] * len(pairs)

    found = weighing.weighed("cups", ROWS[3:], Sure(), lambda texts: [[1.0] for _ in texts])
    assert found.weight is CONVERSATIONS
    assert found.scores(10.0)[0] - found.scores(0.0)[0] == pytest.approx(10 * CONVERSATIONS.most)
    assert found.of_model[0] < 50
