"""How do millions of entries get into a hub within minutes, to measure it? By COPY, past the gate.

For a hub of the bench's own and nothing else: the database's administrator loads real rows (origin, vectors, the search
column that the database makes itself) with triggers resting, because the gate is not what is measured there. Vectors
are those of real sentences with noise of their own, so that what is near is a matter of degree. Rows are laid down as
time lays them down: each subject's among other subjects', not beside one another.
"""

import random
import time
import uuid
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from itertools import islice
from typing import Any, Final

import numpy
import psycopg
from numpy.typing import NDArray
from pgvector.psycopg import register_vector
from psycopg import sql

from accounts.ids import new_id
from memoryhub import conf
from memoryhub.errors import HubError
from memoryhub.management import sample_texts
from memoryhub.providers import database
from memoryhub.providers.embeddings import embedder
from memoryhub.vocabulary import Category, Channel, EmbeddingState, Kind, Role, Scope, Sensitivity, Status, SubjectKind

NOISE: Final = 0.5  # length of what is added to a vector of length one: a cosine of about .89 to the sentence itself
SENTENCES: Final = 1500  # that are really embedded
AT_ONCE: Final = 20_000  # rows of one COPY
EPISODIC_EVERY: Final = 5  # one in five says what happened, in a conversation of ten
DAYS: Final = 170  # over which they were said
BYTES_AN_ENTRY: Final = 5_500  # of disk, with its origin, its indexes and what loading leaves behind; measured

#: Of an entry: column → its type. The rest is empty or made by the database.
_ENTRY: Final = {
    "id": "uuid", "organisation_id": "uuid", "subject_id": "uuid", "scope": "varchar", "audience_id": "uuid",
    "kind": "varchar", "category": "varchar", "content": "text", "context": "text", "entity": "varchar",
    "key": "varchar", "value": "text", "single": "bool", "language": "varchar", "status": "varchar",
    "contested": "bool", "sensitivity": "varchar", "confidence": "float8", "importance": "float8",
    "authority": "float8", "valid_from": "timestamptz", "recorded_at": "timestamptz",
    "last_confirmed_at": "timestamptz", "confirmed_by": "varchar", "review_by": "timestamptz",
    "expires_at": "timestamptz", "use_count": "int4", "embedding": "vector", "embedding_model": "varchar",
    "embedding_state": "varchar", "fingerprint": "varchar", "version": "int4", "created_at": "timestamptz",
    "updated_at": "timestamptz", "lot": "int2",
}  # fmt: skip
_ORIGIN: Final = {
    "id": "uuid", "organisation_id": "uuid", "entry_id": "uuid", "role": "varchar", "channel": "varchar",
    "speaker_id": "uuid", "session_ref": "varchar", "event_ref": "varchar", "message_id": "varchar", "ref": "varchar",
    "uri": "varchar", "quote": "text", "verified_by": "varchar", "said_at": "timestamptz",
    "recorded_at": "timestamptz",
}  # fmt: skip
_SUBJECT: Final = {
    "id": "uuid", "organisation_id": "uuid", "external_id": "varchar", "kind": "varchar", "display_name": "varchar",
    "timezone": "varchar", "paused_by": "varchar", "use_existing": "bool", "never_keep": "varchar[]",
    "created_at": "timestamptz",
}  # fmt: skip

#: What COPY fills: table → its columns. A test holds them against what the database asks for.
LOADED: Final = {"memoryhub_entry": _ENTRY, "memoryhub_provenance": _ORIGIN, "memoryhub_subject": _SUBJECT}

Row = tuple[Any, ...]


class NotEmpty(HubError):
    """The database is in use."""

    code = "not_empty"


@dataclass(frozen=True)
class Store:
    """What a hub is to hold: `subjects` of `each` entries, and one more of `big` entries where that is above 0."""

    subjects: int
    each: int
    big: int = 0

    @property
    def entries(self) -> int:
        return self.subjects * self.each + self.big

    @property
    def names(self) -> list[str]:
        return [f"person-{number}" for number in range(self.subjects)]


