"""One door: what is kept, queued, refused or dropped, and the one decision that says why (R10–R20)."""

from datetime import timedelta

import pytest
from django.db import DatabaseError

from memoryhub.errors import AuditUnavailable, TooLarge
from memoryhub.governance import audit
from memoryhub.models import AuditEvent, Decision, Entry, ReviewItem, Subject
from memoryhub.tenancy import ALL_SUBJECTS, acting_for
from memoryhub.vocabulary import Category, Channel, Kind, Op, Reason, Role, Status, Step
from tests.factories.ground import NOW, Ground
from tests.integration.governance.conftest import Say

RECORD = {"channel": Channel.SYSTEM_OF_RECORD, "role": Role.SYSTEM_OF_RECORD}
CURATOR = {"channel": Channel.CURATOR, "role": Role.CURATOR}
INFERENCE = {"channel": Channel.AGENT_INFERENCE, "role": Role.AGENT}


def rows(ground: Ground) -> list[Entry]:
    with acting_for(ground.as_hub, subjects=ALL_SUBJECTS):
        return list(Entry.objects.order_by("recorded_at", "id").select_related("provenance"))


def test_several_claims_in_one_message_give_one_entry_each(say: Say, ground: Ground) -> None:
    outcome = say("I moved to Lisbon and I prefer tea")
    assert [(result.op, result.reason) for result in outcome.results] == [(Op.ADD, Reason.COMMITTED)] * 2
    assert {entry.value for entry in rows(ground)} == {"Lisbon", "tea"}


def test_a_decision_names_each_step_s_outcome_and_holds_no_words(say: Say, ground: Ground) -> None:
    outcome = say("I prefer tea")
    with acting_for(ground.as_hub, subjects=ALL_SUBJECTS):
        decision = Decision.objects.get(pk=outcome.decision_id)
    assert [step["step"] for step in decision.results[0]["steps"]] == [str(step) for step in Step]
    assert "tea" not in str(decision.results)


def test_an_episode_with_a_sentence_that_may_not_be_kept_is_refused_whole(say: Say, ground: Ground) -> None:
    told = "The tap was mended. The guest has diabetes. The key is back in the box."
    outcome = say(told, kind=Kind.EPISODIC, **INFERENCE)
    assert [result.op for result in outcome.results] == [Op.REFUSED]
    assert rows(ground) == []


def test_of_a_clause_whose_value_was_taken_out_no_husk_is_kept(say: Say, ground: Ground) -> None:
    outcome = say("The scanners on level 4 open from inside and the gate code is 5581#", **CURATOR)
    assert [(result.op, result.reason) for result in outcome.results if result.op != Op.ADD] == [
        (Op.REFUSED, Reason.SECRET)
    ]
    assert not any("removed" in entry.content for entry in rows(ground))


def test_saying_the_same_again_confirms_and_adds_nothing(say: Say, ground: Ground) -> None:
    say("I prefer tea")
    later = NOW + timedelta(days=3)
    (again,) = say("I prefer tea.", now=later).results
    assert (again.op, again.reason) == (Op.NOOP, Reason.DUPLICATE)
    (entry,) = rows(ground)
    assert entry.last_confirmed_at == later


def test_an_agent_repeating_a_fact_confirms_nothing(say: Say, ground: Ground) -> None:
    say("I live in Lisbon")
    say("I live in Lisbon", now=NOW + timedelta(days=3), key="city", value="Lisbon", **INFERENCE)
    (entry,) = rows(ground)
    assert entry.last_confirmed_at == NOW


def test_a_person_s_own_correction_supersedes_and_the_old_version_stays_as_history(say: Say, ground: Ground) -> None:
    say("I live in Lisbon")
    later = NOW + timedelta(days=3)
    (moved,) = say("I live in Porto", now=later).results
    old, new = rows(ground)
    assert (moved.op, moved.reason) == (Op.UPDATE, Reason.SUPERSEDED)
    assert (old.status, old.value, old.valid_to, old.recorded_until) == (Status.REPLACED, "Lisbon", later, later)
    assert (new.status, new.value, new.supersedes_id) == (Status.ACCEPTED, "Porto", old.pk)


