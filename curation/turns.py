"""In which turns was a claim said? The words of the conversation it came from, the exact place marked (R92)."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from curation.highlighting import Piece, pieces
from memoryhub.models import Entry, Event

TURNS = 6  # shown of those an entry came from


@dataclass(frozen=True)
class TurnShown:
    """One turn: what the person and the agent said, redacted as it is kept, with the claim's words marked."""

    session_ref: str
    said_at: datetime
    person: Sequence[Piece]
    agent: Sequence[Piece]
    withheld: bool

    @property
    def person_marked(self) -> bool:
        """Whether the claim's words are the person's."""
        return _holds(self.person)

    @property
    def agent_marked(self) -> bool:
        """Whether the claim's words are the agent's."""
        return _holds(self.agent)


def turns_behind(entry: Entry) -> list[TurnShown]:
    """The turns an entry came from, oldest first, while their words are kept: its own, or those it was made from."""
    origin = entry.provenance
    events = Event.objects.select_related("session").order_by("occurred_at", "id")
    if origin.event_ref:
        events = events.filter(agent=origin.agent_id, external_id=origin.event_ref)
    else:
        events = events.filter(derived__child=entry)
    return [_shown(event, origin.quote) for event in events[:TURNS]]


def _shown(event: Event, quote: str) -> TurnShown:
    person = pieces(event.user_input, quote)
    agent = pieces(event.assistant_output, "" if _holds(person) else quote)
    return TurnShown(
        session_ref=event.session.external_id, said_at=event.occurred_at, person=person, agent=agent,
        withheld=bool(event.withheld),
    )  # fmt: skip


def _holds(parts: Sequence[Piece]) -> bool:
    return any(part.marked for part in parts)
