"""Turns and dreams that really meet: threads with connections of their own, and workers that are killed (R20, R75)."""

import functools
import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable
from datetime import timedelta

import pytest
from django.conf import settings
from django.db import connection
from django.utils import timezone

from memoryhub import conf, jobs
from memoryhub.dreams import dreamer
from memoryhub.models import Dream, DreamOperation, Entry, Event, Job, ReviewItem, Session, Skill, Turn
from memoryhub.vocabulary import DreamStatus, JobState, Kind, ReviewType, Status
from tests.factories.ground import NOW, Ground, make_ground
from tests.factories.turns import action, all_of, night, post, refused_in

pytestmark = pytest.mark.usefixtures("committed_db")

SESSIONS = [f"stay-{number}" for number in range(12)]


def in_threads(*calls: Callable[[], object]) -> None:
    def run(call: Callable[[], object]) -> None:
        try:
            call()
        finally:
            connection.close()

    threads = [threading.Thread(target=run, args=(call,)) for call in calls]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(600)


def kept(ground: Ground) -> dict[str, object]:
    """What a night leaves, without ids and times: the same for one clean run and for any other."""
    with all_of(ground):
        return {
            "summaries": sorted(Entry.objects.filter(kind=Kind.EPISODIC).values_list("content", "status")),
            "facts": sorted(Entry.objects.filter(kind=Kind.SEMANTIC).values_list("content", "status")),
            "candidates": sorted((skill.name, skill.evidence.count()) for skill in Skill.objects.all()),
            "queue": ReviewItem.objects.exclude(type=ReviewType.SAMPLE).count(),
            "unread": Event.objects.filter(consolidated_at__isnull=True).count(),
            "operations": sorted(DreamOperation.objects.values_list("store", "op", "session_ref")),
        }


def a_busy_day(ground: Ground) -> None:
    for session in SESSIONS:
        guest = ground.subject(f"guest-of-{session}")
        post(ground, guest, "I prefer the quiet floor.", session=session, actions=[action("book_room", room="12")])
    refused_in(ground, *SESSIONS[:4])


@functools.cache
def expected() -> dict[str, object]:
    """One clean run of the same day, in an organisation of its own; the same for every test."""
    ground = make_ground()
    a_busy_day(ground)
    night(ground)
    return kept(ground)


def test_one_of_two_parallel_turns_wins() -> None:
    ground = make_ground()
    guest = ground.subject()
    answers: list[str] = []

    def send(session: str) -> None:
        answers.append(post(ground, guest, "I prefer the quiet floor.", event="e-1", session=session).event)

    in_threads(*(lambda session=session: send(session) for session in ("a", "b", "a", "b")))
    assert sorted(answers) == ["duplicate", "duplicate", "duplicate", "written"]
    with all_of(ground):
        counted = [model.objects.count() for model in (Event, Turn, Entry, Session)]
    assert counted == [1, 1, 1, 1]


def test_parallel_turns_of_one_session_are_numbered_in_a_row() -> None:
    ground = make_ground()
    guest = ground.subject()
    in_threads(*(lambda: post(ground, guest, "hello there") for _ in range(6)))
    with all_of(ground):
        assert sorted(Turn.objects.values_list("number", flat=True)) == [1, 2, 3, 4, 5, 6]


def test_two_dreams_at_once_do_the_work_of_one() -> None:
    clean = expected()
    ground = make_ground()
    a_busy_day(ground)
    in_threads(lambda: night(ground), lambda: night(ground))
    assert kept(ground) == clean
    with all_of(ground):
        dreams = list(Dream.objects.order_by("started_at"))
    assert [dream.status for dream in dreams] == [DreamStatus.DONE, DreamStatus.DONE]
    assert sorted(dream.sessions_done for dream in dreams) == [0, len(SESSIONS)]
    assert dreams[1].started_at >= dreams[0].finished_at


