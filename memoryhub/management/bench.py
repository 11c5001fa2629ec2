"""How fast and how heavy is it, on this machine? One run against a hub of its own, started and stopped here.

Nothing is asserted: the figures are printed with the core count, for people to read and compare within one run.
"""

import json
import os
import platform
import statistics
import tempfile
import time
from collections.abc import Callable, Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from pathlib import Path

import httpx

from memoryhub.management import gate_bench
from memoryhub.management.measured_hub import Hub, family, running, weigh

ENTRIES = 200  # of the subject that is asked about
RECALLS = 200
CLIENTS = 4
TURNS = 600

_THINGS = (
    "tea", "coffee", "window seats", "aisle seats", "quiet hotels", "early trains", "late flights", "short calls",
    "long letters", "paper invoices", "dark roast", "green folders", "blue pens", "small rooms", "big screens",
)  # fmt: skip
_QUESTIONS = (
    "Which seat does the person like?", "When may we call?", "What do they drink?", "How do they want invoices?",
    "Is there anything about hotels?",
)  # fmt: skip


@dataclass
class Figures:
    """What was measured, in the order it is printed: name → (value, unit)."""

    rows: dict[str, tuple[float, str]] = field(default_factory=dict)

    def note(self, name: str, value: float, unit: str) -> None:
        self.rows[name] = (value, unit)
        print(f"{name:<52} {value:>10.2f} {unit}", flush=True)


def run() -> Figures:
    """Start, load, ask, post, dream, weigh."""
    figures = Figures()
    print(f"{platform.platform()}, {os.cpu_count()} cores, Python {platform.python_version()}", flush=True)
    gate_bench.run(figures.note)
    with tempfile.TemporaryDirectory(prefix="memoryhub-bench-", dir="/var/tmp") as folder:
        os.chmod(folder, 0o755)
        data = Path(folder) / "data"
        with running(data) as (_, seconds):
            figures.note("first start to ready (creates the database)", seconds, "s")
        with running(data) as (hub, seconds):
            figures.note("second start to ready", seconds, "s")
            _measure(hub, figures)
    return figures


def _measure(hub: Hub, figures: Figures) -> None:
    organisation = "bench"
    key = hub.command(
        "issue_key", "--organisation", organisation, "--name", "bench", "--role", "agent", "--role", "customer_relay"
    )
    with httpx.Client(base_url=f"{hub.url}/api/v1", headers={"Authorization": f"Bearer {key}"}, timeout=60) as client:
        figures.note("POST /memories, one fact committed: p50", _p50(_writes(client)), "ms")
        asked = list(
            _timed(lambda n: _post(client, "/recall", {"subject": "busy", "query": _QUESTIONS[n % 5]}), RECALLS)
        )
        figures.note(f"POST /recall, {ENTRIES} entries: p50", _p50(asked), "ms")
        figures.note(f"POST /recall, {ENTRIES} entries: p95", statistics.quantiles(asked, n=20)[-1], "ms")
    began = time.perf_counter()
    with ThreadPoolExecutor(CLIENTS) as pool:
        counts = list(pool.map(lambda client: _turns(hub, key, client), range(CLIENTS)))
    figures.note(f"POST /turns, {CLIENTS} clients", sum(counts) / (time.perf_counter() - began), "turns/s")
    began = time.perf_counter()
    report = json.loads(hub.command("dream", "--organisation", organisation, "--json"))
    seconds = time.perf_counter() - began
    figures.note(f"dream over {report['report']['sessions']} sessions, command start included", seconds, "s")
    weight = weigh(family(hub.process.pid))
    figures.note("whole run, resident (sum, shared pages counted often)", weight.resident, "MB")
    figures.note("whole run, resident (proportional)", weight.proportional, "MB")


def _writes(client: httpx.Client) -> Iterator[float]:
    return _timed(
        lambda n: _post(
            client, "/memories",
            {"subject": "busy", "text": f"I prefer {_THINGS[n % 15]} in room {n}", "channel": "user_message"},
        ),
        ENTRIES,
    )  # fmt: skip


def _turns(hub: Hub, key: str, client_number: int) -> int:
    with httpx.Client(base_url=f"{hub.url}/api/v1", headers={"Authorization": f"Bearer {key}"}, timeout=60) as client:
        for number in range(TURNS // CLIENTS):
            session = f"s-{client_number}-{number // 6}"
            body = {
                "event_id": f"e-{client_number}-{number}",
                "session_id": session,
                "subject": f"p-{client_number}-{number // 6}",
                "user_input": "Can you tell me where my parcel is, please? I ordered it last week.",
                "assistant_output": "It is on its way and should be there on Friday.",
                "actions": [
                    {"tool": "get_order_status", "arguments": {"order": str(number)}, "result": "ok", "ok": True}
                ],
                "observations": [{"kind": "order_status", "value": "shipped"}],
            }  # fmt: skip
            _post(client, "/turns", body)
    return TURNS // CLIENTS


def _post(client: httpx.Client, path: str, body: Mapping[str, object]) -> None:
    client.post(path, json=body).raise_for_status()


def _timed(call: Callable[[int], None], times: int) -> Iterator[float]:
    """Milliseconds of each call."""
    for number in range(times):
        began = time.perf_counter()
        call(number)
        yield (time.perf_counter() - began) * 1000


def _p50(values: Iterator[float] | list[float]) -> float:
    return statistics.median(values)
