"""PATCH /memories/{id}: a correction changes what is said, and nothing else; it never says twice what is said already."""

from datetime import timedelta
from typing import Any

import pytest
from django.utils import timezone

from tests.cast import Cast

KEPT = ("scope", "kind", "category", "sensitivity", "entity", "key")


def open_texts(cast: Cast, subject: str = "nora") -> list[str]:
    return sorted(entry["text"] for entry in cast.get(f"/memories?subject={subject}").body["items"])


def curate(cast: Cast, text: str, **fields: Any) -> dict[str, Any]:
    """Something a curator wrote down: any kind of statement."""
    sent = {"subject": "nora", "text": text, "channel": "curator", **fields}
    return cast.post("/memories", sent, by="rosa").entry


@pytest.mark.parametrize(
    ("first", "second", "said"),
    [
        ("The garage gate squeaks", "The cellar light flickers", "The garage gate squeaks."),
        ("The garage gate squeaks", "The cellar light flickers", "the GARAGE gate squeaks"),
        ("I like jazz", "I like opera", "I like jazz"),
        ("The garage gate squeaks", "I like opera", "The garage gate squeaks"),
        ("I like jazz", "The cellar light flickers", "I like jazz"),
    ],
)
def test_a_correction_into_what_another_entry_says_names_the_twin(
    cast: Cast, first: str, second: str, said: str
) -> None:
    twin, other = curate(cast, first), curate(cast, second)
    reply = cast.patch(f"/memories/{other['id']}", {"text": said}, by="rosa")
    (result,) = reply.results
    assert (reply.status, result["op"], result["reason"]) == (200, "NOOP", "duplicate")
    assert result["entry"]["id"] == twin["id"]
    assert open_texts(cast) == sorted([first, second])


def test_a_person_s_correction_confirms_the_twin(cast: Cast) -> None:
    twin, other = cast.say("I like jazz").entry, cast.say("I like opera").entry
    (result,) = cast.patch(f"/memories/{other['id']}", {"text": "I like jazz"}).results
    assert (result["op"], result["entry"]["id"]) == ("NOOP", twin["id"])
    assert result["entry"]["last_confirmed_at"] > twin["last_confirmed_at"]


def test_a_value_alone_meets_its_twin_too(cast: Cast) -> None:
    twin, other = cast.say("I like jazz").entry, cast.say("I like opera").entry
    (result,) = cast.patch(f"/memories/{other['id']}", {"value": "jazz"}).results
    assert (result["op"], result["entry"]["id"]) == ("NOOP", twin["id"])


def test_what_is_kept_of_the_entry_that_is_corrected(cast: Cast) -> None:
    before = curate(
        cast, "The garage gate squeaks", category="project_fact", sensitivity="restricted", scope="organisation",
        source={"ref": "walk-through 12", "uri": "https://example.org/tour", "quote": "category: noise; priority: high"},
    )  # fmt: skip
    (result,) = cast.patch(f"/memories/{before['id']}", {"text": "The cellar gate squeaks"}, by="rosa").results
    after = result["entry"]
    assert (result["op"], after["text"], after["supersedes"]) == ("UPDATE", "The cellar gate squeaks", before["id"])
    assert {name: after[name] for name in KEPT} == {name: before[name] for name in KEPT}
    for name in ("ref", "uri", "quote"):
        assert after["provenance"][name] == before["provenance"][name]


def test_the_old_words_are_not_quoted_for_the_new_ones(cast: Cast) -> None:
    before = cast.say("I prefer tea").entry
    after = cast.patch(f"/memories/{before['id']}", {"text": "I prefer mint tea"}).entry
    assert before["provenance"]["quote"] == "I prefer tea"
    assert after["provenance"]["quote"] == "I prefer mint tea"
    assert (after["kind"], after["category"], after["authority"]) == ("semantic", "preference", before["authority"])


def test_more_sensitive_words_make_it_more_sensitive(cast: Cast) -> None:
    before = curate(cast, "Goes out on Sundays")
    after = cast.patch(f"/memories/{before['id']}", {"text": "Goes to church on Sundays"}, by="rosa").entry
    assert (before["sensitivity"], after["sensitivity"]) == ("ordinary", "restricted")


