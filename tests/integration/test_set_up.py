"""`make run` from outside: it starts, refuses what it can't do with a sentence, and stops without leaving anything."""

import contextlib
import os
import shutil
import signal
import socket
import subprocess
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

import psutil
import pytest

from memoryhub.providers import child_processes
from memoryhub.providers.embedded_postgres import EmbeddedPostgres, _system_user
from memoryhub.providers.secrets_file import HubSecrets
from tests.integration.hub_process import HubProcess, free_port, manage

STOPS_WITHIN = 60.0  # seconds: well below the minutes that a request may take
DEBIAN_POSTGRES = Path("/usr/lib/postgresql/15/bin")


@pytest.fixture
def folder() -> Iterator[Path]:
    """Not pytest's own: its parents are closed to the user that the database runs as."""
    path = Path(tempfile.mkdtemp(prefix="memoryhub-run-"))
    yield path
    shutil.rmtree(path, ignore_errors=True)


@pytest.fixture(scope="module")
def data() -> Iterator[Path]:
    """One data folder for all hubs of this file in turn: the first start makes everything, the next ones find it."""
    path = Path(tempfile.mkdtemp(prefix="memoryhub-run-"))
    yield path / "data"
    shutil.rmtree(path, ignore_errors=True)


class Hubs:
    """The hubs of this file, one after the other on the same data: what one test left running is the next one's."""

    def __init__(self, data: Path) -> None:
        self._data = data
        self._last: HubProcess | None = None

    def running(self) -> HubProcess:
        if self._last is None or not self._last.runs:
            self.end()
            self._last = HubProcess(self._data)
        self._last.wait_until_it_answers()
        return self._last

    def end(self) -> None:
        if self._last is not None:
            self._last.end()


@pytest.fixture(scope="module")
def hubs(data: Path) -> Iterator[Hubs]:
    made = Hubs(data)
    yield made
    made.end()


@pytest.fixture
def hub(hubs: Hubs) -> HubProcess:
    return hubs.running()


def assert_all_gone(family: list[psutil.Process], within: float = 30.0) -> None:
    _, alive = psutil.wait_procs(family, timeout=within)
    assert not alive, [process.cmdline() for process in alive if process.is_running()]


def test_it_serves_refuses_a_second_run_and_stops_on_sigterm(hub: HubProcess, folder: Path) -> None:
    assert hub.status() < 500
    assert f"http://127.0.0.1:{hub.port}/" in hub.said
    assert "create_user" in hub.said  # for nobody has an account, however often it was started

    again = manage("serve", data=hub.data, port=free_port())
    assert (again.returncode, "already running on the data folder" in again.stderr) == (1, True)
    assert "Traceback" not in again.stderr

    elsewhere = manage("serve", data=folder / "other", port=hub.port)
    assert (elsewhere.returncode, "in use by another program" in elsewhere.stderr) == (1, True)

    beside = manage("showmigrations", "accounts", data=hub.data)
    assert (beside.returncode, "[X]" in beside.stdout, "[ ]" in beside.stdout) == (0, True, False)

    family = hub.family()
    assert {"postgres"} < {process.name() for process in family}
    began = time.monotonic()
    hub.signal(signal.SIGTERM)
    assert hub.wait(STOPS_WITHIN) == 0
    assert time.monotonic() - began < STOPS_WITHIN
    assert_all_gone(family)

    alone = manage("showmigrations", data=hub.data)
    assert alone.returncode == 1
    assert "Start it with `make run`, or set DATABASE_URL." in alone.stderr
    assert "Traceback" not in alone.stderr


def test_a_killed_launcher_leaves_nothing_behind_and_the_next_start_goes_on(hub: HubProcess, hubs: Hubs) -> None:
    family = hub.family()
    hub.signal(signal.SIGKILL)
    hub.wait(STOPS_WITHIN)
    assert_all_gone(family)

    again = hubs.running()
    assert again.pid != hub.pid
    assert again.status() < 500


def test_a_web_process_worker_or_database_that_ends_is_started_anew(hub: HubProcess) -> None:
    for word in ("cluster", "uvicorn", "-D"):
        victim = child_of(hub, word)
        assert victim is not None
        below = victim.children(recursive=True)
        victim.kill()
        deadline = time.monotonic() + 120
        while time.monotonic() < deadline and child_of(hub, word) in (None, victim):
            time.sleep(0.1)
        assert child_of(hub, word) not in (None, victim)
        assert_all_gone(below)
    assert "the web process ended (-9) and is started anew" in hub.said


@pytest.mark.parametrize("number", [signal.SIGTERM, pytest.param(signal.SIGINT, marks=pytest.mark.long)])
def test_a_signal_to_the_whole_group_stops_it_too(hub: HubProcess, number: int) -> None:
    family = hub.family()
    hub.signal(number, group=True)
    assert hub.wait(STOPS_WITHIN) == 0
    assert_all_gone(family)


def child_of(hub: HubProcess, word: str) -> psutil.Process | None:
    """The launcher's child with `word` on its command line, if it lives; a worker may call itself "qcluster …"."""
    for process in psutil.Process(hub.pid).children():
        with contextlib.suppress(psutil.NoSuchProcess):  # a dead one that was not yet fetched counts as gone
            if any(part == word or part.startswith(f"q{word}") for part in process.cmdline()):
                return process
    return None


