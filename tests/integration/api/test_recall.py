"""POST /recall, GET /recalls/{id} and POST /recalls/{id}/used."""

import uuid
from typing import Any

import psycopg
import pytest

from memoryhub.recall import search
from tests.cast import Cast

WORDS = "I prefer the window seat"


def _ask(cast: Cast, query: str = "which seat", **fields: object):
    return cast.post("/recall", {"subject": "nora", "query": query, "min_relevance": 0, **fields})


def test_what_helps_comes_with_score_signals_and_source(cast: Cast) -> None:
    entry = cast.say(WORDS).entry
    reply = _ask(cast, "window seat")
    (item,) = reply.body["items"]
    assert (item["id"], item["subject"], item["text"]) == (entry["id"], "nora", entry["text"])
    assert set(item["signals"]) == {"relevance", "recency", "importance", "authority", "frequency", "validity"}
    assert item["provenance"]["channel"] == "user_message"
    assert reply.body["looked_for"] == "window seat"
    assert not reply.body["nothing_found"]
    assert reply.body["rendered"]
    assert reply.body["tokens"] > 0


def test_nothing_above_the_bar_is_said(cast: Cast) -> None:
    reply = _ask(cast, "who is on call?", min_relevance=1)
    assert (reply.status, reply.body["items"], reply.body["nothing_found"]) == (200, [], True)


def test_several_subjects_are_read_each_under_its_own_rights(cast: Cast) -> None:
    cast.put("/subjects/harbour", {"kind": "project", "members": ["nora"]})
    cast.post(
        "/memories", {"subject": "harbour", "text": "The crane code word is amber", "channel": "curator"}, by="rosa"
    )
    cast.say(WORDS)
    cast.say("I prefer tea", subject="otto")
    reply = cast.post("/recall", {"subjects": ["nora", "harbour"], "query": "prefers amber", "min_relevance": 0})
    assert {item["subject"] for item in reply.body["items"]} == {"nora", "harbour"}


def test_a_recall_asks_the_database_six_times(cast: Cast, monkeypatch: pytest.MonkeyPatch) -> None:
    """Key, identity, whom it names, from here on them alone, the question, the read log; beginning and end besides."""
    cast.say(WORDS)
    assert len(_ask(cast).body["items"]) == 1
    sent: list[str] = []
    execute = psycopg.Cursor.execute

    def counted(cursor: psycopg.Cursor, query: Any, *args: Any, **options: Any) -> psycopg.Cursor:
        sent.append(" ".join(str(query).split()))
        return execute(cursor, query, *args, **options)

    monkeypatch.setattr(psycopg.Cursor, "execute", counted)
    assert len(_ask(cast).body["items"]) == 1
    asked = [one for one in sent if not one.startswith(("SAVEPOINT", "RELEASE SAVEPOINT"))]
    # In a test the call's transaction lies inside another, so that its identity is taken back at the end: the seventh.
    assert len(asked) == 7, [one[:30] for one in asked]


