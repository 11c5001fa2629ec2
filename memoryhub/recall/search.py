"""What is known that helps with this question? Filters, candidates, ranking, budgets, rendering, read log (R30–R38)."""

import uuid
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime

from django.db.models import QuerySet

from memoryhub import conf
from memoryhub.errors import Invalid
from memoryhub.models import AgentPolicy, Entry, Subject
from memoryhub.providers.embeddings import embedder
from memoryhub.recall import ranking, read_log, rendering
from memoryhub.recall.candidates import Row, candidates
from memoryhub.recall.filters import Window, eligible, readers
from memoryhub.tenancy import Principal
from memoryhub.vocabulary import Category, Channel, Kind, RecallProfile, Role

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
    found = candidates(entries, text, now=moment, limit=query.limit) if text and subjects else {}
    ranked = ranking.order([candidate for candidate, _ in found.values()], profile=_profile(query, by), now=moment)
    bar = conf.MIN_RELEVANCE if query.min_relevance is None else query.min_relevance
    passed = ranking.above_bar(ranked, bar)
    best = passed[: max(query.limit or 0, conf.CONSIDERED)]
    rows = [found[each.candidate.id][1] for each in best]
    names = _names(rows, query.subjects)
    notes = [note_of(row, now=now, about=names) for row in rows]
    settled = rendering.conflicts(notes)
    fitted = rendering.fit(
        settled.notes, now=now, looked_for=text, count_tokens=embedder().count_tokens, limit=query.limit,
        token_budget=query.token_budget, named=settled.conflicts,
    )  # fmt: skip
    scores = {each.candidate.id: each for each in ranked}
    items = tuple(Item(note, scores[note.id].score, scores[note.id].signals) for note in fitted.notes)
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


def note_of(row: Row, *, now: datetime, about: Mapping[uuid.UUID, str]) -> rendering.Note:
    """The entry as recall hands it out, with its warnings (R34); `about` names the subjects that may be named."""
    note = rendering.Note(
        id=str(row.id),
        subject=about.get(row.subject, ""),
        text=row.content,
        kind=Kind(row.kind),
        category=Category(row.category),
        role=Role(row.role),
        channel=Channel(row.channel),
        written_at=row.said_at,
        valid_from=row.valid_from,
        confidence=row.confidence,
        authority=row.authority,
        entity=row.entity,
        key=row.key,
        value=row.value,
        single=row.single,
        speaker=row.speaker or "",
        source=row.ref or row.uri,
        valid_to=row.valid_to,
        last_confirmed_at=row.last_confirmed_at,
        confirmed_by=row.confirmed_by,
        review_by=row.review_by,
        contested=row.contested,
    )
    return replace(note, warnings=rendering.warnings_for(note, now))


def _names(rows: Iterable[Row], known: Sequence[Subject]) -> dict[uuid.UUID, str]:
    """External ids of the subjects these entries are about; one out of the reader's reach has none."""
    names = {subject.pk: subject.external_id for subject in known}
    others = {row.subject for row in rows} - names.keys()
    if others:
        names.update(Subject.objects.filter(pk__in=others).values_list("pk", "external_id"))
    return names


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
                "meaning": None if each.candidate.cosine is None else round(each.candidate.cosine, 4),
                "words": None if each.candidate.lexical is None else round(each.candidate.lexical, 4),
                "contributions": {name: round(part, 4) for name, part in ranking.explain(each).items()},
                "kept": each.candidate.id in shown,
                "why": "kept" if each.candidate.id in shown else dropped[each.candidate.id],
            }
            for each in ranked
        ],
    }  # fmt: skip
