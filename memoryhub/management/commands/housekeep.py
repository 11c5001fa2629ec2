"""manage.py housekeep: run the jobs of housekeeping to their end in this process (R77, R78; api.md, commands)."""

import json
from argparse import ArgumentParser
from datetime import datetime
from typing import Any

from django.core.management.base import BaseCommand, CommandError
from django.core.serializers.json import DjangoJSONEncoder
from django.utils import timezone
from django.utils.dateparse import parse_datetime

from memoryhub.dreams.housekeeping import runs
from memoryhub.governance import access
from memoryhub.governance.dates import faults_of
from memoryhub.management.sentences import refusals_as_sentences
from memoryhub.vocabulary import Chore, Deed, DreamStatus


class Command(BaseCommand):
    help = (
        "Let lapse, ask, fold, merge, put aside, re-check, reflect and audit, for one organisation. Without --job: all "
        "of them, one after the other. Each leaves a report on the page of dreams and its rows in the audit trail."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--organisation", required=True, metavar="SLUG")
        parser.add_argument(
            "--job", action="append", choices=Chore.values, help="only this one; can be given several times"
        )
        parser.add_argument("--now", metavar="ISO", help="go by this moment, like 2027-03-01T00:00:00Z")
        parser.add_argument("--dry-run", action="store_true", help="say what would be done, and keep nothing of it")
        parser.add_argument("--json", action="store_true")

    def handle(self, *args: Any, **options: Any) -> None:
        as_of = _moment(options["now"]) if options["now"] else None
        wanted = [chore for chore in Chore if not options["job"] or chore.value in options["job"]]
        with refusals_as_sentences():
            organisation = access.organisation_of(options["organisation"])
            dry = options["dry_run"]
            told = [_told(chore, organisation.pk, as_of=as_of, dry=dry) for chore in wanted]
        if options["json"]:
            moment = as_of or timezone.now()
            body = {"organisation": organisation.slug, "as_of": moment, "dry_run": dry, "jobs": told}
            self.stdout.write(json.dumps(body, cls=DjangoJSONEncoder))
        else:
            self.stdout.write("\n".join(in_words(one, dry=dry) for one in told))
        failed = [one["job"] for one in told if one["status"] != DreamStatus.DONE]
        if failed:
            raise CommandError(f"Not done: {', '.join(failed)}.")


def in_words(told: dict[str, Any], *, dry: bool) -> str:
    """One job for a person at a terminal."""
    counts = ", ".join(f"{count} {Deed(deed).label}" for deed, count in told["counts"].items())
    line = (
        f"{Chore(told['job']).label.capitalize()}: {'would be: ' if dry and counts else ''}{counts or 'nothing to do'}."
    )
    return f"{line} {told['failure']}." if told["failure"] else line


def _told(chore: Chore, organisation: Any, *, as_of: datetime | None, dry: bool) -> dict[str, Any]:
    if dry:
        report = runs.dry_run(chore=chore, organisation=organisation, as_of=as_of)
        status, deeds, counts = DreamStatus.DONE, report.deeds, dict(report.counts)
        seen, failure, run = report.seen, report.failure, None
    else:
        row = runs.keep_now(chore=chore, organisation=organisation, as_of=as_of)
        status, deeds, counts = DreamStatus(row.status), row.lines, row.counts
        seen, failure, run = row.seen, row.failure, str(row.pk)
    deeds_told = [{"deed": deed, kind: id} for deed, kind, id in deeds]
    return {
        "job": chore.value, "id": run, "status": status.value, "seen": seen, "counts": counts, "deeds": deeds_told,
        "failure": failure,
    }  # fmt: skip


def _moment(text: str) -> datetime:
    try:
        moment = parse_datetime(text)
    except ValueError:
        moment = None
    if moment is None or moment.tzinfo is None:
        raise CommandError("--now is a moment with its zone, like 2027-03-01T00:00:00Z.", returncode=1)
    if faults := faults_of(moment):
        raise CommandError(f"--now: {' '.join(faults)}", returncode=1)
    return moment
