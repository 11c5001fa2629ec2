"""A backup becomes a hub again, and never one that remembers whom it had forgotten (S18's second half, S32; R91)."""

import contextlib
import dataclasses
import json
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path

import pytest
from django.conf import settings
from django.db import connection
from django.db.migrations.loader import MigrationLoader
from psycopg import sql

from memoryhub import readiness
from memoryhub.checks import nothing_is_served_too_early
from memoryhub.dreams.inbox import FinishedTurn, receive_turn
from memoryhub.errors import HubError, KeyDestroyed, KeysUnusable
from memoryhub.governance import audit, erasure, erasure_ledger, subject_keys
from memoryhub.governance.intake import Proposal, propose
from memoryhub.management import backup, launcher, restore
from memoryhub.management.data_folder import CannotStart
from memoryhub.management.demo import NOTE
from memoryhub.models import Entry, Event, Subject, SubjectKey
from memoryhub.providers import key_file, pg_programs, restoring, sealed_file
from memoryhub.providers.database import DatabaseUnusable, connect
from memoryhub.providers.embeddings import HashingEmbedder, using
from memoryhub.tenancy import ALL_SUBJECTS, acting_for
from memoryhub.vocabulary import Channel, Role
from tests.factories.ground import NOW, Ground, make_ground
from tests.integration.elsewhere import elsewhere as another_database

pytestmark = pytest.mark.usefixtures("committed_db")

CANARY = "zanzibarian marmalade"


def now() -> datetime:
    return datetime.now(UTC)


@dataclasses.dataclass(frozen=True)
class Place:
    """Two people with words in every kind of row, a backup of both, and then one of them erased."""

    ground: Ground
    gone: Subject
    kept: Subject
    archive: Path
    ledger: Path
    before: dict[str, list[str]]
    rights: dict[str, list[str]]


@pytest.fixture(autouse=True)
def _no_meaning_needed() -> Iterator[None]:
    with using(HashingEmbedder()):
        yield


def live(ground: Ground, subject: Subject, words: str) -> None:
    """Statements, turns, events and a stored archive of one subject."""
    with acting_for(ground.as_agent, subjects=ALL_SUBJECTS):
        for number in range(2):
            turn = FinishedTurn(
                event_id=f"{subject.external_id}-{number}", session_id=f"s-{subject.external_id}",
                user_input=f"I prefer {words}", assistant_output=f"Noted: {words}",
                observations=[{"kind": "shelf", "value": words}],
            )  # fmt: skip
            receive_turn(turn=turn, agent=ground.agent, subject=subject, speaker=None, by=ground.as_agent, now=NOW)
        proposal = Proposal(
            subject=subject, text=f"The customer likes {words}", channel=Channel.AGENT_INFERENCE, role=Role.AGENT
        )
        propose(proposal=proposal, by=ground.as_agent, now=NOW)


def rows_about(subject: Subject, database: str) -> dict[str, list[str]]:
    """Every row that names a subject, by table, past row-level security."""
    found = {}
    with connect(settings.MEMORYHUB_LOGINS.administrator | {"dbname": database}) as asked:
        tables = asked.execute(
            "SELECT table_name FROM information_schema.columns WHERE column_name = 'subject_id' AND table_schema = 'public'"
        ).fetchall()
        for (table,) in sorted(tables):
            statement = sql.SQL("SELECT t::text FROM {} t WHERE subject_id = %s ORDER BY 1").format(
                sql.Identifier(table)
            )
            found[table] = [row for (row,) in asked.execute(statement, [subject.pk]).fetchall()]
    return found


def words_in(database: str) -> str:
    """Every row of every table, past row-level security."""
    with connect(settings.MEMORYHUB_LOGINS.administrator | {"dbname": database}) as asked:
        tables = asked.execute("SELECT tablename FROM pg_tables WHERE schemaname = 'public'").fetchall()
        texts = [
            asked.execute(
                sql.SQL("SELECT coalesce(string_agg(t::text, ' '), '') FROM {} t").format(sql.Identifier(table))
            ).fetchone()
            for (table,) in tables
        ]
    return " ".join(text[0] for text in texts if text).lower()


