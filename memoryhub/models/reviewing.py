"""What curators say to each other and ask, what they looked at, and how each likes to work (R92)."""

from typing import ClassVar

from django.db import models
from django.db.models import Q

from memoryhub.models.base import Tenant
from memoryhub.vocabulary import Answer, Density


class ReviewNote(Tenant):
    """What one curator tells the others about an item. Never recalled; goes with the item, and with its subject."""

    item = models.ForeignKey("memoryhub.ReviewItem", on_delete=models.CASCADE, related_name="notes")
    subject = models.ForeignKey("memoryhub.Subject", null=True, on_delete=models.CASCADE, related_name="+")
    author = models.ForeignKey("accounts.User", null=True, on_delete=models.SET_NULL, related_name="+")
    text = models.CharField(max_length=1000)
    escalates = models.BooleanField(default=False, help_text="the reason why it was put first")
    created_at = models.DateTimeField()

    class Meta:
        constraints: ClassVar = [models.CheckConstraint(condition=~Q(text=""), name="review_note_not_blank")]
        indexes: ClassVar = [models.Index(fields=["item", "created_at", "id"], name="review_note_by_time")]

    def __str__(self) -> str:
        return str(self.pk)


class ReviewQuestion(Tenant):
    """What a curator asks the person an item is about, and what came back. One is open an item at a time."""

    item = models.ForeignKey("memoryhub.ReviewItem", on_delete=models.CASCADE, related_name="questions")
    subject = models.ForeignKey("memoryhub.Subject", on_delete=models.CASCADE, related_name="+")
    text = models.CharField(max_length=300)
    asked_by = models.ForeignKey("accounts.User", null=True, on_delete=models.SET_NULL, related_name="+")
    asked_at = models.DateTimeField()
    answer = models.CharField(max_length=10, choices=Answer, blank=True)
    answer_text = models.CharField(max_length=1000, blank=True)
    answered_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        constraints: ClassVar = [
            models.UniqueConstraint(
                fields=["item"], condition=Q(answered_at__isnull=True), name="review_question_one_open"
            ),
            models.CheckConstraint(
                condition=Q(answered_at__isnull=True, answer="") | (Q(answered_at__isnull=False) & ~Q(answer="")),
                name="review_question_answered_at_and_how",
            ),
        ]
        indexes: ClassVar = [
            models.Index(
                fields=["subject", "asked_at"], condition=Q(answered_at__isnull=True), name="review_question_open"
            )
        ]

    def __str__(self) -> str:
        return str(self.pk)


class ReviewLook(Tenant):
    """Somebody had an item before them; a look that goes on is one look."""

    item = models.ForeignKey("memoryhub.ReviewItem", on_delete=models.CASCADE, related_name="looks")
    person = models.ForeignKey("accounts.User", on_delete=models.CASCADE, related_name="+")
    began_at = models.DateTimeField()
    last_at = models.DateTimeField()

    class Meta:
        indexes: ClassVar = [models.Index(fields=["item", "person", "last_at"], name="review_look_by_person")]

    def __str__(self) -> str:
        return str(self.pk)


class SavedView(Tenant):
    """Filters of the queue under a name: one person's own, or shared with the organisation's curators."""

    owner = models.ForeignKey("accounts.User", on_delete=models.CASCADE, related_name="+")
    name = models.CharField(max_length=60)
    query = models.CharField(max_length=500, blank=True, help_text="as it stands in the address")
    shared = models.BooleanField(default=False)
    is_default = models.BooleanField(default=False, help_text="what its owner begins with")
    changed_at = models.DateTimeField()

    class Meta:
        constraints: ClassVar = [
            models.CheckConstraint(condition=~Q(name=""), name="saved_view_named"),
            models.UniqueConstraint(fields=["organisation", "owner", "name"], name="saved_view_name_once"),
            models.UniqueConstraint(
                fields=["organisation", "owner"], condition=Q(is_default=True), name="saved_view_one_default"
            ),
        ]

    def __str__(self) -> str:
        return str(self.pk)


class Preferences(Tenant):
    """How one person likes to work in one organisation."""

    user = models.ForeignKey("accounts.User", on_delete=models.CASCADE, related_name="+")
    shortcuts = models.BooleanField(default=True, help_text="single keys; off: with Alt (WCAG 2.1.4)")
    density = models.CharField(max_length=6, choices=Density, default=Density.ROOMY)
    digest_at = models.TimeField(null=True, blank=True, help_text="written to daily, in the organisation's zone")
    digest_late = models.BooleanField(default=False, help_text="written to when something is late")
    digest_slot = models.DateTimeField(null=True, blank=True, help_text="the last time of day that was served")
    digest_told_late = models.DateTimeField(null=True, blank=True, help_text="when what is late was told of last")
    changed_at = models.DateTimeField()

    class Meta:
        constraints: ClassVar = [models.UniqueConstraint(fields=["organisation", "user"], name="preferences_one_each")]

    def __str__(self) -> str:
        return str(self.user_id)
