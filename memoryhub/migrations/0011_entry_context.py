from django.contrib.postgres.indexes import GinIndex
from django.contrib.postgres.search import SearchVector, SearchVectorField
from django.db import migrations, models

FREE = "'search', 'command'"
CHANGES = """
CREATE OR REPLACE FUNCTION hub_entry_changes(before memoryhub_entry, after memoryhub_entry) RETURNS text[]
  LANGUAGE plpgsql STABLE AS $$
DECLARE
  free text[] := ARRAY['use_count', 'last_used_at', 'embedding', 'embedding_model', 'embedding_state', 'contested',
                       'updated_at', 'version', {free}];
  was jsonb;
BEGIN
  before.embedding := NULL; before.search := NULL; after.embedding := NULL; after.search := NULL;  -- costly as text
  was := to_jsonb(before);
  RETURN ARRAY(SELECT key FROM jsonb_each(to_jsonb(after) - free) WHERE value IS DISTINCT FROM was -> key);
END $$;
"""


class Migration(migrations.Migration):
    """PostgreSQL can't change what a generated column is made of, so it is dropped with its index and made anew."""

    dependencies = [("memoryhub", "0010_queue_groups")]

    operations = [
        migrations.AddField(
            "entry",
            "context",
            models.TextField(blank=True, help_text="who said it and when, in words: searched with the statement"),
        ),
        migrations.RemoveIndex("entry", "entry_by_words"),
        migrations.RemoveField("entry", "search"),
        migrations.AddField(
            "entry",
            "search",
            models.GeneratedField(
                expression=SearchVector("content", "value", "key", "context", config="english")
                + SearchVector("content", "value", "key", "context", config="simple"),
                output_field=SearchVectorField(),
                db_persist=True,
            ),
        ),
        # What is only searched states nothing: it changes without a decision, like the embedding (migration 0007).
        migrations.RunSQL(CHANGES.format(free=f"{FREE}, 'context'"), CHANGES.format(free=FREE)),
        migrations.AddIndex("entry", GinIndex(fields=["search"], name="entry_by_words")),
    ]
