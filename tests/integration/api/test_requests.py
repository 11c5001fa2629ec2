"""What every call has in common: strict reading, problem documents, headers."""

import json
from urllib.parse import quote

import pytest
from django.test import Client

from tests.cast import Cast

GOOD = {"subject": "nora", "text": "I prefer the window seat", "channel": "user_message"}


@pytest.mark.parametrize(
    "raw",
    ["", "{", "nonsense", '{"subject": nora}', '{"a": NaN}', '{"a": Infinity}', '{"a": 1} x', "\ufeff{}", '{"text": "\t"}',
     '{"text": "a", "text": "b"}', "[" * 100_000, '{"a":' * 50_000 + "1" + "}" * 50_000, b"\xff\xfe{}"],
)  # fmt: skip
def test_what_is_no_json_is_malformed(cast: Cast, raw: str) -> None:
    reply = cast.post("/memories", raw=raw or " ")
    assert (reply.status, reply.code) == (400, "malformed")


@pytest.mark.parametrize(
    "raw",
    ["[]", "null", "7", '"text"', "true", "{}", '{"a": 1e999}', '{"a": 99999999999999999999999}', '{"a": "\\u0000"}',
     '{"a": "\\ud800"}', '{"\\ud800": 1}', '{"a": "\\udc00\\ud800"}', "[" * 60 + "]" * 60, '{"a": 1' + "0" * 30_000 + "}"],
)  # fmt: skip
def test_json_that_is_no_proposal_is_not_valid(cast: Cast, raw: str) -> None:
    reply = cast.post("/memories", raw=raw)
    assert (reply.status, reply.code) == (422, "invalid")
    assert reply.body["errors"]
    reply.headers["X-Request-ID"].encode("ascii")


@pytest.mark.parametrize(
    ("field", "value"),
    [
        ("subject", None), ("subject", ""), ("subject", "  "), ("subject", "."), ("subject", ".."), ("subject", 7),
        ("subject", True), ("subject", ["nora"]), ("subject", "a\nb"), ("subject", "x" * 201), ("text", None), ("text", 7),
        ("text", ""), ("text", " \n "), ("text", {"a": 1}), ("text", "a\x00b"), ("text", "\ud83d"), ("channel", "telepathy"),
        ("channel", None), ("channel", ["user_message"]), ("speaker", 7), ("said_at", "2026-10-12T09:00:00"),
        ("said_at", "2026-13-12T09:00:00Z"), ("said_at", "2026-10-12"), ("said_at", 1760000000), ("said_at", "0001-01-01T00:00:00+14:00"),
        ("said_at", "9999-12-31T23:59:59-14:00"), ("kind", "opinion"), ("category", "gossip"), ("key", "x" * 101), ("key", 7),
        ("value", 7), ("confidence", 1.1), ("confidence", -0.1), ("confidence", "0.5"), ("confidence", True), ("scope", "world"),
        ("sensitivity", "secret"), ("expires_at", "tomorrow"), ("source", "ticket"), ("source", {"page": 7}),
        ("source", {"ref": 7}), ("episode", []), ("episode", {"mood": "good"}), ("episode", {"evidence": "x"}),
        ("dry_run", "true"), ("dry_run", 1), ("dry_run", None), ("organisation", "other"), ("role", "curator"),
    ],
)  # fmt: skip
def test_each_field_takes_its_own_type_and_nothing_near_it(cast: Cast, field: str, value: object) -> None:
    reply = cast.post("/memories", {**GOOD, field: value})
    assert (reply.status, reply.code) == (422, "invalid")
    assert any(name.startswith(field) for name in reply.body["errors"]), reply.body["errors"]


def test_nothing_that_was_refused_is_repeated(cast: Cast) -> None:
    reply = cast.post("/memories", {**GOOD, "kind": "hunter2-Zq9!"})
    assert "hunter2" not in json.dumps(reply.body)


