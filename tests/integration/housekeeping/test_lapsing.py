"""What nobody confirms is asked about and lapses; what nobody uses is put aside (R5, R77)."""

from collections.abc import Callable
from datetime import datetime, timedelta

import pytest

from memoryhub import conf
from memoryhub.governance import confirmation, decisions, erasure, upkeep
from memoryhub.models import AuditEvent, Entry, ReviewItem, Subject
from memoryhub.vocabulary import Chore, Deed, Reason, ReviewState, ReviewType, Role, Status
from tests.factories.ground import NOW, Ground
from tests.factories.turns import all_of, post
from tests.integration.housekeeping.conftest import Keep, Tell

Look = Callable[[Entry], Entry]
YEAR = timedelta(days=365)
SOON = NOW + YEAR - timedelta(days=10)  # a preference lapses in ten days
LATER = NOW + YEAR + timedelta(days=1)


def waiting(ground: Ground) -> list[ReviewItem]:
    with all_of(ground):
        return list(ReviewItem.objects.filter(state=ReviewState.WAITING).order_by("waiting_since"))


class TestExpire:
    def test_what_nobody_confirmed_lapses_once_and_stays_as_history(
        self, ground: Ground, tell: Tell, keep: Keep, look: Look
    ) -> None:
        entry = tell("I prefer aisle seats.")
        assert keep(Chore.EXPIRE, SOON).counts == {}
        assert look(entry).status == Status.ACCEPTED
        run = keep(Chore.EXPIRE, LATER)
        assert (run.counts, run.lines, run.seen) == ({Deed.EXPIRED: 1}, [[Deed.EXPIRED, "entry", str(entry.pk)]], 1)
        assert (look(entry).status, look(entry).recorded_until) == (Status.EXPIRED, LATER)
        assert keep(Chore.EXPIRE, LATER).counts == {}
        with all_of(ground):
            rows = AuditEvent.objects.filter(object_id=str(entry.pk), action="entry.expire")
            assert [(row.actor, row.at) for row in rows] == [("system:housekeeping:expire", LATER)]

    def test_one_that_was_confirmed_lives_on(
        self, ground: Ground, asha: Subject, tell: Tell, keep: Keep, look: Look
    ) -> None:
        entry = tell("I prefer aisle seats.")
        post(ground, asha, "I prefer aisle seats.", now=SOON)
        keep(Chore.EXPIRE, LATER)
        assert look(entry).status == Status.ACCEPTED

    def test_an_answer_between_looking_and_doing_counts(self, ground: Ground, tell: Tell, look: Look) -> None:
        entry = tell("I prefer aisle seats.")
        with all_of(ground):
            confirmation.confirm(entry=entry, by=ground.as_agent, now=SOON)
            assert not upkeep.expire(entry=entry, by=ground.as_hub, now=LATER)
            assert not upkeep.archive(entry=entry, by=ground.as_hub, now=LATER)
            assert not upkeep.ask(entry=entry, by=ground.as_hub, now=SOON)
        assert look(entry).status == Status.ACCEPTED

    def test_more_than_one_transaction_takes_goes_in_several(
        self, monkeypatch: pytest.MonkeyPatch, tell: Tell, keep: Keep
    ) -> None:
        monkeypatch.setattr(conf, "KEPT_AT_ONCE", 2)
        for name in ("aisle seats", "early trains", "quiet hotels", "dark roast", "green folders"):
            tell(f"I prefer {name}.")
        run = keep(Chore.EXPIRE, LATER)
        assert (run.counts, run.seen, len(run.lines)) == ({Deed.EXPIRED: 5}, 1, 5)

    def test_what_waits_for_a_person_about_it_is_withdrawn(self, ground: Ground, tell: Tell, keep: Keep) -> None:
        tell("I prefer aisle seats.")
        keep(Chore.ASK, SOON)
        keep(Chore.EXPIRE, LATER)
        assert waiting(ground) == []


