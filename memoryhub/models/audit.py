"""The record of what was done: append-only, hash-chained per organisation, without content (R103).

No foreign keys to live rows: the log must neither hold them hostage nor vanish with them.
"""

from typing import ClassVar

from django.db import models
from django.db.models import Q


class AuditEvent(models.Model):
    """One link of an organisation's chain. A trigger refuses UPDATE, DELETE and TRUNCATE."""

    organisation_id = models.UUIDField()
    seq = models.BigIntegerField()
    at = models.DateTimeField()
    actor = models.CharField(max_length=120)
    action = models.CharField(max_length=40)
    subject = models.CharField(max_length=64, blank=True, help_text="id of the subject, not its external id")
    object_kind = models.CharField(max_length=20)
    object_id = models.CharField(max_length=64)
    reason = models.CharField(max_length=40, blank=True)
    request_id = models.CharField(max_length=64, blank=True)
    content_hmac = models.CharField(
        max_length=64, blank=True, help_text="keyed hash of the words it is about, under the subject's own key"
    )
    previous_hash = models.CharField(max_length=64)
    row_hash = models.CharField(max_length=64)

    class Meta:
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["organisation_id", "seq"], name="audit_event_seq_once")
        ]
        indexes: ClassVar = [  # the timeline of one item (governance/timeline.py)
            models.Index(
                fields=["object_id"], condition=Q(object_kind="review_item"), name="audit_event_of_review_item"
            )
        ]

    def __str__(self) -> str:
        return f"{self.seq} {self.action}"


class AuditHead(models.Model):
    """The end of each chain; locked while a link is added, so that a chain can't fork."""

    organisation_id = models.UUIDField(primary_key=True)
    seq = models.BigIntegerField(default=0)
    row_hash = models.CharField(max_length=64, blank=True)

    def __str__(self) -> str:
        return f"{self.organisation_id} {self.seq}"
