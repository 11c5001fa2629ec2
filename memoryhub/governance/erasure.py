"""Forgetting that is real: one routine for an entry, a kind, a conversation, a subject and what lapsed long ago, with a
receipt (R91).

Each way says what it reaches (reach.py), has it taken away (removal.py), remembers by keyed hashes what others must not
bring back (forgotten.py), and leaves a receipt (receipts.py) with which the same is done again on restored data. All of
it is one transaction under the subject's lock: a reader, a writer or a dream sees all of it or nothing.
"""

import uuid
from collections.abc import Collection
from datetime import datetime

from memoryhub.errors import Invalid, NotFound
from memoryhub.governance import aftercare, forgotten, named_by_staff, notices, receipts, removal
from memoryhub.governance.announcement import announce
from memoryhub.governance.closing import has_account
from memoryhub.governance.procedures import hold_lessons
from memoryhub.governance.reach import Reach, of_conversation, of_entries, of_lapsed, of_subject
from memoryhub.governance.receipts import COUNTED, Done, as_json, left_of
from memoryhub.governance.reconciliation import lock
from memoryhub.models import Entry, Erasure, Event, ReviewItem, Session, Subject
from memoryhub.permissions import AUTHORITY_CATEGORIES, CURATOR, OPERATOR, RECORD, check_may_touch_authority
from memoryhub.tenancy import ALL_SUBJECTS, Principal, acting_for
from memoryhub.vocabulary import Category, Ending, Kind

__all__ = [
    "COUNTED",
    "as_json",
    "erase_conversation",
    "erase_entry",
    "erase_kind",
    "erase_lapsed",
    "erase_subject",
    "erase_summary",
    "left_of",
    "reach",
    "replay",
]

GONE = "It was forgotten already, so there was nothing left to do."


def erase_entry(*, entry: Entry, by: Principal, now: datetime, events: Collection[uuid.UUID] = ()) -> Erasure:
    """Forget one statement: all its versions, what was derived from it, and the turns that carried its words. `events`:
    further turns that go with it, and what sums them up. Raises NotFound where somebody else was quicker.
    """
    with acting_for(by, subjects=ALL_SUBJECTS):  # what came from it may be about others as well
        _begin(entry.subject_id, by=by)
        if not Entry.objects.filter(pk=entry.pk).exists():
            raise NotFound(GONE)
        found = of_entries([entry.pk], subject=entry.subject_id, events=events)
        return _take(found, Done(Ending.ENTRY, entry.pk, entry.subject_id, _ids(found)), by=by, now=now)


def reach(entry: Entry) -> dict[str, int]:
    """What erasing an entry takes along, counted as its receipt counts it: for whoever has to say yes to it first."""
    found = of_entries([entry.pk], subject=entry.subject_id)
    entries = Entry.objects.filter(pk__in=found.entries)
    return {
        "entries": len(found.entries),
        "derived": entries.filter(kind=Kind.EPISODIC).exclude(pk=entry.pk).count(),
        "events": len(found.events),
        "queue": ReviewItem.objects.filter(entry__in=found.entries).count(),
    }


def erase_kind(
    *,
    subject: Subject,
    kind: Kind | None = None,
    category: Category | None = None,
    key: str = "",
    by: Principal,
    now: datetime,
) -> Erasure:
    """Forget everything of one kind, one category, or under one key, in whatever status, as `erase_entry` forgets one.

    Raises NotGranted for a category that is not `by`'s to forget, NotFound where there is nothing of it. Of a kind or
    a key what gives a right or sets a limit stays, unless it is theirs to forget.
    """
    if sum(map(bool, (kind, category, key))) != 1:
        raise Invalid("Name a kind, a category or a key.")
    if category:
        check_may_touch_authority(by, category)
    with acting_for(by, subjects=ALL_SUBJECTS):
        _begin(subject.pk, by=by)
        wanted = {"kind": kind, "category": category, "key": key}
        entries = Entry.objects.filter(subject=subject, **{name: value for name, value in wanted.items() if value})
        if not category and not by.roles & {CURATOR, RECORD, OPERATOR, "system"}:
            entries = entries.exclude(category__in=AUTHORITY_CATEGORIES)
        named = list(entries.values_list("pk", flat=True))
        if not named:
            raise NotFound("There is nothing of that kind.")
        found = of_entries(named, subject=subject.pk)
        options = {**_ids(found), **{name: str(value) for name, value in wanted.items() if value}}
        return _take(found, Done(Ending.KIND, subject.pk, subject.pk, options), by=by, now=now)


