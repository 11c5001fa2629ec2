"""One item: what a curator sees, and deciding it, with and without JavaScript."""

import re
from datetime import timedelta

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from memoryhub.governance import audit, confirmation, decisions
from memoryhub.governance.announcement import announce
from memoryhub.models import Entry, ReviewItem, Skill
from memoryhub.tenancy import ALL_SUBJECTS, acting_for
from memoryhub.vocabulary import Channel, Reason, ReviewState, Role, SkillStatus, Status
from tests.factories.visitors import Visitors, conclude, item_of, make_visitors, offer_profile, offer_skill, tell
from tests.integration.pages.conftest import SignedIn

HTMX = {"HX-Request": "true"}


def now_in(visitors: Visitors, item: ReviewItem) -> ReviewItem:
    with acting_for(visitors.ground.as_hub, subjects=ALL_SUBJECTS):
        return ReviewItem.objects.select_related("entry", "skill").get(pk=item.pk)


def act(client: Client, item: ReviewItem, verb: str, headers: dict[str, str] | None = None, **data: str):
    return client.post(f"/queue/{item.pk}/{verb}/", {"etag": item.etag, **data}, headers=headers or {})


@pytest.fixture
def item(visitors: Visitors) -> ReviewItem:
    return conclude(visitors.ground, visitors.mira, "Mira likes window seats.")


def test_a_claim_comes_with_its_origin_and_why_it_is_here(
    visitors: Visitors, signed_in: SignedIn, item: ReviewItem
) -> None:
    page = signed_in(visitors.cal).get(f"/queue/{item.pk}/").content.decode()
    for words in (
        "Mira likes window seats.",
        "Why it is here",
        "What stands behind it",
        "What else is known",
        "Approve",
        "Reject",
    ):
        assert words in page


def test_approving_puts_it_in_force_and_offers_the_way_back(
    visitors: Visitors, signed_in: SignedIn, item: ReviewItem
) -> None:
    client = signed_in(visitors.cal)
    response = act(client, item, "approve")
    assert (response.status_code, response["Location"]) == (303, f"/queue/{item.pk}/")
    decided = now_in(visitors, item)
    assert (decided.state, decided.entry.status, decided.decided_by_id) == (
        ReviewState.APPROVED,
        Status.ACCEPTED,
        visitors.cal.pk,
    )
    assert "Undo the decision" in client.get(response["Location"]).content.decode()
    act(client, item, "undo")
    assert (now_in(visitors, item).state, now_in(visitors, item).entry.status) == (ReviewState.WAITING, Status.PROPOSED)


def test_with_htmx_the_next_item_comes_in_place_and_the_way_back_beside_it(
    visitors: Visitors, signed_in: SignedIn, item: ReviewItem
) -> None:
    response = act(signed_in(visitors.cal), item, "approve", HTMX)
    assert response.status_code == 200
    page = response.content.decode()
    assert "<html" not in page
    assert 'id="item"' in page
    assert "data-focus" in page
    assert "Approved" in page


def test_an_edited_text_is_what_is_kept(visitors: Visitors, signed_in: SignedIn, item: ReviewItem) -> None:
    act(signed_in(visitors.cal), item, "approve", text="Mira likes window seats on long trips.")
    assert now_in(visitors, item).entry.content == "Mira likes window seats on long trips."


@pytest.mark.parametrize("words", ["", "   ", "a\x00b"])
def test_an_edit_that_can_t_be_kept_decides_nothing(
    visitors: Visitors, signed_in: SignedIn, item: ReviewItem, words: str
) -> None:
    response = act(signed_in(visitors.cal), item, "approve", text=words)
    assert response.status_code == 422
    assert now_in(visitors, item).state == ReviewState.WAITING


def test_an_edit_with_a_secret_is_refused_without_repeating_it(
    visitors: Visitors, signed_in: SignedIn, item: ReviewItem
) -> None:
    response = act(signed_in(visitors.cal), item, "approve", text="Her password is correct-horse-7!")
    assert response.status_code == 422
    assert "Nothing was decided." in response.content.decode()
    assert now_in(visitors, item).state == ReviewState.WAITING


