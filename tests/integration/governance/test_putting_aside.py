"""A curator takes a memory out of use by hand, and brings it back; nothing else comes back that way (R3, R92)."""

from datetime import timedelta

import pytest

from memoryhub.errors import AlreadyDecided, Invalid, NotGranted, Stale
from memoryhub.governance import (
    bulk,
    confirmation,
    decisions,
    merging,
    never_again,
    policy_versions,
    putting_aside,
)
from memoryhub.models import AuditEvent, Entry
from memoryhub.tenancy import ALL_SUBJECTS, acting_for
from memoryhub.vocabulary import Channel, Role, Status
from tests.factories.ground import NOW, Ground
from tests.integration.governance.conftest import Say
from tests.integration.governance.test_deciding_otherwise import as_, inferred

CURATOR = {"channel": Channel.CURATOR, "role": Role.CURATOR}


@pytest.fixture
def city(say: Say) -> Entry:
    entry = say("I live in Trier").results[0].entry
    assert entry is not None
    return entry


def now_in(ground: Ground, entry: Entry) -> Entry:
    with acting_for(ground.as_hub, subjects=ALL_SUBJECTS):
        return Entry.objects.select_related("subject").get(pk=entry.pk)


def test_it_is_out_of_use_audited_and_comes_back_as_it_was(ground: Ground, city: Entry) -> None:
    before = now_in(ground, city)
    as_(ground.as_cal, putting_aside.put_aside, entry=city)
    assert now_in(ground, city).status == Status.ARCHIVED
    as_(ground.as_dee, putting_aside.bring_back, entry=city)
    after = now_in(ground, city)
    apart = {
        field.name
        for field in Entry._meta.concrete_fields
        if str(getattr(before, field.attname)) != str(getattr(after, field.attname))
    }
    assert apart == {"version", "updated_at"}
    with acting_for(ground.as_hub, subjects=ALL_SUBJECTS):
        rows = AuditEvent.objects.filter(object_id=str(city.pk), action__in=["entry.archive", "entry.restore"])
        assert list(rows.order_by("seq").values_list("action", "actor")) == [
            ("entry.archive", ground.as_cal.label), ("entry.restore", ground.as_dee.label)
        ]  # fmt: skip


def test_only_what_is_in_force_is_put_aside_and_only_what_is_aside_brought_back(ground: Ground, city: Entry) -> None:
    with pytest.raises(AlreadyDecided):
        as_(ground.as_cal, putting_aside.bring_back, entry=city)
    as_(ground.as_cal, putting_aside.put_aside, entry=city)
    with pytest.raises(AlreadyDecided):
        as_(ground.as_cal, putting_aside.put_aside, entry=city)
    for who in (ground.as_agent, ground.as_operator):
        with pytest.raises(NotGranted):
            as_(who, putting_aside.bring_back, entry=city)


def test_what_a_question_waits_about_is_decided_and_not_put_aside(say: Say, ground: Ground) -> None:
    entry = say("The customer prefers oolong", **CURATOR, by=ground.as_ada).results[0].entry
    assert entry is not None
    as_(ground.as_cal, confirmation.dispute, entry=entry, reason="She says otherwise")
    with pytest.raises(Stale):
        as_(ground.as_dee, putting_aside.put_aside, entry=entry)


def test_what_lapsed_or_was_overtaken_or_is_unwanted_by_now_stays_aside(say: Say, ground: Ground, city: Entry) -> None:
    as_(ground.as_cal, putting_aside.put_aside, entry=city)
    with pytest.raises(Stale):
        as_(ground.as_cal, putting_aside.bring_back, entry=city, now=now_in(ground, city).expires_at)
    say("I live in Husum", now=NOW + timedelta(hours=1))
    with pytest.raises(Stale):
        as_(ground.as_cal, putting_aside.bring_back, entry=city)
    newer = say("I live in Emden", now=NOW + timedelta(hours=2)).results[0].entry
    as_(ground.as_agent, never_again.never_again, entry=newer, now=NOW + timedelta(hours=3))
    with acting_for(ground.as_hub, subjects=ALL_SUBJECTS):
        left = Entry.objects.filter(pk=city.pk, status=Status.ARCHIVED).first()
    if left is not None:  # what was said before is another statement, and stays aside
        with pytest.raises(Invalid):
            as_(ground.as_cal, putting_aside.bring_back, entry=left)


def test_somebody_s_own_word_comes_back_by_others_unless_they_put_it_aside(say: Say, ground: Ground) -> None:
    item = inferred(say, ground)  # by an agent that ada owns
    as_(ground.as_cal, decisions.approve, item_id=item.pk)
    assert item.entry is not None
    as_(ground.as_cal, putting_aside.put_aside, entry=item.entry)
    with pytest.raises(NotGranted):
        as_(ground.as_ada, putting_aside.bring_back, entry=item.entry)
    as_(ground.as_dee, putting_aside.bring_back, entry=item.entry)
    as_(ground.as_ada, putting_aside.put_aside, entry=item.entry)
    as_(ground.as_ada, putting_aside.bring_back, entry=item.entry)
    assert now_in(ground, item.entry).status == Status.ACCEPTED


def test_a_limit_of_two_comes_back_by_whoever_put_it_aside_alone(say: Say, ground: Ground) -> None:
    limit = say(
        "Refund limit: 90", key="refund_limit", value="90", by=ground.as_record, channel=Channel.SYSTEM_OF_RECORD,
        role=Role.SYSTEM_OF_RECORD,
    ).results[0].entry  # fmt: skip
    assert limit is not None
    with acting_for(ground.as_operator, subjects=ALL_SUBJECTS):
        policy_versions.change(
            document={"four_eyes": ["policy_limits"]}, reason="Two look.", by=ground.as_operator, now=NOW
        )
    as_(ground.as_cal, putting_aside.put_aside, entry=limit)
    with pytest.raises(NotGranted):
        as_(ground.as_dee, putting_aside.bring_back, entry=limit)
    as_(ground.as_cal, putting_aside.bring_back, entry=limit)
    assert now_in(ground, limit).status == Status.ACCEPTED


@pytest.mark.parametrize("way", ["as it is", "edited", "merged"])
def test_what_the_person_asked_never_to_keep_is_not_approved(say: Say, ground: Ground, way: str) -> None:
    """Whether the claim waited before they asked, or an edit makes it one."""
    known = say("I like quiet mornings").results[0].entry
    item = inferred(say, ground, "The customer prefers calm mornings" if way == "edited" else "She moved to Emden")
    kind = say("I live in Husum").results[0].entry
    assert known is not None
    as_(ground.as_agent, never_again.never_again, entry=kind)
    verb, words = {
        "as it is": (decisions.approve, {}),
        "edited": (decisions.approve, {"text": "I live in Trier"}),
        "merged": (merging.merge, {"into": known.pk}),
    }[way]
    with pytest.raises(Invalid) as told:
        as_(ground.as_cal, verb, item_id=item.pk, **words)
    assert told.value.code == "asked_not_to_keep"
    assert ("text" in told.value.errors) is (way == "edited")
    if way == "as it is":
        assert as_(ground.as_cal, bulk.preview, ids=[item.pk], verb="approve").eligible == []
        assert as_(ground.as_cal, bulk.preview, ids=[item.pk], verb="reject").ineligible == []
