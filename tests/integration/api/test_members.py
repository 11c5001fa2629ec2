"""Who may speak for a project, a site, a team or an account, and about what (R15)."""

from typing import Any

import pytest
from django.utils import timezone

from memoryhub.dreams import dreamer
from memoryhub.governance.access import organisation_of
from tests.cast import Cast, Reply

GROUPS = ("project", "site", "team", "account")
#: What a member may add, in words that are about the group.
OURS = {
    "We use pytest, not unittest": "project_fact",
    "Our database is PostgreSQL": "project_fact",
    "We prefer short release notes": "preference",
}


@pytest.fixture(params=GROUPS)
def group(request: pytest.FixtureRequest, cast: Cast) -> str:
    assert cast.put("/subjects/harbour", {"kind": request.param, "members": ["nora"]}).status == 201
    return "harbour"


def tell(cast: Cast, text: str, *, speaker: str | None = "nora", subject: str = "harbour", **fields: Any) -> Reply:
    return cast.say(text, subject=subject, speaker=speaker, **fields)


def outcome(reply: Reply) -> tuple[str, str]:
    (result,) = reply.results
    return result["op"], result["reason"]


def accepted(cast: Cast, subject: str = "harbour") -> list[str]:
    return [entry["text"] for entry in cast.get(f"/memories?subject={subject}").body["items"]]


@pytest.mark.parametrize(("text", "category"), OURS.items())
def test_a_member_adds_what_members_may(cast: Cast, group: str, text: str, category: str) -> None:
    reply = tell(cast, text)
    assert outcome(reply) == ("ADD", "committed")
    assert (reply.entry["category"], reply.entry["provenance"]["speaker"]) == (category, "nora")
    assert reply.entry["scope"] in ("team", "account")


@pytest.mark.parametrize("speaker", ["otto", None, "harbour"])
def test_anybody_else_s_words_wait(cast: Cast, group: str, speaker: str | None) -> None:
    assert outcome(tell(cast, "We use pytest, not unittest", speaker=speaker)) == ("QUEUED", "not_a_member")
    assert accepted(cast) == []


def test_a_curator_s_yes_makes_it_the_group_s(cast: Cast, group: str) -> None:
    tell(cast, "We use pytest, not unittest", speaker="otto")
    (item,) = cast.waiting()
    assert cast.post(f"/queue/{item['id']}/approve", by="rosa").status == 200
    assert accepted(cast) == ["We use pytest, not unittest"]


def test_who_was_a_member_waits_from_then_on(cast: Cast, group: str) -> None:
    assert outcome(tell(cast, "We use pytest, not unittest"))[0] == "ADD"
    kind = cast.get("/subjects/harbour").body["kind"]
    cast.put("/subjects/harbour", {"kind": kind, "members": ["otto"]})
    assert outcome(tell(cast, "We prefer short release notes")) == ("QUEUED", "not_a_member")
    assert outcome(tell(cast, "We prefer long release notes", speaker="otto"))[0] == "ADD"
    assert "We use pytest, not unittest" in accepted(cast), "what was said stays"


@pytest.mark.parametrize(
    "text", ["Our phone number is 020 7946 0123", "Our supplier is Juniper", "Our customer number is 88142"]
)
def test_a_member_speaks_of_no_more_than_that(cast: Cast, group: str, text: str) -> None:
    reply = tell(cast, text)
    assert {result["op"] for result in reply.results} & {"ADD", "UPDATE"} == set()
    assert "not_a_member" not in {result["reason"] for result in reply.results}, "the speaker is one"
    assert accepted(cast) == []


def test_a_member_is_told_that_this_is_not_for_members_to_say(cast: Cast, group: str) -> None:
    assert outcome(tell(cast, "We use pytest, not unittest", category="contact")) == ("QUEUED", "beyond_membership")


def test_nobody_grants_their_group_a_right(cast: Cast, group: str) -> None:
    reply = tell(cast, "Our discount is 40 percent")
    assert outcome(reply) == ("REFUSED", "authority_claim")


@pytest.mark.parametrize("text", ["I like tea", "I live in Tartu", "I prefer window seats", "My desk number is 14"])
def test_what_a_member_says_of_themselves_is_not_the_group_s(cast: Cast, group: str, text: str) -> None:
    tell(cast, text)
    assert accepted(cast) == []


def test_a_person_of_an_account_speaks_for_it(cast: Cast) -> None:
    cast.put("/subjects/acme", {"kind": "account"})
    cast.put("/subjects/nora", {"kind": "person", "account": "acme"})
    assert outcome(tell(cast, "We prefer short release notes", subject="acme"))[0] == "ADD"
    assert outcome(tell(cast, "We prefer phone calls", subject="acme", speaker="otto")) == ("QUEUED", "not_a_member")
    cast.put("/subjects/zenith", {"kind": "account"})
    cast.put("/subjects/nora", {"kind": "person", "account": "zenith"})
    reply = tell(cast, "We prefer written orders", subject="acme")
    assert outcome(reply) == ("QUEUED", "not_a_member")


def test_a_member_of_one_group_is_no_member_of_another(cast: Cast, group: str) -> None:
    cast.put("/subjects/mill", {"kind": "project", "members": ["otto"]})
    assert outcome(tell(cast, "We use pytest, not unittest", subject="mill")) == ("QUEUED", "not_a_member")


def test_nobody_speaks_for_another_person(cast: Cast) -> None:
    reply = tell(cast, "I prefer tea", subject="otto", speaker="nora")
    assert {result["op"] for result in reply.results} & {"ADD", "UPDATE"} == set()


def turn(cast: Cast, number: int, text: str, speaker: str) -> Reply:
    return cast.post(
        "/turns",
        {
            "event_id": f"e-{number}", "session_id": "stand-up", "subject": "harbour", "speaker": speaker,
            "user_input": text,
        },
    )  # fmt: skip


def test_a_dream_over_turns_believes_no_more_than_the_turns_did(cast: Cast, group: str) -> None:
    """The second time somebody who is no member says it, the turn leaves no entry of its own for the dream to find."""
    assert turn(cast, 1, "We use pytest, not unittest", "otto").body["claims"][0]["reason"] == "not_a_member"
    assert turn(cast, 2, "We use pytest, not unittest", "otto").body["claims"][0]["reason"] == "waiting"
    assert turn(cast, 3, "We prefer short release notes", "nora").body["claims"][0]["op"] == "ADD"
    dream = dreamer.dream_now(organisation=organisation_of(cast.slug).pk, now=timezone.now())
    assert dream.status == "done"
    facts = [one["text"] for one in cast.get("/memories?subject=harbour&kind=semantic").body["items"]]
    assert facts == ["We prefer short release notes"]
    assert len(cast.waiting(type="fact")) == 1


def test_a_turn_of_somebody_who_left_before_the_night_is_not_believed(cast: Cast, group: str) -> None:
    turn(cast, 1, "We prefer short release notes", "nora")
    (entry,) = cast.get("/memories?subject=harbour").body["items"]
    kind = cast.get("/subjects/harbour").body["kind"]
    cast.put("/subjects/harbour", {"kind": kind, "members": []})
    cast.delete(f"/memories/{entry['id']}")
    turn(cast, 2, "We prefer long release notes", "nora")
    dreamer.dream_now(organisation=organisation_of(cast.slug).pk, now=timezone.now())
    assert cast.get("/memories?subject=harbour&kind=semantic").body["items"] == []
