"""What was done, by whom, in which order? The append-only, hash-chained record of one organisation (R103).

A row is written in the transaction of the effect it records: if it can't be written, the effect rolls back and the
caller hears `audit_unavailable`. Content is never in it, so erasing content never breaks the chain: a row about words
holds their hash under the subject's own key. Who knows the words can show that they are the ones (`says`), as long as
the key is there; destroyed with the subject, it leaves random bytes that are nobody's, and a chain that still holds.
"""

import hashlib
import hmac
import itertools
import json
import uuid
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, field
from datetime import UTC, datetime

from django.db import DatabaseError, connection

from memoryhub.errors import AuditUnavailable
from memoryhub.models import AuditEvent, AuditHead, Entry, subject_key
from memoryhub.tenancy import Principal, is_marked, mark

GENESIS = "0" * 64
_WRITTEN = "audited"
_PURPOSE = "audit"  # of the hash of the words
_HEAD = "SELECT seq, row_hash FROM memoryhub_audithead WHERE organisation_id = %s FOR UPDATE"
_HASHED = ("organisation_id", "seq", "actor", "action", "subject", "object_kind", "object_id", "reason", "request_id")


@dataclass(frozen=True)
class Broken:
    """The first link that does not hold: its `seq` and what is wrong with it."""

    seq: int
    fault: str


@dataclass(frozen=True)
class Row:
    """What one link says. `content`: the words it is about, of which only a keyed hash is kept."""

    action: str
    object_kind: str
    object_id: str
    subject: uuid.UUID | None = None
    reason: str = ""
    content: str = field(default="", repr=False)


_kept: ContextVar[list[tuple[Principal, datetime, Row]] | None] = ContextVar("links to write later", default=None)


def record(
    *,
    by: Principal,
    now: datetime,
    action: str,
    object_kind: str,
    object_id: object,
    subject: uuid.UUID | None = None,
    reason: str = "",
    content: str = "",
) -> AuditEvent:
    """Append one link to the chain of `by`'s organisation. Raises AuditUnavailable when it can't be written. Inside
    `together` the link has no number yet."""
    row = Row(action, object_kind, str(object_id), subject, reason, content)
    written = record_all(by=by, now=now, rows=[row])
    return written[0] if written else AuditEvent(organisation_id=by.organisation, at=now, action=action)


def record_entry(entry: Entry, action: str, *, by: Principal, now: datetime, reason: str = "") -> None:
    """The same about an entry, with the keyed hash of its words as they are now."""
    record(
        by=by, now=now, action=action, object_kind="entry", object_id=entry.pk, content=entry.content,
        subject=entry.subject_id, reason=reason,
    )  # fmt: skip


@contextmanager
def together() -> Iterator[None]:
    """Inside, links are kept, and written when it ends: for work on many rows, during which nobody else of the
    organisation shall wait for the end of the chain. What fails inside has to fail the whole transaction: its links are
    not written.
    """
    kept: list[tuple[Principal, datetime, Row]] = []
    before = _kept.set(kept)
    try:
        yield
    finally:
        _kept.reset(before)
    for (by, now), links in itertools.groupby(kept, key=lambda link: link[:2]):
        record_all(by=by, now=now, rows=[row for _, _, row in links])


def record_all(*, by: Principal, now: datetime, rows: Sequence[Row]) -> list[AuditEvent]:
    """Append several links in order, in three queries however many they are; none yet inside `together`."""
    if not rows:
        return []
    if (kept := _kept.get()) is not None:
        kept += [(by, now, row) for row in rows]
        return []
    mark(_WRITTEN)
    try:
        hashes = [_content_hash(row) for row in rows]  # before the lock: a key may have to be made
        seq, previous = _locked_head(by.organisation)
        events = []
        for row, content_hmac in zip(rows, hashes, strict=True):
            seq += 1
            event = AuditEvent(
                organisation_id=by.organisation, seq=seq, at=now, actor=by.label, action=row.action,
                subject=str(row.subject or ""), object_kind=row.object_kind, object_id=row.object_id,
                reason=row.reason, request_id=by.request_id, content_hmac=content_hmac, previous_hash=previous,
            )  # fmt: skip
            event.row_hash = previous = hash_of(event)
            events.append(event)
        AuditEvent.objects.bulk_create(events)
        AuditHead.objects.filter(organisation_id=by.organisation).update(seq=seq, row_hash=previous)
    except DatabaseError as error:
        raise AuditUnavailable from error
    return events


def take_the_end(*, by: Principal) -> None:
    """Wait for the end of the chain now, and hold it until the transaction ends: for work that goes on to lock rows
    which whoever holds the end may want as well.
    """
    mark(_WRITTEN)
    _locked_head(by.organisation)


def holds_the_end() -> bool:
    """Whether this transaction wrote to the trail, and so makes every other writer of the organisation wait for it."""
    return is_marked(_WRITTEN)


def _locked_head(organisation: uuid.UUID) -> tuple[int, str]:
    """The number and hash of the last link, locked until the transaction ends so that the chain can't fork."""
    with connection.cursor() as cursor:
        cursor.execute(_HEAD, [organisation])
        found = cursor.fetchone()
        if found is None:
            AuditHead.objects.bulk_create([AuditHead(organisation_id=organisation)], ignore_conflicts=True)
            cursor.execute(_HEAD, [organisation])
            found = cursor.fetchone()
    seq, row_hash = found
    return seq, row_hash or GENESIS


def hash_of(event: AuditEvent) -> str:
    """SHA-256 over the previous hash and the row's fields in canonical JSON."""
    row = {name: str(getattr(event, name)) for name in _HASHED}
    if event.content_hmac:  # links from before there was one hash as they always did
        row["content_hmac"] = event.content_hmac
    row["at"] = event.at.astimezone(UTC).isoformat(timespec="microseconds")
    text = json.dumps(row, sort_keys=True, separators=(",", ":"))
    return hashlib.sha256(f"{event.previous_hash}{text}".encode()).hexdigest()


def says(event: AuditEvent, words: str) -> bool:
    """Whether a link is about exactly these words. Raises KeyDestroyed where nobody can tell any more. Called inside
    acting_for, with the subject in sight.
    """
    if not event.content_hmac or not event.subject:
        return False
    found = subject_key.fingerprint(
        subject=uuid.UUID(event.subject), data=words.encode("utf-8", "surrogatepass"), purpose=_PURPOSE, make=False
    )
    return hmac.compare_digest(found, event.content_hmac)


def _content_hash(row: Row) -> str:
    if not row.content or row.subject is None:
        return ""
    data = row.content.encode("utf-8", "surrogatepass")
    return subject_key.fingerprint(subject=row.subject, data=data, purpose=_PURPOSE)


def first_broken_link(organisation: uuid.UUID) -> Broken | None:
    """Walk the chain from its start: gaps, altered rows, wrong links and a cut tail, or None when it holds."""
    previous, expected = GENESIS, 1
    for event in AuditEvent.objects.filter(organisation_id=organisation).order_by("seq").iterator(chunk_size=2000):
        if event.seq != expected:
            return Broken(expected, f"link {expected} is missing")
        if event.previous_hash != previous:
            return Broken(event.seq, "it does not follow from the link before it")
        if hash_of(event) != event.row_hash:
            return Broken(event.seq, "its content was altered")
        previous, expected = event.row_hash, expected + 1
    head = AuditHead.objects.filter(organisation_id=organisation).first()
    if head is not None and (head.seq, head.row_hash or GENESIS) != (expected - 1, previous):
        return Broken(expected, "the end of the chain was cut off")
    return None
