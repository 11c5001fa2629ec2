"""A worker that no longer wakes is noticed from outside, and started anew (security.md section 7)."""

from typing import Any

import pytest
from django.db import OperationalError

from memoryhub import conf, jobs
from memoryhub.management import launcher as launching
from memoryhub.management.watchdog import Watchdog


@pytest.fixture
def calls(monkeypatch: pytest.MonkeyPatch) -> dict[str, Any]:
    """What the watchdog asks of the job table, without one."""
    told: dict[str, Any] = {"pokes": 0, "silent": False}

    def poke() -> None:
        told["pokes"] += 1
        if told.get("fails"):
            raise OperationalError

    monkeypatch.setattr(jobs, "poke", poke)
    monkeypatch.setattr(jobs, "worker_silent", lambda **_: told["silent"])
    monkeypatch.setattr("memoryhub.management.watchdog.connection.close", lambda: None)
    return told


def test_it_wakes_the_worker_and_says_when_it_stays_silent(calls: dict[str, Any]) -> None:
    dog = Watchdog()
    dog.look()
    assert (calls["pokes"], dog.silent.is_set()) == (1, False)
    calls["silent"] = True
    dog.look()
    assert (calls["pokes"], dog.silent.is_set()) == (2, True)


def test_a_database_that_is_away_is_said_once_and_is_no_silent_worker(
    calls: dict[str, Any], caplog: pytest.LogCaptureFixture
) -> None:
    calls["fails"] = True
    dog = Watchdog()
    for _ in range(3):
        dog.look()
    assert not dog.silent.is_set()
    assert [record.message for record in caplog.records] == ["the watchdog can't reach the database (OperationalError)"]
    calls["fails"] = False
    dog.look()
    calls["fails"] = True
    dog.look()
    assert len(caplog.records) == 2


class Child:
    """A child of the launcher that only notes what is done to it."""

    def __init__(self, age: float) -> None:
        self.age, self.restarted = age, 0

    def keep_up(self) -> None:
        pass

    def restart(self, why: str) -> None:
        self.restarted += 1


@pytest.mark.parametrize(("age", "restarts"), [(1.0, 0), (conf.WORKER_SILENT_AFTER.total_seconds() + 1, 1)])
def test_the_launcher_starts_a_silent_worker_anew_but_leaves_a_fresh_one_its_time(age: float, restarts: int) -> None:
    running = launching.Launcher()
    worker = Child(age)
    running._web, running._worker = Child(1.0), worker  # type: ignore[assignment]
    looks = iter([False, False, True])

    class Ending:
        def wait(self, seconds: float) -> bool:
            return next(looks)

    running._ending = Ending()  # type: ignore[assignment]
    running._watchdog.silent.set()
    running._watch()
    assert worker.restarted == restarts
    assert not running._watchdog.silent.is_set()
