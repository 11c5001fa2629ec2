"""The database itself refuses: raw SQL as the web role, with every ORM filter bypassed (R30)."""

import json
import uuid
from collections.abc import Callable

import pytest
from django.db import DatabaseError, IntegrityError, connection, transaction
from psycopg import errors

from accounts.ids import new_id
from memoryhub.governance.intake import Proposal, propose
from memoryhub.models import Entry, Subject
from memoryhub.tenancy import ALL_SUBJECTS, acting_for, as_worker
from memoryhub.vocabulary import Channel, Op, Role
from tests.factories.ground import NOW, Ground, make_ground
from tests.factories.turns import action, night, post, refused_in

pytestmark = pytest.mark.django_db

#: People, the worker's pulse and the ids of key-encryption keys belong to no organisation.
WITHOUT_TENANT = {"accounts_user", "memoryhub_workerbeat", "memoryhub_masterkey"}


def tenant_tables() -> list[str]:
    return _column("SELECT table_name FROM information_schema.columns WHERE column_name = 'organisation_id' ORDER BY 1")


def _column(sql: str, values: list[object] | None = None) -> list[str]:
    with connection.cursor() as cursor:
        cursor.execute(sql, values or [])
        return [row[0] for row in cursor.fetchall()]


def _count(table: str) -> int:
    return int(_column(f"SELECT count(*) FROM {table}")[0])


def _told(ground: Ground, subject: Subject, text: str) -> Entry:
    with acting_for(ground.as_agent, subjects=[subject.pk]):
        proposal = Proposal(subject=subject, text=text, channel=Channel.USER_MESSAGE, role=Role.CUSTOMER)
        (result,) = propose(proposal=proposal, by=ground.as_agent, now=NOW).results
    assert result.op == Op.ADD
    assert result.entry is not None
    return result.entry


def test_every_table_of_ours_is_protected_or_known_to_hold_nothing_of_a_tenant() -> None:
    ours = set(
        _column("SELECT relname FROM pg_class WHERE relkind = 'r' AND relname ~ '^(memoryhub|accounts)_' ORDER BY 1")
    ) - {"accounts_user_groups", "accounts_user_user_permissions"}
    protected = set(_column("SELECT relname FROM pg_class WHERE relrowsecurity AND relforcerowsecurity"))
    assert ours - protected == WITHOUT_TENANT
    assert set(tenant_tables()) <= protected


def test_every_tenant_table_has_a_policy_for_reading_and_one_for_writing() -> None:
    with_both = set(
        _column(
            "SELECT tablename FROM pg_policies WHERE qual IS NOT NULL AND with_check IS NOT NULL AND permissive = 'PERMISSIVE'"
        )
    )
    assert set(tenant_tables()) <= with_both


def test_the_web_role_is_nobody_special_and_owns_nothing() -> None:
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT rolsuper, rolbypassrls, rolcreatedb, rolcreaterole FROM pg_roles WHERE rolname = current_user"
        )
        assert cursor.fetchone() == (False, False, False, False)
        cursor.execute("SELECT count(*) FROM pg_class WHERE pg_get_userbyid(relowner) = current_user")
        assert cursor.fetchone() == (0,)


def test_no_view_shows_what_its_reader_may_not_see() -> None:
    """A view reads with its owner's rights unless it says otherwise; a materialised one always does."""
    views = "SELECT relname FROM pg_class WHERE relnamespace = 'public'::regnamespace AND relkind IN ('v', 'm')"
    assert _column(f"{views} AND NOT coalesce(reloptions @> '{{security_invoker=true}}', false)") == []


def test_no_function_of_ours_lends_its_owner_s_rights() -> None:
    assert _column("SELECT proname FROM pg_proc WHERE proname LIKE 'hub_%%' AND prosecdef") == []
    assert _column("SELECT count(*) FROM pg_proc WHERE proname LIKE 'hub_%%'") != [0]


# References stay in their organisation (S4) --------------------------------------------------------------------------

