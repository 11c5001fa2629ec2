"""A dream begins by the clock, on idle, or because one was stranded; once, whatever the clock does (R70, R77)."""

import itertools
from datetime import UTC, datetime, time, timedelta
from io import StringIO
from typing import Any

import pytest
from django.core.management import CommandError, call_command
from django.utils import timezone

from memoryhub import conf, jobs
from memoryhub.dreams import backlog, dreamer, schedules
from memoryhub.errors import Invalid, NotGranted
from memoryhub.models import AuditEvent, Dream, Event, Housekeeping, Job, Schedule, Session
from memoryhub.tenancy import ALL_SUBJECTS, acting_for
from memoryhub.vocabulary import Chore, DreamStatus, JobState
from tests.factories.ground import NOW, Ground, make_ground
from tests.factories.turns import all_of, night, post

pytestmark = pytest.mark.django_db

HOUR, DAY = timedelta(hours=1), timedelta(days=1)
OFF: dict[str, Any] = {"dream_at": None, "dream_every_hours": None, "dream_idle_minutes": None, "chores_at": None}


@pytest.fixture
def ground() -> Ground:
    return make_ground()


def set_times(ground: Ground, *, now: datetime = NOW, **times: Any) -> Schedule:
    with all_of(ground):
        return schedules.change(**{**OFF, **times}, by=ground.as_operator, now=now)


def tick(ground: Ground, now: datetime) -> None:
    schedules.serve(ground.organisation.pk, now=now)


def dreams(ground: Ground) -> list[str]:
    with all_of(ground):
        return list(Dream.objects.order_by("created_at").values_list("requested_by", flat=True))


def over(ground: Ground) -> None:
    """What was asked for is done."""
    with all_of(ground):
        Dream.objects.update(status=DreamStatus.DONE)
        Job.objects.all().delete()


class TestByTheClock:
    def test_a_nightly_dream_begins_once_at_its_time_in_the_organisations_zone(self, ground: Ground) -> None:
        with all_of(ground):
            ground.organisation.timezone = "Asia/Kolkata"
            ground.organisation.save()
        post(ground, ground.subject(), "hello")
        set_times(ground, dream_at=time(2, 30))  # 21:00 UTC; it is 12:00
        for hours in (0, 1, 8.9):
            tick(ground, NOW + hours * HOUR)
        assert dreams(ground) == []
        tick(ground, NOW + 9 * HOUR)
        tick(ground, NOW + 9 * HOUR + timedelta(minutes=1))
        assert dreams(ground) == ["system:schedule"]
        over(ground)
        tick(ground, NOW + 20 * HOUR)
        assert len(dreams(ground)) == 1
        tick(ground, NOW + 33 * HOUR)
        assert len(dreams(ground)) == 2

    def test_every_so_many_hours(self, ground: Ground) -> None:
        post(ground, ground.subject(), "hello")
        set_times(ground, dream_every_hours=6)
        begun = []
        for hour in range(1, 25):
            tick(ground, NOW + hour * HOUR)
            if len(dreams(ground)) > len(begun):
                begun.append(hour)
                over(ground)
        assert [later - before for before, later in itertools.pairwise(begun)] == [6, 6, 6]

    def test_where_nothing_waits_nothing_is_asked_for(self, ground: Ground) -> None:
        set_times(ground, dream_at=time(2, 30))
        tick(ground, NOW + DAY)
        assert dreams(ground) == []

    def test_old_events_are_pruned_by_the_clock_although_no_turn_comes_in_any_more(self, ground: Ground) -> None:
        post(ground, ground.subject(), "hello")
        night(ground)
        set_times(ground, dream_at=time(2, 30))
        with all_of(ground):
            Event.objects.update(consolidated_at=NOW - conf.EVENT_KEPT - DAY)
        tick(ground, NOW + DAY)
        assert dreams(ground)[-1] == "system:schedule"

    @pytest.mark.parametrize("jump", [365 * DAY, -365 * DAY])
    def test_a_clock_that_jumps_begins_one_dream_and_no_more(self, ground: Ground, jump: timedelta) -> None:
        post(ground, ground.subject(), "hello")
        set_times(ground, dream_at=time(2, 30))
        tick(ground, NOW + jump)
        assert len(dreams(ground)) == 1
        over(ground)
        for minutes in range(5):
            tick(ground, NOW + jump + timedelta(minutes=minutes))
        assert len(dreams(ground)) == 1
        tick(ground, NOW + jump + DAY)
        assert len(dreams(ground)) == 2

    @pytest.mark.parametrize("day", [datetime(2027, 3, 28, tzinfo=UTC), datetime(2026, 10, 25, tzinfo=UTC)])
    def test_the_nights_that_lose_or_gain_an_hour_have_one_dream_each(self, ground: Ground, day: datetime) -> None:
        with all_of(ground):
            ground.organisation.timezone = "Europe/Berlin"
            ground.organisation.save()
        post(ground, ground.subject(), "hello")
        set_times(ground, dream_at=time(2, 30), now=day - 3 * HOUR)
        for quarter in range(24 * 4):
            tick(ground, day - 2 * HOUR + quarter * HOUR / 4)
            over(ground)
        assert len(dreams(ground)) == 1

    def test_a_dream_that_waits_or_runs_is_enough(self, ground: Ground) -> None:
        post(ground, ground.subject(), "hello")
        set_times(ground, dream_at=time(2, 30), dream_idle_minutes=5)
        with all_of(ground):
            dreamer.request(by=ground.as_operator, now=NOW)
        tick(ground, NOW + DAY)
        assert len(dreams(ground)) == 1


