"""How does a backup become a hub again, and never one that remembers whom it had forgotten?

In order: the archive is proved whole; the database is empty; a mark bars it from being served; the rows are read in;
an older schema is migrated forward; the erasures since are done again from the ledger; all of it is verified; what was
erased leaves the database's files; only then is the mark taken away. Cut short anywhere, the mark stays, and running it
again begins anew.
"""

import base64
import hashlib
import json
import os
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import Any

import psycopg
from django.conf import settings
from django.db import connection
from django.db.migrations.loader import MigrationLoader
from psycopg import sql

from memoryhub.governance import aftercare, erasure_ledger, restoration
from memoryhub.management import demo
from memoryhub.management.backup import ARCHIVE, FORMAT, KEY_COLUMNS, KEYS, KEYS_FILE, TRAILER
from memoryhub.management.data_folder import CannotStart, open_for_use
from memoryhub.management.launcher import keys_fit
from memoryhub.models import Erasure
from memoryhub.providers import database, key_file, pg_programs, restoring, sealed_file, secrets_file
from memoryhub.providers.database import NAME, connect
from memoryhub.providers.embedded_postgres import EmbeddedPostgres
from memoryhub.providers.sealed_file import FileUnusable

Say = Callable[[str], None]


class CannotRestore(CannotStart):
    """The backup can't be put back; nothing serves from what is there."""

    code = "cannot_restore"


@dataclass(frozen=True)
class Wanted:
    """What to put back, and what may be missing. `keys`, `ledger`: None takes the usual place; `without_…`: go on where
    there is none, and lose what it holds.
    """

    archive: Path
    keys: Path | None = None
    ledger: Path | None = None
    sealing: Path | None = None
    without_keys: bool = False
    without_ledger: bool = False
    replace: bool = False


@dataclass(frozen=True)
class _Archive:
    """An archive that was proved whole."""

    path: Path
    key: bytes
    made_at: datetime
    size: int
    keys: list[dict[str, str]]
    web_role: str
    postgresql: int


def restore(wanted: Wanted, *, now: Callable[[], datetime], say: Say) -> float:
    """Put it back, replay, verify; the seconds it took. Raises CannotRestore, FileUnusable, KeysUnusable or
    DatabaseUnusable with a sentence: nothing was touched, or the mark stays and the hub does not start.
    """
    began = time.monotonic()
    archive = _proved(wanted)
    rows, ledger = _erased(wanted)
    say(f"The archive of {archive.made_at:%Y-%m-%d %H:%M} UTC is whole: {archive.size} bytes.")
    with _database(), connect_as_owner(wanted, archive) as owner:
        restoring.mark(owner)
        with database.no_rights_by_default(owner, settings.MEMORYHUB_LOGINS):
            _read_in(archive)
        _put_keys(archive, owner)
        say("The rows are read in.")
        owner.close()
        _migrate()
        replayed = restoration.replay(rows, now=now())
        say(f"Erasures since the backup that were done again: {len(replayed.again)}.")
        faults = restoration.faults(replayed.again)
        if faults:
            raise CannotRestore(f"It does not serve: {' '.join(faults[:5])}")
        restoration.note(since=archive.made_at, now=now())
        if ledger is not None and ledger != settings.MEMORYHUB_ERASURE_LEDGER:
            erasure_ledger.merge(ledger, settings.MEMORYHUB_ERASURE_LEDGER)
        erasure_ledger.catch_up(now=now())
        connection.close()
        if replayed.again:
            _clear_files()
        with connect(settings.MEMORYHUB_LOGINS.owner) as last:
            last.execute("ANALYZE")
            restoring.unmark(last)
        _no_new_demo()
    say(
        f"Keys, members, pauses and the policy are as they were on {archive.made_at:%Y-%m-%d %H:%M} UTC: revoke and end"
        " again what was since, before you let anybody in (docs/operations.md, backups)."
    )
    return time.monotonic() - began


def _clear_files() -> None:
    """The archive's rows were written before they were erased again: their bytes go, too. Raises CannotRestore."""
    try:
        aftercare.clear(served=False)
    except aftercare.StillInUse as error:
        raise CannotRestore(
            "Somebody is at work in the database, so that what was erased again can't leave its files: stop every hub "
            "that uses it, then restore once more."
        ) from error


