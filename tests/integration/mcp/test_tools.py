"""The tools of /mcp: each does what its operation does in REST, for whom it does it there (R111)."""

import json
from typing import Any

import pytest
from jsonschema import Draft202012Validator

from memoryhub.mcp.tools import TOOLS
from memoryhub.models import AuditEvent, Decision, Entry, Event, Recall, Subject
from memoryhub.permissions import ACTIONS
from tests.cast import OPENAPI, PARTS, Cast, rows
from tests.door import Door
from tests.integration.api.test_skills import SKILL
from tests.integration.api.test_skills import TOOLS as AGENT_TOOLS
from tests.integration.api.test_turns import TURN

#: Arguments that each tool takes, about somebody who is not known yet or an id that is nobody's.
ARGUMENTS: dict[str, dict[str, Any]] = {
    "search_memory": {"subject": "nora", "query": "which seat?"},
    "get_context": {"subject": "nora", "query": "which seat?"},
    "remember": {"subject": "nora", "text": "Nora prefers the window seat"},
    "finish_turn": TURN,
    "list_skills": {},
    "get_skill": {"name": "move-a-berth"},
    "correct_memory": {"id": "0197a000-0000-7000-8000-000000000000", "text": "I prefer the aisle seat"},
    "confirm_memory": {"id": "0197a000-0000-7000-8000-000000000000"},
    "dispute_memory": {"id": "0197a000-0000-7000-8000-000000000000", "reason": "She never said so."},
    "forget_memory": {"id": "0197a000-0000-7000-8000-000000000000"},
    "memory": {"subject": "nora", "command": "view", "path": "/memories"},
}
EVERY = pytest.mark.parametrize("name", sorted(TOOLS))


def _operation(name: str) -> tuple[str, str]:
    """Method and path of the operation behind a tool, as the contract has them."""
    wanted = TOOLS[name].operation
    for path, methods in json.loads(OPENAPI.read_text())["paths"].items():
        for method, described in methods.items():
            if described["operationId"] == wanted:
                return method, path.removeprefix("/api/v1")
    raise AssertionError(f"{wanted} is not in the contract")


@EVERY
def test_a_tool_is_an_operation_of_the_contract(name: str) -> None:
    method, path = _operation(name)
    assert TOOLS[name].reads == (method == "get" or path in ("/recall", "/context"))
    assert set(TOOLS[name].in_path.values()) == {part.strip("{}") for part in path.split("/") if part.startswith("{")}
    assert ARGUMENTS.keys() == TOOLS.keys()


@EVERY
def test_a_tool_is_described_so_that_a_model_can_call_it(door: Door, name: str) -> None:
    (tool,) = [one for one in door.ask("tools/list").body["result"]["tools"] if one["name"] == name]
    assert len(tool["description"]) <= 400
    shape = tool["inputSchema"]
    Draft202012Validator.check_schema(shape)
    Draft202012Validator(shape).validate(ARGUMENTS[name])
    assert (shape["type"], shape["additionalProperties"]) == ("object", False)
    assert set(shape.get("required", [])) <= set(ARGUMENTS[name]) <= set(shape["properties"])
    assert set(tool["annotations"]) == {
        "readOnlyHint", "destructiveHint", "idempotentHint", "openWorldHint",
    }  # fmt: skip


@pytest.mark.parametrize("part", sorted(PARTS))
def test_a_key_finds_the_tools_that_it_may_call_and_no_others(door: Door, part: str) -> None:
    roles = set(PARTS[part][0])
    may = {name for name, tool in TOOLS.items() if roles & ACTIONS[tool.performs.action]}
    assert door.names(by=part) == may
    for name, arguments in ARGUMENTS.items():
        told = door.call(name, arguments, by=part)
        assert name in may or told.code == "not_granted", (name, told)


def test_what_is_remembered_is_found_and_told_as_notes(door: Door, cast: Cast) -> None:
    kept = door.call("remember", {"subject": "nora", "text": "I prefer the window seat", "channel": "user_message"})
    assert kept.ops == ["ADD"]
    id = kept.body["results"][0]["entry"]["id"]
    assert id in kept.text
    found = door.call("search_memory", {"subject": "nora", "query": "which seat does she prefer?", "min_relevance": 0})
    assert found.texts[0] == found.body["rendered"]
    assert found.texts[0].startswith("<memory-notes")
    assert "data, not instructions" in found.texts[0]
    assert id in found.texts[1]
    assert rows(cast, Recall) == 1
    context = door.call("get_context", {"subject": "nora", "query": "which seat?", "session_id": "s-1"})
    assert context.text == context.body["rendered"]
    assert "window seat" in context.text


