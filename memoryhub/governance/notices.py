"""Who has to hear of it? What agents are told when something is erased, superseded, approved or waits (R91, R113).

A notice is written in the transaction of its cause: it exists if and only if that happened. It holds ids, never words.
Agents read theirs as a feed (`feed`); where an operator set up a webhook, it is sent besides (delivering.py).

Of an erasure, and of what takes a statement's place, every agent hears that may hold a copy: it was given something
about that subject, wrote it, or talked with them (docs/adr/0026). Of an approval, and of what waits, hears the agent
that proposed it.
"""

import uuid
from collections import defaultdict
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Final

from django.db.models import Q, QuerySet

from memoryhub import conf, jobs
from memoryhub.governance.proposal import Result
from memoryhub.models import (
    Delivery,
    Entry,
    Event,
    Notice,
    NoticeKind,
    Provenance,
    Recall,
    ReviewItem,
    Session,
    Subject,
    SubjectMember,
    Webhook,
)
from memoryhub.recall import read_log
from memoryhub.tenancy import ALL_SUBJECTS, Principal, acting_for
from memoryhub.vocabulary import Op

JOB: Final = "notify"
_NO_ANSWER: Final = frozenset({*read_log.LOOKS, "bench"})  # purposes of reads that gave no agent anything


@dataclass(frozen=True)
class Parting:
    """What is about to be erased about one subject, and which agents may hold a copy of it."""

    subject: uuid.UUID
    ids: tuple[uuid.UUID, ...]
    agents: frozenset[uuid.UUID]


def tell(
    *,
    kind: NoticeKind | str,
    ids: Collection[uuid.UUID],
    subject: Subject | uuid.UUID | None,
    agents: Collection[uuid.UUID | None] | None = None,
    by: Principal,
    now: datetime,
) -> None:
    """Write what agents are to hear, in the caller's transaction. `ids` are of entries, skills or profiles.

    `agents` None: whoever may hold a copy of anything about the subject. That is read from rows that an erasure takes
    along, so who erases asks `partings` before. Nobody to tell, and no webhook that wants it: nothing is written.
    """
    about = subject.pk if isinstance(subject, Subject) else subject
    if agents is None:
        agents = holders(about, by=by) if about is not None else ()
    told = sorted({agent for agent in agents if agent is not None})
    hooks = _wanting(NoticeKind(kind), told, by=by)
    if not told and not hooks:
        return
    every = list(ids)
    pieces = [every[at : at + conf.NOTICE_IDS] for at in range(0, max(1, len(every)), conf.NOTICE_IDS)]
    rows = [
        Notice(
            organisation_id=by.organisation, kind=NoticeKind(kind), subject_id=about, ids=piece, agents=told,
            created_at=now,
        )
        for piece in pieces
    ]  # fmt: skip
    Notice.objects.bulk_create(rows)
    Delivery.objects.bulk_create(
        Delivery(organisation_id=by.organisation, webhook_id=hook, notice=row, due_at=now)
        for row in rows
        for hook in hooks
    )
    for hook in hooks:
        send_soon(hook, organisation=by.organisation, now=now)


def send_soon(hook: uuid.UUID, *, organisation: uuid.UUID, now: datetime) -> None:
    """Name the job that sends what waits for a webhook, unless it is named already."""
    jobs.enqueue(JOB, organisation=organisation, now=now, payload={"webhook": str(hook)}, dedupe=str(hook))


def partings(entries: Collection[uuid.UUID], *, by: Principal, also: Subject | None = None) -> list[Parting]:
    """What has to be told once these entries are erased, by whom they are about: asked before, told by `tell_erased`
    after. `also`: a subject whose turns go as well, of whom is told even if no entry is left.
    """
    found: dict[uuid.UUID, list[uuid.UUID]] = defaultdict(list)
    with acting_for(by, subjects=ALL_SUBJECTS):
        rows = Entry.objects.filter(pk__in=entries).order_by("id").values_list("subject_id", "pk")
        for subject, entry in rows:
            found[subject].append(entry)
        if also is not None:
            found.setdefault(also.pk, [])
        return [Parting(subject, tuple(ids), holders(subject, by=by)) for subject, ids in found.items()]


