"""What is a column of an export, and how is its value read? The pieces export_sections.py is made of (R90)."""

from dataclasses import dataclass
from datetime import datetime
from typing import Any
from uuid import UUID

from django.db.models import Model

TEXT, MOMENT, FLAG, WHOLE, NUMBER, ID = "text", "moment", "flag", "whole", "number", "id"
TEXTS, OBJECT, OBJECTS, ANY = "texts", "object", "objects", "any"


@dataclass(frozen=True)
class Column:
    """One member of an object: its name, where it is read (a path of attributes), what it is, what it says."""

    name: str
    path: str
    type: str
    says: str
    null: bool = False

    def read(self, row: Any) -> Any:
        """The value as JSON has it; an empty text where null is allowed is null."""
        value: Any = row
        for name in self.path.split("."):
            value = getattr(value, name) if value is not None else None
        if self.type == FLAG:
            return bool(value)
        if isinstance(value, datetime):
            return value.isoformat()
        if isinstance(value, UUID):
            return str(value)
        if self.null and value == "":
            return None
        return [str(one) for one in value] if self.type == TEXTS else value


@dataclass(frozen=True)
class Section:
    """One kind of row: what it is called in the document, and its columns. `inside` another one's rows, or on top."""

    name: str
    model: type[Model]
    says: str
    columns: tuple[Column, ...]
    inside: str = ""
    one: bool = False

    def field_of(self, column: Column) -> str:
        """The field of the model that a column covers; of a reference, its name without the id."""
        first = column.path.partition(".")[0]
        return {field.attname: field.name for field in self.model._meta.concrete_fields}.get(first, first)

    def read(self, row: Any) -> dict[str, Any]:
        """One row as JSON has it."""
        return {column.name: column.read(row) for column in self.columns}


@dataclass(frozen=True)
class LeftOut:
    """What is not in the file, why, and which columns that are: `Model.field`, `*.field` of any, or a whole `Model`."""

    what: str
    why: str
    columns: tuple[str, ...]
