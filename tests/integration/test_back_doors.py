"""Writing past the gate: raw SQL as the web role, with and without a decision to point to. None of it is kept (S9).

Every attempt is a transaction of its own that really tries to commit, by somebody who may read and write the whole
organisation: row-level security does not stop them, the decision that is missing does.
"""

import json
import uuid
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

import pytest
from django.db import DatabaseError, connection
from psycopg import errors

from accounts.ids import new_id
from accounts.models import User
from memoryhub.governance import announcement, audit, confirmation, decisions, erasure, intake, procedures
from memoryhub.governance.lifecycle import MOVES
from memoryhub.models import AuditEvent, AuditHead, Decision, Entry, Profile, ReviewItem, Skill, Subject
from memoryhub.providers.embeddings import HashingEmbedder, using
from memoryhub.skills.skillmd import SkillDocument
from memoryhub.tenancy import ALL_SUBJECTS, acting_for
from memoryhub.vocabulary import Channel, Op, Role, SkillStatus, Status
from tests.factories.ground import NOW, Ground, make_ground

pytestmark = pytest.mark.usefixtures("committed_db")

#: Says nothing about the world, so it needs no decision (everything else does, also what is added later).
BOOKKEEPING = {
    "use_count", "last_used_at", "embedding", "embedding_model", "embedding_state", "contested", "updated_at", "version", "context",
    "lot",
}  # fmt: skip
UNSEEN = {"search", "command"}  # computed by the database; set by its trigger, whatever a statement says


@dataclass(frozen=True)
class Scene:
    """What an intruder finds: entries in force and waiting, procedures waiting, and decisions of earlier days."""

    ground: Ground
    subject: Subject
    accepted: Entry
    waiting: Entry
    skill: Skill
    profile: Profile
    earlier: uuid.UUID
    discarded: uuid.UUID
    theirs: uuid.UUID


@pytest.fixture(autouse=True)
def _no_meaning_needed() -> Iterator[None]:
    with using(HashingEmbedder()):
        yield


@pytest.fixture
def scene() -> Scene:
    ground, elsewhere = make_ground(), make_ground()
    subject = ground.subject()
    said = tell(ground, subject, "I prefer window seats")
    (accepted,) = [one.entry for one in said.results]
    (waiting,) = [one.entry for one in tell(ground, subject, "Mira lives in Pune.", Channel.DOCUMENT).results]
    theirs = tell(elsewhere, elsewhere.subject(), "I prefer window seats")
    discarded = tell(ground, subject, "Hello there!")
    assert accepted is not None
    assert waiting is not None
    assert (accepted.status, waiting.status) == (Status.ACCEPTED, Status.PROPOSED)
    assert {one.op for one in discarded.results} == {Op.DISCARDED}
    with acting_for(ground.as_agent, subjects=ALL_SUBJECTS):
        document = SkillDocument(
            name="move-a-berth", description="How a berth is moved.", body="## Procedure\n\nAsk first."
        )
        offered = procedures.propose_skill(document=document, agent=ground.agent, by=ground.as_agent, now=NOW)
        profile = procedures.propose_profile(text="Be brief.", agent=ground.agent, by=ground.as_agent, now=NOW)
    assert offered.skill is not None
    return Scene(
        ground, subject, accepted, waiting, offered.skill, profile, said.decision_id, discarded.decision_id,
        theirs.decision_id,
    )  # fmt: skip


def tell(
    ground: Ground, subject: Subject, text: str, channel: Channel = Channel.USER_MESSAGE, *, dry_run: bool = False
) -> intake.Outcome:
    role = Role.CUSTOMER if channel == Channel.USER_MESSAGE else Role.AGENT
    with acting_for(ground.as_agent, subjects=[subject.pk]):
        proposal = intake.Proposal(subject=subject, text=text, channel=channel, role=role)
        return intake.propose(proposal=proposal, by=ground.as_agent, now=NOW, dry_run=dry_run)


# What the intruder points to ------------------------------------------------------------------------------------------


def nothing(scene: Scene, about: uuid.UUID) -> None:
    """No word of a command."""


