"""More than yes and no: ask the person, merge, two who say yes, many at once, and the other way round (R17, R77, R92)."""

from collections.abc import Callable
from datetime import timedelta
from typing import Any

import pytest

from memoryhub import conf
from memoryhub.errors import AlreadyDecided, Invalid, NotFound, NotGranted, Stale
from memoryhub.governance import (
    answers,
    audit,
    bulk,
    confirmation,
    decisions,
    erasure,
    merging,
    policy_versions,
    procedures,
    questions,
    review_queue,
    timeline,
)
from memoryhub.models import Entry, ReviewItem, ReviewQuestion, Subject
from memoryhub.skills.skillmd import SkillDocument
from memoryhub.tenancy import ALL_SUBJECTS, Principal, acting_for
from memoryhub.vocabulary import Category, Channel, Kind, Op, Reason, ReviewState, ReviewType, Role, Status
from tests.factories.ground import NOW, Ground
from tests.integration.governance.conftest import Say

INFERENCE = {"channel": Channel.AGENT_INFERENCE, "role": Role.AGENT}
RECORD = {"channel": Channel.SYSTEM_OF_RECORD, "role": Role.SYSTEM_OF_RECORD}
DAY = timedelta(days=1)


def as_(by: Principal, call: Callable[..., Any], /, **words: Any) -> Any:
    with acting_for(by, subjects=ALL_SUBJECTS):
        return call(by=by, **{"now": NOW, **words})


def queue(ground: Ground, **filters: Any) -> list[ReviewItem]:
    with acting_for(ground.as_cal, subjects=ALL_SUBJECTS):
        return list(review_queue.waiting(by=ground.as_cal, **{"now": NOW, **filters}))


def inferred(say: Say, ground: Ground, text: str = "The customer prefers short calls") -> ReviewItem:
    say(text, **INFERENCE)
    return next(item for item in queue(ground) if item.entry is not None and item.entry.content == text)


def entries(ground: Ground) -> dict[str, str]:
    with acting_for(ground.as_hub, subjects=ALL_SUBJECTS):
        return dict(Entry.objects.values_list("content", "status"))


def skill(ground: Ground, name: str = "check-stock") -> ReviewItem:
    document = SkillDocument(name=name, description="Check before promising", body="## Procedure\nLook.")
    with acting_for(ground.as_agent, subjects=ALL_SUBJECTS):
        outcome = procedures.propose_skill(document=document, agent=ground.agent, by=ground.as_agent, now=NOW)
    assert outcome.item is not None
    return outcome.item


def person(ground: Ground, subject: Subject) -> Principal:
    return Principal(ground.organisation.pk, "link:1", frozenset({"person"}), bound_subject=subject.external_id)


# Asking the person --------------------------------------------------------------------------------------------------


def test_a_question_rests_the_item_and_the_answer_brings_it_back(say: Say, ground: Ground, asha: Subject) -> None:
    item = inferred(say, ground)
    as_(ground.as_cal, decisions.ask_person, item_id=item.pk, question="Do you prefer short calls?")
    assert queue(ground) == []
    assert [one.pk for one in queue(ground, snoozed=True, asked=True)] == [item.pk]
    with acting_for(person(ground, asha), subjects=[asha.pk]):
        (asked,) = questions.open_for(asha)
        assert (asked.text, asked.item.entry.content) == (
            "Do you prefer short calls?",
            "The customer prefers short calls",
        )
        answers.answer(
            question_id=asked.pk, answer="other", text="Only before noon.", by=person(ground, asha), now=NOW + DAY
        )
    (back,) = queue(ground, now=NOW + DAY)
    assert (back.asked_at, back.entry.status) == (None, Status.PROPOSED)  # the answer decides nothing
    with acting_for(ground.as_cal, subjects=ALL_SUBJECTS):
        told = {moment.verb: (moment.who, moment.detail) for moment in timeline.of(back)}
    assert told["answer"] == ("the person", "it is otherwise: Only before noon.")
    assert told["ask"][1] == "Do you prefer short calls?"


def test_what_is_not_answered_comes_back_by_itself(say: Say, ground: Ground) -> None:
    item = inferred(say, ground)
    as_(ground.as_cal, decisions.ask_person, item_id=item.pk)
    assert [one.pk for one in queue(ground, now=NOW + conf.ASKED_FOR)] == [item.pk]
    with pytest.raises(Stale, match="asked already"):
        as_(ground.as_cal, decisions.ask_person, item_id=item.pk)


