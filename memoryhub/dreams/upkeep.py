"""What may an operator do about what runs by itself? Ask for a job, try again what failed, and see what is stuck."""

import uuid
from datetime import datetime

from accounts.models import Organisation
from memoryhub import jobs
from memoryhub.dreams import backlog, dreamer
from memoryhub.dreams.housekeeping import runs
from memoryhub.errors import NotFound
from memoryhub.governance import audit
from memoryhub.models import Dream, Housekeeping
from memoryhub.permissions import check_may
from memoryhub.tenancy import Principal
from memoryhub.vocabulary import Chore

#: Kinds that have reports of their own: one that failed is asked for anew, its job is not run again.
REPORTED = (dreamer.KIND, runs.KIND)


def ask_for(*, chore: Chore, by: Principal, now: datetime) -> Housekeeping:
    """One job of housekeeping, unless it waits or runs already; the run. Called inside acting_for, as all of these."""
    check_may(by, "dream")
    waiting = Housekeeping.objects.filter(organisation_id=by.organisation, chore=chore).exclude(status__in=runs.OVER)
    return waiting.first() or runs.request(chore=chore, by=by, now=now)


def read_set_aside(*, by: Principal, now: datetime) -> Dream:
    """Let what no dream could read be tried again, and ask for a dream."""
    check_may(by, "dream")
    backlog.try_again(by.organisation)
    return dreamer.request(by=by, now=now)


def parked(organisation: uuid.UUID) -> int:
    """How many jobs were given up; dreams and housekeeping are told in their reports."""
    return jobs.parked(organisation).exclude(kind__in=REPORTED).count()


def retry(*, job_id: uuid.UUID, by: Principal, now: datetime) -> None:
    """Try a parked job again. Raises NotFound when it is none, another organisation's, or one with a report: that is
    asked for anew."""
    check_may(by, "dream")
    if jobs.parked(by.organisation).filter(pk=job_id, kind__in=REPORTED).exists():
        raise NotFound
    if not jobs.retry(job_id, organisation=by.organisation, now=now):
        raise NotFound
    audit.record(by=by, now=now, action="job.retry", object_kind="job", object_id=job_id)


def last_runs(organisation: uuid.UUID) -> list[tuple[Chore, Housekeeping | None]]:
    """Every job of housekeeping with the run that was asked for last."""
    rows = Housekeeping.objects.filter(organisation_id=organisation).order_by("chore", "-created_at", "-id")
    latest = {run.chore: run for run in rows.distinct("chore")}
    return [(chore, latest.get(chore.value)) for chore in Chore]


def zone_name(organisation: uuid.UUID) -> str:
    """The zone in which an organisation's times of day are."""
    return Organisation.objects.get(pk=organisation).timezone or "UTC"
