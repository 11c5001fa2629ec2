"""Forgetting that is real: one routine that reaches an entry and everything that came from it, with a receipt (R91).

What is erased is deleted, not flagged: versions, vectors, words, queue items, the turns and events that carried the
words, stored answers. What was derived from it is removed; sessions that lose a turn wait for the next dream, which
sums them up anew without it. The audit keeps that it happened, not what it said.
"""

import uuid
from collections import Counter
from collections.abc import Collection
from datetime import datetime

from django.db.models import Q, QuerySet

from memoryhub import conf
from memoryhub.governance import activation, audit, disputes, notices, procedures, records, review_queue
from memoryhub.governance.announcement import announce
from memoryhub.governance.reconciliation import lock
from memoryhub.models import (
    DreamOperation,
    Entry,
    Erasure,
    Event,
    Evidence,
    IdempotentRequest,
    Lineage,
    Offload,
    Provenance,
    Recall,
    Record,
    RecordReading,
    ReviewItem,
    ReviewNote,
    ReviewQuestion,
    Session,
    Skill,
    SkillEvidence,
    Subject,
    Turn,
)
from memoryhub.tenancy import ALL_SUBJECTS, Principal, acting_for
from memoryhub.vocabulary import EmbeddingState, Ending, Kind, Reason, ReviewState, ReviewType, SkillStatus

#: What every receipt names, also where there was none.
COUNTED = ("entries", "versions", "embeddings", "events", "derived", "sessions", "offloads", "queue")


def erase_entry(*, entry: Entry, by: Principal, now: datetime, events: Collection[uuid.UUID] = ()) -> Erasure:
    """Forget one statement: all its versions, what was derived from it, and the turns that carried its words. `events`:
    further turns that go with it, and what sums them up.
    """
    with acting_for(by, subjects=ALL_SUBJECTS):  # what came from it may be about others as well
        lock(entry.subject)
        announce()
        removed: Counter[str] = Counter()
        versions, doomed, carriers = _reached(entry)
        doomed, carriers = doomed | _derived_from_events(events), carriers.union(events)
        keys = set(Entry.objects.filter(pk__in=versions).exclude(key="").values_list("key", flat=True))
        gone = notices.partings(doomed, by=by)
        removed["records"] += records.forget(entry.subject, keys=keys)
        _erase_entries(doomed, named=entry.pk, removed=removed)
        _erase_events(carriers, subject=entry.subject, removed=removed, by=by, now=now)
        removed["evidence"] += _erase_evidence(entry.subject)
        removed["answers"] += _empty_answers(entry.subject)
        remaining = Entry.objects.filter(pk__in=doomed).count()
        notices.tell_erased(gone, by=by, now=now)
        return _receipt(Ending.ENTRY, entry.pk, removed, remaining, subject=entry.subject, by=by, now=now)


def reach(entry: Entry) -> dict[str, int]:
    """What erasing an entry takes along, counted as its receipt counts it: for whoever has to say yes to it first."""
    _, doomed, carriers = _reached(entry)
    entries = Entry.objects.filter(pk__in=doomed)
    return {
        "entries": len(doomed),
        "derived": entries.filter(kind=Kind.EPISODIC).exclude(pk=entry.pk).count(),
        "events": len(carriers),
        "queue": ReviewItem.objects.filter(entry__in=doomed).count(),
    }


def erase_subject(*, subject: Subject, by: Principal, now: datetime) -> Erasure:
    """Forget everything about one subject; the subject itself stays known by its id, and a pause stays in force. What
    they asked never to keep tells of them and goes too."""
    with acting_for(by, subjects=ALL_SUBJECTS):  # what came from it may be about others as well
        lock(subject)
        announce()
        removed: Counter[str] = Counter()
        own = set(Entry.objects.filter(subject=subject).values_list("pk", flat=True))
        events = set(Event.objects.filter(subject=subject).values_list("pk", flat=True))
        doomed = own | _derived_from(own) | _derived_from_events(events)
        gone = notices.partings(doomed, by=by, also=subject)
        _erase_entries(doomed, named=None, removed=removed)
        _shrink_lessons(SkillEvidence.objects.filter(subject=subject), removed=removed, by=by, now=now)
        removed["events"] += Event.objects.filter(pk__in=events).delete()[0]
        removed["offloads"] += Offload.objects.filter(subject=subject).delete()[0]
        removed["turns"] += Turn.objects.filter(subject=subject).delete()[0]
        removed["sessions"] += Session.objects.filter(subject=subject).delete()[0]
        removed["notes"] += ReviewNote.objects.filter(subject=subject).delete()[0]
        removed["queue"] += _delete(ReviewItem.objects.filter(subject=subject))
        removed["reads"] += Recall.objects.filter(subject=subject, sealed_at__isnull=False).delete()[0]
        removed["reports"] += DreamOperation.objects.filter(subject=subject).delete()[0]
        removed["records"] += records.forget(subject)
        removed["evidence"] += Evidence.objects.filter(subject=subject).delete()[0]
        removed["answers"] += _empty_answers(subject)
        Provenance.objects.filter(speaker=subject).update(speaker=None, quote="")  # what they said for a group
        Subject.objects.filter(pk=subject.pk).update(display_name="")
        _drop_wishes(subject, by=by, now=now)
        notices.tell_erased(gone, by=by, now=now)
        return _receipt(Ending.SUBJECT, subject.pk, removed, left_of(subject), subject=subject, by=by, now=now)


