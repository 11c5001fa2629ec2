"""A prompt carries what somebody should be asked before it lapses, whatever they came for; an answer closes it (R77)."""

from typing import Any

import pytest

from memoryhub import conf
from memoryhub.dreams.housekeeping import runs
from memoryhub.governance import access
from memoryhub.governance.policy import Policy
from memoryhub.models import ReviewItem
from memoryhub.vocabulary import Chore, ReviewState
from tests.cast import Cast, rows


def prompt(cast: Cast, **more: Any) -> Any:
    reply = cast.post("/context", {"subject": "nora", "query": "Where is my parcel?", "session_id": "s", **more})
    assert reply.status == 200, reply
    return reply.body


@pytest.fixture
def late(monkeypatch: pytest.MonkeyPatch) -> None:
    """Whatever is written has its review date behind it already."""
    monkeypatch.setattr(Policy, "review_by", lambda _self, _expires_at, *, now: now)


def test_a_question_about_something_else_carries_it_and_the_persons_answer_closes_it(cast: Cast, late: None) -> None:
    entry = cast.say("I live in Pune").entry
    body = prompt(cast)
    (asked,) = body["memories"]["please_confirm"]
    assert asked["id"] == entry["id"]
    assert "I live in Pune" in asked["question"]
    assert f"To ask the person when it fits: {asked['question']}" in body["rendered"]


def test_at_most_a_few_and_none_about_somebody_else(cast: Cast, late: None) -> None:
    for text in ("I live in Pune", "I prefer aisle seats", "I prefer early trains", "I prefer quiet hotels"):
        cast.say(text)
    cast.say("I live in Oslo", subject="bela")
    asked = prompt(cast)["memories"]["please_confirm"]
    assert len(asked) == conf.CONFIRMATIONS_IN_CONTEXT
    assert {one["subject"] for one in asked} == {"nora"}


def test_nothing_is_asked_before_its_time_or_with_memory_off(cast: Cast) -> None:
    cast.say("I live in Pune")
    assert prompt(cast)["memories"]["please_confirm"] == []
    assert "To ask the person" not in prompt(cast)["rendered"]
    assert prompt(cast, memory="off")["memories"] is None


def test_the_agents_confirming_it_closes_the_question_in_the_queue(cast: Cast, late: None) -> None:
    entry = cast.say("I live in Pune").entry
    runs.keep_now(chore=Chore.ASK, organisation=access.organisation_of(cast.slug).pk)
    (item,) = cast.get("/queue?type=reconfirm", by="rosa").body["items"]
    assert (item["reason"], item["entry"]["id"]) == ("lapses", entry["id"])
    assert cast.post(f"/memories/{entry['id']}/confirm").status == 200
    assert rows(cast, ReviewItem, state=ReviewState.WAITING) == 0
