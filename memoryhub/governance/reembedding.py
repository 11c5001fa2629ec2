"""How do entries follow when the hub starts with another embedding model? Batch by batch, in the background (R31).

An entry keeps its old vector until it has the new one. Meanwhile it is found by its words alone: recall compares a
question only with vectors of the model that the question was embedded with (recall/candidates.py). A vector states
nothing, so a change of it needs no decision and raises no version (migration 0007).
"""

import logging
import time
import uuid
from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime

from django.db.models import Count, Q, QuerySet
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
        found, saved = _one_batch(organisation, place=place, hold=hold)
        done += saved
        place = (found[-1].recorded_at, found[-1].id) if len(found) == BATCH else None
        if place is None or time.monotonic() >= until:
            return done, place


def _one_batch(
    organisation: uuid.UUID, *, place: Place | None, hold: Callable[[], None] | None
) -> tuple[list[Entry], int]:
    """The next entries of other models, and how many of them have today's vector now.

    The model is asked before anything is locked; what became another text meanwhile is left for the next pass.
    """
    principal, model = system_principal(organisation, KIND), embedder()
    stale = _of_other_models(organisation, model.model_id)
    with acting_for(principal, subjects=ALL_SUBJECTS):
        rows = stale if place is None else stale.filter(_after(place))
        found = list(_with_speaker(rows).order_by("-recorded_at", "-id")[:BATCH])
    texts = {entry.id: text_of(entry, entry.provenance.speaker) for entry in found}
    vectors = dict(zip(texts, model.embed(list(texts.values())), strict=True))
    if not found:
        return found, 0
    with acting_for(principal, subjects=ALL_SUBJECTS):
        if hold is not None:
            hold()
        still = [
            entry
            for entry in _with_speaker(stale.filter(id__in=list(texts))).select_for_update(
                skip_locked=True, of=("self",)
            )
            if text_of(entry, entry.provenance.speaker) == texts[entry.id]
        ]
        for entry in still:
            entry.embedding, entry.embedding_model = vectors[entry.id], model.model_id
        Entry.objects.bulk_update(still, ["embedding", "embedding_model"])
    return found, len(still)


def _of_other_models(organisation: uuid.UUID, model: str) -> QuerySet[Entry]:
    # Two ranges and no "other than": those an index can find (entry_by_model).
    other = Q(embedding_model__lt=model) | Q(embedding_model__gt=model)
    return Entry.objects.filter(other, organisation_id=organisation, embedding_state=EmbeddingState.READY)


def _with_speaker(rows: QuerySet[Entry]) -> QuerySet[Entry]:
    return rows.select_related("provenance__speaker").defer("embedding", "search")


def _after(place: Place) -> Q:
    recorded_at, id = place
    return Q(recorded_at__lte=recorded_at) & (Q(recorded_at__lt=recorded_at) | Q(id__lt=id))


def _written(place: Place | None) -> dict[str, str]:
    return {"recorded_at": place[0].isoformat(), "id": str(place[1])} if place else {}


def _read(payload: dict[str, str]) -> Place | None:
    return (datetime.fromisoformat(payload["recorded_at"]), uuid.UUID(payload["id"])) if payload else None
