"""manage.py drop_demo: take the demo away for good (api.md, commands)."""

from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand
from django.utils import timezone

from memoryhub.management import demo
from memoryhub.management.sentences import refusals_as_sentences


class Command(BaseCommand):
    help = "Erase the demo organisation with everything in it; it does not come back at the next start."

    def handle(self, *args: Any, **options: Any) -> None:
        with refusals_as_sentences():
            erased = demo.drop(folder=settings.MEMORYHUB_DATA_DIR, now=timezone.now())
        if erased is None:
            self.stdout.write("There was no demo data.")
        else:
            self.stdout.write(
                f"The demo is gone: everything about {erased} customers was erased, with the organisation."
            )
