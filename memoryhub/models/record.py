"""What do systems of record say? What they pushed, where an agent's mapped keys are read, what was read (R36)."""

from typing import ClassVar

from django.db import models
from django.db.models import Q

from memoryhub.models.base import Tenant
from memoryhub.vocabulary import ReadingState, SourceKind


class Record(Tenant):
    """One value of one key that a system of record pushed about a subject; earlier ones stay, with their end."""

    subject = models.ForeignKey("memoryhub.Subject", on_delete=models.CASCADE, related_name="records")
    key = models.CharField(max_length=100)
    value = models.TextField(blank=True, help_text="empty: the record says that there is none")
    pushed_by = models.CharField(max_length=120)
    pushed_at = models.DateTimeField()
    repeated_at = models.DateTimeField(help_text="when the same was pushed last")
    replaced_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        constraints: ClassVar = [
            models.UniqueConstraint(
                fields=["organisation", "subject", "key"],
                condition=Q(replaced_at__isnull=True),
                name="record_one_open_per_key",
            ),
            models.CheckConstraint(condition=~Q(key=""), name="record_key_not_blank"),
        ]

    def __str__(self) -> str:
        return f"{self.key} of {self.subject_id}"


class RecordSource(Tenant):
    """Where the record of one mapped key is read for one agent; `subject` empty: for every subject.

    A secret is never in here, only the name of the environment variable or file that holds it.
    """

    agent = models.ForeignKey("accounts.Agent", on_delete=models.CASCADE, related_name="record_sources")
    subject = models.ForeignKey("memoryhub.Subject", null=True, blank=True, on_delete=models.CASCADE, related_name="+")
    key = models.CharField(max_length=100)
    kind = models.CharField(max_length=10, choices=SourceKind)
    record_key = models.CharField(max_length=100, blank=True, help_text="pushed: the record's key")
    url = models.CharField(max_length=2000, blank=True, help_text="http: may hold {subject}")
    pointer = models.CharField(max_length=500, blank=True, help_text="http: JSON pointer (RFC 6901)")
    header = models.JSONField(null=True, blank=True, help_text="http: name, prefix, and where its secret is read")
    path = models.CharField(max_length=1000, blank=True, help_text="file: inside an allowed folder; may hold {subject}")
    pattern = models.CharField(max_length=500, blank=True, help_text="file: a pattern with one group")
    set_by = models.CharField(max_length=120)
    set_at = models.DateTimeField()

    class Meta:
        constraints: ClassVar = [
            models.UniqueConstraint(
                fields=["agent", "key", "subject"], name="record_source_once", nulls_distinct=False
            ),
            models.CheckConstraint(
                condition=(
                    (Q(kind=SourceKind.PUSHED, url="", path="") & ~Q(record_key=""))
                    | (Q(kind=SourceKind.HTTP, record_key="", path="") & ~Q(url=""))
                    | (Q(kind=SourceKind.FILE, record_key="", url="") & ~Q(path="") & ~Q(pattern=""))
                ),
                name="record_source_of_its_kind",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.key} from {self.kind}"


class RecordReading(Tenant):
    """What a source said about a subject at a time: taken for its word while it is fresh, then read anew.

    Rows are only added, and old ones taken away when nobody holds them: readers never wait for one another.
    """

    source = models.ForeignKey(RecordSource, on_delete=models.CASCADE, related_name="readings")
    subject = models.ForeignKey("memoryhub.Subject", on_delete=models.CASCADE, related_name="+")
    state = models.CharField(max_length=12, choices=ReadingState)
    value = models.TextField(blank=True)
    reason = models.CharField(max_length=200, blank=True)
    read_at = models.DateTimeField()

    class Meta:
        constraints: ClassVar = [
            models.CheckConstraint(
                condition=(Q(state=ReadingState.VALUE, reason="") & ~Q(value=""))
                | (~Q(state=ReadingState.VALUE) & Q(value="") & ~Q(reason="")),
                name="record_reading_value_or_reason",
            )
        ]
        indexes: ClassVar = [models.Index(fields=["source", "subject", "-read_at"], name="record_reading_newest")]

    def __str__(self) -> str:
        return f"{self.source_id} {self.state}"