def an_announcement(scene: Scene, about: uuid.UUID) -> None:
    announcement.announce()


def an_earlier_decision(scene: Scene, about: uuid.UUID) -> None:
    announcement.announce(scene.earlier)


def another_organisations_decision(scene: Scene, about: uuid.UUID) -> None:
    announcement.announce(scene.theirs)


def an_earlier_discarded_decision(scene: Scene, about: uuid.UUID) -> None:
    announcement.announce(scene.discarded)


def a_decision_of_this_transaction_that_discarded(scene: Scene, about: uuid.UUID) -> None:
    tell(scene.ground, scene.subject, "Good morning!")


def a_decision_of_this_transaction_about_something_else(scene: Scene, about: uuid.UUID) -> None:
    tell(scene.ground, scene.subject, f"I prefer the berth {new_id().hex[-6:]}")


def a_decision_that_was_taken_back(scene: Scene, about: uuid.UUID) -> None:
    announcement.announce(tell(scene.ground, scene.subject, "I prefer aisle seats", dry_run=True).decision_id)


def a_forged_decision(scene: Scene, about: uuid.UUID) -> None:
    announcement.announce(_forge_decision(scene, about))


def a_forged_decision_with_a_loose_audit_row(scene: Scene, about: uuid.UUID) -> None:
    announcement.announce(_forge_decision(scene, about))
    _slip_in_audit_row(scene, about, "memory.add", previous="f" * 64)


def an_earlier_decision_rewritten(scene: Scene, about: uuid.UUID) -> None:
    announcement.announce(scene.earlier)
    sql("UPDATE memoryhub_decision SET results = %s WHERE id = %s", [_results(about), scene.earlier])


def an_earlier_decision_restamped(scene: Scene, about: uuid.UUID) -> None:
    announcement.announce(scene.earlier)
    sql("UPDATE memoryhub_decision SET written_in = hub_transaction() WHERE id = %s", [scene.earlier])


def a_loose_audit_row(scene: Scene, about: uuid.UUID) -> None:
    announcement.announce()
    _slip_in_audit_row(scene, about, "entry.approve", previous="f" * 64)


def an_audit_row_beside_the_chain(scene: Scene, about: uuid.UUID) -> None:
    announcement.announce()
    head = AuditHead.objects.get(organisation_id=scene.ground.organisation.pk)
    _slip_in_audit_row(scene, about, "entry.approve", previous=head.row_hash)


def an_audit_row_about_something_else(scene: Scene, about: uuid.UUID) -> None:
    announcement.announce()
    _audit(scene, "entry.approve", new_id())


def an_audit_row_that_allows_nothing(scene: Scene, about: uuid.UUID) -> None:
    announcement.announce()
    _audit(scene, "entry.seen", about)


def an_audit_row_of_an_earlier_transaction(scene: Scene, about: uuid.UUID) -> None:
    announcement.announce()  # (written and committed by `attempt`)


FORGERIES = [
    nothing, an_announcement, an_earlier_decision, another_organisations_decision, an_earlier_discarded_decision,
    a_decision_of_this_transaction_that_discarded, a_decision_of_this_transaction_about_something_else,
    a_decision_that_was_taken_back, a_forged_decision, a_forged_decision_with_a_loose_audit_row,
    an_earlier_decision_rewritten, an_earlier_decision_restamped, a_loose_audit_row, an_audit_row_beside_the_chain,
    an_audit_row_about_something_else, an_audit_row_that_allows_nothing, an_audit_row_of_an_earlier_transaction,
]  # fmt: skip
CHEAP = [nothing, an_announcement, an_earlier_decision]
WELL_MEANT = [*CHEAP, a_decision_of_this_transaction_about_something_else, an_audit_row_about_something_else,
              an_audit_row_that_allows_nothing]  # fmt: skip

Forgery = Callable[[Scene, uuid.UUID], None]


def _results(about: uuid.UUID) -> str:
    return json.dumps(
        [{"op": op, "reason": "committed", "entry": str(about)} for op in ("ADD", "UPDATE", "NOOP", "QUEUED")]
    )


