"""Changing what the gate goes by, by raw SQL as the web role: whose word counts, what may be kept, what waits (S9).

The sister of test_back_doors.py, for the tables that no decision but a verb's audit row speaks for. Every attempt really
tries to commit, by somebody who may read and write the whole organisation.
"""

import importlib
import uuid
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import Any

import pytest
from django.conf import settings
from django.db import DatabaseError, connection
from psycopg import errors

from accounts.ids import new_id
from memoryhub.governance import (
    access,
    agent_tools,
    announcement,
    audit,
    confirmation,
    decisions,
    erasure,
    evidence,
    grace,
    intake,
    policy_versions,
    procedures,
    pushing,
    record_sources,
    subjects,
)
from memoryhub.governance.procedures import Learned, SessionSeen
from memoryhub.governance.support import Shown
from memoryhub.models import (
    AgentPolicy,
    Entry,
    Evidence,
    Record,
    RecordReading,
    RecordSource,
    ReviewItem,
    Subject,
)
from memoryhub.providers.embeddings import HashingEmbedder, using
from memoryhub.skills.skillmd import SkillDocument
from memoryhub.skills.validation import ToolSpec
from memoryhub.tenancy import ALL_SUBJECTS, acting_for
from memoryhub.vocabulary import Channel, EvidenceType, KeyRole, MemberRole, ReviewState, ReviewType, Role, Status
from tests.factories.ground import NOW, Ground, make_ground

pytestmark = pytest.mark.usefixtures("committed_db")

RULES: dict[str, dict[str, Any]] = {
    **importlib.import_module("memoryhub.migrations.0013_audited_rows").RULES,
    "memoryhub_agentpolicy": importlib.import_module("memoryhub.migrations.0019_what_is_remembered").RULE,
    "memoryhub_reviewitem": importlib.import_module("memoryhub.migrations.0040_named_by_staff").RULE,
    "accounts_membership": importlib.import_module("memoryhub.migrations.0030_members_leave").RULE,
    **importlib.import_module("memoryhub.migrations.0036_erasure").RULES,
}

#: Tables of a tenant that are under neither guard, and why that is no way to a memory.
BESIDE = {
    "accounts_organisation": "its name and zone, and whether a second factor is asked for",
    "memoryhub_session": "working memory", "memoryhub_turn": "working memory", "memoryhub_offload": "working memory",
    "memoryhub_event": "working memory until a dream offers it to the gate",
    "memoryhub_dream": "a report", "memoryhub_dreamoperation": "a report", "memoryhub_housekeeping": "a report",
    "memoryhub_schedule": "when dreams and housekeeping begin",
    "memoryhub_recall": "the log of reads", "memoryhub_idempotentrequest": "stored answers",
    "memoryhub_notefile": "which ids stand in which file; a view gives only what recall may give",
    "memoryhub_sentform": "digests of tokens, so that a form is obeyed once",
    "memoryhub_recordreading": "what a source said, believed for seconds; never rewritten",
    "memoryhub_reviewnote": "what curators tell each other: shown beside an item, never a memory",
    "memoryhub_reviewquestion": "what a person is asked, and says: a curator decides, not the answer",
    "memoryhub_exportarchive": "what a person takes along, sealed: never read back",
    "memoryhub_reviewlook": "who looked", "memoryhub_savedview": "filters", "memoryhub_preferences": "of a page",
    "memoryhub_subjectkey": "wrapped by a key outside the database: another one in its place opens nothing",
    "memoryhub_notice": "ids of what happened, to be told", "memoryhub_delivery": "what was sent of it",
    "memoryhub_webhook": "where it is sent; each of its verbs is audited",
    "memoryhub_job": "ids of what is to be done", "memoryhub_audithead": "held by the chain",
    "memoryhub_auditevent": "held by the chain",
}  # fmt: skip
#: Under the guard of test_back_doors.py.
DECIDED = {"entry", "provenance", "lineage", "skill", "profile", "decision"}


@dataclass(frozen=True)
class Place:
    """An organisation with a row in every table that is under a rule, each made by its verb."""

    ground: Ground
    subject: Subject
    waiting: Entry
    accepted: Entry
    rows: dict[str, uuid.UUID] = field(default_factory=dict)


@pytest.fixture(autouse=True)
def _no_meaning_needed() -> Iterator[None]:
    with using(HashingEmbedder()):
        yield


