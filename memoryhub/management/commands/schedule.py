"""manage.py schedule: when an organisation dreams and does its housekeeping by itself (R70, R77)."""

from argparse import ArgumentParser
from datetime import time
from typing import Any

from django.core.management.base import BaseCommand, CommandError
from django.utils import timezone

from memoryhub.dreams import schedules
from memoryhub.governance import access
from memoryhub.management.sentences import refusals_as_sentences
from memoryhub.models import Schedule
from memoryhub.tenancy import ALL_SUBJECTS, acting_for, system_principal

OFF = "off"


class Command(BaseCommand):
    help = (
        "Show when dreams and housekeeping begin by themselves, or change it; what is not named stays. Times of day "
        "are in the organisation's zone; 'off' switches one off. A worker has to run (make run)."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--organisation", required=True, metavar="SLUG")
        parser.add_argument("--nightly", metavar="HH:MM|off", help="a dream at this time of day")
        parser.add_argument("--every", metavar="HOURS|off", help="a dream every so many hours, instead of nightly")
        parser.add_argument("--idle", metavar="MINUTES|off", help="a dream when no turn came in for so long")
        parser.add_argument("--housekeeping", metavar="HH:MM|off", help="all jobs of housekeeping, at this time of day")

    def handle(self, *args: Any, **options: Any) -> None:
        with refusals_as_sentences():
            organisation = access.organisation_of(options["organisation"])
            by = system_principal(organisation.pk, access.BY_COMMAND)
            with acting_for(by, subjects=ALL_SUBJECTS):
                row = schedules.of(organisation.pk)
                named = {name: options[name] for name in ("nightly", "every", "idle", "housekeeping")}
                if any(value is not None for value in named.values()):
                    row = schedules.change(**_wanted(named, row), by=by, now=timezone.now())
        self.stdout.write(in_words(row, zone=organisation.timezone))


def _wanted(named: dict[str, str | None], row: Schedule | None) -> dict[str, Any]:
    """All four times, as they are and as they are named; a time of day and a rhythm take each other's place."""
    kept = row or Schedule()
    wanted = {
        "dream_at": kept.dream_at, "dream_every_hours": kept.dream_every_hours,
        "dream_idle_minutes": kept.dream_idle_minutes, "chores_at": kept.chores_at,
    }  # fmt: skip
    if named["nightly"] is not None:
        wanted |= {"dream_at": _time(named["nightly"], "nightly")}
        wanted |= {"dream_every_hours": None} if wanted["dream_at"] and named["every"] is None else {}
    if named["every"] is not None:
        wanted |= {"dream_every_hours": _number(named["every"], "every")}
        wanted |= {"dream_at": None} if wanted["dream_every_hours"] and named["nightly"] is None else {}
    if named["idle"] is not None:
        wanted |= {"dream_idle_minutes": _number(named["idle"], "idle")}
    if named["housekeeping"] is not None:
        wanted |= {"chores_at": _time(named["housekeeping"], "housekeeping")}
    return wanted


def in_words(row: Schedule | None, *, zone: str) -> str:
    """The times for a person at a terminal."""
    parts = []
    if row is not None and row.dream_at:
        parts.append(f"a dream at {row.dream_at:%H:%M} ({zone})")
    if row is not None and row.dream_every_hours:
        parts.append(f"a dream every {row.dream_every_hours} h")
    if row is not None and row.dream_idle_minutes:
        parts.append(f"a dream when no turn came in for {row.dream_idle_minutes} min")
    if row is not None and row.chores_at:
        parts.append(f"housekeeping at {row.chores_at:%H:%M} ({zone})")
    return f"By itself: {', '.join(parts)}." if parts else "Nothing begins by itself."


def _time(text: str, name: str) -> time | None:
    if text == OFF:
        return None
    try:
        return time.fromisoformat(text).replace(second=0, microsecond=0, tzinfo=None)
    except ValueError as error:
        raise CommandError(f"--{name} is a time of day like 02:30, or 'off'.", returncode=1) from error


def _number(text: str, name: str) -> int | None:
    if text == OFF:
        return None
    try:
        return int(text)
    except ValueError as error:
        raise CommandError(f"--{name} is a whole number, or 'off'.", returncode=1) from error
