"""Jobs on a page: what waits, runs and was given up, and trying again."""

from datetime import timedelta
from typing import Any

from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from memoryhub.models import AuditEvent, Job
from memoryhub.vocabulary import JobState
from tests.factories.ground import NOW
from tests.factories.turns import all_of
from tests.factories.visitors import Visitors, make_visitors
from tests.integration.pages.conftest import SignedIn

HOME = "/jobs/"
HOSTILE = "<script>alert(1)</script>\u202eevil"


def job(visitors: Visitors, state: JobState, kind: str = "embed", **fields: Any) -> Job:
    now = timezone.now()
    with all_of(visitors.ground):
        return Job.objects.create(
            **{
                "organisation": visitors.ground.organisation, "kind": kind, "state": state, "run_after": now,
                "created_at": now, "attempts": 3, "lease_until": now + timedelta(seconds=60),
                "finished_at": now if state in (JobState.DONE, JobState.PARKED) else None, **fields,
            }
        )  # fmt: skip


def text(client: Client, path: str = HOME) -> str:
    response = client.get(path)
    assert response.status_code == 200
    return response.content.decode()


def test_jobs_are_told_by_state_with_tries_and_errors_without_content(visitors: Visitors, signed_in: SignedIn) -> None:
    for state in (JobState.QUEUED, JobState.RUNNING, JobState.DONE):
        job(visitors, state)
    job(visitors, JobState.PARKED, last_error="ZeroDivisionError", payload={"entry": "an-id"})
    client = signed_in(visitors.cal)
    page = text(client)
    for word in ("Waiting", "Running", "Done", "Parked", "ZeroDivisionError", "3 tries", "findable by meaning"):
        assert word in page
    assert "an-id" not in page
    response = client.get(f"{HOME}?state=parked")
    assert [one.state for one, _, _ in response.context["jobs"]] == ["parked"]
    assert len(client.get(f"{HOME}?state=%00").context["jobs"]) == 4


def test_a_parked_job_is_tried_again_by_an_operator(visitors: Visitors, signed_in: SignedIn) -> None:
    parked = job(visitors, JobState.PARKED)
    client = signed_in(visitors.olu)
    assert f"/jobs/{parked.pk}/retry/" in text(client)
    assert client.post(f"{HOME}{parked.pk}/retry/").status_code == 303
    assert client.post(f"{HOME}{parked.pk}/retry/").status_code == 404
    with all_of(visitors.ground):
        parked.refresh_from_db()
        assert (parked.state, parked.attempts) == (JobState.QUEUED, 0)
        assert AuditEvent.objects.filter(action="job.retry").count() == 1


def test_what_has_a_report_is_asked_for_anew_and_not_tried_again(visitors: Visitors, signed_in: SignedIn) -> None:
    client = signed_in(visitors.olu)
    for kind in ("dream", "housekeeping"):
        parked = job(visitors, JobState.PARKED, kind)
        assert f"/jobs/{parked.pk}/retry/" not in text(client)
        assert client.post(f"{HOME}{parked.pk}/retry/").status_code == 404
    assert "It is told in its report" in text(client)


def test_curators_look_and_try_nothing_again_and_customers_do_not_look(visitors: Visitors, signed_in: SignedIn) -> None:
    parked = job(visitors, JobState.PARKED)
    client = signed_in(visitors.cal)
    assert "Try again" not in text(client)
    assert client.post(f"{HOME}{parked.pk}/retry/").status_code == 403
    assert signed_in(visitors.mira_user).get(HOME).status_code == 403


def test_jobs_of_others_are_not_there(visitors: Visitors, signed_in: SignedIn) -> None:
    theirs = job(make_visitors(), JobState.PARKED)
    client = signed_in(visitors.olu)
    assert client.get(HOME).context["total"] == 0
    assert "No job waits" in text(client)
    assert client.post(f"{HOME}{theirs.pk}/retry/").status_code == 404


def test_hostile_words_are_shown_and_do_nothing(visitors: Visitors, signed_in: SignedIn) -> None:
    job(visitors, JobState.PARKED, kind="<i>\u202e", last_error=HOSTILE)
    page = text(signed_in(visitors.olu))
    assert "<script>alert" not in page
    assert "<i>" not in page
    assert "U+202E" in page


def test_pages_follow_one_another_with_the_same_number_of_queries(visitors: Visitors, signed_in: SignedIn) -> None:
    client = signed_in(visitors.olu)

    def asked() -> int:
        with CaptureQueriesContext(connection) as queries:
            text(client)
        return len(queries)

    job(visitors, JobState.DONE, created_at=NOW)
    before = asked()
    for number in range(60):
        job(visitors, JobState.DONE, created_at=NOW + timedelta(seconds=number))
    assert asked() == before
    response = client.get(HOME)
    seen = [one.pk for one, _, _ in response.context["jobs"]]
    rest = client.get(HOME, {"after": response.context["after"]}).context["jobs"]
    assert len({*seen, *(one.pk for one, _, _ in rest)}) == 61
    assert client.get(f"{HOME}?after=x").status_code == 422
