"""Which moves may an entry's status make, and who records them? The one table, and the only place that assigns status
(R3).

`docs/lifecycle.md` is drawn from `MOVES`; a test fails when they differ.
"""

from datetime import datetime

from memoryhub.errors import AlreadyDecided
from memoryhub.governance import audit
from memoryhub.models import Entry
from memoryhub.tenancy import Principal
from memoryhub.vocabulary import Status

#: (from, to) → what brings it about, in the words of the audit trail.
MOVES: dict[tuple[Status, Status], str] = {
    (Status.PROPOSED, Status.ACCEPTED): "approve",
    (Status.PROPOSED, Status.REJECTED): "reject",
    (Status.ACCEPTED, Status.REPLACED): "supersede",
    (Status.ACCEPTED, Status.DISPUTED): "dispute",
    (Status.ACCEPTED, Status.EXPIRED): "expire",
    (Status.ACCEPTED, Status.ARCHIVED): "archive",
    (Status.DISPUTED, Status.ACCEPTED): "settle",
    (Status.DISPUTED, Status.REJECTED): "reject",
    (Status.ARCHIVED, Status.ACCEPTED): "restore",
    # A curator takes a decision back within the undo window; history rows stay.
    (Status.ACCEPTED, Status.PROPOSED): "undo",
    (Status.REJECTED, Status.PROPOSED): "undo",
    (Status.REJECTED, Status.DISPUTED): "undo",
    (Status.REPLACED, Status.ACCEPTED): "undo",
}

#: Statuses an entry may be written with; what is over when it is recorded begins as history, and what an export brings
#: back begins as it was (R114).
BEGINNINGS = frozenset(Status)


def begin(entry: Entry, status: Status) -> Entry:
    """Give a new entry its first status; the caller writes and audits it."""
    if status not in BEGINNINGS:
        raise ValueError(f"an entry can't begin as {status}")
    entry.status = status
    return entry


def move(
    entry: Entry, to: Status, *, by: Principal, now: datetime, reason: str = "", valid_to: datetime | None = None
) -> Entry:
    """Change an entry's status along the table, close or reopen its times, and audit it, in the caller's transaction.

    `valid_to` is when a superseded statement stopped being true (default now), or when one put back in force
    will. Raises AlreadyDecided for any other move.
    """
    name = MOVES.get((Status(entry.status), to))
    if name is None:
        raise AlreadyDecided(f"It is {Status(entry.status).label} and can't become {to.label}.")
    if to == Status.REPLACED:
        ended = max(valid_to or now, entry.valid_from)
        entry.valid_to = min(entry.valid_to, ended) if entry.valid_to else ended
        entry.recorded_until = now
    elif to in (Status.REJECTED, Status.EXPIRED, Status.ARCHIVED):
        entry.recorded_until = now
    else:
        entry.recorded_until = None
        if (Status(entry.status), to) == (Status.REPLACED, Status.ACCEPTED):
            entry.valid_to = valid_to
    entry.status = to
    entry.version += 1
    entry.save(update_fields=["status", "valid_to", "recorded_until", "version", "updated_at"])
    audit.record_entry(entry, f"entry.{name}", by=by, now=now, reason=reason)
    return entry


def end(entry: Entry, *, at: datetime, by: Principal, now: datetime) -> Entry:
    """Note that something in force stops being true at a later moment: it stays accepted, and its validity hides it
    from then on (R3).
    """
    entry.valid_to = min(entry.valid_to, at) if entry.valid_to else at
    entry.recorded_until = now
    entry.version += 1
    entry.save(update_fields=["valid_to", "recorded_until", "version", "updated_at"])
    audit.record_entry(entry, "entry.end", by=by, now=now)
    return entry


def supersede(entry: Entry, *, begins: datetime, said_at: datetime, by: Principal, now: datetime) -> Entry:
    """Another statement takes this one's place from `begins` on: at once, or, where it was announced for later than it
    was said, with this one in force until then (R17). A clock that is ahead announces nothing."""
    if begins > max(now, said_at, entry.valid_from):
        return end(entry, at=begins, by=by, now=now)
    return move(entry, Status.REPLACED, by=by, now=now, valid_to=begins)


def resume(
    entry: Entry, *, valid_to: datetime | None, recorded_until: datetime | None = None, by: Principal, now: datetime
) -> Entry:
    """Take `supersede` back: what was replaced is in force again, what was to end goes on until `valid_to`, and since
    `recorded_until` it is known that it ends."""
    if entry.status != Status.ACCEPTED:
        move(entry, Status.ACCEPTED, by=by, now=now, valid_to=valid_to)
        if recorded_until is not None:
            entry.recorded_until = recorded_until
            entry.save(update_fields=["recorded_until", "updated_at"])
        return entry
    entry.valid_to, entry.recorded_until = valid_to, recorded_until
    entry.version += 1
    entry.save(update_fields=["valid_to", "recorded_until", "version", "updated_at"])
    audit.record_entry(entry, "entry.undo", by=by, now=now)
    return entry


def drawing() -> str:
    """The table as a Mermaid state diagram, for docs/lifecycle.md."""
    lines = ["stateDiagram-v2", *(f"    [*] --> {status}" for status in sorted(BEGINNINGS))]
    lines += [f"    {before} --> {after}: {name}" for (before, after), name in MOVES.items()]
    return "\n".join(lines)