def _no_new_demo() -> None:
    """What was restored is all there is: the next start doesn't fill in a demo over it, with new passwords."""
    (settings.MEMORYHUB_DATA_DIR / demo.NOTE).touch(mode=0o600)


def _proved(wanted: Wanted) -> _Archive:
    """Open all of it before anything is touched."""
    head = _head(wanted.archive, ARCHIVE)
    key = _key(head, wanted)
    _refuse_newer(head)
    size, digest, held = 0, hashlib.sha256(), b""
    for piece in sealed_file.pieces(wanted.archive, key=key):
        held += piece
        digest.update(held[:-TRAILER])
        size, held = size + len(held[:-TRAILER]), held[-TRAILER:]
    told = json.loads(held or b"{}")
    if (told.get("size"), told.get("sha256")) != (size, digest.hexdigest()):
        raise FileUnusable(f"{wanted.archive} holds something else than what its end says.")
    return _Archive(
        path=wanted.archive, key=key, made_at=datetime.fromisoformat(head["made_at"]), size=size,
        keys=_keys(wanted), web_role=head["web_role"], postgresql=head["postgresql"],
    )  # fmt: skip


def _head(path: Path, kind: str) -> dict[str, Any]:
    head = sealed_file.head_of(path)
    if head.get("kind") != kind:
        raise FileUnusable(f"{path} is not what is asked for here ({kind}).")
    if head.get("format", 0) > FORMAT:
        raise CannotRestore(f"{path} was made by a newer Memory Hub ({head.get('hub')}). Restore it with that version.")
    return head


def _key(head: dict[str, Any], wanted: Wanted) -> bytes:
    masters = settings.MEMORYHUB_MASTER_KEYS if wanted.sealing is None else key_file.MasterKeys(wanted.sealing)
    key: bytes = masters.of(str(head["key"]))
    return key


def _refuse_newer(head: dict[str, Any]) -> None:
    known = {f"{app}.{name}" for app, name in MigrationLoader(None).disk_migrations}
    ahead = sorted(set(head["migrations"]) - known)
    if ahead:
        raise CannotRestore(
            f"The archive is of a newer Memory Hub ({head['hub']}): this one does not know {ahead[0]}. Restore it with "
            "that version or a later one."
        )


def _keys(wanted: Wanted) -> list[dict[str, str]]:
    path = wanted.keys or wanted.archive.with_name(KEYS_FILE)
    if wanted.without_keys:
        return []
    if not path.exists():
        raise CannotRestore(
            f"{path} is missing: the subjects' own keys, which the newest backup wrote beside its archive. Name it "
            "with --keys, or go on with --without-keys; then events, offloads and stored answers are lost."
        )
    key = _key(_head(path, KEYS), wanted)
    rows: list[dict[str, str]] = [json.loads(line) for line in sealed_file.lines(sealed_file.pieces(path, key=key))]
    for wrapped_by in {row["wrapped_by"] for row in rows}:
        settings.MEMORYHUB_MASTER_KEYS.of(wrapped_by)  # or nobody could open what they seal
    return rows


def _erased(wanted: Wanted) -> tuple[tuple[Erasure, ...], Path | None]:
    path: Path = wanted.ledger or settings.MEMORYHUB_ERASURE_LEDGER
    if wanted.without_ledger:
        return (), None
    try:
        return erasure_ledger.read(path).rows, path
    except OSError as error:
        raise CannotRestore(
            f"The erasure ledger {path} can't be read: without it nobody knows who was erased since the backup. Name "
            "it with --ledger. Only where nothing was erased since: --without-ledger."
        ) from error


@contextmanager
def _database() -> Iterator[None]:
    """The database's server, with nobody else on it: for the embedded one, our own."""
    if not settings.MEMORYHUB_LOGINS.embedded:
        yield
        return
    data = settings.MEMORYHUB_DATA_DIR
    with open_for_use(data):  # a hub that runs here is told of
        secrets, _ = secrets_file.ensure(data)
        server = EmbeddedPostgres(data, secrets)
        server.start()
        try:
            yield
        finally:
            connection.close()
            server.stop()


