"""What a person takes along: everything about them in one file, sealed, for a few days (R90)."""

from typing import ClassVar

from django.db import models
from django.db.models import Q, TextChoices

from memoryhub.models.base import Tenant


class ArchiveState(TextChoices):
    """How far the file is that a person takes along (R90)."""

    WAITING = "waiting", "being put together"
    READY = "ready", "ready"
    FAILED = "failed", "could not be put together"


class ExportArchive(Tenant):
    """One archive a person asked for. `sealed` is opened with their own key alone (governance/archives.py)."""

    subject = models.ForeignKey("memoryhub.Subject", on_delete=models.CASCADE, related_name="archives")
    state = models.CharField(max_length=8, choices=ArchiveState, default=ArchiveState.WAITING)
    language = models.CharField(max_length=12, blank=True, help_text="whose dates the page in it has")
    sealed = models.BinaryField(null=True)
    size = models.PositiveIntegerField(null=True, help_text="bytes of the archive, unsealed")
    requested_at = models.DateTimeField()
    ready_at = models.DateTimeField(null=True, blank=True)
    expires_at = models.DateTimeField(help_text="from then on it is handed out no more, and removed")

    class Meta:
        constraints: ClassVar = [
            models.CheckConstraint(
                condition=Q(state=ArchiveState.READY, sealed__isnull=False, size__isnull=False, ready_at__isnull=False)
                | (~Q(state=ArchiveState.READY) & Q(sealed__isnull=True, size__isnull=True, ready_at__isnull=True)),
                name="export_archive_ready_has_content",
            ),
            models.UniqueConstraint(fields=["subject"], name="export_archive_one_each"),
        ]
        indexes: ClassVar = [models.Index(fields=["organisation", "expires_at"], name="export_archive_by_end")]

    def __str__(self) -> str:
        return f"{self.id} {self.state}"
