"""What a curator does beside yes and no, and what stands around one item: with and without HTMX (R92)."""

import re
from datetime import timedelta

import pytest
from django.test import Client
from django.utils import timezone

from memoryhub.governance import agent_tools, confirmation, decisions, never_again, procedures
from memoryhub.models import Entry, Recall, ReviewItem, ReviewLook
from memoryhub.skills.skillmd import SkillDocument, compose_body
from memoryhub.skills.validation import ToolSpec
from memoryhub.tenancy import ALL_SUBJECTS, acting_for
from memoryhub.vocabulary import Channel, ReviewState, Role, SkillStatus, Status
from tests.factories.turns import post
from tests.factories.visitors import Visitors, conclude, item_of, tell
from tests.integration.pages.conftest import SignedIn

HTMX = {"HX-Request": "true"}


@pytest.fixture
def item(visitors: Visitors) -> ReviewItem:
    return conclude(visitors.ground, visitors.mira, "Mira likes window seats.", hours_ago=9)


@pytest.fixture
def second(visitors: Visitors) -> ReviewItem:
    return conclude(visitors.ground, visitors.ground.subject("noor"), "Noor likes aisle seats.", hours_ago=2)


def act(client: Client, item: ReviewItem, verb: str, query: str = "", headers: dict[str, str] | None = None, **data):
    return client.post(f"/queue/{item.pk}/{verb}/{query}", {"etag": item.etag, **data}, headers=headers or {})


def now_in(visitors: Visitors, item: ReviewItem) -> ReviewItem:
    with acting_for(visitors.ground.as_hub, subjects=ALL_SUBJECTS):
        return ReviewItem.objects.select_related("entry", "skill").get(pk=item.pk)


def page_of(client: Client, item: ReviewItem) -> str:
    return client.get(f"/queue/{item.pk}/").content.decode()


@pytest.mark.parametrize(
    ("verb", "data"),
    [
        ("approve", {}),
        ("reject", {"canned": "It is not true"}),
        ("snooze", {"canned": "tomorrow"}),
        ("escalate", {"canned": "It may be an attack"}),
        ("ask", {}),
    ],
)
def test_with_htmx_the_next_item_comes_in_place_and_the_address_keeps_the_filters(
    visitors: Visitors, signed_in: SignedIn, item: ReviewItem, second: ReviewItem, verb: str, data: dict[str, str]
) -> None:
    answer = act(signed_in(visitors.cal), item, verb, "?type=fact&after=x", HTMX, **data)
    assert answer.status_code == 200
    assert answer["HX-Push-Url"] == f"/queue/{second.pk}/?type=fact&after=x"
    page = answer.content.decode()
    assert "<html" not in page
    assert re.search(r'<h1[^>]*id="claim"[^>]*data-focus>.*Noor likes aisle seats', page)
    assert 'id="toast" hx-swap-oob' in page


def test_the_way_back_stands_in_the_toast_and_shows_the_item_again(
    visitors: Visitors, signed_in: SignedIn, item: ReviewItem, second: ReviewItem
) -> None:
    client = signed_in(visitors.cal)
    page = act(client, item, "approve", headers=HTMX).content.decode()
    assert f'hx-post="/queue/{item.pk}/undo/"' in page
    back = act(client, item, "undo", headers=HTMX)
    assert back["HX-Push-Url"] == f"/queue/{item.pk}/"
    assert "Mira likes window seats." in back.content.decode()
    assert now_in(visitors, item).state == ReviewState.WAITING


def test_the_loser_sees_who_was_first_how_long_ago_and_what_they_decided(
    visitors: Visitors, signed_in: SignedIn, item: ReviewItem
) -> None:
    by = visitors.ground.as_dee
    with acting_for(by, subjects=ALL_SUBJECTS):
        moment = timezone.now() - timedelta(seconds=20)
        decisions.reject(item_id=item.pk, reason="She denies it", by=by, now=moment)
    answer = act(signed_in(visitors.cal), item, "approve", headers=HTMX)
    assert answer.status_code == 409
    page = answer.content.decode()
    assert re.search(rf"Changed by {visitors.dee.email} 2\d s ago", page)
    assert "She denies it" in page


