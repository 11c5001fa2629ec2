"""Which entries may answer a question, and what is known of each? One statement: meaning, words, neighbours (R31).

The filters come as a queryset (filters.py) and are compiled into the statement; row-level security stands behind them.
Scanned exactly: a subject holds hundreds of entries, and a filtered vector index silently returns too few.

Words are weighed by how rare they are among the entries in reach: the share of the question's words that an entry
holds, each counted as ln(1 + (N + P) / (1 + n)) with N entries in reach, n of them holding the word, and P entries that
are imagined to hold none of them, so that the share means the same in a store of three entries and of three thousand.
"""

import uuid
from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime
from typing import Any, Final, NamedTuple

from django.db import connection
from django.db.models import Case, FloatField, Q, QuerySet, Value, When
from pgvector.django import CosineDistance
from psycopg import Cursor

from memoryhub import conf
from memoryhub.errors import ModelUnavailable
from memoryhub.models import Entry, Subject
from memoryhub.providers.embeddings import embedder
from memoryhub.recall import ranking
from memoryhub.recall.naming import pairs_of_characters, periods_named, speaker_named
from memoryhub.tenancy import Principal, acting_for
from memoryhub.vocabulary import Category, EmbeddingState, Kind

#: What ranking and a note need of an entry, and of its origin: field → name in the statement. Rows, not models: most
#: are only weighed. Origins are read late, of the few that are promising and of episodes, whose neighbours count.
_OWN = {
    "id": "id", "subject_id": "subject", "kind": "kind", "category": "category", "importance": "importance",
    "authority": "authority", "confidence": "confidence", "valid_from": "valid_from", "valid_to": "valid_to",
    "last_confirmed_at": "last_confirmed_at", "confirmed_by": "confirmed_by", "last_used_at": "last_used_at",
    "use_count": "use_count", "review_by": "review_by", "contested": "contested", "content": "content",
    "entity": "entity", "key": "key", "value": "value", "single": "single",
}  # fmt: skip
_ORIGIN = ("role", "channel", "said_at", "ref", "uri", "speaker_id", "session_ref")

_STATEMENT = r"""
WITH asked AS (
  SELECT array_agg(('''' || replace(replace(word, '\', '\\'), '''', '''''') || '''')::tsquery) AS words
  FROM unnest(tsvector_to_array(to_tsvector('english', %s::text))) AS word WHERE NOT word = ANY (%s::text[])
),
mine AS MATERIALIZED (
  SELECT {own}, 1 - distance AS cosine, ARRAY(SELECT search @@ word FROM unnest(asked.words) AS word) AS hits
  FROM ({mine}) AS eligible ({own}, search, distance), asked
),
rarity AS MATERIALIZED (
  SELECT array_agg(weight ORDER BY n) AS weights, sum(weight) AS whole FROM (
    SELECT n, ln(1 + (count(*) + %s) / (1.0 + count(*) FILTER (WHERE hit)))::float8 AS weight
    FROM mine, unnest(hits) WITH ORDINALITY AS one (hit, n) GROUP BY n
  ) AS words
),
weighed AS MATERIALIZED (
  SELECT mine.*, greatest(coalesce(cosine, 0) - %s, 0) / %s AS meaning,
    (SELECT coalesce(sum(weight), 0) FROM unnest(hits, weights) AS one (hit, weight) WHERE hit) / whole AS lexical,
    CASE kind WHEN 'episodic' THEN
      (SELECT nullif(session_ref, '') FROM memoryhub_provenance WHERE entry_id = mine.id) END AS conversation
  FROM mine, rarity
),
promising AS MATERIALIZED (
  SELECT *, greatest(%s * coalesce(lexical, 0) + %s * meaning, %s * meaning) AS promise FROM weighed
),
best AS MATERIALIZED (
  SELECT *, lag(cosine) OVER near AS before_cosine, lag(lexical) OVER near AS before_lexical,
    lead(cosine) OVER near AS after_cosine, lead(lexical) OVER near AS after_lexical,
    promise + %s * greatest(lag(promise) OVER near, lead(promise) OVER near, 0) AS likely
  FROM promising WINDOW near AS (PARTITION BY coalesce(conversation, id::text) ORDER BY valid_from, id)
  ORDER BY likely DESC, id LIMIT %s
)
SELECT {of_best}, {of_origin}, cosine, lexical, before_cosine, before_lexical, after_cosine, after_lexical, {mapped}
FROM best JOIN memoryhub_provenance AS origin ON origin.entry_id = best.id
"""

