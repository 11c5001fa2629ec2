"""A whole hub as its own processes, started the way `make run` starts it, for tests that look at it from outside."""

import contextlib
import itertools
import os
import signal
import socket
import subprocess
import sys
import time
from pathlib import Path

import httpx
import psutil

ROOT = Path(__file__).resolve().parent.parent.parent
READY_WITHIN = 180.0  # seconds; a busy machine may take a while


#: Below the ports that the kernel hands out by itself (32768 and up on Linux): one that is free stays so until the hub
#: takes it. Each of several test runs begins elsewhere, and none is given twice in a run.
_FIRST, _LAST = 20_000, 30_000
_BEGIN = _FIRST + os.getpid() * 97 % (_LAST - _FIRST)
_PORTS = itertools.chain(range(_BEGIN, _LAST), range(_FIRST, _BEGIN))


def free_port() -> int:
    """A port of this machine that nobody listens on."""
    for port in _PORTS:
        with socket.socket() as probe, contextlib.suppress(OSError):
            probe.bind(("127.0.0.1", port))
            return port
    raise AssertionError("no port is free")


def environment(data: Path, port: int, **more: str) -> dict[str, str]:
    """The caller's environment with nothing of the test run's own database in it."""
    kept = {
        name: value for name, value in os.environ.items() if not name.startswith(("MEMORYHUB_", "DATABASE_", "DJANGO_"))
    }
    kept.pop("MAKELEVEL", None)
    own = {
        "MEMORYHUB_DATA_DIR": str(data),
        "PORT": str(port),
        "MEMORYHUB_DEMO": "0",
        "MEMORYHUB_EMBEDDING_MODEL": "hashing",
    }
    return kept | own | more


def manage(*arguments: str, data: Path, port: int = 1, **more: str) -> subprocess.CompletedProcess[str]:
    """One command, run to its end."""
    return subprocess.run(
        [sys.executable, "manage.py", *arguments], cwd=ROOT, env=environment(data, port, **more), text=True,
        capture_output=True, timeout=600, check=False,
    )  # fmt: skip


class HubProcess:
    """`manage.py serve` on a data folder and a port of its own, in a process group of its own."""

    def __init__(self, data: Path, **more: str) -> None:
        self.data, self.port = data, free_port()
        self._log = data.with_name(f"{data.name}-{self.port}.log").open("w+b")
        self._process = subprocess.Popen(
            [sys.executable, "manage.py", "serve"], cwd=ROOT, env=environment(data, self.port, **more),
            stdout=self._log, stderr=subprocess.STDOUT, start_new_session=True,
        )  # fmt: skip
        self.pid = self._process.pid

    @property
    def said(self) -> str:
        return Path(self._log.name).read_text()

    @property
    def runs(self) -> bool:
        return self._process.poll() is None

    def wait_until_it_answers(self) -> float:
        """Seconds it took until the address was printed."""
        began = time.monotonic()
        while "is running at" not in self.said:
            assert self._process.poll() is None, f"ended with {self._process.returncode}: {self.said}"
            assert time.monotonic() - began < READY_WITHIN, self.said
            time.sleep(0.05)
        return time.monotonic() - began

    def status(self, path: str = "/healthz") -> int:
        return httpx.get(f"http://127.0.0.1:{self.port}{path}", timeout=60).status_code

    def family(self) -> list[psutil.Process]:
        """The launcher and everything below it."""
        launcher = psutil.Process(self.pid)
        return [launcher, *launcher.children(recursive=True)]

    def signal(self, number: int, *, group: bool = False) -> None:
        if group:
            os.killpg(self.pid, number)
        else:
            os.kill(self.pid, number)

    def wait(self, timeout: float) -> int:
        return self._process.wait(timeout)

    def end(self) -> None:
        """Whatever happened before, nothing stays behind."""
        if self._process.poll() is None:
            self._process.send_signal(signal.SIGTERM)
            try:
                self._process.wait(60)
            except subprocess.TimeoutExpired:
                for process in self.family():
                    process.kill()
                self._process.wait(30)
        self._log.close()
