"""An edit's words are classified anew: its audit row, and the one that takes it back, allow what they are to change."""

from importlib import import_module

from django.db import migrations

_GUARD = import_module("memoryhub.migrations.0007_write_guard")
CLASSIFIED = ("kind", "category", "sensitivity", "importance", "confidence", "authority")
RIGHTS = {
    **_GUARD.RIGHTS,
    "entry.edit": (*_GUARD.RIGHTS["entry.edit"], *CLASSIFIED),
    "entry.undo": (*_GUARD.RIGHTS["entry.undo"], *CLASSIFIED),
}


def _function(rights: dict[str, tuple[str, ...]]) -> str:
    table = " ".join(f"WHEN '{action}' THEN {_GUARD._array(columns)}" for action, columns in rights.items())
    return f"""CREATE OR REPLACE FUNCTION hub_entry_rights(action text) RETURNS text[] LANGUAGE sql IMMUTABLE AS
      $$ SELECT CASE action {table} END $$;"""


class Migration(migrations.Migration):
    dependencies = [("memoryhub", "0027_one_index_of_crowds")]

    operations = [migrations.RunSQL(_function(RIGHTS), _function(_GUARD.RIGHTS))]
