"""One value says what every step is measured against (R5, R16)."""

from dataclasses import FrozenInstanceError
from datetime import UTC, datetime, timedelta

import pytest

from memoryhub import conf
from memoryhub.governance.policy import SHIPPED
from memoryhub.governance.policy_floors import faults_of
from memoryhub.vocabulary import Category, Kind, PolicyMode, Role, SensitiveData

NOW = datetime(2026, 11, 30, 12, 0, tzinfo=UTC)
RULES = dict.fromkeys(Kind, PolicyMode.RULES)


def test_the_shipped_policy_is_complete_and_stands_on_every_floor() -> None:
    assert set(SHIPPED.treatments) == set(SensitiveData)
    assert set(SHIPPED.lifetimes) == set(Category)
    assert set(SHIPPED.modes) == set(Kind)
    assert set(SHIPPED.grants) == set(Role)
    assert (SHIPPED.version, SHIPPED.signed_by, SHIPPED.signed_at) == (0, "", None)
    assert faults_of(SHIPPED) == {}


def test_nothing_of_a_policy_can_be_changed_in_place() -> None:
    with pytest.raises(FrozenInstanceError):
        SHIPPED.commit_at = 0.1  # type: ignore[misc]
    for table in (SHIPPED.treatments, SHIPPED.lifetimes, SHIPPED.modes, SHIPPED.grants):
        with pytest.raises(TypeError):
            table["x"] = "y"  # type: ignore[index]


@pytest.mark.parametrize("category", list(Category))
def test_an_entry_lapses_by_its_category(category: Category) -> None:
    assert SHIPPED.lapses_at(category, now=NOW) == NOW + conf.LIFETIME[category]
    assert SHIPPED.lapses_at(category.value, now=NOW) == NOW + conf.LIFETIME[category]


def test_a_review_comes_some_time_before_the_end_and_never_in_the_past() -> None:
    assert SHIPPED.review_by(NOW + timedelta(days=100), now=NOW) == NOW + timedelta(days=86)
    assert SHIPPED.review_by(NOW + timedelta(days=14), now=NOW) == NOW
    assert SHIPPED.review_by(NOW + timedelta(days=3), now=NOW) == NOW


@pytest.mark.parametrize(
    ("organisation", "agent", "together"),
    [
        ("rules", "rules", "rules"), ("rules", "propose_only", "propose_only"), ("rules", "off", "off"),
        ("propose_only", "rules", "propose_only"), ("propose_only", "propose_only", "propose_only"),
        ("propose_only", "off", "off"), ("off", "rules", "off"), ("off", "propose_only", "off"), ("off", "off", "off"),
    ],
)  # fmt: skip
def test_of_two_modes_the_one_that_goes_less_far_holds(organisation: str, agent: str, together: str) -> None:
    of_organisation = SHIPPED.narrowed(
        modes=RULES | {Kind.SEMANTIC: PolicyMode(organisation)}, commit_at=None, discard_below=None
    )
    found = of_organisation.narrowed(
        modes=RULES | {Kind.SEMANTIC: PolicyMode(agent)}, commit_at=None, discard_below=None
    )
    assert found.modes == RULES | {Kind.SEMANTIC: PolicyMode(together)}


def test_an_agent_s_thresholds_stand_where_it_has_some() -> None:
    own = SHIPPED.narrowed(modes=RULES, commit_at=0.6, discard_below=0.0)
    assert (own.commit_at, own.discard_below, own.version) == (0.6, 0.0, SHIPPED.version)
    inherited = SHIPPED.narrowed(modes=RULES, commit_at=None, discard_below=None)
    assert (inherited.commit_at, inherited.discard_below) == (SHIPPED.commit_at, SHIPPED.discard_below)
