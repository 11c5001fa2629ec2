"""Working together on what waits: notes, timeline, claims, snoozing, escalating, looks, saved views (R92)."""

from collections.abc import Callable
from datetime import timedelta
from typing import Any

import pytest
from django.db import connection

from memoryhub import conf
from memoryhub.errors import AlreadyDecided, Invalid, NotFound, NotGranted, Stale
from memoryhub.governance import decisions, edits, erasure, looked, review_notes, review_queue, saved_views, timeline
from memoryhub.models import AuditEvent, ReviewItem, ReviewLook, ReviewNote, Subject
from memoryhub.tenancy import ALL_SUBJECTS, Principal, acting_for
from memoryhub.vocabulary import Channel, ReviewState, Role
from tests.factories.ground import NOW, Ground, make_ground
from tests.integration.governance.conftest import Say

INFERENCE = {"channel": Channel.AGENT_INFERENCE, "role": Role.AGENT}
RECORD = {"channel": Channel.SYSTEM_OF_RECORD, "role": Role.SYSTEM_OF_RECORD}
HOUR = timedelta(hours=1)


@pytest.fixture
def item(say: Say, ground: Ground) -> ReviewItem:
    say("The customer prefers short calls", **INFERENCE)
    with acting_for(ground.as_hub, subjects=ALL_SUBJECTS):
        return ReviewItem.objects.get(state=ReviewState.WAITING)


def as_(by: Principal, verb: Callable[..., Any], **words: Any) -> Any:
    with acting_for(by, subjects=ALL_SUBJECTS):
        return verb(by=by, **{"now": NOW, **words})


def queue(ground: Ground, **filters: Any) -> list[ReviewItem]:
    with acting_for(ground.as_cal, subjects=ALL_SUBJECTS):
        return list(review_queue.waiting(by=ground.as_cal, **{"now": NOW, **filters}))


def happened(ground: Ground, item: ReviewItem) -> list[tuple[str, str, str]]:
    with acting_for(ground.as_cal, subjects=ALL_SUBJECTS):
        found = timeline.of(review_queue.get(item_id=item.pk, by=ground.as_cal))
    assert [moment.at for moment in found] == sorted(moment.at for moment in found)
    return [(moment.verb, moment.who.split("-")[0], moment.detail) for moment in found]


def test_a_note_stands_in_the_timeline_and_in_no_audit_row(item: ReviewItem, ground: Ground) -> None:
    as_(ground.as_cal, review_notes.add, item_id=item.pk, text="  Called her, no answer. ", now=NOW + HOUR)
    assert ("note", "cal", "Called her, no answer.") in happened(ground, item)
    with acting_for(ground.as_hub, subjects=ALL_SUBJECTS):
        row = AuditEvent.objects.get(action="queue.note")
        assert "Called" not in f"{row.reason}{row.object_id}{row.subject}"


@pytest.mark.parametrize("text", ["", "  \n ", "x" * 1001, "Her card is 4111 1111 1111 1111"])
def test_a_note_that_can_not_be_kept_is_refused(item: ReviewItem, ground: Ground, text: str) -> None:
    with pytest.raises(Invalid) as told:
        as_(ground.as_cal, review_notes.add, item_id=item.pk, text=text)
    assert "text" in told.value.errors
    assert "4111" not in str(told.value.errors)


def test_a_secret_is_taken_out_of_a_note(item: ReviewItem, ground: Ground) -> None:
    note = as_(
        ground.as_cal,
        review_notes.add,
        item_id=item.pk,
        text="She orders from the Leeds office every month and signs in with the password hunter2-and-more there.",
    )
    assert "hunter2" not in note.text
    assert note.text


@pytest.mark.parametrize("who", ["as_agent", "as_operator", "as_record"])
def test_only_curators_note_claim_snooze_and_escalate(item: ReviewItem, ground: Ground, who: str) -> None:
    for verb, words in (
        (review_notes.add, {"text": "x"}), (decisions.claim, {}), (decisions.heartbeat, {}),
        (decisions.snooze, {"until": NOW + HOUR}), (decisions.wake, {}), (decisions.escalate, {"reason": "x"}),
    ):  # fmt: skip
        with pytest.raises(NotGranted):
            as_(getattr(ground, who), verb, item_id=item.pk, **words)


def test_another_organisation_s_curator_finds_nothing_to_work_on(item: ReviewItem) -> None:
    stranger = make_ground().as_cal
    for verb, words in (
        (review_notes.add, {"text": "x"}), (decisions.claim, {}), (decisions.snooze, {"until": NOW + HOUR}),
        (decisions.escalate, {"reason": "x"}),
    ):  # fmt: skip
        with pytest.raises(NotFound):
            as_(stranger, verb, item_id=item.pk, **words)


