"""The ledger of erasures beside the database: each receipt at least once, whatever crashed, and never a word (R91)."""

import json
from datetime import timedelta
from pathlib import Path

import pytest
from django.conf import settings

from memoryhub.governance import erasure_ledger
from memoryhub.models import Erasure, Subject
from memoryhub.tenancy import ALL_SUBJECTS, acting_for
from memoryhub.vocabulary import Ending
from tests.factories.ground import NOW, Ground


@pytest.fixture(autouse=True)
def ledger(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    path = tmp_path / "erasures.jsonl"
    monkeypatch.setattr(settings, "MEMORYHUB_ERASURE_LEDGER", path)
    return path


@pytest.fixture
def receipts(ground: Ground, asha: Subject) -> list[Erasure]:
    with acting_for(ground.as_hub, subjects=ALL_SUBJECTS):
        made = [
            Erasure.objects.create(
                organisation=ground.organisation, ending=Ending.SUBJECT, target=asha.pk, removed={"entries": day},
                requested_by="agent:helper", erased_at=NOW - timedelta(days=day, microseconds=7),
            )
            for day in (1, 2, 3)
        ]  # fmt: skip
        for receipt in made:
            ground.vouch("erase.subject", "erasure", receipt.pk)
    return made


def test_what_is_missing_is_written_from_the_table_once(receipts: list[Erasure], ledger: Path) -> None:
    assert erasure_ledger.catch_up(now=NOW) == 3
    assert erasure_ledger.catch_up(now=NOW) == 0
    read = erasure_ledger.read(ledger)
    assert [row.pk for row in read.rows] == [row.pk for row in reversed(receipts)], "oldest first"
    told, kept = read.rows[0], receipts[-1]
    for name in ("organisation_id", "ending", "target", "requested_by", "erased_at"):
        assert getattr(told, name) == getattr(kept, name)
    assert (told.removed, read.torn) == ({}, 0)


def test_a_line_that_a_crash_tore_in_half_is_passed_over_and_comes_again(
    receipts: list[Erasure], ledger: Path, caplog: pytest.LogCaptureFixture
) -> None:
    erasure_ledger.catch_up(now=NOW)
    whole = ledger.read_bytes()
    ledger.write_bytes(whole[:-40])  # the last one is half there
    with caplog.at_level("WARNING"):
        read = erasure_ledger.read(ledger)
    assert (len(read.rows), read.torn) == (2, 1)
    assert "1 lines" in caplog.text
    assert erasure_ledger.catch_up(now=NOW) == 1
    after = erasure_ledger.read(ledger)
    assert ({row.pk for row in after.rows}, after.torn) == ({row.pk for row in receipts}, 1)


@pytest.mark.parametrize("line", [b"", b"[]", b"{}", b'{"id": "x"}', b"\xff\xfe", b'"words"', b'{"id": null}'])
def test_a_line_that_is_none_is_never_fatal(receipts: list[Erasure], ledger: Path, line: bytes) -> None:
    ledger.write_bytes(line + b"\n")
    erasure_ledger.catch_up(now=NOW)
    assert len(erasure_ledger.read(ledger).rows) == 3


def test_a_line_that_is_there_twice_is_one_erasure(receipts: list[Erasure], ledger: Path) -> None:
    erasure_ledger.catch_up(now=NOW)
    ledger.write_bytes(ledger.read_bytes() * 2)
    assert len(erasure_ledger.read(ledger).rows) == 3


def test_what_another_version_wrote_is_read_as_far_as_it_is_known(receipts: list[Erasure], ledger: Path) -> None:
    erasure_ledger.catch_up(now=NOW)
    lines = [json.loads(line) | {"of_a_later_version": [1]} for line in ledger.read_text().splitlines()]
    lines[0].pop("requested_by")
    ledger.write_text("".join(f"{json.dumps(line)}\n" for line in lines))
    assert len(erasure_ledger.read(ledger).rows) == 3


def test_a_receipt_is_noted_when_its_transaction_commits_and_not_before(
    receipts: list[Erasure], ledger: Path, django_capture_on_commit_callbacks: object
) -> None:
    with django_capture_on_commit_callbacks(execute=True):  # type: ignore[operator]
        erasure_ledger.note(receipts[0])
        assert not ledger.exists()
    assert [row.pk for row in erasure_ledger.read(ledger).rows] == [receipts[0].pk]
    assert ledger.stat().st_mode & 0o077 == 0


def test_a_ledger_that_can_t_be_written_holds_up_no_erasure(
    receipts: list[Erasure], ledger: Path, caplog: pytest.LogCaptureFixture, django_capture_on_commit_callbacks: object
) -> None:
    ledger.mkdir()
    with django_capture_on_commit_callbacks(execute=True):  # type: ignore[operator]
        erasure_ledger.note(receipts[0])
    assert "tried again" in caplog.text
    ledger.rmdir()
    assert erasure_ledger.catch_up(now=NOW) == 3


def test_two_files_become_one(receipts: list[Erasure], ledger: Path, tmp_path: Path) -> None:
    erasure_ledger.catch_up(now=NOW)
    other = tmp_path / "other.jsonl"
    erasure_ledger.append(ledger.read_bytes().splitlines()[:1], other)
    erasure_ledger.merge(ledger, other)
    assert {row.pk for row in erasure_ledger.read(other).rows} == {row.pk for row in receipts}
    assert len(other.read_bytes().splitlines()) == 3
