"""An erasure empties why an item waits and why it was decided where these words name who is forgotten (R91)."""

import importlib
from typing import ClassVar

from django.db import migrations

AUDITED = importlib.import_module("memoryhub.migrations.0013_audited_rows")
BEFORE = importlib.import_module("memoryhub.migrations.0038_console").RULE
TABLE = "memoryhub_reviewitem"
RULE = {
    **BEFORE,
    "emptied": {**BEFORE["emptied"], "why": AUDITED.ERASED, "decided_reason": AUDITED.ERASED},
}


class Migration(migrations.Migration):
    dependencies: ClassVar = [("memoryhub", "0039_take_along")]

    operations: ClassVar = [
        migrations.RunSQL(AUDITED.unaudited(TABLE), AUDITED.audited(TABLE, BEFORE)),
        migrations.RunSQL(AUDITED.audited(TABLE, RULE), AUDITED.unaudited(TABLE)),
    ]
