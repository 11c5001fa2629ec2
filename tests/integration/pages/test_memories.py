"""The browser of memories: who may open it, what it finds, filters in the address, and pages that never get slower."""

from collections.abc import Callable
from datetime import timedelta
from urllib.parse import urlencode

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from accounts.models import User
from memoryhub.governance import confirmation
from memoryhub.models import Entry, Recall
from memoryhub.recall import read_log
from memoryhub.tenancy import ALL_SUBJECTS, acting_for
from memoryhub.vocabulary import Channel, Role
from tests.factories.visitors import Visitors, conclude, join, make_visitors, tell
from tests.integration.pages.conftest import SignedIn


def text(client: Client, status: int = 200, /, **query: str) -> str:
    response = client.get(f"/memories/?{urlencode(query)}")
    assert response.status_code == status
    return response.content.decode()


def shown(page: str, *statements: str) -> list[bool]:
    return [statement in page for statement in statements]


@pytest.fixture
def curator(visitors: Visitors, signed_in: SignedIn) -> Client:
    return signed_in(visitors.cal)


def test_a_memory_says_about_whom_it_is_what_it_is_and_how_it_came(visitors: Visitors, curator: Client) -> None:
    (entry,) = tell(visitors.ground, visitors.mira, "I moved to Lisbon", hours_ago=3)
    page = text(curator).replace("\xa0", " ")
    for words in (
        "I moved to Lisbon",
        "About mira",
        "What is true, account fact",
        "3 hours ago",
        "a message by the person",
    ):
        assert words in page
    assert f'href="/memories/{entry.pk}/"' in page


@pytest.mark.parametrize("role", ["mira", "auditor", "nobody"])
def test_only_curators_and_operators_see_them(visitors: Visitors, signed_in: SignedIn, role: str) -> None:
    tell(visitors.ground, visitors.mira, "I moved to Lisbon")
    assert "I moved to Lisbon" in text(signed_in(visitors.olu))
    if role == "nobody":
        assert Client().get("/memories/").status_code == 302
        return
    user = visitors.mira_user
    if role == "auditor":
        user = User.objects.create_user("kim-at-the-list@example.org")
        join(visitors.ground, user, "auditor")
    assert "Lisbon" not in text(signed_in(user), 403)


def test_another_organisation_s_memories_are_not_found(
    visitors: Visitors, signed_in: SignedIn, curator: Client
) -> None:
    others = make_visitors()
    (entry,) = tell(others.ground, others.mira, "I moved to Lisbon")
    for query in ({}, {"q": "Lisbon"}, {"q": str(entry.pk)}, {"status": "any"}):
        assert f"/memories/{entry.pk}/" not in text(curator, **query)
    assert "No memory fits" in text(curator, q=str(entry.pk))


FILTERS: list[tuple[dict[str, str], list[bool]]] = [
    ({}, [True, True, False]),
    ({"q": "lisbon"}, [True, False, False]),
    ({"q": "moving"}, [True, False, False]),  # another form of the word
    ({"q": "order 4471"}, [False, True, False]),
    ({"q": "4471"}, [False, True, False]),
    ({"q": "visit-7"}, [True, False, False]),  # the session it was said in
    ({"q": "nothing of the kind"}, [False, False, False]),
    ({"subject": "mira"}, [True, False, False]),
    ({"subject": "mira", "status": "any"}, [True, False, True]),
    ({"key": "city"}, [True, False, False]),
    ({"kind": "episodic"}, [False, False, False]),
    ({"category": "account_fact", "q": "lisbon"}, [True, False, False]),
    ({"category": "entitlement"}, [False, False, False]),
    ({"status": "proposed"}, [False, False, True]),
    ({"status": "any"}, [True, True, True]),
    ({"status": "nonsense"}, [True, True, False]),
    ({"channel": "curator"}, [False, True, False]),
    ({"channel": "agent_inference", "status": "any"}, [False, False, True]),
    ({"sensitivity": "ordinary", "q": "lisbon"}, [True, False, False]),
    ({"sensitivity": "restricted"}, [False, False, False]),
    ({"agent": "helper", "status": "any"}, [True, False, True]),
    ({"agent": "nobody"}, [False, False, False]),
    ({"age": "1"}, [True, False, False]),
    ({"age": "30"}, [True, True, False]),
    ({"state": "contested"}, [True, False, False]),
    ({"state": "stale"}, [False, True, False]),
]


