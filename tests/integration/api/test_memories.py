"""POST and GET /memories."""

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from tests.cast import Cast

WORDS = "I prefer the window seat"


def test_a_statement_is_answered_with_its_entry_and_every_step(cast: Cast) -> None:
    reply = cast.say(WORDS, session_id="call-7", message_id="m-1", said_at="2026-10-12T09:00:00+05:30")
    assert reply.status == 200
    (result,) = reply.results
    assert (result["op"], result["reason"]) == ("ADD", "committed")
    assert [step["step"] for step in result["steps"]] == [
        "screen", "extract", "classify", "authorize", "reconcile", "route",
    ]  # fmt: skip
    entry = reply.entry
    assert entry["subject"] == "nora"
    assert entry["provenance"]["channel"] == "user_message"
    assert entry["provenance"]["role"] == "customer"
    assert entry["provenance"]["session_id"] == "call-7"
    assert entry["provenance"]["said_at"] == "2026-10-12T03:30:00Z"
    assert entry["embedding_state"] == "ready"


def test_what_asserts_nothing_and_what_is_refused_are_answers_not_errors(cast: Cast) -> None:
    (nothing,) = cast.say("What time do you open?").results
    assert (nothing["op"], nothing["entry"]) == ("DISCARDED", None)
    (refused,) = cast.say("My password is hunter2-Zq9!").results
    assert (refused["op"], refused["entry"]) == ("REFUSED", None)
    assert "hunter2" not in str(refused)


def test_one_channel_needs_one_role(cast: Cast) -> None:
    assert cast.say(WORDS, by="plain-bot").status == 403
    assert cast.say(WORDS, by="crm").status == 403
    assert cast.say(WORDS, by="kurt").status == 403
    assert cast.say(WORDS, by="desk").status == 200


@pytest.mark.parametrize("channel", ["dream", "user_page"])
def test_the_hubs_own_channels_are_closed_to_callers(cast: Cast, channel: str) -> None:
    reply = cast.post("/memories", {"subject": "nora", "text": WORDS, "channel": channel})
    assert reply.status in (403, 422)


def test_a_dry_run_decides_and_keeps_nothing(cast: Cast) -> None:
    reply = cast.say(WORDS, dry_run=True)
    assert reply.ops == ["ADD"]
    assert reply.body["decision_id"] is None
    assert cast.get("/memories?status=any", by="rosa").body["items"] == []
    assert cast.get("/subjects/nora").status == 404


def test_a_member_speaks_about_a_project(cast: Cast) -> None:
    cast.put("/subjects/harbour", {"kind": "project", "members": ["nora"]})
    reply = cast.post(
        "/memories",
        {"subject": "harbour", "speaker": "nora", "text": "We use pnpm, not npm", "channel": "user_message"},
    )
    assert reply.status == 200
    assert reply.results[0]["entry"]["provenance"]["speaker"] == "nora"


def test_the_list_shows_what_is_accepted_unless_asked_otherwise(cast: Cast) -> None:
    kept = cast.say(WORDS).entry["id"]
    proposed = cast.infer("Nora prefers to be called in the morning").entry["id"]
    assert _ids(cast, "subject=nora") == [kept]
    assert _ids(cast, "subject=nora&status=proposed") == [proposed]
    assert set(_ids(cast, "subject=nora&status=any")) == {kept, proposed}


def test_filters_narrow_the_list(cast: Cast) -> None:
    seat = cast.say(WORDS).entry
    other = cast.say("My account number at the harbour desk is HX-20815").results
    assert _ids(cast, f"subject=nora&category={seat['category']}&kind=semantic&q=window") == [seat["id"]]
    assert _ids(cast, "subject=nora&kind=episodic") == []
    if other[0]["entry"] and other[0]["entry"]["status"] == "accepted":
        assert other[0]["entry"]["id"] in _ids(cast, "subject=nora&q=HX-208")


def test_what_was_true_then_is_asked_with_valid_at(cast: Cast) -> None:
    old = cast.say("I live in Tartu", said_at="2026-03-01T10:00:00Z").entry["id"]
    new = cast.say("I live in Narva", said_at="2026-06-01T10:00:00Z").entry["id"]
    assert _ids(cast, "subject=nora&valid_at=2026-04-01T00:00:00Z") == [old]
    assert _ids(cast, "subject=nora&valid_at=2026-07-01T00:00:00Z") == [new]
    assert _ids(cast, "subject=nora&as_of=2026-04-01T00:00:00Z") == []  # the hub had not heard of it yet


