"""The same request twice gives the same answer (R20), and the same form of a page is obeyed once."""

from typing import ClassVar

from django.db import models

from memoryhub.models.base import Tenant


class IdempotentRequest(Tenant):
    """One Idempotency-Key of one API key, its request's digest and the answer, kept for 24 hours."""

    api_key = models.ForeignKey("accounts.Key", on_delete=models.CASCADE, related_name="+")
    subject = models.ForeignKey("memoryhub.Subject", null=True, on_delete=models.CASCADE, related_name="+")
    token = models.CharField(max_length=255)
    request_digest = models.CharField(max_length=64)
    status = models.PositiveSmallIntegerField(null=True)
    body = models.BinaryField(
        null=True, help_text="the answer, sealed under its subject's key, or the organisation's where it names none"
    )
    created_at = models.DateTimeField()

    class Meta:
        constraints: ClassVar = [models.UniqueConstraint(fields=["api_key", "token"], name="idempotent_request_once")]

    def __str__(self) -> str:
        return str(self.id)


class SentForm(Tenant):
    """The token of a form that somebody sent, as a digest: a form that makes something new is good for one time,
    whichever process shows and takes it."""

    user = models.ForeignKey("accounts.User", on_delete=models.CASCADE, related_name="+")
    token = models.CharField(max_length=64)
    created_at = models.DateTimeField()

    class Meta:
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["organisation", "user", "token"], name="sent_form_once")
        ]

    def __str__(self) -> str:
        return str(self.id)
