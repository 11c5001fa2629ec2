"""Which of very many entries are worth comparing with a question? A pool from indexes, for what is too many to scan.

Up to conf.SCANNED entries in reach are compared exactly, every one. Of an audience that holds more, the older are a
*crowd*: flagged by a job, they alone are in the indexes for nearness and for words, so that writing to anybody else
never touches those. Its newest stay outside and are compared exactly, like everybody's: what is of today may outrank
what is nearer. Of a crowd, recall compares the nearest, the nearest of what is new, all that hold a rare word of the
question (order numbers and names are such words), and what holds all of the frequent ones together; the filters are
the very same.

How rare a word is among all in reach is counted where it is rare, and told from one lot of it otherwise.
"""

import uuid
from collections.abc import Collection, Iterable, Iterator
from contextlib import contextmanager
from datetime import datetime
from functools import lru_cache
from typing import Final, NamedTuple

from django.db.models import BooleanField, Count, Q, QuerySet, SmallIntegerField
from django.db.models.expressions import RawSQL
from django.db.models.functions import Cast, Floor, Random

from memoryhub import conf, jobs
from memoryhub.models import Entry
from memoryhub.recall import planned
from memoryhub.recall.filters import Reach
from memoryhub.tenancy import ALL_SUBJECTS, Principal, acting_for, system_principal
from memoryhub.vocabulary import EmbeddingState, Kind

BATCH: Final = 200  # entries flagged in one transaction: each is put into the index for nearness

#: For this transaction: how far the index looks, that it looks on where filters leave too few, and that what an index
#: keeps in order is read in that order. PostgreSQL can't know how many entries a crowd has: it thinks of an audience as
#: of any other, and that it is of a crowd as another matter, so that of 100,000 in a table of 2,000,000 it expects 200.
#: Those it would read one and all, and sort.
_IN_ORDER: Final = planned.statement(
    "SELECT set_config('hnsw.ef_search', '600', true), set_config('hnsw.iterative_scan', 'relaxed_order', true),"
    " set_config('enable_sort', 'off', true)"
)
_AS_BEFORE: Final = planned.statement("SELECT set_config('enable_sort', 'on', true)")

#: SQL for whether one of some `audiences` has a crowd. In order, so that the index of crowds is asked: a crowd may be
#: most of the table, and lie at its end.
HAS_CROWD: Final = """EXISTS (
    SELECT FROM memoryhub_entry WHERE audience_id = ANY ({audiences}) AND lot IS NOT NULL ORDER BY audience_id LIMIT 1
  )"""
_ANY: Final = planned.statement(f"SELECT {HAS_CROWD.format(audiences='%(audiences)s::uuid[]')}")

_STATEMENT: Final = """
WITH asked AS ({words}),
crowd (id, search, embedding, model, state) AS NOT MATERIALIZED ({crowd}),
nearest AS MATERIALIZED ({nearest}),
fresh AS MATERIALIZED ({fresh}),
holding AS MATERIALIZED (
  SELECT n, word, ARRAY(SELECT id FROM crowd WHERE search @@ word LIMIT {rare} + 1) AS ids
  FROM asked, unnest(words) WITH ORDINALITY AS one (word, n)
),
frequent AS MATERIALIZED (
  SELECT string_agg(word::text, ' & ')::tsquery AS words FROM holding WHERE cardinality(ids) > {rare}
),
sample (search) AS MATERIALIZED ({sample})
SELECT
  ARRAY(
    SELECT id FROM nearest UNION SELECT id FROM fresh
    UNION SELECT unnest(ids) FROM holding WHERE cardinality(ids) <= {rare}
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

_NEAREST: Final = f"""
  SELECT id FROM crowd WHERE model = %(model)s AND state = 'ready'
  ORDER BY embedding::halfvec({conf.EMBEDDING_DIMENSIONS})
    <=> %(vector)s::vector({conf.EMBEDDING_DIMENSIONS})::halfvec({conf.EMBEDDING_DIMENSIONS})
  LIMIT %(nearest)s
"""
#: What is of last week may outrank nearer things of last year, and there are too many of those to come upon it. So many
#: days are looked at as the newest entries make, whatever the filters leave of them.
_FRESH: Final = """
  SELECT id FROM (
    SELECT audience, coalesce((
      SELECT valid_from FROM memoryhub_entry WHERE audience_id = audience AND lot IS NOT NULL
      ORDER BY valid_from DESC OFFSET %(newest)s LIMIT 1
    ), '-infinity') AS since FROM unnest(ARRAY[{audiences}]::uuid[]) AS audience
    OFFSET 0
  ) AS whose, LATERAL (
    SELECT * FROM ({timely}) AS timely (id, embedding, model, state, audience, at)
    WHERE timely.audience = whose.audience AND at >= whose.since OFFSET 0
  ) AS of_one
  WHERE model = %(model)s AND state = 'ready' ORDER BY embedding <=> %(vector)s LIMIT %(fresh)s
