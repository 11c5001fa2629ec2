"""How is what an erasure reaches taken away, table by table? Deleted, not flagged; what was made of it is removed or
made again without it (R91). Called by governance/erasure.py alone, under the subject's lock.

What is left of a conversation waits for the next dream, which sums it up anew; a quarter's line that loses an episode
gives the others back, to be folded again; a lesson with too few sessions left returns to the queue.
"""

import uuid
from collections import Counter
from collections.abc import Collection
from datetime import datetime
from typing import Final

from django.db.models import Q, QuerySet

from memoryhub import conf
from memoryhub.governance import (
    activation,
    archives,
    audit,
    disputes,
    lifecycle,
    named_by_staff,
    procedures,
    records,
    review_queue,
    sealing,
    subject_keys,
    subjects,
)
from memoryhub.governance.reach import FOLD, Reach
from memoryhub.models import (
    DreamOperation,
    Entry,
    Event,
    Evidence,
    IdempotentRequest,
    Offload,
    PendingErasure,
    Provenance,
    Recall,
    ReviewItem,
    ReviewNote,
    Session,
    Skill,
    SkillEvidence,
    Subject,
    Turn,
)
from memoryhub.tenancy import Principal
from memoryhub.vocabulary import EmbeddingState, Kind, Reason, ReviewState, ReviewType, Role, SkillStatus, Status
from memoryhub.working import session as working

SPEAKER_FORGOTTEN: Final = "Withheld: who said it had it forgotten."

#: What was removed, by the names of a receipt.
Removed = Counter[str]


def take(reach: Reach, *, subject: uuid.UUID, by: Principal, now: datetime) -> Removed:
    """Take away some entries about a subject with the turns that carried their words; the rest about them stays."""
    removed: Removed = Counter()
    lock_sessions(subject)
    if reach.keys:
        removed["records"] += records.forget(subject, keys=reach.keys)
    _entries(reach.entries, named=reach.named, removed=removed, by=by, now=now)
    _events(reach.events, subject=subject, removed=removed, by=by, now=now)
    _sessions(Session.objects.filter(pk__in=reach.sessions), subject=subject, removed=removed, by=by, now=now)
    removed["evidence"] += Evidence.objects.filter(subject=subject, backings__isnull=True).delete()[0]
    removed["answers"] += _empty_answers(subject)
    removed["archives"] += archives.forget(subject)
    return removed


def take_all(reach: Reach, *, subject: Subject, by: Principal, now: datetime) -> Removed:
    """Take away everything about a subject, in every table that can hold a word of theirs or about them."""
    removed: Removed = Counter()
    lock_sessions(subject.pk)
    removed.update(named_by_staff.take_out(subject))  # first: rows are waited for before the audit chain
    _entries(reach.entries, named=reach.named, removed=removed, by=by, now=now)
    _shrink_lessons(SkillEvidence.objects.filter(subject=subject), removed=removed, by=by, now=now)
    removed["events"] += Event.objects.filter(pk__in=reach.events).delete()[0]
    removed["offloads"] += Offload.objects.filter(subject=subject).delete()[0]
    removed["turns"] += Turn.objects.filter(subject=subject).delete()[0]
    removed["sessions"] += _end(Session.objects.filter(subject=subject), by=by, now=now)
    removed["notes"] += ReviewNote.objects.filter(subject=subject).delete()[0]
    removed["queue"] += _delete(ReviewItem.objects.filter(subject=subject))
    removed["reports"] += DreamOperation.objects.filter(subject=subject).delete()[0]
    removed["records"] += records.forget(subject.pk)
    removed["evidence"] += Evidence.objects.filter(subject=subject).delete()[0]
    removed["answers"] += _empty_answers(subject.pk)
    removed["archives"] += archives.forget(subject.pk)
    _for_groups(subject, removed=removed)
    for pending in PendingErasure.objects.filter(subject=subject).select_related("subject"):
        pending.delete()
        subjects.pause_as_before(pending, by=by, now=now)
    subject_keys.destroy(subject=subject, by=by, now=now)
    Subject.objects.filter(pk=subject.pk).update(display_name="", timezone="")
    _drop_wishes(subject, by=by, now=now)
    sealing.seal_about(subject.pk, by=by, now=now)
    removed["reads"] += Recall.objects.filter(subject=subject, sealed_at__isnull=False).delete()[0]
    return removed


