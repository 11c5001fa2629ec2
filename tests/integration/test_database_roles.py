"""The roles on a real server: what web and worker may do, and which servers are refused with which sentence."""

import shutil
import tempfile
from collections.abc import Iterator
from pathlib import Path

import psycopg
import pytest
from django.conf import settings
from django.db import connection

from memoryhub.providers import database
from memoryhub.providers.database import DatabaseUnusable, Logins
from memoryhub.providers.embedded_postgres import EmbeddedPostgres
from memoryhub.providers.secrets_file import HubSecrets

SECRETS = HubSecrets("sign", "pepper", "super-word", "own-word", "web-word")


def test_the_web_role_has_no_right_that_would_lift_row_level_security(db: None) -> None:
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT rolsuper, rolbypassrls, rolcreatedb, rolcreaterole, rolreplication FROM pg_roles"
            " WHERE rolname = current_user"
        )
        assert cursor.fetchone() == (False,) * 5
        cursor.execute(
            "SELECT count(*) FROM pg_class c JOIN pg_roles r ON r.oid = c.relowner WHERE r.rolname = current_user"
        )
        assert cursor.fetchone() == (0,)
        cursor.execute("SELECT count(*) FROM pg_auth_members m WHERE m.member = current_user::regrole")
        assert cursor.fetchone() == (0,)


def test_the_web_role_may_not_truncate_or_make_tables(db: None) -> None:
    with connection.cursor() as cursor:
        cursor.execute("SELECT count(*) FROM information_schema.role_table_grants WHERE grantee = current_user"
                       " AND privilege_type IN ('TRUNCATE', 'TRIGGER', 'REFERENCES')")  # fmt: skip
        assert cursor.fetchone() == (0,)
        cursor.execute("SELECT has_schema_privilege(current_user, 'public', 'CREATE')")
        assert cursor.fetchone() == (False,)


@pytest.fixture(scope="module")
def server() -> Iterator[EmbeddedPostgres]:
    """A second server, which stands in for one that somebody else runs."""
    folder = Path(tempfile.mkdtemp(prefix="memoryhub-other-"))
    postgres = EmbeddedPostgres(folder, SECRETS, durable=False)
    postgres.start()
    yield postgres
    postgres.stop()
    shutil.rmtree(folder)


def url_of(server: EmbeddedPostgres, user: str, password: str, name: str) -> str:
    return f"postgresql://{user}:{password}@/{name}?host={server.sockets}"


def admin(server: EmbeddedPostgres, *statements: str, name: str = "postgres") -> None:
    with psycopg.connect(url_of(server, "postgres", "super-word", name), autocommit=True) as connection:
        for statement in statements:
            connection.execute(statement)


def logins_for(server: EmbeddedPostgres, user: str, name: str, *, web_url: str = "") -> Logins:
    return database.logins(Path("/unused"), SECRETS, url=url_of(server, user, "word", name), web_url=web_url)


def test_an_owner_who_may_make_roles_makes_the_web_role_and_repeats_it(server: EmbeddedPostgres) -> None:
    admin(server, "CREATE ROLE ann LOGIN CREATEROLE PASSWORD 'word'", "CREATE DATABASE shop OWNER ann")
    admin(server, "CREATE EXTENSION vector", name="shop")
    logins = logins_for(server, "ann", "shop")
    for _ in range(2):
        database.prepare(logins)
    with database.connect(logins.owner) as owner:
        owner.execute("CREATE TABLE parcel (id bigserial PRIMARY KEY, content text)")
    with database.connect(logins.web) as web:
        assert web.info.user == "shop_web"
        web.execute("INSERT INTO parcel (content) VALUES ('x')")
        web.execute("UPDATE parcel SET content = 'y'")
        web.execute("DELETE FROM parcel")
        with pytest.raises(psycopg.errors.InsufficientPrivilege):
            web.execute("TRUNCATE parcel")
        with pytest.raises(psycopg.errors.InsufficientPrivilege):
            web.execute("CREATE TABLE mine (id int)")


def test_a_web_role_left_over_with_another_password_gets_this_hubs(server: EmbeddedPostgres) -> None:
    admin(
        server, "CREATE ROLE bea LOGIN SUPERUSER PASSWORD 'word'", "CREATE DATABASE club OWNER bea",
        "CREATE ROLE club_web LOGIN PASSWORD 'from-before'",
    )  # fmt: skip
    logins = logins_for(server, "bea", "club")
    database.prepare(logins)
    database.connect(logins.web).close()


