"""Verbs that really commit, each in a transaction of its own: the database lets through what each of them announces."""

from collections.abc import Iterator
from datetime import timedelta

import pytest
from django.utils import timezone

from memoryhub.governance import decisions, putting_aside, sent_forms
from memoryhub.models import Entry
from memoryhub.providers.embeddings import HashingEmbedder, using
from memoryhub.tenancy import ALL_SUBJECTS, acting_for
from memoryhub.vocabulary import Status
from tests.factories.ground import make_ground
from tests.factories.visitors import conclude, tell
from tests.integration.governance.test_deciding_otherwise import as_


@pytest.fixture(autouse=True)
def _no_meaning_needed(committed_db: None) -> Iterator[None]:
    with using(HashingEmbedder()):
        yield


def test_a_memory_is_put_aside_and_brought_back() -> None:
    ground = make_ground()
    (entry,) = tell(ground, ground.subject("mira"), "I moved to Lisbon")
    for verb, status in ((putting_aside.put_aside, Status.ARCHIVED), (putting_aside.bring_back, Status.ACCEPTED)):
        as_(ground.as_cal, verb, entry=entry)
        with acting_for(ground.as_hub, subjects=ALL_SUBJECTS):
            assert Entry.objects.get(pk=entry.pk).status == status


def test_an_item_is_taken_held_let_go_escalated_and_lowered() -> None:
    ground, now = make_ground(), timezone.now()
    item = conclude(ground, ground.subject("mira"), "Mira likes window seats.")
    cal = ground.as_cal
    for minutes, words, holder in (
        (0, {"takes": True}, cal.user), (1, {"takes": True}, cal.user), (2, {"leaves": True}, None),
    ):  # fmt: skip
        moment = now + timedelta(minutes=minutes)
        found = as_(cal, decisions.heartbeat, item_id=item.pk, now=moment, **words)
        assert found.claimed_by_id == holder
    assert as_(cal, decisions.escalate, item_id=item.pk, reason="It may be an attack").escalated_at is not None
    assert as_(cal, decisions.lower, item_id=item.pk).escalated_at is None


def test_a_form_is_obeyed_once() -> None:
    ground, token = make_ground(), sent_forms.token()
    assert [as_(ground.as_operator, sent_forms.spend, token=token) for _ in range(2)] == [True, False]
