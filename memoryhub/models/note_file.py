"""Which memories stand in which file under /memories? A name and ids, no words (R112)."""

from typing import ClassVar

from django.contrib.postgres.fields import ArrayField
from django.contrib.postgres.indexes import GinIndex
from django.db import models

from memoryhub.models.base import Tenant


class NoteFile(Tenant):
    """One file of a subject. `lines` are entries in the file's order: the version that was written, whichever is in
    force by now. An entry that is erased leaves its files, and a file without lines is gone: the database sees to both.
    """

    subject = models.ForeignKey("memoryhub.Subject", on_delete=models.CASCADE, related_name="note_files")
    path = models.CharField(max_length=200)
    lines = ArrayField(models.UUIDField())
    made_at = models.DateTimeField()
    changed_at = models.DateTimeField()

    class Meta:
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["subject", "path"], name="note_file_path_once"),
            models.CheckConstraint(condition=models.Q(lines__len__gt=0), name="note_file_has_lines"),
        ]
        indexes: ClassVar = [GinIndex(fields=["lines"], name="note_file_by_line")]

    def __str__(self) -> str:
        return str(self.id)
