"""The dream inbox: one finished turn, waiting to be consolidated (R62, R74)."""

from datetime import datetime, timedelta, timezone
from typing import ClassVar

from django.db import models
from django.db.models import Q

from memoryhub.models.sealed import SealedField, SealedRow, part


class Event(SealedRow):
    """What a turn left for the next dream, sealed under its subject's key. A withheld one carries no words (R61)."""

    SEALED: ClassVar = {
        "words": {"user_input": "", "assistant_output": ""},
        "structured": {"actions": [], "observations": [], "signals": []},
    }

    agent = models.ForeignKey("accounts.Agent", on_delete=models.CASCADE, related_name="+")
    external_id = models.CharField(max_length=200)
    session = models.ForeignKey("memoryhub.Session", on_delete=models.CASCADE, related_name="events")
    subject = models.ForeignKey("memoryhub.Subject", on_delete=models.CASCADE, related_name="events")
    speaker = models.ForeignKey("memoryhub.Subject", null=True, on_delete=models.SET_NULL, related_name="+")
    words = SealedField(help_text="what was said: user_input and assistant_output")
    withheld = models.CharField(max_length=200, blank=True, help_text="why the words are withheld; empty: they are not")
    structured = SealedField(help_text="what was told in fields: actions, observations and signals")
    scope = models.JSONField(default=list)
    claims = models.JSONField(
        default=list, help_text="what the gate decided about the words: op, reason and entry of each claim, no words"
    )
    occurred_at = models.DateTimeField()
    utc_offset = models.SmallIntegerField(
        null=True, blank=True, help_text="minutes east of UTC of the clock that told when it happened"
    )
    received_at = models.DateTimeField()
    consolidated_at = models.DateTimeField(null=True, blank=True)
    dream = models.ForeignKey(
        "memoryhub.Dream", null=True, blank=True, on_delete=models.SET_NULL, related_name="consolidated"
    )

    user_input = part("words", "user_input")
    assistant_output = part("words", "assistant_output")
    actions = part("structured", "actions")
    observations = part("structured", "observations")
    signals = part("structured", "signals")

    class Meta:
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["agent", "external_id"], name="event_id_once"),
            models.CheckConstraint(
                condition=Q(withheld="") | Q(words__isnull=True), name="event_withheld_has_no_words"
            ),
        ]
        indexes: ClassVar = [
            models.Index(
                fields=["organisation", "occurred_at", "id"],
                condition=Q(consolidated_at__isnull=True),
                name="event_pending",
            ),
            models.Index(fields=["session", "occurred_at", "id"], name="event_by_session"),
        ]

    def __str__(self) -> str:
        return self.external_id

    @property
    def told_at(self) -> datetime:
        """When it happened, by the clock that told it: where nobody names a zone, days are that clock's."""
        if not self.utc_offset:
            return self.occurred_at
        try:
            return self.occurred_at.astimezone(timezone(timedelta(minutes=self.utc_offset)))
        except (ValueError, OverflowError):  # where the calendar ends
            return self.occurred_at
