"""Is what is in force disputed? The mark stays as long as anything that waits stands against it (R3, R35).

Somebody has to stand behind a dispute: the person, a curator, an agent in its own name. A document, a page, a mail or a
tool's answer that says otherwise waits in the queue like all that nobody vouched for (R15), and throws no doubt on what
is in force: else anybody who can send a mail could.
"""

from django.db.models import Q, QuerySet

from memoryhub.models import Entry, ReviewItem
from memoryhub.vocabulary import UNTRUSTED_CHANNELS, ReviewState, ReviewType


def has_standing(channel: str) -> bool:
    """Whether a contradiction that came through this channel disputes what is in force."""
    return channel not in UNTRUSTED_CHANNELS


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
    if not entry.contested or is_disputed(entry, besides=besides):
        return False
    entry.contested = False
    entry.version += 1
    entry.save(update_fields=["contested", "version", "updated_at"])
    return True


def is_disputed(entry: Entry, *, besides: ReviewItem | None = None) -> bool:
    """Whether anything that waits, except `besides`, disputes the entry."""
    return _against(entry, besides).exists()


def _against(entry: Entry, besides: ReviewItem | None) -> QuerySet[ReviewItem]:
    waiting = ReviewItem.objects.filter(type=ReviewType.DISPUTE, state=ReviewState.WAITING)
    unvouched = Q(entry__provenance__channel__in=UNTRUSTED_CHANNELS)
    found = waiting.filter(Q(entry=entry) | (Q(rival=entry) & ~unvouched))
    return found.exclude(pk=besides.pk) if besides is not None else found
