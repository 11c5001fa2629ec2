"""A job of housekeeping leaves a report and rows in the audit; killed anywhere or run twice, it ends the same (R77)."""

import json
from collections.abc import Callable
from datetime import timedelta
from io import StringIO
from typing import Any

import pytest
from django.core.management import CommandError, call_command
from django.db import OperationalError
from django.utils import timezone

from memoryhub import conf, jobs
from memoryhub.dreams.housekeeping import runs
from memoryhub.dreams.housekeeping.deeds import Work
from memoryhub.governance import lifecycle
from memoryhub.governance.audit import first_broken_link
from memoryhub.models import AuditEvent, Decision, Entry, Housekeeping, Job, ReviewItem
from memoryhub.vocabulary import Chore, Deed, DreamStatus, JobState, Kind, Status
from tests.factories.ground import NOW, Ground, make_ground
from tests.factories.turns import all_of
from tests.integration.housekeeping.conftest import Tell

YEAR = timedelta(days=365)
LATER = NOW + YEAR + timedelta(days=4)  # episodes still wait to be folded
HOUSEKEEPING = frozenset({"housekeeping"})


def a_past(ground: Ground, tell: Tell, episode: Callable[..., Entry]) -> None:
    """Something for every job that needs no record and no skill."""
    for name in ("bela", "chandra", "dora"):
        someone = ground.subject(name)
        tell("I prefer aisle seats.", about=someone)
        tell("Always knock twice at the side door.", about=someone, now=NOW + YEAR)
        tell("Please always knock twice at side door.", about=someone, now=NOW + YEAR + timedelta(hours=1))
        for days in range(3):
            episode("No action was taken.", on=NOW + timedelta(days=days), about=someone)


def left(ground: Ground) -> dict[str, Any]:
    """What there is, without ids."""
    with all_of(ground):
        rows = Entry.objects.values_list("subject__external_id", "content", "status", "kind")
        return {
            "entries": sorted(rows),
            "queue": sorted(ReviewItem.objects.values_list("type", "state")),
            "lineage": Entry.objects.filter(lineage__isnull=False).count(),
        }


def everything(ground: Ground, **options: Any) -> dict[str, Any]:
    out = StringIO()
    call_command("housekeep", organisation=ground.organisation.slug, json=True, stdout=out, **options)
    told: dict[str, Any] = json.loads(out.getvalue())
    return told


def counts(told: dict[str, Any]) -> dict[str, dict[str, int]]:
    return {job["job"]: job["counts"] for job in told["jobs"] if job["counts"]}


EXPECTED = {"fold": {"folded": 9}, "expire": {"expired": 3}, "merge": {"merged": 3}}


def test_every_job_has_its_way_and_they_run_in_order() -> None:
    assert list(runs.WORK) == list(Chore)
    assert list(Chore).index(Chore.FOLD) < list(Chore).index(Chore.EXPIRE)


def test_a_dry_run_says_what_a_run_then_does_and_keeps_nothing(
    ground: Ground, tell: Tell, episode: Callable[..., Entry]
) -> None:
    a_past(ground, tell, episode)
    with all_of(ground):
        before = list(Entry.objects.order_by("pk").values()), Decision.objects.count(), AuditEvent.objects.count()
    tried = everything(ground, now=LATER.isoformat(), dry_run=True)
    with all_of(ground):
        after = list(Entry.objects.order_by("pk").values()), Decision.objects.count(), AuditEvent.objects.count()
        assert not Housekeeping.objects.exists()
    assert after == before
    assert counts(tried) == EXPECTED
    assert counts(everything(ground, now=LATER.isoformat())) == EXPECTED
    assert counts(everything(ground, now=LATER.isoformat())) == {}
    with all_of(ground):
        assert first_broken_link(ground.organisation.pk) is None


