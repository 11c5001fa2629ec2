"""Where does a migrated database come from? It is made once for a whole run and copied after that.

To migrate from nothing takes a quarter of a minute of computing, and every process of a run wants a database, as does
every hub that tests start. The first start of a hub, from nothing, is tested in tests/integration/test_set_up.py.
"""

import fcntl
import shutil
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from django.conf import settings
from django.core.management import call_command
from django.db import connection

from memoryhub.providers import database, key_file, secrets_file
from memoryhub.providers.embedded_postgres import EmbeddedPostgres

_DONE = "migrated"


def copy_to(data: Path) -> None:
    """A data folder as a hub leaves it that was started once: secrets, keys and a database with no rows of ours.

    What is there of these stays, so that the data folder of the tests themselves keeps its secrets, which are the same.
    """
    data.mkdir(mode=0o700, exist_ok=True)
    for file in (secrets_file.FILE, key_file.FILE):
        if not (data / file).exists():
            shutil.copy2(settings.FIRST / file, data / file)
    # `cp`, for the database's files belong to its own user where root runs the tests.
    subprocess.run(["cp", "-a", database.embedded_folder(made()), database.embedded_folder(data)], check=True)


def migrate(logins: database.Logins) -> None:
    """As production does: the owner migrates, everybody else is the web role. Of whatever database `logins` names."""
    ours = connection.settings_dict
    owner = {name.upper(): value for name, value in logins.owner.items() if name in ("host", "port", "user")}
    named = {"NAME": logins.owner["dbname"], "PASSWORD": logins.owner.get("password", "")}
    connection.settings_dict = {**ours, **owner, **named}
    try:
        call_command("migrate", interactive=False, verbosity=0)
    finally:
        connection.close()
        connection.settings_dict = ours


def made() -> Path:
    """The folder that all copy from, made by whoever comes first while the others wait. Nothing runs on it."""
    folder = settings.FIRST / "migrated"
    with _alone(folder.with_suffix(".lock")):
        if not (folder / _DONE).exists():
            shutil.rmtree(folder, ignore_errors=True)
            folder.mkdir(mode=0o700)
            logins = database.logins(folder, settings.SECRETS)
            server = EmbeddedPostgres(folder, settings.SECRETS, durable=False)
            try:
                server.start()
                database.prepare(logins)
                migrate(logins)
            finally:
                server.stop()
            (folder / _DONE).touch()
    return folder


@contextmanager
def _alone(file: Path) -> Iterator[None]:
    with file.open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        yield
