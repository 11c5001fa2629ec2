"""Prints how fast this hub is beside other memories (make bench-peers)."""

import json
from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand

from memoryhub.management import peers_bench
from memoryhub.management.sentences import refusals_as_sentences


class Command(BaseCommand):
    help = "Measure recall and remember beside mem0 and LangGraph, in one run and in turn, and print the ratios."
    requires_system_checks: list[str] = []

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--rounds", type=int, default=300, help="counted rounds of each kind of call")
        parser.add_argument("--cores", type=int, default=2, help="how many cores everything together may use")
        parser.add_argument("--json", type=Path, help="also write the figures to this file")

    def handle(self, *args: Any, **options: Any) -> None:
        with refusals_as_sentences():
            found = peers_bench.run(rounds=options["rounds"], cores=options["cores"])
        if options["json"]:
            options["json"].parent.mkdir(parents=True, exist_ok=True)
            options["json"].write_text(json.dumps(found, indent=2) + "\n")
