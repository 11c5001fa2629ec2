"""What is known that helps with this question? Filters, candidates, ranking, budgets, rendering, read log (R30–R38)."""

import uuid
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime
from typing import Any

from django.contrib.postgres.fields import ArrayField
from django.contrib.postgres.search import SearchQuery, SearchRank
from django.db import connection
from django.db.models import Case, F, FloatField, Func, Q, QuerySet, TextField, Value, When
from pgvector.django import CosineDistance

from memoryhub import conf
from memoryhub.errors import Invalid, ModelUnavailable
from memoryhub.models import AgentPolicy, Entry, Subject
from memoryhub.providers.embeddings import embedder
from memoryhub.recall import ranking, read_log, rendering
from memoryhub.recall.filters import Window, eligible, readers
from memoryhub.tenancy import Principal
from memoryhub.vocabulary import Category, Channel, EmbeddingState, Kind, RecallProfile, Role

MAX_QUERY = 8000  # characters looked at; what a person asks is shorter, what is pasted repeats itself


@dataclass(frozen=True)
class Query:
    """One question, about whom, under which limits; None and empty leave it to the defaults (api.md, recall)."""

    subjects: tuple[Subject, ...]
    text: str
    kinds: tuple[str, ...] = ()
    categories: tuple[str, ...] = ()
    since: datetime | None = None
    until: datetime | None = None
    as_of: datetime | None = None
    valid_at: datetime | None = None
    limit: int | None = None
    token_budget: int | None = None
    min_relevance: float | None = None
    profile: str | None = None
    scopes: tuple[str, ...] = ()
    explain: bool = False
    audiences: frozenset[uuid.UUID] | None = None  # of all subjects, where the caller looked them up already


@dataclass(frozen=True)
class Item:
    """One recalled note with its score and every signal (R34)."""

    note: rendering.Note
    score: float
    signals: ranking.Signals
    entry: Entry = field(repr=False)


@dataclass(frozen=True)
class Recalled:
    """The answer: items best first, the block for a prompt, and what was looked for."""

    recall_id: uuid.UUID
    items: tuple[Item, ...]
    rendered: str
    tokens: int
    nothing_found: bool
    looked_for: str
    conflicts: tuple[rendering.Conflict, ...]
    explain: dict[str, object] | None = None


def recall(*, query: Query, by: Principal, now: datetime, purpose: str = "recall") -> Recalled:
    """Answer one question from memory, and log the read in the same transaction. An empty question finds nothing.

    Raises Invalid for limits below zero or an unknown profile; runs without embeddings when the model is unavailable.
    """
    _check(query)
    subjects = [subject for subject in query.subjects if subject.paused_at is None or subject.use_existing]
    window = Window(query.as_of, query.valid_at, query.since, query.until)
    entries = eligible(
        by=by, now=now, audiences=_audiences(query, subjects), window=window, kinds=query.kinds,
        categories=query.categories, scopes=query.scopes,
    )  # fmt: skip
    text = query.text.strip()[:MAX_QUERY]
    moment = query.valid_at or query.as_of or now
    found = _candidates(entries, text, now=moment) if text and subjects else []
    ranked = ranking.order(found, profile=_profile(query, by), now=moment)
    bar = conf.MIN_RELEVANCE if query.min_relevance is None else query.min_relevance
    passed = ranking.above_bar(ranked, bar)
    best = passed[: max(query.limit or 0, conf.CONSIDERED)]
    by_id = _loaded([each.candidate.id for each in best])
    names = _names(by_id.values(), query.subjects)
    notes = [note_of(by_id[each.candidate.id], now=now, about=names) for each in best if each.candidate.id in by_id]
    settled = rendering.conflicts(notes)
    fitted = rendering.fit(
        settled.notes, now=now, looked_for=text, count_tokens=embedder().count_tokens, limit=query.limit,
        token_budget=query.token_budget, named=settled.conflicts,
    )  # fmt: skip
    scores = {each.candidate.id: each for each in ranked}
    items = tuple(Item(note, scores[note.id].score, scores[note.id].signals, by_id[note.id]) for note in fitted.notes)
    logged = read_log.write(
        by=by, now=now, purpose=purpose, subjects=query.subjects, query=text,
        items=[{"id": item.note.id, "score": round(item.score, 4)} for item in items],
    )  # fmt: skip
    shown = {note.id for note in fitted.notes}
    return Recalled(
        recall_id=logged.pk,
        items=items,
        rendered=fitted.rendered,
        tokens=fitted.tokens,
        nothing_found=not items,
        looked_for=query.text,
        conflicts=tuple(conflict for conflict in settled.conflicts if conflict.used in shown),
        explain=_explained(query, bar, entries, ranked, shown) if query.explain else None,
    )


