"""Training pairs: true ones say what was said, wrong ones differ, the same seed gives the same, and no test file is read."""

import gzip
import json
import random
import re
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memoryhub.errors import Invalid
from memoryhub.evaluation.entailment_training import (
    derived_rows,
    exporting,
    learning,
    mixture,
    own_rows,
    pictures,
    scenes,
    telling,
)
from memoryhub.evaluation.entailment_training.rows import LABELS, NOT_ENTAILMENT, Row, read_for_training
from memoryhub.evaluation.entailment_training.values import KINDS, near, rewritten, third_person, value


@pytest.mark.parametrize("name", ["test_star", "evalonly_dialogsum", "sick", "other_train_set"])
def test_only_files_named_for_training_are_read(tmp_path: Path, name: str) -> None:
    with pytest.raises(Invalid, match="not for training"):
        read_for_training(tmp_path, name)


def test_every_file_of_the_mixture_is_one_for_training() -> None:
    assert all(name.startswith("train_") for name in (*mixture.GENERAL, *mixture.CONVERSATIONS))


@pytest.mark.parametrize(
    ("said", "told"),
    [
        ("change my seat", "change their seat"),
        ("I'm late and I've lost mine", "they are late and they have lost theirs"),
        ("I’d like you to call me", "they would like the agent to call them"),
        ("meet in Miami on my mum's birthday", "meet in Miami on their mum's birthday"),
        ("send it to us ourselves", "send it to them themselves"),
    ],
)
def test_what_a_customer_says_of_themselves_is_told_of_them(said: str, told: str) -> None:
    assert third_person(said) == told


@given(st.sampled_from(KINDS), st.integers(0, 10_000))
def test_a_changed_value_is_another_one(kind: str, seed: int) -> None:
    rng = random.Random(seed)
    old = value(kind, rng)
    assert near(kind, old, rng).lower() != old.lower()


@pytest.mark.parametrize(
    ("kind", "old", "new"),
    [("date", "May 3", "3 May"), ("date", "3 May", "May 3"), ("amount", "$40", "40 dollars"), ("amount", "40 dollars", "$40"),
     ("number", "two", "2"), ("number", "3", "three"), ("time", "3 pm", "3:00 pm"), ("place", "Oslo", "Oslo"),
     ("amount", "40 euros", "40 euros")],
)  # fmt: skip
def test_a_value_is_written_another_way_where_there_is_a_simple_one(kind: str, old: str, new: str) -> None:
    assert rewritten(kind, old) == new


@given(
    st.sampled_from([wish for wish in telling.wishes() if ":from}" in wish[1] and ":to}" in wish[1]]),
    st.integers(0, 99),
)
def test_from_and_to_are_exchanged_and_nothing_else(wish: tuple[str, str, tuple[str, ...]], seed: int) -> None:
    filled = telling.filled(*wish, random.Random(seed))
    swapped = filled.swapped()
    assert swapped is not None
    assert swapped != filled.said
    assert sorted(swapped.split()) == sorted(filled.said.split())


def test_the_same_seed_gives_the_same_rows_and_another_seed_others() -> None:
    assert own_rows.rows(300, seed=4) == own_rows.rows(300, seed=4)
    assert own_rows.rows(300, seed=4) != own_rows.rows(300, seed=5)


def test_no_own_row_has_a_place_left_open_and_no_pair_is_both_true_and_false() -> None:
    rows = own_rows.rows(6000, seed=11)
    assert not [row for row in rows if re.search(r"[{}]", row.premise + row.hypothesis)]
    verdicts: dict[tuple[str, str], set[bool]] = {}
    for row in rows:
        verdicts.setdefault((row.premise.lower(), row.hypothesis.lower().rstrip(".")), set()).add(row.entailed)
    assert not [pair for pair, both in verdicts.items() if len(both) > 1]


def test_every_maker_gives_true_and_false_rows_but_for_lone_ones() -> None:
    for maker, _ in own_rows.KINDS_OF_ROWS:
        rng = random.Random(3)
        labels = {row.label for _ in range(60) for row in maker(rng)}
        assert labels == {LABELS[0], NOT_ENTAILMENT}, maker.__name__


def test_questions_and_remarks_are_written_twice() -> None:
    for said, told, items in (*telling.twice_told(scenes.QUESTIONS), *telling.twice_told(scenes.REMARKS)):
        assert said
        assert told
        assert ("{item}" in said) == bool(items), said


EXCERPT = Row(
    "Customer: Hi, I want to move my desk from Ghent to Bruges on Monday.\nAgent: Shall I send a van?\nCustomer: can you "
    "call me at 5 pm?",
    "-", NOT_ENTAILMENT, "set:kind:movers",
)  # fmt: skip


def test_only_the_customers_turns_of_an_excerpt_are_told() -> None:
    assert derived_rows.customer_turns(EXCERPT.premise) == [
        "Hi, I want to move my desk from Ghent to Bruges on Monday.",
        "can you call me at 5 pm?",
    ]
    assert derived_rows.customer_turns("user: hi Agent: yes? user: a tea") == ["hi", "a tea"]
    assert derived_rows.customer_turns("hello\ni need help") == ["hello", "i need help"]


def test_turns_are_told_in_their_own_words_or_wrong_in_one_point() -> None:
    others = [
        Row(f"I need to sell {word} hats quickly.", "-", NOT_ENTAILMENT, "set:k:d")
        for word in "abcdefghijklmnopqrstuvwxyzäöü"
    ]
    rows = derived_rows.near_verbatim([EXCERPT, *others], 200, seed=1)
    of_desk = [row for row in rows if "desk" in row.premise]
    told = [row.hypothesis for row in of_desk if row.entailed]
    assert len(told) == 1
    assert "move their desk from Ghent to Bruges" in told[0]
    assert all("Agent:" not in row.premise for row in rows)
    assert any(not row.entailed for row in of_desk)


