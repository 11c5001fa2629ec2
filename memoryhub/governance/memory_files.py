"""Memory as text files under /memories: which lines stand in which file, and what may be done to them (R112).

A file is a name and an order of entries; it holds no words and lies on no disk. Every line written is a proposal
through the one gate (R10), and what it refuses never was in the file. A view gives what recall may give the same
reader, and is logged as a read (R30, R37): lines that wait, lapsed, were replaced or erased are not in it; a newer
version stands in the place of the old one. Rights are those of the same acts elsewhere: to propose, change, erase.
"""

import re
import uuid
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Final

from django.db import connection

from memoryhub import conf
from memoryhub.errors import Invalid, NotFound
from memoryhub.governance import audit, erasure, intake
from memoryhub.governance.reconciliation import lock
from memoryhub.models import Entry, Erasure, NoteFile, Subject
from memoryhub.permissions import can_do, check_may, check_may_touch_authority
from memoryhub.recall import read_log
from memoryhub.recall.filters import Window, in_reach, passing, readers
from memoryhub.tenancy import Principal
from memoryhub.vocabulary import Channel, Op, Reason, Role, SensitiveData
from memoryhub.working.identifiers import may_be_an_id
from memoryhub.working.redaction import NEVER_KEPT, redact

ROOT: Final = "/memories"
LONGEST_PATH: Final = 200
#: What a path may be, letter by letter, so that there is nothing to be normalised, decoded or climbed.
_PATH: Final = re.compile(r"/memories(?:/[A-Za-z0-9_-](?:[A-Za-z0-9_. -]{0,78}[A-Za-z0-9_-])?){0,5}/?")
NO_PATH: Final = (
    "It has to be /memories, or a path below it of at most five names: letters, digits, '-', '_', and inside a name "
    "dots and spaces."
)
_IN_NAMES: Final = NEVER_KEPT | {SensitiveData.CONTACT}
_BULLET: Final = re.compile(r"^\s*(?:[-*•]\s+|\d{1,3}[.)]\s+)?")

_CHAINS: Final = """
WITH RECURSIVE chain (root, id) AS (
    SELECT id, id FROM memoryhub_entry WHERE id = ANY (%(lines)s::uuid[])
    UNION SELECT chain.root, e.id FROM chain JOIN memoryhub_entry e ON e.supersedes_id = chain.id
) SELECT root, id FROM chain
"""


@dataclass(frozen=True)
class Line:
    """One line as a view shows it, counted from 1."""

    number: int
    entry: Entry


@dataclass(frozen=True)
class Folder:
    """What lies below a path: each file with the number of its lines that can be seen."""

    files: tuple[tuple[str, int], ...]


@dataclass(frozen=True)
class Fate:
    """What became of one line that was sent, counted from 1 among those sent."""

    line: int
    results: tuple[intake.Result, ...]


@dataclass(frozen=True)
class Writing:
    """How lines are offered to the gate: as whose words, through which channel, and until when they live."""

    channel: Channel
    role: Role
    speaker: Subject | None = None
    session_ref: str = ""
    expires_at: datetime | None = None


def view(
    *, subject: Subject, path: str, lines: tuple[int, int] | None = None, by: Principal, now: datetime
) -> Folder | tuple[Line, ...]:
    """A file's lines, all or from the first to the second of `lines` (-1: the end), or what lies in a folder.

    Raises Invalid, or NotFound for a name that is neither; a file of which the reader can see no line is none.
    """
    check_may(by, "read_entries")
    path = checked_path(path)
    file = NoteFile.objects.filter(subject=subject, path=path).first()
    if file is None:
        return _folder(subject, path, by=by, now=now)
    shown = _lines(file, subject, by=by, now=now)
    if not shown:
        raise NotFound
    if lines is not None:
        first, last = lines
        if not 1 <= first <= len(shown) or not (last == -1 or first <= last):
            raise Invalid(errors={"view_range": [f"The file has lines 1 to {len(shown)}."]})
        shown = shown[first - 1 : None if last == -1 else last]
    read_log.write(
        by=by, now=now, purpose="file", subjects=[subject], query="",
        items=[{"id": str(line.entry.pk), "score": 1.0, "signals": {}, "warnings": []} for line in shown],
    )  # fmt: skip
    return shown


