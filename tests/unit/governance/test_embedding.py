"""What was begun while the gate looked things up is what the entry gets, and only if it is just that text's."""

from collections.abc import Iterator, Sequence
from datetime import UTC, datetime

import pytest

from memoryhub.governance import embedding
from memoryhub.models import Entry
from memoryhub.providers.embeddings import HashingEmbedder, using
from memoryhub.vocabulary import EmbeddingState, Kind
from tests.factories.embedders import Broken


class Counting(HashingEmbedder):
    """Remembers what it was asked."""

    def __init__(self) -> None:
        self.asked: list[str] = []

    def embed(self, texts: Sequence[str]) -> list[list[float]]:
        self.asked += texts
        return super().embed(texts)


@pytest.fixture
def model() -> Iterator[Counting]:
    with using(Counting()) as counting:
        assert isinstance(counting, Counting)
        yield counting


def entry(content: str, *, key: str = "", kind: Kind = Kind.SEMANTIC) -> Entry:
    return Entry(content=content, key=key, kind=kind, valid_from=datetime(2026, 3, 1, tzinfo=UTC))


@pytest.mark.parametrize(("key", "embedded"), [("home_city", "home city: I moved to Pune"), ("", "I moved to Pune")])
def test_what_was_begun_is_not_embedded_again(model: Counting, key: str, embedded: str) -> None:
    one = entry("I moved to Pune", key=key)
    begun = embedding.begin(kind=Kind.SEMANTIC, key=key, content="I moved to Pune")
    assert embedding.give([(one, None)], begun=begun)
    assert model.asked == [embedded]
    assert one.embedding == HashingEmbedder().embed([embedded])[0]
    assert one.embedding_state == EmbeddingState.READY


def test_other_words_than_begun_get_their_own_embedding(model: Counting) -> None:
    one = entry("I moved to Porto", key="home_city")
    begun = embedding.begin(kind=Kind.SEMANTIC, key="home_city", content="I moved to Pune")
    assert embedding.give([(one, None)], begun=begun)
    assert one.embedding == HashingEmbedder().embed(["home city: I moved to Porto"])[0]


def test_what_happened_is_not_begun_before_its_day_is_known(model: Counting) -> None:
    assert embedding.begin(kind=Kind.EPISODIC, key="", content="The fair was cancelled") is None
    assert model.asked == []


def test_a_model_that_is_away_leaves_what_was_begun_pending() -> None:
    with using(Broken()):
        one = entry("I moved to Pune")
        begun = embedding.begin(kind=Kind.SEMANTIC, key="", content="I moved to Pune")
        assert not embedding.give([(one, None)], begun=begun)
    assert one.embedding_state == EmbeddingState.PENDING


def test_what_nobody_needs_any_more_is_not_waited_for(model: Counting) -> None:
    begun = embedding.begin(kind=Kind.SEMANTIC, key="", content="I moved to Pune")
    assert begun is not None
    begun.drop()  # whether it ran already or not
    assert begun.vectors.cancelled() or begun.vectors.result()
