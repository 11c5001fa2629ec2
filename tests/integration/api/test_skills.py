"""/skills."""

import pytest

from tests.cast import Cast

TOOLS = [
    {"name": "get_berth", "side_effects": False, "description": "Reads where a boat lies"},
    {"name": "move_boat", "side_effects": True, "description": "Moves it"},
]
SKILL = """---
name: move-a-berth
description: What to do when a boat cannot move to the berth that was asked for.
triggers: ["intent:MOVE_BERTH"]
keywords: [berth, quay]
prefetch: [get_berth]
tools: [get_berth, move_boat]
---
## Preconditions
A boat is named.

## Procedure
Look at the berth before promising anything.

## Boundaries
Promise nothing that the harbour master has not said.

## Completion
The skipper knows where to lie.
"""


@pytest.fixture
def equipped(cast: Cast) -> Cast:
    assert cast.put("/agents/me/tools", TOOLS).status == 200
    return cast


def _propose(cast: Cast, text: str = SKILL, **options: str):
    return cast.post("/skills", raw=text, kind="text/markdown", **options)


def test_a_proposed_skill_waits_for_a_curator(equipped: Cast) -> None:
    reply = _propose(equipped)
    assert (reply.status, reply.body["op"]) == (201, "QUEUED")
    assert equipped.get("/skills").body["items"] == []
    (skill,) = equipped.get("/skills?status=proposed").body["items"]
    assert (skill["name"], skill["status"], skill["agent"]) == ("move-a-berth", "proposed", "bot")
    assert skill["evidence"] == {"sessions": 0, "session_ids": []}
    (item,) = equipped.waiting(type="skill")
    assert (item["id"], item["skill"]["id"]) == (reply.body["queue_id"], skill["id"])


def test_the_same_file_again_changes_nothing(equipped: Cast) -> None:
    _propose(equipped)
    again = _propose(equipped)
    assert (again.status, again.body["op"]) == (200, "NOOP")
    assert len(equipped.waiting(type="skill")) == 1


@pytest.mark.parametrize(
    ("wrong", "field"),
    [
        (SKILL.replace("[get_berth, move_boat]", "[get_berth, sink_boat]"), "tools"),
        (SKILL.replace("prefetch: [get_berth]", "prefetch: [move_boat]"), "prefetch"),
        (SKILL.replace("name: move-a-berth", "name: Move A Berth!"), "name"),
        ("no front matter at all", ""),
        (" ", ""),
    ],
)
def test_a_skill_that_does_not_fit_is_refused(equipped: Cast, wrong: str, field: str) -> None:
    reply = _propose(equipped, wrong)
    assert reply.status == 422
    assert not field or field in reply.body["errors"]
    assert equipped.waiting() == []


def test_a_skill_is_markdown_and_nothing_else(equipped: Cast) -> None:
    assert equipped.post("/skills", {"name": "x"}).status == 415
    assert equipped.post("/skills", raw=SKILL.encode("utf-16"), kind="text/markdown").status in (400, 422)
    assert equipped.post("/skills", raw=SKILL + "x" * 65536, kind="text/markdown").status == 413
    assert equipped.post("/skills", raw=SKILL + "x" * 40000, kind="text/markdown").status == 422


def test_an_approved_skill_is_read_as_json_and_as_a_file(equipped: Cast) -> None:
    item = _propose(equipped).body["queue_id"]
    equipped.post(f"/queue/{item}/approve", by="rosa")
    as_json = equipped.get("/skills/move-a-berth")
    assert (as_json.body["status"], as_json.headers["ETag"]) == ("active", as_json.body["etag"])
    as_file = equipped.get("/skills/move-a-berth", Accept="text/markdown")
    assert as_file.headers["Content-Type"].startswith("text/markdown")
    assert "name: move-a-berth" in as_file.body
    assert _propose(equipped, as_file.body).status in (200, 201)


def test_an_agent_reads_its_own_skills_alone(equipped: Cast, strangers: Cast) -> None:
    _propose(equipped)
    assert equipped.get("/skills?status=proposed", by="plain-bot").body["items"] == []
    assert equipped.get("/skills/move-a-berth", by="plain-bot").status == 404
    assert strangers.get("/skills?status=proposed", by="rosa").body["items"] == []
    assert len(equipped.get("/skills?status=proposed", by="rosa").body["items"]) == 1
    assert len(equipped.get("/skills?status=proposed&agent=bot", by="olga").body["items"]) == 1


def test_a_curator_says_whose_skill_it_is(equipped: Cast) -> None:
    assert _propose(equipped, by="rosa").status == 422
    reply = equipped.post("/skills?agent=bot", raw=SKILL, kind="text/markdown", by="rosa")
    assert reply.status == 201
    item = reply.body["queue_id"]
    assert equipped.post(f"/queue/{item}/approve", by="rosa").status == 403  # nobody approves what they proposed
    assert equipped.post(f"/queue/{item}/approve", by="timo").status == 200
    assert equipped.post("/skills?agent=ghost", raw=SKILL, kind="text/markdown", by="rosa").status == 404


def test_a_status_is_one_of_four(equipped: Cast) -> None:
    assert equipped.get("/skills?status=waiting").status == 422
    assert equipped.get("/skills/unknown").status == 404
