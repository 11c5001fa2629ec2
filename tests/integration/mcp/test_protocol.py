"""/mcp as a door: what is asked of a request before any tool is (R111; the Model Context Protocol, streamable HTTP)."""

import json
from typing import Any

import pytest

from memoryhub import conf
from memoryhub.mcp import protocol
from tests.door import META, MODERN, Door


@pytest.mark.parametrize("version", protocol.HANDSHAKE)
def test_a_client_that_begins_is_answered_in_its_own_revision(door: Door, version: str) -> None:
    params = {"protocolVersion": version, "capabilities": {}, "clientInfo": {"name": "x", "version": "1"}}
    result = door.ask("initialize", params).body["result"]
    assert result["protocolVersion"] == version
    assert (result["capabilities"], result["serverInfo"]["name"]) == ({"tools": {}}, "memoryhub")
    assert "never an instruction" in result["instructions"]


@pytest.mark.parametrize("version", ["2024-11-05", "2031-01-01", 5, None])
def test_any_other_revision_gets_the_newest_that_begins_so(door: Door, version: Any) -> None:
    assert door.ask("initialize", {"protocolVersion": version}).body["result"]["protocolVersion"] == "2025-11-25"


def test_nothing_is_remembered_of_the_beginning(door: Door) -> None:
    reply = door.ask("tools/list", MCP_Protocol_Version="2025-11-25")
    assert reply.status == 200
    assert "Mcp-Session-Id" not in reply.headers
    assert door.ask("ping").body["result"] == {}


def test_a_notification_is_taken_and_not_answered(door: Door) -> None:
    reply = door.send({"jsonrpc": "2.0", "method": "notifications/initialized"})
    assert (reply.status, reply.body) == (202, None)


@pytest.mark.parametrize("method", ["GET", "DELETE", "PUT", "OPTIONS"])
def test_no_stream_and_no_session_is_there_to_be_opened_or_ended(door: Door, method: str) -> None:
    reply = door.send(None, method=method, raw=b"")
    assert (reply.status, reply.headers["Allow"], reply.code) == (405, "POST", "method_not_allowed")


@pytest.mark.parametrize(
    ("message", "code"),
    [
        ([{"jsonrpc": "2.0", "id": 1, "method": "ping"}], protocol.INVALID_REQUEST),
        ([], protocol.INVALID_REQUEST),
        ("ping", protocol.INVALID_REQUEST),
        (None, protocol.INVALID_REQUEST),
        ({"id": 1, "method": "ping"}, protocol.INVALID_REQUEST),
        ({"jsonrpc": "1.0", "id": 1, "method": "ping"}, protocol.INVALID_REQUEST),
        ({"jsonrpc": "2.0", "id": 1}, protocol.INVALID_REQUEST),
        ({"jsonrpc": "2.0", "id": 1, "result": {}}, protocol.INVALID_REQUEST),
        ({"jsonrpc": "2.0", "id": None, "method": "ping"}, protocol.INVALID_REQUEST),
        ({"jsonrpc": "2.0", "id": True, "method": "ping"}, protocol.INVALID_REQUEST),
        ({"jsonrpc": "2.0", "id": 1.5, "method": "ping"}, protocol.INVALID_REQUEST),
        ({"jsonrpc": "2.0", "id": "x" * 201, "method": "ping"}, protocol.INVALID_REQUEST),
        ({"jsonrpc": "2.0", "id": 1, "method": 5}, protocol.INVALID_REQUEST),
    ],
)  # fmt: skip
def test_what_is_no_single_request_is_refused(door: Door, message: Any, code: int) -> None:
    reply = door.send(message)
    assert (reply.status, reply.body["id"], reply.body["error"]["code"]) == (400, None, code)


@pytest.mark.parametrize("raw", [b" ", b"{", b"\xff\xfe", b'{"id": 1, "id": 2}', b"[" * 20_000, b'{"id": NaN}'])
def test_what_is_no_json_is_a_parse_error(door: Door, raw: bytes) -> None:
    reply = door.send(None, raw=raw)
    assert (reply.status, reply.body["error"]["code"]) == (400, protocol.PARSE_ERROR)


@pytest.mark.parametrize("id", ["x", "x" * 200, 0, -5, 2**62, "\ud800", "é"])
def test_an_answer_repeats_the_id_as_it_was_sent(door: Door, id: Any) -> None:
    reply = door.send({"jsonrpc": "2.0", "id": id, "method": "ping"})
    assert (reply.status, reply.body["id"]) == (200, id)


def test_methods_and_tools_that_are_not_there_say_so(door: Door) -> None:
    assert door.ask("resources/list").body["error"]["code"] == protocol.METHOD_NOT_FOUND
    assert door.ask("tools/call", {"name": "drop_table"}).body["error"]["code"] == protocol.INVALID_PARAMS
    assert door.ask("tools/call", {}).body["error"]["code"] == protocol.INVALID_PARAMS
    assert door.ask("tools/call", {"name": ["x"]}).body["error"]["code"] == protocol.INVALID_PARAMS
    assert (
        door.ask("tools/call", {"name": "remember", "arguments": []}).body["error"]["code"] == protocol.INVALID_PARAMS
    )
    assert door.ask("tools/list", []).body["error"]["code"] == protocol.INVALID_PARAMS
    assert door.ask("tools/list", {"cursor": "x"}).body["error"]["code"] == protocol.INVALID_PARAMS


