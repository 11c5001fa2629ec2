"""What is done after everything about somebody was erased, outside of its transaction? The database clears the rows
that nobody sees any more out of its files, and begins its log of changes anew (R91).

Deleting a row only marks it; its bytes stay until VACUUM gives their place away. It runs as the owner of the tables:
the web role may not, and it can't run inside a transaction.
"""

from datetime import datetime
from typing import Final

from django.conf import settings
from django.db import connection, transaction
from psycopg import sql

from memoryhub import conf, jobs, word_caches
from memoryhub.models import (
    DreamOperation,
    Entry,
    Event,
    Evidence,
    IdempotentRequest,
    Lineage,
    NoteFile,
    Offload,
    Provenance,
    Record,
    RecordReading,
    ReviewItem,
    ReviewNote,
    ReviewQuestion,
    Session,
    Subject,
    Turn,
)
from memoryhub.providers import database
from memoryhub.tenancy import Principal

JOB: Final = "vacuum"
TABLES: Final = (
    Entry, Provenance, Lineage, Event, Session, Turn, Offload, ReviewItem, ReviewNote, ReviewQuestion, Record,
    RecordReading, Evidence, IdempotentRequest, DreamOperation, NoteFile, Subject,
)  # fmt: skip


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


def clear() -> None:
    """VACUUM the tables that held words; the embedded database also closes the file of its log and cuts the log off
    before it. Of another PostgreSQL its administrator decides how long that is kept.
    """
    logins = settings.MEMORYHUB_LOGINS
    name = settings.DATABASES["default"]["NAME"]
    with database.connect((logins.administrator if logins.embedded else logins.owner) | {"dbname": name}) as owner:
        for model in TABLES:
            owner.execute(sql.SQL("VACUUM {}").format(sql.Identifier(model._meta.db_table)))
        if logins.embedded:
            owner.execute("SELECT pg_switch_wal()")
            owner.execute("CHECKPOINT")
