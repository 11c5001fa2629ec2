"""What should a curator know before an edit of theirs is approved? (R92)"""

from datetime import datetime

from memoryhub.governance import rewording
from memoryhub.models import ReviewItem
from memoryhub.vocabulary import ReviewState


def leaves_key(item: ReviewItem, text: str, *, now: datetime) -> str:
    """That a statement that waits stands no longer under its key in these words, as a sentence; empty where it does, or
    never had one."""
    entry = item.entry
    if entry is None or not entry.key or not text.strip() or item.state != ReviewState.WAITING:
        return ""
    key = rewording.key_in(entry, text, now=now)
    return "" if key == entry.key else moved(entry.key, key)


def moved(before: str, key: str) -> str:
    """That a statement stood under one key and stands under another, or under none, as a sentence."""
    if key:
        return f"In these words it stands under the key “{key}”, no longer under “{before}”."
    return (
        f"In these words it stands under no key: it stood under “{before}”, and what is said about that later will not "
        "replace it."
    )