def test_captions_change_in_one_word_with_the_right_label() -> None:
    captions = [Row("A man is sitting on a bench", "A girl is running to the shop", LABELS[0], "x")]
    rows = derived_rows.changed_captions(captions, 50, seed=2)
    assert rows
    assert {row.label for row in rows} <= {*LABELS, NOT_ENTAILMENT}
    assert all(row.premise != row.hypothesis for row in rows)


def test_pictures_are_the_same_for_the_same_seed_and_no_pair_of_them_is_both_true_and_false() -> None:
    rows = pictures.rows(6000, seed=11)
    assert rows == pictures.rows(6000, seed=11)
    verdicts: dict[tuple[str, str], set[bool]] = {}
    for row in rows:
        pair = (row.premise.lower().rstrip("."), row.hypothesis.lower().rstrip("."))
        verdicts.setdefault(pair, set()).add(row.entailed)
    assert not [pair for pair, both in verdicts.items() if len(both) > 1]


def test_of_a_picture_as_much_follows_as_does_not() -> None:
    rows = pictures.rows(4000, seed=5)
    assert 0.4 < sum(row.entailed for row in rows) / len(rows) < 0.6
    assert {row.label for row in rows} == {*LABELS, NOT_ENTAILMENT}


MOWER = pictures.Picture(
    pictures.Word("woman", ("lady",), ("person",), ("man",)), pictures.Word("mowing/mown", opposite=("planting/planted",)),
    thing=pictures.Word("lawn"), of_thing=pictures.Word("wet", opposite=("dry",)), worn=pictures.Word("a red hat"),
)  # fmt: skip


@pytest.mark.parametrize("seed", range(20))
def test_a_wider_picture_says_less_and_a_broken_one_something_else(seed: int) -> None:
    rng = random.Random(seed)
    less, wrong = pictures.wider(MOWER, rng), pictures.broken(MOWER, rng)
    assert less in (
        pictures.replace(MOWER, being=pictures.Word("person")),
        pictures.replace(MOWER, of_thing=pictures.Word("")),
        pictures.replace(MOWER, worn=pictures.Word("")),
    )
    assert wrong is not None
    assert wrong[0] != MOWER
    assert wrong[1] != LABELS[0]


def test_a_denial_says_not_or_no_and_a_sentence_neither() -> None:
    for seed in range(40):
        denied = pictures.told(MOWER, random.Random(seed), denied=True).lower().split()
        assert ("not" in denied) != ("no" in denied)
        assert not {"not", "no"} & set(pictures.told(MOWER, random.Random(seed)).lower().split())


@pytest.mark.parametrize(
    ("one", "many"),
    [("lady", "ladies"), ("boy", "boys"), ("fisherman", "fishermen"), ("bus", "buses"), ("man who fishes", "men who fish"),
     ("biker on a bicycle", "bikers on a bicycle"), ("person who dances", "people who dance")],
)  # fmt: skip
def test_a_noun_has_its_plural(one: str, many: str) -> None:
    assert pictures._many(one) == many


def test_lower_layers_are_changed_less() -> None:
    def peak(name: str) -> float:
        return learning.peak_of(name, layers=6, rate=1e-4, head_rate=4e-4)

    assert peak("classifier.weight") == 4e-4
    assert peak("encoder.encoder.layer.5.output.dense.weight") == pytest.approx(1e-4)
    assert peak("encoder.encoder.layer.0.output.dense.weight") == pytest.approx(1e-4 * learning.DECAY**5)
    assert peak("encoder.embeddings.LayerNorm.weight") == pytest.approx(1e-4 * learning.DECAY**6)


class Number(float):
    """What mean_of needs of a tensor."""

    def is_floating_point(self) -> bool:
        return self % 1 != 0


def test_halfway_lies_in_the_middle_and_leaves_counts_alone() -> None:
    assert exporting.mean_of({"a": Number(1.5), "n": Number(4)}, {"a": Number(0.5), "n": Number(2)}) == {"a": 1, "n": 4}


def test_the_learning_rate_rises_falls_and_ends_at_nothing() -> None:
    assert learning.rate_at(0.0) == 0.0
    assert learning.rate_at(learning.WARM_UP) == pytest.approx(1.0)
    assert learning.rate_at(0.5) > learning.rate_at(0.9) > learning.rate_at(1.0)
    assert learning.rate_at(1.0) == pytest.approx(0.0, abs=1e-9)


def test_batches_hold_every_row_once_before_any_comes_again() -> None:
    rows = [Row("word " * (number % 7), str(number), LABELS[0], "x") for number in range(learning.BATCH * 3)]
    endless = learning.batches(rows, seed=1)
    seen = [row.hypothesis for _ in range(3) for row in next(endless)]
    assert sorted(seen, key=int) == [str(number) for number in range(len(rows))]


def test_a_mixture_is_made_of_small_files_too(tmp_path: Path) -> None:
    for name in (*mixture.GENERAL, *mixture.CONVERSATIONS):
        with gzip.open(tmp_path / f"{name}.jsonl.gz", "wt") as file:
            for number in range(40):
                row = Row(
                    f"I need to sell {number} hats today.", "A man sells hats.", LABELS[number % 3], f"{name}:k:d"
                )
                file.write(json.dumps(vars(row)) + "\n")
    rows = mixture.rows(tmp_path, seed=1)
    assert len(rows) > mixture.OWN
    assert {row.source.split(":")[0] for row in rows} >= {"own", "train_sgd", "turns"}
