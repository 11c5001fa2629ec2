"""How does a night go? Everything pending, session by session, oldest first; then lessons, then pruning (R70–R76).

One transaction per session holds the facts, the summary, the stamps on the events and the lines of the report, and ends
with the job's fence: a kill leaves all of a session or nothing, and whoever lost the lease commits nothing. One dream
runs per organisation; the next waits. Running it again, or twice at once, changes nothing (R75).
"""

import hashlib
import logging
import traceback
import uuid
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import replace
from datetime import datetime, timedelta
from itertools import chain
from pathlib import Path
from time import monotonic, sleep
from typing import Final

from django.db import DatabaseError, InterfaceError, OperationalError, connection
from django.db.models import Count, F, QuerySet
from django.utils import timezone

from accounts.models import Agent
from memoryhub import conf, jobs
from memoryhub.dreams import backlog, facts, lessons, summaries
from memoryhub.errors import AuditUnavailable, LeaseLost
from memoryhub.governance import audit, intake
from memoryhub.governance.procedures import hold_lessons
from memoryhub.governance.reconciliation import lock
from memoryhub.models import Dream, DreamOperation, Event, Job, Session
from memoryhub.tenancy import ALL_SUBJECTS, Principal, acting_for, system_principal
from memoryhub.vocabulary import DreamStatus, JobState, Store
from memoryhub.working import hours

log = logging.getLogger(__name__)

KIND: Final = "dream"
WAIT: Final = timedelta(seconds=5)  # before a dream that found another one running looks again
LOOK_AGAIN: Final = 0.2  # seconds, in the process that waits
PLACES: Final = 3  # of the way an error came, told in the log
PRUNED_AT_ONCE: Final = 500  # events of one transaction

_UNFINISHED: Final = (DreamStatus.QUEUED, DreamStatus.RUNNING)

#: Faults of the surroundings: the job is tried again, the dream goes on where it was.
_PASSING = (LeaseLost, OperationalError, InterfaceError, AuditUnavailable)


def request(*, by: Principal, now: datetime, agent: uuid.UUID | None = None) -> Dream:
    """Ask for a dream over everything pending, of one agent or of all; a worker runs it. Called inside acting_for."""
    dream = Dream.objects.create(
        organisation_id=by.organisation, agent_id=agent, requested_by=by.label[:100], created_at=now
    )
    jobs.enqueue(KIND, organisation=by.organisation, now=now, payload={"dream": str(dream.pk)})
    audit.record(by=by, now=now, action="dream.request", object_kind="dream", object_id=dream.pk)
    return dream


def dream_now(*, organisation: uuid.UUID, now: datetime, agent: uuid.UUID | None = None) -> Dream:
    """Run one dream to its end in this process; one that runs is waited for, a stranded one finished first."""
    by = system_principal(organisation, KIND)
    while True:
        with acting_for(by, subjects=ALL_SUBJECTS):
            running = _running(organisation, now=timezone.now())
            if running is None:
                dream = Dream.objects.create(
                    organisation_id=organisation, agent_id=agent, requested_by=by.label, created_at=now
                )
                audit.record(by=by, now=now, action="dream.request", object_kind="dream", object_id=dream.pk)
                payload = {"dream": str(dream.pk), "whole": "yes"}
                claim = jobs.start(KIND, organisation=organisation, now=timezone.now(), payload=payload)
        if running is None:
            break
        _lend_a_hand()
    jobs.run(claim)
    while True:
        with acting_for(by, subjects=ALL_SUBJECTS):
            dream = Dream.objects.get(pk=dream.pk)
        if dream.status in (DreamStatus.DONE, DreamStatus.FAILED):
            return dream
        _lend_a_hand()


def run_job(claim: jobs.Claim) -> None:
    """Run the dream a job is about; named again for later while another one runs, left alone when it is over."""
    by = system_principal(claim.organisation, KIND)
    dream = _begin(claim, by)
    if dream is None:
        return
    try:
        _run(dream, claim, by)
    except _PASSING:
        _clear_its_name(dream, claim, by)
        if claim.token >= conf.JOB_CLAIMS:
            _fail(dream, claim, by, failure="gave up after several tries")
        raise
    except Exception as error:
        log.error("the dream %s failed: %s", dream.pk, _told_of(error))
        _fail(dream, claim, by, failure=type(error).__name__)


