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
from dataclasses import replace
from datetime import datetime, timedelta
from pathlib import Path
from time import monotonic, sleep
from typing import Final

from django.db import InterfaceError, OperationalError, connection
from django.db.models import Count, F, Min
from django.utils import timezone

from accounts.models import Agent
from memoryhub import conf, jobs
from memoryhub.dreams import facts, lessons, summaries
from memoryhub.errors import AuditUnavailable, LeaseLost
from memoryhub.governance import audit, intake
from memoryhub.governance.reconciliation import lock
from memoryhub.models import Dream, DreamOperation, Event, Job, Session, Subject
from memoryhub.tenancy import ALL_SUBJECTS, Principal, acting_for, system_principal
from memoryhub.vocabulary import DreamStatus, JobState, Op, Store
from memoryhub.working import hours

log = logging.getLogger(__name__)

KIND: Final = "dream"
WAIT: Final = timedelta(seconds=5)  # before a dream that found another one running looks again
LOOK_AGAIN: Final = 0.2  # seconds, in the process that waits
PLACES: Final = 3  # of the way an error came, told in the log
PRUNED_AT_ONCE: Final = 500  # events of one transaction

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
        if claim.token >= conf.JOB_CLAIMS:
            _fail(dream, claim, by, failure="gave up after several tries")
        raise
    except Exception as error:
        log.error("the dream %s failed: %s", dream.pk, _told_of(error))
        _fail(dream, claim, by, failure=type(error).__name__)


def report(dream: Dream, *, about: Subject | None = None) -> dict[str, object]:
    """A dream as `GET /dreams/{id}` answers it (R76): progress, and what it did to each store.

    `about` narrows what it did to one subject; what was learned from several people's sessions is then left out.
    """
    shown = ("store", "op", "reason", "session_ref", "entry_id", "skill_id")
    done = DreamOperation.objects.filter(dream=dream)
    if about is not None:
        done = done.filter(subject=about)
    operations = list(done.order_by("id").values(*shown))
    counts: dict[str, dict[str, int]] = {store.value: {op.value: 0 for op in Op} for store in Store}
    for operation in operations:
        counts[operation["store"]][operation["op"]] += 1
    return {
        "id": str(dream.pk),
        "status": dream.status,
        "agent": str(dream.agent_id) if dream.agent_id else None,
        "requested_by": dream.requested_by,
        "created_at": dream.created_at,
        "started_at": dream.started_at,
        "finished_at": dream.finished_at,
        "failure": dream.failure,
        "progress": {"sessions_done": dream.sessions_done, "sessions_total": dream.sessions_total},
        "report": {
            "events": dream.events,
            "sessions": dream.sessions_done,
            **counts,
            "operations": [_line(operation) for operation in operations[: conf.REPORT_LINES]],
        },
    }


def _line(operation: dict[str, object]) -> dict[str, object]:
    about = "skill" if operation["store"] == Store.PROCEDURAL else "entry"
    target = operation[f"{about}_id"]
    return {
        "store": operation["store"],
        "op": operation["op"],
        "reason": operation["reason"],
        "session_id": operation["session_ref"],
        about: str(target) if target else None,
    }


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
            dream.sessions_total = dream.sessions_done + len(_pending_sessions(dream))
            dream.save(update_fields=["status", "started_at", "sessions_total"])
            audit.record(by=by, now=now, action="dream.start", object_kind="dream", object_id=dream.pk)
        return dream


def _running(organisation: uuid.UUID, *, now: datetime, but: str = "") -> Dream | None:
    """The dream that runs in this organisation, locked; one whose job is gone for good is marked as failed."""
    _one_at_a_time(organisation)
    for dream in Dream.objects.filter(organisation_id=organisation, status=DreamStatus.RUNNING):
        if str(dream.pk) == but:
            continue
        mine = Job.objects.filter(kind=KIND, payload__dream=str(dream.pk))
        if mine.filter(state__in=[JobState.QUEUED, JobState.RUNNING]).exists():
            return dream
        Dream.objects.filter(pk=dream.pk).update(
            status=DreamStatus.FAILED, finished_at=now, failure="its worker died too often"
        )
        by = system_principal(organisation, KIND)
        audit.record(by=by, now=now, action="dream.fail", object_kind="dream", object_id=dream.pk)
    return None


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
        sessions = _pending_sessions(dream)
        agents = list(Agent.objects.filter(**({"pk": dream.agent_id} if dream.agent_id else {})).order_by("pk"))
    failed: list[str] = []
    until = monotonic() + conf.DREAM_SLICE.total_seconds()
    for session, owner in sessions:
        if monotonic() > until and not _is_whole(claim):
            _go_on_later(claim, by)
            return
        try:
            _consolidate(session, replace(by, agent=owner), dream, claim)
        except _PASSING:
            raise
        except Exception as error:  # one session must not keep the others waiting; its events stay pending
            log.error("a session could not be consolidated: %s: %s", session, _told_of(error))
            failed.append(type(error).__name__)
    for agent in agents:
        _learn(agent, dream, claim, replace(by, agent=agent.pk))
    _tidy_up(claim, by)
    _finish(dream, claim, by, failed=failed, of=len(sessions))


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