def lock_sessions(subject: uuid.UUID) -> None:
    """Wait for whoever writes to a running conversation of theirs, or one in which they spoke for a group, and let
    nobody begin to until this ends."""
    spoken = Event.objects.filter(speaker=subject).values("session")
    theirs = Session.objects.filter(Q(subject=subject) | Q(pk__in=spoken))
    list(theirs.select_for_update(of=("self",)).order_by("pk").values_list("pk"))


def _for_groups(subject: Subject, *, removed: Removed) -> None:
    """What they said for a group: what it came to is the group's, their words go. What these conversations had put
    aside or at hand may hold them in any wording, whoever spoke besides; what summed them up is made again without."""
    Provenance.objects.filter(speaker=subject).update(speaker=None, quote="")
    said = Event.objects.filter(speaker=subject).exclude(subject=subject)
    carried = list(said.values_list("session_id", "external_id"))
    if not carried:
        return
    sessions = {session for session, _ in carried}
    removed["turns"] += Turn.objects.filter(session__in=sessions, event_ref__in=[ref for _, ref in carried]).delete()[0]
    removed["offloads"] += Offload.objects.filter(session__in=sessions).delete()[0]
    Session.objects.filter(pk__in=sessions).update(compacted="", current={}, state={})
    removed["events"] += said.update(words=None, withheld=SPEAKER_FORGOTTEN, speaker=None)
    Event.objects.filter(session__in=sessions).update(consolidated_at=None, dream=None)


def _drop_wishes(subject: Subject, *, by: Principal, now: datetime) -> None:
    """What they asked never to keep tells of them too (unwanted.py)."""
    if Subject.objects.filter(pk=subject.pk).exclude(never_keep=[]).update(never_keep=[]):
        audit.record(
            by=by, now=now, action="subject.keep_again", object_kind="subject", object_id=subject.pk, subject=subject.pk
        )


def _empty_answers(subject: uuid.UUID) -> int:
    """Empty the stored answers that may hold words about a subject; those about several subjects name none and go too.

    The keys stay, so that a client that tries its old request again does not bring back what was erased.
    """
    about = Q(subject=subject) | Q(subject__isnull=True)
    return IdempotentRequest.objects.filter(about, body__isnull=False).update(body=None)


def _entries(
    doomed: Collection[uuid.UUID], *, named: Collection[uuid.UUID], removed: Removed, by: Principal, now: datetime
) -> None:
    entries = Entry.objects.filter(pk__in=doomed)
    removed["entries"] += entries.count()
    removed["embeddings"] += entries.filter(embedding_state=EmbeddingState.READY).count()
    removed["versions"] += entries.filter(supersedes__isnull=False).count()
    removed["derived"] += entries.filter(kind=Kind.EPISODIC).exclude(pk__in=_told_of(named)).count()
    folded = _folded_into(doomed)
    items = ReviewItem.objects.filter(entry__in=doomed)
    beside = Q(item__in=items) | Q(item__rival__in=doomed) | Q(item__merged_into__in=doomed)
    removed["notes"] += ReviewNote.objects.filter(beside).delete()[0]
    rivals = set(items.filter(rival__isnull=False).values_list("rival", flat=True)) - set(doomed)
    removed["queue"] += _delete(items)
    entries.defer("embedding", "search").delete()
    for rival in Entry.objects.filter(pk__in=rivals, contested=True):
        disputes.settle(rival)
    for episode in Entry.objects.filter(pk__in=folded).defer("embedding", "search"):
        in_its_place = Q(lineage__parent=episode) | Q(supersedes=episode)
        if not Entry.objects.filter(in_its_place, status=Status.ACCEPTED).exists():
            lifecycle.move(episode, Status.ACCEPTED, by=by, now=now, reason=Reason.FORGOTTEN)


