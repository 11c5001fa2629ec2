"""How to act: one version of one skill of one agent, and the sessions behind a learned one (R73, R80)."""

from typing import ClassVar

from django.contrib.postgres.fields import ArrayField
from django.db import models
from django.db.models import Q

from memoryhub.models.base import Tenant
from memoryhub.vocabulary import SkillStatus


class Skill(Tenant):
    """One version of a SKILL.md. A learned one carries its `pattern`: a hash of (signal kind, masked value, scope)."""

    agent = models.ForeignKey("accounts.Agent", on_delete=models.CASCADE, related_name="skills")
    name = models.CharField(max_length=64)
    number = models.PositiveIntegerField(help_text="version of the skill, counted from 1")
    status = models.CharField(max_length=10, choices=SkillStatus, default=SkillStatus.PROPOSED)
    description = models.CharField(max_length=1024)
    triggers = ArrayField(models.CharField(max_length=200), default=list)
    keywords = ArrayField(models.CharField(max_length=100), default=list)
    prefetch = ArrayField(models.CharField(max_length=100), default=list)
    tools = ArrayField(models.CharField(max_length=100), default=list)
    always = models.BooleanField(default=False)
    body = models.TextField()
    extra = models.JSONField(
        default=dict, blank=True, help_text="licence, compatibility, metadata of the public format"
    )
    owner = models.ForeignKey("accounts.User", null=True, blank=True, on_delete=models.SET_NULL, related_name="+")
    learned = models.BooleanField(default=False)
    pattern = models.CharField(max_length=64, blank=True)
    approved_digest = models.CharField(max_length=64, blank=True, help_text="of what the curator approved (R78)")
    created_at = models.DateTimeField()
    decided_at = models.DateTimeField(null=True, blank=True)
    decided_by = models.ForeignKey("accounts.User", null=True, blank=True, on_delete=models.PROTECT, related_name="+")
    decided_evidence = models.PositiveIntegerField(default=0, help_text="sessions behind it when it was decided")
    version = models.PositiveIntegerField(default=1)

    class Meta:
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["agent", "name", "number"], name="skill_number_once"),
            models.UniqueConstraint(
                fields=["agent", "name"], condition=Q(status=SkillStatus.ACTIVE), name="skill_one_active"
            ),
            models.UniqueConstraint(
                fields=["agent", "pattern"],
                condition=Q(status=SkillStatus.PROPOSED) & ~Q(pattern=""),
                name="skill_one_candidate_per_pattern",
            ),
            models.CheckConstraint(
                condition=Q(decided_at__isnull=True, decided_by__isnull=True)
                | Q(decided_at__isnull=False, decided_by__isnull=False),
                name="skill_decided_at_and_by",
            ),
            models.CheckConstraint(
                condition=Q(status=SkillStatus.PROPOSED) | Q(decided_by__isnull=False),
                name="skill_never_active_unapproved",
            ),
        ]
        indexes: ClassVar = [models.Index(fields=["organisation", "agent", "status"], name="skill_by_agent")]

    def __str__(self) -> str:
        return f"{self.name} v{self.number} {self.status}"

    @property
    def etag(self) -> str:
        """Strong validator for If-Match."""
        return f'"{self.id.hex[-12:]}-{self.version}"'


class SkillEvidence(Tenant):
    """One session in which a learned skill's pattern was recorded."""

    skill = models.ForeignKey(Skill, on_delete=models.CASCADE, related_name="evidence")
    subject = models.ForeignKey("memoryhub.Subject", null=True, on_delete=models.CASCADE, related_name="+")
    session_ref = models.CharField(max_length=200)
    event_ref = models.CharField(max_length=200)
    seen_at = models.DateTimeField()

    class Meta:
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["skill", "session_ref"], name="skill_evidence_session_once")
        ]

    def __str__(self) -> str:
        return self.session_ref
