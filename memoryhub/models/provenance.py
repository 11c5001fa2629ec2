"""Who said it, where and when (R4), and what a derived entry came from."""

from typing import ClassVar

from django.db import models
from django.db.models import Q

from memoryhub.models.base import Tenant
from memoryhub.vocabulary import Channel, Role


class Provenance(Tenant):
    """The origin of one entry version. `quote` holds the words it came from, redacted."""

    entry = models.OneToOneField("memoryhub.Entry", on_delete=models.CASCADE, related_name="provenance")
    role = models.CharField(max_length=20, choices=Role)
    channel = models.CharField(max_length=20, choices=Channel)
    speaker = models.ForeignKey("memoryhub.Subject", null=True, blank=True, on_delete=models.SET_NULL, related_name="+")
    agent = models.ForeignKey("accounts.Agent", null=True, blank=True, on_delete=models.SET_NULL, related_name="+")
    user = models.ForeignKey("accounts.User", null=True, blank=True, on_delete=models.SET_NULL, related_name="+")
    session_ref = models.CharField(max_length=200, blank=True)
    event_ref = models.CharField(max_length=200, blank=True)
    message_id = models.CharField(max_length=200, blank=True)
    ref = models.CharField(max_length=500, blank=True)
    uri = models.CharField(max_length=2000, blank=True)
    quote = models.TextField(blank=True)
    verified_by = models.CharField(max_length=500, blank=True, help_text="the record that said the same")
    said_at = models.DateTimeField()
    recorded_at = models.DateTimeField()

    def __str__(self) -> str:
        return f"{self.role} through {self.channel}"


class Lineage(Tenant):
    """`child` was derived from an entry or from an event; the event's id outlives the pruned event (R72)."""

    child = models.ForeignKey("memoryhub.Entry", on_delete=models.CASCADE, related_name="lineage")
    parent = models.ForeignKey(
        "memoryhub.Entry", null=True, blank=True, on_delete=models.CASCADE, related_name="derived"
    )
    event = models.ForeignKey(
        "memoryhub.Event", null=True, blank=True, on_delete=models.SET_NULL, related_name="derived"
    )
    event_ref = models.CharField(max_length=200, blank=True)

    class Meta:
        constraints: ClassVar = [
            models.CheckConstraint(
                condition=(Q(parent__isnull=False, event_ref="") | (Q(parent__isnull=True) & ~Q(event_ref=""))),
                name="lineage_one_source",
            ),
            models.UniqueConstraint(
                fields=["child", "parent"], condition=Q(parent__isnull=False), name="lineage_parent_once"
            ),
            models.UniqueConstraint(
                fields=["child", "event_ref"], condition=Q(parent__isnull=True), name="lineage_event_once"
            ),
        ]

    def __str__(self) -> str:
        return f"{self.child_id} from {self.parent_id or self.event_ref}"
