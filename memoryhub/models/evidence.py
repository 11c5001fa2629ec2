"""What was shown for proposals, and which entries it backs (R19)."""

from typing import ClassVar

from django.db import models
from django.db.models import Q

from memoryhub.models.base import Tenant
from memoryhub.vocabulary import EvidenceType, Op


class Evidence(Tenant):
    """A merge, a test run, a document or a record; `subject` is whom the entries it was shown for are about.

    Without a subject nothing was found that it backs, and then its value is not kept either.
    """

    subject = models.ForeignKey("memoryhub.Subject", null=True, blank=True, on_delete=models.CASCADE, related_name="+")
    type = models.CharField(max_length=10, choices=EvidenceType)
    ref = models.CharField(max_length=500)
    value = models.TextField(blank=True, help_text="what it shows, word by word")
    session_ref = models.CharField(max_length=200, blank=True)
    given_by = models.CharField(max_length=120)
    given_at = models.DateTimeField()

    class Meta:
        constraints: ClassVar = [
            models.CheckConstraint(condition=~Q(ref=""), name="evidence_ref_not_blank"),
            models.CheckConstraint(condition=Q(subject__isnull=False) | Q(value=""), name="evidence_value_has_subject"),
        ]

    def __str__(self) -> str:
        return f"{self.type} {self.ref}"


class Backing(Tenant):
    """One evidence was looked at for one entry, and what came of it: the same evidence is not new twice."""

    evidence = models.ForeignKey(Evidence, on_delete=models.CASCADE, related_name="backings")
    entry = models.ForeignKey("memoryhub.Entry", on_delete=models.CASCADE, related_name="backings")
    digest = models.CharField(max_length=64, help_text="of type, reference and value")
    op = models.CharField(max_length=10, choices=Op)

    class Meta:
        constraints: ClassVar = [models.UniqueConstraint(fields=["evidence", "entry"], name="backing_once")]
        indexes: ClassVar = [models.Index(fields=["entry", "digest"], name="backing_by_digest")]

    def __str__(self) -> str:
        return f"{self.evidence_id} for {self.entry_id}"
