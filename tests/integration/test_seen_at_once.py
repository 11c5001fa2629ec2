"""What is corrected or forgotten is so for the very next question, whoever asks and through whichever connection (S20)."""

import threading
from collections.abc import Callable, Iterator

import pytest
from django.db import connection

from memoryhub.providers.embeddings import HashingEmbedder, using
from tests.cast import Cast

pytestmark = pytest.mark.usefixtures("committed_db")

OTHERS = 3  # connections that asked before, and so have plans, keys and words in memory


@pytest.fixture(autouse=True)
def _no_meaning_needed() -> Iterator[None]:
    with using(HashingEmbedder()):
        yield


class Asker:
    """Somebody with a connection of their own, who asks when told to."""

    def __init__(self, cast: Cast) -> None:
        self.cast, self.answer = cast, ""
        self._ask, self._asked = threading.Barrier(2), threading.Barrier(2)
        self._over = False
        self._thread = threading.Thread(target=self._run, daemon=True)
        self._thread.start()

    def _run(self) -> None:
        while True:
            self._ask.wait(60)
            if self._over:
                connection.close()
                return
            question = {"subject": "nora", "query": "which seat"}
            told = [self.cast.post(path, question).body for path in ("/recall", "/context")]
            self.answer = str(told)
            self._asked.wait(60)

    def ask(self) -> str:
        self._ask.wait(60)
        self._asked.wait(60)
        return self.answer

    def end(self) -> None:
        self._over = True
        self._ask.wait(60)
        self._thread.join(60)


@pytest.fixture
def askers() -> Iterator[tuple[Cast, list[Asker]]]:
    cast = Cast()
    cast.key("bot")
    cast.say("I prefer the window seat")
    those = [Asker(cast) for _ in range(OTHERS)]
    yield cast, those
    for one in those:
        one.end()


def _correct(cast: Cast, entry: str) -> None:
    assert cast.patch(f"/memories/{entry}", {"text": "I prefer the aisle seat"}).status == 200


def _forget(cast: Cast, entry: str) -> None:
    assert cast.delete(f"/memories/{entry}").status == 200


def _forget_all(cast: Cast, entry: str) -> None:
    assert cast.delete("/subjects/nora/memories").status == 200


@pytest.mark.parametrize("change", [_correct, _forget, _forget_all])
def test_the_next_question_anybody_asks_is_answered_without_it(
    askers: tuple[Cast, list[Asker]], change: Callable[[Cast, str], None]
) -> None:
    cast, those = askers
    assert all("window" in one.ask() for one in those)
    (entry,) = cast.get("/memories?subject=nora").body["items"]
    change(cast, entry["id"])
    assert [one for one in those if "window" in one.ask()] == []
