"""manage.py restore FILE: a backup becomes a hub again, without whom it had forgotten (docs/operations.md, backups)."""

from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand
from django.utils import timezone

from memoryhub.management import restore
from memoryhub.management.launcher import know_the_secrets
from memoryhub.management.sentences import refusals_as_sentences


class Command(BaseCommand):
    help = (
        "Put a backup back into an empty database, migrate it, do again what was erased since, and verify it; until "
        "all of that is through nothing serves from it. With the hub stopped."
    )
    requires_system_checks = ()

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("file", type=Path, metavar="FILE")
        parser.add_argument("--keys", type=Path, metavar="FILE", help="the subjects' keys, of the newest backup")
        parser.add_argument("--ledger", type=Path, metavar="FILE", help="the erasure ledger; left out: the hub's own")
        parser.add_argument(
            "--key-file", type=Path, metavar="FILE", help="with the key that the archive was sealed with"
        )
        parser.add_argument("--without-keys", action="store_true", help="go on, and lose what was sealed under them")
        parser.add_argument("--without-ledger", action="store_true", help="nothing was erased since the backup")
        parser.add_argument("--replace", action="store_true", help="lose what is in the embedded database now")

    def handle(self, *args: Any, **options: Any) -> None:
        with refusals_as_sentences():
            know_the_secrets()
            took = restore.restore(
                restore.Wanted(
                    archive=options["file"], keys=options["keys"], ledger=options["ledger"],
                    sealing=options["key_file"], without_keys=options["without_keys"],
                    without_ledger=options["without_ledger"], replace=options["replace"],
                ),
                now=timezone.now,
                say=self.stdout.write,
            )  # fmt: skip
        self.stdout.write(f"It is verified, and the hub may start. It took {took:.1f} seconds.")
