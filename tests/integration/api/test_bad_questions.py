"""POST /recall and POST /context with what nobody should send: an answer or a refusal, and nobody else's words."""

import json
from typing import Any

import pytest

from tests.cast import Cast, Reply

QUERIES = (
    "", " ", "\t\n", "% _ * ?", "' OR 1=1 --", '"; DELETE FROM memoryhub_entry; --', "berth:* & !window | (seat)",
    'seat" OR subject:otto AND NOT "x', "seat <-> window", "\\", "\\'", "{{7*7}}", "<!-- -->", "</notes>", "a" * 60_000,
    "窓側の席はどれですか", "¿Qué asiento prefiere?", "какое место", "מושב ליד החלון", "🪑🪟", "\u202eseat\u202c",
    "se\u200bat", "ﬀ ﬁ", "I\u0307stanbul", "NaN", "null", "0", "-1",
)  # fmt: skip
NOBODY_MEANS: list[dict[str, Any]] = [
    {"limit": -1},
    {"limit": 10**9},
    {"limit": 201},
    {"limit": 1.0},
    {"limit": "3"},
    {"limit": False},
    {"token_budget": -1},
    {"token_budget": 10**9},
    {"min_relevance": -1},
    {"min_relevance": -0.001},
    {"min_relevance": 2},
    {"min_relevance": 1.001},
    {"min_relevance": True},
    {"min_relevance": "0"},
    {"scopes": ["private"]},
    {"scopes": [None]},
    {"kinds": [[]]},
    {"since": "yesterday"},
    {"until": "2026-02-30T00:00:00Z"},
    {"as_of": "2026-01-01T00:00:00"},
    {"valid_at": 0},
    {"subjects": ["nora"]},
    {"query": ["x"]},
    {"explain": "yes"},
]
PATHS = ("/recall", "/context")


@pytest.fixture
def told(cast: Cast) -> Cast:
    cast.say("I prefer the window seat")
    cast.say("I prefer the aisle seat, otto's secret", subject="otto")
    return cast


def _given(path: str, reply: Reply) -> dict[str, Any]:
    recalled: dict[str, Any] = reply.body if path == "/recall" else reply.body["memories"]
    return recalled


@pytest.mark.parametrize("path", PATHS)
def test_any_query_is_words_and_finds_the_subject_s_own_alone(told: Cast, path: str) -> None:
    for query in QUERIES:
        reply = told.post(path, {"subject": "nora", "query": query})
        assert reply.status == 200, (query, reply.body)
        recalled = _given(path, reply)
        assert {item["subject"] for item in recalled["items"]} <= {"nora"}, query
        assert recalled["nothing_found"] is (recalled["items"] == []), query
        assert "otto's secret" not in json.dumps(reply.body), query
        if not query.strip():
            assert recalled["items"] == []


@pytest.mark.parametrize("path", PATHS)
def test_a_query_over_64_kilobytes_is_too_large_and_a_nul_is_refused(told: Cast, path: str) -> None:
    assert told.post(path, {"subject": "nora", "query": "seat " * 20_000}).status == 413
    assert told.post(path, {"subject": "nora", "query": "座" * 30_000}).status == 413
    assert told.post(path, {"subject": "nora", "query": "seat\x00"}).status == 422
    half = told.post(path, raw=b'{"subject": "nora", "query": "\\ud800"}')
    assert half.status == 422


@pytest.mark.parametrize("path", PATHS)
def test_somebody_unknown_is_answered_as_somebody_of_whom_nothing_is_known(told: Cast, path: str) -> None:
    told.put("/subjects/ida", {"kind": "person"})
    answers = []
    for subject in ("ida", "nobody-yet"):
        body = told.post(path, {"subject": subject, "query": "which seat"}).body
        recalled = _given(path, Reply(200, body, {}))
        recalled["recall_id"] = body["recall_id"] = "-"
        answers.append(body)
    assert answers[0] == answers[1]


def test_a_limit_nobody_can_mean_is_refused_and_named(told: Cast) -> None:
    for fields in NOBODY_MEANS:
        reply = told.post("/recall", {"subject": "nora", "query": "seat", **fields})
        assert (reply.status, reply.code) == (422, "invalid"), fields
        assert any(name.partition(".")[0] in (*fields, "subject") for name in reply.body["errors"]), fields


def test_what_is_no_number_is_refused(told: Cast) -> None:
    for field in ("min_relevance", "limit", "token_budget"):
        for number in ("NaN", "Infinity", "-Infinity", "1e999"):
            reply = told.post("/recall", raw=f'{{"subject": "nora", "query": "seat", "{field}": {number}}}')
            assert reply.status in (400, 422), (field, number)


def test_a_limit_of_nothing_gives_nothing_and_a_bar_of_nothing_gives_all(told: Cast) -> None:
    asked = {"subject": "nora", "query": "tungsten"}
    assert told.post("/recall", {**asked, "limit": 0, "min_relevance": 0}).body["items"] == []
    assert told.post("/recall", {**asked, "token_budget": 0, "min_relevance": 0}).body["items"] == []
    assert len(told.post("/recall", {**asked, "min_relevance": 0}).body["items"]) == 1
    assert len(told.post("/recall", {**asked, "min_relevance": 0, "limit": 200}).body["items"]) == 1


def test_a_window_that_ends_before_it_begins_is_empty(told: Cast) -> None:
    asked = {"subject": "nora", "query": "seat", "min_relevance": 0}
    backwards = {"since": "2026-06-01T00:00:00Z", "until": "2026-01-01T00:00:00Z"}
    assert told.post("/recall", {**asked, **backwards}).body["items"] == []
    for far in ("0001-01-01T00:00:00Z", "9999-12-31T23:59:59Z"):
        for field in ("since", "until", "as_of", "valid_at"):
            assert told.post("/recall", {**asked, field: far}).status in (200, 422), (field, far)


def test_signals_are_words(told: Cast) -> None:
    for signals in ([""], ["intent:"], ["' OR 1=1"], ["x" * 201], ["a\x00b"], [None], [{}]):
        assert told.post("/context", {"subject": "nora", "query": "x", "signals": signals}).status in (200, 422), (
            signals
        )


def test_scopes_narrow_and_never_widen(cast: Cast) -> None:
    entry = cast.post(
        "/memories",
        {"subject": "depot", "text": "The depot gate sticks", "channel": "curator", "scope": "organisation"}, by="rosa",
    ).entry  # fmt: skip
    for scopes, found in ((["organisation"], True), (["subject"], False), (["account", "team"], False), ([], True)):
        asked = {"subject": "nora", "query": "depot gate", "min_relevance": 0, "scopes": scopes}
        given = {item["id"] for item in cast.post("/recall", asked).body["items"]}
        assert (entry["id"] in given) is found, scopes
