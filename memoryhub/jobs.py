"""What runs later, and how often is it tried? Every background job by name; the only importer of django_q.

The hub owns its jobs: a claim takes a row with SKIP LOCKED, counts the attempt and commits it *before* the work,
holds a lease that a heartbeat renews, and finishes only while it still holds the fencing token (the attempt number).
django-q2 merely wakes a runner: a lost, doubled or late wake-up does no harm. Delivery is at least once, the effect
exactly once: every handler is safe to repeat.
"""

import logging
import threading
import time
import uuid
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

from django.db import connection
from django.db.models import F, Q, QuerySet
from django.utils import timezone
from django.utils.module_loading import import_string
from django_q.conf import Conf
from django_q.models import OrmQ
from django_q.tasks import async_task

from memoryhub import conf
from memoryhub.errors import LeaseLost
from memoryhub.models import Job, WorkerBeat
from memoryhub.providers import embeddings
from memoryhub.tenancy import ALL_SUBJECTS, acting_for, as_worker, system_principal
from memoryhub.vocabulary import JobState

log = logging.getLogger(__name__)

#: kind → handler, called as handler(Claim). Checked at start-up: a wrong path must not fail first in a worker.
HANDLERS = {
    "dream": "memoryhub.dreams.dreamer.run_job",
    "seal_reads": "memoryhub.governance.sealing.run_job",
    "embed": "memoryhub.governance.embedding.run_job",
    "reembed": "memoryhub.governance.reembedding.run_job",
    "crowd": "memoryhub.recall.crowds.run_job",
    "housekeeping": "memoryhub.dreams.housekeeping.runs.run_job",
    "end_sessions": "memoryhub.working.hours.run_job",
    "notify": "memoryhub.governance.delivering.run_job",
    "digest": "memoryhub.governance.digests.run_job",
    "erase_due": "memoryhub.governance.grace.run_job",
    "vacuum": "memoryhub.governance.aftercare.run_job",
    "archive": "curation.takeaway.run_job",
}
WAKE = "memoryhub.jobs.wake"

#: Called as seek(now=…) when a worker starts and every conf.SOUGHT_EVERY: name jobs that no request would name.
SEEKERS = (
    "memoryhub.governance.embedding.seek", "memoryhub.governance.reembedding.seek",
    "memoryhub.governance.erasure_ledger.seek",
)  # fmt: skip
_sought: list[float] = []  # when this process last asked them, by its own clock
#: The same, every conf.TICK: what is due by the clock.
TICKERS = (
    "memoryhub.dreams.schedules.seek",
    "memoryhub.governance.delivering.seek",
    "memoryhub.governance.digests.seek",
)
_ticked: list[float] = []


@dataclass(frozen=True)
class Claim:
    """A job this process holds: `token` fences it against a later claim of the same job."""

    id: uuid.UUID
    organisation: uuid.UUID
    kind: str
    payload: dict[str, str]
    token: int

    def hold(self) -> None:
        """Lock the job's row until the transaction ends; raises LeaseLost if somebody else holds the job by now.

        Called inside the transaction whose effect must not happen twice.
        """
        held = (
            Job.objects.select_for_update(of=("self",))
            .filter(id=self.id, attempts=self.token, state=JobState.RUNNING)
            .exists()
        )
        if not held:
            raise LeaseLost


def enqueue(
    kind: str,
    *,
    organisation: uuid.UUID,
    now: datetime,
    payload: dict[str, str] | None = None,
    dedupe: str = "",
    run_after: datetime | None = None,
) -> None:
    """Name work for later, in the caller's transaction: it exists if and only if what it is about exists.

    With `dedupe`, a job of that kind and word that already waits is enough. Work for now wakes a runner; work that is
    due later is found by a later waking.
    """
    job = named(
        kind, organisation_id=organisation, payload=payload or {}, dedupe=dedupe, run_after=run_after or now,
        created_at=now,
    )  # fmt: skip
    Job.objects.bulk_create([job], ignore_conflicts=bool(dedupe))
    if job.run_after <= now:
        poke()


def named(kind: str, **fields: Any) -> Job:
    """The row that names work, not stored yet: for `enqueue`, and for who stores it together with a row of theirs."""
    if kind not in HANDLERS:
        raise ValueError(f"no job called {kind!r}")
    return Job(kind=kind, **fields)


