"""manage.py sources: say where an agent's mapped keys are read, and try it (R36)."""

import json
from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError
from django.utils import timezone

from memoryhub.governance import access, record_sources, records, subjects
from memoryhub.governance.policy_versions import in_force
from memoryhub.management.sentences import refusals_as_sentences
from memoryhub.tenancy import ALL_SUBJECTS, acting_for, system_principal

MAX_BYTES = 1024 * 1024


class Command(BaseCommand):
    help = (
        "Show the records that have the last word about an agent's keys. --set replaces the mapping by a JSON file's, "
        "--check asks each source about a subject, now. Agents can't set their own."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--organisation", required=True, metavar="SLUG")
        parser.add_argument("--agent", required=True, metavar="SLUG")
        parser.add_argument("--set", metavar="FILE", help="a JSON object: key → source (docs/records.md)")
        parser.add_argument("--check", metavar="SUBJECT", help="the external id to ask about")

    def handle(self, *args: Any, **options: Any) -> None:
        with refusals_as_sentences():
            tenant = access.organisation_of(options["organisation"])
            by = system_principal(tenant.pk, access.BY_COMMAND)
            now = timezone.now()
            with acting_for(by, subjects=ALL_SUBJECTS):
                agent = access.agent_of(slug=options["agent"], by=by)
                if options["set"]:
                    record_sources.set_sources(agent=agent, mapping=_mapping(options["set"]), by=by, now=now)
                rows = record_sources.sources_of(agent)
                subject = subjects.find(external_id=options["check"], by=by) if options["check"] else None
            for row in rows:
                whom = f" (for {row.subject.external_id})" if row.subject else ""
                line = f"{row.key}{whom}: {record_sources.name_of(row)}"
                if subject is not None and row.subject_id in (None, subject.pk):
                    with acting_for(by, subjects=ALL_SUBJECTS):  # one at a time: each has a time box of its own
                        told = records.ask_now(
                            row, subject=subject, policy=in_force(tenant.pk), by=by, now=timezone.now()
                        )
                    line += f" → {told.value}" if told.found else f" → {told.state}: {told.reason}"
                self.stdout.write(line)
            if not rows:
                self.stdout.write("No key is mapped to a record.")


def _mapping(path: str) -> Any:
    """The file's JSON. Raises CommandError with a sentence."""
    try:
        raw = Path(path).read_bytes()
        if len(raw) > MAX_BYTES:
            raise CommandError(f"{path} is larger than {MAX_BYTES // 1024} KB.", returncode=1)
        return json.loads(raw.decode("utf-8"))
    except OSError as error:
        raise CommandError(f"{path} can't be read.", returncode=1) from error
    except (ValueError, RecursionError) as error:
        raise CommandError(f"{path} is not JSON.", returncode=1) from error
