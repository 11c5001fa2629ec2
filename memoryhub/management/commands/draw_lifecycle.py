"""Draws the picture in docs/lifecycle.md from the table of moves; `--check` says whether it still equals the table."""

from pathlib import Path
from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError, CommandParser

from memoryhub.governance.lifecycle import drawing

PATH = Path(settings.BASE_DIR) / "docs" / "lifecycle.md"
BEGINS, ENDS = "```mermaid\n", "\n```"


class Command(BaseCommand):
    help = "Draw the picture in docs/lifecycle.md from the table of legal moves."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("--check", action="store_true", help="change nothing; exit 1 when the file is out of date")

    def handle(self, *args: Any, **options: Any) -> None:
        if not options["check"]:
            PATH.write_text(page(), encoding="utf-8")
        elif PATH.read_text(encoding="utf-8") != page():
            raise CommandError("docs/lifecycle.md differs from the table; run manage.py draw_lifecycle.")


def page() -> str:
    """The whole page: its words as they stand, the drawing as the table says."""
    before, begins, rest = PATH.read_text(encoding="utf-8").partition(BEGINS)
    _, ends, after = rest.partition(ENDS)
    return f"{before}{begins}{drawing()}{ends}{after}"
