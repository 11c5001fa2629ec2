"""What is known that helps with this question? Filters, candidates, ranking, budgets, rendering, read log (R30–R38).

Two steps with a gap between them: `find` says what fits, `hand_out` gives and logs it. In the gap
governance/checked_recall.py, the one who calls both, holds it against the records behind it (R36) and may `swap` notes.
"""

import uuid
from collections.abc import Iterable, Mapping, Sequence
from concurrent.futures import Future
from dataclasses import dataclass, replace
from datetime import datetime
from time import perf_counter

from django.db.models import QuerySet

from memoryhub import conf
from memoryhub.errors import Invalid
from memoryhub.models import AgentPolicy, Entry, Subject
from memoryhub.providers import embeddings
from memoryhub.providers.embeddings import embedder
from memoryhub.recall import crowds, ranking, read_log, rendering
from memoryhub.recall.candidates import Pool, candidates
from memoryhub.recall.comparing import Row
from memoryhub.recall.filters import Reach, Window, in_use, readers
from memoryhub.recall.named import Named
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
    known: Named | None = None  # about the subjects, where the caller looked it up already
    meaning: Future[list[list[float]]] | None = None  # of the text, where the caller had it begun (`begin`)


@dataclass(frozen=True)
class Item:
    """One recalled note with its score and every signal (R34)."""

    note: rendering.Note
    score: float
    signals: ranking.Signals


@dataclass(frozen=True)
class Correction:
    """A recalled entry that a record contradicts, and the entry that stands in its place, None where none may (R36)."""

    id: str
    subject: str
    key: str
    replaced_by: str | None
    source: str


@dataclass(frozen=True)
class Found:
    """What there is for a question, best first, and how much of it fits. Nothing is given yet."""

    query: Query
    text: str
    bar: float
    moment: datetime
    profile: RecallProfile
    reach: Reach
    ranked: Sequence[ranking.Ranked]
    notes: Mapping[str, rendering.Note]
    settled: rendering.Settled
    fitted: rendering.Fitted
    begun: float  # time.perf_counter() when the question came in


@dataclass(frozen=True)
class Recalled:
    """The answer: items best first, the block for a prompt, and what was looked for."""

    recall_id: uuid.UUID
    items: tuple[Item, ...]
    rendered: str
    tokens: int
    nothing_found: bool  # nothing passed the bar; what was found may still not have fitted into the room given
    looked_for: str
    conflicts: tuple[rendering.Conflict, ...]
    corrections: tuple[Correction, ...]
    please_confirm: tuple[rendering.Reminder, ...]
    explain: dict[str, object] | None = None


def find(*, query: Query, by: Principal, now: datetime) -> Found:
    """What is remembered about one question. An empty question finds nothing.

    Raises Invalid for limits below zero or an unknown profile; runs without embeddings when the model is unavailable.
    """
    begun = perf_counter()
    _check(query)
    open_to = in_use(query.subjects)
    audiences = readers(open_to)  # who is paused takes their groups along
    reach = _reach(query, audiences, by=by, now=now)
    text = _looked_at(query.text)
    moment = query.valid_at or query.as_of or now
    known = {subject.pk: subject for subject in query.subjects}
    bar = conf.MIN_RELEVANCE if query.min_relevance is None else query.min_relevance
    pool = Pool({}, {})
    if text and open_to:
        pool = candidates(
            reach, text, now=moment, known=known, bar=bar, limit=query.limit, meaning=query.meaning,
            crowded=query.known.crowded if query.known else None,
        )  # fmt: skip
        if pool.compared > conf.SCANNED:
            crowds.look(audiences, by=by, now=now)
    profile = _profile(query, by)
    ranked = ranking.order([one for one, _ in pool.by_id.values()], profile=profile, now=moment)
    best = ranking.above_bar(ranked, bar)[: max(query.limit or 0, conf.CONSIDERED)]
    rows = [pool.by_id[each.candidate.id][1] for each in best]
    notes = notes_of(rows, known=query.subjects, speakers=pool.speakers, now=now)
    settled, fitted = _fit(query, text, ranked, notes, now=now)
    return Found(query, text, bar, moment, profile, reach, ranked, notes, settled, fitted, begun)


def begin(text: str) -> Future[list[list[float]]] | None:
    """Have the meaning of a question's text found out meanwhile; None where there is nothing to find out."""
    looked_at = _looked_at(text)
    return embeddings.begin(looked_at) if looked_at else None


def _looked_at(text: str) -> str:
    return text.strip()[:MAX_QUERY]


def within(query: Query, *, by: Principal, now: datetime) -> QuerySet[Entry]:
    """Every entry that the question may be answered with at `now`: its filters before any ranking (R30)."""
    return _reach(query, readers(in_use(query.subjects)), by=by, now=now).entries


def _reach(query: Query, audiences: Iterable[uuid.UUID], *, by: Principal, now: datetime) -> Reach:
    window = Window(query.as_of, query.valid_at, query.since, query.until)
    return Reach(by, now, tuple(audiences), window, query.kinds, query.categories, query.scopes)


def swap(found: Found, notes: Mapping[str, rendering.Note | None], *, now: datetime) -> Found:
    """The same with other notes in the place of some, by id: as relevant as those were, else ranked by what they are.
    None leaves a place empty.
    """
    kept = {id: notes.get(id, note) for id, note in found.notes.items()}
    ranked = ranking.order(
        [
            _in_its_place(each.candidate, note)
            for each in found.ranked
            if (note := kept.get(each.candidate.id)) is not None or each.candidate.id not in kept
        ],
        profile=found.profile, now=found.moment,
    )  # fmt: skip
    standing = {note.id: note for note in kept.values() if note is not None}
    settled, fitted = _fit(found.query, found.text, ranked, standing, now=now)
    return replace(found, ranked=ranked, notes=standing, settled=settled, fitted=fitted)


