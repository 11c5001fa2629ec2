"""What waits to be read, in what order, and what could not be? And is there room for more? (R70, R74)

A session that a dream failed at, by an error or because its worker died in it, stays pending: the next dream tries it
again (after a first death this one does, last of all), and after conf.SESSION_TRIES dreams in a row only once every
conf.SESSION_REST, so that it neither blocks the others nor is forgotten. A dream that somebody asked for tries it at
once.
"""

import threading
import time
import uuid
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime
from typing import Final

from django.db.models import Count, F, Max, Min, Q, QuerySet

from memoryhub import conf
from memoryhub.errors import Backlog
from memoryhub.models import Dream, Event, Session
from memoryhub.tenancy import ALL_SUBJECTS, Principal, acting_for

DIED: Final = "WorkerDied"  # the class of the error where there was none to see
#: Who asks for a dream by the clock, or because one was stranded; others are people and agents.
BY_ITSELF: Final = ("system:schedule", "system:stranded")


@dataclass(frozen=True)
class Standing:
    """How much waits in an organisation, and how much of it was set aside because no dream could read it."""

    events: int
    sessions: int
    oldest: datetime | None
    set_aside: int


def standing(organisation: uuid.UUID, *, now: datetime) -> Standing:
    """The backlog in figures."""
    counted = _unread(organisation).aggregate(
        events=Count("pk"), sessions=Count("session", distinct=True), oldest=Min("received_at")
    )
    aside = _unread(organisation).filter(_resting(now)).aggregate(n=Count("session", distinct=True))["n"]
    return Standing(counted["events"], counted["sessions"], counted["oldest"], aside)


@dataclass(frozen=True)
class Inbox:
    """What waits of one agent's sessions; `paused` turns are of people who paused remembering, and stay unread."""

    agent: uuid.UUID
    name: str
    events: int
    sessions: int
    oldest: datetime
    set_aside: int
    paused: int


def by_agent(organisation: uuid.UUID, *, now: datetime) -> list[Inbox]:
    """The backlog agent by agent, the one that waits longest first."""
    rows = (
        _unread(organisation)
        .values("agent_id", "agent__name")
        .annotate(
            events=Count("pk"),
            sessions=Count("session", distinct=True),
            oldest=Min("received_at"),
            set_aside=Count("session", distinct=True, filter=_resting(now)),
            paused=Count("pk", filter=Q(subject__paused_at__isnull=False)),
        )
        .order_by("oldest")
    )
    return [
        Inbox(
            row["agent_id"], row["agent__name"], row["events"], row["sessions"], row["oldest"], row["set_aside"],
            row["paused"],
        )
        for row in rows
    ]  # fmt: skip


def set_aside(organisation: uuid.UUID, *, now: datetime, most: int) -> list[Session]:
    """The sessions that no dream could read, the one that failed last first; `most` of them."""
    resting = _unread(organisation).filter(_resting(now)).values("session")
    found = Session.objects.filter(organisation_id=organisation, pk__in=resting).select_related("agent")
    return list(found.order_by("-dream_failed_at", "-pk")[:most])


def pending(organisation: uuid.UUID, *, now: datetime) -> QuerySet[Event]:
    """What a dream that begins by itself would read now."""
    return _unread(organisation).filter(subject__paused_at__isnull=True).exclude(_resting(now))


def of_dream(dream: Dream, *, now: datetime) -> QuerySet[Event]:
    """What one dream still has to read: not what it failed at already.

    While remembering is paused for a person, what they did before waits unread (R90).
    """
    if dream.requested_by in BY_ITSELF:
        events = pending(dream.organisation_id, now=now)
    else:
        events = _unread(dream.organisation_id).filter(subject__paused_at__isnull=True)
    if dream.started_at is not None:
        events = events.exclude(session__dream_failed_at__gte=dream.started_at)
    return events.filter(agent_id=dream.agent_id) if dream.agent_id else events


def count(dream: Dream, *, now: datetime) -> int:
    """How many sessions a dream still has to read."""
    found: int = of_dream(dream, now=now).aggregate(n=Count("session", distinct=True))["n"]
    return found


