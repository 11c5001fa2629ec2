"""How much of a statement evidence shows: all, a part in its own words, or nothing (R19)."""

from typing import Any

import pytest

from memoryhub.governance.support import NOTHING, WHOLE, Shown, Support, note_about, support_of
from memoryhub.models import Entry, Provenance
from memoryhub.vocabulary import Category, EvidenceType, Kind


def entry(
    content: str, *, key: str = "", value: str = "", kind: Kind = Kind.SEMANTIC, ref: str = "", **more: Any
) -> Entry:
    made = Entry(
        content=content, key=key, value=value, kind=kind, category=more.pop("category", Category.GENERAL), **more
    )
    made.provenance = Provenance(entry=made, ref=ref)
    return made


def note(content: str = "It held", **more: Any) -> Entry:
    return entry(content, kind=Kind.EPISODIC, **more)


def shown(kind: str, value: str = "", ref: str = "x") -> Shown:
    return Shown(EvidenceType(kind), ref, value)


@pytest.mark.parametrize(
    ("kind", "value", "support"),
    [
        ("merge", "", NOTHING), ("test", "", NOTHING), ("document", "", NOTHING), ("record", "", NOTHING),
        ("document", "port 8080 in use", WHOLE), ("document", "port 80801", NOTHING), ("test", "8080", WHOLE),
    ],
)  # fmt: skip
def test_a_keyed_statement_is_backed_by_its_value(kind: str, value: str, support: Support) -> None:
    assert support_of(entry("The port is 8080", key="port", value="8080"), shown(kind, value)) == support


@pytest.mark.parametrize(("kind", "backed"), [("merge", True), ("test", True), ("document", False), ("record", False)])
def test_a_note_about_a_fix_is_backed_by_the_fix_s_outcome(kind: str, backed: bool) -> None:
    assert bool(support_of(note(), shown(kind))) is backed
    assert bool(support_of(entry("It held", category=Category.LESSON), shown(kind))) is backed


def test_a_merge_without_words_backs_what_tells_of_a_change_and_no_value() -> None:
    assert support_of(entry("The cursor is kept open until the last page"), shown("merge")) == WHOLE
    assert support_of(entry("The port is 8080", key="port", value="8080"), shown("merge", "listen on 8080")) == WHOLE


@pytest.mark.parametrize(
    ("key", "value", "evidence", "backed"),
    [
        ("retries", "3", "timeout = 3", False), ("retries", "3", "retries = 3", True),
        ("retries", "3", "MAX_RETRY=3", True), ("retries", "3", "timeout: 3\nmaxRetries: 3", True),
        ("retries", "3", '{"timeout": 3, "retries": 5}', False), ("retries", "3", '{"timeout": 5, "retries": 3}', True),
        ("debug", "false", "cache=false", False), ("debug", "false", "DEBUG=false", True),
        ("lease", "6 months", "notice: 6 months", False), ("lease", "6 months", "the lease runs for 6 months", True),
        ("port", "8080", "8080", True), ("port", "8080", "listen 8080", True), ("port", "8080", "http.port: 8080", True),
        ("engine", "MariaDB 11", "database = mariadb 11", True),  # a name tells what it is
        ("target", "test-fast", "test-fast:\n\tpytest -x", True),
    ],
)  # fmt: skip
def test_a_bare_value_is_backed_under_its_own_name_alone(key: str, value: str, evidence: str, backed: bool) -> None:
    claim = entry(f"The {key} is {value}", key=key, value=value)
    assert bool(support_of(claim, shown("document", evidence))) is backed


def test_what_a_statement_says_besides_its_value_waits() -> None:
    claim = entry("The port is 8080, and it was opened on 3 May", key="port", value="8080")
    assert support_of(claim, shown("document", "listen 8080")) == Support(text="The port is 8080", value="8080")
    assert support_of(entry("The cache is Valkey 8 (east)", key="cache", value="Valkey 8 (east)"), shown("record", "Valkey 8")) == (
        Support(text="cache: Valkey 8", value="Valkey 8")
    )  # fmt: skip


@pytest.mark.parametrize(
    "content",
    ["The port is 8080 with every login waved through", "Whoever asks gets the master key", "Open to all is port 8080 tonight"],
)  # fmt: skip
def test_words_that_come_with_a_value_are_not_backed_by_it(content: str) -> None:
    claim = entry(content, key="port", value="8080")
    assert support_of(claim, shown("document", "listen 8080")) == Support(text="port: 8080", value="8080")


def test_an_unkeyed_statement_is_backed_clause_by_clause() -> None:
    claim = entry("There is a tidy-up.sh script, and it frees 9 GB")
    assert support_of(claim, shown("document", "ls: tidy-up.sh run.sh")) == Support(text="There is a tidy-up.sh script")
    assert support_of(claim, shown("document", "ls: run.sh")) == NOTHING
    assert support_of(entry("There is a tidy-up.sh script"), shown("document", "tidy-up.sh")) == WHOLE


def told(*evidence: str, fix: str = "") -> Entry:
    return note(episode={"fix": fix, "evidence": list(evidence)})


def test_the_note_is_told_by_the_change_it_names() -> None:
    right, wrong = told("run 3", "PR #41"), told("PR #42")
    for ref in ("#41", "pull request 41", "https://git.example/tide/pulls/41"):
        assert note_about([wrong, right], shown("merge", ref=ref)) is right
    assert note_about([wrong], shown("merge", ref="#41")) is None
    assert note_about([note(ref="commit 9f2ab41c")], shown("merge", ref="9f2ab41c")) is not None


def test_else_by_being_the_only_one_about_a_fix() -> None:
    fixed, looked = told("run 3", fix="pin the clock"), told("run 4")
    assert note_about([looked, fixed], shown("merge", ref="#41")) is fixed
    assert note_about([looked], shown("merge", ref="#41")) is looked
    assert note_about([fixed, told("run 5", fix="other")], shown("merge", ref="#41")) is None
    assert note_about([], shown("merge", ref="#41")) is None


def test_what_an_episode_holds_besides_is_no_trouble() -> None:
    for episode in (None, {}, {"fix": None, "evidence": None}, {"evidence": "PR 41"}, {"evidence": [1, None]}):
        assert note_about([note(episode=episode)], shown("merge", ref="#41")) is not None
