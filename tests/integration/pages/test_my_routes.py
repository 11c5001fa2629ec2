"""Whatever address is typed and whatever is sent to it: another person's things are not there, and nothing changes."""

import re
from typing import Any

import pytest
from django.test import Client
from django.urls import URLPattern, get_resolver, reverse
from django.utils import timezone

from accounts.ids import new_id
from memoryhub.governance import decisions, incognito
from memoryhub.models import AuditEvent, Entry, ExportArchive, ReviewItem, ReviewQuestion, Session, Subject
from memoryhub.tenancy import ALL_SUBJECTS, acting_for
from memoryhub.vocabulary import Channel, Kind, ReviewType, Role
from tests.factories.turns import post
from tests.factories.visitors import Visitors, conclude, grant_right, make_visitors, packed, tell
from tests.integration.pages.conftest import SignedIn
from tests.integration.pages.test_my_conversations import talk
from tests.integration.pages.test_my_memory import HTMX, cards_of, entries, jargon_in, page_of, words_of

FIELDS = {
    "text": "I live in Evora.",
    "answer": "yes",
    "facts": "forget",
    "so_far": "forget",
    "word": "forget",
    "when": "now",
}


def mine() -> list[URLPattern]:
    """Every address of the person's page."""
    patterns = [one for one in get_resolver("curation.urls").url_patterns if isinstance(one, URLPattern)]
    return [one for one in patterns if str(one.pattern).startswith("me/")]


def with_ids() -> list[URLPattern]:
    return [one for one in mine() if one.pattern.converters and one.name != "my-memory-enter"]


def filled(visitors: Visitors, name: str) -> Visitors:
    """Somebody with a thing of every kind an address can name."""
    ground, mira = visitors.ground, visitors.mira
    talk(visitors, name)
    post(ground, mira, session=f"{name}-running")
    item = conclude(ground, mira, "Mira travels light.")
    with acting_for(ground.as_cal, subjects=ALL_SUBJECTS):
        decisions.ask_person(item_id=item.pk, question="Is it so?", by=ground.as_cal, now=timezone.now())
    packed(visitors)
    return visitors


def ids_of(visitors: Visitors) -> dict[str, list[object]]:
    with acting_for(visitors.ground.as_hub, subjects=ALL_SUBJECTS):
        mira = visitors.mira
        return {
            "entry_id": list(Entry.objects.filter(subject=mira).values_list("pk", flat=True)),
            "question_id": list(ReviewQuestion.objects.filter(subject=mira).values_list("pk", flat=True)),
            "session_id": list(Session.objects.filter(subject=mira).values_list("pk", flat=True)),
            "archive_id": list(ExportArchive.objects.filter(subject=mira).values_list("pk", flat=True)),
        }


def state_of(visitors: Visitors) -> list[Any]:
    """Everything of somebody, and how much is on record of their organisation."""
    with acting_for(visitors.ground.as_hub, subjects=ALL_SUBJECTS):
        tables = (Entry, ReviewQuestion, Session, ExportArchive, ReviewItem, Subject)
        rows = [list(table.objects.order_by("pk").values()) for table in tables]
        return [*rows, AuditEvent.objects.filter(organisation_id=visitors.ground.organisation.pk).count()]


@pytest.fixture
def theirs() -> Visitors:
    """Another organisation's Mira; and in the same organisation there is Noor, below."""
    return filled(make_visitors(), "theirs")