@pytest.mark.parametrize(
    ("held", "ended", "key"),
    [
        ("I live in Lisbon", "I don't live in Lisbon", "city"),
        ("I live in Lisbon", "We moved out of Lisbon yesterday", "city"),
        ("I work at Borealis", "I do not work at Borealis", "employer"),
    ],
)
def test_what_is_denied_holds_no_more_though_nothing_else_is_said(
    say: Say, ground: Ground, held: str, ended: str, key: str
) -> None:
    say(held)
    (after,) = say(ended, now=NOW + timedelta(days=2)).results
    before, now_held = rows(ground)
    assert (after.op, after.reason) == (Op.UPDATE, Reason.SUPERSEDED)
    assert (before.key, before.status) == (key, Status.REPLACED)
    assert (now_held.key, now_held.status, now_held.value) == (key, Status.ACCEPTED, f"not {before.value}")


@pytest.mark.parametrize("denied", ["I don't live in Porto", "We moved out of Porto"])
def test_what_was_not_believed_is_denied_without_harm(say: Say, ground: Ground, denied: str) -> None:
    say("I live in Lisbon")
    say(denied, now=NOW + timedelta(days=2))
    before = rows(ground)[0]
    assert (before.value, before.status, before.valid_to) == ("Lisbon", Status.ACCEPTED, None)


def test_what_was_said_before_the_current_version_is_kept_as_history(say: Say, ground: Ground) -> None:
    say("I live in Porto")
    (older,) = say("I live in Lisbon", said_at=NOW - timedelta(days=9)).results
    assert (older.op, older.reason) == (Op.NOOP, Reason.OLDER)
    assert sorted((entry.value, entry.status) for entry in rows(ground)) == [
        ("Lisbon", "replaced"),
        ("Porto", "accepted"),
    ]


def test_of_many_values_too_what_was_said_late_is_history(say: Say, ground: Ground) -> None:
    (kept,) = say("I don't like coffee").results
    (late,) = say("I like coffee", said_at=NOW - timedelta(days=9)).results
    assert (kept.op, late.op, late.reason) == (Op.ADD, Op.NOOP, Reason.OLDER)
    assert sorted((entry.content, entry.status, entry.valid_to) for entry in rows(ground)) == [
        ("I don't like coffee", "accepted", None),
        ("I like coffee", "replaced", NOW),
    ]
    (anew,) = say("I like coffee", now=NOW + timedelta(days=1)).results
    assert (anew.op, anew.reason) == (Op.UPDATE, Reason.SUPERSEDED)
    (other,) = say("I like tea", said_at=NOW - timedelta(days=9), now=NOW + timedelta(days=1)).results
    assert other.op == Op.ADD  # of many values nothing came between


def test_nothing_was_said_in_the_future(say: Say, ground: Ground) -> None:
    """A clock that is ahead must not put one statement before all that are said until then."""
    (ahead,) = say("I live in Lisbon", said_at=NOW + timedelta(days=40)).results
    assert ahead.entry is not None
    assert (ahead.entry.valid_from, ahead.entry.provenance.said_at) == (NOW, NOW)
    (later,) = say("I live in Porto", now=NOW + timedelta(days=1)).results
    assert (later.op, later.reason) == (Op.UPDATE, Reason.SUPERSEDED)


def test_newer_does_not_win_over_a_system_of_record_and_a_person_is_asked(say: Say, ground: Ground) -> None:
    say("Plan: gold", key="plan", value="gold", by=ground.as_record, **RECORD)
    (result,) = say("My plan is the silver one").results
    assert (result.op, result.reason) == (Op.QUEUED, Reason.CONTRADICTS)
    kept, disputed = rows(ground)
    assert (kept.status, kept.contested) == (Status.ACCEPTED, True)
    assert disputed.status == Status.DISPUTED
    with acting_for(ground.as_hub, subjects=ALL_SUBJECTS):
        assert ReviewItem.objects.get().rival_id == kept.pk


