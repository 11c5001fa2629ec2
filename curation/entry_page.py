"""What does the page of one memory show? All that is kept about it, in a fixed number of queries (R92, R93).

Its words with those they were read from, what became of it version by version, what it was made from and what was made
from it, who was given it, what was decided about it and what waits.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from django.db.models import Q, QuerySet
from django.urls import reverse

from accounts.models import Agent
from curation.differences import Part, by_words
from curation.highlighting import Piece, pieces
from curation.lineage import Kin, Picture, across, down
from curation.templatetags.hub import written_out
from memoryhub.governance import edits, given, reading
from memoryhub.models import Decision, Entry, Event, Lineage, Recall, ReviewItem
from memoryhub.vocabulary import Channel, Op, ReviewState, Scope

READS = 10  # newest recalls that are listed; the rest are on the page of recalls
RELATIVES = 50  # sources, and memories made from it, that are listed
VERSIONS = 30  # newest that are listed
DECIDED = 20  # newest decisions of people that are listed
_STEPS_SHOWN = (Op.ADD, Op.UPDATE, Op.NOOP, Op.QUEUED)


@dataclass(frozen=True)
class Version:
    """One version with what it changed against the one before it, newest first."""

    entry: Entry
    changes: Sequence[Part]
    shown: bool


@dataclass(frozen=True)
class Descent:
    """What it was made from and what was made from it; `more_…`: there are others that are not listed."""

    sources: Sequence[Lineage]
    derived: Sequence[Lineage]
    turn: str  # of its own words, where no list of sources holds it
    more_sources: bool
    more_derived: bool
    wide: Picture | None
    narrow: Picture | None

    @property
    def known(self) -> bool:
        """Whether there is anything to draw."""
        return self.wide is not None


@dataclass(frozen=True)
class Told:
    """The whole page of one memory."""

    entry: Entry
    keeper: Agent | None  # the one agent that may read it, where that is its scope
    said: Sequence[Piece]
    heard_at: Event | None
    versions: Sequence[Version]
    more_versions: int
    descent: Descent
    reads: Sequence[Recall]
    read_count: int
    gate: Sequence[tuple[Decision, dict[str, object]]]
    decided: Sequence[ReviewItem]
    waiting: Sequence[ReviewItem]
    newest: Entry
    edited: edits.Edit | None


def told(entry: Entry) -> Told:
    """Read the page of an entry that came from reading.entry."""
    origin = entry.provenance
    event = (
        Event.objects.filter(agent=origin.agent_id, external_id=origin.event_ref).first() if _from_turn(entry) else None
    )
    message = event.user_input if event is not None and not event.withheld else ""
    said = pieces(message, origin.quote)
    if not any(piece.marked for piece in said):  # pruned, withheld, or put together from several sentences
        said = pieces(origin.quote, entry.value) if origin.channel != Channel.DREAM else []
    versions = reading.versions(entry)
    items = (
        ReviewItem.objects.filter(Q(entry=entry) | Q(rival=entry))
        .select_related("entry", "decided_by", "proposer", "agent", "claimed_by")
        .order_by("-waiting_since", "-id")
    )
    reads = given.reads_of(entry)
    return Told(
        entry=entry,
        keeper=entry.agent if entry.scope == Scope.AGENT else None,
        said=said,
        heard_at=event,
        versions=_changes(versions, entry)[:VERSIONS],
        more_versions=max(0, len(versions) - VERSIONS),
        descent=_descent(entry, event),
        reads=list(reads[:READS]),
        read_count=reads.count(),
        gate=_gate(entry),
        decided=list(items.exclude(state=ReviewState.WAITING)[:DECIDED]),
        waiting=list(items.filter(state=ReviewState.WAITING)),
        newest=versions[-1] if versions else entry,
        edited=edits.of(entry),
    )  # fmt: skip


def _from_turn(entry: Entry) -> bool:
    return bool(entry.provenance.event_ref) and entry.provenance.agent_id is not None


def _changes(versions: Sequence[Entry], shown: Entry) -> list[Version]:
    found = []
    for before, after in zip([None, *versions], versions, strict=False):
        changes = by_words(before.content, after.content) if before is not None else ()
        found.append(Version(after, changes, shown=after.pk == shown.pk))
    return found[::-1]


def _gate(entry: Entry) -> list[tuple[Decision, dict[str, object]]]:
    """The decisions of the gate that made or met this version: those of the moment it began, which name it."""
    rows = Decision.objects.filter(organisation_id=entry.organisation_id, subject=entry.subject_id)
    moments = {entry.recorded_at, entry.provenance.recorded_at}
    return [
        (decision, result)
        for decision in rows.filter(created_at__in=moments).select_related("agent", "user").order_by("id")
        for result in decision.results
        if result.get("entry") == str(entry.pk) and result["op"] in _STEPS_SHOWN
    ]


def _descent(entry: Entry, event: Event | None) -> Descent:
    sources = _kept(entry.lineage.all())
    derived = _kept(entry.derived.all())
    turn = entry.provenance.event_ref if _from_turn(entry) and not sources else ""
    above = [_source(edge) for edge in sources[:RELATIVES]]
    if turn:
        above.append(_turn(event, turn))
    below = [_entry(edge.child) for edge in derived[:RELATIVES]]
    own = Kin(written_out(entry.content), f"this memory, {entry.get_status_display()}")
    drawn = bool(above or below)
    return Descent(
        sources=sources[:RELATIVES], derived=derived[:RELATIVES], turn=turn,
        more_sources=len(sources) > RELATIVES, more_derived=len(derived) > RELATIVES,
        wide=across(above, own, below) if drawn else None, narrow=down(above, own, below) if drawn else None,
    )  # fmt: skip


def _kept(edges: "QuerySet[Lineage]") -> list[Lineage]:
    return list(
        edges.select_related("parent", "child", "event")
        .defer("parent__embedding", "parent__search", "child__embedding", "child__search")
        .order_by("id")[: RELATIVES + 1]
    )


def _source(edge: Lineage) -> Kin:
    if edge.parent is not None:
        return _entry(edge.parent)
    return _turn(edge.event, edge.event_ref)


def _turn(event: Event | None, ref: str) -> Kin:
    """A turn by the person's words, while they are kept."""
    name = f"turn {written_out(ref)}"
    if event is None:
        return Kin(f"T{name[1:]}", "its words are pruned")
    return Kin(written_out(event.user_input) or "Its words are withheld", f"{name}, {event.occurred_at:%-d %B %Y}")


def _entry(entry: Entry) -> Kin:
    url = reverse("curation:memory-item", args=[entry.pk])
    return Kin(written_out(entry.content), f"{entry.get_kind_display()}, {entry.get_status_display()}", url)
