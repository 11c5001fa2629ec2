"""Is a restore under way in this database, or was one cut short? While it is, nothing may serve from it.

The mark is a table in the database itself, so that every process on every machine sees it. A backup never holds it: it
is made before the first row is read in, and taken away when the erasures since were done again and all of it verified.
"""

from typing import Final

import psycopg

from memoryhub.providers.database import DatabaseUnusable, Logins, connect

TABLE: Final = "memoryhub_restoring"
UNFINISHED: Final = (
    "A restore into this database is under way or was cut short, so nothing is served from it: erased people may be in "
    "it. Run `manage.py restore FILE` to its end."
)


def is_unfinished(logins: Logins) -> bool:
    """Whether the mark is there; False where there is no database yet."""
    try:
        with connect(logins.owner) as owner:
            return is_marked(owner)
    except DatabaseUnusable as error:
        if isinstance(error.__cause__, psycopg.OperationalError) and logins.embedded:
            return False  # made by the first start: neither role nor database is there
        raise


def is_marked(connection: psycopg.Connection) -> bool:
    row = connection.execute("SELECT to_regclass(%s) IS NOT NULL", [TABLE]).fetchone()
    return bool(row and row[0])


def mark(owner: psycopg.Connection) -> None:
    """Nothing serves from here on."""
    owner.execute(f"CREATE TABLE IF NOT EXISTS {TABLE} (began_at timestamptz NOT NULL DEFAULT now())")


def unmark(owner: psycopg.Connection) -> None:
    """It is over, and verified."""
    owner.execute(f"DROP TABLE {TABLE}")
