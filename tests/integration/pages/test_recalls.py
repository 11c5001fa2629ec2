"""Why did the agent think that? From a recall id to the person's words on a page, and who may see what of it (R37)."""

import re
import uuid

import pytest
from django.test import Client
from django.utils import timezone

from accounts.models import User
from memoryhub.governance import given
from memoryhub.governance.erasure import erase_entry
from memoryhub.governance.subjects import describe
from memoryhub.models import Entry, Recall, ReviewItem
from memoryhub.tenancy import ALL_SUBJECTS, acting_for
from memoryhub.vocabulary import Channel, Role, Sensitivity
from tests.factories.visitors import Visitors, ask, conclude, join, make_visitors, tell
from tests.integration.pages.conftest import SignedIn


def text(client: Client, path: str, status: int = 200) -> str:
    response = client.get(path)
    assert response.status_code == status
    return response.content.decode()


@pytest.fixture
def auditor(visitors: Visitors) -> User:
    user = User.objects.create_user(f"kim-{uuid.uuid4().hex[:8]}@example.org")
    join(visitors.ground, user, "auditor")
    return user


def test_from_a_recall_to_the_person_s_words(visitors: Visitors, signed_in: SignedIn) -> None:
    (entry,) = tell(visitors.ground, visitors.mira, "I moved to Lisbon", session_ref="visit-7")
    recalled = ask(visitors)
    page = text(signed_in(visitors.cal), f"/recalls/{recalled.recall_id}/")
    assert "I moved to Lisbon" in page
    assert '<blockquote class="quote">' in page
    assert "visit-7" in page
    assert f"/memories/{entry.pk}/" in page
    assert str(recalled.recall_id) in page
    assert "Decision that let it in" in page


def test_an_auditor_sees_who_when_and_which_but_not_what_it_says(
    visitors: Visitors, signed_in: SignedIn, auditor: User
) -> None:
    (entry,) = tell(visitors.ground, visitors.mira, "I moved to Lisbon")
    recalled = ask(visitors)
    client = signed_in(auditor)
    page = text(client, f"/recalls/{recalled.recall_id}/")
    assert (str(entry.pk) in page, "Lisbon" in page, "mira" in page) == (True, False, True)
    assert str(recalled.recall_id) in text(client, "/recalls/")
    assert client.get(f"/recalls/?entry={entry.pk}").status_code == 403
    with acting_for(visitors.ground.as_hub, subjects=ALL_SUBJECTS):
        assert not Recall.objects.filter(purpose="page").exists()  # no words were read


def test_a_customer_and_a_stranger_see_nothing(visitors: Visitors, signed_in: SignedIn) -> None:
    recalled = ask(visitors)
    for path in ("/recalls/", f"/recalls/{recalled.recall_id}/"):
        assert signed_in(visitors.mira_user).get(path).status_code == 403
        assert Client().get(path).status_code in (302, 401, 403)
    assert signed_in(visitors.cal).get(f"/recalls/{uuid.uuid4()}/").status_code == 404


def test_another_organisation_s_recall_is_not_there(visitors: Visitors, signed_in: SignedIn) -> None:
    others = make_visitors()
    recalled = ask(others)
    client = signed_in(visitors.cal)
    assert client.get(f"/recalls/{recalled.recall_id}/").status_code == 404
    assert "No recall of this organisation has that id" in text(client, f"/recalls/?id={recalled.recall_id}", 422)


def test_a_recall_is_found_by_its_id_however_it_was_copied(visitors: Visitors, signed_in: SignedIn) -> None:
    recalled = ask(visitors)
    client = signed_in(visitors.olu)
    for typed in (str(recalled.recall_id), f"%20{recalled.recall_id}%20", str(recalled.recall_id).upper()):
        response = client.get(f"/recalls/?id={typed}")
        assert (response.status_code, response["Location"]) == (302, f"/recalls/{recalled.recall_id}/")
    for typed in ("nonsense", "%00", "<script>", "1" * 400):
        page = text(client, f"/recalls/?id={typed}", 422)
        assert "That is no recall id" in page
        assert "<script>" not in page.replace('<script src="', "")


def test_what_was_replaced_since_is_shown_with_what_took_its_place(visitors: Visitors, signed_in: SignedIn) -> None:
    tell(visitors.ground, visitors.mira, "I moved to Lisbon")
    recalled = ask(visitors)
    (newer,) = tell(visitors.ground, visitors.mira, "I moved to Porto", hours_ago=0)
    page = text(signed_in(visitors.cal), f"/recalls/{recalled.recall_id}/")
    assert "Replaced since" in page
    assert "I moved to Lisbon" in page
    assert f'<a href="/memories/{newer.pk}/">what is known now</a>' in page


def test_what_was_erased_is_shown_as_erased_and_without_words(visitors: Visitors, signed_in: SignedIn) -> None:
    (entry,) = tell(visitors.ground, visitors.mira, "I moved to Lisbon")
    recalled = ask(visitors)
    with acting_for(visitors.ground.as_hub, subjects=ALL_SUBJECTS):
        erase_entry(entry=Entry.objects.get(pk=entry.pk), by=visitors.ground.as_hub, now=timezone.now())
    page = text(signed_in(visitors.cal), f"/recalls/{recalled.recall_id}/")
    assert ("Erased since" in page, "Lisbon" in page, str(entry.pk) in page) == (True, False, True)