def test_taking_over_is_recorded_and_a_heartbeat_is_not(item: ReviewItem, ground: Ground) -> None:
    as_(ground.as_cal, decisions.claim, item_id=item.pk)
    held = as_(ground.as_cal, decisions.heartbeat, item_id=item.pk, now=NOW + timedelta(minutes=9))
    assert decisions.is_claimed(held, now=NOW + timedelta(minutes=18))
    as_(ground.as_dee, decisions.claim, item_id=item.pk, now=NOW + timedelta(minutes=10))
    still = as_(ground.as_cal, decisions.heartbeat, item_id=item.pk, now=NOW + timedelta(minutes=11))
    assert still.claimed_by_id == ground.as_dee.user
    assert [(verb, who) for verb, who, _ in happened(ground, item)] == [
        ("create", "Helper"), ("claim", "cal"), ("take_over", "dee")
    ]  # fmt: skip
    (taken,) = [detail for verb, _, detail in happened(ground, item) if verb == "take_over"]
    assert taken.startswith("from cal-")


def test_a_claim_that_lapsed_is_claimed_anew_and_not_taken_over(item: ReviewItem, ground: Ground) -> None:
    as_(ground.as_cal, decisions.claim, item_id=item.pk)
    as_(ground.as_dee, decisions.claim, item_id=item.pk, now=NOW + conf.CLAIM_LIFETIME)
    assert [verb for verb, _, _ in happened(ground, item)] == ["create", "claim", "claim"]


def test_what_somebody_else_is_on_is_not_mine_to_take(item: ReviewItem, ground: Ground) -> None:
    assert len(queue(ground, person=ground.as_cal.user)) == 1
    as_(ground.as_dee, decisions.claim, item_id=item.pk)
    assert queue(ground, person=ground.as_cal.user) == []
    assert len(queue(ground, person=ground.as_dee.user)) == 1
    assert len(queue(ground, person=ground.as_cal.user, now=NOW + conf.CLAIM_LIFETIME)) == 1


def test_what_is_snoozed_is_out_of_the_queue_until_then(item: ReviewItem, ground: Ground) -> None:
    as_(ground.as_cal, decisions.snooze, item_id=item.pk, until=NOW + HOUR)
    assert queue(ground) == []
    assert len(queue(ground, snoozed=True)) == len(queue(ground, snoozed=None)) == 1
    assert len(queue(ground, now=NOW + HOUR)) == 1
    assert queue(ground, now=NOW + HOUR, snoozed=True) == []
    as_(ground.as_dee, decisions.wake, item_id=item.pk)
    assert len(queue(ground)) == 1
    as_(ground.as_dee, decisions.wake, item_id=item.pk)
    assert [verb for verb, _, _ in happened(ground, item)] == ["create", "snooze", "wake"]


@pytest.mark.parametrize("until", [NOW, NOW - HOUR, NOW + conf.SNOOZED_AT_MOST + HOUR])
def test_a_rest_ends_some_day_soon(item: ReviewItem, ground: Ground, until: Any) -> None:
    with pytest.raises(Invalid):
        as_(ground.as_cal, decisions.snooze, item_id=item.pk, until=until)


def test_what_was_decided_or_changed_meanwhile_is_not_snoozed(item: ReviewItem, ground: Ground) -> None:
    with pytest.raises(Stale):
        as_(ground.as_cal, decisions.snooze, item_id=item.pk, until=NOW + HOUR, etag='"old-1"')
    as_(ground.as_dee, decisions.reject, item_id=item.pk, reason="No.")
    with pytest.raises(AlreadyDecided):
        as_(ground.as_cal, decisions.snooze, item_id=item.pk, until=NOW + HOUR)


def test_what_is_due_first_comes_first_and_what_is_escalated_before_it(say: Say, ground: Ground) -> None:
    """A dispute of an hour ago is due before a fact of a day ago."""
    say("The customer prefers short calls", **INFERENCE, now=NOW - timedelta(hours=24))
    say("Plan: gold", key="plan", value="gold", by=ground.as_record, **RECORD, now=NOW - 2 * HOUR)
    say("My plan is the silver one", now=NOW - HOUR)
    say("The customer prefers long mails", **INFERENCE)
    assert [item.type for item in queue(ground)] == ["dispute", "fact", "fact"]
    last = queue(ground)[-1]
    as_(ground.as_cal, decisions.escalate, item_id=last.pk, reason="The customer is on the line.")
    as_(ground.as_dee, review_notes.add, item_id=last.pk, text="Still is.", now=NOW + HOUR)
    first = queue(ground)[0]
    assert (first.pk, first.escalated_at, first.due_at) == (last.pk, NOW, last.due_at)
    assert [one.pk for one in queue(ground, escalated=True)] == [last.pk]
    assert ("escalate", "cal", "The customer is on the line.") in happened(ground, last)
    assert len(queue(ground, late=True)) == 1
    assert len(queue(ground, late=True, now=NOW + timedelta(days=4))) == 3


