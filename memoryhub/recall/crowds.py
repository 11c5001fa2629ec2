"""Which of very many entries are worth comparing with a question? A pool from indexes, for what is too many to scan.

Up to conf.SCANNED entries in reach are compared exactly, every one. Of an audience that holds more, the older are a
*crowd*: flagged by a job, they alone are in the indexes for nearness and for words, so that writing to anybody else
never touches those. Its newest stay outside and are compared exactly, like everybody's: what is of today may outrank
what is nearer. Of a crowd, recall compares the nearest, all that hold a rare word of the question (order numbers and
names are such words), and what holds all of the frequent ones together; the filters are the very same.

How rare a word is among all in reach is counted where it is rare, and told from one lot of it otherwise.
"""

import uuid
from collections.abc import Collection, Iterable, Sequence
from datetime import datetime
from typing import Final, NamedTuple

from django.db import connection
from django.db.models import BooleanField, Count, QuerySet, SmallIntegerField
from django.db.models.expressions import RawSQL
from django.db.models.functions import Cast, Floor, Random
from psycopg import Cursor

from memoryhub import conf, jobs
from memoryhub.models import Entry
from memoryhub.providers.embeddings import embedder
from memoryhub.tenancy import ALL_SUBJECTS, Principal, acting_for, system_principal
from memoryhub.vocabulary import EmbeddingState, Kind

BATCH: Final = 200  # entries flagged in one transaction: each is put into the index for nearness

#: For this transaction: how far the index looks, that it looks on where filters leave too few, and that it is used.
_SETTINGS: Final = (
    "SELECT set_config('hnsw.ef_search', '400', true), set_config('hnsw.iterative_scan', 'relaxed_order', true),"
    " set_config('enable_sort', %s, true)"
)

# In order, so that the small index is asked: a crowd may be most of the table, and lie at its end.
_ANY: Final = (
    "SELECT FROM memoryhub_entry WHERE audience_id = ANY (%s::uuid[]) AND lot IS NOT NULL ORDER BY audience_id LIMIT 1"
)

_STATEMENT: Final = """
WITH asked AS ({words}),
crowd (id, search, embedding, model, state, lot) AS NOT MATERIALIZED ({crowd}),
nearest AS MATERIALIZED (
  SELECT id FROM crowd WHERE model = %s AND state = %s
  ORDER BY embedding::halfvec({dimensions}) <=> %s::halfvec({dimensions}) LIMIT %s
),
holding AS MATERIALIZED (
  SELECT n, word, ARRAY(SELECT id FROM crowd WHERE search @@ word LIMIT {rare} + 1) AS ids
  FROM asked, unnest(words) WITH ORDINALITY AS one (word, n)
),
frequent AS MATERIALIZED (
  SELECT string_agg(word::text, ' & ')::tsquery AS words FROM holding WHERE cardinality(ids) > {rare}
),
sample AS MATERIALIZED (SELECT search FROM crowd WHERE lot = 0)
SELECT
  ARRAY(
    SELECT id FROM nearest UNION SELECT unnest(ids) FROM holding WHERE cardinality(ids) <= {rare}
    UNION (SELECT crowd.id FROM frequent, crowd WHERE crowd.search @@ frequent.words LIMIT {rare})
  ),
  (SELECT count(*) FROM nearest),
  (SELECT {lots} * count(*) FROM sample),
  ARRAY(
    SELECT CASE WHEN cardinality(ids) <= {rare} THEN cardinality(ids)
      ELSE greatest({rare}, {lots} * (SELECT count(*) FROM sample WHERE search @@ word)) END
    FROM holding ORDER BY n
  )
"""


class Chosen(NamedTuple):
    """What is compared in place of very many, how many there are in all, how many of them hold each word of the
    question, and how many outside of crowds are among them.
    """

    ids: list[uuid.UUID]
    entries: float
    holding: list[float]
    outside: int


def any_of(audiences: Collection[uuid.UUID]) -> bool:
    """Whether one of these audiences has a crowd. What a whole organisation or one agent's notes share is never one."""
    with connection.wrap_database_errors, Cursor(connection.connection) as cursor:
        cursor.execute(_ANY, [list(audiences)], prepare=True)
        return cursor.fetchone() is not None