def _drop_wishes(subject: Subject, *, by: Principal, now: datetime) -> None:
    """What they asked never to keep (unwanted.py)."""
    if Subject.objects.filter(pk=subject.pk).exclude(never_keep=[]).update(never_keep=[]):
        audit.record(
            by=by, now=now, action="subject.keep_again", object_kind="subject", object_id=subject.pk, subject=subject.pk
        )


def left_of(subject: Subject) -> int:
    """How many rows with words about a subject are left, in every table that can hold them; 0 after an erasure."""
    tables = (
        Entry,
        Event,
        Turn,
        Offload,
        Session,
        ReviewItem,
        ReviewNote,
        ReviewQuestion,
        Record,
        RecordReading,
        Evidence,
    )
    answers = IdempotentRequest.objects.filter(subject=subject, body__isnull=False).count()
    return answers + sum(table.objects.filter(subject=subject).count() for table in tables)


def _erase_evidence(subject: Subject) -> int:
    """Evidence that was shown for nothing that is left."""
    return Evidence.objects.filter(subject=subject, backings__isnull=True).delete()[0]


def _empty_answers(subject: Subject) -> int:
    """Empty the stored answers that may hold words about a subject; those about several subjects name none and go too.

    The keys stay, so that a client that tries its old request again does not bring back what was erased.
    """
    about = Q(subject=subject) | Q(subject__isnull=True)
    return IdempotentRequest.objects.filter(about, body__isnull=False).update(body=None)


def as_json(receipt: Erasure) -> dict[str, object]:
    """The receipt as api.md gives it."""
    counted = dict.fromkeys(COUNTED, 0)
    return {
        "receipt_id": str(receipt.pk),
        "removed": {**counted, **receipt.removed},
        "remaining": receipt.remaining,
        "erased_at": receipt.erased_at.isoformat(),
    }


def _reached(entry: Entry) -> tuple[set[uuid.UUID], set[uuid.UUID], set[uuid.UUID]]:
    """The versions of an entry, all entries that go with them, and the events that carried their words."""
    versions = _versions(entry)
    carriers = _carriers(versions, subject=entry.subject)
    derived = _derived_from(versions) | _derived_from_events(carriers) | _derived_from_pruned(versions)
    return versions, versions | derived, carriers


def _versions(entry: Entry) -> set[uuid.UUID]:
    """The entry with all it superseded and all that superseded it."""
    found, edge = {entry.pk}, {entry.pk}
    while edge:
        older = Entry.objects.filter(superseded_by_set__in=edge).values_list("pk", flat=True)
        newer = Entry.objects.filter(supersedes__in=edge).values_list("pk", flat=True)
        edge = (set(older) | set(newer)) - found
        found |= edge
    return found


def _derived_from(entries: Collection[uuid.UUID]) -> set[uuid.UUID]:
    """Everything that came from these entries, at any distance."""
    found: set[uuid.UUID] = set()
    edge = set(entries)
    while edge:
        edge = set(Lineage.objects.filter(parent__in=edge).values_list("child_id", flat=True)) - found
        found |= edge
    return found


def _carriers(entries: Collection[uuid.UUID], *, subject: Subject) -> set[uuid.UUID]:
    """The events whose words these entries are: by lineage, named in their provenance, or said once more in them."""
    by_lineage = Event.objects.filter(derived__child__in=entries)
    rows = Entry.objects.filter(pk__in=entries).exclude(provenance__event_ref="")
    named = Q(pk__in=[])
    for agent, event_ref in rows.values_list("provenance__agent_id", "provenance__event_ref"):
        named |= Q(agent_id=agent, external_id=event_ref)
    for pk in entries:
        named |= Q(subject=subject, claims__contains=[{"entry": str(pk)}])
    return {*by_lineage.values_list("pk", flat=True), *Event.objects.filter(named).values_list("pk", flat=True)}


def _derived_from_events(events: Collection[uuid.UUID]) -> set[uuid.UUID]:
    """Summaries over these events; the person's own statements from the same turn stay."""
    rows = Lineage.objects.filter(event__in=events, child__kind=Kind.EPISODIC)
    return set(rows.values_list("child_id", flat=True))


