"""How near is each entry to a question, by meaning, by words and by what stands beside it? One statement (R31).

Scanned exactly: a subject holds hundreds of entries, and a filtered vector index silently returns too few. Of very many
a pool is scanned (crowds.py). Row-level security stands behind the filters.

Words are weighed by how rare they are among the entries in reach: the share of the question's words that an entry
holds, each counted as ln(1 + (N + P) / (1 + n)) with N entries in reach, n of them holding the word, and P entries that
are imagined to hold none of them, so that the share means the same in a store of three entries and of three thousand.
"""

import uuid
from collections.abc import Sequence
from datetime import datetime
from functools import lru_cache
from typing import Final, NamedTuple

from memoryhub import conf
from memoryhub.providers.embeddings import embedder
from memoryhub.recall import crowds, planned, ranking
from memoryhub.recall.filters import Reach
from memoryhub.recall.naming import FOR_ITSELF, pairs_of_characters
from memoryhub.recall.standing import STANDING

#: What ends a question: English, full width, Arabic, Greek's own mark, Armenian.
QUESTION_MARKS: Final = ("?", "？", "؟", "\u037e", "՞")

#: What ranking and a note need of an entry, and of its origin: field → name in the statement. Rows, not models: most
#: are only weighed. Origins are read late, of the few that are promising and of episodes, whose neighbours count.
OWN: Final = {
    "id": "id", "subject_id": "subject", "kind": "kind", "category": "category", "importance": "importance",
    "authority": "authority", "confidence": "confidence", "valid_from": "valid_from", "valid_to": "valid_to",
    "last_confirmed_at": "last_confirmed_at", "confirmed_by": "confirmed_by", "last_used_at": "last_used_at",
    "use_count": "use_count", "review_by": "review_by", "contested": "contested", "content": "content",
    "entity": "entity", "key": "key", "value": "value", "single": "single",
}  # fmt: skip
ORIGIN: Final = ("role", "channel", "said_at", "ref", "uri", "speaker_id", "session_ref")
#: Of an entry, what the score rests on.
_WEIGHED: Final = (
    "id", "kind", "importance", "authority", "valid_from", "valid_to", "last_confirmed_at", "use_count", "content",
    "value",
)  # fmt: skip
_MEASURED: Final = ("search", "embedding", "embedding_model", "embedding_state")


def _quoted(words: Sequence[str]) -> str:
    return ", ".join(f"'{word}'" for word in words)


#: The question's words as queries, each and all of them; none at all: NULL.
WORDS: Final = f"""
  SELECT array_agg(word::tsquery) AS words, string_agg(word, ' | ')::tsquery AS any_word
  FROM (
    SELECT {FOR_ITSELF} AS word FROM unnest(tsvector_to_array(to_tsvector('english', %(words)s::text))) AS word
    WHERE NOT word IN ({_quoted(sorted(ranking.SUBJECT_LEXEMES))})
  ) AS words
"""

_COSINE: Final = "CASE WHEN model = %(model)s AND state = 'ready' THEN 1 - (embedding <=> %(vector)s) END"

