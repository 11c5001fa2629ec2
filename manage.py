#!/usr/bin/env python
"""Runs one command of the hub, beside a running server or alone; what goes wrong at the door is said in a sentence."""

import os
import sys

# These look at the code, not at what is kept.
NEEDS_NO_DATA = {
    "bench", "bench_dream", "bench_entailment", "bench_intent", "bench_peers", "bench_scale", "check", "collectstatic",
    "draw_lifecycle", "draw_policy", "export_model", "help", "makemigrations", "restore", "serve", "spectacular",
    "train_entailment", "version", "weigh_nearness",
}  # fmt: skip
ASKS_FOR_HELP = {"-h", "--help", "--version"}


def main() -> None:
    """Hand over to Django; exit code 1 with a sentence when settings are wrong or the database is not there."""
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "memoryhub.settings")
    try:
        from django.conf import settings
        from django.core.exceptions import ImproperlyConfigured
        from django.core.management import execute_from_command_line
        from django.db.utils import OperationalError
    except ImportError as error:
        sys.exit(f"{error}. Use the repository's own environment: .venv/bin/python manage.py … (made by `make run`).")
    try:
        command, *arguments = sys.argv[1:] or ["help"]
        data_needed = command not in NEEDS_NO_DATA | ASKS_FOR_HELP and not ASKS_FOR_HELP.intersection(arguments)
        if data_needed and not settings.MEMORYHUB_STARTED_ONCE:
            sys.exit(
                f"No hub was ever started with the data folder {settings.MEMORYHUB_DATA_DIR}. "
                "Start it with `make run`, or set MEMORYHUB_DATA_DIR to the folder that the server uses."
            )
        execute_from_command_line(sys.argv)
    except ImproperlyConfigured as error:
        sys.exit(f"Wrong setting: {error}")
    except OperationalError as error:
        reason = (str(error).strip().splitlines() or ["no reason was given"])[0]
        place = "the embedded database" if settings.MEMORYHUB_LOGINS.embedded else "the database of DATABASE_URL"
        sys.exit(f"Can't use {place}: {reason}\nStart it with `make run`, or set DATABASE_URL.")


if __name__ == "__main__":
    main()