def test_nothing_found_is_said(door: Door) -> None:
    found = door.call("search_memory", {"subject": "nora", "query": "which seat?"})
    assert (found.is_error, found.body["nothing_found"]) == (False, True)
    assert "Nothing was found." in found.text


def test_without_a_channel_it_is_the_agents_own_conclusion(door: Door) -> None:
    told = door.call("remember", {"subject": "nora", "text": "Nora prefers the window seat"})
    assert told.ops == ["QUEUED"]
    assert told.body["results"][0]["entry"]["provenance"]["channel"] == "agent_inference"
    assert door.call("remember", {"subject": "nora", "text": "x y z", "channel": "curator"}).code == "not_granted"


def test_what_the_gate_refuses_is_no_error_and_says_why(door: Door) -> None:
    told = door.call(
        "remember", {"subject": "nora", "text": "My card is 4111 1111 1111 1111", "channel": "user_message"}
    )
    assert (told.ops, told.is_error) == (["REFUSED"], False)
    assert "4111" not in told.text
    assert told.text.startswith("REFUSED ")


def test_a_dry_run_keeps_nothing(door: Door, cast: Cast) -> None:
    sent = {"subject": "nora", "text": "I prefer the window seat", "channel": "user_message", "dry_run": True}
    assert door.call("remember", sent).ops == ["ADD"]
    assert (rows(cast, Entry), rows(cast, Decision), rows(cast, Subject)) == (0, 0, 0)


def test_a_turn_handed_in_again_writes_nothing(door: Door, cast: Cast) -> None:
    first = door.call("finish_turn", TURN)
    assert (first.body["working"], first.body["event"]) == ("written", "written")
    before = [rows(cast, model) for model in (Entry, Event, Decision, AuditEvent)]
    again = door.call("finish_turn", {**TURN, "user_input": "I prefer the aisle seat"})
    assert (again.body["event"], again.body["claims"]) == ("duplicate", [])
    assert [rows(cast, model) for model in (Entry, Event, Decision, AuditEvent)] == before


def test_a_correction_a_confirmation_a_dispute_and_an_erasure(door: Door, cast: Cast) -> None:
    old = cast.say("I prefer the window seat").entry["id"]
    corrected = door.call("correct_memory", {"id": old, "text": "I prefer the aisle seat"})
    assert corrected.ops == ["UPDATE"]
    new = corrected.body["results"][0]["entry"]["id"]
    assert door.call("confirm_memory", {"id": new}).body["last_confirmed_at"]
    disputed = door.call("dispute_memory", {"id": new, "reason": "I never said so."})
    assert "disputes" in disputed.text or disputed.body["status"] == "disputed"
    forgotten = door.call("forget_memory", {"id": new})
    assert forgotten.body["remaining"] == 0
    assert forgotten.body["receipt_id"] in forgotten.text
    assert door.call("forget_memory", {"id": new}).code == "not_found"
    assert cast.get(f"/memories/{old}").status == 404


def test_a_stale_read_is_told_as_in_rest(door: Door, cast: Cast) -> None:
    id = cast.say("I prefer the window seat").entry["id"]
    assert door.call("forget_memory", {"id": id}, If_Match='"other"').code == "stale"


def test_skills_are_listed_and_read(door: Door, cast: Cast) -> None:
    assert cast.put("/agents/me/tools", AGENT_TOOLS).status == 200
    cast.post("/skills", raw=SKILL, kind="text/markdown")
    assert door.call("list_skills").text == "There are none."
    assert "move-a-berth (proposed" in door.call("list_skills", {"status": "proposed", "limit": 5}).text
    assert door.call("get_skill", {"name": "move-a-berth"}).text.startswith("NOT IN FORCE")
    (item,) = cast.waiting(type="skill")
    assert cast.post(f"/queue/{item['id']}/approve", by="rosa").status == 200
    assert door.call("list_skills").text.startswith("move-a-berth (active")
    assert door.call("get_skill", {"name": "move-a-berth"}).text.startswith("## Preconditions")
    assert door.call("get_skill", {"name": "no-such"}).code == "not_found"
    assert door.call("list_skills", {"limit": 0}).body["errors"]["limit"]
    assert door.call("list_skills", {"limit": True}).body["errors"]["limit"]
    assert door.call("list_skills", {"limit": None}).is_error is False


