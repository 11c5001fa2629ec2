"""manage.py export: all entries of an organisation, or of one subject, as JSON Lines (R114)."""

import os
from argparse import ArgumentParser
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, TextIO

from django.core.management.base import BaseCommand, CommandError, OutputWrapper
from django.utils import timezone

from memoryhub.governance import access, subjects, transfer
from memoryhub.management.sentences import refusals_as_sentences
from memoryhub.tenancy import ALL_SUBJECTS, Principal, acting_for
from memoryhub.vocabulary import KeyRole


class Command(BaseCommand):
    help = (
        "Write every entry with its provenance, then every memory file, one JSON object a line; 'import' takes them in "
        "elsewhere."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("file", type=Path, nargs="?", help="default: standard output")
        parser.add_argument("--organisation", required=True, metavar="SLUG")
        parser.add_argument("--subject", default="", metavar="EXTERNAL_ID", help="of this one alone")

    def handle(self, *args: Any, **options: Any) -> None:
        now, written = timezone.now(), Counter[str]()
        with refusals_as_sentences():
            tenant = access.organisation_of(options["organisation"])
            by = Principal(tenant.pk, "command:export", frozenset({KeyRole.OPERATOR}))
            with acting_for(by, subjects=ALL_SUBJECTS), _opened(options["file"], self.stdout) as out:
                about = subjects.find(external_id=options["subject"], by=by) if options["subject"] else None
                for document in transfer.lines(by=by, now=now, subject=about):
                    out.write(transfer.as_line(document) + "\n")
                    written[document["format"]] += 1
        files = f", {written[transfer.FILE_FORMAT]} memory files" if written[transfer.FILE_FORMAT] else ""
        self.stderr.write(f"{written[transfer.FORMAT]} entries{files}.")


@contextmanager
def _opened(path: Path | None, otherwise: OutputWrapper) -> Iterator[TextIO | OutputWrapper]:
    """Where the lines go: a file only its owner reads, which is there once it is whole; else standard output."""
    if path is None:
        yield otherwise
        return
    part = path.with_name(f"{path.name}.part")
    try:
        with os.fdopen(os.open(part, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600), "w", encoding="utf-8") as out:
            yield out
        part.replace(path)
    except OSError as error:
        raise CommandError(f"{path} can't be written: {error.strerror}.", returncode=1) from error
    finally:
        part.unlink(missing_ok=True)
