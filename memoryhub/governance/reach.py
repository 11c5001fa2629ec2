"""What goes along when something is forgotten? Its versions, whatever says the same, the turns that carried the words,
and all that was made of these, at any distance (R91). Only read here; governance/removal.py takes it away.
"""

import uuid
from collections.abc import Collection, Iterable
from dataclasses import dataclass
from typing import Final

from django.db.models import Q

from memoryhub.models import Entry, Event, Lineage, Provenance, Session, Subject
from memoryhub.permissions import AUTHORITY_CATEGORIES
from memoryhub.vocabulary import Kind

#: How the origin of a quarter's one line begins (dreams/housekeeping/folding.py); the quarter follows.
FOLD: Final = "folded"

Ids = frozenset[uuid.UUID]


@dataclass(frozen=True)
class Reach:
    """What an erasure takes: the entries that were `named`, in all their versions; `entries`: those and what was made
    of them; the `events` that carried their words; `sessions` that go whole.
    """

    named: Ids = frozenset()
    entries: Ids = frozenset()
    events: Ids = frozenset()
    sessions: Ids = frozenset()
    keys: frozenset[str] = frozenset()

    def __or__(self, other: "Reach") -> "Reach":
        return Reach(
            self.named | other.named, self.entries | other.entries, self.events | other.events,
            self.sessions | other.sessions, self.keys | other.keys,
        )  # fmt: skip


def of_entries(
    entries: Collection[uuid.UUID],
    *,
    subject: uuid.UUID,
    events: Collection[uuid.UUID] = (),
    sessions: Collection[uuid.UUID] = (),
) -> Reach:
    """What goes with these entries about one subject; `events` and `sessions` go besides, with what sums them up."""
    named = with_twins(versions_of(entries), subject=subject)
    carriers = _carriers(named, subject=subject) | set(events)
    derived = _derived_from(named) | _over(carriers) | _over_pruned(named)
    derived |= _derived_from(derived)
    keys = Entry.objects.filter(pk__in=named).exclude(key="").values_list("key", flat=True)
    return Reach(
        frozenset(named), frozenset(named | derived), frozenset(carriers), frozenset(sessions), frozenset(keys)
    )


def of_subject(subject: Subject) -> Reach:
    """Everything about one subject, what was made of it about others, and what sums up what they said for a group."""
    own = set(Entry.objects.filter(subject=subject).values_list("pk", flat=True))
    events = set(Event.objects.filter(subject=subject).values_list("pk", flat=True))
    sessions = Session.objects.filter(subject=subject).values_list("pk", flat=True)
    spoken = set(Event.objects.filter(speaker=subject).values_list("pk", flat=True))
    derived = _derived_from(own) | _over(events | spoken)
    derived |= _derived_from(derived)
    return Reach(frozenset(own), frozenset(own | derived), frozenset(events), frozenset(sessions))


def of_conversation(agent: uuid.UUID | None, ref: str, *, subject: uuid.UUID, keep_facts: bool) -> Reach:
    """One conversation of an agent with a subject: what sums it up, its turns, and, unless they are kept, the facts
    that came from it. What gives a right or sets a limit stays.
    """
    sessions = Session.objects.filter(agent=agent, external_id=ref, subject=subject).values_list("pk", flat=True)
    events = set(Event.objects.filter(session__in=sessions).values_list("pk", flat=True))
    told = Entry.objects.filter(subject=subject, provenance__agent=agent, provenance__session_ref=ref)
    meant = Q(kind=Kind.EPISODIC)
    if not keep_facts:
        meant |= Q(kind=Kind.SEMANTIC) & ~Q(category__in=AUTHORITY_CATEGORIES)
    return of_entries(
        list(told.filter(meant).values_list("pk", flat=True)), subject=subject, events=events, sessions=list(sessions)
    )


def of_lapsed(entries: Collection[uuid.UUID]) -> Reach:
    """What goes with entries whose time is over: their versions and what was made of them. The turns and what sums them
    up have lifetimes of their own.
    """
    named = versions_of(entries)
    return Reach(frozenset(named), frozenset(named | _derived_from(named)))


def versions_of(entries: Iterable[uuid.UUID]) -> set[uuid.UUID]:
    """The entries with all they superseded and all that superseded them."""
    found = edge = set(entries)
    while edge:
        older = Entry.objects.filter(superseded_by_set__in=edge).values_list("pk", flat=True)
        newer = Entry.objects.filter(supersedes__in=edge).values_list("pk", flat=True)
        edge = (set(older) | set(newer)) - found
        found = found | edge
    return found


def with_twins(entries: set[uuid.UUID], *, subject: uuid.UUID) -> set[uuid.UUID]:
    """These facts and whatever else says the same of the subject: a proposal that waits, one that was declined, history
    of another line. A right or a limit is a twin of nothing.
    """
    facts = Entry.objects.filter(subject=subject, kind=Kind.SEMANTIC).exclude(category__in=AUTHORITY_CATEGORIES)
    marks = set(facts.filter(pk__in=entries).values_list("fingerprint", flat=True))
    twins = set(facts.filter(fingerprint__in=marks).values_list("pk", flat=True)) - entries
    return entries | versions_of(twins) if twins else entries


def _derived_from(entries: Collection[uuid.UUID]) -> set[uuid.UUID]:
    """Everything that came from these entries, at any distance."""
    found: set[uuid.UUID] = set()
    edge = set(entries)
    while edge:
        edge = set(Lineage.objects.filter(parent__in=edge).values_list("child_id", flat=True)) - found
        found |= edge
    return found


def _carriers(entries: Collection[uuid.UUID], *, subject: uuid.UUID) -> set[uuid.UUID]:
    """The events whose words these entries are: by lineage, named in their provenance, or said once more in them."""
    found = set(Event.objects.filter(derived__child__in=entries).values_list("pk", flat=True))
    for agent, refs in _by_agent(entries).items():
        found |= set(Event.objects.filter(agent_id=agent, external_id__in=refs).values_list("pk", flat=True))
    wanted = {str(pk) for pk in entries}
    told = Event.objects.filter(subject=subject).exclude(claims=[]).values_list("pk", "claims")
    return found | {pk for pk, claims in told if any(claim.get("entry") in wanted for claim in claims)}


def _over(events: Collection[uuid.UUID]) -> set[uuid.UUID]:
    """Summaries over these events; the person's own statements from the same turn stay."""
    rows = Lineage.objects.filter(event__in=events, child__kind=Kind.EPISODIC)
    return set(rows.values_list("child_id", flat=True))


def _over_pruned(entries: Collection[uuid.UUID]) -> set[uuid.UUID]:
    """Summaries over events that are pruned by now, whose ids outlive them (R72): there is nothing to sum up anew."""
    found: set[uuid.UUID] = set()
    for agent, refs in _by_agent(entries).items():
        rows = Lineage.objects.filter(
            child__agent_id=agent, event_ref__in=refs, event__isnull=True, parent__isnull=True,
            child__kind=Kind.EPISODIC,
        )  # fmt: skip
        found |= set(rows.values_list("child_id", flat=True))
    return found


def _by_agent(entries: Collection[uuid.UUID]) -> dict[uuid.UUID, set[str]]:
    """The ids of the events that entries name as their origin, by the agent whose ids they are."""
    origins = Provenance.objects.filter(entry__in=entries, agent__isnull=False).exclude(event_ref="")
    found: dict[uuid.UUID, set[str]] = {}
    for agent, ref in origins.values_list("agent_id", "event_ref"):
        if agent is not None:
            found.setdefault(agent, set()).add(ref)
    return found