@pytest.fixture
def place() -> Place:
    ground = make_ground()
    subject, ada = ground.subject("mira"), ground.ada
    accepted, waiting = tell(ground, subject, "I prefer window seats"), read(ground, subject, "Mira lives in Pune.")
    assert (accepted.status, waiting.status) == (Status.ACCEPTED, Status.PROPOSED)
    with acting_for(ground.as_record, subjects=ALL_SUBJECTS):
        pushing.push(subject=subject, values={"plan": "annual"}, by=ground.as_record, now=NOW)
        show(ground, waiting)
    with acting_for(ground.as_operator, subjects=ALL_SUBJECTS):
        mapping = {"plan": {"source": "pushed", "key": "plan"}}
        record_sources.set_sources(agent=ground.agent, mapping=mapping, by=ground.as_operator, now=NOW)
        policy_versions.change(document={"commit_at": 0.9}, reason="Try it.", by=ground.as_operator, now=NOW)
        policy_versions.change_agent(agent=ground.agent, by=ground.as_operator, now=NOW, improves="seats")
    with acting_for(ground.as_hub, subjects=ALL_SUBJECTS):
        tools = [ToolSpec("look_up", False)]
        agent_tools.set_tools(agent=ground.agent, tools=tools, by=ground.as_hub, now=NOW)
        signals = [agent_tools.SignalSpec("refused", "It was refused: {value}.")]
        agent_tools.set_signals(agent=ground.agent, signals=signals, by=ground.as_hub, now=NOW)
        subjects.describe(external_id="crew", kind="team", members=["mira"], by=ground.as_hub, now=NOW)
        access.ensure_member(person=ada, role=MemberRole.CURATOR, by=ground.as_hub, now=NOW)
        access.make_page_link(subject=subject, by=ground.as_hub, now=NOW)
        procedures.propose_skill(
            document=LESSON, agent=ground.agent, by=ground.as_hub, now=NOW,
            learned=Learned("pattern", (SessionSeen("s-1", "e-1", subject.pk, NOW),)),
        )  # fmt: skip
        other = subjects.ensure(external_id="gone", by=ground.as_hub, now=NOW)
        erasure.erase_subject(subject=other, by=ground.as_hub, now=NOW)
        leaving = subjects.ensure(external_id="leaving", by=ground.as_hub, now=NOW)
        grace.ask(subject=leaving, by=ground.as_hub, now=NOW)
    access.issue_key(
        organisation=ground.organisation.slug, name="desk", roles=(KeyRole.CUSTOMER_RELAY,), now=NOW,
        pepper=settings.MEMORYHUB_KEY_PEPPER,
    )  # fmt: skip
    found = {}
    with acting_for(ground.as_hub, subjects=ALL_SUBJECTS):
        for table in RULES:
            where = {
                "memoryhub_reviewitem": f"entry_id = '{waiting.pk}'", "memoryhub_subject": f"id = '{subject.pk}'"
            }.get(table, "true")  # fmt: skip
            found[table] = uuid.UUID(str(ask(f"SELECT id FROM {table} WHERE {where} LIMIT 1")[0]))
    return Place(ground, subject, waiting, accepted, found)


LESSON = SkillDocument(name="ask-first", description="Ask before a seat is moved.", body="## Procedure\n\nAsk first.")


def tell(ground: Ground, subject: Subject, text: str) -> Entry:
    return _offer(ground, subject, text, Channel.USER_MESSAGE, Role.CUSTOMER)


def read(ground: Ground, subject: Subject, text: str) -> Entry:
    return _offer(ground, subject, text, Channel.DOCUMENT, Role.AGENT)


def _offer(ground: Ground, subject: Subject, text: str, channel: Channel, role: Role) -> Entry:
    with acting_for(ground.as_agent, subjects=ALL_SUBJECTS):
        proposal = intake.Proposal(subject=subject, text=text, channel=channel, role=role)
        (result,) = intake.propose(proposal=proposal, by=ground.as_agent, now=NOW).results
    assert result.entry is not None
    return result.entry


def show(ground: Ground, entry: Entry, *, value: str = "nothing of the kind") -> evidence.Outcome:
    shown = Shown(type=EvidenceType.DOCUMENT, ref=f"file {new_id().hex[-6:]}", value=value)
    return evidence.give(shown=shown, backs=[entry.pk], by=ground.as_record, now=NOW)


