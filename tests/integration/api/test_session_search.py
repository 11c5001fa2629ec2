"""GET /sessions/search: words in summaries and in the events not yet pruned, read by whom they are for."""

from typing import Any
from urllib.parse import urlencode

import pytest

from memoryhub.governance import access
from memoryhub.models import Recall
from memoryhub.tenancy import ALL_SUBJECTS, acting_for, system_principal
from tests.cast import Cast, Reply


def _turn(
    cast: Cast, number: int, said: str, *, session: str = "", subject: str = "nora", by: str = "bot", **fields: Any
) -> Reply:
    body = {
        "event_id": f"t-{number}", "session_id": session or f"call-{number}", "subject": subject, "user_input": said,
        "assistant_output": "Let me see.", "occurred_at": f"2026-09-{number:02}T09:00:00Z",
    }  # fmt: skip
    reply = cast.post("/turns", body | fields, by=by)
    assert reply.status == 201, reply.body
    return reply


def _find(cast: Cast, words: str, *, subject: str = "nora", by: str = "bot", bearer: str = "", **query: Any) -> Reply:
    return cast.get("/sessions/search?" + urlencode({"subject": subject, "q": words, **query}), by=by, key=bearer)


def _sessions(reply: Reply) -> list[str]:
    assert reply.status == 200, reply.body
    return [item["session_id"] for item in reply.body["items"]]


@pytest.fixture
def calls(cast: Cast) -> Cast:
    _turn(cast, 1, "Could you look for a crane on the north quay?")
    _turn(cast, 2, "Is the crane still broken, and the north gate too?")
    _turn(cast, 3, "Which boats are in?", actions=[{"tool": "list_boats", "result": "ok", "detail": "Linda, Vesna"}])
    return cast


def test_what_holds_more_of_the_words_comes_first_and_newest_among_equal(calls: Cast) -> None:
    assert _sessions(_find(calls, "crane")) == ["call-2", "call-1"]
    assert _sessions(_find(calls, "cranes on the quay")) == ["call-1", "call-2"]
    assert _sessions(_find(calls, "vesna")) == ["call-3"]
    assert _sessions(_find(calls, "submarine")) == []
    (hit, *_) = _find(calls, "gate").body["items"]
    assert (hit["where"], hit["event_id"], hit["entry"], hit["at"]) == ("event", "t-2", None, "2026-09-02T09:00:00Z")
    assert "north gate" in hit["excerpt"]


def test_a_summary_is_found_and_leads_to_its_entry(calls: Cast) -> None:
    calls.post(
        "/memories", {"subject": "nora", "text": "Nora asked for a crane and got none.", "channel": "agent_inference",
                      "kind": "episodic", "session_id": "call-0", "category": "episode_outcome"},
    )  # fmt: skip
    item = calls.waiting()[0]
    assert calls.post(f"/queue/{item['id']}/approve", by="rosa").status == 200
    hits = {hit["session_id"]: hit for hit in _find(calls, "crane").body["items"]}
    assert hits["call-0"]["where"] == "summary"
    assert calls.get(f"/memories/{hits['call-0']['entry']}").body["text"] == hits["call-0"]["excerpt"]
    assert hits["call-1"]["where"] == "event"


def test_an_agent_searches_its_own_sessions_and_an_operator_all(calls: Cast, strangers: Cast) -> None:
    _turn(calls, 4, "A crane for the other desk?", by="plain-bot")
    assert _sessions(_find(calls, "crane")) == ["call-2", "call-1"]
    assert _sessions(_find(calls, "crane", by="plain-bot")) == ["call-4"]
    assert _sessions(_find(calls, "crane", by="olga")) == ["call-4", "call-2", "call-1"]
    assert _sessions(_find(strangers, "crane", by="olga")) == []
    for part in ("desk", "crm", "rosa", "kurt"):
        assert _find(calls, "crane", by=part).status == 403


def test_another_subject_s_sessions_are_not_searched(calls: Cast) -> None:
    _turn(calls, 5, "Otto looks for a crane?", subject="otto")
    assert _sessions(_find(calls, "crane", subject="otto")) == ["call-5"]
    assert "call-5" not in _sessions(_find(calls, "crane"))
    bound = calls.issue(name="bot", roles=("agent",), subject="otto")
    assert _find(calls, "crane", bearer=bound).status == 404
    assert _sessions(_find(calls, "crane", subject="otto", bearer=bound)) == ["call-5"]


