"""What a person asked never to keep (R12), under the rule of its table, and the looks of people found among all reads.

The rule that holds what may change in a subject (0013_audited_rows) learns the two verbs.
"""

import importlib

from django.contrib.postgres.fields import ArrayField
from django.db import migrations, models
from django.db.models import Q

BEFORE = importlib.import_module("memoryhub.migrations.0013_audited_rows")
TABLE = "memoryhub_subject"
VERBS = ["subject.never_keep", "subject.keep_again"]
RULE = {**BEFORE.RULES[TABLE], "update": {**BEFORE.RULES[TABLE]["update"], "never_keep": VERBS}}


class Migration(migrations.Migration):
    dependencies = [("memoryhub", "0025_playground_reads")]

    operations = [
        migrations.AddField(
            "subject",
            "never_keep",
            ArrayField(
                models.CharField(max_length=200),
                blank=True,
                default=list,
                help_text="kinds of facts the person asked never to keep (R12), as governance/unwanted.py writes them",
            ),
        ),
        migrations.AddIndex(
            "recall",
            models.Index(
                fields=["organisation", "id"], condition=Q(purpose__in=["page", "playground"]), name="recall_looks"
            ),
        ),
        migrations.RunSQL(BEFORE.unaudited(TABLE), BEFORE.audited(TABLE, BEFORE.RULES[TABLE])),
        migrations.RunSQL(BEFORE.audited(TABLE, RULE), BEFORE.unaudited(TABLE)),
    ]