def sql(statement: str, values: list[object] | None = None) -> None:
    with connection.cursor() as cursor:
        cursor.execute(statement, values)


def ask(statement: str) -> tuple[Any, ...]:
    with connection.cursor() as cursor:
        cursor.execute(statement)
        row: tuple[Any, ...] = cursor.fetchone()
        return row


# What the intruder points to -----------------------------------------------------------------------------------------


def nothing(place: Place, table: str) -> None:
    """No audit row."""


def an_honest_command(place: Place, table: str) -> None:
    """The gate decides about something else in the same transaction."""
    announcement.announce()
    tell(place.ground, place.subject, f"I prefer the berth {new_id().hex[-6:]}")


def the_right_verbs_about_something_else(place: Place, table: str) -> None:
    for kind, _, _ in RULES[table]["about"]:
        for action in actions_of(table):
            note(place, action.removeprefix("rival:"), kind, new_id())


def another_verb_about_it(place: Place, table: str) -> None:
    for kind, about in whom(place, table):
        note(place, "entry.seen", kind, about)


FORGERIES = [nothing, an_honest_command, the_right_verbs_about_something_else, another_verb_about_it]


def note(place: Place, action: str, kind: str, about: object, reason: str = "") -> None:
    audit.record(by=place.ground.as_hub, now=NOW, action=action, object_kind=kind, object_id=about, reason=reason)


def actions_of(table: str) -> list[str]:
    """Every verb that the rule of a table knows, however it is asked for."""
    rule = RULES[table]
    lists = [*rule["insert"].values(), *rule["update"].values(), rule["delete"]]
    moves = [action for moves in rule.get("moves", {}).values() for action in moves.values()]
    return list(dict.fromkeys([*(action for one in lists for action in one), *moves]))


def whom(place: Place, table: str) -> list[tuple[str, str]]:
    """Whom audit rows would have to be about, as far as the row names them."""
    named = [(kind, ask(f"SELECT {column}::text FROM {table} WHERE id = '{place.rows[table]}'")[0])
             for kind, column, _ in RULES[table]["about"]]  # fmt: skip
    return [(kind, about) for kind, about in named if about]


def columns(table: str) -> dict[str, str]:
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT attname, format_type(atttypid, NULL) FROM pg_attribute WHERE attrelid = %s::regclass"
            " AND attnum > 0 AND NOT attisdropped",
            [table],
        )
        return dict(cursor.fetchall())


