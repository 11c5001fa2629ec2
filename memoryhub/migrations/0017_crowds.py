from django.contrib.postgres.indexes import GinIndex, OpClass
from django.db import migrations, models
from django.db.models import Q
from django.db.models.functions import Cast
from pgvector.django import HalfVectorField, HnswIndex

FREE = "'search', 'command', 'context'"
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
    """Indexes for nearness and for words hold crowds alone; the one for words held everything and served nobody."""

    dependencies = [("memoryhub", "0016_entry_by_model")]

    operations = [
        migrations.AddField(
            "entry",
            "lot",
            models.PositiveSmallIntegerField(
                null=True,
                editable=False,
                help_text="of very many: one of 64 lots of a crowd, drawn at random (crowds.py)",
            ),
        ),
        # Where an entry is looked for states nothing: it changes without a decision, like the embedding.
        migrations.RunSQL(CHANGES.format(free=f"{FREE}, 'lot'"), CHANGES.format(free=FREE)),
        migrations.RemoveIndex("entry", "entry_by_audience"),
        migrations.AddIndex(
            "entry",
            models.Index(fields=["organisation", "audience", "lot", "status", "kind"], name="entry_by_audience"),
        ),
        migrations.RemoveIndex("entry", "entry_by_words"),
        migrations.AddIndex(
            "entry", GinIndex(fields=["search"], condition=Q(lot__isnull=False), name="entry_by_words")
        ),
        migrations.AddIndex(
            "entry",
            HnswIndex(
                OpClass(Cast("embedding", HalfVectorField(dimensions=384)), "halfvec_cosine_ops"),
                condition=Q(lot__isnull=False),
                name="entry_by_nearness",
            ),
        ),
        migrations.AddIndex(
            "entry",
            models.Index(
                fields=["audience", "valid_from", "id"],
                condition=Q(lot__isnull=False, kind="episodic"),
                name="entry_by_day_in_crowd",
            ),
        ),
        migrations.AddIndex(
            "entry", models.Index(fields=["audience"], condition=Q(lot__isnull=False), name="entry_of_crowd")
        ),
    ]