@pytest.mark.parametrize("path", ["/recall", "/context"])
def test_the_meaning_is_begun_once_and_again_only_without_what_is_never_asked_for(
    cast: Cast, path: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    cast.say(WORDS)
    genuine, begun = search.begin, []

    def begin(text: str) -> Any:
        begun.append(text)
        return genuine(text)

    monkeypatch.setattr(search, "begin", begin)
    secret = "my password is hunter2-Zx9!"
    for query in ("which seat", f"which seat, {secret}"):
        assert cast.post(path, {"subject": "nora", "query": query}).status == 200
    assert begun[:2] == ["which seat", f"which seat, {secret}"]
    (cleaned,) = begun[2:]
    assert cleaned.startswith("which seat")
    assert "hunter2" not in cleaned


def test_explain_says_why(cast: Cast) -> None:
    cast.say(WORDS)
    assert _ask(cast, explain=True).body["explain"]["candidates"]
    assert _ask(cast).body["explain"] is None


@pytest.mark.parametrize(
    "body",
    [
        {"query": "x"}, {"subject": "nora"}, {"subject": "nora", "subjects": ["otto"], "query": "x"},
        {"subjects": [], "query": "x"}, {"subject": "nora", "query": 7}, {"subject": "nora", "query": None},
        {"subject": "nora", "query": "x", "kinds": ["opinion"]}, {"subject": "nora", "query": "x", "kinds": "semantic"},
        {"subject": "nora", "query": "x", "limit": -1}, {"subject": "nora", "query": "x", "limit": True},
        {"subject": "nora", "query": "x", "limit": "5"}, {"subject": "nora", "query": "x", "min_relevance": 2},
        {"subject": "nora", "query": "x", "since": "2026-01-01"}, {"subject": "nora", "query": "x", "profile": "best"},
        {"subject": "nora", "query": "x", "filters": {}}, {"subject": "nora", "query": "x", "scopes": ["world"]},
        {"subject": " ", "query": "x"},
    ],
)  # fmt: skip
def test_a_question_that_is_not_valid_is_refused(cast: Cast, body: dict) -> None:
    reply = cast.post("/recall", body)
    assert (reply.status, reply.code) == (422, "invalid")
    assert reply.body["errors"]


@pytest.mark.parametrize("query", ["", "%", "' OR 1=1 --", 'seat" OR subject:otto', "\\", "<!> & | ( )", "🪑" * 50])
def test_a_query_is_words_and_nothing_else(cast: Cast, query: str) -> None:
    cast.say(WORDS)
    cast.say(WORDS, subject="otto")
    reply = _ask(cast, query)
    assert reply.status == 200
    assert {item["subject"] for item in reply.body["items"]} <= {"nora"}


def test_another_organisation_recalls_nothing(cast: Cast, strangers: Cast) -> None:
    cast.say(WORDS)
    assert _ask(strangers).body["items"] == []


def test_a_stranger_to_the_hub_is_met_with_an_empty_memory_by_agents_alone(cast: Cast) -> None:
    assert _ask(cast).body["nothing_found"] is True
    assert cast.post("/recall", {"subject": "nobody", "query": "x"}, by="olga").status == 404


def test_only_agents_and_operators_recall(cast: Cast) -> None:
    for part, status in {"desk": 403, "crm": 403, "kurt": 403, "rosa": 403, "plain-bot": 200}.items():
        assert cast.post("/recall", {"subject": "nora", "query": "x"}, by=part).status == status


def test_a_recall_is_answered_for_later(cast: Cast) -> None:
    entry = cast.say(WORDS).entry
    recall_id = _ask(cast, "window seat").body["recall_id"]
    read = cast.get(f"/recalls/{recall_id}", by="kurt").body
    assert read["subjects"] == ["nora"]
    assert read["agent"] == "bot"
    (given,) = read["items"]
    assert (given["id"], given["entry"]["text"]) == (entry["id"], entry["text"])
    assert given["entry"]["provenance"]["quote"]
    assert "window seat" not in read["query_digest"]


def test_use_is_counted_once(cast: Cast) -> None:
    entry = cast.say(WORDS).entry
    recall_id = _ask(cast, "window seat").body["recall_id"]
    for _ in range(2):
        assert cast.post(f"/recalls/{recall_id}/used", {"ids": [entry["id"]]}).body["items"][0]["used"] is True
    assert cast.get(f"/memories/{entry['id']}").body["use_count"] == 1
    assert cast.post(f"/recalls/{recall_id}/used", {"ids": [str(uuid.uuid4())]}).status == 422


def test_an_agent_reads_its_own_recalls_alone(cast: Cast, strangers: Cast) -> None:
    recall_id = _ask(cast).body["recall_id"]
    assert cast.get(f"/recalls/{recall_id}").status == 200
    assert cast.get(f"/recalls/{recall_id}", by="plain-bot").status == 404
    assert strangers.get(f"/recalls/{recall_id}", by="kurt").status == 404
    assert cast.get("/recalls/nonsense").status == 404


def test_what_was_of_use_is_in_the_trail(cast: Cast) -> None:
    entry = cast.say(WORDS).entry
    read = _ask(cast, "window seat").body["recall_id"]
    assert cast.post(f"/recalls/{read}/used", {"ids": [entry["id"]]}).status == 200
    (row,) = cast.get("/audit?action=recall.used&subject=nora", by="kurt").body["items"]
    assert (row["object_kind"], row["object_id"]) == ("recall", read)
    assert cast.post(f"/recalls/{read}/used", {"ids": [str(uuid.uuid4())]}).status == 422
    assert len(cast.get("/audit?action=recall.used", by="kurt").body["items"]) == 1


def test_a_read_says_which_decision_let_each_entry_in_and_what_took_its_place(cast: Cast) -> None:
    told = cast.say("I live in Graz", session_id="s-1", message_id="m-4")
    recall_id = _ask(cast, "Graz").body["recall_id"]
    (given,) = cast.get(f"/recalls/{recall_id}").body["items"]
    assert (given["decision_id"], given["since"], given["erased"]) == (told.body["decision_id"], [], False)
    origin = given["entry"]["provenance"]
    assert (origin["quote"], origin["session_id"], origin["message_id"]) == ("I live in Graz", "s-1", "m-4")
    later = [cast.say(f"I moved to {city}").entry["id"] for city in ("Linz", "Wels")]
    (given,) = cast.get(f"/recalls/{recall_id}", by="olga").body["items"]
    assert (given["since"], given["entry"]["text"], given["entry"]["status"]) == (later, "I live in Graz", "replaced")


def test_a_read_of_what_was_approved_names_the_decision_that_put_it_in_the_queue(cast: Cast) -> None:
    told = cast.infer("She travels with a bicycle")
    (item,) = cast.waiting()
    assert cast.post(f"/queue/{item['id']}/approve", by="rosa").status == 200
    recall_id = _ask(cast, "bicycle").body["recall_id"]
    (given,) = cast.get(f"/recalls/{recall_id}", by="rosa").body["items"]
    assert given["decision_id"] == told.body["decision_id"]


def test_what_was_erased_is_an_id_and_nothing_else(cast: Cast) -> None:
    entry = cast.say(WORDS).entry
    recall_id = _ask(cast, "window seat").body["recall_id"]
    assert cast.delete(f"/memories/{entry['id']}", by="desk").status == 200
    read = cast.get(f"/recalls/{recall_id}", by="kurt").body
    assert [(one["id"], one["erased"], one["entry"]) for one in read["items"]] == [(entry["id"], True, None)]
    assert "window" not in str(read)


def test_a_bound_key_sees_what_it_was_given_of_its_group_too(cast: Cast) -> None:
    cast.put("/subjects/harbour", {"kind": "project", "members": ["nora"]})
    cast.post("/memories", {"subject": "harbour", "text": "The crane is amber", "channel": "curator"}, by="rosa")
    bound = cast.issue(name="one-person", roles=("agent",), subject="nora")
    body = {"subject": "nora", "query": "crane", "min_relevance": 0}
    recall_id = cast.post("/recall", body, key=bound).body["recall_id"]
    (given,) = cast.get(f"/recalls/{recall_id}", key=bound).body["items"]
    assert (given["entry"]["text"], given["erased"]) == ("The crane is amber", False)
