"""Words that a process remembers are let go of after an erasure."""

import pytest

from memoryhub import word_caches
from memoryhub.governance.terms import field_of
from memoryhub.word_caches import _seen, holds_words, notice
from memoryhub.working.patterns import _recent


@pytest.fixture(autouse=True)
def _as_before(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(_seen, "count", 1)
    monkeypatch.setattr(_seen, "again", None)


@holds_words(most=4)
def _shouted(text: str) -> str:
    return text.upper()


def _held() -> int:
    return int(_shouted.cache_info().currsize)  # type: ignore[attr-defined]


def test_they_are_remembered_until_there_is_an_erasure() -> None:
    word_caches.empty()
    assert _shouted("figs") == "FIGS"
    notice(1)
    assert _held() == 1
    notice(2)
    assert _held() == 0


def test_what_a_thread_from_before_remembers_goes_a_while_later(monkeypatch: pytest.MonkeyPatch) -> None:
    now = 1000.0
    monkeypatch.setattr(word_caches.time, "monotonic", lambda: now)
    notice(2)
    _shouted("figs")
    notice(2)
    assert _held() == 1
    now += word_caches.AGAIN_AFTER
    notice(2)
    assert _held() == 0
    _shouted("figs")
    notice(2)
    assert _held() == 1


def test_every_cache_of_words_is_emptied() -> None:
    field_of("doctor")
    _recent.grams_of("a doctor")
    word_caches.empty()
    assert field_of.cache_info().currsize == 0  # type: ignore[attr-defined]
    assert _recent._texts == ()
