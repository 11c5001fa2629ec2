"""Nearness beside the entailment model: which pairs are weighed how, and what is added to the log odds."""

from collections.abc import Sequence
from pathlib import Path

import pytest
from django.conf import settings

from memoryhub.errors import ModelUnavailable
from memoryhub.providers import embeddings, entailment
from memoryhub.providers.entailment import PACKAGED, EntailmentModel
from memoryhub.providers.nearness import CONVERSATIONS, SENTENCES, Weight, cosines, log_odds, parts_of, weight_of

SHOP = "Customer: I would like two pears.\nAgent: Of course! Anything else?\nCustomer: A bag. Thanks."


def by_letter(texts: Sequence[str]) -> list[list[float]]:
    """Two texts are near when they begin alike."""
    return [[float(text[:1] == letter) for letter in "IOACTM"] for text in texts]


@pytest.mark.parametrize(
    ("premise", "told", "weight"),
    [
        (SHOP, "Two pears were wanted.", CONVERSATIONS),
        ("Client: two pears", "Pears were wanted.", CONVERSATIONS),
        ("two pears\nand a bag", "Pears were wanted.", CONVERSATIONS),
        ("two pears please", "The customer wanted pears.", CONVERSATIONS),
        ("A man eats two pears.", "A man eats fruit.", SENTENCES),
        ("A man eats at 10:30 sharp.", "A man eats.", SENTENCES),
    ],
)
def test_what_somebody_said_is_weighed_otherwise_than_plain_sentences(premise: str, told: str, weight: Weight) -> None:
    assert weight_of((premise, told)) is weight


def test_a_conversation_is_taken_apart_into_its_sentences_without_names() -> None:
    sentences = ["I would like two pears.", "Of course!", "Anything else?", "A bag.", "Thanks."]
    assert parts_of(SHOP) == sentences
    assert parts_of(SHOP.replace("\n", " ")) == sentences, "in one line as well"
    assert parts_of("") == [""]
    assert parts_of("?") == ["?"]


def test_the_nearest_sentence_counts_and_of_plain_sentences_the_whole() -> None:
    assert cosines([(SHOP, "Anything was asked."), (SHOP, "Meat was asked.")], by_letter) == [1.0, 0.0]
    assert cosines([("Men run. Iron rusts.", "Iron rusts.")], by_letter) == [0.0]


def test_beyond_what_a_near_copy_has_more_nearness_adds_nothing() -> None:
    weight = Weight(by=2.0, most=0.8, offset=-1.0)
    assert weight.log_odds(0.5) == 0.0
    assert weight.log_odds(0.8) == weight.log_odds(1.0) == pytest.approx(0.6)
    assert log_odds([(SHOP, "Anything was asked.")], by_letter) == [CONVERSATIONS.log_odds(1.0)]
    assert log_odds([], by_letter) == []


def test_the_end_of_a_very_long_premise_is_not_held_against_the_sentence() -> None:
    longer = "Customer: hello\n" * 1000
    seen: list[str] = []

    def embed(texts: Sequence[str]) -> list[list[float]]:
        seen.extend(texts)
        return by_letter(texts)

    cosines([(f"{longer}Customer: Unread.", "Customers spoke.")], embed)
    assert "Unread." not in seen
    assert len(seen) < 5, "and what is said again is embedded once"


TRUE, FALSE = "The customer wanted two pears.", "The customer wanted to sell a house."


def test_it_moves_the_verdict_and_the_model_alone_is_to_be_had() -> None:
    cache = settings.MEMORYHUB_MODEL_CACHE
    alone = EntailmentModel(PACKAGED, name="alone", packaged=True, cache=cache)
    beside = EntailmentModel(PACKAGED, name="beside", packaged=True, cache=cache, embed=by_letter)
    pairs = [(SHOP, TRUE), ("A man eats two pears.", "A man eats.")]
    moved = log_odds(pairs, by_letter)
    assert min(abs(one) for one in moved) > 0.5
    for before, after, more in zip(alone.entails(pairs), beside.entails(pairs), moved, strict=True):
        odds = before / (1 - before) * 2.718281828459045**more
        assert after == pytest.approx(odds / (1 + odds), abs=1e-6)


def test_without_an_embedding_model_nothing_is_entailed() -> None:
    def fail(texts: Sequence[str]) -> list[list[float]]:
        raise ModelUnavailable("no embedding model")

    model = EntailmentModel(PACKAGED, name="beside", packaged=True, cache=settings.MEMORYHUB_MODEL_CACHE, embed=fail)
    assert model.entails([(SHOP, TRUE)]) == [0.0]


def test_the_packaged_embedding_model_is_asked_whatever_the_setting_names() -> None:
    with embeddings.using(embeddings.HashingEmbedder()):
        lent = embeddings.packaged()
        kept, dropped = entailment._choose("", settings.MEMORYHUB_MODEL_CACHE).entails([(SHOP, TRUE), (SHOP, FALSE)])
    assert lent.model_id.startswith(embeddings.NAME)
    assert kept > 0.5 > dropped
    with embeddings.using(lent):
        assert embeddings.packaged() is lent, "one is enough"


def test_another_cross_encoder_stands_alone(tmp_path: Path) -> None:
    other = entailment._choose(str(tmp_path), settings.MEMORYHUB_MODEL_CACHE)
    assert isinstance(other, EntailmentModel)
    assert other._embed is None
