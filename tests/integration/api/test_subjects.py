"""/subjects: describing, listing, exporting, pausing and erasing."""

from datetime import datetime

import pytest
from django.utils import timezone

from tests.cast import Cast

WORDS = "I prefer the window seat"


def test_a_subject_is_made_once_and_then_described(cast: Cast) -> None:
    made = cast.put("/subjects/nora", {"kind": "person", "display_name": "Nora", "timezone": "Europe/Tallinn"})
    assert (made.status, made.body["timezone"]) == (201, "Europe/Tallinn")
    again = cast.put("/subjects/nora", {"kind": "person", "account": "acme"})
    assert (again.status, again.body["display_name"], again.body["account"]) == (200, "Nora", "acme")
    assert cast.get("/subjects/nora").body == again.body


def test_members_are_listed_by_their_own_ids(cast: Cast) -> None:
    reply = cast.put("/subjects/harbour", {"kind": "project", "members": ["otto", "nora"]})
    assert reply.body["members"] == ["nora", "otto"]
    assert cast.put("/subjects/harbour", {"kind": "project", "members": []}).body["members"] == []


def test_an_id_may_hold_a_slash(cast: Cast) -> None:
    assert cast.put("/subjects/team%2F2", {"kind": "team"}).body["external_id"] == "team/2"
    assert cast.get("/subjects/team%2F2").status == 200
    assert cast.get("/subjects/team/2").status == 404
    cast.post("/memories", {"subject": "team/2", "text": "The budget code is Q1", "channel": "curator"}, by="rosa")
    assert cast.delete("/subjects/team%2F2/memories").body["remaining"] == 0
    assert cast.put("/subjects/100%25%20sure", {"kind": "person"}).body["external_id"] == "100% sure"


@pytest.mark.parametrize("external_id", ["%20", "%2E", "%2E%2E", "a%00b", "a%0Ab", "x" * 201])
def test_what_can_be_no_id_is_refused(cast: Cast, external_id: str) -> None:
    assert cast.put(f"/subjects/{external_id}", {"kind": "person"}).status == 422


def test_bytes_that_are_no_text_are_refused(cast: Cast) -> None:
    assert cast.put("/subjects/%FF%FE", {"kind": "person"}).status == 400


@pytest.mark.parametrize(
    "body",
    [{"kind": "robot"}, {"kind": 1}, {"timezone": "Mars/Base"}, {"members": "nora"}, {"members": [1]}, {"colour": "red"},
     {"kind": "person", "members": ["otto"]}, {"display_name": "x" * 201}, []],
)  # fmt: skip
def test_a_description_that_is_not_valid_is_refused(cast: Cast, body: object) -> None:
    assert cast.put("/subjects/nora", body).status == 422


def test_subjects_are_listed_in_order(cast: Cast) -> None:
    for name in ("otto", "nora", "pia"):
        cast.put(f"/subjects/{name}", {"kind": "person"})
    first = cast.get("/subjects?limit=2").body
    assert [subject["external_id"] for subject in first["items"]] == ["nora", "otto"]
    rest = cast.get(f"/subjects?limit=2&cursor={first['next']}").body
    assert ([subject["external_id"] for subject in rest["items"]], rest["next"]) == (["pia"], None)


def test_another_organisations_subject_does_not_exist(cast: Cast, strangers: Cast) -> None:
    cast.put("/subjects/nora", {"kind": "person"})
    for path in ("", "/export"):
        assert strangers.get(f"/subjects/nora{path}").status == 404
    assert strangers.delete("/subjects/nora/memories").status == 404


def test_the_export_holds_all_that_is_remembered(cast: Cast) -> None:
    entry = cast.say(WORDS).entry
    reply = cast.get("/subjects/nora/export", by="desk")
    assert reply.status == 200
    assert [kept["id"] for kept in reply.body["entries"]] == [entry["id"]]
    assert cast.get("/subjects/nora/export", by="plain-bot").status == 403


def test_erasing_a_subject_leaves_nothing_and_says_so(cast: Cast) -> None:
    cast.say(WORDS)
    cast.say("I live in Narva")
    reply = cast.delete("/subjects/nora/memories", by="olga")
    assert reply.status == 200
    assert reply.body["removed"]["entries"] == 2
    assert reply.body["remaining"] == 0
    assert cast.get("/subjects/nora/export").body["entries"] == []


def test_while_paused_nothing_is_remembered(cast: Cast) -> None:
    assert cast.post("/subjects/nora/pause", {"paused": True}).body["paused"] is True
    (result,) = cast.say(WORDS).results
    assert (result["op"], result["reason"]) == ("REFUSED", "paused")
    assert cast.post("/subjects/nora/pause", {"paused": False}).body["paused"] is False
    assert cast.say(WORDS).ops == ["ADD"]


@pytest.mark.parametrize("body", [{}, {"paused": "yes"}, {"paused": 1}, {"paused": None}])
def test_a_pause_is_said_plainly(cast: Cast, body: dict) -> None:
    assert cast.post("/subjects/nora/pause", body).status == 422


def test_a_page_link_opens_within_a_quarter_of_an_hour(cast: Cast) -> None:
    reply = cast.post("/subjects/nora/page-link", by="desk")
    assert reply.status == 200
    assert "/me/enter/" in reply.body["url"]
    minutes = (datetime.fromisoformat(reply.body["expires_at"]) - timezone.now()).total_seconds() / 60
    assert 14 < minutes <= 15
    assert cast.post("/subjects/nora/page-link", by="plain-bot").status == 403


def test_a_key_bound_to_one_subject_finds_no_other(cast: Cast) -> None:
    own = cast.say(WORDS).entry["id"]
    other = cast.say(WORDS, subject="otto").entry["id"]
    key = cast.issue(name="nora-desk", roles=("customer_relay",), subject="nora")
    assert cast.get(f"/memories/{own}", key=key).status == 200
    assert cast.get(f"/memories/{other}", key=key).status == 404
    assert cast.get("/memories?subject=otto", key=key).status == 404
    assert cast.say(WORDS, subject="otto", key=key).status == 404
    assert cast.delete("/subjects/otto/memories", key=key).status == 404
    assert [one["external_id"] for one in cast.get("/subjects", key=key).body["items"]] == ["nora"]


def test_a_bound_curator_reads_one_subject_only(cast: Cast) -> None:
    cast.say(WORDS)
    cast.say(WORDS, subject="otto")
    key = cast.issue(name="bound", roles=("curator",), user="bo@x.example", subject="nora")
    assert {entry["subject"] for entry in cast.get("/memories", key=key).body["items"]} == {"nora"}


def test_a_kind_left_out_stays(cast: Cast) -> None:
    cast.put("/subjects/harbour", {"kind": "project", "members": ["nora"]})
    renamed = cast.put("/subjects/harbour", {"display_name": "The old harbour"})
    assert (renamed.status, renamed.body["kind"], renamed.body["members"]) == (200, "project", ["nora"])
    assert cast.put("/subjects/harbour", {"members": ["otto"]}).body["members"] == ["otto"]
    made = cast.put("/subjects/piet", {"display_name": "Piet"})
    assert (made.status, made.body["kind"]) == (201, "person")
    assert cast.put("/subjects/piet", {"members": ["nora"]}).status == 422
    assert cast.put("/subjects/piet", {"kind": None}).status == 422