def test_a_no_needs_a_reason(visitors: Visitors, signed_in: SignedIn, item: ReviewItem) -> None:
    client = signed_in(visitors.cal)
    missing = act(client, item, "reject", canned="", text="")
    assert missing.status_code == 422
    assert "Choose a reason" in missing.content.decode()
    unknown = act(client, item, "reject", canned="because")
    assert unknown.status_code == 422
    assert now_in(visitors, item).state == ReviewState.WAITING
    act(client, item, "reject", canned="It is not true", text="She told me so.")
    declined = now_in(visitors, item)
    assert (declined.state, declined.decided_reason) == (ReviewState.REJECTED, "It is not true: She told me so.")
    assert declined.entry.status == Status.REJECTED


def test_who_comes_second_sees_the_first_decision_and_changes_nothing(
    visitors: Visitors, signed_in: SignedIn, item: ReviewItem
) -> None:
    act(signed_in(visitors.dee), item, "reject", canned="It is not true")
    for headers in ({}, HTMX):
        second = act(signed_in(visitors.cal), item, "approve", headers)
        assert second.status_code == 409
        page = second.content.decode()
        assert "Somebody decided this first" in page
        assert visitors.dee.email in page
        assert "It is not true" in page
    assert now_in(visitors, item).state == ReviewState.REJECTED


def test_a_stale_page_decides_nothing(visitors: Visitors, signed_in: SignedIn, item: ReviewItem) -> None:
    client = signed_in(visitors.cal)
    act(client, item, "approve")
    act(client, item, "undo")
    stale = act(client, item, "approve")
    assert stale.status_code == 412
    assert "what you see is how it is now" in stale.content.decode()
    assert now_in(visitors, item).state == ReviewState.WAITING


def test_nobody_decides_what_their_own_agent_proposed(
    visitors: Visitors, signed_in: SignedIn, item: ReviewItem
) -> None:
    client = signed_in(visitors.ada)
    page = client.get(f"/queue/{item.pk}/").content.decode()
    assert "somebody else has to decide" in page
    assert "Approve</button>" not in page
    assert act(client, item, "approve").status_code == 403
    assert now_in(visitors, item).state == ReviewState.WAITING


def test_an_operator_looks_and_does_not_decide(visitors: Visitors, signed_in: SignedIn, item: ReviewItem) -> None:
    client = signed_in(visitors.olu)
    page = client.get(f"/queue/{item.pk}/").content.decode()
    assert "a curator decides it" in page
    assert "Approve</button>" not in page
    for verb in ("approve", "reject", "undo", "claim", "release"):
        assert act(client, item, verb, canned="It is not true").status_code == 403


def test_items_of_others_and_items_that_never_were_look_the_same(
    visitors: Visitors, signed_in: SignedIn, item: ReviewItem
) -> None:
    client = signed_in(make_visitors().cal)
    pages = []
    for pk in (item.pk, "01a22a6c-2ebd-74ca-844d-5fc8279b2752"):
        response = client.get(f"/queue/{pk}/")
        assert response.status_code == 404
        pages.append(response.content.decode().split("<main")[1])
        assert client.post(f"/queue/{pk}/approve/", {}).status_code == 404
    assert pages[0] == pages[1]


def test_deciding_is_never_a_link(visitors: Visitors, signed_in: SignedIn, item: ReviewItem) -> None:
    for verb in ("approve", "reject", "undo", "claim", "release"):
        assert signed_in(visitors.cal).get(f"/queue/{item.pk}/{verb}/").status_code == 405
        strict = Client(enforce_csrf_checks=True)
        strict.force_login(visitors.cal)
        assert strict.post(f"/queue/{item.pk}/{verb}/", {}).status_code == 403


def test_a_change_is_shown_against_what_is_in_force(visitors: Visitors, signed_in: SignedIn) -> None:
    tell(visitors.ground, visitors.mira, "I live in Lisbon.", hours_ago=50)
    (entry,) = tell(
        visitors.ground, visitors.mira, "Mira lives in Porto.", channel=Channel.AGENT_INFERENCE, role=Role.AGENT,
        key="city", value="Porto",
    )  # fmt: skip
    page = signed_in(visitors.cal).get(f"/queue/{item_of(visitors.ground, entry=entry).pk}/").content.decode()
    assert "What would change" in page
    assert "<del>" in page
    assert "<ins>" in page
    assert "I live in Lisbon" in page


