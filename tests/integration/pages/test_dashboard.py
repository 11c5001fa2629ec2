"""The dashboard: what it says of an empty hub and of a busy one, to whom, and with how many questions."""

import csv

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from tests.factories.visitors import Visitors, ask, conclude, join, tell
from tests.integration.pages.conftest import SignedIn

HOME = "/dashboard/"


def text(client: Client, path: str = HOME) -> str:
    response = client.get(path)
    assert response.status_code == 200
    return response.content.decode()


def fill(visitors: Visitors, rows: int) -> None:
    for number in range(rows):
        subject = visitors.ground.subject(f"somebody-{number}")
        tell(visitors.ground, subject, f"I live in house number {number}.")
        conclude(visitors.ground, subject, f"Somebody likes the colour number {number}.")


def test_an_empty_hub_says_what_each_figure_will_be(visitors: Visitors, signed_in: SignedIn) -> None:
    page = text(signed_in(visitors.cal))
    for sentence in ("Nothing waits.", "No claims in this time.", "Nobody decided anything", "No agent asked",
                     "Nothing to compare yet.", "Nobody asked to be forgotten"):  # fmt: skip
        assert sentence in page


def test_what_happened_is_drawn_and_written_in_a_table(visitors: Visitors, signed_in: SignedIn) -> None:
    fill(visitors, 2)
    tell(visitors.ground, visitors.mira, "My password is plain-harbour-7x.")
    ask(visitors)
    page = text(signed_in(visitors.cal), f"{HOME}?days=7")
    assert page.count("<svg") >= 3
    assert "2 kept, 2 put before a person, 1 refused" in page
    assert "Keys, passwords and tokens are never kept." in page
    assert page.count('<th scope="row">') > 7
    assert 'href="/queue/?type=fact"' in page


@pytest.mark.parametrize("query", ["?days=0", "?days=31", "?days=x&price=free", "?price=-1", "?price=nan"])
def test_an_address_that_was_typed_wrong_shows_the_usual_period(
    visitors: Visitors, signed_in: SignedIn, query: str
) -> None:
    assert 'aria-current="true">30 days' in text(signed_in(visitors.cal), HOME + query)


def test_the_numbers_come_as_csv(visitors: Visitors, signed_in: SignedIn) -> None:
    fill(visitors, 2)
    response = signed_in(visitors.olu).get(f"{HOME}figures.csv?days=7")
    rows = list(csv.DictReader(response.content.decode().splitlines()))
    assert response["Content-Type"] == "text/csv; charset=utf-8"
    assert len(rows) == 7
    assert (rows[-1]["kept"], rows[-1]["asked"], rows[0]["kept"]) == ("2", "2", "0")


def test_an_auditor_sees_figures_and_no_queue_and_a_customer_neither(visitors: Visitors, signed_in: SignedIn) -> None:
    fill(visitors, 1)
    join(visitors.ground, visitors.dee, "auditor")
    page = text(signed_in(visitors.dee))
    assert "What became of claims" in page
    for path in (HOME, f"{HOME}figures.csv"):
        assert signed_in(visitors.mira_user).get(path).status_code == 403


def test_thirty_rows_are_asked_for_as_three_are(visitors: Visitors, signed_in: SignedIn) -> None:
    client, counts = signed_in(visitors.cal), []
    for rows in (3, 27):
        fill(visitors, rows)
        text(client)
        with CaptureQueriesContext(connection) as seen:
            text(client)
        counts.append(len(seen))
    assert counts[0] == counts[1]
