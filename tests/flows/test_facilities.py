"""The story of A5, as far as it is built: a site's record overrides what was remembered, and only that site's (spec 13)."""

import pytest

from tests.cast import Cast

pytestmark = pytest.mark.django_db


@pytest.fixture
def cast() -> Cast:
    cast = Cast()
    for site, client in (("mill-lane", "client-north"), ("quay-street", "client-south")):
        cast.put(f"/subjects/{site}", {"kind": "site", "account": client, "members": [f"keeper-of-{site}"]})
    return cast


def recall(cast: Cast, site: str, query: str) -> list[str]:
    items = cast.post("/recall", {"subject": site, "query": query}).body["items"]
    return [item["text"] for item in items]


def test_a_changed_contact_in_the_site_record_overrides_memory(cast: Cast) -> None:
    cast.put("/records/mill-lane", {"contact": "Bruno Hale", "visit_window": "weekdays 7 to 10"}, by="crm")
    assert "Bruno Hale" in recall(cast, "mill-lane", "Who is the contact at the site?")[0]
    old = cast.get("/memories?subject=mill-lane&key=contact").body["items"][0]
    changed = cast.put("/records/mill-lane", {"contact": "Signe Aro"}, by="crm").results[0]
    assert (changed["op"], changed["entry"]["supersedes"]) == ("UPDATE", old["id"])
    found = recall(cast, "mill-lane", "Who is the contact at the site?")
    assert any("Signe Aro" in text for text in found)
    assert not any("Bruno" in text for text in found)
    assert cast.get("/memories?subject=mill-lane&key=visit_window").body["items"][0]["value"] == "weekdays 7 to 10"


def test_no_visit_note_outvotes_the_site_record(cast: Cast) -> None:
    cast.put("/records/mill-lane", {"contact": "Signe Aro"}, by="crm")
    reply = cast.infer("The contact is Bruno Hale", subject="mill-lane", key="contact", value="Bruno Hale")
    assert (reply.ops, reply.entry["status"]) == (["QUEUED"], "disputed")
    (held,) = cast.get("/memories?subject=mill-lane&key=contact").body["items"]
    assert (held["value"], held["contested"]) == ("Signe Aro", True)


def test_a_door_code_in_a_record_is_never_remembered(cast: Cast) -> None:
    refused = cast.put(
        "/records/mill-lane", {"door_code": "The door code is 4471#", "contact": "Signe Aro"}, by="crm"
    ).results
    assert [one["op"] for one in refused] == ["REFUSED", "ADD"]
    assert "4471" not in str(cast.get("/subjects/mill-lane/export", by="desk").body)


def test_another_client_s_site_knows_nothing_of_it(cast: Cast) -> None:
    cast.put("/records/mill-lane", {"contact": "Signe Aro"}, by="crm")
    assert recall(cast, "quay-street", "Who is the contact at the site?") == []
    assert recall(cast, "quay-street", "Signe Aro") == []
