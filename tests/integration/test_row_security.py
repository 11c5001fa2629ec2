"""The database itself refuses: raw SQL as the web role, with every ORM filter bypassed (R30)."""

import uuid
from collections.abc import Callable

import pytest
from django.db import DatabaseError, connection, transaction

from accounts.ids import new_id
from memoryhub.governance.intake import Proposal, propose
from memoryhub.models import Entry, Subject
from memoryhub.tenancy import ALL_SUBJECTS, acting_for, as_worker
from memoryhub.vocabulary import Channel, Op, Role
from tests.factories.ground import NOW, Ground, make_ground

pytestmark = pytest.mark.django_db

WITHOUT_TENANT = {"accounts_user", "memoryhub_workerbeat"}  # people and the worker's pulse belong to no organisation


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
