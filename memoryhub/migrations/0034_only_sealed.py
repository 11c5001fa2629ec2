"""What was sealed has no other column any more; and the audit keeps a keyed hash of the words a row is about."""

from django.db import migrations, models
from django.db.models import Q


class Migration(migrations.Migration):
    dependencies = [("memoryhub", "0033_subject_keys")]

    operations = [
        migrations.RemoveConstraint("event", "event_withheld_has_no_words"),
        migrations.RemoveField("event", "user_input"),
        migrations.RemoveField("event", "assistant_output"),
        migrations.RemoveField("event", "actions"),
        migrations.RemoveField("event", "observations"),
        migrations.RemoveField("event", "signals"),
        migrations.AddConstraint(
            "event",
            models.CheckConstraint(
                condition=Q(withheld="") | Q(words__isnull=True), name="event_withheld_has_no_words"
            ),
        ),
        migrations.RemoveField("offload", "text"),
        migrations.RemoveField("idempotentrequest", "body"),
        migrations.RenameField("idempotentrequest", "sealed", "body"),
        migrations.AlterField(
            "idempotentrequest",
            "body",
            models.BinaryField(
                null=True,
                help_text="the answer, sealed under its subject's key, or the organisation's where it names none",
            ),
        ),
        migrations.AddField(
            "auditevent",
            "content_hmac",
            models.CharField(
                blank=True,
                default="",
                help_text="keyed hash of the words it is about, under the subject's own key",
                max_length=64,
            ),
            preserve_default=False,
        ),
    ]
