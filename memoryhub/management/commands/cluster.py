"""`manage.py cluster`: django-q2's processes, none of which outlives its parent. Started by the launcher."""

import os
import signal
from typing import Any

from django.core.checks import Tags
from django.core.management import call_command
from django.core.management.base import BaseCommand
from django.db import connections

from memoryhub.providers.child_processes import signal_when_parent_dies


class Command(BaseCommand):
    """The same as `qcluster`, except that whatever it forks dies with whoever forked it."""

    help = "Run the processes that wake the hub's jobs. `make run` starts them; run_jobs works without them."

    def handle(self, *args: Any, **options: Any) -> None:
        self.check(tags=[Tags.database], databases=["default"])  # by hand, since a command asks no database by itself
        connections.close_all()  # nothing that is forked shares a connection
        # Without this, a killed cluster leaves its workers behind, waiting on pipes that nobody writes to.
        os.register_at_fork(after_in_child=lambda: signal_when_parent_dies(signal.SIGKILL))
        call_command("qcluster")
