"""manage.py replay: post recorded turns to a running hub (api.md, commands)."""

import json
from argparse import ArgumentParser
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError
from django.utils import timezone

from memoryhub.governance import access
from memoryhub.management import replay
from memoryhub.management.sentences import refusals_as_sentences
from memoryhub.vocabulary import KeyRole

AGENT = "replay"


class Command(BaseCommand):
    help = "Post recorded turns (one JSON object a line) to a running hub; doing it again writes nothing."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("file", type=Path)
        parser.add_argument("--organisation", required=True, metavar="SLUG")
        parser.add_argument("--url", default="", help="default: the hub on this machine's PORT")
        parser.add_argument("--key", default="", help=f"default: a key made for this run, of the agent '{AGENT}'")
        parser.add_argument("--clients", type=int, default=replay.CLIENTS)
        parser.add_argument("--json", action="store_true", help="print the figures as JSON")

    def handle(self, *args: Any, **options: Any) -> None:
        url = options["url"] or f"http://127.0.0.1:{settings.MEMORYHUB_PORT}"
        with refusals_as_sentences():
            sessions = replay.read(options["file"])
            with _key(options) as key:
                figures = replay.replay(
                    sessions, url=url, key=key, clients=max(1, options["clients"]), progress=self._progress
                )
        self.stderr.write("")
        told = figures.as_json()
        if options["json"]:
            self.stdout.write(json.dumps(told))
        else:
            self.stdout.write(in_words(told, sessions=len(sessions)))
        for refusal, event_id in figures.refusals.items():
            self.stderr.write(f"Refused, first at event {event_id}: {refusal}")
        if told["refused"]:
            raise CommandError(f"{told['refused']} turns were refused.")

    def _progress(self, figures: replay.Figures) -> None:
        """A line that rewrites itself on a terminal; elsewhere a line for every tenth."""
        step = max(1, figures.total // (100 if self.stderr.isatty() else 10))
        if figures.done % step and figures.done != figures.total:
            return
        told = f"{figures.done} of {figures.total} turns, {figures.rate:.0f} a second"
        self.stderr.write(f"\r{told}" if self.stderr.isatty() else told, ending="" if self.stderr.isatty() else "\n")
        self.stderr.flush()


def in_words(told: dict[str, Any], *, sessions: int) -> str:
    """The figures for a person at a terminal."""
    counts = ", ".join(f"{name} {told[name]}" for name in ("written", "withheld", "duplicate", "refused"))
    speed = f"{told['turns']} turns of {sessions} sessions in {told['seconds']} s, {told['turns_per_second']} a second"
    return f"{speed}: {counts}."


@contextmanager
def _key(options: dict[str, Any]) -> Iterator[str]:
    """The key given, or one made for this run and revoked after it."""
    if options["key"]:
        yield options["key"]
        return
    issued = access.issue_key(
        organisation=options["organisation"], name=AGENT, roles=[KeyRole.AGENT], pepper=settings.MEMORYHUB_KEY_PEPPER,
        now=timezone.now(),
    )  # fmt: skip
    try:
        yield issued.text
    finally:
        access.revoke_key(prefix=issued.lookup, now=timezone.now())