REFERENCES = """
SELECT c.conrelid::regclass::text, a.attname, c.confrelid::regclass::text
FROM pg_constraint c JOIN pg_attribute a ON a.attrelid = c.conrelid AND a.attnum = c.conkey[1]
WHERE c.contype = 'f' AND cardinality(c.conkey) = 1 AND a.attname <> 'organisation_id'
  AND EXISTS (SELECT 1 FROM pg_attribute o WHERE o.attrelid = c.conrelid AND o.attname = 'organisation_id')
  AND EXISTS (SELECT 1 FROM pg_attribute o WHERE o.attrelid = c.confrelid AND o.attname = 'organisation_id')
ORDER BY 1, 2
"""
HELD = """
SELECT c.conrelid::regclass::text, x.attname, c.confrelid::regclass::text
FROM pg_constraint c
  JOIN pg_attribute o ON o.attrelid = c.conrelid AND o.attnum = c.conkey[1] AND o.attname = 'organisation_id'
  JOIN pg_attribute x ON x.attrelid = c.conrelid AND x.attnum = c.conkey[2]
  JOIN pg_attribute po ON po.attrelid = c.confrelid AND po.attnum = c.confkey[1] AND po.attname = 'organisation_id'
  JOIN pg_attribute px ON px.attrelid = c.confrelid AND px.attnum = c.confkey[2] AND px.attname = 'id'
WHERE c.contype = 'f' AND cardinality(c.conkey) = 2 AND c.convalidated
  AND c.condeferrable AND c.condeferred AND c.confdeltype = 'a' AND c.confmatchtype = 's'
ORDER BY 1, 2
"""


def _rows(sql: str) -> list[tuple[str, ...]]:
    with connection.cursor() as cursor:
        cursor.execute(sql)
        return list(cursor.fetchall())


def test_every_reference_between_tenant_tables_is_held_inside_its_organisation() -> None:
    references, held = _rows(REFERENCES), set(_rows(HELD))
    assert len(references) >= 50
    missing = [
        f'migrations.RunSQL(same_organisation("{table}", "{column}", "{parent}"), any_organisation("{table}", "{column}"))'
        for table, column, parent in references
        if (table, column, parent) not in held
    ]
    assert missing == [], (
        "A foreign key is checked past row-level security and would accept another tenant's row. Add to the migration "
        "that makes the column (both from accounts.row_security):\n" + "\n".join(missing)
    )


def test_no_reference_leaves_its_organisation() -> None:
    """Every reference of a busy organisation, turned to the other's row of the same table."""
    ours, theirs = _busy(), _busy()
    tried = []
    for table, column, parent in _rows(REFERENCES):
        with acting_for(theirs.as_hub, subjects=ALL_SUBJECTS):
            foreign = _column(f"SELECT id FROM {parent} LIMIT 1")
        with acting_for(ours.as_hub, subjects=ALL_SUBJECTS):
            own = _column(f"SELECT id FROM {table} LIMIT 1")
        if not own or not foreign:
            continue
        with pytest.raises(DatabaseError) as refused:
            _turn(ours, f"UPDATE {table} SET {column} = %s WHERE id = %s", [foreign[0], own[0]])
        tried.append((table, column, isinstance(refused.value, IntegrityError)))
    assert len(tried) >= 35
    guarded = {"entry", "provenance", "lineage", "skill", "profile", "decision"}  # refused before a key is looked at
    assert {table for table, _, by_key in tried if not by_key} <= {f"memoryhub_{name}" for name in guarded}


def _turn(ground: Ground, statement: str, values: list[object]) -> None:
    with acting_for(ground.as_hub, subjects=ALL_SUBJECTS), transaction.atomic(), connection.cursor() as cursor:
        cursor.execute(statement, values)
        cursor.execute("SET CONSTRAINTS ALL IMMEDIATE")


def _busy() -> Ground:
    """An organisation with a row in nearly every table."""
    ground = make_ground()
    guest = ground.subject()
    _told(ground, guest, "I prefer window seats")
    post(ground, guest, "I prefer the quiet floor.", session="stay", actions=[action("book_room", room="12")])
    refused_in(ground, "one", "two", "three")
    night(ground)
    return ground


# Whoever is nobody here reads and writes nothing, by any statement (S3) ------------------------------------------------

IDENTITIES = {"absent": None, "empty": "", "unknown": "00000000-0000-0000-0000-000000000000", "another": "theirs"}


@pytest.fixture
def stage() -> tuple[Ground, Ground, dict[str, str]]:
    """A busy organisation, another one, and a row of each of its tables as JSON."""
    ours, theirs = _busy(), make_ground()
    kept: dict[str, str] = {}
    with acting_for(ours.as_hub, subjects=ALL_SUBJECTS):
        for table in tenant_tables():
            for row in _column(f"SELECT to_jsonb(t)::text FROM {table} t LIMIT 1"):
                kept[table] = str(row)
    assert len(kept) >= 18
    return ours, theirs, kept


