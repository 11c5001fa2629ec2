"""What is there about one subject, and about those of a list, in numbers and at a glance? (R93)

For people who look after them; words of working memory are for whoever may read sessions.
"""

import uuid
from collections import defaultdict
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Final

from django.db.models import Count, Q, QuerySet

from memoryhub.models import Entry, Event, Recall, ReviewItem, Session, Subject, SubjectMember, Turn
from memoryhub.permissions import can_do
from memoryhub.recall import read_log
from memoryhub.tenancy import Principal
from memoryhub.vocabulary import Kind, ReviewState, Status

NEWEST: Final = 8  # memories, conversations and recalls that are shown of each
RELATED: Final = 50  # members, or groups


@dataclass(frozen=True)
class Tally:
    """How many memories of one kind stand in each status that there is."""

    kind: Kind
    by_status: tuple[tuple[Status, int], ...]


@dataclass(frozen=True)
class About:
    """One subject at a glance. `sessions` and `events_waiting` are None for whoever may not read them."""

    tallies: tuple[Tally, ...]
    facts: Sequence[Entry]
    summaries: Sequence[Entry]
    groups: Sequence[Subject]
    members: Sequence[Subject]
    people: Sequence[Subject]
    waiting: int
    recalls: Sequence[Recall]
    sessions: Sequence[Session] | None
    events_waiting: int | None

    @property
    def shown(self) -> list[uuid.UUID]:
        """The memories whose words are given."""
        return [entry.pk for entry in (*self.facts, *self.summaries)]


def found(*, by: Principal, words: str = "", kind: str = "", paused: bool = False) -> QuerySet[Subject]:
    """The organisation's subjects whose id or name holds the words, newest first."""
    rows = Subject.objects.filter(organisation_id=by.organisation)
    if words:
        rows = rows.filter(Q(external_id__icontains=words) | Q(display_name__icontains=words))
    if kind:
        rows = rows.filter(kind=kind)
    if paused:
        rows = rows.filter(paused_at__isnull=False)
    return rows.select_related("account").order_by("-created_at", "-id")


def known_of(subjects: Collection[Subject]) -> dict[uuid.UUID, tuple[int, int]]:
    """For each subject how many memories are in use, and how many wait, in one query."""
    rows = Entry.objects.filter(subject__in=[subject.pk for subject in subjects]).values_list("subject")
    counted = rows.annotate(
        used=Count("pk", filter=Q(status=Status.ACCEPTED)), waits=Count("pk", filter=Q(status=Status.PROPOSED))
    )
    return {subject: (used, waits) for subject, used, waits in counted.order_by()}


def about(*, subject: Subject, by: Principal, now: datetime) -> About:
    """Everything at a glance, in a number of queries that does not grow with it."""
    entries = Entry.objects.filter(subject=subject)
    current = entries.filter(status=Status.ACCEPTED).select_related("provenance__agent").defer("embedding", "search")
    newest = current.order_by("-recorded_at", "-id")
    sessions = events = None
    if can_do(by, "read_session"):
        running = Session.objects.filter(subject=subject, ended_at__isnull=True, expires_at__gt=now)
        rows = running.select_related("agent").annotate(turns_kept=Count("turns")).order_by("-last_turn_at", "-id")
        sessions = list(rows[:NEWEST])
    if can_do(by, "read_events"):
        events = Event.objects.filter(subject=subject, consolidated_at__isnull=True).count()
    reads = Recall.objects.filter(organisation_id=subject.organisation_id, subject=subject).exclude(
        purpose__in=read_log.LOOKS
    )
    return About(
        tallies=_tallies(entries),
        facts=list(newest.exclude(kind=Kind.EPISODIC)[:NEWEST]),
        summaries=list(newest.filter(kind=Kind.EPISODIC)[:NEWEST]),
        groups=list(
            Subject.objects.filter(pk__in=SubjectMember.objects.filter(person=subject).values("group")).order_by(
                "external_id"
            )[:RELATED]
        ),
        members=list(
            Subject.objects.filter(pk__in=SubjectMember.objects.filter(group=subject).values("person")).order_by(
                "external_id"
            )[:RELATED]
        ),
        people=list(subject.people.order_by("external_id")[:RELATED]),
        waiting=ReviewItem.objects.filter(subject=subject, state=ReviewState.WAITING).count(),
        recalls=list(reads.select_related("agent", "user").order_by("-created_at", "-id")[:NEWEST]),
        sessions=sessions,
        events_waiting=events,
    )


def holdings(subject: Subject) -> dict[str, int]:
    """What an erasure of everything about a subject begins with, counted in the names of its receipt."""
    kept: dict[str, QuerySet] = {
        "entries": Entry.objects.filter(subject=subject),
        "events": Event.objects.filter(subject=subject),
        "sessions": Session.objects.filter(subject=subject),
        "turns": Turn.objects.filter(subject=subject),
        "queue": ReviewItem.objects.filter(subject=subject),
    }
    return {name: rows.count() for name, rows in kept.items()}


def _tallies(entries: QuerySet[Entry]) -> tuple[Tally, ...]:
    counts: dict[str, dict[str, int]] = defaultdict(dict)
    for kind, status, number in entries.order_by().values_list("kind", "status").annotate(number=Count("pk")):
        counts[kind][status] = number
    return tuple(
        Tally(kind, tuple((status, counts[kind][status]) for status in Status if counts[kind].get(status)))
        for kind in Kind
        if counts[kind]
    )
