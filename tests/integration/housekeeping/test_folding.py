"""Old episodes become one dated line a quarter, in their own words (R5, R77)."""

from collections.abc import Callable
from datetime import UTC, datetime, timedelta

import pytest

from memoryhub import conf
from memoryhub.dreams.housekeeping.telling import sentences_of, without_particulars
from memoryhub.governance import erasure
from memoryhub.models import Entry, Subject
from memoryhub.vocabulary import Category, Channel, Chore, Deed, Kind, Sensitivity, Status
from tests.factories.ground import Ground
from tests.factories.turns import all_of
from tests.integration.housekeeping.conftest import Keep, Tell

Episode = Callable[..., Entry]
YEAR = timedelta(days=365)


def day(month: int, number: int) -> datetime:
    return datetime(2026, month, number, 12, tzinfo=UTC)


def lines(ground: Ground, status: Status = Status.ACCEPTED) -> list[Entry]:
    with all_of(ground):
        rows = Entry.objects.filter(kind=Kind.EPISODIC, status=status, provenance__ref__startswith="folded")
        return list(rows.select_related("provenance").order_by("provenance__ref"))


def test_a_quarters_episodes_become_one_line_with_all_its_sources(
    ground: Ground, episode: Episode, keep: Keep, look: Callable[[Entry], Entry]
) -> None:
    one = episode('Cancel booking (booking id 81) was refused: "Booking 81 has begun. Sorry".', on=day(1, 10))
    two = episode("No action was taken.", on=day(1, 20))
    three = episode("No action was taken.", on=day(2, 1))
    other = episode("Move booking succeeded.", on=day(4, 2))
    moment = day(1, 10) + YEAR
    assert keep(Chore.FOLD, moment - timedelta(days=30)).counts == {}
    run = keep(Chore.FOLD, moment)
    assert run.counts == {Deed.FOLDED: 3}
    (line,) = lines(ground)
    assert line.content == (
        '2026-01 to 2026-03, 3 episodes. 2026-01-10: Cancel booking (booking id 81) was refused: "Booking 81 has begun. '
        'Sorry". 2026-01-20, 2026-02-01: No action was taken.'
    )
    assert (line.provenance.ref, line.provenance.channel, line.category) == (
        "folded 2026-Q1", Channel.DREAM, Category.EPISODE_OUTCOME,
    )  # fmt: skip
    assert line.valid_from == day(2, 1)
    assert line.expires_at == moment + conf.FOLDED_LIFETIME
    assert line.authority <= min(entry.authority for entry in (one, two, three))
    with all_of(ground):
        assert set(line.lineage.values_list("parent_id", flat=True)) == {one.pk, two.pk, three.pk}
    assert {look(entry).status for entry in (one, two, three)} == {Status.REPLACED}
    assert look(other).status == Status.ACCEPTED
    assert keep(Chore.FOLD, moment).counts == {}
    assert keep(Chore.EXPIRE, moment).counts == {}


def test_episodes_of_the_quarter_that_lapse_later_come_into_the_same_line(
    ground: Ground, episode: Episode, keep: Keep
) -> None:
    first, last = episode("No action was taken.", on=day(1, 2)), episode("Move booking succeeded.", on=day(3, 30))
    keep(Chore.FOLD, day(1, 2) + YEAR)
    keep(Chore.FOLD, day(3, 30) + YEAR)
    (line,) = lines(ground)
    assert line.content.startswith("2026-01 to 2026-03, 2 episodes. 2026-01-02: No action")
    with all_of(ground):
        assert set(line.lineage.values_list("parent_id", flat=True)) == {first.pk, last.pk}
    (former,) = lines(ground, Status.REPLACED)
    assert line.supersedes_id == former.pk


def test_the_strictest_of_its_sources_decides_who_reads_it(ground: Ground, episode: Episode, keep: Keep) -> None:
    episode("No action was taken.", on=day(1, 2))
    episode("Move booking succeeded.", on=day(1, 3), sensitivity=Sensitivity.RESTRICTED)
    keep(Chore.FOLD, day(1, 3) + YEAR)
    (line,) = lines(ground)
    assert line.sensitivity == Sensitivity.RESTRICTED


def test_a_line_too_long_leaves_whole_sentences_out_and_counts_them(
    ground: Ground, episode: Episode, keep: Keep, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(conf, "FOLDED_CHARACTERS", 130)
    for number in range(1, 6):
        episode(f"Book room (room {number}) succeeded, as was asked for.", on=day(1, number))
    keep(Chore.FOLD, day(1, 5) + YEAR)
    (line,) = lines(ground)
    assert line.content.endswith("Book room (room 1) succeeded, as was asked for. 4 more are not told here.")


def test_what_can_not_be_folded_lapses_in_the_end(
    ground: Ground, asha: Subject, episode: Episode, keep: Keep, look: Callable[[Entry], Entry]
) -> None:
    entry = episode("No action was taken.", on=day(1, 2))
    with all_of(ground):
        asha.paused_at, asha.paused_by = day(1, 3), "herself"
        asha.save()
        ground.vouch("subject.pause", "subject", asha.pk)
    assert keep(Chore.FOLD, day(1, 3) + YEAR).counts == {}
    assert keep(Chore.EXPIRE, day(1, 3) + YEAR).counts == {}
    assert keep(Chore.EXPIRE, day(1, 3) + YEAR + conf.FOLD_GRACE).counts == {Deed.EXPIRED: 1}
    assert look(entry).status == Status.EXPIRED


def test_erasing_a_source_takes_the_line_along(ground: Ground, episode: Episode, keep: Keep) -> None:
    one = episode("No action was taken.", on=day(1, 2))
    episode("Move booking succeeded.", on=day(1, 3))
    keep(Chore.FOLD, day(1, 3) + YEAR)
    with all_of(ground):
        erasure.erase_entry(entry=one, by=ground.as_agent, now=day(1, 3) + YEAR)
    assert lines(ground) == []


def test_what_an_agent_told_is_dated_by_when_it_was(ground: Ground, tell: Tell, keep: Keep) -> None:
    tell(
        "The disk was replaced.", now=day(2, 5), said_at=day(2, 5), channel=Channel.CURATOR, role="curator",
        kind=Kind.EPISODIC, category=Category.EPISODE_OUTCOME,
    )  # fmt: skip
    keep(Chore.FOLD, day(2, 5) + YEAR)
    (line,) = lines(ground)
    assert line.content == "2026-01 to 2026-03, 1 episode. 2026-02-05: The disk was replaced."


@pytest.mark.parametrize(
    ("text", "sentences"),
    [
        ('Move failed: "No seat. Sorry". Then it held.', ('Move failed: "No seat. Sorry".', "Then it held.")),
        ("Book (size 4.5 m. Wide) succeeded. Looked up: room.", ("Book (size 4.5 m. Wide) succeeded.", "Looked up: room.")),
        ("One without an end", ("One without an end",)),
        ("", ()),
    ],
)  # fmt: skip
def test_sentences_are_told_apart_outside_quotes_and_brackets(text: str, sentences: tuple[str, ...]) -> None:
    assert sentences_of(text) == sentences


@pytest.mark.parametrize(
    ("sentence", "bare"),
    [
        ('Cancel booking (booking id 81) was refused: "Booking 81 has begun".', "Cancel booking was refused"),
        ('Move booking failed: "busy"; then it succeeded.', "Move booking failed; then it succeeded"),
        ("Room 12 was booked.", ""),
    ],
)
def test_what_recurs_of_a_sentence_has_no_particulars(sentence: str, bare: str) -> None:
    assert without_particulars(sentence) == bare
