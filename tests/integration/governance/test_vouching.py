"""What a record, a curator or evidence says too counts as verified, as if it had come from them (R18, R32)."""

from pathlib import Path
from typing import Any

import pytest

from memoryhub.governance import confirmation, pushing, record_sources
from memoryhub.models import AuditEvent, Entry, Subject
from memoryhub.tenancy import ALL_SUBJECTS, Principal, acting_for
from memoryhub.vocabulary import Channel, Op, Reason, Role, Status
from tests.factories.ground import NOW, Ground
from tests.integration.governance.conftest import Say

RECORD = {"channel": Channel.SYSTEM_OF_RECORD, "role": Role.SYSTEM_OF_RECORD}
CURATOR = {"channel": Channel.CURATOR, "role": Role.CURATOR}
INFERRED = {"channel": Channel.AGENT_INFERENCE, "role": Role.AGENT}


def in_force(ground: Ground, key: str = "plan") -> Entry:
    with acting_for(ground.as_hub, subjects=ALL_SUBJECTS):
        return Entry.objects.select_related("provenance", "subject").get(status=Status.ACCEPTED, key=key)


def who(ground: Ground, how: dict[str, Any]) -> Principal:
    return ground.as_cal if how["role"] == Role.CURATOR else ground.as_record


def verified(entry: Entry) -> tuple[float, str]:
    return entry.authority, entry.confirmed_by


@pytest.mark.parametrize("how", [RECORD, CURATOR], ids=["a record", "a curator"])
@pytest.mark.parametrize("first", ["My plan is basic", "I'm on the basic plan", "My plan is the basic one"])
def test_who_can_know_and_says_the_same_protects_it_like_who_said_it_first(
    say: Say, ground: Ground, how: dict[str, Any], first: str
) -> None:
    (told,) = say(first, key="plan", value="basic").results
    (agreed,) = say("plan: basic", key="plan", value="basic", by=who(ground, how), **how).results
    assert (agreed.op, agreed.reason) == (Op.NOOP, Reason.DUPLICATE)
    kept = in_force(ground)
    assert told.entry is not None
    assert (kept.pk, kept.content, verified(kept)) == (told.entry.pk, told.entry.content, (1.0, how["role"]))
    assert kept.provenance.role == Role.CUSTOMER  # where it came from stays
    (against,) = say("My plan is platinum").results
    assert (against.op, against.reason) == (Op.QUEUED, Reason.CONTRADICTS)
    assert in_force(ground).value == "basic"


def test_it_becomes_verified_by_an_audited_step_once(say: Say, ground: Ground) -> None:
    say("My plan is basic")
    for _ in range(2):
        say("plan: basic", key="plan", value="basic", by=ground.as_record, **RECORD)
    with acting_for(ground.as_hub, subjects=ALL_SUBJECTS):
        assert AuditEvent.objects.filter(action="entry.vouch").count() == 1


@pytest.mark.parametrize("channel", [Channel.EMAIL, Channel.DOCUMENT, Channel.TOOL_RESULT])
def test_text_nobody_vouched_for_verifies_nothing_whoever_hands_it_in(
    say: Say, ground: Ground, channel: Channel
) -> None:
    say("My plan is basic")
    say("plan: basic", key="plan", value="basic", by=ground.as_record, channel=channel, role=Role.SYSTEM_OF_RECORD)
    assert in_force(ground).authority == 0.3


def test_the_person_and_an_agent_verify_nothing(say: Say, ground: Ground) -> None:
    say("My plan is basic")
    say("My plan is basic")
    say("plan: basic", key="plan", value="basic", **INFERRED)
    assert in_force(ground).authority == 0.3
    (changed,) = say("My plan is platinum").results
    assert changed.op == Op.UPDATE


def test_what_is_told_around_the_value_is_not_verified_with_it(say: Say, ground: Ground) -> None:
    say("My plan is basic until the auditor from Graz has been here", key="plan", value="basic")
    (agreed,) = say("plan: basic", key="plan", value="basic", by=ground.as_record, **RECORD).results
    assert agreed.op == Op.UPDATE
    kept = in_force(ground)
    assert (kept.content, kept.authority) == ("plan: basic", 1.0)


def test_a_verified_preference_stays_the_person_s_own_to_change(say: Say, ground: Ground) -> None:
    (told,) = say("I prefer tea").results
    assert told.entry is not None
    key, value = told.entry.key, told.entry.value
    say(told.entry.content, key=key, value=value, by=ground.as_cal, category=told.entry.category, **CURATOR)
    kept = in_force(ground, key)
    assert verified(kept) == (1.0, Role.CURATOR)
    (changed,) = say("I prefer coffee", corrects=kept).results
    assert changed.op == Op.UPDATE


def test_a_pushed_record_that_agrees_verifies(say: Say, ground: Ground, asha: Subject) -> None:
    say("My plan is basic")
    with acting_for(ground.as_record, subjects=ALL_SUBJECTS):
        (pushed,) = pushing.push(subject=asha, values={"plan": "basic"}, by=ground.as_record, now=NOW)
    assert [result.op for result in pushed.outcome.results] == [Op.NOOP]
    assert verified(in_force(ground)) == (1.0, Role.SYSTEM_OF_RECORD)


@pytest.mark.parametrize(
    ("told", "becomes"), [("Our database is MariaDB 11", 1.0), ("Our database is MariaDB 11, Lothar says so", 0.3)]
)
def test_a_source_that_backs_what_is_in_force_verifies_as_much_as_it_shows(
    say: Say, ground: Ground, tmp_path: Path, settings: Any, told: str, becomes: float
) -> None:
    settings.MEMORYHUB_RECORD_ROOTS = (tmp_path,)
    (tmp_path / "db.toml").write_text('engine = "MariaDB 11"\n')
    mapping = {"database": {"source": "file", "path": "db.toml", "pattern": r'^engine = "(.+)"$'}}
    with acting_for(ground.as_hub, subjects=ALL_SUBJECTS):
        record_sources.set_sources(agent=ground.agent, mapping=mapping, by=ground.as_hub, now=NOW)
    say(told, key="database", value="MariaDB 11")
    (settled,) = say("database: Oracle", key="database", value="Oracle", **INFERRED).results
    assert (settled.op, settled.reason) == (Op.NOOP, Reason.SETTLED)
    assert verified(in_force(ground, "database")) == (becomes, Role.SYSTEM_OF_RECORD)


def test_a_curator_s_confirmation_verifies_and_a_person_s_does_not(say: Say, ground: Ground) -> None:
    say("My plan is basic")
    for by, role, becomes in ((ground.as_agent, Role.CUSTOMER, 0.3), (ground.as_cal, Role.CURATOR, 1.0)):
        with acting_for(by, subjects=ALL_SUBJECTS):
            confirmation.confirm(entry=in_force(ground), by=by, now=NOW, role=role)
        assert verified(in_force(ground)) == (becomes, role)
    (against,) = say("My plan is platinum").results
    assert (against.op, against.reason) == (Op.QUEUED, Reason.CONTRADICTS)
