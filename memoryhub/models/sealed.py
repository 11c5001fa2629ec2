"""How does a row keep fields that nobody searches? Together in one sealed column, read and set like any other field.

A model names its sealed columns and what is in each. They are opened when first read, and sealed anew when the row is
saved after a change, also by `bulk_create`. A column in which everything is empty is NULL.
"""

import json
import uuid
from collections.abc import Iterable, Iterator, Mapping
from itertools import islice
from typing import Any, ClassVar, TypeVar

from django.db import models

from memoryhub.models import subject_key
from memoryhub.models.base import Tenant

M = TypeVar("M", bound="SealedRow")
_AT_ONCE = 500


class SealedField(models.BinaryField):
    """A column of a SealedRow; as a migration sees it, plain bytes."""

    def __init__(self, *args: Any, **options: Any) -> None:
        super().__init__(*args, **{"null": True, "editable": False} | options)

    def deconstruct(self) -> Any:
        name, _, arguments, options = super().deconstruct()
        return name, "django.db.models.BinaryField", arguments, options

    def pre_save(self, model_instance: models.Model, add: bool) -> Any:
        if isinstance(model_instance, SealedRow):
            model_instance.seal(self.attname)
        return super().pre_save(model_instance, add)


def part(column: str, name: str) -> Any:
    """The property that reads and sets one field of a sealed column."""

    def read(row: "SealedRow") -> Any:
        return row.opened(column)[name]

    def write(row: "SealedRow", value: Any) -> None:
        row.opened(column)[name] = value

    return property(read, write)


class SealedRow(Tenant):
    """A row about one subject with sealed columns: column → field → what it is when empty (text or a list)."""

    SEALED: ClassVar[Mapping[str, Mapping[str, Any]]] = {}

    _open: dict[str, tuple[dict[str, Any], str]] | None = None  # by column: its fields, and how they were read

    class Meta:
        abstract = True

    def opened(self, column: str) -> dict[str, Any]:
        """The fields of a column in clear. Raises KeyDestroyed, SealBroken."""
        if self._open is None:
            self._open = {}
        if column not in self._open:
            fields = read(type(self), column, row=self.pk, subject=self._subject, sealed=getattr(self, column))
            self._open[column] = fields, _written(fields)
        return self._open[column][0]

    def seal(self, column: str) -> None:
        """Seal a column again, if what is in it was changed since it was read."""
        if self._open is None or column not in self._open:
            return
        fields, before = self._open[column]
        written = _written(fields)
        if written == before:
            return
        purpose, sealed = _purpose(type(self), column), None
        if any(fields.values()):
            data = written.encode("utf-8", "surrogatepass")
            sealed = subject_key.seal(subject=self._subject, data=data, purpose=purpose, row=self.pk)
        setattr(self, column, sealed)
        self._open[column] = fields, written

    def refresh_from_db(self, using: Any = None, fields: Any = None, from_queryset: Any = None) -> None:
        for column in self.SEALED if fields is None else fields:
            (self._open or {}).pop(column, None)
        super().refresh_from_db(using=using, fields=fields, from_queryset=from_queryset)

    @property
    def _subject(self) -> uuid.UUID:
        subject: uuid.UUID = self.subject_id  # type: ignore[attr-defined]  # every such row is about one
        return subject


def read(
    model: type[SealedRow], column: str, *, row: uuid.UUID, subject: uuid.UUID, sealed: bytes | memoryview | None
) -> dict[str, Any]:
    """The fields of a column that was read by itself, without the row around it."""
    if sealed is None:
        return {name: type(empty)() for name, empty in model.SEALED[column].items()}
    data = subject_key.unseal(subject=subject, data=bytes(sealed), purpose=_purpose(model, column), row=row)
    fields: dict[str, Any] = json.loads(data)
    return fields


def in_clear(rows: Iterable[M]) -> Iterator[M]:
    """The rows as they come, opened as far as they were read, so that they can be looked at outside of acting_for.
    Their subjects' keys are looked up for many at once.
    """
    waiting = iter(rows)
    while batch := list(islice(waiting, _AT_ONCE)):
        subject_key.look_up(each._subject for each in batch)
        for each in batch:
            for column in each.SEALED:
                if column not in each.get_deferred_fields():
                    each.opened(column)
            yield each


def _purpose(model: type[SealedRow], column: str) -> str:
    return f"{model._meta.model_name}.{column}"


def _written(fields: Mapping[str, Any]) -> str:
    return json.dumps(fields, ensure_ascii=False, separators=(",", ":"))