def create(*, subject: Subject, path: str, text: str, how: Writing, by: Principal, now: datetime) -> list[Fate]:
    """Write a new file. Raises Invalid for a name that is taken: what is remembered is never overwritten."""
    check_may(by, "propose")
    path = _file_path(path)
    lock(subject)
    _check_free(subject, path, "path")
    _check_room(subject)
    fates = _propose(subject, path, _split(text, "file_text"), how, by=by, now=now)
    if kept := _ids(fates):
        file = NoteFile(organisation_id=by.organisation, subject=subject, path=path, lines=kept)
        _save(file, "create", by=by, now=now)
    return fates


def insert(
    *, subject: Subject, path: str, after: int, text: str, how: Writing, by: Principal, now: datetime
) -> list[Fate]:
    """Write lines behind the line `after` that a view shows (0: at the top). Raises NotFound or Invalid."""
    check_may(by, "propose")
    lock(subject)
    file = _file(subject, path)
    shown = _lines(file, subject, by=by, now=now)
    if not 0 <= after <= len(shown):
        raise Invalid(errors={"insert_line": [f"It has to be from 0 to {len(shown)}."]})
    place = 0 if after == 0 else _place_of(file, shown[after - 1].entry) + 1
    fates = _propose(subject, file.path, _split(text, "insert_text"), how, by=by, now=now)
    _put(file, _ids(fates), place, "insert", by=by, now=now)
    return fates


def replace(
    *, subject: Subject, path: str, old: str, new: str, how: Writing, by: Principal, now: datetime
) -> tuple[list[Fate], list[Erasure]]:
    """Change the one line that holds `old`: a correction of it by whoever may change it, else a new proposal beside it.
    A line of which nothing is left is erased, by whoever may. Raises NotFound, NotGranted or Invalid.
    """
    check_may(by, "propose")
    if "\n" in old or "\n" in new:
        raise Invalid(errors={"old_str": ["One line is changed at a time; send no line breaks."]})
    lock(subject)
    file = _file(subject, path)
    holding = [line.entry for line in _lines(file, subject, by=by, now=now) if old in line.entry.content]
    if len(holding) != 1 or holding[0].content.count(old) != 1:
        found = "no line" if not holding else "more than one place"
        raise Invalid(errors={"old_str": [f"It stands in {found}; send words of the file that stand there once."]})
    entry = holding[0]
    text = entry.content.replace(old, new)
    if not text.strip():
        return [], [_erase(entry, by=by, now=now)]
    corrects = entry if can_do(by, "change_entry") else None
    fates = _propose(subject, file.path, [text], how, by=by, now=now, corrects=corrects)
    _put(file, _ids(fates), _place_of(file, entry) + 1, "replace", by=by, now=now)
    return fates, []


def delete(*, subject: Subject, path: str, by: Principal, now: datetime) -> list[Erasure]:
    """Erase a file's memories, or those of every file in a folder, with all that came from them; also those that wait
    or were declined. One receipt for each. Raises NotFound or NotGranted.
    """
    check_may(by, "erase_entry")
    path = checked_path(path)
    lock(subject)
    receipts = []
    for file in _files_at(subject, path):
        for id in file.lines:
            entry = Entry.objects.filter(pk=id, subject=subject).select_related("subject").first()
            if entry is not None:  # else it went with another line
                receipts.append(_erase(entry, by=by, now=now))
        _record(file, "delete", by=by, now=now)
    return receipts


def rename(*, subject: Subject, path: str, to: str, by: Principal, now: datetime) -> None:
    """Call a file, or a folder with what is in it, by another name. Raises NotFound, or Invalid for a name taken."""
    check_may(by, "propose")
    path, to = checked_path(path), _file_path(to, "new_path")
    lock(subject)
    for file in _files_at(subject, path):
        name = checked_path(to + file.path.removeprefix(path), "new_path")
        _check_free(subject, name, "new_path")
        file.path = name
        _save(file, "rename", by=by, now=now)