def test_nobody_unknown_has_sessions_and_nobody_becomes_known(calls: Cast) -> None:
    unknown, empty = _find(calls, "crane", subject="nobody").body, _find(calls, "submarine").body
    assert set(unknown) == set(empty)
    assert (unknown["items"], unknown["next"]) == ([], None)
    assert calls.get("/subjects/nobody").status == 404


def test_words_that_were_struck_withheld_or_refused_are_not_found(calls: Cast) -> None:
    assert calls.post("/sessions/call-1/strike", {"line": "crane on the north quay"}).status == 200
    assert _sessions(_find(calls, "quay")) == []
    _turn(calls, 6, "My zebra password is Hj7-kk2Lm!x9", quarantined=True)
    assert _sessions(_find(calls, "zebra password")) == []
    calls.post("/sessions/call-2/strike", {"turn": 1})
    assert _sessions(_find(calls, "gate crane")) == []


def test_while_paused_without_use_nothing_is_found(calls: Cast) -> None:
    calls.post("/subjects/nora/pause", {"paused": True, "use_existing": False}, by="desk")
    assert _sessions(_find(calls, "crane")) == []
    calls.post("/subjects/nora/pause", {"paused": True, "use_existing": True}, by="desk")
    assert len(_sessions(_find(calls, "crane"))) == 2


def test_what_was_erased_is_not_found(calls: Cast) -> None:
    assert calls.delete("/subjects/nora/memories", by="desk").status == 200
    assert _sessions(_find(calls, "crane")) == []


def test_pages_follow_one_another_without_a_gap(calls: Cast) -> None:
    for number in range(10, 15):
        _turn(calls, number, "crane?")
    whole = _sessions(_find(calls, "crane quay"))
    seen, cursor = [], {}
    for _ in range(10):
        page = _find(calls, "crane quay", limit=2, **cursor).body
        seen += [item["session_id"] for item in page["items"]]
        if page["next"] is None:
            break
        cursor = {"cursor": page["next"]}
    assert seen == whole
    assert len(whole) == len(set(whole)) == 7
    assert _find(calls, "gate", limit=2, **cursor).status == 422
    assert _find(calls, "crane", cursor="nonsense").status == 422


@pytest.mark.parametrize(
    "words",
    ["", "   ", "the and of", "& | ! ( ) <-> :* '", "crane:* & !gate", 'crane" OR subject:otto', "%", "\\", "'; DROP TABLE x --",
     "hook 🪝", "クレーン", "кран", "x" * 60_000],
)  # fmt: skip
def test_any_words_are_words_and_nothing_else(calls: Cast, words: str) -> None:
    reply = _find(calls, words)
    assert reply.status == 200
    assert set(_sessions(reply)) <= ({"call-1", "call-2"} if "crane" in words else set())


def test_a_nul_and_a_hundred_kilobytes_are_refused(calls: Cast) -> None:
    assert _find(calls, "a\x00b").status == 422
    assert _find(calls, "x" * 100_000).status == 413


@pytest.mark.parametrize("query", ["", "subject=nora", "q=crane", "subject=&q=x", "subject=nora&q=x&limit=0",
                                   "subject=nora&q=x&limit=201", "subject=nora&q=x&agent=bot"])  # fmt: skip
def test_a_search_that_is_not_valid_is_refused(cast: Cast, query: str) -> None:
    assert cast.get(f"/sessions/search?{query}").status == 422


def test_unspaced_script_is_found_by_its_pieces(cast: Cast) -> None:
    _turn(cast, 1, "我们" * 200 + "明天下午去港口看起重机可以吗？" + "然后" * 200)
    _turn(cast, 2, "天气怎么样？")
    (hit,) = _find(cast, "港口").body["items"]
    assert hit["session_id"] == "call-1"
    assert "港口" in hit["excerpt"]
    assert len(hit["excerpt"]) <= 300


def test_the_search_is_logged_without_its_words(calls: Cast) -> None:
    reply = _find(calls, "crane")
    read = calls.get(f"/recalls/{reply.body['recall_id']}", by="kurt").body
    assert (read["purpose"], read["subject"], len(read["items"])) == ("sessions", "nora", 2)
    with acting_for(system_principal(access.organisation_of(calls.slug).pk, "test"), subjects=ALL_SUBJECTS):
        assert "crane" not in str(list(Recall.objects.values()))


def test_a_session_may_be_called_search(cast: Cast) -> None:
    _turn(cast, 1, "Hello?", session="search")
    assert cast.post("/sessions/search/end").status == 200
