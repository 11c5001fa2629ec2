"""What was forgotten does not come back by itself: said by others, sent late, sent once more, or found in a dream (R91)."""

from collections.abc import Iterator
from datetime import timedelta

import pytest

from accounts.models import Agent
from memoryhub.dreams.inbox import FinishedTurn, receive_turn
from memoryhub.errors import NotFound
from memoryhub.governance import audit, erasure, grace, pushing, receipts
from memoryhub.models import Entry, Erasure, Event, ForgottenMark, PendingErasure, Record, Session, Subject
from memoryhub.tenancy import ALL_SUBJECTS, acting_for
from memoryhub.vocabulary import Category, Channel, Kind, Op, Reason, Role, Status
from tests.factories.ground import NOW, Ground
from tests.integration.governance.conftest import Say

LATER = NOW + timedelta(hours=1)
INFERENCE = {"channel": Channel.AGENT_INFERENCE, "role": Role.AGENT}
CURATED = {"channel": Channel.CURATOR, "role": Role.CURATOR}


@pytest.fixture
def seen(ground: Ground) -> Iterator[None]:
    with acting_for(ground.as_hub, subjects=ALL_SUBJECTS):
        yield


def forget(ground: Ground, *, now=NOW, **filters: object) -> Erasure:
    with acting_for(ground.as_agent, subjects=ALL_SUBJECTS):
        entry = Entry.objects.select_related("subject", "provenance").filter(**filters).latest("recorded_at")
        return erasure.erase_entry(entry=entry, by=ground.as_agent, now=now)


def forget_all(ground: Ground, subject: Subject, *, now=NOW) -> Erasure:
    with acting_for(ground.as_agent, subjects=ALL_SUBJECTS):
        return erasure.erase_subject(subject=subject, by=ground.as_agent, now=now)


def told(outcome: object) -> tuple[str, str]:
    (result,) = outcome.results  # type: ignore[attr-defined]
    return result.op, result.reason


def turn(ground: Ground, subject: Subject, words: str, *, event: str = "e-1", minutes: int = 0, now=NOW):
    with acting_for(ground.as_agent, subjects=ALL_SUBJECTS):
        finished = FinishedTurn(event, "s-1", words, occurred_at=NOW + timedelta(minutes=minutes))
        agent = Agent.objects.get(pk=ground.agent.pk)
        return receive_turn(turn=finished, agent=agent, subject=subject, speaker=None, by=ground.as_agent, now=now)


@pytest.mark.parametrize("other", [INFERENCE, CURATED, {"channel": Channel.DOCUMENT, "role": Role.AGENT}])
def test_nobody_else_brings_back_what_was_forgotten(say: Say, ground: Ground, other: dict) -> None:
    say("I live in Porto")
    forget(ground)
    assert told(say("The customer lives in Porto", **other)) == (Op.REFUSED, Reason.FORGOTTEN)
    assert told(say("The customer lives in Faro", **other))[1] != Reason.FORGOTTEN


def test_the_person_who_says_it_again_is_welcome_and_then_others_may_say_it_too(
    say: Say, ground: Ground, seen: None
) -> None:
    say("I live in Porto")
    forget(ground)
    assert told(say("I live in Porto", now=LATER))[0] == Op.ADD
    assert ForgottenMark.objects.count() == 0
    assert told(say("The customer lives in Porto", now=LATER, **INFERENCE)) == (Op.NOOP, Reason.DUPLICATE)


def test_what_they_said_before_they_had_it_forgotten_is_not_said_again(say: Say, ground: Ground, seen: None) -> None:
    say("I live in Porto")
    forget(ground, now=LATER)
    assert told(say("I live in Porto", now=LATER, said_at=NOW)) == (Op.REFUSED, Reason.FORGOTTEN)
    assert Entry.objects.count() == 0


def test_another_person_is_not_meant(say: Say, ground: Ground) -> None:
    say("I live in Porto")
    forget(ground)
    assert told(say("The customer lives in Porto", subject=ground.subject("ben"), **INFERENCE))[0] == Op.QUEUED


def test_words_without_a_key_are_known_again(say: Say, ground: Ground) -> None:
    say("I would rather be told the bad news first")
    forget(ground)
    assert told(say("I would rather be told the bad news first.", **CURATED)) == (Op.REFUSED, Reason.FORGOTTEN)


def test_whoever_waits_to_say_the_same_is_reached_too(say: Say, ground: Ground, seen: None) -> None:
    say("The customer lives in Porto", **INFERENCE)
    say("I live in Porto")
    forget(ground, status=Status.ACCEPTED)
    assert Entry.objects.count() == 0