def test_a_command_before_the_first_start_says_what_to_do(folder: Path) -> None:
    alone = manage("migrate", data=folder / "never-used")
    assert alone.returncode == 1
    assert "No hub was ever started" in alone.stderr
    assert not (folder / "never-used").exists()


@pytest.mark.parametrize("place", ["/proc/memoryhub", "/dev/null/memoryhub"])
def test_a_data_folder_that_cannot_be_written_is_refused(place: str) -> None:
    refused = manage("serve", data=Path(place), port=free_port())
    assert refused.returncode == 1
    assert f"The data folder {place} can't be used" in refused.stderr
    assert "Traceback" not in refused.stderr


@pytest.mark.parametrize(
    ("name", "value", "sentence"),
    [
        ("PORT", "eighty", "PORT is 'eighty'"),
        ("PORT", "70000", "PORT is '70000'"),
        ("MEMORYHUB_DEMO", "maybe", "MEMORYHUB_DEMO is 'maybe'"),
        ("DATABASE_URL", "mysql://somewhere/x", "DATABASE_URL is not a URL like"),
        ("MEMORYHUB_HOST", "no-such-host.invalid", "which is no address of this machine"),
    ],
)
def test_a_setting_that_cannot_be_used_is_named(folder: Path, name: str, value: str, sentence: str) -> None:
    refused = manage("serve", data=folder / "data", **({"port": free_port()} | {name: value}))  # type: ignore[arg-type]
    assert refused.returncode == 1
    assert sentence in refused.stderr
    assert "Traceback" not in refused.stderr


def test_an_unreachable_database_is_said_without_its_password(folder: Path) -> None:
    url = f"postgresql://somebody:hidden-word@127.0.0.1:{free_port()}/hub"
    refused = manage("serve", data=folder / "data", port=free_port(), DATABASE_URL=url)
    assert refused.returncode == 1
    assert "can't be used" in refused.stderr
    assert "DATABASE_URL" in refused.stderr
    assert "hidden-word" not in refused.stderr + refused.stdout
    assert "Traceback" not in refused.stderr


def test_a_postgresql_without_pgvector_is_refused(folder: Path) -> None:
    if not (DEBIAN_POSTGRES / "initdb").exists():
        pytest.skip(f"no PostgreSQL without pgvector at {DEBIAN_POSTGRES}")
    server, url = _plain_postgres(folder)
    try:
        refused = manage("serve", data=folder / "data", port=free_port(), DATABASE_URL=url)
    finally:
        child_processes.stop(server, first=signal.SIGINT, wait=10)
    assert refused.returncode == 1
    assert "has no pgvector" in refused.stderr
    assert "Traceback" not in refused.stderr


@pytest.mark.long
def test_another_postgresql_serves_as_well(folder: Path) -> None:
    """The wheel's own server stands in for one that somebody else runs."""
    other = folder / "elsewhere"
    other.mkdir()
    secrets = HubSecrets("-", "-", "word-of-the-admin", "-", "-")
    server = EmbeddedPostgres(other, secrets, durable=False)
    server.start()
    hub = None
    try:
        url = f"postgresql://postgres:{secrets.superuser_password}@/postgres?host={server.sockets}"
        hub = HubProcess(folder / "data", DATABASE_URL=url)
        hub.wait_until_it_answers()
        assert hub.status() < 500
        family = hub.family()
        assert "postgres" not in {process.name() for process in family}
        hub.signal(signal.SIGTERM)
        assert hub.wait(STOPS_WITHIN) == 0
        assert_all_gone(family)
        assert server.alive
    finally:
        if hub is not None:
            hub.end()
        server.stop()


def _plain_postgres(folder: Path) -> tuple["subprocess.Popen[bytes]", str]:
    """Debian's PostgreSQL on a port of its own, without extensions."""
    identity = _system_user() if os.geteuid() == 0 else None
    user, group = (identity.pw_uid, identity.pw_gid) if identity else (None, None)
    cluster, port = folder / "plain", free_port()
    cluster.mkdir(mode=0o700)
    folder.chmod(0o711)
    if identity:
        shutil.chown(cluster, identity.pw_uid, identity.pw_gid)
    subprocess.run(
        [DEBIAN_POSTGRES / "initdb", "-D", cluster, "-U", "admin", "--auth=trust", "--no-sync"],
        check=True, capture_output=True, cwd="/", user=user, group=group,
    )  # fmt: skip
    with (folder / "plain.log").open("ab") as output:
        server = child_processes.start(
            [str(DEBIAN_POSTGRES / "postgres"), "-D", str(cluster), "-p", str(port), "-k", str(cluster),
             "-c", "listen_addresses=127.0.0.1"],
            when_parent_dies=signal.SIGINT, folder=Path("/"), output=output, errors=output, user=user, group=group,
        )  # fmt: skip
    deadline = time.monotonic() + 120
    while time.monotonic() < deadline:
        with socket.socket() as probe:
            if probe.connect_ex(("127.0.0.1", port)) == 0:
                break
        time.sleep(0.1)
    return server, f"postgresql://admin@127.0.0.1:{port}/postgres"
