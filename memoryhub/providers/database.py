"""Where is the database, and who connects to it as what? One answer for the server, the worker and every command.

Three logins. The *administrator* makes roles and extensions: the embedded database's superuser, or the user that
DATABASE_URL names. The *owner* migrates and owns every table: a role of its own when embedded, else the user of
DATABASE_URL. The *web* login, for requests and the worker, owns nothing, is no superuser and cannot bypass row-level
security: what a request may not see, the database itself withholds. It may SELECT, INSERT, UPDATE and DELETE, never
TRUNCATE.
"""

import hashlib
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

import psycopg
from psycopg import conninfo, sql

from memoryhub.errors import HubError
from memoryhub.providers.secrets_file import HubSecrets

OLDEST = 15  # PostgreSQL: the public schema belongs to the database's owner from here on
NAME = "memoryhub"
OWNER = "memoryhub_owner"
WEB = "memoryhub_web"
SUPERUSER = "postgres"
PORT = "5432"  # of the embedded database's socket; it listens on no network
LONGEST_SOCKET = 100  # bytes: the kernel allows 107 for a socket's path
LONGEST_NAME = 63  # bytes of a role's name
CONNECT_SECONDS = "10"

Parameters = dict[str, str]

# Whether a text holds words says nothing about a row but that answer, and raises no error that would. PostgreSQL has it
# declared by an administrator before it uses an index for words under row-level security (docs/adr/0015).
_MATCHES_UNDER_ROW_SECURITY = "ALTER FUNCTION pg_catalog.ts_match_vq(tsvector, tsquery) LEAKPROOF"


class DatabaseUnusable(HubError):
    """The database can't be used as it is; the sentence says what to change."""

    code = "database_unusable"


@dataclass(frozen=True)
class Logins:
    """libpq's connection parameters for each of the three; `web_by_hand` when an administrator made the web role."""

    administrator: Parameters
    owner: Parameters
    web: Parameters
    embedded: bool
    web_by_hand: bool = False


def embedded_folder(data: Path) -> Path:
    """Where the embedded database keeps its files."""
    return data / "postgres"


def socket_folder(data: Path) -> Path:
    """Where its socket is: with its files, or under /tmp when that path is too long for a socket."""
    folder = embedded_folder(data)
    if len(bytes(folder / f".s.PGSQL.{PORT}")) <= LONGEST_SOCKET:
        return folder
    return Path("/tmp") / f"memoryhub-{hashlib.sha256(bytes(folder)).hexdigest()[:16]}"  # (made mode 0700)


def logins(data: Path, secrets: HubSecrets | None, *, url: str = "", web_url: str = "") -> Logins:
    """Who connects how. `url` is DATABASE_URL, `web_url` MEMORYHUB_WEB_DATABASE_URL; both empty: embedded.

    Without `secrets` (no hub was started here yet) the passwords are empty and nobody gets in.
    """
    if not url:
        place = {"host": str(socket_folder(data)), "port": PORT}
        return Logins(
            administrator=place
            | _login(SUPERUSER, secrets.superuser_password if secrets else "")
            | {"dbname": "postgres"},
            owner=place | _login(OWNER, secrets.owner_password if secrets else "") | {"dbname": NAME},
            web=place | _login(WEB, secrets.web_password if secrets else "") | {"dbname": NAME},
            embedded=True,
        )
    administrator = {"connect_timeout": CONNECT_SECONDS} | parse(url, setting="DATABASE_URL")
    if not administrator.get("dbname"):
        raise DatabaseUnusable(
            "DATABASE_URL names no database; it looks like postgresql://user:password@host:5432/name."
        )
    if web_url:
        web = {"connect_timeout": CONNECT_SECONDS} | parse(web_url, setting="MEMORYHUB_WEB_DATABASE_URL")
    else:
        web = administrator | _login(web_role_of(administrator["dbname"]), secrets.web_password if secrets else "")
        web.pop("passfile", None)
    return Logins(administrator, administrator, web, embedded=False, web_by_hand=bool(web_url))


def web_role_of(database: str) -> str:
    """The web role's name: roles belong to the whole server, so it carries the database's name."""
    return database.encode()[: LONGEST_NAME - len("_web")].decode(errors="ignore") + "_web"


