"""Does the worker still work? Pokes it every few seconds and says when it has gone silent.

django-q2 can die without a word: killing one idle worker left the whole cluster silent in 2 of 12 trials (security.md
section 7). So the launcher asks from outside, through the same job table that the worker answers in.
"""

import logging
import threading

from django.db import DatabaseError, InterfaceError, connection
from django.utils import timezone

from memoryhub import jobs

log = logging.getLogger(__name__)

EVERY = 10.0  # seconds


class Watchdog(threading.Thread):
    """Sets `silent` when the worker should be started anew; whoever does so clears it."""

    def __init__(self, *, every: float = EVERY) -> None:
        super().__init__(name="watchdog", daemon=True)
        self.silent = threading.Event()
        self._every = every
        self._ending = threading.Event()
        self._unreachable = False

    def run(self) -> None:
        self.look()  # at once: the first sign of life is what readiness waits for
        while not self._ending.wait(self._every):
            self.look()

    def end(self) -> None:
        self._ending.set()

    def look(self) -> None:
        """Wake the worker once, and see whether it woke the last times."""
        try:
            jobs.poke()
            if jobs.worker_silent(now=timezone.now()):
                self.silent.set()
            self._unreachable = False
        except (DatabaseError, InterfaceError) as error:
            if not self._unreachable:  # once, not every ten seconds
                log.error("the watchdog can't reach the database (%s)", type(error).__name__)
            self._unreachable = True
        finally:
            connection.close()
