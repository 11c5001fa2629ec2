"""How are things connected? Typed facts as edges (entity, key, value), followed over several hops in SQL (R39).

A fact leads from what it is about to what its value names: a subject by its external id or name, something that has
facts of its own, or a plain value. Names are made alike on both sides, so "Priya", "priya" and "PRIYA" meet. What may
be followed is what recall may give to the same reader, by the same filters: what is private to somebody is an edge only
where that somebody is asked about, so a project's owner is named, and the owner's own facts stay theirs.
"""

import uuid
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Final, NamedTuple

from django.db import connection
from django.db.models import Q, QuerySet

from memoryhub import conf
from memoryhub.models import Entry, RecordSource, Subject
from memoryhub.recall import read_log, rendering
from memoryhub.recall.candidates import rows_of, speakers_of
from memoryhub.recall.comparing import Row
from memoryhub.recall.filters import Window, eligible, in_use, readers
from memoryhub.recall.search import notes_of
from memoryhub.tenancy import ALL_SUBJECTS, Principal
from memoryhub.vocabulary import Scope, Status

MAX_HOPS: Final = 4
_NAMED: Final = 500  # characters of a value in which a name is looked for: a longer one is prose


def _alike(text: str) -> str:
    """SQL for a name without case, accents of composition and punctuation, as the gate compares statements."""
    return f"btrim(regexp_replace(lower(normalize(left({text}, {_NAMED}), NFKC)), '[^[:alnum:]%%°$€£¥₹+#]+', ' ', 'g'))"


#: Nodes are texts: s:<subject>, e:<subject>:<name> for something that has facts of its own, v:<name> for the rest. What
#: two subjects merely call alike ("manager") are two things; a value finds its own subject's first.
_STATEMENT: Final = f"""
WITH RECURSIVE
mine (id, subject, entity, key, value, weight, recorded) AS MATERIALIZED ({{mine}}),
known (subject, external_id, display_name) AS MATERIALIZED (
  SELECT id, external_id, display_name FROM memoryhub_subject
  WHERE organisation_id = %s AND (%s OR id = ANY (%s::uuid[]))
  UNION SELECT * FROM unnest(%s::uuid[], %s::text[], %s::text[])
),
naming AS (
  SELECT subject, {_alike("external_id")} AS name, 1 AS rank FROM known
  UNION ALL SELECT subject, {_alike("display_name")}, 2 FROM known
),
called AS MATERIALIZED (
  SELECT name, min(subject::text) AS subject
  FROM (SELECT *, min(rank) OVER (PARTITION BY name) AS best FROM naming WHERE name <> '') AS ranked
  WHERE rank = best GROUP BY name HAVING count(DISTINCT subject) = 1
),
spelt AS MATERIALIZED (SELECT mine.*, {_alike("entity")} AS thing, {_alike("value")} AS said FROM mine),
placed AS MATERIALIZED (
  SELECT spelt.*, CASE
    WHEN thing IN ('', 'subject') THEN 's:' || spelt.subject
    WHEN called.subject IS NOT NULL THEN 's:' || called.subject
    ELSE 'e:' || spelt.subject || ':' || thing END AS source
  FROM spelt LEFT JOIN called ON called.name = thing
),
things AS MATERIALIZED (
  SELECT DISTINCT thing AS name, subject, source AS node FROM placed WHERE source LIKE 'e:%%'
),
sole AS (SELECT name, min(node) AS node FROM things GROUP BY name HAVING count(*) = 1),
edge AS MATERIALIZED (
  SELECT placed.id, source,
    coalesce('s:' || exact.subject, 's:' || called.subject, own.node, sole.node, 'v:' || said) AS target,
    row_number() OVER (PARTITION BY source ORDER BY weight DESC, recorded DESC, placed.id) AS place
  FROM placed
  LEFT JOIN known AS exact ON exact.external_id = placed.value
  LEFT JOIN called ON called.name = said
  LEFT JOIN things AS own ON own.name = said AND own.subject = placed.subject
  LEFT JOIN sole ON sole.name = said
  WHERE said <> '' AND (%s OR {_alike("key")} IN (SELECT {_alike("one")} FROM unnest(%s::text[]) AS one))
),
begins AS (
  SELECT 's:' || subject AS node FROM known WHERE external_id = %s
  UNION SELECT 's:' || subject FROM called
    WHERE name = {_alike("%s")} AND NOT EXISTS (SELECT FROM known WHERE external_id = %s)
  UNION SELECT node FROM things WHERE name = {_alike("%s")}
),
walk (node, entries, nodes, ends, cut) AS (
  SELECT node, ARRAY[]::uuid[], ARRAY[node], false, false FROM begins
  UNION ALL
  SELECT target, entries || edge.id, nodes || target, target = ANY (nodes), place > %s
  FROM walk JOIN edge ON source = node
  WHERE NOT ends AND NOT cut AND cardinality(entries) < %s AND place <= %s + 1
)
SELECT entries, nodes, ends, cut, (SELECT count(*) FROM mine) FROM walk WHERE entries <> '{{{{}}}}' LIMIT %s
"""

