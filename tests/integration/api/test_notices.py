"""/notices and /webhooks: what an agent is told, from where it read on, and where it is sent (R91, R113)."""

import threading
import uuid
from typing import Any

import pytest
from django.db import connections
from django.utils import timezone

from memoryhub.governance import access, notices
from memoryhub.governance.subjects import ensure
from memoryhub.tenancy import ALL_SUBJECTS, acting_for, system_principal
from tests.cast import Cast

HOOK = {"url": "https://crm.example/memory", "kinds": ["memory.erased"]}


def forget(cast: Cast, subject: str) -> None:
    assert cast.say("I live in Pune.", subject=subject).status == 200
    assert cast.delete(f"/subjects/{subject}/memories").status == 200


def erased(items: list[dict[str, Any]]) -> list[str]:
    return [item["subject"] for item in items if item["type"] == "memory.erased"]


def test_the_feed_goes_on_where_it_was_left(committed_cast: Cast) -> None:
    cast = committed_cast
    for subject in ("a", "b", "c"):
        forget(cast, subject)
    first = cast.get("/notices?limit=2").body
    assert erased(first["items"]) == ["a", "b"]
    assert first["next"] == first["resume"]
    second = cast.get(f"/notices?cursor={first['next']}").body
    assert (erased(second["items"]), second["next"]) == (["c"], None)
    nothing = cast.get(f"/notices?cursor={second['resume']}").body
    assert nothing == {"items": [], "next": None, "resume": second["resume"]}
    forget(cast, "d")
    assert erased(cast.get(f"/notices?cursor={nothing['resume']}").body["items"]) == ["d"]


def test_an_agent_is_told_what_it_may_hold_and_nothing_else(committed_cast: Cast) -> None:
    cast = committed_cast
    forget(cast, "nora")
    assert erased(cast.get("/notices").body["items"]) == ["nora"]
    assert cast.get("/notices", by="plain-bot").body["items"] == []
    assert Cast().get("/notices").body["items"] == []


def test_a_key_of_one_subject_hears_of_that_one(committed_cast: Cast) -> None:
    cast = committed_cast
    bound = cast.issue(name="bot", roles=("agent",), subject="nora")
    for subject in ("nora", "omar"):
        forget(cast, subject)
    assert erased(cast.get("/notices", key=bound).body["items"]) == ["nora"]


def test_a_cursor_of_another_list_or_none_is_refused(cast: Cast) -> None:
    assert cast.get("/notices?cursor=abc").status == 422
    assert cast.get("/notices?since=yesterday").status == 422


def test_what_commits_late_is_not_skipped(committed_cast: Cast) -> None:
    """Whoever began first but commits last stands behind what was read meanwhile, not before it."""
    cast = committed_cast
    cast.key("bot")
    by = system_principal(access.organisation_of(cast.slug).pk, "test")
    with acting_for(by, subjects=ALL_SUBJECTS):
        agent = access.agent_of(slug="bot", by=by).pk
        about = ensure(external_id="nora", by=by, now=timezone.now())
    written, go_on = threading.Event(), threading.Event()
    early, late = uuid.uuid4(), uuid.uuid4()

    def tell(named: uuid.UUID) -> None:
        notices.tell(kind="memory.erased", ids=[named], subject=about, agents=[agent], by=by, now=timezone.now())

    def begin_first() -> None:
        with acting_for(by, subjects=ALL_SUBJECTS):
            tell(late)
            written.set()
            go_on.wait(20)
        connections.close_all()

    thread = threading.Thread(target=begin_first)
    thread.start()
    assert written.wait(20)
    with acting_for(by, subjects=ALL_SUBJECTS):
        tell(early)
    before = cast.get("/notices").body
    go_on.set()
    thread.join(20)
    after = cast.get(f"/notices?cursor={before['resume']}").body
    assert [item["ids"] for item in before["items"] + after["items"]] == [[str(early)], [str(late)]]


def test_a_webhook_s_secret_is_in_the_answer_that_made_it_alone(cast: Cast) -> None:
    made = cast.post("/webhooks", HOOK, by="olga")
    assert made.status == 201
    assert made.body["secret"].startswith("whsec_")
    (listed,) = cast.get("/webhooks", by="olga").body["items"]
    assert listed == {name: value for name, value in made.body.items() if name != "secret"}
    assert (listed["waiting"], listed["parked"], listed["agent"]) == (0, 0, None)
    renewed = cast.post(f"/webhooks/{listed['id']}/renew", by="olga").body
    assert renewed["secret"] not in (made.body["secret"], None)


def test_it_is_stopped_resumed_and_removed(cast: Cast, strangers: Cast) -> None:
    hook = cast.post("/webhooks", {**HOOK, "agent": None}, by="olga").body["id"]
    assert cast.post(f"/webhooks/{hook}/stop", by="olga").body["stopped_at"]
    assert cast.post(f"/webhooks/{hook}/resume", by="olga").body["stopped_at"] is None
    for verb in ("stop", "resume", "renew"):
        assert strangers.post(f"/webhooks/{hook}/{verb}", by="olga").status == 404
    assert strangers.delete(f"/webhooks/{hook}", by="olga").status == 404
    assert cast.delete(f"/webhooks/{hook}", by="olga").status == 200
    assert cast.delete(f"/webhooks/{hook}", by="olga").status == 404


@pytest.mark.parametrize(
    ("body", "field"),
    [
        ({**HOOK, "url": "https://10.0.0.7/"}, "url"),
        ({**HOOK, "url": "https://127.1/"}, "url"),
        ({**HOOK, "url": "https://crm.example:0/"}, "url"),
        ({**HOOK, "kinds": []}, "kinds"),
        ({**HOOK, "kinds": ["memory.read"]}, "kinds.0"),
        ({**HOOK, "agent": "nobody"}, "agent"),
        ({**HOOK, "secret": "mine"}, "secret"),
    ],
)
def test_what_can_be_no_webhook_is_refused_at_its_field(cast: Cast, body: dict[str, Any], field: str) -> None:
    answer = cast.post("/webhooks", body, by="olga")
    assert (answer.status, list(answer.body["errors"])) == (422, [field])
