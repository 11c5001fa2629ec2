"""The read log: who was given what, for whom (R37)."""

from typing import ClassVar

from django.contrib.postgres.fields import ArrayField
from django.contrib.postgres.indexes import GinIndex
from django.db import models
from django.db.models import Q

from memoryhub.models.base import Tenant


class Recall(Tenant):
    """One read. `items` holds ids and scores, never words; `query_digest` is a keyed hash.

    Sealed into the audit chain soon after (`sealed_at`), so that reads do not queue behind one another.
    """

    subject = models.ForeignKey("memoryhub.Subject", null=True, on_delete=models.CASCADE, related_name="+")
    subjects = ArrayField(models.UUIDField(), default=list)
    agent = models.ForeignKey("accounts.Agent", null=True, on_delete=models.SET_NULL, related_name="+")
    user = models.ForeignKey("accounts.User", null=True, on_delete=models.SET_NULL, related_name="+")
    actor = models.CharField(max_length=100)
    purpose = models.CharField(
        max_length=10, help_text="recall, context, page, playground, graph, sessions, file or bench"
    )
    query_digest = models.CharField(max_length=64, blank=True)
    items = models.JSONField(default=list)
    tokens = models.PositiveIntegerField(null=True, help_text="of the block that was given; not of other reads")
    took_ms = models.FloatField(null=True, help_text="from the question to the block, without the writing of this row")
    used = models.JSONField(default=list)
    created_at = models.DateTimeField()
    sealed_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        indexes: ClassVar = [
            models.Index(fields=["organisation", "id"], condition=Q(sealed_at__isnull=True), name="recall_unsealed"),
            models.Index(fields=["organisation", "subject", "created_at"], name="recall_by_subject"),
            # Who was given something about one of several (governance/notices.py).
            GinIndex(fields=["subjects"], condition=Q(subjects__len__gt=1), name="recall_of_several"),
            # What people looked at, among many more recalls of agents (governance/read_by.py).
            models.Index(
                fields=["organisation", "id"], condition=Q(purpose__in=["page", "playground"]), name="recall_looks"
            ),
        ]

    def __str__(self) -> str:
        return str(self.id)
