"""A conversation that its person does not want remembered: through no door that knows of it is anything of it kept."""

import json
from collections.abc import Iterator
from typing import Any

import pytest
from django.db import connection
from django.utils import timezone

from memoryhub.governance import erasure, incognito
from memoryhub.governance.access import organisation_of
from memoryhub.models import Entry, Event, Evidence, NoteFile, Offload, Session, Turn
from memoryhub.providers.embeddings import HashingEmbedder, using
from memoryhub.tenancy import ALL_SUBJECTS, acting_for, system_principal
from tests.cast import BASE, OPENAPI, Cast, Reply, rows
from tests.door import Door

CANARY = "Quillonvale"
SAID = f"I live in {CANARY}."
IN = {"session_id": "call-1"}
ABOUT = {"subject": "nora", **IN}
FILE = {**ABOUT, "command": "create", "path": "/memories/home.md"}
OFF_RECORD = "off_record"

#: Every door that takes a conversation: who calls, how, and what; several where it can be told in several ways.
DOORS: list[tuple[str, str, str, Any]] = [
    ("bot", "POST", "/turns", {"event_id": "e-2", **ABOUT, "user_input": SAID, "assistant_output": SAID}),
    ("bot", "POST", "/turns:batch", [{"event_id": "e-3", **ABOUT, "user_input": SAID}]),
    ("bot", "POST", "/memories", {**ABOUT, "text": SAID, "channel": "user_message"}),
    ("bot", "POST", "/memories", {**ABOUT, "text": SAID, "channel": "user_message", "event_id": "e-4"}),
    (
        "bot",
        "POST",
        "/memories",
        {**ABOUT, "subject": "acme", "text": f"The depot is in {CANARY}.", "channel": "email"},
    ),
    ("desk", "POST", "/memories", {**ABOUT, "text": SAID, "channel": "user_message"}),
    ("plain-bot", "POST", "/memories", {**ABOUT, "text": f"Lives in {CANARY}.", "channel": "agent_inference"}),
    ("bot", "POST", "/memory-tool", {**FILE, "file_text": SAID, "channel": "user_message"}),
    ("bot", "POST", "/memory-tool", {**FILE, "subject": "acme", "file_text": f"The depot is in {CANARY}."}),
    ("crm", "POST", "/evidence", {**IN, "type": "document", "ref": f"letter {CANARY}", "value": SAID}),
    ("bot", "PATCH", "/sessions/call-1/state", {"home": CANARY}),
    ("bot", "PATCH", "/sessions/call-1/state", {"state": {"home": CANARY, "order": None}}),
    ("bot", "POST", "/sessions/call-1/current", {"observations": [{"kind": "city", "value": CANARY}]}),
    ("bot", "POST", "/sessions/call-1/offload", {"text": SAID}),
    ("bot", "POST", "/sessions/call-1/strike", {"line": SAID}),
    ("bot", "POST", "/recall", {**ABOUT, "query": CANARY}),
    ("bot", "POST", "/context", {**ABOUT, "query": CANARY}),
    ("bot", "POST", "/sessions/call-1/end", None),
]
#: What can't be pretended to be kept, since the caller goes by it later, is refused.
REFUSED = {("POST", "/evidence"), ("POST", "/sessions/call-1/offload")}


@pytest.fixture(autouse=True)
def _no_meaning_needed() -> Iterator[None]:
    with using(HashingEmbedder()):
        yield


@pytest.fixture
def cast(db: None) -> Cast:
    """Of a conversation of each agent a part is kept; then nora has it left out."""
    cast = Cast()
    for number, bot in enumerate(("bot", "plain-bot")):
        said = {"event_id": f"e-{number}", **ABOUT, "user_input": "I prefer the aisle."}
        assert cast.post("/turns", said, by=bot).status == 201
        assert cast.patch("/sessions/call-1/state", {"order": "A-7"}, by=bot).body["state"] == {"order": "A-7"}
    cast.put("/subjects/acme", {"kind": "account", "members": ["nora"]})
    leave_out(cast)
    return cast


def leave_out(cast: Cast) -> None:
    hub = system_principal(organisation_of(cast.slug).pk, "test")
    with acting_for(hub, subjects=ALL_SUBJECTS):
        for session in Session.objects.select_related("subject").filter(external_id="call-1"):
            incognito.begin(session_id=session.pk, subject=session.subject, forget=False, by=hub, now=timezone.now())


def kept(cast: Cast) -> tuple[int, ...]:
    """How many rows that hold words: sealed ones tell nothing of what they say."""
    return tuple(rows(cast, model) for model in (Entry, Event, Turn, Offload, Evidence, NoteFile))


def everything(cast: Cast) -> str:
    """Every row of every table as text."""
    hub = system_principal(organisation_of(cast.slug).pk, "test")
    with acting_for(hub, subjects=ALL_SUBJECTS), connection.cursor() as cursor:
        found = []
        for table in connection.introspection.table_names(cursor):
            if table.startswith(("memoryhub_", "accounts_")):
                cursor.execute(f"SELECT coalesce(string_agg(t::text, ' '), '') FROM {table} t")
                found.append(cursor.fetchone()[0])
    return " ".join(found)


