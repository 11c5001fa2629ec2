import django.db.models.deletion
from django.db import migrations, models

import accounts.ids
from accounts.row_security import protect, subject_is_readable, unprotect

OF_SUBJECT = subject_is_readable("subject_id")
OF_SUBJECT_OR_NONE = f"(subject_id IS NULL OR {OF_SUBJECT})"
#: As for provenance and lineage: seen where its entry is.
OF_ENTRY = "((SELECT hub_all_subjects()) OR EXISTS (SELECT 1 FROM memoryhub_entry e WHERE e.id = entry_id))"
NARROWED = {
    "memoryhub_record": OF_SUBJECT,
    "memoryhub_recordsource": OF_SUBJECT_OR_NONE,
    "memoryhub_recordreading": OF_SUBJECT,
    "memoryhub_evidence": OF_SUBJECT_OR_NONE,
    "memoryhub_backing": OF_ENTRY,
}


class Migration(migrations.Migration):
    dependencies = [
        ("accounts", "0002_row_level_security"),
        ("memoryhub", "0005_policy"),
    ]

    operations = [
        migrations.AddField(
            model_name="provenance",
            name="offered_through",
            field=models.CharField(
                blank=True,
                choices=[
                    ("user_message", "a message by the person"),
                    ("agent_inference", "the agent's own conclusion"),
                    ("tool_result", "a tool's output"),
                    ("document", "a document"),
                    ("web_page", "a web page"),
                    ("email", "an e-mail"),
                    ("system_of_record", "a system of record"),
                    ("curator", "a curator"),
                    ("user_page", "the person's memory page"),
                    ("dream", "a dream"),
                    ("evidence", "evidence"),
                ],
                help_text="the channel it came through before evidence backed it",
                max_length=20,
            ),
        ),
        migrations.AddField(
            model_name="provenance",
            name="verified_by",
            field=models.CharField(blank=True, help_text="the record or evidence that confirmed it", max_length=500),
        ),
        migrations.AlterField(
            model_name="dreamoperation",
            name="reason",
            field=models.CharField(
                choices=[
                    ("committed", "Kept."),
                    ("superseded", "Kept as the new version; the earlier one is history now."),
                    ("duplicate", "Already known."),
                    ("waiting", "The same statement already waits for a curator."),
                    ("older", "Said before the current version became valid, so it is kept as history."),
                    ("low_confidence", "Not certain enough to keep without a person."),
                    ("inferred", "The agent inferred it; a person has to look first."),
                    ("untrusted_channel", "It came from text nobody vouched for; a person has to look first."),
                    ("settled", "A record that is trusted for this says otherwise, so it is kept as history."),
                    ("contradicts", "It contradicts what is in force and nothing settles which is right."),
                    ("language_not_handled", "The rules do not read this language; a person has to look."),
                    ("not_a_member", "The speaker is not known to speak for this subject."),
                    ("suspicious", "It may be an instruction in disguise; a person has to look first."),
                    ("shared_scope", "It would be read by others; a person has to look first."),
                    ("procedure", "It changes how the agent acts; a person has to approve it."),
                    ("propose_only", "The agent's policy only lets it propose."),
                    ("unsupported", "Nothing backs it yet; a person has to look first."),
                    ("mentions_other", "It names another person; a person has to look first."),
                    ("personal_data", "It holds personal data; a person has to look first."),
                    ("asserts_nothing", "It states nothing that could be remembered."),
                    ("not_durable", "It matters only for this moment."),
                    ("recalled_note", "It repeats a note the hub gave out."),
                    ("not_own_claim", "It is not the speaker's own statement about themselves."),
                    ("kind_off", "The policy keeps nothing of this kind."),
                    ("sampled", "Chosen for a person to sample."),
                    ("injection", "It reads like an attempt to instruct the agent."),
                    ("secret", "Keys, passwords and tokens are never kept."),
                    ("sensitive", "This kind of personal data is never kept."),
                    ("third_party", "Another person's data is not kept."),
                    ("asked_not_to_keep", "The person asked not to keep it."),
                    (
                        "authority_claim",
                        "A limit, right or verified identity can't be claimed by the person it benefits.",
                    ),
                    ("not_granted", "This role may not write this."),
                    ("paused", "Remembering is paused for this person."),
                    ("new_evidence", "A curator declined it before; there is new evidence, so a person looks again."),
                    ("declined_before", "A curator declined the same statement; it needs new evidence."),
                    ("invalid_skill", "The skill does not fit its agent."),
                ],
                max_length=30,
            ),
        ),
        migrations.AlterField(
            model_name="reviewitem",
            name="reason",
            field=models.CharField(
                choices=[
                    ("committed", "Kept."),
                    ("superseded", "Kept as the new version; the earlier one is history now."),
                    ("duplicate", "Already known."),
                    ("waiting", "The same statement already waits for a curator."),
                    ("older", "Said before the current version became valid, so it is kept as history."),
                    ("low_confidence", "Not certain enough to keep without a person."),
                    ("inferred", "The agent inferred it; a person has to look first."),
                    ("untrusted_channel", "It came from text nobody vouched for; a person has to look first."),
                    ("settled", "A record that is trusted for this says otherwise, so it is kept as history."),
                    ("contradicts", "It contradicts what is in force and nothing settles which is right."),
                    ("language_not_handled", "The rules do not read this language; a person has to look."),
                    ("not_a_member", "The speaker is not known to speak for this subject."),
                    ("suspicious", "It may be an instruction in disguise; a person has to look first."),
                    ("shared_scope", "It would be read by others; a person has to look first."),
                    ("procedure", "It changes how the agent acts; a person has to approve it."),
                    ("propose_only", "The agent's policy only lets it propose."),
                    ("unsupported", "Nothing backs it yet; a person has to look first."),
                    ("mentions_other", "It names another person; a person has to look first."),
                    ("personal_data", "It holds personal data; a person has to look first."),
                    ("asserts_nothing", "It states nothing that could be remembered."),
                    ("not_durable", "It matters only for this moment."),
                    ("recalled_note", "It repeats a note the hub gave out."),
                    ("not_own_claim", "It is not the speaker's own statement about themselves."),
                    ("kind_off", "The policy keeps nothing of this kind."),
                    ("sampled", "Chosen for a person to sample."),
                    ("injection", "It reads like an attempt to instruct the agent."),
                    ("secret", "Keys, passwords and tokens are never kept."),
                    ("sensitive", "This kind of personal data is never kept."),
                    ("third_party", "Another person's data is not kept."),
                    ("asked_not_to_keep", "The person asked not to keep it."),
                    (
                        "authority_claim",
                        "A limit, right or verified identity can't be claimed by the person it benefits.",
                    ),
                    ("not_granted", "This role may not write this."),
                    ("paused", "Remembering is paused for this person."),
                    ("new_evidence", "A curator declined it before; there is new evidence, so a person looks again."),
                    ("declined_before", "A curator declined the same statement; it needs new evidence."),
                    ("invalid_skill", "The skill does not fit its agent."),
                ],
                max_length=30,
            ),
        ),
        migrations.CreateModel(
            name="Evidence",
            fields=[
                (
                    "id",
                    models.UUIDField(default=accounts.ids.new_id, editable=False, primary_key=True, serialize=False),
                ),
                (
                    "type",
                    models.CharField(
                        choices=[
                            ("merge", "a merged change"),
                            ("test", "a test run"),
                            ("document", "a document"),
                            ("record", "a record"),
                        ],
                        max_length=10,
                    ),
                ),
                ("ref", models.CharField(max_length=500)),
                ("value", models.TextField(blank=True, help_text="what it shows, word by word")),
                ("session_ref", models.CharField(blank=True, max_length=200)),
                ("given_by", models.CharField(max_length=120)),
                ("given_at", models.DateTimeField()),
                (
                    "organisation",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE, related_name="+", to="accounts.organisation"
                    ),
                ),
                (
                    "subject",
                    models.ForeignKey(
                        blank=True,
                        null=True,
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="+",
                        to="memoryhub.subject",
                    ),
                ),
            ],
        ),
        migrations.CreateModel(
            name="Backing",
            fields=[
                (
                    "id",
                    models.UUIDField(default=accounts.ids.new_id, editable=False, primary_key=True, serialize=False),
                ),
                ("digest", models.CharField(help_text="of type, reference and value", max_length=64)),
                (
                    "op",
                    models.CharField(
                        choices=[
                            ("ADD", "added"),
                            ("UPDATE", "updated"),
                            ("NOOP", "already known"),
                            ("QUEUED", "waiting for a curator"),
                            ("REFUSED", "refused"),
                            ("DISCARDED", "not kept"),
                        ],
                        max_length=10,
                    ),
                ),
                (
                    "entry",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE, related_name="backings", to="memoryhub.entry"
                    ),
                ),
                (
                    "organisation",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE, related_name="+", to="accounts.organisation"
                    ),
                ),
                (
                    "evidence",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE, related_name="backings", to="memoryhub.evidence"
                    ),
                ),
            ],
        ),
        migrations.CreateModel(
            name="Record",
            fields=[
                (
                    "id",
                    models.UUIDField(default=accounts.ids.new_id, editable=False, primary_key=True, serialize=False),
                ),
                ("key", models.CharField(max_length=100)),
                ("value", models.TextField(blank=True, help_text="empty: the record says that there is none")),
                ("pushed_by", models.CharField(max_length=120)),
                ("pushed_at", models.DateTimeField()),
                ("repeated_at", models.DateTimeField(help_text="when the same was pushed last")),
                ("replaced_at", models.DateTimeField(blank=True, null=True)),
                (
                    "organisation",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE, related_name="+", to="accounts.organisation"
                    ),
                ),
                (
                    "subject",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE, related_name="records", to="memoryhub.subject"
                    ),
                ),
            ],
        ),
        migrations.CreateModel(
            name="RecordSource",
            fields=[
                (
                    "id",
                    models.UUIDField(default=accounts.ids.new_id, editable=False, primary_key=True, serialize=False),
                ),
                ("key", models.CharField(max_length=100)),
                (
                    "kind",
                    models.CharField(
                        choices=[
                            ("pushed", "a record that was pushed here"),
                            ("http", "an address that answers JSON"),
                            ("file", "a file and a pattern"),
                        ],
                        max_length=10,
                    ),
                ),
                ("record_key", models.CharField(blank=True, help_text="pushed: the record's key", max_length=100)),
                ("url", models.CharField(blank=True, help_text="http: may hold {subject}", max_length=2000)),
                ("pointer", models.CharField(blank=True, help_text="http: JSON pointer (RFC 6901)", max_length=500)),
                (
                    "header",
                    models.JSONField(
                        blank=True, help_text="http: name, prefix, and where its secret is read", null=True
                    ),
                ),
                (
                    "path",
                    models.CharField(
                        blank=True, help_text="file: inside an allowed folder; may hold {subject}", max_length=1000
                    ),
                ),
                ("pattern", models.CharField(blank=True, help_text="file: a pattern with one group", max_length=500)),
                ("set_by", models.CharField(max_length=120)),
                ("set_at", models.DateTimeField()),
                (
                    "agent",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE, related_name="record_sources", to="accounts.agent"
                    ),
                ),
                (
                    "organisation",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE, related_name="+", to="accounts.organisation"
                    ),
                ),
                (
                    "subject",
                    models.ForeignKey(
                        blank=True,
                        null=True,
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="+",
                        to="memoryhub.subject",
                    ),
                ),
            ],
        ),
        migrations.CreateModel(
            name="RecordReading",
            fields=[
                (
                    "id",
                    models.UUIDField(default=accounts.ids.new_id, editable=False, primary_key=True, serialize=False),
                ),
                (
                    "state",
                    models.CharField(
                        choices=[
                            ("value", "it says a value"),
                            ("absent", "it holds none"),
                            ("unreachable", "it could not be read"),
                        ],
                        max_length=12,
                    ),
                ),
                ("value", models.TextField(blank=True)),
                ("reason", models.CharField(blank=True, max_length=200)),
                ("read_at", models.DateTimeField()),
                (
                    "organisation",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE, related_name="+", to="accounts.organisation"
                    ),
                ),
                (
                    "subject",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE, related_name="+", to="memoryhub.subject"
                    ),
                ),
                (
                    "source",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="readings",
                        to="memoryhub.recordsource",
                    ),
                ),
            ],
        ),
        migrations.AddConstraint(
            model_name="evidence",
            constraint=models.CheckConstraint(
                condition=models.Q(("ref", ""), _negated=True), name="evidence_ref_not_blank"
            ),
        ),
        migrations.AddConstraint(
            model_name="evidence",
            constraint=models.CheckConstraint(
                condition=models.Q(("subject__isnull", False), ("value", ""), _connector="OR"),
                name="evidence_value_has_subject",
            ),
        ),
        migrations.AddIndex(
            model_name="backing",
            index=models.Index(fields=["entry", "digest"], name="backing_by_digest"),
        ),
        migrations.AddConstraint(
            model_name="backing",
            constraint=models.UniqueConstraint(fields=("evidence", "entry"), name="backing_once"),
        ),
        migrations.AddConstraint(
            model_name="record",
            constraint=models.UniqueConstraint(
                condition=models.Q(("replaced_at__isnull", True)),
                fields=("organisation", "subject", "key"),
                name="record_one_open_per_key",
            ),
        ),
        migrations.AddConstraint(
            model_name="record",
            constraint=models.CheckConstraint(
                condition=models.Q(("key", ""), _negated=True), name="record_key_not_blank"
            ),
        ),
        migrations.AddConstraint(
            model_name="recordsource",
            constraint=models.UniqueConstraint(
                fields=("agent", "key", "subject"), name="record_source_once", nulls_distinct=False
            ),
        ),
        migrations.AddConstraint(
            model_name="recordsource",
            constraint=models.CheckConstraint(
                condition=models.Q(
                    models.Q(
                        ("kind", "pushed"), ("path", ""), ("url", ""), models.Q(("record_key", ""), _negated=True)
                    ),
                    models.Q(("kind", "http"), ("path", ""), ("record_key", ""), models.Q(("url", ""), _negated=True)),
                    models.Q(
                        ("kind", "file"),
                        ("record_key", ""),
                        ("url", ""),
                        models.Q(("path", ""), _negated=True),
                        models.Q(("pattern", ""), _negated=True),
                    ),
                    _connector="OR",
                ),
                name="record_source_of_its_kind",
            ),
        ),
        migrations.AddIndex(
            model_name="recordreading",
            index=models.Index(fields=["source", "subject", "-read_at"], name="record_reading_newest"),
        ),
        migrations.AddConstraint(
            model_name="recordreading",
            constraint=models.CheckConstraint(
                condition=models.Q(
                    models.Q(("reason", ""), ("state", "value"), models.Q(("value", ""), _negated=True)),
                    models.Q(
                        models.Q(("state", "value"), _negated=True),
                        ("value", ""),
                        models.Q(("reason", ""), _negated=True),
                    ),
                    _connector="OR",
                ),
                name="record_reading_value_or_reason",
            ),
        ),
        *[migrations.RunSQL(protect(table, subject=subject), unprotect(table)) for table, subject in NARROWED.items()],
    ]