def test_nobody_comes_in_without_a_key(door: Door) -> None:
    for options in ({"by": None}, {"key": "mhk_nonsense"}, {"by": None, "Authorization": "Basic eDp5"}):
        reply = door.ask("tools/list", **options)
        assert (reply.status, reply.code) == (401, "not_authenticated")
        assert reply.headers["WWW-Authenticate"].startswith("Bearer")
    assert door.send({"jsonrpc": "2.0", "method": "notifications/initialized"}, by=None).status == 401


def test_a_page_of_another_origin_is_turned_away(door: Door) -> None:
    for origin in (
        "http://evil.example",
        "null",
        "http://testserver.evil.example",
        "http://testserver:81",
        "http://[",
        "",
    ):
        reply = door.ask("ping", Origin=origin)
        assert (reply.status, reply.code) == (403, "foreign_origin"), origin
    assert door.ask("ping", Origin="http://testserver").status == 200
    assert door.ask("ping", Host="evil.example").status == 400


def test_only_json_is_taken_and_given(door: Door) -> None:
    for kind in ("text/plain", "application/x-www-form-urlencoded", "application/json; charset=latin-1"):
        assert door.ask("ping", kind=kind).status == 415
    assert door.ask("ping", Accept="text/event-stream").status == 406
    assert door.ask("ping", Accept="*/*").headers["Content-Type"] == "application/json"
    assert door.ask("ping").headers["Cache-Control"] == "no-store"


def test_a_body_has_the_limit_of_every_body(door: Door) -> None:
    message = {"jsonrpc": "2.0", "id": 1, "method": "ping", "params": {"x": "y" * conf.MAX_BODY_BYTES}}
    assert door.send(message).status == 413


def test_a_revision_that_is_not_spoken_is_answered_with_those_that_are(door: Door) -> None:
    reply = door.ask("tools/list", MCP_Protocol_Version="2031-01-01")
    assert reply.status == 400
    assert reply.body["error"]["code"] == protocol.UNSUPPORTED_VERSION
    assert reply.body["error"]["data"] == {"supported": list(protocol.SUPPORTED), "requested": "2031-01-01"}
    notified = door.send({"jsonrpc": "2.0", "method": "notifications/x"}, MCP_Protocol_Version="2031-01-01")
    assert notified.status == 400


# Without a beginning: revision 2026-07-28 ------------------------------------------------------------------------


def test_a_client_can_discover_instead_of_beginning(door: Door) -> None:
    result = door.modern("server/discover").body["result"]
    assert MODERN in result["supportedVersions"]
    assert (result["capabilities"], result["resultType"], result["cacheScope"]) == (
        {"tools": {}},
        "complete",
        "private",
    )
    assert result["_meta"]["io.modelcontextprotocol/serverInfo"]["name"] == "memoryhub"


def test_its_lists_and_calls_carry_what_the_revision_asks_for(door: Door) -> None:
    listed = door.modern("tools/list").body["result"]
    assert (listed["resultType"], listed["ttlMs"] > 0) == ("complete", True)
    called = door.modern("tools/call", {"name": "list_skills", "arguments": {}}).body["result"]
    assert (called["resultType"], called["isError"], called["structuredContent"]["items"]) == ("complete", False, [])


@pytest.mark.parametrize("method", ["initialize", "ping", "resources/list"])
def test_methods_that_left_are_not_found(door: Door, method: str) -> None:
    reply = door.modern(method)
    assert (reply.status, reply.body["error"]["code"]) == (404, protocol.METHOD_NOT_FOUND)


@pytest.mark.parametrize(
    "changed",
    [
        {"Mcp_Method": "tools/list"}, {"Mcp_Name": "forget_memory"}, {"Mcp_Name": ""}, {"Mcp_Method": ""},
    ],
)  # fmt: skip
def test_headers_that_say_other_than_the_body_are_refused(door: Door, changed: dict[str, str]) -> None:
    reply = door.modern("tools/call", {"name": "list_skills"}, **changed)
    assert (reply.status, reply.body["error"]["code"]) == (400, protocol.HEADER_MISMATCH)


def test_a_version_inside_other_than_outside_is_refused(door: Door) -> None:
    meta = {**META, "io.modelcontextprotocol/protocolVersion": "2025-11-25"}
    reply = door.ask("tools/list", {"_meta": meta}, MCP_Protocol_Version=MODERN, Mcp_Method="tools/list")
    assert (reply.status, reply.body["error"]["code"]) == (400, protocol.HEADER_MISMATCH)


@pytest.mark.parametrize("params", [None, {}, {"_meta": {}}, {"_meta": []}, {"_meta": {**META, "x": 1}}])
def test_an_envelope_without_its_two_members_is_refused(door: Door, params: Any) -> None:
    reply = door.ask("tools/list", params, MCP_Protocol_Version=MODERN, Mcp_Method="tools/list")
    complete = bool(params and isinstance(params["_meta"], dict) and params["_meta"])
    assert reply.status == (200 if complete else 400)
    assert complete or reply.body["error"]["code"] == protocol.INVALID_PARAMS


def test_nothing_that_was_sent_stands_in_a_refusal(door: Door) -> None:
    canary = "canary-4711"
    replies = [
        door.ask(canary), door.ask("tools/call", {"name": canary}), door.modern(canary),
        door.send({"jsonrpc": canary, "id": 1, "method": canary}), door.ask("ping", Origin=f"http://{canary}"),
        door.ask("ping", kind="text/plain", key=f"mhk_{canary}"),
    ]  # fmt: skip
    for reply in replies:
        assert canary not in json.dumps(reply.body)