def test_the_report_is_kept_and_the_audit_says_who_and_when(
    ground: Ground, tell: Tell, episode: Callable[..., Entry]
) -> None:
    a_past(ground, tell, episode)
    told = everything(ground, now=LATER.isoformat(), job=["expire"])
    (job,) = told["jobs"]
    with all_of(ground):
        run = Housekeeping.objects.get()
        assert (str(run.pk), run.status, run.counts, run.seen) == (
            job["id"], DreamStatus.DONE, {"expired": 3}, 3,
        )  # fmt: skip
        assert {deed["entry"] for deed in job["deeds"]} == {line[2] for line in run.lines}
        actions = AuditEvent.objects.filter(object_kind="housekeeping").order_by("seq").values_list("action", "actor")
        assert list(actions) == [
            (f"housekeeping.{verb}", "system:housekeeping:expire") for verb in ("request", "start", "finish")
        ]


def test_in_words_and_refusals(ground: Ground, tell: Tell) -> None:
    tell("I prefer aisle seats.")
    out = StringIO()
    slug = ground.organisation.slug
    call_command("housekeep", organisation=slug, job=["expire"], now=LATER.isoformat(), dry_run=True, stdout=out)
    assert out.getvalue() == "Let lapse what nobody confirmed: would be: 1 lapsed.\n"
    for wrong in ("tomorrow", "2027-01-01", "2027-01-01T00:00:00", "2927-01-01T00:00:00Z", "2027-13-01T00:00:00Z"):
        with pytest.raises(CommandError, match="--now"):
            call_command("housekeep", organisation=slug, now=wrong)
    with pytest.raises(CommandError):
        call_command("housekeep", organisation="nobody-here")


def requested(ground: Ground, chore: Chore, monkeypatch: pytest.MonkeyPatch) -> Housekeeping:
    """As a worker gets it, with the clock where the past has lapsed."""
    monkeypatch.setattr(runs.timezone, "now", lambda: LATER)
    with all_of(ground):
        return runs.request(chore=chore, by=ground.as_operator, now=LATER)


def work_off(times: int = 10) -> None:
    for _ in range(times):
        jobs.run_one(now=LATER + 9 * conf.JOB_LEASE, kinds=HOUSEKEEPING)


class Killed(BaseException):
    """As a SIGKILL: nothing catches it, the transaction is gone."""


@pytest.mark.parametrize("chore", [Chore.FOLD, Chore.EXPIRE, Chore.MERGE])
@pytest.mark.parametrize("place", ["in the first", "in the second", "before the end of the second", "before the end"])
def test_killed_anywhere_the_next_worker_goes_on_and_nothing_is_doubled(
    ground: Ground, tell: Tell, episode: Callable[..., Entry], monkeypatch: pytest.MonkeyPatch, chore: Chore, place: str
) -> None:
    a_past(ground, tell, episode)
    whole, calls, once = runs.WORK[chore], [0], [True]

    def dies(wanted: str) -> None:
        if place == wanted and once[0]:
            once[0] = False
            raise Killed

    def tend(one: Any, /, **given: Any) -> Any:
        calls[0] += 1
        if calls[0] == 1:
            dies("in the first")
        done = whole.tend(one, **given)
        if calls[0] == 2:
            dies("in the second")
        return done

    def hold(claim: jobs.Claim) -> None:
        held(claim)
        if calls[0] == 2:
            dies("before the end of the second")

    def end(*given: Any, **named: Any) -> None:
        dies("before the end")
        ended(*given, **named)

    held, ended = jobs.Claim.hold, runs._end
    monkeypatch.setattr(runs, "WORK", {**runs.WORK, chore: Work(whole.due, tend)})
    monkeypatch.setattr(jobs.Claim, "hold", hold)
    monkeypatch.setattr(runs, "_end", end)
    run = requested(ground, chore, monkeypatch)
    with pytest.raises(Killed):
        jobs.run_one(now=LATER, kinds=HOUSEKEEPING)
    with all_of(ground):
        assert Housekeeping.objects.get(pk=run.pk).status == DreamStatus.RUNNING
    work_off()
    with all_of(ground):
        run.refresh_from_db()
        told = run.status, run.seen, sum(run.counts.values()), len(run.lines)
    assert told == (DreamStatus.DONE, 3, sum(EXPECTED[chore].values()), sum(EXPECTED[chore].values()))
    again = runs.dry_run(chore=chore, organisation=ground.organisation.pk, as_of=LATER)
    assert not again.counts


