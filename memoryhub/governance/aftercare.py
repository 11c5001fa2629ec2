"""What is done after everything about somebody was erased, outside of its transaction? The tables that held words are
written anew without them, and the database begins its log of changes anew (R91).

Deleting a row only marks it, and plain VACUUM only gives its place away: the bytes stay in the file until others take
it. VACUUM FULL makes a new file of what is left, with its indexes, and locks the table meanwhile: so it is for tables
that are written in a moment. Statistics hold samples of values, and are made anew too. It runs as the owner of the
tables: the web role may not, and it can't run inside a transaction.
"""

import time
from datetime import datetime
from typing import Final

import psycopg
from django.conf import settings
from django.db import connection, transaction
from django.db.models import Model
from psycopg import sql

from memoryhub import conf, jobs, word_caches
from memoryhub.governance.words_about import KNOWN_SINCE
from memoryhub.models import (
    Backing,
    DreamOperation,
    IdempotentRequest,
    Lineage,
    Profile,
    Provenance,
    Recall,
    SavedView,
    Skill,
    SkillEvidence,
    Subject,
    SubjectKey,
)
from memoryhub.providers import database
from memoryhub.tenancy import Principal

JOB: Final = "vacuum"
#: What can hold words of somebody, or the key to them.
TABLES: Final[tuple[type[Model], ...]] = (
    *KNOWN_SINCE, Provenance, Lineage, Backing, IdempotentRequest, DreamOperation, Skill, SkillEvidence, Profile,
    Recall, SavedView, Subject, SubjectKey,
)  # fmt: skip
_NAMES: Final = [model._meta.db_table for model in TABLES]
_LARGE: Final = "SELECT name FROM unnest(%s::text[]) AS name WHERE pg_total_relation_size(name::regclass) > %s"
#: Who is in the middle of something that began before now; they may still see, and so keep, what was deleted.
_AT_WORK: Final = """
    SELECT virtualtransaction FROM pg_locks JOIN pg_stat_activity USING (pid)
    WHERE locktype = 'virtualxid' AND datname = current_database() AND pid <> pg_backend_pid()"""
#: ANALYZE leaves the samples of a table that is empty by now as they were.
_CLEAR_SAMPLES: Final = """
    SELECT pg_clear_attribute_stats(relnamespace::regnamespace::text, relname::text, attname::text, false)
    FROM pg_class JOIN pg_attribute ON attrelid = pg_class.oid AND attnum > 0 AND NOT attisdropped
    WHERE pg_class.oid = %(table)s::regclass
       OR pg_class.oid IN (SELECT indexrelid FROM pg_index WHERE indrelid = %(table)s::regclass)"""
_CAN_CLEAR_SAMPLES: Final = 180_000  # from this version of PostgreSQL on
#: Files of the log that wait to be written to: until an upgrade they were old ones with a new name.
_LOG_AHEAD: Final = "SELECT count(*) FROM pg_ls_waldir() WHERE name > pg_walfile_name(pg_current_wal_insert_lsn())"


class StillInUse(Exception):
    """Some tables could not be written anew without what was deleted: somebody was at work on them for too long."""


def let_go_of_words() -> None:
    """Once this is committed, every process empties what it remembers of people's words (word_caches.py)."""
    transaction.on_commit(_count, robust=True)


def _count() -> None:
    with connection.cursor() as cursor:
        cursor.execute(word_caches.COUNT)
    word_caches.empty()


def later(*, by: Principal, now: datetime) -> None:
    """Name the job, once however many are erased until then."""
    jobs.enqueue(JOB, organisation=by.organisation, now=now, run_after=now + conf.VACUUM_AFTER, dedupe=JOB)


def run_job(_claim: jobs.Claim) -> None:
    """Clear what nobody sees any more out of the files."""
    clear()


def too_large() -> list[str]:
    """The tables that would be locked for too long to be written anew: what was deleted stays in their files until
    other rows take its place. Called inside acting_for."""
    with connection.cursor() as cursor:
        cursor.execute(_LARGE, [_NAMES, conf.REWRITTEN_BELOW])
        return [name for (name,) in cursor.fetchall()]


def clear(*, served: bool = True) -> None:
    """Write the tables that held words anew where they are small enough, VACUUM the others; the embedded database also
    closes the file of its log and cuts the log off before it. Of another PostgreSQL its administrator decides how long
    that is kept. Where nobody is `served` yet nobody waits, and all of them are written anew. Raises StillInUse, once
    everything else is done, where it has to be tried again.
    """
    logins = settings.MEMORYHUB_LOGINS
    name = settings.DATABASES["default"]["NAME"]
    with database.connect((logins.administrator if logins.embedded else logins.owner) | {"dbname": name}) as owner:
        owner.execute(sql.SQL("SET lock_timeout = {}").format(int(conf.REWRITE_LOCK.total_seconds() * 1000)))
        quiet = _wait_for_others(owner)
        large = {name for (name,) in owner.execute(_LARGE, [_NAMES, conf.REWRITTEN_BELOW])} if served else set()
        done = [_write_anew(table, owner, full=table not in large) for table in _NAMES]
        done.append(_vacuum("pg_statistic", owner, "FULL"))  # elsewhere passed over, unless the owner has the database
        if logins.embedded:
            _cut_log(owner)
    if not (quiet and all(done)):
        raise StillInUse


def _wait_for_others(owner: psycopg.Connection) -> bool:
    """Wait until whatever is going on now has ended, for a while; whether it has."""
    before = set(owner.execute(_AT_WORK).fetchall())
    until = time.monotonic() + conf.REWRITE_WAIT.total_seconds()
    while before:
        if time.monotonic() > until:
            return False
        time.sleep(0.1)
        before &= set(owner.execute(_AT_WORK).fetchall())
    return True


def _write_anew(table: str, owner: psycopg.Connection, *, full: bool) -> bool:
    try:
        if owner.info.server_version >= _CAN_CLEAR_SAMPLES:
            owner.execute(_CLEAR_SAMPLES, {"table": table})
    except psycopg.errors.LockNotAvailable:
        return False
    return _vacuum(table, owner, "FULL, ANALYZE" if full else "ANALYZE")


def _vacuum(table: str, owner: psycopg.Connection, how: str) -> bool:
    """Whether the table could be had: whoever comes meanwhile waits behind, so it is given up after a few seconds."""
    try:
        owner.execute(sql.SQL("VACUUM ({}) {}").format(sql.SQL(how), sql.Identifier(table)))
    except (psycopg.errors.LockNotAvailable, psycopg.errors.DeadlockDetected):
        return False
    return True


def _cut_log(owner: psycopg.Connection) -> None:
    """Close the file of the log, write over those that wait, and remove all that is before."""
    (ahead,) = owner.execute(_LOG_AHEAD).fetchone() or (0,)
    for _ in range(ahead + 1):
        owner.execute("SELECT pg_logical_emit_message(false, '', '')")  # a file with nothing in it would not be closed
        owner.execute("SELECT pg_switch_wal()")
    owner.execute("CHECKPOINT")