@pytest.mark.parametrize(
    ("verb", "data"),
    [
        ("approve", {"text": "Mira likes a window & legroom."}),
        ("reject", {"text": "Mira likes a window & legroom."}),
        ("escalate", {"text": "Mira likes a window & legroom."}),
        ("ask", {"question": "Mira likes a window & legroom."}),
        ("note", {"text": "Mira likes a window & legroom."}),
    ],
)
@pytest.mark.parametrize("changed", ["decided", "moved on"])
def test_what_somebody_wrote_is_shown_again_when_they_come_too_late(
    visitors: Visitors, signed_in: SignedIn, item: ReviewItem, verb: str, data: dict[str, str], changed: str
) -> None:
    by = visitors.ground.as_dee
    with acting_for(by, subjects=ALL_SUBJECTS):
        if changed == "decided":
            decisions.reject(item_id=item.pk, reason="She denies it", by=by, now=timezone.now())
        else:
            later = timezone.now() + timedelta(days=1)
            decisions.snooze(item_id=item.pk, until=later, by=by, now=timezone.now())
    answer = act(signed_in(visitors.cal), item, verb, headers=HTMX, **data)
    if answer.status_code == 200:
        assert verb in ("escalate", "note")  # these add to an item, whatever others do
        return
    assert answer.status_code in (409, 412)
    assert "Mira likes a window &amp; legroom.</textarea>" in answer.content.decode()


def test_a_moment_and_a_memory_that_were_chosen_are_kept_when_the_item_changed(
    visitors: Visitors, signed_in: SignedIn, item: ReviewItem
) -> None:
    (known,) = tell(visitors.ground, visitors.mira, "I prefer a seat by the window.", hours_ago=30)
    with acting_for(visitors.ground.as_dee, subjects=ALL_SUBJECTS):
        later = timezone.now() + timedelta(days=2)
        decisions.snooze(item_id=item.pk, until=later, by=visitors.ground.as_dee, now=timezone.now())
        decisions.wake(item_id=item.pk, by=visitors.ground.as_dee, now=timezone.now())
    client = signed_in(visitors.cal)
    moment = f"{later:%Y-%m-%d}T07:08"
    late = act(client, item, "snooze", headers=HTMX, until=moment)
    assert late.status_code == 412
    assert moment in late.content.decode()
    late = act(client, item, "merge", headers=HTMX, into=str(known.pk))
    assert late.status_code == 412
    assert f'value="{known.pk}"' in late.content.decode()


def test_what_to_merge_into_is_found_by_words_and_never_of_somebody_else(
    visitors: Visitors, signed_in: SignedIn, item: ReviewItem
) -> None:
    (known,) = tell(visitors.ground, visitors.mira, "I prefer a seat by the window.", hours_ago=30)
    (other,) = tell(visitors.ground, visitors.ground.subject("noor"), "I prefer a seat by the door.", hours_ago=30)
    client = signed_in(visitors.cal)
    for headers in ({}, HTMX):
        answer = act(client, item, "merge", headers=headers, find="prefer")
        assert answer.status_code == 200
        assert f'name="into" value="{known.pk}"' in answer.content.decode()
        assert str(other.pk) not in answer.content.decode()
    assert "Nothing in force about the same holds" in act(client, item, "merge", find="zebra").content.decode()
    assert now_in(visitors, item).state == ReviewState.WAITING
    with acting_for(visitors.ground.as_hub, subjects=ALL_SUBJECTS):
        reads = list(Recall.objects.values_list("purpose", "user", "subject"))
    assert reads == [("page", visitors.cal.pk, visitors.mira.pk)] * 2


def test_a_memory_that_is_not_there_is_told_at_its_field(
    visitors: Visitors, signed_in: SignedIn, item: ReviewItem
) -> None:
    for headers in ({}, HTMX):
        answer = act(signed_in(visitors.cal), item, "merge", headers=headers, into=str(item.pk))
        assert answer.status_code == 422
        assert "There is no memory with that id" in answer.content.decode()
        assert 'aria-describedby="merge-fault"' in answer.content.decode()


