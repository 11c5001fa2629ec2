"""Files under /memories (R112): names, and which entries stand in them; what is erased leaves them by itself."""

import django.contrib.postgres.fields
import django.contrib.postgres.indexes
import django.db.models.deletion
from django.db import migrations, models

import accounts.ids
from accounts.row_security import any_organisation, protect, same_organisation, subject_is_readable, unprotect

TABLE = "memoryhub_notefile"

FORGET = """
-- An entry that is deleted leaves every file; a file that held nothing else goes with it, name and all.
CREATE FUNCTION hub_leave_files() RETURNS trigger LANGUAGE plpgsql SET search_path = pg_catalog, public, pg_temp AS $$
BEGIN
  DELETE FROM memoryhub_notefile WHERE lines @> ARRAY[OLD.id] AND cardinality(array_remove(lines, OLD.id)) = 0;
  UPDATE memoryhub_notefile SET lines = array_remove(lines, OLD.id) WHERE lines @> ARRAY[OLD.id];
  RETURN NULL;
END $$;
CREATE TRIGGER memoryhub_entry_leaves_files AFTER DELETE ON memoryhub_entry FOR EACH ROW EXECUTE FUNCTION hub_leave_files();
"""
KEEP = "DROP TRIGGER memoryhub_entry_leaves_files ON memoryhub_entry; DROP FUNCTION hub_leave_files();"


class Migration(migrations.Migration):
    dependencies = [("memoryhub", "0034_only_sealed"), ("accounts", "0003_same_organisation")]

    operations = [
        migrations.CreateModel(
            name="NoteFile",
            fields=[
                (
                    "id",
                    models.UUIDField(default=accounts.ids.new_id, editable=False, primary_key=True, serialize=False),
                ),
                ("path", models.CharField(max_length=200)),
                ("lines", django.contrib.postgres.fields.ArrayField(base_field=models.UUIDField(), size=None)),
                ("made_at", models.DateTimeField()),
                ("changed_at", models.DateTimeField()),
                (
                    "organisation",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE, related_name="+", to="accounts.organisation"
                    ),
                ),
                (
                    "subject",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="note_files",
                        to="memoryhub.subject",
                    ),
                ),
            ],
            options={
                "indexes": [django.contrib.postgres.indexes.GinIndex(fields=["lines"], name="note_file_by_line")],
                "constraints": [
                    models.UniqueConstraint(fields=("subject", "path"), name="note_file_path_once"),
                    models.CheckConstraint(condition=models.Q(("lines__len__gt", 0)), name="note_file_has_lines"),
                ],
            },
        ),
        migrations.AlterField(
            "recall",
            "purpose",
            models.CharField(
                help_text="recall, context, page, playground, graph, sessions, file or bench", max_length=10
            ),
        ),
        migrations.RunSQL(protect(TABLE, subject=subject_is_readable("subject_id")), unprotect(TABLE)),
        migrations.RunSQL(
            same_organisation(TABLE, "subject_id", "memoryhub_subject"), any_organisation(TABLE, "subject_id")
        ),
        migrations.RunSQL(FORGET, KEEP),
    ]