def test_an_owner_who_may_not_make_roles_is_told_both_ways_out(server: EmbeddedPostgres) -> None:
    admin(server, "CREATE ROLE cem LOGIN PASSWORD 'word'", "CREATE DATABASE farm OWNER cem")
    admin(server, "CREATE EXTENSION vector", name="farm")
    with pytest.raises(DatabaseUnusable, match=r"CREATEROLE.*MEMORYHUB_WEB_DATABASE_URL"):
        database.prepare(logins_for(server, "cem", "farm"))

    admin(server, "CREATE ROLE desk LOGIN PASSWORD 'word'")
    by_hand = logins_for(server, "cem", "farm", web_url=url_of(server, "desk", "word", "farm"))
    database.prepare(by_hand)
    with database.connect(by_hand.web) as web:
        assert web.info.user == "desk"


@pytest.mark.parametrize("right", ["SUPERUSER", "BYPASSRLS", "CREATEROLE"])
def test_a_web_role_that_could_see_everything_is_refused(server: EmbeddedPostgres, right: str) -> None:
    name = f"mill_{right.lower()}"
    admin(
        server, f"CREATE ROLE {name} LOGIN SUPERUSER PASSWORD 'word'", f"CREATE DATABASE {name} OWNER {name}",
        f"CREATE ROLE {name}_strong LOGIN {right} PASSWORD 'word'",
    )  # fmt: skip
    strong = url_of(server, f"{name}_strong", "word", name)
    with pytest.raises(DatabaseUnusable, match="tenants would not be kept apart"):
        database.prepare(logins_for(server, name, name, web_url=strong))


def test_a_user_who_owns_nothing_in_the_database_is_refused(server: EmbeddedPostgres) -> None:
    admin(server, "CREATE ROLE dan LOGIN CREATEROLE PASSWORD 'word'", "CREATE DATABASE port")
    admin(server, "CREATE EXTENSION vector", name="port")
    with pytest.raises(DatabaseUnusable, match="may not create tables"):
        database.prepare(logins_for(server, "dan", "port"))


def test_an_extension_that_may_not_be_made_is_named(server: EmbeddedPostgres) -> None:
    admin(server, "CREATE ROLE eve LOGIN PASSWORD 'word'", "CREATE DATABASE reed")
    with pytest.raises(DatabaseUnusable, match="CREATE EXTENSION vector"):
        database.prepare(logins_for(server, "eve", "reed"))


def test_an_old_server_is_refused(server: EmbeddedPostgres, monkeypatch: pytest.MonkeyPatch) -> None:
    admin(server, "CREATE ROLE fay LOGIN SUPERUSER PASSWORD 'word'", "CREATE DATABASE silo OWNER fay")
    monkeypatch.setattr(database, "OLDEST", 99)
    with pytest.raises(DatabaseUnusable, match="is PostgreSQL 18; Memory Hub needs 99 or newer"):
        database.prepare(logins_for(server, "fay", "silo"))


def test_a_wrong_password_is_said_without_the_password(server: EmbeddedPostgres) -> None:
    logins = database.logins(Path("/unused"), SECRETS, url=url_of(server, "postgres", "guessed-word", "postgres"))
    with pytest.raises(DatabaseUnusable, match="password authentication failed") as caught:
        database.prepare(logins)
    assert "guessed-word" not in str(caught.value)


def test_the_embedded_server_starts_again_after_a_crash_and_a_stale_pid_file() -> None:
    folder = Path(tempfile.mkdtemp(prefix="memoryhub-crash-"))
    try:
        first = EmbeddedPostgres(folder, SECRETS, durable=False)
        first.start()
        assert first._process is not None
        first._process.kill()
        first._process.wait()
        second = EmbeddedPostgres(folder, SECRETS, durable=False)
        second.start()
        second.stop()
        (folder / "postgres" / "postmaster.pid").write_text("1\n")  # a number that belongs to somebody else by now
        second.start()
        second.stop()
        with pytest.raises(DatabaseUnusable, match=r"secrets\.json"):
            EmbeddedPostgres(folder, HubSecrets.fresh(), durable=False).start()
    finally:
        shutil.rmtree(folder)


def test_a_long_data_folder_works_too() -> None:
    top = Path(tempfile.mkdtemp(prefix="memoryhub-long-"))
    folder = top / ("x" * 120)
    folder.mkdir()
    server = EmbeddedPostgres(folder, SECRETS, durable=False)
    try:
        server.start()
        database.prepare(database.logins(folder, SECRETS))
        assert server.sockets.parent == Path("/tmp")
    finally:
        server.stop()
        shutil.rmtree(top)
    assert not server.sockets.exists()


def test_tests_themselves_connect_as_the_web_role(db: None) -> None:
    with connection.cursor() as cursor:
        cursor.execute("SELECT current_user")
        assert cursor.fetchone() == (settings.MEMORYHUB_LOGINS.web["user"],)
