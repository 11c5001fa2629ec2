"""When is a session over for good? Working memory lives hours, also where no dream ever runs (R50).

A session is shown as empty from the minute its hours are over; its words are removed by a job that is named at its
first use and names itself again while any session runs.
"""

import uuid
from datetime import datetime
from typing import Final

from django.utils import timezone

from memoryhub import conf, jobs
from memoryhub.models import Offload, Session, Turn
from memoryhub.tenancy import ALL_SUBJECTS, acting_for, system_principal

JOB: Final = "end_sessions"


def end_in_time(session: Session, *, now: datetime) -> None:
    """Name the job that removes what is over; one that waits already is enough."""
    _name(session.organisation_id, at=session.expires_at, now=now)


def run_job(claim: jobs.Claim) -> None:
    """Remove what is over in this organisation, and come back when the next session may be."""
    by = system_principal(claim.organisation, "sessions")
    while True:
        now = timezone.now()
        with acting_for(by, subjects=ALL_SUBJECTS):
            ended = forget_expired(now=now)
            if ended < conf.EXPIRED_AT_ONCE:
                running = Session.objects.filter(ended_at__isnull=True).order_by("expires_at")
                following = running.values_list("expires_at", flat=True).first()
                if following is not None:
                    _name(claim.organisation, at=max(following, now + conf.SESSIONS_ENDED_EVERY), now=now)
                return
            claim.hold()


def forget_expired(*, now: datetime) -> int:
    """Remove the working memory of sessions past their hours, within the caller's sight; returns how many."""
    over = Session.objects.filter(ended_at__isnull=True, expires_at__lte=now)
    count = 0
    for session in over.select_for_update(skip_locked=True, of=("self",))[: conf.EXPIRED_AT_ONCE]:
        forget(session)
        session.ended_at = session.expires_at
        session.save()
        count += 1
    return count


def forget(session: Session) -> None:
    """Empty a session's working memory; the caller saves the row."""
    Turn.objects.filter(session=session).delete()
    Offload.objects.filter(session=session).delete()
    session.state, session.current, session.compacted = {}, {}, ""


def _name(organisation: uuid.UUID, *, at: datetime, now: datetime) -> None:
    jobs.enqueue(JOB, organisation=organisation, now=now, run_after=at, dedupe="sessions")
