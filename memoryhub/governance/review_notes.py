"""What do curators tell each other about an item? (R92) Words on the item's page, for curators and operators alone."""

import uuid
from datetime import datetime
from typing import Final

from django.db import transaction

from memoryhub.governance import opening, staff_words
from memoryhub.models import ReviewItem, ReviewNote
from memoryhub.permissions import check_may
from memoryhub.tenancy import Principal

MAX_NOTE: Final = 1000


@transaction.atomic
def add(*, item_id: uuid.UUID | str, text: str, by: Principal, now: datetime) -> ReviewNote:
    """Leave a note, on an item in any state. Secrets are taken out of it; raises Invalid where nothing may be kept."""
    check_may(by, "decide")
    return write(opening.locked(item_id, by=by), text, field="text", by=by, now=now)


def write(
    item: ReviewItem, text: str, *, field: str, by: Principal, now: datetime, escalates: bool = False
) -> ReviewNote:
    """The note of a verb that has the item open already; `field` names its words in an Invalid."""
    author = opening.named(by)
    note = ReviewNote.objects.create(
        organisation_id=by.organisation, item=item, subject_id=item.subject_id, author_id=author, created_at=now,
        text=staff_words.kept(text, field=field, most=MAX_NOTE, by=by), escalates=escalates,
    )  # fmt: skip
    if not escalates:
        opening.noted("note", item, by=by, now=now)
    return note
