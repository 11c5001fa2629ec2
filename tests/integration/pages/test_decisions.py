"""What was decided: by whom, narrowed by the address, and reversed by a new decision (R92)."""

from datetime import timedelta

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from memoryhub.governance import decisions
from memoryhub.models import Entry, ReviewItem
from memoryhub.tenancy import ALL_SUBJECTS, Principal, acting_for
from memoryhub.vocabulary import ReviewState, Status
from tests.factories.visitors import Visitors, conclude, make_visitors
from tests.integration.pages.conftest import SignedIn


def approve(item: ReviewItem, by: Principal, *, days_ago: int = 0) -> ReviewItem:
    with acting_for(by, subjects=ALL_SUBJECTS):
        return decisions.approve(item_id=item.pk, by=by, now=timezone.now() - timedelta(days=days_ago))


def reject(item: ReviewItem, by: Principal) -> ReviewItem:
    with acting_for(by, subjects=ALL_SUBJECTS):
        return decisions.reject(item_id=item.pk, reason="It is not true", by=by, now=timezone.now())


@pytest.fixture
def decided(visitors: Visitors) -> list[ReviewItem]:
    ground = visitors.ground
    yes = conclude(ground, visitors.mira, "Mira likes window seats.")
    no = conclude(ground, ground.subject("noor"), "Noor likes aisle seats.")
    return [approve(yes, ground.as_cal), reject(no, ground.as_dee)]


def test_the_newest_comes_first_with_who_decided_and_why(
    visitors: Visitors, signed_in: SignedIn, decided: list[ReviewItem]
) -> None:
    page = signed_in(visitors.cal).get("/decisions/").content.decode()
    assert page.index("Noor likes aisle seats.") < page.index("Mira likes window seats.")
    for words in (visitors.cal.email, visitors.dee.email, "It is not true", "Reverse this"):
        assert words in page


def test_it_is_narrowed_by_the_address(visitors: Visitors, signed_in: SignedIn, decided: list[ReviewItem]) -> None:
    client = signed_in(visitors.cal)
    for query in (f"by={visitors.cal.email}", "verdict=approved", "subject=mira"):
        page = client.get(f"/decisions/?{query}").content.decode()
        assert "Mira likes window seats." in page
        assert "Noor likes aisle seats." not in page
    for query in ("days=1", "type=fact", "verdict=%00", "days=-1"):
        page = client.get(f"/decisions/?{query}").content.decode()
        assert "Mira likes window seats." in page
        assert "Noor likes aisle seats." in page
    assert "No decision fits" in client.get("/decisions/?verdict=merged").content.decode()


def test_a_reversal_is_a_new_decision_and_the_old_one_stays(
    visitors: Visitors, signed_in: SignedIn, decided: list[ReviewItem]
) -> None:
    client = signed_in(visitors.cal)
    answer = client.post(f"/decisions/{decided[0].pk}/reverse/", {"text": "She told me otherwise."})
    assert (answer.status_code, answer["Location"]) == (303, "/decisions/")
    page = client.get("/decisions/").content.decode()
    assert "Reversed: it is rejected now." in page
    assert "It was reversed." in page
    assert "Reverses an earlier one" in page
    with acting_for(visitors.ground.as_hub, subjects=ALL_SUBJECTS):
        rows = ReviewItem.objects.filter(entry=decided[0].entry_id).order_by("pk")
        assert sorted(row.state for row in rows) == [ReviewState.APPROVED, ReviewState.REJECTED]
        assert Entry.objects.get(pk=decided[0].entry_id).status == Status.REJECTED


def test_a_reversal_needs_a_reason(visitors: Visitors, signed_in: SignedIn, decided: list[ReviewItem]) -> None:
    answer = signed_in(visitors.cal).post(f"/decisions/{decided[0].pk}/reverse/", {"text": " "})
    assert answer.status_code == 422
    assert "Say why, in a few words." in answer.content.decode()


def test_what_is_older_than_thirty_days_is_not_reversed(visitors: Visitors, signed_in: SignedIn) -> None:
    ground = visitors.ground
    item = approve(conclude(ground, visitors.mira, "Mira likes window seats."), ground.as_cal, days_ago=31)
    client = signed_in(visitors.cal)
    page = client.get("/decisions/").content.decode()
    assert "older than 30 days" in page
    assert "Reverse this" not in page
    assert client.post(f"/decisions/{item.pk}/reverse/", {"text": "It is wrong."}).status_code == 412


def test_operators_look_customers_do_not_and_strangers_see_nothing(
    visitors: Visitors, signed_in: SignedIn, decided: list[ReviewItem]
) -> None:
    page = signed_in(visitors.olu).get("/decisions/").content.decode()
    assert "A curator reverses it." in page
    assert signed_in(visitors.olu).post(f"/decisions/{decided[0].pk}/reverse/", {"text": "No."}).status_code == 403
    assert signed_in(visitors.mira_user).get("/decisions/").status_code == 403
    stranger = signed_in(make_visitors().cal)
    assert "Nothing was decided yet." in stranger.get("/decisions/").content.decode()
    assert stranger.post(f"/decisions/{decided[0].pk}/reverse/", {"text": "No."}).status_code == 404


def test_the_number_of_queries_does_not_grow_with_the_decisions(visitors: Visitors, signed_in: SignedIn) -> None:
    client, ground = signed_in(visitors.cal), visitors.ground

    def queries() -> int:
        with CaptureQueriesContext(connection) as captured:
            client.get("/decisions/")
        return len(captured)

    approve(conclude(ground, visitors.mira, "Mira visits room 1."), ground.as_cal)
    few = queries()
    for number in range(2, 8):
        approve(conclude(ground, ground.subject(f"guest-{number}"), f"A guest visits room {number}."), ground.as_cal)
    assert queries() == few
