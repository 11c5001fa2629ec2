"""An agent that remembers only how its runs fail keeps nothing of what it read, was asked or answered (R79)."""

from typing import Any

import pytest

from memoryhub.dreams.inbox import FAILURES
from memoryhub.governance import agent_tools, intake, policy_versions
from memoryhub.models import Entry, Event, ReviewItem, Skill, Turn
from memoryhub.vocabulary import Channel, Kind, Op, Reason, Remembers, Role
from tests.factories.ground import NOW, Ground, make_ground
from tests.factories.turns import action, all_of, night, post, signal

pytestmark = pytest.mark.django_db

PAGE = "The moon base opens in May, says the page."


@pytest.fixture
def ground() -> Ground:
    ground = make_ground()
    with all_of(ground):
        policy_versions.change_agent(agent=ground.agent, by=ground.as_operator, now=NOW, remembers=Remembers.FAILURES)
    return ground


def run(ground: Ground, number: int, *signals: dict[str, Any]) -> None:
    post(
        ground, ground.subject("lab"), f"Find out about {PAGE}", session=f"run-{number}", event=f"run-{number}",
        assistant_output=f"I found this: {PAGE}", actions=[action("open_page", result=PAGE, url="https://moon.example/base")],
        observations=[{"kind": "page", "value": PAGE}], signals=list(signals), minutes=number,
    )  # fmt: skip


def everything_kept(ground: Ground) -> str:
    with all_of(ground):
        tables = (Entry, Event, Turn, Skill, ReviewItem)
        return str([list(table.objects.values()) for table in tables])


def test_nothing_that_a_page_said_is_kept_and_what_failed_is(ground: Ground) -> None:
    blocked = signal("blocked domain: tabloid.example", kind="source_rejected", scope="run")
    run(ground, 1, blocked, signal("the page was kind", kind="mood"))
    run(ground, 2)
    night(ground)
    kept = everything_kept(ground)
    assert "moon" not in kept
    assert "kind" not in kept or "the page was kind" not in kept
    with all_of(ground):
        (summary,) = Entry.objects.all()
        assert summary.content == '2026-11-30, 1 turn: Recorded as source_rejected: "blocked domain: tabloid.example".'
        assert set(Event.objects.values_list("withheld", flat=True)) == {FAILURES}


def test_what_keeps_failing_becomes_a_planning_lesson(ground: Ground) -> None:
    spec = agent_tools.SignalSpec("source_rejected", "{value} ({sessions} runs): plan the next run without it.")
    with all_of(ground):
        agent_tools.set_signals(agent=ground.agent, signals=[spec], by=ground.as_operator, now=NOW)
    for number in range(3):
        run(
            ground, number, signal("blocked domain: tabloid.example", kind="source_rejected", scope="run"),
            signal("searches", kind="budget_stop", scope="run"),
        )  # fmt: skip
    night(ground)
    with all_of(ground):
        (skill,) = Skill.objects.all()  # budget_stop is none of this agent's kinds
    assert skill.description == "blocked domain: tabloid.example (3 runs): plan the next run without it."
    assert (skill.tools, skill.prefetch, skill.triggers) == ([], [], ["run"])


def test_neither_its_own_notes_nor_pages_nor_its_users_words_are_kept(ground: Ground) -> None:
    lab = ground.subject("lab")
    offers = [
        (Channel.AGENT_INFERENCE, Role.AGENT, None), (Channel.AGENT_INFERENCE, Role.AGENT, Kind.EPISODIC),
        (Channel.WEB_PAGE, Role.AGENT, None), (Channel.DOCUMENT, Role.AGENT, None), (Channel.USER_MESSAGE, Role.CUSTOMER, None),
    ]  # fmt: skip
    for channel, role, kind in offers:
        proposal = intake.Proposal(subject=lab, text="The opening is in May.", channel=channel, role=role, kind=kind)
        with all_of(ground):
            for result in intake.propose(proposal=proposal, by=ground.as_agent, now=NOW).results:
                assert result.op == Op.DISCARDED
    with all_of(ground):
        assert not Entry.objects.exists()
        proposal = intake.Proposal(subject=lab, text="city: Faro", channel=Channel.DOCUMENT, role=Role.AGENT)
        (result,) = intake.propose(proposal=proposal, by=ground.as_agent, now=NOW).results
        assert (result.op, result.reason) == (Op.DISCARDED, Reason.KIND_OFF)


def test_more_runs_of_one_session_are_one_version_and_a_night_without_failures_tells_nothing(ground: Ground) -> None:
    for number, failing in enumerate((True, False, True)):
        signals = (
            [signal(f"criterion {number} is not met by the draft", kind="criterion_failed", scope="run")]
            if failing
            else []
        )
        post(ground, ground.subject("lab"), PAGE, session="study", signals=signals, minutes=number)
        night(ground)
    with all_of(ground):
        held = Entry.objects.filter(status="accepted").values_list("content", flat=True)
        assert list(held) == [
            (
                '2026-11-30, 3 turns: Recorded as criterion_failed: "criterion 0 is not met by the draft". '
                'Recorded as criterion_failed: "criterion 2 is not met by the draft".'
            )
        ]