@pytest.mark.parametrize("identity", IDENTITIES)
def test_no_statement_reads_or_writes_for_somebody_else(
    stage: tuple[Ground, Ground, dict[str, str]], identity: str
) -> None:
    ours, theirs, kept = stage
    organisation = str(theirs.organisation.pk) if identity == "another" else IDENTITIES[identity]
    with transaction.atomic(), connection.cursor() as cursor:
        if organisation is not None:
            cursor.execute(
                "SELECT set_config('hub.organisation', %s, true), set_config('hub.subjects', '*', true)", [organisation]
            )
        for table in tenant_tables():
            mine = f"organisation_id = '{ours.organisation.pk}'"
            assert _affected(f"SELECT 1 FROM {table} WHERE {mine}") == 0, table
            assert _copied(f"COPY {table} TO STDOUT").count(str(ours.organisation.pk)) == 0, table
            assert _copied(f"COPY (SELECT * FROM {table}) TO STDOUT").count(str(ours.organisation.pk)) == 0, table
            assert _affected(f"UPDATE {table} SET organisation_id = organisation_id WHERE {mine}") == 0, table
            assert _affected(f"DELETE FROM {table} WHERE {mine}") == 0, table
            with pytest.raises(errors.FeatureNotSupported), transaction.atomic():
                _copied(f"COPY {table} FROM STDIN")
            if table in kept:
                assert _affected(*_copy_of(table, kept[table])) == 0, table
    with acting_for(ours.as_hub, subjects=ALL_SUBJECTS):
        for table, row in kept.items():
            key = "organisation_id" if table == "memoryhub_audithead" else "id"
            assert _column(f"SELECT count(*) FROM {table} WHERE {key}::text = %s", [str(json.loads(row)[key])]) == [1]


def _affected(statement: str, values: list[object] | None = None) -> int:
    """How many rows a statement met; a refusal is none."""
    try:
        with transaction.atomic(), connection.cursor() as cursor:
            cursor.execute(statement, values or [])
            return cursor.rowcount
    except DatabaseError as error:
        if not isinstance(error.__cause__, errors.InsufficientPrivilege):
            raise
        return 0


def _copy_of(table: str, row: str) -> tuple[str, list[object]]:
    """An insert of the row under a new id."""
    columns = _column(
        "SELECT quote_ident(attname) FROM pg_attribute WHERE attrelid = %s::regclass AND attnum > 0 AND NOT attisdropped"
        " AND attgenerated = '' AND attidentity = ''",
        [table],
    )
    names = ", ".join(columns)
    new = {"id": str(new_id())} if "id" in columns else {}
    return (
        f"INSERT INTO {table} ({names}) SELECT {names} FROM jsonb_populate_record(NULL::{table}, %s::jsonb)",
        [json.dumps({**json.loads(row), **new})],
    )


def _copied(statement: str) -> str:
    with connection.cursor() as cursor, cursor.copy(statement) as copy:
        return b"".join(bytes(block) for block in copy).decode() if "TO STDOUT" in statement else ""


def test_without_an_identity_every_tenant_table_reads_empty() -> None:
    ground = make_ground()
    _told(ground, ground.subject(), "I prefer window seats")
    assert {table: _count(table) for table in tenant_tables()} == dict.fromkeys(tenant_tables(), 0)


@pytest.mark.parametrize("setting", ["", "00000000-0000-0000-0000-000000000000"])
def test_an_empty_or_unknown_identity_reads_nothing(setting: str) -> None:
    ground = make_ground()
    _told(ground, ground.subject(), "I prefer window seats")
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT set_config('hub.organisation', %s, true), set_config('hub.subjects', '*', true)", [setting]
        )
    assert {table: _count(table) for table in tenant_tables()} == dict.fromkeys(tenant_tables(), 0)


def test_a_garbled_identity_is_refused() -> None:
    ground = make_ground()
    _told(ground, ground.subject(), "I prefer window seats")  # an empty table would not even look at the identity
    with connection.cursor() as cursor:
        cursor.execute("SELECT set_config('hub.organisation', 'garbled', true), set_config('hub.subjects', '*', true)")
    with pytest.raises(DatabaseError), transaction.atomic():
        _count("memoryhub_entry")


def test_raw_sql_reads_no_other_organisation_s_row() -> None:
    ours, theirs = make_ground(), make_ground()
    _told(ours, ours.subject("same-id"), "I prefer window seats")
    _told(theirs, theirs.subject("same-id"), "I prefer aisle seats")
    for table in tenant_tables():
        with acting_for(ours.as_hub, subjects=ALL_SUBJECTS):
            foreign = _column(f"SELECT count(*) FROM {table} WHERE organisation_id <> %s", [ours.organisation.pk])
        assert foreign == [0], table


