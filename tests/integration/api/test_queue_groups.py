"""Text that nobody vouched for can't flood the queue: grouped by source, bounded, and behind what others ask (R15)."""

from datetime import timedelta
from typing import Any

import pytest
import time_machine
from django.utils import timezone

from memoryhub import conf
from memoryhub.models import ReviewItem
from memoryhub.tenancy import ALL_SUBJECTS, acting_for, system_principal
from tests.cast import Cast, Reply

KEYS = ("warranty", "colour", "voltage", "supplier", "torque", "coating", "thread", "weight", "pressure", "length")


def facts(first: int, count: int = 1) -> str:
    """Statements by name, as a data sheet has them: no two alike."""
    return "\n".join(f"The {KEYS[n % 10]} is {n}{'abcdefghij'[n % 10]}." for n in range(first, first + count))


def read(cast: Cast, text: str, *, by: str = "bot", subject: str = "pump-7", **fields: Any) -> Reply:
    """What an agent passes on of a document."""
    source = {"ref": fields.pop("ref", None), "uri": fields.pop("uri", None)}
    sent = {"subject": subject, "text": text, "channel": fields.pop("channel", "document"), "source": source, **fields}
    return cast.post("/memories", sent, by=by)


def reasons(reply: Reply) -> list[str]:
    return [result["reason"] for result in reply.results]


def test_what_comes_from_one_source_is_one_group(cast: Cast) -> None:
    read(cast, facts(0, 2), ref="data sheet 4")
    read(cast, facts(2), ref="data sheet 4")
    read(cast, facts(3), ref="data sheet 5")
    groups = [item["group"] for item in cast.waiting()]
    sheet_4 = [group for group in groups if group["source"] == "data sheet 4"]
    assert [group["size"] for group in sheet_4] == [3, 3, 3]
    assert [group["size"] for group in groups if group["source"] == "data sheet 5"] == [1]
    (one,) = {group["id"] for group in sheet_4}
    assert len(cast.waiting(group=one)) == 3


OTHERS = {
    "another subject": {"subject": "pump-8"},
    "another channel": {"channel": "email"},
    "another agent": {"by": "plain-bot"},
    "another page of the site": {"uri": "https://example.org/b"},
}


@pytest.mark.parametrize("other", OTHERS.values(), ids=OTHERS)
def test_a_group_is_of_one_source_one_subject_and_one_agent(cast: Cast, other: dict[str, Any]) -> None:
    read(cast, facts(0), uri="https://example.org/a")
    read(cast, facts(1), **{"uri": "https://example.org/a", **other})
    assert len({item["group"]["id"] for item in cast.waiting()}) == 2


def test_parts_of_a_page_and_other_titles_are_the_same_page(cast: Cast) -> None:
    read(cast, facts(0), uri="https://example.org/a#one", ref="One")
    read(cast, facts(1), uri="https://example.org/a#two", ref="Two")
    assert len({item["group"]["id"] for item in cast.waiting()}) == 1


def test_without_a_source_it_is_what_the_agent_read_in_that_session(cast: Cast) -> None:
    for number, session in enumerate(("s-1", "s-1", "s-2")):
        read(cast, facts(number), session_id=session)
    read(cast, facts(3))
    shown = sorted((item["group"]["source"], item["group"]["size"]) for item in cast.waiting())
    assert shown == [
        ("a document in session s-1", 2), ("a document in session s-1", 2), ("a document in session s-2", 1),
        ("a document without a name", 1),
    ]  # fmt: skip


def test_what_somebody_stands_behind_is_no_group(cast: Cast) -> None:
    cast.infer("Prefers calls in the morning")
    assert [item["group"] for item in cast.waiting()] == [None]


def test_the_same_again_from_the_same_source_waits_already(cast: Cast) -> None:
    assert read(cast, facts(0), ref="data sheet 4").ops == ["QUEUED"]
    again = read(cast, facts(0), ref="data sheet 4")
    assert (again.ops, reasons(again)) == (["NOOP"], ["waiting"])
    assert len(cast.waiting()) == 1


def test_a_text_may_propose_three_and_is_told_that_the_rest_was_not_read(cast: Cast) -> None:
    reply = read(cast, facts(0, 8), ref="data sheet 4")
    assert reply.ops == ["QUEUED"] * 3
    assert {(step["outcome"], step["detail"]) for one in reply.results for step in one["steps"][1:2]} == {
        ("8 claims", "Nobody vouched for the text: the first 3 are looked at.")
    }
    assert len(cast.waiting()) == 3


def test_only_statements_by_name_are_read_in_it(cast: Cast) -> None:
    reply = read(cast, "We walked along the river and talked about pumps.", ref="diary")
    assert reply.ops == ["DISCARDED"]


def test_past_the_bound_of_a_group_nothing_more_is_queued_and_the_caller_is_told(cast: Cast) -> None:
    for number in range(0, conf.UNTRUSTED_WAITING_PER_GROUP + 9, 3):
        reply = read(cast, facts(number, 3), ref="data sheet 4")
    assert reply.ops == ["DISCARDED"] * 3
    assert reasons(reply) == ["queue_full"] * 3
    assert str(conf.UNTRUSTED_WAITING_PER_GROUP) in reply.results[0]["steps"][-1]["detail"]
    assert len(cast.waiting(limit="200")) == conf.UNTRUSTED_WAITING_PER_GROUP
    assert read(cast, facts(900), ref="data sheet 5").ops == ["QUEUED"]
    (item, *_) = cast.waiting()
    cast.post(f"/queue/{item['id']}/reject", {"reason": "not so"}, by="rosa")
    assert read(cast, facts(901), ref="data sheet 4").ops == ["QUEUED"]