BIG: Final = "the-big-one"


def owners(store: Store, *, seed: int) -> Iterator[str]:
    """Whose each entry is, in the order they are laid down: in every lap each subject once, in an order of its own."""
    order = random.Random(seed)
    for _ in range(store.each):
        yield from order.sample(store.names, store.subjects)
    yield from [BIG] * store.big


@dataclass(frozen=True)
class Sample:
    """Sentences and their vectors, one a row: what all that is loaded is made of."""

    sentences: list[str]
    vectors: NDArray[numpy.float32]


def sample(seed: int) -> Sample:
    """Sentences of ours, embedded by the hub's own model."""
    sentences = list(islice(sample_texts.statements(seed), SENTENCES))
    return Sample(sentences, numpy.array(embedder().embed(sentences), dtype=numpy.float32))


def load(
    store: Store, made_of: Sample, *, organisation: uuid.UUID, administrator: database.Parameters, seed: int,
    said: Callable[[str], None],
) -> float:  # fmt: skip
    """Fill the organisation; returns the seconds it took, indexes and statistics included.

    Raises NotEmpty where anything is remembered already: this is no way into a hub that somebody uses.
    """
    began = time.perf_counter()
    with database.connect(administrator) as connection:
        if connection.execute("SELECT 1 FROM memoryhub_entry LIMIT 1").fetchone():
            raise NotEmpty("Somebody's memories are in this database; a bench fills an empty one alone.")
        register_vector(connection)
        connection.execute("SET session_replication_role = replica")  # no triggers, for this connection alone
        connection.execute("SET synchronous_commit = off; SET maintenance_work_mem = '1GB'")
        with _indexes_resting(connection):
            subjects = _load_subjects(connection, store, organisation)
            whose, done = owners(store, seed=seed), 0
            made = _Maker(organisation, made_of, seed, crowd=subjects.get(BIG), of=store.big)
            while batch := [subjects[name] for name in islice(whose, AT_ONCE)]:
                entries, origins = made.rows(batch)
                _copy(connection, "memoryhub_entry", _ENTRY, entries)
                _copy(connection, "memoryhub_provenance", _ORIGIN, origins)
                done += len(batch)
                rate = done / (time.perf_counter() - began)
                said(f"  {done:>9,} of {store.entries:,} entries, {rate:,.0f} a second")
        for table in LOADED:  # as the database does by itself within minutes
            connection.execute(sql.SQL("VACUUM (ANALYZE) {}").format(sql.Identifier(table)))
        connection.execute("CHECKPOINT")
    return time.perf_counter() - began


def noisy(vectors: NDArray[numpy.float32], chance: numpy.random.Generator) -> NDArray[numpy.float32]:
    """Vectors of length one, each moved by NOISE in a direction of its own."""
    noise = chance.standard_normal(vectors.shape, dtype=numpy.float32)
    noise *= NOISE / numpy.linalg.norm(noise, axis=1, keepdims=True)
    moved = vectors + noise
    found: NDArray[numpy.float32] = moved / numpy.linalg.norm(moved, axis=1, keepdims=True)
    return found