def erase_conversation(*, session: Session, keep_facts: bool, by: Principal, now: datetime) -> Erasure:
    """Forget a conversation: its turns, what was put aside in it, what sums it up and, unless `keep_facts`, every fact
    that came from it in all its versions. Raises NotFound where somebody else was quicker."""
    with acting_for(by, subjects=ALL_SUBJECTS):
        _begin(session.subject_id, by=by)
        if not Session.objects.filter(pk=session.pk).exists():
            raise NotFound(GONE)
        found = of_conversation(
            session.agent_id, session.external_id, subject=session.subject_id, keep_facts=keep_facts
        )
        options = {**_ids(found), "keep_facts": keep_facts}
        return _take(found, Done(Ending.CONVERSATION, session.pk, session.subject_id, options), by=by, now=now)


def erase_summary(*, summary: Entry, keep_facts: bool, by: Principal, now: datetime) -> Erasure:
    """The same, found by what sums the conversation up; where that names none, what it says alone. Raises Invalid for
    what sums up no conversation."""
    if summary.kind != Kind.EPISODIC:
        raise Invalid("That is no summary of a conversation.")
    with acting_for(by, subjects=ALL_SUBJECTS):
        _begin(summary.subject_id, by=by)
        if not Entry.objects.filter(pk=summary.pk).exists():
            raise NotFound(GONE)
        found = of_entries([summary.pk], subject=summary.subject_id)
        origin = summary.provenance
        if origin.session_ref:
            found = found | of_conversation(
                origin.agent_id, origin.session_ref, subject=summary.subject_id, keep_facts=keep_facts
            )
        options = {**_ids(found), "keep_facts": keep_facts}
        done = Done(Ending.CONVERSATION, summary.pk, summary.subject_id, options)
        return _take(found, done, by=by, now=now)


def erase_subject(*, subject: Subject, by: Principal, now: datetime, asked_by: str = "") -> Erasure:
    """Forget everything about one subject; the subject itself stays known by its id, and a pause stays in force. What
    they asked never to keep tells of them and goes too. `asked_by`: whose wish it was, where `by` only carries it out.
    """
    with acting_for(by, subjects=ALL_SUBJECTS):  # what came from it may be about others as well
        _begin(subject.pk, by=by)
        return _take_all(subject, by=by, now=now, asked_by=asked_by)


def erase_lapsed(*, subject: Subject, entries: Collection[uuid.UUID], by: Principal, now: datetime) -> Erasure | None:
    """Erase what lapsed long ago; None where nothing is left of it. Nobody asked for it, so it may be said again."""
    with acting_for(by, subjects=ALL_SUBJECTS):
        _begin(subject.pk, by=by)
        found = of_lapsed(set(Entry.objects.filter(pk__in=entries, subject=subject).values_list("pk", flat=True)))
        if not found.entries:
            return None
        return _take(found, Done(Ending.LAPSED, subject.pk, subject.pk, _ids(found)), by=by, now=now)


def replay(*, row: Erasure, by: Principal, now: datetime) -> Erasure:
    """Do an erasure once more on restored data, which may be from before it: by the ids it took, and by what it was
    asked for. Done already where its receipt is there. Nothing that was recorded after it is touched. What was
    forgotten stays unwelcome from others, as it was."""
    with acting_for(by, subjects=ALL_SUBJECTS):
        subject = row.subject_id or row.target
        _begin(subject, by=by)
        known = Erasure.objects.filter(pk=row.pk).first()
        if known is not None:
            return known
        about = Subject.objects.filter(pk=subject).first()
        if about is not None and row.ending == Ending.SUBJECT:
            return _take_all(about, by=by, now=now, again=row)
        done = Done(Ending(row.ending), row.target, subject, row.options)
        if about is None:
            return _receipt(done, Reach(), {}, by=by, now=now, again=row)
        return _take(_once_more(row, about), done, by=by, now=now, again=row)


