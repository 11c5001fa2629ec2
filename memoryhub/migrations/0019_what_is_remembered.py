"""What an agent keeps of its turns (R79), and what the gate decided about a turn's words, kept beside them (R71)."""

import importlib

from django.db import migrations, models

BEFORE = importlib.import_module("memoryhub.migrations.0013_audited_rows")
TABLE = "memoryhub_agentpolicy"
RULE = {**BEFORE.RULES[TABLE], "update": {**BEFORE.RULES[TABLE]["update"], "remembers": ["policy.agent"]}}


class Migration(migrations.Migration):
    dependencies = [("memoryhub", "0018_housekeeping")]

    operations = [
        migrations.AddField(
            "agentpolicy",
            "remembers",
            models.CharField(
                choices=[("all", "what happened"), ("failures", "only how runs fail")], default="all", max_length=10
            ),
        ),
        migrations.AddField(
            "event",
            "claims",
            models.JSONField(
                default=list,
                help_text="what the gate decided about the words: op, reason and entry of each claim, no words",
            ),
        ),
        migrations.AddField(
            "event",
            "utc_offset",
            models.SmallIntegerField(
                blank=True, help_text="minutes east of UTC of the clock that told when it happened", null=True
            ),
        ),
        migrations.RunSQL(BEFORE.unaudited(TABLE), BEFORE.audited(TABLE, BEFORE.RULES[TABLE])),
        migrations.RunSQL(BEFORE.audited(TABLE, RULE), BEFORE.unaudited(TABLE)),
    ]
