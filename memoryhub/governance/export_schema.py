"""What does an export look like, for programs? Its JSON Schema, made of the table that the rows are read by (R90, R91).

Published at /api/v1/export-schema.json and as docs/export-schema.json; docs/export.md says the same for people. It is
strict: a member more or less is a fault, so that a file that validates is whole.
"""

from collections.abc import Mapping
from typing import Any, Final

from memoryhub.governance.export import SCHEMA
from memoryhub.governance.export_columns import (
    FLAG,
    ID,
    MOMENT,
    NUMBER,
    OBJECT,
    OBJECTS,
    TEXT,
    TEXTS,
    WHOLE,
    Column,
    Section,
)
from memoryhub.governance.export_sections import SECTIONS

Schema = dict[str, Any]

_TYPES: Final[Mapping[str, Schema]] = {
    TEXT: {"type": "string"},
    MOMENT: {"type": "string", "format": "date-time"},
    ID: {"type": "string", "format": "uuid"},
    FLAG: {"type": "boolean"},
    WHOLE: {"type": "integer"},
    NUMBER: {"type": "number"},
    TEXTS: {"type": "array", "items": {"type": "string"}},
    OBJECT: {"type": "object"},
    OBJECTS: {"type": "array", "items": {"type": "object"}},
}

#: Members that are made of no column of their own: section ("" for the document) → name → (type, what it says).
MORE: Final[Mapping[str, Mapping[str, tuple[str, str]]]] = {
    "": {
        "schema": (TEXT, f"the name and version of this form: {SCHEMA}"),
        "exported_at": (MOMENT, "the moment it tells of"),
        "kept_for_days": (OBJECT, "for each category, how many days it is kept from recording or confirming on"),
        "policy_version": (WHOLE, "the version of the rules that say so"),
        "not_included": (OBJECTS, "what is not in here, and why"),
    },
    "entries": {
        "derived_from": (TEXTS, "ids of the entries it was made from"),
        "derived_from_events": (TEXTS, "the exchanges it was made from, as the agent calls them"),
    },
    "evidence": {
        "entries": (TEXTS, "ids of the entries it was shown for"),
        "outcomes": (TEXTS, "what came of it for each of them"),
    },
    "reads": {"entries": (TEXTS, "ids of the entries that were given")},
}


def schema() -> Schema:
    """The whole schema."""
    members: dict[str, Schema] = {name: _of(type, says) for name, (type, says) in MORE[""].items()}
    for section in SECTIONS:
        if not section.inside:
            members[section.name] = _section(section)
    members["schema"] = {"const": SCHEMA, "description": MORE[""]["schema"][1]}
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "$id": f"urn:{SCHEMA}",
        "title": "All that is remembered about one subject",
        **_object(members),
    }


def _section(section: Section) -> Schema:
    members = {column.name: _column(column) for column in section.columns}
    members |= {name: _of(type, says) for name, (type, says) in MORE.get(section.name, {}).items()}
    members |= {inner.name: _section(inner) for inner in SECTIONS if inner.inside == section.name}
    if section.one:
        return {"description": section.says, **_object(members)}
    return {"description": section.says, "type": "array", "items": _object(members)}


def _object(members: Mapping[str, Schema]) -> Schema:
    return {
        "type": "object", "properties": dict(members), "required": list(members), "additionalProperties": False
    }  # fmt: skip


def _column(column: Column) -> Schema:
    return _of(column.type, column.says, null=column.null)


def _of(type: str, says: str, *, null: bool = False) -> Schema:
    made = dict(_TYPES[type])
    if null:
        made["type"] = [made["type"], "null"]
    return {"description": says, **made}
