"""Why did the agent think that? From one read to the words behind each entry it gave, and to what became of it (R37).

A read holds ids and scores, never words: what is told here is told from what is still kept, to whoever may see it.
"""

import uuid
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass
from typing import Final

from django.db.models import Q, QuerySet

from memoryhub.models import Decision, Entry, Recall, ReviewItem, Subject, SubjectMember
from memoryhub.recall import read_log
from memoryhub.recall.filters import sees_restricted
from memoryhub.tenancy import ALL_SUBJECTS, Principal, acting_for
from memoryhub.vocabulary import Op, ReviewState, Sensitivity

GENERATIONS: Final = 50  # of versions that are followed; more is no history a person reads
LOOKED_THROUGH: Final = 1000  # newest reads about a subject in which an entry is looked for


@dataclass(frozen=True)
class Given:
    """One entry that a read gave. `entry` is None once erased, and where the asker may not see it (`withheld`).

    `decision`: the gate's, that let it in. `approved`: the review in which a person said yes. `since`: the versions
    that took its place afterwards, oldest first.
    """

    id: str
    score: float
    used: bool
    entry: Entry | None
    withheld: bool = False
    decision: uuid.UUID | None = None
    approved: ReviewItem | None = None
    since: tuple[uuid.UUID, ...] = ()

    @property
    def erased(self) -> bool:
        """Whether nothing of it is left but its id."""
        return self.entry is None and not self.withheld


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
    seen = {id for id, one in entries.items() if may_see(one, by=by)}
    decisions = _decisions(entries.values(), organisation=row.organisation_id)
    since = _since(entries.values())
    approved = {
        str(item.entry_id): item
        for item in ReviewItem.objects.filter(entry__in=list(entries.values()), state=ReviewState.APPROVED)
        .select_related("decided_by")
        .order_by("decided_at", "id")
    }
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
        )
        for item in row.items
        for id in [str(item["id"])]
    )
    return Read(row, given)


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
