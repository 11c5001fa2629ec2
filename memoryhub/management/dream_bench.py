"""What does a night cost, per session, and does its memory grow with what waits? On a hub of its own, with the model.

The turns are a file's (one JSON object a line, as `replay` takes them), or made up; with copies, the same sessions come
again under other names. They are received past HTTP but by the same verb, then dreamt by the command. Wall-clock time
says how long it took on this machine as busy as it was, processor time what it cost.
"""

import json
import resource
import tempfile
import time
from collections.abc import Callable, Iterator
from dataclasses import asdict, dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any, Final

import psutil

from memoryhub.management import replay
from memoryhub.management.measured_hub import Hub, running

ORGANISATION: Final = "bench-dream"
MADE_UP: Final = 100  # sessions, where there is no file
SAID: Final = (
    "Hello.", "I prefer the quiet floor.", "Can you move my booking to Friday?", "Why not?", "Then leave it.", "Bye.",
)  # fmt: skip
Turn = dict[str, Any]


@dataclass(frozen=True)
class Night:
    """One dream: what it read, seconds by the wall and of the processor (its own and the database's), and the most
    memory its process took, in MB."""

    sessions: int
    events: int
    seconds: float
    cpu_seconds: float
    database_cpu_seconds: float
    peak_mb: float

    @property
    def milliseconds_a_session(self) -> float:
        return 1000 * self.seconds / max(1, self.sessions)

    def as_json(self) -> dict[str, float]:
        cost = 1000 * (self.cpu_seconds + self.database_cpu_seconds) / max(1, self.sessions)
        return {
            **asdict(self),
            "milliseconds_a_session": round(self.milliseconds_a_session, 1),
            "cpu_milliseconds_a_session": round(cost, 1),
        }


def run(path: Path | None, *, copies: int, said: Callable[[str], None]) -> list[Night]:
    """One night over the turns as they are, and with more than one copy another over all the copies."""
    sessions = replay.read(path) if path is not None else list(made_up(MADE_UP))
    nights: list[Night] = []
    with tempfile.TemporaryDirectory(prefix="memoryhub-bench-", dir="/var/tmp") as folder:
        Path(folder).chmod(0o755)
        with running(Path(folder) / "data") as (hub, _):
            for number in sorted({1, copies}):
                file = Path(folder) / f"turns-{number}.jsonl"
                with file.open("w", encoding="utf-8") as lines:
                    lines.writelines(json.dumps(turn) + "\n" for turn in copied(sessions, number, first=len(nights)))
                said(f"{number * len(sessions)} sessions are received …")
                hub.command("replay", str(file), "--organisation", ORGANISATION, "--json")
                nights.append(_night(hub))
                said(in_words(nights[-1]))
    return nights


def in_words(night: Night) -> str:
    """A night's figures for a person at a terminal."""
    return (
        f"{night.sessions} sessions, {night.events} turns: {night.seconds:.1f} s, "
        f"{night.milliseconds_a_session:.0f} ms a session; processor {night.cpu_seconds:.1f} s and "
        f"{night.database_cpu_seconds:.1f} s of the database; at most {night.peak_mb:.0f} MB"
    )


def copied(sessions: list[list[Turn]], copies: int, *, first: int = 0) -> Iterator[Turn]:
    """Every turn as often, each copy's sessions, events and subjects under names of their own."""
    for copy in range(first, first + copies):
        for session in sessions:
            for turn in session:
                yield {**turn, **{name: f"{turn[name]}-{copy}" for name in ("event_id", "session_id", "subject")}}


def made_up(count: int) -> Iterator[list[Turn]]:
    """Sessions of a desk that books and refuses."""
    begin = datetime(2026, 1, 5, 9, tzinfo=UTC)
    for number in range(count):
        yield [
            {
                "event_id": f"made-{number}-{turn}",
                "session_id": f"made-{number}",
                "subject": f"guest-{number}",
                "occurred_at": (begin + timedelta(hours=number, minutes=turn)).isoformat(),
                "user_input": said,
                "assistant_output": "Certainly, one moment.",
                "actions": [_moved(str(4000 + number), late=number % 3 == 0)] if turn == 2 else [],
            }
            for turn, said in enumerate(SAID)
        ]


def _moved(booking: str, *, late: bool) -> dict[str, Any]:
    detail, result = (f"Booking {booking} has begun", "refused") if late else ("", "ok")
    return {
        "tool": "move_booking",
        "arguments": {"booking": booking},
        "ok": not late,
        "result": result,
        "detail": detail,
    }


def _night(hub: Hub) -> Night:
    """One dream as the command runs it; the start of the command is not counted as the dream's time."""
    database = hub.parts()["database"]
    before, own = _cpu(database), resource.getrusage(resource.RUSAGE_CHILDREN)
    began = time.perf_counter()
    told = json.loads(hub.command("dream", "--organisation", ORGANISATION, "--json"))
    whole = time.perf_counter() - began
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    started, finished = (datetime.fromisoformat(told[name]) for name in ("started_at", "finished_at"))
    return Night(
        sessions=told["report"]["sessions"],
        events=told["report"]["events"],
        seconds=round(min(whole, (finished - started).total_seconds()), 2),
        cpu_seconds=round(used.ru_utime + used.ru_stime - own.ru_utime - own.ru_stime, 2),
        database_cpu_seconds=round(max(0.0, _cpu(hub.parts()["database"]) - before), 2),
        peak_mb=round(used.ru_maxrss / 1024, 1),
    )


def _cpu(processes: list[psutil.Process]) -> float:
    """Seconds of the processor that these have taken, with those of children that ended."""
    total = 0.0
    for process in processes:
        try:
            times = process.cpu_times()
        except psutil.NoSuchProcess:
            continue
        total += times.user + times.system + times.children_user + times.children_system
    return total
