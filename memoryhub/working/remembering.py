"""What was answered about a sentence just now? Several steps of the gate ask the same of the same words.

Only pure functions of one text are remembered, of few and short texts: nothing is kept for long, nor past an erasure.
"""

from collections.abc import Callable
from functools import wraps
from typing import Final, TypeVar

from memoryhub.word_caches import holds_words

_LATEST: Final = 32  # texts
_SHORT: Final = 1500  # characters

Answer = TypeVar("Answer")


def remembered(function: Callable[[str], Answer]) -> Callable[[str], Answer]:
    """The function, which looks only once at each of the short texts it was asked about last."""
    latest = holds_words(most=_LATEST)(function)

    @wraps(function)
    def answer(text: str) -> Answer:
        return latest(text) if len(text) < _SHORT else function(text)

    return answer
