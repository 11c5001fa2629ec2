"""Nobody else writes: which file may make, change and delete rows of a governed model, found by reading the code (R10).

The database refuses the same at run time (tests/integration/test_back_doors.py); this test says so before it runs.
"""

import functools
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.repository.writers import Reader, Write

ROOT = Path(__file__).resolve().parents[2]
PACKAGES = ("memoryhub", "curation", "accounts")

#: Which files may write rows of a governed model; everything else goes through their verbs.
OWNERS = {
    "Entry": {
        "governance/commit.py", "governance/lifecycle.py", "governance/acceptance.py", "governance/confirmation.py",
        "governance/disputes.py", "governance/evidence.py", "governance/embedding.py", "governance/reembedding.py",
        "governance/removal.py", "governance/upkeep.py", "governance/versions.py", "governance/merging.py",
        "recall/read_log.py", "recall/crowds.py",
    },
    "Provenance": {"governance/commit.py", "governance/removal.py"},
    "Lineage": {"governance/commit.py"},
    "NoteFile": {"governance/memory_files.py"},
    "Skill": {
        "governance/procedures.py", "governance/activation.py", "governance/procedure_audit.py", "governance/removal.py",
    },
    "SkillEvidence": {"governance/procedures.py", "governance/removal.py"},
    "Profile": {"governance/procedures.py", "governance/activation.py"},
    "ReviewItem": {
        "governance/review_queue.py", "governance/decisions.py", "governance/removal.py", "governance/procedures.py",
        "governance/acceptance.py", "governance/opening.py", "governance/four_eyes.py", "governance/questions.py",
        "governance/bulk.py", "governance/named_by_staff.py",
    },
    "ReviewQuestion": {"governance/questions.py", "governance/named_by_staff.py"},
    "ReviewNote": {"governance/review_notes.py", "governance/removal.py", "governance/named_by_staff.py"},
    "ReviewLook": {"governance/looked.py"},
    "SavedView": {"governance/saved_views.py", "governance/named_by_staff.py"},
    "Preferences": {"governance/saved_views.py", "governance/digests.py"},
    "SentForm": {"governance/sent_forms.py"},
    "AuditEvent": {"governance/audit.py"},
    "AuditHead": {"governance/audit.py"},
    "Decision": {"governance/intake.py", "governance/procedures.py", "governance/evidence.py"},
    "Backing": {"governance/evidence.py"},
    "Record": {"governance/records.py"},
    "RecordReading": {"governance/records.py"},
    "RecordSource": {"governance/record_sources.py"},
    "Erasure": {"governance/receipts.py", "governance/erasure_ledger.py"},  # the ledger's are never stored
    "PendingErasure": {"governance/grace.py", "governance/removal.py"},
    "ForgottenMark": {"governance/forgotten.py"},
    "ExportArchive": {"governance/archives.py"},
    "PolicyVersion": {"governance/policy_versions.py"},
    "AgentPolicy": {"governance/policy_versions.py", "governance/access.py"},
    "Notice": {"governance/notices.py"},
    "Webhook": {"governance/webhooks.py", "governance/delivering.py"},
    "Delivery": {"governance/notices.py", "governance/webhooks.py", "governance/delivering.py"},
    "": {"accounts/models.py"},  # Django's own way of making a user
}  # fmt: skip

#: Who may say that a write command is under way (governance/announcement.py): the doors, each of which audits.
ANNOUNCERS = {
    "governance/intake.py", "governance/opening.py", "governance/answers.py", "governance/confirmation.py", "governance/erasure.py",
    "governance/procedures.py", "governance/organisations.py", "governance/evidence.py", "governance/upkeep.py",
    "governance/putting_aside.py",
    "governance/procedure_audit.py", "governance/procedure_versions.py",
}  # fmt: skip

#: SQL that makes tables and policies, for migrations.
SQL_OF_MIGRATIONS = {"accounts/row_security.py"}
#: As the database's administrator, whom no guard holds, into a database that holds nothing: what a bench is run on.
SQL_OF_BENCHES = {"management/scale_load.py"}
#: As its owner, into a database that is being put back and serves nobody yet.
SQL_OF_RESTORES = {"management/restore.py"}


def modules() -> Iterator[tuple[str, str]]:
    """Every module's name within its package (accounts' with it), and its source."""
    for package in PACKAGES:
        for path in sorted((ROOT / package).rglob("*.py")):
            if "migrations" not in path.parts:
                inside = path.relative_to(ROOT / package)
                yield f"accounts/{inside}" if package == "accounts" else str(inside), path.read_text()


SOURCES = dict(modules())


@functools.cache
def writes_of(name: str) -> list[Write]:
    return list(Reader(SOURCES[name]).writes())


@pytest.mark.parametrize("model", sorted(OWNERS))
def test_no_governed_row_is_written_outside_the_file_that_owns_it(model: str) -> None:
    found = {
        name: [f"line {write.line}: {write.words}" for write in writes_of(name) if write.model == model]
        for name in SOURCES
    }
    writers = {name: lines for name, lines in found.items() if lines}
    strangers = {name: lines for name, lines in writers.items() if name not in OWNERS[model]}
    assert strangers == {}, f"Call the verb of {sorted(OWNERS[model])} instead (or annotate what can't be told)."
    assert OWNERS[model] == set(writers), "An owner that writes nothing any more leaves the list."


