"""Some of many people have everything forgotten: no word of theirs is anywhere, and nobody else's row is changed; then a
backup from before is put back, and it is the same hub (S18).

A word of each person's own stands in everything that is derived from what they say. The long test is the figure of
S18; the short one is the same with fewer people, in every run.
"""

import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest
from django.conf import settings
from django.core.management import call_command
from django.utils import timezone

from memoryhub.governance import access, aftercare, audit, verification
from memoryhub.governance.terms import field_of
from memoryhub.governance.words_about import KNOWN_SINCE
from memoryhub.management import backup, restore
from memoryhub.models import PendingErasure, RecordReading, Subject
from memoryhub.providers import restoring
from memoryhub.providers.database import embedded_folder
from memoryhub.providers.embeddings import HashingEmbedder, using
from memoryhub.tenancy import ALL_SUBJECTS, acting_for, system_principal
from tests.cast import Cast
from tests.integration.elsewhere import elsewhere, empty_machine
from tests.integration.population import (
    Population,
    Rows,
    administrator,
    every_row,
    files_holding,
    holding,
    ids_of,
    nearest,
)

#: What others' rows may change in, and why.
EXPLAINED = {
    ("memoryhub_idempotentrequest", "body"),  # an answer about a batch of turns names nobody: it is emptied with any
    ("memoryhub_dreamoperation", "skill_id"),  # a line of a report about a lesson that nobody else stands behind
    ("memoryhub_audithead", "seq"), ("memoryhub_audithead", "row_hash"),  # the trail went on
    ("django_q_ormq", "lock"), ("memoryhub_workerbeat", "beat_at"),  # a worker is woken
    ("accounts_key", "last_used_at"),  # the key that had them forgotten was used; told in steps of minutes
}  # fmt: skip
#: Tables that get rows when somebody is forgotten.
TOLD = {
    "memoryhub_auditevent", "memoryhub_erasure", "memoryhub_forgottenmark", "memoryhub_job", "django_q_ormq",
    "memoryhub_notice",
}  # fmt: skip
#: What a person has only while a record's system is asked, and while they are going to be forgotten: tests of their own.
ELSEWHERE = {RecordReading, PendingErasure}
#: What no archive holds: who is signed in, what wakes the worker. The keys of people are in a file of their own.
LEFT_OUT = {*backup.WITHOUT_ROWS, restoring.TABLE} - {"memoryhub_subjectkey"}
#: What says of an erasure that it was done, and is said anew of one that was done again: the audit trail (which goes on
#: from where the backup was), what agents are told, the mark that everything was forgotten (the same, as a row of its
#: own), the job that clears the files.
ANEW = {"memoryhub_auditevent", "memoryhub_notice", "memoryhub_forgottenmark", "memoryhub_job"}


@pytest.fixture(autouse=True)
def _no_meaning_needed() -> Iterator[None]:
    with using(HashingEmbedder()):
        yield


@dataclass(frozen=True)
class Forgotten:
    """Who was forgotten, with their words; everybody's words; an archive from before; every row right before and after."""

    cast: Cast
    words: dict[str, str]
    everybody: dict[str, str]
    archive: Path
    before: Rows
    after: Rows


@pytest.mark.usefixtures("committed_db")
def test_of_six_people_two_are_forgotten(tmp_path: Path) -> None:
    done = _forget_some(people=6, gone=2, first=2000, archive=tmp_path / "before.sealed")
    with elsewhere():
        restore.restore(restore.Wanted(archive=done.archive), now=timezone.now, say=lambda _: None)
        _the_same_hub(done)
        with administrator() as asked:
            asked.execute("CHECKPOINT")
            (place,) = asked.execute("SELECT oid FROM pg_database WHERE datname = current_database()").fetchone()
    if settings.MEMORYHUB_LOGINS.embedded:  # another server's files are not to be seen
        assert _holding(embedded_folder(settings.DATA) / "base" / str(place), done.words) == []


@pytest.mark.long
@pytest.mark.usefixtures("committed_db")
@pytest.mark.skipif(not settings.MEMORYHUB_LOGINS.embedded, reason="an empty machine brings its own database")
def test_of_two_hundred_people_twenty_are_forgotten(tmp_path: Path) -> None:
    done = _forget_some(people=200, gone=20, archive=tmp_path / "before.sealed")
    began = time.monotonic()
    with empty_machine(done.archive, ledger=settings.MEMORYHUB_ERASURE_LEDGER) as (data, said):
        print(f"\nput back in {time.monotonic() - began:.1f} s: {said}")
        assert f"done again: {len(done.words)}" in said
        _the_same_hub(done)
        assert files_holding(done.words, data) == []
        assert _holding(embedded_folder(data), done.words) == []


def _holding(folder: Path, words: dict[str, str]) -> list[Path]:
    """The database's own files in which one of the words stands."""

    def holds(path: Path) -> bool:
        found = path.read_bytes().lower()
        return any(word.encode() in found for word in words.values())

    return [path for path in folder.rglob("*") if path.is_file() and holds(path)]


