"""How fast does a hub take in recorded turns, and what becomes of them? Posts a file of turns over REST, with progress.

Several clients at once, each a whole session at a time, so that the turns of a session stay in order. An event id makes
a turn repeatable: replaying a file again writes nothing.
"""

import json
import threading
import time
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from queue import Empty, SimpleQueue
from typing import Any, Final

import httpx

from memoryhub.errors import HubError, Invalid

CLIENTS: Final = 4
PATIENCE: Final = 60.0  # seconds for one answer
TRIES: Final = 5  # of one turn, when the hub can't be reached or asks to wait

Turn = dict[str, Any]


class Unreachable(HubError):
    code = "unreachable"
    detail = "The hub does not answer."


@dataclass
class Figures:
    """What came of a replay; `refusals` holds one sentence per kind of refusal."""

    total: int
    seconds: float = 0.0
    outcomes: Counter[str] = field(default_factory=Counter)
    refusals: dict[str, str] = field(default_factory=dict)

    @property
    def done(self) -> int:
        return sum(self.outcomes.values())

    @property
    def rate(self) -> float:
        """Turns a second."""
        return self.done / self.seconds if self.seconds else 0.0

    def as_json(self) -> dict[str, Any]:
        counts = {name: self.outcomes[name] for name in ("written", "withheld", "duplicate", "refused")}
        return {
            "turns": self.done,
            "seconds": round(self.seconds, 2),
            "turns_per_second": round(self.rate, 1),
            **counts,
        }


def read(path: Path) -> list[list[Turn]]:
    """The recorded turns by session, in the file's order. Raises Invalid, naming the line, before anything is sent."""
    sessions: dict[str, list[Turn]] = {}
    try:
        with path.open(encoding="utf-8") as lines:
            for number, line in enumerate(lines, 1):
                if line.strip():
                    turn = _turn(line, number)
                    sessions.setdefault(turn["session_id"], []).append(turn)
    except (OSError, UnicodeDecodeError) as error:
        raise Invalid(
            f"{path} can't be read: {error.strerror if isinstance(error, OSError) else 'no UTF-8'}."
        ) from error
    return list(sessions.values())


def replay(
    sessions: list[list[Turn]], *, url: str, key: str, clients: int = CLIENTS, progress: Callable[[Figures], None]
) -> Figures:
    """Post every session, `clients` at a time. A turn the hub refuses is counted; Unreachable ends it all."""
    figures = Figures(total=sum(map(len, sessions)))
    waiting: SimpleQueue[list[Turn]] = SimpleQueue()
    for session in sessions:
        waiting.put(session)
    began, lock = time.monotonic(), threading.Lock()
    failures: list[Exception] = []

    def work() -> None:
        try:
            with httpx.Client(
                base_url=url.rstrip("/"), headers={"Authorization": f"Bearer {key}"}, timeout=PATIENCE, trust_env=False
            ) as client:
                for turn in _taken(waiting):
                    if failures:
                        return
                    outcome, refusal = _post(client, turn)
                    with lock:
                        figures.outcomes[outcome] += 1
                        figures.seconds = time.monotonic() - began
                        if refusal:
                            figures.refusals.setdefault(refusal, turn["event_id"])
                        progress(figures)
        except Exception as error:  # handed to the caller's thread
            failures.append(error)

    threads = [threading.Thread(target=work, name=f"replay-{number}") for number in range(clients)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    if failures:
        raise failures[0]
    figures.seconds = time.monotonic() - began
    return figures


def _turn(line: str, number: int) -> Turn:
    try:
        turn = json.loads(line)
    except ValueError as error:
        raise Invalid(f"Line {number} is not JSON.") from error
    if not isinstance(turn, dict) or not all(isinstance(turn.get(name), str) for name in ("event_id", "session_id")):
        raise Invalid(f"Line {number} is no turn: it needs an event_id and a session_id.")
    return turn


def _taken(waiting: SimpleQueue[list[Turn]]) -> Iterator[Turn]:
    while True:
        try:
            session = waiting.get_nowait()
        except Empty:
            return
        yield from session


def _post(client: httpx.Client, turn: Turn) -> tuple[str, str]:
    """What became of one turn, and the hub's own words where it refused it."""
    answer: httpx.Response | None = None
    for attempt in range(TRIES):
        try:
            answer = client.post("/api/v1/turns", json=turn)
        except httpx.TransportError as error:
            if attempt == TRIES - 1:
                raise Unreachable(f"{client.base_url} does not answer; is the hub running?") from error
            time.sleep(0.2 * 2**attempt)
            continue
        if answer.status_code not in (429, 503):
            break
        time.sleep(min(float(answer.headers.get("Retry-After", 1)), 30.0))
    assert answer is not None
    if answer.is_success:
        return str(answer.json()["event"]), ""
    if answer.status_code in (401, 403):
        raise Invalid("The hub does not take this key for posting turns; it needs one with the role agent.")
    return "refused", f"{answer.status_code}: {_detail(answer)}"


def _detail(answer: httpx.Response) -> str:
    try:
        problem = answer.json()
        return f"{problem.get('detail', '')} {json.dumps(problem['errors']) if problem.get('errors') else ''}".strip()
    except (ValueError, AttributeError):
        return "no sentence came with it"
