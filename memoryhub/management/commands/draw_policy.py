"""Draws docs/policy.md from the shipped policy; `--check` says whether the file still equals it."""

from pathlib import Path
from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError, CommandParser

from memoryhub.governance.policy import SHIPPED
from memoryhub.management.policy_page import shipped_page


class Command(BaseCommand):
    help = "Draw docs/policy.md from the shipped policy."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("--check", action="store_true", help="change nothing; exit 1 when the file is out of date")

    def handle(self, *args: Any, **options: Any) -> None:
        path, text = Path(settings.BASE_DIR) / "docs" / "policy.md", shipped_page(SHIPPED)
        if not options["check"]:
            path.write_text(text, encoding="utf-8")
        elif not path.exists() or path.read_text(encoding="utf-8") != text:
            raise CommandError("docs/policy.md differs from the shipped policy; run manage.py draw_policy.")