def test_a_turn_that_comes_in_during_a_dream_is_read_by_the_next() -> None:
    ground = make_ground()
    a_busy_day(ground)
    guest = ground.subject(f"guest-of-{SESSIONS[-1]}")

    def chat() -> None:
        for number in range(5):
            post(ground, guest, session=SESSIONS[-1], event=f"late-{number}", minutes=number)

    in_threads(lambda: night(ground), chat)
    night(ground)
    with all_of(ground):
        summary = Entry.objects.get(kind=Kind.EPISODIC, status=Status.ACCEPTED, provenance__session_ref=SESSIONS[-1])
        assert "6 turns" in summary.content
        assert not Event.objects.filter(consolidated_at__isnull=True).exists()


WORKER = """
import os, sys, django, time_machine
os.environ["DJANGO_SETTINGS_MODULE"] = "memoryhub.settings"
django.setup()
import memoryhub.dreams.dreamer as dreamer, memoryhub.dreams.summaries as summaries, memoryhub.dreams.lessons as lessons
from django.utils import timezone
from memoryhub import jobs
place, number = sys.argv[1], int(sys.argv[2])
time_machine.travel(float(sys.argv[3])).start()
seen = 0
def stop_at(module, name, before):
    whole = getattr(module, name)
    def wrapped(*args, **kwargs):
        global seen
        seen += 1
        if before and seen >= number:
            print("here", flush=True); sys.stdin.read()
        result = whole(*args, **kwargs)
        if not before and seen >= number:
            print("here", flush=True); sys.stdin.read()
        return result
    setattr(module, name, wrapped)
{
    "before a session": lambda: stop_at(dreamer, "_consolidate", True),
    "inside a session": lambda: stop_at(summaries, "summarise", False),
    "after a session": lambda: stop_at(dreamer, "_consolidate", False),
    "before the lessons": lambda: stop_at(dreamer, "_learn", True),
    "inside the lessons": lambda: stop_at(lessons, "learn", False),
    "before the end": lambda: stop_at(dreamer, "_finish", True),
}[place]()
jobs.run_one(now=timezone.now(), kinds=frozenset({"dream"}))
print("over", flush=True)
"""


@pytest.mark.parametrize(
    ("place", "number"),
    [
        pytest.param("before a session", 1, marks=pytest.mark.long),
        ("inside a session", 5),
        pytest.param("after a session", 7, marks=pytest.mark.long),
        pytest.param("before the lessons", 1, marks=pytest.mark.long),
        pytest.param("inside the lessons", 1, marks=pytest.mark.long),
        pytest.param("before the end", 1, marks=pytest.mark.long),
    ],
)
def test_a_worker_killed_in_mid_dream_loses_and_doubles_nothing(place: str, number: int) -> None:
    clean = expected()
    ground = make_ground()
    a_busy_day(ground)
    with all_of(ground):
        dream = dreamer.request(by=ground.as_operator, now=timezone.now())
    worker = subprocess.Popen(
        [sys.executable, "-c", WORKER, place, str(number), str(time.time())], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True,
        cwd=settings.BASE_DIR, env={**os.environ, "DJANGO_SETTINGS_MODULE": "memoryhub.settings"},
    )  # fmt: skip
    try:
        assert worker.stdout is not None
        assert worker.stdout.readline() == "here\n"
    finally:
        worker.send_signal(signal.SIGKILL)
        worker.communicate(timeout=30)
    with all_of(ground):
        assert Dream.objects.get(pk=dream.pk).status == DreamStatus.RUNNING
        job = Job.objects.get(kind="dream")
        assert (job.state, job.attempts) == (JobState.RUNNING, 1)
        Job.objects.filter(pk=job.pk).update(lease_until=timezone.now() - timedelta(seconds=1))  # its lease runs out
    while jobs.run_one(now=timezone.now(), kinds=frozenset({"dream"})):
        pass
    with all_of(ground):
        dream = Dream.objects.get(pk=dream.pk)
    assert (dream.status, dream.sessions_done, dream.events) == (DreamStatus.DONE, len(SESSIONS), len(SESSIONS) + 4)
    assert kept(ground) == clean


