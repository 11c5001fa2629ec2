"""Which entries may answer a question, and what is known of each? One statement: meaning, words, neighbours (R31).

The filters come as a queryset (filters.py) and are compiled into the statement; row-level security stands behind them.
Scanned exactly: a subject holds hundreds of entries, and a filtered vector index silently returns too few. Of very many
a pool is scanned (crowds.py).

Words are weighed by how rare they are among the entries in reach: the share of the question's words that an entry
holds, each counted as ln(1 + (N + P) / (1 + n)) with N entries in reach, n of them holding the word, and P entries that
are imagined to hold none of them, so that the share means the same in a store of three entries and of three thousand.
"""

import uuid
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Final, NamedTuple

from django.db import connection
from django.db.models import BooleanField, Case, FloatField, Q, QuerySet, Value, When
from pgvector.django import CosineDistance
from psycopg import Cursor

from memoryhub import conf
from memoryhub.errors import ModelUnavailable
from memoryhub.models import Entry, Subject
from memoryhub.providers.embeddings import embedder
from memoryhub.recall import crowds, ranking
from memoryhub.recall.naming import FOR_ITSELF, pairs_of_characters, periods_named, speaker_named
from memoryhub.recall.standing import STANDING
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
#: Of these, what the score rests on.
_WEIGHED = (
    "id", "kind", "importance", "authority", "valid_from", "valid_to", "last_confirmed_at", "use_count", "content",
    "value",
)  # fmt: skip
_ORIGIN = ("role", "channel", "said_at", "ref", "uri", "speaker_id", "session_ref")

_WORDS = f"""
  SELECT array_agg({FOR_ITSELF}::tsquery) AS words
  FROM unnest(tsvector_to_array(to_tsvector('english', %s::text))) AS word WHERE NOT word = ANY (%s::text[])
"""

_COMPARED = """
WITH asked AS ({words}),
mine AS MATERIALIZED (
  SELECT {own}, crowded, 1 - distance AS cosine,
    ARRAY(SELECT search @@ word FROM unnest(asked.words) AS word) AS hits
  FROM ({mine}) AS eligible ({own}, search, crowded, distance), asked
),
counted AS (
  SELECT n, count(*) FILTER (WHERE NOT crowded) + %s::float8 AS entries,
    count(*) FILTER (WHERE hit AND NOT crowded) + coalesce((%s::float8[])[n], 0) AS held
  FROM mine, unnest(hits) WITH ORDINALITY AS one (hit, n) GROUP BY n
),
rarity AS MATERIALIZED (
  SELECT array_agg(weight ORDER BY n) AS weights, sum(weight) AS whole
  FROM (SELECT n, ln(1 + (entries + %s) / (1.0 + held))::float8 AS weight FROM counted) AS words
),
weighed AS MATERIALIZED (
  SELECT mine.*, greatest(cosine - %s, 0) / %s AS meaning,
    (SELECT coalesce(sum(weight), 0) FROM unnest(hits, weights) AS one (hit, weight) WHERE hit) / whole AS lexical,
    CASE kind WHEN 'episodic' THEN
      (SELECT nullif(session_ref, '') FROM memoryhub_provenance WHERE entry_id = mine.id) END AS conversation
  FROM mine, rarity
),
promising AS MATERIALIZED (
  SELECT *, CASE WHEN meaning IS NULL OR lexical IS NULL THEN coalesce(least(meaning, 1), lexical, 0)
    ELSE greatest(%s * lexical + %s * least(meaning, 1), %s * least(meaning, 1)) END AS promise
  FROM weighed
),
beside AS (
  SELECT *, lag(cosine) OVER near AS before_cosine, lag(lexical) OVER near AS before_lexical,
    lead(cosine) OVER near AS after_cosine, lead(lexical) OVER near AS after_lexical,
    lag(id) OVER near AS before, lead(id) OVER near AS after,
    greatest(lag(promise) OVER near, lead(promise) OVER near, 0) AS neighbour,
    CASE WHEN conversation IS NULL THEN 0 WHEN row_number() OVER best > 1 THEN first_value(promise) OVER best
      ELSE coalesce(lead(promise) OVER best, 0) END AS same_session
  FROM promising
  WINDOW near AS (
      PARTITION BY CASE WHEN crowded AND NOT %s THEN id::text ELSE coalesce(conversation, id::text) END
      ORDER BY valid_from, id
    ),
    best AS (PARTITION BY coalesce(conversation, id::text) ORDER BY promise DESC, id)
),
likely AS (
  SELECT *, (1 - %s * (right(content, 1) = ANY (%s::text[]))::int) * (1 - (1 - {promise})
    * (1 - %s * neighbour) * (1 - %s * same_session)) AS relevance
  FROM beside
),
best AS MATERIALIZED (
  SELECT * FROM likely ORDER BY relevance >= %s DESC, %s * relevance + {standing} DESC, id LIMIT %s
)
"""

