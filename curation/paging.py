"""Where does the next page of a long list begin? After the last row shown; nothing is counted or skipped."""

import uuid
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any

from django.db.models import Model, Q, QuerySet

from memoryhub import conf
from memoryhub.errors import Invalid

ROWS = 50


@dataclass(frozen=True)
class Paged:
    """One page of rows, and the mark after which the next begins (empty at the end)."""

    rows: list[Any]
    after: str


def rows_after(rows: QuerySet[Any], mark: str, *, field: str, newest_first: bool = False, size: int = ROWS) -> Paged:
    """A page of `rows`, which are ordered by (`field`, id). Raises Invalid for a mark that was tampered with."""
    if mark:
        moment, last = _read(mark)
        side = "lt" if newest_first else "gt"
        rows = rows.filter(Q(**{f"{field}__{side}": moment}) | Q(**{field: moment, f"id__{side}": last}))
    found = list(rows[: size + 1])
    shown = found[:size]
    return Paged(rows=shown, after=_mark(shown[-1], field) if len(found) > size else "")


def _mark(row: Model, field: str) -> str:
    return f"{getattr(row, field).isoformat()}~{row.pk}"


def _read(mark: str) -> tuple[datetime, uuid.UUID]:
    """The moment (UTC) and the id of a mark. A moment that no row can have was typed: at the edge of time, an offset
    would take it out of every calendar."""
    try:
        moment, last = mark.split("~")
        when = datetime.fromisoformat(moment)
        if when.tzinfo is None:
            raise ValueError("naive")
        when = when.astimezone(UTC)
        if not conf.EARLIEST <= when <= conf.LATEST:
            raise ValueError("no row is of that time")
        return when, uuid.UUID(last)
    except (ValueError, OverflowError):
        raise Invalid("The address of this page was cut off; start at the beginning of the list.") from None