def test_only_the_person_asked_answers_and_once(say: Say, ground: Ground, asha: Subject) -> None:
    item = inferred(say, ground)
    as_(ground.as_cal, decisions.ask_person, item_id=item.pk)
    with acting_for(ground.as_hub, subjects=ALL_SUBJECTS):
        asked = ReviewQuestion.objects.get()
    other = ground.subject("omar")
    for by in (person(ground, other), ground.as_cal, ground.as_agent):
        with pytest.raises(NotFound):
            as_(by, answers.answer, question_id=asked.pk, answer="yes")
    for words in ({"answer": "perhaps"}, {"answer": "other", "text": " "}, {"answer": "no", "text": "x" * 1001}):
        with pytest.raises(Invalid):
            as_(person(ground, asha), answers.answer, question_id=asked.pk, **words)
    as_(person(ground, asha), answers.answer, question_id=asked.pk, answer="no")
    with pytest.raises(AlreadyDecided):
        as_(person(ground, asha), answers.answer, question_id=asked.pk, answer="yes")


def test_what_was_decided_meanwhile_is_asked_no_more(say: Say, ground: Ground, asha: Subject) -> None:
    item = inferred(say, ground)
    as_(ground.as_cal, decisions.ask_person, item_id=item.pk)
    as_(ground.as_dee, decisions.approve, item_id=item.pk)
    with acting_for(ground.as_hub, subjects=ALL_SUBJECTS):
        assert not questions.open_for(asha).exists()
        asked = ReviewQuestion.objects.get()
    with pytest.raises(AlreadyDecided):
        as_(person(ground, asha), answers.answer, question_id=asked.pk, answer="yes")


def test_a_yes_to_what_is_in_force_confirms_it_however_it_is_said(say: Say, ground: Ground, asha: Subject) -> None:
    (kept,) = say("I live in Lisbon").results
    with acting_for(ground.as_hub, subjects=ALL_SUBJECTS):
        review_queue.put(
            type=ReviewType.RECONFIRM, reason=Reason.LAPSES, subject=asha, entry=kept.entry, by=ground.as_hub, now=NOW
        )  # fmt: skip
        audit.record(by=ground.as_hub, now=NOW, action="entry.ask", object_kind="entry", object_id=kept.entry.pk)
    (item,) = queue(ground)
    as_(ground.as_cal, decisions.ask_person, item_id=item.pk)
    with acting_for(ground.as_hub, subjects=ALL_SUBJECTS):
        entry = Entry.objects.get(pk=kept.entry.pk)
        assert entry.review_by == NOW  # agents ask too, as before it lapses (R77)
        confirmation.confirm(entry=entry, by=person(ground, asha), now=NOW + DAY)
        assert ReviewQuestion.objects.get().answer == "yes"
        assert ReviewItem.objects.get().state == ReviewState.WITHDRAWN
        assert Entry.objects.get(pk=entry.pk).last_confirmed_at == NOW + DAY


def test_nobody_is_asked_what_they_may_not_say_or_what_is_about_no_person(say: Say, ground: Ground) -> None:
    crew = ground.subject("crew", kind="team")
    say("The crew prefers short calls", subject=crew, **INFERENCE)
    item = next(one for one in queue(ground) if one.subject_id == crew.pk)
    for about in (item, skill(ground)):
        with pytest.raises(Invalid):
            as_(ground.as_cal, decisions.ask_person, item_id=about.pk)


def test_what_was_asked_and_answered_is_erased_with_the_person(say: Say, ground: Ground, asha: Subject) -> None:
    item = inferred(say, ground)
    as_(ground.as_cal, decisions.ask_person, item_id=item.pk, question="Is it so?")
    with acting_for(ground.as_hub, subjects=ALL_SUBJECTS):
        assert erasure.erase_subject(subject=asha, by=ground.as_hub, now=NOW).remaining == 0
        assert not ReviewQuestion.objects.exists()


# Merging ------------------------------------------------------------------------------------------------------------


@pytest.fixture
def known(say: Say, ground: Ground) -> Entry:
    (result,) = say("I prefer phone calls under five minutes").results
    assert result.entry is not None
    return result.entry


