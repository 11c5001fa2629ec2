from django.db import migrations, models
from django.db.models import Q

# Whose entries are at rest, also for a reader who can't see those subjects: their ids alone, of the own organisation.
PAUSED = """
CREATE FUNCTION hub_paused_subjects() RETURNS SETOF uuid LANGUAGE plpgsql STABLE AS $$
DECLARE seen text := coalesce(current_setting('hub.subjects', true), '');
BEGIN
  PERFORM set_config('hub.subjects', '*', true);
  RETURN QUERY SELECT id FROM memoryhub_subject WHERE paused_at IS NOT NULL AND NOT use_existing;
  PERFORM set_config('hub.subjects', seen, true);
END $$;
"""


class Migration(migrations.Migration):
    dependencies = [("memoryhub", "0011_entry_context")]

    operations = [
        migrations.AddIndex(
            "subject",
            models.Index(
                fields=["organisation"],
                condition=Q(paused_at__isnull=False, use_existing=False),
                name="subject_at_rest",
            ),
        ),
        migrations.RunSQL(PAUSED, "DROP FUNCTION hub_paused_subjects()"),
        migrations.AlterField(
            "recall",
            "purpose",
            models.CharField(max_length=10, help_text="recall, context, page, graph, sessions or bench"),
        ),
    ]
