"""`manage.py serve`, which `make run` ends in: the whole hub in the foreground."""

import sys
from typing import Any

from django.core.management.base import BaseCommand

from memoryhub.errors import HubError
from memoryhub.management.launcher import Launcher


class Command(BaseCommand):
    """Exit code 0 after a clean stop, 1 with a sentence when it can't start."""

    help = "Serve the hub in the foreground: embedded database, web process and worker. Stop it with Ctrl-C."
    requires_system_checks = ()  # the web process checks; here the database does not run yet

    def handle(self, *args: Any, **options: Any) -> None:
        try:
            Launcher().run()
        except HubError as error:
            sys.exit(error.detail)