@contextmanager
def connect_as_owner(wanted: Wanted, archive: _Archive) -> Iterator[psycopg.Connection]:
    """The owner of an empty database that is ready to be read into. Raises CannotRestore where it is not empty."""
    logins = settings.MEMORYHUB_LOGINS
    _empty(wanted)
    database.prepare(logins)
    if archive.web_role != logins.web["user"]:
        raise CannotRestore(
            f"In the archive web and worker log in as {archive.web_role}, here as {logins.web['user']}: its rights "
            "would be lost. Restore it into a database of the same name as it had."
        )
    with connect(logins.owner) as owner:
        yield owner


def _empty(wanted: Wanted) -> None:
    """Refuse a database that holds anything; with --replace, or after a restore that was cut short, begin anew."""
    logins = settings.MEMORYHUB_LOGINS
    with connect(logins.administrator) as administrator:
        name = logins.owner["dbname"]
        if not administrator.execute("SELECT 1 FROM pg_database WHERE datname = %s", [name]).fetchone():
            return
        others = administrator.execute(
            "SELECT count(*) FROM pg_stat_activity WHERE datname = %s AND pid <> pg_backend_pid()", [name]
        ).fetchone()
        if others and others[0]:
            raise CannotRestore("Somebody is connected to the database: stop every hub that uses it first.")
        with connect(logins.administrator | {"dbname": name}) as inside:
            tables = inside.execute("SELECT tablename FROM pg_tables WHERE schemaname = 'public'").fetchall()
            begun = restoring.is_marked(inside)
        if not tables:
            return
        if not logins.embedded:
            raise CannotRestore(
                "The database is not empty, and nothing was touched. Drop the database of DATABASE_URL and make it "
                "anew, empty; then restore."
            )
        if not (wanted.replace or begun):
            raise CannotRestore(
                "The database is not empty, and nothing was touched. Restore into an empty one, or say --replace to "
                "lose what is there."
            )
        administrator.execute(sql.SQL("DROP DATABASE {}").format(sql.Identifier(NAME)))


def _read_in(archive: _Archive) -> None:
    logins = settings.MEMORYHUB_LOGINS
    login = {**logins.administrator, "dbname": logins.owner["dbname"]}
    server = max(pg_programs.server_version(login), archive.postgresql)
    program = pg_programs.find("pg_restore", server=server, folder=settings.MEMORYHUB_PG_BIN)
    pg_programs.load(login, program=program, role=logins.owner["user"], pieces=lambda: _dump_of(archive))


def _dump_of(archive: _Archive) -> Iterator[bytes]:
    left = archive.size
    for piece in sealed_file.pieces(archive.path, key=archive.key):
        yield piece[:left]
        left -= len(piece[:left])


def _put_keys(archive: _Archive, owner: psycopg.Connection) -> None:
    """The keys of those who are in the archive; the others' came later, and have nothing here."""
    if not archive.keys:
        return
    insert = sql.SQL(
        "INSERT INTO memoryhub_subjectkey ({columns}) SELECT {values}"
        " WHERE EXISTS (SELECT 1 FROM memoryhub_subject WHERE id = %s) ON CONFLICT DO NOTHING"
    ).format(
        columns=sql.SQL(", ").join(map(sql.Identifier, KEY_COLUMNS)),
        values=sql.SQL("%s::uuid, %s::uuid, %s::uuid, %s::bytea, %s, %s::timestamptz"),
    )
    with owner.transaction():
        for row in archive.keys:
            owner.execute(
                "SELECT set_config('hub.organisation', %s, true), set_config('hub.subjects', '*', true)",
                [row["organisation_id"]],
            )
            values = [base64.b64decode(row[name]) if name == "wrapped" else row[name] for name in KEY_COLUMNS]
            owner.execute(insert, [*values, row["subject_id"]])


def _migrate() -> None:
    """Forward to this version's schema, as the launcher does it: by the owner, in a process of its own. Without checks,
    one of which is that no restore is under way.
    """
    keys_fit(CannotRestore)
    ended = subprocess.run(
        [
            sys.executable, str(settings.BASE_DIR / "manage.py"), "migrate", "--no-input", "--skip-checks",
            "--verbosity", "0",
        ],
        env=os.environ | {"MEMORYHUB_DATABASE_ROLE": "owner"}, cwd=settings.BASE_DIR, check=False,
    )  # fmt: skip
    if ended.returncode:
        raise CannotRestore("The database could not be migrated to this version; the reason is above.")
