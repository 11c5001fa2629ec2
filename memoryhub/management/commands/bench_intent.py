"""manage.py bench_intent [--sessions PATH]: the sentence of every session, with its scores and a reader's verdict."""

import json
import time
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandParser

from memoryhub.evaluation import intent_quality
from memoryhub.management.sentences import refusals_as_sentences


class Command(BaseCommand):
    help = "Say what each session's customer wanted, as a dream would; list every sentence, count what readers found."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument(
            "--sessions", type=Path, help="recorded turns, or a folder with turns.jsonl; ours if unnamed"
        )
        parser.add_argument("--checks-alone", action="store_true", help="without the entailment model")
        parser.add_argument("--labels", action="store_true", help="what each threshold makes of the labelled sentences")
        parser.add_argument("--json", action="store_true")

    def handle(self, *args: Any, **options: Any) -> None:
        entails = intent_quality.believe_all if options["checks_alone"] else None
        if options["labels"]:
            with refusals_as_sentences():
                table = intent_quality.bars(intent_quality.talks(options["sessions"]), entails=entails)
            for bar in table:
                self.stdout.write(json.dumps(bar.as_json()))
            return
        begun = time.monotonic()
        with refusals_as_sentences():
            figures = intent_quality.measure(
                intent_quality.talks(options["sessions"]), entails=entails,
                said=str if options["json"] else self._line,
            )  # fmt: skip
        found = {**figures.as_json(), "seconds": round(time.monotonic() - begun, 1)}
        if options["json"]:
            self.stdout.write(json.dumps({**found, "lines": [line.as_json() for line in figures.lines]}))
            return
        for name, value in found.items():
            self.stdout.write(f"{name}: {value}")

    def _line(self, line: intent_quality.Line) -> None:
        verdict = {True: "true", False: "FALSE", None: "unread"}[line.verdict] if line.sentence else ""
        scores = f"{line.on_the_turn:.2f} {line.on_the_whole:.2f}" if line.sentence else "    -    "
        self.stdout.write(f"{line.ref:10} {scores} {verdict:6} {line.sentence} {line.why and f'({line.why})'}".rstrip())
