"""manage.py create_user: make a person who signs in (api.md, commands)."""

from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand
from django.utils import timezone

from memoryhub.governance import access
from memoryhub.management.sentences import refusals_as_sentences


class Command(BaseCommand):
    help = "Make a person who signs in with a password; for a customer name the subject they are."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--organisation", required=True, metavar="SLUG")
        parser.add_argument("--email", required=True)
        parser.add_argument("--password", required=True)
        parser.add_argument("--role", required=True, help="curator, operator, auditor or customer")
        parser.add_argument("--subject", default="", metavar="EXTERNAL_ID", help="whom a customer's page is about")

    def handle(self, *args: Any, **options: Any) -> None:
        with refusals_as_sentences():
            person = access.create_user(
                organisation=options["organisation"],
                email=options["email"],
                password=options["password"],
                role=options["role"],
                subject=options["subject"],
                now=timezone.now(),
            )
        self.stdout.write(person.email)