def _pending_sessions(dream: Dream) -> list[tuple[uuid.UUID, uuid.UUID]]:
    """(session, agent) with unread events, the session that has waited longest first.

    While remembering is paused for a person, what they did before waits unread (R90).
    """
    pending = Event.objects.filter(
        organisation_id=dream.organisation_id, consolidated_at__isnull=True, subject__paused_at__isnull=True
    )
    if dream.agent_id:
        pending = pending.filter(agent_id=dream.agent_id)
    rows = pending.values("session_id", "agent_id").annotate(first=Min("occurred_at")).order_by("first", "session_id")
    return [(row["session_id"], row["agent_id"]) for row in rows]


def _consolidate(session_id: uuid.UUID, by: Principal, dream: Dream, claim: jobs.Claim) -> None:
    """One session, all or nothing: facts, summary, stamps, report lines, progress, and the fence last."""
    now = timezone.now()
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
            told_as = summaries.summarise(session=session, by=by, now=now)
            _note(dream, Store.EPISODIC, [told_as] if told_as else [], session)
            Event.objects.filter(pk__in=[event.pk for event in events]).update(consolidated_at=now, dream=dream)
        Dream.objects.filter(pk=dream.pk).update(
            sessions_done=F("sessions_done") + int(bool(events)), events=F("events") + len(events)
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
        outcomes = lessons.learn(agent=agent, dream=dream, by=by, now=now)
        DreamOperation.objects.bulk_create(
            DreamOperation(
                organisation_id=dream.organisation_id, dream=dream, store=Store.PROCEDURAL, op=outcome.op,
                reason=outcome.reason, skill=outcome.skill,
            )
            for outcome in outcomes
        )  # fmt: skip
        claim.hold()


def _tidy_up(claim: jobs.Claim, by: Principal) -> None:
    """Prune what was read conf.EVENT_KEPT ago (R74: an unread event never), and working memory past its hours (R50)."""
    while True:
        now = timezone.now()
        with acting_for(by, subjects=ALL_SUBJECTS):
            old = Event.objects.filter(consolidated_at__lt=now - conf.EVENT_KEPT).order_by("consolidated_at")
            batch = list(old.values_list("pk", flat=True)[:PRUNED_AT_ONCE])
            Event.objects.filter(pk__in=batch).delete()
            if len(batch) < PRUNED_AT_ONCE:
                hours.forget_expired(now=now)
            claim.hold()
        if len(batch) < PRUNED_AT_ONCE:
            return


def _finish(dream: Dream, claim: jobs.Claim, by: Principal, *, failed: list[str], of: int) -> None:
    """Say that the dream is over. Sessions that failed for their own sake are counted and stay pending for the next
    one; the rest of the night was done, so neither this dream nor those after it failed.
    """
    now = timezone.now()
    failure = ""
    if failed:
        failure = f"{len(failed)} of {of} sessions could not be read ({', '.join(sorted(set(failed)))})"
    with acting_for(by, subjects=ALL_SUBJECTS):
        read = Event.objects.filter(dream=dream)
        counted = read.aggregate(sessions=Count("session", distinct=True))["sessions"]
        Dream.objects.filter(pk=dream.pk, status=DreamStatus.RUNNING).update(
            status=DreamStatus.DONE,
            finished_at=now,
            failure=failure[:200],
            sessions_done=counted,
            sessions_total=counted + len(failed),
        )
        audit.record(
            by=by, now=now, action="dream.finish", object_kind="dream", object_id=dream.pk,
            reason="incomplete" if failed else "",
        )  # fmt: skip
        claim.hold()
    jobs.poke()


def _fail(dream: Dream, claim: jobs.Claim, by: Principal, *, failure: str) -> None:
    """Say that the dream ended badly; what it finished stays, what it did not reach stays pending."""
    now = timezone.now()
    with acting_for(by, subjects=ALL_SUBJECTS):
        claim.hold()  # a worker that lost the dream has no say in how it ended
        Dream.objects.filter(pk=dream.pk, status=DreamStatus.RUNNING).update(
            status=DreamStatus.FAILED, finished_at=now, failure=failure[:200]
        )
        audit.record(by=by, now=now, action="dream.fail", object_kind="dream", object_id=dream.pk)