class _Maker:
    """Makes rows, the same for the same seed but for their ids."""

    def __init__(
        self, organisation: uuid.UUID, made_of: Sample, seed: int, *, crowd: uuid.UUID | None = None, of: int = 0
    ) -> None:
        """`crowd`: whose entries, `of` so many, are flagged as the hub's job flags them, all but the newest."""
        self._organisation, self._sentences, self._vectors = organisation, made_of.sentences, made_of.vectors
        self._chance = numpy.random.default_rng(seed)
        self._model = embedder().model_id
        self._latest = datetime.now(UTC) - timedelta(minutes=1)
        self._made = 0
        self._crowd = crowd if of > conf.SCANNED else None
        self._outside = timedelta(days=DAYS * conf.STAY_OUT / max(of, 1))

    def rows(self, subjects: Sequence[uuid.UUID]) -> tuple[list[Row], list[Row]]:
        """An entry and its origin for each of these subjects, in this order."""
        chosen = self._chance.integers(len(self._sentences), size=len(subjects))
        vectors = noisy(self._vectors[chosen], self._chance)
        ages = self._chance.random(len(subjects)) * DAYS
        entries, origins = [], []
        for subject, at, vector, age in zip(subjects, chosen, vectors, ages, strict=True):
            self._made += 1
            entry, origin = self._row(subject, self._sentences[at], vector, self._latest - timedelta(days=float(age)))
            entries.append(entry)
            origins.append(origin)
        return entries, origins

    def _row(
        self, subject: uuid.UUID, sentence: str, vector: NDArray[numpy.float32], said_at: datetime
    ) -> tuple[Row, Row]:
        number = self._made
        happened = number % EPISODIC_EVERY == 0
        kind, category = (Kind.EPISODIC, Category.EPISODE_OUTCOME) if happened else (Kind.SEMANTIC, Category.PREFERENCE)
        text = f"{sentence[:-1]}, as noted under {number}."
        context = f"{said_at.day} {said_at:%B %Y}" if happened else ""
        session = f"session-{subject.hex[-6:]}-{said_at:%j}" if happened else ""
        crowded = subject == self._crowd and said_at < self._latest - self._outside
        entry_id = new_id()
        entry = (
            entry_id, self._organisation, subject, Scope.SUBJECT.value, subject, kind.value, category.value, text,
            context, "", "", "", False, "en", Status.ACCEPTED.value, False, Sensitivity.ORDINARY.value, 0.9,
            conf.IMPORTANCE[category], conf.AUTHORITY[Channel.USER_MESSAGE], said_at, said_at, said_at,
            Role.CUSTOMER.value, None, said_at + timedelta(days=365), 0, vector, self._model,
            EmbeddingState.READY.value, f"{number:064x}", 1, said_at, said_at,
            number % conf.LOTS if crowded else None,
        )  # fmt: skip
        origin = (
            new_id(), self._organisation, entry_id, Role.CUSTOMER.value, Channel.USER_MESSAGE.value, subject, session,
            "", "", "", "", text, "", said_at, said_at,
        )  # fmt: skip
        return entry, origin


def _load_subjects(connection: psycopg.Connection, store: Store, organisation: uuid.UUID) -> dict[str, uuid.UUID]:
    names = [*store.names, *([BIG] if store.big else [])]
    found = {name: new_id() for name in names}
    now = datetime.now(UTC)
    rows: list[Row] = [
        (id, organisation, name, SubjectKind.PERSON.value, "", "", "", True, [], now) for name, id in found.items()
    ]
    _copy(connection, "memoryhub_subject", _SUBJECT, rows)
    return found


def _copy(connection: psycopg.Connection, table: str, columns: dict[str, str], rows: Sequence[Row]) -> None:
    statement = sql.SQL("COPY {} ({}) FROM STDIN (FORMAT binary)").format(
        sql.Identifier(table), sql.SQL(", ").join(map(sql.Identifier, columns))
    )
    with connection.cursor() as cursor, cursor.copy(statement) as copy:
        copy.set_types(list(columns.values()))
        for row in rows:
            copy.write_row(row)


@contextmanager
def _indexes_resting(connection: psycopg.Connection) -> Iterator[None]:
    """Without the indexes that only make reading faster; made anew from their own definitions at the end."""
    resting = connection.execute(
        "SELECT indexrelid::regclass::text, pg_get_indexdef(indexrelid) FROM pg_index"
        " WHERE indrelid = ANY (%s::regclass[]) AND NOT indisunique AND NOT indisprimary",
        [list(LOADED)],
    ).fetchall()
    for name, _ in resting:
        connection.execute(f"DROP INDEX {name}")
    yield
    for _, definition in resting:
        connection.execute(definition)