def _audiences(query: Query, subjects: Sequence[Subject]) -> frozenset[uuid.UUID]:
    """Whose entries are in reach; a paused subject takes its groups along."""
    asked_whole = len(subjects) == len(query.subjects)
    return query.audiences if asked_whole and query.audiences is not None else readers(subjects)


def note_of(entry: Entry, *, now: datetime, about: Mapping[uuid.UUID, str]) -> rendering.Note:
    """The entry as recall hands it out, with its warnings (R34); `about` names the subjects that may be named."""
    origin = entry.provenance
    speaker = origin.speaker.external_id if origin.speaker else ""
    note = rendering.Note(
        id=str(entry.pk),
        subject=about.get(entry.subject_id, ""),
        text=entry.content,
        kind=Kind(entry.kind),
        category=Category(entry.category),
        role=Role(origin.role),
        channel=Channel(origin.channel),
        written_at=origin.said_at,
        valid_from=entry.valid_from,
        confidence=entry.confidence,
        authority=entry.authority,
        entity=entry.entity,
        key=entry.key,
        value=entry.value,
        single=entry.single,
        speaker=speaker,
        source=origin.ref or origin.uri or "",
        valid_to=entry.valid_to,
        last_confirmed_at=entry.last_confirmed_at,
        confirmed_by=entry.confirmed_by,
        review_by=entry.review_by,
        contested=entry.contested,
    )
    return replace(note, warnings=rendering.warnings_for(note, now))


def lexemes_of(text: str) -> list[str]:
    """The question's words as PostgreSQL stems them, without stop words (R31)."""
    with connection.cursor() as cursor:
        cursor.execute("SELECT tsvector_to_array(to_tsvector('english', %s))", [text.replace("\x00", " ")])
        row = cursor.fetchone()
    return list(row[0]) if row else []


#: What ranking needs of a row; rows, not models, because most candidates are only weighed and dropped.
_WEIGHED = (
    "id", "kind", "category", "importance", "authority", "valid_from", "valid_to", "last_confirmed_at", "last_used_at",
    "use_count", "content", "value",
)  # fmt: skip


def _candidates(entries: QuerySet[Entry], text: str, *, now: datetime) -> list[ranking.Candidate]:
    """Nearest by meaning and best by words, each once, with what ranking needs to know (R31)."""
    lexemes, vector = lexemes_of(text), _vector(text)
    distance: Any = Value(None, FloatField())
    if vector is not None:
        comparable = Q(embedding_state=EmbeddingState.READY, embedding_model=embedder().model_id)
        distance = Case(When(comparable, then=CosineDistance("embedding", vector)), output_field=FloatField())
    weighed = entries.annotate(
        distance=distance, lexemes=Func(F("search"), function="tsvector_to_array", output_field=ArrayField(TextField()))
    )
    columns = (*_WEIGHED, "distance", "lexemes")
    sides = []
    if vector is not None:
        near = weighed.filter(comparable).order_by("distance", "id")
        sides.append(near.values_list(*columns)[: conf.CANDIDATES])
    if lexemes:
        words = SearchQuery(_any_of(lexemes), search_type="raw", config="simple")
        matching = weighed.filter(search=words).order_by(SearchRank(F("search"), words).desc(), "id")
        sides.append(matching.values_list(*columns)[: conf.CANDIDATES])
    if not sides:
        return []
    rows = sides[0].union(*sides[1:]) if len(sides) > 1 else sides[0]
    asked = ranking.identifiers(text)
    return [_candidate(dict(zip(columns, row, strict=True)), asked, lexemes, now=now) for row in rows]


