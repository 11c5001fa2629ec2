"""What agents are told: that something was erased, approved, superseded or waits; and where it is sent (R91, R113)."""

from typing import ClassVar

from django.contrib.postgres.fields import ArrayField
from django.contrib.postgres.indexes import GinIndex
from django.db import models
from django.db.models import Q, TextChoices

from memoryhub.models.base import Tenant


class NoticeKind(TextChoices):
    """What a notice is about."""

    ERASED = "memory.erased", "erased"
    SUPERSEDED = "memory.superseded", "superseded"
    APPROVED = "memory.approved", "approved"
    QUEUED = "memory.queued", "waiting for a curator"
    LATE = "queue.late", "late in the queue"


class DeliveryState(TextChoices):
    """Where the sending of one notice to one webhook stands."""

    WAITING = "waiting", "waiting"
    DELIVERED = "delivered", "delivered"
    PARKED = "parked", "given up"


class Notice(Tenant):
    """One thing to tell, of ids alone; written in the transaction of its cause.

    `agents` are who is told. `place` is its number in the feed, given by the database when its transaction commits, so
    that none comes to stand before one that was read already.
    """

    kind = models.CharField(max_length=20, choices=NoticeKind)
    subject = models.ForeignKey("memoryhub.Subject", null=True, on_delete=models.CASCADE, related_name="+")
    ids = ArrayField(models.UUIDField(), default=list)
    agents = ArrayField(models.UUIDField(), default=list)
    place = models.BigIntegerField(null=True, unique=True)
    created_at = models.DateTimeField()

    class Meta:
        indexes: ClassVar = [
            models.Index(fields=["organisation", "place"], name="notice_by_place"),
            models.Index(fields=["organisation", "created_at"], name="notice_by_time"),
            GinIndex(fields=["agents"], name="notice_by_agent"),
        ]

    def __str__(self) -> str:
        return f"{self.kind} {self.pk}"


class Webhook(Tenant):
    """An address that notices are sent to. Its secret is derived from the hub's own and `turn`, and stored nowhere.

    `rests_until`: after a failure to reach it nothing is sent before. `stopped_at`: an operator stopped it, and what
    comes up meanwhile waits.
    """

    url = models.CharField(max_length=500)
    kinds = ArrayField(models.CharField(max_length=20, choices=NoticeKind))
    agent = models.ForeignKey("accounts.Agent", null=True, blank=True, on_delete=models.CASCADE, related_name="+")
    turn = models.PositiveIntegerField(default=1, help_text="of the secret: a new one makes the old one void")
    created_at = models.DateTimeField()
    created_by = models.CharField(max_length=120)
    stopped_at = models.DateTimeField(null=True, blank=True)
    failures = models.PositiveIntegerField(default=0, help_text="one after another")
    rests_until = models.DateTimeField(null=True, blank=True)
    last_ok_at = models.DateTimeField(null=True, blank=True)
    last_error = models.CharField(max_length=120, blank=True)

    class Meta:
        constraints: ClassVar = [models.CheckConstraint(condition=~Q(url="") & ~Q(kinds=[]), name="webhook_says_where")]

    def __str__(self) -> str:
        return str(self.pk)


class Delivery(Tenant):
    """One notice on its way to one webhook: waits, counts its tries before they are made, and is given up at last."""

    webhook = models.ForeignKey(Webhook, on_delete=models.CASCADE, related_name="deliveries")
    notice = models.ForeignKey(Notice, on_delete=models.CASCADE, related_name="deliveries")
    state = models.CharField(max_length=9, choices=DeliveryState, default=DeliveryState.WAITING)
    attempts = models.PositiveIntegerField(default=0, help_text="so far; also the fencing token")
    due_at = models.DateTimeField()
    delivered_at = models.DateTimeField(null=True, blank=True)
    last_error = models.CharField(max_length=120, blank=True)

    class Meta:
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["webhook", "notice"], name="delivery_once"),
            models.CheckConstraint(
                condition=Q(state=DeliveryState.DELIVERED, delivered_at__isnull=False)
                | (~Q(state=DeliveryState.DELIVERED) & Q(delivered_at__isnull=True)),
                name="delivery_delivered_at",
            ),
        ]
        indexes: ClassVar = [
            models.Index(
                fields=["organisation", "webhook", "due_at"], condition=Q(state=DeliveryState.WAITING),
                name="delivery_waiting",
            ),
            models.Index(
                fields=["webhook", "id"], condition=Q(state=DeliveryState.PARKED), name="delivery_parked"
            ),
        ]  # fmt: skip

    def __str__(self) -> str:
        return f"{self.state} {self.pk}"