NOW: Final = Window()


@dataclass(frozen=True)
class Question:
    """Where to begin, how far, along which keys (none: all), about whom, and when."""

    start: str
    subjects: tuple[Subject, ...]
    hops: int
    keys: tuple[str, ...] = ()
    window: Window = NOW


@dataclass(frozen=True)
class Node:
    """Something facts speak of: a subject (with its external id), a thing of one, or a value."""

    id: str
    kind: str
    name: str
    subject: str | None


@dataclass(frozen=True)
class Edge:
    """One fact: from what it is about to what its value names."""

    note: rendering.Note
    source: str
    target: str


@dataclass(frozen=True)
class Path:
    """One way from the start, in ids: one node more than entries."""

    nodes: tuple[str, ...]
    entries: tuple[str, ...]


@dataclass(frozen=True)
class Graph:
    """What was reached, nearest first. `truncated`: there is more, past one of the bounds."""

    recall_id: uuid.UUID
    nodes: tuple[Node, ...]
    edges: tuple[Edge, ...]
    paths: tuple[Path, ...]
    conflicts: tuple[rendering.Conflict, ...]
    truncated: bool


class _Walked(NamedTuple):
    """One way of the statement; `ends`: it came back to where it was; `cut`: a fact past the bound of one node."""

    entries: list[uuid.UUID]
    nodes: list[str]
    ends: bool
    cut: bool
    facts: int


def explore(
    *,
    question: Question,
    by: Principal,
    now: datetime,
    audiences: Collection[uuid.UUID] | str,
    others: Sequence[Subject] = (),
) -> Graph:
    """Every way from the start over at most `hops` facts, none through the same node twice; the read is logged (R37).

    `audiences` is whose facts are in reach (ALL_SUBJECTS for who may read all); `others` are subjects outside it of
    whom something is known that all may read, so that a value can name them. An unknown start gives an empty answer.
    """
    awake = in_use(question.subjects)
    if len(awake) < len(question.subjects) and audiences != ALL_SUBJECTS:
        audiences = readers(awake)  # who is paused takes their groups along
    facts = eligible(by=by, now=now, audiences=audiences, window=question.window).exclude(Q(key="") | Q(value=""))
    asked = bool(awake) or not question.subjects
    walked = _walked(facts, question, by=by, audiences=audiences, others=others) if asked else []
    ways = [way for way in walked[: conf.GRAPH_PATHS] if not way.cut]
    truncated = len(walked) > conf.GRAPH_PATHS or any(way.cut or way.facts > conf.GRAPH_FACTS for way in walked)
    rows = rows_of(Entry.objects.filter(pk__in={entry for way in ways for entry in way.entries}))
    known = _subjects_on(ways, [*question.subjects, *others])
    said_by = speakers_of(rows, by=by, known={subject.pk: subject for subject in known})
    speakers = {id: who.external_id for id, who in said_by.items()}
    found = notes_of(rows, known=known, speakers=speakers, now=now)
    settled = rendering.conflicts(_unchecked(found, by=by, now=now))
    notes = {note.id: note for note in settled.notes}
    ways = [way for way in ways if all(str(entry) in notes for entry in way.entries)]
    edges = _edges(ways, notes)
    recall_id = read_log.write(
        by=by, now=now, purpose="graph", subjects=_about(question, rows), query=question.start,
        items=[{"id": edge.note.id, "score": 1.0} for edge in edges],
    )  # fmt: skip
    shown = _Labels(
        {subject.pk: subject.external_id for subject in known}, {edge.target: edge.note.value for edge in edges}
    )
    return Graph(
        recall_id=recall_id,
        nodes=tuple(map(shown.node, dict.fromkeys(node for way in ways for node in way.nodes))),
        edges=tuple(Edge(edge.note, shown.id(edge.source), shown.id(edge.target)) for edge in edges),
        paths=tuple(
            Path(tuple(map(shown.id, way.nodes)), tuple(map(str, way.entries))) for way in ways if not way.ends
        ),
        conflicts=tuple(conflict for conflict in settled.conflicts if conflict.used in notes),
        truncated=truncated,
    )


