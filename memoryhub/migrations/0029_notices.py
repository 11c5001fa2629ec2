"""What agents are told, and where it is sent (docs/adr/0026). A notice gets its place in the feed when its transaction
commits, one organisation at a time: a reader who has seen one place has seen all before it."""

import django.contrib.postgres.fields
import django.contrib.postgres.indexes
import django.db.models.deletion
from django.db import migrations, models

import accounts.ids
from accounts.row_security import any_organisation, protect, same_organisation, subject_is_readable, unprotect

KINDS = [
    ("memory.erased", "erased"),
    ("memory.superseded", "superseded"),
    ("memory.approved", "approved"),
    ("memory.queued", "waiting for a curator"),
]
NOTICE, WEBHOOK, DELIVERY = "memoryhub_notice", "memoryhub_webhook", "memoryhub_delivery"
ABOUT = f"(subject_id IS NULL OR {subject_is_readable('subject_id')})"
REFERENCES = (
    (NOTICE, "subject_id", "memoryhub_subject"),
    (WEBHOOK, "agent_id", "accounts_agent"),
    (DELIVERY, "webhook_id", WEBHOOK),
    (DELIVERY, "notice_id", NOTICE),
)

PLACED = """
CREATE SEQUENCE memoryhub_notice_place;
CREATE FUNCTION hub_notice_placed() RETURNS trigger LANGUAGE plpgsql SET search_path = pg_catalog, public, pg_temp AS $$
DECLARE
  identity text[] := hub_look_as(NEW.organisation_id);
BEGIN
  -- Taken last of all and held until the commit is through, so places are seen in their order.
  PERFORM pg_advisory_xact_lock(hashtextextended('memoryhub_notice' || NEW.organisation_id::text, 0));
  UPDATE memoryhub_notice SET place = nextval('memoryhub_notice_place') WHERE id = NEW.id;
  PERFORM hub_look_back(identity);
  RETURN NULL;
END $$;
CREATE CONSTRAINT TRIGGER notice_placed AFTER INSERT ON memoryhub_notice
  DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION hub_notice_placed();
"""
UNPLACED = """
DROP TRIGGER notice_placed ON memoryhub_notice; DROP FUNCTION hub_notice_placed();
DROP SEQUENCE memoryhub_notice_place;
"""


def _id():
    return models.UUIDField(default=accounts.ids.new_id, editable=False, primary_key=True, serialize=False)


def _organisation():
    return models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name="+", to="accounts.organisation")


class Migration(migrations.Migration):
    dependencies = [
        ("accounts", "0004_key_in_one_step"),
        ("memoryhub", "0028_edits_are_classified"),
    ]

    operations = [
        migrations.CreateModel(
            name="Notice",
            fields=[
                ("id", _id()),
                ("kind", models.CharField(choices=KINDS, max_length=20)),
                ("ids", django.contrib.postgres.fields.ArrayField(base_field=models.UUIDField(), default=list)),
                ("agents", django.contrib.postgres.fields.ArrayField(base_field=models.UUIDField(), default=list)),
                ("place", models.BigIntegerField(null=True, unique=True)),
                ("created_at", models.DateTimeField()),
                ("organisation", _organisation()),
                (
                    "subject",
                    models.ForeignKey(
                        null=True, on_delete=django.db.models.deletion.CASCADE, related_name="+",
                        to="memoryhub.subject",
                    ),
                ),
            ],
            options={
                "indexes": [
                    models.Index(fields=["organisation", "place"], name="notice_by_place"),
                    models.Index(fields=["organisation", "created_at"], name="notice_by_time"),
                    django.contrib.postgres.indexes.GinIndex(fields=["agents"], name="notice_by_agent"),
                ],
            },
        ),
        migrations.CreateModel(
            name="Webhook",
            fields=[
                ("id", _id()),
                ("url", models.CharField(max_length=500)),
                (
                    "kinds",
                    django.contrib.postgres.fields.ArrayField(
                        base_field=models.CharField(choices=KINDS, max_length=20)
                    ),
                ),
                (
                    "turn",
                    models.PositiveIntegerField(
                        default=1, help_text="of the secret: a new one makes the old one void"
                    ),
                ),
                ("created_at", models.DateTimeField()),
                ("created_by", models.CharField(max_length=120)),
                ("stopped_at", models.DateTimeField(blank=True, null=True)),
                ("failures", models.PositiveIntegerField(default=0, help_text="one after another")),
                ("rests_until", models.DateTimeField(blank=True, null=True)),
                ("last_ok_at", models.DateTimeField(blank=True, null=True)),
                ("last_error", models.CharField(blank=True, max_length=120)),
                (
                    "agent",
                    models.ForeignKey(
                        blank=True, null=True, on_delete=django.db.models.deletion.CASCADE, related_name="+",
                        to="accounts.agent",
                    ),
                ),
                ("organisation", _organisation()),
            ],
            options={
                "constraints": [
                    models.CheckConstraint(
                        condition=models.Q(("url", ""), _negated=True) & models.Q(("kinds", []), _negated=True),
                        name="webhook_says_where",
                    )
                ],
            },
        ),
        migrations.CreateModel(
            name="Delivery",
            fields=[
                ("id", _id()),
                (
                    "state",
                    models.CharField(
                        choices=[("waiting", "waiting"), ("delivered", "delivered"), ("parked", "given up")],
                        default="waiting", max_length=9,
                    ),
                ),
                ("attempts", models.PositiveIntegerField(default=0, help_text="so far; also the fencing token")),
                ("due_at", models.DateTimeField()),
                ("delivered_at", models.DateTimeField(blank=True, null=True)),
                ("last_error", models.CharField(blank=True, max_length=120)),
                (
                    "notice",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE, related_name="deliveries", to="memoryhub.notice"
                    ),
                ),
                ("organisation", _organisation()),
                (
                    "webhook",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE, related_name="deliveries", to="memoryhub.webhook"
                    ),
                ),
            ],
            options={
                "indexes": [
                    models.Index(
                        condition=models.Q(("state", "waiting")), fields=["organisation", "webhook", "due_at"],
                        name="delivery_waiting",
                    ),
                    models.Index(
                        condition=models.Q(("state", "parked")), fields=["webhook", "id"], name="delivery_parked"
                    ),
                ],
                "constraints": [
                    models.UniqueConstraint(fields=("webhook", "notice"), name="delivery_once"),
                    models.CheckConstraint(
                        condition=models.Q(("delivered_at__isnull", False), ("state", "delivered"))
                        | models.Q(models.Q(("state", "delivered"), _negated=True), ("delivered_at__isnull", True)),
                        name="delivery_delivered_at",
                    ),
                ],
            },
        ),
        migrations.AddIndex(
            model_name="recall",
            index=django.contrib.postgres.indexes.GinIndex(
                condition=models.Q(("subjects__len__gt", 1)), fields=["subjects"], name="recall_of_several"
            ),
        ),
        migrations.RunSQL(protect(NOTICE, subject=ABOUT), unprotect(NOTICE)),
        *[migrations.RunSQL(protect(table), unprotect(table)) for table in (WEBHOOK, DELIVERY)],
        *[migrations.RunSQL(same_organisation(*one), any_organisation(*one[:2])) for one in REFERENCES],
        migrations.RunSQL(PLACED, UNPLACED),
    ]  # fmt: skip
