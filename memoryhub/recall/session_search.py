"""Where in earlier sessions was this spoken of? Words in summaries and in the events not yet pruned (api.md, sessions).

Redacted text alone: nothing else is stored. A summary is read by recall's own filters; an event's words by whoever may
read its session, unless they were withheld, struck, or belong to somebody paused without use. Events are sealed under
the subject's key: they are opened here and handed to the database, which finds words in them as in any other text.
"""

import uuid
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Final, NamedTuple

from django.db import connection
from django.db.models import Exists, OuterRef, QuerySet

from memoryhub import conf
from memoryhub.models import Entry, Event, Subject, Turn
from memoryhub.models.sealed import read
from memoryhub.recall import read_log
from memoryhub.recall.filters import Window, eligible, in_use
from memoryhub.recall.naming import FOR_ITSELF, pairs_of_characters
from memoryhub.tenancy import Principal
from memoryhub.vocabulary import Kind

MAX_QUERY: Final = 1000  # characters of a question that are looked at
_HEADLINE: Final = 'StartSel="", StopSel="", MaxFragments=1, MaxWords=30, MinWords=10'

#: Words as in recall: the question's lexemes, any of them, and pairs of unspaced scripts as pieces of the text. What
#: holds as many of them stands newest first.
_STATEMENT: Final = f"""
WITH asked AS (
  SELECT coalesce(array_agg(word), '{{{{}}}}') AS words,
    string_agg({FOR_ITSELF}, ' | ')::tsquery AS any_word
  FROM unnest(tsvector_to_array(to_tsvector('english', %s))) AS word
),
pairs AS (SELECT DISTINCT pair FROM unnest(%s::text[]) AS pair),
told (id, session, at, text, event) AS MATERIALIZED (
  SELECT * FROM (
    SELECT id, session, at, content, NULL FROM ({{summaries}}) AS summary (id, session, at, content)
    UNION ALL
    SELECT * FROM unnest(%s::uuid[], %s::text[], %s::timestamptz[], %s::text[], %s::text[]) AS event
  ) AS spoken
),
held AS (
  SELECT told.*,
    (SELECT count(*) FROM unnest(words) AS word WHERE word = ANY (tsvector_to_array(to_tsvector('english', text))))
    + (SELECT count(*) FROM pairs WHERE strpos(text, pair) > 0) AS hits
  FROM told, asked
)
SELECT held.id, session, at, event, hits,
  CASE WHEN length(text) <= {conf.EXCERPT_CHARACTERS} THEN text
  ELSE ts_headline('english', left(text, 20000), coalesce(any_word, ''::tsquery), '{_HEADLINE}') END
FROM (
  SELECT * FROM held WHERE hits > 0 AND (%s OR (hits, at, id) < (%s, %s, %s))
  ORDER BY hits DESC, at DESC, id DESC LIMIT %s
) AS held, asked
ORDER BY hits DESC, at DESC, held.id DESC
"""


class Place(NamedTuple):
    """Where a hit stands among the others: more words first, then newest; also where the next page begins."""

    hits: int
    at: datetime
    id: uuid.UUID


class _Told(NamedTuple):
    """An event in clear, as the statement takes it."""

    id: uuid.UUID
    session: str
    at: datetime
    text: str
    event: str


class _Row(NamedTuple):
    id: uuid.UUID
    session: str
    at: datetime
    event: str | None
    hits: int
    excerpt: str


@dataclass(frozen=True)
class Hit:
    """A session that speaks of it: in its summary (an entry) or in an event (`event` is the caller's id of it)."""

    place: Place
    session: str
    excerpt: str
    event: str | None


def search(
    *,
    subject: Subject,
    text: str,
    by: Principal,
    now: datetime,
    audiences: frozenset[uuid.UUID],
    after: Place | None = None,
    limit: int,
) -> tuple[list[Hit], uuid.UUID]:
    """A page of the sessions with `subject` that hold words of `text`, an agent's own ones; the read is logged (R37).

    No word to look for finds nothing.
    """
    text = text[:MAX_QUERY].replace("\x00", " ")
    asked = in_use([subject])
    rows = _rows(subject, text, by=by, now=now, audiences=audiences, after=after, limit=limit) if asked else []
    pairs = pairs_of_characters(text).split()
    hits = [Hit(Place(row.hits, row.at, row.id), row.session, _excerpt(row.excerpt, pairs), row.event) for row in rows]
    return hits, log(subjects=[subject], text=text, hits=hits, by=by, now=now)


