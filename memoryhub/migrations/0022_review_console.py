"""A place to work all day (R92): notes, questions, looks, saved views; snoozing, escalating, merging, reversing, four eyes.

The rule that holds what may change in a waiting item (0013_audited_rows) learns the new verbs.
"""

import importlib

import django.db.models.deletion
from django.conf import settings
from django.db import migrations, models

import accounts.ids
from accounts.row_security import any_organisation, protect, same_organisation, subject_is_readable, unprotect

BEFORE = importlib.import_module("memoryhub.migrations.0013_audited_rows")
TABLE = "memoryhub_reviewitem"
ENTRY, ITEM, SUBJECT = "memoryhub_entry", TABLE, "memoryhub_subject"

#: As conf.DECIDED_WITHIN was then.
PLACED = """
ALTER TABLE memoryhub_reviewitem ALTER COLUMN place_at TYPE timestamptz USING turn_at + CASE type
  WHEN 'dispute' THEN interval '24 hours' WHEN 'fact' THEN interval '72 hours' WHEN 'skill' THEN interval '120 hours'
  WHEN 'profile' THEN interval '120 hours' WHEN 'reconfirm' THEN interval '168 hours' ELSE interval '336 hours' END
"""

#: What curators say among themselves is seen by nobody who sees single subjects; a question by whom it is put to.
STAFF = "(SELECT hub_all_subjects())"
PROTECTED = {
    "memoryhub_reviewnote": STAFF, "memoryhub_reviewlook": STAFF,
    "memoryhub_reviewquestion": subject_is_readable("subject_id"),
    "memoryhub_savedview": None, "memoryhub_preferences": None,
}  # fmt: skip
REFERENCES = {
    "memoryhub_reviewnote": {"item_id": ITEM, "subject_id": SUBJECT},
    "memoryhub_reviewquestion": {"item_id": ITEM, "subject_id": SUBJECT},
    "memoryhub_reviewlook": {"item_id": ITEM},
    TABLE: {"merged_into_id": ENTRY, "reverses_id": ITEM},
}

OLD = BEFORE.RULES[TABLE]
DECIDED = [*BEFORE.DECIDED, "queue.merge"]
RULE = {
    **OLD,
    "insert": {kind: [*actions, "queue.reverse"] for kind, actions in OLD["insert"].items()},
    "starts": {
        **OLD["starts"],
        **dict.fromkeys(("snoozed_until", "escalated_at", "asked_at", "first_yes_by_id", "merged_into_id", "batch")),
    },
    "moves": {
        "state": {
            **OLD["moves"]["state"], "waiting merged": "queue.merge", "merged waiting": "queue.undo",
            "withdrawn waiting": "queue.undo",
        }
    },
    "update": {
        **OLD["update"],
        "decided_at": [*DECIDED, "queue.withdraw"], "decided_by_id": DECIDED, "decided_reason": DECIDED, "undo": DECIDED,
        "claimed_by_id": [*DECIDED, "queue.claim", "queue.take_over", "queue.release"],
        "merged_into_id": ["queue.merge", "queue.undo"], "batch": DECIDED,
        "snoozed_until": ["queue.snooze", "queue.wake", "queue.ask", "queue.answer"],
        "asked_at": ["queue.ask", "queue.answer"], "escalated_at": ["queue.escalate"],
        "place_at": ["queue.escalate", "entry.dispute"],
        **{name: ["queue.first_yes", "queue.undo"] for name in ("first_yes_by_id", "first_yes_at", "first_yes_text")},
    },
    # That somebody still is on it is said every minute, by whoever the audit row of the claim names.
    "free": [*OLD["free"], "claimed_at"],
    "emptied": {**OLD["emptied"], "merged_into_id": BEFORE.ERASED, "reverses_id": BEFORE.ERASED},
}  # fmt: skip
RULE["update"].pop("claimed_at")