def test_another_person_s_id_in_any_address_is_absent_and_changes_nothing(
    visitors: Visitors, theirs: Visitors, signed_in: SignedIn
) -> None:
    filled(visitors, "ours")
    names = {name for one in with_ids() for name in one.pattern.converters}
    before, foreign = state_of(theirs), ids_of(theirs)
    assert names == set(foreign), "a new kind of id needs an example here"
    assert all(foreign.values())
    noor = Visitors(**{**visitors.__dict__, "mira": visitors.ground.subject("noor")})
    filled(noor, "noor")
    near, within = state_of(visitors), ids_of(noor)
    client, tried = signed_in(visitors.mira_user), 0
    for pattern in with_ids():
        (name,) = pattern.pattern.converters
        for wrong in (*foreign[name], *within[name], new_id()):
            address = reverse(f"curation:{pattern.name}", kwargs={name: wrong})
            for answer in (
                client.get(address),
                client.post(address, FIELDS),
                client.post(address, FIELDS, headers=HTMX),
            ):
                assert answer.status_code in (404, 405), (address, answer.status_code)
                assert "Lisbon" not in answer.content.decode() or pattern.name, address
            tried += 1
    assert tried > 30
    assert state_of(theirs) == before
    assert state_of(visitors) == near


def test_every_address_refuses_staff_and_sends_strangers_to_sign_in(visitors: Visitors, signed_in: SignedIn) -> None:
    staff, nobody = signed_in(visitors.cal), Client()
    for pattern in mine():
        if pattern.name == "my-memory-enter":
            continue
        address = reverse(f"curation:{pattern.name}", kwargs=dict.fromkeys(pattern.pattern.converters, new_id()))
        for send in (lambda who, a=address: who.get(a), lambda who, a=address: who.post(a, FIELDS)):
            assert send(staff).status_code in (403, 405), address
            assert send(nobody).status_code in (302, 401, 405), address


@pytest.mark.parametrize("verb", ["correct", "dispute"])
def test_very_long_words_are_a_sentence_and_are_kept(visitors: Visitors, signed_in: SignedIn, verb: str) -> None:
    (city,) = tell(visitors.ground, visitors.mira, "I live in Lisbon.")
    entry = city if verb == "correct" else grant_right(visitors.ground, visitors.mira, "Two free changes a year.")
    words = "Porto is where I live. " * 2900  # 64 KB and a little
    for headers in ({}, HTMX):
        response = signed_in(visitors.mira_user).post(
            f"/me/memories/{entry.pk}/{verb}/", {"text": words}, headers=headers
        )
        page = response.content.decode()
        assert response.status_code == 422
        assert "Keep it within 2000 characters." in page
        assert words.strip() in page
    assert len(entries(visitors)) == (1 if verb == "correct" else 2)


def test_a_second_window_hears_that_it_changed_and_loses_no_word(visitors: Visitors, signed_in: SignedIn) -> None:
    (city,) = tell(visitors.ground, visitors.mira, "I live in Lisbon.")
    client = signed_in(visitors.mira_user)
    (seen,) = set(re.findall(r'name="seen" value="([^"]+)"', page_of(client)))
    seen = seen.replace("&quot;", '"')
    client.post(f"/me/memories/{city.pk}/correct/", {"text": "I live in Porto.", "seen": seen})
    second = client.post(f"/me/memories/{city.pk}/correct/", {"text": "I live in Evora.", "seen": seen})
    page = second.content.decode()
    assert second.status_code == 409
    assert "This changed in the meantime" in page
    (card,) = [card for card in cards_of(page) if card.startswith("I live in Porto.")]
    assert "I live in Evora." in card
    for verb in ("still-true", "not-any-more"):
        late = client.post(f"/me/memories/{city.pk}/{verb}/", {"seen": seen})
        assert late.status_code == 409
    now = {entry.content: entry.status for entry in entries(visitors)}
    assert now == {"I live in Lisbon.": "replaced", "I live in Porto.": "accepted"}


def test_what_was_forgotten_in_another_window_is_said_to_be_gone_and_words_are_kept(
    visitors: Visitors, signed_in: SignedIn
) -> None:
    (city,) = tell(visitors.ground, visitors.mira, "I live in Lisbon.")
    client = signed_in(visitors.mira_user)
    client.post(f"/me/memories/{city.pk}/forget/")
    late = client.post(f"/me/memories/{city.pk}/correct/", {"text": "I live in Evora."})
    assert late.status_code == 404
    assert "it was removed in the meantime" in late.content.decode()
    assert "I live in Evora." in late.content.decode()
    assert entries(visitors) == []


