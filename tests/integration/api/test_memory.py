"""/memories/{id}: reading, correcting, confirming, disputing, dating and forgetting one entry."""

import uuid

import pytest

from tests.cast import Cast

WORDS = "I prefer the window seat"


@pytest.fixture
def entry(cast: Cast) -> dict:
    return cast.say(WORDS).entry


def test_one_entry_comes_with_its_lineage_and_versions(cast: Cast, entry: dict) -> None:
    reply = cast.get(f"/memories/{entry['id']}")
    assert reply.headers["ETag"] == reply.body["etag"]
    assert reply.body["lineage"] == {"entries": [], "events": [], "derived": []}
    assert [version["id"] for version in reply.body["versions"]] == [entry["id"]]


@pytest.mark.parametrize("path", ["", "/confirm", "/dispute", "/review-by"])
def test_what_is_absent_and_what_is_not_yours_look_the_same(
    cast: Cast, strangers: Cast, entry: dict, path: str
) -> None:
    bodies = []
    for known in (entry["id"], str(uuid.uuid4()), "no-id", "00000000", entry["id"].replace("-", "")):
        method, body = _request(path)
        reply = strangers.call(method, f"/memories/{known}{path}", body)
        assert reply.status == 404
        bodies.append(reply.body)
    assert all(body == bodies[0] for body in bodies)


def test_a_correction_is_a_new_version_through_the_gate(cast: Cast, entry: dict) -> None:
    reply = cast.patch(f"/memories/{entry['id']}", {"text": "I prefer the aisle seat"})
    assert (reply.status, reply.ops) == (200, ["UPDATE"])
    assert reply.entry["supersedes"] == entry["id"]
    before = cast.get(f"/memories/{entry['id']}").body
    assert (before["status"], before["superseded_by"]) == ("replaced", reply.entry["id"])
    assert [version["id"] for version in before["versions"]] == [entry["id"], reply.entry["id"]]


def test_a_correction_may_carry_the_value_alone(cast: Cast) -> None:
    city = cast.say("I live in Tartu").entry
    reply = cast.patch(f"/memories/{city['id']}", {"value": "Narva"})
    assert reply.ops == ["UPDATE"]
    assert "Narva" in reply.entry["value"]


def test_a_stale_correction_is_refused(cast: Cast, entry: dict) -> None:
    path, change = f"/memories/{entry['id']}", {"text": "I prefer the aisle seat"}
    assert cast.patch(path, change, If_Match='"something-else"').status == 412
    assert cast.patch(path, change, If_Match=entry["etag"]).status == 200


@pytest.mark.parametrize("body", [{}, {"text": "a", "value": "b"}, {"text": None}, {"status": "accepted"}, {"text": 1}])
def test_a_change_says_what_it_changes(cast: Cast, entry: dict, body: dict) -> None:
    assert cast.patch(f"/memories/{entry['id']}", body).status == 422


def test_a_secret_is_no_correction(cast: Cast, entry: dict) -> None:
    reply = cast.patch(f"/memories/{entry['id']}", {"text": "My password is hunter2-Zq9!"})
    assert reply.ops == ["REFUSED"]
    assert cast.get(f"/memories/{entry['id']}").body["status"] == "accepted"


def test_an_agent_alone_changes_nothing(cast: Cast, entry: dict) -> None:
    assert cast.patch(f"/memories/{entry['id']}", {"text": "x y z"}, by="plain-bot").status == 403
    assert cast.delete(f"/memories/{entry['id']}", by="plain-bot").status == 403
    assert cast.post(f"/memories/{entry['id']}/confirm", by="plain-bot").status == 403


def test_a_system_of_record_changes_its_own_entries_only(cast: Cast, entry: dict) -> None:
    assert cast.patch(f"/memories/{entry['id']}", {"text": "The plan is annual"}, by="crm").status == 403
    own = cast.post(
        "/memories",
        {
            "subject": "nora",
            "text": "The plan is monthly",
            "channel": "system_of_record",
            "key": "plan",
            "value": "monthly",
        },
        by="crm",
    ).entry
    assert cast.patch(f"/memories/{own['id']}", {"value": "annual"}, by="crm").ops == ["UPDATE"]


def test_a_curator_corrects_in_their_own_name(cast: Cast, entry: dict) -> None:
    reply = cast.patch(f"/memories/{entry['id']}", {"text": "I prefer the aisle seat"}, by="rosa")
    assert reply.status == 200
    assert reply.results[0]["entry"]["provenance"]["channel"] == "curator"


def test_confirming_moves_the_last_confirmation(cast: Cast, entry: dict) -> None:
    reply = cast.post(f"/memories/{entry['id']}/confirm", by="desk")
    assert reply.status == 200
    assert reply.body["last_confirmed_at"] > entry["last_confirmed_at"]
    assert reply.body["etag"] != entry["etag"]


def test_a_disputed_entry_stays_in_use_and_a_curator_is_asked(cast: Cast, entry: dict) -> None:
    reply = cast.post(f"/memories/{entry['id']}/dispute", {"reason": "That is not me"})
    assert (reply.body["status"], reply.body["contested"]) == ("accepted", True)
    (item,) = cast.waiting(type="dispute")
    assert item["entry"]["id"] == entry["id"]


def test_a_dispute_needs_a_reason(cast: Cast, entry: dict) -> None:
    assert cast.post(f"/memories/{entry['id']}/dispute", {}).status == 422
    assert cast.post(f"/memories/{entry['id']}/dispute", {"reason": " "}).status == 422


def test_a_review_date_is_set_within_the_entrys_life(cast: Cast, entry: dict) -> None:
    path = f"/memories/{entry['id']}/review-by"
    assert cast.post(path, {"review_by": "2026-12-24T00:00:00Z"}).body["review_by"] == "2026-12-24T00:00:00Z"
    assert cast.post(path, {"review_by": "2040-12-24T00:00:00Z"}).status == 422
    assert cast.post(path, {"review_by": "2026-12-24"}).status == 422


def test_forgetting_gives_a_receipt_and_leaves_nothing(cast: Cast, entry: dict) -> None:
    reply = cast.delete(f"/memories/{entry['id']}")
    assert reply.status == 200
    assert reply.body["removed"]["entries"] == 1
    assert reply.body["remaining"] == 0
    assert cast.get(f"/memories/{entry['id']}").status == 404
    assert cast.get("/memories?subject=nora&status=any").body["items"] == []
    assert cast.delete(f"/memories/{entry['id']}").status == 404


def test_there_is_no_way_to_forget_everybody_at_once(cast: Cast) -> None:
    reply = cast.delete("/memories")
    assert reply.status == 405
    assert "GET" in reply.headers["Allow"]


def _request(path: str) -> tuple[str, dict | None]:
    if path == "":
        return "GET", None
    return "POST", {
        "/confirm": None,
        "/dispute": {"reason": "no"},
        "/review-by": {"review_by": "2026-12-24T00:00:00Z"},
    }[path]


@pytest.mark.parametrize("header", ['"older", {}', '{}, "older"', '"a" ,W/{} , "b"'])
def test_any_listed_etag_that_fits_is_enough(cast: Cast, header: str) -> None:
    entry = cast.say("I prefer the window seat").entry
    path, change = f"/memories/{entry['id']}", {"text": "I prefer the aisle seat"}
    assert cast.patch(path, change, If_Match='"older", "oldest"').status == 412
    assert cast.patch(path, change, If_Match=header.format(entry["etag"])).status == 200
