"""Who had an item before them? Kept for the item's timeline, which auditors read (R92).

A look is no decision and waits for none: it is not in the audit chain, whose end all writers of an organisation share.
"""

import uuid
from datetime import datetime

from django.db.models import QuerySet

from memoryhub import conf
from memoryhub.models import ReviewItem, ReviewLook
from memoryhub.permissions import check_may
from memoryhub.tenancy import Principal


def record(item: ReviewItem, *, by: Principal, now: datetime) -> None:
    """Note that the person behind `by` looks at the item; looking on, or again within conf.LOOK_GOES_ON, is one look.
    Nobody behind it: nothing is noted."""
    if by.user is None:
        return
    going_on = ReviewLook.objects.filter(item=item, person=by.user, last_at__gt=now - conf.LOOK_GOES_ON)
    if not going_on.update(last_at=now):
        ReviewLook.objects.create(
            organisation_id=by.organisation, item=item, person_id=by.user, began_at=now, last_at=now
        )


def found(
    *, by: Principal, person: uuid.UUID | None = None, item: uuid.UUID | None = None, since: datetime | None = None
) -> QuerySet[ReviewLook]:
    """Who looked at what, newest first, for an auditor: one person's looks, or those at one item, or both."""
    check_may(by, "read_audit")
    looks = ReviewLook.objects.filter(organisation_id=by.organisation)
    if person is not None:
        looks = looks.filter(person=person)
    if item is not None:
        looks = looks.filter(item=item)
    if since is not None:
        looks = looks.filter(last_at__gte=since)
    return looks.select_related("person", "item").order_by("-began_at", "-id")
