"""Visitors, and a browser's cookie jar for each of them."""

from collections.abc import Callable, Iterator

import pytest
from django.core.cache import cache
from django.test import Client

from accounts.models import User
from memoryhub.providers.embeddings import HashingEmbedder, using
from tests.factories.visitors import Visitors, make_visitors

SignedIn = Callable[[User], Client]


@pytest.fixture(autouse=True)
def _no_meaning_needed() -> Iterator[None]:
    """Pages turn on words and rights; the model is tested where meaning matters."""
    cache.clear()
    with using(HashingEmbedder()):
        yield


@pytest.fixture
def visitors(db: None) -> Visitors:
    return make_visitors()


@pytest.fixture
def signed_in() -> SignedIn:
    def of(user: User) -> Client:
        client = Client()
        client.force_login(user)
        return client

    return of