def bring_back(
    *, subject: Subject, path: str, lines: Sequence[uuid.UUID], made_at: datetime, changed_at: datetime, by: Principal,
    now: datetime,
) -> Op:  # fmt: skip
    """Make a file of an export again, of those of its lines that are entries of the subject: ADD, UPDATE where there is
    one of that name, which is continued, NOOP where all is as it was, DISCARDED where no line is here. Raises Invalid.
    """
    path = _file_path(path)
    lock(subject)
    here = set(Entry.objects.filter(subject=subject, pk__in=lines).values_list("pk", flat=True))
    kept = [id for id in dict.fromkeys(lines) if id in here]
    if not kept:
        return Op.DISCARDED
    if (file := NoteFile.objects.filter(subject=subject, path=path).first()) is not None:
        before = len(file.lines)
        _put(file, kept, before, "import", by=by, now=now)
        return Op.NOOP if len(file.lines) == before else Op.UPDATE
    _check_free(subject, path, "path")
    _check_room(subject, len(kept))
    file = NoteFile(organisation_id=by.organisation, subject=subject, path=path, lines=kept)
    file.made_at, file.changed_at = min(made_at, now), min(changed_at, now)
    file.save()
    _record(file, "import", by=by, now=now)
    return Op.ADD


def checked_path(path: str, field: str = "path") -> str:
    """A path as it is kept, without a stroke at its end. Raises Invalid for one that is none, or that tells what no
    name may: it is kept as it is.
    """
    if len(path) > LONGEST_PATH or not _PATH.fullmatch(path):
        raise Invalid(errors={field: [NO_PATH]})
    words = path.removeprefix(ROOT).replace("/", " ").strip()
    if redact(words, families=_IN_NAMES).findings or not all(may_be_an_id(word) for word in words.split()):
        raise Invalid(errors={field: ["A name may tell no secret, number or address."]}, code=Reason.SECRET)
    return path.rstrip("/")


def _file_path(path: str, field: str = "path") -> str:
    path = checked_path(path, field)
    if path == ROOT:
        raise Invalid(errors={field: ["Name a file below /memories."]})
    return path


def _file(subject: Subject, path: str) -> NoteFile:
    file = NoteFile.objects.filter(subject=subject, path=_file_path(path)).first()
    if file is None:
        raise NotFound
    return file


def _files_at(subject: Subject, path: str) -> list[NoteFile]:
    """The file of that name, or every file in the folder; raises NotFound where there is neither."""
    files = NoteFile.objects.filter(subject=subject)
    found = list(files.filter(path=path)) or list(files.filter(path__startswith=f"{path}/").order_by("path"))
    if not found:
        raise NotFound
    return found


def _folder(subject: Subject, path: str, *, by: Principal, now: datetime) -> Folder:
    rows = NoteFile.objects.filter(subject=subject, path__startswith=f"{path}/").order_by("path")
    counted = [(file.path, len(_lines(file, subject, by=by, now=now))) for file in rows]
    files = tuple(each for each in counted if each[1])
    if not files and path != ROOT:
        raise NotFound
    return Folder(files)


def _check_free(subject: Subject, path: str, field: str) -> None:
    """Raises Invalid where a file of that name is, or a folder, or a file in the place of one of its folders."""
    above = [path.rsplit("/", depth)[0] for depth in range(1, path.count("/") - 1)]
    files = NoteFile.objects.filter(subject=subject)
    if files.filter(path__in=[path, *above]).exists() or files.filter(path__startswith=f"{path}/").exists():
        raise Invalid(
            errors={field: ["There is something of that name already; insert into it, or take another name."]}
        )


def _check_room(subject: Subject, lines: int = 0) -> None:
    """Raises Invalid where one more file, of that many lines, would be too much."""
    if NoteFile.objects.filter(subject=subject).count() >= conf.MEMORY_FILES:
        raise Invalid(errors={"path": [f"A subject has at most {conf.MEMORY_FILES} files; add to one of them."]})
    _check_length(lines)


def _check_length(lines: int) -> None:
    if lines > conf.FILE_LINES:
        raise Invalid(errors={"path": [f"A file has at most {conf.FILE_LINES} lines; begin another."]})


