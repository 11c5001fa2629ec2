"""manage.py backup FILE: everything the hub keeps, sealed in one file (docs/operations.md, backups)."""

from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand
from django.utils import timezone

from memoryhub.management import backup
from memoryhub.management.sentences import refusals_as_sentences


class Command(BaseCommand):
    help = (
        "Write the whole database to FILE, sealed under the key-encryption key, and the subjects' own keys to a second "
        "file beside it, over the one of the backup before. Beside a running hub, or with it stopped."
    )
    requires_system_checks = ()

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("file", type=Path, metavar="FILE")
        parser.add_argument(
            "--keys", type=Path, metavar="FILE", help=f"where the subjects' keys go; left out: {backup.KEYS_FILE}"
        )
        parser.add_argument(
            "--key-file", type=Path, metavar="FILE", help="seal with the current key of this file instead of the hub's"
        )

    def handle(self, *args: Any, **options: Any) -> None:
        with refusals_as_sentences(), backup.with_database():
            taken = backup.take(
                path=options["file"], keys=options["keys"], sealing=options["key_file"], now=timezone.now()
            )
        self.stdout.write(
            f"{options['file']}: {taken.archive} bytes, {taken.keys} keys of subjects in the other file.\n"
            f"sha256 of what is inside: {taken.digest}"
        )
