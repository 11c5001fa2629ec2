"""How does the whole hub start, stay up and stop? One process that starts the others and outlives none of them.

In order: the data folder is ours, the port is free, the model that is set serves, the database runs, its roles exist,
it is migrated, the web process and the worker run, the demo is there. Then it watches: a child that ends is started
anew, a silent worker too. On Ctrl-C or SIGTERM all of it stops within seconds, the embedded database last.
"""

import errno
import http.client
import logging
import os
import signal
import socket
import subprocess
import sys
import threading
import time
from contextlib import closing
from pathlib import Path
from types import FrameType
from typing import IO

import psutil
from django.conf import settings
from django.core.management import get_commands
from django.db import connection
from django.db.migrations.executor import MigrationExecutor

from memoryhub import conf
from memoryhub.management.data_folder import CannotStart, open_for_use
from memoryhub.management.service import STOP_WITHIN, Service
from memoryhub.management.watchdog import Watchdog
from memoryhub.models import MasterKey
from memoryhub.providers import child_processes, database, key_file, restoring, secrets_file
from memoryhub.providers.embedded_postgres import EmbeddedPostgres
from memoryhub.providers.embeddings import HASHING

log = logging.getLogger(__name__)

LOOK_EVERY = 0.5  # seconds between looks at the children
ANSWERS_WITHIN = 60.0  # seconds until the web process must have answered once
NO_SIGN_IN = """Nobody can sign in until you make somebody. In another terminal, with the same settings:
  .venv/bin/python manage.py create_user --organisation acme --email you@example.org --password '…' --role curator"""


class Launcher:
    """One run of the hub, from `make run` to its end."""

    def __init__(self) -> None:
        self._ending = threading.Event()
        self._postgres: EmbeddedPostgres | None = None
        self._watchdog = Watchdog()
        self._helper: subprocess.Popen[bytes] | None = None
        self._manage = [sys.executable, str(settings.BASE_DIR / "manage.py")]
        uvicorn = [
            sys.executable, "-m", "uvicorn", "memoryhub.asgi:application", "--host", settings.MEMORYHUB_HOST,
            "--port", str(settings.MEMORYHUB_PORT), "--lifespan", "off", "--log-level", "warning", "--no-access-log",
            "--no-server-header", "--timeout-graceful-shutdown", "2",
        ]  # fmt: skip
        self._web = Service("web", uvicorn, folder=settings.BASE_DIR)
        self._worker = Service("worker", [*self._manage, "cluster"], folder=settings.BASE_DIR)

    def run(self) -> None:
        """Start everything and stay until told to stop; raises CannotStart or DatabaseUnusable with a sentence."""
        for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
            signal.signal(number, self._told_to_stop)
        parent = psutil.Process().parent()
        if parent is not None and parent.name() in ("make", "gmake"):
            child_processes.signal_when_parent_dies(signal.SIGTERM)  # a killed `make` takes the hub along
        with open_for_use(settings.MEMORYHUB_DATA_DIR):
            _refuse_taken_port()
            know_the_secrets()
            try:
                if self._start():
                    self._watch()
            finally:
                self._stop()

    def _told_to_stop(self, number: int, frame: FrameType | None) -> None:
        self._ending.set()

    def _start(self) -> bool:
        """All of it, in order; False when told to stop meanwhile."""
        if not self._model_serves():
            return False
        logins = settings.MEMORYHUB_LOGINS
        if logins.embedded:
            secrets, _ = secrets_file.ensure(settings.MEMORYHUB_DATA_DIR)
            self._postgres = EmbeddedPostgres(settings.MEMORYHUB_DATA_DIR, secrets)
            for sentence in self._postgres.start():
                _say(sentence)
        if restoring.is_unfinished(logins):
            raise CannotStart(restoring.UNFINISHED)
        database.prepare(logins)
        keys_fit()
        if _behind():
            migrated = self._run_to_end("migrate", "--no-input", "--verbosity", "0", MEMORYHUB_DATABASE_ROLE="owner")
            if not migrated and not self._ending.is_set():
                raise CannotStart("The database could not be migrated; the reason is above.")
        if self._ending.is_set():
            return False
        self._web.start()
        self._worker.start()
        self._wait_for_answer()
        self._watchdog.start()
        sign_in = self._sign_in()
        if not self._ending.is_set():
            _say(f"\nMemory Hub is running at {_address()}\n{sign_in}\nStop it with Ctrl-C.\n")
        return True

    def _model_serves(self) -> bool:
        """Whether the embedding model that a setting names can serve; the packaged one was tried when it was set up.

        Exports it where that was not done yet. Raises CannotStart; False when told to stop meanwhile.
        """
        if settings.MEMORYHUB_EMBEDDING_MODEL not in ("", HASHING):
            _say("Trying the embedding model that is set (the first time it is exported, which takes a minute) …")
            if not self._run_to_end("export_model") and not self._ending.is_set():
                raise CannotStart("The embedding model can't be used; the reason is above.")
        return not self._ending.is_set()

    def _watch(self) -> None:
        while not self._ending.wait(LOOK_EVERY):
            if self._postgres is not None and not self._postgres.alive:
                log.error("the embedded database ended and is started anew")
                self._postgres.start()
            self._web.keep_up()
            self._worker.keep_up()
            if self._watchdog.silent.is_set():
                self._watchdog.silent.clear()
                # A fresh worker first has to wake once; until then the sign of life is its predecessor's.
                if self._worker.age > conf.WORKER_SILENT_AFTER.total_seconds():
                    self._worker.restart("it no longer wakes")

    def _stop(self) -> None:
        if self._ending.is_set():
            _say("Stopping …")
        self._watchdog.end()
        children = [child for child in (self._helper, self._web.process, self._worker.process) if child is not None]
        for child in children:
            child_processes.ask(child, signal.SIGTERM)
        deadline = time.monotonic() + STOP_WITHIN
        for child in children:
            child_processes.finish(child, wait=max(0.0, deadline - time.monotonic()))
        if self._postgres is not None:
            self._postgres.stop()

    def _run_to_end(self, *arguments: str, output: IO[bytes] | None = None, **environment: str) -> bool:
        """Run one of our own commands; whether it ended well. Cut short when we are told to stop."""
        self._helper = child_processes.start(
            [*self._manage, *arguments], when_parent_dies=signal.SIGTERM, environment=os.environ | environment,
            folder=settings.BASE_DIR, output=output,
        )  # fmt: skip
        while self._helper.poll() is None and not self._ending.wait(0.05):
            pass
        child_processes.stop(self._helper, first=signal.SIGTERM, wait=STOP_WITHIN)
        code, self._helper = self._helper.returncode, None
        return code == 0

    def _wait_for_answer(self) -> None:
        deadline = time.monotonic() + ANSWERS_WITHIN
        while not self._ending.wait(0.1):
            code = self._web.process and self._web.process.poll()
            if code is not None:
                raise CannotStart(f"The web process ended ({code}) before it answered; the reason is above.")
            if _answers():
                return
            if time.monotonic() > deadline:
                raise CannotStart(f"The web process did not answer within {ANSWERS_WITHIN:.0f} seconds.")

    def _sign_in(self) -> str:
        """How to sign in: what the demo says about itself, kept for later starts; else the command to type.

        An emptied note means that the demo was dropped and does not come back by itself.
        """
        note: Path = settings.MEMORYHUB_DATA_DIR / "demo.txt"
        if not settings.MEMORYHUB_DEMO:
            return NO_SIGN_IN
        if not note.exists() and "seed_demo" in get_commands():
            _say("Filling in the demo data (first start only) …")
            unfinished = note.with_suffix(".unfinished")
            # It holds passwords: nobody but us reads it.
            with os.fdopen(os.open(unfinished, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600), "wb") as output:
                seeded = self._run_to_end("seed_demo", output=output)
            if seeded:
                unfinished.replace(note)
            elif not self._ending.is_set():
                log.error("the demo data could not be filled in; the reason is above. The next start tries again")
        return (note.read_text().strip() if note.exists() else "") or NO_SIGN_IN


