"""/queue and a curator's decisions."""

import uuid

import pytest

from tests.cast import Cast

CLAIM = "Prefers to be called in the morning"


@pytest.fixture
def item(cast: Cast) -> dict:
    assert cast.infer(CLAIM).ops == ["QUEUED"]
    (waiting,) = cast.waiting()
    return waiting


def test_an_item_shows_the_claim_and_why_it_waits(item: dict) -> None:
    assert (item["type"], item["subject"], item["proposed_by"]) == ("fact", "nora", "bot")
    assert item["entry"]["status"] == "proposed"
    assert item["entry"]["provenance"]["channel"] == "agent_inference"
    assert item["why"]
    assert item["reason"] == "inferred"
    assert item["similar"] == []


def test_approving_puts_it_in_force(cast: Cast, item: dict) -> None:
    reply = cast.post(f"/queue/{item['id']}/approve", by="rosa", If_Match=item["etag"])
    assert (reply.status, reply.body["decision"], reply.body["entry"]["status"]) == (200, "approved", "accepted")
    assert cast.waiting() == []
    assert cast.get("/memories?subject=nora").body["items"][0]["id"] == item["entry"]["id"]


def test_an_edit_is_approved_in_its_own_words(cast: Cast, item: dict) -> None:
    reply = cast.post(f"/queue/{item['id']}/approve", {"text": "Prefers calls before nine"}, by="rosa")
    assert reply.body["entry"]["text"] == "Prefers calls before nine"
    assert cast.post(f"/queue/{item['id']}/approve", {"text": 7}, by="rosa").status == 422


def test_rejecting_needs_a_reason(cast: Cast, item: dict) -> None:
    path = f"/queue/{item['id']}/reject"
    assert cast.post(path, {}, by="rosa").status == 422
    assert cast.post(path, {"reason": ""}, by="rosa").status == 422
    reply = cast.post(path, {"reason": "She never said so"}, by="rosa")
    assert (reply.body["decision"], reply.body["entry"]["status"]) == ("rejected", "rejected")
    assert cast.infer(CLAIM).results[0]["reason"] == "declined_before"


def test_who_comes_second_reads_what_was_decided(cast: Cast, item: dict) -> None:
    cast.post(f"/queue/{item['id']}/reject", {"reason": "She never said so"}, by="rosa")
    reply = cast.post(f"/queue/{item['id']}/approve", by="timo")
    assert (reply.status, reply.code, reply.body["decision"]) == (409, "already_decided", "rejected")
    assert reply.body["decided_by"].startswith("rosa@")


def test_an_item_that_changed_is_read_again(cast: Cast, item: dict) -> None:
    reply = cast.post(f"/queue/{item['id']}/approve", by="rosa", If_Match='"old"')
    assert (reply.status, reply.code) == (412, "stale")
    assert cast.post(f"/queue/{item['id']}/approve", by="rosa", If_Match="*").status == 200


def test_a_decision_can_be_taken_back(cast: Cast, item: dict) -> None:
    cast.post(f"/queue/{item['id']}/approve", by="rosa")
    assert cast.post(f"/queue/{item['id']}/undo", by="rosa").body["decision"] == "undone"
    assert cast.waiting()[0]["id"] == item["id"]
    assert cast.get("/memories?subject=nora").body["items"] == []


def test_a_claimed_item_shows_who_looks(cast: Cast, item: dict) -> None:
    assert cast.post(f"/queue/{item['id']}/claim", by="rosa").body["decision"] == "claimed"
    assert cast.waiting()[0]["claimed_by"].startswith("rosa@")
    assert cast.post(f"/queue/{item['id']}/release", by="rosa").body["decision"] == "released"
    assert cast.waiting()[0]["claimed_by"] is None


def test_nobody_approves_what_they_or_their_agent_proposed(cast: Cast) -> None:
    cast.issue(name="bot", roles=("agent",), user=f"rosa@{cast.slug}.example")  # rosa owns the agent
    cast.infer(CLAIM)
    (item,) = cast.waiting()
    assert cast.post(f"/queue/{item['id']}/approve", by="rosa").status == 403
    another_key = cast.issue(name="again", roles=("curator",), user=f"Rosa@{cast.slug}.example")
    assert cast.post(f"/queue/{item['id']}/approve", key=another_key).status == 403
    assert cast.post(f"/queue/{item['id']}/approve", by="timo").status == 200


