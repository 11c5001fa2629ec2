"""How is everything that the hub keeps taken away in one sealed file, such that what was erased stays unreadable in it?

PostgreSQL's own dump of the whole database, under one snapshot, sealed under a key-encryption key. The subjects' own
keys are not in it: they are written to a second file, over the one of the backup before. So there is one copy of them,
always of now, and a key that was destroyed is gone from under every older archive as soon as the next backup ran
(docs/adr/0022). The key-encryption keys are in neither.
"""

import base64
import json
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import Any, Final

import psycopg
from django.conf import settings

from memoryhub import __version__
from memoryhub.management.data_folder import CannotStart, open_for_use
from memoryhub.providers import key_file, pg_programs, restoring, sealed_file, secrets_file
from memoryhub.providers.database import NAME, DatabaseUnusable, Logins, Parameters, connect
from memoryhub.providers.embedded_postgres import EmbeddedPostgres
from memoryhub.providers.sealed_file import FileUnusable

FORMAT: Final = 1
ARCHIVE, KEYS = "memoryhub backup", "memoryhub subject keys"
KEYS_FILE: Final = "subject-keys.sealed"
#: Their tables are in the archive, their rows are not: the subjects' keys, who is signed in, what wakes the worker.
WITHOUT_ROWS: Final = (
    "memoryhub_subjectkey",
    "django_session",
    "usersessions_usersession",
    "django_q_ormq",
    "django_q_task",
    "memoryhub_workerbeat",
)
TRAILER: Final = 128  # bytes at the end of what is sealed in an archive: size and hash of the dump before them
KEY_COLUMNS: Final = ("id", "organisation_id", "subject_id", "wrapped", "wrapped_by", "created_at")
_SEES_ALL = "SELECT rolsuper OR rolbypassrls FROM pg_roles WHERE rolname = current_user"


@dataclass(frozen=True)
class Taken:
    """What a backup came to: bytes of the dump, of the archive, and how many keys of subjects lie in the other file."""

    size: int
    archive: int
    keys: int
    digest: str


def take(*, path: Path, keys: Path | None, sealing: Path | None, now: datetime) -> Taken:
    """Write the archive to `path` and the subjects' keys to `keys` (default: a fixed name in the same folder).

    `sealing`: a file of key-encryption keys other than the hub's own, to seal both with. Raises FileUnusable,
    KeysUnusable and DatabaseUnusable with a sentence; then no archive is left behind.
    """
    keys = keys or path.with_name(KEYS_FILE)
    if path.exists():
        raise FileUnusable(f"{path} is there already; a backup is never written over another.")
    if path.resolve() == keys.resolve():
        raise FileUnusable("The archive and the subjects' keys belong into two files.")
    masters = _masters(sealing)
    login = everything(settings.MEMORYHUB_LOGINS)
    with connect(login) as asked:
        _check_whole(asked)
        manifest = _manifest(asked, now)
        server = asked.info.server_version // 10_000
    program = pg_programs.find("pg_dump", server=server, folder=settings.MEMORYHUB_PG_BIN)
    key_id, key = masters.current()
    with sealed_file.written(path, head={**manifest, "kind": ARCHIVE, "key": key_id}, key=key) as sealing_to:
        for piece in pg_programs.dump(login, program=program, without_rows=(*WITHOUT_ROWS, restoring.TABLE)):
            sealing_to.write(piece)
        size, digest = sealing_to.size, sealing_to.digest.hexdigest()
        # What a restore compares; the pieces prove the rest.
        sealing_to.write(json.dumps({"size": size, "sha256": digest}).encode().rjust(TRAILER))
    # After the dump: every key that it needs is among them, but for those destroyed meanwhile.
    try:
        with connect(login) as asked:
            rows = _keys(asked)
        with sealed_file.written(keys, head={**manifest, "kind": KEYS, "key": key_id}, key=key) as sealing_to:
            for row in rows:
                sealing_to.write(json.dumps(row).encode() + b"\n")
    except BaseException:
        path.unlink(missing_ok=True)
        raise
    return Taken(size, path.stat().st_size, len(rows), digest)


@contextmanager
def with_database() -> Iterator[None]:
    """The database answers: that of a running hub, or, with the hub stopped, the embedded one started for this."""
    if not settings.MEMORYHUB_LOGINS.embedded:
        yield
        return
    try:
        lock = open_for_use(settings.MEMORYHUB_DATA_DIR)
    except CannotStart:
        yield  # a hub runs here, and its database with it
        return
    with lock:
        secrets, _ = secrets_file.ensure(settings.MEMORYHUB_DATA_DIR)
        server = EmbeddedPostgres(settings.MEMORYHUB_DATA_DIR, secrets)
        server.start()
        try:
            yield
        finally:
            server.stop()


def everything(logins: Logins) -> Parameters:
    """The login of a role that row-level security does not hold: the embedded superuser, the one that a setting names,
    or the user of DATABASE_URL."""
    if logins.embedded:
        return {**logins.administrator, "dbname": NAME}
    login: Parameters = settings.MEMORYHUB_BACKUP_LOGIN or logins.administrator
    return login


def _masters(sealing: Path | None) -> key_file.MasterKeys:
    return settings.MEMORYHUB_MASTER_KEYS if sealing is None else key_file.MasterKeys(sealing)


def _check_whole(asked: psycopg.Connection) -> None:
    """Refuse what would be a part of the rows, or rows that nobody may serve."""
    row = asked.execute(_SEES_ALL).fetchone()
    if not (row and row[0]):
        raise DatabaseUnusable(
            f"The role {asked.info.user} is held by row-level security, so its backup would lack rows. Let an "
            "administrator make a role that may read everything and name it in MEMORYHUB_BACKUP_DATABASE_URL: "
            "CREATE ROLE hub_backup LOGIN BYPASSRLS PASSWORD '…'; GRANT pg_read_all_data TO hub_backup."
        )
    if restoring.is_marked(asked):
        raise DatabaseUnusable(restoring.UNFINISHED)


def _manifest(asked: psycopg.Connection, now: datetime) -> dict[str, Any]:
    migrations = asked.execute("SELECT app, name FROM django_migrations ORDER BY app, name").fetchall()
    return {
        "format": FORMAT,
        "hub": __version__,
        "made_at": now.isoformat(),
        "postgresql": asked.info.server_version // 10_000,
        "web_role": settings.MEMORYHUB_LOGINS.web["user"],
        "migrations": [f"{app}.{name}" for app, name in migrations],
    }


def _keys(asked: psycopg.Connection) -> list[dict[str, str]]:
    there = asked.execute("SELECT to_regclass('memoryhub_subjectkey') IS NOT NULL").fetchone()
    if not (there and there[0]):
        return []
    rows = asked.execute(f"SELECT {', '.join(KEY_COLUMNS)} FROM memoryhub_subjectkey ORDER BY id").fetchall()
    return [
        {name: base64.b64encode(value).decode() if isinstance(value, bytes) else str(value)
         for name, value in zip(KEY_COLUMNS, row, strict=True)}
        for row in rows
    ]  # fmt: skip
