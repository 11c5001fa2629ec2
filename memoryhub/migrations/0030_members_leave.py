"""A membership goes with an audit row that says so, and in which role (governance/members.py).

Where a rule asks that the audit row's reason repeats a column, a row that goes is held to what it said.
"""

import importlib

from django.db import migrations

BEFORE = importlib.import_module("memoryhub.migrations.0013_audited_rows")
TABLE = "accounts_membership"
RULE = {**BEFORE.RULES[TABLE], "delete": ["member.end"]}

_start, _end = (BEFORE.AUDITED.index(f"CREATE FUNCTION {name}") for name in ("hub_row_fault", "hub_row_audited"))
_AS_IT_WAS = BEFORE.AUDITED[_start:_end].replace("CREATE FUNCTION", "CREATE OR REPLACE FUNCTION")
_ASKED = "becomes ->> (rule ->> 'reason')"
assert _ASKED in _AS_IT_WAS
FAULT = _AS_IT_WAS.replace(_ASKED, "coalesce(becomes, was) ->> (rule ->> 'reason')")


class Migration(migrations.Migration):
    dependencies = [("memoryhub", "0029_notices")]

    operations = [
        migrations.RunSQL(FAULT, _AS_IT_WAS),
        migrations.RunSQL(BEFORE.unaudited(TABLE), BEFORE.audited(TABLE, BEFORE.RULES[TABLE])),
        migrations.RunSQL(BEFORE.audited(TABLE, RULE), BEFORE.unaudited(TABLE)),
    ]
