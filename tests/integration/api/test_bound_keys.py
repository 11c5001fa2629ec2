"""A key bound to one subject: nothing about anybody else comes through any door (api.md, roles of keys)."""

import pytest
from django.utils import timezone

from accounts.models import Agent
from memoryhub.dreams import dreamer
from memoryhub.governance import access, decisions, procedures
from memoryhub.governance.procedures import Learned, SessionSeen
from memoryhub.models import Subject
from memoryhub.skills.skillmd import SkillDocument
from memoryhub.tenancy import ALL_SUBJECTS, Principal, acting_for, system_principal
from memoryhub.vocabulary import SkillStatus
from tests.cast import Cast
from tests.integration.api.test_turns import TURN


@pytest.fixture
def two(cast: Cast) -> Cast:
    """Two people with one session each, both consolidated by one dream."""
    for who in ("nora", "otto"):
        turn = {**TURN, "subject": who, "event_id": f"of-{who}", "session_id": f"with-{who}"}
        assert cast.post("/turns", turn).status == 201
    dreamer.dream_now(organisation=_hub(cast).organisation, now=timezone.now())
    return cast


def test_a_dream_shows_what_it_did_about_the_one(two: Cast) -> None:
    key = _bound(two, "operator")
    (listed,) = two.get("/dreams", key=key).body["items"]
    narrow = two.get(f"/dreams/{listed['id']}", key=key).body["report"]["operations"]
    whole = two.get(f"/dreams/{listed['id']}", by="olga").body["report"]["operations"]
    assert {line["session_id"] for line in narrow} == {"with-nora"}
    assert {line["session_id"] for line in whole} >= {"with-nora", "with-otto"}


def test_a_dream_about_others_is_none(two: Cast) -> None:
    two.put("/subjects/piet", {"kind": "person"})
    key = _bound(two, "operator", subject="piet")
    assert two.get("/dreams", key=key).body["items"] == []
    known = two.get("/dreams", by="olga").body["items"][0]["id"]
    assert two.get(f"/dreams/{known}", key=key).status == 404


def test_a_bound_key_starts_no_dream(two: Cast) -> None:
    assert two.post("/dreams", {}, key=_bound(two, "operator")).status == 403


@pytest.mark.parametrize("status", [SkillStatus.PROPOSED, SkillStatus.REJECTED])
def test_what_was_learned_from_others_is_not_read_before_it_is_in_force(two: Cast, status: str) -> None:
    _learned(two, "of-nora-alone", status, "nora")
    _learned(two, "of-both", status, "nora", "otto")
    key = _bound(two, "agent")
    assert [skill["name"] for skill in two.get(f"/skills?status={status}", key=key).body["items"]] == ["of-nora-alone"]
    assert two.get("/skills/of-both", key=key).status == 404
    assert two.get("/skills/of-nora-alone", key=key).status == 200
    names = {skill["name"] for skill in two.get(f"/skills?status={status}").body["items"]}
    assert names == {"of-nora-alone", "of-both"}


def test_others_sessions_behind_a_skill_are_not_named(two: Cast) -> None:
    _learned(two, "of-both", SkillStatus.ACTIVE, "nora", "otto")
    shown = two.get("/skills", key=_bound(two, "agent")).body["items"]
    assert [skill["evidence"]["session_ids"] for skill in shown] == [["with-nora"]]
    assert two.get("/skills/of-both", key=_bound(two, "agent")).body["evidence"]["session_ids"] == ["with-nora"]
    assert two.get("/skills/of-both").body["evidence"]["sessions"] == 2


def test_a_bound_curator_has_the_one_subjects_queue(two: Cast) -> None:
    two.infer("Nora sails on Sundays")
    two.infer("Otto sails on Mondays", subject="otto")
    two.put("/agents/me/profile", raw="You help in a harbour.", kind="text/markdown")
    key = _bound(two, "curator")
    waiting = two.get("/queue", by="rosa").body["items"]
    assert {item["subject"] for item in waiting} >= {"nora", "otto", None}
    assert {item["subject"] for item in two.get("/queue", key=key).body["items"]} == {"nora"}
    for item in waiting:
        expected = 200 if item["subject"] == "nora" else 404
        assert two.get(f"/queue/{item['id']}", key=key).status == expected
        assert two.post(f"/queue/{item['id']}/claim", key=key).status == expected


@pytest.mark.parametrize("scope", ["organisation", "agent"])
def test_shared_notes_about_others_are_not_recalled(cast: Cast, scope: str) -> None:
    for who in ("nora", "otto"):
        sent = {"subject": who, "text": f"{who.title()} moors at the fish quay", "scope": scope}
        assert cast.post("/memories", {**sent, "channel": "agent_inference"}).status == 200
    for item in cast.waiting():
        assert cast.post(f"/queue/{item['id']}/approve", by="rosa").status == 200
    asked = {"subject": "nora", "query": "who moors at the fish quay", "min_relevance": 0}
    assert {item["subject"] for item in cast.post("/recall", asked).body["items"]} >= {"nora", ""}
    key = _bound(cast, "agent")
    assert {item["subject"] for item in cast.post("/recall", asked, key=key).body["items"]} == {"nora"}
    context = cast.post("/context", {"subject": "nora", "session_id": "new", "query": asked["query"]}, key=key)
    assert "Otto" not in context.body["rendered"]


def _bound(cast: Cast, role: str, *, subject: str = "nora") -> str:
    user = f"bound@{cast.slug}.example" if role in ("curator", "operator") else ""
    return cast.issue(name="bot" if role == "agent" else "bound", roles=(role,), user=user, subject=subject)


def _learned(cast: Cast, name: str, status: str, *people: str) -> None:
    """A learned skill with one session of each of these people behind it."""
    now, by = timezone.now(), _hub(cast)
    curator = access.create_user(
        organisation=cast.slug, email=f"{name}@x.example", password="a long pass phrase", role="curator", now=now
    )
    with acting_for(by, subjects=ALL_SUBJECTS):
        seen = [SessionSeen(f"with-{who}", f"of-{who}", Subject.objects.get(external_id=who).pk, now) for who in people]
        document = SkillDocument(name=name, description="What to do about a berth.", body="Look first.")
        learned = Learned(pattern=name, evidence=tuple(seen))
        agent = Agent.objects.get(slug="bot")
        item = procedures.propose_skill(document=document, agent=agent, by=by, now=now, learned=learned).item
        assert item is not None
        judge = Principal(by.organisation, f"user:{curator.pk}", frozenset({"curator"}), user=curator.pk)
        if status == SkillStatus.ACTIVE:
            decisions.approve(item_id=item.pk, by=judge, now=now)
        elif status == SkillStatus.REJECTED:
            decisions.reject(item_id=item.pk, reason="Not needed.", by=judge, now=now)


def _hub(cast: Cast) -> Principal:
    return system_principal(access.organisation_of(cast.slug).pk, "test")
