"""What does every test stand on? A real database with real roles, and no network beyond this machine."""

import contextlib
import ipaddress
import shutil
import socket
import threading
from collections.abc import Iterator
from datetime import UTC, datetime
from typing import Any

import hypothesis
import psycopg
import pytest
import time_machine
from django.conf import settings
from django.db import connections
from psycopg import sql
from pytest_django.plugin import DjangoDbBlocker, blocking_manager_key
from whitenoise.middleware import WhiteNoiseMiddleware

from memoryhub.providers import database
from memoryhub.providers.embedded_postgres import EmbeddedPostgres
from tests import left_behind, migrated

# Invented input: the same in every run, however slow the machine; `--hypothesis-profile=search` looks for new ones.
_PATIENT = {"deadline": None, "suppress_health_check": [hypothesis.HealthCheck.too_slow]}
hypothesis.settings.register_profile("same", derandomize=True, **_PATIENT)
hypothesis.settings.register_profile("search", derandomize=False, print_blob=True, **_PATIENT)
hypothesis.settings.load_profile("same")

# The time -----------------------------------------------------------------------------------------------------------

#: Every run begins at this moment and goes on from there, so that none depends on the day or the hour it is made. It is
#: a while after `NOW` of tests.factories.ground, which most tests set the hub's clock to.
BEGINS = datetime(2026, 11, 30, 12, 30, tzinfo=UTC)
_time = time_machine.travel(BEGINS, tick=True)


@pytest.hookimpl(tryfirst=True)
def pytest_sessionstart(session: pytest.Session) -> None:
    """Before tests are collected, for some read the clock where they are written down."""
    _time.start()
    if session.config.getoption("dist", "no") != "no" and settings.MEMORYHUB_LOGINS.embedded:
        # This process only hands tests to others, which collect them first: time to make what they will all copy.
        global _ahead
        _ahead = threading.Thread(target=_make_ahead, args=[session.config.stash[blocking_manager_key]])
        _ahead.start()


# The database -------------------------------------------------------------------------------------------------------

_MIGRATED = frozenset({"django_migrations", "django_content_type", "auth_permission"})  # have rows from then on
_committed = False  # whether a test of the file that runs has committed rows
_ahead: threading.Thread | None = None  # makes the migrated database while tests are collected


@pytest.fixture(scope="session")
def django_db_setup(django_db_blocker: Any) -> Iterator[None]:
    """Start (or reach) PostgreSQL, migrated by the owner, and stay connected as the web role.

    `db` and `django_db` roll back after each test as always. pytest-django's `transactional_db` does not work, since the
    web role may not TRUNCATE: take `committed_db`.
    """
    logins: database.Logins = settings.MEMORYHUB_LOGINS
    if settings.PREPARED:
        yield
        return
    server = EmbeddedPostgres(settings.DATA, settings.SECRETS, durable=False) if logins.embedded else None
    try:
        with django_db_blocker.unblock():
            if server is not None:
                migrated.copy_to(settings.DATA)
                server.start()
            else:
                _make_database(logins)
                database.prepare(logins)
                migrated.migrate(logins)
        yield
    finally:
        with django_db_blocker.unblock():
            connections.close_all()
        if server is not None:
            server.stop()
        else:
            _drop_database(logins)


def _make_ahead(blocker: DjangoDbBlocker) -> None:
    with blocker.unblock():
        migrated.made()


@pytest.fixture
def committed_db(django_db_setup: None, django_db_blocker: Any) -> Iterator[None]:
    """For tests that really commit: several connections, threads, processes.

    Nothing is taken back before the file is over, except waiting jobs and wake-ups, which would be run by another test.
    So every such test makes an organisation of its own, and counts only what belongs to it. Not together with `db`.
    """
    global _committed
    with django_db_blocker.unblock():
        _committed = True
        yield
        connections.close_all()
    _clear_queue(settings.MEMORYHUB_LOGINS)


@pytest.hookimpl(trylast=True)  # after what the test and its file made has ended
def pytest_runtest_teardown(item: pytest.Item, nextitem: pytest.Item | None) -> None:
    """Which files run before a file, in which process, changes from run to run: none leaves rows to the next."""
    global _committed
    if _committed and nextitem is not None and nextitem.path != item.path:
        _committed = False
        connections.close_all()
        _empty_tables(settings.MEMORYHUB_LOGINS)