def test_too_much_is_too_much(cast: Cast) -> None:
    assert cast.post("/memories", {**GOOD, "text": "x" * 65_537}).status == 413
    assert cast.post("/memories", {**GOOD, "text": "ä" * 32_769}).status == 413
    assert cast.post("/memories", raw=json.dumps({**GOOD, "pad": ["x" * 60_000] * 20})).status == 413
    assert cast.post("/memories", {**GOOD, "text": "I like " + "tea " * 15_000}).status == 200


@pytest.mark.parametrize("kind", ["text/plain", "application/x-www-form-urlencoded", "multipart/form-data; boundary=x", "",
                                  "application/json; charset=latin-1", "application/jsonp"])  # fmt: skip
def test_json_is_the_only_language(cast: Cast, kind: str) -> None:
    reply = cast.post("/memories", raw=json.dumps(GOOD), kind=kind)
    assert (reply.status, reply.code) == (415, "unsupported_media_type")


@pytest.mark.parametrize(
    "kind", ["application/json", "application/json; charset=utf-8", "Application/JSON;charset=UTF-8"]
)
def test_utf_8_may_be_said(cast: Cast, kind: str) -> None:
    assert cast.post("/memories", raw=json.dumps(GOOD), kind=kind).status == 200


@pytest.mark.parametrize("path", ["/nowhere", "/memories/", "/", "/subjects//x", "/mcp", "/graphs", "/subjects/nora/x"])
def test_a_path_that_leads_nowhere_is_a_problem_too(cast: Cast, path: str) -> None:
    for method in ("GET", "POST", "DELETE"):
        reply = cast.call(method, path)
        assert (reply.status, reply.code) == (404, "not_found")


def test_a_method_that_is_not_there_names_those_that_are(cast: Cast) -> None:
    reply = cast.put("/memories", {})
    assert (reply.status, reply.code) == (405, "method_not_allowed")
    assert {"GET", "POST"} <= set(reply.headers["Allow"].split(", "))
    assert cast.call("OPTIONS", "/memories").status == 405


def test_any_accept_header_is_answered_in_json(cast: Cast) -> None:
    for accept in ("text/html", "*/*", "application/xml", "nonsense", "image/*;q=0.1"):
        assert cast.get("/subjects", Accept=accept).headers["Content-Type"] == "application/json"


def test_answers_with_personal_data_are_kept_by_nobody(cast: Cast) -> None:
    assert cast.get("/subjects").headers["Cache-Control"] == "no-store"
    assert cast.get("/subjects/none").headers["Cache-Control"] == "no-store"


def test_an_unknown_query_parameter_is_refused(cast: Cast) -> None:
    for path in ("/subjects?x=1", "/agents/me?format=json", "/subjects/nora?deep=1"):
        assert cast.get(path).status == 422


def test_an_unexpected_error_shows_no_content(cast: Cast, monkeypatch: pytest.MonkeyPatch, caplog) -> None:
    def broken(**_: object) -> None:
        raise RuntimeError(GOOD["text"])

    monkeypatch.setattr("memoryhub.api.memories.intake.propose", broken)
    reply = cast.post("/memories", GOOD)
    assert (reply.status, reply.code) == (500, "internal")
    assert "window" not in json.dumps(reply.body) + caplog.text
    assert "RuntimeError" in caplog.text


def test_a_plain_client_gets_a_problem_outside_of_views(db: None) -> None:
    answer = Client().get("/api/v2/memories")
    assert (answer.status_code, answer["Content-Type"]) == (404, "application/problem+json")


SECRETS = ["ghp_k3V9k3V9k3V9k3V9k3V9k3V9k3V9k3V9", "5555555555554444", "password=harbour7"]


