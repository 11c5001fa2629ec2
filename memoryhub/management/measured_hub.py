"""Which hub is measured? One of the bench's own, on a free port, served as `make run` serves it, and weighed."""

import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from socket import socket

import httpx
import psutil

START_LIMIT = 180  # seconds until a hub has to be ready
MODEL = "MEMORYHUB_EMBEDDING_MODEL"  # the one setting that a bench takes over: it embeds with the same
_OTHERWISE = ("MEMORYHUB_", "DATABASE_URL", "DJANGO_SETTINGS_MODULE")  # settings of the hub that somebody uses


@dataclass(frozen=True)
class Weight:
    """Megabytes of memory: `resident` counts shared pages fully for each process, `proportional` shares them out."""

    resident: float
    proportional: float


@dataclass(frozen=True)
class Hub:
    """A hub that runs for a bench: where it answers, and its launcher's process."""

    url: str
    environment: dict[str, str]
    process: subprocess.Popen[bytes]

    def command(self, *arguments: str) -> str:
        """What one of our own commands prints, with this hub's settings."""
        done = subprocess.run(
            [sys.executable, "manage.py", *arguments], env=self.environment, capture_output=True, text=True, check=True
        )
        return done.stdout.strip()

    def parts(self) -> dict[str, list[psutil.Process]]:
        """The launcher's children with theirs, as web process, worker (the queue gives it names) and database."""
        found: dict[str, list[psutil.Process]] = {"web process": [], "worker": [], "database": []}
        for child in psutil.Process(self.process.pid).children():
            part = "database" if child.name() == "postgres" else "worker"
            part = "web process" if "uvicorn" in child.cmdline() else part
            found[part] += family(child.pid)
        return found


@contextmanager
def running(data: Path) -> Iterator[tuple[Hub, float]]:
    """A hub on a free port and its seconds until ready; stopped at the end."""
    with socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    kept = {name: value for name, value in os.environ.items() if name == MODEL or not name.startswith(_OTHERWISE)}
    environment = {**kept, "PORT": str(port), "MEMORYHUB_DATA_DIR": str(data), "MEMORYHUB_DEMO": "0"}
    began = time.perf_counter()
    process = subprocess.Popen([sys.executable, "manage.py", "serve"], env=environment, stdout=subprocess.DEVNULL)
    hub = Hub(f"http://127.0.0.1:{port}", environment, process)
    try:
        _wait(hub)
        yield hub, time.perf_counter() - began
    finally:
        process.send_signal(signal.SIGTERM)
        process.wait(timeout=60)


def weigh(processes: Sequence[psutil.Process]) -> Weight:
    """Resident and proportional memory of these together (Linux); one that ended weighs nothing."""
    resident = proportional = 0
    for process in processes:
        try:
            memory = process.memory_full_info()
        except psutil.NoSuchProcess:
            continue
        resident, proportional = resident + memory.rss, proportional + memory.pss
    return Weight(resident / 2**20, proportional / 2**20)


def family(pid: int) -> list[psutil.Process]:
    """A process and all its descendants."""
    parent = psutil.Process(pid)
    return [parent, *parent.children(recursive=True)]


def _wait(hub: Hub) -> None:
    until = time.monotonic() + START_LIMIT
    while time.monotonic() < until:
        if hub.process.poll() is not None:
            raise RuntimeError(f"the hub ended with exit code {hub.process.returncode}")
        try:
            if httpx.get(f"{hub.url}/readyz", timeout=5).status_code == 200:
                return
        except httpx.TransportError:
            pass
        time.sleep(0.1)
    raise RuntimeError("the hub did not become ready")
