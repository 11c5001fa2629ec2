"""The same request twice: one effect, one answer (R20)."""

import hashlib
import json
from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta

import pytest
from django.db import connections
from django.utils import timezone

from memoryhub.governance import subject_keys
from memoryhub.models import IdempotentRequest, Subject
from memoryhub.tenancy import ALL_SUBJECTS, acting_for, system_principal
from tests.cast import Cast
from tests.integration.api.test_turns import TURN

GOOD = {"subject": "nora", "text": "I prefer the window seat", "channel": "user_message"}


def test_a_repeated_request_is_replayed(cast: Cast) -> None:
    first = cast.post("/memories", GOOD, Idempotency_Key="k-1")
    again = cast.post("/memories", GOOD, Idempotency_Key="k-1")
    assert (again.status, again.body) == (first.status, first.body)
    assert again.headers["Idempotent-Replayed"] == "true"
    assert "Idempotent-Replayed" not in first.headers
    assert cast.post("/memories", GOOD).ops == ["NOOP"]


def test_the_order_of_names_makes_no_other_request(cast: Cast) -> None:
    cast.post("/memories", GOOD, Idempotency_Key="k-1")
    turned = dict(reversed(GOOD.items()))
    assert cast.post("/memories", turned, Idempotency_Key="k-1").headers["Idempotent-Replayed"] == "true"


def test_a_key_is_for_one_request(cast: Cast) -> None:
    cast.post("/memories", GOOD, Idempotency_Key="k-1")
    for path, body in (("/memories", {**GOOD, "text": "I like tea"}), ("/subjects/nora/pause", {"paused": True})):
        reply = cast.post(path, body, Idempotency_Key="k-1")
        assert (reply.status, reply.code) == (422, "idempotency_key_reused")


def test_each_caller_has_keys_of_its_own(cast: Cast) -> None:
    cast.post("/memories", GOOD, Idempotency_Key="k-1")
    other = cast.post("/memories", {**GOOD, "subject": "otto"}, by="desk", Idempotency_Key="k-1")
    assert (other.status, other.ops) == (200, ["ADD"])


def test_a_refused_request_may_be_put_right_under_the_same_key(cast: Cast) -> None:
    assert cast.post("/memories", {**GOOD, "channel": "no"}, Idempotency_Key="k-1").status == 422
    assert cast.post("/memories", GOOD, Idempotency_Key="k-1").ops == ["ADD"]


