"""What keeps one child of the launcher running? It is started anew when it ends, after pauses that grow."""

import logging
import os
import signal
import subprocess
import time
from collections.abc import Sequence
from pathlib import Path

from memoryhub.providers import child_processes

log = logging.getLogger(__name__)

STOP_WITHIN = 4.0  # seconds; a job cut short is taken up again when its lease runs out
#: glibc keeps a heap for each thread otherwise, and what one of them freed is of no use to the others.
ONE_ARENA = {"MALLOC_ARENA_MAX": "1"}
FIRST_PAUSE = 0.5  # seconds before a child that ended is started anew
LONGEST_PAUSE = 30.0
SETTLED_AFTER = 60.0  # seconds a child must have lived for its failures to be forgotten


class Service:
    """A child that should always run, called `name` in the logs and told so in MEMORYHUB_PROCESS."""

    def __init__(self, name: str, command: Sequence[str], *, folder: Path) -> None:
        self.name = name
        self.process: subprocess.Popen[bytes] | None = None
        self._command, self._folder = list(command), folder
        self._started = 0.0
        self._pause, self._not_before = FIRST_PAUSE, 0.0

    @property
    def age(self) -> float:
        """Seconds since it was last started."""
        return time.monotonic() - self._started

    def start(self) -> None:
        self._started = time.monotonic()
        self.process = child_processes.start(
            self._command,
            when_parent_dies=signal.SIGKILL,  # a gentle end would wait for the database, which goes at the same moment
            environment=ONE_ARENA | os.environ | {"MEMORYHUB_PROCESS": self.name},
            folder=self._folder,
        )

    def keep_up(self) -> None:
        """Notice that it ended, and start it anew when its pause is over."""
        if self.process is None:
            if time.monotonic() >= self._not_before:
                self.start()
        elif self.process.poll() is not None:
            log.error("the %s process ended (%s) and is started anew", self.name, self.process.returncode)
            self._clear_away()

    def restart(self, why: str) -> None:
        """End it and all it started; `keep_up` starts it anew."""
        log.error("the %s process is restarted: %s", self.name, why)
        if self.process is not None:
            child_processes.stop(self.process, first=signal.SIGTERM, wait=STOP_WITHIN)
        self._clear_away()

    def _clear_away(self) -> None:
        if self.process is not None:
            child_processes.end_group(self.process)
        self.process = None
        self._pause = FIRST_PAUSE if self.age > SETTLED_AFTER else min(self._pause * 2, LONGEST_PAUSE)
        self._not_before = time.monotonic() + self._pause
