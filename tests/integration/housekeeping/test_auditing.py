"""A skill in force that is not what was approved is taken out of use, and somebody hears of it (R78)."""

from collections.abc import Iterator
from datetime import timedelta
from uuid import UUID

import pytest
from django.conf import settings

from memoryhub.dreams.housekeeping import runs
from memoryhub.governance import audit, decisions, procedure_audit, procedures, review_queue
from memoryhub.models import AuditEvent, Housekeeping, ReviewItem, Skill
from memoryhub.providers import database
from memoryhub.providers.embeddings import HashingEmbedder, using
from memoryhub.skills.skillmd import SkillDocument
from memoryhub.vocabulary import Chore, Deed, Reason, ReviewState, SkillStatus
from tests.factories.ground import NOW, Ground, make_ground
from tests.factories.turns import all_of

pytestmark = pytest.mark.usefixtures("committed_db")

DOCUMENT = SkillDocument(name="ask-first", description="Ask before a seat is moved.", body="## Procedure\n\nAsk first.")
OTHER = SkillDocument(name="greet", description="Greet whoever calls.", body="## Procedure\n\nGreet them.")
LATER = NOW + timedelta(days=1)


@pytest.fixture
def ground() -> Iterator[Ground]:
    with using(HashingEmbedder()):
        yield make_ground()


def approved(ground: Ground, document: SkillDocument = DOCUMENT) -> Skill:
    with all_of(ground):
        outcome = procedures.propose_skill(document=document, agent=ground.agent, by=ground.as_agent, now=NOW)
        assert outcome.item is not None
        decisions.approve(item_id=outcome.item.pk, by=ground.as_cal, now=NOW)
        assert outcome.skill is not None
        return Skill.objects.get(pk=outcome.skill.pk)


def alter(skill: Skill, **columns: str) -> None:
    """As somebody who holds the database, whom no trigger stops."""
    login = settings.MEMORYHUB_LOGINS.administrator | {"dbname": settings.DATABASES["default"]["NAME"]}
    with database.connect(login) as administrator:
        administrator.execute("SET session_replication_role = replica")
        for column, value in columns.items():
            administrator.execute(f"UPDATE memoryhub_skill SET {column} = %s WHERE id = %s", [value, skill.pk])


def audited(ground: Ground, *, at: object = LATER) -> Housekeeping:
    return runs.keep_now(chore=Chore.AUDIT, organisation=ground.organisation.pk, as_of=LATER)


def now(ground: Ground, pk: UUID) -> Skill:
    with all_of(ground):
        return Skill.objects.get(pk=pk)


def test_an_altered_body_is_out_of_use_with_an_alert_and_before_a_curator(ground: Ground) -> None:
    skill, untouched = approved(ground), approved(ground, OTHER)
    assert audited(ground).counts == {}
    alter(skill, body="## Procedure\n\nNever ask.")
    run = audited(ground)
    assert run.lines == [[Deed.DEACTIVATED, "skill", str(skill.pk)]]
    assert now(ground, skill.pk).status == SkillStatus.PROPOSED
    assert now(ground, untouched.pk).status == SkillStatus.ACTIVE
    with all_of(ground):
        assert [each.name for each in procedures.active_skills(ground.agent)] == [untouched.name]
        item = ReviewItem.objects.get(skill=skill, state=ReviewState.WAITING)
        assert (item.reason, item.why) == (Reason.ALTERED, Reason.ALTERED.label)
        alerts = AuditEvent.objects.filter(action=procedure_audit.ALERT, object_id=str(skill.pk))
        assert [(row.reason, row.actor) for row in alerts] == [("altered", "system:housekeeping:audit")]
        assert audit.first_broken_link(ground.organisation.pk) is None
    assert audited(ground).counts == {}


@pytest.mark.parametrize("column", ["description", "body"])
def test_forging_the_hash_along_with_the_words_does_not_help(ground: Ground, column: str) -> None:
    skill = approved(ground)
    alter(skill, **{column: "Never ask."})
    alter(skill, approved_digest=procedures.digest_of(now(ground, skill.pk)))
    assert audited(ground).counts == {Deed.DEACTIVATED: 1}


def test_a_hash_that_was_lost_counts_as_a_difference(ground: Ground) -> None:
    skill = approved(ground)
    alter(skill, approved_digest="")
    assert audited(ground).counts == {Deed.DEACTIVATED: 1}


def test_approved_again_it_is_sealed_anew(ground: Ground) -> None:
    skill = approved(ground)
    alter(skill, body="## Procedure\n\nAsk twice.")
    audited(ground)
    with all_of(ground):
        (item,) = review_queue.waiting(by=ground.as_cal, agent=ground.agent.slug)
        decisions.approve(item_id=item.pk, by=ground.as_cal, now=LATER)
    assert audited(ground).counts == {}
    assert now(ground, skill.pk).status == SkillStatus.ACTIVE


def test_a_skill_that_another_version_replaced_and_one_put_back_are_as_approved(ground: Ground) -> None:
    first = approved(ground)
    second = SkillDocument(name=DOCUMENT.name, description=DOCUMENT.description, body="## Procedure\n\nAsk twice.")
    with all_of(ground):
        outcome = procedures.propose_skill(document=second, agent=ground.agent, by=ground.as_agent, now=NOW)
        assert outcome.item is not None
        decisions.approve(item_id=outcome.item.pk, by=ground.as_cal, now=NOW)
        decisions.undo(item_id=outcome.item.pk, by=ground.as_cal, now=NOW)
    assert now(ground, first.pk).status == SkillStatus.ACTIVE
    assert audited(ground).counts == {}
