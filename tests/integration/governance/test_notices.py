"""What agents are told, and which of them: written with its cause, of ids alone (R91, R113)."""

import json
import uuid
from typing import Any

import pytest
from django.core.serializers import serialize

from accounts.models import Agent
from memoryhub.governance import access, checked_recall, decisions, erasure
from memoryhub.models import Notice, ReviewItem, Subject
from memoryhub.recall.search import Query
from memoryhub.tenancy import ALL_SUBJECTS, Principal, acting_for
from memoryhub.vocabulary import Channel, Op, Role
from tests.factories.ground import NOW, Ground
from tests.factories.turns import all_of, night, post
from tests.integration.governance.conftest import Say


def told(ground: Ground, kind: str) -> list[Notice]:
    with all_of(ground):
        return list(Notice.objects.filter(kind=kind).order_by("created_at", "id"))


def another_agent(ground: Ground, slug: str = "other") -> tuple[Agent, Principal]:
    with all_of(ground):
        agent = access.ensure_agent(slug=slug, by=ground.as_hub, now=NOW)
    return agent, Principal(ground.organisation.pk, f"agent:{slug}", frozenset({"agent"}), agent=agent.pk)


def erase(ground: Ground, subject: Subject) -> None:
    erasure.erase_subject(subject=subject, by=ground.as_operator, now=NOW)


def kept(ground: Ground, say: Say, text: str = "I live in Pune.", **options: Any) -> uuid.UUID:
    (result,) = say(text, **options).results
    assert result.op == Op.ADD
    assert result.entry is not None
    return result.entry.pk


def test_who_wrote_an_entry_hears_that_it_was_erased_and_others_do_not(ground: Ground, say: Say, asha: Subject) -> None:
    another_agent(ground)
    entry = kept(ground, say)
    with all_of(ground):
        erasure.erase_entry(entry=asha.entries.get(), by=ground.as_operator, now=NOW)
    (notice,) = told(ground, "memory.erased")
    assert (notice.subject_id, notice.ids, notice.agents) == (asha.pk, [entry], [ground.agent.pk])


def test_who_was_given_something_about_somebody_hears_of_it_too(ground: Ground, say: Say, asha: Subject) -> None:
    kept(ground, say)
    other, as_other = another_agent(ground)
    query = Query(subjects=(asha,), text="where does she live", min_relevance=0.0)
    with acting_for(as_other, subjects=[asha.pk]):
        checked_recall.recall(query=query, by=as_other, now=NOW)
    erase(ground, asha)
    (notice,) = told(ground, "memory.erased")
    assert set(notice.agents) == {ground.agent.pk, other.pk}


def test_who_talked_with_somebody_hears_that_all_is_erased_though_no_entry_was_left(ground: Ground) -> None:
    guest = ground.subject("guest")
    post(ground, guest, "What time is it?")
    erase(ground, guest)
    (notice,) = told(ground, "memory.erased")
    assert (notice.ids, notice.agents, notice.subject_id) == ([], [ground.agent.pk], guest.pk)


def test_what_was_derived_and_goes_along_is_told_as_well(ground: Ground, asha: Subject) -> None:
    post(ground, asha, "I live in Lisbon.", session="a")
    night(ground)
    with all_of(ground):
        every = set(asha.entries.values_list("pk", flat=True))
        fact = asha.entries.get(kind="semantic")
        erasure.erase_entry(entry=fact, by=ground.as_operator, now=NOW)
    assert len(every) == 2
    assert {one for notice in told(ground, "memory.erased") for one in notice.ids} == every


def test_of_very_many_it_is_told_in_several(ground: Ground, say: Say, asha: Subject, monkeypatch: Any) -> None:
    monkeypatch.setattr("memoryhub.conf.NOTICE_IDS", 2)
    entries = [kept(ground, say, f"I like {what}.") for what in ("tea", "rain", "chess")]
    erase(ground, asha)
    assert [len(notice.ids) for notice in told(ground, "memory.erased")] == [2, 1]
    assert {one for notice in told(ground, "memory.erased") for one in notice.ids} == set(entries)


def test_the_agent_that_proposed_it_hears_that_it_waits_and_that_it_was_approved(
    ground: Ground, say: Say, asha: Subject
) -> None:
    another_agent(ground)
    say("Asha prefers the aisle.", channel=Channel.AGENT_INFERENCE, role=Role.AGENT)
    (waits,) = told(ground, "memory.queued")
    with all_of(ground):
        item = ReviewItem.objects.get(entry__subject=asha)
    with acting_for(ground.as_cal, subjects=ALL_SUBJECTS):
        decisions.approve(item_id=item.pk, by=ground.as_cal, now=NOW)
    (approved,) = told(ground, "memory.approved")
    assert [(one.ids, one.agents) for one in (waits, approved)] == [([item.entry_id], [ground.agent.pk])] * 2


def test_what_is_declined_and_what_is_refused_is_told_nobody(ground: Ground, say: Say, asha: Subject) -> None:
    say("My password is plain-harbour-7x.")
    say("Asha prefers the aisle.", channel=Channel.AGENT_INFERENCE, role=Role.AGENT)
    with acting_for(ground.as_cal, subjects=ALL_SUBJECTS):
        item = ReviewItem.objects.get(entry__subject=asha)
        decisions.reject(item_id=item.pk, reason="No", by=ground.as_cal, now=NOW)
    with all_of(ground):
        assert list(Notice.objects.values_list("kind", flat=True)) == ["memory.queued"]


def test_who_holds_a_copy_hears_that_it_was_superseded(ground: Ground, say: Say) -> None:
    old = kept(ground, say)
    (moved,) = say("I moved to Oslo.").results
    assert moved.op == Op.UPDATE
    (notice,) = told(ground, "memory.superseded")
    assert (notice.ids, notice.agents) == ([old], [ground.agent.pk])


def test_a_dry_run_tells_nobody_anything(ground: Ground, say: Say) -> None:
    kept(ground, say)
    say("I moved to Oslo.", dry_run=True)
    say("Asha prefers the aisle.", channel=Channel.AGENT_INFERENCE, role=Role.AGENT, dry_run=True)
    with all_of(ground):
        assert not Notice.objects.exists()


def test_what_is_undone_was_not_told(ground: Ground, say: Say, asha: Subject) -> None:
    kept(ground, say)

    def erase_and_fail() -> None:
        with acting_for(ground.as_operator, subjects=ALL_SUBJECTS):
            erasure.erase_subject(subject=asha, by=ground.as_operator, now=NOW)
            raise RuntimeError

    with pytest.raises(RuntimeError):
        erase_and_fail()
    assert told(ground, "memory.erased") == []


def test_no_notice_holds_a_word_of_what_it_is_about(ground: Ground, say: Say, asha: Subject) -> None:
    kept(ground, say, "My favourite colour is vermilion.")
    say("Asha admires zirconium.", channel=Channel.AGENT_INFERENCE, role=Role.AGENT)
    erase(ground, asha)
    with all_of(ground):
        rows = serialize("json", Notice.objects.all())
    assert len(json.loads(rows)) == 2
    assert "vermilion" not in rows
    assert "zirconium" not in rows
