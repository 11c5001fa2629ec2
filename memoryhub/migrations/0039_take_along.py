"""What a person takes along, and conversations that are not to be remembered (R90)."""

import django.db.models.deletion
from django.db import migrations, models
from django.db.models import Q

import accounts.ids
from accounts.row_security import any_organisation, protect, same_organisation, subject_is_readable, unprotect

TABLE = "memoryhub_exportarchive"


class Migration(migrations.Migration):
    dependencies = [("memoryhub", "0038_console")]

    operations = [
        migrations.AddField(
            "session",
            "off_record_at",
            models.DateTimeField(
                blank=True, help_text="since when, by the person's word, nothing of it is kept or used", null=True
            ),
        ),
        migrations.AddField(
            "pendingerasure",
            "paused_before",
            models.BooleanField(default=False, help_text="whether remembering was paused when it was asked for"),
        ),
        migrations.AddField(
            "pendingerasure",
            "used_before",
            models.BooleanField(default=True, help_text="whether what was known was used then"),
        ),
        migrations.CreateModel(
            name="ExportArchive",
            fields=[
                (
                    "id",
                    models.UUIDField(default=accounts.ids.new_id, editable=False, primary_key=True, serialize=False),
                ),
                (
                    "state",
                    models.CharField(
                        choices=[
                            ("waiting", "being put together"),
                            ("ready", "ready"),
                            ("failed", "could not be put together"),
                        ],
                        default="waiting",
                        max_length=8,
                    ),
                ),
                (
                    "language",
                    models.CharField(blank=True, help_text="whose dates the page in it has", max_length=12),
                ),
                ("sealed", models.BinaryField(null=True)),
                ("size", models.PositiveIntegerField(help_text="bytes of the archive, unsealed", null=True)),
                ("requested_at", models.DateTimeField()),
                ("ready_at", models.DateTimeField(blank=True, null=True)),
                (
                    "expires_at",
                    models.DateTimeField(help_text="from then on it is handed out no more, and removed"),
                ),
                (
                    "organisation",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE, related_name="+", to="accounts.organisation"
                    ),
                ),
                (
                    "subject",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE, related_name="archives", to="memoryhub.subject"
                    ),
                ),
            ],
            options={
                "indexes": [models.Index(fields=["organisation", "expires_at"], name="export_archive_by_end")],
                "constraints": [
                    models.CheckConstraint(
                        condition=Q(state="ready", sealed__isnull=False, size__isnull=False, ready_at__isnull=False)
                        | (~Q(state="ready") & Q(sealed__isnull=True, size__isnull=True, ready_at__isnull=True)),
                        name="export_archive_ready_has_content",
                    ),
                    models.UniqueConstraint(fields=("subject",), name="export_archive_one_each"),
                ],
            },
        ),
        migrations.RunSQL(protect(TABLE, subject=subject_is_readable("subject_id")), unprotect(TABLE)),
        migrations.RunSQL(
            same_organisation(TABLE, "subject_id", "memoryhub_subject"), any_organisation(TABLE, "subject_id")
        ),
    ]
