"""Is what is in force disputed? The mark stays as long as anything that waits stands against it (R3, R35)."""

from django.db.models import Q, QuerySet

from memoryhub.models import Entry, ReviewItem
from memoryhub.vocabulary import ReviewState, ReviewType


def contest(entry: Entry) -> None:
    """Mark an entry in force as disputed; it stays in use."""
    if not entry.contested:
        entry.contested = True
        entry.version += 1
        entry.save(update_fields=["contested", "version", "updated_at"])


def settle(entry: Entry, *, besides: ReviewItem | None = None) -> bool:
    """Take the mark away unless something else that waits disputes the entry; `besides` is being decided now. Whether
    it was taken away.
    """
    if not entry.contested or _against(entry, besides).exists():
        return False
    entry.contested = False
    entry.version += 1
    entry.save(update_fields=["contested", "version", "updated_at"])
    return True


def _against(entry: Entry, besides: ReviewItem | None) -> QuerySet[ReviewItem]:
    waiting = ReviewItem.objects.filter(type=ReviewType.DISPUTE, state=ReviewState.WAITING)
    found = waiting.filter(Q(entry=entry) | Q(rival=entry))
    return found.exclude(pk=besides.pk) if besides is not None else found