def sessions(dream: Dream, *, by: Principal, now: datetime) -> Iterator[tuple[uuid.UUID, uuid.UUID]]:
    """(session, agent) with unread events, the session that has waited longest first: looked up page by page, each in
    a transaction of its own, so that neither their number nor that of events is held in memory. Those that are there
    when it begins: what comes in meanwhile is the next dream's.
    """
    last: tuple[datetime, uuid.UUID] | None = None
    with acting_for(by, subjects=ALL_SUBJECTS):
        newest = of_dream(dream, now=now).aggregate(newest=Max("received_at"))["newest"]
    while newest is not None:
        with acting_for(by, subjects=ALL_SUBJECTS):
            events = of_dream(dream, now=now).filter(received_at__lte=newest)
            rows = events.values("session_id", "agent_id").annotate(first=Min("occurred_at"))
            if last is not None:
                rows = rows.filter(Q(first__gt=last[0]) | Q(first=last[0], session_id__gt=last[1]))
            page = list(rows.order_by("first", "session_id")[: conf.PENDING_PAGE])
        yield from ((row["session_id"], row["agent_id"]) for row in page)
        if len(page) < conf.PENDING_PAGE:
            return
        last = page[-1]["first"], page[-1]["session_id"]


def died_once(dream: Dream) -> list[tuple[uuid.UUID, uuid.UUID]]:
    """(session, agent) of those that a worker of this dream died in, for the first time: it may have been killed for
    another reason, so they are tried once more, after all others."""
    if dream.started_at is None:
        return []
    died = Session.objects.filter(
        organisation_id=dream.organisation_id, dream_failed_at__gte=dream.started_at, dream_error=DIED, dream_failures=1
    )  # fmt: skip
    return list(died.order_by("started_at", "pk").values_list("pk", "agent_id"))


def note_failure(session: uuid.UUID, error: str, *, now: datetime) -> None:
    """A dream could not read this session."""
    Session.objects.filter(pk=session).update(
        dream_failures=F("dream_failures") + 1, dream_failed_at=now, dream_error=error[:60]
    )


def note_success(session: uuid.UUID) -> None:
    """A dream read it; what went wrong before is over."""
    failed = Session.objects.filter(pk=session, dream_failures__gt=0)
    failed.update(dream_failures=0, dream_failed_at=None, dream_error="")


def failed_in(dream: Dream) -> list[str]:
    """The errors of the sessions that this dream could not read, one each."""
    if dream.started_at is None:
        return []
    failed = Session.objects.filter(organisation_id=dream.organisation_id, dream_failed_at__gte=dream.started_at)
    return sorted(failed.values_list("dream_error", flat=True))


def try_again(organisation: uuid.UUID) -> int:
    """Whatever was set aside is read by the next dream, whoever begins it; how many sessions."""
    failed = Session.objects.filter(organisation_id=organisation, dream_failures__gt=0)
    return failed.update(dream_failures=0, dream_failed_at=None, dream_error="")


def _unread(organisation: uuid.UUID) -> QuerySet[Event]:
    return Event.objects.filter(organisation_id=organisation, consolidated_at__isnull=True)


def _resting(now: datetime) -> Q:
    """Sessions that were set aside; a clock that was put back lets none of them wait for longer."""
    rests = Q(session__dream_failed_at__gt=now - conf.SESSION_REST, session__dream_failed_at__lte=now)
    return Q(session__dream_failures__gte=conf.SESSION_TRIES) & rests


# Room for more -------------------------------------------------------------------------------------------------------

_lock = threading.Lock()
_counted: dict[uuid.UUID, tuple[float, int]] = {}  # when by this process's clock, and how many since


def check_room(*, by: Principal) -> None:
    """Raise Backlog when conf.PENDING_EVENTS finished turns wait for a dream (R70).

    Counted at every turn near the limit, and every conf.PENDING_COUNTED_EVERY far from it.
    """
    organisation = by.organisation
    with _lock:
        at, known = _counted.get(organisation, (float("-inf"), 0))
        fresh = time.monotonic() - at < conf.PENDING_COUNTED_EVERY.total_seconds()
        if fresh and known + 1 < conf.PENDING_EVENTS / 2:
            _counted[organisation] = at, known + 1
            return
    with acting_for(by, subjects=ALL_SUBJECTS):  # whoever sends a turn sees one subject
        waiting = _unread(organisation)[: conf.PENDING_EVENTS].count()
    with _lock:
        _counted[organisation] = time.monotonic(), waiting
    if waiting >= conf.PENDING_EVENTS:
        raise Backlog(retry_after=int(conf.PENDING_RETRY.total_seconds()))