class Migration(migrations.Migration):
    dependencies = [
        ("accounts", "0004_key_in_one_step"),
        ("memoryhub", "0021_session_errors"),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.CreateModel(
            name="Preferences",
            fields=[
                (
                    "id",
                    models.UUIDField(default=accounts.ids.new_id, editable=False, primary_key=True, serialize=False),
                ),
                ("shortcuts", models.BooleanField(default=True, help_text="single keys; off: with Alt (WCAG 2.1.4)")),
                (
                    "density",
                    models.CharField(choices=[("roomy", "roomy"), ("dense", "dense")], default="roomy", max_length=6),
                ),
                ("changed_at", models.DateTimeField()),
            ],
        ),
        migrations.CreateModel(
            name="ReviewLook",
            fields=[
                (
                    "id",
                    models.UUIDField(default=accounts.ids.new_id, editable=False, primary_key=True, serialize=False),
                ),
                ("began_at", models.DateTimeField()),
                ("last_at", models.DateTimeField()),
            ],
        ),
        migrations.CreateModel(
            name="ReviewNote",
            fields=[
                (
                    "id",
                    models.UUIDField(default=accounts.ids.new_id, editable=False, primary_key=True, serialize=False),
                ),
                ("text", models.CharField(max_length=1000)),
                ("escalates", models.BooleanField(default=False, help_text="the reason why it was put first")),
                ("created_at", models.DateTimeField()),
            ],
        ),
        migrations.CreateModel(
            name="ReviewQuestion",
            fields=[
                (
                    "id",
                    models.UUIDField(default=accounts.ids.new_id, editable=False, primary_key=True, serialize=False),
                ),
                ("text", models.CharField(max_length=300)),
                ("asked_at", models.DateTimeField()),
                (
                    "answer",
                    models.CharField(
                        blank=True,
                        choices=[("yes", "it is so"), ("no", "it is not so"), ("other", "it is otherwise")],
                        max_length=10,
                    ),
                ),
                ("answer_text", models.CharField(blank=True, max_length=1000)),
                ("answered_at", models.DateTimeField(blank=True, null=True)),
            ],
        ),
        migrations.CreateModel(
            name="SavedView",
            fields=[
                (
                    "id",
                    models.UUIDField(default=accounts.ids.new_id, editable=False, primary_key=True, serialize=False),
                ),
                ("name", models.CharField(max_length=60)),
                ("query", models.CharField(blank=True, help_text="as it stands in the address", max_length=500)),
                ("shared", models.BooleanField(default=False)),
                ("is_default", models.BooleanField(default=False, help_text="what its owner begins with")),
                ("changed_at", models.DateTimeField()),
            ],
        ),
        migrations.RemoveConstraint(
            model_name="reviewitem",
            name="review_item_decided_at_and_by",
        ),
        migrations.RemoveIndex(
            model_name="reviewitem",
            name="review_item_by_turn",
        ),
        migrations.AddField(
            model_name="reviewitem",
            name="asked_at",
            field=models.DateTimeField(
                blank=True, help_text="the person was asked, and has not answered yet", null=True
            ),
        ),
        migrations.AddField(
            model_name="reviewitem",
            name="batch",
            field=models.UUIDField(blank=True, help_text="what was decided with it, in one go", null=True),
        ),
        migrations.AddField(
            model_name="reviewitem",
            name="escalated_at",
            field=models.DateTimeField(blank=True, null=True),
        ),
        migrations.AddField(
            model_name="reviewitem",
            name="first_yes_at",
            field=models.DateTimeField(null=True),
        ),
        migrations.AddField(
            model_name="reviewitem",
            name="first_yes_by",
            field=models.ForeignKey(
                null=True, on_delete=django.db.models.deletion.SET_NULL, related_name="+", to=settings.AUTH_USER_MODEL
            ),
        ),
        migrations.AddField(
            model_name="reviewitem",
            name="first_yes_text",
            field=models.TextField(blank=True, help_text="the words that the first of two said yes to, if edited"),
        ),
        migrations.AddField(
            model_name="reviewitem",
            name="merged_into",
            field=models.ForeignKey(
                null=True, on_delete=django.db.models.deletion.SET_NULL, related_name="+", to="memoryhub.entry"
            ),
        ),
        migrations.AddField(
            model_name="reviewitem",
            name="place_at",
            field=models.DateTimeField(
                help_text="its place in the order: when it is due, or first of all once escalated", null=True
            ),
        ),
        # A rewrite of the column reaches every row; an UPDATE would be under row-level security, and see none.
        migrations.RunSQL(PLACED, migrations.RunSQL.noop),
        migrations.AlterField(
            model_name="reviewitem",
            name="place_at",
            field=models.DateTimeField(
                help_text="its place in the order: when it is due, or first of all once escalated"
            ),
        ),
        migrations.AddField(
            model_name="reviewitem",
            name="reverses",
            field=models.ForeignKey(
                null=True,
                on_delete=django.db.models.deletion.SET_NULL,
                related_name="reversals",
                to="memoryhub.reviewitem",
            ),
        ),
        migrations.AddField(
            model_name="reviewitem",
            name="snoozed_until",
            field=models.DateTimeField(blank=True, null=True),
        ),
        migrations.AlterField(
            model_name="reviewitem",
            name="state",
            field=models.CharField(
                choices=[
                    ("waiting", "waiting"),
                    ("approved", "approved"),
                    ("rejected", "rejected"),
                    ("merged", "merged into another"),
                    ("withdrawn", "withdrawn"),
                ],
                default="waiting",
                max_length=10,
            ),
        ),
        migrations.AlterField(
            model_name="reviewitem",
            name="undo",
            field=models.JSONField(blank=True, help_text="what is needed to put everything back as it was", null=True),
        ),
        migrations.AddIndex(
            model_name="reviewitem",
            index=models.Index(fields=["organisation", "state", "place_at", "id"], name="review_item_by_place"),
        ),
        migrations.AddIndex(
            model_name="reviewitem",
            index=models.Index(fields=["organisation", "decided_at", "id"], name="review_item_by_decision"),
        ),
        migrations.AddIndex(
            model_name="reviewitem",
            index=models.Index(
                condition=models.Q(("batch__isnull", False)), fields=["batch"], name="review_item_by_batch"
            ),
        ),
        migrations.AddConstraint(
            model_name="reviewitem",
            constraint=models.CheckConstraint(
                condition=models.Q(
                    models.Q(("decided_at__isnull", True), ("decided_by__isnull", True), ("state", "waiting")),
                    models.Q(("decided_at__isnull", False), ("state", "withdrawn")),
                    models.Q(
                        ("decided_at__isnull", False),
                        ("decided_by__isnull", False),
                        ("state__in", ["approved", "rejected", "merged"]),
                    ),
                    _connector="OR",
                ),
                name="review_item_decided_at_and_by",
            ),
        ),
        migrations.AddConstraint(
            model_name="reviewitem",
            constraint=models.CheckConstraint(
                condition=models.Q(
                    models.Q(("first_yes_at__isnull", True), ("first_yes_text", "")),
                    ("first_yes_at__isnull", False),
                    _connector="OR",
                ),
                name="review_item_first_yes",
            ),
        ),
        migrations.AddField(
            model_name="preferences",
            name="organisation",
            field=models.ForeignKey(
                on_delete=django.db.models.deletion.CASCADE, related_name="+", to="accounts.organisation"
            ),
        ),
        migrations.AddField(
            model_name="preferences",
            name="user",
            field=models.ForeignKey(
                on_delete=django.db.models.deletion.CASCADE, related_name="+", to=settings.AUTH_USER_MODEL
            ),
        ),
        migrations.AddField(
            model_name="reviewlook",
            name="item",
            field=models.ForeignKey(
                on_delete=django.db.models.deletion.CASCADE, related_name="looks", to="memoryhub.reviewitem"
            ),
        ),
        migrations.AddField(
            model_name="reviewlook",
            name="organisation",
            field=models.ForeignKey(
                on_delete=django.db.models.deletion.CASCADE, related_name="+", to="accounts.organisation"
            ),
        ),
        migrations.AddField(
            model_name="reviewlook",
            name="person",
            field=models.ForeignKey(
                on_delete=django.db.models.deletion.CASCADE, related_name="+", to=settings.AUTH_USER_MODEL
            ),
        ),
        migrations.AddField(
            model_name="reviewnote",
            name="author",
            field=models.ForeignKey(
                null=True, on_delete=django.db.models.deletion.SET_NULL, related_name="+", to=settings.AUTH_USER_MODEL
            ),
        ),
        migrations.AddField(
            model_name="reviewnote",
            name="item",
            field=models.ForeignKey(
                on_delete=django.db.models.deletion.CASCADE, related_name="notes", to="memoryhub.reviewitem"
            ),
        ),
        migrations.AddField(
            model_name="reviewnote",
            name="organisation",
            field=models.ForeignKey(
                on_delete=django.db.models.deletion.CASCADE, related_name="+", to="accounts.organisation"
            ),
        ),
        migrations.AddField(
            model_name="reviewnote",
            name="subject",
            field=models.ForeignKey(
                null=True, on_delete=django.db.models.deletion.CASCADE, related_name="+", to="memoryhub.subject"
            ),
        ),
        migrations.AddField(
            model_name="reviewquestion",
            name="asked_by",
            field=models.ForeignKey(
                null=True, on_delete=django.db.models.deletion.SET_NULL, related_name="+", to=settings.AUTH_USER_MODEL
            ),
        ),
        migrations.AddField(
            model_name="reviewquestion",
            name="item",
            field=models.ForeignKey(
                on_delete=django.db.models.deletion.CASCADE, related_name="questions", to="memoryhub.reviewitem"
            ),
        ),
        migrations.AddField(
            model_name="reviewquestion",
            name="organisation",
            field=models.ForeignKey(
                on_delete=django.db.models.deletion.CASCADE, related_name="+", to="accounts.organisation"
            ),
        ),
        migrations.AddField(
            model_name="reviewquestion",
            name="subject",
            field=models.ForeignKey(
                on_delete=django.db.models.deletion.CASCADE, related_name="+", to="memoryhub.subject"
            ),
        ),
        migrations.AddField(
            model_name="savedview",
            name="organisation",
            field=models.ForeignKey(
                on_delete=django.db.models.deletion.CASCADE, related_name="+", to="accounts.organisation"
            ),
        ),
        migrations.AddField(
            model_name="savedview",
            name="owner",
            field=models.ForeignKey(
                on_delete=django.db.models.deletion.CASCADE, related_name="+", to=settings.AUTH_USER_MODEL
            ),
        ),
        migrations.AddConstraint(
            model_name="preferences",
            constraint=models.UniqueConstraint(fields=("organisation", "user"), name="preferences_one_each"),
        ),
        migrations.AddIndex(
            model_name="auditevent",
            index=models.Index(
                condition=models.Q(("object_kind", "review_item")),
                fields=["object_id"],
                name="audit_event_of_review_item",
            ),
        ),
        migrations.AddIndex(
            model_name="reviewlook",
            index=models.Index(fields=["item", "person", "last_at"], name="review_look_by_person"),
        ),
        migrations.AddIndex(
            model_name="reviewnote",
            index=models.Index(fields=["item", "created_at", "id"], name="review_note_by_time"),
        ),
        migrations.AddConstraint(
            model_name="reviewnote",
            constraint=models.CheckConstraint(
                condition=models.Q(("text", ""), _negated=True), name="review_note_not_blank"
            ),
        ),
        migrations.AddIndex(
            model_name="reviewquestion",
            index=models.Index(
                condition=models.Q(("answered_at__isnull", True)),
                fields=["subject", "asked_at"],
                name="review_question_open",
            ),
        ),
        migrations.AddConstraint(
            model_name="reviewquestion",
            constraint=models.UniqueConstraint(
                condition=models.Q(("answered_at__isnull", True)), fields=("item",), name="review_question_one_open"
            ),
        ),
        migrations.AddConstraint(
            model_name="reviewquestion",
            constraint=models.CheckConstraint(
                condition=models.Q(
                    models.Q(("answer", ""), ("answered_at__isnull", True)),
                    models.Q(("answered_at__isnull", False), models.Q(("answer", ""), _negated=True)),
                    _connector="OR",
                ),
                name="review_question_answered_at_and_how",
            ),
        ),
        migrations.AddConstraint(
            model_name="savedview",
            constraint=models.CheckConstraint(condition=models.Q(("name", ""), _negated=True), name="saved_view_named"),
        ),
        migrations.AddConstraint(
            model_name="savedview",
            constraint=models.UniqueConstraint(fields=("organisation", "owner", "name"), name="saved_view_name_once"),
        ),
        migrations.AddConstraint(
            model_name="savedview",
            constraint=models.UniqueConstraint(
                condition=models.Q(("is_default", True)),
                fields=("organisation", "owner"),
                name="saved_view_one_default",
            ),
        ),
        *[migrations.RunSQL(protect(table, subject=subject), unprotect(table)) for table, subject in PROTECTED.items()],
        *[
            migrations.RunSQL(same_organisation(table, column, parent), any_organisation(table, column))
            for table, references in REFERENCES.items()
            for column, parent in references.items()
        ],
        migrations.RunSQL(BEFORE.unaudited(TABLE), BEFORE.audited(TABLE, BEFORE.RULES[TABLE])),
        migrations.RunSQL(BEFORE.audited(TABLE, RULE), BEFORE.unaudited(TABLE)),
    ]