def test_one_that_can_not_be_seen_to_does_not_keep_the_others_waiting(
    ground: Ground, tell: Tell, episode: Callable[..., Entry], monkeypatch: pytest.MonkeyPatch
) -> None:
    a_past(ground, tell, episode)
    broken = ground.subject("chandra").pk
    move = lifecycle.move

    def moves(entry: Entry, *given: Any, **named: Any) -> Entry:
        if entry.subject_id == broken:
            raise ZeroDivisionError("with a secret in it")
        return move(entry, *given, **named)

    monkeypatch.setattr(lifecycle, "move", moves)
    run = requested(ground, Chore.EXPIRE, monkeypatch)
    work_off(1)
    with all_of(ground):
        run.refresh_from_db()
        assert (run.status, run.counts) == (DreamStatus.DONE, {Deed.EXPIRED: 2})
        assert run.failure == "1 could not be seen to (ZeroDivisionError)"
        assert AuditEvent.objects.get(action="housekeeping.finish").reason == "incomplete"


def test_a_database_that_went_away_is_tried_again_later(
    ground: Ground, tell: Tell, episode: Callable[..., Entry], monkeypatch: pytest.MonkeyPatch
) -> None:
    a_past(ground, tell, episode)
    whole, calls = runs.WORK[Chore.EXPIRE], [0]

    def tend(one: Any, /, **given: Any) -> Any:
        calls[0] += 1
        if calls[0] == 2:
            raise OperationalError("the server closed the connection")
        return whole.tend(one, **given)

    monkeypatch.setattr(runs, "WORK", {**runs.WORK, Chore.EXPIRE: Work(whole.due, tend)})
    run = requested(ground, Chore.EXPIRE, monkeypatch)
    work_off(2)
    with all_of(ground):
        run.refresh_from_db()
        assert (run.status, run.counts, run.seen, run.failure) == (DreamStatus.DONE, {Deed.EXPIRED: 3}, 3, "")


def test_a_long_one_goes_on_as_another_job(
    ground: Ground, tell: Tell, episode: Callable[..., Entry], monkeypatch: pytest.MonkeyPatch
) -> None:
    a_past(ground, tell, episode)
    monkeypatch.setattr(conf, "DREAM_SLICE", timedelta(seconds=-1))
    run = requested(ground, Chore.EXPIRE, monkeypatch)
    assert jobs.run_one(now=LATER, kinds=HOUSEKEEPING)
    with all_of(ground):
        assert Housekeeping.objects.get(pk=run.pk).status == DreamStatus.RUNNING
        assert Job.objects.filter(kind="housekeeping", state=JobState.QUEUED).count() == 1
    monkeypatch.setattr(conf, "DREAM_SLICE", timedelta(seconds=60))
    work_off()
    with all_of(ground):
        assert Housekeeping.objects.get(pk=run.pk).counts == {Deed.EXPIRED: 3}


def test_one_whose_job_is_gone_for_good_is_marked_as_failed(ground: Ground, monkeypatch: pytest.MonkeyPatch) -> None:
    run = requested(ground, Chore.EXPIRE, monkeypatch)
    with all_of(ground):
        assert runs.fail_stranded(ground.organisation.pk, now=LATER) == 0
        Job.objects.filter(kind="housekeeping").update(state=JobState.PARKED, finished_at=timezone.now())
        assert runs.fail_stranded(ground.organisation.pk, now=LATER) == 1
        assert Housekeeping.objects.get(pk=run.pk).status == DreamStatus.FAILED


def test_another_organisation_is_left_alone(ground: Ground, tell: Tell, episode: Callable[..., Entry]) -> None:
    a_past(ground, tell, episode)
    other = make_ground()
    assert counts(everything(other, now=LATER.isoformat())) == {}
    with all_of(ground):
        assert Entry.objects.filter(status=Status.ACCEPTED, kind=Kind.EPISODIC).count() == 9