def _lines(file: NoteFile, subject: Subject, *, by: Principal, now: datetime) -> tuple[Line, ...]:
    """What the reader may be given of a file, in the file's order, each statement once."""
    chains = _chains(file.lines)
    reach = in_reach(by=by, audiences=readers([subject]))
    found = passing(reach, by=by, now=now, window=Window(), kinds=(), categories=())
    rows = found.filter(subject=subject, pk__in=[id for ids in chains.values() for id in ids])
    current = {entry.pk: entry for entry in rows.select_related("subject").defer("embedding", "search")}
    ordered = dict.fromkeys(id for root in file.lines for id in chains.get(root, ()) if id in current)
    return tuple(Line(number, current[id]) for number, id in enumerate(ordered, 1))


def _chains(lines: Sequence[uuid.UUID]) -> dict[uuid.UUID, list[uuid.UUID]]:
    """Each entry with all the versions that took its place."""
    found: dict[uuid.UUID, list[uuid.UUID]] = {}
    with connection.cursor() as cursor:
        cursor.execute(_CHAINS, {"lines": [str(line) for line in lines]})
        for root, id in cursor.fetchall():
            found.setdefault(root, []).append(id)
    return found


def _place_of(file: NoteFile, entry: Entry) -> int:
    """Where an entry, or the last of those it took the place of, stands in a file."""
    chains = _chains(file.lines)
    return max(place for place, root in enumerate(file.lines) if entry.pk in chains.get(root, ()))


def _split(text: str, field: str) -> list[str]:
    """The lines of a text, without marks of a list; blank ones stay, so that a line keeps its number."""
    lines = [_BULLET.sub("", line).strip() for line in text.splitlines()]
    written = sum(1 for line in lines if line)
    if not written:
        raise Invalid(errors={field: ["It holds no line."]})
    if written > conf.FILE_LINES_AT_ONCE or len(text.encode()) > conf.FILE_BYTES_AT_ONCE:
        most = f"{conf.FILE_LINES_AT_ONCE} lines and {conf.FILE_BYTES_AT_ONCE // 1024} KB"
        raise Invalid(errors={field: [f"At most {most} are written at once; send the rest with insert."]})
    return lines


def _propose(
    subject: Subject,
    path: str,
    lines: Sequence[str],
    how: Writing,
    *,
    by: Principal,
    now: datetime,
    corrects: Entry | None = None,
) -> list[Fate]:
    """Each line through the gate, by itself, in order."""
    fates = []
    for number, line in enumerate(lines, 1):
        if line:
            proposal = intake.Proposal(
                subject=subject, text=line, channel=how.channel, role=how.role, speaker=how.speaker,
                session_ref=how.session_ref, source=intake.Source(ref=path), expires_at=how.expires_at,
                corrects=corrects,
            )  # fmt: skip
            fates.append(Fate(number, intake.propose(proposal=proposal, by=by, now=now).results))
    return fates


def _ids(fates: Sequence[Fate]) -> list[uuid.UUID]:
    """The entries behind lines that were kept, wait or were known, in order, each once."""
    return list(dict.fromkeys(one.entry.pk for fate in fates for one in fate.results if one.entry is not None))


def _put(file: NoteFile, ids: Sequence[uuid.UUID], place: int, verb: str, *, by: Principal, now: datetime) -> None:
    new = [id for id in ids if id not in file.lines]
    if not new:
        return
    _check_length(len(file.lines) + len(new))
    file.lines = [*file.lines[:place], *new, *file.lines[place:]]
    _save(file, verb, by=by, now=now)


def _save(file: NoteFile, verb: str, *, by: Principal, now: datetime) -> None:
    file.made_at, file.changed_at = file.made_at or now, now
    file.save()
    _record(file, verb, by=by, now=now)


def _record(file: NoteFile, verb: str, *, by: Principal, now: datetime) -> None:
    audit.record(
        by=by, now=now, action=f"memory_file.{verb}", object_kind="memory_file", object_id=file.pk,
        subject=file.subject_id,
    )  # fmt: skip


def _erase(entry: Entry, *, by: Principal, now: datetime) -> Erasure:
    check_may(by, "erase_entry")
    check_may_touch_authority(by, entry.category)
    return erasure.erase_entry(entry=entry, by=by, now=now)