OTHER_VALUE = {
    "uuid": "NULL", "jsonb": "jsonb_build_object('a', 'forged')", "boolean": "NOT {0}", "integer": "{0} + 1",
    "double precision": "0.987", "timestamp with time zone": "coalesce({0}, now()) + interval '1 day'",
    "text": "'forged'", "character varying": "'forged'", "character varying[]": "ARRAY['forged']",
    "uuid[]": "ARRAY[gen_random_uuid()]",
}  # fmt: skip
DECISION = "decided_at = now(), decided_by_id = '{person}', state = "
SUBJECT_OF = "(SELECT id FROM memoryhub_subject WHERE external_id = 'gone')"
#: What else has to be set so that the table's own constraints allow it, and only the guard is left to refuse.
FITTING = {
    "memoryhub_record": {"subject_id": SUBJECT_OF},
    "memoryhub_recordsource": {
        "agent_id": None, "kind": "kind = 'file', record_key = '', path = 'x', pattern = '(x)'",
        "record_key": "record_key = 'forged'", "url": None, "path": None, "subject_id": SUBJECT_OF,
    },
    "memoryhub_evidence": {"subject_id": SUBJECT_OF},
    "memoryhub_backing": {"op": "'REFUSED'", "evidence_id": None, "entry_id": "'{accepted}'::uuid"},
    "memoryhub_skillevidence": {"skill_id": None},
    "memoryhub_reviewitem": {
        "state": DECISION + "'approved'", "decided_at": DECISION + "'rejected'",
        "decided_by_id": "decided_at = now(), state = 'withdrawn'", "entry_id": "'{accepted}'::uuid",
        "skill_id": None, "profile_id": None, "rival_id": "'{accepted}'::uuid", "proposer_id": "'{person}'::uuid",
        "claimed_by_id": "claimed_by_id = '{person}', claimed_at = now()",
        "first_yes_by_id": "first_yes_by_id = '{person}', first_yes_at = now()",
        "first_yes_text": "first_yes_text = 'forged', first_yes_at = now()",
        "merged_into_id": "'{accepted}'::uuid", "batch": "gen_random_uuid()", "reverses_id": "reverses_id = id",
        "type": "'sample'", "reason": "'sampled'", "group": '"group" = gen_random_uuid()',
        "subject_id": SUBJECT_OF, "agent_id": "NULL::uuid", "decision_id": "NULL::uuid",
    },
    "memoryhub_policyversion": dict.fromkeys(
        ("version", "document", "signed_by", "signer", "signed_at", "reason"), None
    ),  # never altered by anybody: tests of the policy
    "memoryhub_agentpolicy": {
        "agent_id": None, "commit_at": "commit_at = 0.4, discard_below = 0.1", "discard_below": None,
        "episodic": "'off'", "semantic": "'propose_only'", "procedural": "'off'",
        "recall_profile": "'generative_agents'",
    },
    "memoryhub_agenttool": {"agent_id": None},
    "memoryhub_agentsignal": {"agent_id": None},
    "memoryhub_subject": {
        "kind": "'site'", "account_id": SUBJECT_OF, "paused_at": "paused_at = now(), paused_by = 'x'", "paused_by": None,
    },
    "memoryhub_subjectmember": {"group_id": SUBJECT_OF, "person_id": SUBJECT_OF},
    "accounts_membership": {"user_id": "(SELECT id FROM accounts_user WHERE id <> '{person}' LIMIT 1)", "role": "'operator'"},
    "accounts_agent": {},
    "accounts_key": {"roles": "ARRAY['customer_relay', 'operator']", "user_id": "'{person}'::uuid", "agent_id": "'{agent}'::uuid"},
    "accounts_pagelink": {},
    "memoryhub_forgottenmark": {"subject_id": SUBJECT_OF.replace("gone", "mira")},
    "memoryhub_pendingerasure": {"subject_id": SUBJECT_OF},
    "memoryhub_erasure": {"ending": "'entry'", "target": "gen_random_uuid()", "remaining": "remaining + 1"},
}  # fmt: skip


def changes(place: Place, table: str) -> Iterator[tuple[str, str]]:
    """Each governed column of a table, with a statement that changes it and nothing but the guard to stop it."""
    for name, kind in columns(table).items():
        if name in ("id", "organisation_id", *RULES[table]["free"]):
            continue
        fitting = FITTING[table].get(name, OTHER_VALUE[kind].replace("{0}", f'"{name}"'))
        if fitting is None:
            continue
        words = fitting.replace("{person}", str(place.ground.ada.pk)).replace("{agent}", str(place.ground.agent.pk))
        words = words.replace("{accepted}", str(place.accepted.pk))
        settings_ = words if " = " in words and not words.startswith("(") else f'"{name}" = {words}'
        yield name, f"UPDATE {table} SET {settings_} WHERE id = '{place.rows[table]}'"


def copied(place: Place, table: str, new: uuid.UUID | None = None) -> str:
    """A second row of a table, like the first and yet unlike it where it has to be."""
    unlike = {
        "memoryhub_record": {"key": "forged"}, "memoryhub_recordsource": {"key": "forged"}, "memoryhub_evidence": {},
        "memoryhub_backing": {"entry_id": place.accepted.pk}, "memoryhub_skillevidence": {"session_ref": "forged"},
        "memoryhub_reviewitem": {"entry_id": place.accepted.pk}, "memoryhub_policyversion": {"version": 9},
        "memoryhub_agenttool": {"name": "forged"}, "memoryhub_agentsignal": {"kind": "forged"},
        "memoryhub_subject": {"external_id": "forged"}, "memoryhub_subjectmember": {"person_id": "{gone}"},
        "accounts_membership": {"role": "operator"}, "accounts_agent": {"slug": "forged"},
        "accounts_key": {"lookup": "forged00"}, "accounts_pagelink": {"digest": "f" * 64}, "memoryhub_erasure": {},
        "memoryhub_forgottenmark": {"mark": "forged"}, "memoryhub_pendingerasure": {"subject_id": "{gone}"},
    }[table]  # fmt: skip
    other = ", ".join(f"'{name}', '{value}'" for name, value in {"id": new or new_id(), **unlike}.items())
    other = other.replace("'{gone}'", SUBJECT_OF)
    return (
        f"INSERT INTO {table} SELECT (jsonb_populate_record(t, jsonb_build_object({other}))).* FROM {table} t"
        f" WHERE id = '{place.rows[table]}'"
    )


