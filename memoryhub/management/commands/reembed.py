"""manage.py reembed: how far the change of the embedding model is, and going on with it here and now."""

import time
import uuid
from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand

from memoryhub.governance import access, reembedding
from memoryhub.management.sentences import refusals_as_sentences
from memoryhub.providers.embeddings import embedder

SAY_EVERY = 5.0  # seconds between lines of progress


class Command(BaseCommand):
    help = (
        "Give entries with vectors of another model those of the model that is set, newest first. The worker does the "
        "same by itself; beside it, or killed and run again, this does nothing twice. --status only says how far it is."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--organisation", metavar="SLUG", help="this one alone; default: all")
        parser.add_argument("--status", action="store_true", help="change nothing")

    def handle(self, *args: Any, **options: Any) -> None:
        with refusals_as_sentences():
            self.stdout.write(f"Model: {embedder().model_id}")
            slug = options["organisation"]
            chosen = [(access.organisation_of(slug).pk, slug)] if slug else access.organisations()
            if not options["status"]:
                embedder().embed(["ready"])  # a model that can't be loaded is said before anything is counted
                for organisation, name in chosen:
                    self._go_on(organisation, name)
            self._say_all(chosen)

    def _go_on(self, organisation: uuid.UUID, name: str) -> None:
        began, whole, place = time.monotonic(), 0, None
        while True:
            done, place = reembedding.go_on(organisation, place=place, seconds=SAY_EVERY)
            whole += done
            if whole:
                rate = whole / (time.monotonic() - began)
                self.stdout.write(f"{name}: {whole} embedded anew, {rate:.0f} a second")
                self.stdout.flush()
            if place is None:
                return

    def _say_all(self, chosen: list[tuple[uuid.UUID, str]]) -> None:
        done = total = 0
        for organisation, name in chosen:
            here = reembedding.progress(organisation)
            done, total = done + here.done, total + here.total
            self.stdout.write(f"{name}: {here.done}/{here.total}")
        if len(chosen) != 1:
            self.stdout.write(f"All: {done}/{total}")
