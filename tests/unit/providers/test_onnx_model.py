"""Texts are run in groups of like length, so that memory does not grow with how many there are."""

from hypothesis import given
from hypothesis import strategies as st

from memoryhub.providers.embeddings import embedder
from memoryhub.providers.onnx_model import TOKENS_AT_ONCE, alike


@given(st.lists(st.integers(1, 256), max_size=80))
def test_every_text_is_run_once_and_no_run_is_larger_than_allowed(lengths: list[int]) -> None:
    groups = list(alike(lengths))
    assert sorted(place for group in groups for place in group) == list(range(len(lengths)))
    for group in groups:
        assert len(group) * max(lengths[place] for place in group) <= TOKENS_AT_ONCE


def test_a_text_has_the_same_vector_alone_and_among_longer_and_shorter_ones() -> None:
    texts = [
        "Tea.",
        "The dock gate was painted green in May. " * 40,
        "I moved to Lisbon",
        "Please ring after six. " * 9,
    ]
    together = embedder().embed(texts * 3)
    for place, text in enumerate(texts * 3):
        (alone,) = embedder().embed([text])
        assert sum(a * b for a, b in zip(alone, together[place], strict=True)) > 0.99999