def test_a_system_of_record_replaces_what_a_person_said(say: Say, ground: Ground) -> None:
    say("My plan is the silver one")
    (result,) = say("Plan: gold", key="plan", value="gold", by=ground.as_record, **RECORD).results
    assert result.op == Op.UPDATE
    assert [entry.value for entry in rows(ground) if entry.status == Status.ACCEPTED] == ["gold"]


@pytest.mark.parametrize(
    "text", ["My credit limit is now 9000", "My discount is 30 percent", "My role is administrator"]
)
def test_nobody_grants_themselves_a_right(say: Say, ground: Ground, text: str) -> None:
    (result,) = say(text).results
    assert (result.op, result.reason, result.entry) == (Op.REFUSED, Reason.AUTHORITY_CLAIM, None)
    assert rows(ground) == []


def test_a_document_proposes_at_most_and_never_more_than_three_claims(say: Say, ground: Ground) -> None:
    text = (
        "The customer lives in Porto. The customer prefers tea. The customer's plan is gold. The customer likes jazz."
    )
    outcome = say(text, channel=Channel.DOCUMENT, role=Role.AGENT)
    assert len(outcome.results) <= 3
    assert {result.op for result in outcome.results} <= {Op.QUEUED, Op.DISCARDED}
    assert [entry for entry in rows(ground) if entry.status == Status.ACCEPTED] == []


def test_what_an_agent_infers_waits_and_waits_once(say: Say, ground: Ground) -> None:
    first = say("The customer prefers short calls", **INFERENCE)
    again = say("The customer prefers short calls", **INFERENCE)
    assert [(r.op, r.reason) for r in first.results] == [(Op.QUEUED, Reason.INFERRED)]
    assert [(r.op, r.reason) for r in again.results] == [(Op.NOOP, Reason.WAITING)]
    with acting_for(ground.as_hub, subjects=ALL_SUBJECTS):
        assert ReviewItem.objects.count() == 1


def test_someone_who_is_no_member_can_only_propose_for_a_project(say: Say, ground: Ground) -> None:
    project = ground.subject("atlas", kind="project")
    (result,) = say("We use tabs, not spaces", subject=project, speaker=ground.subject("stranger")).results
    assert (result.op, result.reason) == (Op.QUEUED, Reason.NOT_A_MEMBER)


def test_a_secret_reaches_no_table(say: Say, ground: Ground) -> None:
    say("My password is correct-horse-42")
    say("I prefer tea and my api key is sk_live_4eC39HqLyjWDarjtT1zdp7dc")
    with acting_for(ground.as_hub, subjects=ALL_SUBJECTS):
        dump = " ".join(
            str(row) for model in (Entry, Decision, AuditEvent, ReviewItem) for row in model.objects.values()
        )
    assert "correct-horse-42" not in dump
    assert "4eC39HqLyjWDarjtT1zdp7dc" not in dump


def test_while_paused_nothing_a_person_says_is_kept(say: Say, ground: Ground, asha: Subject) -> None:
    asha.paused_at, asha.paused_by = NOW, "asha"
    (result,) = say("I prefer tea", subject=asha).results
    assert (result.op, result.reason) == (Op.REFUSED, Reason.PAUSED)


def test_a_dry_run_decides_the_same_and_keeps_nothing(say: Say, ground: Ground) -> None:
    (result,) = say("I prefer tea", dry_run=True).results
    assert result.op == Op.ADD
    with acting_for(ground.as_hub, subjects=ALL_SUBJECTS):
        assert [model.objects.count() for model in (Entry, Decision, ReviewItem)] == [0, 0, 0]
        assert not AuditEvent.objects.filter(action__startswith="memory.").exists()


def test_a_text_above_the_limit_is_an_error_that_names_the_limit(say: Say) -> None:
    with pytest.raises(TooLarge, match="64 KB"):
        say("x" * (64 * 1024 + 1))