@pytest.mark.parametrize(
    "query",
    ["status=wrong", "kind=opinion", "colour=red", "limit=201", "limit=0", "limit=x", "as_of=2026-01-01T00:00:00",
     "cursor=abc", "q=%00", "subject=%2E%2E", "subject=nora&subject=otto"],
)  # fmt: skip
def test_a_filter_that_is_not_valid_is_refused(cast: Cast, query: str) -> None:
    cast.say(WORDS)
    reply = cast.get(f"/memories?{query}", by="rosa")
    assert (reply.status, reply.code) == (422, "invalid")


def test_keys_that_act_for_people_name_the_subject(cast: Cast) -> None:
    assert cast.get("/memories", by="bot").status == 422
    assert cast.get("/memories", by="desk").status == 422
    assert cast.get("/memories", by="rosa").status == 200
    assert cast.get("/memories", by="olga").status == 200
    assert cast.get("/memories?subject=nora", by="kurt").status == 403


def test_an_unknown_subject_is_not_found(cast: Cast) -> None:
    assert cast.get("/memories?subject=nobody").status == 404


def test_pages_follow_one_another_without_gap_or_overlap(cast: Cast) -> None:
    cities = ["Tartu", "Narva", "Viljandi", "Haapsalu", "Valga"]
    for number, city in enumerate(cities):
        cast.say(f"I live in {city}", subject=f"person-{number}")
    seen, cursor = [], ""
    while True:
        reply = cast.get(f"/memories?limit=2{cursor}", by="rosa")
        seen += [entry["id"] for entry in reply.body["items"]]
        if reply.body["next"] is None:
            break
        cursor = f"&cursor={reply.body['next']}"
    assert len(seen) == len(set(seen)) == len(cities)


def test_a_cursor_belongs_to_its_list(cast: Cast) -> None:
    for number in range(3):
        cast.say(WORDS, subject=f"person-{number}")
    cursor = cast.get("/memories?limit=1", by="rosa").body["next"]
    assert cast.get(f"/memories?limit=2&cursor={cursor}", by="rosa").status == 200
    assert cast.get(f"/memories?limit=1&kind=semantic&cursor={cursor}", by="rosa").status == 422


def test_the_number_of_queries_does_not_grow_with_the_rows(cast: Cast, django_assert_max_num_queries) -> None:
    for number in range(12):
        cast.say(WORDS, subject=f"person-{number}")
    cast.key("rosa")
    with django_assert_max_num_queries(22):
        assert len(cast.get("/memories", by="rosa").body["items"]) == 12


def test_another_organisation_sees_nothing(cast: Cast, strangers: Cast) -> None:
    cast.say(WORDS)
    assert strangers.get("/memories?status=any", by="rosa").body["items"] == []
    assert strangers.get("/memories?subject=nora").status == 404


def _ids(cast: Cast, query: str) -> list[str]:
    reply = cast.get(f"/memories?{query}")
    assert reply.status == 200, reply
    return [entry["id"] for entry in reply.body["items"]]


def test_a_fact_costs_few_statements_however_much_is_known(cast: Cast) -> None:
    """Counted, not timed: each is a round trip that somebody waits for."""
    cast.say("I prefer the upper floors")  # which makes the subject and the record's first link
    counts = []
    for number in range(3):
        for floor in range(4 * number):
            cast.say(f"I like room {number}{floor}")
        with CaptureQueriesContext(connection) as seen:
            assert cast.say(f"I like corner table {number}").ops == ["ADD"]
        counts.append(len(seen))
    assert max(counts) <= 19, "\n".join(query["sql"][:100] for query in seen)
    assert len(set(counts)) == 1


def test_a_list_costs_as_many_statements_as_one_entry(cast: Cast) -> None:
    counts = []
    for number in (1, 7):
        for floor in range(number):
            cast.say(f"I like room {number}{floor}", subject=f"guest-{number}")
        with CaptureQueriesContext(connection) as seen:
            assert len(cast.get(f"/memories?subject=guest-{number}").body["items"]) == number
        counts.append(len(seen))
    assert counts[0] == counts[1] <= 10