def test_a_merged_claim_is_history_of_what_it_repeats_and_confirms_it(say: Say, ground: Ground, known: Entry) -> None:
    item = inferred(say, ground)
    merged = as_(ground.as_cal, merging.merge, item_id=item.pk, into=known.pk, now=NOW + DAY)
    assert (merged.state, merged.merged_into_id) == (ReviewState.MERGED, known.pk)
    with acting_for(ground.as_hub, subjects=ALL_SUBJECTS):
        kept, claim = Entry.objects.get(pk=known.pk), Entry.objects.get(pk=item.entry_id)
        assert (kept.status, kept.last_confirmed_at, kept.confirmed_by) == (Status.ACCEPTED, NOW + DAY, "curator")
        assert kept.content == known.content
        assert (claim.status, claim.valid_to, kept.supersedes_id) == (Status.REPLACED, claim.valid_from, claim.pk)
    (again,) = say("The customer prefers short calls", **INFERENCE, now=NOW + 2 * DAY).results
    assert (again.op, again.reason) == (Op.NOOP, Reason.DUPLICATE)
    with acting_for(ground.as_hub, subjects=ALL_SUBJECTS):
        erasure.erase_entry(entry=kept, by=ground.as_hub, now=NOW + DAY)
        assert not Entry.objects.exists()


def test_merging_with_other_words_puts_those_in_force_and_keeps_the_rest_as_history(
    say: Say, ground: Ground, known: Entry
) -> None:
    item = inferred(say, ground)
    before = entries(ground)
    words = "The customer prefers calls under five minutes"
    as_(ground.as_cal, merging.merge, item_id=item.pk, into=known.pk, text=words)
    assert entries(ground) == {words: Status.ACCEPTED, known.content: Status.REPLACED}
    as_(ground.as_cal, decisions.undo, item_id=item.pk)
    assert entries(ground) == before


def test_a_merge_is_taken_back_until_something_is_built_on_it(say: Say, ground: Ground, known: Entry) -> None:
    item = inferred(say, ground)
    as_(ground.as_cal, merging.merge, item_id=item.pk, into=known.pk, now=NOW + DAY)
    with acting_for(ground.as_hub, subjects=ALL_SUBJECTS):
        confirmation.confirm(entry=known, by=ground.as_hub, now=NOW + 2 * DAY)
    with pytest.raises(Stale, match="merged into"):
        as_(ground.as_cal, decisions.undo, item_id=item.pk, now=NOW + 3 * DAY)


def test_a_claim_is_merged_only_into_what_the_same_people_read(say: Say, ground: Ground, known: Entry) -> None:
    item = inferred(say, ground)
    (elsewhere,) = say("I prefer window seats", subject=ground.subject("omar")).results
    other = inferred(say, ground, "The customer often asks for a discount code")
    for into, refusal in (
        (elsewhere.entry.pk, Invalid), (other.entry_id, Stale), (item.entry_id, NotFound), (item.pk, NotFound)
    ):  # fmt: skip
        with pytest.raises(refusal):
            as_(ground.as_cal, merging.merge, item_id=item.pk, into=into)
    with pytest.raises(Invalid):
        as_(ground.as_cal, merging.merge, item_id=skill(ground).pk, into=known.pk)
    with pytest.raises(NotGranted, match="somebody else"):
        as_(ground.as_ada, merging.merge, item_id=item.pk, into=known.pk)


def test_a_dispute_merged_into_what_it_stood_against_settles_it(say: Say, ground: Ground) -> None:
    (gold,) = say("Plan: gold", key="plan", value="gold", by=ground.as_record, **RECORD).results
    say("My plan is the golden one")
    (item,) = queue(ground)
    as_(ground.as_cal, merging.merge, item_id=item.pk, into=gold.entry.pk)
    with acting_for(ground.as_hub, subjects=ALL_SUBJECTS):
        assert [entry.contested for entry in Entry.objects.filter(status=Status.ACCEPTED)] == [False]
    as_(ground.as_cal, decisions.undo, item_id=item.pk)
    with acting_for(ground.as_hub, subjects=ALL_SUBJECTS):
        assert dict(Entry.objects.values_list("status", "contested")) == {"accepted": True, "disputed": False}


