"""A curator's verbs: approve, edit, reject, undo, claim (R19, R82, R92)."""

from datetime import timedelta

import pytest

from memoryhub.errors import AlreadyDecided, Invalid, NotFound, NotGranted, Stale
from memoryhub.governance import confirmation, decisions, procedures, review_queue
from memoryhub.models import Entry, ReviewItem, Skill
from memoryhub.skills.skillmd import SkillDocument
from memoryhub.tenancy import ALL_SUBJECTS, Principal, acting_for
from memoryhub.vocabulary import Channel, Op, Reason, ReviewState, Role, SkillStatus, Status
from tests.factories.ground import NOW, Ground, make_ground
from tests.integration.governance.conftest import Say

INFERENCE = {"channel": Channel.AGENT_INFERENCE, "role": Role.AGENT}
RECORD = {"channel": Channel.SYSTEM_OF_RECORD, "role": Role.SYSTEM_OF_RECORD}
DOCUMENT = SkillDocument(
    name="check-stock",
    description="Check the stock before promising a date",
    keywords=("stock",),
    body="## Procedure\nLook.",
)


def waiting(ground: Ground) -> ReviewItem:
    with acting_for(ground.as_hub, subjects=ALL_SUBJECTS):
        return ReviewItem.objects.select_related("entry", "skill").get(state=ReviewState.WAITING)


def decide(verb: str, item: ReviewItem, by: Principal, **words: object) -> ReviewItem:
    with acting_for(by, subjects=ALL_SUBJECTS):
        return getattr(decisions, verb)(item_id=item.pk, by=by, now=NOW, **words)  # type: ignore[no-any-return]


def entry(ground: Ground, item: ReviewItem) -> Entry:
    with acting_for(ground.as_hub, subjects=ALL_SUBJECTS):
        return Entry.objects.get(pk=item.entry_id)


def test_an_approved_fact_is_in_force_and_vouched_for(say: Say, ground: Ground) -> None:
    say("The customer prefers short calls", **INFERENCE)
    item = decide("approve", waiting(ground), ground.as_cal)
    fact = entry(ground, item)
    assert (item.state, fact.status, fact.authority, fact.confirmed_by) == ("approved", Status.ACCEPTED, 1.0, "curator")
    assert fact.embedding_state == "ready"


def test_what_is_announced_and_approved_leaves_the_old_in_force_until_its_day(say: Say, ground: Ground) -> None:
    """…and taking the approval back lets it go on as before."""
    say("I live in Tartu")
    say("I am moving to Narva next month")
    item = waiting(ground)
    before = [(one.value, one.status, one.valid_to) for one in _cities(ground)]
    decide("approve", item, ground.as_cal)
    tartu, narva = _cities(ground)
    assert (tartu.status, narva.status) == (Status.ACCEPTED, Status.ACCEPTED)
    assert NOW < narva.valid_from == tartu.valid_to
    decide("undo", item, ground.as_cal)
    assert [(one.value, one.status, one.valid_to) for one in _cities(ground)] == before


def _cities(ground: Ground) -> list[Entry]:
    with acting_for(ground.as_hub, subjects=ALL_SUBJECTS):
        return list(Entry.objects.filter(key="city").order_by("valid_from"))


def test_the_owner_of_the_agent_that_proposed_may_not_decide(say: Say, ground: Ground) -> None:
    say("The customer prefers short calls", **INFERENCE)
    for verb, words in (("approve", {}), ("reject", {"reason": "no"})):
        with pytest.raises(NotGranted, match="somebody else"):
            decide(verb, waiting(ground), ground.as_ada, **words)


@pytest.mark.parametrize("who", ["as_agent", "as_operator", "as_record"])
def test_only_curators_decide(say: Say, ground: Ground, who: str) -> None:
    say("The customer prefers short calls", **INFERENCE)
    with pytest.raises(NotGranted):
        decide("approve", waiting(ground), getattr(ground, who))


def test_another_organisation_s_curator_finds_nothing(say: Say, ground: Ground) -> None:
    say("The customer prefers short calls", **INFERENCE)
    with pytest.raises(NotFound):
        decide("approve", waiting(ground), make_ground().as_cal)


def test_a_second_decision_hears_what_the_first_was(say: Say, ground: Ground) -> None:
    say("The customer prefers short calls", **INFERENCE)
    item = waiting(ground)
    decide("approve", item, ground.as_cal)
    with pytest.raises(AlreadyDecided) as told:
        decide("reject", item, ground.as_dee, reason="no")
    assert told.value.extra["decision"] == ReviewState.APPROVED


def test_a_decision_on_an_older_version_is_stale(say: Say, ground: Ground) -> None:
    say("The customer prefers short calls", **INFERENCE)
    with pytest.raises(Stale):
        decide("approve", waiting(ground), ground.as_cal, etag='"something-else"')


