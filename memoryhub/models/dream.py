"""One run of consolidation: how far it is, and exactly what it did (R70, R76)."""

from typing import ClassVar

from django.db import models
from django.db.models import Q

from memoryhub.models.base import Tenant
from memoryhub.vocabulary import DreamStatus, Op, Reason, Store


class Dream(Tenant):
    """A run over everything pending, of one agent or of all."""

    agent = models.ForeignKey("accounts.Agent", null=True, blank=True, on_delete=models.SET_NULL, related_name="+")
    status = models.CharField(max_length=8, choices=DreamStatus, default=DreamStatus.QUEUED)
    requested_by = models.CharField(max_length=100)
    created_at = models.DateTimeField()
    started_at = models.DateTimeField(null=True, blank=True)
    finished_at = models.DateTimeField(null=True, blank=True)
    sessions_done = models.PositiveIntegerField(default=0)
    sessions_total = models.PositiveIntegerField(default=0)
    events = models.PositiveIntegerField(default=0)
    at_session = models.UUIDField(
        null=True, blank=True, help_text="being read right now; found set by the next worker, the one before died in it"
    )
    failure = models.CharField(
        max_length=200, blank=True, help_text="what could not be read: counts and classes of errors"
    )

    class Meta:
        constraints: ClassVar = [
            models.UniqueConstraint(
                fields=["organisation"], condition=Q(status=DreamStatus.RUNNING), name="dream_one_running"
            )
        ]
        indexes: ClassVar = [models.Index(fields=["organisation", "created_at"], name="dream_by_time")]

    def __str__(self) -> str:
        return f"{self.id} {self.status}"


class DreamOperation(Tenant):
    """One line of a dream's report."""

    dream = models.ForeignKey(Dream, on_delete=models.CASCADE, related_name="operations")
    subject = models.ForeignKey("memoryhub.Subject", null=True, on_delete=models.CASCADE, related_name="+")
    store = models.CharField(max_length=10, choices=Store)
    op = models.CharField(max_length=10, choices=Op)
    reason = models.CharField(max_length=30, choices=Reason)
    session_ref = models.CharField(max_length=200, blank=True)
    entry = models.ForeignKey("memoryhub.Entry", null=True, on_delete=models.SET_NULL, related_name="+")
    skill = models.ForeignKey("memoryhub.Skill", null=True, on_delete=models.SET_NULL, related_name="+")

    def __str__(self) -> str:
        return f"{self.store} {self.op}"
