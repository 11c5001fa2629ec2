"""Is what is recalled still what the record behind it says? Recall as everybody calls it (R30–R38).

What is found (recall/search.py) is held against the records of the asking agent's mapped keys before it is given (R36).
A record that says otherwise wins: what it says goes through the gate, and is given in place of what was found. One that
can't be asked leaves the note with a warning. A question about the past is not held against what a record says today.

Sources are asked before any lock is taken, and not at all where the transaction holds one already.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Final
from uuid import UUID

from memoryhub import conf
from memoryhub.governance import audit, records, settling
from memoryhub.governance.intake import propose
from memoryhub.governance.policy_versions import in_force_for
from memoryhub.governance.reconciliation import holds_a_lock, lock
from memoryhub.governance.records import Box, Checked
from memoryhub.governance.wording import agrees
from memoryhub.models import Entry, RecordSource
from memoryhub.recall import search
from memoryhub.recall.candidates import row_of
from memoryhub.recall.rendering import Note
from memoryhub.recall.search import Correction, Found, Query, Recalled
from memoryhub.tenancy import Principal
from memoryhub.vocabulary import Caution, Kind, ReadingState, Role, Status

#: What a reading of today says nothing against: nobody needs to vouch for what the record vouches for.
_CURED: Final = frozenset({Caution.STALE, Caution.UNCHECKED})


@dataclass(frozen=True)
class Held:
    """An entry with what the record behind its key says, and what stands in its place where the record differs.
    `verified`: the entry as it is since the record vouches for it.
    """

    entry: Entry
    checked: Checked
    stands: Entry | None = None
    verified: Entry | None = None

    @property
    def agrees(self) -> bool:
        """Whether both say the same."""
        return self.checked.reading.found and agrees(self.checked.reading.value, self.entry.value)

    @property
    def differs(self) -> bool:
        """Whether the record says something else."""
        return self.checked.reading.found and not agrees(self.checked.reading.value, self.entry.value)

    @property
    def vouches(self) -> bool:
        """Whether the record stands behind what nobody stood behind yet."""
        return settling.agreement(self.entry, self.checked) is not None

    @property
    def caution(self) -> Caution | None:
        """What to be careful about where it is given nonetheless. What a record held once and holds no more changed."""
        if self.agrees:
            return None
        if self.checked.reading.state == ReadingState.UNREACHABLE:
            return Caution.UNCHECKED
        was_its_own = Role.SYSTEM_OF_RECORD in (self.entry.provenance.role, self.entry.confirmed_by)
        return Caution.SOURCE_CHANGED if self.differs or was_its_own else Caution.UNCHECKED

    def correction(self, replaced_by: str | None) -> Correction:
        """For the answer: which entry, and what is given in its place."""
        entry = self.entry
        return Correction(str(entry.pk), entry.subject.external_id, entry.key, replaced_by, self.checked.name)


def recall(*, query: Query, by: Principal, now: datetime, purpose: str = "recall", box: Box | None = None) -> Recalled:
    """Answer one question from memory, checked, and log the read in the same transaction (R36, R37).

    `box`: how much the whole call may ask of records. Raises as search.find does.
    """
    found = search.find(query=query, by=by, now=now)
    corrections: list[Correction] = []
    if query.as_of is None and query.valid_at is None and any(map(_may_be_checked, found.fitted.notes)):
        found, corrections = _checked(found, by=by, now=now, box=box)
    return search.hand_out(found, by=by, now=now, purpose=purpose, corrections=corrections)


def hold_against_records(
    entries: Iterable[str], *, by: Principal, now: datetime, box: Box | None = None
) -> dict[str, Held]:
    """These entries, what matters most first, as the records behind them say; where those say otherwise, memory is
    corrected through the gate, except about who paused. By id; entries that no mapping of the asking agent names, or
    whose subject is out of sight, are left out. What a transaction that holds a lock would have to ask stays unknown.
    """
    may_ask = not (audit.holds_the_end() or holds_a_lock())
    asked = _mapped(entries, by=by)
    if not asked:
        return {}
    told = records.told_by(
        [(source, row.subject, row.recorded_at) for row, source in asked], policy=in_force_for(by), by=by, now=now,
        box=box or Box() if may_ask else Box(0),
    )  # fmt: skip
    held = [Held(row, checked) for (row, _), checked in zip(asked, told, strict=True)]
    news = [each for each in held if (each.differs or each.vouches) and each.entry.subject.paused_at is None]
    standing, verified = _taken_in(news, by=by, now=now)
    return {
        str(each.entry.pk): replace(each, stands=standing.get(each.entry.pk), verified=verified.get(each.entry.pk))
        for each in held
    }


def _mapped(entries: Iterable[str], *, by: Principal) -> list[tuple[Entry, RecordSource]]:
    order = {id: place for place, id in enumerate(entries)}
    rows = list(
        Entry.objects.filter(pk__in=order)
        .select_related("subject__organisation", "provenance")
        .defer("embedding", "search")
    )
    asked: list[tuple[Entry, RecordSource]] = []
    for subject in {row.subject_id: row.subject for row in rows}.values():
        mine = [row for row in rows if row.subject_id == subject.pk]
        agents = [by.agent] if by.agent else [row.agent_id for row in mine if row.agent_id]
        sources = records.mapped_sources(subject=subject, keys=[row.key for row in mine], agents=agents)
        asked += [(row, sources[row.key]) for row in mine if row.key in sources]
    return sorted(asked, key=lambda pair: order[str(pair[0].pk)])


def _may_be_checked(note: Note) -> bool:
    """A record has one value of one key of the subject itself."""
    return note.mapped and note.single and note.entity == settling.OWN and note.kind == Kind.SEMANTIC


def _checked(found: Found, *, by: Principal, now: datetime, box: Box | None) -> tuple[Found, list[Correction]]:
    """What is to be given as the records have it. Notes that would only come in where others leave were not asked
    about, and say so.
    """
    asked = {note.id: note for note in found.fitted.notes if _may_be_checked(note)}
    swaps: dict[str, Note | None] = {
        note.id: _with(note, Caution.UNCHECKED)
        for note in found.notes.values()
        if _may_be_checked(note) and note.id not in asked
    }
    corrections, given = [], set(found.notes)
    for id, held in hold_against_records(asked, by=by, now=now, box=box).items():
        if held.stands is None:
            swaps[id] = _as_it_stands(asked[id], held)
            continue
        standing = str(held.stands.pk)
        note = _given_for(held.stands, found, by=by, now=now) if standing not in given else None
        swaps[id] = note
        if note is not None:
            given.add(standing)
        corrections.append(held.correction(standing if standing in given else None))
    return search.swap(found, swaps, now=now), corrections


def _as_it_stands(note: Note, held: Held) -> Note:
    """The note with the warnings that its record gives it, or takes from it."""
    if held.caution is not None:
        return _with(note, held.caution)
    if (now := held.verified) is not None:
        note = replace(
            note, authority=now.authority, last_confirmed_at=now.last_confirmed_at, confirmed_by=now.confirmed_by
        )
    return replace(note, warnings=tuple(each for each in note.warnings if each not in _CURED))


def _taken_in(news: Sequence[Held], *, by: Principal, now: datetime) -> tuple[dict[UUID, Entry], dict[UUID, Entry]]:
    """Offer the gate what the records say, and give what stands then, by the id of what it contradicts, and what is
    verified now, by its id. All locks are taken first and in one order, since the end of the audit chain is held from
    the first decision on.
    """
    for subject_id in sorted({each.entry.subject_id for each in news}):
        lock(subject_id)
    standing: dict[UUID, Entry] = {}
    verified: dict[UUID, Entry] = {}
    for each in news:
        if not each.differs:
            if (vouched := _vouched_for(each, by=by, now=now)) is not None:
                verified[vouched.pk] = vouched
            continue
        subject, key, told = each.entry.subject, each.entry.key, each.checked
        proposal = settling.correction(subject, key, told)
        if proposal is not None:  # None: somebody corrected it while the record was asked
            propose(proposal=proposal, by=by, now=now)
        agreeing = (one for one in settling.in_force(subject, key) if agrees(told.reading.value, one.value))
        if (one := next(agreeing, None)) is not None:
            standing[each.entry.pk] = one
    return standing, verified


def _vouched_for(held: Held, *, by: Principal, now: datetime) -> Entry | None:
    """The entry once its record stands behind it; None where it is not in force any more, or was not let through."""
    entry = next(
        (one for one in settling.in_force(held.entry.subject, held.entry.key) if one.pk == held.entry.pk), None
    )
    proposal = settling.agreement(entry, held.checked) if entry is not None else None
    if proposal is not None:
        propose(proposal=proposal, by=by, now=now)
    return Entry.objects.filter(pk=held.entry.pk, status=Status.ACCEPTED, authority__gte=conf.VERIFIED).first()


def _given_for(entry: Entry, found: Found, *, by: Principal, now: datetime) -> Note | None:
    """The entry as a note, if the question may be answered with it: its filters hold for what a record says too. They
    are asked as of when it was recorded, where another reader put it in force after this question was asked.
    """
    row = row_of(search.within(found.query, by=by, now=max(now, entry.recorded_at)), entry.pk)
    if row is None:
        return None
    (note,) = search.notes_of([row], known=found.query.subjects, speakers={}, now=now).values()
    return note


def _with(note: Note, caution: Caution) -> Note:
    warned = {*note.warnings, caution}
    return replace(note, warnings=tuple(each for each in Caution if each in warned))