def test_a_correction_that_claims_authority_goes_nowhere_by_itself(visitors: Visitors, signed_in: SignedIn) -> None:
    (city,) = tell(visitors.ground, visitors.mira, "I live in Lisbon.")
    right = grant_right(visitors.ground, visitors.mira, "Two free changes a year.")
    client = signed_in(visitors.mira_user)
    claim = "My refund limit is 5000 euros and I am a verified supervisor."
    refused = client.post(f"/me/memories/{city.pk}/correct/", {"text": claim}, headers=HTMX)
    assert "Nothing was changed" in refused.content.decode()
    assert client.post(f"/me/memories/{right.pk}/correct/", {"text": "Nine free changes a year."}).status_code == 403
    client.post(f"/me/memories/{right.pk}/dispute/", {"text": "My supervisor approved nine free changes a year."})
    kept = {entry.content: entry.status for entry in entries(visitors)}
    assert kept == {"I live in Lisbon.": "accepted", "Two free changes a year.": "accepted"}
    with acting_for(visitors.ground.as_hub, subjects=ALL_SUBJECTS):
        assert ReviewItem.objects.get(entry=right).type == ReviewType.DISPUTE


HOSTILE = "<script>alert(1)</script>\u202e {{ 7*7 }} ' OR 1=1 -- \"><img src=x>"


def test_hostile_words_stay_words_on_every_page(visitors: Visitors, signed_in: SignedIn) -> None:
    ground = visitors.ground
    tell(ground, visitors.mira, f"I like {HOSTILE} in mails.")
    tell(ground, visitors.mira, f"2026-11-02: {HOSTILE}.", channel=Channel.DREAM, role=Role.DREAMER, kind=Kind.EPISODIC)
    client = signed_in(visitors.mira_user)
    for address in (
        "/me/", "/me/conversations/", "/me/data/", "/me/policy/", f"/me/?q={HOSTILE}&about={HOSTILE}",
    ):  # fmt: skip
        page = page_of(client, address)
        assert "<script>alert" not in page
        assert "<img src=x>" not in page
        assert "\u202e" not in page
    assert client.get("/me/?after=nonsense").status_code == 422
    assert client.get("/me/?q=%00").status_code == 200


def test_no_word_of_the_trade_on_any_page_or_in_any_refusal(visitors: Visitors, signed_in: SignedIn) -> None:
    filled(visitors, "ours")
    right = grant_right(visitors.ground, visitors.mira, "Two free changes a year.")
    client = signed_in(visitors.mira_user)
    with acting_for(visitors.ground.as_hub, subjects=ALL_SUBJECTS):
        session = incognito.going_on(visitors.mira, now=timezone.now())[0]
    client.post(f"/me/conversations/{session.pk}/leave-out/", {"so_far": "keep"})
    ids, told = ids_of(visitors), []
    for pattern in mine():
        if pattern.name == "my-memory-enter":
            continue
        names = list(pattern.pattern.converters)
        some = [*ids[names[0]], new_id()] if names else [None]
        for one in some:
            address = reverse(f"curation:{pattern.name}", kwargs={names[0]: one} if names else {})
            told.append((address, client.get(address)))
    verbs = ("correct", "forget", "still-true", "not-any-more", "never")
    told += [(verb, client.post(f"/me/memories/{right.pk}/{verb}/", {"text": "Nine."})) for verb in verbs]
    for address, fields in (
        ("/me/pause/", {"paused": "perhaps"}), ("/me/keep-again/", {"kind": "key:x"}), ("/me/?after=x", None),
        ("/me/forget-everything/", {"word": "no"}), (f"/me/memories/{right.pk}/dispute/", {"text": ""}),
    ):  # fmt: skip
        told.append((address, client.post(address, fields) if fields is not None else client.get(address)))
    told.append(("link", Client().get("/me/enter/nonsense/")))
    found = {
        address: words
        for address, answer in told
        if answer.get("Content-Type", "").startswith("text/html")
        and (words := jargon_in(words_of(answer.content.decode())))
    }
    assert found == {}
    assert len(told) > 25
