"""When a curator is written to about the queue, and webhooks that hear what is late."""

import django.contrib.postgres.fields
from django.db import migrations, models

KINDS = [
    ("memory.erased", "erased"),
    ("memory.superseded", "superseded"),
    ("memory.approved", "approved"),
    ("memory.queued", "waiting for a curator"),
    ("queue.late", "late in the queue"),
]


class Migration(migrations.Migration):
    dependencies = [("memoryhub", "0031_restored_entries")]

    operations = [
        migrations.AddField(
            model_name="preferences",
            name="digest_at",
            field=models.TimeField(blank=True, help_text="written to daily, in the organisation's zone", null=True),
        ),
        migrations.AddField(
            model_name="preferences",
            name="digest_late",
            field=models.BooleanField(default=False, help_text="written to when something is late"),
        ),
        migrations.AddField(
            model_name="preferences",
            name="digest_slot",
            field=models.DateTimeField(blank=True, help_text="the last time of day that was served", null=True),
        ),
        migrations.AddField(
            model_name="preferences",
            name="digest_told_late",
            field=models.DateTimeField(blank=True, help_text="when what is late was told of last", null=True),
        ),
        migrations.AlterField(
            model_name="notice", name="kind", field=models.CharField(choices=KINDS, max_length=20)
        ),
        migrations.AlterField(
            model_name="webhook",
            name="kinds",
            field=django.contrib.postgres.fields.ArrayField(
                base_field=models.CharField(choices=KINDS, max_length=20)
            ),
        ),
    ]  # fmt: skip