def parse(url: str, *, setting: str) -> Parameters:
    """libpq's parameters of a URL; the message never repeats it, since it holds a password."""
    try:
        if not url.startswith(("postgresql://", "postgres://")):
            raise ValueError
        parameters = {name: str(value) for name, value in conninfo.conninfo_to_dict(url).items()}
        if not all(port.isdigit() for port in parameters.get("port", PORT).split(",")):
            raise ValueError
        return parameters
    except (ValueError, psycopg.Error) as error:
        raise DatabaseUnusable(f"{setting} is not a URL like postgresql://user:password@host:5432/name.") from error


def place_of(parameters: Mapping[str, str]) -> str:
    """Host, port and database, for a sentence; no user, no password."""
    host = parameters.get("host", "the local socket")
    return f"{host}:{parameters.get('port', PORT)}/{parameters.get('dbname', '')}"


def connect(parameters: Parameters) -> psycopg.Connection:
    """A connection in autocommit; DatabaseUnusable with the server's first line when it can't be had."""
    try:
        return psycopg.connect(**parameters, autocommit=True)  # type: ignore[arg-type]
    except psycopg.OperationalError as error:
        raise DatabaseUnusable(
            f"PostgreSQL at {place_of(parameters)} can't be used: {_reason(error)} "
            "Check DATABASE_URL and that the server runs, or unset DATABASE_URL to use the embedded database."
        ) from error


def prepare(logins: Logins) -> None:
    """Make what is missing so that the owner can migrate and the web role can log in; safe to repeat at every start."""
    with connect(logins.administrator) as administrator:
        if logins.embedded:
            _embedded_roles(administrator, logins)
        else:
            _check_server(administrator, logins)
            _external_web_role(administrator, logins)
    if logins.embedded:
        with connect(logins.administrator | {"dbname": NAME}) as inside:
            inside.execute("CREATE EXTENSION IF NOT EXISTS vector")
            inside.execute(_MATCHES_UNDER_ROW_SECURITY)
    with connect(logins.owner) as owner:
        _grant(owner, logins)
    _check_web_login(logins)


def _embedded_roles(administrator: psycopg.Connection, logins: Logins) -> None:
    # Created in order: a start that was cut short between two of these goes on from there the next time.
    for login in (logins.owner, logins.web):
        _create_or_change_role(administrator, login)
    if not administrator.execute("SELECT 1 FROM pg_database WHERE datname = %s", [NAME]).fetchone():
        administrator.execute(
            sql.SQL("CREATE DATABASE {} OWNER {}").format(sql.Identifier(NAME), sql.Identifier(OWNER))
        )
    administrator.execute(sql.SQL("REVOKE ALL ON DATABASE {} FROM PUBLIC").format(sql.Identifier(NAME)))


def _check_server(administrator: psycopg.Connection, logins: Logins) -> None:
    place = place_of(logins.administrator)
    if administrator.info.server_version < OLDEST * 10_000:
        major = administrator.info.server_version // 10_000
        raise DatabaseUnusable(f"{place} is PostgreSQL {major}; Memory Hub needs {OLDEST} or newer.")
    if not administrator.execute("SELECT 1 FROM pg_extension WHERE extname = 'vector'").fetchone():
        if not administrator.execute("SELECT 1 FROM pg_available_extensions WHERE name = 'vector'").fetchone():
            raise DatabaseUnusable(
                f"{place} has no pgvector. Install the extension on that server (package postgresql-N-pgvector), "
                "or unset DATABASE_URL to use the embedded database, which has it."
            )
        try:
            administrator.execute("CREATE EXTENSION IF NOT EXISTS vector")
        except psycopg.errors.InsufficientPrivilege as error:
            raise DatabaseUnusable(
                f"The user of DATABASE_URL may not create the extension pgvector in {place}. "
                "Let an administrator run CREATE EXTENSION vector there once."
            ) from error
    (may_create,) = administrator.execute(
        "SELECT has_schema_privilege(current_user, 'public', 'CREATE')"
    ).fetchone() or (False,)
    if not may_create:
        raise DatabaseUnusable(
            f"The user of DATABASE_URL may not create tables in {place}. Make it the database's owner: "
            "ALTER DATABASE … OWNER TO …"
        )


