"""manage.py forget_second_factor: let somebody who lost theirs sign in by password alone (docs/adr/0024)."""

from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand
from django.utils import timezone

from memoryhub.governance import members
from memoryhub.management.sentences import refusals_as_sentences


class Command(BaseCommand):
    help = "Take away a person's app, passkeys and recovery codes: for an operator whom no other operator can help."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--organisation", required=True, metavar="SLUG")
        parser.add_argument("--email", required=True)

    def handle(self, *args: Any, **options: Any) -> None:
        with refusals_as_sentences():
            person = members.forget_second_factor(
                organisation=options["organisation"], email=options["email"], now=timezone.now()
            )
        self.stdout.write(person.email)