def _forge_decision(scene: Scene, about: uuid.UUID) -> uuid.UUID:
    pk = new_id()
    sql(
        "INSERT INTO memoryhub_decision SELECT (jsonb_populate_record(d, jsonb_build_object('id', %s, 'results', %s::jsonb,"
        " 'written_in', hub_transaction()))).* FROM memoryhub_decision d WHERE id = %s",
        [str(pk), _results(about), scene.earlier],
    )
    return pk


def _slip_in_audit_row(scene: Scene, about: uuid.UUID, action: str, *, previous: str) -> None:
    sql(
        "INSERT INTO memoryhub_auditevent (organisation_id, seq, at, actor, action, subject, object_kind, object_id,"
        " reason, request_id, content_hmac, previous_hash, row_hash, written_in)"
        " SELECT organisation_id, seq + 1, now(), 'x', %s, '', 'entry', %s, '', '', '', %s, repeat('a', 64), hub_transaction() FROM memoryhub_audithead",
        [action, str(about), previous],
    )


def _audit(scene: Scene, action: str, about: uuid.UUID) -> None:
    audit.record(by=scene.ground.as_hub, now=NOW, action=action, object_kind="entry", object_id=about)


# What the intruder tries ----------------------------------------------------------------------------------------------


def sql(statement: str, values: list[object] | None = None) -> None:
    with connection.cursor() as cursor:
        cursor.execute(statement, values or [])


def governed_columns(table: str = "memoryhub_entry") -> dict[str, str]:
    """Each column of the table that needs a decision, with its type."""
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT attname, format_type(atttypid, NULL) FROM pg_attribute"
            " WHERE attrelid = %s::regclass AND attnum > 0 AND NOT attisdropped",
            [table],
        )
        return {name: kind for name, kind in cursor.fetchall() if name not in BOOKKEEPING | UNSEEN}


OTHER_VALUE = {
    "uuid": "gen_random_uuid()", "jsonb": "jsonb_build_object('task', 'forged')",
    "boolean": "NOT {0}", "integer": "{0} + 1",
    "double precision": "0.987", "timestamp with time zone": "coalesce({0}, now()) + interval '1 day'",
    "text": "'forged'", "character varying": "'forged'",
}  # fmt: skip
#: A value that differs and that the table's own constraints allow, so that only the guard is left to refuse.
FITTING = {
    "status": "'archived'", "kind": "'procedural'", "category": "'lesson'", "sensitivity": "'special'",
    "confirmed_by": "CASE WHEN last_confirmed_at IS NULL THEN '' ELSE 'curator' END || 'x'",
    "supersedes_id": "id", "agent_id": "NULL::uuid",
}  # fmt: skip
READERS = {"id", "organisation_id", "subject_id", "scope", "audience_id"}  # refused by older triggers and keys as well


def other_value(column: str, kind: str) -> str:
    return FITTING.get(column) or OTHER_VALUE[kind].replace("{0}", column)


UPDATES = {
    "update": "UPDATE memoryhub_entry SET {c} = {v} WHERE id = '{id}'",
    "update returning": "UPDATE memoryhub_entry SET {c} = {v} WHERE id = '{id}' RETURNING *",
    "update from": "UPDATE memoryhub_entry e SET {c} = o.v FROM (SELECT id, {v} AS v FROM memoryhub_entry) o"
    " WHERE e.id = o.id AND o.id = '{id}'",
    "with": "WITH changed AS (UPDATE memoryhub_entry SET {c} = {v} WHERE id = '{id}' RETURNING id) SELECT * FROM changed",
    "merge": "MERGE INTO memoryhub_entry e USING (SELECT id AS k, {v} AS v FROM memoryhub_entry WHERE id = '{id}') o"
    " ON e.id = o.k WHEN MATCHED THEN UPDATE SET {c} = o.v",
    "on conflict": "INSERT INTO memoryhub_entry ({all}) SELECT {all} FROM memoryhub_entry WHERE id = '{id}'"
    " ON CONFLICT (id) DO UPDATE SET {c} = (SELECT {v} FROM memoryhub_entry WHERE id = '{id}')",
    "do": "DO $$ BEGIN UPDATE memoryhub_entry SET {c} = {v} WHERE id = '{id}'; END $$",
    "checked at once": "SET CONSTRAINTS ALL IMMEDIATE; UPDATE memoryhub_entry SET {c} = {v} WHERE id = '{id}'",
}