def start(kind: str, *, organisation: uuid.UUID, now: datetime, payload: dict[str, str]) -> Claim:
    """A job that this process holds from its first moment, so that no worker takes it: for commands that do the work
    themselves. Followed by `run`; killed in between, its lease runs out and a worker takes it over.
    """
    if kind not in HANDLERS:
        raise ValueError(f"no job called {kind!r}")
    job = Job.objects.create(
        organisation_id=organisation, kind=kind, payload=payload, state=JobState.RUNNING, attempts=1,
        lease_until=now + conf.JOB_LEASE, run_after=now, created_at=now,
    )  # fmt: skip
    return Claim(job.id, organisation, kind, payload, job.attempts)


def poke() -> None:
    """Ask django-q2 to wake a runner, unless a wake-up nobody has taken yet already waits."""
    untaken = timezone.now() - timedelta(seconds=Conf.RETRY)  # django-q2 stamps a taken message with the present
    if not OrmQ.objects.filter(lock__lte=untaken).exists():
        async_task(WAKE, ack_failure=True, save=False)


def wake() -> int:
    """Called by django-q2: run what is due, then say that the worker is alive. Returns the number of jobs run.

    After conf.WAKE_FOR the rest is left to another wake-up: django-q2 kills a task past its timeout.
    """
    beat(now=timezone.now())
    forget_done(now=timezone.now())
    _ask(TICKERS, every=conf.TICK, last=_ticked)
    if not embeddings.ready():  # early, so that the first dream does not wait for the model
        embeddings.preload()
    else:  # so that they never wait for it
        _ask(SEEKERS, every=conf.SOUGHT_EVERY, last=_sought)
    ran, until = 0, time.monotonic() + conf.WAKE_FOR.total_seconds()
    while run_one(now=timezone.now()):
        ran += 1
        beat(now=timezone.now())
        if time.monotonic() > until:
            poke()
            break
    return ran


def _ask(paths: Sequence[str], *, every: timedelta, last: list[float]) -> None:
    """Call these when it is time to; `last` keeps when they were called last, by a clock that nobody can set."""
    if last and time.monotonic() - last[-1] < every.total_seconds():
        return
    last[:] = [time.monotonic()]
    for path in paths:
        try:
            import_string(path)(now=timezone.now())
        except Exception as error:  # as with a job: it must never take the worker down
            log.error("looking for work failed: %s (%s)", path, type(error).__name__)


def forget_done(*, now: datetime) -> int:
    """Remove jobs that ended well a while ago, so that the table stays small; failed and parked ones stay."""
    with as_worker():
        return Job.objects.filter(state=JobState.DONE, finished_at__lt=now - conf.DONE_JOBS_KEPT).delete()[0]


def parked(organisation: uuid.UUID) -> QuerySet[Job]:
    """Jobs that were given up. Called inside acting_for."""
    return Job.objects.filter(organisation_id=organisation, state=JobState.PARKED)


def retry(job_id: uuid.UUID, *, organisation: uuid.UUID, now: datetime) -> bool:
    """Let a parked job be claimed as if it were new; where the same waits already, that is enough. Whether there was
    one. Called inside acting_for.
    """
    job = parked(organisation).select_for_update(of=("self",)).filter(pk=job_id).first()
    if job is None:
        return False
    same = Job.objects.filter(
        organisation_id=organisation, kind=job.kind, dedupe=job.dedupe, state=JobState.QUEUED
    ).exclude(dedupe="")  # fmt: skip
    job.state, job.attempts, job.run_after, job.finished_at = JobState.QUEUED, 0, now, None
    if same.exists():
        job.state, job.finished_at = JobState.DONE, now
    job.save(update_fields=["state", "attempts", "run_after", "finished_at"])
    poke()
    return True


def beat(*, now: datetime) -> None:
    """Note that a worker is awake."""
    WorkerBeat.objects.update_or_create(name="worker", defaults={"beat_at": now})


def any_unfinished(kind: str) -> bool:
    """Whether a job of this kind waits or runs, in any organisation."""
    with as_worker():
        return Job.objects.filter(kind=kind, state__in=[JobState.QUEUED, JobState.RUNNING]).exists()


