"""Prints whether recall stays fast when much is stored (make bench-scale)."""

import json
from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand

from memoryhub.management import scale_bench
from memoryhub.management.scale_load import Store
from memoryhub.management.sentences import refusals_as_sentences


class Command(BaseCommand):
    help = "Load a small store and a large one, ask both in turn, print the ratio, and delete both."
    requires_system_checks: list[str] = []

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--subjects", type=int, default=10_000, help="of the large store")
        parser.add_argument("--small", type=int, default=500, help="subjects of the small store")
        parser.add_argument("--each", type=int, default=200, help="entries of a subject")
        parser.add_argument("--big", type=int, default=100_000, help="entries of the one big subject; 0: none")
        parser.add_argument("--rounds", type=int, default=300, help="counted rounds of each kind of call")
        parser.add_argument("--questions", type=int, default=40, help="compared with an exact ranking")
        parser.add_argument("--cores", type=int, default=2, help="how many cores everything together may use")
        parser.add_argument("--folder", type=Path, default=Path("/var/tmp"), help="on a disk with room")
        parser.add_argument("--json", type=Path, help="also write the figures to this file")

    def handle(self, *args: Any, **options: Any) -> None:
        with refusals_as_sentences():
            found = scale_bench.run(
                small=Store(options["small"], options["each"]),
                large=Store(options["subjects"], options["each"], options["big"]),
                **{name: options[name] for name in ("rounds", "questions", "cores", "folder")},
            )
        if options["json"]:
            options["json"].parent.mkdir(parents=True, exist_ok=True)
            options["json"].write_text(json.dumps(found, indent=2) + "\n")