def test_snoozed_it_is_out_of_the_list_until_somebody_brings_it_back(
    visitors: Visitors, signed_in: SignedIn, item: ReviewItem
) -> None:
    client = signed_in(visitors.cal)
    assert act(client, item, "snooze", canned="", until="").status_code == 422
    assert act(client, item, "snooze", canned="", until="2020-01-01T09:00").status_code == 422
    assert act(client, item, "snooze", canned="monday").status_code == 303
    assert "Mira likes" not in client.get("/queue/").content.decode()
    assert "Mira likes" in client.get("/queue/?standing=snoozed").content.decode()
    assert "Bring it back" in page_of(client, item)
    act(client, item, "wake")
    assert "Mira likes" in client.get("/queue/").content.decode()


def test_escalated_it_comes_first_and_the_reason_is_read(
    visitors: Visitors, signed_in: SignedIn, item: ReviewItem, second: ReviewItem
) -> None:
    client = signed_in(visitors.cal)
    assert act(client, second, "escalate", canned="", text="").status_code == 422
    act(client, second, "escalate", canned="It may be an attack", text="look at the mail")
    listed = client.get("/queue/").content.decode()
    assert listed.index("Noor likes") < listed.index("Mira likes")
    assert "Escalated" in listed
    assert "It may be an attack: look at the mail" in page_of(client, second)


def test_the_person_is_asked_and_it_rests_until_the_answer(
    visitors: Visitors, signed_in: SignedIn, item: ReviewItem
) -> None:
    client = signed_in(visitors.cal)
    act(client, item, "ask", question="Do you always want a window?")
    assert "Mira likes" not in client.get("/queue/").content.decode()
    assert "Mira likes" in client.get("/queue/?standing=asked").content.decode()
    page = page_of(client, item)
    assert "have not answered yet" in page
    assert "Do you always want a window?" in page


def test_a_claim_is_merged_into_what_is_known_and_taken_apart_again(
    visitors: Visitors, signed_in: SignedIn, item: ReviewItem
) -> None:
    (known,) = tell(visitors.ground, visitors.mira, "I prefer window seats.", hours_ago=50)
    client = signed_in(visitors.cal)
    assert str(known.pk) in page_of(client, item)
    assert act(client, item, "merge", into="nonsense").status_code == 422
    assert act(client, item, "merge", into=str(known.pk)).status_code == 303
    assert now_in(visitors, item).state == ReviewState.MERGED
    assert "Merged" in page_of(client, item)
    act(client, item, "undo")
    assert now_in(visitors, item).state == ReviewState.WAITING


def test_notes_and_all_that_happened_stand_on_the_item(
    visitors: Visitors, signed_in: SignedIn, item: ReviewItem
) -> None:
    client = signed_in(visitors.cal)
    assert act(client, item, "note", text=" ").status_code == 422
    act(client, item, "note", text="She called <b>twice</b>\u200b.")
    act(client, item, "claim")
    act(signed_in(visitors.dee), item, "claim")
    page = page_of(client, item)
    for words in ("She called &lt;b&gt;twice&lt;/b&gt;", "took it on", "took it over", "put it here"):
        assert words in page


def test_who_looked_is_kept_and_shown_to_those_who_read_the_audit(
    visitors: Visitors, signed_in: SignedIn, item: ReviewItem
) -> None:
    page_of(signed_in(visitors.dee), item)
    with acting_for(visitors.ground.as_hub, subjects=ALL_SUBJECTS):
        assert ReviewLook.objects.filter(item=item, person=visitors.dee).count() == 1
    assert "looked at it" in page_of(signed_in(visitors.olu), item)
    assert "looked at it" not in page_of(signed_in(visitors.cal), item)


def test_an_open_item_is_taken_softly_held_and_handed_over(
    visitors: Visitors, signed_in: SignedIn, item: ReviewItem
) -> None:
    cal, dee = signed_in(visitors.cal), signed_in(visitors.dee)
    taken = act(cal, item, "heartbeat", seen="free")
    assert "Yours until" in taken.content.decode()
    assert act(cal, item, "heartbeat", seen=str(visitors.cal.pk)).status_code == 204
    other = act(dee, item, "heartbeat", seen="free")
    assert f"{visitors.cal.email} is on it" in other.content.decode()
    assert now_in(visitors, item).claimed_by_id == visitors.cal.pk
    act(dee, item, "claim")
    assert f"{visitors.dee.email} is on it" in act(cal, item, "heartbeat", seen=str(visitors.cal.pk)).content.decode()
    act(dee, item, "release")
    assert act(dee, item, "heartbeat", seen="free", idle="yes").status_code == 204
    assert now_in(visitors, item).claimed_by_id is None
    act(dee, item, "approve")
    gone = act(cal, item, "heartbeat", seen="free")
    assert gone.status_code == 286
    assert f"{visitors.dee.email} approved it" in gone.content.decode()