def _clear_queue(logins: database.Logins) -> None:
    """As the embedded superuser, whom row-level security does not hold; elsewhere what the owner may see."""
    with database.connect(logins.administrator | {"dbname": settings.DATABASES["default"]["NAME"]}) as administrator:
        administrator.execute("DELETE FROM memoryhub_job")
        administrator.execute("DELETE FROM django_q_ormq")


def _empty_tables(logins: database.Logins) -> None:
    """All rows that are not there after migrating. Triggers would refuse it, so they are off for it."""
    with database.connect(logins.administrator | {"dbname": settings.DATABASES["default"]["NAME"]}) as administrator:
        found = administrator.execute("SELECT tablename FROM pg_tables WHERE schemaname = 'public'").fetchall()
        tables = [sql.Identifier(name) for (name,) in sorted(found) if name not in _MIGRATED]
        administrator.execute("SET session_replication_role = replica")
        administrator.execute("SET lock_timeout = '60s'")  # a connection left open is told of, not waited for
        administrator.execute(sql.SQL("TRUNCATE {}").format(sql.SQL(", ").join(tables)))


def _make_database(logins: database.Logins) -> None:
    _drop_database(logins)
    with database.connect(database.parse(settings.ADMIN_URL, setting="DATABASE_URL")) as administrator:
        administrator.execute(sql.SQL("CREATE DATABASE {}").format(sql.Identifier(logins.owner["dbname"])))


def _drop_database(logins: database.Logins) -> None:
    with database.connect(database.parse(settings.ADMIN_URL, setting="DATABASE_URL")) as administrator:
        name = sql.Identifier(logins.owner["dbname"])
        administrator.execute(sql.SQL("DROP DATABASE IF EXISTS {} WITH (FORCE)").format(name))
        web = sql.Identifier(logins.web["user"])
        with contextlib.suppress(psycopg.errors.InsufficientPrivilege):  # made by hand: not ours to drop
            administrator.execute(sql.SQL("DROP ROLE IF EXISTS {}").format(web))


def pytest_sessionfinish() -> None:
    _time.stop()


def pytest_unconfigure() -> None:
    if _ahead is not None:
        _ahead.join()
    if settings.configured and not settings.PREPARED:
        shutil.rmtree(settings.DATA, ignore_errors=True)


# Nothing left behind ------------------------------------------------------------------------------------------------


@pytest.fixture(autouse=True)
def nothing_left_behind() -> Iterator[None]:
    """Which tests run before a test, in which process, changes from run to run: none may change what it meets."""
    before = left_behind.held()
    yield
    assert left_behind.faults(before, left_behind.held()) == []


@pytest.fixture
def monkeypatch(nothing_left_behind: None) -> Iterator[pytest.MonkeyPatch]:
    """As pytest's own, but put back before it is looked what a test left."""
    with pytest.MonkeyPatch.context() as patch:
        yield patch


# Speed -----------------------------------------------------------------------------------------------------------


@pytest.fixture(autouse=True, scope="session")
def files_listed_once() -> Iterator[None]:
    """Every `Client()` makes the middleware anew, and that lists all static files: half of what a call takes in tests."""
    listed: dict[str, Any] = {}
    genuine = WhiteNoiseMiddleware.add_files_from_finders

    def add(self: WhiteNoiseMiddleware) -> None:
        if not listed:
            genuine(self)
            listed.update(self.files)
        self.files.update(listed)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(WhiteNoiseMiddleware, "add_files_from_finders", add)
        yield


# No network ---------------------------------------------------------------------------------------------------------


class NetworkUsed(AssertionError):
    """A test, or what it tested, wanted to talk to another machine."""


@pytest.fixture(autouse=True, scope="session")
def no_network() -> Iterator[None]:
    """Sockets reach this machine alone."""
    with pytest.MonkeyPatch.context() as patch:
        for name in ("connect", "connect_ex"):
            patch.setattr(socket.socket, name, _local_only(getattr(socket.socket, name)))
        yield


def _local_only(method: Any) -> Any:
    def guarded(self: socket.socket, address: Any) -> Any:
        if self.family in (socket.AF_INET, socket.AF_INET6) and not _is_local(address[0]):
            self.close()
            raise NetworkUsed(f"tests use no network, but {address[0]} was called")
        return method(self, address)

    return guarded


def _is_local(host: str) -> bool:
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return host == "localhost"
