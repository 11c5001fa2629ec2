"""What is kept and why, how long, who sees it: drawn from the policy, for the person in plain words and for operators."""

from datetime import timedelta

import pytest
from django.test import override_settings
from django.utils import timezone
from django.utils.html import escape

from curation import plain_rules
from memoryhub import conf
from memoryhub.governance import policy_versions, processing
from memoryhub.permissions import ACTIONS
from memoryhub.tenancy import ALL_SUBJECTS, acting_for
from memoryhub.vocabulary import Category, KeyRole, SensitiveData, Treatment
from tests.factories.visitors import Visitors
from tests.integration.pages.conftest import SignedIn
from tests.integration.pages.test_my_memory import jargon_in, page_of, words_of


def test_a_change_of_the_policy_is_on_both_pages_at_once(visitors: Visitors, signed_in: SignedIn) -> None:
    person, operator = signed_in(visitors.mira_user), signed_in(visitors.olu)
    before = words_of(page_of(person, "/me/policy/"))
    assert "What you like 1 year." in before
    assert "Your phone numbers and addresses Kept." in before
    document = {"lifetimes": {"preference": "3 weeks"}, "treatments": {"contact": "refuse"}}
    by = visitors.ground.as_operator
    with acting_for(by, subjects=ALL_SUBJECTS):
        policy_versions.change(document=document, reason="Less of it.", by=by, now=timezone.now())
    after = words_of(page_of(person, "/me/policy/"))
    assert "What you like 3 weeks." in after
    assert "Your phone numbers and addresses Never kept." in after
    staff = words_of(page_of(operator, "/policy/records/"))
    assert "version 1 of the policy in force" in staff
    assert f"{Category.PREFERENCE.label.capitalize()} 3 weeks" in staff
    assert Treatment.REFUSE.label in staff


def test_every_kind_of_data_every_role_and_every_time_is_told(visitors: Visitors, signed_in: SignedIn) -> None:
    staff = words_of(page_of(signed_in(visitors.olu), "/policy/records/"))
    person = words_of(page_of(signed_in(visitors.mira_user), "/me/policy/"))
    for category in Category:
        assert category.label.capitalize() in staff
    for family in SensitiveData:
        assert escape(family.label[:1].upper() + family.label[1:]) in staff
        assert escape(plain_rules.NEVER[family]) in person
    with acting_for(visitors.ground.as_hub, subjects=ALL_SUBJECTS):
        held = processing.of(visitors.ground.organisation)
    for one in held.around:
        assert escape(plain_rules.AROUND[one.name][0]) in person
    seeing = {role for action in ("recall", "read_entries", "read_audit") for role in ACTIONS[action]}
    assert {one.role for one in held.seen} >= {"person", *map(str, seeing)}
    assert {role for role in KeyRole if role in seeing} <= set(plain_rules.SIGHTS)
    for page in (staff, person):
        assert "Helper" in page
        assert plain_rules.how_long(timedelta(days=conf.BACKUP_DAYS)) in page
    assert jargon_in(person) == []


@override_settings(
    MEMORYHUB_EXTRACTOR_URL="https://models.example.net/v1", MEMORYHUB_INTENT_URL="http://127.0.0.1:9/v1"
)
def test_a_model_that_a_setting_names_is_told_with_the_place_it_runs_at(
    visitors: Visitors, signed_in: SignedIn
) -> None:
    staff = words_of(page_of(signed_in(visitors.olu), "/policy/records/"))
    person = words_of(page_of(signed_in(visitors.mira_user), "/me/policy/"))
    assert "models.example.net Outside" in staff
    assert "it runs at models.example.net" in person
    assert person.count("A language model") == 2
    assert jargon_in(person) == []


def test_who_may_open_them(visitors: Visitors, signed_in: SignedIn) -> None:
    assert signed_in(visitors.cal).get("/policy/records/").status_code == 200
    assert signed_in(visitors.mira_user).get("/policy/records/").status_code == 403
    assert signed_in(visitors.cal).get("/me/policy/").status_code == 403


@pytest.mark.parametrize(
    ("lifetime", "words"),
    [
        (timedelta(minutes=15), "15 minutes"), (timedelta(hours=24), "24 hours"), (timedelta(days=7), "7 days"),
        (timedelta(days=30), "30 days"), (timedelta(weeks=6), "6 weeks"), (timedelta(days=183), "6 months"),
        (timedelta(days=365), "1 year"), (timedelta(days=1825), "5 years"), (None, "until you have it forgotten"),
    ],
)  # fmt: skip
def test_a_length_of_time_is_said_as_one_says_it(lifetime: timedelta | None, words: str) -> None:
    assert plain_rules.how_long(lifetime) == words


def test_every_category_has_a_reason() -> None:
    assert set(processing.WHY) == set(Category)
