"""manage.py issue_key: make an API key and print it, once (api.md, commands)."""

from argparse import ArgumentParser
from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand
from django.utils import timezone

from memoryhub.governance import access
from memoryhub.management.sentences import refusals_as_sentences


class Command(BaseCommand):
    help = "Make an API key and print it; it is shown only now. Makes organisation, agent and person where missing."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--organisation", required=True, metavar="SLUG")
        parser.add_argument("--name", required=True, help="with the role agent: the agent's slug")
        parser.add_argument("--role", action="append", required=True, dest="roles", help="may be given several times")
        parser.add_argument("--subject", default="", metavar="EXTERNAL_ID", help="the only subject the key may touch")
        parser.add_argument(
            "--user", default="", metavar="EMAIL", help="the person behind the key; a curator needs one"
        )

    def handle(self, *args: Any, **options: Any) -> None:
        with refusals_as_sentences():
            issued = access.issue_key(
                organisation=options["organisation"],
                name=options["name"],
                roles=options["roles"],
                subject=options["subject"],
                user=options["user"],
                pepper=settings.MEMORYHUB_KEY_PEPPER,
                now=timezone.now(),
            )
        self.stdout.write(issued.text)
