"""When something is refused, absent or broken: plain words, the right status, and a way on."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import NoReturn

import pytest
from django.db import OperationalError
from django.db.backends.base.base import BaseDatabaseWrapper
from django.template.loader import render_to_string
from django.test import Client
from psycopg_pool import PoolTimeout

from curation import refusals
from memoryhub import errors
from memoryhub.http_errors import STATUS
from tests.cast import Cast
from tests.factories.visitors import Visitors
from tests.integration.pages.conftest import SignedIn


def test_an_address_that_leads_nowhere(visitors: Visitors, signed_in: SignedIn) -> None:
    for client in (Client(), signed_in(visitors.cal)):
        response = client.get("/no/such/page/")
        assert response.status_code == 404
        assert "There is nothing here" in response.content.decode()


def test_an_address_that_takes_a_form_says_so_when_visited(visitors: Visitors, signed_in: SignedIn) -> None:
    response = signed_in(visitors.cal).get("/me/pause/")
    assert (response.status_code, response["Allow"]) == (405, "POST")
    assert "takes a form" in response.content.decode()


def test_every_status_of_a_refusal_has_a_heading() -> None:
    assert set(STATUS.values()) <= set(refusals.HEADINGS)


@pytest.mark.parametrize(
    "name", ["400.html", "403.html", "404.html", "413.html", "500.html", "503.html", "403_csrf.html"]
)
def test_the_last_resort_pages_need_nothing_to_be_shown(name: str) -> None:
    page = render_to_string(name)
    assert "<h1" in page
    assert "tokens.css" in page


@pytest.fixture
def audit_is_down(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    def refuse(**_: object) -> None:
        raise errors.AuditUnavailable

    monkeypatch.setattr("memoryhub.dreams.dreamer.audit.record", refuse)
    return None


def test_a_write_that_can_t_be_recorded_is_not_done_and_says_so(
    visitors: Visitors, signed_in: SignedIn, audit_is_down: None
) -> None:
    response = signed_in(visitors.olu).post("/dreams/")
    assert response.status_code == 503
    assert "nothing was done" in response.content.decode()


@contextmanager
def all_lent(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Every connection of the pool is lent, as Django tells of it."""

    def refuse(*_: object, **__: object) -> NoReturn:
        try:
            raise PoolTimeout("couldn't get a connection after 10.00 sec")
        except PoolTimeout as error:
            raise OperationalError(*error.args) from error

    with monkeypatch.context() as patched:
        patched.setattr(BaseDatabaseWrapper, "cursor", refuse)
        patched.setattr(BaseDatabaseWrapper, "chunked_cursor", refuse)
        yield


def test_a_page_that_gets_no_connection_says_when_to_come_back(
    visitors: Visitors, signed_in: SignedIn, monkeypatch: pytest.MonkeyPatch
) -> None:
    cal, nobody = signed_in(visitors.cal), Client()
    password = {"username": visitors.cal.email, "password": "x"}
    asked = [(cal, "/queue/", None), (cal, "/me/pause/", {}), (cal, "/account/", None), (nobody, "/sign-in/", password)]
    for client, path, form in asked:
        client.raise_request_exception = False
        with all_lent(monkeypatch):
            response = client.get(path) if form is None else client.post(path, form)
        assert (response.status_code, response.headers.get("Retry-After")) == (503, "5"), path
        assert "Too busy right now" in response.content.decode()
        assert "10.00 sec" not in response.content.decode()
        assert response["Cache-Control"] == "no-store"


@pytest.mark.parametrize("path", ["/mcp", "/api/v1/turns"])
def test_so_does_a_door_for_programs(db: None, monkeypatch: pytest.MonkeyPatch, path: str) -> None:
    key, program = Cast().key("bot"), Client(raise_request_exception=False)
    message = {"jsonrpc": "2.0", "id": 1, "method": "ping"}
    with all_lent(monkeypatch):
        response = program.post(
            path, message, content_type="application/json", headers={"Authorization": f"Bearer {key}"}
        )
    assert (response.status_code, response.headers.get("Retry-After")) == (503, "5")
    assert response["Content-Type"] == "application/problem+json"
    assert response.json()["code"] == "database_unavailable"


def test_an_error_that_nobody_expected_is_a_problem_document_for_programs(monkeypatch: pytest.MonkeyPatch) -> None:
    def break_down(*_: object, **__: object) -> NoReturn:
        raise RuntimeError("her words")

    monkeypatch.setattr("memoryhub.mcp.endpoint.caller_of", break_down)
    response = Client(raise_request_exception=False).post("/mcp", {}, content_type="application/json")
    assert (response.status_code, response.json()["code"]) == (500, "internal")
    assert "her words" not in response.content.decode()
    assert "Retry-After" not in response


def test_a_fault_of_ours_shows_a_page_without_details(
    visitors: Visitors, signed_in: SignedIn, monkeypatch: pytest.MonkeyPatch
) -> None:
    def break_down(**_: object) -> None:
        raise RuntimeError("a secret detail")

    monkeypatch.setattr("curation.views.dreams.dreamer.request", break_down)
    client = signed_in(visitors.olu)
    client.raise_request_exception = False
    response = client.post("/dreams/")
    assert response.status_code == 500
    assert "Something went wrong on our side" in response.content.decode()
    assert "a secret detail" not in response.content.decode()