def choose(
    crowd: QuerySet[Entry], vector: Sequence[float] | None, *, words: str, values: Sequence[object]
) -> Chosen | None:
    """What of a crowd, filtered already, to compare with a question; None: the filters leave so few that all can be.

    `words` is SQL, with its `values`, for the question's words as queries; without a `vector` they decide alone.
    """
    fields = ("id", "search", "embedding", "embedding_model", "embedding_state", "lot")
    sql, parameters = crowd.values_list(*fields).query.sql_with_params()
    statement = _STATEMENT.format(
        words=words, crowd=sql, dimensions=conf.EMBEDDING_DIMENSIONS, rare=conf.RARE, lots=conf.LOTS
    )
    wanted = 0 if vector is None else conf.NEAREST
    near = [
        embedder().model_id,
        EmbeddingState.READY.value,
        str(list(vector or [0] * conf.EMBEDDING_DIMENSIONS)),
        wanted,
    ]
    with connection.wrap_database_errors, Cursor(connection.connection) as cursor:
        cursor.execute(_SETTINGS, ["off"])
        cursor.execute(statement, [*values, *parameters, *near], binary=True)
        ids, nearest, entries, holding = cursor.fetchone() or ([], 0, 0, [])
        cursor.execute(_SETTINGS, ["on"])
    if nearest < conf.NEAREST and entries <= conf.SCANNED:
        return None
    return Chosen(ids, entries, holding, 0)


def these(ids: list[uuid.UUID]) -> QuerySet[Entry]:
    """Entries that have passed the filters already; one parameter, however many they are."""
    return Entry.objects.filter(RawSQL("memoryhub_entry.id = ANY(%s::uuid[])", [ids], output_field=BooleanField()))


def beside(crowd: QuerySet[Entry]) -> tuple[str, list[object]]:
    """SQL with its values: what was said right before and after the entry called `best`, in the same conversation."""
    happened = crowd.filter(kind=Kind.EPISODIC).values_list("id", "audience_id", "valid_from")
    sql, values = happened.query.sql_with_params()
    one = (
        "SELECT id FROM (SELECT e.id FROM ({sql}) AS e (id, audience, at)"
        " WHERE audience = (SELECT audience_id FROM memoryhub_entry WHERE id = best.id)"
        " AND (at, id) {side} (best.valid_from, best.id) ORDER BY at {order}, id {order} LIMIT 1) AS next"
        " WHERE (SELECT session_ref FROM memoryhub_provenance WHERE entry_id = next.id) = best.conversation"
    )
    sides = [one.format(sql=sql, side=side, order=order) for side, order in (("<", "DESC"), (">", "ASC"))]
    return " UNION ALL ".join(sides), [*values, *values]


def look(audiences: Iterable[uuid.UUID], *, by: Principal, now: datetime) -> None:
    """Name a job for each of these audiences that holds more than is scanned: its older entries become a crowd."""
    outside = Entry.objects.filter(audience__in=audiences, lot__isnull=True, embedding_state=EmbeddingState.READY)
    held = outside.order_by().values_list("audience").annotate(held=Count("id"))
    for audience, _ in held.filter(held__gt=conf.SCANNED):
        jobs.enqueue(
            "crowd", organisation=by.organisation, now=now, payload={"audience": str(audience)},
            dedupe=f"crowd:{audience}",
        )  # fmt: skip


def run_job(claim: jobs.Claim) -> None:
    """Flag all but the newest of an audience, a batch a transaction: a kill loses one batch, another run goes on."""
    principal = system_principal(claim.organisation, "crowd")
    audience = uuid.UUID(claim.payload["audience"])
    with acting_for(principal, subjects=ALL_SUBJECTS):
        outside = Entry.objects.filter(audience=audience, lot__isnull=True, embedding_state=EmbeddingState.READY)
        ids = list(outside.order_by("-valid_from", "-id").values_list("id", flat=True)[conf.STAY_OUT :])
    for start in range(0, len(ids), BATCH):
        with acting_for(principal, subjects=ALL_SUBJECTS):
            claim.hold()
            mine = Entry.objects.select_for_update(skip_locked=True, of=("self",)).filter(
                pk__in=ids[start : start + BATCH], lot__isnull=True
            )
            Entry.objects.filter(pk__in=list(mine.values_list("pk", flat=True))).update(lot=_drawn())


def _drawn() -> Cast:
    """One of conf.LOTS, at random for each row."""
    return Cast(Floor(Random() * conf.LOTS), SmallIntegerField())
