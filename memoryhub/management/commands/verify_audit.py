"""manage.py verify_audit: does the audit trail hold, link by link? (R103; api.md, commands)"""

from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from memoryhub.governance import access, audit
from memoryhub.management.sentences import refusals_as_sentences
from memoryhub.tenancy import ALL_SUBJECTS, acting_for, system_principal


class Command(BaseCommand):
    help = (
        "Walk the audit trail of one organisation or of all; exit code 1 and the first broken link if it does not hold."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--organisation", metavar="SLUG", help="left out: every organisation")

    def handle(self, *args: Any, **options: Any) -> None:
        slug = options["organisation"]
        with refusals_as_sentences():
            chosen = [(access.organisation_of(slug).pk, slug)] if slug else access.organisations()
        broken = []
        for organisation, name in chosen:
            with acting_for(system_principal(organisation, "verify_audit"), subjects=ALL_SUBJECTS):
                found = audit.first_broken_link(organisation)
            if found is None:
                self.stdout.write(f"{name}: holds")
            else:
                broken.append(f"{name}: broken at link {found.seq}: {found.fault}")
        for sentence in broken:
            self.stdout.write(sentence)
        if broken:
            raise CommandError("The audit trail does not hold.", returncode=1)
