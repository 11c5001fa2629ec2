"""Whose visit ended in the middle of something hears so, and finds the way back in."""

import re

import pytest
from django.test import Client

from tests.factories.visitors import Visitors

PLACE = "http://testserver/queue/?type=fact"
ITEM = "/queue/00000000-0000-0000-0000-000000000001/reject/"


@pytest.fixture(params=[False, True], ids=["the session ended", "the cookies are gone"])
def stranger(request: pytest.FixtureRequest) -> Client:
    return Client(enforce_csrf_checks=request.param)


def test_with_htmx_the_browser_goes_to_sign_in_and_back(visitors: Visitors, stranger: Client) -> None:
    answer = stranger.post(ITEM, {"text": "x"}, headers={"HX-Request": "true", "HX-Current-URL": PLACE})
    assert answer.status_code == 401
    assert answer["HX-Redirect"] == "/sign-in/?next=%2Fqueue%2F%3Ftype%3Dfact"


def test_without_a_page_says_so_and_keeps_the_words(visitors: Visitors, stranger: Client) -> None:
    headers = {"Referer": PLACE, "Origin": "http://testserver"}
    answer = stranger.post(ITEM, {"text": "She <b>denied</b> it", "password": "hush"}, headers=headers)
    page = answer.content.decode()
    assert answer.status_code == 401
    assert "You were signed out" in page
    assert "She &lt;b&gt;denied&lt;/b&gt; it</textarea>" in page
    assert "hush" not in page
    assert re.search(r'href="/sign-in/\?next=%2Fqueue%2F%3Ftype%3Dfact"', page)


def test_what_another_site_sends_is_neither_shown_nor_gone_back_to(visitors: Visitors, stranger: Client) -> None:
    headers = {"Referer": "https://elsewhere.example/page", "Origin": "https://elsewhere.example"}
    page = stranger.post(ITEM, {"text": "Call this number"}, headers=headers).content.decode()
    assert "Call this number" not in page
    assert "elsewhere" not in page


def test_who_is_signed_in_and_sends_no_token_hears_that_the_page_was_out_of_date(visitors: Visitors) -> None:
    client = Client(enforce_csrf_checks=True)
    client.force_login(visitors.cal)
    answer = client.post(ITEM, {"text": "x"})
    assert answer.status_code == 403
    assert "The page was out of date" in answer.content.decode()
