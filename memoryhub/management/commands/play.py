"""manage.py play: play the reference agents' stories against a running hub, step by step (spec 13)."""

from argparse import ArgumentParser
from typing import Any

import httpx
from django.conf import settings
from django.core.management.base import BaseCommand
from django.utils import timezone

from accounts.ids import new_id
from memoryhub.dreams import dreamer, reports
from memoryhub.errors import Invalid
from memoryhub.governance import access
from memoryhub.management import reference, story
from memoryhub.management.replay import PATIENCE, Unreachable
from memoryhub.management.sentences import refusals_as_sentences
from memoryhub.tenancy import ALL_SUBJECTS, acting_for, system_principal


class Command(BaseCommand):
    help = (
        "Play what a reference agent does, call by call, against the hub on this machine, and hold every answer "
        "against what the story says. The organisation is made; look at it afterwards with its own keys or the pages."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument(
            "story", nargs="*", metavar="STORY", help=f"of {', '.join(story.names())}; none: all of them"
        )
        parser.add_argument("--organisation", required=True, metavar="SLUG")
        parser.add_argument("--url", default="", help="default: the hub on this machine's PORT")

    def handle(self, *args: Any, **options: Any) -> None:
        with refusals_as_sentences():
            if unknown := set(options["story"]) - set(story.names()):
                raise Invalid(errors={"story": [f"There is no story {', '.join(sorted(unknown))}."]})
            for name in options["story"] or story.names():
                self._play(story.load(name), options)

    def _play(self, told: story.Story, options: dict[str, Any]) -> None:
        slug = options["organisation"]
        folder = settings.MEMORYHUB_RECORD_ROOTS[0] if settings.MEMORYHUB_RECORD_ROOTS else None
        if settings.MEMORYHUB_RECORD_FRESH:
            folder = None  # a file that changes would be believed for a while as it was
        keys = reference.prepare(told, organisation=slug, files=folder is not None, now=timezone.now())
        url = options["url"] or f"http://127.0.0.1:{settings.MEMORYHUB_PORT}"
        with httpx.Client(base_url=f"{url.rstrip('/')}/api/v1", timeout=PATIENCE, trust_env=False) as client:

            def call(part: str, method: str, path: str, body: Any) -> story.Answer:
                headers = {"Authorization": f"Bearer {keys[part]}"}
                try:
                    answer = client.request(method, path, json=body, headers=headers)
                except httpx.TransportError as error:
                    raise Unreachable(f"{url} does not answer; is the hub running?") from error
                return answer.status_code, answer.json()

            def dream() -> dict[str, Any]:
                organisation = access.organisation_of(slug)
                done = dreamer.dream_now(organisation=organisation.pk, now=timezone.now())
                with acting_for(system_principal(organisation.pk, dreamer.KIND), subjects=ALL_SUBJECTS):
                    return reports.report(done)

            stage = story.Stage(call, dream, folder, f"{new_id().hex[-6:]}-", self.stdout.write)
            played = story.play(told, stage)
        self.stdout.write(f"  {played} of {len(told.steps)} steps, all as told.")
        if played < len(told.steps):
            self.stdout.write(
                "  For the others give the hub and this command MEMORYHUB_RECORD_ROOTS=FOLDER and "
                "MEMORYHUB_RECORD_FRESH=0."
            )
