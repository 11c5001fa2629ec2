"""Where an archive of the tests' own database is put back: beside it on the same server, or on an empty machine."""

import dataclasses
import shutil
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from django.conf import settings
from django.db import connection

from memoryhub.management import restore
from memoryhub.providers import database, key_file, secrets_file
from memoryhub.providers.database import Logins, connect
from memoryhub.providers.embedded_postgres import EmbeddedPostgres
from tests.integration.hub_process import manage

OTHER = "test_put_back"


@contextmanager
def elsewhere() -> Iterator[str]:
    """Another, empty database on the same server: its name. Meanwhile this process is connected to it, and restores into
    it. An archive is of this very version, so the process that would migrate has nothing to do.
    """
    logins = settings.MEMORYHUB_LOGINS
    login = {**logins.administrator, "dbname": OTHER}
    with connect(logins.administrator) as administrator:
        administrator.execute(f"DROP DATABASE IF EXISTS {OTHER} WITH (FORCE)")
        administrator.execute(f"CREATE DATABASE {OTHER}")
    there = dataclasses.replace(
        logins, administrator=login, owner=login, web={**logins.web, "dbname": OTHER}, embedded=False, web_by_hand=True
    )
    try:
        with pytest.MonkeyPatch.context() as patch, _connected(there, name=OTHER):
            patch.setattr(restore, "_migrate", lambda: None)
            yield OTHER
    finally:
        with connect(logins.administrator) as administrator:
            administrator.execute(f"DROP DATABASE {OTHER} WITH (FORCE)")


@contextmanager
def empty_machine(archive: Path, *, ledger: Path) -> Iterator[tuple[Path, str]]:
    """A data folder with nothing but the keys, in which `manage.py restore` put the archive back: the folder, and what
    the command said. Nothing is served from it; this process is connected to its database.
    """
    # Not pytest's own folder: its parents are closed to the user that the database runs as.
    data = Path(tempfile.mkdtemp(prefix="memoryhub-again-"))
    try:
        shutil.copy(settings.MEMORYHUB_MASTER_KEYS.path, data / key_file.FILE)
        shutil.copy(settings.DATA / secrets_file.FILE, data / secrets_file.FILE)
        done = manage("restore", str(archive), "--ledger", str(ledger), data=data)
        assert done.returncode == 0, done.stdout + done.stderr
        secrets, _ = secrets_file.ensure(data)
        server = EmbeddedPostgres(data, secrets, durable=False)
        server.start()
        try:
            with _connected(database.logins(data, secrets), name=database.NAME):
                yield data, done.stdout
        finally:
            server.stop()
    finally:
        shutil.rmtree(data, ignore_errors=True)


@contextmanager
def _connected(logins: Logins, *, name: str) -> Iterator[None]:
    connection.close()
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(settings, "MEMORYHUB_LOGINS", logins)
        patch.setitem(connection.settings_dict, "NAME", name)
        for ours, theirs in (("HOST", "host"), ("PORT", "port"), ("USER", "user"), ("PASSWORD", "password")):
            patch.setitem(connection.settings_dict, ours, logins.web.get(theirs, ""))
        yield
        connection.close()