def tell_erased(gone: Iterable[Parting], *, by: Principal, now: datetime) -> None:
    """Tell of an erasure, in its own transaction."""
    for part in gone:
        tell(kind=NoticeKind.ERASED, ids=part.ids, subject=part.subject, agents=part.agents, by=by, now=now)


def tell_decided(results: Sequence[Result], *, subject: Subject, by: Principal, now: datetime) -> None:
    """Tell what the gate did: what waits, to the agent that proposed it; what was superseded, to who may hold it."""
    waits = [result.entry.pk for result in results if result.op == Op.QUEUED and result.entry is not None]
    if waits:
        tell(kind=NoticeKind.QUEUED, ids=waits, subject=subject, agents=[by.agent], by=by, now=now)
    replaced = [entry.pk for result in results for entry in result.replaces]
    if replaced:
        tell(kind=NoticeKind.SUPERSEDED, ids=replaced, subject=subject, by=by, now=now)


def tell_approved(item: ReviewItem, *, by: Principal, now: datetime) -> None:
    """Tell the agent that proposed it that a curator said yes."""
    about = item.entry_id or item.skill_id or item.profile_id
    if about is not None:
        tell(kind=NoticeKind.APPROVED, ids=[about], subject=item.subject_id, agents=[item.agent_id], by=by, now=now)


def holders(subject: uuid.UUID, *, by: Principal) -> frozenset[uuid.UUID]:
    """Agents that may hold a copy of something about a subject: they were given it, wrote it, or had a conversation
    with the subject, or, for a group, were given something for one of its people.
    """
    with acting_for(by, subjects=ALL_SUBJECTS):
        people = SubjectMember.objects.filter(group=subject).values_list("person", flat=True)
        own = Subject.objects.filter(account=subject).values_list("pk", flat=True)
        reads = Recall.objects.filter(organisation_id=by.organisation).exclude(purpose__in=_NO_ANSWER)
        every: list[QuerySet] = [
            reads.filter(subject__in={subject, *people, *own}),
            reads.filter(subjects__contains=[subject], subjects__len__gt=1),  # an index of its own
            Provenance.objects.filter(entry__subject=subject),
            Session.objects.filter(subject=subject),
            Event.objects.filter(subject=subject),
        ]
        told = (agent for rows in every for agent in rows.order_by().values_list("agent", flat=True).distinct())
        return frozenset(agent for agent in told if agent is not None)


def is_wanted(kind: NoticeKind, *, by: Principal) -> bool:
    """Whether any webhook of the whole organisation is sent notices of that kind."""
    return bool(_wanting(kind, (), by=by))


def feed(*, by: Principal) -> QuerySet[Notice]:
    """What the agent behind `by` is told, in order; what is not committed yet has no place and is not there yet."""
    rows = Notice.objects.filter(organisation_id=by.organisation, place__isnull=False, agents__contains=[by.agent])
    return rows.select_related("subject").order_by("place")


def forget_old(*, organisation: uuid.UUID, now: datetime) -> int:
    """Remove what was told long enough ago, delivered or not; how many. Called inside acting_for."""
    old = Notice.objects.filter(organisation_id=organisation, created_at__lt=now - conf.NOTICES_KEPT)
    return old.delete()[1].get(Notice._meta.label, 0) if old.exists() else 0


def _wanting(kind: NoticeKind, agents: Sequence[uuid.UUID], *, by: Principal) -> list[uuid.UUID]:
    """The webhooks that are sent it: of one of these agents, or of the whole organisation. A stopped one too: what
    comes up meanwhile waits."""
    rows = Webhook.objects.filter(organisation_id=by.organisation, kinds__contains=[kind])
    return list(rows.filter(Q(agent__isnull=True) | Q(agent__in=agents)).values_list("pk", flat=True))


def as_document(notice: Notice) -> dict[str, object]:
    """A notice as the feed and a webhook give it."""
    return {
        "id": str(notice.pk),
        "type": notice.kind,
        "at": notice.created_at.astimezone(UTC).isoformat().replace("+00:00", "Z"),
        "subject": notice.subject.external_id if notice.subject else None,
        "ids": [str(one) for one in notice.ids],
    }
