"""So many finished turns wait that no more are taken in: said at once, with when to come again, and nothing is lost."""

import pytest
from django.utils import timezone

from memoryhub import conf
from memoryhub.dreams import backlog, dreamer
from memoryhub.governance import access
from memoryhub.models import Event, Session
from tests.cast import Cast, Reply, rows


@pytest.fixture(autouse=True)
def _small(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(conf, "PENDING_EVENTS", 3)
    monkeypatch.setattr(backlog, "_counted", {})


def turn(number: int, **more: object) -> dict[str, object]:
    return {
        "event_id": f"e-{number}",
        "session_id": f"s-{number}",
        "subject": f"p-{number}",
        "user_input": "Hello.",
        **more,
    }


def send(cast: Cast, number: int, **more: object) -> Reply:
    return cast.post("/turns", turn(number, **more), by="bot")


def test_the_turn_after_the_last_that_finds_room_is_asked_to_come_again(cast: Cast) -> None:
    assert [send(cast, number).status for number in range(3)] == [201] * 3
    refused = send(cast, 3)
    assert (refused.status, refused.body["code"]) == (503, "backlog")
    assert int(refused.headers["Retry-After"]) == conf.PENDING_RETRY.total_seconds()
    assert (rows(cast, Event), rows(cast, Session, external_id="s-3")) == (3, 0)


def test_what_was_taken_in_is_answered_as_before_and_what_keeps_nothing_is_not_stopped(cast: Cast) -> None:
    for number in range(3):
        send(cast, number)
    again = send(cast, 1)
    assert (again.status, again.body["event"]) == (200, "duplicate")
    assert send(cast, 9, memory="off").status == 200


def test_after_a_dream_there_is_room_and_the_same_turn_is_taken_in(cast: Cast) -> None:
    for number in range(3):
        send(cast, number)
    assert send(cast, 3).status == 503
    dreamer.dream_now(organisation=access.organisation_of(cast.slug).pk, now=timezone.now())
    assert send(cast, 3).status == 201


def test_a_batch_says_so_turn_by_turn(cast: Cast) -> None:
    reply = cast.post("/turns:batch", {"turns": [turn(number) for number in range(5)]}, by="bot")
    assert [item["status"] for item in reply.body["items"]] == [201, 201, 201, 503, 503]
    assert {item["code"] for item in reply.body["items"][3:]} == {"backlog"}


def test_one_organisation_s_backlog_is_no_other_s(cast: Cast, strangers: Cast) -> None:
    for number in range(3):
        send(cast, number)
    assert send(cast, 3).status == 503
    assert send(strangers, 3).status == 201


def test_far_from_the_limit_not_every_turn_is_counted(cast: Cast, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(conf, "PENDING_EVENTS", 1000)
    counted = []
    whole = backlog._unread
    monkeypatch.setattr(backlog, "_unread", lambda organisation: counted.append(organisation) or whole(organisation))
    for number in range(4):
        send(cast, number)
    assert len(counted) == 1
