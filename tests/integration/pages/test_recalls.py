"""Why did the agent think that? From a recall id to the person's words on a page, and who may see what of it (R37)."""

import html
import re
import uuid
from datetime import timedelta

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from accounts.models import User
from memoryhub.governance import given
from memoryhub.governance.erasure import erase_entry
from memoryhub.governance.subjects import describe
from memoryhub.models import Entry, Recall, ReviewItem
from memoryhub.recall.session_search import search
from memoryhub.tenancy import ALL_SUBJECTS, acting_for
from memoryhub.vocabulary import Channel, Role, Sensitivity
from tests.factories.turns import action, night, post
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


# From an answer's recall id to the person's words, in clicks ----------------------------------------------------------


class Walk:
    """Somebody who has a recall id and a mouse: every link followed and every form sent is a click."""

    def __init__(self, client: Client, start: str) -> None:
        self.client, self.clicks, self.page = client, 0, ""
        self._open(start)

    def follow(self, label: str) -> None:
        """Click the link that is called so."""
        found = re.search(rf'<a [^>]*href="([^"]+)"[^>]*>\s*{re.escape(label)}', self.page)
        assert found, label
        self._open(html.unescape(found[1]))
        self.clicks += 1

    def send(self, field: str, typed: str) -> None:
        """Type into a field of a form that only asks, and press its button."""
        assert re.search(rf'<input [^>]*name="{field}"', self.page)
        self._open(f"/recalls/?{field}={typed}")
        self.clicks += 1

    def _open(self, address: str) -> None:
        response = self.client.get(address, follow=True)
        assert response.status_code == 200
        self.page = html.unescape(response.content.decode())


def test_why_does_it_think_that_takes_at_most_three_clicks(visitors: Visitors, signed_in: SignedIn) -> None:
    """U9: two of them for what the person said themselves, one more at most for what was drawn from a conversation."""
    tell(visitors.ground, visitors.mira, "I moved to Lisbon")
    post(visitors.ground, visitors.mira, "Please move me to the early ferry", actions=[action("move_booking")])
    night(visitors.ground)
    told, drawn = ask(visitors, "where does she live"), ask(visitors, "move booking")
    assert any(item.note.kind == "episodic" for item in drawn.items)
    for recalled, words in ((told, "I moved to Lisbon"), (drawn, "Please move me to the early ferry")):
        walk = Walk(signed_in(visitors.cal), "/queue/")
        walk.follow("Recalls")
        walk.send("id", str(recalled.recall_id))
        assert f">{words}</blockquote>" in walk.page
        assert walk.clicks <= 3


def test_each_score_is_shown_signal_by_signal_with_the_warnings_it_came_with(
    visitors: Visitors, signed_in: SignedIn
) -> None:
    tell(visitors.ground, visitors.mira, "I moved to Lisbon")
    recalled = ask(visitors)
    (item,) = recalled.items
    page = html.unescape(text(signed_in(visitors.cal), f"/recalls/{recalled.recall_id}/"))
    for name in ("relevance", "recency", "importance", "authority", "frequency", "validity"):
        shown = f"{getattr(item.signals, name):.2f}"
        assert re.search(
            rf">{name.capitalize()}</span>.*?<span class=\"bar-number\">{re.escape(shown)}", page, re.DOTALL
        )
    assert [str(warning) for warning in item.note.warnings] == ["unchecked"]
    assert "Nobody but the speaker confirmed it" in page


def test_a_read_from_before_signals_were_kept_shows_its_score_alone(visitors: Visitors, signed_in: SignedIn) -> None:
    (entry,) = tell(visitors.ground, visitors.mira, "I moved to Lisbon")
    recalled = ask(visitors)
    with acting_for(visitors.ground.as_hub, subjects=ALL_SUBJECTS):
        Recall.objects.filter(pk=recalled.recall_id).update(items=[{"id": str(entry.pk), "score": 0.5}])
    page = text(signed_in(visitors.cal), f"/recalls/{recalled.recall_id}/")
    assert ("Score 0.50" in page, "How the score came about" in page) == (True, False)


def test_what_is_no_longer_in_force_says_since_when(visitors: Visitors, signed_in: SignedIn) -> None:
    tell(visitors.ground, visitors.mira, "I moved to Lisbon", hours_ago=5)
    recalled = ask(visitors)
    client = signed_in(visitors.cal)
    assert "No longer in use" not in text(client, f"/recalls/{recalled.recall_id}/")
    tell(visitors.ground, visitors.mira, "I moved to Porto", hours_ago=0)
    assert "No longer in use since 30 November 2026" in text(client, f"/recalls/{recalled.recall_id}/")


