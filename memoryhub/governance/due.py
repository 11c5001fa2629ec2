"""How long may an item wait yet, in words and as a tone? (R92) Pure."""

from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Literal

from memoryhub import conf
from memoryhub.models import ReviewItem

Tone = Literal["calm", "soon", "late"]


@dataclass(frozen=True)
class Due:
    """`words`: "due in 3 h", "2 d late"; `tone`: for its colour, never instead of the words."""

    at: datetime
    words: str
    tone: Tone


def due(item: ReviewItem, *, now: datetime) -> Due:
    """When it should be decided, seen from now."""
    left = item.due_at - now
    if left < timedelta(0):
        return Due(item.due_at, f"{length(-left)} late", "late")
    return Due(item.due_at, f"due in {length(left)}", "soon" if left <= conf.DUE_SOON else "calm")


def length(span: timedelta) -> str:
    """A length of time in its largest whole unit: "40 min", "3 h", "2 d"."""
    minutes = int(span.total_seconds() // 60)
    if minutes < 60:
        return f"{max(minutes, 1)} min"
    return f"{minutes // 60} h" if minutes < 48 * 60 else f"{minutes // (24 * 60)} d"