# Reversing ----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("verb", "words", "then"), [("approve", {}, "rejected"), ("reject", {"reason": "No."}, "approved")]
)
def test_a_decision_is_reversed_by_another_and_both_stay_to_be_read(
    say: Say, ground: Ground, verb: str, words: dict[str, str], then: str
) -> None:
    old = as_(ground.as_cal, getattr(decisions, verb), item_id=inferred(say, ground).pk, **words)
    new = as_(ground.as_dee, decisions.reverse, item_id=old.pk, reason="It was the other way.", now=NOW + 20 * DAY)
    assert (new.state, new.reverses_id, new.decided_reason) == (then, old.pk, "It was the other way.")
    with acting_for(ground.as_hub, subjects=ALL_SUBJECTS):
        kept = ReviewItem.objects.get(pk=old.pk)
        assert (kept.state, kept.decided_by_id, kept.decided_at) == (old.state, ground.as_cal.user, NOW)
    status = {"rejected": Status.REJECTED, "approved": Status.ACCEPTED}[then]
    assert entries(ground) == {"The customer prefers short calls": status}
    for undone in (decisions.undo, decisions.reverse):
        with pytest.raises(Stale, match="reversed since"):
            as_(ground.as_cal, undone, item_id=old.pk, **({"reason": "x"} if undone is decisions.reverse else {}))
    as_(ground.as_dee, decisions.undo, item_id=new.pk, now=NOW + 20 * DAY)
    assert [one.pk for one in queue(ground, now=NOW + 20 * DAY)] == [new.pk]


def test_a_reversed_merge_waits_to_be_decided_by_itself(say: Say, ground: Ground, known: Entry) -> None:
    item = inferred(say, ground)
    before = entries(ground)
    old = as_(ground.as_cal, merging.merge, item_id=item.pk, into=known.pk, now=NOW + DAY)
    new = as_(ground.as_dee, decisions.reverse, item_id=old.pk, reason="Not the same.", now=NOW + 2 * DAY)
    assert (new.state, new.entry_id, entries(ground)) == (ReviewState.WAITING, item.entry_id, before)


def test_nobody_reverses_what_is_old_undecided_or_their_own(say: Say, ground: Ground) -> None:
    item = inferred(say, ground)
    with pytest.raises(Stale, match="not decided"):
        as_(ground.as_cal, decisions.reverse, item_id=item.pk, reason="x")
    as_(ground.as_cal, decisions.approve, item_id=item.pk)
    with pytest.raises(NotGranted):
        as_(ground.as_ada, decisions.reverse, item_id=item.pk, reason="x")
    with pytest.raises(Invalid):
        as_(ground.as_cal, decisions.reverse, item_id=item.pk, reason=" ")
    with pytest.raises(Stale, match="30 days"):
        as_(ground.as_cal, decisions.reverse, item_id=item.pk, reason="x", now=NOW + 31 * DAY)


def test_a_skill_is_reversed_too(ground: Ground) -> None:
    old = as_(ground.as_cal, decisions.approve, item_id=skill(ground).pk)
    as_(ground.as_dee, decisions.reverse, item_id=old.pk, reason="Too early.")
    with acting_for(ground.as_hub, subjects=ALL_SUBJECTS):
        assert procedures.active_skills(ground.agent) == []


# Two who say yes ----------------------------------------------------------------------------------------------------


@pytest.fixture
def careful(ground: Ground) -> None:
    with acting_for(ground.as_operator, subjects=ALL_SUBJECTS):
        policy_versions.change(
            document={"four_eyes": ["skills", "policy_limits"]}, reason="Two look.", by=ground.as_operator, now=NOW
        )  # fmt: skip


@pytest.mark.usefixtures("careful")
def test_a_skill_is_active_by_two_and_never_by_the_same_one(ground: Ground) -> None:
    item = skill(ground)
    first = as_(ground.as_cal, decisions.approve, item_id=item.pk)
    assert (first.state, first.first_yes_by_id) == (ReviewState.WAITING, ground.as_cal.user)
    with acting_for(ground.as_hub, subjects=ALL_SUBJECTS):
        assert procedures.active_skills(ground.agent) == []
    for who in (ground.as_cal, ground.as_ada):  # the same, and the proposer
        with pytest.raises(NotGranted):
            as_(who, decisions.approve, item_id=item.pk)
    with pytest.raises(Stale):  # the second saw it before the first said yes
        as_(ground.as_dee, decisions.approve, item_id=item.pk, etag=item.etag)
    second = as_(ground.as_dee, decisions.approve, item_id=item.pk, etag=first.etag)
    assert (second.state, second.decided_by_id) == (ReviewState.APPROVED, ground.as_dee.user)
    undone = as_(ground.as_dee, decisions.undo, item_id=item.pk)
    assert (undone.state, undone.first_yes_by_id) == (ReviewState.WAITING, ground.as_cal.user)


