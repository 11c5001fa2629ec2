"""Which statements in force say the same? (R77)

The gate lets no repetition in, but two can come to stand side by side: in other small words, imported, or edited until
both said the same. Only what differs in words that carry nothing is merged: another order or another word can turn a
statement round, and a duplicate costs less than a loss. What happened is never merged: two sessions may have gone the
same way.
"""

import uuid
from collections import defaultdict
from collections.abc import Iterator, Sequence
from datetime import UTC, datetime
from typing import Final

from django.db.models import Count, Q

from memoryhub import conf
from memoryhub.dreams.housekeeping.deeds import BATCH, Did, did
from memoryhub.governance import upkeep
from memoryhub.governance.reconciliation import lock
from memoryhub.governance.sameness import normalised
from memoryhub.models import Entry
from memoryhub.tenancy import Principal
from memoryhub.vocabulary import Deed, Kind

#: Words that carry nothing.
_SMALL: Final = frozenset({"a", "an", "the", "please", "just", "kindly", "that", "so", "also", "really", "well"})
_NEVER: Final = datetime.min.replace(tzinfo=UTC)


def _statements(now: datetime) -> Q:
    return upkeep.holds(now) & ~Q(kind=Kind.EPISODIC) & Q(valid_to__isnull=True, contested=False)


def due(*, organisation: uuid.UUID, now: datetime, after: uuid.UUID | None) -> list[uuid.UUID]:
    """Subjects with more than one statement in force."""
    entries = Entry.objects.filter(_statements(now), organisation_id=organisation)
    if after is not None:
        entries = entries.filter(subject_id__gt=after)
    several = entries.values("subject_id").annotate(count=Count("pk")).filter(count__gt=1).order_by("subject_id")
    return list(several.values_list("subject_id", flat=True)[:BATCH])


def merge(subject: uuid.UUID, *, by: Principal, now: datetime) -> tuple[list[Did], bool]:
    """Keep one of those that say the same: the most trusted, then the one confirmed last, then the older."""
    lock(subject)
    rows = Entry.objects.filter(_statements(now), subject_id=subject).defer("embedding", "search")
    groups: defaultdict[tuple[object, ...], list[Entry]] = defaultdict(list)
    for entry in rows.order_by("-recorded_at", "-pk")[: conf.MERGE_COMPARED]:
        groups[entry.kind, entry.scope, entry.audience_id, entry.entity, entry.key].append(entry)
    done = []
    for group in groups.values():
        for keep, drop in _same(group):
            if upkeep.merge(keep=keep, drop=drop, by=by, now=now):
                done.append(did(Deed.MERGED, drop))
    return done, False


def _same(entries: Sequence[Entry]) -> Iterator[tuple[Entry, Entry]]:
    """Pairs (the one to keep, one that says the same), best first; no entry is in two pairs as the one to go."""
    ranked = sorted(entries, key=_worth, reverse=True)
    words = {entry.pk: _bare(entry.content) for entry in ranked}
    gone: set[uuid.UUID] = set()
    for place, keep in enumerate(ranked):
        if keep.pk in gone:
            continue
        for drop in ranked[place + 1 :]:
            if drop.pk not in gone and (words[keep.pk] == words[drop.pk] or keep.fingerprint == drop.fingerprint):
                gone.add(drop.pk)
                yield keep, drop


def _bare(text: str) -> str:
    """The words of a statement that carry something, in their order."""
    words = normalised(text).split()
    return " ".join(word for word in words if word not in _SMALL) or " ".join(words)


def _worth(entry: Entry) -> tuple[float, datetime, float]:
    return entry.authority, entry.last_confirmed_at or _NEVER, -entry.recorded_at.timestamp()