def test_moving_on_lets_go_of_what_is_mine_and_of_nothing_else(
    visitors: Visitors, signed_in: SignedIn, item: ReviewItem
) -> None:
    cal, dee = signed_in(visitors.cal), signed_in(visitors.dee)
    assert "load delay:" in page_of(cal, item), "a glance takes nothing"
    assert now_in(visitors, item).claimed_by_id is None
    act(cal, item, "heartbeat", seen="free")
    assert act(dee, item, "heartbeat", leaving="yes").status_code == 204
    assert now_in(visitors, item).claimed_by_id == visitors.cal.pk
    assert act(cal, item, "heartbeat", leaving="yes").status_code == 204
    assert now_in(visitors, item).claimed_by_id is None


def test_nobody_takes_what_they_may_not_decide_by_looking_at_it(
    visitors: Visitors, signed_in: SignedIn, item: ReviewItem
) -> None:
    act(signed_in(visitors.ada), item, "heartbeat", seen="free")
    assert now_in(visitors, item).claimed_by_id is None
    assert act(signed_in(visitors.olu), item, "heartbeat", seen="free").status_code == 403


def test_the_exact_words_are_marked_inside_their_turn(visitors: Visitors, signed_in: SignedIn) -> None:
    ground = visitors.ground
    post(ground, visitors.mira, "Hello there! I live in Lisbon. Can you help <b>me</b>?", session="s-1")
    with acting_for(ground.as_hub, subjects=ALL_SUBJECTS):
        entry = Entry.objects.select_related("provenance").get(content__icontains="Lisbon", status=Status.ACCEPTED)
    with acting_for(ground.as_dee, subjects=ALL_SUBJECTS):
        confirmation.dispute(entry=entry, reason="She moved.", by=ground.as_dee, now=timezone.now())
    page = page_of(signed_in(visitors.cal), item_of(ground, entry=entry))
    marked = re.search(r"<mark[^>]*>([^<]*)</mark>", page)
    assert marked is not None
    assert marked.group(1) in "I live in Lisbon."
    assert "Hello there!" in page
    assert "Can you help &lt;b&gt;me&lt;/b&gt;?" in page


def test_a_skill_that_acts_outside_is_asked_about_once_more(visitors: Visitors, signed_in: SignedIn) -> None:
    ground, client = visitors.ground, signed_in(visitors.cal)
    with acting_for(ground.as_agent, subjects=ALL_SUBJECTS):
        tools = [ToolSpec("find_booking", side_effects=False), ToolSpec("move_booking", side_effects=True)]
        agent_tools.set_tools(agent=ground.agent, tools=tools, by=ground.as_agent, now=timezone.now())
        document = SkillDocument(
            name="move-a-booking", description="How a booking is moved.", triggers=("intent:MOVE",),
            prefetch=("find_booking",), tools=("move_booking",), body=compose_body(procedure="1. Move it."),
        )  # fmt: skip
        outcome = procedures.propose_skill(
            document=document, agent=ground.agent, by=ground.as_agent, now=timezone.now()
        )
    assert outcome.item is not None
    asked = act(client, outcome.item, "approve")
    assert asked.status_code == 422
    assert "Approve it all the same?" in asked.content.decode()
    assert now_in(visitors, outcome.item).state == ReviewState.WAITING
    act(client, outcome.item, "approve", sure="yes")
    assert now_in(visitors, outcome.item).skill.status == SkillStatus.ACTIVE


