"""A policy written down and read strictly: what is unknown or out of range is named, nothing is guessed."""

import json
import tomllib
from datetime import timedelta
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from memoryhub.errors import Invalid
from memoryhub.governance.policy import SHIPPED
from memoryhub.governance.policy_document import difference, read, told, written
from memoryhub.governance.policy_floors import faults_of
from memoryhub.management.policy_page import EXAMPLE, differences, page, shipped_page
from memoryhub.vocabulary import Category, FourEyes, Kind, PolicyMode, Reason, Role, SensitiveData, Treatment


def faults(document: object) -> dict[str, list[str]]:
    with pytest.raises(Invalid) as caught:
        read(document, base=SHIPPED)
    return caught.value.errors


def test_what_is_written_reads_as_the_same_policy() -> None:
    document = json.loads(json.dumps(written(SHIPPED)))
    assert read(document, base=SHIPPED) == SHIPPED
    other = read({"commit_at": 0.9, "grants": {"agent": []}}, base=SHIPPED)
    assert read(document, base=other) == SHIPPED


def test_a_partial_document_changes_only_what_it_names() -> None:
    document = {
        "treatments": {"contact": "queue"}, "lifetimes": {"preference": "2 weeks", "general": "36 hours"},
        "review_before": "1 day", "modes": {"episodic": "off"}, "grants": {"customer": ["memory:semantic:add:*"]},
        "member_may_add": [], "four_eyes": ["skills"],
    }  # fmt: skip
    policy = read(document, base=SHIPPED)
    assert policy.treatments == {**SHIPPED.treatments, SensitiveData.CONTACT: Treatment.QUEUE}
    assert policy.lifetimes == {
        **SHIPPED.lifetimes, Category.PREFERENCE: timedelta(days=14), Category.GENERAL: timedelta(hours=36),
    }  # fmt: skip
    assert policy.review_before == timedelta(days=1)
    assert policy.modes == {**SHIPPED.modes, Kind.EPISODIC: PolicyMode.OFF}
    assert policy.grants == {**SHIPPED.grants, Role.CUSTOMER: frozenset({"memory:semantic:add:*"})}
    assert policy.member_may_add == frozenset()
    assert policy.four_eyes == {FourEyes.SKILLS}
    assert (policy.commit_at, policy.untrusted_claims) == (SHIPPED.commit_at, SHIPPED.untrusted_claims)


def test_an_empty_document_changes_nothing() -> None:
    assert read({}, base=SHIPPED) == SHIPPED


@pytest.mark.parametrize(
    ("document", "field"),
    [
        (None, "document"), ([], "document"), ("x", "document"), (7, "document"),
        ({"colour": "red"}, "colour"), ({"version": 3}, "version"), ({"signed_by": "me"}, "signed_by"),
        ({"treatments": "keep"}, "treatments"), ({"treatments": {"cards": "keep"}}, "treatments.cards"),
        ({"treatments": {"contact": "hide"}}, "treatments.contact"), ({"treatments": {"contact": None}}, "treatments.contact"),
        ({"treatments": {"secret": "keep"}}, "treatments.secret"), ({"treatments": {"health": "queue"}}, "treatments.health"),
        ({"lifetimes": {"mood": "1 day"}}, "lifetimes.mood"), ({"lifetimes": {"contact": 30}}, "lifetimes.contact"),
        ({"lifetimes": {"contact": "30"}}, "lifetimes.contact"), ({"lifetimes": {"contact": "-3 days"}}, "lifetimes.contact"),
        ({"lifetimes": {"contact": "1 year"}}, "lifetimes.contact"), ({"lifetimes": {"contact": "4000 days"}}, "lifetimes.contact"),
        ({"lifetimes": {"contact": "23 hours"}}, "lifetimes.contact"), ({"lifetimes": {"contact": "9999999 days"}}, "lifetimes.contact"),
        ({"review_before": "soon"}, "review_before"), ({"review_before": "181 days"}, "review_before"),
        ({"commit_at": "0.9"}, "commit_at"), ({"commit_at": True}, "commit_at"), ({"commit_at": float("nan")}, "commit_at"),
        ({"commit_at": float("inf")}, "commit_at"), ({"commit_at": 0.4}, "commit_at"), ({"commit_at": 80}, "commit_at"),
        ({"commit_at": 10**400}, "commit_at"),
        ({"discard_below": 0.8}, "discard_below"), ({"discard_below": -1}, "discard_below"), ({"discard_below": None}, "discard_below"),
        ({"untrusted_claims_per_call": 2.5}, "untrusted_claims_per_call"), ({"untrusted_claims_per_call": True}, "untrusted_claims_per_call"),
        ({"untrusted_claims_per_call": 21}, "untrusted_claims_per_call"), ({"untrusted_claims_per_call": 10**30}, "untrusted_claims_per_call"),
        ({"modes": {"semantic": "on"}}, "modes.semantic"), ({"modes": {"dreams": "off"}}, "modes.dreams"), ({"modes": []}, "modes"),
        ({"grants": {"boss": []}}, "grants.boss"), ({"grants": {"agent": "memory:*:*:*"}}, "grants.agent"),
        ({"grants": {"agent": ["memory:semantic:add"]}}, "grants.agent"), ({"grants": {"agent": ["memory:semantic:add:pref*"]}}, "grants.agent"),
        ({"grants": {"agent": ["memory:semantic:write:general"]}}, "grants.agent"), ({"grants": {"agent": ["*"]}}, "grants.agent"),
        ({"grants": {"agent": ["skill:semantic:add:general"]}}, "grants.agent"), ({"grants": {"agent": [3]}}, "grants.agent"),
        ({"grants": {"agent": ["memory:semantic:add:general:x"]}}, "grants.agent"), ({"grants": {"agent": ["memory:semantic:add:[a-z]"]}}, "grants.agent"),
        ({"grants": {"customer": ["memory:semantic:add:entitlement"]}}, "grants.customer"),
        ({"grants": {"dreamer": ["memory:*:*:identity"]}}, "grants.dreamer"),
        ({"member_may_add": ["gossip"]}, "member_may_add"), ({"member_may_add": "preference"}, "member_may_add"),
        ({"member_may_add": ["policy_limit"]}, "member_may_add"),
        ({"four_eyes": ["gossip"]}, "four_eyes"), ({"four_eyes": True}, "four_eyes"),
        ({7: "x"}, "7"), ({"modes": {3: "off"}}, "modes.3"),
    ],
)  # fmt: skip
def test_what_can_t_be_is_named_by_its_field(document: object, field: str) -> None:
    assert list(faults(document)) == [field]


