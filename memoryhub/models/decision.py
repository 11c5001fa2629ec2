"""What the gate decided and why: one row per write command, without content (R10)."""

from typing import ClassVar

from django.db import models

from memoryhub.models.base import Tenant
from memoryhub.vocabulary import Channel, Role


class Decision(Tenant):
    """One command through the gate. `results` holds per claim: op, reason, entry id and every step's outcome."""

    subject = models.ForeignKey("memoryhub.Subject", null=True, on_delete=models.CASCADE, related_name="+")
    role = models.CharField(max_length=20, choices=Role)
    channel = models.CharField(max_length=20, choices=Channel)
    agent = models.ForeignKey("accounts.Agent", null=True, on_delete=models.SET_NULL, related_name="+")
    user = models.ForeignKey("accounts.User", null=True, on_delete=models.SET_NULL, related_name="+")
    policy_version = models.PositiveIntegerField(default=0, help_text="of the policy it was judged by; 0: as shipped")
    results = models.JSONField(default=list)
    created_at = models.DateTimeField()

    class Meta:
        indexes: ClassVar = [models.Index(fields=["organisation", "created_at"], name="decision_by_time")]

    def __str__(self) -> str:
        return str(self.id)
