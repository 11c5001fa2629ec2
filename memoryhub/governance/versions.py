"""Which entries are versions of which? What one superseded is its history, and erased with it (R17, R91)."""

from datetime import datetime

from memoryhub.governance import audit
from memoryhub.models import Entry
from memoryhub.tenancy import Principal


def oldest_of(entry: Entry) -> Entry:
    """The oldest version in the chain of what an entry superseded, locked; the entry itself where it superseded
    nothing."""
    found, seen = entry, {entry.pk}
    while found.supersedes_id is not None and found.supersedes_id not in seen:
        seen.add(found.supersedes_id)
        found = Entry.objects.select_for_update(of=("self",)).get(pk=found.supersedes_id)
    return found


def is_version_of(entry: Entry, wanted: Entry) -> bool:
    """Whether `wanted` is among what `entry` superseded: linking the two would go round in a circle."""
    seen = {entry.pk}
    while entry.supersedes_id is not None and entry.supersedes_id not in seen:
        seen.add(entry.supersedes_id)
        if entry.supersedes_id == wanted.pk:
            return True
        entry = Entry.objects.get(pk=entry.supersedes_id)
    return False


def relink(entry: Entry, to: Entry | None, *, by: Principal, now: datetime) -> None:
    """Say what an entry superseded: history is put below it, or taken from there."""
    entry.supersedes, entry.version = to, entry.version + 1
    entry.save(update_fields=["supersedes", "version", "updated_at"])
    audit.record_entry(entry, "entry.relink", by=by, now=now)
