"""Draws docs/lifecycle.md from the table of moves; `--check` says whether the file still equals the table."""

from pathlib import Path
from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError, CommandParser

from memoryhub.governance.lifecycle import drawing

HEAD = """# The lifecycle of an entry

Drawn from `memoryhub/governance/lifecycle.py` by `manage.py draw_lifecycle`; a test fails when the two differ.

An entry begins as a proposal (a person decides), accepted (the rules did), disputed (it contradicts something more
trusted) or, when it is over as it is recorded, as history: replaced or expired. Only accepted entries
in their validity are recalled.

```mermaid
"""


class Command(BaseCommand):
    help = "Draw docs/lifecycle.md from the table of legal moves."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("--check", action="store_true", help="change nothing; exit 1 when the file is out of date")

    def handle(self, *args: Any, **options: Any) -> None:
        path, text = Path(settings.BASE_DIR) / "docs" / "lifecycle.md", page()
        if not options["check"]:
            path.write_text(text, encoding="utf-8")
        elif not path.exists() or path.read_text(encoding="utf-8") != text:
            raise CommandError("docs/lifecycle.md differs from the table; run manage.py draw_lifecycle.")


def page() -> str:
    """The whole page."""
    return f"{HEAD}{drawing()}\n```\n"
