"""Whom a question names is looked up at once, and says of them what the filters would ask one by one (R30)."""

from dataclasses import replace

import pytest
from django.db import connection

from memoryhub.governance.subjects import describe
from memoryhub.models import AgentPolicy, Subject
from memoryhub.recall.filters import readers
from memoryhub.recall.named import look_up
from memoryhub.tenancy import ALL_SUBJECTS, acting_for
from memoryhub.vocabulary import RecallProfile, SubjectKind
from tests.factories.ground import NOW, Ground, make_ground


@pytest.fixture
def ground(db: None) -> Ground:
    return make_ground()


def test_the_subjects_come_as_they_were_named_with_all_they_belong_to(ground: Ground) -> None:
    ann, bo = ground.subject("ann"), ground.subject("bo")
    with acting_for(ground.as_hub, subjects=ALL_SUBJECTS):
        account, _ = describe(external_id="shop", kind=SubjectKind.ACCOUNT, by=ground.as_hub, now=NOW)
        team, _ = describe(external_id="crew", kind=SubjectKind.TEAM, members=["bo"], by=ground.as_hub, now=NOW)
        describe(external_id="ann", account="shop", by=ground.as_hub, now=NOW)
    with acting_for(ground.as_agent, subjects=ALL_SUBJECTS):
        found = look_up(["bo", "ann", "bo", "nobody"], by=ground.as_agent)
        assert found.subjects == (bo, ann)
        plain = [Subject.objects.get(pk=one.pk) for one in (bo, ann)]
        assert readers(found.subjects) == readers(plain) == {ann.pk, bo.pk, account.pk, team.pk}
        assert readers(found.subjects[:1]) == readers(plain[:1]) == {bo.pk, team.pk}
        assert vars(found.subjects[0]).keys() >= vars(Subject.objects.get(pk=bo.pk)).keys()
        assert not found.crowded


def test_another_organisations_subject_of_the_same_name_is_nobody(ground: Ground) -> None:
    other = make_ground()
    other.subject("ann")
    with acting_for(ground.as_agent, subjects=ALL_SUBJECTS):
        assert look_up(["ann"], by=ground.as_agent).subjects == ()


def test_a_bound_key_finds_nobody_else(ground: Ground) -> None:
    for name in ("ann", "bo"):
        ground.subject(name)
    bound = replace(ground.as_agent, bound_subject="ann")
    with acting_for(bound, subjects=ALL_SUBJECTS):
        assert [one.external_id for one in look_up(["bo", "ann"], by=bound).subjects] == ["ann"]


def test_the_profile_is_that_of_the_agent_who_asks(ground: Ground) -> None:
    ground.subject("ann")
    with acting_for(ground.as_agent, subjects=ALL_SUBJECTS):
        assert look_up(["ann"], by=ground.as_agent).profile == RecallProfile.GOVERNED
        AgentPolicy.objects.filter(agent=ground.agent).update(recall_profile=RecallProfile.GENERATIVE_AGENTS)
        assert look_up(["ann"], by=ground.as_agent).profile == RecallProfile.GENERATIVE_AGENTS
        assert look_up(["ann"], by=ground.as_hub).profile == RecallProfile.GOVERNED


def test_a_statement_is_planned_once_for_all_who_ask_it(ground: Ground) -> None:
    for name in ("ann", "bo", "cy"):
        ground.subject(name)
        with acting_for(ground.as_agent, subjects=ALL_SUBJECTS):
            assert look_up([name], by=ground.as_agent).subjects
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT generic_plans > 0, custom_plans FROM pg_prepared_statements WHERE statement LIKE %s",
            ["%AS subject%memoryhub_subjectmember%"],
        )
        assert cursor.fetchall() == [(True, 0)]
