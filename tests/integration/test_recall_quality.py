"""bench_recall: a set is stored through the gate, asked through recall, and leaves nothing behind."""

from itertools import pairwise

import pytest

from accounts.models import Organisation
from memoryhub.evaluation.datasets import Collection, Passage, Question
from memoryhub.evaluation.recall_quality import BARS, measure, ndcg, recall_at
from memoryhub.providers.embeddings import HashingEmbedder, using
from tests.factories.ground import NOW

PASSAGES = tuple(
    Passage(str(number), text, speaker="Ilse" if number % 2 else "Tomasz", said_at=NOW, session="s")
    for number, text in enumerate(
        ("Rye bread needs a sour dough.", "The cellar floods in April.", "Our ferry leaves at dawn.", "Goats eat ivy.")
    )
)


def test_a_set_is_measured_and_erased(db: None) -> None:
    questions = (
        Question("What does rye bread need?", "one", {"0": 1}),
        Question("When does the cellar flood?", "two", {"1": 1}),
        Question("Zzz qqq?", "two", {"3": 1}, counts=False),
    )
    before = set(Organisation.objects.values_list("slug", flat=True))
    with using(HashingEmbedder()):
        figures = measure([Collection("one", PASSAGES, questions)], now=NOW).as_json()
    assert figures["questions"] == 2
    assert figures["recall@5"] == figures["recall@10"] == figures["ndcg@10"] == 1.0
    assert figures["by_category"]["two"]["questions"] == 2
    assert figures["lexical_empty"] == 1
    assert figures["passages"] == {"offered": 4, "kept": 4}
    assert set(Organisation.objects.values_list("slug", flat=True)) == before


@pytest.mark.parametrize(
    ("given", "answers", "expected"),
    [
        (["a", "b"], {"a": 1}, 1.0),
        (["b", "a"], {"a": 1}, 0.6309),
        (["a", "b"], {"a": 1, "b": 4}, 0.7609),
        (["x"], {"a": 1}, 0.0),
        ([], {"a": 1}, 0.0),
    ],
)
def test_gain_is_discounted_by_place_and_compared_with_the_best_order(
    given: list[str], answers: dict[str, int], expected: float
) -> None:
    assert ndcg(given, answers) == pytest.approx(expected, abs=1e-4)


def test_recall_is_the_share_of_the_answers_that_came() -> None:
    assert recall_at(["a", "x", "b"], {"a": 1, "b": 1, "c": 1}, 2) == pytest.approx(1 / 3)


def test_where_nothing_answers_a_curve_says_what_each_bar_would_do(db: None) -> None:
    questions = (
        Question("What does rye bread need?", "there", {"0": 1}),
        Question("Zzz qqq?", "nowhere", {}, counts=False),
    )
    with using(HashingEmbedder()):
        figures = measure([Collection("one", PASSAGES, questions)], now=NOW).as_json()
    curve = figures["abstention"]
    assert figures["questions"] == 1
    assert [row["bar"] for row in curve] == list(BARS)
    assert curve[0] == {"bar": 0.0, "there": 1.0, "nowhere": 0.0}
    assert all(later["nowhere"] >= sooner["nowhere"] for sooner, later in pairwise(curve))
    assert all(later["there"] <= sooner["there"] for sooner, later in pairwise(curve))
    assert curve[-1]["nowhere"] == 1.0