@pytest.mark.usefixtures("careful")
def test_the_first_takes_the_yes_back_and_one_no_is_enough(ground: Ground) -> None:
    item = skill(ground)
    as_(ground.as_cal, decisions.approve, item_id=item.pk)
    with pytest.raises(Stale):
        as_(ground.as_dee, decisions.undo, item_id=item.pk)
    assert as_(ground.as_cal, decisions.undo, item_id=item.pk).first_yes_at is None
    as_(ground.as_cal, decisions.approve, item_id=item.pk)
    assert as_(ground.as_dee, decisions.reject, item_id=item.pk, reason="No.").state == ReviewState.REJECTED


@pytest.mark.usefixtures("careful")
def test_a_yes_is_to_the_words_it_was_said_to(ground: Ground) -> None:
    """A learned candidate grows while the first of two has said yes to it."""

    def learned(count: int) -> procedures.SkillOutcome:
        document = SkillDocument(name="check-stock", description=f"Seen in {count} sessions", body="Look.")
        seen = tuple(procedures.SessionSeen(f"s-{n}", f"e-{n}", None, NOW) for n in range(count))
        with acting_for(ground.as_agent, subjects=ALL_SUBJECTS):
            return procedures.propose_skill(
                document=document, agent=ground.agent, by=ground.as_agent, now=NOW,
                learned=procedures.Learned("pattern", seen),
            )  # fmt: skip

    item = learned(3).item
    assert item is not None
    as_(ground.as_cal, decisions.approve, item_id=item.pk)
    assert learned(4).op == Op.UPDATE
    again = as_(ground.as_dee, decisions.approve, item_id=item.pk)
    assert (again.state, again.first_yes_by_id) == (ReviewState.WAITING, ground.as_dee.user)


@pytest.mark.usefixtures("careful")
def test_both_say_yes_to_the_same_words(say: Say, ground: Ground) -> None:
    limit = {"key": "refund_limit", "category": Category.POLICY_LIMIT}
    say("Refund limit: 200", value="200", by=ground.as_record, **RECORD, **limit)
    staff = {"channel": Channel.CURATOR, "role": Role.CURATOR}
    say("Refund limit: 150", value="150", by=ground.as_ada, **staff, **limit, now=NOW + DAY)
    (item,) = queue(ground)
    edited = as_(ground.as_cal, decisions.approve, item_id=item.pk, text="Refund limit: 100")
    assert (edited.first_yes_text, entries(ground)["Refund limit: 150"]) == ("Refund limit: 100", Status.DISPUTED)
    other = as_(ground.as_dee, decisions.approve, item_id=item.pk, text="Refund limit: 50")
    assert (other.state, other.first_yes_by_id) == (ReviewState.WAITING, ground.as_dee.user)
    as_(ground.as_cal, decisions.approve, item_id=item.pk)
    assert entries(ground) == {"Refund limit: 50": Status.ACCEPTED, "Refund limit: 200": Status.REPLACED}


@pytest.mark.usefixtures("careful")
def test_all_else_needs_one_and_so_does_everything_where_the_policy_does_not_ask(say: Say, ground: Ground) -> None:
    assert as_(ground.as_cal, decisions.approve, item_id=inferred(say, ground).pk).state == ReviewState.APPROVED


# Many at once -------------------------------------------------------------------------------------------------------


def several(say: Say, ground: Ground) -> list[ReviewItem]:
    for text in ("The customer prefers short calls", "The customer likes tea", "The customer travels with a dog"):
        say(text, **INFERENCE)
    return queue(ground, type="fact")


@pytest.mark.parametrize(("verb", "status"), [("approve", Status.ACCEPTED), ("reject", Status.REJECTED)])
def test_many_are_decided_and_taken_back_in_one_go(say: Say, ground: Ground, verb: str, status: Status) -> None:
    ids = [item.pk for item in several(say, ground)]
    before = entries(ground)
    seen = as_(ground.as_cal, bulk.preview, ids=ids, verb=verb)
    assert ([item.pk for item in seen.eligible], seen.ineligible) == (ids, [])
    batch = as_(ground.as_cal, bulk.decide, ids=ids, verb=verb, reason="As agreed.", etag=seen.etag)
    assert set(entries(ground).values()) == {status}
    with acting_for(ground.as_cal, subjects=ALL_SUBJECTS):
        assert [item.pk for item in bulk.items_of(batch.id, by=ground.as_cal)] == ids
    as_(ground.as_cal, bulk.undo, batch=batch.id)
    assert entries(ground) == before
    with pytest.raises(NotFound):
        as_(ground.as_cal, bulk.undo, batch=batch.id)


