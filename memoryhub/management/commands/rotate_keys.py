"""manage.py rotate_keys: another key-encryption key, and every subject's key wrapped with it (docs/adr/0022)."""

from argparse import ArgumentParser
from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand
from django.utils import timezone

from memoryhub.governance import subject_keys
from memoryhub.management.sentences import refusals_as_sentences


class Command(BaseCommand):
    help = (
        "Make another key-encryption key and wrap every subject's key with it; what is sealed stays as it is. Keep a "
        "new copy of the file in escrow. The old key stays in it, for archives; --forget-old takes it out."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument(
            "--forget-old", action="store_true", help="make none: take out of the file what nothing is wrapped with"
        )

    def handle(self, *args: Any, **options: Any) -> None:
        keys = settings.MEMORYHUB_MASTER_KEYS
        with refusals_as_sentences():
            if not options["forget_old"]:
                keys.rotate()
            wrapped = subject_keys.rewrap_all(now=timezone.now())
            if options["forget_old"]:
                keys.forget(keys.ids - {keys.current()[0]})
        self.stdout.write(f"{wrapped} keys of subjects were wrapped anew. Keep a copy of {keys.path} in escrow.")
