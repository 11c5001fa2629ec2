"""Kept, queued or not kept: every rule is heard, and the worst wins (R15, R16)."""

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memoryhub.governance.claims import Classification
from memoryhub.governance.policy import SHIPPED
from memoryhub.governance.routing import route
from memoryhub.vocabulary import UNTRUSTED_CHANNELS, Category, Channel, Kind, Op, PolicyMode, Reason, Role, Sensitivity

PLAIN = Classification(
    kind=Kind.SEMANTIC, category=Category.PREFERENCE, sensitivity=Sensitivity.ORDINARY, confidence=0.9, importance=0.6,
    authority=0.3, durable=True, authority_claim=False,
)  # fmt: skip
SEVERITY = [Op.ADD, Op.QUEUED, Op.DISCARDED, Op.REFUSED]


def of(
    *,
    channel=Channel.USER_MESSAGE,
    role=Role.CUSTOMER,
    op=Op.ADD,
    reason=Reason.COMMITTED,
    policy=None,
    suspicious=None,
    shared=False,
    not_theirs=None,
    of_two=False,
    **changed,
):
    classification = Classification(**{**PLAIN.__dict__, **changed})
    return route(
        classification=classification, channel=channel, role=role, op=op, reason=reason, policy=policy or SHIPPED,
        suspicious=suspicious, shared=shared, not_theirs=not_theirs,
        of_two=of_two,
    )  # fmt: skip


def test_a_plain_assertion_is_kept():
    found = of()
    assert (found.op, found.reason) == (Op.ADD, Reason.COMMITTED)
    assert found.detail == "Nothing stands against keeping it."


@pytest.mark.parametrize(
    ("op", "reason"),
    [
        (Op.UPDATE, Reason.SUPERSEDED),
        (Op.NOOP, Reason.DUPLICATE),
        (Op.NOOP, Reason.OLDER),
        (Op.QUEUED, Reason.CONTRADICTS),
    ],
)
def test_what_reconciling_found_is_told_in_its_reason_s_own_sentence(op: Op, reason: Reason):
    assert of(op=op, reason=reason).detail == reason.label


@pytest.mark.parametrize(
    ("case", "op", "reason"),
    [
        ({"authority_claim": True}, Op.REFUSED, Reason.AUTHORITY_CLAIM),
        ({"authority_claim": True, "role": Role.AGENT}, Op.QUEUED, Reason.AUTHORITY_CLAIM),
        ({"durable": False}, Op.DISCARDED, Reason.NOT_DURABLE),
        ({"confidence": 0.29}, Op.DISCARDED, Reason.LOW_CONFIDENCE),
        ({"confidence": 0.3}, Op.QUEUED, Reason.LOW_CONFIDENCE),
        ({"confidence": 0.79}, Op.QUEUED, Reason.LOW_CONFIDENCE),
        ({"confidence": 0.8}, Op.ADD, Reason.COMMITTED),
        ({"suspicious": Reason.SUSPICIOUS}, Op.QUEUED, Reason.SUSPICIOUS),
        ({"suspicious": Reason.LANGUAGE_NOT_HANDLED}, Op.QUEUED, Reason.LANGUAGE_NOT_HANDLED),
        ({"about_other": True}, Op.QUEUED, Reason.MENTIONS_OTHER),
        ({"of_two": True, "channel": Channel.CURATOR, "role": Role.CURATOR}, Op.QUEUED, Reason.NEEDS_TWO),
        ({"not_theirs": Reason.NOT_A_MEMBER}, Op.QUEUED, Reason.NOT_A_MEMBER),
        ({"not_theirs": Reason.BEYOND_MEMBERSHIP}, Op.QUEUED, Reason.BEYOND_MEMBERSHIP),
        ({"kind": Kind.PROCEDURAL}, Op.QUEUED, Reason.PROCEDURE),
        ({"shared": True, "role": Role.AGENT}, Op.QUEUED, Reason.SHARED_SCOPE),
        ({"channel": Channel.AGENT_INFERENCE, "role": Role.AGENT}, Op.QUEUED, Reason.INFERRED),
        ({"channel": Channel.CURATOR, "role": Role.CURATOR, "confidence": 0.5}, Op.ADD, Reason.COMMITTED),
        ({"op": Op.QUEUED, "reason": Reason.CONTRADICTS}, Op.QUEUED, Reason.CONTRADICTS),
        ({"op": Op.REFUSED, "reason": Reason.DECLINED_BEFORE}, Op.REFUSED, Reason.DECLINED_BEFORE),
        ({"op": Op.NOOP, "reason": Reason.DUPLICATE, "confidence": 0.1}, Op.NOOP, Reason.DUPLICATE),
        ({"op": Op.NOOP, "reason": Reason.DUPLICATE, "authority_claim": True}, Op.REFUSED, Reason.AUTHORITY_CLAIM),
        ({"durable": False, "authority_claim": True}, Op.REFUSED, Reason.AUTHORITY_CLAIM),
        ({"durable": False, "suspicious": Reason.SUSPICIOUS}, Op.DISCARDED, Reason.NOT_DURABLE),
    ],
)
def test_a_rule_decides(case, op, reason):
    found = of(**case)
    assert (found.op, found.reason) == (op, reason)


@pytest.mark.parametrize("channel", sorted(UNTRUSTED_CHANNELS))
def test_text_nobody_vouched_for_is_never_kept(channel):
    assert of(channel=channel, role=Role.AGENT, confidence=1.0).op is Op.QUEUED


@pytest.mark.parametrize(
    ("mode", "op", "reason"),
    [
        (PolicyMode.OFF, Op.DISCARDED, Reason.KIND_OFF),
        (PolicyMode.PROPOSE_ONLY, Op.QUEUED, Reason.PROPOSE_ONLY),
        (PolicyMode.RULES, Op.ADD, Reason.COMMITTED),
    ],
)
def test_a_policy_says_per_kind_how_far_it_goes(mode, op, reason):
    found = of(policy=replace(SHIPPED, modes={**SHIPPED.modes, Kind.SEMANTIC: mode}))
    assert (found.op, found.reason) == (op, reason)


def test_thresholds_are_the_policys():
    assert of(confidence=0.6, policy=replace(SHIPPED, commit_at=0.5)).op is Op.ADD
    assert of(confidence=0.4, policy=replace(SHIPPED, discard_below=0.5)).op is Op.DISCARDED


@given(
    st.floats(0, 1), st.booleans(), st.booleans(), st.booleans(), st.booleans(),
    st.sampled_from(list(Channel)), st.sampled_from(list(Role)), st.sampled_from([None, Reason.SUSPICIOUS]),
)  # fmt: skip
def test_one_more_objection_never_makes_the_outcome_milder(
    confidence, durable, claims, other, shared, channel, role, why
):
    given_more = of(
        confidence=confidence, durable=durable, authority_claim=claims, about_other=other, shared=shared, channel=channel,
        role=role, suspicious=why,
    )  # fmt: skip
    given_less = of(confidence=confidence, channel=channel, role=role)
    assert SEVERITY.index(given_more.op) >= SEVERITY.index(given_less.op)
