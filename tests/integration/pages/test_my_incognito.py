"""A conversation that goes on is left out of memory by its person: proved through POST /turns, /context and the rest."""

import re
from collections.abc import Iterator
from typing import Any

import pytest
from django.test import Client

from memoryhub.models import AuditEvent, Entry, Event, Session
from memoryhub.providers.embeddings import HashingEmbedder, using
from tests.cast import Cast, rows
from tests.integration.pages.test_my_memory import page_of, words_of


@pytest.fixture(autouse=True)
def _no_meaning_needed() -> Iterator[None]:
    with using(HashingEmbedder()):
        yield


@pytest.fixture
def cast(db: None) -> Cast:
    return Cast()


def turn(cast: Cast, said: str, number: int, **fields: Any) -> dict[str, Any]:
    sent = {"event_id": f"e-{number}", "session_id": "call-1", "subject": "nora", "user_input": said, **fields}
    body: dict[str, Any] = cast.post("/turns", sent).body
    return body


def page_for(cast: Cast, subject: str = "nora") -> Client:
    """The person's own page, opened by a link that the agent's back end asked for."""
    url = cast.post(f"/subjects/{subject}/page-link", by="desk").body["url"]
    client = Client()
    client.post(re.sub(r"^https?://[^/]+", "", url))
    return client


def session_of(page: str) -> str:
    (found,) = set(re.findall(r"/me/conversations/([0-9a-f-]{36})/(?:leave-out|take-in)/", page))
    return found


def context(cast: Cast) -> dict[str, Any]:
    sent = {"subject": "nora", "session_id": "call-1", "query": "where does she live"}
    body: dict[str, Any] = cast.post("/context", sent).body
    return body


@pytest.mark.parametrize(("so_far", "left"), [("forget", 0), ("keep", 1)])
def test_from_then_on_nothing_of_it_is_kept_or_used(cast: Cast, so_far: str, left: int) -> None:
    turn(cast, "I live in Lisbon.", 1)
    assert "Lisbon" in context(cast)["rendered"]
    client = page_for(cast)
    page = page_of(client, "/me/conversations/")
    assert "Going on now" in words_of(page)
    session = session_of(page)
    assert client.post(f"/me/conversations/{session}/leave-out/", {"so_far": so_far}).status_code == 303
    assert rows(cast, Entry, status="accepted") == left

    received = turn(cast, "I prefer the quiet coach.", 2)
    assert (received["working"], received["event"], received["claims"]) == ("off", "withheld", [])
    assert rows(cast, Event) == rows(cast, Entry) == left
    built = context(cast)
    assert built["memories"] is None
    assert built["memory_file"]["text"] == ""
    assert built["working"]["history"] == []
    assert "Lisbon" not in built["rendered"]
    recalled = cast.post("/recall", {"subject": "nora", "session_id": "call-1", "query": "Lisbon", "min_relevance": 0})
    assert recalled.body["items"] == []
    refused = cast.post(
        "/memories",
        {"subject": "nora", "text": "Nora likes tea.", "channel": "agent_inference", "session_id": "call-1"},
    )
    assert [(one["op"], one["reason"]) for one in refused.results] == [("REFUSED", "paused")]
    assert cast.get("/sessions/call-1").body["off_record"] is True
    cast.post("/sessions/call-1/current", {"observations": [{"kind": "city", "value": "Porto"}]})
    assert "Porto" not in str(cast.get("/sessions/call-1").body)


def test_another_conversation_goes_on_as_before_and_it_can_be_taken_back(cast: Cast) -> None:
    turn(cast, "I live in Lisbon.", 1)
    client = page_for(cast)
    session = session_of(page_of(client, "/me/conversations/"))
    client.post(f"/me/conversations/{session}/leave-out/", {"so_far": "keep"})
    assert "Not remembered" in words_of(page_of(client, "/me/conversations/"))
    elsewhere = turn(cast, "I prefer tea.", 2, session_id="call-2")
    assert elsewhere["working"] == "written"
    assert "Lisbon" in cast.post("/recall", {"subject": "nora", "query": "Lisbon", "min_relevance": 0}).body["rendered"]
    client.post(f"/me/conversations/{session}/take-in/")
    assert turn(cast, "I prefer the quiet coach.", 3)["working"] == "written"
    assert "Lisbon" in context(cast)["rendered"]


def test_it_is_on_record_without_words(cast: Cast) -> None:
    turn(cast, "I live in Lisbon.", 1)
    client = page_for(cast)
    session = session_of(page_of(client, "/me/conversations/"))
    for verb in ("leave-out", "leave-out", "take-in", "take-in"):  # twice: the second changes nothing
        client.post(f"/me/conversations/{session}/{verb}/", {"so_far": "keep"})
    assert (
        rows(cast, AuditEvent, action="session.off_record") == rows(cast, AuditEvent, action="session.on_record") == 1
    )


def test_anybody_else_s_conversation_is_absent_and_an_unknown_choice_changes_nothing(cast: Cast) -> None:
    turn(cast, "I live in Lisbon.", 1)
    cast.post("/turns", {"event_id": "e-9", "session_id": "call-9", "subject": "piet", "user_input": "I prefer tea."})
    session = session_of(page_of(page_for(cast), "/me/conversations/"))
    stranger = page_for(cast, "piet")
    assert stranger.post(f"/me/conversations/{session}/leave-out/").status_code == 404
    assert page_for(cast).post(f"/me/conversations/{session}/leave-out/", {"so_far": "perhaps"}).status_code == 422
    assert rows(cast, Session, off_record_at__isnull=False) == 0