#: What a row takes along when it goes.
BEFORE_IT_GOES = {
    "memoryhub_evidence": "DELETE FROM memoryhub_backing",
    "memoryhub_subject": "SELECT 1",  # everything about it stands in the way; the row itself has to go as well
    "accounts_agent": "SELECT 1",
}  # fmt: skip


def attempt(place: Place, forgery: Callable[[], object], statement: str) -> None:
    with pytest.raises(DatabaseError) as refused:
        _transact(place, forgery, lambda: sql(statement))
    assert isinstance(refused.value.__cause__, errors.InsufficientPrivilege), f"{statement}: {refused.value}"


def _transact(place: Place, *steps: Callable[[], object]) -> None:
    with acting_for(place.ground.as_hub, subjects=ALL_SUBJECTS):
        for step in steps:
            step()


def picture(place: Place) -> list[str]:
    found: list[str] = []
    with acting_for(place.ground.as_hub, subjects=ALL_SUBJECTS), connection.cursor() as cursor:
        for table in RULES:
            cursor.execute(f"SELECT to_jsonb(t)::text FROM {table} t ORDER BY id")
            found += [row[0] for row in cursor.fetchall()]
    return found


@pytest.mark.parametrize("forgery", FORGERIES, ids=lambda forgery: forgery.__name__)
def test_nothing_changes_without_the_audit_row_that_allows_it(place: Place, forgery: Callable[..., None]) -> None:
    before, tried = picture(place), 0
    for table in RULES:
        for _, statement in changes(place, table):
            attempt(place, lambda table=table: forgery(place, table), statement)
            tried += 1
    assert tried >= 90
    assert picture(place) == before


@pytest.mark.parametrize("forgery", FORGERIES, ids=lambda forgery: forgery.__name__)
def test_nothing_comes_or_goes_without_its_audit_row(place: Place, forgery: Callable[..., None]) -> None:
    before = picture(place)
    for table in RULES:
        if table != "memoryhub_agentpolicy":  # one an agent: a second has no place
            attempt(place, lambda table=table: forgery(place, table), copied(place, table))
        if table not in ("memoryhub_subject", "accounts_agent"):  # held by the keys of all that names them
            first = BEFORE_IT_GOES.get(table, "SELECT 1")
            statement = f"{first}; DELETE FROM {table} WHERE id = '{place.rows[table]}'"
            attempt(place, lambda table=table: forgery(place, table), statement)
    assert picture(place) == before


def test_a_verb_changes_what_is_its_own_alone(place: Place) -> None:
    """Every verb of a rule, audited about the very row, against every column that it does not name."""
    before, tried = picture(place), 0
    for table, rule in RULES.items():
        for action in actions_of(table):
            for column, statement in changes(place, table):
                moved = action in {one for moves in rule.get("moves", {}).values() for one in moves.values()}
                allowed = action in rule["update"].get(column, ())
                if allowed or (moved and column in ("state", "decided_at", "decided_by_id")):
                    continue

                def audited(table: str = table, action: str = action) -> None:
                    for kind, about in whom(place, table):
                        note(place, action.removeprefix("rival:"), kind, about)

                attempt(place, audited, statement)
                tried += 1
    assert tried >= 150
    assert picture(place) == before


@pytest.mark.parametrize(
    ("verb", "state"),
    [("queue.claim", "approved"), ("queue.reject", "approved"), ("queue.approve", "rejected"),
     ("queue.undo", "approved"), ("queue.withdraw", "approved"), ("queue.approve", "withdrawn")],
)  # fmt: skip
def test_what_waits_is_decided_by_the_verb_of_that_decision(place: Place, verb: str, state: str) -> None:
    item = place.rows["memoryhub_reviewitem"]
    attempt(
        place, lambda: note(place, verb, "review_item", item),
        f"UPDATE memoryhub_reviewitem SET state = '{state}', decided_at = now(), decided_by_id = '{place.ground.ada.pk}'"
        f" WHERE id = '{item}'",
    )  # fmt: skip