def test_who_looked_is_told_once_a_look(item: ReviewItem, ground: Ground) -> None:
    for minutes in (0, 5, 14, 25):
        as_(ground.as_dee, lambda **words: looked.record(item, **words), now=NOW + timedelta(minutes=minutes))
    as_(ground.as_hub, lambda **words: looked.record(item, **words))
    assert [(verb, who) for verb, who, _ in happened(ground, item)] == [
        ("create", "Helper"), ("look", "dee"), ("look", "dee")
    ]  # fmt: skip


def test_who_looked_is_read_by_auditors_and_not_by_those_who_looked(item: ReviewItem, ground: Ground) -> None:
    as_(ground.as_dee, lambda **words: looked.record(item, **words))
    auditor = Principal(ground.organisation.pk, "user:a", frozenset({"auditor"}))
    with acting_for(auditor, subjects=ALL_SUBJECTS):
        (look,) = looked.found(by=auditor, item=item.pk, person=ground.as_dee.user, since=NOW)
        assert (look.person_id, look.began_at) == (ground.as_dee.user, NOW)
        assert not looked.found(by=auditor, since=NOW + HOUR).exists()
    with pytest.raises(NotGranted):
        looked.found(by=ground.as_cal)


def test_notes_and_looks_go_with_the_person_they_are_about(item: ReviewItem, ground: Ground, asha: Subject) -> None:
    as_(ground.as_cal, review_notes.add, item_id=item.pk, text="She sounded unsure.")
    as_(ground.as_cal, lambda **words: looked.record(item, **words))
    with acting_for(ground.as_hub, subjects=ALL_SUBJECTS):
        receipt = erasure.erase_subject(subject=asha, by=ground.as_hub, now=NOW)
        assert (receipt.removed["notes"], receipt.removed["queue"], receipt.remaining) == (1, 1, 0)
        assert not ReviewNote.objects.exists()
        assert not ReviewLook.objects.exists()


def test_a_note_about_what_an_entry_stands_against_goes_with_that_entry(say: Say, ground: Ground) -> None:
    (gold,) = say("Plan: gold", key="plan", value="gold", by=ground.as_record, **RECORD).results
    say("My plan is the silver one")
    (item,) = queue(ground)
    as_(ground.as_cal, review_notes.add, item_id=item.pk, text="The gold one is from last year.")
    with acting_for(ground.as_hub, subjects=ALL_SUBJECTS):
        erasure.erase_entry(entry=gold.entry, by=ground.as_hub, now=NOW)
        assert not ReviewNote.objects.exists()


def test_notes_are_seen_by_nobody_who_sees_single_people(item: ReviewItem, ground: Ground, asha: Subject) -> None:
    as_(ground.as_cal, review_notes.add, item_id=item.pk, text="She sounded unsure.")
    with acting_for(ground.as_agent, subjects=[asha.pk]), connection.cursor() as cursor:
        cursor.execute("SELECT count(*) FROM memoryhub_reviewnote")
        assert cursor.fetchone() == (0,)


def test_a_view_is_its_owner_s_until_it_is_shared(ground: Ground) -> None:
    as_(ground.as_cal, saved_views.save, name="Late disputes", query="?type=dispute&late=1", is_default=True)
    as_(ground.as_cal, saved_views.save, name="Skills", query="type=skill", is_default=True)
    with pytest.raises(Invalid) as told:
        as_(ground.as_cal, saved_views.save, name="Skills", query="type=skill&age=7")
    assert told.value.code == saved_views.TAKEN
    as_(ground.as_cal, saved_views.save, name="Skills", query="type=skill&age=7", replaces=True)

    def seen(by: Principal) -> list[tuple[str, str, bool]]:
        with acting_for(by, subjects=ALL_SUBJECTS):
            return [(view.name, view.query, view.is_default) for view in saved_views.of(by)]

    assert seen(ground.as_cal) == [
        ("Late disputes", "type=dispute&late=1", False),
        ("Skills", "type=skill&age=7", False),
    ]
    assert seen(ground.as_dee) == []
    shared = as_(ground.as_cal, saved_views.save, name="Skills", query="type=skill", shared=True, replaces=True)
    assert [name for name, _, _ in seen(ground.as_dee)] == ["Skills"]
    with pytest.raises(NotFound):
        as_(ground.as_dee, saved_views.remove, view_id=shared.pk)
    as_(ground.as_cal, saved_views.remove, view_id=shared.pk)
    assert [name for name, _, _ in seen(ground.as_cal)] == ["Late disputes"]