def _once_more(row: Erasure, subject: Subject) -> Reach:
    """What an erasure reaches on data from before it."""
    known = {name: [uuid.UUID(one) for one in row.options.get(name, ())] for name in ("entries", "events", "sessions")}
    entries = {*known["entries"], row.target} if row.ending == Ending.ENTRY else set(known["entries"])
    there = Entry.objects.filter(pk__in=entries, subject=subject)
    if row.ending == Ending.LAPSED:
        return of_lapsed(set(there.values_list("pk", flat=True)))
    wanted = {name: row.options[name] for name in ("kind", "category", "key") if row.options.get(name)}
    named = set(there.values_list("pk", flat=True))
    if wanted:
        named |= set(
            Entry.objects.filter(subject=subject, recorded_at__lte=row.erased_at, **wanted).values_list("pk", flat=True)
        )
    events = Event.objects.filter(pk__in=known["events"]).values_list("pk", flat=True)
    sessions = Session.objects.filter(pk__in=known["sessions"]).values_list("pk", flat=True)
    return of_entries(named, subject=subject.pk, events=set(events), sessions=set(sessions))


def _begin(subject: uuid.UUID, *, by: Principal) -> None:
    """Let nobody else write about the subject, and no dream learn from them, until the transaction ends."""
    lock(subject)
    hold_lessons(by.organisation)
    announce()
    aftercare.let_go_of_words()


def _take(found: Reach, done: Done, *, by: Principal, now: datetime, again: Erasure | None = None) -> Erasure:
    """Take it away with a receipt. What lapsed was nobody's wish, and may be said again; all else leaves marks."""
    marks = forgotten.marks_of(found, subject=done.subject) if done.ending != Ending.LAPSED else ()
    removed = _remove(found, done.subject, by=by, now=now)
    receipt = _receipt(done, found, removed, by=by, now=now, again=again)
    forgotten.keep(marks, subject=done.subject, receipt=receipt, by=by)
    return receipt


def _remove(found: Reach, subject: uuid.UUID, *, by: Principal, now: datetime) -> removal.Removed:
    """Take it away, and tell the agents that may hold a copy."""
    told = notices.partings(found.entries, by=by, also=Subject(pk=subject))
    removed = removal.take(found, subject=subject, by=by, now=now)
    notices.tell_erased(told, by=by, now=now)
    return removed


def _take_all(
    subject: Subject, *, by: Principal, now: datetime, again: Erasure | None = None, asked_by: str = ""
) -> Erasure:
    found = of_subject(subject)
    told = notices.partings(found.entries, by=by, also=subject)
    documents = named_by_staff.documents_naming(subject)
    removed = removal.take_all(found, subject=subject, by=by, now=now)
    notices.tell_erased(told, by=by, now=now)
    told_besides = {
        receipts.LARGE: aftercare.too_large(),
        receipts.DOCUMENTS: documents,
        receipts.ACCOUNT: has_account(subject),
    }
    options = {name: value for name, value in told_besides.items() if value}
    done = Done(Ending.SUBJECT, subject.pk, subject.pk, options)
    receipt = receipts.write(done, removed, remaining=left_of(subject), by=by, now=now, again=again, asked_by=asked_by)
    forgotten.keep_all(subject=subject.pk, receipt=receipt, by=by)
    aftercare.later(by=by, now=now)
    return receipt


def _receipt(
    done: Done, found: Reach, removed: dict[str, int], *, by: Principal, now: datetime, again: Erasure | None = None
) -> Erasure:
    left = Entry.objects.filter(pk__in=found.entries).count() + Event.objects.filter(pk__in=found.events).count()
    return receipts.write(done, removed, remaining=left, by=by, now=now, again=again)


def _ids(found: Reach) -> dict[str, object]:
    """What names it on data from before it; ids say nothing."""
    return {
        "entries": sorted(map(str, found.entries)),
        "events": sorted(map(str, found.events)),
        "sessions": sorted(map(str, found.sessions)),
    }