def test_who_proposed_it_too_is_never_forgotten(place: Place) -> None:
    with acting_for(place.ground.as_cal, subjects=ALL_SUBJECTS):
        confirmation.dispute(entry=place.accepted, reason="It is wrong.", by=place.ground.as_cal, now=NOW)
    with acting_for(place.ground.as_dee, subjects=ALL_SUBJECTS):
        confirmation.dispute(entry=place.accepted, reason="It is wrong.", by=place.ground.as_dee, now=NOW)
    for others in ("'{}'", f"ARRAY['{place.ground.ada.pk}'::uuid]"):
        attempt(
            place, lambda: note(place, "entry.dispute", "entry", place.accepted.pk),
            f"UPDATE memoryhub_reviewitem SET others = {others} WHERE entry_id = '{place.accepted.pk}'",
        )  # fmt: skip


@pytest.mark.parametrize(
    "unlike",
    [
        "'state', 'approved', 'decided_at', now(), 'decided_by_id', '{person}'",
        "'claimed_by_id', '{person}', 'claimed_at', now()",
        "'type', 'sample'", "'type', 'reconfirm'", "'type', 'skill'", "'undo', '{{}}'::jsonb",
    ],
)  # fmt: skip
def test_what_waits_begins_as_its_kind_begins(place: Place, unlike: str) -> None:
    """Though the gate's own row about the entry lies beside it."""
    unlike = unlike.replace("{person}", str(place.ground.ada.pk)).replace("{{}}", "{}")
    attempt(
        place, lambda: note(place, "memory.queued", "entry", place.accepted.pk),
        "INSERT INTO memoryhub_reviewitem SELECT (jsonb_populate_record(t, jsonb_build_object("
        f"'id', gen_random_uuid(), 'entry_id', '{place.accepted.pk}', {unlike}))).* FROM memoryhub_reviewitem t"
        f" WHERE id = '{place.rows['memoryhub_reviewitem']}'",
    )  # fmt: skip


def test_a_role_is_given_by_the_row_that_names_it(place: Place) -> None:
    attempt(
        place, lambda: note(place, "member.add", "user", place.ground.ada.pk, reason="customer"),
        copied(place, "accounts_membership"),
    )  # fmt: skip


def test_a_record_comes_with_a_decision_about_its_subject(place: Place) -> None:
    """The audit row is there; the gate was not asked, or was asked through another channel, or about somebody else."""
    ground = place.ground

    def pushed_about(other: Subject) -> Callable[[], object]:
        return lambda: pushing.push(subject=other, values={"plan": "monthly"}, by=ground.as_record, now=NOW)

    elsewhere = ground.subject("noor")
    asked: list[Callable[[], object]] = [
        lambda: None, lambda: tell(ground, place.subject, "I prefer figs"), pushed_about(elsewhere)
    ]  # fmt: skip
    for ask_gate in asked:
        new = new_id()
        statement = copied(place, "memoryhub_record", new)

        def beside(ask_gate: Callable[[], object] = ask_gate, new: uuid.UUID = new) -> None:
            ask_gate()
            note(place, "record.push", "record", new)

        attempt(place, beside, statement)


def test_what_evidence_came_to_is_what_the_decision_says(place: Place) -> None:
    def shown() -> None:
        show(place.ground, place.waiting)

    attempt(
        place, shown,
        "INSERT INTO memoryhub_backing SELECT (jsonb_populate_record(t, jsonb_build_object('id', gen_random_uuid(),"
        f" 'op', 'ADD', 'entry_id', '{place.accepted.pk}'))).* FROM memoryhub_backing t ORDER BY id DESC LIMIT 1",
    )  # fmt: skip


def test_what_a_source_said_is_never_rewritten(place: Place) -> None:
    ground = place.ground
    with acting_for(ground.as_hub, subjects=ALL_SUBJECTS):
        RecordReading.objects.create(
            organisation=ground.organisation, source=RecordSource.objects.get(), subject=place.subject, state="value",
            value="annual", read_at=NOW,
        )  # fmt: skip
    attempt(place, lambda: None, "UPDATE memoryhub_recordreading SET value = 'forged'")


def test_every_table_of_a_tenant_is_under_a_guard_or_named_beside() -> None:
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT table_name FROM information_schema.columns WHERE column_name = 'organisation_id'"
            " AND table_schema = 'public'"
        )
        tables = {row[0] for row in cursor.fetchall()} | {"accounts_organisation"}
        cursor.execute(
            "SELECT tgrelid::regclass::text, count(*) FROM pg_trigger WHERE tgfoid = 'hub_row_audited'::regproc"
            " AND tgdeferrable AND tginitdeferred AND tgenabled = 'O' GROUP BY 1"
        )
        guarded = dict(cursor.fetchall())
    assert guarded == dict.fromkeys(RULES, 2)
    assert set(RULES) | set(BESIDE) | {f"memoryhub_{name}" for name in DECIDED} == tables