def test_a_failure_inside_is_not_remembered(cast: Cast, monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(*_: object, **__: object) -> None:
        raise RuntimeError

    with monkeypatch.context() as patch:
        patch.setattr("memoryhub.api.memories.rendering.outcome_json", broken)
        assert cast.post("/memories", GOOD, Idempotency_Key="k-1").status == 500
    reply = cast.post("/memories", GOOD, Idempotency_Key="k-1")
    assert (reply.status, reply.ops) == (200, ["ADD"])  # nothing was half-written


def test_keys_are_forgotten_after_a_day(cast: Cast) -> None:
    first = cast.post("/memories", GOOD, Idempotency_Key="k-1")
    with acting_for(_hub(cast), subjects=ALL_SUBJECTS):
        IdempotentRequest.objects.update(created_at=timezone.now() - timedelta(hours=24, seconds=1))
    again = cast.post("/memories", GOOD, Idempotency_Key="k-1")
    assert (first.ops, again.ops) == (["ADD"], ["NOOP"])


@pytest.mark.parametrize(
    ("path", "body"),
    [
        ("/turns", TURN), ("/turns:batch", [TURN]), ("/subjects/nora/pause", {"paused": True}),
        ("/memories", {**GOOD, "text": "I like tea"}),
    ],
)  # fmt: skip
def test_every_post_that_writes_honours_it(cast: Cast, path: str, body: object) -> None:
    cast.post("/memories", GOOD)
    first = cast.post(path, body, Idempotency_Key="k-9")
    again = cast.post(path, body, Idempotency_Key="k-9")
    assert first.status < 300
    assert (again.status, again.body) == (first.status, first.body)
    assert again.headers["Idempotent-Replayed"] == "true"


READS = [
    ("/recall", {"subject": "nora", "query": "does she like the lighthouse"}),
    ("/context", {"subject": "nora", "session_id": "s", "query": "does she like the lighthouse"}),
]


@pytest.mark.parametrize(("path", "body"), READS)
def test_a_read_is_read_again_and_no_question_is_kept(cast: Cast, path: str, body: dict) -> None:
    cast.post("/memories", GOOD)
    first = cast.post(path, body, Idempotency_Key="k-9")
    again = cast.post(path, body, Idempotency_Key="k-9")
    assert (first.status, again.status) == (200, 200)
    assert first.body["recall_id"] != again.body["recall_id"]
    assert "Idempotent-Replayed" not in again.headers
    assert "lighthouse" not in _stored(cast)
    assert "window" not in _stored(cast)
    other = cast.post(path, {**body, "query": "who"}, Idempotency_Key="k-9")
    assert (other.status, other.code) == (422, "idempotency_key_reused")


def test_a_one_time_link_is_kept_nowhere(cast: Cast) -> None:
    links = [cast.post("/subjects/nora/page-link", Idempotency_Key="k-9") for _ in range(2)]
    assert [reply.status for reply in links] == [200, 200]
    tokens = [reply.body["url"].rstrip("/").rpartition("/")[2] for reply in links]
    assert tokens[0] != tokens[1]
    assert "Idempotent-Replayed" not in links[1].headers
    assert not any(token in _stored(cast) for token in tokens)


def test_a_read_still_works_after_an_erasure(cast: Cast) -> None:
    path, body = READS[0]
    cast.post("/memories", GOOD)
    cast.post(path, body, Idempotency_Key="k-9")
    cast.delete("/subjects/nora/memories")
    assert cast.post(path, body, Idempotency_Key="k-9").status == 200


def test_a_short_question_cannot_be_guessed_from_what_is_kept(cast: Cast) -> None:
    path, body = READS[0]
    cast.post(path, body, Idempotency_Key="k-9")
    with acting_for(_hub(cast), subjects=ALL_SUBJECTS):
        kept = IdempotentRequest.objects.get().request_digest
    parts = ["POST", f"/api/v1{path}", "", "", body]
    assert kept != hashlib.sha256(json.dumps(parts, sort_keys=True).encode()).hexdigest()


def test_a_dream_is_asked_for_once(cast: Cast) -> None:
    ids = {cast.post("/dreams", {}, by="olga", Idempotency_Key="night").body["id"] for _ in range(3)}
    assert len(ids) == 1


@pytest.mark.parametrize("token", [" ", "x" * 256])
def test_a_key_has_a_form(cast: Cast, token: str) -> None:
    assert cast.post("/memories", GOOD, Idempotency_Key=token).status == 422


@pytest.mark.parametrize("body", [GOOD, [TURN]], ids=["one subject", "several"])
def test_an_answer_is_kept_sealed(cast: Cast, body: object) -> None:
    path = "/memories" if body is GOOD else "/turns:batch"
    first = cast.post(path, body, Idempotency_Key="k-1")
    with acting_for(_hub(cast), subjects=ALL_SUBJECTS):
        kept = bytes(IdempotentRequest.objects.get().body or b"")
    assert not any(word in kept for word in (b"answer", b"results", b"nora"))
    assert cast.post(path, body, Idempotency_Key="k-1").body == first.body


def test_an_answer_goes_with_the_key_of_whom_it_is_about(cast: Cast) -> None:
    cast.post("/memories", GOOD, Idempotency_Key="k-1")
    with acting_for(_hub(cast), subjects=ALL_SUBJECTS):
        nora = Subject.objects.get(external_id="nora")
        subject_keys.destroy(subject=nora, by=_hub(cast), now=timezone.now())
    reply = cast.post("/memories", GOOD, Idempotency_Key="k-1")
    assert (reply.status, "erased since" in reply.body["detail"]) == (404, True)


def test_what_was_erased_is_not_replayed(cast: Cast) -> None:
    cast.post("/memories", GOOD, Idempotency_Key="k-1")
    cast.delete("/subjects/nora/memories")
    with acting_for(_hub(cast), subjects=ALL_SUBJECTS):
        assert "window" not in str(list(IdempotentRequest.objects.values()))


def test_at_once_it_is_done_once(committed_cast: Cast) -> None:
    committed_cast.key("bot")

    def post(_: int) -> tuple[int, list[str], bool]:
        try:
            reply = committed_cast.post("/memories", GOOD, Idempotency_Key="k-1")
            return reply.status, reply.ops, "Idempotent-Replayed" in reply.headers
        finally:
            connections.close_all()

    with ThreadPoolExecutor(6) as pool:
        answers = list(pool.map(post, range(6)))
    assert [(status, ops) for status, ops, _ in answers] == [(200, ["ADD"])] * 6
    assert sorted(replayed for _, _, replayed in answers) == [False] + [True] * 5
    assert len(committed_cast.get("/memories?subject=nora&status=any").body["items"]) == 1


def test_the_same_turn_at_once_is_taken_in_once(committed_cast: Cast) -> None:
    committed_cast.key("bot")

    def post(_: int) -> tuple[int, str]:
        try:
            reply = committed_cast.post("/turns", TURN)
            return reply.status, reply.body["event"]
        finally:
            connections.close_all()

    with ThreadPoolExecutor(5) as pool:
        answers = sorted(pool.map(post, range(5)))
    assert answers == [(200, "duplicate")] * 4 + [(201, "written")]


def test_many_different_facts_at_once_are_all_kept(committed_cast: Cast) -> None:
    committed_cast.key("bot")
    cities = ["Tartu", "Narva", "Valga", "Rakvere", "Elva", "Paide"]

    def post(city: str) -> int:
        try:
            return committed_cast.say(f"I live in {city}", subject=f"person-{city}").status
        finally:
            connections.close_all()

    with ThreadPoolExecutor(6) as pool:
        assert list(pool.map(post, cities)) == [200] * 6
    assert committed_cast.get("/audit/verify", by="kurt").body["holds"] is True


def _stored(cast: Cast) -> str:
    with acting_for(_hub(cast), subjects=ALL_SUBJECTS):
        return str(list(IdempotentRequest.objects.values()))


def _hub(cast: Cast):
    from memoryhub.governance.access import organisation_of

    return system_principal(organisation_of(cast.slug).pk, "test")
