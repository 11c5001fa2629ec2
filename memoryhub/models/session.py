"""What is happening now: working memory of one session, never long-term (R50)."""

from typing import ClassVar

from django.db import models

from memoryhub.models.base import Tenant
from memoryhub.models.sealed import SealedField, SealedRow, part


class Session(Tenant):
    """One conversation of one agent with one subject from its first use."""

    agent = models.ForeignKey("accounts.Agent", on_delete=models.CASCADE, related_name="+")
    external_id = models.CharField(max_length=200)
    subject = models.ForeignKey("memoryhub.Subject", on_delete=models.CASCADE, related_name="sessions")
    state = models.JSONField(default=dict)
    compacted = models.TextField(blank=True, help_text="shorter summary of the turns that left the history")
    current = models.JSONField(default=dict, help_text="actions and observations until the turn is posted")
    started_at = models.DateTimeField()
    last_turn_at = models.DateTimeField()
    ended_at = models.DateTimeField(null=True, blank=True)
    expires_at = models.DateTimeField()
    off_record_at = models.DateTimeField(
        null=True, blank=True, help_text="since when, by the person's word, nothing of it is kept or used"
    )
    dream_failures = models.PositiveSmallIntegerField(
        default=0, help_text="dreams that could not read it, one after another"
    )
    dream_failed_at = models.DateTimeField(null=True, blank=True)
    dream_error = models.CharField(max_length=60, blank=True, help_text="the class of the error, never its text")

    class Meta:
        constraints: ClassVar = [models.UniqueConstraint(fields=["agent", "external_id"], name="session_id_once")]

    def __str__(self) -> str:
        return self.external_id


class Turn(Tenant):
    """One exchange as working memory shows it: redacted, or withheld whole (R61)."""

    session = models.ForeignKey(Session, on_delete=models.CASCADE, related_name="turns")
    subject = models.ForeignKey("memoryhub.Subject", on_delete=models.CASCADE, related_name="+")
    number = models.PositiveIntegerField()
    event_ref = models.CharField(max_length=200)
    user_input = models.TextField(blank=True)
    assistant_output = models.TextField(blank=True)
    withheld = models.BooleanField(default=False)
    struck_at = models.DateTimeField(null=True, blank=True)
    occurred_at = models.DateTimeField()

    class Meta:
        constraints: ClassVar = [models.UniqueConstraint(fields=["session", "number"], name="turn_number_once")]

    def __str__(self) -> str:
        return f"{self.session_id} {self.number}"


class Offload(SealedRow):
    """A passage moved out of the window, fetched by handle, and sealed under its subject's key."""

    SEALED: ClassVar = {"passage": {"text": ""}}

    session = models.ForeignKey(Session, on_delete=models.CASCADE, related_name="offloads")
    subject = models.ForeignKey("memoryhub.Subject", on_delete=models.CASCADE, related_name="+")
    passage = SealedField()
    created_at = models.DateTimeField()

    text = part("passage", "text")

    def __str__(self) -> str:
        return str(self.id)
