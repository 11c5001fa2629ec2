"""Whom or what is remembered: a person, account, site, project or team, and who may speak for it."""

import uuid
from collections.abc import Sequence
from typing import ClassVar

from django.contrib.postgres.fields import ArrayField
from django.db import models
from django.db.models import F, Q

from memoryhub.models.base import Tenant
from memoryhub.vocabulary import SubjectKind


class Subject(Tenant):
    """One subject, known to callers by `external_id`; made at its first mention (api.md, subjects)."""

    external_id = models.CharField(max_length=200)
    kind = models.CharField(max_length=10, choices=SubjectKind, default=SubjectKind.PERSON)
    display_name = models.CharField(max_length=200, blank=True)
    account = models.ForeignKey("self", null=True, blank=True, on_delete=models.SET_NULL, related_name="people")
    timezone = models.CharField(max_length=64, blank=True)
    members = models.ManyToManyField("self", symmetrical=False, through="SubjectMember", related_name="groups")
    paused_at = models.DateTimeField(null=True, blank=True)
    paused_by = models.CharField(max_length=100, blank=True)
    use_existing = models.BooleanField(default=True, help_text="while paused: may what is known still be used?")
    never_keep = ArrayField(
        models.CharField(max_length=200), default=list, blank=True,
        help_text="kinds of facts the person asked never to keep (R12), as governance/unwanted.py writes them",
    )  # fmt: skip
    created_at = models.DateTimeField(auto_now_add=True)

    known_groups: "Sequence[uuid.UUID] | None" = None  # those it is a member of, where they were looked up with it

    class Meta:
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["organisation", "external_id"], name="subject_external_id_once"),
            models.CheckConstraint(condition=~Q(external_id=""), name="subject_external_id_not_blank"),
            models.CheckConstraint(
                condition=Q(paused_at__isnull=True, paused_by="") | (Q(paused_at__isnull=False) & ~Q(paused_by="")),
                name="subject_paused_at_and_by",
            ),
        ]
        indexes: ClassVar = [
            models.Index(
                fields=["organisation"],
                condition=Q(paused_at__isnull=False, use_existing=False),
                name="subject_at_rest",
            )
        ]

    def __str__(self) -> str:
        return self.external_id


class SubjectMember(Tenant):
    """A person who may speak for an account, site, project or team (R15)."""

    group = models.ForeignKey(Subject, on_delete=models.CASCADE, related_name="memberships")
    person = models.ForeignKey(Subject, on_delete=models.CASCADE, related_name="member_of")

    class Meta:
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["group", "person"], name="subject_member_once"),
            models.CheckConstraint(condition=~Q(group=F("person")), name="subject_member_not_itself"),
        ]

    def __str__(self) -> str:
        return f"{self.person_id} of {self.group_id}"
