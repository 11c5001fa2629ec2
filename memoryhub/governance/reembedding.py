"""How do entries follow when the hub starts with another embedding model? Batch by batch, in the background (R31).

An entry keeps its old vector until it has the new one. Meanwhile it is found by its words alone: recall compares a
question only with vectors of the model that the question was embedded with (recall/candidates.py). A vector states
nothing, so a change of it needs no decision and raises no version (migration 0007).
"""

import logging
import time
import uuid
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import datetime

from django.db.models import BooleanField, Count, Q, QuerySet
from django.db.models.expressions import RawSQL
from django.utils import timezone

from memoryhub import conf, jobs
from memoryhub.governance import access
from memoryhub.governance.embedding import text_of
from memoryhub.models import Entry
from memoryhub.providers.embeddings import embedder
from memoryhub.tenancy import ALL_SUBJECTS, acting_for, system_principal
from memoryhub.vocabulary import EmbeddingState

log = logging.getLogger(__name__)

KIND = "reembed"
BATCH = 64
AHEAD = 16  # batches that are looked up at once

#: The rows after a place, by an index as they stand in it (entry_by_time).
_AFTER = "(memoryhub_entry.recorded_at, memoryhub_entry.id) < (%s, %s)"

#: Where a pass through the entries has come to, newest first: when the last one was recorded, and its id.
Place = tuple[datetime, uuid.UUID]


@dataclass(frozen=True)
class Progress:
    """Of one organisation's entries with a vector: how many have today's model's, of how many."""

    done: int
    total: int

    @property
    def left(self) -> int:
        return self.total - self.done


def progress(organisation: uuid.UUID) -> Progress:
    """How far one organisation is. Raises ModelUnavailable when today's model can't be named."""
    model = embedder().model_id
    with acting_for(system_principal(organisation, KIND), subjects=ALL_SUBJECTS):
        counts = dict(
            Entry.objects.filter(organisation_id=organisation, embedding_state=EmbeddingState.READY)
            .values_list("embedding_model")
            .annotate(Count("id"))
        )
    return Progress(counts.get(model, 0), sum(counts.values()))


def seek(*, now: datetime) -> None:
    """Name a job for every organisation that has vectors of another model: one look into an index for each.

    Raises ModelUnavailable when today's model can't be named; then nothing is to be done with it either.
    """
    model = embedder().model_id
    for organisation, _ in access.organisations():
        with acting_for(system_principal(organisation, KIND), subjects=ALL_SUBJECTS):
            if _of_other_models(organisation, model).exists():
                jobs.enqueue(KIND, organisation=organisation, now=now, dedupe=KIND)


def run_job(claim: jobs.Claim) -> None:
    """Go on for a while, then stand in line again behind whatever else is due by then."""
    seconds = conf.REEMBED_SLICE.total_seconds()
    done, place = go_on(claim.organisation, place=_read(claim.payload), seconds=seconds, hold=claim.hold)
    left, now = progress(claim.organisation).left, timezone.now()
    log.info("%s entries have the vectors of %s now, %s have not yet", done, embedder().model_id, left)
    if left:  # at the end of a pass only what was held or changed meanwhile is left: not again at once
        with acting_for(system_principal(claim.organisation, KIND), subjects=ALL_SUBJECTS):
            jobs.enqueue(
                KIND, organisation=claim.organisation, now=now, dedupe=KIND, payload=_written(place),
                run_after=now if place else now + conf.REEMBED_AGAIN,
            )  # fmt: skip


def go_on(
    organisation: uuid.UUID, *, seconds: float, place: Place | None = None, hold: Callable[[], None] | None = None
) -> tuple[int, Place | None]:
    """Give batch after batch today's vectors, until a pass is through or the time is up.

    Returns how many got theirs, and the place to go on from (None: the pass is through). `hold` is called in each
    transaction that writes, and raises when somebody else has taken over. Each batch is committed by itself, so a kill
    loses one at most. Raises ModelUnavailable.
    """
    done, until = 0, time.monotonic() + seconds
    while True:
        ahead = _next(organisation, place)
        for start in range(0, len(ahead), BATCH):
            batch = ahead[start : start + BATCH]
            done += _one_batch(organisation, [id for _, id in batch], hold=hold)
            place = batch[-1]
            if time.monotonic() >= until:
                return done, place
        if len(ahead) < AHEAD * BATCH:
            return done, None


def _next(organisation: uuid.UUID, place: Place | None) -> list[Place]:
    """Where the next entries of other models stand. Many at a time: to find them may take sorting them all."""
    with acting_for(system_principal(organisation, KIND), subjects=ALL_SUBJECTS):
        rows = _of_other_models(organisation, embedder().model_id)
        if place is not None:
            rows = rows.filter(RawSQL(_AFTER, place, output_field=BooleanField()))
        return list(rows.order_by("-recorded_at", "-id").values_list("recorded_at", "id")[: AHEAD * BATCH])


def _one_batch(organisation: uuid.UUID, ids: Sequence[uuid.UUID], *, hold: Callable[[], None] | None) -> int:
    """Give these entries today's vector, where they have another model's still; returns how many got it.

    The model is asked before anything is locked; what reads otherwise by then is left for the next pass.
    """
    principal, model = system_principal(organisation, KIND), embedder()
    stale = (
        _of_other_models(organisation, model.model_id)
        .filter(id__in=ids)
        .select_related("provenance__speaker")
        .defer("embedding", "search")
    )
    with acting_for(principal, subjects=ALL_SUBJECTS):
        texts = {entry.id: text_of(entry, entry.provenance.speaker) for entry in stale}
    by_length = sorted(texts, key=lambda id: len(texts[id]))  # what is embedded together is padded to the longest
    vectors = dict(zip(by_length, model.embed([texts[id] for id in by_length]), strict=True))
    with acting_for(principal, subjects=ALL_SUBJECTS):
        if hold is not None:
            hold()
        mine = stale.select_for_update(skip_locked=True, of=("self",))
        still = [entry for entry in mine if text_of(entry, entry.provenance.speaker) == texts.get(entry.id)]
        for entry in still:
            entry.embedding, entry.embedding_model = vectors[entry.id], model.model_id
        Entry.objects.bulk_update(still, ["embedding", "embedding_model"])
    return len(still)


def _of_other_models(organisation: uuid.UUID, model: str) -> QuerySet[Entry]:
    # Two ranges and no "other than": those an index can find (entry_by_model).
    other = Q(embedding_model__lt=model) | Q(embedding_model__gt=model)
    return Entry.objects.filter(other, organisation_id=organisation, embedding_state=EmbeddingState.READY)


def _written(place: Place | None) -> dict[str, str]:
    return {"recorded_at": place[0].isoformat(), "id": str(place[1])} if place else {}


def _read(payload: dict[str, str]) -> Place | None:
    return (datetime.fromisoformat(payload["recorded_at"]), uuid.UUID(payload["id"])) if payload else None
