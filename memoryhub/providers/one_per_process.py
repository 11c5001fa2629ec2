"""How does a process come to its one model? Chosen when somebody first asks; tests lend it another."""

import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Generic, TypeVar

T = TypeVar("T")


class OnePerProcess(Generic[T]):
    """What `choose` gives, chosen once however many threads ask first."""

    def __init__(self, choose: Callable[[], T]) -> None:
        self._choose = choose
        self._choosing = threading.Lock()
        self.known: T | None = None  # None until somebody asked

    def get(self) -> T:
        """The one of this process."""
        if self.known is None:
            with self._choosing:
                if self.known is None:
                    self.known = self._choose()
        return self.known

    @contextmanager
    def using(self, other: T) -> Iterator[T]:
        """For tests: this one instead of the process's own, in all its threads. Lent things go back in turn: raises
        RuntimeError where two threads lent at once, or the one that ends last would leave the other's behind."""
        before, self.known = self.known, other
        try:
            yield other
        finally:
            if self.known is not other:
                raise RuntimeError("Another was lent meanwhile and is still in use: lend once, around all threads.")
            self.known = before
