from django.contrib.postgres.indexes import GinIndex
from django.contrib.postgres.search import SearchVector, SearchVectorField
from django.db import migrations, models


class Migration(migrations.Migration):
    """PostgreSQL can't change what a generated column is made of, so it is dropped with its index and made anew."""

    dependencies = [("memoryhub", "0003_review_item_others")]

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
        migrations.AddIndex("entry", GinIndex(fields=["search"], name="entry_by_words")),
    ]
