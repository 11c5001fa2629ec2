"""PUT /records/{subject}: what a system of record says is kept, wins, and is forgotten with its subject (R18, R36)."""

import socket
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest
from django.db import connections
from django.utils import timezone

from memoryhub.governance import access, record_sources
from memoryhub.models import Record
from memoryhub.tenancy import ALL_SUBJECTS, acting_for, system_principal
from tests.cast import Cast, rows


def accepted(cast: Cast, *, subject: str = "depot-9", key: str = "contact") -> list[str]:
    items = cast.get(f"/memories?subject={subject}&key={key}").body["items"]
    return [item["value"] for item in items if item["valid_to"] is None]


def test_each_key_is_one_fact_with_the_record_s_weight(cast: Cast) -> None:
    reply = cast.push({"contact": "Ines Falk", "dock_height_cm": 120, "has_lift": True, "spending_limit": "900 EUR"})
    assert reply.status == 200
    assert [(one["key"], one["op"], one["reason"]) for one in reply.results] == [
        ("contact", "ADD", "committed"), ("dock_height_cm", "ADD", "committed"), ("has_lift", "ADD", "committed"),
        ("spending_limit", "ADD", "committed"),
    ]  # fmt: skip
    contact, height, lift, limit = (one["entry"] for one in reply.results)
    assert (contact["value"], contact["authority"], contact["confirmed_by"]) == ("Ines Falk", 1.0, "system_of_record")
    assert (contact["provenance"]["channel"], contact["provenance"]["ref"]) == ("system_of_record", "record contact")
    assert (height["value"], lift["value"], limit["category"]) == ("120", "true", "policy_limit")
    assert cast.get(f"/decisions/{reply.results[0]['decision_id']}", by="crm").body["channel"] == "system_of_record"


def test_a_record_that_differs_replaces_what_was_remembered_and_one_that_agrees_confirms_it(cast: Cast) -> None:
    cast.say("My plan is the silver one", subject="nora")
    (agreed,) = cast.push({"plan": "silver"}, subject="nora").results
    assert (agreed["op"], agreed["reason"], agreed["entry"]["confirmed_by"]) == (
        "NOOP",
        "duplicate",
        "system_of_record",
    )
    (changed,) = cast.push({"plan": "gold"}, subject="nora").results
    assert (changed["op"], changed["entry"]["supersedes"]) == ("UPDATE", agreed["entry"]["id"])
    assert accepted(cast, subject="nora", key="plan") == ["gold"]
    before = cast.get(f"/memories/{agreed['entry']['id']}").body
    assert (before["status"], before["valid_to"] is not None) == ("replaced", True)


def test_what_a_record_confirms_is_verified_and_protected_as_if_the_record_had_come_first(cast: Cast) -> None:
    cast.say("My plan is basic", subject="nora")
    (agreed,) = cast.push({"plan": "basic"}, subject="nora").results
    assert (agreed["op"], agreed["entry"]["authority"]) == ("NOOP", 1.0)
    against = cast.say("My plan is platinum", subject="nora")
    assert [(one["op"], one["reason"]) for one in against.results] == [("QUEUED", "contradicts")]
    assert accepted(cast, subject="nora", key="plan") == ["basic"]
    found = cast.post("/recall", {"subject": "nora", "query": "which plan", "min_relevance": 0}, by="bot").body
    (item,) = found["items"]
    assert (item["value"], item["signals"]["authority"]) == ("basic", 1.0)
    assert "· verified" in found["rendered"]
    (waits,) = cast.waiting(subject="nora")
    assert waits["why"] == "It contradicts what is in force and nothing settles which is right."


def test_the_same_push_again_changes_nothing_but_its_time(cast: Cast) -> None:
    first = cast.push({"contact": "Ines Falk"}).results[0]
    again = cast.push({"contact": "Ines Falk"}).results[0]
    assert (again["op"], again["entry"]["id"]) == ("NOOP", first["entry"]["id"])
    exported = cast.get("/subjects/depot-9/export", by="desk").body["records"]
    assert [(record["key"], record["value"], record["until"]) for record in exported] == [
        ("contact", "Ines Falk", None)
    ]


def test_a_record_s_history_is_kept_with_its_times(cast: Cast) -> None:
    for name in ("Ines Falk", "Ole Brandt"):
        cast.push({"contact": name})
    old, new = cast.get("/subjects/depot-9/export", by="desk").body["records"]
    assert (old["value"], new["value"], new["until"]) == ("Ines Falk", "Ole Brandt", None)
    assert old["until"] is not None


