"""Can an entry be found by meaning yet? Gives entries their embedding, in the request or later as a job (R31; api.md,
entry)."""

import logging
from collections.abc import Sequence
from datetime import datetime

from django.utils import timezone

from memoryhub import jobs
from memoryhub.errors import ModelUnavailable
from memoryhub.models import Entry
from memoryhub.providers.embeddings import embedder
from memoryhub.tenancy import ALL_SUBJECTS, Principal, acting_for, system_principal
from memoryhub.vocabulary import EmbeddingState, Status

log = logging.getLogger(__name__)

BATCH = 64


def give(entries: Sequence[Entry]) -> bool:
    """Set the embedding of entries not saved yet, in memory; when the model is unavailable they stay pending.

    Returns whether all are ready. An entry without an embedding is still kept and found by its words.
    """
    if not entries:
        return True
    model = embedder()
    try:
        vectors = model.embed([text_of(entry) for entry in entries])
    except ModelUnavailable:
        for entry in entries:
            entry.embedding_state = EmbeddingState.PENDING
        return False
    for entry, vector in zip(entries, vectors, strict=True):
        entry.embedding, entry.embedding_model, entry.embedding_state = vector, model.model_id, EmbeddingState.READY
    return True


def text_of(entry: Entry) -> str:
    """What is embedded: the statement, and the key it answers to, so that 'which city?' meets 'I moved to Pune'."""
    return f"{entry.key.replace('_', ' ')}: {entry.content}" if entry.key else entry.content


def later(*, by: Principal, now: datetime) -> None:
    """Name a job that embeds what is pending in this organisation."""
    jobs.enqueue("embed", organisation=by.organisation, now=now, dedupe="embed")


def run_job(claim: jobs.Claim) -> None:
    """Embed every accepted entry that is pending, a batch a transaction, so that a kill loses at most one batch."""
    principal = system_principal(claim.organisation, "embed")
    while True:
        with acting_for(principal, subjects=ALL_SUBJECTS):
            claim.hold()
            entries = list(
                Entry.objects.select_for_update(skip_locked=True, of=("self",))
                .filter(status=Status.ACCEPTED)
                .exclude(embedding_state=EmbeddingState.READY)
                .order_by("id")[:BATCH]
            )
            if not entries:
                return
            if not give(entries):
                raise ModelUnavailable
            Entry.objects.bulk_update(entries, ["embedding", "embedding_model", "embedding_state", "updated_at"])
            log.info("embedded %s entries at %s", len(entries), timezone.now().isoformat())