def test_files_are_written_and_viewed(door: Door) -> None:
    told = door.call(
        "memory",
        {
            "subject": "nora", "command": "create", "path": "/memories/seats.md", "channel": "user_message",
            "file_text": "I prefer the window seat\nMy card is 4111 1111 1111 1111",
        },
    )  # fmt: skip
    assert told.body["refused"][0]["line"] == 2
    assert "Line 2 was not kept" in told.text
    assert "4111" not in json.dumps(told.body)
    shown = door.call("memory", {"subject": "nora", "command": "view", "path": "/memories/seats.md"})
    assert "Data, not instructions." in shown.text
    assert [line["text"] for line in shown.body["lines"]] == ["I prefer the window seat"]


# Whose ------------------------------------------------------------------------------------------------------------


def test_a_bound_key_meets_nobody_else(door: Door, cast: Cast) -> None:
    theirs = cast.say("I sail on Mondays", subject="otto").entry["id"]
    key = cast.issue(name="bot", roles=("agent", "customer_relay"), subject="nora")
    for name in ("search_memory", "get_context", "remember", "memory"):
        assert door.call(name, {**ARGUMENTS[name], "subject": "otto"}, key=key).code == "not_found", name
        assert not door.call(name, ARGUMENTS[name], key=key).is_error, name
    assert door.call("finish_turn", {**TURN, "subject": "otto"}, key=key).code == "not_found"
    for name in ("correct_memory", "confirm_memory", "dispute_memory", "forget_memory"):
        assert door.call(name, {**ARGUMENTS[name], "id": theirs}, key=key).code == "not_found", name


def test_another_organisation_meets_nothing(door: Door, cast: Cast) -> None:
    id = cast.say("I sail on Mondays").entry["id"]
    cast.post(
        "/memory-tool",
        {
            "subject": "nora",
            "command": "create",
            "path": "/memories/a",
            "file_text": "I row",
            "channel": "user_message",
        },
    )
    strangers = Door(Cast())
    for name in ("correct_memory", "confirm_memory", "dispute_memory", "forget_memory"):
        assert strangers.call(name, {**ARGUMENTS[name], "id": id}).code == "not_found"
    assert strangers.call("search_memory", {"subject": "nora", "query": "sail", "min_relevance": 0}).body["items"] == []
    assert strangers.call("memory", ARGUMENTS["memory"]).body["files"] == []


# Hostile arguments --------------------------------------------------------------------------------------------------


HOSTILE: tuple[tuple[dict[str, Any], str], ...] = (
    ({"organisation": "other"}, "invalid"),
    ({"subject": "a\x00b"}, "invalid"),
    ({"subject": ["nora"]}, "invalid"),
    ({"subject": "x" * 201}, "invalid"),
    (dict.fromkeys(("id", "query", "subject", "cursor"), "x" * 70_000), "too_large"),
    (dict.fromkeys(("id", "text", "name", "status"), "\ud800"), "invalid"),
    (dict.fromkeys(("id", "subject", "name"), 5), "invalid"),
)


@EVERY
def test_what_no_shape_takes_is_refused_by_its_field(door: Door, name: str) -> None:
    for more, code in HOSTILE:
        told = door.call(name, {**ARGUMENTS[name], **more})
        assert told.code == code, told
        if code == "invalid":
            assert set(told.body["errors"]) <= set(more) | {"body", "subject"}
            assert all(field in told.text for field in told.body["errors"])


def test_deep_arguments_are_refused(door: Door) -> None:
    deep: Any = "x"
    for _ in range(400):
        deep = [deep]
    assert door.call("finish_turn", {**TURN, "state": {"deep": deep}}).code == "invalid"


@EVERY
def test_the_rate_of_a_key_counts_calls_through_either_door(door: Door, name: str, settings: Any) -> None:
    settings.MEMORYHUB_RATE = 1
    key = door.cast.issue(name="bot", roles=("agent", "customer_relay"))
    door.cast.get("/agents/me", key=key)
    assert door.call(name, ARGUMENTS[name], key=key).code == "too_many_requests"
