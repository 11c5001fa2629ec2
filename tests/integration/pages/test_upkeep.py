"""What runs by itself on a page: times, the jobs of housekeeping, what is stuck; and what a person is asked (R70, R77)."""

from datetime import time

import pytest
from django.test import Client
from django.utils import timezone

from memoryhub import conf
from memoryhub.dreams.housekeeping import runs
from memoryhub.governance.policy import Policy
from memoryhub.models import Dream, Entry, Housekeeping, Job, ReviewItem, Schedule, Session
from memoryhub.vocabulary import Chore, JobState, ReviewState
from tests.factories.ground import NOW
from tests.factories.turns import all_of, post
from tests.factories.visitors import Visitors
from tests.integration.pages.conftest import SignedIn

HOME = "/dreams/upkeep/"


def text(client: Client, path: str = HOME) -> str:
    response = client.get(path)
    assert response.status_code == 200
    return response.content.decode()


def test_an_operator_sets_the_times(visitors: Visitors, signed_in: SignedIn) -> None:
    client = signed_in(visitors.olu)
    assert "Nothing begins by itself." in text(client)
    sent = {"dream_at": "02:30", "dream_idle_minutes": "15", "chores_at": "04:00"}
    assert client.post(HOME, sent).status_code == 303
    with all_of(visitors.ground):
        row = Schedule.objects.get()
        assert (row.dream_at, row.dream_every_hours, row.dream_idle_minutes) == (time(2, 30), None, 15)
    assert 'value="02:30"' in text(client)
    refused = client.post(HOME, {"dream_at": "02:30", "dream_every_hours": "6"})
    assert refused.status_code == 422
    assert "not both" in refused.content.decode()
    assert client.post(HOME, {"dream_every_hours": "500"}).status_code == 422


def test_a_curator_looks_and_changes_nothing(visitors: Visitors, signed_in: SignedIn) -> None:
    client = signed_in(visitors.cal)
    assert "Run now" not in text(client)
    for path in (HOME, f"{HOME}try-again/", f"{HOME}expire/run/"):
        assert client.post(path).status_code == 403
    assert signed_in(visitors.mira_user).get(HOME).status_code == 403


def test_a_job_of_housekeeping_is_asked_for_once_and_its_report_is_shown(
    visitors: Visitors, signed_in: SignedIn
) -> None:
    client = signed_in(visitors.olu)
    for _ in range(2):
        assert client.post(f"{HOME}merge/run/").status_code == 303
    assert client.post(f"{HOME}dust/run/").status_code == 404
    with all_of(visitors.ground):
        run = Housekeeping.objects.get()
        Housekeeping.objects.filter(pk=run.pk).update(status="done", counts={"merged": 3})
    assert "3 merged into another that says the same" in text(client)


def test_what_was_set_aside_can_be_tried_again_and_what_was_parked_is_pointed_at(
    visitors: Visitors, signed_in: SignedIn
) -> None:
    ground = visitors.ground
    client = signed_in(visitors.olu)
    post(ground, visitors.mira, "hello", session="a")
    with all_of(ground):
        Session.objects.update(
            dream_failures=conf.SESSION_TRIES, dream_failed_at=timezone.now(), dream_error="ZeroDivisionError"
        )
        Job.objects.create(
            organisation=ground.organisation, kind="embed", state=JobState.PARKED, attempts=3, run_after=NOW,
            created_at=NOW, finished_at=NOW, last_error="ZeroDivisionError",
        )  # fmt: skip
    listed = text(client, "/dreams/")
    assert "could not be read by three dreams" in listed
    assert "ZeroDivisionError" in listed
    page = text(client)
    assert "1 session could not be read" in page
    assert 'href="/jobs/?state=parked"' in page
    assert client.post(f"{HOME}try-again/").status_code == 303
    with all_of(ground):
        assert Session.objects.get().dream_failures == 0
        assert Dream.objects.count() == 1


def test_a_dream_that_begins_on_idle_is_told_with_the_others(visitors: Visitors, signed_in: SignedIn) -> None:
    client = signed_in(visitors.olu)
    assert client.post(HOME, {"dream_at": "02:30", "dream_idle_minutes": "15"}).status_code == 303
    assert "none followed for 15 minutes; nothing waits now" in text(client)
    post(visitors.ground, visitors.mira, "hello", session="a", now=timezone.now())
    page = text(client)
    assert "The next dream by the clock begins" in page
    assert "if no turn comes in until then" in page


def test_a_person_is_asked_on_their_page_before_something_lapses_and_answers(
    visitors: Visitors, signed_in: SignedIn, monkeypatch: pytest.MonkeyPatch
) -> None:
    ground, client = visitors.ground, signed_in(visitors.mira_user)
    post(ground, visitors.mira, "I prefer aisle seats.", session="d", now=timezone.now())
    assert "Is this still so?" not in text(client, "/me/")
    with monkeypatch.context() as patch:
        patch.setattr(Policy, "review_by", lambda _self, _expires_at, *, now: now)
        post(ground, visitors.mira, "I live in Lisbon.", session="d", now=timezone.now())
    asked = runs.keep_now(chore=Chore.ASK, organisation=ground.organisation.pk)
    assert asked.counts == {"asked": 1}
    page = text(client, "/me/")
    assert "Is this still so?" in page
    assert page.count("I live in Lisbon.</p>") == 1
    with all_of(ground):
        entry = Entry.objects.get(key="city")
    client.post(f"/me/memories/{entry.pk}/still-true/")
    assert "Is this still so?" not in text(client, "/me/")
    with all_of(ground):
        assert not ReviewItem.objects.filter(state=ReviewState.WAITING).exists()
