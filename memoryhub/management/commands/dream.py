"""manage.py dream: run one dream to its end in this process and print its report (api.md, commands)."""

import json
from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand, CommandError
from django.core.serializers.json import DjangoJSONEncoder
from django.utils import timezone

from memoryhub.dreams import dreamer, reports
from memoryhub.governance import access
from memoryhub.management.sentences import refusals_as_sentences
from memoryhub.tenancy import ALL_SUBJECTS, acting_for, system_principal
from memoryhub.vocabulary import DreamStatus, Store


class Command(BaseCommand):
    help = "Consolidate everything pending of one organisation, now; a dream that runs already is waited for."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--organisation", required=True, metavar="SLUG")
        parser.add_argument("--json", action="store_true", help="print what GET /dreams/{id} answers")

    def handle(self, *args: Any, **options: Any) -> None:
        with refusals_as_sentences():
            organisation = access.organisation_of(options["organisation"])
            dream = dreamer.dream_now(organisation=organisation.pk, now=timezone.now())
            with acting_for(system_principal(organisation.pk, dreamer.KIND), subjects=ALL_SUBJECTS):
                told = reports.report(dream)
        self.stdout.write(json.dumps(told, cls=DjangoJSONEncoder) if options["json"] else in_words(told))
        if dream.status == DreamStatus.FAILED:
            raise CommandError(f"The dream failed: {dream.failure}")


def in_words(told: dict[str, Any]) -> str:
    """The report for a person at a terminal."""
    report = told["report"]
    lines = [f"Dream {told['id']}: {told['status']}. {report['sessions']} sessions, {report['events']} events."]
    if told["failure"]:
        lines.append(f"  {told['failure']}; it waits for the next dream.")
    for store in Store:
        counts = ", ".join(f"{op} {count}" for op, count in report[store.value].items() if count)
        lines.append(f"  {store.label}: {counts or 'nothing'}")
    return "\n".join(lines)
