"""manage.py revoke_key: make an API key useless at once (api.md, commands)."""

from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand
from django.utils import timezone

from memoryhub.governance import access
from memoryhub.management.sentences import refusals_as_sentences


class Command(BaseCommand):
    help = "Revoke the API key with this prefix (mhk_ and eight characters)."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("prefix", metavar="PREFIX")

    def handle(self, *args: Any, **options: Any) -> None:
        with refusals_as_sentences():
            lookup = access.revoke_key(prefix=options["prefix"], now=timezone.now())
        self.stdout.write(f"mhk_{lookup} is revoked.")
