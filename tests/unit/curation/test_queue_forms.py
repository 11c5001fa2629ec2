"""Until when is something put off? In the visitor's own zone."""

from datetime import UTC, datetime
from zoneinfo import ZoneInfo

import pytest

from curation.queue_forms import EscalateForm, SnoozeForm

MONDAY = datetime(2026, 11, 30, 23, 30, tzinfo=UTC)  # already Tuesday in Kolkata


def moment(zone: str, **sent: str) -> datetime:
    form = SnoozeForm(sent)
    assert form.is_valid()
    return form.moment(now=MONDAY, zone=ZoneInfo(zone))


@pytest.mark.parametrize(
    ("canned", "zone", "local"),
    [
        ("hours", "UTC", "2026-12-01T03:30"),
        ("tomorrow", "UTC", "2026-12-01T09:00"),
        ("tomorrow", "Asia/Kolkata", "2026-12-02T09:00"),
        ("monday", "UTC", "2026-12-07T09:00"),
        ("days", "UTC", "2026-12-03T23:30"),
    ],
)
def test_the_usual_times_are_the_visitor_s(canned: str, zone: str, local: str) -> None:
    assert moment(zone, canned=canned) == datetime.fromisoformat(local).replace(tzinfo=ZoneInfo(zone))


def test_nothing_chosen_and_nonsense_are_asked_about_again() -> None:
    for sent in ({}, {"until": "soon"}, {"canned": "never"}):
        assert not SnoozeForm(sent).is_valid()
    assert not EscalateForm({}).is_valid()
    both = EscalateForm({"canned": "It may be an attack", "text": "see the mail"})
    assert both.is_valid()
    assert both.reason == "It may be an attack: see the mail"
