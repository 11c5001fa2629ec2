"""manage.py tour: picture every page of a running hub, and write docs/tour.md around the pictures (R92, R93)."""

from argparse import ArgumentParser
from collections.abc import Sequence
from itertools import groupby
from pathlib import Path
from textwrap import fill
from typing import Any, Final

from django.conf import settings
from django.core.management.base import BaseCommand

from memoryhub.errors import Invalid
from memoryhub.governance import access
from memoryhub.management import pictures, tour
from memoryhub.management.pictures import LOOKS, Person, Shown, file_of
from memoryhub.management.sentences import refusals_as_sentences

INTRO: Final = (
    "Every page as it is seen by whoever may open it: on a wide window, light and dark, and on a phone. Drawn by "
    "`manage.py tour` from a hub that runs; {words}"
)
HEAD: Final = """# A tour of the pages

{intro}

    .venv/bin/python manage.py tour --organisation {slug} --person EMAIL PASSWORD --words '…'

`--person` may be given several times (a curator, an operator, an auditor, a customer): a page is shown as the first of
them who may open it. The command needs Playwright and a Chromium, which the hub itself does not.
"""
ABOUT: Final = "the words on them are the demonstration's."


class Command(BaseCommand):
    help = "Open every page of a running hub in a headless Chromium, light, dark and on a phone, and draw docs/tour.md."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--organisation", required=True, metavar="SLUG")
        parser.add_argument(
            "--person", nargs=2, action="append", required=True, metavar=("EMAIL", "PASSWORD"),
            help="who signs in to look; several times for several roles",
        )  # fmt: skip
        parser.add_argument(
            "--empty", nargs=2, metavar=("EMAIL", "PASSWORD"),
            help="somebody of an organisation in which nothing happened yet: pages are shown with nothing on them",
        )  # fmt: skip
        parser.add_argument("--url", default="", help="default: the hub on this machine's PORT")
        parser.add_argument("--out", type=Path, default=Path(settings.BASE_DIR) / "docs", help="folder of tour.md")
        parser.add_argument("--words", default=ABOUT, help="whose words are on the pages, as the rest of a sentence")

    def handle(self, *args: Any, **options: Any) -> None:
        url = options["url"] or f"http://127.0.0.1:{settings.MEMORYHUB_PORT}"
        with refusals_as_sentences():
            # All that is looked up in the database comes before the browser, whose loop Django would refuse it in.
            examples = tour.examples_of(access.organisation_of(options["organisation"]).pk)
            people = [Person(*one) for one in options["person"]]
            with pictures.browser() as running:
                found, shown = pictures.take(running, url=url, people=people, examples=examples)
                nobody = Person(*options["empty"]) if options["empty"] else None
                bare = pictures.take_empty(running, url=url, person=nobody, stops=found.stops) if nobody else []
            if not shown:
                raise Invalid(f"No page could be opened at {url}.")
        out: Path = options["out"]
        size = pictures.write([*shown, *bare], out / "tour")
        head = HEAD.format(intro=fill(INTRO.format(words=options["words"]), 118), slug=options["organisation"])
        (out / "tour.md").write_text(head + document(shown) + with_nothing(bare), encoding="utf-8")
        count = len(shown) * len(LOOKS) + len(bare)
        self.stdout.write(f"{len(shown)} pages, {count} pictures, {size / 1e6:.1f} MB: {out}/tour.md")
        for line in found.lost:
            self.stderr.write(f"Not opened: {line}.")


def document(shown: Sequence[Shown]) -> str:
    """The pages in the order of the URL table, grouped by the first part of their address."""
    lines = []
    for part, pages in groupby(shown, key=lambda page: page.stop.address.split("/")[1]):
        lines += ["", f"## {part.replace('-', ' ').capitalize() or 'Start'}"]
        for page in pages:
            name = file_of(page.stop)
            lines += ["", f"**{page.heading or name}** (`{page.stop.route}`). {page.lead}".rstrip(), ""]
            lines += [f'<img src="tour/{name}-{look.name}.webp" width="{_wide(look.name)}" alt="{name}, {look.name}">'
                      for look in LOOKS]  # fmt: skip
    return "\n".join(lines) + "\n"


def with_nothing(bare: Sequence[Shown]) -> str:
    """The same pages before anything happened: each says what will stand there."""
    if not bare:
        return ""
    lines = ["", "## Before anything happened", "", "What each page says while there is nothing to show.", ""]
    for page in bare:
        name = file_of(page.stop)
        lines.append(f'<img src="tour/{name}-empty.webp" width="300" alt="{page.heading or name}, empty">')
    return "\n".join(lines) + "\n"


def _wide(look: str) -> int:
    return 160 if look == "phone" else 360
