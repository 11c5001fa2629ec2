"""How is a job of housekeeping run? Whom it concerns, one after the other, each in a transaction of its own (R77).

That transaction holds what was done, its lines in the report, the place, and the job's fence last: a kill loses nothing
and doubles nothing, and a run that is taken up again goes on where it was. Every job looks again whether what it is
about to do is still to be done, so running one twice, or two at once, changes nothing more.

A dry run does all of it and takes each transaction back: what it reports is what would be done, and nothing is kept.
"""

import logging
import uuid
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import datetime
from time import monotonic
from types import MappingProxyType
from typing import Final

from django.db import InterfaceError, OperationalError, transaction
from django.utils import timezone

from memoryhub import conf, jobs
from memoryhub.dreams.housekeeping import auditing, folding, lapsing, merging, rechecking, reflection
from memoryhub.dreams.housekeeping.deeds import BATCH, Did, Work
from memoryhub.errors import AuditUnavailable, LeaseLost
from memoryhub.governance import audit
from memoryhub.models import Housekeeping, Job
from memoryhub.tenancy import ALL_SUBJECTS, Principal, acting_for, system_principal
from memoryhub.vocabulary import Chore, DreamStatus, JobState

log = logging.getLogger(__name__)

KIND: Final = "housekeeping"
FAULTS_NAMED: Final = 3  # classes of errors in a report

#: How each job goes about it. They run in the order of the vocabulary: records first, then questions; folding before
#: lapsing.
WORK: Final = MappingProxyType(
    {
        Chore.RECHECK: Work(rechecking.due, rechecking.recheck),
        Chore.ASK: Work(lapsing.due_to_ask, lapsing.ask),
        Chore.FOLD: Work(folding.due, folding.fold),
        Chore.EXPIRE: Work(lapsing.due_to_expire, lapsing.expire),
        Chore.ERASE: Work(lapsing.due_to_erase, lapsing.erase),
        Chore.MERGE: Work(merging.due, merging.merge),
        Chore.ARCHIVE: Work(lapsing.due_to_archive, lapsing.archive),
        Chore.REFLECT: Work(reflection.due, reflection.reflect),
        Chore.AUDIT: Work(auditing.due, auditing.audit),
    }
)

#: Faults of the surroundings: the job is tried again and goes on where it was.
_PASSING = (LeaseLost, OperationalError, InterfaceError, AuditUnavailable)
OVER = (DreamStatus.DONE, DreamStatus.FAILED)


@dataclass
class Report:
    """What a run did, or would do: `seen` counts the subjects or agents seen to, `deeds` are the first of them."""

    chore: Chore
    seen: int = 0
    counts: Counter[str] = field(default_factory=Counter)
    deeds: list[list[str]] = field(default_factory=list)
    faults: Counter[str] = field(default_factory=Counter)

    def note(self, done: Sequence[Did]) -> None:
        self.counts.update(one.deed.value for one in done)
        self.deeds += [one.as_json() for one in done[: max(0, conf.REPORT_LINES - len(self.deeds))]]

    @property
    def failure(self) -> str:
        """How many could not be seen to, and the classes of the errors."""
        if not self.faults:
            return ""
        names = ", ".join(name for name, _ in self.faults.most_common(FAULTS_NAMED))
        return f"{self.faults.total()} could not be seen to ({names})"


def request(*, chore: Chore, by: Principal, now: datetime) -> Housekeeping:
    """Ask for one job over everything; a worker runs it. Called inside acting_for."""
    run = _new(chore, by=by, now=now, as_of=None)
    jobs.enqueue(KIND, organisation=by.organisation, now=now, payload={"run": str(run.pk)})
    return run


def keep_now(*, chore: Chore, organisation: uuid.UUID, as_of: datetime | None = None) -> Housekeeping:
    """Run one job to its end in this process. `as_of`: the moment it goes by, now unless given."""
    by = _principal(organisation, chore)
    now = timezone.now()
    with acting_for(by, subjects=ALL_SUBJECTS):
        run = _new(chore, by=by, now=now, as_of=as_of)
        claim = jobs.start(KIND, organisation=organisation, now=now, payload={"run": str(run.pk), "whole": "yes"})
    jobs.run(claim)
    with acting_for(by, subjects=ALL_SUBJECTS):
        return Housekeeping.objects.get(pk=run.pk)


def dry_run(*, chore: Chore, organisation: uuid.UUID, as_of: datetime | None = None) -> Report:
    """What one job would do now, or at `as_of`; nothing of it is kept."""
    by, report = _principal(organisation, chore), Report(chore)
    now, place = as_of or timezone.now(), None
    while batch := _due(chore, by, now=now, after=place):
        for place in batch:
            try:
                with acting_for(by, subjects=ALL_SUBJECTS), transaction.atomic():
                    report.note(_tend_all(chore, place, by=by, now=now))
                    transaction.set_rollback(True)
            except _PASSING:
                raise
            except Exception as error:  # as in a run: the others are seen to
                report.faults[type(error).__name__] += 1
            report.seen += 1
        if len(batch) < BATCH:
            break
    return report