def test_a_right_is_not_claimed_by_correcting_something_else(cast: Cast) -> None:
    before = cast.say("I prefer tea").entry
    (result,) = cast.patch(f"/memories/{before['id']}", {"text": "My discount is 40 percent"}).results
    assert (result["op"], result["reason"]) == ("REFUSED", "authority_claim")


def test_an_agent_s_own_note_stays_its_own_when_a_curator_corrects_it(cast: Cast) -> None:
    waiting = cast.infer("Prefers short answers", scope="agent").entry
    (item,) = cast.waiting()
    cast.post(f"/queue/{item['id']}/approve", by="rosa")
    after = cast.patch(f"/memories/{waiting['id']}", {"text": "Prefers very short answers"}, by="rosa").entry
    assert after["scope"] == "agent"
    mine = cast.get(f"/memories/{after['id']}")
    assert (mine.status, mine.body["text"]) == (200, "Prefers very short answers")


def test_a_curator_keeps_nothing_for_an_agent_that_is_not_there(cast: Cast) -> None:
    reply = cast.post(
        "/memories", {"subject": "nora", "text": "Likes jazz", "channel": "curator", "scope": "agent"}, by="rosa"
    )
    assert (reply.status, "scope" in reply.body["errors"]) == (422, True)


def test_a_member_s_correction_is_still_the_member_s(cast: Cast) -> None:
    cast.put("/subjects/yard", {"kind": "project", "members": ["nora"]})
    before = cast.say("We use pnpm, not npm", subject="yard", speaker="nora").entry
    assert before["status"] == "accepted"
    after = cast.patch(f"/memories/{before['id']}", {"text": "We use yarn, not npm"})
    assert after.ops == ["UPDATE"]
    assert after.entry["provenance"]["speaker"] == "nora"
    cast.put("/subjects/yard", {"kind": "project", "members": []})
    gone = cast.patch(f"/memories/{after.entry['id']}", {"text": "We use bun, not npm"})
    assert (gone.ops, gone.results[0]["reason"]) == (["QUEUED"], "not_a_member")


def test_correcting_a_proposal_takes_the_place_of_what_is_in_force(cast: Cast) -> None:
    held = cast.say("I live in Tartu").entry
    waiting = cast.infer("Lives in Narva", key="city", value="Narva").entry
    (result,) = cast.patch(f"/memories/{waiting['id']}", {"text": "I live in Valga"}).results
    assert (result["op"], result["entry"]["supersedes"]) == ("UPDATE", held["id"])
    assert open_texts(cast) == ["I live in Valga"]
    assert cast.waiting() == []


def test_what_held_until_a_day_still_does_when_it_is_corrected(cast: Cast) -> None:
    until = (timezone.now() + timedelta(days=20)).isoformat()
    curate(cast, "Lives in Tartu", key="city", value="Tartu")
    before = curate(cast, "Prefers calls in the morning", expires_at=until)
    after = cast.patch(f"/memories/{before['id']}", {"text": "Prefers calls at noon"}, by="rosa")
    assert (after.status, after.ops) == (200, ["UPDATE"])


def test_an_entry_that_was_erased_meanwhile_is_not_there(cast: Cast) -> None:
    entry = cast.say("I prefer tea").entry
    cast.delete(f"/memories/{entry['id']}")
    for path in ("", "/confirm", "/dispute"):
        verb = cast.patch if not path else cast.post
        body = {"text": "I prefer cocoa"} if not path else {"reason": "wrong"} if path == "/dispute" else None
        assert verb(f"/memories/{entry['id']}{path}", body).status == 404


def test_of_two_corrections_of_the_same_reading_the_second_is_told(cast: Cast) -> None:
    entry = cast.say("I prefer tea").entry
    first = cast.patch(f"/memories/{entry['id']}", {"text": "I prefer cocoa"}, If_Match=entry["etag"])
    second = cast.patch(f"/memories/{entry['id']}", {"text": "I prefer water"}, If_Match=entry["etag"])
    assert (first.status, second.status) == (200, 412)
    third = cast.patch(f"/memories/{entry['id']}", {"text": "I prefer water"})
    assert (third.results[0]["op"], third.results[0]["reason"]) == ("NOOP", "older")
    assert open_texts(cast) == ["I prefer cocoa"]