@pytest.fixture
def place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Place:
    ledger = tmp_path / "erasures.jsonl"
    monkeypatch.setattr(settings, "MEMORYHUB_ERASURE_LEDGER", ledger)
    ground = make_ground()
    gone, kept = ground.subject("gone"), ground.subject("kept")
    live(ground, gone, CANARY)
    live(ground, kept, "plain toast")
    archive = tmp_path / "old.backup"
    backup.take(path=archive, keys=None, sealing=None, now=now())
    before = rows_about(kept, settings.DATABASES["default"]["NAME"])
    with acting_for(ground.as_operator, subjects=ALL_SUBJECTS):
        erasure.erase_subject(subject=gone, by=ground.as_operator, now=now())
    erasure_ledger.catch_up(now=now())
    return Place(ground, gone, kept, archive, ledger, before, rights_in(settings.DATABASES["default"]["NAME"]))


@pytest.fixture
def elsewhere() -> Iterator[str]:
    """An empty database on the same server, which restores go into; then this process is connected to it."""
    with another_database() as name:
        yield name


def rights_in(database: str) -> dict[str, list[str]]:
    """What the web role may do to each table and sequence."""
    query = """
        SELECT c.oid::regclass::text, array_agg(r.word ORDER BY r.word)
        FROM pg_class c, unnest(ARRAY['SELECT', 'INSERT', 'UPDATE', 'DELETE', 'TRUNCATE', 'USAGE']) r(word)
        WHERE c.relnamespace = 'public'::regnamespace AND c.relkind IN ('r', 'S')
          AND CASE WHEN c.relkind = 'r' AND r.word <> 'USAGE' THEN has_table_privilege(%(web)s, c.oid, r.word)
                   WHEN c.relkind = 'S' AND r.word IN ('SELECT', 'UPDATE', 'USAGE')
                   THEN has_sequence_privilege(%(web)s, c.oid, r.word) ELSE false END
        GROUP BY 1"""
    with connect(settings.MEMORYHUB_LOGINS.administrator | {"dbname": database}) as asked:
        return dict(asked.execute(query, {"web": settings.MEMORYHUB_LOGINS.web["user"]}).fetchall())


def put_back(place: Place, **wishes: object) -> list[str]:
    said: list[str] = []
    wanted = restore.Wanted(archive=place.archive, **wishes)  # type: ignore[arg-type]
    restore.restore(wanted, now=now, say=said.append)
    return said


def test_an_older_backup_is_put_back_without_whom_it_had_forgotten(place: Place, elsewhere: str) -> None:
    said = put_back(place)
    assert any("done again: 1" in line for line in said), said
    assert any("revoke and end again what was since" in line for line in said), said
    assert CANARY not in words_in(elsewhere)
    rights = rights_in(elsewhere)
    assert rights["memoryhub_auditevent"] == rights["memoryhub_policyversion"] == ["INSERT", "SELECT"]
    assert rights == place.rights
    assert rows_about(place.kept, elsewhere) == place.before, "everybody else's rows are what they were"
    assert any(place.before.values())
    with acting_for(place.ground.as_hub, subjects=ALL_SUBJECTS):
        assert {event.user_input for event in Event.objects.all()} == {"I prefer plain toast"}
        assert not SubjectKey.objects.filter(subject=place.gone).exists()
        assert erasure.left_of(Subject.objects.get(pk=place.gone.pk)) == 0
        assert audit.first_broken_link(place.ground.organisation.pk) is None
    assert readiness.of_hub(now=now())["restore"] == "ok"
    assert (settings.MEMORYHUB_DATA_DIR / NOTE).exists(), "no demo is filled in over it"