def run_job(claim: jobs.Claim) -> None:
    """Run the job a claim is about; left alone when it is over."""
    with acting_for(system_principal(claim.organisation, KIND), subjects=ALL_SUBJECTS):
        claim.hold()
        run = Housekeeping.objects.select_for_update(of=("self",)).filter(pk=claim.payload["run"]).first()
        if run is None or run.status in OVER:
            return
        by = _principal(claim.organisation, Chore(run.chore))
        if run.status == DreamStatus.QUEUED:
            run.status, run.started_at = DreamStatus.RUNNING, timezone.now()
            run.save(update_fields=["status", "started_at"])
            audit.record(by=by, now=timezone.now(), action="housekeeping.start", object_kind=KIND, object_id=run.pk)
    try:
        _run(run, claim, by)
    except _PASSING:
        if claim.token >= conf.JOB_CLAIMS:
            _end(run, claim, by, status=DreamStatus.FAILED, failure="gave up after several tries")
        raise
    except Exception as error:
        log.error("housekeeping failed: %s (%s)", run.pk, type(error).__name__)
        _end(run, claim, by, status=DreamStatus.FAILED, failure=type(error).__name__)


def fail_stranded(organisation: uuid.UUID, *, now: datetime) -> int:
    """Mark runs as failed whose job is gone for good; returns how many. Called inside acting_for."""
    count = 0
    for run in Housekeeping.objects.filter(organisation_id=organisation).exclude(status__in=OVER):
        mine = Job.objects.filter(kind=KIND, payload__run=str(run.pk))
        if not mine.filter(state__in=[JobState.QUEUED, JobState.RUNNING]).exists():
            by = _principal(organisation, Chore(run.chore))
            _close(run, by, status=DreamStatus.FAILED, failure="its worker died too often", now=now)
            count += 1
    return count


def _run(run: Housekeeping, claim: jobs.Claim, by: Principal) -> None:
    chore, report = Chore(run.chore), Report(Chore(run.chore))
    now, place = run.as_of or timezone.now(), run.place
    until = monotonic() + conf.DREAM_SLICE.total_seconds()
    while batch := _due(chore, by, now=now, after=place):
        for place in batch:
            if monotonic() > until and claim.payload.get("whole") != "yes":
                _go_on_later(claim, by)
                return
            try:
                _see_to(place, run, claim, by, now=now)
            except _PASSING:
                raise
            except Exception as error:  # one must not keep the others waiting; the next night tries it again
                log.error("housekeeping left one out: %s %s (%s)", chore, place, type(error).__name__)
                report.faults[type(error).__name__] += 1
        if len(batch) < BATCH:
            break
    _end(run, claim, by, status=DreamStatus.DONE, failure=report.failure)


def _see_to(one: uuid.UUID, run: Housekeeping, claim: jobs.Claim, by: Principal, *, now: datetime) -> None:
    """One subject or agent, some of it at a time; each time all or nothing."""
    more = True
    while more:
        with acting_for(by, subjects=ALL_SUBJECTS):
            done, more = WORK[Chore(run.chore)].tend(one, by=by, now=now)
            row = Housekeeping.objects.get(pk=run.pk)
            report = Report(Chore(run.chore), counts=Counter(row.counts), deeds=list(row.lines))
            report.note(done)
            row.counts, row.lines = dict(report.counts), report.deeds
            if not more:
                row.seen, row.place = row.seen + 1, one
            row.save(update_fields=["counts", "lines", "seen", "place"])
            claim.hold()


def _tend_all(chore: Chore, one: uuid.UUID, *, by: Principal, now: datetime) -> list[Did]:
    done: list[Did] = []
    more = True
    while more:
        some, more = WORK[chore].tend(one, by=by, now=now)
        done += some
    return done


def _due(chore: Chore, by: Principal, *, now: datetime, after: uuid.UUID | None) -> list[uuid.UUID]:
    with acting_for(by, subjects=ALL_SUBJECTS):
        return WORK[chore].due(organisation=by.organisation, now=now, after=after)


def _go_on_later(claim: jobs.Claim, by: Principal) -> None:
    """End this slice: the same run goes on as another job, from where it is."""
    with acting_for(by, subjects=ALL_SUBJECTS):
        jobs.enqueue(KIND, organisation=claim.organisation, now=timezone.now(), payload=claim.payload)
        claim.hold()


def _new(chore: Chore, *, by: Principal, now: datetime, as_of: datetime | None) -> Housekeeping:
    run = Housekeeping.objects.create(
        organisation_id=by.organisation, chore=chore, requested_by=by.label[:100], created_at=now, as_of=as_of
    )
    audit.record(by=by, now=now, action="housekeeping.request", object_kind=KIND, object_id=run.pk, reason=chore)
    return run


def _end(run: Housekeeping, claim: jobs.Claim, by: Principal, *, status: DreamStatus, failure: str) -> None:
    with acting_for(by, subjects=ALL_SUBJECTS):
        _close(run, by, status=status, failure=failure, now=timezone.now())
        claim.hold()


def _close(run: Housekeeping, by: Principal, *, status: DreamStatus, failure: str, now: datetime) -> None:
    Housekeeping.objects.filter(pk=run.pk).exclude(status__in=OVER).update(
        status=status, finished_at=now, failure=failure[:200]
    )
    verb = "finish" if status == DreamStatus.DONE else "fail"
    audit.record(
        by=by, now=now, action=f"housekeeping.{verb}", object_kind=KIND, object_id=run.pk,
        reason="incomplete" if failure and status == DreamStatus.DONE else "",
    )  # fmt: skip


def _principal(organisation: uuid.UUID, chore: Chore) -> Principal:
    return system_principal(organisation, f"{KIND}:{chore}")