def test_a_person_has_so_many_views_and_names_them(ground: Ground, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(conf, "VIEWS_EACH", 1)
    as_(ground.as_cal, saved_views.save, name="One", query="")
    for words in ({"name": "Two", "query": ""}, {"name": " ", "query": ""}, {"name": "One", "query": "x" * 501}):
        with pytest.raises(Invalid):
            as_(ground.as_cal, saved_views.save, **words)
    with pytest.raises(NotGranted):
        as_(ground.as_agent, saved_views.save, name="One", query="")


def test_how_somebody_likes_to_work_is_theirs_alone(ground: Ground) -> None:
    as_(ground.as_cal, saved_views.prefer, shortcuts=False)
    as_(ground.as_cal, saved_views.prefer, density="dense")
    with pytest.raises(Invalid):
        as_(ground.as_cal, saved_views.prefer, density="huge")
    for by, wanted in ((ground.as_cal, (False, "dense")), (ground.as_dee, (True, "roomy"))):
        with acting_for(by, subjects=ALL_SUBJECTS):
            chosen = saved_views.preferences_of(by)
        assert (chosen.shortcuts, chosen.density) == wanted


def test_an_escalation_is_made_once_and_taken_back(item: ReviewItem, ground: Ground) -> None:
    before = item.place_at
    as_(ground.as_cal, decisions.escalate, item_id=item.pk, reason="It may be an attack")
    with pytest.raises(Stale):
        as_(ground.as_dee, decisions.escalate, item_id=item.pk, reason="I think so, too")
    lowered = as_(ground.as_dee, decisions.lower, item_id=item.pk, now=NOW + HOUR)
    assert (lowered.escalated_at, lowered.place_at) == (None, before)
    assert [(verb, who, detail) for verb, who, detail in happened(ground, item) if verb != "create"] == [
        ("escalate", "cal", "It may be an attack"), ("lower", "dee", "")
    ]  # fmt: skip
    as_(ground.as_dee, decisions.lower, item_id=item.pk, now=NOW + HOUR)  # nothing to take back
    assert len(happened(ground, item)) == 3


def test_a_heartbeat_takes_what_is_free_holds_what_is_ours_and_lets_go(item: ReviewItem, ground: Ground) -> None:
    def beat(by: Principal, **words: Any) -> Any:
        found: ReviewItem = as_(by, decisions.heartbeat, item_id=item.pk, **words)
        return found.claimed_by_id

    assert beat(ground.as_cal) is None
    assert beat(ground.as_ada, takes=True) is None  # who may not decide it takes nothing by looking
    assert beat(ground.as_cal, takes=True) == ground.as_cal.user
    assert beat(ground.as_dee, takes=True) == ground.as_cal.user
    assert beat(ground.as_dee, takes=True, leaves=True) == ground.as_cal.user
    assert beat(ground.as_cal, takes=True, leaves=True) is None
    assert [verb for verb, _, _ in happened(ground, item)] == ["create", "claim", "release"]
    as_(ground.as_dee, decisions.reject, item_id=item.pk, reason="No")
    assert as_(ground.as_cal, decisions.heartbeat, item_id=item.pk, takes=True).state == ReviewState.REJECTED


def test_an_edit_is_told_with_what_it_was_and_the_key_it_took_away(say: Say, ground: Ground) -> None:
    say("She speaks Marathi.", key="language", value="Marathi", **INFERENCE)
    item = next(one for one in queue(ground) if one.entry is not None and one.entry.key == "language")
    as_(ground.as_cal, decisions.approve, item_id=item.pk, text="She would rather be written to than called.")
    with acting_for(ground.as_cal, subjects=ALL_SUBJECTS):
        found = review_queue.get(item_id=item.pk, by=ground.as_cal)
        assert found.entry is not None
        edit = edits.of(found.entry)
        (told,) = [moment.what for moment in timeline.of(found) if moment.verb == "approve"]
    assert edit is not None
    assert (edit.who.split("-")[0], edit.before, edit.lost_key) == ("cal", "She speaks Marathi.", "language")
    assert told == "edited it, which took it from under the key language, then approved it"
    as_(ground.as_cal, decisions.undo, item_id=item.pk)
    with acting_for(ground.as_cal, subjects=ALL_SUBJECTS):
        assert edits.of(found.entry) is None