class TestOnIdle:
    def test_a_dream_begins_when_no_turn_came_in_for_a_while(self, ground: Ground) -> None:
        guest = ground.subject()
        set_times(ground, dream_idle_minutes=10)
        post(ground, guest, "hello")
        tick(ground, NOW + timedelta(minutes=9))
        post(ground, guest, "hello again", now=NOW + timedelta(minutes=9))
        tick(ground, NOW + timedelta(minutes=18))
        assert dreams(ground) == []
        tick(ground, NOW + timedelta(minutes=19))
        assert dreams(ground) == ["system:schedule"]

    def test_what_waited_before_the_times_were_set_waits_as_long_from_then_on(self, ground: Ground) -> None:
        post(ground, ground.subject(), "hello")
        set_times(ground, dream_idle_minutes=10, now=NOW + HOUR)
        for minutes in (0, 9):
            tick(ground, NOW + HOUR + timedelta(minutes=minutes))
        assert dreams(ground) == []
        tick(ground, NOW + HOUR + timedelta(minutes=10))
        assert dreams(ground) == ["system:schedule"]

    def test_times_set_by_a_clock_that_was_ahead_hold_nothing_up(self, ground: Ground) -> None:
        set_times(ground, dream_idle_minutes=10, now=NOW + 30 * DAY)
        post(ground, ground.subject(), "hello")
        tick(ground, NOW + timedelta(minutes=10))
        assert len(dreams(ground)) == 1

    def test_a_turn_from_a_clock_that_was_ahead_holds_nothing_up(self, ground: Ground) -> None:
        set_times(ground, dream_idle_minutes=10)
        post(ground, ground.subject(), "hello", now=NOW + 30 * DAY)
        tick(ground, NOW)
        assert len(dreams(ground)) == 1

    def test_what_waits_for_somebody_who_paused_begins_none(self, ground: Ground) -> None:
        guest = ground.subject()
        post(ground, guest, "hello")
        with all_of(ground):
            guest.paused_at, guest.paused_by = NOW, "themselves"
            guest.save()
            ground.vouch("subject.pause", "subject", guest.pk)
        set_times(ground, dream_idle_minutes=10)
        tick(ground, NOW + HOUR)
        assert dreams(ground) == []


class TestHousekeeping:
    def test_every_job_is_asked_for_once_a_day(self, ground: Ground) -> None:
        set_times(ground, chores_at=time(4, 0))
        tick(ground, NOW + HOUR)
        with all_of(ground):
            assert not Housekeeping.objects.exists()
        for minutes in (0, 1):
            tick(ground, NOW + 16 * HOUR + timedelta(minutes=minutes))
        with all_of(ground):
            assert sorted(Housekeeping.objects.values_list("chore", flat=True)) == sorted(Chore.values)
        tick(ground, NOW + 40 * HOUR)
        with all_of(ground):
            assert Housekeeping.objects.count() == len(Chore)  # those of the day before still wait