#: Whether some record has the last word about the entry's key, for the agent that asks (R36): read once a statement.
_MAPPED = """key <> '' AND key = ANY (ARRAY(
  SELECT source.key FROM memoryhub_recordsource AS source WHERE %s::uuid IS NULL OR source.agent_id = %s
))"""

#: What ends a question: English, full width, Arabic, Greek's own mark, Armenian.
QUESTION_MARKS: Final = ("?", "？", "؟", "\u037e", "՞")


class Row(NamedTuple):
    """One row of the statement: an entry, its origin, how near it is, and how near its neighbours are."""

    id: uuid.UUID
    subject: uuid.UUID
    kind: str
    category: str
    importance: float
    authority: float
    confidence: float
    valid_from: datetime
    valid_to: datetime | None
    last_confirmed_at: datetime | None
    confirmed_by: str
    last_used_at: datetime | None
    use_count: int
    review_by: datetime | None
    contested: bool
    content: str
    entity: str
    key: str
    value: str
    single: bool
    role: str
    channel: str
    said_at: datetime
    ref: str
    uri: str
    speaker: uuid.UUID | None
    session: str
    cosine: float | None
    lexical: float | None
    before_cosine: float | None
    before_lexical: float | None
    after_cosine: float | None
    after_lexical: float | None
    mapped: bool


class Pool(NamedTuple):
    """The candidates and their rows by entry id, and the external ids of those who said them."""

    by_id: dict[str, tuple[ranking.Candidate, Row]]
    speakers: Mapping[uuid.UUID, str]


def candidates(
    entries: QuerySet[Entry],
    text: str,
    *,
    by: Principal,
    now: datetime,
    known: Mapping[uuid.UUID, Subject],
    limit: int | None = None,
) -> Pool:
    """The entries most likely to answer `text`, at least twice `limit`, each with its row (R31, R32).

    `known` are subjects the caller has at hand. Without the embedding model, words alone decide; entries whose
    embedding is pending or of another model are compared by their words. The mapping of the asking agent's keys to
    records counts; where none asks, every agent's.
    """
    rows = _rows(entries, text, _vector(text), agent=by.agent, most=max(conf.CANDIDATES, 2 * (limit or 0)))
    speakers = speakers_of(rows, by=by, known=known)
    said_by = speaker_named(text, [name for who in speakers.values() for name in _names(who)])
    asked, periods, sessions = ranking.identifiers(text), periods_named(text), _best_by_session(rows)
    found = {}
    for row in rows:
        hit, other = ranking.compare_identifiers(asked, f"{row.content} {row.value}")
        candidate = ranking.Candidate(
            id=str(row.id),
            kind=Kind(row.kind),
            category=Category(row.category),
            importance=row.importance,
            authority=row.authority,
            valid_from=row.valid_from,
            cosine=row.cosine,
            lexical=row.lexical,
            identifier_hit=hit,
            other_identifier=other,
            use_count=row.use_count,
            valid_now=row.valid_to is None or row.valid_to > now,
            last_confirmed_at=row.last_confirmed_at,
            last_used_at=row.last_used_at,
            named_speaker=row.speaker in speakers and said_by in _names(speakers[row.speaker]),
            named_time=any(period.covers(row.valid_from) for period in periods),
            neighbours=((row.before_cosine, row.before_lexical), (row.after_cosine, row.after_lexical)),
            same_session=max((near for id, near in sessions.get(_session(row), ()) if id != row.id), default=0.0),
            asks=row.content.rstrip().endswith(QUESTION_MARKS),
        )
        found[candidate.id] = (candidate, row)
    return Pool(found, {id: who.external_id for id, who in speakers.items()})