def _loaded(ids: Sequence[str]) -> dict[str, Entry]:
    """The entries that are handed out, with their origin."""
    rows = Entry.objects.filter(pk__in=ids).select_related("provenance__speaker").defer("embedding", "search")
    return {str(entry.pk): entry for entry in rows}


def _names(entries: Iterable[Entry], known: Sequence[Subject]) -> dict[uuid.UUID, str]:
    """External ids of the subjects these entries are about; one out of the reader's reach has none."""
    names = {subject.pk: subject.external_id for subject in known}
    others = {entry.subject_id for entry in entries} - names.keys()
    if others:
        names.update(Subject.objects.filter(pk__in=others).values_list("pk", "external_id"))
    return names


def _any_of(lexemes: Iterable[str]) -> str:
    """The lexemes joined with OR: with AND, natural questions find nothing (recall-evidence: .118 against .596)."""
    return " | ".join("'" + lexeme.replace("\\", "\\\\").replace("'", "''") + "'" for lexeme in lexemes)


def _candidate(
    row: Mapping[str, Any], asked: Collection[str], lexemes: list[str], *, now: datetime
) -> ranking.Candidate:
    candidate = ranking.Candidate(
        id=str(row["id"]),
        kind=Kind(row["kind"]),
        category=Category(row["category"]),
        importance=row["importance"],
        authority=row["authority"],
        valid_from=row["valid_from"],
        cosine=None if row["distance"] is None else 1 - row["distance"],
        use_count=row["use_count"],
        valid_now=row["valid_to"] is None or row["valid_to"] > now,
        last_confirmed_at=row["last_confirmed_at"],
        last_used_at=row["last_used_at"],
    )
    lexical = ranking.coverage(lexemes, row["lexemes"])
    return ranking.with_words(candidate, asked=asked, text=f"{row['content']} {row['value']}", lexical=lexical)


def _vector(text: str) -> list[float] | None:
    try:
        return embedder().embed([text])[0]
    except ModelUnavailable:
        return None


def _profile(query: Query, by: Principal) -> RecallProfile:
    if query.profile is not None:
        return RecallProfile(query.profile)
    policy = AgentPolicy.objects.filter(agent_id=by.agent).first() if by.agent else None
    return RecallProfile(policy.recall_profile) if policy else RecallProfile.GOVERNED


def _check(query: Query) -> None:
    faults = {
        name: ["It may not be below zero."]
        for name in ("limit", "token_budget", "min_relevance")
        if (getattr(query, name) or 0) < 0
    }
    if query.profile is not None and query.profile not in RecallProfile.values:
        faults["profile"] = [f"One of: {', '.join(RecallProfile.values)}."]
    if faults:
        raise Invalid(errors=faults)


def _explained(
    query: Query, bar: float, entries: QuerySet[Entry], ranked: Sequence[ranking.Ranked], shown: set[str]
) -> dict[str, object]:
    """Candidates, filters, scores, and why each was kept or dropped (R38)."""
    dropped = {each.candidate.id: "below the bar" if each.signals.relevance < bar else "did not fit" for each in ranked}
    return {
        "eligible": entries.count(),
        "min_relevance": bar,
        "filters": {
            "kinds": list(query.kinds), "categories": list(query.categories), "scopes": list(query.scopes),
            "subjects": [subject.external_id for subject in query.subjects],
        },
        "candidates": [
            {
                "id": each.candidate.id,
                "score": round(each.score, 4),
                "relevance": round(each.signals.relevance, 4),
                "contributions": {name: round(part, 4) for name, part in ranking.explain(each).items()},
                "kept": each.candidate.id in shown,
                "why": "kept" if each.candidate.id in shown else dropped[each.candidate.id],
            }
            for each in ranked
        ],
    }  # fmt: skip