@pytest.mark.parametrize(
    ("query", "found"),
    [
        ("q=WINDOW", True), ("q=mira", True), ("q=%25", False), ("q=%00", True), ("certainty=medium", True),
        ("certainty=low", False), ("certainty=nonsense", True), ("standing=late", False), ("standing=escalated", False),
        ("claims=mine", False), ("selected=" + "x" * 9000, True), ("all=yes", True),
    ],
)  # fmt: skip
def test_more_filters_narrow_the_list_and_break_nothing(
    visitors: Visitors, signed_in: SignedIn, item: ReviewItem, query: str, found: bool
) -> None:
    page = signed_in(visitors.cal).get(f"/queue/?{query}").content.decode()
    assert ("Mira likes window seats." in page) is found


def test_one_by_one_begins_with_the_first_that_fits(
    visitors: Visitors, signed_in: SignedIn, item: ReviewItem, second: ReviewItem
) -> None:
    client = signed_in(visitors.cal)
    assert client.get("/queue/one-by-one/")["Location"] == f"/queue/{item.pk}/"
    assert client.get("/queue/one-by-one/?subject=noor")["Location"] == f"/queue/{second.pk}/?subject=noor"
    assert client.get("/queue/one-by-one/?subject=nobody")["Location"] == "/queue/?subject=nobody"
    page = page_of(client, second)
    assert f'href="/queue/{item.pk}/" data-key="k"' in page
    assert 'data-key="j"' in page


def test_the_tabs_of_an_open_page_are_counted_anew(visitors: Visitors, signed_in: SignedIn, item: ReviewItem) -> None:
    page = signed_in(visitors.cal).get("/queue/counts/", headers=HTMX).content.decode()
    assert '<span id="count-fact" hx-swap-oob="innerHTML">1</span>' in page
    assert '<span id="count-skill" hx-swap-oob="innerHTML">0</span>' in page


def test_every_action_prints_its_key_and_says_it_to_screen_readers(
    visitors: Visitors, signed_in: SignedIn, item: ReviewItem
) -> None:
    page = page_of(signed_in(visitors.cal), item)
    places = []
    for key in "aermqsx":
        found = re.search(
            rf'data-key="{key}" aria-keyshortcuts="{key}">[^<]*<kbd class="key" aria-hidden="true">{key}</kbd>', page
        )
        assert found is not None, key
        places.append(found.start())
    assert places == sorted(places)


@pytest.mark.parametrize(
    ("verb", "data"),
    [
        ("approve", {"text": "Mira likes the window."}), ("reject", {"canned": "It is not true"}),
        ("snooze", {"canned": "tomorrow"}), ("ask", {}),
    ],
)  # fmt: skip
def test_what_a_colleague_is_on_is_asked_about_and_then_taken_over(
    visitors: Visitors, signed_in: SignedIn, item: ReviewItem, verb: str, data: dict[str, str]
) -> None:
    """On its own page as in bulk: nobody decides under a colleague's hands without saying so."""
    dee = signed_in(visitors.dee)
    act(signed_in(visitors.cal), item, "claim")
    asked = act(dee, item, verb, headers=HTMX, **data)
    page = asked.content.decode()
    assert (asked.status_code, f"{visitors.cal.email} is on it. Nothing was decided" in page) == (409, True)
    assert 'name="take_over" value="yes"' in page
    assert f"{data.get('text', '')}</textarea>" in page
    assert (now_in(visitors, item).state, now_in(visitors, item).claimed_by_id) == (
        ReviewState.WAITING, visitors.cal.pk
    )  # fmt: skip
    assert act(dee, item, verb, headers=HTMX, take_over="yes", **data).status_code == 200
    assert "took it over" in page_of(dee, item)
    assert now_in(visitors, item).state != ReviewState.WAITING or now_in(visitors, item).snoozed_until is not None


def test_what_a_colleague_is_on_can_be_noted_and_escalated_as_before(
    visitors: Visitors, signed_in: SignedIn, item: ReviewItem
) -> None:
    act(signed_in(visitors.cal), item, "claim")
    dee = signed_in(visitors.dee)
    assert act(dee, item, "note", headers=HTMX, text="Look at the mail").status_code == 200
    assert act(dee, item, "escalate", headers=HTMX, canned="It may be an attack").status_code == 200
    assert now_in(visitors, item).claimed_by_id == visitors.cal.pk