def test_a_declined_claim_does_not_come_back(say: Say, ground: Ground) -> None:
    say("The customer prefers short calls", **INFERENCE)
    decide("reject", waiting(ground), ground.as_cal, reason="Not true.")
    (again,) = say("The customer prefers short calls", **INFERENCE).results
    assert (again.op, again.reason) == (Op.REFUSED, Reason.DECLINED_BEFORE)


def test_a_rejection_needs_a_reason(say: Say, ground: Ground) -> None:
    say("The customer prefers short calls", **INFERENCE)
    with pytest.raises(Invalid):
        decide("reject", waiting(ground), ground.as_cal, reason="  ")


def test_an_edit_is_screened_like_any_other_words(say: Say, ground: Ground) -> None:
    say("The customer prefers short calls", **INFERENCE)
    item = waiting(ground)
    with pytest.raises(Invalid):
        decide("approve", item, ground.as_cal, text="The customer's password is hunter2-and-more")
    approved = decide("approve", item, ground.as_cal, text="The customer prefers calls under five minutes")
    assert entry(ground, approved).content == "The customer prefers calls under five minutes"


def test_approving_a_dispute_supersedes_what_stood_and_undo_brings_it_back(say: Say, ground: Ground) -> None:
    say("Plan: gold", key="plan", value="gold", by=ground.as_record, **RECORD)
    say("My plan is the silver one")
    item = decide("approve", waiting(ground), ground.as_cal)
    with acting_for(ground.as_hub, subjects=ALL_SUBJECTS):
        assert dict(Entry.objects.values_list("value", "status")) == {"gold": "replaced", "silver": "accepted"}
        before = _state()
    decide("undo", item, ground.as_cal)
    with acting_for(ground.as_hub, subjects=ALL_SUBJECTS):
        assert dict(Entry.objects.values_list("value", "status")) == {"gold": "accepted", "silver": "disputed"}
    decide("approve", waiting(ground), ground.as_cal)
    with acting_for(ground.as_hub, subjects=ALL_SUBJECTS):
        assert _state() == before


def _state() -> list[object]:
    return list(Entry.objects.order_by("id").values_list("value", "status", "authority", "valid_to", "confirmed_by"))


def test_undoing_an_approval_restores_everything_that_recall_sees(say: Say, ground: Ground) -> None:
    say("The customer prefers short calls", **INFERENCE)
    item = waiting(ground)
    before = entry(ground, item)
    decide("undo", decide("approve", item, ground.as_cal, text="The customer prefers long calls"), ground.as_cal)
    after = entry(ground, item)
    changing = {"version", "updated_at", "embedding", "embedding_model", "embedding_state", "search", "context"}
    for name in {field.attname for field in Entry._meta.concrete_fields} - changing:
        assert getattr(after, name) == getattr(before, name), name
    assert waiting(ground).pk == item.pk


def test_a_claimed_item_can_be_taken_over_and_let_go(say: Say, ground: Ground) -> None:
    say("The customer prefers short calls", **INFERENCE)
    item = waiting(ground)
    assert decide("claim", item, ground.as_cal).claimed_by_id == ground.as_cal.user
    assert decide("claim", item, ground.as_dee).claimed_by_id == ground.as_dee.user
    assert decide("release", item, ground.as_dee).claimed_by_id is None


def propose(ground: Ground, document: SkillDocument = DOCUMENT, **words: object) -> procedures.SkillOutcome:
    with acting_for(ground.as_agent, subjects=ALL_SUBJECTS):
        return procedures.propose_skill(document=document, agent=ground.agent, by=ground.as_agent, now=NOW, **words)  # type: ignore[arg-type]


def test_a_skill_is_never_active_without_a_curator(ground: Ground) -> None:
    outcome = propose(ground)
    assert outcome.op == Op.QUEUED
    with acting_for(ground.as_hub, subjects=ALL_SUBJECTS):
        assert procedures.active_skills(ground.agent) == []
    decide("approve", waiting(ground), ground.as_cal)
    with acting_for(ground.as_hub, subjects=ALL_SUBJECTS):
        (skill,) = procedures.active_skills(ground.agent)
        assert skill.approved_digest == procedures.digest_of(skill)


def test_a_skill_naming_a_tool_its_agent_lacks_is_refused_at_save(ground: Ground) -> None:
    with pytest.raises(Invalid) as told:
        propose(ground, SkillDocument(name="x", description="y", tools=("teleport",), body="z"))
    assert told.value.code == "invalid_skill"
    assert "teleport" in str(told.value.errors["tools"])


