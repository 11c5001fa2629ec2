"""What an organisation lets its memory keep, version by version, each signed (R5, R12, R15, R16, R93).

No foreign keys to live rows, as in the audit trail: a version and its signature outlive the person who signed it, and
row rights and a trigger keep what was signed as it was.
"""

from typing import ClassVar

from django.db import models
from django.db.models import Q

from accounts.ids import new_id


class PolicyVersion(models.Model):
    """One signed version; `document` is the whole policy as governance/policy_document.py writes it.

    Version 0 is what the hub ships and has no row. A trigger refuses UPDATE, DELETE and TRUNCATE.
    """

    id = models.UUIDField(primary_key=True, default=new_id, editable=False)
    organisation_id = models.UUIDField()
    version = models.PositiveIntegerField()
    document = models.JSONField()
    signed_by = models.CharField(max_length=254, help_text="the signer's address at the time")
    signer = models.UUIDField(help_text="their id")
    signed_at = models.DateTimeField()
    reason = models.CharField(max_length=500)

    class Meta:
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["organisation_id", "version"], name="policy_version_once"),
            models.CheckConstraint(condition=Q(version__gte=1), name="policy_version_from_1"),
            models.CheckConstraint(condition=~Q(signed_by="") & ~Q(reason=""), name="policy_signed_and_explained"),
        ]

    def __str__(self) -> str:
        return f"{self.organisation_id} v{self.version}"
