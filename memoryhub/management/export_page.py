"""What stands in an export, field by field, as a page for people? Drawn for docs/export.md (R90, R91)."""

import json
from collections.abc import Iterator
from typing import Final

from memoryhub.governance.export import SCHEMA
from memoryhub.governance.export_columns import Section
from memoryhub.governance.export_left_out import LEFT_OUT
from memoryhub.governance.export_schema import MORE, schema
from memoryhub.governance.export_sections import SECTIONS

HEAD: Final = f"""\
# The export, field by field

Drawn from the tables that the rows are read by, with `manage.py draw_export`; a test fails when the two differ. This is
`{SCHEMA}`. Its JSON Schema is [export-schema.json](export-schema.json), served by every hub at
`/api/v1/export-schema.json`; it is strict, so a file that validates has every field below and no other.

`GET /api/v1/subjects/{{external_id}}/export` gives it to a program. A person asks for it on their page: a zip of
`memories.json`, this schema as `schema.json`, and `memories.html` to read. It is sealed with the person's own key, can
be fetched for 7 days by whoever proved lately who they are, and is removed then, or with an erasure.

Types: text, moment (RFC 3339 with zone), id (UUID), flag, whole (number), number, texts and objects (lists). A field
marked *or null* is null where there is none.
"""


def export_page() -> str:
    """docs/export.md as it has to be."""
    parts = [HEAD, "## The document\n", _table(_more("")), *(_section(one) for one in SECTIONS), _left_out()]
    return "\n".join(part.rstrip() + "\n" for part in parts)


def schema_file() -> str:
    """docs/export-schema.json as it has to be."""
    return json.dumps(schema(), indent=2, ensure_ascii=False) + "\n"


def _section(section: Section) -> str:
    name = f"{section.inside}[].{section.name}" if section.inside else section.name
    many = "an object" if section.one else "a list of objects"
    rows = [(f"`{one.name}`", f"{one.type}{' or null' if one.null else ''}", one.says) for one in section.columns]
    return f"## `{name}`\n\n{section.says} It is {many}.\n\n{_table([*rows, *_more(section.name)])}"


def _more(name: str) -> list[tuple[str, str, str]]:
    return [(f"`{field}`", type, says) for field, (type, says) in MORE.get(name, {}).items()]


def _table(rows: list[tuple[str, str, str]]) -> str:
    return "\n".join(_lines(rows)) + "\n"


def _lines(rows: list[tuple[str, str, str]]) -> Iterator[str]:
    yield "| Field | Type | What it says |"
    yield "| --- | --- | --- |"
    for row in rows:
        yield f"| {' | '.join(row)} |"


def _left_out() -> str:
    lines = "\n".join(f"- **{one.what[:1].upper()}{one.what[1:]}.** {one.why}" for one in LEFT_OUT)
    return f"## What is not in it, and why\n\n{lines}\n"
