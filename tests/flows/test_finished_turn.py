"""The story of A1: refused three times, dreamt over, approved by a person, used on the next turn (spec 13)."""

from typing import Any

import pytest
from django.utils import timezone

from memoryhub.dreams.dreamer import dream_now
from memoryhub.governance.access import organisation_of
from tests.cast import Cast

SIGNAL = "intent:RETURN_PARCEL"
TOOLS = [
    {"name": "read_parcel", "side_effects": False, "description": "Reads where a parcel is."},
    {"name": "return_parcel", "side_effects": True, "description": "Starts a return."},
]
WORDING = "{value} was refused in {sessions} sessions. Check that first and say so before proposing a return."


def refused_turn(customer: str, order: int) -> dict[str, Any]:
    why = f"Parcel {order} left the depot"
    return {
        "event_id": f"turn-{order}",
        "session_id": f"session-{order}",
        "subject": customer,
        "user_input": "Please take my parcel back.",
        "assistant_output": "I can't do that any more, it has left the depot.",
        "actions": [
            {
                "tool": "return_parcel",
                "arguments": {"parcel": str(order)},
                "result": "refused",
                "detail": why,
                "ok": False,
            }
        ],
        "signals": [{"kind": "refused", "value": why, "scope": SIGNAL}],
        "scope": [SIGNAL],
    }


@pytest.fixture
def cast(committed_db: None) -> Cast:
    cast = Cast()
    cast.call("PUT", "/agents/me/tools", TOOLS)
    cast.call(
        "PUT", "/agents/me/signals", [{"kind": "refused", "wording": WORDING, "tools": ["read_parcel"], "prefetch": ["read_parcel"]}],
        key=cast.issue(name="bot", roles=("agent", "operator")),
    )  # fmt: skip
    return cast


def dream(cast: Cast) -> dict[str, Any]:
    done = dream_now(organisation=organisation_of(cast.slug).pk, now=timezone.now())
    reply = cast.call("GET", f"/dreams/{done.pk}", by="olga")
    assert reply.body["status"] == "done"
    report: dict[str, Any] = reply.body["report"]
    return report


def context(cast: Cast, **more: Any) -> Any:
    body = {"subject": "customer-9", "session_id": "session-next", "query": "take my parcel back", "signals": [SIGNAL]}
    return cast.call("POST", "/context", body | more).body


def test_a_lesson_is_learnt_overnight_and_used_only_after_a_person_approved_it(cast: Cast) -> None:
    for number, customer in enumerate(("customer-1", "customer-2", "customer-3"), start=7001):
        answer = cast.call("POST", "/turns", refused_turn(customer, number))
        assert (answer.status, answer.body["event"]) == (201, "written")
        assert cast.call("POST", "/turns", refused_turn(customer, number)).body["event"] == "duplicate"

    report = dream(cast)
    assert report["sessions"] == 3
    assert report["episodic"]["ADD"] == 3
    assert report["procedural"]["QUEUED"] == 1
    assert set(report["semantic"]) <= {"NOOP", "QUEUED", "DISCARDED"} or not any(report["semantic"].values())

    assert context(cast)["skills"] == []  # nothing was learnt unsupervised

    (item,) = cast.call("GET", "/queue?type=skill", by="rosa").body["items"]
    assert item["skill"]["evidence"]["sessions"] == 3
    assert "3 sessions" in item["skill"]["body"] or "3 sessions" in item["skill"]["description"]
    decided = cast.call("POST", f"/queue/{item['id']}/approve", {}, by="rosa", If_Match=item["etag"])
    assert decided.body["decision"] == "approved"
    late = cast.call("POST", f"/queue/{item['id']}/reject", {"reason": "no"}, by="timo")
    assert late.status == 409

    given = context(cast)
    (skill,) = given["skills"]
    assert (skill["reason"], skill["prefetch"], skill["tools"]) == ("trigger", ["read_parcel"], ["read_parcel"])
    assert skill["text"].strip() in given["rendered"]
    assert context(cast, signals=["intent:SOMETHING_ELSE"], query="hello there")["skills"] == []

    again = dream(cast)
    assert again["sessions"] == 0
    assert not any(
        again[store].get(op) for store in ("episodic", "semantic", "procedural") for op in ("ADD", "UPDATE", "QUEUED")
    )
    summaries = cast.call("GET", "/memories?subject=customer-1&kind=episodic", by="olga").body["items"]
    assert len(summaries) == 1
    assert cast.call("GET", "/audit/verify", by="kurt").body["holds"] is True