def of_all(*, by: Principal) -> list[Subject]:
    """The subjects of whom something is known that everybody in the organisation, or this agent anywhere, may read."""
    shared = Q(scope=Scope.ORGANISATION) | Q(scope=Scope.AGENT, agent_id=by.agent)
    about = Entry.objects.filter(
        shared, organisation_id=by.organisation, audience__isnull=True, status=Status.ACCEPTED
    ).exclude(key="")
    return list(Subject.objects.filter(pk__in=about.values("subject"))[: conf.GRAPH_FACTS])


def _walked(
    facts: QuerySet[Entry],
    question: Question,
    *,
    by: Principal,
    audiences: Collection[uuid.UUID] | str,
    others: Sequence[Subject],
) -> list[_Walked]:
    columns = ("id", "subject_id", "entity", "key", "value", "importance", "recorded_at")
    mine = facts.order_by("-recorded_at", "-id").values_list(*columns)[: conf.GRAPH_FACTS + 1]
    sql, parameters = mine.query.sql_with_params()
    everybody = audiences == ALL_SUBJECTS
    start = question.start.replace("\x00", " ")
    with connection.cursor() as cursor:
        cursor.execute(
            _STATEMENT.format(mine=sql),
            [
                *parameters,
                by.organisation, everybody, [] if everybody else list(audiences),
                [one.pk for one in others], [one.external_id for one in others], [one.display_name for one in others],
                not question.keys, list(question.keys), start, start, start, start,
                conf.GRAPH_BREADTH, question.hops, conf.GRAPH_BREADTH, conf.GRAPH_PATHS + 1,
            ],
        )  # fmt: skip
        return list(map(_Walked._make, cursor.fetchall()))


def _subjects_on(ways: Iterable[_Walked], known: Sequence[Subject]) -> list[Subject]:
    """These subjects, and those on the ways."""
    reached = {uuid.UUID(node[2:38]) for way in ways for node in way.nodes if not node.startswith("v:")}
    missing = reached - {subject.pk for subject in known}
    return [*known, *(Subject.objects.filter(pk__in=missing) if missing else ())]


def _unchecked(notes: dict[str, rendering.Note], *, by: Principal, now: datetime) -> list[rendering.Note]:
    """The notes, those a record has the last word about marked: no record is asked here, as recall does (R36)."""
    keys = {note.key for note in notes.values()}
    sources = RecordSource.objects.filter(key__in=keys)
    if by.agent is not None:
        sources = sources.filter(agent_id=by.agent)
    mapped = set(sources.values_list("key", flat=True))
    return [
        replace(note, warnings=rendering.warnings_for(note, now, record_unreachable=note.key in mapped))
        for note in notes.values()
    ]


def _edges(ways: Iterable[_Walked], notes: dict[str, rendering.Note]) -> list[Edge]:
    """Each fact once, in the order it was reached."""
    found: dict[str, Edge] = {}
    for way in ways:
        for entry, source, target in zip(way.entries, way.nodes, way.nodes[1:], strict=False):
            found.setdefault(str(entry), Edge(notes[str(entry)], source, target))
    return list(found.values())


def _about(question: Question, rows: Sequence[Row]) -> tuple[Subject, ...]:
    """For whom the read is logged: those asked about, and whose facts were given to somebody who may read all."""
    given = {row.subject for row in rows} - {subject.pk for subject in question.subjects}
    return (*question.subjects, *Subject.objects.filter(pk__in=given).order_by("pk"))


@dataclass(frozen=True)
class _Labels:
    """Nodes of the statement as a reader is shown them: by names, never by our own ids."""

    subjects: dict[uuid.UUID, str]
    values: dict[str, str]

    def id(self, node: str) -> str:
        """Subjects by their external ids, things by their subject's and their own name, values by their name."""
        kind, _, rest = node.partition(":")
        if kind == "s":
            return f"subject:{self._subject(rest)}"
        return f"thing:{self._subject(rest[:36])}:{rest[37:]}" if kind == "e" else f"value:{rest}"

    def node(self, node: str) -> Node:
        kind, _, rest = node.partition(":")
        if kind == "v":
            return Node(self.id(node), "value", self.values.get(node, rest), None)
        subject = self._subject(rest[:36])
        return Node(
            self.id(node), "subject" if kind == "s" else "thing", subject if kind == "s" else rest[37:], subject
        )

    def _subject(self, key: str) -> str:
        return self.subjects.get(uuid.UUID(key), "")