def test_all_faults_are_told_at_once() -> None:
    document = {
        "commit_at": "high", "modes": {"semantic": "on"}, "colour": "red", "lifetimes": {"mood": "1 day"},
        "treatments": {"secret": "keep"},
    }  # fmt: skip
    named = {"commit_at", "modes.semantic", "colour", "lifetimes.mood", "treatments.secret"}
    assert set(faults(document)) == named


def test_a_floor_is_told_with_its_reason() -> None:
    assert "guess" in faults({"commit_at": 0.2})["commit_at"][0]


words = st.sampled_from([*SensitiveData.values, *Category.values, *Kind.values, *Role.values, "x"])
values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=20)
    | st.sampled_from(["keep", "refuse", "off", "3 days", "memory:semantic:add:general", "memory:*:*:*"]),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(words, inner, max_size=4),
    max_leaves=8,
)  # fmt: skip


@settings(max_examples=300, deadline=None)
@given(st.dictionaries(st.sampled_from([*written(SHIPPED), "else"]), values, max_size=5))
def test_any_document_is_a_policy_above_the_floors_or_refused_by_field(document: dict[str, Any]) -> None:
    policy, errors = SHIPPED, {}
    try:
        policy = read(document, base=SHIPPED)
    except Invalid as error:
        errors = error.errors or {"": []}
    assert all(sentences and all(sentences) for sentences in errors.values())
    assert faults_of(policy) == {}
    assert read(written(policy), base=SHIPPED) == policy


def test_a_difference_names_field_and_both_values() -> None:
    after = read({"commit_at": 0.9, "member_may_add": [], "modes": {"episodic": "off"}}, base=SHIPPED)
    assert difference(SHIPPED, after) == [
        ("commit_at", "0.8", "0.9"), ("modes.episodic", "rules", "off"),
        ("member_may_add", "preference, project_fact", ""),
    ]  # fmt: skip
    assert difference(after, after) == []
    assert differences(SHIPPED, after)[2] == "member_may_add: preference, project_fact → (nothing)"


@pytest.mark.parametrize(
    ("length", "words"),
    [(timedelta(days=1), "1 day"), (timedelta(hours=1), "1 hour"), (timedelta(hours=36), "36 hours"), (timedelta(0), "0 days")],
)  # fmt: skip
def test_a_length_is_told_with_its_unit(length: timedelta, words: str) -> None:
    assert told(length) == words


def test_the_example_in_the_docs_can_be_signed() -> None:
    policy = read(tomllib.loads(EXAMPLE), base=SHIPPED)
    assert (policy.commit_at, policy.modes[Kind.EPISODIC]) == (0.9, PolicyMode.PROPOSE_ONLY)


def test_the_page_shows_what_differs_and_every_reason() -> None:
    changed = read({"commit_at": 0.93, "lifetimes": {"lesson": "77 days"}, "grants": {"agent": []}}, base=SHIPPED)
    text = page(changed, organisation="harbour")
    assert "0.93" in text
    assert "| `lesson` | 77 days |" in text
    assert "| agent |" not in text
    shipped = shipped_page(SHIPPED)
    assert [reason for reason in Reason if f"| `{reason}` | {reason.label} |" not in shipped] == []
