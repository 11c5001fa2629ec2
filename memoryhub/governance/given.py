"""Why did the agent think that? From one read to the words behind each entry it gave, and to what became of it (R37).

A read holds ids and scores, never words: what is told here is told from what is still kept, to whoever may see it.
"""

import uuid
from collections import deque
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any, Final

from django.db.models import Q, QuerySet

from memoryhub.models import Decision, Entry, Event, Lineage, Recall, ReviewItem, Subject, SubjectMember
from memoryhub.models.sealed import in_clear
from memoryhub.recall import read_log
from memoryhub.recall.filters import open_to, sees_restricted, uses_memory
from memoryhub.tenancy import ALL_SUBJECTS, Principal, acting_for
from memoryhub.vocabulary import Caution, Op, ReviewState, Sensitivity, Status

GENERATIONS: Final = 50  # of versions that are followed; more is no history a person reads
LOOKED_THROUGH: Final = 1000  # newest reads about a subject in which an entry is looked for
SOURCES: Final = 3  # turns and memories that are told of those one entry was made from

_OVER: Final = frozenset({Status.REPLACED, Status.EXPIRED, Status.ARCHIVED, Status.REJECTED})


@dataclass(frozen=True)
class Given:
    """One entry that a read gave. `entry` is None once erased, and where the asker may not see it (`withheld`).

    `signals` and `warnings`: what its score was made of, and what it came with, as far as the log kept that.
    `decision`: the gate's, that let it in. `approved`: the review in which a person said yes. `since`: the versions
    that took its place afterwards, oldest first. `sources`: some of what it was made from, and how many there are.
    `event`: the turn, where a search in past sessions found that.
    """

    id: str
    score: float
    used: bool
    entry: Entry | None
    withheld: bool = False
    decision: uuid.UUID | None = None
    approved: ReviewItem | None = None
    since: tuple[uuid.UUID, ...] = ()
    signals: Mapping[str, float] = field(default_factory=dict)
    warnings: tuple[Caution, ...] = ()
    sources: tuple[Lineage, ...] = ()
    source_count: int = 0
    event: Event | None = None

    @property
    def erased(self) -> bool:
        """Whether nothing of it is left but its id."""
        return self.entry is None and self.event is None and not self.withheld

    @property
    def over(self) -> datetime | None:
        """Since when it is no longer in use; None while it is, and once erased."""
        if self.entry is None or self.entry.status not in _OVER:
            return None
        return self.entry.recorded_until or self.entry.valid_to or self.entry.updated_at


@dataclass(frozen=True)
class Read:
    """Who asked, when, about whom, and what was given, best first."""

    row: Recall
    given: tuple[Given, ...]


def read(*, recall_id: uuid.UUID | str, by: Principal) -> Read:
    """One read with what it gave. Raises NotFound, also for an agent that asks about another's."""
    return told(read_log.find(recall_id=recall_id, by=by), by=by)


def told(row: Recall, *, by: Principal) -> Read:
    """What a read gave, in a number of queries that does not grow with it. Who may know of the read may know all of it:
    what it gave of an account or a team is no less theirs than what it gave of the one subject they asked about.
    """
    with acting_for(by, subjects=ALL_SUBJECTS):
        return _told(row, by=by)


def reads_of(entry: Entry) -> QuerySet[Recall]:
    """The reads that gave an entry, newest first, among the newest reads about its subject and about its members."""
    members = SubjectMember.objects.filter(group=entry.subject_id).values("person")
    about = Q(pk=entry.subject_id) | Q(pk__in=members) | Q(account=entry.subject_id)
    newest = (
        Recall.objects.filter(organisation_id=entry.organisation_id, subject__in=Subject.objects.filter(about))
        .exclude(purpose__in=read_log.LOOKS)
        .order_by("-created_at", "-id")
        .values("pk")[:LOOKED_THROUGH]
    )
    found = Recall.objects.filter(pk__in=newest, items__contains=[{"id": str(entry.pk)}])
    return found.select_related("subject", "agent", "user").order_by("-created_at", "-id")


