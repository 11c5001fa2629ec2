"""Are the estimates behind the figures near to what the hub does?"""

from datetime import UTC, datetime

import pytest

from memoryhub.governance.figures import Period, Saved, block_of
from memoryhub.governance.zones import first_of
from memoryhub.providers.embeddings import embedder
from memoryhub.recall.rendering import Note, render
from memoryhub.vocabulary import Category, Channel, Kind, Role

NOW = datetime(2026, 11, 30, 23, 30, tzinfo=UTC)
SENTENCES = (
    "The boiler in flat 4 is serviced every March.",
    "I take the early shift on Tuesdays.",
    "Parcels for the workshop go to the side entrance, never to reception.",
    "Our team writes dates as day, month, year and wants amounts in euros, with the tax shown on a line of its own.",
)


def note(number: int) -> Note:
    own = number % 3 != 0
    return Note(
        id=str(number), subject="nia", text=SENTENCES[number % len(SENTENCES)], key="", value="", entity="",
        kind=Kind.SEMANTIC if own else Kind.EPISODIC, category=Category.GENERAL, single=False, source="",
        role=Role.CUSTOMER if own else Role.DREAMER, channel=Channel.USER_MESSAGE if own else Channel.DREAM,
        written_at=NOW, valid_from=NOW, confidence=0.9, authority=0.5, speaker="nia" if own else "",
    )  # fmt: skip


@pytest.mark.parametrize("count", [3, 20, 80])
def test_what_all_of_it_would_take_is_estimated_as_recall_would_render_it(count: int) -> None:
    notes = [note(number) for number in range(count)]
    rendered = embedder().count_tokens(render(notes, now=NOW, looked_for="", omitted=0))
    estimated = block_of(notes=count, characters=sum(len(one.text) for one in notes))
    assert abs(estimated - rendered) <= 0.15 * rendered


def test_the_example_of_r102_comes_out_as_written_there() -> None:
    """50,000 turns a day, 200 facts of 40 tokens against 5 of them, $2 a million: 40 times, $780 a day."""
    day = Saved(reads=50_000, given=50_000 * 5 * 40, all=50_000 * 200 * 40)
    assert (day.times, day.dollars(2)) == (40, 780)


def test_recall_that_gave_more_than_there_is_saved_nothing() -> None:
    assert Saved(reads=1, given=90, all=60).saved == 0


def test_days_are_those_of_the_zone() -> None:
    period = Period(7, NOW, first_of("Asia/Kolkata"))
    assert (len(period.dates), period.dates[-1].isoformat()) == (7, "2026-12-01")
    assert period.start.isoformat() == "2026-11-25T00:00:00+05:30"
