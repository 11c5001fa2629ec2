"""/dreams and /events."""

import uuid

from memoryhub import jobs
from memoryhub.models import Job
from memoryhub.tenancy import as_worker
from tests.cast import Cast
from tests.integration.api.test_turns import TURN


def test_a_dream_is_asked_for_and_named_as_a_job(cast: Cast) -> None:
    reply = cast.post("/dreams", by="olga")
    assert (reply.status, reply.body["status"]) == (202, "queued")
    with as_worker():
        assert Job.objects.filter(kind="dream", payload__dream=reply.body["id"]).count() == 1
    assert "dream" in jobs.HANDLERS
    report = cast.get(f"/dreams/{reply.body['id']}", by="olga").body
    assert report["progress"] == {"sessions_done": 0, "sessions_total": 0}
    assert set(report["report"]) >= {"events", "sessions", "episodic", "semantic", "procedural", "operations"}
    assert [dream["id"] for dream in cast.get("/dreams", by="olga").body["items"]] == [reply.body["id"]]


def test_a_dream_of_one_agent_names_it(cast: Cast) -> None:
    cast.key("bot")
    assert cast.post("/dreams", {"agent": "bot"}, by="olga").status == 202
    assert cast.post("/dreams", {"agent": "ghost"}, by="olga").status == 404
    assert cast.post("/dreams", {"agent": 7}, by="olga").status == 422
    assert cast.post("/dreams", {"when": "now"}, by="olga").status == 422


def test_only_operators_dream(cast: Cast, strangers: Cast) -> None:
    for part in ("bot", "desk", "crm", "rosa", "kurt"):
        assert cast.post("/dreams", {}, by=part).status == 403
    known = cast.post("/dreams", {}, by="olga").body["id"]
    for dream_id in (known, str(uuid.uuid4()), "nonsense"):
        assert strangers.get(f"/dreams/{dream_id}", by="olga").status == 404


def test_the_inbox_is_filtered_and_read_in_order(cast: Cast) -> None:
    for number in range(3):
        cast.post("/turns", {**TURN, "event_id": f"t-{number}", "session_id": f"call-{number}"})
    first = cast.get("/events?pending=true&limit=2", by="olga").body
    assert [event["event_id"] for event in first["items"]] == ["t-0", "t-1"]
    assert [
        event["event_id"] for event in cast.get(f"/events?pending=true&cursor={first['next']}", by="olga").body["items"]
    ] == ["t-2"]
    assert cast.get("/events?pending=false", by="olga").body["items"] == []
    assert cast.get("/events?pending=maybe", by="olga").status == 422
    assert cast.get("/events", by="bot").status == 403
    assert len(cast.get("/events?subject=nora", by="olga").body["items"]) == 3
    assert cast.get("/events?subject=otto", by="olga").status == 404