class TestSetting:
    @pytest.mark.parametrize(
        ("times", "field"),
        [
            ({"dream_at": time(2), "dream_every_hours": 3}, "dream_every_hours"),
            ({"dream_every_hours": 0}, "dream_every_hours"),
            ({"dream_every_hours": 169}, "dream_every_hours"),
            ({"dream_idle_minutes": 0}, "dream_idle_minutes"),
        ],
    )
    def test_what_can_not_be_is_refused_with_its_field(self, ground: Ground, times: Any, field: str) -> None:
        with pytest.raises(Invalid) as refused:
            set_times(ground, **times)
        assert list(refused.value.errors) == [field]

    def test_an_operator_sets_them_and_the_audit_says_so(self, ground: Ground) -> None:
        set_times(ground, dream_at=time(2, 30))
        set_times(ground, dream_at=None)
        with all_of(ground):
            assert Schedule.objects.count() == 1
            rows = AuditEvent.objects.filter(action="schedule.change").values_list("actor", flat=True)
            assert list(rows) == [ground.as_operator.label] * 2
        with all_of(ground), pytest.raises(NotGranted):
            schedules.change(**OFF, by=ground.as_cal, now=NOW)

    def test_the_command_shows_and_changes_one_at_a_time(self, ground: Ground) -> None:
        def said(**options: str) -> str:
            out = StringIO()
            call_command("schedule", organisation=ground.organisation.slug, stdout=out, **options)
            return out.getvalue().strip()

        assert said() == "Nothing begins by itself."
        assert said(nightly="02:30") == "By itself: a dream at 02:30 (UTC)."
        assert said(idle="15", housekeeping="04:00") == (
            "By itself: a dream at 02:30 (UTC), a dream when no turn came in for 15 min, housekeeping at 04:00 (UTC)."
        )
        assert said(every="6", idle="off") == "By itself: a dream every 6 h, housekeeping at 04:00 (UTC)."
        assert said(every="off", housekeeping="off") == "Nothing begins by itself."
        for wrong in ({"nightly": "soon"}, {"every": "often"}, {"every": "0"}, {"idle": "-1"}):
            with pytest.raises(CommandError):
                said(**wrong)