# `hits`: which words an entry holds; of the many that hold none it stays NULL, and nothing is unfolded for them.
_COMPARED: Final = f"""
WITH asked AS MATERIALIZED ({WORDS}),
mine AS MATERIALIZED (
  SELECT {{own}}, crowded, {{cosine}} AS cosine,
    CASE WHEN search @@ any_word THEN ARRAY(SELECT search @@ word FROM unnest(words) AS word) END AS hits
  FROM ({{parts}}) AS eligible ({{own}}, search, embedding, model, state, crowded), asked
),
counted AS MATERIALIZED (
  SELECT n, (SELECT count(*) FILTER (WHERE NOT crowded) FROM mine) + {{entries}} AS entries,
    coalesce(held, 0) + {{holding}} AS held
  FROM asked, generate_subscripts(words, 1) AS n LEFT JOIN (
    SELECT n, count(*) AS held FROM mine, unnest(hits) WITH ORDINALITY AS one (hit, n)
    WHERE hits IS NOT NULL AND hit AND NOT crowded GROUP BY n
  ) AS found USING (n)
),
rarity AS MATERIALIZED (
  SELECT array_agg(weight ORDER BY n) AS weights, sum(weight) AS whole
  FROM (SELECT n, ln(1 + (entries + {conf.IMAGINED_ENTRIES}) / (1.0 + held))::float8 AS weight FROM counted) AS words
),
weighed AS MATERIALIZED (
  SELECT mine.*, greatest(cosine - {ranking.COSINE_NONE}, 0) / {ranking.COSINE_FULL - ranking.COSINE_NONE} AS meaning,
    CASE WHEN hits IS NULL THEN 0 ELSE
      (SELECT coalesce(sum(weight), 0) FROM unnest(hits, weights) AS one (hit, weight) WHERE hit) END / whole
      AS lexical,
    CASE kind WHEN 'episodic' THEN
      (SELECT nullif(session_ref, '') FROM memoryhub_provenance WHERE entry_id = mine.id) END AS conversation
  FROM mine, rarity
),
promising AS MATERIALIZED (
  SELECT *, CASE WHEN meaning IS NULL OR lexical IS NULL THEN coalesce(least(meaning, 1), lexical, 0)
    ELSE greatest({conf.LEXICAL_SHARE} * lexical + {1 - conf.LEXICAL_SHARE} * least(meaning, 1),
      {conf.MEANING_ALONE} * least(meaning, 1)) END AS promise
  FROM weighed
),
beside AS (
  SELECT *, lag(cosine) OVER near AS before_cosine, lag(lexical) OVER near AS before_lexical,
    lead(cosine) OVER near AS after_cosine, lead(lexical) OVER near AS after_lexical,
    lag(id) OVER near AS before, lead(id) OVER near AS after,
    greatest(lag(promise) OVER near, lead(promise) OVER near, 0) AS neighbour,
    CASE WHEN row_number() OVER best > 1 THEN first_value(promise) OVER best
      ELSE coalesce(lead(promise) OVER best, 0) END AS same_session
  FROM promising WHERE conversation IS NOT NULL
  WINDOW near AS (PARTITION BY {{near}} ORDER BY valid_from, id),
    best AS (PARTITION BY conversation ORDER BY promise DESC, id)
  UNION ALL SELECT *, NULL, NULL, NULL, NULL, NULL, NULL, 0, 0 FROM promising WHERE conversation IS NULL
),
likely AS (
  SELECT *, (1 - {conf.ASKS} * (right(content, 1) IN ({_quoted(QUESTION_MARKS)}))::int) * (1 - (1 - {{promise}})
    * (1 - {conf.NEIGHBOUR} * neighbour) * (1 - {conf.SAME_SESSION} * same_session)) AS relevance
  FROM beside
),
best AS MATERIALIZED (
  SELECT * FROM likely
  ORDER BY relevance >= %(bar)s DESC, {conf.WEIGHTS["relevance"]} * relevance + {STANDING} DESC, id LIMIT %(most)s
)
"""

#: Whether some record has the last word about the entry's key, for the agent that asks (R36): read once a statement.
_MAPPED: Final = """key <> '' AND key = ANY (ARRAY(
  SELECT source.key FROM memoryhub_recordsource AS source WHERE %(agent)s::uuid IS NULL OR source.agent_id = %(agent)s
))"""

_GIVEN: Final = f"""
SELECT {", ".join(f"best.{name}" for name in OWN.values())}, {", ".join(f"origin.{name}" for name in ORIGIN)},
  cosine, lexical, before_cosine, before_lexical, after_cosine, after_lexical,
  same_session, {_MAPPED}, (SELECT count(*) FILTER (WHERE NOT crowded) FROM mine)
FROM best JOIN memoryhub_provenance AS origin ON origin.entry_id = best.id
"""

#: What names an identifier of the question counts as relevant as can be: ranking looks closer.
_NAMING: Final = """CASE WHEN EXISTS (
  SELECT FROM unnest(%(identifiers)s::text[]) AS name WHERE strpos(lower(content || ' ' || value), name) > 0
) THEN 1 ELSE promise END"""

