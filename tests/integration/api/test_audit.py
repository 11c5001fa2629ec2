"""GET /audit and GET /audit/verify."""

import uuid
from itertools import pairwise

import pytest

from tests.cast import Cast


def test_the_trail_tells_what_was_done_without_content(cast: Cast) -> None:
    cast.say("I prefer the window seat")
    rows = cast.get("/audit", by="kurt").body["items"]
    assert [row["seq"] for row in rows] == list(range(1, len(rows) + 1))
    assert "memory.add" in [row["action"] for row in rows]
    assert any("bot" in row["actor"] for row in rows)
    assert "window" not in str(rows)
    assert all(later["previous_hash"] == row["row_hash"] for row, later in pairwise(rows))


def test_the_trail_is_filtered(cast: Cast) -> None:
    cast.say("I prefer the window seat")
    cast.say("I prefer tea", subject="otto")
    assert len(cast.get("/audit?action=memory.add", by="kurt").body["items"]) == 2
    assert len(cast.get("/audit?action=memory.add&subject=otto", by="kurt").body["items"]) == 1
    assert cast.get("/audit?subject=nobody", by="kurt").body["items"] == []
    assert cast.get("/audit?since=2040-01-01T00:00:00Z", by="kurt").body["items"] == []
    assert cast.get("/audit?since=yesterday", by="kurt").status == 422


def test_each_organisation_has_its_own_chain(cast: Cast, strangers: Cast) -> None:
    cast.say("I prefer the window seat")
    assert "memory.add" not in [row["action"] for row in strangers.get("/audit", by="kurt").body["items"]]
    assert strangers.get("/audit/verify", by="kurt").body["holds"] is True


def test_the_chain_holds(cast: Cast) -> None:
    cast.say("I prefer the window seat")
    reply = cast.get("/audit/verify", by="olga").body
    assert (reply["holds"], reply["broken"]) == (True, None)
    assert reply["rows"] > 0


def test_agents_and_curators_do_not_read_it(cast: Cast) -> None:
    for part in ("bot", "desk", "crm", "rosa"):
        assert cast.get("/audit", by=part).status == 403
        assert cast.get("/audit/verify", by=part).status == 403


def test_a_request_id_leads_to_its_rows(cast: Cast) -> None:
    mine = str(uuid.uuid4())
    reply = cast.say("I prefer the window seat", X_Request_ID=mine)
    assert reply.headers["X-Request-ID"] == mine
    assert mine in [row["request_id"] for row in cast.get("/audit", by="kurt").body["items"]]


@pytest.mark.parametrize(
    "given", ["4012888888881881", "4012-8888-8888-1881", "maria.silva", "sk-live-51HqXyZ0aBcDeFgH"]
)
def test_nothing_but_an_id_reaches_the_trail_as_one(cast: Cast, given: str) -> None:
    assert cast.say("I prefer the window seat", X_Request_ID=given).headers["X-Request-ID"] != given
    assert given not in str(cast.get("/audit", by="kurt").body)