"""
_NONE: Final = "SELECT NULL::uuid AS id WHERE false"

#: Among which entries in reach a question is put: every one, those of no crowd, those chosen, or both of the last.
ALL, OUTSIDE, CHOSEN, POOL = "all", "outside", "chosen", "pool"


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
    ((found,),) = planned.ask(_ANY, {"audiences": list(audiences)})
    return bool(found)


@contextmanager
def read_in_order() -> Iterator[None]:
    """What is asked of a crowd is asked inside of this. Where it fails, so does the transaction, settings and all."""
    planned.ask(_IN_ORDER, {})
    yield
    planned.ask(_AS_BEFORE, {})


def choose(shape: Reach, values: planned.Values, *, words: str) -> Chosen | None:
    """What of the crowds in reach to compare with a question; None: the filters leave so few that all can be.

    `words` is SQL for the question's words as queries; where there is no vector among the `values` they decide alone.
    """
    asked = _choosing(shape, words, "vector" in values, rare=conf.RARE, lots=conf.LOTS)
    ((ids, nearest, entries, holding),) = planned.ask(
        asked, {**values, "nearest": conf.NEAREST, "newest": conf.NEWEST, "fresh": conf.FRESH}
    )
    if nearest < conf.NEAREST and entries <= conf.SCANNED:
        return None
    return Chosen(ids, entries, holding, 0)


@lru_cache(maxsize=64)
def _choosing(shape: Reach, words: str, by_meaning: bool, *, rare: int, lots: int) -> planned.Statement:
    own = ("id", "search", "embedding", "embedding_model", "embedding_state")
    crowd = planned.written(_members(shape).values_list(*own))
    sample = planned.written(shape.of_audiences().filter(lot=0).values_list("search"))
    nearest, fresh = (_NEAREST, _fresh(shape)) if by_meaning else (_NONE, _NONE)
    return planned.statement(
        _STATEMENT.format(
            words=words, crowd=crowd, sample=sample, nearest=nearest, fresh=fresh, rare=rare, lots=lots
        )
    )  # fmt: skip


def _fresh(shape: Reach) -> str:
    own = ("id", "embedding", "embedding_model", "embedding_state", "audience_id", "valid_from")
    audiences = ", ".join(f"%(audience_{number})s" for number in range(len(shape.audiences)))
    return _FRESH.format(timely=planned.written(_members(shape).values_list(*own)), audiences=audiences)


def told(chosen: Chosen | None) -> planned.Values:
    """What a statement is told of the entries that were chosen, and of those that were not."""
    if chosen is None:
        return {}
    return {"chosen": chosen.ids, "beyond": float(chosen.entries), "holding": [float(one) for one in chosen.holding]}


def parts(shape: Reach, among: str) -> list[tuple[QuerySet[Entry], bool]]:
    """The entries to compare, and whether they are of a crowd, whose own figures say how frequent words are there."""
    chosen = RawSQL("memoryhub_entry.id = ANY(%s::uuid[])", [planned.Place("chosen")], output_field=BooleanField())
    passed = Entry.objects.filter(chosen)  # the filters already; one parameter, however many they are
    return {
        ALL: [(shape.entries, False)],
        OUTSIDE: [(shape.entries.filter(lot__isnull=True), False)],
        CHOSEN: [(passed, True)],
        POOL: [(shape.entries.filter(lot__isnull=True), False), (passed, True)],
    }[among]


def _members(shape: Reach) -> QuerySet[Entry]:
    """Of crowds in reach, so that no index of audiences serves: one of what is sought has to."""
    theirs = RawSQL(
        f"ARRAY[memoryhub_entry.audience_id] <@ ARRAY[{', '.join(['%s'] * len(shape.audiences))}]::uuid[]",
        list(shape.audiences), output_field=BooleanField(),
    )  # fmt: skip
    return shape.of_audiences(Q(theirs)).filter(lot__isnull=False)


def beside(shape: Reach) -> str:
    """SQL for what was said right before and after the entry called `best`, in the same conversation of a crowd."""
    happened = _members(shape).filter(kind=Kind.EPISODIC).values_list("id", "audience_id", "valid_from")
    sql = planned.written(happened)
    one = (
        "SELECT id FROM (SELECT e.id FROM ({sql}) AS e (id, audience, at)"
        " WHERE audience = (SELECT audience_id FROM memoryhub_entry WHERE id = best.id)"
        " AND (at, id) {side} (best.valid_from, best.id) ORDER BY at {order}, id {order} LIMIT 1) AS next"
        " WHERE (SELECT session_ref FROM memoryhub_provenance WHERE entry_id = next.id) = best.conversation"
    )
    return " UNION ALL ".join(
        one.format(sql=sql, side=side, order=order) for side, order in (("<", "DESC"), (">", "ASC"))
    )


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
