"""Who gave a statement the words it has, and what were they before? (R4, R92)

An edit that comes with a yes changes the words that agents recall; whoever reads them sees that they are a curator's,
and what was said. What it was is kept with the decision, for taking it back.
"""

from dataclasses import dataclass
from datetime import datetime

from memoryhub.models import Entry, ReviewItem
from memoryhub.vocabulary import ReviewState


@dataclass(frozen=True)
class Edit:
    """`who` edited it, by e-mail address, when deciding `item`; `before`: the words as they were proposed; `lost_key`:
    the key that it stood under and does no more, if any."""

    item: ReviewItem
    who: str
    at: datetime | None
    before: str
    lost_key: str


def of(entry: Entry) -> Edit | None:
    """The edit that gave an entry its words, if there was one, in one query."""
    said_yes = ReviewItem.objects.filter(entry=entry, state__in=[ReviewState.APPROVED, ReviewState.MERGED])
    found = (by(item) for item in said_yes.select_related("decided_by", "entry").order_by("-decided_at", "-id"))
    return next((edit for edit in found if edit is not None), None)


def by(item: ReviewItem) -> Edit | None:
    """The edit that came with the decision of an item; None where the words stayed."""
    kept = item.undo or {}
    before, entry = kept.get("content"), item.entry
    if before is None or entry is None or entry.content == before:
        return None
    key = str(kept.get("key") or "")
    who = item.decided_by.email if item.decided_by else "somebody who left"
    return Edit(item, who, item.decided_at, str(before), key if key != entry.key else "")