def test_a_worker_that_lost_its_lease_commits_nothing() -> None:
    ground = make_ground()
    a_busy_day(ground)
    with all_of(ground):
        dreamer.request(by=ground.as_operator, now=timezone.now())
    slow = jobs.claim_next(now=timezone.now(), kinds=frozenset({"dream"}))
    assert slow is not None
    later = timezone.now() + conf.JOB_LEASE * 2
    quick = jobs.claim_next(now=later, kinds=frozenset({"dream"}))
    assert quick is not None
    assert quick.token == slow.token + 1
    jobs.run(slow)
    with all_of(ground):
        assert Event.objects.filter(consolidated_at__isnull=False).count() == 0
        assert not Entry.objects.filter(kind=Kind.EPISODIC).exists()
    jobs.run(quick)
    with all_of(ground):
        assert Dream.objects.get().status == DreamStatus.DONE


def test_a_dream_whose_worker_died_too_often_makes_room_for_the_next() -> None:
    ground = make_ground()
    a_busy_day(ground)
    with all_of(ground):
        stuck = dreamer.request(by=ground.as_operator, now=timezone.now())
    for _ in range(conf.JOB_CLAIMS + 1):  # claimed and never ended, as by workers that are killed
        claim = jobs.claim_next(now=timezone.now(), kinds=frozenset({"dream"}))
        with all_of(ground):
            if claim is not None:
                Dream.objects.filter(pk=stuck.pk).update(status=DreamStatus.RUNNING)
                Job.objects.filter(pk=claim.id).update(lease_until=timezone.now() - timedelta(seconds=1))
    with all_of(ground):
        assert Job.objects.get(payload__dream=str(stuck.pk)).state == JobState.PARKED
    fresh = night(ground)
    assert (fresh.status, fresh.sessions_done) == (DreamStatus.DONE, len(SESSIONS))
    with all_of(ground):
        assert Dream.objects.get(pk=stuck.pk).status == DreamStatus.FAILED


def test_a_second_request_waits_for_the_first() -> None:
    ground = make_ground()
    a_busy_day(ground)
    with all_of(ground):
        first = dreamer.request(by=ground.as_operator, now=timezone.now())
        second = dreamer.request(by=ground.as_operator, now=timezone.now())
        Dream.objects.filter(pk=first.pk).update(status=DreamStatus.RUNNING)
        Job.objects.filter(payload__dream=str(first.pk)).update(
            state=JobState.RUNNING, attempts=1, lease_until=timezone.now() + conf.JOB_LEASE
        )
    assert jobs.run_one(now=timezone.now(), kinds=frozenset({"dream"}))
    with all_of(ground):
        assert Dream.objects.get(pk=second.pk).status == DreamStatus.QUEUED
        waiting = Job.objects.get(payload__dream=str(second.pk), state=JobState.QUEUED)
        assert waiting.run_after > timezone.now() + timedelta(seconds=1)
        assert Event.objects.filter(consolidated_at__isnull=False).count() == 0


def test_the_command_takes_over_a_stranded_dream_instead_of_waiting_for_ever() -> None:
    ground = make_ground()
    a_busy_day(ground)
    with all_of(ground):
        stranded = dreamer.request(by=ground.as_operator, now=timezone.now())
        Dream.objects.filter(pk=stranded.pk).update(status=DreamStatus.RUNNING, started_at=NOW)
        Job.objects.filter(payload__dream=str(stranded.pk)).update(
            state=JobState.RUNNING, attempts=1, lease_until=timezone.now() - timedelta(seconds=1)
        )
    began = time.monotonic()
    own = night(ground)
    assert time.monotonic() - began < 300
    with all_of(ground):
        assert Dream.objects.get(pk=stranded.pk).status == DreamStatus.DONE
    assert (own.status, own.sessions_done) == (DreamStatus.DONE, 0)
