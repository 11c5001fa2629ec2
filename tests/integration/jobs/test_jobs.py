"""Named once, claimed by one, ended by whoever holds it (security.md section 7)."""

import threading
from collections.abc import Callable
from datetime import datetime, timedelta
from typing import Any

import pytest
from django.db import connection, transaction
from django.utils import timezone
from django.utils.module_loading import import_string

from memoryhub import conf, jobs
from memoryhub.errors import LeaseLost
from memoryhub.models import Job
from memoryhub.tenancy import ALL_SUBJECTS, acting_for, system_principal
from memoryhub.vocabulary import JobState
from tests.factories.ground import NOW, Ground, make_ground

KIND = "trial"
TRIALS = frozenset({KIND})

ran: list[str] = []
behaviour: dict[str, Callable[[jobs.Claim], None]] = {}


def handler(claim: jobs.Claim) -> None:
    """What the trial job does: notes that it ran, then whatever the test wants."""
    ran.append(claim.payload.get("name", ""))
    behaviour.get("do", lambda _: None)(claim)


@pytest.fixture(autouse=True)
def _trial(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(jobs.HANDLERS, KIND, f"{__name__}.handler")
    monkeypatch.setattr(
        jobs, "import_string", lambda path: handler if path.endswith(".handler") else import_string(path)
    )
    ran.clear()
    behaviour.clear()


def enqueue(ground: Ground, name: str = "", **options: Any) -> None:
    with acting_for(ground.as_hub, subjects=ALL_SUBJECTS):
        jobs.enqueue(
            KIND, organisation=ground.organisation.pk, now=options.pop("now", NOW), payload={"name": name}, **options
        )


def the_job(ground: Ground) -> Job:
    with acting_for(ground.as_hub, subjects=ALL_SUBJECTS):
        return Job.objects.get(kind=KIND)


@pytest.mark.django_db
class TestOneJob:
    def test_it_runs_once_and_is_done(self) -> None:
        ground = make_ground()
        enqueue(ground, "one")
        assert jobs.run_one(now=NOW, kinds=TRIALS)
        assert not jobs.run_one(now=NOW, kinds=TRIALS)
        assert ran == ["one"]
        job = the_job(ground)
        assert (job.state, job.attempts, job.lease_until, job.finished_at is not None) == (JobState.DONE, 1, None, True)

    def test_it_exists_only_if_what_it_is_about_exists(self) -> None:
        ground = make_ground()
        with transaction.atomic():
            enqueue(ground)
            transaction.set_rollback(True)
        assert not jobs.run_one(now=NOW, kinds=TRIALS)

    def test_what_is_not_due_waits(self) -> None:
        ground = make_ground()
        enqueue(ground, run_after=NOW + timedelta(minutes=5))
        assert not jobs.run_one(now=NOW, kinds=TRIALS)
        assert jobs.run_one(now=NOW + timedelta(minutes=5), kinds=TRIALS)

    def test_the_oldest_due_comes_first(self) -> None:
        ground = make_ground()
        enqueue(ground, "later", now=NOW)
        enqueue(ground, "sooner", now=NOW - timedelta(minutes=1))
        assert jobs.run_one(now=NOW, kinds=TRIALS)
        assert ran == ["sooner"]

    def test_an_unknown_kind_is_an_error_at_once(self) -> None:
        ground = make_ground()
        with pytest.raises(ValueError, match="no job called"):
            jobs.enqueue("nothing", organisation=ground.organisation.pk, now=NOW)
        with pytest.raises(ValueError, match="no job called"):
            jobs.start("nothing", organisation=ground.organisation.pk, now=NOW, payload={})

    def test_every_handler_can_be_imported(self) -> None:
        assert all(callable(import_string(path)) for kind, path in jobs.HANDLERS.items() if kind != KIND)

    def test_the_same_word_waits_once_but_may_be_named_again_while_it_runs(self) -> None:
        ground = make_ground()
        enqueue(ground, "a", dedupe="same")
        enqueue(ground, "b", dedupe="same")
        enqueue(ground, "c", dedupe="other")
        claim = jobs.claim_next(now=NOW, kinds=TRIALS)
        assert claim is not None
        enqueue(ground, "d", dedupe="same")
        with acting_for(ground.as_hub, subjects=ALL_SUBJECTS):
            waiting = Job.objects.filter(kind=KIND, state=JobState.QUEUED).values_list("payload__name", flat=True)
            assert sorted(waiting) == ["c", "d"]

    def test_the_same_word_in_another_organisation_is_another_job(self) -> None:
        for ground in (make_ground(), make_ground()):
            enqueue(ground, dedupe="same")
        assert jobs.run_one(now=NOW, kinds=TRIALS)
        assert jobs.run_one(now=NOW, kinds=TRIALS)

    def test_a_failing_job_is_tried_again_later_and_parked_in_the_end(self) -> None:
        def fails(_: jobs.Claim) -> None:
            raise ZeroDivisionError("with a secret in it")

        behaviour["do"] = fails
        ground = make_ground()
        enqueue(ground)
        pauses = []
        now = timezone.now()  # when it is tried again is counted from the present
        for _ in range(conf.JOB_CLAIMS - 1):
            assert jobs.run_one(now=now, kinds=TRIALS)
            job = the_job(ground)
            assert (job.state, job.last_error) == (JobState.QUEUED, "ZeroDivisionError")
            pauses.append(job.run_after - timezone.now())
            now += timedelta(hours=1)
        assert pauses == sorted(pauses)
        assert pauses[0] > timedelta(seconds=5)
        assert jobs.run_one(now=now, kinds=TRIALS)
        job = the_job(ground)
        assert (job.state, job.attempts, job.last_error) == (JobState.PARKED, conf.JOB_CLAIMS, "ZeroDivisionError")
        assert not jobs.run_one(now=now + timedelta(days=9), kinds=TRIALS)

    def test_one_that_kills_its_worker_is_parked_after_three_claims(self) -> None:
        ground = make_ground()
        enqueue(ground)
        now = NOW
        for attempt in range(1, conf.JOB_CLAIMS + 1):
            claim = jobs.claim_next(now=now, kinds=TRIALS)
            assert claim is not None
            assert claim.token == attempt
            now += conf.JOB_LEASE + timedelta(seconds=1)
        assert jobs.claim_next(now=now, kinds=TRIALS) is None
        assert the_job(ground).state == JobState.PARKED

    def test_nobody_takes_a_job_while_its_lease_lasts(self) -> None:
        ground = make_ground()
        enqueue(ground)
        assert jobs.claim_next(now=NOW, kinds=TRIALS)
        assert jobs.claim_next(now=NOW + conf.JOB_LEASE - timedelta(seconds=1), kinds=TRIALS) is None
        assert jobs.claim_next(now=NOW + conf.JOB_LEASE + timedelta(seconds=1), kinds=TRIALS)

    def test_a_clock_that_is_put_back_makes_nothing_wait_until_it_is_that_late_again(self) -> None:
        ground = make_ground()
        enqueue(ground, now=NOW + timedelta(hours=7))
        claim = jobs.claim_next(now=NOW, kinds=TRIALS)  # named before, for at once
        assert claim is not None
        with acting_for(ground.as_hub, subjects=ALL_SUBJECTS):
            Job.objects.filter(pk=claim.id).update(lease_until=NOW + timedelta(hours=7))  # held before, by somebody
        again = jobs.claim_next(now=NOW, kinds=TRIALS)
        assert again is not None
        assert again.token == claim.token + 1
        enqueue(ground, run_after=NOW + timedelta(hours=7))
        assert jobs.claim_next(now=NOW, kinds=TRIALS) is None  # for later, as it was meant

    def test_whoever_lost_the_lease_neither_commits_nor_ends_the_job(self) -> None:
        ground = make_ground()
        enqueue(ground)
        slow = jobs.claim_next(now=NOW, kinds=TRIALS)
        quick = jobs.claim_next(now=NOW + conf.JOB_LEASE * 2, kinds=TRIALS)
        assert slow is not None
        assert quick is not None
        with acting_for(ground.as_hub, subjects=ALL_SUBJECTS):
            quick.hold()
            with pytest.raises(LeaseLost):
                slow.hold()
        behaviour["do"] = lambda claim: held(claim)
        jobs.run(slow)
        job = the_job(ground)
        assert (job.state, job.attempts) == (JobState.RUNNING, 2)
        jobs.run(quick)
        assert the_job(ground).state == JobState.DONE

    def test_a_finished_job_can_not_be_held(self) -> None:
        ground = make_ground()
        enqueue(ground)
        claim = jobs.claim_next(now=NOW, kinds=TRIALS)
        assert claim is not None
        jobs.run(claim)
        with acting_for(ground.as_hub, subjects=ALL_SUBJECTS), pytest.raises(LeaseLost):
            claim.hold()

    def test_a_started_job_is_held_from_its_first_moment(self) -> None:
        ground = make_ground()
        with acting_for(ground.as_hub, subjects=ALL_SUBJECTS):
            claim = jobs.start(KIND, organisation=ground.organisation.pk, now=NOW, payload={"name": "own"})
        assert jobs.claim_next(now=NOW, kinds=TRIALS) is None
        jobs.run(claim)
        assert ran == ["own"]
        assert the_job(ground).state == JobState.DONE

    def test_a_job_of_another_organisation_is_not_in_sight(self) -> None:
        ground, other = make_ground(), make_ground()
        enqueue(ground)
        with acting_for(other.as_hub, subjects=ALL_SUBJECTS):
            assert not Job.objects.exists()

    def test_a_wake_up_ends_in_time_and_leaves_the_rest_to_the_next(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(conf, "WAKE_FOR", timedelta(seconds=-1))
        ground = make_ground()
        for name in ("one", "two"):
            enqueue(ground, name, now=timezone.now() - timedelta(days=9000))
        assert [jobs.wake(), jobs.wake()] == [1, 1]
        assert ran == ["one", "two"]

    def test_a_worker_is_silent_until_it_wakes(self) -> None:
        assert jobs.worker_silent(now=NOW + timedelta(days=9))  # a job that was held long may have left a beat
        jobs.beat(now=NOW)
        assert not jobs.worker_silent(now=NOW + conf.WORKER_SILENT_AFTER)
        assert jobs.worker_silent(now=NOW + conf.WORKER_SILENT_AFTER + timedelta(seconds=1))


def held(claim: jobs.Claim) -> None:
    with acting_for(system_principal(claim.organisation, "test"), subjects=ALL_SUBJECTS):
        claim.hold()


@pytest.mark.usefixtures("committed_db")
class TestManyWorkers:
    def test_each_job_is_run_by_one_of_them(self) -> None:
        ground = make_ground()
        names = [f"job-{number}" for number in range(20)]
        for name in names:
            enqueue(ground, name, now=timezone.now())

        def work() -> None:
            try:
                while jobs.run_one(now=timezone.now(), kinds=TRIALS):
                    pass
            finally:
                connection.close()

        workers = [threading.Thread(target=work) for _ in range(4)]
        for worker in workers:
            worker.start()
        for worker in workers:
            worker.join(600)
        assert sorted(ran) == sorted(names)

    def test_a_long_job_keeps_its_lease_by_its_heartbeat(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(conf, "JOB_HEARTBEAT", timedelta(milliseconds=10))
        ground = make_ground()
        enqueue(ground, now=timezone.now())
        claimed: list[object] = []
        pause = threading.Event()

        def lease() -> datetime:
            until = the_job(ground).lease_until
            assert until is not None
            return until

        def works_long(_: jobs.Claim) -> None:
            for _ in range(3):
                ends, looks = lease(), 0
                while lease() <= ends and looks < 6000:  # a heart beats, sooner or later
                    pause.wait(0.01)
                    looks += 1
                # when it would have ended without that, nobody gets the job
                claimed.append(jobs.claim_next(now=ends + timedelta(microseconds=1), kinds=TRIALS))

        behaviour["do"] = works_long
        assert jobs.run_one(now=timezone.now(), kinds=TRIALS)
        assert claimed == [None, None, None]
        assert the_job(ground).state == JobState.DONE