class TestAsk:
    def test_a_fact_past_its_review_date_is_put_before_a_curator_once(
        self, ground: Ground, tell: Tell, keep: Keep
    ) -> None:
        entry = tell("I prefer aisle seats.")
        assert keep(Chore.ASK, NOW + timedelta(days=300)).counts == {}
        assert keep(Chore.ASK, SOON).counts == {Deed.ASKED: 1}
        assert keep(Chore.ASK, SOON + timedelta(days=1)).counts == {}
        (item,) = waiting(ground)
        assert (item.type, item.reason, item.entry_id) == (ReviewType.RECONFIRM, Reason.LAPSES, entry.pk)
        assert entry.expires_at.date().isoformat() in item.why

    @pytest.mark.parametrize("how", ["says it again", "confirms it", "corrects it", "forgets it", "dates it"])
    def test_any_answer_of_the_person_closes_the_question(
        self, ground: Ground, asha: Subject, tell: Tell, keep: Keep, how: str
    ) -> None:
        entry = tell("I live in Pune.")
        soon = entry.expires_at - timedelta(days=3)
        keep(Chore.ASK, soon)
        assert len(waiting(ground)) == 1
        with all_of(ground):
            entry.refresh_from_db()
        if how == "says it again":
            post(ground, asha, "I live in Pune.", now=soon)
        elif how == "corrects it":
            post(ground, asha, "I live in Mumbai now.", now=soon + timedelta(hours=2))
        with all_of(ground):
            if how == "confirms it":
                confirmation.confirm(entry=entry, by=ground.as_agent, now=soon)
            elif how == "forgets it":
                erasure.erase_entry(entry=entry, by=ground.as_agent, now=soon)
            elif how == "dates it":
                moved = entry.expires_at - timedelta(days=1)
                confirmation.set_review_by(entry=entry, review_by=moved, by=ground.as_agent, now=soon)
        assert waiting(ground) == []

    @pytest.mark.parametrize(("answer", "status"), [("yes", Status.ACCEPTED), ("no", Status.ARCHIVED)])
    def test_a_curators_answer_keeps_it_or_puts_it_aside(
        self, ground: Ground, tell: Tell, keep: Keep, look: Look, answer: str, status: Status
    ) -> None:
        entry = tell("I prefer aisle seats.")
        keep(Chore.ASK, SOON)
        (item,) = waiting(ground)
        with all_of(ground):
            if answer == "yes":
                decisions.approve(item_id=item.pk, by=ground.as_cal, now=SOON)
            else:
                decisions.reject(item_id=item.pk, reason="they moved on", by=ground.as_cal, now=SOON)
        keep(Chore.EXPIRE, LATER)
        assert look(entry).status == status

    def test_nobody_is_asked_about_what_happened_or_about_somebody_who_paused(
        self, ground: Ground, tell: Tell, episode: Callable[..., Entry], keep: Keep
    ) -> None:
        episode("Move booking succeeded.", on=NOW)
        paused = ground.subject("bela")
        tell("I prefer aisle seats.", about=paused)
        with all_of(ground):
            paused.paused_at, paused.paused_by = NOW, "herself"
            paused.save()
            ground.vouch("subject.pause", "subject", paused.pk)
        assert keep(Chore.ASK, SOON).counts == {}

    def test_the_queue_takes_only_so_many(
        self, ground: Ground, tell: Tell, keep: Keep, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr(conf, "CONFIRMATIONS_WAITING", 2)
        for name in ("aisle seats", "early trains", "quiet hotels"):
            tell(f"I prefer {name}.")
        assert keep(Chore.ASK, SOON).counts == {Deed.ASKED: 2}
        assert keep(Chore.ASK, SOON).counts == {}
        assert len(waiting(ground)) == 2


class TestArchive:
    def used(self, ground: Ground, entry: Entry, *, at: datetime) -> None:
        with all_of(ground):
            Entry.objects.filter(pk=entry.pk).update(use_count=3, last_used_at=at)

    def test_what_nobody_used_for_half_a_year_is_put_aside_where_uses_are_reported(
        self, ground: Ground, tell: Tell, keep: Keep, look: Look
    ) -> None:
        idle, useful = tell("I prefer aisle seats."), tell("I prefer early trains.")
        moment = NOW + conf.UNUSED_AFTER + timedelta(days=1)
        assert keep(Chore.ARCHIVE, moment).counts == {}  # nobody reports uses here: it can't be told
        self.used(ground, useful, at=moment - timedelta(days=5))
        assert keep(Chore.ARCHIVE, NOW + timedelta(days=100)).counts == {}
        assert keep(Chore.ARCHIVE, moment).lines == [[Deed.ARCHIVED, "entry", str(idle.pk)]]
        assert (look(idle).status, look(useful).status) == (Status.ARCHIVED, Status.ACCEPTED)

    def test_what_a_curator_vouched_for_or_the_person_confirmed_stays(
        self, ground: Ground, tell: Tell, keep: Keep, look: Look
    ) -> None:
        vouched, confirmed = tell("I prefer aisle seats."), tell("I prefer early trains.")
        useful = tell("I prefer quiet hotels.")
        moment = NOW + conf.UNUSED_AFTER + timedelta(days=1)
        self.used(ground, useful, at=moment)
        with all_of(ground):
            confirmation.confirm(entry=vouched, by=ground.as_cal, now=NOW, role=Role.CURATOR)
            confirmation.confirm(entry=confirmed, by=ground.as_agent, now=NOW + timedelta(days=90))
        assert keep(Chore.ARCHIVE, moment).counts == {}
        assert {look(entry).status for entry in (vouched, confirmed)} == {Status.ACCEPTED}
