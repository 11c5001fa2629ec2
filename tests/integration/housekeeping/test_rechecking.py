"""Facts are held against their records at night too; a record that agrees answers for everybody else (R36, R77)."""

from collections.abc import Callable, Iterator
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest

from memoryhub.governance import record_sources
from memoryhub.models import Entry, ReviewItem, Subject
from memoryhub.providers import records as provider
from memoryhub.vocabulary import Chore, Deed, ReviewState, Role, Status
from tests.factories.ground import NOW, Ground
from tests.factories.turns import all_of
from tests.integration.housekeeping.conftest import Keep, Tell


@pytest.fixture(autouse=True)
def _rested() -> Iterator[None]:
    provider.wake()
    yield
    provider.wake()


@pytest.fixture
def record(ground: Ground, tmp_path: Path, settings: Any) -> Path:
    """A file that has the last word about which city somebody lives in."""
    settings.MEMORYHUB_RECORD_ROOTS = (tmp_path,)
    mapping = {"city": {"source": "file", "path": "people.toml", "pattern": r'^city = "(.+)"$'}}
    with all_of(ground):
        record_sources.set_sources(agent=ground.agent, mapping=mapping, by=ground.as_hub, now=NOW)
    return tmp_path / "people.toml"


def test_a_record_that_says_otherwise_corrects_the_fact(
    ground: Ground, tell: Tell, keep: Keep, look: Callable[[Entry], Entry], record: Path
) -> None:
    entry = tell("I live in Pune.")
    record.write_text('city = "Mumbai"\n')
    assert keep(Chore.RECHECK, NOW + timedelta(days=2)).counts == {Deed.CORRECTED: 1}
    assert look(entry).status == Status.REPLACED
    with all_of(ground):
        (now_in_force,) = Entry.objects.filter(key="city", status=Status.ACCEPTED).select_related("provenance")
        assert (now_in_force.value, now_in_force.provenance.role) == ("Mumbai", Role.SYSTEM_OF_RECORD)
    assert keep(Chore.RECHECK, NOW + timedelta(days=2)).counts == {}


def test_a_record_that_agrees_confirms_what_somebody_would_be_asked_about(
    ground: Ground, tell: Tell, keep: Keep, look: Callable[[Entry], Entry], record: Path
) -> None:
    entry = tell("I live in Pune.")
    record.write_text('city = "Pune"\n')
    soon = entry.expires_at - timedelta(days=3)
    keep(Chore.ASK, soon)
    keep(Chore.RECHECK, soon)
    kept = look(entry)
    assert kept.status == Status.ACCEPTED
    assert kept.last_confirmed_at == soon
    assert kept.expires_at > entry.expires_at
    with all_of(ground):
        assert not ReviewItem.objects.filter(state=ReviewState.WAITING).exists()
    assert keep(Chore.RECHECK, soon).counts == {}


def test_a_record_that_can_not_be_read_changes_nothing_and_is_told(
    tell: Tell, keep: Keep, look: Callable[[Entry], Entry], record: Path
) -> None:
    entry = tell("I live in Pune.")
    assert not record.exists()
    assert keep(Chore.RECHECK, NOW + timedelta(days=2)).counts == {Deed.UNREACHABLE: 1}
    assert look(entry).status == Status.ACCEPTED


def test_without_a_mapping_nobody_is_looked_at(asha: Subject, tell: Tell, keep: Keep) -> None:
    tell("I live in Pune.")
    run = keep(Chore.RECHECK, NOW + timedelta(days=2))
    assert (run.counts, run.seen) == ({}, 0)