def test_a_skill_is_rendered_and_shown_raw_and_nothing_in_it_is_active(visitors: Visitors, signed_in: SignedIn) -> None:
    body = "## Procedure\n\n1. Look **closely**.\n\n<script>alert(1)</script> [here](https://elsewhere.example) ![x](https://elsewhere.example/x.png)"
    item = offer_skill(visitors.ground, body=body)
    page = signed_in(visitors.cal).get(f"/queue/{item.pk}/").content.decode()
    assert "<strong>closely</strong>" in page
    assert "<script>alert" not in page
    assert 'href="https://elsewhere' not in page
    assert '<img src="https' not in page
    assert "&lt;script&gt;alert(1)" in page


def test_an_approved_skill_is_active_and_an_undone_one_waits(visitors: Visitors, signed_in: SignedIn) -> None:
    item, client = offer_skill(visitors.ground), signed_in(visitors.cal)
    act(client, item, "approve")
    assert now_in(visitors, item).skill.status == SkillStatus.ACTIVE
    act(client, item, "undo")
    assert now_in(visitors, item).skill.status == SkillStatus.PROPOSED


def test_an_edited_skill_is_read_as_a_file(visitors: Visitors, signed_in: SignedIn) -> None:
    item, client = offer_skill(visitors.ground), signed_in(visitors.cal)
    assert act(client, item, "approve", text="no front matter").status_code == 422
    file = "---\nname: change-a-booking\ndescription: How a booking is moved.\n---\n\n## Procedure\n\nAsk first."
    assert act(client, item, "approve", text=file).status_code == 303
    with acting_for(visitors.ground.as_hub, subjects=ALL_SUBJECTS):
        skill = Skill.objects.get(pk=item.skill_id)
    assert (skill.status, skill.description) == (SkillStatus.ACTIVE, "How a booking is moved.")


def test_unseen_characters_are_written_out(visitors: Visitors, signed_in: SignedIn, item: ReviewItem) -> None:
    hub = visitors.ground.as_hub
    with acting_for(hub, subjects=ALL_SUBJECTS):
        announce()
        Entry.objects.filter(pk=item.entry_id).update(content="Mira\u202e likes\u200b seats")
        audit.record(by=hub, now=timezone.now(), action="entry.edit", object_kind="entry", object_id=item.entry_id)
    page = signed_in(visitors.cal).get(f"/queue/{item.pk}/").content.decode()
    assert "U+202E" in page
    assert "U+200B" in page


def test_a_claim_can_be_taken_over_and_let_go(visitors: Visitors, signed_in: SignedIn, item: ReviewItem) -> None:
    cal, dee = signed_in(visitors.cal), signed_in(visitors.dee)
    act(cal, item, "claim")
    assert "Take over" in dee.get(f"/queue/{item.pk}/").content.decode()
    act(dee, item, "claim")
    assert now_in(visitors, item).claimed_by_id == visitors.dee.pk
    act(dee, item, "release")
    assert now_in(visitors, item).claimed_by_id is None


def test_after_a_decision_the_next_item_is_one_step_away(
    visitors: Visitors, signed_in: SignedIn, item: ReviewItem
) -> None:
    older = conclude(visitors.ground, visitors.ground.subject("noor"), "Noor likes aisle seats.", hours_ago=9)
    by = visitors.ground.as_cal
    with acting_for(by, subjects=ALL_SUBJECTS):
        decisions.approve(item_id=item.pk, by=by, now=timezone.now() - timedelta(seconds=1))
    page = signed_in(visitors.cal).get(f"/queue/{item.pk}/").content.decode()
    assert re.search(rf'href="/queue/{older.pk}/"[^>]*>Next item', page)


def test_the_number_of_queries_does_not_grow_with_the_sessions_behind_a_skill(
    visitors: Visitors, signed_in: SignedIn
) -> None:
    item = offer_skill(visitors.ground)
    client = signed_in(visitors.cal)
    with CaptureQueriesContext(connection) as captured:
        client.get(f"/queue/{item.pk}/")
    assert len(captured) < 40