def _told(row: Recall, *, by: Principal) -> Read:
    entries = {
        str(entry.pk): entry
        for entry in Entry.objects.filter(pk__in=[item["id"] for item in row.items])
        .select_related("provenance__speaker", "provenance__agent", "subject")
        .defer("embedding", "search")
    }
    seen = {str(id) for id in _seen(entries.values(), by=by)}
    decisions = _decisions(entries.values(), organisation=row.organisation_id)
    since = _since(entries.values())
    approved = {
        str(item.entry_id): item
        for item in ReviewItem.objects.filter(entry__in=list(entries.values()), state=ReviewState.APPROVED)
        .select_related("decided_by")
        .order_by("decided_at", "id")
    }
    sources = _sources(seen, by=by)
    events = _events(row, entries)
    given = tuple(
        Given(
            id=id,
            score=item["score"],
            used=id in row.used,
            entry=entries.get(id) if id in seen else None,
            withheld=id in entries and id not in seen,
            decision=decisions.get(id) or (approved[id].decision_id if id in approved else None),
            approved=approved.get(id),
            since=since.get(id, ()),
            signals=item.get("signals", {}),
            warnings=_warnings(item),
            sources=tuple(sources.get(id, ())[:SOURCES]),
            source_count=len(sources.get(id, ())),
            event=events.get(id),
        )
        for item in row.items
        for id in [str(item["id"])]
    )
    return Read(row, given)


def _warnings(item: Mapping[str, Any]) -> tuple[Caution, ...]:
    known = {str(each) for each in item.get("warnings", ())}
    return tuple(caution for caution in Caution if caution in known)


def _sources(ids: Iterable[str], *, by: Principal) -> dict[str, list[Lineage]]:
    """What each of these entries was made from: turns, and other entries that the asker may see."""
    found: dict[str, list[Lineage]] = {}
    rows = Lineage.objects.filter(child__in=[uuid.UUID(id) for id in ids]).order_by("id")
    beside = rows.select_related("event__session", "parent__provenance").defer("parent__embedding", "parent__search")
    seen = _seen([source.parent for source in beside if source.parent is not None], by=by)
    for source in beside:
        if source.parent is not None and source.parent_id not in seen:
            continue
        found.setdefault(str(source.child_id), []).append(source)
    told = [source.event for sources in found.values() for source in sources[:SOURCES] if source.event is not None]
    deque(in_clear(told), maxlen=0)  # outside of acting_for nobody has the key
    return found


def _events(row: Recall, entries: Collection[str]) -> dict[str, Event]:
    """The turns that a search in past sessions found, by id."""
    if row.purpose != "sessions":
        return {}
    others = [item["id"] for item in row.items if str(item["id"]) not in entries]
    return {str(event.pk): event for event in in_clear(Event.objects.filter(pk__in=others).select_related("session"))}


def _seen(entries: Iterable[Entry], *, by: Principal) -> set[uuid.UUID]:
    """Those whose words may be shown now: to an agent none at rest since (R90)."""
    seen = {entry.pk for entry in entries if may_see(entry, by=by)}
    if not seen or not uses_memory(by):
        return seen
    return set(open_to(Entry.objects.filter(pk__in=seen), by=by).values_list("pk", flat=True))


def may_see(entry: Entry, *, by: Principal) -> bool:
    """Whether the words of an entry that was given may be shown now: what became restricted since is not (R30)."""
    return entry.sensitivity != Sensitivity.RESTRICTED or sees_restricted(by)


def _decisions(entries: Collection[Entry], *, organisation: uuid.UUID) -> dict[str, uuid.UUID]:
    """The decision that put each entry in force at once: the one of the same moment that names it. They are found by
    that moment, since what a decision names stands inside a document.
    """
    moments = {entry.recorded_at for entry in entries}
    wanted = {str(entry.pk) for entry in entries}
    found: dict[str, uuid.UUID] = {}
    for decision in Decision.objects.filter(organisation_id=organisation, created_at__in=moments).order_by("id"):
        for result in decision.results:
            if (id := result.get("entry")) in wanted and result["op"] in (Op.ADD, Op.UPDATE, Op.NOOP):
                found.setdefault(id, decision.pk)
    return found


def _since(entries: Iterable[Entry]) -> dict[str, tuple[uuid.UUID, ...]]:
    """The versions that took each entry's place, oldest first: a query for each generation, not for each entry."""
    chains: dict[str, list[uuid.UUID]] = {str(entry.pk): [entry.pk] for entry in entries}
    newest: set[uuid.UUID] = {chain[0] for chain in chains.values()}
    for _ in range(GENERATIONS):
        after = _successors(newest)
        if not after:
            break
        for chain in chains.values():
            if chain[-1] in after:
                chain.append(after[chain[-1]])
        newest = set(after.values())
    return {id: tuple(chain[1:]) for id, chain in chains.items()}


def _successors(ids: Iterable[uuid.UUID]) -> dict[uuid.UUID, uuid.UUID]:
    rows: Sequence[tuple[uuid.UUID | None, uuid.UUID]] = list(
        Entry.objects.filter(supersedes__in=list(ids)).order_by("-recorded_at").values_list("supersedes", "id")
    )
    return {before: after for before, after in rows if before is not None}