def test_a_backup_without_its_ledger_or_its_keys_is_refused_and_nothing_is_touched(
    place: Place, elsewhere: str, tmp_path: Path
) -> None:
    with pytest.raises(restore.CannotRestore, match="--ledger"):
        put_back(place, ledger=tmp_path / "none")
    with pytest.raises(restore.CannotRestore, match="--without-keys"):
        put_back(place, keys=tmp_path / "none")
    with connect(settings.MEMORYHUB_LOGINS.owner) as owner:
        assert not restoring.is_marked(owner)
        assert owner.execute("SELECT count(*) FROM pg_tables WHERE schemaname = 'public'").fetchone() == (0,)


def test_after_the_next_backup_nobody_can_read_the_erased_even_with_every_key_and_no_ledger(
    place: Place, tmp_path: Path, request: pytest.FixtureRequest
) -> None:
    """What is searched stands in the old archive until it is thrown away; what is sealed is gone from it already."""
    backup.take(path=tmp_path / "new.backup", keys=None, sealing=None, now=now())
    request.getfixturevalue("elsewhere")
    put_back(place, without_ledger=True)
    with acting_for(place.ground.as_hub, subjects=ALL_SUBJECTS):
        events = list(Event.objects.filter(subject=place.gone))
        assert events
        for event in events:
            with pytest.raises(KeyDestroyed):
                assert event.user_input
        assert all(event.user_input for event in Event.objects.filter(subject=place.kept))


