"""manage.py bench_recall DATASET FILE: recall's quality on a public retrieval set (api.md, commands)."""

import json
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandParser
from django.utils import timezone

from memoryhub.evaluation import datasets, recall_quality
from memoryhub.management.sentences import refusals_as_sentences


class Command(BaseCommand):
    help = "Store a retrieval set in an organisation of its own, ask its questions, print the figures, erase it."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("dataset", choices=sorted(datasets.READERS))
        parser.add_argument("file", type=Path)
        parser.add_argument("--json", action="store_true")

    def handle(self, *args: Any, **options: Any) -> None:
        with refusals_as_sentences():
            collections = datasets.read(options["dataset"], options["file"])
            figures = recall_quality.measure(collections, now=timezone.now(), said=self.stderr.write)
        found = figures.as_json()
        if options["json"]:
            self.stdout.write(json.dumps(found))
            return
        for name, value in found.items():
            self.stdout.write(f"{name}: {value}")
