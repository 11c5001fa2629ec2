"""What no policy can change, whatever is signed (R12, R15, R16)."""

from dataclasses import replace
from datetime import timedelta

import pytest

from memoryhub.governance.policy import SHIPPED
from memoryhub.governance.policy_floors import faults_of
from memoryhub.vocabulary import Category, Role, SensitiveData, Treatment

MILDEST_FIRST = [Treatment.KEEP, Treatment.QUEUE, Treatment.REDACT, Treatment.REFUSE]
#: The mildest that may be signed, by family.
LEAST = {
    "secret": "redact", "payment": "redact", "government_id": "redact", "health": "redact", "third_party": "queue",
    "contact": "keep", "personal": "keep",
}  # fmt: skip


@pytest.mark.parametrize("treatment", MILDEST_FIRST)
@pytest.mark.parametrize("family", list(SensitiveData))
def test_sensitive_data_has_a_least_treatment(family: SensitiveData, treatment: Treatment) -> None:
    policy = replace(SHIPPED, treatments={**SHIPPED.treatments, family: treatment})
    too_mild = MILDEST_FIRST.index(treatment) < MILDEST_FIRST.index(Treatment(LEAST[family]))
    assert set(faults_of(policy)) == ({f"treatments.{family}"} if too_mild else set())


@pytest.mark.parametrize("category", ["policy_limit", "entitlement", "identity"])
@pytest.mark.parametrize("op", ["add", "update", "approve", "*"])
@pytest.mark.parametrize("kind", ["semantic", "*"])
@pytest.mark.parametrize("role", list(Role))
def test_only_curators_and_records_are_granted_to_state_authority(
    role: Role, kind: str, op: str, category: str
) -> None:
    pattern = f"memory:{kind}:{op}:{category}"
    policy = replace(SHIPPED, grants={**SHIPPED.grants, role: frozenset({pattern})})
    found = faults_of(policy)
    if role in ("curator", "system_of_record"):
        assert found == {}
    else:
        assert list(found) == [f"grants.{role}"]
        assert pattern in found[f"grants.{role}"][0]


def test_reading_and_erasing_what_gives_a_right_may_be_granted() -> None:
    patterns = frozenset({"memory:semantic:read:identity", "memory:semantic:erase:policy_limit"})
    assert faults_of(replace(SHIPPED, grants={**SHIPPED.grants, Role.OPERATOR: patterns})) == {}


@pytest.mark.parametrize("category", list(Category))
def test_a_member_gives_their_group_no_right(category: Category) -> None:
    found = faults_of(replace(SHIPPED, member_may_add=frozenset({category})))
    assert bool(found) == (category in ("policy_limit", "entitlement", "identity"))


@pytest.mark.parametrize(
    ("commit_at", "discard_below", "fields"),
    [
        (0.5, 0.0, set()), (1.0, 0.99, set()), (0.8, 0.3, set()),
        (0.49, 0.3, {"commit_at"}), (1.01, 0.3, {"commit_at"}), (0.8, -0.01, {"discard_below"}),
        (0.8, 0.8, {"discard_below"}), (0.8, 0.9, {"discard_below"}), (0.2, 1.2, {"commit_at", "discard_below"}),
    ],
)  # fmt: skip
def test_thresholds_are_ordered_and_no_guess_is_a_fact(
    commit_at: float, discard_below: float, fields: set[str]
) -> None:
    assert set(faults_of(replace(SHIPPED, commit_at=commit_at, discard_below=discard_below))) == fields


@pytest.mark.parametrize(
    ("lifetime", "allowed"),
    [
        (timedelta(hours=23), False), (timedelta(days=1), True), (timedelta(days=3650), True),
        (timedelta(days=3650, hours=1), False), (timedelta(0), False),
    ],
)  # fmt: skip
def test_a_lifetime_is_a_day_to_ten_years(lifetime: timedelta, allowed: bool) -> None:
    found = faults_of(replace(SHIPPED, lifetimes={**SHIPPED.lifetimes, Category.GENERAL: lifetime}))
    assert set(found) == (set() if allowed else {"lifetimes.general"})


@pytest.mark.parametrize(("days", "allowed"), [(0, True), (180, True), (181, False), (-1, False)])
def test_a_review_is_at_most_half_a_year_before_the_end(days: int, allowed: bool) -> None:
    assert bool(faults_of(replace(SHIPPED, review_before=timedelta(days=days)))) != allowed


@pytest.mark.parametrize(("count", "allowed"), [(0, False), (1, True), (20, True), (21, False)])
def test_a_document_proposes_something_but_floods_nobody(count: int, allowed: bool) -> None:
    assert bool(faults_of(replace(SHIPPED, untrusted_claims=count))) != allowed