def test_many_sources_of_one_agent_are_bounded_within_a_day(cast: Cast) -> None:
    with time_machine.travel(timezone.now(), tick=True) as clock:
        bound = conf.UNTRUSTED_PER_AGENT_AND_DAY
        ops = [
            op
            for number in range(0, bound + 6, 3)
            for op in read(cast, facts(number, 3), ref=f"sheet {number}", subject=f"pump-{number}").ops
        ]
        assert (ops.count("QUEUED"), ops[bound:]) == (bound, ["DISCARDED"] * (len(ops) - bound))
        assert read(cast, facts(950), ref="sheet", by="plain-bot").ops == ["QUEUED"]
        clock.shift(timedelta(days=1, minutes=1))
        assert read(cast, facts(951), ref="a new day").ops == ["QUEUED"]


def test_others_come_before_the_further_proposals_of_an_agent_that_reads_a_lot(cast: Cast) -> None:
    with time_machine.travel(timezone.now(), tick=True) as clock:
        for number in range(0, 12, 3):
            read(cast, facts(number, 3), ref=f"sheet {number}")
        clock.shift(timedelta(minutes=5))
        cast.infer("Prefers calls in the morning")
        read(cast, facts(30), ref="sheet", by="plain-bot")
        order = [(item["agent"], item["reason"]) for item in cast.waiting()]
    assert order[:3] == [("bot", "untrusted_channel"), ("bot", "inferred"), ("plain-bot", "untrusted_channel")]
    assert order[3:] == [("bot", "untrusted_channel")] * 11


def test_pages_of_the_list_keep_that_order_without_gap_or_repeat(cast: Cast) -> None:
    for number in range(0, 12, 3):
        read(cast, facts(number, 3), ref=f"sheet {number}")
    cast.infer("Prefers calls in the morning")
    whole = [item["id"] for item in cast.waiting(limit="200")]
    seen, cursor = [], ""
    while cursor is not None:
        page = cast.get(f"/queue?limit=3{f'&cursor={cursor}' if cursor else ''}", by="rosa").body
        seen += [item["id"] for item in page["items"]]
        cursor = page["next"]
    assert seen == whole
    assert len(seen) == 13


def test_a_group_is_a_word_the_filter_has_to_know(cast: Cast) -> None:
    assert cast.get("/queue?group=nonsense", by="rosa").status == 422
    assert cast.waiting(group="01a22a6c-2ebd-74ca-844d-5fc8279b2752") == []


def test_a_secret_in_a_source_s_name_is_not_shown(cast: Cast) -> None:
    read(cast, facts(0), ref="export AKIAIOSFODNN7EXAMPLQ by ops")
    organisation = _hub(cast)
    with acting_for(organisation, subjects=ALL_SUBJECTS):
        assert "AKIAIOSFODNN7EXAMPLQ" not in str(list(ReviewItem.objects.values()))


@pytest.mark.long
def test_ten_thousand_statements_of_one_document_leave_a_short_queue(cast: Cast) -> None:
    """3,334 calls, most of them answered that enough waits."""
    ops: dict[str, int] = {}
    for number in range(0, 10_000, 3):
        for op in read(cast, facts(number, 3), ref="the long one").ops:
            ops[op] = ops.get(op, 0) + 1
    cast.infer("Prefers calls in the morning")
    assert ops["QUEUED"] == conf.UNTRUSTED_WAITING_PER_GROUP
    assert len(cast.waiting(limit="200")) == conf.UNTRUSTED_WAITING_PER_GROUP + 1
    assert "inferred" in [item["reason"] for item in cast.waiting(limit="2")]


def _hub(cast: Cast) -> Any:
    from memoryhub.governance.access import organisation_of

    return system_principal(organisation_of(cast.slug).pk, "test")


def test_a_source_is_the_same_however_its_name_is_spelt(cast: Cast) -> None:
    for number, ref in enumerate(("Sheet 4", "sheet  4", " SHEET 4\u200b", "sheet\u00a04")):
        read(cast, facts(number), ref=ref)
    assert [item["group"]["size"] for item in cast.waiting()] == [4] * 4


def test_an_agent_that_floods_the_queue_with_conclusions_stands_behind_the_others(
    cast: Cast, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(conf, "INFERRED_WAITING", 2)
    for number in range(5):
        keyed = {"key": f"slot_{number}", "value": "full", "channel": "agent_inference"}
        cast.post("/memories", {"subject": "pump-7", "text": f"Slot {number} is full", **keyed}, by="plain-bot")
    late = cast.infer("The valve is brass", subject="pump-8", key="valve", value="brass").entry
    order = [item["entry"]["id"] for item in cast.waiting()]
    assert order.index(late["id"]) == 3  # behind what waited in turn, before what stands back
