"""Proof that something was forgotten: counts and times, never content (R91)."""

from typing import ClassVar

from django.db import models

from memoryhub.models.base import Tenant
from memoryhub.vocabulary import Ending


class Erasure(Tenant):
    """One receipt; also the ledger a restored backup replays. `target` is an id, the subject's or the entry's."""

    ending = models.CharField(max_length=8, choices=Ending)
    target = models.UUIDField()
    removed = models.JSONField(default=dict)
    remaining = models.PositiveIntegerField(default=0)
    requested_by = models.CharField(max_length=120)
    erased_at = models.DateTimeField()

    class Meta:
        indexes: ClassVar = [models.Index(fields=["organisation", "erased_at"], name="erasure_by_time")]

    def __str__(self) -> str:
        return f"{self.ending} {self.target}"
