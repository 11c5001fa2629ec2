"""What do records say about a subject? Pushed ones as they stand, others read in a time box and believed for a while
(R18, R36).

`reading` is what a check at read time calls, `readings` what the gate calls before it settles a contradiction. Nothing
read is trusted to be clean: what may not be kept of a person's words may not be kept of a record's either (R12).
"""

import time
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Final
from uuid import UUID

from django.conf import settings
from django.db.models import Q

from memoryhub import conf
from memoryhub.governance import audit
from memoryhub.governance.policy import Policy
from memoryhub.governance.record_sources import as_source, name_of
from memoryhub.governance.screening import screen
from memoryhub.models import Record, RecordReading, RecordSource, Subject
from memoryhub.providers.records import Reach, Reading, fetch
from memoryhub.tenancy import Principal
from memoryhub.vocabulary import Channel, ReadingState, Role, SourceKind

NEVER_PUSHED: Final = "nothing was pushed under it yet"
NOT_CLEAN: Final = "what it says may not be kept"
NO_TIME: Final = "there was no time left to ask it"
PAUSED: Final = "nothing new is read about somebody who paused remembering"


class Box:
    """How much one call may ask: so many sources, and all of them within MEMORYHUB_RECORD_SECONDS of wall clock from
    when the first is asked.
    """

    def __init__(self, most: int = conf.RECORD_FETCHES) -> None:
        self._most, self._seconds = most, float(settings.MEMORYHUB_RECORD_SECONDS)
        self._ends: float | None = None

    def take(self) -> float | None:
        """Seconds for one more source; None when it is one too many, or the time left is too short to judge it by."""
        if self._ends is None:
            self._ends = time.monotonic() + self._seconds
        left = self._ends - time.monotonic()
        if self._most <= 0 or left < self._seconds / 2:  # a source is never judged by the rest of another's time
            return None
        self._most -= 1
        return left


@dataclass(frozen=True)
class Checked:
    """A reading and the source it came from."""

    source: RecordSource
    reading: Reading

    @property
    def name(self) -> str:
        """The source, as people call it."""
        return name_of(self.source)


def reading(*, subject: Subject, key: str, agent: UUID, policy: Policy, by: Principal, now: datetime) -> Checked | None:
    """What the record behind one key says, or None where the agent's mapping has no such key."""
    return readings(subject=subject, keys=[key], agents=[agent], policy=policy, by=by, now=now).get(key)


def readings(
    *,
    subject: Subject,
    keys: Collection[str],
    agents: Iterable[UUID],
    policy: Policy,
    by: Principal,
    now: datetime,
    most: int = conf.RECORD_FETCHES,
) -> dict[str, Checked]:
    """What the records behind these keys say. At most `most` sources are asked, all together in one time box; a fresh
    reading is not asked for again. Keys that are not mapped are left out.
    """
    mapped = mapped_sources(subject=subject, keys=keys, agents=agents)
    if not mapped:
        return {}
    asked = [(source, subject, None) for source in mapped.values()]
    told = told_by(asked, policy=policy, by=by, now=now, box=Box(most))
    return dict(zip(mapped, told, strict=True))


def told_by(
    asked: Sequence[tuple[RecordSource, Subject, datetime | None]],
    *,
    policy: Policy,
    by: Principal,
    now: datetime,
    box: Box,
) -> list[Checked]:
    """What these sources say about these subjects, each in its place; those not known freshly are asked, one after the
    other, as far as the box reaches. With a time, a reading from before it does not count: what was remembered since
    may be the newer of the two. What was read is kept after the last one was asked: nobody waits for a row until a
    source answers.
    """
    found = [_known(source, subject, now=now, since=since) for source, subject, since in asked]
    read = []
    for place, (source, subject, _) in enumerate(asked):
        if (known := found[place]) is None:
            if subject.paused_at is not None:
                known = Reading(ReadingState.UNREACHABLE, now, reason=PAUSED)
            elif (left := box.take()) is None:
                known = Reading(ReadingState.UNREACHABLE, now, reason=NO_TIME)
            else:
                known = _fetch(source, subject, policy=policy, within=left, now=now)
                read.append((source, subject, known))
            found[place] = known
    for source, subject, known in read:
        _keep(source, subject, known, by=by)
    return [Checked(source, known) for (source, *_), known in zip(asked, found, strict=True) if known is not None]


def mapped_sources(*, subject: Subject, keys: Collection[str], agents: Iterable[UUID]) -> Mapping[str, RecordSource]:
    """The source of each key that has one; one for the subject alone goes before one for everybody, the first agent's
    before another's.
    """
    order = {agent: place for place, agent in enumerate(dict.fromkeys(agents))}
    if not order or not keys:
        return {}
    rows = list(
        RecordSource.objects.filter(Q(subject=subject) | Q(subject__isnull=True), agent__in=order, key__in=keys)
    )
    rows.sort(key=lambda row: (order[row.agent_id], row.subject_id is None), reverse=True)
    return {row.key: row for row in rows}