def test_what_may_not_be_approved_in_bulk_is_named_with_its_reason(say: Say, ground: Ground) -> None:
    facts = several(say, ground)
    say("Plan: gold", key="plan", value="gold", by=ground.as_record, **RECORD)
    say("My plan is the silver one", now=NOW + timedelta(minutes=1))
    say("Asha lives in Pune.", channel=Channel.DOCUMENT, role=Role.AGENT)
    as_(ground.as_dee, decisions.claim, item_id=facts[0].pk)
    as_(ground.as_dee, decisions.reject, item_id=facts[1].pk, reason="No.")
    wanted = [*queue(ground), skill(ground), facts[1]]
    seen = as_(ground.as_cal, bulk.preview, ids=[item.pk for item in wanted], verb="approve")
    assert [item.pk for item in seen.eligible] == [facts[2].pk]
    told = " ".join(sorted(why_not for _, why_not in seen.ineligible))
    for words in ("is on it right now", "rejected already", "how an agent acts", "contradicts", "Nobody vouched"):
        assert words in told
    with pytest.raises(Stale) as refused:
        as_(ground.as_cal, bulk.decide, ids=[item.pk for item in wanted], verb="approve")
    assert len(refused.value.extra["ineligible"]) == len(seen.ineligible)  # type: ignore[arg-type]
    assert Status.ACCEPTED not in {entries(ground)[item.entry.content] for item in facts}


def test_nobody_decides_their_own_in_bulk(say: Say, ground: Ground) -> None:
    ids = [item.pk for item in several(say, ground)]
    seen = as_(ground.as_ada, bulk.preview, ids=ids, verb="reject")
    assert (seen.eligible, len(seen.ineligible)) == ([], 3)
    with pytest.raises(NotGranted):
        as_(ground.as_agent, bulk.preview, ids=ids, verb="reject")


def test_nothing_is_decided_when_one_changed_since_the_preview(say: Say, ground: Ground) -> None:
    items = several(say, ground)
    ids = [item.pk for item in items]
    seen = as_(ground.as_cal, bulk.preview, ids=ids, verb="reject")
    as_(ground.as_dee, decisions.snooze, item_id=ids[1], until=NOW + DAY)
    with pytest.raises(Stale):
        as_(ground.as_cal, bulk.decide, ids=ids, verb="reject", reason="No.", etag=seen.etag)
    with pytest.raises(Invalid):  # a no has its reason
        as_(ground.as_cal, bulk.decide, ids=ids, verb="reject")
    assert set(entries(ground).values()) == {Status.PROPOSED}


def test_nothing_is_taken_back_when_something_was_built_on_one(say: Say, ground: Ground) -> None:
    items = several(say, ground)
    batch = as_(ground.as_cal, bulk.decide, ids=[item.pk for item in items], verb="approve")
    with acting_for(ground.as_hub, subjects=ALL_SUBJECTS):
        entry = Entry.objects.get(pk=items[1].entry_id)
        confirmation.dispute(entry=entry, reason="not so", by=ground.as_hub, now=NOW)
    with pytest.raises(Stale, match="Nothing was taken back"):
        as_(ground.as_cal, bulk.undo, batch=batch.id)
    assert set(entries(ground).values()) == {Status.ACCEPTED}


def test_a_selection_is_of_one_verb_and_some_items(say: Say, ground: Ground, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(conf, "BATCH_AT_MOST", 2)
    ids = [item.pk for item in several(say, ground)]
    for words in ({"ids": ids, "verb": "reject"}, {"ids": [], "verb": "reject"}, {"ids": ids[:1], "verb": "forget"}):
        with pytest.raises(Invalid):
            as_(ground.as_cal, bulk.preview, **words)
    for gone in (ground.organisation.pk, "no id"):
        with pytest.raises(NotFound):
            as_(ground.as_cal, bulk.preview, ids=[gone], verb="reject")
    assert Kind.SEMANTIC in {item.entry.kind for item in queue(ground)}