def _begin(claim: jobs.Claim, by: Principal) -> Dream | None:
    """Mark the dream as running, or None when it is over, gone, or another one runs."""
    now = timezone.now()
    with acting_for(by, subjects=ALL_SUBJECTS):
        claim.hold()
        running = _running(claim.organisation, now=now, but=claim.payload["dream"])
        dream = Dream.objects.select_for_update(of=("self",)).filter(pk=claim.payload["dream"]).first()
        if dream is None or dream.status in (DreamStatus.DONE, DreamStatus.FAILED):
            return None
        if running is not None:
            jobs.enqueue(KIND, organisation=claim.organisation, now=now, payload=claim.payload, run_after=now + WAIT)
            return None
        if dream.status == DreamStatus.QUEUED:
            dream.status, dream.started_at = DreamStatus.RUNNING, now
            dream.sessions_total = dream.sessions_done + backlog.count(dream, now=now)
            dream.save(update_fields=["status", "started_at", "sessions_total"])
            audit.record(by=by, now=now, action="dream.start", object_kind="dream", object_id=dream.pk)
        elif dream.at_session is not None:  # whoever ran it before died there: the others first
            log.error("a worker died while it read a session: %s", dream.at_session)
            backlog.note_failure(dream.at_session, backlog.DIED, now=now)
            Dream.objects.filter(pk=dream.pk).update(at_session=None)
        return dream


def _running(organisation: uuid.UUID, *, now: datetime, but: str = "") -> Dream | None:
    """The dream that runs in this organisation, locked; one whose job is gone for good is marked as failed."""
    _one_at_a_time(organisation)
    for dream in Dream.objects.filter(organisation_id=organisation, status=DreamStatus.RUNNING):
        if str(dream.pk) == but:
            continue
        if _has_a_job(dream):
            return dream
        if dream.at_session is not None:
            backlog.note_failure(dream.at_session, backlog.DIED, now=now)
        _mark_dead(dream, now=now)
    return None


def _has_a_job(dream: Dream) -> bool:
    """Whether a worker runs it, or will."""
    mine = Job.objects.filter(kind=KIND, payload__dream=str(dream.pk))
    return mine.filter(state__in=[JobState.QUEUED, JobState.RUNNING]).exists()


def _mark_dead(dream: Dream, *, now: datetime) -> None:
    """Nobody runs it any more: say so."""
    Dream.objects.filter(pk=dream.pk).update(
        status=DreamStatus.FAILED, finished_at=now, failure="its worker died too often", at_session=None
    )
    by = system_principal(dream.organisation_id, KIND)
    audit.record(by=by, now=now, action="dream.fail", object_kind="dream", object_id=dream.pk)


def _one_at_a_time(organisation: uuid.UUID) -> None:
    """Let no two dreams of an organisation begin at the same moment; held until the transaction ends."""
    number = int.from_bytes(hashlib.blake2b(KIND.encode() + organisation.bytes, digest_size=8).digest(), signed=True)
    with connection.cursor() as cursor:
        cursor.execute("SELECT pg_advisory_xact_lock(%s)", [number])


def _lend_a_hand() -> None:
    """Wait a moment for a dream that somebody runs; run it here when its worker is gone."""
    if not jobs.run_one(now=timezone.now(), kinds=frozenset({KIND})):
        sleep(LOOK_AGAIN)


def _run(dream: Dream, claim: jobs.Claim, by: Principal) -> None:
    with acting_for(by, subjects=ALL_SUBJECTS):
        agents = list(Agent.objects.filter(**({"pk": dream.agent_id} if dream.agent_id else {})).order_by("pk"))
        once_more = backlog.died_once(dream)
    until = monotonic() + conf.DREAM_SLICE.total_seconds()
    for session, owner in chain(backlog.sessions(dream, by=by, now=timezone.now()), once_more):
        if monotonic() > until and not _is_whole(claim):
            _go_on_later(claim, by)
            return
        _look_at(session, dream, claim, by)
        try:
            _consolidate(session, replace(by, agent=owner), dream, claim)
        except _PASSING:
            raise
        except Exception as error:  # one session must not keep the others waiting; its events stay pending
            log.error("a session could not be consolidated: %s: %s", session, _told_of(error))
            _leave(session, type(error).__name__, dream, claim, by)
    for agent in agents:
        _learn(agent, dream, claim, replace(by, agent=agent.pk))
    _tidy_up(claim, by)
    _finish(dream, claim, by)


