"""What was set for a person by somebody who may: the person's relay neither prolongs, dates nor drops it (R15)."""

import pytest

from tests.cast import Cast

SET = {
    "policy_limit": {"key": "refund_limit", "value": "50", "text": "The refund limit is 50 dollars"},
    "entitlement": {"key": "plan", "value": "harbour pass", "text": "Nora holds a harbour pass"},
    "identity": {"key": "legal_name", "value": "Nora Saar", "text": "Her legal name is Nora Saar"},
}
LATER = {"review_by": "2027-01-01T00:00:00Z"}


@pytest.fixture(params=[(category, by) for category in SET for by in ("crm", "rosa")], ids=lambda case: "-".join(case))
def entry(request: pytest.FixtureRequest, cast: Cast) -> dict:
    category, by = request.param
    channel = {"crm": "system_of_record", "rosa": "curator"}[by]
    said = cast.post("/memories", {"subject": "nora", "channel": channel, "category": category, **SET[category]}, by=by)
    assert said.entry["category"] == category
    return said.entry


@pytest.mark.parametrize("by", ["desk", "bot"])
def test_a_relay_leaves_it_as_it_is(cast: Cast, entry: dict, by: str) -> None:
    path = f"/memories/{entry['id']}"
    for reply in (
        cast.post(f"{path}/confirm", by=by), cast.post(f"{path}/review-by", LATER, by=by), cast.delete(path, by=by),
    ):  # fmt: skip
        assert (reply.status, reply.code) == (403, "not_granted")
        assert "correction" in reply.body["detail"]
    assert cast.get(path, by=by).body["etag"] == entry["etag"]


def test_a_relay_may_say_that_it_is_wrong(cast: Cast, entry: dict) -> None:
    assert cast.post(f"/memories/{entry['id']}/dispute", {"reason": "It is higher"}, by="desk").status == 200


def test_a_curator_confirms_it(cast: Cast, entry: dict) -> None:
    assert cast.post(f"/memories/{entry['id']}/confirm", by="timo").status == 200


def test_an_operator_erases_it(cast: Cast, entry: dict) -> None:
    assert cast.delete(f"/memories/{entry['id']}", by="olga").status == 200


def test_it_goes_with_everything_about_the_person(cast: Cast, entry: dict) -> None:
    assert cast.delete("/subjects/nora/memories", by="desk").body["remaining"] == 0
    assert cast.get(f"/memories/{entry['id']}", by="olga").status == 404


def test_what_a_person_said_stays_theirs(cast: Cast) -> None:
    entry = cast.say("I prefer the window seat").entry
    assert cast.post(f"/memories/{entry['id']}/confirm", by="desk").status == 200
    assert cast.delete(f"/memories/{entry['id']}", by="desk").status == 200
