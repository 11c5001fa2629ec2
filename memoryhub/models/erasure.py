"""Proof that something was forgotten, what waits to be, and what must not come back: ids and counts, never content
(R91).
"""

from typing import ClassVar

from django.db import models
from django.db.models import Q

from memoryhub.models.base import Tenant
from memoryhub.vocabulary import Ending


class Erasure(Tenant):
    """One receipt; also the ledger a restored backup replays: with `target`, `subject_id`, `options` and the moment the
    same can be done again. They are ids and names of kinds, without foreign keys: a receipt outlives what it tells of.
    """

    ending = models.CharField(max_length=12, choices=Ending)
    target = models.UUIDField(help_text="the entry, the session, or the subject")
    subject_id = models.UUIDField(null=True, help_text="empty: from before it was noted")
    options = models.JSONField(
        default=dict, help_text="what doing it again takes: ids of entries, events and sessions, the kind"
    )
    removed = models.JSONField(default=dict)
    remaining = models.PositiveIntegerField(default=0)
    requested_by = models.CharField(max_length=120)
    erased_at = models.DateTimeField()
    backups_until = models.DateTimeField(null=True, help_text="by then no backup holds it any more; empty: as shipped")

    class Meta:
        indexes: ClassVar = [
            models.Index(fields=["organisation", "erased_at"], name="erasure_by_time"),
            models.Index(fields=["subject_id", "erased_at"], name="erasure_by_subject"),
        ]

    def __str__(self) -> str:
        return f"{self.ending} {self.target}"


class PendingErasure(Tenant):
    """Somebody asked to have everything about a subject forgotten, and may still change their mind."""

    subject = models.ForeignKey("memoryhub.Subject", on_delete=models.CASCADE, related_name="+")
    asked_by = models.CharField(max_length=120)
    asked_at = models.DateTimeField()
    due_at = models.DateTimeField()
    paused_before = models.BooleanField(default=False, help_text="whether remembering was paused when it was asked for")
    used_before = models.BooleanField(default=True, help_text="whether what was known was used then")

    class Meta:
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["subject"], name="pending_erasure_once"),
            models.CheckConstraint(condition=Q(due_at__gte=models.F("asked_at")), name="pending_erasure_after_asking"),
        ]

    def __str__(self) -> str:
        return f"{self.subject_id} {self.due_at}"


class ForgottenMark(Tenant):
    """A keyed hash of something the person had forgotten, so that nobody else brings it back (governance/forgotten.py).

    Empty, it stands for everything that was said about them until then.
    """

    subject = models.ForeignKey("memoryhub.Subject", on_delete=models.CASCADE, related_name="+")
    mark = models.CharField(max_length=64, blank=True)
    forgotten_at = models.DateTimeField()

    class Meta:
        constraints: ClassVar = [models.UniqueConstraint(fields=["subject", "mark"], name="forgotten_once")]

    def __str__(self) -> str:
        return str(self.pk)