def _derived_from_pruned(entries: Collection[uuid.UUID]) -> set[uuid.UUID]:
    """Summaries over events that are pruned by now, whose ids outlive them (R72): there is nothing to sum up anew."""
    origins = Provenance.objects.filter(entry__in=entries).exclude(event_ref="").values_list("agent_id", "event_ref")
    over = Q(pk__in=[])
    for agent, event_ref in origins:
        over |= Q(child__agent_id=agent, event_ref=event_ref)
    rows = Lineage.objects.filter(over, event__isnull=True, parent__isnull=True, child__kind=Kind.EPISODIC)
    return set(rows.values_list("child_id", flat=True))


def _erase_entries(doomed: set[uuid.UUID], *, named: uuid.UUID | None, removed: Counter[str]) -> None:
    entries = Entry.objects.filter(pk__in=doomed)
    removed["entries"] += entries.count()
    removed["embeddings"] += entries.filter(embedding_state=EmbeddingState.READY).count()
    removed["versions"] += entries.filter(supersedes__isnull=False).count()
    summaries = entries.filter(kind=Kind.EPISODIC)
    removed["derived"] += (summaries.exclude(pk=named) if named else summaries).count()
    items = ReviewItem.objects.filter(entry__in=doomed)
    beside = Q(item__in=items) | Q(item__rival__in=doomed) | Q(item__merged_into__in=doomed)
    removed["notes"] += ReviewNote.objects.filter(beside).delete()[0]
    rivals = set(items.filter(rival__isnull=False).values_list("rival", flat=True)) - doomed
    removed["queue"] += _delete(items)
    entries.delete()
    for rival in Entry.objects.filter(pk__in=rivals, contested=True):
        disputes.settle(rival)


def _delete(items: QuerySet[ReviewItem]) -> int:
    """Delete items, and with them what was asked and who looked; how many items."""
    return items.delete()[1].get(ReviewItem._meta.label, 0)


def _erase_events(
    events: set[uuid.UUID], *, subject: Subject, removed: Counter[str], by: Principal, now: datetime
) -> None:
    """Delete turns and events that carried erased words; what is left of their sessions waits for the next dream."""
    rows = list(Event.objects.filter(pk__in=events).values_list("session_id", "external_id"))
    if not rows:
        return
    sessions, refs = {session for session, _ in rows}, [ref for _, ref in rows]
    evidence = SkillEvidence.objects.filter(subject=subject, event_ref__in=refs)
    _shrink_lessons(evidence, removed=removed, by=by, now=now)
    removed["turns"] += Turn.objects.filter(session__in=sessions, event_ref__in=refs).delete()[0]
    removed["events"] += len(rows)
    Event.objects.filter(pk__in=events).delete()
    Event.objects.filter(session__in=sessions).update(consolidated_at=None, dream=None)
    Session.objects.filter(pk__in=sessions).update(compacted="", current={})


def _shrink_lessons(evidence: QuerySet[SkillEvidence], *, removed: Counter[str], by: Principal, now: datetime) -> None:
    """A learned skill loses these sessions. Too few left: one in force goes back to the queue, any other is removed."""
    skills = set(evidence.values_list("skill_id", flat=True))
    removed["notes"] += ReviewNote.objects.filter(item__skill__in=skills).delete()[0]  # they may tell of the session
    before = {skill.pk: skill.evidence.count() for skill in Skill.objects.filter(pk__in=skills)}
    removed["evidence"] += evidence.delete()[0]
    for skill in Skill.objects.filter(pk__in=skills, learned=True).select_related("agent"):
        left = skill.evidence.count()
        if left >= conf.LESSON_SESSIONS:
            if skill.status == SkillStatus.PROPOSED:  # what was approved says what was true then
                procedures.recount(skill, before=before[skill.pk], left=left)
            continue
        if skill.status == SkillStatus.ACTIVE and left:
            activation.reopen(skill, by=by, now=now)
            _ask_again(skill, by=by, now=now)
        else:
            skill.delete()
            removed["derived"] += 1


def _ask_again(skill: Skill, *, by: Principal, now: datetime) -> None:
    if not ReviewItem.objects.filter(skill=skill, state=ReviewState.WAITING).exists():
        review_queue.put(
            type=ReviewType.SKILL, reason=Reason.UNSUPPORTED, skill=skill, agent=skill.agent_id, by=by, now=now,
            why="Sessions behind it were erased; fewer are left than a lesson needs.",
        )  # fmt: skip


def _receipt(
    ending: Ending,
    target: uuid.UUID,
    removed: Counter[str],
    remaining: int,
    *,
    subject: Subject,
    by: Principal,
    now: datetime,
) -> Erasure:
    receipt = Erasure.objects.create(
        organisation_id=by.organisation, ending=ending, target=target, removed=dict(removed), remaining=remaining,
        requested_by=by.label[:120], erased_at=now,
    )  # fmt: skip
    audit.record(
        by=by, now=now, action=f"erase.{ending}", object_kind="erasure", object_id=receipt.pk, subject=subject.pk
    )
    return receipt