def log(*, subjects: Sequence[Subject], text: str, hits: Sequence[Hit], by: Principal, now: datetime) -> uuid.UUID:
    """Note the read; the score of a hit is how many of the words it holds."""
    items: list[dict[str, object]] = [{"id": str(hit.place.id), "score": float(hit.place.hits)} for hit in hits]
    return read_log.write(by=by, now=now, purpose="sessions", subjects=subjects, query=text, items=items)


def _rows(
    subject: Subject,
    text: str,
    *,
    by: Principal,
    now: datetime,
    audiences: frozenset[uuid.UUID],
    after: Place | None,
    limit: int,
) -> list[_Row]:
    summaries = _summaries(subject, by=by, now=now, audiences=audiences)
    events = _events(subject, by=by)
    summaries_sql, summaries_given = summaries.query.sql_with_params()
    place = after or (0, now, subject.pk)
    with connection.cursor() as cursor:
        cursor.execute(
            _STATEMENT.format(summaries=summaries_sql),
            [
                text, pairs_of_characters(text).split(), *summaries_given,
                *([getattr(event, name) for event in events] for name in _Told._fields),
                after is None, *place, limit,
            ],
        )  # fmt: skip
        return list(map(_Row._make, cursor.fetchall()))


def _summaries(
    subject: Subject, *, by: Principal, now: datetime, audiences: frozenset[uuid.UUID]
) -> QuerySet[Entry, tuple[object, ...]]:
    """What recall may give of this subject's sessions."""
    found = eligible(by=by, now=now, audiences=audiences, window=Window(), kinds=(Kind.EPISODIC,)).filter(
        subject=subject
    )
    if by.agent is not None:
        found = found.filter(agent_id=by.agent)
    found = found.exclude(provenance__session_ref="").order_by("-valid_from", "-id")
    return found.values_list("id", "provenance__session_ref", "valid_from", "content")[: conf.SEARCHED_EVENTS]


def _events(subject: Subject, *, by: Principal) -> list[_Told]:
    """Events that still have their words, newest first."""
    struck = Turn.objects.filter(
        session=OuterRef("session"), event_ref=OuterRef("external_id"), struck_at__isnull=False
    )
    found = Event.objects.filter(~Exists(struck), organisation_id=by.organisation, subject=subject, withheld="")
    if by.agent is not None:
        found = found.filter(agent_id=by.agent)
    columns = ("id", "session__external_id", "occurred_at", "external_id", "words", "structured")
    rows = found.order_by("-occurred_at", "-id").values_list(*columns)[: conf.SEARCHED_EVENTS]
    told, room = [], conf.SEARCHED_CHARACTERS
    for pk, session, at, ref, words, structured in rows.iterator(chunk_size=500):
        said = read(Event, "words", row=pk, subject=subject.pk, sealed=words)
        done = read(Event, "structured", row=pk, subject=subject.pk, sealed=structured)
        pieces = [said["user_input"], said["assistant_output"], *_texts([done["actions"], done["observations"]])]
        told.append(_Told(pk, session, at, "\n".join(filter(None, pieces)), ref))
        room -= len(told[-1].text)
        if room < 0:
            break
    return told


def _texts(value: object) -> Iterator[str]:
    """Every text in nested JSON."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict):
        for each in value.values():
            yield from _texts(each)
    elif isinstance(value, list):
        for each in value:
            yield from _texts(each)


def _excerpt(text: str, pairs: Sequence[str]) -> str:
    """At most conf.EXCERPT_CHARACTERS on one line; of an unspaced script, those around its first piece."""
    line = " ".join(text.split())
    if len(line) <= conf.EXCERPT_CHARACTERS:
        return line
    first = min((at for pair in pairs if (at := line.find(pair)) >= 0), default=0)
    begin = max(0, min(first - conf.EXCERPT_CHARACTERS // 2, len(line) - conf.EXCERPT_CHARACTERS))
    return line[begin : begin + conf.EXCERPT_CHARACTERS]