INSERTS = {
    "insert": "INSERT INTO memoryhub_entry ({all}) SELECT {copy} FROM memoryhub_entry WHERE id = '{id}'",
    "insert returning": "INSERT INTO memoryhub_entry ({all}) SELECT {copy} FROM memoryhub_entry WHERE id = '{id}'"
    " RETURNING id",
    "with": "WITH made AS (INSERT INTO memoryhub_entry ({all}) SELECT {copy} FROM memoryhub_entry WHERE id = '{id}'"
    " RETURNING id) SELECT * FROM made",
    "merge": "MERGE INTO memoryhub_entry e USING (SELECT {copy} FROM memoryhub_entry WHERE id = '{id}') o"
    " ON e.id = o.id WHEN NOT MATCHED THEN INSERT ({all}) VALUES ({from_o})",
    "on conflict": "INSERT INTO memoryhub_entry ({all}) SELECT {copy} FROM memoryhub_entry WHERE id = '{id}'"
    " ON CONFLICT DO NOTHING",
    "with a command of its own": "INSERT INTO memoryhub_entry ({all}, command) SELECT {copy}, '{earlier}'"
    " FROM memoryhub_entry WHERE id = '{id}'",
    "proposed, then accepted": "INSERT INTO memoryhub_entry ({all}) SELECT {copy} FROM memoryhub_entry WHERE id = '{id}';"
    " UPDATE memoryhub_entry SET status = 'accepted' WHERE id = '{new}'",
    "checked at once": "SET CONSTRAINTS ALL IMMEDIATE;"
    " INSERT INTO memoryhub_entry ({all}) SELECT {copy} FROM memoryhub_entry WHERE id = '{id}'",
}

DELETES = [
    (
        "DELETE FROM memoryhub_lineage; DELETE FROM memoryhub_provenance WHERE entry_id = '{id}';"
        " DELETE FROM memoryhub_reviewitem; DELETE FROM memoryhub_entry WHERE id = '{id}'"
    ),
    "DELETE FROM memoryhub_provenance WHERE entry_id = '{id}'",
    "WITH gone AS (DELETE FROM memoryhub_provenance WHERE entry_id = '{id}' RETURNING id) SELECT * FROM gone",
    "MERGE INTO memoryhub_provenance p USING memoryhub_entry e ON e.id = p.entry_id WHEN MATCHED THEN DELETE",
    "DELETE FROM memoryhub_decision WHERE id = '{earlier}'",
    "UPDATE memoryhub_decision SET results = '[]' WHERE id = '{earlier}'",
    "UPDATE memoryhub_decision SET role = 'curator' WHERE id = '{earlier}'",
    "UPDATE memoryhub_audithead SET seq = seq + 5",
    "UPDATE memoryhub_audithead SET seq = seq - 1",
    "UPDATE memoryhub_audithead SET row_hash = repeat('b', 64)",
    "DELETE FROM memoryhub_audithead",
]

PROVENANCE = {
    column: f"UPDATE memoryhub_provenance SET {column} = {value} WHERE entry_id = '{{id}}'"
    for column, value in {
        "role": "'curator'", "channel": "'curator'", "quote": "'forged'", "said_at": "now()", "recorded_at": "now()",
        "uri": "'https://x.example'", "ref": "'x'", "session_ref": "'x'", "event_ref": "'x'", "message_id": "'x'",
        "speaker_id": "NULL", "agent_id": "NULL",
        "user_id": "(SELECT id FROM accounts_user LIMIT 1)",
        "entry_id": "(SELECT id FROM memoryhub_entry WHERE id <> '{id}' LIMIT 1)",
    }.items()
}  # fmt: skip

