"""Who had an item before them? Kept for the item's timeline, which auditors read (R92).

A look is no decision and waits for none: it is not in the audit chain, whose end a bulk decision may hold for seconds.
"""

from datetime import datetime

from memoryhub import conf
from memoryhub.models import ReviewItem, ReviewLook
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