def test_who_approved_what_waited_is_named(visitors: Visitors, signed_in: SignedIn) -> None:
    item = conclude(visitors.ground, visitors.mira, "She prefers the early ferry")
    client = signed_in(visitors.cal)
    with acting_for(visitors.ground.as_hub, subjects=ALL_SUBJECTS):
        etag = ReviewItem.objects.get(pk=item.pk).etag
    client.post(f"/queue/{item.pk}/approve/", {"etag": etag})
    recalled = ask(visitors, "ferry")
    page = text(client, f"/recalls/{recalled.recall_id}/")
    assert "Approved by" in page
    assert visitors.cal.email in page


def test_nothing_found_is_told_as_that(visitors: Visitors, signed_in: SignedIn) -> None:
    recalled = ask(visitors)
    page = text(signed_in(visitors.cal), f"/recalls/{recalled.recall_id}/")
    assert "Nothing was given" in page


def test_whoever_sees_the_words_leaves_a_read_that_is_no_recall_of_an_agent(
    visitors: Visitors, signed_in: SignedIn
) -> None:
    (entry,) = tell(visitors.ground, visitors.mira, "I moved to Lisbon")
    recalled = ask(visitors)
    client = signed_in(visitors.cal)
    for _ in range(2):
        text(client, f"/recalls/{recalled.recall_id}/")
    with acting_for(visitors.ground.as_hub, subjects=ALL_SUBJECTS):
        looks = list(Recall.objects.filter(purpose="page"))
    assert [(look.user_id, [one["id"] for one in look.items]) for look in looks] == [
        (visitors.cal.pk, [str(entry.pk)])
    ] * 2
    assert "1 given" in text(client, "/recalls/")
    assert str(looks[0].pk) not in text(client, "/recalls/")
    assert re.search(r"<dt>Recalled</dt><dd>1 time\.", text(client, f"/memories/{entry.pk}/"))


def test_a_memory_s_page_says_how_often_it_was_recalled_and_leads_there(
    visitors: Visitors, signed_in: SignedIn
) -> None:
    (entry,) = tell(visitors.ground, visitors.mira, "I moved to Lisbon")
    client = signed_in(visitors.cal)
    assert "<dt>Recalled</dt><dd>Never</dd>" in text(client, f"/memories/{entry.pk}/")
    asked = [ask(visitors) for _ in range(12)]
    page = text(client, f"/memories/{entry.pk}/")
    assert "12 times" in page
    assert [f"/recalls/{one.recall_id}/" in page for one in asked] == [False] * 2 + [True] * 10
    every = text(client, f"/recalls/?entry={entry.pk}")
    assert [f"/recalls/{one.recall_id}/" in every for one in asked] == [True] * 12
    assert client.get("/recalls/?entry=nonsense").status_code == 404


def test_what_a_member_was_given_of_a_group_counts_for_the_group_s_memory(
    visitors: Visitors, signed_in: SignedIn
) -> None:
    ground = visitors.ground
    with acting_for(ground.as_hub, subjects=ALL_SUBJECTS):
        group, _ = describe(external_id="pier", kind="project", members=["mira"], by=ground.as_hub, now=timezone.now())
    (entry,) = tell(
        ground, group, "The pier opens at six", channel=Channel.CURATOR, role=Role.CURATOR, by=ground.as_cal
    )
    recalled = ask(visitors, "when does the pier open")
    assert str(entry.pk) in {item.note.id for item in recalled.items}
    assert f"/recalls/{recalled.recall_id}/" in text(signed_in(visitors.cal), f"/memories/{entry.pk}/")


def test_hostile_words_stay_words(visitors: Visitors, signed_in: SignedIn) -> None:
    words = "<img src=x onerror=alert(1)> \u202eI moved to Lisbon"
    (entry,) = tell(
        visitors.ground, visitors.mira, words, channel=Channel.CURATOR, role=Role.CURATOR, by=visitors.ground.as_cal
    )
    recalled = ask(visitors)
    page = text(signed_in(visitors.cal), f"/recalls/{recalled.recall_id}/")
    assert str(entry.pk) in page
    assert "<img src=x" not in page
    assert "\u202e" not in page


def test_what_is_restricted_by_now_is_kept_from_who_may_not_see_it(visitors: Visitors) -> None:
    (entry,) = tell(visitors.ground, visitors.mira, "I moved to Lisbon")
    recalled = ask(visitors)
    ground = visitors.ground
    with acting_for(ground.as_agent, subjects=ALL_SUBJECTS):
        (shown,) = given.read(recall_id=recalled.recall_id, by=ground.as_agent).given
    assert (shown.erased, shown.withheld, shown.entry is not None) == (False, False, True)
    restricted = Entry(pk=entry.pk, sensitivity=Sensitivity.RESTRICTED)
    assert given.may_see(restricted, by=ground.as_cal)
    assert not given.may_see(restricted, by=ground.as_agent)
