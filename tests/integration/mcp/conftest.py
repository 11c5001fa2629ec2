"""One organisation whose agents call their tools over /mcp."""

from collections.abc import Iterator

import pytest

from memoryhub.providers.embeddings import HashingEmbedder, using
from tests.cast import Cast
from tests.door import Door


@pytest.fixture(autouse=True)
def _no_meaning_needed() -> Iterator[None]:
    with using(HashingEmbedder()):
        yield


@pytest.fixture
def cast(db: None) -> Cast:
    return Cast()


@pytest.fixture
def door(cast: Cast) -> Door:
    return Door(cast)