def _told_of(error: BaseException) -> str:
    """What may stand in a log: the class of an error and the places it came through; never its text."""
    ours = Path(__file__).parents[1]
    frames = [(Path(frame.filename), frame.lineno) for frame in traceback.extract_tb(error.__traceback__)]
    own = [f"{path.relative_to(ours)}:{line}" for path, line in frames if path.is_relative_to(ours)]
    return " < ".join([type(error).__name__, *reversed(own[-PLACES:])])


def _is_whole(claim: jobs.Claim) -> bool:
    """Whether the process that asked for the dream does all of it itself, as the command does."""
    return claim.payload.get("whole") == "yes" and claim.token == 1


def _go_on_later(claim: jobs.Claim, by: Principal) -> None:
    """End this slice: the same dream goes on as another job, from where it is."""
    with acting_for(by, subjects=ALL_SUBJECTS):
        jobs.enqueue(KIND, organisation=claim.organisation, now=timezone.now(), payload=claim.payload)
        claim.hold()


def _look_at(session: uuid.UUID, dream: Dream, claim: jobs.Claim, by: Principal) -> None:
    """Note which session is read now: if this worker dies in it, the next one knows. The note goes with the session's
    own transaction."""
    with acting_for(by, subjects=ALL_SUBJECTS):
        Dream.objects.filter(pk=dream.pk).update(at_session=session)
        claim.hold()


def _clear_its_name(dream: Dream, claim: jobs.Claim, by: Principal) -> None:
    """It was the database's fault, not the session's; said as far as the database lets us."""
    with suppress(*_PASSING, DatabaseError), acting_for(by, subjects=ALL_SUBJECTS):
        claim.hold()
        Dream.objects.filter(pk=dream.pk).update(at_session=None)


def _leave(session: uuid.UUID, error: str, dream: Dream, claim: jobs.Claim, by: Principal) -> None:
    """Note that a session could not be read; its events stay pending."""
    with acting_for(by, subjects=ALL_SUBJECTS):
        backlog.note_failure(session, error, now=timezone.now())
        Dream.objects.filter(pk=dream.pk).update(at_session=None)
        claim.hold()


def _consolidate(session_id: uuid.UUID, by: Principal, dream: Dream, claim: jobs.Claim) -> None:
    """One session, all or nothing: facts, summary, stamps, report lines, progress, and the fence last."""
    now = timezone.now()
    proposals = summaries.proposed(session_id, by=by)
    with acting_for(by, subjects=ALL_SUBJECTS):
        if (about := Session.objects.filter(pk=session_id).values_list("subject", flat=True).first()) is not None:
            lock(about)
        events = list(
            Event.objects.select_for_update(of=("self",))
            .filter(session_id=session_id, consolidated_at__isnull=True)
            .select_related("speaker")
            .order_by("occurred_at", "received_at", "id")
        )
        if events:
            session = Session.objects.select_related("subject", "organisation", "agent").get(pk=session_id)
            told = facts.reconcile(session=session, events=events, by=by, now=now)
            _note(dream, Store.SEMANTIC, told, session)
            told_as = summaries.summarise(session=session, by=by, now=now, proposals=proposals)
            _note(dream, Store.EPISODIC, [told_as] if told_as else [], session)
            Event.objects.filter(pk__in=[event.pk for event in events]).update(consolidated_at=now, dream=dream)
            backlog.note_success(session_id)
        Dream.objects.filter(pk=dream.pk).update(
            sessions_done=F("sessions_done") + int(bool(events)), events=F("events") + len(events), at_session=None
        )
        claim.hold()


def _note(dream: Dream, store: Store, results: Sequence[intake.Result], session: Session) -> None:
    DreamOperation.objects.bulk_create(
        DreamOperation(
            organisation_id=dream.organisation_id, dream=dream, subject_id=session.subject_id, store=store,
            op=result.op, reason=result.reason, session_ref=session.external_id, entry=result.entry,
        )
        for result in results
    )  # fmt: skip