def test_a_search_in_past_sessions_shows_the_turns_it_gave(visitors: Visitors, signed_in: SignedIn) -> None:
    post(visitors.ground, visitors.mira, "Please move me to the early ferry", actions=[action("move_booking")])
    with acting_for(visitors.ground.as_agent, subjects=[visitors.mira.pk]):
        hits, recall_id = search(
            subject=visitors.mira, text="ferry", by=visitors.ground.as_agent, now=timezone.now(),
            audiences=frozenset([visitors.mira.pk]), limit=5,
        )  # fmt: skip
    assert hits
    page = text(signed_in(visitors.cal), f"/recalls/{recall_id}/")
    assert "Please move me to the early ferry</blockquote>" in page
    assert "Erased since" not in page


def test_the_list_is_narrowed_by_what_is_in_the_address(visitors: Visitors, signed_in: SignedIn) -> None:
    ground = visitors.ground
    empty = ask(visitors)
    tell(ground, visitors.mira, "I moved to Lisbon")
    some = ask(visitors)
    client = signed_in(visitors.cal)
    with acting_for(ground.as_hub, subjects=ALL_SUBJECTS):
        Recall.objects.filter(pk=empty.recall_id).update(created_at=timezone.now() - timedelta(days=9))
    text(client, f"/recalls/{some.recall_id}/")  # a look
    for query, found in (
        ("", (True, True)), ("subject=mira", (True, True)), ("subject=tove", (False, False)),
        ("agent=helper", (True, True)), ("agent=other", (False, False)), ("gave=nothing", (True, False)),
        ("gave=something", (False, True)), ("since=7", (False, True)), ("since=30", (True, True)),
        ("who=people", (False, False)), ("gave=%00&since=x&who=<b>", (True, True)),
    ):  # fmt: skip
        page = text(client, f"/recalls/?{query}")
        assert tuple(f'href="/recalls/{one.recall_id}/"' in page for one in (empty, some)) == found, query
    assert "A look at a recall" in text(client, "/recalls/?who=people")
    assert "No recall fits these filters." in text(client, "/recalls/?subject=tove")


def test_older_reads_are_on_the_next_page_and_the_number_of_queries_stays(
    visitors: Visitors, signed_in: SignedIn
) -> None:
    tell(visitors.ground, visitors.mira, "I moved to Lisbon")
    asked = [ask(visitors) for _ in range(3)]
    client = signed_in(visitors.cal)

    def queries(path: str) -> int:
        client.get(path)
        with CaptureQueriesContext(connection) as caught:
            text(client, path)
        return len(caught)

    few = queries("/recalls/")
    with acting_for(visitors.ground.as_agent, subjects=ALL_SUBJECTS):
        row = Recall.objects.get(pk=asked[0].recall_id)
        for _ in range(50):
            row.pk, row._state.adding = uuid.UUID(int=row.pk.int + 1), True
            row.save(force_insert=True)
    assert queries("/recalls/") == few
    page = text(client, "/recalls/")
    assert f"/recalls/{asked[2].recall_id}/" in page
    assert f"/recalls/{asked[0].recall_id}/" not in page
    older = re.search(r'href="([^"]+)">Older</a>', page)
    assert older
    assert f"/recalls/{asked[0].recall_id}/" in text(client, html.unescape(older[1]))


def test_a_recall_of_many_takes_no_more_queries_than_a_recall_of_one(visitors: Visitors, signed_in: SignedIn) -> None:
    client = signed_in(visitors.cal)

    def queries() -> int:
        recalled = ask(visitors, "what does she like")
        with CaptureQueriesContext(connection) as caught:
            text(client, f"/recalls/{recalled.recall_id}/")
        return len(caught)

    tell(visitors.ground, visitors.mira, "I like tea")
    client.get("/recalls/")
    one = queries()
    for like in ("rye bread", "window seats", "early ferries", "short walks"):
        tell(visitors.ground, visitors.mira, f"I like {like}")
    assert queries() == one


def test_from_a_recall_the_same_people_are_asked_about_in_the_playground(
    visitors: Visitors, signed_in: SignedIn, auditor: User
) -> None:
    recalled = ask(visitors)
    address = "/playground/question/?subject=mira"
    client = signed_in(visitors.cal)
    assert address in text(client, f"/recalls/{recalled.recall_id}/")
    assert ">\nmira</textarea>" in text(client, address)
    assert ">\nmira\nbo &amp; co</textarea>" in text(client, f"{address}&subject=bo%20%26%20co")
    assert address not in text(signed_in(auditor), f"/recalls/{recalled.recall_id}/")