def test_every_filter_narrows_the_list_and_stays_in_the_form(visitors: Visitors, curator: Client) -> None:
    ground, noor = visitors.ground, visitors.ground.subject("noor")
    (city,) = tell(ground, visitors.mira, "I moved to Lisbon", session_ref="visit-7")
    curated = {"channel": Channel.CURATOR, "role": Role.CURATOR, "by": ground.as_dee}
    (order,) = tell(ground, noor, "Noor keeps order 4471 apart", hours_ago=90, **curated)
    conclude(ground, visitors.mira, "Mira likes window seats.")
    with acting_for(ground.as_dee, subjects=ALL_SUBJECTS):
        now = timezone.now()
        confirmation.dispute(entry=city, reason="She moved on.", by=ground.as_dee, now=now)
        confirmation.set_review_by(entry=order, review_by=now - timedelta(days=1), by=ground.as_dee, now=now)
    found = [
        (query, shown(text(curator, **query), "I moved to Lisbon", "Noor keeps order 4471 apart", "Mira likes window seats."))
        for query, _ in FILTERS
    ]  # fmt: skip
    assert found == FILTERS
    page = text(curator, q="lisbon", subject="mira", kind="semantic", channel="user_message")
    for kept in (
        'name="q" value="lisbon"',
        'name="subject" value="mira"',
        'value="semantic" selected',
        'value="user_message" selected',
    ):
        assert kept in page


def test_an_exact_id_is_found_whatever_its_status(visitors: Visitors, curator: Client) -> None:
    item = conclude(visitors.ground, visitors.mira, "Mira likes window seats.")
    assert shown(text(curator, q=str(item.entry_id), status="any"), "Mira likes window seats.") == [True]


def test_somebody_unknown_is_said_to_be_unknown(visitors: Visitors, curator: Client) -> None:
    page = text(curator, subject="<b>nobody</b>")
    assert "Nobody and nothing is known by the id “&lt;b&gt;nobody&lt;/b&gt;”" in page
    assert "No memory fits" in page


def test_whatever_is_typed_answers_with_a_page(visitors: Visitors, curator: Client) -> None:
    for name in ("q", "subject", "agent", "key", "kind", "age", "state", "channel"):
        for value in ("\x00", "<script>alert(1)</script>", "'; --", "9" * 400, "\u202e", "(", "%", "a:*&|!"):
            assert "<script>alert" not in text(curator, **{name: value})


def test_an_empty_hub_says_what_comes(visitors: Visitors, curator: Client) -> None:
    assert "Nothing is kept yet." in text(curator)
    conclude(visitors.ground, visitors.mira, "Mira likes window seats.")
    assert "Look through every status" in text(curator, q="window")


def test_hostile_words_and_names_stay_words(visitors: Visitors, curator: Client) -> None:
    ground = visitors.ground
    subject = ground.subject("<img src=x>&amp;-1")
    words = "<img src=x onerror=alert(1)> \u202ejumps over \u200bthe fence"
    tell(
        ground,
        subject,
        words,
        channel=Channel.CURATOR,
        role=Role.CURATOR,
        by=ground.as_cal,
        key="<i>k</i>",
        value="\u2066v",
    )
    page = text(curator, status="any")
    for active in ("<img src=x", "<i>k</i>", "\u202e", "\u2066", "\u200b"):
        assert active not in page
    assert "&lt;img src=x onerror=alert(1)&gt;" in page


def test_long_lists_come_in_pages_that_do_not_skip_or_repeat(
    visitors: Visitors, curator: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    many(visitors, 7)
    monkeypatch.setattr("curation.paging.rows_after.__kwdefaults__", {"newest_first": False, "size": 3})
    seen, after = [], ""
    for _ in range(3):
        page = text(curator, after=after)
        seen += [number for number in range(7) if f"berth {number} is hers" in page]
        after = (
            page.partition("after=")[2].partition('"')[0].replace("%3A", ":").replace("%2B", "+").replace("&amp;", "")
        )
    assert sorted(seen) == list(range(7))
    assert curator.get("/memories/?after=nonsense").status_code == 422


def many(visitors: Visitors, number: int) -> None:
    ground = visitors.ground
    for one in range(number):
        tell(
            ground, ground.subject(f"guest-{one}"), f"The berth {one} is hers", hours_ago=one + 1,
            channel=Channel.CURATOR, role=Role.CURATOR, by=ground.as_dee,
        )  # fmt: skip


def queries(ask: Callable[[], object]) -> int:
    with CaptureQueriesContext(connection) as caught:
        ask()
    return len(caught)


def test_many_rows_cost_no_more_queries_than_few(visitors: Visitors, curator: Client) -> None:
    many(visitors, 2)
    text(curator)  # what is read once per process
    few = queries(lambda: text(curator, q="berth"))
    many(visitors, 30)
    assert queries(lambda: text(curator, q="berth")) == few


def test_what_was_read_is_in_the_log_without_the_words_that_were_looked_for(
    visitors: Visitors, curator: Client
) -> None:
    (entry,) = tell(visitors.ground, visitors.mira, "I moved to Lisbon")
    text(curator, q="lisbon")
    text(curator, q="nothing of the kind")  # gave nothing to read
    curator.head("/memories/")
    with acting_for(visitors.ground.as_hub, subjects=ALL_SUBJECTS):
        (read,) = Recall.objects.filter(purpose=read_log.PAGE)
        assert Entry.objects.filter(pk=entry.pk).exists()
    assert (read.user_id, [one["id"] for one in read.items]) == (visitors.cal.pk, [str(entry.pk)])
    assert read.query_digest == read_log.digest_of("lisbon")