def test_what_a_system_of_record_pushes_again_is_not_kept_as_a_record_either(
    say: Say, ground: Ground, asha: Subject, seen: None
) -> None:
    say("I live in Porto")
    forget(ground)
    with acting_for(ground.as_record, subjects=ALL_SUBJECTS):
        (pushed,) = pushing.push(subject=asha, values={"city": "Porto"}, by=ground.as_record, now=LATER)
    assert told(pushed.outcome) == (Op.REFUSED, Reason.FORGOTTEN)
    assert (Entry.objects.count(), Record.objects.count()) == (0, 0)


def test_a_right_that_was_taken_away_can_be_given_again(say: Say, ground: Ground) -> None:
    right = {"channel": Channel.SYSTEM_OF_RECORD, "role": Role.SYSTEM_OF_RECORD, "category": Category.ENTITLEMENT}
    say("Lounge: yes", key="lounge", value="yes", **right)
    forget(ground)
    assert told(say("Lounge: yes", key="lounge", value="yes", **right))[0] == Op.ADD


def test_the_same_turn_sent_once_more_is_not_new(ground: Ground, asha: Subject, seen: None) -> None:
    turn(ground, asha, "I live in Porto")
    forget(ground)
    again = turn(ground, asha, "I live in Porto", minutes=5, now=LATER)
    assert (again.working, again.event, again.results) == ("unchanged", "withheld", ())
    assert (Entry.objects.count(), Event.objects.count()) == (0, 0)


def test_after_everything_was_forgotten_nothing_from_before_is_taken_in(
    say: Say, ground: Ground, asha: Subject, seen: None
) -> None:
    say("I live in Porto")
    forget_all(ground, asha, now=LATER)
    late = turn(ground, asha, "Where is the parcel I told you of?", now=LATER)
    assert (late.event, Event.objects.count(), Session.objects.count()) == ("withheld", 0, 0)
    assert told(say("I live in Porto", said_at=NOW, now=LATER))[1] == Reason.FORGOTTEN
    assert list(ForgottenMark.objects.values_list("mark", flat=True)) == [""]
    new = turn(ground, asha, "I live in Faro", event="e-2", minutes=61, now=LATER + timedelta(minutes=2))
    assert new.event == "written"
    assert told(say("The customer likes figs", now=LATER, **INFERENCE))[0] == Op.QUEUED


def test_marks_say_nothing(say: Say, ground: Ground, asha: Subject, seen: None) -> None:
    say("I live in Porto")
    forget(ground)
    marks = list(ForgottenMark.objects.values_list("mark", flat=True))
    assert marks
    assert all(len(mark) == 64 for mark in marks)
    say("I live in Porto", subject=(ben := ground.subject("ben")))
    forget(ground, subject=ben)
    assert not set(marks) & set(ForgottenMark.objects.filter(subject=ben).values_list("mark", flat=True))


# Kinds, conversations, receipts ---------------------------------------------------------------------------------------


def test_everything_of_a_kind_is_forgotten_and_the_rest_stays(
    say: Say, ground: Ground, asha: Subject, seen: None
) -> None:
    say("I prefer tea")
    say("I prefer the window seat")
    say("I live in Porto")
    with acting_for(ground.as_agent, subjects=ALL_SUBJECTS):
        receipt = erasure.erase_kind(subject=asha, category=Category.PREFERENCE, by=ground.as_agent, now=NOW)
    assert [entry.value for entry in Entry.objects.all()] == ["Porto"]
    assert (receipt.removed["entries"], receipt.remaining, receipt.options["category"]) == (2, 0, "preference")
    assert told(say("The customer prefers tea", **INFERENCE))[1] == Reason.FORGOTTEN


@pytest.mark.parametrize("keep", [True, False])
def test_a_conversation_is_forgotten_with_its_facts_or_without(
    ground: Ground, asha: Subject, seen: None, keep: bool
) -> None:
    turn(ground, asha, "I live in Porto")
    with acting_for(ground.as_agent, subjects=ALL_SUBJECTS):
        receipt = erasure.erase_conversation(
            session=Session.objects.get(), keep_facts=keep, by=ground.as_agent, now=NOW
        )
    assert (Session.objects.count(), Event.objects.count()) == (0, 0)
    assert [entry.value for entry in Entry.objects.filter(kind=Kind.SEMANTIC)] == (["Porto"] if keep else [])
    assert (receipt.removed["sessions"], receipt.removed["turns"]) == (1, 1)


def test_a_receipt_names_what_remains_and_until_when(say: Say, ground: Ground, asha: Subject, seen: None) -> None:
    say("I live in Porto")
    receipt = forget_all(ground, asha)
    assert [one.until for one in receipts.remains(receipt)] == [
        None, NOW + timedelta(days=35), NOW + timedelta(days=1)
    ]  # fmt: skip
    assert list(receipts.of(asha)) == [receipt]


