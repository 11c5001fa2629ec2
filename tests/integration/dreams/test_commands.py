"""`replay` and `dream`, run as a person runs them: beside a hub that serves (api.md, commands)."""

import json
from pathlib import Path
from typing import Any

import pytest

from tests.factories.turns import action, signal
from tests.integration.hub_process import HubProcess, free_port, manage

SESSIONS, TURNS = 5, 4


def recording() -> list[dict[str, Any]]:
    return [
        {
            "event_id": f"{session}-{number}",
            "session_id": f"stay-{session}",
            "subject": f"guest-{session}",
            "user_input": ["Good morning.", "I prefer the quiet floor.", "My credit limit is $7,500 now.", "Thanks."][
                number
            ],
            "assistant_output": "Certainly.",
            "actions": [action("book_room", room=str(number))],
            "signals": [signal(f"Room {session}{number} is taken")] if number == 0 else [],
        }
        for number in range(TURNS)
        for session in range(SESSIONS)
    ]


@pytest.fixture
def file(tmp_path: Path) -> Path:
    path = tmp_path / "turns.jsonl"
    path.write_text("\n".join(json.dumps(turn) for turn in recording()) + "\n\n")
    return path


def figures(said: str) -> dict[str, Any]:
    found: dict[str, Any] = json.loads(said)
    return found


@pytest.mark.long
def test_a_recording_is_posted_once_dreamt_once_and_told(hub: HubProcess, file: Path) -> None:
    first = manage("replay", str(file), "--organisation", "inn", "--json", data=hub.data, port=hub.port)
    assert first.returncode == 0, first.stderr
    told = figures(first.stdout)
    assert (told["turns"], told["written"], told["withheld"], told["duplicate"], told["refused"]) == (20, 15, 5, 0, 0)
    assert told["turns_per_second"] > 0
    assert "20 of 20 turns" in first.stderr

    again = manage("replay", str(file), "--organisation", "inn", data=hub.data, port=hub.port)
    assert "written 0, withheld 0, duplicate 20, refused 0" in again.stdout

    night = manage("dream", "--organisation", "inn", "--json", data=hub.data, port=hub.port)
    assert night.returncode == 0, night.stderr
    dream = figures(night.stdout)
    assert (dream["status"], dream["progress"]) == ("done", {"sessions_done": SESSIONS, "sessions_total": SESSIONS})
    assert (dream["report"]["events"], dream["report"]["episodic"]["ADD"], dream["report"]["procedural"]["QUEUED"]) == (
        20,
        5,
        1,
    )

    nothing = manage("dream", "--organisation", "inn", data=hub.data, port=hub.port)
    assert "0 sessions, 0 events." in nothing.stdout


def test_turns_the_hub_refuses_are_named_and_the_others_are_posted(hub: HubProcess, tmp_path: Path) -> None:
    good, bad = {**recording()[0]}, {**recording()[1], "colour": "blue"}
    path = tmp_path / "turns.jsonl"
    path.write_text(f"{json.dumps(bad)}\n{json.dumps(good)}\n")
    done = manage("replay", str(path), "--organisation", "inn-2", "--json", data=hub.data, port=hub.port)
    assert done.returncode == 1
    assert (figures(done.stdout)["written"], figures(done.stdout)["refused"]) == (1, 1)
    assert f"first at event {bad['event_id']}: 422" in done.stderr
    assert "Traceback" not in done.stderr


def test_a_file_that_is_not_there_is_said_in_a_sentence(hub: HubProcess, tmp_path: Path) -> None:
    done = manage("replay", str(tmp_path / "none"), "--organisation", "inn", data=hub.data, port=hub.port)
    assert (done.returncode, "can't be read" in done.stderr, "Traceback" in done.stderr) == (1, True, False)


def test_a_hub_that_does_not_answer_is_said_in_a_sentence(hub: HubProcess, file: Path) -> None:
    url = f"http://127.0.0.1:{free_port()}"
    done = manage(
        "replay", str(file), "--organisation", "inn", "--url", url, "--key", "mhk_x", data=hub.data, port=hub.port
    )
    assert done.returncode == 1
    assert "does not answer; is the hub running?" in done.stderr
    assert "Traceback" not in done.stderr


def test_a_key_that_may_not_post_is_said_in_a_sentence(hub: HubProcess, file: Path) -> None:
    done = manage("replay", str(file), "--organisation", "inn", "--key", "mhk_wrong", data=hub.data, port=hub.port)
    assert done.returncode == 1
    assert "does not take this key" in done.stderr


def test_a_dream_of_nobody_is_refused_with_a_sentence(hub: HubProcess) -> None:
    done = manage("dream", "--organisation", "no-such-inn", data=hub.data, port=hub.port)
    assert done.returncode == 1
    assert "There is no organisation 'no-such-inn'." in done.stderr