def _the_same_hub(done: Forgotten) -> None:
    """What was put back, before anybody is served, is the hub that went on without whom it had forgotten."""
    now = every_row()
    assert holding(done.words, now) == {}
    kept = {who: word for who, word in done.everybody.items() if who not in done.words}
    assert set(holding(kept, now)) == set(kept)
    for word in done.words.values():
        statement, _ = nearest(word)
        assert not any(one in statement.casefold() for one in done.words.values())
    assert {table for table, _ in set(done.after) - set(now)} <= LEFT_OUT | ANEW
    assert {table for table, _ in set(now) - set(done.after)} <= ANEW
    assert _marks(now) == _marks(done.after), "others may say as little again as before"
    changed = _changed(done.after, now)
    assert {one for one in changed if one[0] not in LEFT_OUT | {"memoryhub_auditevent"}} <= EXPLAINED, changed
    trail = {place for place, row in done.before.items() if place[0] == "memoryhub_auditevent" and now[place] != row}
    assert trail == set(), "what was on record at the backup stays on record as it was"


def _changed(before: Rows, after: Rows) -> set[tuple[str, str]]:
    """In which columns of which tables a row that is still there is another."""
    return {
        (table, name)
        for (table, key), row in before.items()
        if (table, key) in after
        for name in row
        if name and row[name] != after[table, key][name]
    }


def _marks(rows: Rows) -> list[tuple[object, ...]]:
    found = [row for (table, _), row in rows.items() if table == "memoryhub_forgottenmark"]
    return sorted((row["subject_id"], row["mark"], row["forgotten_at"]) for row in found)


def _forget_some(*, people: int, gone: int, archive: Path, first: int = 0) -> Forgotten:
    cast = Cast()
    population = Population(cast)
    names = [population.plant(first + number) for number in range(people)]
    population.night()
    before = every_row()
    planted = holding(population.words, before)
    tables = {line.split()[0] for line in planted[names[0]]}
    assert len(planted) == people
    assert tables >= {
        "memoryhub_entry", "memoryhub_turn", "memoryhub_session", "memoryhub_provenance", "memoryhub_record", "memoryhub_evidence", "memoryhub_reviewitem",
        "memoryhub_reviewnote", "memoryhub_reviewquestion", "memoryhub_subject", "memoryhub_skill",
    }, tables  # fmt: skip
    (anybody,) = ids_of(cast, names[:1])
    about = {table for (table, _), row in before.items() if row.get("subject_id") == anybody}
    assert about >= {model._meta.db_table for model in KNOWN_SINCE if model not in ELSEWHERE}, about
    forgotten = names[:: people // gone][:gone]
    words = {who: population.words[who] for who in forgotten}
    erased = ids_of(cast, forgotten)
    assert any(nearest(word)[1] < 0.6 for word in words.values())

    backup.take(path=archive, keys=None, sealing=None, now=timezone.now())
    assert not any(word.encode() in archive.read_bytes().lower() for word in words.values())

    began = time.monotonic()
    for who in forgotten:
        receipt = cast.delete(f"/subjects/{who}/memories", by="olga").body
        assert (receipt["remaining"], receipt["removed"]["entries"] > 5) == (0, True)
    took = time.monotonic() - began
    print(f"\n{gone} of {people} people forgotten in {took:.1f} s, {len(before)} rows in all")
    assert took < 60
    assert field_of.cache_info().currsize == 0  # type: ignore[attr-defined]
    after = every_row()
    assert holding(words, after) == {}
    _nothing_else_changed(before, after, erased)
    aftercare.clear()
    population.night()
    later = every_row()
    assert holding(words, later) == {}
    assert files_holding(words, settings.DATA) == []
    for word in words.values():
        statement, _ = nearest(word)
        assert not any(one in statement.casefold() for one in words.values())
    kept = {who: word for who, word in population.words.items() if who not in words}
    assert set(holding(kept, later)) == set(kept)
    call_command("verify_erasure", "--organisation", cast.slug)
    hub = system_principal(access.organisation_of(cast.slug).pk, "test")
    with acting_for(hub, subjects=ALL_SUBJECTS):
        assert list(verification.left_behind(hub.organisation)) == []
        assert audit.first_broken_link(hub.organisation) is None
        assert Subject.objects.filter(display_name="").count() >= gone
    return Forgotten(cast, words, population.words, archive, before, after)


def _nothing_else_changed(before: Rows, after: Rows, erased: set[str]) -> None:
    """What went belongs to who was erased, or to a row that did; what changed and what came is explained."""
    left = {place: row[""] for place, row in before.items() if place not in after}
    theirs, told = set(erased), ""
    while reached := [
        place for place, words in left.items() if place[1] in told or any(one in words for one in theirs)
    ]:
        told = " ".join(left[place] for place in reached)  # a lesson's evidence names the lesson
        theirs = {key for _, key in reached}
        for place in reached:
            del left[place]
    assert left == {}
    changed = _changed({place: row for place, row in before.items() if place[1] not in erased}, after)
    assert changed <= EXPLAINED, changed - EXPLAINED
    assert {table for table, _ in set(after) - set(before)} <= TOLD