def test_a_new_version_retires_the_old_and_undo_brings_it_back(ground: Ground) -> None:
    propose(ground)
    decide("approve", waiting(ground), ground.as_cal)
    propose(ground, SkillDocument(name="check-stock", description="Check twice", body="Look again."))
    item = decide("approve", waiting(ground), ground.as_cal)
    with acting_for(ground.as_hub, subjects=ALL_SUBJECTS):
        assert dict(Skill.objects.values_list("number", "status")) == {1: SkillStatus.RETIRED, 2: SkillStatus.ACTIVE}
    decide("undo", item, ground.as_cal)
    with acting_for(ground.as_hub, subjects=ALL_SUBJECTS):
        assert dict(Skill.objects.values_list("number", "status")) == {1: SkillStatus.ACTIVE, 2: SkillStatus.PROPOSED}


def test_a_pattern_has_one_candidate_that_grows_and_comes_back_only_with_more_evidence(ground: Ground) -> None:
    def seen(count: int) -> procedures.Learned:
        sessions = [procedures.SessionSeen(f"s-{n}", f"e-{n}", None, NOW) for n in range(count)]
        return procedures.Learned("pattern", tuple(sessions))

    ops = [propose(ground, learned=seen(count)).op for count in (3, 3, 4)]
    assert ops == [Op.QUEUED, Op.NOOP, Op.UPDATE]
    item = waiting(ground)
    with acting_for(ground.as_hub, subjects=ALL_SUBJECTS):
        assert Skill.objects.get().evidence.count() == 4
    decide("reject", item, ground.as_cal, reason="Too narrow.")
    outcome = propose(ground, learned=seen(4))
    assert (outcome.op, outcome.reason) == (Op.NOOP, Reason.DECLINED_BEFORE)
    assert propose(ground, learned=seen(5)).op == Op.QUEUED


def test_the_queue_is_read_by_curators_and_operators_alone(say: Say, ground: Ground) -> None:
    say("The customer prefers short calls", **INFERENCE)
    with acting_for(ground.as_cal, subjects=ALL_SUBJECTS):
        assert review_queue.waiting(by=ground.as_cal, type="fact", subject="asha", agent="helper").count() == 1
        assert review_queue.waiting(by=ground.as_cal, type="skill").count() == 0
    with acting_for(ground.as_agent, subjects=ALL_SUBJECTS), pytest.raises(NotGranted):
        review_queue.waiting(by=ground.as_agent)


def test_undoing_a_rejected_dispute_marks_what_stands_as_contested_again(say: Say, ground: Ground) -> None:
    say("Plan: gold", key="plan", value="gold", by=ground.as_record, **RECORD)
    say("My plan is the silver one")
    item = decide("reject", waiting(ground), ground.as_cal, reason="The record is right.")
    with acting_for(ground.as_hub, subjects=ALL_SUBJECTS):
        assert dict(Entry.objects.values_list("value", "contested")) == {"gold": False, "silver": False}
    decide("undo", item, ground.as_cal)
    with acting_for(ground.as_hub, subjects=ALL_SUBJECTS):
        assert dict(Entry.objects.values_list("value", "contested")) == {"gold": True, "silver": False}
        assert set(Entry.objects.values_list("supersedes", flat=True)) == {None}


def test_undo_is_refused_while_the_same_waits_again(say: Say, ground: Ground) -> None:
    say("The customer prefers short calls", **INFERENCE)
    item = decide("approve", waiting(ground), ground.as_cal)
    with acting_for(ground.as_hub, subjects=ALL_SUBJECTS):
        confirmation.dispute(entry=entry(ground, item), reason="not so", by=ground.as_agent, now=NOW)
    with pytest.raises(Stale, match="waits for a decision again"):
        decide("undo", item, ground.as_cal)


@pytest.mark.parametrize(("verb", "words"), [("approve", {}), ("reject", {"reason": "it is so"})])
def test_a_decided_dispute_is_not_undone_once_something_newer_is_in_force(
    say: Say, ground: Ground, verb: str, words: dict[str, str]
) -> None:
    (kept,) = say("I live in Lisbon").results
    with acting_for(ground.as_hub, subjects=ALL_SUBJECTS):
        confirmation.dispute(entry=kept.entry, reason="not so", by=ground.as_agent, now=NOW)
    item = decide(verb, waiting(ground), ground.as_cal, **words)
    say("I live in Porto", now=NOW + timedelta(hours=1))
    with pytest.raises(Stale):
        decide("undo", item, ground.as_cal)
    with acting_for(ground.as_hub, subjects=ALL_SUBJECTS):
        assert Entry.objects.get(status=Status.ACCEPTED).value == "Porto"


def test_what_is_history_waits_for_nobody(say: Say, ground: Ground) -> None:
    (kept,) = say("I live in Lisbon").results
    with acting_for(ground.as_hub, subjects=ALL_SUBJECTS):
        confirmation.dispute(entry=kept.entry, reason="not so", by=ground.as_agent, now=NOW)
    say("I live in Porto", now=NOW + timedelta(hours=1))
    with acting_for(ground.as_hub, subjects=ALL_SUBJECTS):
        assert [item.state for item in ReviewItem.objects.all()] == [ReviewState.WITHDRAWN]