def test_raw_sql_reads_no_other_subject_s_row() -> None:
    ground = make_ground()
    one, other = ground.subject(), ground.subject()
    _told(ground, one, "I prefer window seats")
    _told(ground, other, "I prefer aisle seats")
    about = _column(
        "SELECT table_name FROM information_schema.columns WHERE column_name = 'subject_id' AND table_name LIKE 'memoryhub%%'"
    )
    per_request = {"memoryhub_idempotentrequest"}  # found by the key that made it, and emptied by an erasure
    with acting_for(ground.as_agent, subjects=[one.pk]):
        assert _column("SELECT content FROM memoryhub_entry") == ["I prefer window seats"]
        assert _column("SELECT quote FROM memoryhub_provenance") == ["I prefer window seats"]
        for table in set(about) - per_request:
            rows = _column(f"SELECT count(*) FROM {table} WHERE subject_id IS NOT NULL AND subject_id <> %s", [one.pk])
            assert rows == [0], table
        assert _column("SELECT count(*) FROM memoryhub_subject WHERE id = %s", [other.pk]) == [0]


def _insert_elsewhere(ours: Ground, theirs: Ground) -> None:
    subject = ours.subject()
    with connection.cursor() as cursor:
        cursor.execute(
            "INSERT INTO memoryhub_subjectmember (id, organisation_id, group_id, person_id) VALUES (%s, %s, %s, %s)",
            [new_id(), theirs.organisation.pk, subject.pk, ours.subject().pk],
        )


def _move_elsewhere(ours: Ground, theirs: Ground) -> None:
    with connection.cursor() as cursor:
        cursor.execute("UPDATE memoryhub_subject SET organisation_id = %s", [theirs.organisation.pk])


@pytest.mark.parametrize("attempt", [_insert_elsewhere, _move_elsewhere])
def test_nothing_is_written_into_another_organisation(attempt: Callable[[Ground, Ground], None]) -> None:
    ours, theirs = make_ground(), make_ground()
    ours.subject()
    with pytest.raises(DatabaseError), acting_for(ours.as_hub, subjects=ALL_SUBJECTS):
        attempt(ours, theirs)


def test_private_is_never_widened_by_an_update() -> None:
    ground = make_ground()
    entry = _told(ground, ground.subject(), "I prefer window seats")
    with pytest.raises(DatabaseError), acting_for(ground.as_hub, subjects=ALL_SUBJECTS), connection.cursor() as cursor:
        cursor.execute(
            "UPDATE memoryhub_entry SET scope = 'organisation', audience_id = NULL WHERE id = %s", [entry.pk]
        )


@pytest.mark.parametrize(
    "change",
    [
        "UPDATE memoryhub_auditevent SET action = 'x'",
        "DELETE FROM memoryhub_auditevent",
        "TRUNCATE memoryhub_auditevent",
    ],
)
def test_the_audit_trail_is_append_only(change: str) -> None:
    ground = make_ground()
    _told(ground, ground.subject(), "I prefer window seats")
    with pytest.raises(DatabaseError), acting_for(ground.as_hub, subjects=ALL_SUBJECTS), connection.cursor() as cursor:
        cursor.execute(change)


def test_a_worker_sees_jobs_of_all_but_entries_of_none() -> None:
    ground = make_ground()
    _told(ground, ground.subject(), "I prefer window seats")
    with as_worker():
        assert _count("memoryhub_entry") == 0
        assert _column("SELECT id FROM accounts_organisation WHERE id = %s", [ground.organisation.pk]) != []


def test_an_identity_ends_with_its_scope_and_a_nested_one_gives_back_the_outer() -> None:
    ground = make_ground()
    one, other = ground.subject(), ground.subject()
    with acting_for(ground.as_agent, subjects=[one.pk]):
        with acting_for(ground.as_agent, subjects=[other.pk]):
            assert _visible() == {other.pk}
        assert _visible() == {one.pk}
    assert _visible() == set()


def test_an_error_inside_a_nested_scope_gives_back_the_outer_identity() -> None:
    ground = make_ground()
    one, other = ground.subject(), ground.subject()
    with acting_for(ground.as_agent, subjects=[one.pk]):
        with pytest.raises(RuntimeError), acting_for(ground.as_agent, subjects=[other.pk]):
            raise RuntimeError
        assert _visible() == {one.pk}


def _visible() -> set[uuid.UUID]:
    return set(Subject.objects.values_list("pk", flat=True))
