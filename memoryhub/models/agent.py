"""What an agent may offer and keep: its tools, signals, policy and profile (R16, R62, R73, R82)."""

from typing import ClassVar

from django.contrib.postgres.fields import ArrayField
from django.db import models
from django.db.models import Q

from memoryhub.models.base import Tenant
from memoryhub.vocabulary import PolicyMode, RecallProfile, Remembers, SkillStatus


class AgentTool(Tenant):
    """A tool the agent offers; a skill may name no other, and prefetch none with side effects (R81)."""

    agent = models.ForeignKey("accounts.Agent", on_delete=models.CASCADE, related_name="tools")
    name = models.CharField(max_length=100)
    side_effects = models.BooleanField()
    description = models.CharField(max_length=500, blank=True)

    class Meta:
        constraints: ClassVar = [models.UniqueConstraint(fields=["agent", "name"], name="agent_tool_once")]

    def __str__(self) -> str:
        return self.name


class AgentSignal(Tenant):
    """How a recurring signal becomes a lesson: its wording, tools and prefetch, all configured (R73)."""

    agent = models.ForeignKey("accounts.Agent", on_delete=models.CASCADE, related_name="signals")
    kind = models.CharField(max_length=100)
    wording = models.TextField(blank=True, help_text="may use {value} and {sessions}")
    tools = ArrayField(models.CharField(max_length=100), default=list)
    prefetch = ArrayField(models.CharField(max_length=100), default=list)

    class Meta:
        constraints: ClassVar = [models.UniqueConstraint(fields=["agent", "kind"], name="agent_signal_once")]

    def __str__(self) -> str:
        return self.kind


class AgentPolicy(Tenant):
    """What an agent's memory may do by itself, which decision it improves, and who signed that (R16).

    Thresholds are its own where it has both; empty, the organisation's policy says them.
    """

    agent = models.OneToOneField("accounts.Agent", on_delete=models.CASCADE, related_name="policy")
    commit_at = models.FloatField(null=True, blank=True)
    discard_below = models.FloatField(null=True, blank=True)
    episodic = models.CharField(max_length=12, choices=PolicyMode, default=PolicyMode.PROPOSE_ONLY)
    semantic = models.CharField(max_length=12, choices=PolicyMode, default=PolicyMode.PROPOSE_ONLY)
    procedural = models.CharField(max_length=12, choices=PolicyMode, default=PolicyMode.PROPOSE_ONLY)
    remembers = models.CharField(max_length=10, choices=Remembers, default=Remembers.ALL)
    recall_profile = models.CharField(max_length=20, choices=RecallProfile, default=RecallProfile.GOVERNED)
    improves = models.CharField(max_length=500, blank=True, help_text="the decision this memory improves")
    signed_by = models.CharField(max_length=200, blank=True)
    signed_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        constraints: ClassVar = [
            models.CheckConstraint(
                condition=Q(commit_at__isnull=True, discard_below__isnull=True)
                | Q(
                    commit_at__isnull=False,
                    discard_below__isnull=False,
                    discard_below__gte=0,
                    commit_at__lte=1,
                    discard_below__lte=models.F("commit_at"),
                ),
                name="agent_policy_thresholds_ordered",
            ),
            models.CheckConstraint(
                condition=Q(signed_at__isnull=True, signed_by="") | (Q(signed_at__isnull=False) & ~Q(signed_by="")),
                name="agent_policy_signed_at_and_by",
            ),
        ]

    def __str__(self) -> str:
        return f"policy of {self.agent_id}"


class Profile(Tenant):
    """AGENT.md, one version: read on every turn, approved like a skill (R82)."""

    agent = models.ForeignKey("accounts.Agent", on_delete=models.CASCADE, related_name="profiles")
    number = models.PositiveIntegerField()
    text = models.TextField()
    status = models.CharField(max_length=10, choices=SkillStatus, default=SkillStatus.PROPOSED)
    created_at = models.DateTimeField()
    decided_at = models.DateTimeField(null=True, blank=True)
    decided_by = models.ForeignKey("accounts.User", null=True, blank=True, on_delete=models.PROTECT, related_name="+")
    version = models.PositiveIntegerField(default=1)

    class Meta:
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["agent", "number"], name="profile_number_once"),
            models.UniqueConstraint(
                fields=["agent"], condition=Q(status=SkillStatus.ACTIVE), name="profile_one_active"
            ),
            models.CheckConstraint(
                condition=Q(decided_at__isnull=True, decided_by__isnull=True)
                | Q(decided_at__isnull=False, decided_by__isnull=False),
                name="profile_decided_at_and_by",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.agent_id} v{self.number}"

    @property
    def etag(self) -> str:
        return f'"{self.id.hex[-12:]}-{self.version}"'