def worker_silent(*, now: datetime) -> bool:
    """Whether no worker has woken for longer than conf.WORKER_SILENT_AFTER."""
    beat_at = WorkerBeat.objects.filter(name="worker").values_list("beat_at", flat=True).first()
    return beat_at is None or now - beat_at > conf.WORKER_SILENT_AFTER


def run_one(*, now: datetime, kinds: frozenset[str] | None = None) -> bool:
    """Claim and run one due job; False when none is due."""
    claim = claim_next(now=now, kinds=kinds)
    if claim is None:
        return False
    run(claim)
    return True


def claim_next(*, now: datetime, kinds: frozenset[str] | None = None) -> Claim | None:
    """Take the oldest due job, or one whose lease ran out; park it after conf.JOB_CLAIMS claims without an end."""
    due = Q(state=JobState.QUEUED, run_after__lte=now) | Q(state=JobState.RUNNING, lease_until__lt=now)
    # Put back by hours, the clock would let what was for then, and what somebody held, wait for hours. Whoever holds it
    # still renews a lease of the new time within seconds.
    ahead = now + conf.JOB_LEASE + conf.JOB_HEARTBEAT
    due |= Q(state=JobState.QUEUED, created_at__gt=ahead, run_after=F("created_at"))
    due |= Q(state=JobState.RUNNING, lease_until__gt=ahead)
    while True:
        with as_worker():
            jobs = Job.objects.select_for_update(skip_locked=True, of=("self",)).filter(due)
            if kinds is not None:
                jobs = jobs.filter(kind__in=kinds)
            job = jobs.order_by("run_after", "id").first()
            if job is None:
                return None
            if job.attempts >= conf.JOB_CLAIMS:
                Job.objects.filter(id=job.id).update(state=JobState.PARKED, finished_at=now, lease_until=None)
                log.error("job parked after %s claims: %s %s", job.attempts, job.kind, job.id)
                continue
            Job.objects.filter(id=job.id).update(
                state=JobState.RUNNING, attempts=F("attempts") + 1, lease_until=now + conf.JOB_LEASE
            )
            return Claim(job.id, job.organisation_id, job.kind, job.payload, job.attempts + 1)


def run(claim: Claim) -> None:
    """Run one claimed job under a heartbeat, and note how it ended. An error is noted, not raised."""
    stop = threading.Event()
    heart = threading.Thread(target=_renew_lease, args=(claim, stop), name=f"lease-{claim.kind}", daemon=True)
    heart.start()
    try:
        handler: Callable[[Claim], None] = import_string(HANDLERS[claim.kind])
        handler(claim)
    except LeaseLost:
        log.warning("job lost its lease: %s %s", claim.kind, claim.id)
    except Exception as error:  # a job must never take the worker down; the row keeps the class of the error
        log.error("job failed: %s %s (%s)", claim.kind, claim.id, type(error).__name__)
        _end(claim, failed=type(error).__name__)
    else:
        _end(claim, failed="")
    finally:
        stop.set()
        heart.join(timeout=5)


def _end(claim: Claim, *, failed: str) -> None:
    now = timezone.now()
    with acting_for(system_principal(claim.organisation, "jobs"), subjects=ALL_SUBJECTS):
        mine = Job.objects.filter(id=claim.id, attempts=claim.token, state=JobState.RUNNING)
        if not failed:
            mine.update(state=JobState.DONE, finished_at=now, lease_until=None)
        elif claim.token >= conf.JOB_CLAIMS:
            mine.update(state=JobState.PARKED, finished_at=now, lease_until=None, last_error=failed)
        else:
            again = now + conf.JOB_LEASE * 2 ** (claim.token - 1) / 4
            mine.update(state=JobState.QUEUED, run_after=again, lease_until=None, last_error=failed)


def _renew_lease(claim: Claim, stop: threading.Event) -> None:
    try:
        while not stop.wait(conf.JOB_HEARTBEAT.total_seconds()):
            now = timezone.now()
            with acting_for(system_principal(claim.organisation, "jobs"), subjects=ALL_SUBJECTS):
                renewed = Job.objects.filter(id=claim.id, attempts=claim.token, state=JobState.RUNNING).update(
                    lease_until=now + conf.JOB_LEASE
                )
            beat(now=now)
            if not renewed:
                return
    finally:
        connection.close()
