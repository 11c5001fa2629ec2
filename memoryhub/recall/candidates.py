"""Which entries may answer a question, and what is known of each? Meaning, words, neighbours, names, times (R31)."""

import uuid
from collections.abc import Iterable, Mapping
from concurrent.futures import Future
from datetime import datetime
from typing import NamedTuple

from django.db.models import QuerySet

from memoryhub import conf
from memoryhub.errors import ModelUnavailable
from memoryhub.models import Entry, Subject
from memoryhub.providers.embeddings import embedder
from memoryhub.recall import crowds, ranking
from memoryhub.recall.comparing import ORIGIN, OWN, QUESTION_MARKS, Question, Row
from memoryhub.recall.filters import Reach
from memoryhub.recall.naming import periods_named, speaker_named
from memoryhub.tenancy import Principal, acting_for
from memoryhub.vocabulary import Category, Kind


class Pool(NamedTuple):
    """The candidates and their rows by entry id, the external ids of those who said them, and how many entries were
    compared for them outside of crowds.
    """

    by_id: dict[str, tuple[ranking.Candidate, Row]]
    speakers: Mapping[uuid.UUID, str]
    compared: int = 0


def candidates(
    reach: Reach,
    text: str,
    *,
    now: datetime,
    known: Mapping[uuid.UUID, Subject],
    bar: float = 0.0,
    limit: int | None = None,
    meaning: Future[list[list[float]]] | None = None,
    crowded: bool | None = None,
) -> Pool:
    """The entries most likely to answer `text`, at least twice `limit`, each with its row (R31, R32).

    Those that may pass the `bar` come first. Of more than conf.SCANNED entries for one of the audiences, the older
    are compared where an index finds them, unless the limit is as large: then every entry is.

    `known` are subjects the caller has at hand, `meaning` is that of the text where it was begun already, `crowded`
    whether one of the audiences has a crowd (None: it is looked up). Without the embedding model, words alone decide;
    entries whose embedding is pending or of another model are compared by their words. The mapping of the asking
    agent's keys to records counts; where none asks, every agent's.
    """
    most = max(conf.CANDIDATES, 2 * (limit or 0))
    question = Question(reach, text, _vector(text, meaning), moment=now, bar=bar, most=most)
    if crowded is None:
        crowded = crowds.any_of(reach.audiences)
    rows, compared = _rows(question, crowded=crowded, most=most)
    speakers = speakers_of(rows, by=reach.by, known=known)
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
    found = entries.values_list(*OWN, *(f"provenance__{name}" for name in ORIGIN))
    return [Row._make([*values, *(None,) * 6, 0.0, True, 0]) for values in found]


def _rows(question: Question, *, crowded: bool, most: int) -> tuple[list[Row], int]:
    """The best rows, and how many entries outside of crowds were compared for them where not all are."""
    if most > conf.SCANNED:
        return question.compare_all(), 0
    if not crowded:
        rows = question.compare_outside()
        return rows, rows[0].compared if rows else 0
    with crowds.read_in_order():
        chosen = question.choose()
        best = chosen and question.stand_out(chosen)
    if best is None:
        return question.compare_all(), 0
    return question.compare_chosen(best), best.outside


def _vector(text: str, meaning: Future[list[list[float]]] | None) -> list[float] | None:
    try:
        return (embedder().embed([text]) if meaning is None else meaning.result())[0]
    except ModelUnavailable:
        return None
