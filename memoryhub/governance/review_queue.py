"""What waits for a person, in what order, and what is known beside it (R92)."""

import hashlib
import uuid
from collections.abc import Sequence
from datetime import datetime
from typing import Any

from django.db.models import Count, Prefetch, Q, QuerySet
from django.utils import timezone

from memoryhub import conf
from memoryhub.errors import NotFound
from memoryhub.governance import audit
from memoryhub.governance.crowding import Group, turn_of
from memoryhub.models import Decision, Entry, Profile, ReviewItem, Skill, Subject
from memoryhub.permissions import check_may, owner_of, proposer_of
from memoryhub.tenancy import Principal
from memoryhub.vocabulary import Kind, Reason, ReviewState, ReviewType, Role, Status

SIMILAR = 5
#: What is read beside an item, each in a query of its own: a dozen joins, with the row security of every table, take
#: the database a hundred times as long to plan as to run. None of them is asked where no item names one.
_IN_A_ROW = ("skill", "profile__agent", "subject", "agent", "claimed_by", "proposer")
_SHOWN = (
    *_IN_A_ROW, "entry__provenance__speaker", "entry__subject", "skill__agent", "rival__provenance__speaker",
    "decided_by", "first_yes_by", "merged_into",
)  # fmt: skip
_SAME = (
    "type", "reason", "why", "subject_id", "entry_id", "skill_id", "profile_id", "rival_id", "decision_id", "agent_id",
    "proposer_id", "group", "group_source",
)  # fmt: skip


def put(
    *,
    type: ReviewType,
    reason: Reason,
    by: Principal,
    now: datetime,
    why: str = "",
    subject: Subject | None = None,
    entry: Entry | None = None,
    skill: Skill | None = None,
    profile: Profile | None = None,
    rival: Entry | None = None,
    agent: uuid.UUID | None = None,
    decision: Decision | None = None,
    others: Sequence[uuid.UUID] = (),
    group: Group | None = None,
) -> ReviewItem:
    """Put exactly one thing before the curators. The proposer is `by`: the person, or the agent and so its owner;
    `others` proposed it before.
    """
    turn_at = turn_of(group, by=by, now=now, inferred=decision is not None and decision.role == Role.AGENT)
    return ReviewItem.objects.create(
        organisation_id=by.organisation,
        type=type,
        subject=subject,
        entry=entry,
        skill=skill,
        profile=profile,
        rival=rival,
        decision=decision,
        agent_id=agent or by.agent,
        proposer_id=by.user,
        why=(why or reason.label)[:500],
        reason=reason,
        waiting_since=now,
        others=list(others),
        turn_at=turn_at,
        place_at=place_of(type, turn_at),
        group=group.id if group else None,
        group_source=group.source if group else "",
    )


def put_again(item: ReviewItem, *, by: Principal, now: datetime) -> ReviewItem:
    """The same question once more, as a new item that reverses the old one; whoever proposed it then still did."""
    same = {name: getattr(item, name) for name in _SAME}
    return ReviewItem.objects.create(
        organisation_id=by.organisation, reverses=item, waiting_since=now, turn_at=now,
        place_at=place_of(item.type, now), others=list(item.others), **same,
    )  # fmt: skip


def place_of(type: str, turn_at: datetime, *, escalated: bool = False) -> datetime:
    """An item's place in the order: what is due first comes first, and before all of it what was escalated."""
    return conf.EARLIEST if escalated else turn_at + conf.DECIDED_WITHIN[type]


def propose_again(entry: Entry, *, by: Principal) -> None:
    """Note that somebody else proposed what waits: none of them may decide it (R92)."""
    person = by.user or owner_of(by.agent)
    if person is None:
        return
    for item in ReviewItem.objects.select_for_update().filter(entry=entry, state=ReviewState.WAITING):
        if person not in proposer_of(item):
            item.others = [*item.others, person]
            item.save(update_fields=["others"])


def explain(entry: Entry, *, reason: Reason, why: str) -> None:
    """Say anew why an entry waits; whoever looks at it sees that it changed."""
    for item in ReviewItem.objects.select_for_update().filter(entry=entry, state=ReviewState.WAITING):
        item.reason, item.why = reason, why[:500]
        item.version += 1
        item.save(update_fields=["reason", "why", "version"])


