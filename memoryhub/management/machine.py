"""On what was it measured? The machine as it says of itself, and how many of its cores a bench keeps to."""

import os
import platform
import signal
import sys
import time
from dataclasses import dataclass
from pathlib import Path

import psutil


@dataclass(frozen=True)
class Machine:
    """Enough to judge a figure by. `load` is what waited or ran when the bench began: above 0 others were at work."""

    processor: str
    cores: int
    memory_gb: float
    system: str
    python: str
    date: str
    load: float

    @property
    def line(self) -> str:
        return (
            f"{self.date}: {self.processor}, {self.cores} cores used, {self.memory_gb:.0f} GB, {self.system}, "
            f"Python {self.python}, load {self.load:.1f} at the start"
        )


def keep_to(cores: int) -> int:
    """Let this process and all it starts run on so many cores at most (Linux); how many they are now."""
    allowed = sorted(os.sched_getaffinity(0))[:cores]
    os.sched_setaffinity(0, allowed)
    return len(allowed)


def clear_away_when_told_to_stop() -> None:
    """Let SIGTERM end this process as Ctrl-C does: hubs are stopped and what they stored is deleted."""
    signal.signal(signal.SIGTERM, lambda number, _frame: sys.exit(128 + number))


def describe(cores: int) -> Machine:
    """This machine, now; `cores` are those in use."""
    return Machine(
        processor=processor(Path("/proc/cpuinfo").read_text()) or platform.machine(),
        cores=cores,
        memory_gb=round(psutil.virtual_memory().total / 2**30, 1),
        system=platform.platform(),
        python=platform.python_version(),
        date=time.strftime("%Y-%m-%d", time.gmtime()),
        load=round(os.getloadavg()[0], 1),
    )


def processor(cpuinfo: str) -> str:
    """The model that /proc/cpuinfo names, "" where it names none."""
    named = (line.partition(":")[2].strip() for line in cpuinfo.splitlines() if line.startswith("model name"))
    return next(named, "")