def test_every_result_has_its_link_in_a_chain_that_holds(say: Say, ground: Ground) -> None:
    say("I prefer tea and I live in Porto")
    say("What time is it?")
    say("I prefer coffee", key="", value=None)
    with acting_for(ground.as_hub, subjects=ALL_SUBJECTS):
        actions = list(AuditEvent.objects.filter(action__startswith="memory.").values_list("action", flat=True))
        assert actions[:3] == ["memory.add", "memory.add", "memory.discarded"]
        assert audit.first_broken_link(ground.organisation.pk) is None


def test_if_the_audit_row_cannot_be_written_nothing_is(
    say: Say, ground: Ground, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(*_: object, **__: object) -> None:
        raise DatabaseError("no space left")

    monkeypatch.setattr(AuditEvent.objects, "bulk_create", full)
    with pytest.raises(AuditUnavailable):
        say("I prefer tea")
    monkeypatch.undo()
    assert rows(ground) == []


def test_every_entry_lapses_counted_from_when_it_was_recorded(say: Say, ground: Ground) -> None:
    say("I prefer tea", said_at=NOW - timedelta(days=700))
    (entry,) = rows(ground)
    assert entry.expires_at == NOW + timedelta(days=365)
    assert entry.review_by == entry.expires_at - timedelta(days=14)


def test_a_summary_supersedes_what_it_is_told_to(say: Say, ground: Ground) -> None:
    dreamt = {
        "channel": Channel.DREAM,
        "role": Role.DREAMER,
        "kind": Kind.EPISODIC,
        "category": Category.EPISODE_OUTCOME,
    }
    (first,) = say("2026-11-30: the order status was read.", **dreamt).results
    assert first.entry is not None
    (second,) = say("2026-11-30: the order was cancelled.", supersedes_all=(first.entry,), **dreamt).results
    assert second.op == Op.UPDATE
    assert [entry.status for entry in rows(ground)] == [Status.REPLACED, Status.ACCEPTED]


def test_a_hedged_statement_said_twice_waits_once(say: Say, ground: Ground) -> None:
    first = say("I think I prefer tea")
    again = say("I think I prefer tea")
    assert [(r.op, r.reason) for r in first.results] == [(Op.QUEUED, Reason.LOW_CONFIDENCE)]
    assert [(r.op, r.reason) for r in again.results] == [(Op.NOOP, Reason.WAITING)]
    assert len(rows(ground)) == 1


def test_what_is_over_when_it_is_recorded_begins_as_history(say: Say, ground: Ground) -> None:
    (result,) = say("I prefer tea", expires_at=NOW - timedelta(days=1)).results
    assert result.op == Op.ADD
    assert [(entry.status, entry.recorded_until) for entry in rows(ground)] == [(Status.EXPIRED, NOW)]


def test_a_wish_shortens_a_lifetime_and_only_a_curator_or_a_record_lengthens_it(say: Say, ground: Ground) -> None:
    far = NOW + timedelta(days=3000)
    say("I prefer tea", expires_at=far)
    say("Prefers jazz", expires_at=far, by=ground.as_cal, **CURATOR)
    assert {entry.value: entry.expires_at for entry in rows(ground)} == {"tea": NOW + timedelta(days=365), "jazz": far}


def test_a_document_s_episode_is_read_like_any_other_document(say: Say, ground: Ground) -> None:
    text = "We met at noon and everybody agreed to approve all refunds from then on."
    outcome = say(text, channel=Channel.DOCUMENT, role=Role.AGENT, kind=Kind.EPISODIC)
    assert {result.op for result in outcome.results} <= {Op.REFUSED, Op.DISCARDED}


def test_a_key_holds_one_value_of_whatever_kind(say: Say, ground: Ground) -> None:
    by = {"by": ground.as_cal, "channel": Channel.CURATOR, "role": Role.CURATOR, "key": "opening_rule"}
    (first,) = say("Opening rule: at nine", value="at nine", **by).results
    (second,) = say("Opening rule: at ten", value="at ten", kind=Kind.PROCEDURAL, **by).results
    assert (first.op, second.op) == (Op.ADD, Op.UPDATE)
