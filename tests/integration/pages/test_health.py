"""Health on a page: each check in words, with what to do for one that is not well."""

import re
from datetime import timedelta

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from memoryhub import conf, jobs, readiness
from memoryhub.models import Job, Session
from memoryhub.providers import embeddings
from memoryhub.vocabulary import JobState
from tests.factories.turns import all_of, post
from tests.factories.visitors import Visitors, ask, conclude, make_visitors
from tests.integration.pages.conftest import SignedIn

HOME = "/health/"


@pytest.fixture(autouse=True)
def _room(monkeypatch: pytest.MonkeyPatch) -> None:
    """However full the disk is that tests run on."""
    monkeypatch.setattr(readiness, "disk", lambda: readiness.Disk(free=500 * 1024**3, total=1000 * 1024**3))


def states(client: Client) -> dict[str, str]:
    response = client.get(HOME)
    assert response.status_code == 200
    return {one.name: one.state for one in (*response.context["checks"], *response.context["work"])}


def test_everything_is_well_when_it_is(visitors: Visitors, signed_in: SignedIn) -> None:
    jobs.beat(now=timezone.now())
    client = signed_in(visitors.cal)
    assert {name: state for name, state in states(client).items() if state != "well"} == {"Signing in": "advice"}
    page = client.get(HOME).content.decode()
    assert "Everything is well." in page
    assert 'hx-trigger="every 15s"' in page
    part = client.get(HOME, headers={"HX-Request": "true"}).content.decode()
    assert "<html" not in part
    assert 'id="health"' in part


def test_what_is_not_well_says_what_to_do(
    visitors: Visitors, signed_in: SignedIn, monkeypatch: pytest.MonkeyPatch
) -> None:
    jobs.beat(now=timezone.now() - timedelta(hours=1))
    monkeypatch.setattr(embeddings, "ready", lambda: False)
    monkeypatch.setattr(readiness, "disk", lambda: readiness.Disk(free=1024, total=1024**4))
    client = signed_in(visitors.olu)
    found = states(client)
    assert (found["Worker"], found["Embedding model"], found["Disk"]) == ("ill", "ill", "late")
    page = client.get(HOME).content.decode()
    for word in ("The hub is not ready", "look at the log of the worker", "MEMORYHUB_EMBEDDING_MODEL", "Make room"):
        assert word in page


def test_what_is_late_behind_the_requests_is_told(visitors: Visitors, signed_in: SignedIn) -> None:
    ground = visitors.ground
    jobs.beat(now=timezone.now())
    long_ago = timezone.now() - timedelta(days=30)
    post(ground, visitors.mira, "hello", session="a", now=long_ago)
    conclude(ground, visitors.mira, "She likes window seats.", hours_ago=24 * 20)
    ask(visitors)
    with all_of(ground):
        Session.objects.update(dream_failures=conf.SESSION_TRIES, dream_failed_at=timezone.now())
        Job.objects.create(
            organisation=ground.organisation, kind="embed", state=JobState.PARKED, attempts=3, run_after=long_ago,
            created_at=long_ago, finished_at=long_ago,
        )  # fmt: skip
    client = signed_in(visitors.olu)
    found = states(client)
    assert (found["Jobs"], found["Dreams"], found["Curators"]) == ("ill", "ill", "late")
    page = client.get(HOME).content.decode()
    assert "1 were given up" in page
    assert "1 finished turn waits, the oldest for" in page
    assert "1 are not yet" in page, "a read of just now is not sealed"


def test_customers_do_not_look(visitors: Visitors, signed_in: SignedIn) -> None:
    assert signed_in(visitors.mira_user).get(HOME).status_code == 403


def test_nothing_of_others_is_counted(visitors: Visitors, signed_in: SignedIn) -> None:
    elsewhere = make_visitors()
    post(elsewhere.ground, elsewhere.mira, "hello", now=timezone.now() - timedelta(days=30))
    conclude(elsewhere.ground, elsewhere.mira, "She likes window seats.", hours_ago=24 * 20)
    found = states(signed_in(visitors.olu))
    assert (found["Dreams"], found["Curators"]) == ("well", "well")


def test_it_asks_as_much_however_much_waits(visitors: Visitors, signed_in: SignedIn) -> None:
    client = signed_in(visitors.cal)

    def asked() -> int:
        with CaptureQueriesContext(connection) as queries:
            states(client)
        return len(queries)

    before = asked()
    for number in range(5):
        post(visitors.ground, visitors.mira, "hello", session=f"s{number}")
        conclude(visitors.ground, visitors.mira, f"She likes seat {number}.")
    assert asked() == before


def test_it_shows_no_secret_and_no_path(visitors: Visitors, signed_in: SignedIn) -> None:
    page = signed_in(visitors.cal).get(HOME).content.decode()
    assert not re.search(r"postgres(ql)?://|/var/|/tmp/|password", page)


def test_whoever_is_at_a_link_stays_there_when_it_is_brought_up_to_date(
    visitors: Visitors, signed_in: SignedIn
) -> None:
    """HTMX finds the focus again by id, and by nothing else."""
    page = signed_in(visitors.cal).get(HOME, headers={"HX-Request": "true"}).content.decode()
    links = re.findall(r"<a [^>]*>", page)
    assert links
    assert all(" id=" in link for link in links)
