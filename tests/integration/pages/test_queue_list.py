"""The list of what waits: who may see it, filters in the address, pages that never get slower."""

from collections.abc import Callable
from datetime import timedelta

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.utils import timezone
from django.utils.html import escape

from memoryhub.governance import decisions
from memoryhub.tenancy import ALL_SUBJECTS, acting_for
from tests.factories.visitors import Visitors, conclude, make_visitors, offer_skill, tell
from tests.integration.pages.conftest import SignedIn


def text(client: Client, path: str = "/queue/") -> str:
    response = client.get(path)
    assert response.status_code == 200
    return response.content.decode()


def test_each_item_says_what_it_is_about_whom_and_why_it_is_here(visitors: Visitors, signed_in: SignedIn) -> None:
    item = conclude(visitors.ground, visitors.mira, "Mira likes window seats.", hours_ago=3)
    offer_skill(visitors.ground)
    page = text(signed_in(visitors.cal)).replace("\xa0", " ")
    for words in (
        "Mira likes window seats.",
        "About mira",
        "From Helper",
        "3 hours ago",
        "change-a-booking",
        escape(item.why),
    ):
        assert words in page


def test_operators_look_and_customers_do_not(visitors: Visitors, signed_in: SignedIn) -> None:
    assert signed_in(visitors.olu).get("/queue/").status_code == 200
    refused = signed_in(visitors.mira_user).get("/queue/")
    assert refused.status_code == 403
    assert "curators and operators" in refused.content.decode()


def test_another_organisation_s_items_are_not_there(visitors: Visitors, signed_in: SignedIn) -> None:
    conclude(visitors.ground, visitors.mira, "Mira likes window seats.")
    assert "Nothing waits." in text(signed_in(make_visitors().cal))


@pytest.mark.parametrize(
    ("query", "shown", "hidden"),
    [
        ("type=fact", "window seats", "change-a-booking"),
        ("type=skill", "change-a-booking", "window seats"),
        ("subject=mira", "window seats", "change-a-booking"),
        ("subject=noor", "aisle seats", "window seats"),
        ("agent=helper", "window seats", "nothing-like-this"),
        ("type=nonsense", "window seats", "nothing-like-this"),
        ("kind=semantic", "window seats", "change-a-booking"),
        ("kind=procedural", "change-a-booking", "window seats"),
        ("reason=mentions_other", "window seats", "change-a-booking"),
        ("reason=procedure", "change-a-booking", "window seats"),
        ("age=3", "aisle seats", "window seats"),
        ("age=3&reason=mentions_other", "aisle seats", "change-a-booking"),
        ("kind=nonsense&reason=nonsense&age=2", "window seats", "nothing-like-this"),
    ],
)
def test_filters_are_in_the_address(
    visitors: Visitors, signed_in: SignedIn, query: str, shown: str, hidden: str
) -> None:
    conclude(visitors.ground, visitors.mira, "Mira likes window seats.")
    conclude(visitors.ground, visitors.ground.subject("noor"), "Noor likes aisle seats.", hours_ago=80)
    offer_skill(visitors.ground)
    page = text(signed_in(visitors.cal), f"/queue/?{query}")
    assert shown in page
    assert hidden not in page


@pytest.mark.parametrize(
    "query",
    [
        "subject=%00",
        "agent=%F0%9F",
        "type=%00",
        "subject=" + "x" * 900,
        "agent=%ED%A0%80",
        "kind=%00",
        "reason=%F0%9F",
        "age=-1",
        "age=1e9",
    ],
)
def test_odd_filters_find_nothing_and_break_nothing(visitors: Visitors, signed_in: SignedIn, query: str) -> None:
    text(signed_in(visitors.cal), f"/queue/?{query}")


@pytest.mark.parametrize(
    "mark", ["x", "2026-01-01~x", "2026-01-01T00:00:00~01a22a6c-2ebd-74ca-844d-5fc8279b2752", "%00~%00"]
)
def test_a_mark_that_was_tampered_with_is_refused_in_plain_words(
    visitors: Visitors, signed_in: SignedIn, mark: str
) -> None:
    response = signed_in(visitors.cal).get(f"/queue/?after={mark}")
    assert response.status_code == 422
    assert "start at the beginning" in response.content.decode()


def test_pages_follow_one_another_without_gap_or_repeat(
    visitors: Visitors, signed_in: SignedIn, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("curation.paging.rows_after.__kwdefaults__", {"newest_first": False, "size": 2})
    for hour in range(5, 0, -1):
        conclude(visitors.ground, visitors.mira, f"Mira visits room {hour}.", hours_ago=hour)
    client, path, seen = signed_in(visitors.cal), "/queue/", []
    for _ in range(3):
        response = client.get(path)
        seen += [row.item.entry.content for row in response.context["rows"]]
        path = f"/queue/?after={response.context['after'].replace('+', '%2B')}"
    assert seen == [f"Mira visits room {hour}." for hour in range(5, 0, -1)]
    assert response.context["after"] == ""


def queries(call: Callable[[], object]) -> int:
    with CaptureQueriesContext(connection) as captured:
        call()
    return len(captured)


def test_the_number_of_queries_does_not_grow_with_the_rows(visitors: Visitors, signed_in: SignedIn) -> None:
    client = signed_in(visitors.cal)
    conclude(visitors.ground, visitors.mira, "Mira visits room 1.")
    few = queries(lambda: client.get("/queue/"))
    for number in range(2, 14):
        conclude(visitors.ground, visitors.ground.subject(f"guest-{number}"), f"A guest visits room {number}.")
    assert queries(lambda: client.get("/queue/")) == few


def test_a_claim_is_shown_while_it_holds(visitors: Visitors, signed_in: SignedIn) -> None:
    item = conclude(visitors.ground, visitors.mira, "Mira likes window seats.")
    by = visitors.ground.as_dee
    with acting_for(by, subjects=ALL_SUBJECTS):
        decisions.claim(item_id=item.pk, by=by, now=timezone.now() - timedelta(minutes=2))
    assert "is on it" in text(signed_in(visitors.cal), "/queue/?claims=all")
    assert "Mira likes window seats." not in text(signed_in(visitors.cal))
    assert "Yours" in text(signed_in(visitors.dee))
    assert "Yours" in text(signed_in(visitors.dee), "/queue/?claims=mine")
    with acting_for(by, subjects=ALL_SUBJECTS):
        decisions.claim(item_id=item.pk, by=by, now=timezone.now() - timedelta(minutes=20))
    assert "is on it" not in text(signed_in(visitors.cal), "/queue/?claims=all")
    assert "Mira likes window seats." in text(signed_in(visitors.cal))


def test_an_empty_queue_says_what_that_means(visitors: Visitors, signed_in: SignedIn) -> None:
    client, by = signed_in(visitors.cal), visitors.ground.as_dee
    assert "New facts that need a look" in text(client)
    tell(visitors.ground, visitors.mira, "I live in Lisbon.", hours_ago=0)
    page = text(client)
    assert "Today 1 claim was kept without a person and 0 refused." in page
    assert 'href="/dashboard/"' in page
    item = conclude(visitors.ground, visitors.mira, "Mira likes window seats.")
    with acting_for(by, subjects=ALL_SUBJECTS):
        decisions.claim(item_id=item.pk, by=by, now=timezone.now())
    assert "1 more is taken on by colleagues." in text(client)