@pytest.mark.parametrize("secret", SECRETS)
@pytest.mark.parametrize("field", ["subject", "speaker", "session_id", "event_id", "message_id"])
def test_no_id_is_a_secret(cast: Cast, field: str, secret: str) -> None:
    sent = {"subject": "nora", "text": "I prefer tea", "channel": "user_message", field: secret}
    reply = cast.post("/memories", sent)
    assert (reply.status, secret in str(reply.body)) == (422, False)
    assert "ids are kept as they are" in str(reply.body["errors"])
    turn = {"event_id": "e-1", "session_id": "s-1", "subject": "nora", "user_input": "Hi", "assistant_output": "Hello"}
    if field in ("subject", "session_id", "event_id"):
        assert cast.post("/turns", {**turn, field: secret}).status == 422
    assert cast.put(f"/subjects/{secret}", {"kind": "person"}).status == 422
    assert cast.put("/subjects/crew", {"kind": "team", "members": [secret]}).status == 422
    assert cast.get("/subjects").body["items"] == []


@pytest.mark.parametrize("name", ["nora@example.org", "+44 20 7946 0123"])
def test_an_address_or_a_telephone_number_is_an_id(cast: Cast, name: str) -> None:
    assert cast.say("I prefer tea", subject=name, session_id=name).ops == ["ADD"]


@pytest.mark.parametrize("field", ["subject", "speaker", "session_id", "event_id", "message_id"])
@pytest.mark.parametrize(
    "value",
    [
        "\u202enora",
        "no\u2066ra",
        "nora\u200f",
        "no\u200bra",
        "\u2028nora",
        " nora",
        "nora ",
        "\u00a0nora",
        "nora\u3000",
    ],
)
def test_an_id_that_only_looks_like_another_is_refused_with_the_reason(cast: Cast, field: str, value: str) -> None:
    reply = cast.post("/memories", {**GOOD, field: value})
    assert (reply.status, reply.code) == (422, "invalid")
    reason = "begin or end with white space" if value.strip() == "nora" and value[0] != "\u2028" else "nobody sees"
    assert reason in str(reply.body["errors"][field])
    assert cast.get("/subjects").body["items"] == []


@pytest.mark.parametrize("path", ["%E2%80%AEnora", "nora%20", "%20nora"])
def test_an_id_in_a_path_is_held_to_the_same(cast: Cast, path: str) -> None:
    assert cast.put(f"/subjects/{path}", {"kind": "person"}).status == 422


@pytest.mark.parametrize(
    "name", ["\u0646\u0631\u0645\u200c\u0627\u0641\u0632\u0627\u0631", "nora may", "\U0001f469\u200d\U0001f33e"]
)
def test_an_id_as_its_script_is_written_is_one(cast: Cast, name: str) -> None:
    assert cast.say("I prefer tea", subject=name).ops == ["ADD"]


@pytest.mark.parametrize("number", ["-1", "0", "201", "1000000000", "9" * 300, "x", "1.5", "", "+1", "\u0663"])
def test_a_number_out_of_range_is_told_the_range(cast: Cast, number: str) -> None:
    for path in ("/subjects", "/memories"):
        reply = cast.get(f"{path}?limit={quote(number)}", by="rosa")
        assert (reply.status, reply.body["errors"]["limit"]) == (422, ["It has to be a whole number from 1 to 200."])


@pytest.mark.parametrize("number", [-1, 201, 10**15, 1.0, "3", False])
def test_a_number_in_a_body_is_told_its_range_too(cast: Cast, number: object) -> None:
    reply = cast.post("/recall", {"subject": "nora", "query": "seat", "limit": number})
    assert (reply.status, reply.body["errors"]["limit"]) == (422, ["It has to be a whole number from 0 to 200."])


@pytest.mark.parametrize("raw", ['{"text": 1, "text": 1}', '{"a": [{"text": 1, "b": 2, "text": 3}]}'])
def test_a_name_that_stands_twice_is_named(cast: Cast, raw: str) -> None:
    reply = cast.post("/memories", raw=raw)
    assert (reply.status, reply.code) == (400, "malformed")
    assert reply.body["detail"] == "The body names 'text' twice in one object; send each name once."


def test_a_name_that_nobody_can_read_is_not_repeated(cast: Cast) -> None:
    for name in ("\u202e", "x" * 101):
        detail = cast.post("/memories", raw=f'{{"{name}": 1, "{name}": 2}}').body["detail"]
        assert detail == "The body names a field twice in one object; send each name once."