#: Of a pool: the best with what stands beside them in their conversations, and what words are weighed by.
_STANDING_OUT: Final = """
SELECT
  ARRAY(SELECT id FROM best UNION SELECT before FROM best UNION SELECT after FROM best
    UNION SELECT beside.id FROM best, LATERAL ({beside}) AS beside
    WHERE best.crowded AND best.conversation IS NOT NULL),
  coalesce((SELECT max(entries) FROM counted), 0)::float8,
  ARRAY(SELECT held::float8 FROM counted ORDER BY n),
  (SELECT count(*) FILTER (WHERE NOT crowded) FROM mine)
"""


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


class Question:
    """What is put to the entries in reach, and what of the answer is wanted."""

    def __init__(
        self, reach: Reach, text: str, vector: Sequence[float] | None, *, moment: datetime, bar: float, most: int
    ) -> None:
        """`most` entries, those that may pass the `bar` first. Without a `vector` words alone decide."""
        self._shape, values = planned.shape_of(reach)
        self._by_meaning = vector is not None
        self._identifiers = sorted(ranking.identifiers(text))
        values |= {
            "words": f"{text} {pairs_of_characters(text)}".replace("\x00", " "), "agent": reach.by.agent,
            "moment": moment, "bar": float(bar), "most": most, "identifiers": self._identifiers,
        }  # fmt: skip
        if vector is not None:
            values |= {"vector": planned.Vector(vector), "model": embedder().model_id}
        self._values = values

    def compare_all(self) -> list[Row]:
        """Every entry in reach is compared, crowds as well."""
        return self._compare(crowds.ALL)

    def compare_outside(self) -> list[Row]:
        """Every entry that is not of a crowd."""
        return self._compare(crowds.OUTSIDE)

    def compare_chosen(self, chosen: crowds.Chosen) -> list[Row]:
        """These entries alone; how rare words are among those beside them is told."""
        return self._compare(crowds.CHOSEN, chosen)

    def _compare(self, among: str, chosen: crowds.Chosen | None = None) -> list[Row]:
        asked = _giving(self._shape, among, self._by_meaning, bool(self._identifiers))
        return list(map(Row._make, planned.ask(asked, self._values | crowds.told(chosen))))

    def choose(self) -> crowds.Chosen | None:
        """What of the crowds in reach to compare; None: the filters leave so few that all can be."""
        return crowds.choose(self._shape, self._values, words=WORDS)

    def stand_out(self, chosen: crowds.Chosen) -> crowds.Chosen:
        """The best of what was chosen from a crowd, and of all outside of it, by themselves, with what stands beside
        each: in a pool, what is beside one another in a conversation is not what was said one after another.
        """
        asked = _standing_out(self._shape, self._by_meaning, bool(self._identifiers))
        values = self._values | crowds.told(chosen) | {"most": conf.STAND_OUT}
        return crowds.Chosen(*planned.ask(asked, values)[0])


@lru_cache(maxsize=256)
def _giving(shape: Reach, among: str, by_meaning: bool, by_identifier: bool) -> planned.Statement:
    return planned.statement(
        _compared(shape, among, tuple(OWN), by_meaning, by_identifier, near="conversation") + _GIVEN
    )


@lru_cache(maxsize=256)
def _standing_out(shape: Reach, by_meaning: bool, by_identifier: bool) -> planned.Statement:
    near = "CASE WHEN crowded THEN id::text ELSE conversation END"
    compared = _compared(shape, crowds.POOL, _WEIGHED, by_meaning, by_identifier, near=near)
    return planned.statement(compared + _STANDING_OUT.format(beside=crowds.beside(shape)))


def _compared(
    shape: Reach, among: str, own: Sequence[str], by_meaning: bool, by_identifier: bool, *, near: str
) -> str:  # fmt: skip
    parts = [
        f"(SELECT part.*, {of_crowd} FROM ({planned.written(entries.values_list(*own, *_MEASURED))}) AS part)"
        for entries, of_crowd in crowds.parts(shape, among)
    ]
    beyond = among in (crowds.POOL, crowds.CHOSEN)
    return _COMPARED.format(
        own=", ".join(OWN[name] for name in own),
        parts=" UNION ALL ".join(parts),
        cosine=_COSINE if by_meaning else "NULL::float8",
        entries="%(beyond)s::float8" if beyond else "0",
        holding="coalesce((%(holding)s::float8[])[n], 0)" if beyond else "0",
        promise=_NAMING if by_identifier else "promise",
        near=near,
    )
