"""Draws docs/export.md and docs/export-schema.json; `--check` says whether the files still equal what is drawn."""

from pathlib import Path
from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError, CommandParser

from memoryhub.management.export_page import export_page, schema_file


class Command(BaseCommand):
    help = "Draw docs/export.md and docs/export-schema.json."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("--check", action="store_true", help="change nothing; exit 1 when a file is out of date")

    def handle(self, *args: Any, **options: Any) -> None:
        docs = Path(settings.BASE_DIR) / "docs"
        for path, text in ((docs / "export.md", export_page()), (docs / "export-schema.json", schema_file())):
            if not options["check"]:
                path.write_text(text, encoding="utf-8")
            elif not path.exists() or path.read_text(encoding="utf-8") != text:
                raise CommandError(f"docs/{path.name} differs from what the hub exports; run manage.py draw_export.")