def test_null_ends_what_is_remembered_and_nothing_takes_its_place(cast: Cast) -> None:
    entry = cast.push({"contact": "Ines Falk"}).results[0]["entry"]
    (ended,) = cast.push({"contact": None}).results
    assert (ended["op"], ended["entry"]["id"], ended["entry"]["status"]) == ("UPDATE", entry["id"], "replaced")
    assert accepted(cast) == []
    (nothing,) = cast.push({"contact": None}).results
    assert (nothing["op"], nothing["reason"], nothing["entry"]) == ("DISCARDED", "asserts_nothing", None)
    assert cast.push({"contact": "Ole Brandt"}).results[0]["op"] == "ADD"
    assert cast.get("/audit/verify", by="kurt").body["holds"] is True


def test_null_for_something_never_known_is_kept_as_what_the_record_says(cast: Cast) -> None:
    cast.push({"contact": None})
    (record,) = cast.get("/subjects/depot-9/export", by="desk").body["records"]
    assert (record["key"], record["value"]) == ("contact", None)


@pytest.mark.parametrize(
    ("key", "value"),
    [
        ("api_key", "sk_live_" + "4eC39HqLyjWDarjtT1zdp7dc"),
        ("card", "4539 1488 0343 6467"),
        ("login", "password: Quiet-Otter-77!"),
    ],
)
def test_what_is_never_kept_is_kept_of_no_record(cast: Cast, key: str, value: str) -> None:
    reply = cast.push({key: value, "contact": "Ines Falk"})
    refused, kept = reply.results
    assert (refused["op"], refused["entry"], kept["op"]) == ("REFUSED", None, "ADD")
    assert value not in str(reply.body)
    assert value not in str(cast.get("/subjects/depot-9/export", by="desk").body)


@pytest.mark.parametrize(
    "body",
    [
        {}, [], "text", 7, {"contact": ["a"]}, {"contact": {"name": "a"}}, {"contact": ""}, {"contact": "  "},
        {"contact": "x" * 2001}, {"": "x"}, {"two words": "x"}, {"_x": "x"}, {"9": "x"}, {"k" * 101: "x"}, {"a/b": "x"},
        {f"key{number}": "x" for number in range(101)}, {"contact": "nul\x00"}, {"contact": "\ud800"},
    ],
)  # fmt: skip
def test_what_is_no_record_is_refused_whole(cast: Cast, body: Any) -> None:
    if isinstance(body, dict) and body:
        body = {**body, "fine": "value"}
    reply = cast.push(body)
    assert reply.status == 422, reply
    assert accepted(cast, key="fine") == [] if cast.get("/subjects/depot-9").status == 200 else True


def test_only_a_system_of_record_pushes_and_a_bound_key_only_its_subject(cast: Cast) -> None:
    for part in ("bot", "desk", "rosa", "olga", "kurt"):
        assert cast.push({"contact": "x"}, by=part).status == 403
    bound = cast.issue(name="one-site", roles=("system_of_record",), subject="depot-9")
    assert cast.push({"contact": "Ines Falk"}, key=bound).status == 200
    assert cast.push({"contact": "Ines Falk"}, subject="depot-8", key=bound).status == 404


def test_a_strange_id_is_one_subject(cast: Cast) -> None:
    assert cast.push({"contact": "Ines Falk"}, subject="team%2F2").results[0]["entry"]["subject"] == "team/2"


def test_a_record_outlives_a_pause_but_not_its_subject_s_erasure(cast: Cast) -> None:
    cast.say("I prefer calls in the morning", subject="nora")
    cast.post("/subjects/nora/pause", {"paused": True}, by="desk")
    assert cast.push({"plan": "gold"}, subject="nora").results[0]["op"] == "ADD"
    receipt = cast.delete("/subjects/nora/memories", by="desk").body
    assert (receipt["removed"]["records"], receipt["remaining"]) == (1, 0)
    assert cast.get("/subjects/nora/export", by="desk").body["records"] == []
    assert rows(cast, Record) == 0


def test_forgetting_one_statement_forgets_what_the_record_said_of_it_too(cast: Cast) -> None:
    entry = cast.push({"contact": "Ines Falk", "opening": "7 to 16"}).results[0]["entry"]
    cast.delete(f"/memories/{entry['id']}", by="desk")
    exported = cast.get("/subjects/depot-9/export", by="desk").body
    assert [record["key"] for record in exported["records"]] == ["opening"]
    assert "Ines" not in str(exported)


