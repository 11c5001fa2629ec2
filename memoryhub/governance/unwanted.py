"""What did a person ask never to keep about them? Kinds of facts: by key where there is one value under it (a city),
else the whole category (what they like): R12.

The wish stands on the subject, as a pause does, so the gate asks nothing more of the database. It holds whoever says
such a thing. What gives a right or sets a limit is no matter of wishes.
"""

from typing import Final

from memoryhub.models import Entry, Subject
from memoryhub.permissions import AUTHORITY_CATEGORIES

KEY: Final = "key:"
CATEGORY: Final = "category:"


def kind_of(entry: Entry) -> str:
    """The kind of fact an entry is, as it stands on the subject: `key:city`, or `category:preference`."""
    return f"{KEY}{entry.key}" if entry.key and entry.single else f"{CATEGORY}{entry.category}"


def is_unwanted(subject: Subject, *, category: str, key: str | None) -> bool:
    """Whether the person asked never to keep facts like this one."""
    if not subject.never_keep or category in AUTHORITY_CATEGORIES:
        return False
    return f"{CATEGORY}{category}" in subject.never_keep or bool(key and f"{KEY}{key}" in subject.never_keep)