def turn_into_dispute(entry: Entry, *, why: str) -> bool:
    """Make what waits about an entry in force (a sample, a re-confirmation) a dispute: its question is another now.
    Whether anything waits about it; a dispute stays as it is.
    """
    item = ReviewItem.objects.select_for_update().filter(entry=entry, state=ReviewState.WAITING).first()
    if item is None:
        return False
    if item.type != ReviewType.DISPUTE:
        item.type, item.reason, item.why = ReviewType.DISPUTE, Reason.CONTRADICTS, why[:500]
        item.place_at = place_of(item.type, item.turn_at, escalated=item.escalated_at is not None)
        item.version += 1
        item.save(update_fields=["type", "reason", "why", "place_at", "version"])
    return True


def waiting(
    *,
    by: Principal,
    type: str | None = None,
    subject: str | None = None,
    agent: str | None = None,
    group: uuid.UUID | None = None,
    kind: str | None = None,
    reason: str | None = None,
    since: datetime | None = None,
    until: datetime | None = None,
    state: str = ReviewState.WAITING,
    snoozed: bool | None = False,
    asked: bool | None = None,
    escalated: bool | None = None,
    late: bool | None = None,
    person: uuid.UUID | None = None,
    now: datetime | None = None,
) -> QuerySet[ReviewItem]:
    """The queue, escalated first, then what is due first; the further proposals of one agent's unvouched texts stand
    back (R15). Filters by review type, subject's external id, agent's slug, group, kind of memory (skills and profiles
    are procedural), why it waits, and since when: `since` and later, before `until`.

    What waits and is snoozed is left out; `snoozed` True shows that alone, None both. `asked`: the person has a
    question to answer; `late`: due before `now`. `person`: only what is theirs to take: claimed by them, or by nobody
    now.
    """
    check_may(by, "read_queue")
    items = ReviewItem.objects.filter(organisation_id=by.organisation, state=state)
    if type:
        items = items.filter(type=type)
    if subject:
        items = items.filter(subject__external_id=subject)
    if agent:
        items = items.filter(agent__slug=agent)
    if group:
        items = items.filter(group=group)
    if kind:
        procedures = Q(skill__isnull=False) | Q(profile__isnull=False)
        items = items.filter(Q(entry__kind=kind) | (procedures if kind == Kind.PROCEDURAL else Q(pk__in=[])))
    if reason:
        items = items.filter(reason=reason)
    now = now or timezone.now()
    if state == ReviewState.WAITING and snoozed is not None:
        rests = Q(snoozed_until__gt=now)
        items = items.filter(rests) if snoozed else items.filter(Q(snoozed_until__isnull=True) | ~rests)
    if asked is not None:
        items = items.filter(asked_at__isnull=not asked)
    if escalated is not None:
        items = items.filter(escalated_at__isnull=not escalated)
    if late is not None:
        items = items.filter(place_at__lt=now) if late else items.filter(place_at__gte=now)
    if person is not None:
        free = Q(claimed_at__isnull=True) | Q(claimed_at__lte=now - conf.CLAIM_LIFETIME)
        items = items.filter(free | Q(claimed_by=person))
    if since:
        items = items.filter(waiting_since__gte=since)
    if until:
        items = items.filter(waiting_since__lt=until)
    return with_what_is_shown(items).order_by("place_at", "id")


def with_what_is_shown(items: QuerySet[ReviewItem]) -> QuerySet[ReviewItem]:
    """The items with all that stands on a page beside one of them, in a fixed number of queries."""
    light = Entry.objects.defer("embedding", "search")
    beside: list[Any] = [*(Prefetch(name, light) for name in ("entry", "rival", "merged_into")), *_SHOWN]
    return items.prefetch_related(*beside)


def in_a_row(items: QuerySet[ReviewItem]) -> QuerySet[ReviewItem]:
    """The items with no more than a line of a list shows."""
    beside: list[Any] = [Prefetch("entry", Entry.objects.defer("embedding", "search")), *_IN_A_ROW]
    return items.prefetch_related(None).prefetch_related(*beside)


