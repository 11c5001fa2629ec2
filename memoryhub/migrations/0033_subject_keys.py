"""One key per subject, and what nobody searches sealed under it: events, offloads and stored answers, existing ones too.

The old columns are emptied here and dropped by the next migration, so that no row keeps its words beside the seal.
"""

import json
from itertools import islice

import django.db.models.deletion
from cryptography.hazmat.primitives.ciphers.aead import AESGCM
from django.db import migrations, models
from django.utils import timezone

import accounts.ids
from accounts.row_security import any_organisation, protect, same_organisation, subject_is_readable, unprotect
from memoryhub.models import subject_key

TABLE = "memoryhub_subjectkey"
AT_ONCE = 200


def seal_what_is_there(apps, schema_editor):
    cursor = schema_editor.connection.cursor()
    cursor.execute("SELECT set_config('hub.worker', 'on', true)")
    cursor.execute("SELECT id FROM accounts_organisation")
    for (organisation,) in cursor.fetchall():
        cursor.execute(
            "SELECT set_config('hub.organisation', %s, true), set_config('hub.subjects', '*', true)",
            [str(organisation)],
        )
        seal_one(apps, organisation)
    cursor.execute(
        "SELECT set_config('hub.worker', '', true), set_config('hub.organisation', '', true),"
        " set_config('hub.subjects', '', true)"
    )
    cursor.execute("SET CONSTRAINTS ALL IMMEDIATE")  # what is checked later would bar the next ALTER TABLE
    cursor.execute("SET CONSTRAINTS ALL DEFERRED")


def seal_one(apps, organisation):
    model = {name: apps.get_model("memoryhub", name) for name in ("Event", "Offload", "IdempotentRequest")}
    keys = {}

    def sealed(subject, fields, purpose, row):
        data = json.dumps(fields, ensure_ascii=False, separators=(",", ":")).encode()
        if subject is None:
            return subject_key.seal_for_organisation(organisation=organisation, data=data, purpose=purpose, row=row)
        if subject not in keys:
            keys[subject] = new_key(apps, organisation, subject)
        return subject_key.sealed_with(keys[subject], subject=subject, data=data, purpose=purpose, row=row)

    for batch in batches(model["Event"], organisation):
        for event in batch:
            words = {"user_input": event.user_input, "assistant_output": event.assistant_output}
            told = {"actions": event.actions, "observations": event.observations, "signals": event.signals}
            if any(words.values()):
                event.words = sealed(event.subject_id, words, "event.words", event.id)
            if any(told.values()):
                event.structured = sealed(event.subject_id, told, "event.structured", event.id)
            event.user_input = event.assistant_output = ""
            event.actions, event.observations, event.signals = [], [], []
        model["Event"].objects.bulk_update(
            batch, ["words", "structured", "user_input", "assistant_output", "actions", "observations", "signals"]
        )
    for batch in batches(model["Offload"], organisation):
        for passage in batch:
            passage.passage = sealed(passage.subject_id, {"text": passage.text}, "offload.passage", passage.id)
            passage.text = ""
        model["Offload"].objects.bulk_update(batch, ["passage", "text"])
    for batch in batches(model["IdempotentRequest"], organisation, body__isnull=False):
        for request in batch:
            request.sealed = sealed(request.subject_id, request.body, "answer", request.id)
            request.body = None
        model["IdempotentRequest"].objects.bulk_update(batch, ["sealed", "body"])


def batches(model, organisation, **where):
    rows = iter(model.objects.filter(organisation_id=organisation, **where).order_by("id").iterator(chunk_size=AT_ONCE))
    while batch := list(islice(rows, AT_ONCE)):
        yield batch


def new_key(apps, organisation, subject):
    key, now = AESGCM.generate_key(256), timezone.now()
    row = apps.get_model("memoryhub", "SubjectKey")(
        id=accounts.ids.new_id(), organisation_id=organisation, subject_id=subject, created_at=now
    )
    row.wrapped_by, row.wrapped = subject_key.wrapped(key, row)
    row.save(force_insert=True)
    apps.get_model("memoryhub", "MasterKey").objects.get_or_create(id=row.wrapped_by, defaults={"first_used_at": now})
    return subject_key.Opened(row.id, organisation, key)


class Migration(migrations.Migration):
    dependencies = [("accounts", "0004_key_in_one_step"), ("memoryhub", "0032_digests")]

    operations = [
        migrations.CreateModel(
            name="MasterKey",
            fields=[
                ("id", models.CharField(max_length=32, primary_key=True, serialize=False)),
                ("first_used_at", models.DateTimeField()),
            ],
            options={
                "constraints": [
                    models.CheckConstraint(condition=models.Q(("id", ""), _negated=True), name="master_key_named")
                ],
            },
        ),
        migrations.CreateModel(
            name="SubjectKey",
            fields=[
                (
                    "id",
                    models.UUIDField(default=accounts.ids.new_id, editable=False, primary_key=True, serialize=False),
                ),
                ("wrapped", models.BinaryField()),
                ("wrapped_by", models.CharField(max_length=32)),
                ("created_at", models.DateTimeField()),
                (
                    "organisation",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE, related_name="+", to="accounts.organisation"
                    ),
                ),
                (
                    "subject",
                    models.OneToOneField(
                        on_delete=django.db.models.deletion.CASCADE, related_name="+", to="memoryhub.subject"
                    ),
                ),
            ],
            options={"abstract": False},
        ),
        migrations.RunSQL(protect(TABLE, subject=subject_is_readable("subject_id")), unprotect(TABLE)),
        migrations.RunSQL(
            same_organisation(TABLE, "subject_id", "memoryhub_subject"), any_organisation(TABLE, "subject_id")
        ),
        migrations.AddField(
            "event",
            "words",
            models.BinaryField(editable=False, help_text="what was said: user_input and assistant_output", null=True),
        ),
        migrations.AddField(
            "event",
            "structured",
            models.BinaryField(
                editable=False, help_text="what was told in fields: actions, observations and signals", null=True
            ),
        ),
        migrations.AddField("offload", "passage", models.BinaryField(editable=False, null=True)),
        migrations.AddField("idempotentrequest", "sealed", models.BinaryField(null=True)),
        migrations.RunPython(seal_what_is_there),
    ]
