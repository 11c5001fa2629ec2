"""A dream obeys the policy in force like everybody else (R5, R16, R71–R73)."""

from datetime import timedelta
from typing import Any

import pytest

from memoryhub.governance import policy_versions
from memoryhub.models import Decision, DreamOperation, Entry, Skill
from memoryhub.tenancy import ALL_SUBJECTS, acting_for
from memoryhub.vocabulary import Kind, Op, Reason, Store
from tests.factories.ground import NOW, Ground, make_ground
from tests.factories.turns import action, all_of, night, post, refused_in

pytestmark = pytest.mark.django_db


@pytest.fixture
def ground() -> Ground:
    return make_ground()


def sign(ground: Ground, document: dict[str, Any]) -> None:
    with acting_for(ground.as_operator, subjects=ALL_SUBJECTS):
        policy_versions.change(document=document, reason="a quiet night", by=ground.as_operator, now=NOW)


def noted(ground: Ground, store: Store) -> set[tuple[str, str]]:
    with all_of(ground):
        return set(DreamOperation.objects.filter(store=store).values_list("op", "reason"))


def test_kinds_that_are_off_are_neither_summed_up_nor_learned(ground: Ground) -> None:
    sign(ground, {"modes": {"episodic": "off", "procedural": "off"}})
    refused_in(ground, "one", "two", "three")
    night(ground)
    assert noted(ground, Store.EPISODIC) == {(Op.DISCARDED, Reason.KIND_OFF)}
    assert noted(ground, Store.PROCEDURAL) == {(Op.DISCARDED, Reason.KIND_OFF)}
    with all_of(ground):
        assert Entry.objects.count() == Skill.objects.count() == 0


def test_a_summary_that_waited_still_waits_when_its_kind_is_switched_off(ground: Ground) -> None:
    sign(ground, {"modes": {"episodic": "propose_only"}})
    guest = ground.subject()
    post(ground, guest, "Please cancel it.", event="a", actions=[action("get_booking", booking_id="81")])
    night(ground)
    sign(ground, {"modes": {"episodic": "off"}})
    post(ground, guest, "Then move it.", event="b", minutes=2, actions=[action("move_booking", booking_id="81")])
    night(ground)
    with all_of(ground):
        assert list(Entry.objects.filter(kind=Kind.EPISODIC).values_list("status", flat=True)) == ["proposed"]


def test_a_summary_lapses_by_the_policy_and_names_its_version(ground: Ground) -> None:
    sign(ground, {"lifetimes": {"episode_outcome": "5 days"}})
    guest = ground.subject()
    post(ground, guest, "Please cancel it.", event="a", actions=[action("get_booking", booking_id="81")])
    night(ground)
    with all_of(ground):
        entry = Entry.objects.get(kind=Kind.EPISODIC)
        assert entry.expires_at - entry.recorded_at == timedelta(days=5)
        assert set(Decision.objects.filter(role="dreamer").values_list("policy_version", flat=True)) == {1}


def test_a_dreamer_without_grants_writes_nothing(ground: Ground) -> None:
    sign(ground, {"grants": {"dreamer": []}})
    refused_in(ground, "one", "two", "three")
    night(ground)
    assert noted(ground, Store.PROCEDURAL) == {(Op.REFUSED, Reason.NOT_GRANTED)}
    assert noted(ground, Store.EPISODIC) == {(Op.REFUSED, Reason.NOT_GRANTED)}