class TestSetAside:
    """A session no dream can read (R70: a stranded event is found and retried)."""

    def broken(self, ground: Ground, monkeypatch: pytest.MonkeyPatch, name: str = "visit") -> list[int]:
        """The session can't be read until the list is not empty."""
        mended: list[int] = []
        whole = dreamer.summaries.summarise

        def summarise(*, session: Session, **given: Any) -> Any:
            if session.external_id == name and not mended:
                raise ZeroDivisionError("with a secret in it")
            return whole(session=session, **given)

        monkeypatch.setattr(dreamer.summaries, "summarise", summarise)
        return mended

    def by_itself(self, ground: Ground) -> Dream:
        with acting_for(jobs.system_principal(ground.organisation.pk, "schedule"), subjects=ALL_SUBJECTS):
            dream = dreamer.request(by=jobs.system_principal(ground.organisation.pk, "schedule"), now=timezone.now())
        assert jobs.run_one(now=timezone.now(), kinds=frozenset({"dream"}))
        with all_of(ground):
            dream.refresh_from_db()
        return dream

    def test_after_three_dreams_it_rests_a_day_and_is_tried_again(
        self, ground: Ground, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        mended = self.broken(ground, monkeypatch)
        post(ground, ground.subject(), "hello")
        for _ in range(conf.SESSION_TRIES):
            assert self.by_itself(ground).failure == "1 of 1 sessions could not be read (ZeroDivisionError)"
        now = timezone.now()
        with all_of(ground):
            assert backlog.standing(ground.organisation.pk, now=now).set_aside == 1
            assert not backlog.pending(ground.organisation.pk, now=now).exists()
            assert backlog.pending(ground.organisation.pk, now=now + conf.SESSION_REST + HOUR).exists()
            assert backlog.pending(ground.organisation.pk, now=now - DAY).exists()  # a clock that was put back
        assert self.by_itself(ground).failure == ""
        mended.append(1)
        with all_of(ground):
            Session.objects.update(dream_failed_at=now - conf.SESSION_REST - HOUR)
        assert self.by_itself(ground).events == 1
        with all_of(ground):
            session = Session.objects.get()
            assert (session.dream_failures, session.dream_failed_at, session.dream_error) == (0, None, "")

    def test_a_dream_that_somebody_asks_for_tries_it_at_once(
        self, ground: Ground, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        mended = self.broken(ground, monkeypatch)
        post(ground, ground.subject(), "hello")
        for _ in range(conf.SESSION_TRIES):
            self.by_itself(ground)
        mended.append(1)
        assert night(ground).events == 1

    def test_an_operator_can_let_all_of_them_be_tried_again(
        self, ground: Ground, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        mended = self.broken(ground, monkeypatch)
        post(ground, ground.subject(), "hello")
        for _ in range(conf.SESSION_TRIES):
            self.by_itself(ground)
        mended.append(1)
        with all_of(ground):
            assert backlog.try_again(ground.organisation.pk) == 1
        assert self.by_itself(ground).events == 1


class TestStranded:
    def poisoned(self, ground: Ground) -> Dream:
        """A dream whose worker died in the same session at every claim, and whose job is parked."""
        with all_of(ground):
            dream = dreamer.request(by=ground.as_operator, now=NOW)
            session = Session.objects.order_by("pk").first()
            assert session is not None
            Dream.objects.filter(pk=dream.pk).update(status=DreamStatus.RUNNING, started_at=NOW, at_session=session.pk)
            Job.objects.update(state=JobState.PARKED, attempts=3, finished_at=NOW)
        return dream

    def test_a_dream_whose_job_is_gone_is_found_and_another_reads_what_waits(self, ground: Ground) -> None:
        for session in ("one", "two"):
            post(ground, ground.subject(), "hello", session=session)
        dead = self.poisoned(ground)
        schedules.seek(now=NOW + timedelta(minutes=1))
        with all_of(ground):
            dead.refresh_from_db()
            assert (dead.status, dead.failure) == (DreamStatus.FAILED, "its worker died too often")
            assert Session.objects.filter(dream_failures=1, dream_error=backlog.DIED).count() == 1
        assert dreams(ground)[-1] == "system:stranded"
        assert jobs.run_one(now=timezone.now(), kinds=frozenset({"dream"}))
        with all_of(ground):
            assert not Event.objects.filter(consolidated_at__isnull=True).exists()

    def test_one_that_dies_again_is_not_asked_for_again_and_again(self, ground: Ground) -> None:
        post(ground, ground.subject(), "hello")
        self.poisoned(ground)
        schedules.seek(now=NOW + timedelta(minutes=1))
        assert dreams(ground)[-1] == "system:stranded"
        with all_of(ground):
            Job.objects.update(state=JobState.PARKED, finished_at=NOW)
        for minutes in range(3):
            schedules.seek(now=NOW + timedelta(minutes=2 + minutes))
        assert len(dreams(ground)) == 2
        with all_of(ground):
            assert not Dream.objects.exclude(status=DreamStatus.FAILED).exists()

    @pytest.mark.parametrize("before", [0, 1])
    def test_whoever_takes_a_dream_over_reads_the_session_that_killed_its_worker_last_and_once_more_at_most(
        self, ground: Ground, before: int
    ) -> None:
        for session in ("one", "two"):
            post(ground, ground.subject(), "hello", session=session)
        with all_of(ground):
            dream = dreamer.request(by=ground.as_operator, now=timezone.now())
        claim = jobs.claim_next(now=timezone.now(), kinds=frozenset({"dream"}))
        assert claim is not None
        with all_of(ground):
            first = Session.objects.get(external_id="one")
            Session.objects.filter(pk=first.pk).update(
                dream_failures=before, dream_error=backlog.DIED if before else ""
            )
            Dream.objects.filter(pk=dream.pk).update(
                status=DreamStatus.RUNNING, started_at=timezone.now(), at_session=first.pk
            )
        assert jobs.run_one(now=timezone.now() + 2 * conf.JOB_LEASE, kinds=frozenset({"dream"}))
        with all_of(ground):
            dream.refresh_from_db()
            left = "1 of 2 sessions could not be read (WorkerDied)" if before else ""
            assert (dream.status, dream.failure) == (DreamStatus.DONE, left)
            if not before:
                assert not Event.objects.filter(consolidated_at__isnull=True).exists()
                return
            assert Event.objects.filter(consolidated_at__isnull=True).get().session_id == first.pk
        assert night(ground).events == 1


def test_sessions_are_looked_up_page_by_page_and_none_is_missed(
    ground: Ground, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(conf, "PENDING_PAGE", 2)
    for number in range(5):
        post(ground, ground.subject(), "hello", session=f"s-{number}", minutes=number % 2)
    assert night(ground).sessions_done == 5