def hand_out(
    found: Found, *, by: Principal, now: datetime, purpose: str, corrections: Sequence[Correction] = ()
) -> Recalled:
    """Give what fits, and log the read in the same transaction (R37)."""
    query, fitted = found.query, found.fitted
    scores = {each.candidate.id: each for each in found.ranked}
    items = tuple(Item(note, scores[note.id].score, scores[note.id].signals) for note in fitted.notes)
    recall_id = read_log.write(
        by=by, now=now, purpose=purpose, subjects=query.subjects, query=found.text,
        items=[_logged(item) for item in items],
        tokens=fitted.tokens, took_ms=round((perf_counter() - found.begun) * 1000, 2),
    )  # fmt: skip
    shown = {note.id for note in fitted.notes}
    return Recalled(
        recall_id=recall_id,
        items=items,
        rendered=fitted.rendered,
        tokens=fitted.tokens,
        nothing_found=not found.notes,
        looked_for=query.text,
        conflicts=tuple(conflict for conflict in found.settled.conflicts if conflict.used in shown),
        corrections=tuple(corrections),
        please_confirm=rendering.reminders(fitted.notes),
        explain=_explained(found, shown) if query.explain else None,
    )


def _logged(item: Item) -> dict[str, object]:
    """What the log keeps of one item, so that its place can be explained later: numbers and codes, never words."""
    return {
        "id": item.note.id, "score": round(item.score, 4), "signals": ranking.told(item.signals),
        "warnings": [str(each) for each in item.note.warnings],
    }  # fmt: skip


def _fit(
    query: Query, text: str, ranked: Sequence[ranking.Ranked], notes: Mapping[str, rendering.Note], *, now: datetime
) -> tuple[rendering.Settled, rendering.Fitted]:
    settled = rendering.conflicts([notes[each.candidate.id] for each in ranked if each.candidate.id in notes])
    fitted = rendering.fit(
        settled.notes, now=now, looked_for=text, count_tokens=embedder().count_tokens, limit=query.limit,
        token_budget=query.token_budget, named=settled.conflicts,
    )  # fmt: skip
    return settled, fitted


def _in_its_place(candidate: ranking.Candidate, note: rendering.Note | None) -> ranking.Candidate:
    """What ranking weighs of the note that took a candidate's place; the candidate itself where that is still there,
    as verified as it is by now.
    """
    if note is None:
        return candidate
    if note.id == candidate.id:
        return replace(candidate, authority=note.authority, last_confirmed_at=note.last_confirmed_at)
    return replace(
        candidate, id=note.id, category=note.category, authority=note.authority, valid_from=note.valid_from,
        last_confirmed_at=note.last_confirmed_at, use_count=0, last_used_at=None, valid_now=True,
    )  # fmt: skip


def notes_of(
    rows: Sequence[Row], *, known: Sequence[Subject], speakers: Mapping[uuid.UUID, str], now: datetime
) -> dict[str, rendering.Note]:
    """The entries as recall hands them out, by id, with their warnings (R34); `known` are subjects already at hand,
    `speakers` the external ids of those who said them.
    """
    names = _names(rows, known)
    return {str(row.id): _note(row, now=now, about=names, speakers=speakers) for row in rows}


def _note(
    row: Row, *, now: datetime, about: Mapping[uuid.UUID, str], speakers: Mapping[uuid.UUID, str]
) -> rendering.Note:
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
        speaker=speakers.get(row.speaker, "") if row.speaker else "",
        source=row.ref or row.uri,
        valid_to=row.valid_to,
        last_confirmed_at=row.last_confirmed_at,
        confirmed_by=row.confirmed_by,
        review_by=row.review_by,
        contested=row.contested,
        mapped=row.mapped,
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
    if query.known is not None:
        return query.known.profile
    policies = AgentPolicy.objects.filter(agent_id=by.agent) if by.agent else AgentPolicy.objects.none()
    return RecallProfile(policies.values_list("recall_profile", flat=True).first() or RecallProfile.GOVERNED)


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


def _explained(found: Found, shown: set[str]) -> dict[str, object]:
    """Candidates, filters, scores, and why each was kept or dropped (R38)."""
    query, settled = found.query, {note.id for note in found.settled.notes}
    return {
        "eligible": found.reach.entries.count(),
        "min_relevance": found.bar,
        "profile": str(found.profile),
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
                "signals": ranking.told(each.signals),
                "contributions": {name: round(part, 4) for name, part in ranking.explain(each).items()},
                "kept": each.candidate.id in shown,
                "why": _why(each, found, shown, settled),
            }
            for each in found.ranked
        ],
    }  # fmt: skip


def _why(each: ranking.Ranked, found: Found, shown: set[str], settled: set[str]) -> str:
    """Why one candidate was kept or dropped; `settled`: what was left once it was settled which notes agree."""
    id = each.candidate.id
    if id in shown:
        return "kept"
    if each.signals.relevance < found.bar:
        return "below the bar"
    if id not in found.notes:
        return "too far down the list"
    if any(id in conflict.set_aside for conflict in found.settled.conflicts):
        return "set aside: it contradicts another"
    if id not in settled:
        return "says the same as another"
    return "did not fit"
