"""One organisation that calls the hub over its REST API."""

from collections.abc import Iterator

import pytest

from memoryhub.providers.embeddings import HashingEmbedder, using
from tests.cast import Cast


@pytest.fixture(autouse=True)
def _no_meaning_needed() -> Iterator[None]:
    """These tests turn on the contract; the model is tested where meaning matters."""
    with using(HashingEmbedder()):
        yield


@pytest.fixture
def cast(db: None) -> Cast:
    return Cast()


@pytest.fixture
def strangers(db: None) -> Cast:
    """Another organisation, which must never see anything of the first."""
    return Cast()


@pytest.fixture
def committed_cast(committed_db: None) -> Cast:
    """For calls in parallel: what they write stays."""
    return Cast()
