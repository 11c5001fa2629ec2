"""A night over real input: recorded sessions of a support desk (657 turns), found beside the repository."""

import json
import os
import re
from datetime import datetime
from pathlib import Path
from typing import Any

import pytest
from django.conf import settings
from django.utils import timezone

from memoryhub.dreams import inbox, reports
from memoryhub.governance import subjects
from memoryhub.models import Entry, Event, Session, Skill
from memoryhub.tenancy import ALL_SUBJECTS, acting_for
from memoryhub.vocabulary import DreamStatus, Kind, Status
from tests.factories.ground import Ground, make_ground
from tests.factories.turns import all_of, night

SHARED = Path(os.environ.get("MEMORYHUB_SHARED", Path(settings.BASE_DIR).parent / "shared"))
RECORDED = SHARED / "data" / "airline-sessions" / "turns.jsonl"

pytestmark = [
    pytest.mark.usefixtures("committed_db"),
    pytest.mark.skipif(
        not RECORDED.is_file(), reason=f"the recorded sessions are not at {RECORDED}; set MEMORYHUB_SHARED"
    ),
]


def recorded() -> list[dict[str, Any]]:
    with RECORDED.open(encoding="utf-8") as lines:
        return [json.loads(line) for line in lines]


def receive(ground: Ground, turns: list[dict[str, Any]]) -> None:
    now = timezone.now()
    for sent in turns:
        fields = {name: value for name, value in sent.items() if name != "subject"}
        fields["occurred_at"] = datetime.fromisoformat(fields["occurred_at"])
        with acting_for(ground.as_agent, subjects=ALL_SUBJECTS):
            subject = subjects.ensure(external_id=sent["subject"], by=ground.as_agent, now=now)
        with acting_for(ground.as_agent, subjects=[subject.pk]):
            inbox.receive_turn(
                turn=inbox.FinishedTurn(**fields), agent=ground.agent, subject=subject, speaker=None,
                by=ground.as_agent, now=now,
            )  # fmt: skip


@pytest.fixture
def ground(committed_db: None) -> Ground:
    made = make_ground()
    receive(made, recorded())
    return made


def test_a_night_over_them_finds_three_candidates_and_tells_each_session_once(ground: Ground) -> None:
    dream = night(ground)
    assert (dream.status, dream.sessions_done, dream.events) == (DreamStatus.DONE, 100, 657)
    with all_of(ground):
        assert sorted(skill.evidence.count() for skill in Skill.objects.all()) == [3, 4, 5]
        summaries = {
            entry.provenance.session_ref: entry
            for entry in Entry.objects.filter(kind=Kind.EPISODIC, status=Status.ACCEPTED).select_related("provenance")
        }
        assert Entry.objects.filter(kind=Kind.EPISODIC).count() == len(summaries) == Session.objects.count() == 100
        for session_ref, entry in summaries.items():
            events = list(Event.objects.filter(session__external_id=session_ref))
            assert sorted(entry.lineage.values_list("event_ref", flat=True)) == sorted(e.external_id for e in events)
            assert_only_what_happened(entry.content, [each for event in events for each in event.actions])
        before = sorted(Entry.objects.values_list("pk", "version")), sorted(Skill.objects.values_list("pk", "version"))

    again = night(ground)
    assert (again.status, again.events) == (DreamStatus.DONE, 0)
    with all_of(ground):
        after = sorted(Entry.objects.values_list("pk", "version")), sorted(Skill.objects.values_list("pk", "version"))
        report = reports.report(again)["report"]
    assert after == before
    assert isinstance(report, dict)
    assert report["operations"] == []


def assert_only_what_happened(summary: str, actions: list[dict[str, Any]]) -> None:
    """Outcomes told of tools that change something equal the recorded ones, counted tool by tool."""
    words = re.sub(r'"[^"]*"', '""', summary)
    changed = ("book", "update", "cancel", "send")
    acted = [each for each in actions if each["tool"].startswith(changed)]
    told: dict[str, dict[str, int]] = {}
    for sentence in re.findall(r"((?:Book|Update|Cancel|Send)[^.]*)\.", words):
        counts = told.setdefault(re.split(r" \(| succeeded| was refused", sentence)[0], {"succeeded": 0, "refused": 0})
        for outcome, _, times in re.findall(r"(succeeded|refused)(?:: \"\")?( \((\d+) times\))?", sentence):
            counts[outcome] += int(times or 1)
    recorded_counts: dict[str, dict[str, int]] = {}
    for each in acted:
        name = each["tool"].replace("_", " ").capitalize()
        counts = recorded_counts.setdefault(name, {"succeeded": 0, "refused": 0})
        counts["succeeded" if each["ok"] else "refused"] += 1
    assert told == recorded_counts, summary
    looked_only = not acted and bool(re.search(r"\bLook(?:ed up|-ups)", words))
    assert ("No other action was taken." in summary) <= looked_only
    assert ("No action was taken." in summary) == (
        not any(each["tool"] not in ("think", "calculate") for each in actions)
    )
