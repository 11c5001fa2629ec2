"""Can the hub work, and how far behind is it? What /readyz answers for a machine, and the health page for a person.

`of_hub` is what every request needs: where one is not ok, the hub is not ready. `of_organisation` is what runs behind
the requests: late, it takes no readiness away, and somebody should look.
"""

import shutil
import uuid
from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Final

from django.conf import settings
from django.db import DatabaseError, connection
from django.db.migrations.executor import MigrationExecutor
from django.db.models import Count, Min, Q

from memoryhub import jobs
from memoryhub.dreams import backlog
from memoryhub.errors import KeysUnusable
from memoryhub.governance import embedding
from memoryhub.models import AuditHead, Job, MasterKey, Recall, ReviewItem, WorkerBeat
from memoryhub.providers import embeddings, entailment, restoring
from memoryhub.vocabulary import EmbeddingState, JobState, ReviewState

OK: Final = "ok"
UNKNOWN: Final = "unknown"

# From when on somebody should look -----------------------------------------------------------------------------------
EMBEDDED_WITHIN: Final = timedelta(minutes=5)  # an entry is embedded with its request; what is left is tried again soon
SEALED_WITHIN: Final = timedelta(minutes=5)  # reads are sealed half a minute after they happened
DREAMT_WITHIN: Final = timedelta(days=2)  # a nightly dream that was left out once
REVIEWED_WITHIN: Final = timedelta(days=3)
DUE_WITHIN: Final = timedelta(minutes=5)  # a job that is due is begun within seconds
ROOM: Final = 0.1  # of the disk under the data folder
LEAST_ROOM: Final = 1024**3  # bytes


@dataclass(frozen=True)
class Disk:
    """Bytes of the disk that holds the data folder."""

    free: int
    total: int

    @property
    def is_low(self) -> bool:
        return self.free < LEAST_ROOM or self.free < ROOM * self.total


@dataclass(frozen=True)
class Behind:
    """What waits behind the requests of one organisation: how much, and since when (None: nothing)."""

    unembedded: int
    unembedded_since: datetime | None
    not_embeddable: int
    queue: int
    queue_since: datetime | None
    turns: int
    turns_since: datetime | None
    set_aside: int
    unsealed: int
    unsealed_since: datetime | None
    links: int
    due: int
    due_since: datetime | None
    parked: int


def of_hub(*, now: datetime) -> dict[str, str]:
    """Database, migrations, keys, worker and model: "ok", or in a word what is wrong. `restore`: whether one that began
    in this database is through.
    """
    asked = {
        "migrations": _migrations, "restore": _restore, "keys": _keys, "worker": lambda: _worker(now),
    }  # fmt: skip
    checks = {"database": _database(), **dict.fromkeys(asked, UNKNOWN), "model": _model()}
    if checks["database"] == OK:
        checks |= {name: _or_failed(check) for name, check in asked.items()}
    return checks


def embeddings_state() -> str:
    """Whether vectors are being changed to another model; "unknown" without a database."""
    return _or_failed(lambda: "changing" if jobs.any_unfinished("reembed") else OK)


def entailment_state() -> str:
    """Whether summaries can be checked by a model; without it they tell outcomes alone."""
    return entailment.checker().state()


def last_beat() -> datetime | None:
    """When a worker last woke."""
    return WorkerBeat.objects.filter(name="worker").values_list("beat_at", flat=True).first()


def disk() -> Disk:
    """The disk under the data folder."""
    usage = shutil.disk_usage(settings.MEMORYHUB_DATA_DIR)
    return Disk(free=usage.free, total=usage.total)


def of_organisation(organisation: uuid.UUID, *, now: datetime) -> Behind:
    """What waits in one organisation. Called inside acting_for; as many queries however much there is."""
    mine = {"organisation_id": organisation}
    unembedded = embedding.pending().filter(**mine)
    vectors = unembedded.aggregate(
        pending=Count("pk", filter=Q(embedding_state=EmbeddingState.PENDING)),
        since=Min("created_at", filter=Q(embedding_state=EmbeddingState.PENDING)),
        failed=Count("pk", filter=Q(embedding_state=EmbeddingState.FAILED)),
    )
    queue = ReviewItem.objects.filter(**mine, state=ReviewState.WAITING).aggregate(
        n=Count("pk"), since=Min("waiting_since")
    )
    reads = Recall.objects.filter(**mine, sealed_at__isnull=True).aggregate(n=Count("pk"), since=Min("created_at"))
    work = Job.objects.filter(**mine).aggregate(
        due=Count("pk", filter=Q(state=JobState.QUEUED, run_after__lte=now)),
        since=Min("run_after", filter=Q(state=JobState.QUEUED, run_after__lte=now)),
        parked=Count("pk", filter=Q(state=JobState.PARKED)),
    )
    turns = backlog.standing(organisation, now=now)
    links = AuditHead.objects.filter(organisation_id=organisation).values_list("seq", flat=True).first()
    return Behind(
        unembedded=vectors["pending"], unembedded_since=vectors["since"], not_embeddable=vectors["failed"],
        queue=queue["n"], queue_since=queue["since"], turns=turns.events, turns_since=turns.oldest,
        set_aside=turns.set_aside, unsealed=reads["n"], unsealed_since=reads["since"], links=links or 0,
        due=work["due"], due_since=work["since"], parked=work["parked"],
    )  # fmt: skip


def _database() -> str:
    try:
        with connection.cursor() as cursor:
            cursor.execute("SELECT 1")
    except DatabaseError:
        return "unreachable"
    return OK


def _migrations() -> str:
    executor = MigrationExecutor(connection)
    return "pending" if executor.migration_plan(executor.loader.graph.leaf_nodes()) else OK


def _restore() -> str:
    with connection.cursor() as cursor:
        cursor.execute("SELECT to_regclass(%s) IS NOT NULL", [restoring.TABLE])
        return "unfinished" if cursor.fetchone()[0] else OK


def _keys() -> str:
    """Whether every key-encryption key that something is wrapped with is at hand."""
    used = set(MasterKey.objects.values_list("id", flat=True))
    try:
        return OK if used <= settings.MEMORYHUB_MASTER_KEYS.ids else "missing"
    except KeysUnusable:
        return "damaged"


def _worker(now: datetime) -> str:
    return "silent" if jobs.worker_silent(now=now) else OK


def _model() -> str:
    return OK if embeddings.ready() else "loading"


def _or_failed(check: Callable[[], str]) -> str:
    try:
        return check()
    except DatabaseError:
        return "failed"
