"""A dispute leaves what is in force in force, marked, until nothing that waits stands against it (R3, R18, R35)."""

from typing import Any

import pytest

from memoryhub.governance import confirmation, decisions, erasure
from memoryhub.governance.review_queue import put
from memoryhub.models import Entry, ReviewItem, Subject
from memoryhub.tenancy import ALL_SUBJECTS, Principal, acting_for
from memoryhub.vocabulary import UNTRUSTED_CHANNELS, Channel, Op, Reason, ReviewState, ReviewType, Role, Status
from tests.factories.ground import NOW, Ground
from tests.integration.governance.conftest import Say

RECORD = {"channel": Channel.SYSTEM_OF_RECORD, "role": Role.SYSTEM_OF_RECORD}
DOCUMENT = {"channel": Channel.DOCUMENT, "role": Role.AGENT}
INFERENCE = {"channel": Channel.AGENT_INFERENCE, "role": Role.AGENT}


@pytest.fixture
def plan(say: Say, ground: Ground) -> Entry:
    (result,) = say("Plan: gold", key="plan", value="gold", by=ground.as_record, **RECORD).results
    assert result.entry is not None
    return result.entry


def now_is(ground: Ground, entry: Entry) -> tuple[str, bool]:
    with acting_for(ground.as_hub, subjects=ALL_SUBJECTS):
        fresh = Entry.objects.get(pk=entry.pk)
    return str(fresh.status), fresh.contested


def items(ground: Ground) -> list[ReviewItem]:
    with acting_for(ground.as_hub, subjects=ALL_SUBJECTS):
        return list(
            ReviewItem.objects.filter(state=ReviewState.WAITING).order_by("waiting_since", "id").select_related("entry")
        )


def decide(verb: str, item: ReviewItem, by: Principal, **words: Any) -> ReviewItem:
    with acting_for(by, subjects=ALL_SUBJECTS):
        return getattr(decisions, verb)(item_id=item.pk, by=by, now=NOW, **words)  # type: ignore[no-any-return]


def disputed(say: Say, value: str, how: dict[str, Any]) -> Entry:
    (result,) = say(f"Plan: {value}", key="plan", value=value, **how).results
    assert (result.op, result.entry is not None and result.entry.status) == (Op.QUEUED, Status.DISPUTED)
    assert result.entry is not None
    return result.entry


@pytest.mark.parametrize("how", [INFERENCE, {}])
def test_whoever_disputes_it_what_is_in_force_stays_so_and_is_marked(
    say: Say, ground: Ground, plan: Entry, how: dict[str, Any]
) -> None:
    disputed(say, "silver", how)
    assert now_is(ground, plan) == ("accepted", True)
    (item,) = items(ground)
    assert (item.type, item.rival_id) == (ReviewType.DISPUTE, plan.pk)


UNVOUCHED = [{"channel": channel, "role": Role.AGENT} for channel in sorted(UNTRUSTED_CHANNELS)]


@pytest.mark.parametrize("how", UNVOUCHED, ids=sorted(UNTRUSTED_CHANNELS))
def test_text_nobody_vouched_for_waits_and_throws_no_doubt_on_what_is_in_force(
    say: Say, ground: Ground, plan: Entry, how: dict[str, Any]
) -> None:
    disputed(say, "silver", how)
    assert now_is(ground, plan) == ("accepted", False)
    (item,) = items(ground)
    assert (item.type, item.rival_id) == (ReviewType.DISPUTE, plan.pk)
    assert str(Reason.CONTRADICTS.label) in item.why
    decide("reject", item, ground.as_cal, reason="No.")
    decide("undo", item, ground.as_cal)
    assert now_is(ground, plan) == ("accepted", False)


def test_a_person_who_says_what_a_document_said_before_disputes_it(say: Say, ground: Ground, plan: Entry) -> None:
    disputed(say, "silver", DOCUMENT)
    (result,) = say("Plan: silver", key="plan", value="silver").results
    assert (result.op, result.reason) == (Op.NOOP, Reason.WAITING)
    assert now_is(ground, plan) == ("accepted", True)
    (item,) = items(ground)
    decide("reject", item, ground.as_cal, reason="No.")
    assert now_is(ground, plan) == ("accepted", False)


def test_the_mark_goes_with_the_last_dispute_that_somebody_stands_behind(say: Say, ground: Ground, plan: Entry) -> None:
    disputed(say, "bronze", DOCUMENT)
    disputed(say, "silver", {})
    own = next(item for item in items(ground) if item.entry is not None and item.entry.value == "silver")
    decide("reject", own, ground.as_cal, reason="No.")
    assert now_is(ground, plan) == ("accepted", False)


def test_what_only_a_document_says_otherwise_is_no_mark_on_what_a_decision_puts_in_force(
    say: Say, ground: Ground, plan: Entry
) -> None:
    disputed(say, "bronze", DOCUMENT)
    silver = disputed(say, "silver", {})
    own = next(item for item in items(ground) if item.entry_id == silver.pk)
    decide("approve", own, ground.as_cal)
    assert now_is(ground, silver) == ("accepted", False)
    assert [item.rival_id for item in items(ground)] == [silver.pk]


