"""POST /turns and POST /turns:batch."""

from typing import Any

import pytest

from tests.cast import Cast

TURN: dict[str, Any] = {
    "event_id": "t-1",
    "session_id": "call-1",
    "subject": "nora",
    "occurred_at": "2026-11-29T09:00:00+02:00",
    "user_input": "I prefer the window seat. Can I move to berth 12?",
    "assistant_output": "Berth 12 is taken.",
    "actions": [
        {
            "tool": "move_boat",
            "arguments": {"berth": 12},
            "result": "refused",
            "detail": "Berth 12 is taken",
            "ok": False,
        }
    ],
    "observations": [{"kind": "berth_state", "value": "taken"}],
    "signals": [{"kind": "refused", "value": "Berth 12 is taken", "scope": "intent:MOVE_BERTH"}],
    "scope": ["intent:MOVE_BERTH"],
    "state": {"boat": "Linda"},
}


def test_a_turn_leaves_three_writes(cast: Cast) -> None:
    reply = cast.post("/turns", TURN)
    assert (reply.status, reply.body["working"], reply.body["event"]) == (201, "written", "written")
    assert "ADD" in [claim["op"] for claim in reply.body["claims"]]
    session = cast.get("/sessions/call-1").body
    assert (session["subject"], session["state"]) == ("nora", {"boat": "Linda"})
    assert len(session["history"]) == 1
    (event,) = cast.get("/events?pending=true", by="olga").body["items"]
    assert (event["event_id"], event["consolidated_at"]) == ("t-1", None)
    assert event["signals"] == TURN["signals"]


def test_the_same_event_again_writes_nothing(cast: Cast) -> None:
    cast.post("/turns", TURN)
    again = cast.post("/turns", {**TURN, "user_input": "I prefer the aisle seat"})
    assert (again.status, again.body["event"], again.body["claims"]) == (200, "duplicate", [])
    assert len(cast.get("/events", by="olga").body["items"]) == 1
    assert len(cast.get("/sessions/call-1").body["history"]) == 1


def test_a_dry_run_shows_the_claims_and_keeps_nothing(cast: Cast) -> None:
    reply = cast.post("/turns", {**TURN, "dry_run": True})
    assert (reply.status, "ADD" in [claim["op"] for claim in reply.body["claims"]]) == (200, True)
    assert cast.get("/events", by="olga").body["items"] == []
    assert cast.get("/sessions/call-1").status == 404
    assert cast.get("/subjects/nora").status == 404


def test_a_turn_with_a_secret_is_withheld_whole(cast: Cast) -> None:
    reply = cast.post("/turns", {**TURN, "user_input": "My password is hunter2-Zq9! and I like tea"})
    assert (reply.status, reply.body["event"]) == (201, "withheld")
    shown = str(cast.get("/events", by="olga").body) + str(cast.get("/sessions/call-1").body) + str(reply.body)
    assert "hunter2" not in shown


def test_a_session_belongs_to_one_subject(cast: Cast) -> None:
    cast.post("/turns", TURN)
    reply = cast.post("/turns", {**TURN, "event_id": "t-2", "subject": "otto"})
    assert (reply.status, reply.code) == (422, "session_of_another_subject")
    assert cast.get("/subjects/otto").status == 404  # nothing half-written


def test_an_event_of_another_agent_is_another_event(cast: Cast) -> None:
    assert cast.post("/turns", TURN).status == 201
    assert cast.post("/turns", TURN, by="plain-bot").status == 201


@pytest.mark.parametrize(
    ("field", "value"),
    [
        ("event_id", None), ("event_id", ""), ("event_id", "x" * 201), ("session_id", "a\x00b"), ("subject", " "),
        ("occurred_at", "2026-11-29T09:00:00"), ("occurred_at", "yesterday"), ("user_input", 7), ("actions", {}),
        ("actions", [{"tool": "x", "colour": 1}]), ("actions", [{"arguments": {}}]), ("observations", ["x"]),
        ("signals", [{"kind": "refused", "value": 7}]), ("scope", "intent:X"), ("state", []), ("quarantined", "no"),
        ("memory", "sometimes"), ("unknown", 1), ("user_input", "half \ud800 a character"),
    ],
)  # fmt: skip
def test_a_turn_that_is_not_valid_leaves_nothing(cast: Cast, field: str, value: object) -> None:
    reply = cast.post("/turns", {**TURN, field: value})
    assert (reply.status, reply.code) == (422, "invalid")
    assert any(name.startswith(field) for name in reply.body["errors"])
    assert cast.get("/events", by="olga").body["items"] == []


def test_only_agents_post_turns(cast: Cast) -> None:
    for part in ("desk", "crm", "rosa", "olga", "kurt"):
        assert cast.post("/turns", TURN, by=part).status == 403


def test_a_batch_is_answered_turn_by_turn(cast: Cast) -> None:
    turns = [TURN, {**TURN, "event_id": "t-2", "subject": 7}, {**TURN, "event_id": "t-3"}, TURN, {"event_id": 9}]
    reply = cast.post("/turns:batch", {"turns": turns})
    assert reply.status == 200
    assert [item["status"] for item in reply.body["items"]] == [201, 422, 201, 200, 422]
    assert reply.body["items"][1]["errors"]["subject"]
    assert [item["event_id"] for item in reply.body["items"]] == ["t-1", "t-2", "t-3", "t-1", None]
    assert len(cast.get("/events", by="olga").body["items"]) == 2


@pytest.mark.parametrize("body", [{"turns": []}, {"turns": [TURN] * 501}, {"turns": TURN}, {"turns": [1]}, {}])
def test_a_batch_has_a_size(cast: Cast, body: dict) -> None:
    assert cast.post("/turns:batch", body).status == 422


def test_a_batch_may_be_a_list_as_it_stands(cast: Cast) -> None:
    assert [item["status"] for item in cast.post("/turns:batch", [TURN]).body["items"]] == [201]


def test_a_repeated_batch_is_replayed(cast: Cast) -> None:
    first = cast.post("/turns:batch", {"turns": [TURN]}, Idempotency_Key="night-1")
    again = cast.post("/turns:batch", {"turns": [TURN]}, Idempotency_Key="night-1")
    assert again.body == first.body
    assert again.headers["Idempotent-Replayed"] == "true"
    assert cast.post("/turns:batch", {"turns": [TURN, TURN]}, Idempotency_Key="night-1").status == 422


def test_an_action_whose_end_nobody_recorded_is_kept_as_just_that(cast: Cast) -> None:
    cast.post("/turns", {**TURN, "actions": [{"tool": "move_boat"}]})
    (event,) = cast.get("/events?pending=true", by="olga").body["items"]
    assert event["actions"][0]["ok"] is None
