"""What waits for a person, and how it was decided (R92)."""

from datetime import datetime
from typing import ClassVar

from django.contrib.postgres.fields import ArrayField
from django.db import models
from django.db.models import Q

from memoryhub import conf
from memoryhub.models.base import Tenant
from memoryhub.vocabulary import Reason, ReviewState, ReviewType


class ReviewItem(Tenant):
    """One thing a curator decides: exactly one of `entry`, `skill`, `profile`.

    Who proposed it is kept by person (`proposer`, or the owner of `agent`), because nobody approves their own (R92).
    """

    type = models.CharField(max_length=10, choices=ReviewType)
    subject = models.ForeignKey("memoryhub.Subject", null=True, on_delete=models.CASCADE, related_name="+")
    entry = models.ForeignKey("memoryhub.Entry", null=True, on_delete=models.CASCADE, related_name="review_items")
    skill = models.ForeignKey("memoryhub.Skill", null=True, on_delete=models.CASCADE, related_name="review_items")
    profile = models.ForeignKey("memoryhub.Profile", null=True, on_delete=models.CASCADE, related_name="review_items")
    rival = models.ForeignKey("memoryhub.Entry", null=True, on_delete=models.SET_NULL, related_name="+")
    decision = models.ForeignKey("memoryhub.Decision", null=True, on_delete=models.SET_NULL, related_name="+")
    agent = models.ForeignKey("accounts.Agent", null=True, on_delete=models.SET_NULL, related_name="+")
    proposer = models.ForeignKey("accounts.User", null=True, on_delete=models.SET_NULL, related_name="+")
    others = ArrayField(models.UUIDField(), default=list, help_text="people who proposed the same while it waited")
    why = models.CharField(max_length=500)
    reason = models.CharField(max_length=30, choices=Reason)
    state = models.CharField(max_length=10, choices=ReviewState, default=ReviewState.WAITING)
    waiting_since = models.DateTimeField()
    turn_at = models.DateTimeField(help_text="its place in the queue: since when it waits, or later (R15)")
    place_at = models.DateTimeField(help_text="its place in the order: when it is due, or first of all once escalated")
    snoozed_until = models.DateTimeField(null=True, blank=True)
    escalated_at = models.DateTimeField(null=True, blank=True)
    asked_at = models.DateTimeField(null=True, blank=True, help_text="the person was asked, and has not answered yet")
    group = models.UUIDField(null=True, blank=True, help_text="what came from one source nobody vouched for (R15)")
    group_source = models.CharField(max_length=200, blank=True)
    claimed_by = models.ForeignKey("accounts.User", null=True, on_delete=models.SET_NULL, related_name="+")
    claimed_at = models.DateTimeField(null=True)
    first_yes_by = models.ForeignKey("accounts.User", null=True, on_delete=models.SET_NULL, related_name="+")
    first_yes_at = models.DateTimeField(null=True)
    first_yes_text = models.TextField(blank=True, help_text="the words that the first of two said yes to, if edited")
    decided_by = models.ForeignKey("accounts.User", null=True, on_delete=models.PROTECT, related_name="+")
    decided_at = models.DateTimeField(null=True)
    decided_reason = models.CharField(max_length=500, blank=True)
    merged_into = models.ForeignKey("memoryhub.Entry", null=True, on_delete=models.SET_NULL, related_name="+")
    batch = models.UUIDField(null=True, blank=True, help_text="what was decided with it, in one go")
    reverses = models.ForeignKey("self", null=True, on_delete=models.SET_NULL, related_name="reversals")
    undo = models.JSONField(null=True, blank=True, help_text="what is needed to put everything back as it was")
    version = models.PositiveIntegerField(default=1)

    class Meta:
        constraints: ClassVar = [
            models.CheckConstraint(
                condition=(
                    Q(entry__isnull=False, skill__isnull=True, profile__isnull=True)
                    | Q(entry__isnull=True, skill__isnull=False, profile__isnull=True)
                    | Q(entry__isnull=True, skill__isnull=True, profile__isnull=False)
                ),
                name="review_item_one_target",
            ),
            models.CheckConstraint(
                condition=(
                    Q(state=ReviewState.WAITING, decided_at__isnull=True, decided_by__isnull=True)
                    | Q(state=ReviewState.WITHDRAWN, decided_at__isnull=False)
                    | Q(
                        state__in=[ReviewState.APPROVED, ReviewState.REJECTED, ReviewState.MERGED],
                        decided_at__isnull=False,
                        decided_by__isnull=False,
                    )
                ),
                name="review_item_decided_at_and_by",
            ),
            models.CheckConstraint(
                condition=Q(claimed_at__isnull=True, claimed_by__isnull=True)
                | Q(claimed_at__isnull=False, claimed_by__isnull=False),
                name="review_item_claimed_at_and_by",
            ),
            models.CheckConstraint(
                condition=Q(first_yes_at__isnull=True, first_yes_text="") | Q(first_yes_at__isnull=False),
                name="review_item_first_yes",
            ),
            models.UniqueConstraint(
                fields=["entry"], condition=Q(state=ReviewState.WAITING), name="review_item_entry_waits_once"
            ),
            models.UniqueConstraint(
                fields=["skill"], condition=Q(state=ReviewState.WAITING), name="review_item_skill_waits_once"
            ),
        ]
        indexes: ClassVar = [
            models.Index(fields=["organisation", "state", "place_at", "id"], name="review_item_by_place"),
            models.Index(fields=["organisation", "decided_at", "id"], name="review_item_by_decision"),
            models.Index(
                fields=["organisation", "group"], condition=Q(group__isnull=False), name="review_item_by_group"
            ),
            models.Index(fields=["batch"], condition=Q(batch__isnull=False), name="review_item_by_batch"),
            models.Index(
                fields=["agent", "waiting_since"], condition=Q(group__isnull=False), name="review_item_untrusted"
            ),
        ]

    def __str__(self) -> str:
        return f"{self.type} {self.state}"

    @property
    def etag(self) -> str:
        """Strong validator for If-Match."""
        return f'"{self.id.hex[-12:]}-{self.version}"'

    @property
    def due_at(self) -> datetime:
        """When it should be decided at the latest: so long after its turn as its type allows."""
        return self.turn_at + conf.DECIDED_WITHIN[self.type]