def test_the_mark_stays_until_the_last_dispute_is_declined(say: Say, ground: Ground, plan: Entry) -> None:
    for value in ("silver", "bronze"):
        disputed(say, value, INFERENCE)
    first, second = items(ground)
    decide("reject", first, ground.as_cal, reason="No.")
    assert now_is(ground, plan) == ("accepted", True)
    decide("reject", second, ground.as_cal, reason="No.")
    assert now_is(ground, plan) == ("accepted", False)
    decide("undo", first, ground.as_cal)
    assert now_is(ground, plan) == ("accepted", False)  # it never was this one's decision that lifted the mark
    decide("undo", second, ground.as_cal)
    assert now_is(ground, plan) == ("accepted", True)


def test_approving_one_dispute_turns_the_others_against_it_and_undo_turns_them_back(
    say: Say, ground: Ground, plan: Entry
) -> None:
    silver, bronze = (disputed(say, value, INFERENCE) for value in ("silver", "bronze"))
    first, second = items(ground)
    decide("approve", first, ground.as_cal)
    assert now_is(ground, plan)[0] == "replaced"
    assert now_is(ground, silver) == ("accepted", True)
    assert [item.rival_id for item in items(ground)] == [silver.pk]
    decide("undo", first, ground.as_cal)
    assert (now_is(ground, plan), now_is(ground, silver)) == (("accepted", True), ("disputed", False))
    assert {item.rival_id for item in items(ground)} == {plan.pk}
    decide("approve", second, ground.as_cal)
    assert now_is(ground, bronze) == ("accepted", True)
    decide("reject", first, ground.as_cal, reason="No.")
    assert now_is(ground, bronze) == ("accepted", False)


def test_saying_that_it_is_wrong_asks_a_person_and_their_no_lifts_the_mark(ground: Ground, plan: Entry) -> None:
    with acting_for(ground.as_agent, subjects=ALL_SUBJECTS):
        confirmation.dispute(entry=plan, reason="I was never on gold", by=ground.as_agent, now=NOW)
        confirmation.dispute(entry=plan, reason="Really not", by=ground.as_agent, now=NOW)
    (item,) = items(ground)
    assert (now_is(ground, plan), item.type, item.why) == (
        ("accepted", True), ReviewType.DISPUTE, "Disputed: I was never on gold",
    )  # fmt: skip
    decide("reject", item, ground.as_cal, reason="The contract says gold.")
    assert now_is(ground, plan) == ("accepted", False)
    decide("undo", item, ground.as_cal)
    assert now_is(ground, plan) == ("accepted", True)
    decide("approve", item, ground.as_cal)
    assert now_is(ground, plan)[0] == "disputed"
    decide("undo", item, ground.as_cal)
    assert now_is(ground, plan) == ("accepted", True)


def test_one_no_of_two_leaves_the_mark(say: Say, ground: Ground, plan: Entry) -> None:
    disputed(say, "silver", INFERENCE)
    with acting_for(ground.as_agent, subjects=ALL_SUBJECTS):
        confirmation.dispute(entry=plan, reason="I was never on gold", by=ground.as_agent, now=NOW)
    by_words = next(item for item in items(ground) if item.entry_id == plan.pk)
    decide("reject", by_words, ground.as_cal, reason="The contract says gold.")
    assert now_is(ground, plan) == ("accepted", True)


def test_a_dispute_about_what_was_only_to_be_looked_at_is_what_a_person_decides(
    ground: Ground, plan: Entry, asha: Subject
) -> None:
    with acting_for(ground.as_hub, subjects=ALL_SUBJECTS):
        put(type=ReviewType.RECONFIRM, reason=Reason.SAMPLED, entry=plan, subject=asha, by=ground.as_hub, now=NOW)
        ground.vouch("entry.ask", "entry", plan.pk)
    with acting_for(ground.as_agent, subjects=ALL_SUBJECTS):
        confirmation.dispute(entry=plan, reason="I was never on gold", by=ground.as_agent, now=NOW)
    (item,) = items(ground)
    assert (item.type, item.why) == (ReviewType.DISPUTE, "Disputed: I was never on gold")
    decide("approve", item, ground.as_cal)
    assert now_is(ground, plan)[0] == "disputed"  # as a re-confirmation it would have been confirmed


def test_forgetting_what_disputed_it_lifts_the_mark(say: Say, ground: Ground, plan: Entry) -> None:
    silver = disputed(say, "silver", {})
    erasure.erase_entry(entry=silver, by=ground.as_hub, now=NOW)
    assert now_is(ground, plan) == ("accepted", False)


def test_a_person_s_correction_of_a_record_s_word_waits_beside_it(say: Say, ground: Ground, plan: Entry) -> None:
    (result,) = say("My plan is the silver one", corrects=plan).results
    assert (result.op, result.reason) == (Op.QUEUED, Reason.CONTRADICTS)
    assert now_is(ground, plan) == ("accepted", True)
    (item,) = items(ground)
    decide("approve", item, ground.as_cal)
    with acting_for(ground.as_hub, subjects=ALL_SUBJECTS):
        held = Entry.objects.get(status=Status.ACCEPTED, key="plan")
        assert (held.supersedes_id, held.contested, held.authority) == (plan.pk, False, 1.0)
