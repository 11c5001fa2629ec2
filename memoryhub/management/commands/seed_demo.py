"""manage.py seed_demo: put the demo in, once, and print how to sign in (api.md, commands)."""

from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand
from django.utils import timezone

from memoryhub.management import demo
from memoryhub.management.sentences import refusals_as_sentences


class Command(BaseCommand):
    help = "Put the demo organisation in, unless it is there, and print how to sign in."

    def handle(self, *args: Any, **options: Any) -> None:
        with refusals_as_sentences():
            self.stdout.write(demo.fill(folder=settings.MEMORYHUB_DATA_DIR, now=timezone.now()))