_GIVEN = """
SELECT {of_best}, {of_origin}, cosine, lexical, before_cosine, before_lexical, after_cosine, after_lexical,
  same_session, {mapped}, (SELECT count(*) FILTER (WHERE NOT crowded) FROM mine)
FROM best JOIN memoryhub_provenance AS origin ON origin.entry_id = best.id
"""

#: What names an identifier of the question counts as relevant as can be: ranking looks closer.
_PROMISE = """CASE WHEN EXISTS (
  SELECT FROM unnest(%s::text[]) AS name WHERE strpos(lower(content || ' ' || value), name) > 0
) THEN 1 ELSE promise END"""

#: Of a pool: the best with what stands beside them in their conversations, and what words are weighed by.
_STANDING_OUT = """
SELECT
  ARRAY(SELECT id FROM best UNION SELECT before FROM best UNION SELECT after FROM best
    UNION SELECT beside.id FROM best, LATERAL ({beside}) AS beside
    WHERE best.crowded AND best.conversation IS NOT NULL),
  coalesce((SELECT max(entries) FROM counted), 0)::float8,
  ARRAY(SELECT held::float8 FROM counted ORDER BY n),
  (SELECT count(*) FILTER (WHERE NOT crowded) FROM mine)
"""

#: Whether some record has the last word about the entry's key, for the agent that asks (R36): read once a statement.
_MAPPED = """key <> '' AND key = ANY (ARRAY(
  SELECT source.key FROM memoryhub_recordsource AS source WHERE %s::uuid IS NULL OR source.agent_id = %s
))"""

#: What ends a question: English, full width, Arabic, Greek's own mark, Armenian.
QUESTION_MARKS: Final = ("?", "？", "؟", "\u037e", "՞")


#: Entries to compare, and whether they are of a crowd, whose own figures say how frequent words are there.
_Part = tuple[QuerySet[Entry], bool]
_NOTHING: Final = crowds.Chosen([], 0, [], 0)


class Row(NamedTuple):
    """One row of the statement: an entry, its origin, how near it is, how near its neighbours and the best other thing
    said in its conversation are, and how many entries were compared to find it (not counting those of a crowd)."""

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
    same_session: float
    mapped: bool
    compared: int


class Pool(NamedTuple):
    """The candidates and their rows by entry id, the external ids of those who said them, and how many entries were
    compared for them outside of crowds.
    """

    by_id: dict[str, tuple[ranking.Candidate, Row]]
    speakers: Mapping[uuid.UUID, str]
    compared: int = 0


def candidates(
    entries: QuerySet[Entry],
    text: str,
    *,
    by: Principal,
    now: datetime,
    known: Mapping[uuid.UUID, Subject],
    audiences: Collection[uuid.UUID] = (),
    bar: float = 0.0,
    limit: int | None = None,
) -> Pool:
    """The entries most likely to answer `text`, at least twice `limit`, each with its row (R31, R32).

    Those that may pass the `bar` come first. Of more than conf.SCANNED entries for one of the `audiences`, the older
    are compared where an index finds them, unless the limit is as large: then every entry is.

    `known` are subjects the caller has at hand. Without the embedding model, words alone decide; entries whose
    embedding is pending or of another model are compared by their words. The mapping of the asking agent's keys to
    records counts; where none asks, every agent's.
    """
    most = max(conf.CANDIDATES, 2 * (limit or 0))
    rows, compared = _rows(
        entries, text, _vector(text), audiences=audiences, agent=by.agent, moment=now, bar=bar, most=most
    )
    speakers = speakers_of(rows, by=by, known=known)
    said_by = speaker_named(text, [name for who in speakers.values() for name in _names(who)])
    asked, periods = ranking.identifiers(text), periods_named(text)
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
            same_session=row.same_session,
            asks=row.content.rstrip().endswith(QUESTION_MARKS),
        )
        found[candidate.id] = (candidate, row)
    return Pool(found, {id: who.external_id for id, who in speakers.items()}, compared)


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


def row_of(entries: QuerySet[Entry], entry: uuid.UUID) -> Row | None:
    """One entry as the statement would give it, if it is among these; nothing is compared."""
    return next(iter(rows_of(entries.filter(pk=entry))), None)


def rows_of(entries: QuerySet[Entry]) -> list[Row]:
    """These entries as rows that no question was put to."""
    found = entries.values_list(*_OWN, *(f"provenance__{name}" for name in _ORIGIN))
    return [Row._make([*values, *(None,) * 6, 0.0, True, 0]) for values in found]