@pytest.mark.parametrize("table", sorted(RULES))
def test_a_rule_names_columns_and_verbs_that_there_are(table: str) -> None:
    rule, there = RULES[table], set(columns(table))
    named = {
        *rule["update"], *rule["free"], *rule["emptied"], *rule.get("moves", {}), *rule.get("grows", ()),
        *rule.get("starts", {}), *(column for _, column, _ in rule["about"]),
        *(rule[name] for name in ("by", "reason", "op") if name in rule),
    }  # fmt: skip
    assert named <= there
    assert set(rule["insert"]) <= (set(ReviewType) if "by" in rule else {"*"})


# What the hub itself does goes on ------------------------------------------------------------------------------------


def test_a_record_that_repeats_replaces_and_comes_late_is_kept(place: Place) -> None:
    ground = place.ground
    for value in ("annual", "monthly", None, "weekly"):
        with acting_for(ground.as_record, subjects=ALL_SUBJECTS):
            pushing.push(subject=place.subject, values={"plan": value}, by=ground.as_record, now=NOW)
    with acting_for(ground.as_hub, subjects=ALL_SUBJECTS):
        assert [row.value for row in Record.objects.order_by("id")] == ["annual", "monthly", "", "weekly"]
        assert Record.objects.filter(replaced_at__isnull=True).get().value == "weekly"


def test_evidence_settings_members_and_policies_are_written_by_their_verbs(place: Place) -> None:
    ground = place.ground
    with acting_for(ground.as_record, subjects=ALL_SUBJECTS):
        show(ground, place.waiting, value="Mira lives in Pune")
    with acting_for(ground.as_operator, subjects=ALL_SUBJECTS):
        record_sources.set_sources(agent=ground.agent, mapping={}, by=ground.as_operator, now=NOW)
        policy_versions.change_agent(agent=ground.agent, by=ground.as_operator, now=NOW, improves="berths")
        policy_versions.change(document={"commit_at": 0.85}, reason="Again.", by=ground.as_operator, now=NOW)
    with acting_for(ground.as_hub, subjects=ALL_SUBJECTS):
        subjects.describe(external_id="crew", members=["noor"], by=ground.as_hub, now=NOW)
        subjects.pause(subject=place.subject, paused=True, use_existing=True, by=ground.as_hub, now=NOW)
        agent_tools.set_tools(agent=ground.agent, tools=[], by=ground.as_hub, now=NOW)
        agent_tools.set_signals(agent=ground.agent, signals=[], by=ground.as_hub, now=NOW)
    with acting_for(ground.as_hub, subjects=ALL_SUBJECTS):
        assert Evidence.objects.count() == 2
        assert not RecordSource.objects.exists()
        assert AgentPolicy.objects.get().improves == "berths"


def test_a_queue_claimed_decided_undone_and_erased_commits(place: Place) -> None:
    cal, item = place.ground.as_cal, place.rows["memoryhub_reviewitem"]
    steps: list[Callable[[], object]] = [
        lambda: decisions.claim(item_id=item, by=cal, now=NOW),
        lambda: decisions.release(item_id=item, by=cal, now=NOW),
        lambda: decisions.approve(item_id=item, by=cal, now=NOW),
        lambda: decisions.undo(item_id=item, by=cal, now=NOW),
        lambda: decisions.reject(item_id=item, reason="No.", by=cal, now=NOW),
    ]
    for step in steps:
        with acting_for(cal, subjects=ALL_SUBJECTS):
            step()
    with acting_for(place.ground.as_hub, subjects=ALL_SUBJECTS):
        assert ReviewItem.objects.get(pk=item).state == ReviewState.REJECTED
    with acting_for(place.ground.as_hub, subjects=ALL_SUBJECTS):
        assert erasure.erase_subject(subject=place.subject, by=place.ground.as_hub, now=NOW).remaining == 0
    with acting_for(place.ground.as_hub, subjects=ALL_SUBJECTS):
        assert not ReviewItem.objects.filter(subject=place.subject).exists()
        assert audit.first_broken_link(place.ground.organisation.pk) is None
