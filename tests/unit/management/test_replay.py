"""A recording is read whole before anything is sent."""

import json
from pathlib import Path

import pytest

from memoryhub.errors import Invalid
from memoryhub.management.replay import Figures, read


def turn(session: str, event: str) -> str:
    return json.dumps({"session_id": session, "event_id": event})


def test_turns_are_grouped_by_session_in_order_and_blank_lines_skipped(tmp_path: Path) -> None:
    path = tmp_path / "turns.jsonl"
    path.write_text("\n".join([turn("b", "1"), "", turn("a", "2"), turn("b", "3")]))
    assert [[each["event_id"] for each in session] for session in read(path)] == [["1", "3"], ["2"]]


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("{no json", "Line 1 is not JSON."),
        (turn("a", "1") + "\n[]", "Line 2 is no turn"),
        ('{"event_id": "1"}', "Line 1 is no turn"),
        ('{"event_id": 1, "session_id": "a"}', "Line 1 is no turn"),
    ],
)
def test_a_bad_line_is_named(tmp_path: Path, text: str, sentence: str) -> None:
    path = tmp_path / "turns.jsonl"
    path.write_text(text)
    with pytest.raises(Invalid, match=sentence):
        read(path)


def test_a_file_that_is_not_there_or_no_text_is_said(tmp_path: Path) -> None:
    with pytest.raises(Invalid, match="can't be read"):
        read(tmp_path / "none")
    (tmp_path / "binary").write_bytes(b"\xff\xfe\x00")
    with pytest.raises(Invalid, match="no UTF-8"):
        read(tmp_path / "binary")


def test_figures_count_every_outcome() -> None:
    figures = Figures(total=3, seconds=2.0)
    figures.outcomes.update(written=2, withheld=1)
    assert figures.as_json() == {
        "turns": 3, "seconds": 2.0, "turns_per_second": 1.5, "written": 2, "withheld": 1, "duplicate": 0, "refused": 0,
    }  # fmt: skip