def _external_web_role(administrator: psycopg.Connection, logins: Logins) -> None:
    if logins.web_by_hand or _can_log_in(logins.web):
        return
    try:
        _create_or_change_role(administrator, logins.web)
    except psycopg.errors.InsufficientPrivilege as error:
        raise DatabaseUnusable(
            f"The user of DATABASE_URL may not create the role {logins.web['user']}, as which web and worker log in. "
            "Give it CREATEROLE, or let an administrator make a plain LOGIN role and name it in "
            "MEMORYHUB_WEB_DATABASE_URL."
        ) from error


def _create_or_change_role(administrator: psycopg.Connection, login: Parameters) -> None:
    """A plain role that may log in: all further rights are off by default, and naming them would need a superuser."""
    # The verifier is computed here, so the password itself reaches no server log.
    verifier = administrator.pgconn.encrypt_password(
        login["password"].encode(), login["user"].encode(), b"scram-sha-256"
    ).decode()
    known = administrator.execute("SELECT 1 FROM pg_roles WHERE rolname = %s", [login["user"]]).fetchone()
    verb = sql.SQL("ALTER ROLE") if known else sql.SQL("CREATE ROLE")
    administrator.execute(
        sql.SQL("{} {} LOGIN PASSWORD {}").format(verb, sql.Identifier(login["user"]), sql.Literal(verifier))
    )


@contextmanager
def no_rights_by_default(owner: psycopg.Connection, logins: Logins) -> Iterator[None]:
    """What is made inside has the rights it is given there and no more: tables that are read in bring their own, and
    what the web role may not do to a few of them would be granted by default again.
    """
    web = sql.Identifier(logins.web["user"])
    for kind in ("TABLES", "SEQUENCES"):
        statement = f"ALTER DEFAULT PRIVILEGES IN SCHEMA public REVOKE ALL ON {kind} FROM {{}}"
        owner.execute(sql.SQL(statement).format(web))
    try:
        yield
    finally:
        _grant(owner, logins)


def _grant(owner: psycopg.Connection, logins: Logins) -> None:
    """What the owner makes from now on, the web role may use; what exists keeps the rights its migration gave it."""
    web = sql.Identifier(logins.web["user"])
    for statement in (
        "GRANT CONNECT ON DATABASE {database} TO {web}",
        "GRANT USAGE ON SCHEMA public TO {web}",
        "ALTER DEFAULT PRIVILEGES IN SCHEMA public GRANT SELECT, INSERT, UPDATE, DELETE ON TABLES TO {web}",
        "ALTER DEFAULT PRIVILEGES IN SCHEMA public GRANT USAGE, SELECT ON SEQUENCES TO {web}",
    ):
        owner.execute(sql.SQL(statement).format(database=sql.Identifier(owner.info.dbname), web=web))


def _check_web_login(logins: Logins) -> None:
    """Refuse a web role that row-level security would not hold, whoever made it."""
    with connect(logins.web) as web:
        row = web.execute(
            "SELECT rolsuper, rolbypassrls, rolcreaterole, pg_has_role(current_user, d.datdba, 'USAGE')"
            " FROM pg_roles r, pg_database d WHERE r.rolname = current_user AND d.datname = current_database()"
        ).fetchone()
    if row is None or any(row):
        raise DatabaseUnusable(
            f"The role {logins.web['user']} of web and worker is a superuser, may bypass row-level security, may make "
            "roles or owns the database; tenants would not be kept apart. Give it LOGIN and nothing else."
        )


def _can_log_in(parameters: Parameters) -> bool:
    try:
        psycopg.connect(**parameters).close()  # type: ignore[arg-type]
    except psycopg.OperationalError:
        return False
    return True


def _login(user: str, password: str) -> Parameters:
    return {"user": user, "password": password}


def _reason(error: psycopg.OperationalError) -> str:
    lines = str(error).strip().splitlines() or ["no reason was given"]
    return lines[0].rstrip(".") + "."
