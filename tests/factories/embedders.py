"""Embedders that differ in nothing but their vectors: two models, without waiting for either."""

from collections.abc import Callable, Sequence

from memoryhub.errors import ModelUnavailable
from memoryhub.providers.embeddings import HashingEmbedder


class Model(HashingEmbedder):
    """A twin under a name of its own: the same words, other vectors. `before` is called before texts are embedded."""

    def __init__(self, name: str, *, before: Callable[[Sequence[str]], None] | None = None) -> None:
        self.model_id = name
        self.before = before

    def embed(self, texts: Sequence[str]) -> list[list[float]]:
        if self.before is not None:
            self.before(texts)
        return super().embed([f"{self.model_id} {text}" for text in texts])


class Broken(HashingEmbedder):
    """A model with a name, whose weights do not load."""

    model_id = "broken@0"

    def embed(self, texts: Sequence[str]) -> list[list[float]]:
        raise ModelUnavailable
