"""manage.py bench_entailment NLI SICK: the entailment check's quality on labelled pairs (docs/entailment.md)."""

import json
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandParser

from memoryhub.evaluation import entailment_quality
from memoryhub.management.sentences import refusals_as_sentences
from memoryhub.providers import entailment


class Command(BaseCommand):
    help = "Score labelled pairs that no training saw with the check that serves, and print the figures."
    requires_system_checks = []  # asks no database

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("nli", type=Path, help="folder of test_*.jsonl.gz and evalonly_*.jsonl.gz")
        parser.add_argument("sick", type=Path, help="folder of SICK_*.txt")
        parser.add_argument("--limit", type=int, default=2500, help="pairs of one file, a seeded sample")
        parser.add_argument("--json", action="store_true")

    def handle(self, *args: Any, **options: Any) -> None:
        with refusals_as_sentences():
            found = entailment_quality.measure(
                entailment.checker(), options["nli"], options["sick"], limit=options["limit"], said=self.stderr.write
            )
        if options["json"]:
            self.stdout.write(json.dumps(found, indent=1))
            return
        for name, figures in found.items():
            self.stdout.write(name)
            for key, value in figures.items():
                if key != "name":
                    self.stdout.write(f"    {key}: {value}")
