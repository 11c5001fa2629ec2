"""Which taste in force says the opposite under another key? "I prefer tea" and "I hate tea" are of one thing (R18).

What somebody likes, prefers and wants stands under keys of its own, some of which hold one choice (`preferred_drink`)
and some many (`likes`). Polarity is part of the value: of the same thing only what was said last can hold.
"""

import re
from typing import Final

from django.db.models import QuerySet

from memoryhub.governance.claims import Claim
from memoryhub.governance.sameness import normalised
from memoryhub.models import Entry

COMPARED: Final = 500  # tastes of one subject looked at, newest first

#: The keys of tastes. A name somebody goes by is none: who hates Sam may still be called so.
_KEYS: Final = r"^(likes|prefers|wants|favou?rite(_\w+)?|preferred_(?!name$)\w+)$"
_TASTE: Final = re.compile(_KEYS)


def elsewhere(claim: Claim, in_force: QuerySet[Entry]) -> list[Entry]:
    """The tastes in force under other keys that a claim about a taste turns round, newest first."""
    if not claim.value or not _TASTE.match(claim.key or ""):
        return []
    thing, denied = _meant(claim.value)
    tastes = in_force.filter(entity=claim.entity, key__regex=_KEYS).exclude(key=claim.key)
    others = tastes.order_by("-valid_from", "-id")
    rows = others.values_list("pk", "value")[:COMPARED]
    found = [pk for pk, value in rows if _meant(value) == (thing, not denied)]
    if not found:
        return []
    return list(others.filter(pk__in=found).select_related("provenance").defer("embedding", "search"))


def _meant(value: str) -> tuple[str, bool]:
    """What a value is about, one or many, and whether it says no to it: "not window seats" is about the window seat."""
    words = normalised(value)
    denied = words.startswith("not ")
    thing = re.sub(r"^(?:the|an?|my|any) ", "", words.removeprefix("not "))
    return re.sub(r"(?<=\w\w\w)(?<!s)s$", "", thing), denied
