"""Jobs: what waits, runs and was given up, and trying again (security.md section 7)."""

import uuid
from typing import Final

from django.db.models import Count
from django.http import HttpResponse
from django.urls import reverse
from django.utils import timezone
from django.views.decorators.http import require_POST, require_safe

from curation.fragments import done, page
from curation.paging import rows_after
from curation.refusals import check_page
from curation.visitor import PageRequest
from memoryhub.dreams import upkeep
from memoryhub.models import Job
from memoryhub.permissions import can_do
from memoryhub.tenancy import ALL_SUBJECTS, acting_for
from memoryhub.vocabulary import JobState

READERS = "Jobs are for operators, curators and auditors of this organisation."
OPERATORS = "Only an operator tries a job again."

#: What each kind of job does, for whoever does not know its name.
WORK: Final = {
    "dream": "read finished conversations",
    "seal_reads": "bind reads into the audit trail",
    "embed": "make entries findable by meaning",
    "reembed": "follow another embedding model",
    "crowd": "arrange a subject with very many entries",
    "housekeeping": "keep house among the memories",
    "end_sessions": "clear working memory that ran out",
    "notify": "tell a webhook what happened",
    "digest": "write to a curator what waits",
}


@require_safe
def job_list(request: PageRequest) -> HttpResponse:
    """The jobs of one state, newest first, and how many there are of each."""
    check_page(request.principal, "read_dreams", sentence=READERS)
    now, organisation = timezone.now(), request.principal.organisation
    state = request.GET.get("state", "")
    with acting_for(request.principal, subjects=ALL_SUBJECTS):
        rows = Job.objects.filter(organisation_id=organisation)
        counted = dict(rows.values_list("state").annotate(Count("pk")).order_by())
        if state not in JobState.values:
            state = ""
        chosen = rows.filter(state=state) if state else rows
        paged = rows_after(
            chosen.order_by("-created_at", "-id"), request.GET.get("after", ""), field="created_at", newest_first=True
        )
        context = {
            "section": "jobs",
            "tabs": [(one.value, one.label, counted.get(one.value, 0)) for one in JobState],
            "total": sum(counted.values()),
            "state": state,
            "jobs": [(job, WORK.get(job.kind, job.kind), job.kind in upkeep.REPORTED) for job in paged.rows],
            "after": paged.after,
            "now": now,
            "may_retry": can_do(request.principal, "dream"),
        }
    with timezone.override(request.visitor.zone_of()):
        return page(request, "curation/jobs/list.html", context)


@require_POST
def retry_job(request: PageRequest, job_id: uuid.UUID) -> HttpResponse:
    """A parked job is tried again, as if it were new."""
    check_page(request.principal, "dream", sentence=OPERATORS)
    with acting_for(request.principal, subjects=ALL_SUBJECTS):
        upkeep.retry(job_id=job_id, by=request.principal, now=timezone.now())
    return done(request, "The job is tried again.", url=reverse("curation:job-list"))
