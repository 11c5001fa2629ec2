"""Prints what a night costs on this machine (make bench-dream)."""

import json
from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand

from memoryhub.management import dream_bench
from memoryhub.management.sentences import refusals_as_sentences


class Command(BaseCommand):
    help = "Dream recorded turns, or made-up ones, on a hub of its own, and print the cost of a session."
    requires_system_checks: list[str] = []

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("file", type=Path, nargs="?", help="turns as `replay` takes them; left out: made up")
        parser.add_argument("--copies", type=int, default=1, help="a second night over so many copies of the sessions")
        parser.add_argument("--json", action="store_true")

    def handle(self, *args: Any, **options: Any) -> None:
        with refusals_as_sentences():
            nights = dream_bench.run(options["file"], copies=max(1, options["copies"]), said=self.stderr.write)
        told = [night.as_json() for night in nights]
        words = "\n".join(dream_bench.in_words(night) for night in nights)
        self.stdout.write(json.dumps(told) if options["json"] else words)