PROCEDURES = [
    "UPDATE memoryhub_skill SET status = 'active', decided_at = now(), decided_by_id = '{person}'",
    "UPDATE memoryhub_skill SET status = 'retired', decided_at = now(), decided_by_id = '{person}'",
    "UPDATE memoryhub_skill SET body = 'forged'",
    "UPDATE memoryhub_skill SET approved_digest = 'forged'",
    "UPDATE memoryhub_profile SET status = 'active', decided_at = now(), decided_by_id = '{person}'",
    "UPDATE memoryhub_profile SET text = 'forged'",
    "DELETE FROM memoryhub_reviewitem; DELETE FROM memoryhub_profile",
    "DELETE FROM memoryhub_reviewitem; DELETE FROM memoryhub_skill",
    (
        "INSERT INTO memoryhub_profile (id, organisation_id, agent_id, number, text, status, created_at, version)"
        " SELECT gen_random_uuid(), organisation_id, agent_id, 9, 'forged', 'proposed', now(), 1 FROM memoryhub_profile"
    ),
    (
        "INSERT INTO memoryhub_profile (id, organisation_id, agent_id, number, text, status, created_at, version,"
        " decided_at, decided_by_id) SELECT gen_random_uuid(), organisation_id, agent_id, 9, 'forged', 'active', now(), 1,"
        " now(), '{person}' FROM memoryhub_profile"
    ),
    (
        "INSERT INTO memoryhub_skill SELECT (jsonb_populate_record(s, jsonb_build_object('id', gen_random_uuid(), 'number', 9,"
        " 'status', 'active', 'decided_at', now(), 'decided_by_id', '{person}'))).* FROM memoryhub_skill s"
    ),
]

AROUND = [
    "ALTER TABLE memoryhub_entry DISABLE TRIGGER ALL",
    "DROP TRIGGER entry_decided ON memoryhub_entry",
    "SET session_replication_role = replica",
    "CREATE OR REPLACE FUNCTION hub_refuse(why text) RETURNS void LANGUAGE sql AS 'SELECT'",
    "CREATE OR REPLACE FUNCTION hub_transaction() RETURNS text LANGUAGE sql AS $$ SELECT '' $$",
    "TRUNCATE memoryhub_entry CASCADE",
]


def attempt(scene: Scene, forgery: Forgery, about: uuid.UUID, statement: str) -> None:
    """One transaction that must not come about; the guard's own refusal unless a forgery fails by itself."""
    if forgery is an_audit_row_of_an_earlier_transaction:
        with acting_for(scene.ground.as_hub, subjects=ALL_SUBJECTS):
            _audit(scene, "entry.approve", about)
    with pytest.raises(DatabaseError) as refused:
        transact(scene, lambda: forgery(scene, about), lambda: sql(statement))
    assert isinstance(refused.value.__cause__, errors.InsufficientPrivilege), f"{forgery.__name__}: {statement}"


def transact(scene: Scene, *steps: Callable[[], object]) -> None:
    with acting_for(scene.ground.as_hub, subjects=ALL_SUBJECTS):
        for step in steps:
            step()


def picture(scene: Scene) -> list[object]:
    """Every governed row of the organisation as it is."""
    tables = ("entry", "provenance", "lineage", "skill", "profile", "decision")
    with acting_for(scene.ground.as_hub, subjects=ALL_SUBJECTS), connection.cursor() as cursor:
        found: list[object] = []
        for table in tables:
            cursor.execute(f"SELECT to_jsonb(t)::text FROM memoryhub_{table} t ORDER BY id")
            found += [row[0] for row in cursor.fetchall()]
    return found


def entry_columns() -> list[str]:
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT attname FROM pg_attribute WHERE attrelid = 'memoryhub_entry'::regclass AND attnum > 0"
            " AND NOT attisdropped AND attname NOT IN ('search', 'command')"
        )
        return [row[0] for row in cursor.fetchall()]