@pytest.mark.parametrize("verb", ["approve", "reject", "undo", "claim", "release"])
def test_another_organisations_item_does_not_exist(cast: Cast, strangers: Cast, item: dict, verb: str) -> None:
    body = {"reason": "no"} if verb == "reject" else None
    bodies = [
        strangers.post(f"/queue/{known}/{verb}", body, by="rosa").body
        for known in (item["id"], str(uuid.uuid4()), "nonsense")
    ]
    assert all(one == bodies[0] and one["status"] == 404 for one in bodies)


def test_only_curators_decide(cast: Cast, item: dict) -> None:
    for part in ("bot", "desk", "crm", "olga", "kurt"):
        assert cast.post(f"/queue/{item['id']}/approve", by=part).status == 403
    assert cast.get("/queue", by="olga").status == 200
    assert cast.get("/queue", by="bot").status == 403


def test_filters_and_pages(cast: Cast) -> None:
    for number in range(3):
        cast.infer(CLAIM, subject=f"person-{number}")
    assert len(cast.waiting(subject="person-1", type="fact", agent="bot")) == 1
    assert cast.waiting(type="skill") == []
    first = cast.get("/queue?limit=2", by="rosa").body
    assert len(first["items"]) == 2
    assert len(cast.get(f"/queue?limit=2&cursor={first['next']}", by="rosa").body["items"]) == 1
    assert cast.get("/queue?type=rumour", by="rosa").status == 422
    assert cast.get("/queue?sort=age", by="rosa").status == 422


def test_what_is_known_stands_beside_the_claim(cast: Cast) -> None:
    known = cast.say("I live in Tartu").entry
    cast.infer("Nora lives in Narva now")
    similar = [entry["id"] for item in cast.waiting() for entry in item["similar"]]
    assert similar in ([], [known["id"]])
    assert cast.get(f"/queue/{cast.waiting()[0]['id']}", by="rosa").status == 200


@pytest.mark.parametrize("header", ['"older", {}', '{}, "older"', '"a" ,W/{} , "b"'])
def test_any_listed_etag_that_fits_is_enough(cast: Cast, header: str) -> None:
    cast.infer("Nora sails on Sundays")
    (item,) = cast.waiting()
    path = f"/queue/{item['id']}/reject"
    assert cast.post(path, {"reason": "no"}, by="rosa", If_Match='"older", "oldest"').status == 412
    assert cast.post(path, {"reason": "no"}, by="rosa", If_Match=header.format(item["etag"])).status == 200


def test_the_queue_is_filtered_by_what_a_curator_looks_for(cast: Cast, item: dict) -> None:
    cast.infer("The importer failed at night", kind="episodic", session_id="s-2")
    by_kind = {kind: cast.waiting(kind=kind) for kind in ("semantic", "episodic", "procedural")}
    assert [one["id"] for one in by_kind["semantic"]] == [item["id"]]
    assert [one["entry"]["kind"] for one in by_kind["episodic"]] == ["episodic"]
    assert by_kind["procedural"] == []
    assert {one["reason"] for one in cast.waiting(reason="inferred")} == {"inferred"}
    assert cast.waiting(reason="not_a_member") == []
    since, later = item["waiting_since"].replace("+00:00", "Z"), "2199-01-01T00:00:00Z"
    assert len(cast.waiting(since=since)) == 2
    assert len(cast.waiting(until=later)) == 2
    assert cast.waiting(since=later) == cast.waiting(until=since) == []
    assert len(cast.waiting(kind="semantic", reason="inferred", agent="bot", subject="nora", type="fact")) == 1


def test_what_is_to_be_activated_is_procedural(cast: Cast) -> None:
    assert cast.put("/agents/me/profile", raw="# Helper\n\nBe brief.", kind="text/markdown").status in (200, 201, 202)
    (profile,) = cast.waiting(kind="procedural")
    assert profile["type"] == "profile"


@pytest.mark.parametrize("query", ["kind=any", "reason=because", "since=yesterday", "until=2026-01-01T00:00:00"])
def test_an_unknown_filter_of_the_queue_is_refused(cast: Cast, query: str) -> None:
    assert cast.get(f"/queue?{query}", by="rosa").status == 422
