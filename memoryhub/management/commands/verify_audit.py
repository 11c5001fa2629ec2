"""manage.py verify_audit: does the audit trail hold, link by link? (R103; api.md, commands)"""

import sys
import uuid
from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from memoryhub.errors import NotFound
from memoryhub.governance import access, audit
from memoryhub.management.sentences import refusals_as_sentences
from memoryhub.models import AuditEvent
from memoryhub.tenancy import ALL_SUBJECTS, acting_for, system_principal


class Command(BaseCommand):
    help = (
        "Walk the audit trail of one organisation or of all; exit code 1 and the first broken link if it does not hold."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--organisation", metavar="SLUG", help="left out: every organisation")
        parser.add_argument(
            "--link",
            type=int,
            metavar="N",
            help="instead: whether this link is about exactly the words on standard input",
        )

    def handle(self, *args: Any, **options: Any) -> None:
        slug = options["organisation"]
        with refusals_as_sentences():
            if options["link"] is not None:
                self._compare(access.organisation_of(slug or "").pk, options["link"], sys.stdin.read())
                return
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

    def _compare(self, organisation: uuid.UUID, seq: int, words: str) -> None:
        """Words come from standard input, never from the command line, which others can read."""
        with acting_for(system_principal(organisation, "verify_audit"), subjects=ALL_SUBJECTS):
            link = AuditEvent.objects.filter(organisation_id=organisation, seq=seq).first()
            if link is None:
                raise NotFound(f"There is no link {seq}.")
            if not link.content_hmac:
                raise CommandError(f"Link {seq} is not about words.", returncode=1)
            if not any(audit.says(link, told) for told in (words, words.removesuffix("\n"))):
                raise CommandError(f"Link {seq} is about other words.", returncode=1)
        self.stdout.write(f"Link {seq} is about these words.")