def push(*, subject: Subject, key: str, value: str | None, by: Principal, now: datetime) -> list[audit.Row]:
    """Keep what a system of record says under a key; None: that there is none. The same again only moves its time, and
    what was sent earlier but comes later is history, as it is to the gate. Returns what the caller audits of it, in the
    same transaction.
    """
    told = value or ""
    held = Record.objects.select_for_update().filter(subject=subject, key=key, replaced_at__isnull=True).first()
    if held is not None and held.value == told:
        held.repeated_at = max(held.repeated_at, now)
        held.save(update_fields=["repeated_at"])
        return [_row("repeat", held)]
    late = held is not None and held.pushed_at > now
    if held is not None and not late:
        held.replaced_at = now
        held.save(update_fields=["replaced_at"])
    pushed = Record.objects.create(
        organisation_id=by.organisation, subject=subject, key=key, value=told, pushed_by=by.label[:120],
        pushed_at=now, repeated_at=now, replaced_at=held.pushed_at if held is not None and late else None,
    )  # fmt: skip
    return [*([_row("replace", held)] if held is not None and not late else []), _row("push", pushed)]


def _row(verb: str, record: Record) -> audit.Row:
    return audit.Row(f"record.{verb}", "record", str(record.pk), record.subject_id)


def forget(subject: UUID, *, keys: Collection[str] | None = None) -> int:
    """Take away what records said about a subject, under some keys or all; how many rows that were (R91)."""
    pushed, read = Record.objects.filter(subject=subject), RecordReading.objects.filter(subject=subject)
    if keys is not None:
        mapped = RecordSource.objects.filter(key__in=keys, kind=SourceKind.PUSHED)
        pushed = pushed.filter(key__in={*keys, *mapped.values_list("record_key", flat=True)})
        read = read.filter(source__key__in=keys)
    return pushed.delete()[0] + read.delete()[0]


def _known(source: RecordSource, subject: Subject, *, now: datetime, since: datetime | None = None) -> Reading | None:
    """What is known without asking anybody: a pushed record, or a reading that is still fresh."""
    if source.kind == SourceKind.PUSHED:
        return _pushed(source, subject, now=now)
    last = RecordReading.objects.filter(source=source, subject=subject, read_at__lte=now).order_by("-read_at").first()
    if last is None:
        return None
    fresh = timedelta(seconds=settings.MEMORYHUB_RECORD_FRESH)
    if last.state == ReadingState.UNREACHABLE:
        fresh = min(fresh, conf.UNREACHABLE_FRESH)
    if now - last.read_at >= fresh or (since is not None and last.read_at < since):
        return None
    return Reading(ReadingState(last.state), last.read_at, last.value, last.reason)


def _pushed(source: RecordSource, subject: Subject, *, now: datetime) -> Reading:
    row = Record.objects.filter(subject=subject, key=source.record_key, replaced_at__isnull=True).first()
    if row is None:
        return Reading(ReadingState.UNREACHABLE, now, reason=NEVER_PUSHED)
    if not row.value:
        return Reading(ReadingState.ABSENT, row.repeated_at, reason="it holds none")
    return Reading(ReadingState.VALUE, row.repeated_at, row.value)


def _keep(source: RecordSource, subject: Subject, told: Reading, *, by: Principal) -> None:
    """Add a reading, and take away older ones that nobody holds: two readers never wait for each other."""
    older = RecordReading.objects.select_for_update(skip_locked=True).filter(source=source, subject=subject)
    RecordReading.objects.filter(pk__in=[row.pk for row in older]).delete()
    RecordReading.objects.create(
        organisation_id=by.organisation, source=source, subject=subject, state=told.state, value=told.value,
        reason=told.reason[:200], read_at=told.read_at,
    )  # fmt: skip


def _cleaned(told: Reading, key: str, policy: Policy) -> Reading:
    """The reading, unless what it says may not be kept: then it says nothing."""
    if not told.found:
        return told
    for words in (told.value, f"{key.replace('_', ' ')}: {told.value}"):
        judged = screen(
            words, channel=Channel.SYSTEM_OF_RECORD, role=Role.SYSTEM_OF_RECORD, treatments=policy.treatments
        )
        if judged.outcome != "pass" or judged.redacted:
            return Reading(ReadingState.UNREACHABLE, told.read_at, reason=NOT_CLEAN)
    return told


def ask_now(source: RecordSource, *, subject: Subject, policy: Policy, by: Principal, now: datetime) -> Reading:
    """What one source says at this moment, however fresh its last reading is: for an operator who tries a mapping."""
    if source.kind == SourceKind.PUSHED:
        return _pushed(source, subject, now=now)
    within = float(settings.MEMORYHUB_RECORD_SECONDS)
    told = _fetch(source, subject, policy=policy, within=within, now=now)
    _keep(source, subject, told, by=by)
    return told


def _fetch(source: RecordSource, subject: Subject, *, policy: Policy, within: float, now: datetime) -> Reading:
    reach = Reach(settings.MEMORYHUB_RECORD_HOSTS, settings.MEMORYHUB_RECORD_ROOTS, within)
    return _cleaned(fetch(as_source(source), subject.external_id, now=now, reach=reach), source.key, policy)