def test_another_organisation_s_records_are_another_s(cast: Cast, strangers: Cast) -> None:
    cast.push({"contact": "Ines Falk"})
    strangers.push({"contact": "Ole Brandt"})
    assert accepted(cast) == ["Ines Falk"]
    assert accepted(strangers) == ["Ole Brandt"]
    assert "Ines" not in str(strangers.get("/subjects/depot-9/export", by="desk").body)


def test_who_is_remembered_can_t_outvote_the_record(cast: Cast) -> None:
    cast.push({"plan": "gold"}, subject="nora")
    reply = cast.say("My plan is the silver one", subject="nora")
    assert (reply.ops, reply.results[0]["reason"]) == (["QUEUED"], "contradicts")
    assert accepted(cast, subject="nora", key="plan") == ["gold"]


def test_pushes_at_once_leave_one_current_record_and_one_fact(committed_cast: Cast) -> None:
    committed_cast.key("crm")
    names = [f"Keeper {number}" for number in range(6)]

    def send(name: str) -> int:
        try:
            return committed_cast.push({"contact": name, "dock": "north"}).status
        finally:
            connections.close_all()

    with ThreadPoolExecutor(6) as pool:
        assert list(pool.map(send, names)) == [200] * 6
    exported = committed_cast.get("/subjects/depot-9/export", by="desk").body["records"]
    (current,) = [record["value"] for record in exported if record["key"] == "contact" and record["until"] is None]
    assert accepted(committed_cast) == [current]
    assert {record["value"] for record in exported if record["key"] == "contact"} == set(names)
    assert accepted(committed_cast, key="dock") == ["north"]


def test_a_source_that_hangs_keeps_no_other_writer_of_the_subject_waiting(committed_cast: Cast, settings: Any) -> None:
    silent = socket.create_server(("127.0.0.1", 0))
    silent.settimeout(60)
    settings.MEMORYHUB_RECORD_SECONDS = 120
    settings.MEMORYHUB_RECORD_HOSTS = frozenset({"127.0.0.1"})
    committed_cast.key("bot")
    committed_cast.push({"contact": "Ines Falk"})
    by = system_principal(access.organisation_of(committed_cast.slug).pk, "test")
    url = f"http://127.0.0.1:{silent.getsockname()[1]}/"
    with acting_for(by, subjects=ALL_SUBJECTS):
        record_sources.set_sources(
            agent=access.agent_of(slug="bot", by=by), by=by, now=timezone.now(),
            mapping={"contact": {"source": "http", "url": url, "pointer": "/a"}},
        )  # fmt: skip

    def claim() -> list[str]:
        try:
            return committed_cast.infer("The contact is Ole", subject="depot-9", key="contact", value="Ole").ops
        finally:
            connections.close_all()

    with ThreadPoolExecutor(1) as pool, silent:
        slow = pool.submit(claim)
        with silent.accept()[0]:  # it was called, and says nothing
            assert committed_cast.push({"dock": "south"}).status == 200
            assert not slow.done()  # it waits; the other did not
        assert slow.result() == ["QUEUED"]


def test_a_record_does_not_vouch_for_what_somebody_told_besides_its_value(cast: Cast) -> None:
    text = "My plan is silver with parcels left at the side door"
    keyed = {"subject": "nora", "channel": "user_message", "text": text, "key": "plan", "value": "silver"}
    assert cast.post("/memories", keyed).ops == ["ADD"]
    (changed,) = cast.push({"plan": "gold"}, subject="nora").results
    assert (changed["op"], changed["entry"]["text"]) == ("UPDATE", "plan: gold")


def test_a_record_says_limits_whatever_their_names_begin_with(cast: Cast) -> None:
    told = {"refund_limit": "500", "refund_policy": "30 days", "grant_amount": 12}
    reply = cast.push(told)
    assert [(one["op"], one["entry"]["kind"]) for one in reply.results] == [("ADD", "semantic")] * 3


def test_nothing_hides_in_a_value(cast: Cast) -> None:
    (kept,) = cast.push({"bay": "7\u202eB\x07"}).results
    assert kept["entry"]["value"] == "7B"
    assert cast.push({"bay": "\u200b"}).status == 422


@pytest.mark.parametrize(("one", "other"), [("-5", "5"), ("$10", "€10"), ("C++", "C"), ("10 %", "10"), ("👍", "👎")])
def test_a_sign_or_a_unit_makes_another_value(cast: Cast, one: str, other: str) -> None:
    cast.push({"level": one})
    (changed,) = cast.push({"level": other}).results
    assert (changed["op"], changed["entry"]["value"]) == ("UPDATE", other)