def by_source(items: QuerySet[ReviewItem]) -> QuerySet[ReviewItem]:
    """Of each group only the one whose turn comes first; what belongs to no group as it is."""
    firsts = items.filter(group__isnull=False).order_by("group", "place_at", "id").distinct("group")
    return items.filter(Q(group__isnull=True) | Q(pk__in=firsts.values("pk")))


def counts(items: QuerySet[ReviewItem]) -> dict[str, int]:
    """How many of them there are of each type."""
    return dict(items.select_related(None).order_by().values_list("type").annotate(rows=Count("pk")))


def etag_of(items: Sequence[ReviewItem]) -> str:
    """What somebody saw of a group: which items, in which versions."""
    seen = sorted(item.etag for item in items)
    return hashlib.sha256("".join(seen).encode()).hexdigest()[:16]


def get(*, item_id: uuid.UUID | str, by: Principal) -> ReviewItem:
    """One item in any state. Raises NotFound when absent or another organisation's."""
    check_may(by, "read_queue")
    rows = ReviewItem.objects.filter(organisation_id=by.organisation, pk=item_id)
    item = with_what_is_shown(rows).first()
    if item is None:
        raise NotFound
    return item


def alone(*, item_id: uuid.UUID | str, by: Principal) -> ReviewItem:
    """One item in any state, without what is shown beside it. Raises NotFound as `get` does."""
    check_may(by, "read_queue")
    item = ReviewItem.objects.filter(organisation_id=by.organisation, pk=item_id).first()
    if item is None:
        raise NotFound
    return item


def by_ids(ids: Sequence[uuid.UUID], *, by: Principal) -> list[ReviewItem]:
    """These items in any state, in the order of the queue; what is not the organisation's is left out."""
    check_may(by, "read_queue")
    items = ReviewItem.objects.filter(organisation_id=by.organisation, pk__in=ids)
    return list(with_what_is_shown(items).order_by("place_at", "id"))


def similar_to(item: ReviewItem) -> list[Entry]:
    """What is in force under the same key, else statements of the subject that share words with the claim."""
    entry = item.entry
    if entry is None:
        return []
    known = Entry.objects.filter(subject_id=entry.subject_id, status=Status.ACCEPTED).exclude(pk=entry.pk)
    known = known.select_related("provenance__speaker").defer("embedding", "search")
    if entry.key:
        same_key = list(known.filter(entity=entry.entity, key=entry.key)[:SIMILAR])
        if same_key:
            return same_key
    words = [word for word in entry.content.split() if len(word) > 3][:12]
    shared = Q(pk__in=[])
    for word in words:
        shared |= Q(content__icontains=word)
    return list(known.filter(shared, kind=entry.kind).order_by("-recorded_at")[:SIMILAR])


def withdraw(items: QuerySet[ReviewItem], *, by: Principal, now: datetime) -> list[str]:
    """Take items out of the queue because what they are about is gone; returns their ids."""
    withdrawn = []
    for item in items.filter(state=ReviewState.WAITING):
        item.state, item.decided_at = ReviewState.WITHDRAWN, now
        item.version += 1
        item.save(update_fields=["state", "decided_at", "version"])
        audit.record(
            by=by, now=now, action="queue.withdraw", object_kind="review_item", object_id=item.pk,
            subject=item.subject_id,
        )  # fmt: skip
        withdrawn.append(str(item.pk))
    return withdrawn


def reinstate(ids: Sequence[str], *, by: Principal, now: datetime) -> None:
    """Take `withdraw` back: they wait again, unless the same waits in another item by now."""
    for item in ReviewItem.objects.select_for_update().filter(pk__in=ids, state=ReviewState.WITHDRAWN):
        if ReviewItem.objects.filter(entry=item.entry_id, state=ReviewState.WAITING).exists():
            continue
        item.state, item.decided_at = ReviewState.WAITING, None
        item.version += 1
        item.save(update_fields=["state", "decided_at", "version"])
        audit.record(
            by=by, now=now, action="queue.undo", object_kind="review_item", object_id=item.pk, subject=item.subject_id
        )
