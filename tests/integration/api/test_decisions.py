"""GET /decisions/{id}."""

import uuid

from tests.cast import Cast


def test_a_decision_names_every_step_and_no_content(cast: Cast) -> None:
    said = cast.say("I prefer the window seat")
    reply = cast.get(f"/decisions/{said.body['decision_id']}")
    assert (reply.status, reply.body["subject"], reply.body["role"]) == (200, "nora", "customer")
    assert reply.body["results"][0]["entry"] == said.entry["id"]
    assert len(reply.body["results"][0]["steps"]) == 6
    assert "window" not in str(reply.body)


def test_an_agent_sees_its_own_decisions(cast: Cast, strangers: Cast) -> None:
    known = cast.say("I prefer the window seat").body["decision_id"]
    assert cast.get(f"/decisions/{known}", by="plain-bot").status == 404
    assert cast.get(f"/decisions/{known}", by="kurt").status == 200
    assert strangers.get(f"/decisions/{known}", by="kurt").status == 404
    assert cast.get(f"/decisions/{uuid.uuid4()}").status == 404
    assert cast.get("/decisions/nonsense").status == 404
