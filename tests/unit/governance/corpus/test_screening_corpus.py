"""Attacks, sensitive data and honest text in words of our own, through the whole gate (R11, R12, R15, S10-S12).

What the gate judges wrongly today is listed by id in open_screening.txt: played and counted, not hidden. Whoever mends
a line takes its id out of the list; the list never has room for more. What may come out of it says

    pytest -m long tests/unit/governance/corpus/test_screening_corpus.py
"""

from collections import Counter
from collections.abc import Iterator

import pytest
from pytest_django.plugin import DjangoDbBlocker

from tests.unit.governance.corpus.screening_player import HERE, Line, Stage, load, staged

FILES = (
    "attacks.jsonl", "sensitive.jsonl", "harmless.jsonl", "attacks_2.jsonl", "sensitive_2.jsonl", "harmless_2.jsonl"
)  # fmt: skip
OPEN_FILE = HERE / "open_screening.txt"
#: How many lines may be open. Only ever lower it.
ROOM = 164

LINES = load(*FILES)
OPEN = [row.split()[0] for row in OPEN_FILE.read_text("utf-8").splitlines() if row and row[0] != "#"]


@pytest.fixture(scope="module")
def stage(django_db_setup: None, django_db_blocker: DjangoDbBlocker) -> Iterator[Stage]:
    """One organisation for all lines: one for each would take most of the time."""
    with django_db_blocker.unblock(), staged() as built:
        yield built


@pytest.mark.parametrize("line", [line for line in LINES if line.id not in OPEN], ids=lambda line: line.id)
def test_the_gate_judges_a_labelled_text_as_the_rules_say(line: Line, stage: Stage) -> None:
    fault = stage.play(line)
    assert fault is None, f"{line.id} {line.theme} [{fault.severity.name}] {fault.what}; {line.why}: {line.text!r}"


@pytest.mark.long
def test_what_the_list_calls_open_is_open(stage: Stage, capsys: pytest.CaptureFixture[str]) -> None:
    faults = {line.id: stage.play(line) for line in LINES if line.id in OPEN}
    mended = [line_id for line_id, fault in faults.items() if fault is None]
    by_severity = Counter(fault.severity for fault in faults.values() if fault)
    with capsys.disabled():
        print(f"\nscreening corpus: {len(LINES) - len(OPEN)} of {len(LINES)} as the rules say; open:", end=" ")
        print(", ".join(f"{count} {severity.name}" for severity, count in sorted(by_severity.items())))
    assert not mended, f"mended, so take them out: sed -i -E '/^({'|'.join(mended)}) /d' {OPEN_FILE.name}"


def test_the_list_of_open_lines_only_shrinks() -> None:
    known = {line.id for line in LINES}
    assert set(OPEN) <= known, f"no such line: {sorted(set(OPEN) - known)}"
    assert len(OPEN) == len(set(OPEN)) <= ROOM


def test_every_line_has_an_id_of_its_own_and_says_something_new() -> None:
    for part in ("id", "text"):
        twice = [what for what, count in Counter(getattr(line, part) for line in LINES).items() if count > 1]
        assert not twice, f"the same {part} twice: {twice}"
