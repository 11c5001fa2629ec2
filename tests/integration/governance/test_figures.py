"""Do the figures count what happened, in the days it happened, and only in one's own organisation?"""

from datetime import timedelta

import pytest

from memoryhub.errors import NotGranted
from memoryhub.governance import checked_recall, decisions, erasure, figures
from memoryhub.governance.figures import Period
from memoryhub.governance.subjects import readable
from memoryhub.governance.zones import first_of
from memoryhub.models import Entry, Recall, Subject
from memoryhub.recall.search import Query
from memoryhub.tenancy import ALL_SUBJECTS, acting_for
from memoryhub.vocabulary import Channel, Reason, ReviewType, Role, Status
from tests.factories.ground import NOW, Ground, make_ground
from tests.integration.governance.conftest import Say

UTC = first_of("UTC")
WEEK = Period(7, NOW, UTC)
TODAY, YESTERDAY = NOW.date(), (NOW - timedelta(days=1)).date()


def ask(ground: Ground, subject: Subject, text: str) -> None:
    with acting_for(ground.as_agent, subjects=ALL_SUBJECTS):
        within = readable(subject)
    with acting_for(ground.as_agent, subjects=within):
        query = Query(subjects=(subject,), text=text, min_relevance=0.2)
        checked_recall.recall(query=query, by=ground.as_agent, now=NOW)


def test_claims_are_counted_by_day_outcome_and_reason(ground: Ground, say: Say) -> None:
    say("I live in Lisbon.")
    say("I prefer tea.", now=NOW - timedelta(days=1))
    say("My password is plain-harbour-7x.")
    say("She seems to like window seats.", channel=Channel.AGENT_INFERENCE, role=Role.AGENT)
    say("I drink coffee in the morning.", now=NOW - timedelta(days=8))
    with acting_for(ground.as_operator, subjects=ALL_SUBJECTS):
        gate = figures.gate(by=ground.as_operator, period=WEEK)
    assert list(gate.by_day) == WEEK.dates
    assert gate.by_day[TODAY] == {figures.KEPT: 1, figures.REFUSED: 1, figures.ASKED: 1}
    assert gate.by_day[YESTERDAY] == {figures.KEPT: 1}
    assert gate.refused == {Reason.SECRET: 1}
    assert gate.total[figures.KEPT] == 2


def test_what_waits_is_told_by_type_with_its_oldest_and_what_is_late(ground: Ground, say: Say) -> None:
    for days, text in ((0, "She likes window seats."), (9, "She likes aisle seats.")):
        say(text, channel=Channel.AGENT_INFERENCE, role=Role.AGENT, now=NOW - timedelta(days=days))
    with acting_for(ground.as_cal, subjects=ALL_SUBJECTS):
        (facts,) = figures.waiting(by=ground.as_cal, now=NOW)
    assert (facts.type, facts.count, facts.late) == (ReviewType.FACT, 2, 1)
    assert facts.oldest == NOW - timedelta(days=9)


def test_what_was_escalated_is_not_late_for_that(ground: Ground, say: Say) -> None:
    say("She likes window seats.", channel=Channel.AGENT_INFERENCE, role=Role.AGENT)
    with acting_for(ground.as_cal, subjects=ALL_SUBJECTS):
        (item,) = figures.review_queue.waiting(by=ground.as_cal)
        decisions.escalate(item_id=item.pk, reason="It blocks a customer.", by=ground.as_cal, now=NOW)
        (facts,) = figures.waiting(by=ground.as_cal, now=NOW)
    assert (facts.count, facts.late) == (1, 0)


def test_decisions_and_erasures_are_counted(ground: Ground, asha: Subject, say: Say) -> None:
    for hours, text in ((4, "She likes window seats."), (8, "She likes aisle seats.")):
        say(text, channel=Channel.AGENT_INFERENCE, role=Role.AGENT, now=NOW - timedelta(hours=hours))
    say("I live in Lisbon.")
    with acting_for(ground.as_cal, subjects=ALL_SUBJECTS):
        first, second = figures.review_queue.waiting(by=ground.as_cal)
        decisions.approve(item_id=first.pk, by=ground.as_cal, now=NOW)
        decisions.reject(item_id=second.pk, reason="It is not true", by=ground.as_cal, now=NOW)
        decided = figures.decided(by=ground.as_cal, period=WEEK)
    assert decided.by_day[TODAY] == {"approved": 1, "rejected": 1}
    assert decided.waited == pytest.approx(6)
    with acting_for(ground.as_operator, subjects=ALL_SUBJECTS):
        entry = Entry.objects.filter(subject=asha, content__contains="Lisbon").get()
        erasure.erase_entry(entry=entry, by=ground.as_operator, now=NOW)
        gone = figures.forgotten(by=ground.as_operator, period=WEEK)
    assert (gone.requests, gone.by_day[TODAY][0]) == (1, 1)
    assert gone.entries >= 1


def test_reads_are_counted_with_their_time_and_what_they_saved(ground: Ground, asha: Subject, say: Say) -> None:
    for text in ("I live in Lisbon.", "I prefer tea.", "I take the early train.", "My cat is called Miso."):
        say(text)
    ask(ground, asha, "live in Lisbon")
    ask(ground, asha, "zebra crossing paint")
    with acting_for(ground.as_operator, subjects=ALL_SUBJECTS):
        recalls = figures.recalls(by=ground.as_operator, period=WEEK)
        saved = figures.saved(by=ground.as_operator, period=WEEK)
        rows = list(Recall.objects.all())
        held = [len(entry.content) for entry in Entry.objects.filter(subject=asha, status=Status.ACCEPTED)]
    assert (recalls.total.count, recalls.total.empty, recalls.total.empty_share) == (2, 1, 0.5)
    assert recalls.by_day[TODAY] == recalls.total
    assert recalls.by_hour[NOW.hour] == 2
    assert recalls.total.p50 is not None
    assert 0 < recalls.total.p50 <= (recalls.total.p95 or 0)
    assert (saved.reads, saved.given) == (2, sum(row.tokens or 0 for row in rows))
    assert len(held) >= 3
    assert saved.all == figures.block_of(blocks=2, notes=2 * len(held), characters=2 * sum(held))


def test_another_organisation_has_figures_of_its_own(ground: Ground, asha: Subject, say: Say) -> None:
    say("I live in Lisbon.")
    ask(ground, asha, "live in Lisbon")
    other = make_ground()
    with acting_for(other.as_operator, subjects=ALL_SUBJECTS):
        assert figures.gate(by=other.as_operator, period=WEEK).total == {}
        assert figures.recalls(by=other.as_operator, period=WEEK).total.count == 0
        assert figures.saved(by=other.as_operator, period=WEEK).given == 0


def test_an_agent_reads_no_figures(ground: Ground) -> None:
    with acting_for(ground.as_agent, subjects=ALL_SUBJECTS), pytest.raises(NotGranted):
        figures.gate(by=ground.as_agent, period=WEEK)
