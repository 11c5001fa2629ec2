"""What is dreamt in the bench of dreams, and how its figures read."""

import json
from pathlib import Path

from memoryhub.management import replay
from memoryhub.management.dream_bench import Night, copied, in_words, made_up


def test_made_up_sessions_are_turns_as_replay_takes_them(tmp_path: Path) -> None:
    file = tmp_path / "turns.jsonl"
    file.write_text("".join(json.dumps(turn) + "\n" for session in made_up(3) for turn in session))
    assert [len(session) for session in replay.read(file)] == [6, 6, 6]


def test_copies_share_no_name() -> None:
    turns = list(copied(list(made_up(2)), 3, first=1))
    assert len({turn["event_id"] for turn in turns}) == len(turns) == 36
    assert len({turn["session_id"] for turn in turns}) == len({turn["subject"] for turn in turns}) == 6


def test_a_nights_figures_are_told_for_each_session() -> None:
    night = Night(sessions=100, events=657, seconds=20.0, cpu_seconds=9.0, database_cpu_seconds=1.0, peak_mb=300.0)
    assert in_words(night).startswith("100 sessions, 657 turns: 20.0 s, 200 ms a session; processor 9.0 s")
    assert night.as_json()["cpu_milliseconds_a_session"] == 100.0