def test_a_slip_into_escalating_is_taken_back_with_one_key(
    visitors: Visitors, signed_in: SignedIn, item: ReviewItem, second: ReviewItem
) -> None:
    client = signed_in(visitors.cal)
    toast = act(client, second, "escalate", headers=HTMX, canned="It may be an attack").content.decode()
    assert f"/queue/{second.pk}/lower/" in toast
    assert "Put it back in its turn" in page_of(client, second)
    again = act(client, second, "escalate", headers=HTMX, text="Two of us think so")
    assert (again.status_code, "Two of us think so</textarea>" in again.content.decode()) == (412, True)
    back = act(client, second, "lower", headers=HTMX)
    assert (back.status_code, "It waits where its turn is." in back.content.decode()) == (200, True)
    assert now_in(visitors, second).escalated_at is None
    listed = client.get("/queue/").content.decode()
    assert listed.index("Mira likes") < listed.index("Noor likes")


def test_an_edit_that_takes_the_key_away_is_warned_of_and_told(visitors: Visitors, signed_in: SignedIn) -> None:
    (entry,) = tell(
        visitors.ground, visitors.mira, "Mira speaks Marathi.", key="language", value="Marathi",
        channel=Channel.AGENT_INFERENCE, role=Role.AGENT,
    )  # fmt: skip
    item, client = item_of(visitors.ground, entry=entry), signed_in(visitors.cal)
    words = "She would rather be written to than called."
    asked = act(client, item, "approve", headers=HTMX, text=words)
    page = asked.content.decode()
    assert asked.status_code == 422
    assert "In these words it stands under no key: it stood under “language”" in page
    assert now_in(visitors, item).state == ReviewState.WAITING
    other = act(client, item, "approve", headers=HTMX, text="She likes letters more than calls.", sure_of=words)
    assert other.status_code == 422, "the yes was to other words"
    told = act(client, item, "approve", headers=HTMX, text=words, sure_of=f" {words} ")
    assert "Approved as edited. In these words it stands under no key" in told.content.decode()
    assert now_in(visitors, item).entry.key == ""
    for page in (page_of(client, item), client.get(f"/memories/{entry.pk}/").content.decode()):
        assert re.search(rf"{visitors.cal.email}, who edited it when approving it", page)
        assert "<q>Mira speaks Marathi.</q>" in page
    assert "took it from under the key language" in page_of(client, item)


def test_an_edit_that_keeps_the_key_is_approved_at_once(visitors: Visitors, signed_in: SignedIn) -> None:
    (entry,) = tell(
        visitors.ground, visitors.mira, "She moved to Porto", channel=Channel.AGENT_INFERENCE, role=Role.AGENT
    )
    assert entry.key == "city"
    item = item_of(visitors.ground, entry=entry)
    assert act(signed_in(visitors.cal), item, "approve", headers=HTMX, text="She lives in Lisbon.").status_code == 200
    assert (now_in(visitors, item).entry.key, now_in(visitors, item).entry.value) == ("city", "Lisbon")


def test_an_edit_into_what_the_person_asked_never_to_keep_is_told_at_its_field(
    visitors: Visitors, signed_in: SignedIn, item: ReviewItem
) -> None:
    (city,) = tell(visitors.ground, visitors.mira, "I moved to Lisbon")
    with acting_for(visitors.ground.as_agent, subjects=ALL_SUBJECTS):
        never_again.never_again(entry=city, by=visitors.ground.as_agent, now=timezone.now())
    refused = act(signed_in(visitors.cal), item, "approve", headers=HTMX, text="She lives in Porto.")
    page = refused.content.decode()
    assert refused.status_code == 422
    assert re.search(r'id="edit-fault"[^>]*>The person asked never to keep this kind of fact', page)
    assert "She lives in Porto.</textarea>" in page


def test_the_first_item_has_its_way_back_in_its_place(
    visitors: Visitors, signed_in: SignedIn, item: ReviewItem, second: ReviewItem
) -> None:
    """What is pressed next stays where it was."""
    assert re.search(
        r'<span class="button button-small" aria-disabled="true">Previous', page_of(signed_in(visitors.cal), item)
    )
