"""/agents/me."""

import pytest

from tests.cast import Cast
from tests.integration.api.test_skills import SKILL, TOOLS

RULE = {"kind": "refused", "wording": "Tell people: {value}", "tools": ["get_berth"], "prefetch": ["get_berth"]}


def test_an_agent_sees_itself(cast: Cast) -> None:
    me = cast.get("/agents/me").body
    assert (me["slug"], me["profile"], me["tools"], me["signals"]) == ("bot", None, [], [])
    assert me["policy"]["semantic"] == "rules"
    assert me["roles"] == ["agent", "customer_relay"]


def test_keys_without_an_agent_are_nobody(cast: Cast) -> None:
    for part in ("desk", "crm", "rosa", "olga", "kurt"):
        assert cast.get("/agents/me", by=part).status == 403


def test_tools_are_replaced_as_a_whole(cast: Cast) -> None:
    assert [tool["name"] for tool in cast.put("/agents/me/tools", TOOLS).body["tools"]] == ["get_berth", "move_boat"]
    assert [tool["name"] for tool in cast.put("/agents/me/tools", TOOLS[:1]).body["tools"]] == ["get_berth"]


@pytest.mark.parametrize(
    "body",
    [{}, [{"name": "x"}], [{"name": "x", "side_effects": "no"}], [{"name": "", "side_effects": False}], ["x"],
     [TOOLS[0], TOOLS[0]], [{"name": "x", "side_effects": False, "more": 1}], [None]],
)  # fmt: skip
def test_tools_that_are_not_valid_change_nothing(cast: Cast, body: object) -> None:
    cast.put("/agents/me/tools", TOOLS)
    assert cast.put("/agents/me/tools", body).status == 422
    assert len(cast.get("/agents/me").body["tools"]) == 2


def test_a_tool_that_an_active_skill_needs_stays(cast: Cast) -> None:
    cast.put("/agents/me/tools", TOOLS)
    item = cast.post("/skills", raw=SKILL, kind="text/markdown").body["queue_id"]
    cast.post(f"/queue/{item}/approve", by="rosa")
    reply = cast.put("/agents/me/tools", TOOLS[:1])
    assert (reply.status, reply.code) == (422, "invalid_skill")


def test_a_profile_waits_for_a_curator(cast: Cast) -> None:
    reply = cast.call("PUT", "/agents/me/profile", raw="# Harbour desk\nBe brief.", kind="text/markdown")
    assert (reply.status, reply.body["status"], reply.body["version"]) == (200, "proposed", 1)
    assert cast.get("/agents/me").body["profile"] is None
    (item,) = cast.waiting(type="profile")
    assert item["profile"]["text"].startswith("# Harbour desk")
    assert cast.post(f"/queue/{item['id']}/approve", by="rosa").body["profile"]["status"] == "active"
    assert cast.get("/agents/me").body["profile"]["version"] == 1


def test_a_profile_is_markdown_with_words(cast: Cast) -> None:
    assert cast.put("/agents/me/profile", {"text": "x"}).status == 415
    assert cast.call("PUT", "/agents/me/profile", raw=" \n ", kind="text/markdown").status == 422
    assert cast.call("PUT", "/agents/me/profile", raw="a\x00b", kind="text/markdown").status == 422
    assert cast.call("PUT", "/agents/me/profile", raw="x" * 70000, kind="text/markdown").status == 413


def test_signals_are_for_an_operator_or_the_agents_owner(cast: Cast) -> None:
    cast.put("/agents/me/tools", TOOLS)
    assert cast.put("/agents/me/signals", [RULE]).status == 403
    operator = cast.issue(name="bot", roles=("agent", "operator"))
    assert cast.put("/agents/me/signals", [RULE], key=operator).body["signals"] == [RULE]
    owner = cast.issue(name="bot", roles=("agent",), user="mia@harbour.example")
    assert cast.put("/agents/me/signals", [], key=owner).body["signals"] == []


@pytest.mark.parametrize(
    "body",
    [[{**RULE, "tools": ["sink_boat"]}], [{**RULE, "prefetch": ["move_boat"]}], [RULE, RULE], [{"wording": "x"}], {}],
)
def test_signals_that_are_not_valid_are_refused(cast: Cast, body: object) -> None:
    cast.put("/agents/me/tools", TOOLS)
    operator = cast.issue(name="bot", roles=("agent", "operator"))
    assert cast.put("/agents/me/signals", body, key=operator).status == 422
