"""/sessions/{id} and what is under it."""

import pytest

from tests.cast import Cast
from tests.integration.api.test_turns import TURN


@pytest.fixture
def running(cast: Cast) -> Cast:
    assert cast.post("/turns", TURN).status == 201
    return cast


def test_a_session_is_seen_by_its_agent_and_by_operators(running: Cast, strangers: Cast) -> None:
    assert running.get("/sessions/call-1").body["agent"] == "bot"
    assert running.get("/sessions/call-1", by="olga").status == 200
    assert running.get("/sessions/call-1", by="plain-bot").status == 404
    assert strangers.get("/sessions/call-1").status == 404
    assert strangers.get("/sessions/call-1", by="olga").status == 404
    assert running.get("/sessions/call-1", by="rosa").status == 403


def test_state_is_pinned_and_unpinned(running: Cast) -> None:
    assert running.patch("/sessions/call-1/state", {"berth": "12"}).body["state"] == {"boat": "Linda", "berth": "12"}
    assert running.patch("/sessions/call-1/state", {"state": {"boat": None}}).body["state"] == {"berth": "12"}
    assert running.patch("/sessions/call-1/state", []).status == 422
    assert running.patch("/sessions/call-1/state", {"x": "y" * 60000}).status == 422


def test_the_running_turn_grows_until_it_is_posted(running: Cast) -> None:
    body = {
        "actions": [{"tool": "get_berth", "result": "free", "ok": True}],
        "observations": [{"kind": "wind", "value": 4}],
    }
    assert len(running.post("/sessions/call-1/current", body).body["current_turn"]["actions"]) == 1
    running.post("/turns", {**TURN, "event_id": "t-2", "actions": [], "observations": []})
    assert running.get("/sessions/call-1").body["current_turn"] == {"actions": [], "observations": []}
    events = running.get("/events", by="olga").body["items"]
    assert events[1]["actions"][0]["tool"] == "get_berth"


def test_an_offloaded_passage_is_fetched_by_its_handle(running: Cast) -> None:
    reply = running.post("/sessions/call-1/offload", {"text": "A long harbour manual."})
    assert reply.status == 201
    handle = reply.body["handle"]
    assert running.get(f"/sessions/call-1/offload/{handle}").body["text"] == "A long harbour manual."
    running.post("/turns", {**TURN, "event_id": "t-9", "session_id": "call-2"})
    assert running.get(f"/sessions/call-2/offload/{handle}").status == 404
    assert running.get("/sessions/call-1/offload/nonsense").status == 404
    assert running.post("/sessions/call-1/offload", {"text": ""}).status == 422


def test_a_struck_turn_is_gone_from_the_event_too(running: Cast) -> None:
    assert running.post("/sessions/call-1/strike", {"turn": 1}).body["struck"] == ["t-1"]
    assert running.get("/sessions/call-1").body["history"][0]["user_input"] == ""
    (event,) = running.get("/events", by="olga").body["items"]
    assert (event["user_input"], bool(event["withheld"])) == ("", True)


@pytest.mark.parametrize(
    "body", [{}, {"turn": 1, "line": "x"}, {"turn": True}, {"turn": [1]}, {"line": 5}, {"turn": 1.5}]
)
def test_a_strike_names_one_thing(running: Cast, body: dict) -> None:
    assert running.post("/sessions/call-1/strike", body).status == 422


def test_striking_what_is_not_there_is_not_found(running: Cast) -> None:
    assert running.post("/sessions/call-1/strike", {"turn": 99}).status == 404
    assert running.post("/sessions/call-1/strike", {"line": "never said"}).status == 404


def test_ending_a_session_empties_it(running: Cast) -> None:
    ended = running.post("/sessions/call-1/end").body
    assert (ended["history"], ended["state"]) == ([], {})
    assert ended["ended_at"]
    assert len(running.get("/events", by="olga").body["items"]) == 1


@pytest.mark.parametrize(
    ("method", "path", "body"),
    [("GET", "", None), ("PATCH", "/state", {"a": "b"}), ("POST", "/current", {}), ("POST", "/offload", {"text": "x"}),
     ("POST", "/strike", {"turn": 1}), ("POST", "/end", None)],
)  # fmt: skip
def test_an_unknown_session_is_not_found(cast: Cast, method: str, path: str, body: object) -> None:
    assert cast.call(method, f"/sessions/none{path}", body).status == 404
    assert cast.call(method, f"/sessions/%2E%2E{path}", body).status == 422


def test_a_session_id_may_hold_a_slash(cast: Cast) -> None:
    cast.post("/turns", {**TURN, "session_id": "2026/11/29"})
    assert cast.get("/sessions/2026%2F11%2F29").body["id"] == "2026/11/29"


def test_every_write_leaves_its_row_in_the_trail(running: Cast) -> None:
    calls = {
        "session.state": lambda: running.patch("/sessions/call-1/state", {"berth": "12"}),
        "session.current": lambda: running.post("/sessions/call-1/current", {"observations": [{"kind": "wind"}]}),
        "session.offload": lambda: running.post("/sessions/call-1/offload", {"text": "A long harbour manual."}),
        "session.strike": lambda: running.post("/sessions/call-1/strike", {"turn": 1}),
        "session.end": lambda: running.post("/sessions/call-1/end"),
    }
    for action, call in calls.items():
        reply = call()
        assert reply.status in (200, 201)
        (row,) = running.get(f"/audit?action={action}&subject=nora", by="kurt").body["items"]
        assert (row["object_kind"], row["request_id"]) == ("session", reply.headers["X-Request-ID"])
    assert "harbour manual" not in str(running.get("/audit", by="kurt").body)


def test_a_refused_write_leaves_none(running: Cast) -> None:
    assert running.patch("/sessions/call-1/state", {"x": "y" * 60000}).status == 422
    assert running.get("/audit?action=session.state", by="kurt").body["items"] == []