def _rows(
    entries: QuerySet[Entry], text: str, vector: Sequence[float] | None, *, audiences: Collection[uuid.UUID],
    agent: uuid.UUID | None, moment: datetime, bar: float, most: int,
) -> tuple[list[Row], int]:  # fmt: skip
    """The best rows, and how many entries outside of crowds were compared for them where not all are."""
    words = [f"{text} {pairs_of_characters(text)}".replace("\x00", " "), list(ranking.SUBJECT_LEXEMES)]
    question = _Question(text, words, vector, agent, moment, bar, most)
    if most > conf.SCANNED:
        return question.compare([(entries, False)]), 0
    outside = entries.filter(lot__isnull=True)
    if not crowds.any_of(audiences):
        rows = question.compare([(outside, False)])
        return rows, rows[0].compared if rows else 0
    members = entries.filter(lot__isnull=False, audience__in=audiences)
    chosen = crowds.choose(members, vector, words=_WORDS, values=words)
    if chosen is None:
        return question.compare([(entries, False)]), 0
    best = question.stand_out([(outside, False), (crowds.these(chosen.ids), True)], members, beyond=chosen)
    return question.compare([(crowds.these(best.ids), True)], beyond=best), best.outside


@dataclass(frozen=True)
class _Question:
    """What is put to entries, and what of the answer is wanted: `most` of them, those that may pass the `bar` first."""

    text: str
    words: Sequence[object]
    vector: Sequence[float] | None
    agent: uuid.UUID | None
    moment: datetime
    bar: float
    most: int

    def compare(self, parts: Sequence[_Part], *, beyond: crowds.Chosen = _NOTHING) -> list[Row]:
        """Every entry of these parts is compared; `beyond`: what is known of entries that are not among them."""
        given = _GIVEN.format(
            of_best=", ".join(f"best.{name}" for name in _OWN.values()),
            of_origin=", ".join(f"origin.{name}" for name in _ORIGIN), mapped=_MAPPED,
        )  # fmt: skip
        # Planned once: the statement is long, and planning it every time takes a third of the time that running it
        # takes for a subject of the usual size.
        rows = self._asked(parts, given, [self.agent, self.agent], beyond, most=self.most, whole=True, prepare=True)
        return list(map(Row._make, rows))

    def stand_out(self, parts: Sequence[_Part], members: QuerySet[Entry], *, beyond: crowds.Chosen) -> crowds.Chosen:
        """The best of a pool by themselves, with what stands beside each: in a pool, what is beside one another in a
        conversation is not what was said one after another.
        """
        sql, values = crowds.beside(members)
        rows = self._asked(
            parts,
            _STANDING_OUT.format(beside=sql),
            values,
            beyond,
            most=conf.STAND_OUT,
            whole=False,
            prepare=False,
            own=_WEIGHED,
        )
        return crowds.Chosen(*rows[0])

    def _asked(
        self, parts: Sequence[_Part], ending: str, values: Sequence[object], beyond: crowds.Chosen, *, most: int,
        whole: bool, prepare: bool, own: Collection[str] = tuple(_OWN),
    ) -> list[tuple[Any, ...]]:  # fmt: skip
        distance: Any = Value(None, FloatField())
        if self.vector is not None:
            comparable = Q(embedding_state=EmbeddingState.READY, embedding_model=embedder().model_id)
            distance = Case(When(comparable, then=CosineDistance("embedding", self.vector)), output_field=FloatField())
        compiled: list[str] = []
        parameters: list[object] = []
        for entries, is_crowd in parts:
            flagged = entries.annotate(flag=Value(is_crowd, BooleanField()), distance=distance)
            sql, asked = flagged.values_list(*own, "search", "flag", "distance").query.sql_with_params()
            compiled.append(f"({sql})")
            parameters += asked
        identifiers = sorted(ranking.identifiers(self.text))
        statement = _COMPARED.format(
            words=_WORDS, mine=" UNION ALL ".join(compiled), standing=STANDING,
            own=", ".join(_OWN[name] for name in own),
            promise=_PROMISE if identifiers else "promise",
        )  # fmt: skip
        share, reach = conf.LEXICAL_SHARE, ranking.COSINE_FULL - ranking.COSINE_NONE
        every = [
            *self.words, *parameters, beyond.entries, beyond.holding, conf.IMAGINED_ENTRIES, ranking.COSINE_NONE, reach,
            share, 1 - share, conf.MEANING_ALONE, whole, conf.ASKS, list(QUESTION_MARKS),
            *([identifiers] if identifiers else []), conf.NEIGHBOUR, conf.SAME_SESSION, self.bar,
            conf.WEIGHTS["relevance"], self.moment, self.moment, most, *values,
        ]  # fmt: skip
        # Past Django's cursor, which sends the values inside the text, so that nothing could be prepared.
        with connection.wrap_database_errors, Cursor(connection.connection) as cursor:
            cursor.execute(statement + ending, every, prepare=prepare, binary=True)
            return cursor.fetchall()


def _vector(text: str) -> list[float] | None:
    try:
        return embedder().embed([text])[0]
    except ModelUnavailable:
        return None
