"""What an erasure needs to be done once more, what waits to be erased, and keyed hashes of what must not come back (R91).

Every way of erasing allows what an erasure allows (0007_write_guard, 0013_audited_rows): the two functions that ask for
it take any verb "erase.…". The zone of a person goes with their name.
"""

import importlib
from typing import Any

import django.db.models.deletion
from django.db import migrations, models
from django.db.models import F, Q

import accounts.ids
from accounts.row_security import any_organisation, protect, same_organisation, subject_is_readable, unprotect

AUDITED = importlib.import_module("memoryhub.migrations.0013_audited_rows")
WISHES = importlib.import_module("memoryhub.migrations.0026_never_keep")

ENDINGS = ("entry", "kind", "conversation", "subject", "lapsed")
DONE = [f"erase.{ending}" for ending in ENDINGS]
RULES: dict[str, dict[str, Any]] = {
    "memoryhub_erasure": AUDITED.rule(("erasure", "id"), insert=DONE),
    "memoryhub_forgottenmark": AUDITED.rule(
        ("subject", "subject_id"), insert=["subject.forget"], delete=["subject.forget", "subject.say_again"]
    ),
    "memoryhub_pendingerasure": AUDITED.rule(
        ("pending_erasure", "id"), insert=["erasure.ask"], delete=["erasure.cancel"], gone=AUDITED.ERASED
    ),
    "memoryhub_subject": {
        **WISHES.RULE, "emptied": {**WISHES.RULE["emptied"], "timezone": AUDITED.ERASED}
    },
}  # fmt: skip
BEFORE = {
    "memoryhub_erasure": AUDITED.RULES["memoryhub_erasure"], "memoryhub_subject": WISHES.RULE,
}  # fmt: skip
NEW = ("memoryhub_forgottenmark", "memoryhub_pendingerasure")

ANY_ENDING = """
CREATE OR REPLACE FUNCTION hub_forgets() RETURNS boolean LANGUAGE sql STABLE AS
  $$ SELECT EXISTS (SELECT 1 FROM memoryhub_auditevent WHERE written_in = hub_transaction()
     AND (action LIKE 'erase.%' OR action = 'organisation.remove')) $$;
CREATE OR REPLACE FUNCTION hub_did(wanted jsonb) RETURNS boolean LANGUAGE sql STABLE AS
  $$ SELECT wanted IS NOT NULL AND EXISTS (
       SELECT 1 FROM memoryhub_auditevent WHERE written_in = hub_transaction()
       AND (wanted ? action OR (wanted ? 'erase.entry' AND action LIKE 'erase.%'))) $$;
"""
TWO_ENDINGS = """
CREATE OR REPLACE FUNCTION hub_forgets() RETURNS boolean LANGUAGE sql STABLE AS
  $$ SELECT EXISTS (SELECT 1 FROM memoryhub_auditevent WHERE written_in = hub_transaction()
     AND action IN ('erase.entry', 'erase.subject', 'organisation.remove')) $$;
CREATE OR REPLACE FUNCTION hub_did(wanted jsonb) RETURNS boolean LANGUAGE sql STABLE AS
  $$ SELECT wanted IS NOT NULL AND EXISTS (
       SELECT 1 FROM memoryhub_auditevent WHERE written_in = hub_transaction() AND wanted ? action) $$;
"""
# Receipts are seen by who may see their subject. A rewrite of the column reaches every row, which no UPDATE would.
OF_SUBJECT = subject_is_readable("coalesce(subject_id, target)")
SEEN = f"""
ALTER TABLE memoryhub_erasure ALTER COLUMN subject_id TYPE uuid USING CASE ending WHEN 'subject' THEN target END;
CREATE POLICY memoryhub_erasure_subject ON memoryhub_erasure AS RESTRICTIVE USING ({OF_SUBJECT}) WITH CHECK ({OF_SUBJECT});
"""
SUBJECT = "memoryhub_subject"
# How many erasures there were: each process looks at it with every transaction, and lets go of words (word_caches.py).
COUNTER = "CREATE SEQUENCE memoryhub_erasures"


def _id() -> tuple[str, models.UUIDField]:
    return "id", models.UUIDField(default=accounts.ids.new_id, editable=False, primary_key=True, serialize=False)


def _of(model: str) -> models.ForeignKey:
    return models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name="+", to=model)


class Migration(migrations.Migration):
    dependencies = [("accounts", "0004_key_in_one_step"), ("memoryhub", "0035_note_files")]

    operations = [
        migrations.RunSQL(COUNTER, "DROP SEQUENCE memoryhub_erasures"),
        migrations.RunSQL(ANY_ENDING, TWO_ENDINGS),
        *[migrations.RunSQL(AUDITED.unaudited(table), AUDITED.audited(table, BEFORE[table])) for table in BEFORE],
        migrations.AlterField(
            "erasure",
            "ending",
            models.CharField(
                choices=[
                    ("entry", "one entry"),
                    ("kind", "everything of one kind"),
                    ("conversation", "one conversation"),
                    ("subject", "everything about one subject"),
                    ("lapsed", "what had lapsed"),
                ],
                max_length=12,
            ),
        ),
        migrations.AlterField(
            "erasure", "target", models.UUIDField(help_text="the entry, the session, or the subject")
        ),
        migrations.AddField(
            "erasure", "subject_id", models.UUIDField(help_text="empty: from before it was noted", null=True)
        ),
        migrations.AddField(
            "erasure",
            "options",
            models.JSONField(
                default=dict, help_text="what doing it again takes: ids of entries, events and sessions, the kind"
            ),
        ),
        migrations.AddField(
            "erasure",
            "backups_until",
            models.DateTimeField(help_text="by then no backup holds it any more; empty: as shipped", null=True),
        ),
        migrations.RunSQL(SEEN, "DROP POLICY memoryhub_erasure_subject ON memoryhub_erasure"),
        migrations.AddIndex("erasure", models.Index(fields=["subject_id", "erased_at"], name="erasure_by_subject")),
        migrations.CreateModel(
            "PendingErasure",
            fields=[
                _id(),
                ("asked_by", models.CharField(max_length=120)),
                ("asked_at", models.DateTimeField()),
                ("due_at", models.DateTimeField()),
                ("organisation", _of("accounts.organisation")),
                ("subject", _of("memoryhub.subject")),
            ],
            options={
                "constraints": [
                    models.UniqueConstraint(fields=("subject",), name="pending_erasure_once"),
                    models.CheckConstraint(condition=Q(due_at__gte=F("asked_at")), name="pending_erasure_after_asking"),
                ]
            },
        ),
        migrations.CreateModel(
            "ForgottenMark",
            fields=[
                _id(),
                ("mark", models.CharField(blank=True, max_length=64)),
                ("forgotten_at", models.DateTimeField()),
                ("organisation", _of("accounts.organisation")),
                ("subject", _of("memoryhub.subject")),
            ],
            options={"constraints": [models.UniqueConstraint(fields=("subject", "mark"), name="forgotten_once")]},
        ),
        *[
            migrations.RunSQL(protect(table, subject=subject_is_readable("subject_id")), unprotect(table))
            for table in NEW
        ],
        *[
            migrations.RunSQL(same_organisation(table, "subject_id", SUBJECT), any_organisation(table, "subject_id"))
            for table in NEW
        ],
        *[migrations.RunSQL(AUDITED.audited(table, said), AUDITED.unaudited(table)) for table, said in RULES.items()],
    ]
