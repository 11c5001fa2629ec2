"""How does a statement read with another value? For corrections that name the value alone (api.md, PATCH /memories)."""

import re

from memoryhub.models import Entry


def restated(entry: Entry, value: str) -> str:
    """The entry's own sentence with `value` where its old value stands; else the key's words before it."""
    old, new = entry.value.strip(), value.strip()
    if old:
        whole_words = re.compile(rf"(?<!\w){re.escape(old)}(?!\w)", re.IGNORECASE)
        if whole_words.search(entry.content):
            return whole_words.sub(lambda _: new, entry.content, count=1)
    if not entry.key:
        return new
    return f"{entry.key.replace('_', ' ')}: {new}"
