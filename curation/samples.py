"""What does the gallery show? Made-up things, run through the same code as the real ones."""

from collections import Counter
from datetime import UTC, date, datetime, timedelta
from types import SimpleNamespace
from typing import Final
from uuid import UUID

from curation import charts as drawn
from curation.charts import Chart
from curation.differences import Part, by_words
from memoryhub.governance import figures
from memoryhub.governance.figures import Decided, Forgotten, Gate, Reads, Recalls

COLOURS: Final = ("ground", "surface", "sunk", "ink", "soft", "line", "accent", "good", "warn", "bad")
TONES: Final = (("", "Plain"), ("accent", "Skill"), ("good", "In use"), ("warn", "Waiting"), ("bad", "Refused"))
UNSEEN: Final = "Approve this\u202e now\u200b, please"
REFUSALS: Final = {
    400: "The form was cut off on its way. Go back and send it again.",
    401: "Your session ended; what you typed is still on the page before this one.",
    403: "Only a curator decides. Ask one of them, or whoever runs this server.",
    404: "The page is absent, or it is not yours to see.",
    405: "This address takes a form, not a visit. Nothing was changed.",
    409: "Dee approved it 20 seconds ago. Your decision was not recorded.",
    412: "It is not what you saw: look at it as it is now, and decide again.",
    413: "A text may have 64 kB; this one has more.",
    422: "Write a reason, so that the other curators know why.",
    429: "Wait ten seconds, then go on.",
    503: "The audit trail can't be written just now, so nothing may be changed. Try again in a moment.",
}  # fmt: skip
#: A decision that came first, as templates/curation/queue/_outcome.html shows it.
CONFLICT: Final = SimpleNamespace(
    pk=UUID(int=0), state="approved", get_state_display="approved", decided_by_id="dee", decided_reason="",
    decided_by=SimpleNamespace(email="dee@example.org"), decided_at=datetime(2026, 11, 30, 9, 12, tzinfo=UTC),
    merged_into=None,
)  # fmt: skip
_LAST: Final = date(2026, 11, 30)


def changes() -> list[Part]:
    """Words that went and came."""
    return by_words("Refunds are paid within 14 days of the return.", "Refunds are paid within 10 days, by card.")


def charts() -> list[Chart]:
    """One of each kind: stacked bars, lines with a gap, heat strips, and one with nothing in it."""
    days = [_LAST - timedelta(days=back) for back in reversed(range(14))]
    claims = {
        day: Counter(
            {
                figures.KEPT: (place * 7) % 11 + 3, figures.ASKED: place % 4, figures.REFUSED: place % 3,
                figures.PASSED: (place * 5) % 7,
            }
        )
        for place, day in enumerate(days)
    }  # fmt: skip
    reads = {
        day: Reads(40, 6, None, None) if place in (5, 6) else Reads(40, 6, 18.0 + place % 5, 44.0 + (place * 7) % 23)
        for place, day in enumerate(days)
    }
    by_hour = [0, 0, 0, 0, 0, 1, 3, 9, 22, 31, 28, 25, 14, 19, 27, 30, 26, 18, 9, 6, 4, 2, 1, 0]
    return [
        drawn.gate(Gate(claims, Counter(), Counter())),
        drawn.latency(Recalls(Reads(560, 84, 20.0, 61.0), reads, by_hour)),
        drawn.hours(Recalls(Reads(), reads, by_hour)),
        drawn.forgotten(Forgotten({day: (place % 3, (place % 3) * 4) for place, day in enumerate(days)})),
        drawn.decided(Decided({day: Counter() for day in days}, None)),
    ]