def test_what_failed_verification_stays_barred_and_goes_on_when_run_again(
    place: Place, elsewhere: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    with monkeypatch.context() as broken:
        broken.setattr(erasure, "replay", lambda **_: None)  # it did nothing, and says nothing
        with pytest.raises(restore.CannotRestore, match="not done again"):
            put_back(place)
    assert restoring.is_unfinished(settings.MEMORYHUB_LOGINS)
    assert readiness.of_hub(now=now())["restore"] == "unfinished"
    assert [error.id for error in nothing_is_served_too_early(databases=["default"])] == ["memoryhub.E004"]
    connection.close()
    with pytest.raises(DatabaseUnusable, match="under way"):
        backup.take(path=place.archive.with_name("other"), keys=None, sealing=None, now=now())
    with pytest.raises(restore.CannotRestore, match="make it anew"):  # ours to drop only where it is embedded
        put_back(place)


def test_a_database_that_is_not_empty_is_not_touched(place: Place, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(restore, "_database", contextlib.nullcontext)
    connection.close()
    with pytest.raises(restore.CannotRestore, match=r"not empty|connected"):
        put_back(place)
    with acting_for(place.ground.as_hub, subjects=ALL_SUBJECTS):
        assert Entry.objects.filter(subject=place.kept).exists()


def test_an_archive_that_is_newer_damaged_or_of_another_key_is_refused(
    place: Place, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with monkeypatch.context() as older:
        known = {key: value for key, value in MigrationLoader(None).disk_migrations.items() if key[1] < "0020"}
        older.setattr(restore, "MigrationLoader", lambda _: type("Loader", (), {"disk_migrations": known}))
        with pytest.raises(restore.CannotRestore, match="newer Memory Hub"):
            put_back(place)
    raw = place.archive.read_bytes()
    damaged = dataclasses.replace(place, archive=place.archive.with_name("damaged"))
    for bad in (raw[:-1], raw[: len(raw) // 2], raw[:-9] + b"\0" + raw[-8:], b"", b"PGDMP" + raw):
        damaged.archive.write_bytes(bad)
        with pytest.raises(sealed_file.FileUnusable):
            put_back(damaged)
    key_file.ensure(tmp_path / "other.json")
    with pytest.raises(KeysUnusable, match="escrow"):
        put_back(place, sealing=tmp_path / "other.json")
    with pytest.raises(sealed_file.FileUnusable, match="not what is asked for"):
        put_back(dataclasses.replace(place, archive=place.archive.with_name(backup.KEYS_FILE)))


def test_an_archive_holds_no_word_and_no_key_in_clear_and_is_never_written_over(place: Place) -> None:
    for path in (place.archive, place.archive.with_name(backup.KEYS_FILE)):
        assert CANARY.encode() not in path.read_bytes()
        assert path.stat().st_mode & 0o077 == 0
    with pytest.raises(sealed_file.FileUnusable, match="there already"):
        backup.take(path=place.archive, keys=None, sealing=None, now=now())


def test_a_role_that_sees_a_part_of_the_rows_is_refused(place: Place, monkeypatch: pytest.MonkeyPatch) -> None:
    logins = settings.MEMORYHUB_LOGINS
    monkeypatch.setattr(
        settings, "MEMORYHUB_LOGINS", dataclasses.replace(logins, administrator=logins.owner, embedded=False)
    )
    with pytest.raises(DatabaseUnusable, match="BYPASSRLS"):
        backup.take(path=place.archive.with_name("other"), keys=None, sealing=None, now=now())
    program = pg_programs.find("pg_dump", server=18)
    with pytest.raises(DatabaseUnusable, match="row-level security"):  # and PostgreSQL itself would say so
        list(pg_programs.dump(logins.owner, program=program, without_rows=()))
    assert not place.archive.with_name("other").exists()


def test_programs_that_are_too_old_are_said() -> None:
    with pytest.raises(DatabaseUnusable, match="MEMORYHUB_PG_BIN"):
        pg_programs.find("pg_dump", server=99)
    with pytest.raises(DatabaseUnusable, match="MEMORYHUB_PG_BIN"):
        pg_programs.find("pg_nothing", server=1)


def test_a_hub_without_the_keys_it_was_sealed_with_does_not_start(
    place: Place, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(settings, "MEMORYHUB_MASTER_KEYS", key_file.MasterKeys(tmp_path / "keys.json"))
    for _ in range(2):  # nothing there, then another hub's
        with pytest.raises(CannotStart, match="escrow"):
            launcher.keys_fit()
        assert readiness.of_hub(now=now())["keys"] == "missing"
        assert [error.id for error in nothing_is_served_too_early(databases=["default"])] == ["memoryhub.E005"]
        with acting_for(place.ground.as_hub, subjects=ALL_SUBJECTS), pytest.raises(HubError):
            subject_keys.seal(subject=place.kept, data=b"words", purpose="archive")
        connection.close()
        key_file.ensure(tmp_path / "keys.json")


def test_the_two_files_are_told_apart_by_what_they_say_of_themselves(place: Place) -> None:
    head = sealed_file.head_of(place.archive)
    assert {"kind", "format", "hub", "made_at", "migrations", "web_role", "key"} <= set(head)
    assert CANARY not in json.dumps(head)


def test_it_is_read_in_by_another_owner_who_grants_what_was_granted() -> None:
    """As onto a server where the user of DATABASE_URL has another name than it had."""
    logins, here = settings.MEMORYHUB_LOGINS, settings.DATABASES["default"]["NAME"]
    dumping, loading = (pg_programs.find(name, server=18) for name in ("pg_dump", "pg_restore"))
    whole = list(pg_programs.dump(logins.administrator | {"dbname": here}, program=dumping, without_rows=()))
    rights, other = rights_in(here), sql.Identifier("owner_elsewhere")
    with another_database() as name, connect(logins.administrator | {"dbname": name}) as administrator:
        for statement in ("CREATE ROLE {}", "ALTER SCHEMA public OWNER TO {}", "CREATE EXTENSION vector"):
            administrator.execute(sql.SQL(statement).format(other))
        try:
            pg_programs.load(
                logins.administrator | {"dbname": name}, program=loading, role="owner_elsewhere", pieces=lambda: whole
            )
            owners = administrator.execute("SELECT DISTINCT tableowner FROM pg_tables WHERE schemaname = 'public'")
            assert owners.fetchall() == [("owner_elsewhere",)]
            assert rights_in(name) == rights
            assert rights["memoryhub_auditevent"] == ["INSERT", "SELECT"]
        finally:
            administrator.execute(sql.SQL("DROP OWNED BY {0} CASCADE; DROP ROLE {0}").format(other))