def test_every_door_that_takes_a_conversation_is_tried() -> None:
    document = json.loads(OPENAPI.read_text())

    def knows(shape: Any, seen: frozenset[str] = frozenset()) -> bool:
        """Whether a shape has a session_id somewhere within."""
        if isinstance(shape, list):
            return any(knows(one, seen) for one in shape)
        if not isinstance(shape, dict):
            return False
        name = str(shape.get("$ref", "")).rpartition("/")[2]
        if name and name not in seen:
            return knows(document["components"]["schemas"][name], seen | {name})
        return "session_id" in shape.get("properties", {}) or any(knows(one, seen) for one in shape.values())

    doors = {
        (verb.upper(), path.removeprefix(BASE).replace("{session_id}", "call-1"))
        for path, verbs in document["paths"].items()
        for verb, told in verbs.items()
        if verb in ("post", "put", "patch") and ("{session_id}" in path or knows(told.get("requestBody", {})))
    }
    assert doors | {("POST", "/turns:batch")} == {(verb, path) for _, verb, path, _ in DOORS}


def test_nothing_of_it_is_kept(cast: Cast) -> None:
    before = kept(cast)
    for number, (by, verb, path, body) in enumerate(DOORS):
        reply = cast.call(verb, path, body, by=by, Idempotency_Key=f"once-{number}")
        door = (by, verb, path, body, reply)
        if (verb, path) in REFUSED:
            assert (reply.status, reply.code) == (422, OFF_RECORD), door
            assert "does not want this conversation remembered" in reply.body["detail"]
        else:
            assert reply.status in (200, 201, 404 if path.endswith("/strike") else 200), door
        assert all(now <= then for now, then in zip(kept(cast), before, strict=True)), door
        assert CANARY not in everything(cast), door


def told(reply: Reply) -> list[tuple[str, str]]:
    return [(one["op"], one["reason"]) for one in reply.results]


def test_what_is_proposed_about_their_account_comes_out_of_it_too(cast: Cast) -> None:
    sent = {"subject": "acme", "text": "The depot is in Porto.", "channel": "user_message", "speaker": "nora"}
    assert told(cast.post("/memories", {**sent, **IN})) == [("REFUSED", "paused")]
    assert told(cast.post("/memories", {**sent, "session_id": "call-2"})) != [("REFUSED", "paused")]


def test_what_was_kept_before_can_still_be_taken_away(cast: Cast) -> None:
    assert cast.patch("/sessions/call-1/state", {"order": None}).body["state"] == {}
    assert cast.post("/sessions/call-1/strike", {"line": "I prefer the aisle."}).body["struck"] == ["e-0"]


def test_a_tool_of_an_agent_is_no_other_door(cast: Cast) -> None:
    door, before = Door(cast), kept(cast)
    door.call("finish_turn", {"event_id": "e-8", **ABOUT, "user_input": SAID})
    assert told_of(door.call("remember", {**ABOUT, "text": SAID, "channel": "user_message"}).body) == ["paused"]
    assert told_of(door.call("memory", {**FILE, "file_text": SAID, "channel": "user_message"}).body) == ["paused"]
    door.call("get_context", {**ABOUT, "query": CANARY})
    assert kept(cast) == before
    assert CANARY not in everything(cast)


def told_of(body: Any) -> list[str]:
    return [one["reason"] for one in body["results"]]


@pytest.mark.parametrize("door", ["/subjects/nora/memories", "/memories/{entry}", "summary"])
def test_the_wish_is_not_among_what_is_forgotten(cast: Cast, door: str) -> None:
    hub = system_principal(organisation_of(cast.slug).pk, "test")
    with acting_for(hub, subjects=ALL_SUBJECTS):
        entry = Entry.objects.filter(subject__external_id="nora").first()
        assert entry is not None
        if door == "summary":
            for session in Session.objects.filter(external_id="call-1"):
                erasure.erase_conversation(session=session, keep_facts=False, by=hub, now=timezone.now())
    if door != "summary":
        assert cast.delete(door.format(entry=entry.pk), by="olga").status == 200
    reply = cast.post("/turns", {"event_id": "e-9", **ABOUT, "user_input": SAID})
    assert (reply.status, reply.body["working"], reply.body["claims"]) == (200, "off", [])
    assert CANARY not in everything(cast)
    assert cast.get("/sessions/call-1").body["off_record"]


def test_nobody_becomes_known_by_what_is_not_kept(cast: Cast) -> None:
    assert cast.post("/turns", {"event_id": "e-5", **ABOUT, "speaker": CANARY, "user_input": "Hi"}).status == 200
    off = {"event_id": "e-6", "session_id": "call-2", "subject": f"{CANARY}-2", "speaker": CANARY, "memory": "off"}
    off["user_input"] = "Hi"
    assert cast.post("/turns", off).status == 200
    assert cast.post("/turns:batch", [off]).status == 200
    assert CANARY not in everything(cast)
