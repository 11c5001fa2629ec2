"""When something is refused, absent or broken: plain words, the right status, and a way on."""

from collections.abc import Iterator

import pytest
from django.template.loader import render_to_string
from django.test import Client

from curation import refusals
from memoryhub import errors
from memoryhub.http_errors import STATUS
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


@pytest.mark.parametrize("name", ["400.html", "403.html", "404.html", "413.html", "500.html", "403_csrf.html"])
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
