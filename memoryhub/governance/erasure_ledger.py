"""What was erased, as an older backup has to hear it: ids and moments, in a file outside the database (R91).

One line of JSON per receipt, appended and synced when the erasure commits, and again from the table for whatever missed
its line: a worker looks when it starts and every hour. A line may be there twice, and does no harm twice; one that a
crash tore in half is passed over with a word, and comes again from the table.
"""

import fcntl
import json
import logging
import os
import re
import uuid
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any, Final

from django.conf import settings
from django.core.exceptions import ValidationError
from django.db import transaction

from memoryhub.governance import access
from memoryhub.models import Erasure
from memoryhub.tenancy import ALL_SUBJECTS, acting_for, system_principal

log = logging.getLogger(__name__)

#: Receipts of so many days are looked for in the file: longer than any backup is kept.
LOOKED_BACK: Final = timedelta(days=100)
_ID = re.compile(rb'"id": ?"([0-9a-f-]{36})"')
_NOT_NEEDED = frozenset({"removed", "remaining"})  # counts, which doing it again makes anew


@dataclass(frozen=True)
class Ledger:
    """What a file holds: receipts as rows that are not stored, oldest first, and how many lines could not be read."""

    rows: tuple[Erasure, ...]
    torn: int = 0


def note(row: Erasure) -> None:
    """Write a receipt's line when its transaction commits. A file that can't be written holds up no erasure: the line
    comes with the next catch-up, and the log says so.
    """
    line = _line(row)
    transaction.on_commit(lambda: _try([line]))


def seek(*, now: datetime) -> None:
    """Write the lines that are missing, of all organisations; for a worker."""
    catch_up(now=now)


def catch_up(*, now: datetime, path: Path | None = None) -> int:
    """Write the lines that are missing, and tell how many; what is newer than any backup that is kept is looked at."""
    path = path or settings.MEMORYHUB_ERASURE_LEDGER
    there = _ids(path)
    lines = []
    for organisation, _ in access.organisations():
        with acting_for(system_principal(organisation, "erasure_ledger"), subjects=ALL_SUBJECTS):
            rows = Erasure.objects.filter(organisation_id=organisation, erased_at__gte=now - LOOKED_BACK)
            lines += [_line(row) for row in rows.order_by("erased_at", "id") if row.pk not in there]
    return len(lines) if _try(lines, path) else 0


def read(path: Path) -> Ledger:
    """Every receipt in the file, oldest first, each once. Raises OSError where it can't be read."""
    found: dict[uuid.UUID, Erasure] = {}
    torn = 0
    with path.open("rb") as file:
        for line in file:
            if not line.strip():
                continue
            try:
                row = _row(json.loads(line))
            except (ValueError, KeyError, TypeError, ValidationError):
                torn += 1
                continue
            found[row.pk] = row
    if torn:
        log.warning("%s lines of the erasure ledger %s can't be read and are passed over", torn, path)
    return Ledger(tuple(sorted(found.values(), key=lambda row: (row.erased_at, row.pk))), torn)


def append(lines: Sequence[bytes], path: Path) -> None:
    """Add lines at the end, durable when it returns. After half a line of a crash it begins on a new one."""
    if not lines:
        return
    with os.fdopen(os.open(path, os.O_RDWR | os.O_CREAT | os.O_APPEND, 0o600), "r+b") as file:
        fcntl.flock(file, fcntl.LOCK_EX)
        size = file.seek(0, os.SEEK_END)
        if size:
            file.seek(size - 1)
            lines = lines if file.read(1) == b"\n" else [b"", *lines]
        file.write(b"".join(line + b"\n" for line in lines))
        file.flush()
        os.fsync(file.fileno())


def merge(source: Path, into: Path) -> None:
    """Add what another file holds and this one does not."""
    there = _ids(into)
    append([_line(row) for row in read(source).rows if row.pk not in there], into)


def _try(lines: Sequence[bytes], path: Path | None = None) -> bool:
    path = path or settings.MEMORYHUB_ERASURE_LEDGER
    try:
        append(lines, path)
    except OSError as error:
        log.error("the erasure ledger %s can't be written (%s); it is tried again", path, error.strerror)
        return False
    return True


def _ids(path: Path) -> set[uuid.UUID]:
    return {uuid.UUID(found.decode()) for found in _each_id(path)}


def _each_id(path: Path) -> Iterator[bytes]:
    """The ids of the lines that are whole."""
    try:
        with path.open("rb") as file:
            for line in file:
                if line.endswith(b"}\n") and (found := _ID.match(line, 1)) is not None:
                    yield found.group(1)
    except FileNotFoundError:
        return


def _fields() -> Iterable[Any]:
    return (field for field in Erasure._meta.concrete_fields if field.name not in _NOT_NEEDED)


def _line(row: Erasure) -> bytes:
    values = {field.attname: getattr(row, field.attname) for field in _fields()}
    return json.dumps({"id": values.pop("id"), **values}, default=str).encode()


def _row(document: Any) -> Erasure:
    """A receipt as it was; fields that this version does not know, or that an older one did not write, stay as they
    are by themselves.
    """
    if not isinstance(document, dict):
        raise ValueError
    known = {field.attname: field for field in _fields()}
    given = {name: known[name].to_python(value) for name, value in document.items() if name in known}
    row = Erasure(**given)
    if not isinstance(given["id"], uuid.UUID) or given["organisation_id"] is None or given["erased_at"] is None:
        raise ValueError
    row.organisation_id = uuid.UUID(str(given["organisation_id"]))
    return row