def _told_of(named: Collection[uuid.UUID]) -> list[uuid.UUID]:
    """The episodes that were named themselves: no summary that merely went along."""
    return list(Entry.objects.filter(pk__in=named, kind=Kind.EPISODIC).values_list("pk", flat=True))


def _folded_into(doomed: Collection[uuid.UUID]) -> set[uuid.UUID]:
    """Episodes that stay of those that lines which go were made of: they stand for themselves again, and housekeeping
    folds them anew."""
    lines = Entry.objects.filter(pk__in=doomed, provenance__ref__startswith=f"{FOLD} ", provenance__role=Role.DREAMER)
    episodes = Entry.objects.filter(derived__child__in=lines, status=Status.REPLACED).exclude(pk__in=doomed)
    return set(episodes.values_list("pk", flat=True))


def _delete(items: QuerySet[ReviewItem]) -> int:
    """Delete items, and with them what was asked and who looked; how many items."""
    return items.delete()[1].get(ReviewItem._meta.label, 0)


def _events(
    events: Collection[uuid.UUID], *, subject: uuid.UUID, removed: Removed, by: Principal, now: datetime
) -> None:
    """Delete turns and events that carried erased words, with what their conversations had pinned or put aside: it may
    hold them in any wording. What is left of these conversations waits for the next dream."""
    rows = list(Event.objects.filter(pk__in=events).values_list("session_id", "external_id"))
    if not rows:
        return
    sessions, refs = {session for session, _ in rows}, [ref for _, ref in rows]
    evidence = SkillEvidence.objects.filter(subject=subject, event_ref__in=refs)
    _shrink_lessons(evidence, removed=removed, by=by, now=now)
    removed["turns"] += Turn.objects.filter(session__in=sessions, event_ref__in=refs).delete()[0]
    removed["offloads"] += Offload.objects.filter(session__in=sessions).delete()[0]
    removed["events"] += len(rows)
    Event.objects.filter(pk__in=events).delete()
    Event.objects.filter(session__in=sessions).update(consolidated_at=None, dream=None)
    Session.objects.filter(pk__in=sessions).update(compacted="", current={}, state={})


def _sessions(
    sessions: QuerySet[Session], *, subject: uuid.UUID, removed: Removed, by: Principal, now: datetime
) -> None:
    """Conversations that go whole, with the lines of reports about them."""
    refs = list(sessions.values_list("external_id", flat=True))
    if not refs:
        return
    evidence = SkillEvidence.objects.filter(subject=subject, session_ref__in=refs)
    _shrink_lessons(evidence, removed=removed, by=by, now=now)
    removed["reports"] += DreamOperation.objects.filter(subject=subject, session_ref__in=refs).delete()[0]
    removed["offloads"] += Offload.objects.filter(session__in=sessions).delete()[0]
    removed["turns"] += Turn.objects.filter(session__in=sessions).delete()[0]
    removed["sessions"] += _end(sessions, by=by, now=now)


def _end(sessions: QuerySet[Session], *, by: Principal, now: datetime) -> int:
    """Delete conversations; how many. One that its person does not want remembered is opened again, empty, for as long
    as it would have been known: the wish is not among what is forgotten (R90)."""
    left_out = sessions.filter(off_record_at__isnull=False, expires_at__gt=now).select_related("agent", "subject")
    wished = list(left_out.order_by("pk"))
    ended = sessions.delete()[1].get(Session._meta.label, 0)
    for one in wished:
        fresh = working.open_session(agent=one.agent, external_id=one.external_id, subject=one.subject, by=by, now=now)
        Session.objects.filter(pk=fresh.pk).update(
            off_record_at=one.off_record_at, ended_at=one.ended_at, expires_at=one.expires_at
        )
    return ended


def _shrink_lessons(evidence: QuerySet[SkillEvidence], *, removed: Removed, by: Principal, now: datetime) -> None:
    """A learned skill loses these sessions. Too few left: one in force goes back to the queue, any other is removed."""
    skills = set(evidence.values_list("skill_id", flat=True))
    if not skills:
        return
    list(Skill.objects.select_for_update(of=("self",)).filter(pk__in=skills).order_by("pk").values_list("pk"))
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
