"""When does an organisation's dream begin by itself, and when is its housekeeping done? (R70, R77)"""

from typing import ClassVar

from django.db import models
from django.db.models import Q

from memoryhub.models.base import Tenant


class Schedule(Tenant):
    """One organisation's times; what is empty is off. Times of day are in the organisation's zone.

    `dream_slot`, `chores_slot`: the last time that was served, so that each is served once whatever the clock does.
    """

    dream_at = models.TimeField(null=True, blank=True)
    dream_every_hours = models.PositiveSmallIntegerField(null=True, blank=True)
    dream_idle_minutes = models.PositiveIntegerField(null=True, blank=True)
    chores_at = models.TimeField(null=True, blank=True)
    dream_slot = models.DateTimeField(null=True, blank=True)
    chores_slot = models.DateTimeField(null=True, blank=True)
    changed_at = models.DateTimeField()
    changed_by = models.CharField(max_length=120)

    class Meta:
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["organisation"], name="schedule_one_each"),
            models.CheckConstraint(
                condition=Q(dream_at__isnull=True) | Q(dream_every_hours__isnull=True), name="schedule_one_rhythm"
            ),
            models.CheckConstraint(
                condition=Q(dream_every_hours__isnull=True) | Q(dream_every_hours__gte=1, dream_every_hours__lte=168),
                name="schedule_hours_1_to_168",
            ),
            models.CheckConstraint(
                condition=Q(dream_idle_minutes__isnull=True)
                | Q(dream_idle_minutes__gte=1, dream_idle_minutes__lte=10080),
                name="schedule_idle_1_to_10080",
            ),
        ]

    def __str__(self) -> str:
        return f"schedule of {self.organisation_id}"
