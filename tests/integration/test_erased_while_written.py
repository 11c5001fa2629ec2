"""Somebody is forgotten while all doors write about them: whatever was answered before is nowhere afterwards, and what
was under way is there whole or not at all (S18, R91).
"""

import io
import threading
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from django.core.management import call_command
from django.db import connection
from django.utils import timezone

from accounts.ids import new_id
from memoryhub import jobs
from memoryhub.governance import access, archives, audit, subjects, transfer, verification
from memoryhub.providers.embeddings import HashingEmbedder, using
from memoryhub.tenancy import ALL_SUBJECTS, acting_for, system_principal
from tests.cast import Cast
from tests.door import Door
from tests.integration.population import every_row, holding, word_of

pytestmark = pytest.mark.usefixtures("committed_db")

WHO = "ada"
MOST = 4000  # times that a door is gone through; there are words enough for each
EACH = 1  # times that the slowest door has to be through, before and after
AN_ANSWER = frozenset({200, 201, 202, 204, 404, 409, 422})  # 404: of a conversation that was forgotten meanwhile


@pytest.fixture(autouse=True)
def _no_meaning_needed() -> Iterator[None]:
    with using(HashingEmbedder()):
        yield


class Writer:
    """One door that is gone through again and again, each time with a word of its own."""

    def __init__(self, place: int, way: Callable[[str, int], object]) -> None:
        self.way, self._place = way, place
        self.through: list[str] = []  # words whose call was answered
        self.words: list[str] = []
        self.error: BaseException | None = None
        self._over = threading.Event()
        self._thread = threading.Thread(target=self._run)
        self._thread.start()

    def _run(self) -> None:
        try:
            while not self._over.is_set():
                number = len(self.words)
                assert number < MOST
                self.words.append(word_of(3000 + MOST * self._place + number))  # never the same twice
                self.way(self.words[-1], number)
                self.through.append(self.words[-1])
        except BaseException as error:  # told where it is ended
            self.error = error
        finally:
            connection.close()

    def wait(self, *, times: int) -> None:
        for _ in range(3000):
            if self.error or len(self.through) >= times:
                break
            threading.Event().wait(0.02)
        assert (self.error, len(self.through) >= times) == (None, True), (self.way, self.error)

    def end(self) -> None:
        self._over.set()
        self._thread.join(60)

    def check(self) -> None:
        assert self.error is None, (self.way, self.error)


def ways(cast: Cast, folder: Path) -> list[Callable[[str, int], object]]:
    """Every door by which words about somebody come in or are copied."""
    door = Door(cast)

    def ok(reply: Any) -> None:
        assert reply.status in AN_ANSWER, reply

    def said(word: str, number: int) -> None:
        ok(cast.say(f"I prefer the {word} blend", subject=WHO, Idempotency_Key=f"said-{number}"))

    def turned(word: str, number: int) -> None:
        turn = {"event_id": f"e-{number}", "session_id": f"s-{number % 3}", "subject": WHO,
                "user_input": f"My favourite dish is {word} stew.", "assistant_output": f"I noted {word}.",
                "state": {"dish": word}}  # fmt: skip
        ok(cast.post("/turns", turn))

    def worked(word: str, number: int) -> None:
        at = f"/sessions/s-{number % 3}"
        ok(cast.patch(f"{at}/state", {"note": word}))
        ok(cast.post(f"{at}/offload", {"text": f"A long page about {word}."}))

    def filed(word: str, number: int) -> None:
        file = {"path": f"/memories/{word}.md", "file_text": f"I drink {word} cider\n", "channel": "user_message"}
        ok(cast.post("/memory-tool", {"subject": WHO, "command": "create", **file}))

    def pushed(word: str, number: int) -> None:
        ok(cast.push({"locker": f"{word} row"}, subject=WHO))

    def remembered(word: str, number: int) -> None:
        arguments = {"subject": WHO, "text": f"The customer likes {word} scones", "channel": "agent_inference"}
        told = door.call("remember", arguments)
        assert not told.is_error or told.code in ("not_found", "conflict"), told

    def imported(word: str, number: int) -> None:
        path = folder / f"{number}.jsonl"
        path.write_text(transfer.as_line({**line, "id": str(new_id()), "text": f"I keep {word} soap"}) + "\n")
        call_command("import", str(path), organisation=cast.slug, json=True, stdout=io.StringIO(), stderr=io.StringIO())

    def packed(word: str, number: int) -> None:
        by = system_principal(access.organisation_of(cast.slug).pk, "test")
        with acting_for(by, subjects=ALL_SUBJECTS):
            subject = subjects.find(external_id=WHO, by=by)
            archives.ask(subject=subject, by=by, now=timezone.now())
        jobs.run_one(now=timezone.now(), kinds=frozenset({archives.JOB}))

    def dreamt(word: str, number: int) -> None:
        call_command("dream", "--organisation", cast.slug, stdout=io.StringIO())

    line = _line(cast)
    return [said, turned, worked, filed, pushed, remembered, imported, packed, dreamt]


def _line(cast: Cast) -> dict[str, Any]:
    """A statement as a file has it, without its seal."""
    by = system_principal(access.organisation_of(cast.slug).pk, "test")
    with acting_for(by, subjects=ALL_SUBJECTS):
        (line,) = transfer.lines(by=by, now=timezone.now())
    return {name: value for name, value in line.items() if name != "seal"}


def test_what_was_answered_before_is_nowhere_and_forgetting_again_leaves_nothing(tmp_path: Path) -> None:
    cast = Cast()
    for part in ("bot", "crm", "desk", "olga"):
        cast.key(part)
    cast.put(f"/subjects/{WHO}", {"kind": "person"}, by="olga")
    cast.say("I prefer the window seat", subject=WHO)
    writers = [Writer(place, way) for place, way in enumerate(ways(cast, tmp_path))]
    try:
        for one in writers:
            one.wait(times=EACH)
        before = {word: word for one in writers for word in tuple(one.through)}
        receipt = cast.delete(f"/subjects/{WHO}/memories", by="olga")
        assert (receipt.status, receipt.body["remaining"]) == (200, 0)
        for one in writers:
            one.wait(times=len(one.through) + EACH)
    finally:
        for one in writers:
            one.end()
    for one in writers:
        one.check()
    assert holding(before, every_row()) == {}
    _nothing_is_left(cast)

    assert cast.delete(f"/subjects/{WHO}/memories", by="olga").body["remaining"] == 0
    assert holding({word: word for one in writers for word in one.words}, every_row()) == {}
    _nothing_is_left(cast)


def _nothing_is_left(cast: Cast) -> None:
    by = system_principal(access.organisation_of(cast.slug).pk, "test")
    with acting_for(by, subjects=ALL_SUBJECTS):
        assert list(verification.left_behind(by.organisation)) == []
        assert audit.first_broken_link(by.organisation) is None
