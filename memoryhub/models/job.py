"""Work for later: claimed with a lease, counted before it starts, parked when it never ends (security.md section 7)."""

from typing import ClassVar

from django.db import models
from django.db.models import Q

from memoryhub.models.base import Tenant
from memoryhub.vocabulary import JobState


class Job(Tenant):
    """One piece of background work. `payload` holds ids only; `last_error` the class of the error, never its text."""

    kind = models.CharField(max_length=40)
    payload = models.JSONField(default=dict)
    dedupe = models.CharField(max_length=100, blank=True)
    state = models.CharField(max_length=8, choices=JobState, default=JobState.QUEUED)
    run_after = models.DateTimeField()
    attempts = models.PositiveIntegerField(default=0, help_text="claims so far; also the fencing token")
    lease_until = models.DateTimeField(null=True, blank=True)
    last_error = models.CharField(max_length=200, blank=True)
    created_at = models.DateTimeField()
    finished_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        constraints: ClassVar = [
            models.UniqueConstraint(
                fields=["organisation", "kind", "dedupe"],
                condition=Q(state=JobState.QUEUED) & ~Q(dedupe=""),
                name="job_waits_once",
            ),
            models.CheckConstraint(
                condition=~Q(state=JobState.RUNNING) | Q(lease_until__isnull=False), name="job_running_has_lease"
            ),
        ]
        indexes: ClassVar = [
            models.Index(fields=["run_after", "id"], condition=Q(state__in=["queued", "running"]), name="job_claimable")
        ]

    def __str__(self) -> str:
        return f"{self.kind} {self.state}"


class WorkerBeat(models.Model):
    """When a worker last woke; readyz and the watchdog read it. No tenant data."""

    name = models.CharField(max_length=40, primary_key=True)
    beat_at = models.DateTimeField()

    def __str__(self) -> str:
        return self.name