def _updates(way: str) -> Iterator[str]:
    for column, kind in governed_columns().items():
        if column not in READERS:
            yield UPDATES[way].replace("{c}", column).replace("{v}", other_value(column, kind))


@pytest.mark.parametrize("forgery", FORGERIES, ids=lambda forgery: forgery.__name__)
def test_no_governed_column_changes_on_a_decision_that_is_none(scene: Scene, forgery: Forgery) -> None:
    before, tried = picture(scene), 0
    for statement in _updates("update"):
        attempt(scene, forgery, scene.accepted.pk, statement.format(id=scene.accepted.pk))
        tried += 1
    assert tried >= 25
    assert picture(scene) == before


@pytest.mark.parametrize("way", sorted(UPDATES))
def test_no_way_of_updating_is_a_way_around(scene: Scene, way: str) -> None:
    before, tried = picture(scene), 0
    names = ", ".join(entry_columns())
    for statement in _updates(way):
        attempt(scene, an_announcement, scene.accepted.pk, statement.format(id=scene.accepted.pk, all=names))
        tried += 1
    assert tried >= 25
    assert picture(scene) == before


@pytest.mark.parametrize("way", sorted(INSERTS))
def test_no_entry_is_inserted_past_the_gate(scene: Scene, way: str) -> None:
    before, tried = picture(scene), 0
    names = entry_columns()
    for forgery in FORGERIES:
        for status in Status:
            new = new_id()
            said = {"id": f"'{new}'::uuid", "status": f"'{status}'", "content": "'forged'", "single": "false"}
            copy = ", ".join(f"{said.get(name, name)} AS {name}" for name in names)
            statement = INSERTS[way].format(
                all=", ".join(names), copy=copy, id=scene.accepted.pk, new=new, earlier=scene.earlier,
                from_o=", ".join(f"o.{name}" for name in names),
            )  # fmt: skip
            if forgery in (a_forged_decision, a_forged_decision_with_a_loose_audit_row) or status in (
                Status.ACCEPTED, Status.PROPOSED,
            ):  # fmt: skip
                attempt(scene, forgery, new, statement)
                tried += 1
    assert tried >= 40
    assert picture(scene) == before


@pytest.mark.parametrize("forgery", CHEAP, ids=lambda forgery: forgery.__name__)
def test_no_entry_is_copied_in(scene: Scene, forgery: Forgery) -> None:
    with pytest.raises(errors.FeatureNotSupported, match="row-level security"):
        transact(scene, lambda: forgery(scene, new_id()), _copy_in)


def _copy_in() -> None:
    with connection.cursor() as cursor, cursor.copy("COPY memoryhub_entry FROM STDIN") as copy:
        copy.write(b"")


@pytest.mark.parametrize("forgery", WELL_MEANT, ids=lambda forgery: forgery.__name__)
def test_origins_decisions_and_procedures_are_held_as_fast(scene: Scene, forgery: Forgery) -> None:
    before, tried = picture(scene), 0
    for statement in (*DELETES, *PROVENANCE.values(), *PROCEDURES):
        words = statement.format(id=scene.accepted.pk, earlier=scene.earlier, person=scene.ground.ada.pk)
        attempt(scene, forgery, scene.accepted.pk, words)
        tried += 1
    assert tried >= 35
    assert picture(scene) == before


def test_an_entry_never_begins_where_the_decision_did_not_put_it(scene: Scene) -> None:
    """The intruder writes decision, chain and head as the hub would, and still can't turn QUEUED into accepted."""
    allowed = {("ADD", "accepted"), ("ADD", "expired"), ("ADD", "archived"), ("UPDATE", "accepted"),
               ("UPDATE", "expired"), ("QUEUED", "proposed"), ("QUEUED", "disputed"), ("NOOP", "replaced"),
               ("NOOP", "rejected")}  # fmt: skip
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT op, status FROM unnest(%s::text[]) op, unnest(%s::text[]) status WHERE hub_entry_begins(op, status)",
            [list(Op), list(Status)],
        )
        assert set(cursor.fetchall()) == allowed