def test_a_profile_is_shown_against_the_one_in_force_and_approved_as_it_is(
    visitors: Visitors, signed_in: SignedIn
) -> None:
    client = signed_in(visitors.cal)
    act(client, offer_profile(visitors.ground, "# Helper\n\nAnswer briefly and kindly at the desk."), "approve")
    second = offer_profile(visitors.ground, "# Helper\n\nAnswer fully and kindly at the desk.")
    page = client.get(f"/queue/{second.pk}/").content.decode()
    assert "What changes against version 1" in page
    assert "briefly</del>" in page
    assert "Approve with an edit" not in page
    assert act(client, second, "approve", text="# Something else").status_code == 422
    assert act(client, second, "approve").status_code == 303


@pytest.mark.parametrize(
    ("verb", "becomes"), [("approve", Status.DISPUTED), ("reject", Status.ACCEPTED)], ids=["a yes", "a no"]
)
def test_a_dispute_says_what_a_yes_and_a_no_would_do_to_what_is_in_use(
    visitors: Visitors, signed_in: SignedIn, verb: str, becomes: Status
) -> None:
    client = signed_in(visitors.cal)
    (entry,) = tell(visitors.ground, visitors.mira, "I live in Lisbon.")
    by = visitors.ground.as_dee
    with acting_for(by, subjects=ALL_SUBJECTS):
        confirmation.dispute(entry=entry, reason="She moved.", by=by, now=timezone.now())
    item = item_of(visitors.ground, entry=entry)
    page = client.get(f"/queue/{item.pk}/").content.decode()
    for words in ("She moved.", "The agent no longer recalls", "The agent goes on recalling"):
        assert words in page
    act(client, item, verb, canned="It is not true")
    assert now_in(visitors, item).entry.status == becomes


RECORD = {"channel": Channel.SYSTEM_OF_RECORD, "role": Role.SYSTEM_OF_RECORD}
CURATOR = {"channel": Channel.CURATOR, "role": Role.CURATOR}
MAIL = {"channel": Channel.EMAIL, "role": Role.AGENT}


@pytest.mark.parametrize(
    ("first", "against", "behind"),
    [
        ([RECORD], {}, "a system of record says so"),
        ([{}, RECORD], {}, "a system of record says so"),
        ([CURATOR], {}, "confirmed by a curator"),
        ([{}, CURATOR], MAIL, "confirmed by a curator"),
        ([{}], MAIL, "said by the person"),
    ],
    ids=["a record", "a record that agreed", "a curator", "a curator that agreed", "the person"],
)
def test_a_contradiction_says_so_and_who_stands_behind_what_is_in_force(
    visitors: Visitors, signed_in: SignedIn, first: list[dict], against: dict, behind: str
) -> None:
    ground = visitors.ground
    who = {Role.SYSTEM_OF_RECORD: ground.as_record, Role.CURATOR: ground.as_dee}
    for how in first:
        tell(ground, visitors.mira, "My plan is basic", key="plan", value="basic", by=who.get(how.get("role")), **how)
    (entry,) = tell(ground, visitors.mira, "My plan is platinum", key="plan", value="platinum", **against)
    item = item_of(ground, entry=entry)
    page = signed_in(visitors.cal).get(f"/queue/{item.pk}/").content.decode()
    assert Reason.CONTRADICTS.label in page
    assert page.count(behind) == 2  # beside the change, and among what is known
    assert "Nothing else on this." not in page
    assert "It follows from what is known already." not in page


def test_a_dispute_of_what_a_record_says_shows_that_the_record_says_so(visitors: Visitors, signed_in: SignedIn) -> None:
    ground = visitors.ground
    tell(ground, visitors.mira, "My plan is basic")
    (entry,) = tell(ground, visitors.mira, "plan: basic", key="plan", value="basic", by=ground.as_record, **RECORD)
    with acting_for(ground.as_dee, subjects=ALL_SUBJECTS):
        confirmation.dispute(entry=entry, reason="She left it.", by=ground.as_dee, now=timezone.now())
    page = signed_in(visitors.cal).get(f"/queue/{item_of(ground, entry=entry).pk}/").content.decode()
    assert "In force, a system of record says so." in page