def _names(speaker: Subject) -> tuple[str, ...]:
    return tuple(name for name in (speaker.external_id, speaker.display_name) if name)


def speakers_of(rows: Iterable[Row], *, by: Principal, known: Mapping[uuid.UUID, Subject]) -> dict[uuid.UUID, Subject]:
    """Who said these entries, by id. Who said it belongs to a note, also where nothing else about them may be read."""
    wanted = {row.speaker for row in rows if row.speaker is not None}
    speakers = {id: known[id] for id in wanted & known.keys()}
    if wanted - speakers.keys():
        with acting_for(by, subjects=wanted):
            speakers |= Subject.objects.only("external_id", "display_name").in_bulk(wanted - speakers.keys())
    return speakers


def _session(row: Row) -> str:
    """The conversation an episode is from; "" for what stands by itself."""
    return row.session if row.kind == Kind.EPISODIC else ""


def _best_by_session(rows: Iterable[Row]) -> dict[str, list[tuple[uuid.UUID, float]]]:
    """Of every conversation the two most relevant rows, each with its relevance: one of them is not the row itself."""
    found: dict[str, list[tuple[uuid.UUID, float]]] = {}
    for row in rows:
        if session := _session(row):
            near = ranking.relevance(cosine=row.cosine, lexical=row.lexical)
            best = [*found.get(session, ()), (row.id, near)]
            found[session] = sorted(best, key=lambda each: -each[1])[:2]
    return found


def row_of(entries: QuerySet[Entry], entry: uuid.UUID) -> Row | None:
    """One entry as the statement would give it, if it is among these; nothing is compared."""
    return next(iter(rows_of(entries.filter(pk=entry))), None)


def rows_of(entries: QuerySet[Entry]) -> list[Row]:
    """These entries as rows that no question was put to."""
    found = entries.values_list(*_OWN, *(f"provenance__{name}" for name in _ORIGIN))
    return [Row._make([*values, *(None,) * 6, True]) for values in found]


def _rows(
    entries: QuerySet[Entry], text: str, vector: Sequence[float] | None, *, agent: uuid.UUID | None, most: int
) -> list[Row]:
    distance: Any = Value(None, FloatField())
    if vector is not None:
        comparable = Q(embedding_state=EmbeddingState.READY, embedding_model=embedder().model_id)
        distance = Case(When(comparable, then=CosineDistance("embedding", vector)), output_field=FloatField())
    mine = entries.annotate(distance=distance).values_list(*_OWN, "search", "distance")
    sql, parameters = mine.query.sql_with_params()
    words = f"{text} {pairs_of_characters(text)}".replace("\x00", " ")
    share = conf.LEXICAL_SHARE
    reach = ranking.COSINE_FULL - ranking.COSINE_NONE
    statement = _STATEMENT.format(
        mine=sql,
        mapped=_MAPPED,
        own=", ".join(_OWN.values()),
        of_best=", ".join(f"best.{name}" for name in _OWN.values()),
        of_origin=", ".join(f"origin.{name}" for name in _ORIGIN),
    )
    values = [
        words, list(ranking.SUBJECT_LEXEMES), *parameters, conf.IMAGINED_ENTRIES, ranking.COSINE_NONE, reach,
        share, 1 - share, conf.MEANING_ALONE, conf.NEIGHBOUR, most, agent, agent,
    ]  # fmt: skip
    # Past Django's cursor, which sends the values inside the text: the statement is long, and planning it every time
    # takes a third of the time that running it takes for a subject of the usual size.
    with connection.wrap_database_errors, Cursor(connection.connection) as cursor:
        cursor.execute(statement, values, prepare=True, binary=True)
        return list(map(Row._make, cursor.fetchall()))


def _vector(text: str) -> list[float] | None:
    try:
        return embedder().embed([text])[0]
    except ModelUnavailable:
        return None