def test_a_status_moves_only_along_the_table_whatever_is_audited(scene: Scene) -> None:
    before = picture(scene)
    for entry in (scene.accepted, scene.waiting):
        for status in set(Status) - {entry.status}:
            verb = MOVES.get((Status(entry.status), status), "")
            for other in sorted({f"entry.{name}" for name in MOVES.values()} - {f"entry.{verb}"} | {"memory.noop"}):

                def audited(scene: Scene, about: uuid.UUID, other: str = other) -> None:
                    announcement.announce()
                    _audit(scene, other, about)

                attempt(
                    scene, audited, entry.pk, f"UPDATE memoryhub_entry SET status = '{status}' WHERE id = '{entry.pk}'"
                )
    assert picture(scene) == before


@pytest.mark.parametrize("statement", AROUND)
def test_the_guard_can_t_be_taken_down(scene: Scene, statement: str) -> None:
    attempt(scene, nothing, scene.accepted.pk, statement)


def test_a_temporary_table_does_not_stand_in_for_ours(scene: Scene) -> None:
    said = [str(scene.waiting.pk), scene.ground.organisation.pk]
    with pytest.raises(DatabaseError):
        transact(
            scene,
            announcement.announce,
            lambda: sql("CREATE TEMP TABLE memoryhub_auditevent AS SELECT * FROM public.memoryhub_auditevent"),
            lambda: sql(
                "INSERT INTO pg_temp.memoryhub_auditevent (written_in, object_kind, object_id, action, organisation_id)"
                " VALUES (hub_transaction(), 'entry', %s, 'entry.approve', %s)",
                said,
            ),
            lambda: sql("UPDATE public.memoryhub_entry SET status = 'accepted' WHERE id = %s", [scene.waiting.pk]),
        )
    with acting_for(scene.ground.as_hub, subjects=ALL_SUBJECTS):
        assert Entry.objects.get(pk=scene.waiting.pk).status == Status.PROPOSED


def test_a_column_is_bookkeeping_only_if_the_database_says_so(scene: Scene) -> None:
    """A new column of the entry is governed until the migration that adds it names it in hub_entry_changes."""
    model = {field.column for field in Entry._meta.concrete_fields}
    assert set(governed_columns()) | BOOKKEEPING | UNSEEN == model | UNSEEN


def test_the_database_knows_the_moves_of_the_lifecycle() -> None:
    """They differ? Replace hub_entry_move in a migration, and give the new verb its columns in hub_entry_rights."""
    pairs = [(before, after) for before in Status for after in Status]
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT b, a, hub_entry_move(b, a), hub_entry_rights('entry.' || hub_entry_move(b, a))"
            " FROM unnest(%s::text[], %s::text[]) AS t (b, a)",
            [[before for before, _ in pairs], [after for _, after in pairs]],
        )
        rows = cursor.fetchall()
    assert {(before, after): verb for before, after, verb, _ in rows if verb} == MOVES
    assert all("status" in rights for _, _, verb, rights in rows if verb)


def test_whoever_imitates_the_gate_to_the_letter_is_on_record(scene: Scene) -> None:
    """The limit of what a database can know (docs/adr/0010): it may be forged, not unseen, and not taken back."""
    new = new_id()
    names = entry_columns()
    said = {"id": f"'{new}'::uuid", "content": "'forged'", "single": "false"}
    copy = ", ".join(said.get(name, name) for name in names)
    with acting_for(scene.ground.as_hub, subjects=ALL_SUBJECTS):
        decision = _forge_decision(scene, new)
        announcement.announce(decision)
        sql(
            f"INSERT INTO memoryhub_entry ({', '.join(names)}) SELECT {copy} FROM memoryhub_entry WHERE id = %s",
            [scene.accepted.pk],
        )
        for verb in ("memory.add", "memory.update", "memory.noop", "memory.queued"):
            _audit(scene, verb, new)
    with acting_for(scene.ground.as_hub, subjects=ALL_SUBJECTS):
        assert Entry.objects.filter(pk=new).exists()
        assert AuditEvent.objects.filter(object_id=str(new)).count() == 4
        assert audit.first_broken_link(scene.ground.organisation.pk) is None
    for cover in (
        f"DELETE FROM memoryhub_decision WHERE id = '{decision}'",
        f"DELETE FROM memoryhub_auditevent WHERE object_id = '{new}'",
        "UPDATE memoryhub_audithead SET seq = seq - 4",
    ):
        attempt(scene, an_announcement, new, cover)


