"""One run of one job of housekeeping: how far it is, and what it did (R77)."""

from typing import ClassVar

from django.db import models

from memoryhub.models.base import Tenant
from memoryhub.vocabulary import Chore, DreamStatus


class Housekeeping(Tenant):
    """A run over an organisation: ids and counts, never what an entry says."""

    chore = models.CharField(max_length=10, choices=Chore)
    status = models.CharField(max_length=8, choices=DreamStatus, default=DreamStatus.QUEUED)
    requested_by = models.CharField(max_length=100)
    as_of = models.DateTimeField(null=True, blank=True, help_text="the moment it goes by; empty: when it runs")
    created_at = models.DateTimeField()
    started_at = models.DateTimeField(null=True, blank=True)
    finished_at = models.DateTimeField(null=True, blank=True)
    place = models.UUIDField(null=True, blank=True, help_text="the last subject or agent that was seen to")
    seen = models.PositiveIntegerField(default=0, help_text="subjects or agents seen to")
    counts = models.JSONField(default=dict, help_text="deed → how often")
    lines = models.JSONField(default=list, help_text="the first deeds: [deed, kind of thing, id]")
    failure = models.CharField(max_length=200, blank=True, help_text="counts and classes of errors")

    class Meta:
        indexes: ClassVar = [models.Index(fields=["organisation", "created_at"], name="housekeeping_by_time")]

    def __str__(self) -> str:
        return f"{self.chore} {self.status}"
