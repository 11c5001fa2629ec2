"""What lapsed long ago is erased by the path of every erasure; a line that loses an episode is folded anew (R5, R91)."""

from collections.abc import Callable
from datetime import timedelta

from memoryhub import conf
from memoryhub.governance import erasure, upkeep
from memoryhub.models import Entry, Erasure, ForgottenMark
from memoryhub.vocabulary import Channel, Chore, Deed, Ending, Kind, Role, Status
from tests.factories.ground import NOW, Ground
from tests.factories.turns import all_of
from tests.integration.housekeeping.conftest import Keep, Tell

YEAR = timedelta(days=365)
LAPSED = NOW + YEAR + timedelta(days=1)
LONG_AGO = LAPSED + conf.LAPSED_KEPT + timedelta(days=1)
INFERENCE = {"channel": Channel.AGENT_INFERENCE, "role": Role.AGENT}


def test_what_lapsed_is_history_for_a_month_and_then_erased_with_a_receipt(
    ground: Ground, tell: Tell, keep: Keep
) -> None:
    tell("I prefer aisle seats.")
    keep(Chore.EXPIRE, LAPSED)
    assert keep(Chore.ERASE, LAPSED + timedelta(days=1)).counts == {}
    run = keep(Chore.ERASE, LONG_AGO)
    assert run.counts == {Deed.ERASED: 1}
    assert keep(Chore.ERASE, LONG_AGO).counts == {}
    with all_of(ground):
        assert (Entry.objects.count(), ForgottenMark.objects.count()) == (0, 0)
        receipt = Erasure.objects.get()
    assert (receipt.ending, receipt.removed["entries"], receipt.remaining) == (Ending.LAPSED, 1, 0)
    assert receipt.options["entries"] == [run.lines[0][2]]


def test_it_may_be_said_again(ground: Ground, tell: Tell, keep: Keep) -> None:
    tell("I prefer aisle seats.")
    keep(Chore.EXPIRE, LAPSED)
    keep(Chore.ERASE, LONG_AGO)
    assert tell("The customer prefers aisle seats.", now=LONG_AGO, **INFERENCE).status == Status.PROPOSED


def test_the_history_of_what_is_in_use_stays(ground: Ground, tell: Tell, keep: Keep) -> None:
    tell("I live in Lisbon.")
    newest = tell("I live in Porto.", now=NOW + timedelta(days=170))
    with all_of(ground):
        assert not Entry.objects.filter(upkeep.lapsed_long_ago(NOW + timedelta(days=300))).exists()
    keep(Chore.ERASE, NOW + timedelta(days=300))
    with all_of(ground):
        assert Entry.objects.count() == 2
    keep(Chore.EXPIRE, newest.expires_at)
    keep(Chore.ERASE, newest.expires_at + conf.LAPSED_KEPT)
    with all_of(ground):
        assert Entry.objects.count() == 0


def test_what_was_put_aside_or_declined_goes_when_its_lifetime_is_over(ground: Ground, tell: Tell, keep: Keep) -> None:
    entry = tell("The customer prefers short calls.", **INFERENCE)
    with all_of(ground):
        Entry.objects.get(pk=entry.pk)
    assert keep(Chore.ERASE, LONG_AGO).counts == {}  # it waits: nobody decided yet


def test_a_line_that_loses_an_episode_is_folded_anew_without_it(
    ground: Ground, episode: Callable[..., Entry], keep: Keep
) -> None:
    one = episode("No action was taken.", on=NOW)
    episode("Move booking succeeded.", on=NOW + timedelta(days=1))
    moment = NOW + YEAR + timedelta(days=1)
    keep(Chore.FOLD, moment)
    with all_of(ground):
        erasure.erase_entry(entry=one, by=ground.as_agent, now=moment)
        assert list(Entry.objects.values_list("status", flat=True)) == [Status.ACCEPTED]
    keep(Chore.FOLD, moment)
    keep(Chore.EXPIRE, moment)
    with all_of(ground):
        line = Entry.objects.get(kind=Kind.EPISODIC, status=Status.ACCEPTED)
    assert line.content.startswith("2026-10 to 2026-12, 1 episode.")
    assert "Move booking succeeded." in line.content
    assert "No action" not in line.content