# What the hub itself does goes on -------------------------------------------------------------------------------------


@pytest.mark.parametrize("forgery", [nothing, an_announcement])
def test_bookkeeping_needs_no_decision(scene: Scene, forgery: Forgery) -> None:
    with acting_for(scene.ground.as_hub, subjects=ALL_SUBJECTS):
        forgery(scene, scene.accepted.pk)
        sql(
            "UPDATE memoryhub_entry SET use_count = use_count + 1, last_used_at = now(), contested = true,"
            " updated_at = now(), embedding = NULL, embedding_state = 'pending', embedding_model = '', version = version + 1 WHERE id = %s",
            [scene.accepted.pk],
        )
    with acting_for(scene.ground.as_hub, subjects=ALL_SUBJECTS):
        assert Entry.objects.get(pk=scene.accepted.pk).use_count == 1


def test_every_verb_writes_through_to_its_commit(scene: Scene) -> None:
    """Propose, correct, approve with other words, undo, reject, confirm, dispute, date, activate, erase: all commit."""
    ground, cal = scene.ground, scene.ground.as_cal
    with acting_for(ground.as_agent, subjects=[scene.subject.pk]):
        confirmation.confirm(entry=scene.accepted, by=ground.as_agent, now=NOW)
        confirmation.set_review_by(entry=scene.accepted, review_by=NOW, by=ground.as_agent, now=NOW)
        confirmation.dispute(entry=scene.accepted, reason="It is wrong.", by=ground.as_agent, now=NOW)
    with acting_for(cal, subjects=ALL_SUBJECTS):
        items = {item.entry_id or item.skill_id or item.profile_id: item.pk for item in ReviewItem.objects.all()}
    assert len(items) == 4
    steps: list[Callable[[], Any]] = [
        lambda: decisions.approve(item_id=items[scene.waiting.pk], by=cal, now=NOW, text="Mira lives in Oslo."),
        lambda: decisions.undo(item_id=items[scene.waiting.pk], by=cal, now=NOW),
        lambda: decisions.reject(item_id=items[scene.waiting.pk], reason="No.", by=cal, now=NOW),
        lambda: decisions.approve(item_id=items[scene.accepted.pk], by=cal, now=NOW),
        lambda: decisions.approve(item_id=items[scene.skill.pk], by=cal, now=NOW),
        lambda: decisions.undo(item_id=items[scene.skill.pk], by=cal, now=NOW),
        lambda: decisions.approve(item_id=items[scene.profile.pk], by=cal, now=NOW),
    ]
    for step in steps:
        with acting_for(cal, subjects=ALL_SUBJECTS):
            step()
    with acting_for(ground.as_hub, subjects=ALL_SUBJECTS):
        assert Entry.objects.get(pk=scene.waiting.pk).status == Status.REJECTED
        assert Entry.objects.get(pk=scene.accepted.pk).status == Status.DISPUTED
        assert Profile.objects.get(pk=scene.profile.pk).status == SkillStatus.ACTIVE
        assert Skill.objects.get(pk=scene.skill.pk).status == SkillStatus.PROPOSED
    with acting_for(ground.as_hub, subjects=ALL_SUBJECTS):
        assert erasure.erase_subject(subject=scene.subject, by=ground.as_hub, now=NOW).remaining == 0
        assert not Entry.objects.filter(subject=scene.subject).exists()
    with acting_for(ground.as_hub, subjects=ALL_SUBJECTS):
        assert audit.first_broken_link(ground.organisation.pk) is None
        assert AuditEvent.objects.filter(organisation_id=ground.organisation.pk).exists()
        assert Decision.objects.exists()
    assert User.objects.filter(pk=ground.ada.pk).exists()
