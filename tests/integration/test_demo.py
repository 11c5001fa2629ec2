"""The demo comes in once, whole, by public verbs; shows the point after one dream; and goes away without a trace."""

import stat
from pathlib import Path

import pytest
from django.contrib.auth import authenticate
from django.utils import timezone

from accounts.models import Agent, Organisation, User
from memoryhub.dreams import dreamer
from memoryhub.errors import NotGranted
from memoryhub.governance import access, procedures
from memoryhub.management import demo
from memoryhub.management import demo_content as content
from memoryhub.models import AuditEvent, Entry, Event, ReviewItem, Skill
from memoryhub.providers.embeddings import HashingEmbedder, using
from memoryhub.tenancy import ALL_SUBJECTS, acting_for, knowing, system_principal
from memoryhub.vocabulary import ReviewState, ReviewType, SkillStatus

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def _no_meaning_needed():
    with using(HashingEmbedder()):
        yield


@pytest.fixture
def filled(tmp_path: Path) -> str:
    return demo.fill(folder=tmp_path, now=timezone.now())


def everything():
    organisation = access.organisation_of(content.ORGANISATION)
    return acting_for(system_principal(organisation.pk, "test"), subjects=ALL_SUBJECTS)


def test_three_refusals_become_one_candidate_that_looks_the_order_up_first(filled: str) -> None:
    dreamer.dream_now(organisation=access.organisation_of(content.ORGANISATION).pk, now=timezone.now())
    with everything():
        (item,) = ReviewItem.objects.filter(type=ReviewType.SKILL, state=ReviewState.WAITING).select_related("skill")
        assert item.skill is not None
        assert item.skill.evidence.count() == 3
        assert (item.skill.triggers, item.skill.prefetch) == ([content.REFUND_SCOPE], ["get_order_status"])
        assert item.skill.status == SkillStatus.PROPOSED


def test_what_it_begins_with_was_approved_by_somebody_other_than_its_owner(filled: str) -> None:
    with everything():
        agent = Agent.objects.get(slug=content.AGENT)
        assert procedures.active_profile(agent) is not None
        (skill,) = procedures.active_skills(agent)
        assert skill.name == content.REFUND_SKILL.name
        assert skill.decided_by_id not in (None, agent.owner_id)
        assert Event.objects.filter(consolidated_at__isnull=True).count() == 6


def test_filling_in_again_changes_nothing_and_says_the_same(filled: str, tmp_path: Path) -> None:
    def counts() -> list[int]:
        with everything():
            return [model.objects.count() for model in (Entry, Event, ReviewItem, Skill, AuditEvent)]

    before = counts()
    assert demo.fill(folder=tmp_path, now=timezone.now()) == filled.strip()
    assert counts() == before


def test_the_passwords_printed_open_the_door_and_only_their_owner_may_read_the_note(
    filled: str, tmp_path: Path
) -> None:
    printed = {line.split()[1]: line.split()[2] for line in filled.splitlines() if "@" in line}
    assert set(printed) == {content.OPERATOR, content.CURATOR, content.CUSTOMER}
    assert len(set(printed.values())) == 3
    for email, password in printed.items():
        assert authenticate(username=email, password=password) is not None
    assert stat.S_IMODE((tmp_path / demo.NOTE).stat().st_mode) == 0o600


def test_a_lost_note_gives_new_passwords_and_the_same_data(filled: str, tmp_path: Path) -> None:
    (tmp_path / demo.NOTE).unlink()
    again = demo.fill(folder=tmp_path, now=timezone.now())
    assert again != filled
    with everything():
        assert Event.objects.count() == 6


def test_dropping_it_leaves_nothing_and_keeps_it_away(filled: str, tmp_path: Path) -> None:
    organisation = access.organisation_of(content.ORGANISATION)
    assert demo.drop(folder=tmp_path, now=timezone.now()) == 3
    by = system_principal(organisation.pk, "test")
    with acting_for(by, subjects=ALL_SUBJECTS):
        for model in (Entry, Event, ReviewItem, Skill, Agent):
            assert not model.objects.filter(organisation=organisation.pk).exists()
        assert AuditEvent.objects.filter(action="organisation.remove").exists()
    with knowing("slug", content.ORGANISATION):
        assert not Organisation.objects.filter(slug=content.ORGANISATION).exists()
    assert not User.objects.filter(email=content.CUSTOMER).exists()
    assert (tmp_path / demo.NOTE).read_text() == ""
    assert demo.drop(folder=tmp_path, now=timezone.now()) is None


def test_an_organisation_of_that_name_which_is_no_demo_is_left_alone(tmp_path: Path) -> None:
    organisation = access.organisation_of(content.ORGANISATION, create=True)
    for verb in (demo.fill, demo.drop):
        with pytest.raises(NotGranted, match="left alone"):
            verb(folder=tmp_path, now=timezone.now())
    assert access.organisation_of(content.ORGANISATION).pk == organisation.pk
    assert list(tmp_path.iterdir()) == []