def _learn(agent: Agent, dream: Dream, claim: jobs.Claim, by: Principal) -> None:
    now = timezone.now()
    with acting_for(by, subjects=ALL_SUBJECTS):
        hold_lessons(by.organisation, learning=True)  # what it reads may be erased meanwhile
        outcomes = lessons.learn(agent=agent, dream=dream, by=by, now=now)
        DreamOperation.objects.bulk_create(
            DreamOperation(
                organisation_id=dream.organisation_id, dream=dream, store=Store.PROCEDURAL, op=outcome.op,
                reason=outcome.reason, skill=outcome.skill,
            )
            for outcome in outcomes
        )  # fmt: skip
        claim.hold()


def to_prune(*, now: datetime) -> QuerySet[Event]:
    """Events read so long ago that they go (R74)."""
    return Event.objects.filter(consolidated_at__lt=now - conf.EVENT_KEPT)


def _tidy_up(claim: jobs.Claim, by: Principal) -> None:
    """Prune what was read conf.EVENT_KEPT ago (R74: an unread event never), and working memory past its hours (R50)."""
    while True:
        now = timezone.now()
        with acting_for(by, subjects=ALL_SUBJECTS):
            old = to_prune(now=now).order_by("consolidated_at")
            batch = list(old.values_list("pk", flat=True)[:PRUNED_AT_ONCE])
            Event.objects.filter(pk__in=batch).delete()
            if len(batch) < PRUNED_AT_ONCE:
                hours.forget_expired(now=now)
            claim.hold()
        if len(batch) < PRUNED_AT_ONCE:
            return


def _finish(dream: Dream, claim: jobs.Claim, by: Principal) -> None:
    """Say that the dream is over. Sessions that failed for their own sake are counted and stay pending for the next
    one; the rest of the night was done, so neither this dream nor those after it failed.
    """
    now = timezone.now()
    with acting_for(by, subjects=ALL_SUBJECTS):
        failed = backlog.failed_in(dream)
        read = Event.objects.filter(dream=dream)
        counted = read.aggregate(sessions=Count("session", distinct=True))["sessions"]
        of = counted + len(failed)
        names = ", ".join(dict.fromkeys(failed))
        failure = f"{len(failed)} of {of} sessions could not be read ({names})" if failed else ""
        Dream.objects.filter(pk=dream.pk, status=DreamStatus.RUNNING).update(
            status=DreamStatus.DONE, finished_at=now, failure=failure[:200], sessions_done=counted, sessions_total=of,
        )  # fmt: skip
        audit.record(
            by=by, now=now, action="dream.finish", object_kind="dream", object_id=dream.pk,
            reason="incomplete" if failed else "",
        )  # fmt: skip
        claim.hold()
    jobs.poke()


def revive(organisation: uuid.UUID, *, now: datetime) -> int:
    """Mark dreams as failed whose job is gone for good, and ask for another where something still waits; how many.
    One that was asked for so is not followed by another: the next by the clock tries again. Called inside acting_for.
    """
    _one_at_a_time(organisation)
    count, again = 0, False
    for dream in Dream.objects.filter(organisation_id=organisation, status__in=_UNFINISHED).order_by("created_at"):
        if _has_a_job(dream):
            continue
        if dream.at_session is not None:
            backlog.note_failure(dream.at_session, backlog.DIED, now=now)
        _mark_dead(dream, now=now)
        count += 1
        again = again or dream.requested_by != backlog.BY_ITSELF[1]
    unfinished = Dream.objects.filter(organisation_id=organisation, status__in=_UNFINISHED)
    if again and not unfinished.exists() and backlog.pending(organisation, now=now).exists():
        request(by=system_principal(organisation, "stranded"), now=now)
    return count


def _fail(dream: Dream, claim: jobs.Claim, by: Principal, *, failure: str) -> None:
    """Say that the dream ended badly; what it finished stays, what it did not reach stays pending."""
    now = timezone.now()
    with acting_for(by, subjects=ALL_SUBJECTS):
        claim.hold()  # a worker that lost the dream has no say in how it ended
        Dream.objects.filter(pk=dream.pk, status=DreamStatus.RUNNING).update(
            status=DreamStatus.FAILED, finished_at=now, failure=failure[:200]
        )
        audit.record(by=by, now=now, action="dream.fail", object_kind="dream", object_id=dream.pk)