def know_the_secrets() -> None:
    """On the first start the secrets are made after the settings were read: begin again, in place, with them."""
    _, made = secrets_file.ensure(settings.MEMORYHUB_DATA_DIR)
    if made:
        os.execv(sys.executable, [sys.executable, *sys.orig_argv[1:]])


def keys_fit(refusal: type[CannotStart] = CannotStart) -> None:
    """Refuse to start without a key-encryption key that something here is wrapped with; make the first one where
    nothing is yet. Before migrating, which seals what an older version kept in clear.
    """
    keys: key_file.MasterKeys = settings.MEMORYHUB_MASTER_KEYS
    try:
        with connection.cursor() as cursor:
            known = MasterKey._meta.db_table in connection.introspection.table_names(cursor)
        used = frozenset(MasterKey.objects.values_list("id", flat=True)) if known else frozenset()
    finally:
        connection.close()
    missing = sorted(used - keys.ids)
    if missing:
        raise refusal(
            f"What is kept about people was sealed with the key-encryption key {', '.join(missing)}, which is not in "
            f"{keys.path}. Put back the copy of that file you keep in escrow; without it nobody can read that."
        )
    key_file.ensure(keys.path)


def _behind() -> bool:
    """Whether migrations wait; asking costs less than the process that would run none."""
    try:
        executor = MigrationExecutor(connection)
        return bool(executor.migration_plan(executor.loader.graph.leaf_nodes()))
    finally:
        connection.close()


def _refuse_taken_port() -> None:
    host, port = settings.MEMORYHUB_HOST, settings.MEMORYHUB_PORT
    try:
        family, kind, protocol, _, address = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)[0]
        with socket.socket(family, kind, protocol) as probe:
            probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            probe.bind(address)
    except socket.gaierror as error:
        raise CannotStart(f"MEMORYHUB_HOST is {host!r}, which is no address of this machine.") from error
    except OSError as error:
        reasons = {errno.EADDRINUSE: "is in use by another program", errno.EACCES: "may not be used by this user"}
        reason = reasons.get(error.errno or 0, f"can't be used ({error.strerror})")
        raise CannotStart(f"Port {port} on {host} {reason}. Set PORT to another number, like PORT=8001.") from error


def _answers() -> bool:
    """Whether the web process answers anything at all."""
    with closing(http.client.HTTPConnection(_reachable_host(), settings.MEMORYHUB_PORT, timeout=2)) as web:
        try:
            web.request("GET", "/healthz")
            web.getresponse().read()
        except (OSError, http.client.HTTPException):
            return False
    return True


def _reachable_host() -> str:
    """Where this machine reaches it: a host that means "every address" is no address itself."""
    return {"0.0.0.0": "127.0.0.1", "::": "::1"}.get(settings.MEMORYHUB_HOST, settings.MEMORYHUB_HOST)


def _address() -> str:
    host = _reachable_host()
    return f"http://{f'[{host}]' if ':' in host else host}:{settings.MEMORYHUB_PORT}/"


def _say(text: str) -> None:
    print(text, flush=True)
