"""What I find kept of my conversations: each names the facts that came from it, and forgetting one asks about these."""

import pytest

from memoryhub.models import Entry, Event, Session, Turn
from memoryhub.vocabulary import Channel, Kind, Role
from tests.factories.turns import action, all_of, night, post
from tests.factories.visitors import Visitors, grant_right, make_visitors, tell
from tests.integration.pages.conftest import SignedIn
from tests.integration.pages.test_my_memory import HTMX, entries, page_of, words_of


def talk(visitors: Visitors, name: str = "s-1") -> Entry:
    """A conversation that left a fact and a summary; the summary."""
    tell(visitors.ground, visitors.mira, "I live in Lisbon.", session_ref=name, event_ref=f"{name}-e1")
    (summary,) = tell(
        visitors.ground, visitors.mira, "2026-11-02: changed a booking.", channel=Channel.DREAM, role=Role.DREAMER,
        kind=Kind.EPISODIC, session_ref=name,
    )  # fmt: skip
    return summary


@pytest.fixture
def summary(visitors: Visitors) -> Entry:
    return talk(visitors)


def test_a_conversation_names_the_facts_that_came_from_it(
    visitors: Visitors, signed_in: SignedIn, summary: Entry
) -> None:
    tell(visitors.ground, visitors.mira, "I prefer the quiet coach.", session_ref="s-2")
    client = signed_in(visitors.mira_user)
    words = words_of(page_of(client, "/me/conversations/"))
    assert "changed a booking" in words
    assert "What we learned from it about you I live in Lisbon" in words
    assert "quiet coach" not in words
    assert "Forget them too" in words
    assert "changed a booking" not in page_of(client)


@pytest.mark.parametrize(
    ("form", "left"), [({}, []), ({"facts": "forget"}, []), ({"facts": "keep"}, ["I live in Lisbon."])]
)
def test_forgetting_one_takes_its_facts_along_unless_they_are_kept(
    visitors: Visitors, signed_in: SignedIn, summary: Entry, form: dict[str, str], left: list[str]
) -> None:
    response = signed_in(visitors.mira_user).post(f"/me/conversations/{summary.pk}/forget/", form)
    assert (response.status_code, response["Location"]) == (303, "/me/conversations/")
    assert [entry.content for entry in entries(visitors)] == left


def test_what_was_set_for_the_person_stays(visitors: Visitors, signed_in: SignedIn, summary: Entry) -> None:
    right = grant_right(visitors.ground, visitors.mira, "Two free changes a year.")
    signed_in(visitors.mira_user).post(f"/me/conversations/{summary.pk}/forget/", headers=HTMX)
    assert [entry.pk for entry in entries(visitors)] == [right.pk]


def test_nothing_of_it_is_left_to_be_summed_up_again(visitors: Visitors, signed_in: SignedIn) -> None:
    ground = visitors.ground
    post(ground, visitors.mira, "I live in Lisbon.", session="visit", actions=[action("find_booking")])
    night(ground)
    post(ground, visitors.mira, "I prefer the quiet coach.", session="visit", minutes=5)  # no dream has read it yet
    (summary,) = [entry for entry in entries(visitors) if entry.kind == Kind.EPISODIC]
    client = signed_in(visitors.mira_user)
    assert "I live in Lisbon" in page_of(client, "/me/conversations/")
    client.post(f"/me/conversations/{summary.pk}/forget/")
    with all_of(ground):
        left = [table.objects.filter(subject=visitors.mira).count() for table in (Entry, Event, Turn, Session)]
    assert left == [0, 0, 0, 0]
    night(ground)
    assert entries(visitors) == []


def test_an_unknown_choice_changes_nothing(visitors: Visitors, signed_in: SignedIn, summary: Entry) -> None:
    response = signed_in(visitors.mira_user).post(f"/me/conversations/{summary.pk}/forget/", {"facts": "perhaps"})
    assert response.status_code == 422
    assert len(entries(visitors)) == 2


def test_another_person_s_conversation_and_a_fact_are_not_there(
    visitors: Visitors, signed_in: SignedIn, summary: Entry
) -> None:
    noor, other = visitors.ground.subject("noor"), make_visitors()
    (theirs,) = tell(
        visitors.ground, noor, "2026-11-02: asked.", channel=Channel.DREAM, role=Role.DREAMER, kind=Kind.EPISODIC
    )
    elsewhere = talk(other)
    (fact,) = [entry for entry in entries(visitors) if entry.kind == Kind.SEMANTIC]
    client = signed_in(visitors.mira_user)
    for entry in (theirs, elsewhere, fact):
        assert client.post(f"/me/conversations/{entry.pk}/forget/").status_code == 404
    assert len(entries(visitors)) == 2
    assert signed_in(visitors.cal).get("/me/conversations/").status_code == 403


def test_somebody_whose_conversations_left_nothing_reads_so(visitors: Visitors, signed_in: SignedIn) -> None:
    assert "There is nothing here." in page_of(signed_in(visitors.mira_user), "/me/conversations/")