def test_no_row_is_written_by_sql() -> None:
    found = {name: [write.words for write in Reader(source).sql()] for name, source in SOURCES.items()}
    allowed = SQL_OF_MIGRATIONS | SQL_OF_BENCHES | SQL_OF_RESTORES
    assert {name: lines for name, lines in found.items() if lines and name not in allowed} == {}


def test_no_model_is_reached_by_a_hidden_way() -> None:
    found = {name: [write.words for write in Reader(source).hidden()] for name, source in SOURCES.items()}
    assert {name: lines for name, lines in found.items() if lines} == {}


def test_only_the_doors_announce_a_write() -> None:
    importing = {name for name, source in SOURCES.items() if "announcement" in source} - {"governance/announcement.py"}
    assert importing == ANNOUNCERS
    assert [name for name, source in SOURCES.items() if "'hub.command'" in source] == ["governance/announcement.py"]


@pytest.mark.parametrize(
    ("model", "source"),
    [
        ("Entry", "Entry(content='x')"),
        ("Entry", "models.Entry.objects.create(content='x')"),
        ("Entry", "Entry.objects.filter(pk=1).exclude(pk=2).update(status='accepted')"),
        ("Entry", "def f(one: Entry) -> None:\n    one.save()"),
        ("Entry", "def f(many: 'QuerySet[Entry]') -> None:\n    many.delete()"),
        ("Entry", "def f(many: list[Entry]) -> None:\n    for one in many:\n        one.delete()"),
        ("Entry", "def f(item: ReviewItem) -> None:\n    item.entry.save(update_fields=['status'])"),
        ("Entry", "def f(item: ReviewItem) -> None:\n    rival = item.rival or item.entry\n    rival.save()"),
        ("Entry", "def f(subject: Subject) -> None:\n    subject.entries.filter(key='x').update(value='y')"),
        ("Entry", "def f(subject: Subject) -> None:\n    [one.save() for one in subject.entries.all()]"),
        ("Entry", "def g(pk: int) -> Entry: ...\ndef f() -> None:\n    g(1).save()"),
        ("Entry", "def f() -> None:\n    one = Entry.objects.get(pk=1)\n    one.status = 'x'\n    one.save()"),
        ("Entry", "def f() -> None:\n    if (one := Entry.objects.first()) is not None:\n        one.save()"),
        ("Entry", "def f(plan: Plan) -> None:\n    plan.known.save()"),
        ("Entry", "async def f(one: Entry) -> None:\n    await one.asave()"),
        ("Provenance", "def f(one: Entry) -> None:\n    one.provenance.delete()"),
        ("Skill", "def f(item: ReviewItem) -> None:\n    skill, other = item.skill, 1\n    skill.save()"),
        ("SkillEvidence", "def f(skill: Skill) -> None:\n    skill.evidence.all().delete()"),
        ("Decision", "Decision.objects.bulk_create([])"),
        ("AuditHead", "AuditHead.objects.update(seq=1)"),
        ("", "def f(x) -> None:\n    x.save()"),
    ],
)
def test_the_reader_finds_a_write_however_it_is_put(model: str, source: str) -> None:
    assert model in {write.model for write in Reader(source).writes()}


@pytest.mark.parametrize(
    "source",
    [
        "def f(item: ReviewItem) -> None:\n    print(item.entry.content)",
        "def f(names: dict[str, str]) -> None:\n    names.update(a='b')",
        "Entry.objects.filter(pk=1).values_list('pk').count()",
        "def f(item: ReviewItem) -> None:\n    item.save()",
    ],
)
def test_the_reader_finds_no_entry_written_where_none_is(source: str) -> None:
    assert "Entry" not in {write.model for write in Reader(source).writes()}


@pytest.mark.parametrize(
    "source",
    [
        "cursor.execute('UPDATE memoryhub_entry SET status = 1')",
        "cursor.execute('insert into public.memoryhub_entry values (1)')",
        "cursor.execute('WITH x AS (DELETE FROM memoryhub_provenance RETURNING id) SELECT 1')",
        "cursor.execute(f'DELETE FROM {table}')",
        "cursor.copy('COPY memoryhub_entry FROM STDIN')",
        "Entry.objects.raw('MERGE INTO memoryhub_entry USING x ON true WHEN MATCHED THEN DELETE')",
    ],
)
def test_the_reader_finds_sql_that_writes(source: str) -> None:
    assert list(Reader(source).sql())


def test_the_reader_leaves_sentences_alone() -> None:
    assert not list(Reader("x = 'Update the entry, or delete from here.'").sql())


@pytest.mark.parametrize(
    "source",
    [
        "from memoryhub.models import Entry as E",
        "apps.get_model('memoryhub', 'Entry').objects.create()",
        "type(entry).objects.filter(pk=1).delete()",
        "Entry._base_manager.all()",
        "queryset._raw_delete('default')",
    ],
)
def test_the_reader_finds_hidden_ways(source: str) -> None:
    assert list(Reader(source).hidden())
