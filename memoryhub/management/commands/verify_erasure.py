"""manage.py verify_erasure: is everything gone that was erased? (R91; docs/operations.md, "Forgetting")"""

from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from memoryhub.governance import access, verification
from memoryhub.management.sentences import refusals_as_sentences
from memoryhub.models import Erasure
from memoryhub.tenancy import ALL_SUBJECTS, acting_for, system_principal


class Command(BaseCommand):
    help = (
        "Hold every receipt of an erasure against what is stored, in one organisation or in all; exit code 1 and what "
        "is there although it was erased."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--organisation", metavar="SLUG", help="left out: every organisation")

    def handle(self, *args: Any, **options: Any) -> None:
        slug = options["organisation"]
        with refusals_as_sentences():
            chosen = [(access.organisation_of(slug).pk, slug)] if slug else access.organisations()
        broken = []
        for organisation, name in chosen:
            with acting_for(system_principal(organisation, "verify_erasure"), subjects=ALL_SUBJECTS):
                left = list(verification.left_behind(organisation))
                receipts = Erasure.objects.filter(organisation_id=organisation).count()
            self.stdout.write(f"{name}: {receipts} erasures, {'something is left' if left else 'nothing is left'}")
            broken += [f"{name}: receipt {one.receipt} ({one.ending}): {one.rows} {one.table}" for one in left]
        for sentence in broken:
            self.stdout.write(sentence)
        if broken:
            raise CommandError("Something that was erased is there.", returncode=1)
