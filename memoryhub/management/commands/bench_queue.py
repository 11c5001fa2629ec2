"""Prints how long the curators' queue takes when very many items wait (U6), and a person's own page."""

import json
from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand
from django.utils import timezone

from memoryhub.management import queue_bench
from memoryhub.management.sentences import refusals_as_sentences


class Command(BaseCommand):
    help = (
        "Let very many items wait in an organisation of their own, and very much be remembered about one person; "
        "measure the pages of both, and erase it."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--items", type=int, default=10_000, help="that wait; 0: leave the queue out")
        parser.add_argument("--kept", type=int, default=500, help="about one person; 0: leave their pages out")
        parser.add_argument("--calls", type=int, default=60, help="of each kind")
        parser.add_argument("--json", type=Path, help="also write the figures to this file")

    def handle(self, *args: Any, **options: Any) -> None:
        with refusals_as_sentences():
            found = queue_bench.run(
                items=options["items"], kept=options["kept"], calls=options["calls"], now=timezone.now(),
                said=self.stderr.write,
            )  # fmt: skip
        for line in found.lines():
            self.stdout.write(line)
        if options["json"]:
            options["json"].parent.mkdir(parents=True, exist_ok=True)
            options["json"].write_text(json.dumps(found.as_json(), indent=2) + "\n")
