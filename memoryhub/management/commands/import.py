"""manage.py import: take in what was exported here, or by mem0, Zep or Letta, through the gate (R10, R114)."""

import json
from argparse import ArgumentParser
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager, nullcontext
from dataclasses import replace
from pathlib import Path
from typing import Any, Final

from django.core.management.base import BaseCommand, CommandError
from django.db import transaction
from django.utils import timezone

from memoryhub.governance import access, foreign, import_lines, importing
from memoryhub.governance.importing import Outcome
from memoryhub.management.sentences import refusals_as_sentences
from memoryhub.tenancy import ALL_SUBJECTS, Principal, acting_for
from memoryhub.vocabulary import KeyRole, Op, Reason

OWN: Final = "memoryhub"
HINT: Final = (
    "What asked for more trust than a file has waits for a curator, or was refused. A curator who answers for the "
    "file takes it in as it is: --vouched-by EMAIL."
)
_BY_TRUST: Final = frozenset(
    {(Op.QUEUED, Reason.UNTRUSTED_CHANNEL), (Op.REFUSED, Reason.AUTHORITY_CLAIM), (Op.DISCARDED, Reason.UNSUPPORTED)}
)


class Command(BaseCommand):
    help = "Take memories in from a file, line by line through the gate; --dry-run says what would become of each."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("file", type=Path)
        parser.add_argument("--organisation", required=True, metavar="SLUG")
        parser.add_argument("--from", dest="system", choices=(OWN, *foreign.SYSTEMS), default=OWN)
        parser.add_argument("--subject", default="", metavar="EXTERNAL_ID", help="whose another system's memories are")
        parser.add_argument(
            "--vouched-by", default="", metavar="EMAIL", help="a curator who answers for what lines say of their trust"
        )
        parser.add_argument("--dry-run", action="store_true", help="say what would become of each line; keep nothing")
        parser.add_argument("--json", action="store_true")

    def handle(self, *args: Any, **options: Any) -> None:
        try:
            text = options["file"].read_text(encoding="utf-8")
        except (OSError, UnicodeDecodeError) as error:
            raise CommandError(f"{options['file']} can't be read as UTF-8 text.", returncode=1) from error
        outcomes: list[Outcome] = []
        with refusals_as_sentences(), _undone() if options["dry_run"] else nullcontext():
            for outcome in _taken_in(text, options):
                outcomes.append(outcome)
                if not options["json"]:
                    self.stdout.write(_in_words(outcome))
        counts = Counter(str(one.op or "fault") for one in outcomes)
        if options["json"]:
            self.stdout.write(json.dumps({"counts": counts, "lines": [_document(one) for one in outcomes]}))
        else:
            told = ", ".join(f"{name} {count}" for name, count in sorted(counts.items())) or "nothing"
            self.stdout.write(f"{'Would be' if options['dry_run'] else 'Done'}: {told}.")
        if options["system"] == OWN and not _BY_TRUST.isdisjoint((one.op, one.reason) for one in outcomes):
            self.stderr.write(HINT)
        if counts["fault"]:
            raise CommandError(f"{counts['fault']} lines could not be taken in.", returncode=1)


@contextmanager
def _undone() -> Iterator[None]:
    """Whatever is made inside is gone afterwards: a dry run may be the first that an organisation is named in."""
    with transaction.atomic():
        yield
        transaction.set_rollback(True)


def _taken_in(text: str, options: dict[str, Any]) -> Iterator[Outcome]:
    tenant, now = access.organisation_of(options["organisation"], create=True), timezone.now()
    by = Principal(tenant.pk, "command:import", frozenset({KeyRole.OPERATOR}))
    if options["system"] != OWN:
        memories = foreign.read(text, system=options["system"], subject=options["subject"])
        offered = [(one.number, one.subject, one.proposal) for one in memories if not one.over]
        yield from importing.offer(offered, by=by, now=now, dry_run=options["dry_run"])
        return
    lines = import_lines.read(text.split("\n"))
    if options["vouched_by"]:
        with acting_for(by, subjects=ALL_SUBJECTS):
            curator = access.curator_of(organisation=tenant.pk, email=options["vouched_by"])
        by = replace(by, user=curator.pk)
    yield from importing.take_in(lines, by=by, now=now, vouched=bool(options["vouched_by"]), dry_run=options["dry_run"])


def _in_words(outcome: Outcome) -> str:
    """One line of the answer; ids and codes, no words of what was offered."""
    if outcome.fault:
        return f"line {outcome.line}: not taken in: {outcome.fault}"
    return f"line {outcome.line}: {outcome.op} {outcome.reason}{f' {outcome.entry}' if outcome.entry else ''}"


def _document(outcome: Outcome) -> dict[str, object]:
    return {
        "line": outcome.line,
        "op": outcome.op,
        "reason": outcome.reason,
        "entry": str(outcome.entry) if outcome.entry else None,
        "fault": outcome.fault or None,
    }
