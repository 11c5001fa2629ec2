"""POST /context."""

import pytest

from tests.cast import Cast
from tests.integration.api.test_skills import SKILL, TOOLS

WORDS = "I prefer the window seat"


def _ask(cast: Cast, **fields: object):
    return cast.post("/context", {"subject": "nora", "session_id": "call-1", "query": "window seat", **fields})


def test_every_part_is_there_with_its_tokens(cast: Cast) -> None:
    cast.say(WORDS)
    reply = _ask(cast)
    assert reply.status == 200
    assert set(reply.body) >= {
        "recall_id", "profile", "skill_index", "memory_file", "skills", "memories", "working", "rendered", "tokens",
    }  # fmt: skip
    assert reply.body["memories"]["recall_id"] == reply.body["recall_id"]
    assert reply.body["tokens"]["total"] > 0
    assert set(reply.body["working"]) >= {"history", "state", "current_turn"}


def test_an_approved_skill_comes_when_its_signal_does(cast: Cast) -> None:
    cast.put("/agents/me/tools", TOOLS)
    item = cast.post("/skills", raw=SKILL, kind="text/markdown").body["queue_id"]
    assert _ask(cast, signals=["intent:MOVE_BERTH"]).body["skills"] == []
    assert cast.post(f"/queue/{item}/approve", by="rosa").status == 200
    (skill,) = _ask(cast, signals=["intent:MOVE_BERTH"]).body["skills"]
    assert (skill["name"], skill["reason"], skill["prefetch"]) == ("move-a-berth", "trigger", ["get_berth"])
    assert skill["tokens"] > 0
    assert _ask(cast, signals=["intent:OTHER"], query="zzz").body["skill_index"][0]["name"] == "move-a-berth"


def test_with_memory_off_nothing_is_read_and_nobody_becomes_known(cast: Cast) -> None:
    cast.say(WORDS, subject="otto")
    reply = _ask(cast, memory="off")
    assert (reply.body["recall_id"], reply.body["memories"]) == (None, None)
    assert cast.get("/subjects/nora").status == 404
    assert cast.get("/audit?action=recall", by="kurt").body["items"] == []


def test_a_session_of_another_subject_is_refused(cast: Cast) -> None:
    turn = {"event_id": "t-1", "session_id": "call-1", "subject": "otto", "user_input": "Hello"}
    assert cast.post("/turns", turn).status == 201
    reply = _ask(cast)
    assert (reply.status, reply.code) == (422, "session_of_another_subject")


@pytest.mark.parametrize(
    "fields",
    [{"parts": ["everything"]}, {"memory": "maybe"}, {"token_budget": -1}, {"signals": "intent:X"}, {"signals": [1]},
     {"unknown": 1}, {"subject": None}],
)  # fmt: skip
def test_a_request_that_is_not_valid_is_refused(cast: Cast, fields: dict) -> None:
    assert _ask(cast, **fields).status == 422


def test_parts_can_be_left_out(cast: Cast) -> None:
    cast.say(WORDS)
    assert _ask(cast, parts=["profile"]).body["memories"] is None


def test_only_agents_ask_for_context(cast: Cast) -> None:
    for part in ("desk", "crm", "rosa", "kurt"):
        assert cast.post("/context", {"subject": "nora", "query": "x"}, by=part).status == 403