def test_whoever_comes_second_hears_that_it_is_done(say: Say, ground: Ground, seen: None) -> None:
    (result,) = say("I live in Porto").results
    forget(ground)
    with (
        pytest.raises(NotFound, match="forgotten already"),
        acting_for(ground.as_agent, subjects=ALL_SUBJECTS),
    ):
        erasure.erase_entry(entry=result.entry, by=ground.as_agent, now=NOW)


# Done once more on restored data --------------------------------------------------------------------------------------


def test_an_erasure_is_done_once_more_on_what_a_backup_brought_back(
    say: Say, ground: Ground, asha: Subject, seen: None
) -> None:
    say("I live in Porto")
    say("I prefer tea")
    row = Erasure(
        organisation=ground.organisation, ending="entry", target=Entry.objects.get(value="Porto").pk,
        subject_id=asha.pk, options={}, requested_by="the person", erased_at=LATER,
    )  # fmt: skip
    once = erasure.replay(row=row, by=ground.as_hub, now=LATER + timedelta(days=2))
    assert [entry.value for entry in Entry.objects.all()] == ["tea"]
    assert (once.pk, once.requested_by, once.erased_at, once.remaining) == (row.pk, "the person", LATER, 0)
    assert erasure.replay(row=row, by=ground.as_hub, now=LATER).pk == once.pk
    assert Erasure.objects.count() == 1
    assert told(say("The customer lives in Porto", **INFERENCE)) == (Op.REFUSED, Reason.FORGOTTEN)


def test_what_lapsed_and_is_erased_once_more_may_be_said_again(
    say: Say, ground: Ground, asha: Subject, seen: None
) -> None:
    say("I live in Porto")
    entry = Entry.objects.get(value="Porto")
    row = Erasure(
        organisation=ground.organisation, ending="lapsed", target=asha.pk, subject_id=asha.pk,
        options={"entries": [str(entry.pk)]}, requested_by="housekeeping", erased_at=LATER,
    )  # fmt: skip
    erasure.replay(row=row, by=ground.as_hub, now=LATER)
    assert not Entry.objects.exists()
    assert not ForgottenMark.objects.exists()


def test_a_version_that_an_older_backup_has_is_reached_by_the_ids_of_the_receipt(
    say: Say, ground: Ground, asha: Subject, seen: None
) -> None:
    (first,) = say("I live in Lisbon").results
    say("I live in Porto")
    row = forget(ground, status=Status.ACCEPTED)
    assert set(row.options["entries"]) >= {str(first.entry.pk)}


def test_everything_is_forgotten_once_more_but_what_came_after(
    say: Say, ground: Ground, asha: Subject, seen: None
) -> None:
    say("I live in Porto")
    row = Erasure(
        organisation=ground.organisation, ending="subject", target=asha.pk, subject_id=asha.pk,
        requested_by="the person", erased_at=LATER,
    )  # fmt: skip
    erasure.replay(row=row, by=ground.as_hub, now=LATER)
    assert erasure.left_of(asha) == 0
    say("I live in Faro", now=LATER)
    erasure.replay(row=row, by=ground.as_hub, now=LATER)
    assert [entry.value for entry in Entry.objects.all()] == ["Faro"]
    assert audit.first_broken_link(ground.organisation.pk) is None


# Grace ----------------------------------------------------------------------------------------------------------------


def test_everything_is_forgotten_when_the_days_of_grace_are_over(
    say: Say, ground: Ground, asha: Subject, seen: None
) -> None:
    say("I live in Porto")
    pending = grace.ask(subject=asha, by=ground.as_agent, now=NOW)
    assert pending.due_at == NOW + timedelta(days=7)
    assert grace.ask(subject=asha, by=ground.as_agent, now=LATER) == pending
    assert grace.erase_if_due(pending.pk, by=ground.as_hub, now=LATER) is None
    assert Entry.objects.count() == 1
    receipt = grace.erase_if_due(pending.pk, by=ground.as_hub, now=pending.due_at)
    assert receipt is not None
    assert (receipt.requested_by, receipt.remaining, grace.of(asha)) == ("agent:helper", 0, None)
    assert Entry.objects.count() == 0


def test_whoever_changes_their_mind_keeps_everything(say: Say, ground: Ground, asha: Subject, seen: None) -> None:
    say("I live in Porto")
    pending = grace.ask(subject=asha, by=ground.as_agent, now=NOW)
    grace.cancel(subject=asha, by=ground.as_agent, now=LATER)
    assert grace.erase_if_due(pending.pk, by=ground.as_hub, now=pending.due_at) is None
    assert (Entry.objects.count(), PendingErasure.objects.count()) == (1, 0)
    with pytest.raises(NotFound, match="taken back"):
        grace.cancel(subject=asha, by=ground.as_agent, now=LATER)
