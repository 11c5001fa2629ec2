"""All that is kept about somebody stands in their export, or is named with a reason as what does not (R90, S19)."""

import json
from collections.abc import Iterator
from typing import Any

import pytest
from django.apps import apps
from django.conf import settings
from django.db.models import ForeignKey, Model
from django.test import Client
from django.utils import timezone
from jsonschema import Draft202012Validator, FormatChecker

from memoryhub.governance import (
    access,
    decisions,
    export,
    export_left_out,
    incognito,
    pushing,
    review_notes,
    subjects,
)
from memoryhub.governance.export_schema import schema
from memoryhub.governance.export_sections import SECTIONS
from memoryhub.models import Session, Subject
from memoryhub.providers.embeddings import HashingEmbedder, using
from memoryhub.tenancy import ALL_SUBJECTS, acting_for
from tests.cast import Cast
from tests.factories.turns import action, night, post, refused_in, signal
from tests.factories.visitors import Visitors, ask, conclude, grant_right, make_visitors, tell

VALIDATOR = Draft202012Validator(schema(), format_checker=FormatChecker())
#: Rows that belong to a row about a subject, without naming the subject themselves.
BELONGING = {"Provenance", "Lineage", "Backing", "ReviewLook"}
#: Rows that name a subject by its external id, or as the target of what was done to it.
NAMING = {"Membership", "PageLink", "Key", "Erasure", "AuditEvent"}


@pytest.fixture(autouse=True)
def _no_meaning_needed() -> Iterator[None]:
    with using(HashingEmbedder()):
        yield


def about_subjects() -> dict[str, type[Model]]:
    """Every model with rows about a subject."""
    found = {}
    for model in [*apps.get_app_config("memoryhub").get_models(), *apps.get_app_config("accounts").get_models()]:
        points = any(isinstance(one, ForeignKey) and one.related_model is Subject for one in model._meta.fields)
        if model is Subject or points or model.__name__ in BELONGING | NAMING:
            found[model.__name__] = model
    return found


def fields_of(model: type[Model]) -> dict[str, str]:
    """Each stored field, by the name an export knows it by: what is sealed together by each of its parts."""
    names = {field.name: field.name for field in model._meta.concrete_fields}
    for column, parts in getattr(model, "SEALED", {}).items():
        del names[column]
        names |= dict.fromkeys(parts, column)
    return names


def test_no_field_of_a_person_s_rows_is_missing_without_being_named() -> None:
    told, left_out = set(export_left_out.covered()), {name for one in export_left_out.LEFT_OUT for name in one.columns}
    missing = [
        f"{name}.{field}"
        for name, model in about_subjects().items()
        if name not in left_out
        for field in fields_of(model)
        if (name, field) not in told and not {f"{name}.{field}", f"*.{field}"} & left_out
    ]
    assert missing == [], (
        "Let it stand in the export (governance/export_sections.py, then manage.py draw_export), or say why it does "
        "not (governance/export_left_out.py)."
    )


def test_nothing_is_named_that_is_not_there() -> None:
    models = {model.__name__: fields_of(model) for model in apps.get_models()}
    for section in SECTIONS:
        for column in section.columns:
            assert section.field_of(column) in models[section.model.__name__], (section.name, column.name)
    for one in export_left_out.LEFT_OUT:
        for name in one.columns:
            model, _, field = name.partition(".")
            assert model == "*" or model in models, name
            assert model == "*" or not field or field in models[model], name


def filled() -> Visitors:
    """Somebody with a row of nearly every kind, each of whose words can be told from all others."""
    visitors = make_visitors()
    ground, mira = visitors.ground, visitors.mira
    post(
        ground, mira, "I live in Lisbon.", session="visit", assistant_output="Noted, canary-answer.",
        actions=[action("find_booking", detail="canary-action")], signals=[signal("canary-signal")],
        observations=[{"kind": "weather", "value": "canary-observation"}], state={"order": "canary-state"},
    )  # fmt: skip
    refused_in(ground, "a", "b", "c")
    night(ground)
    post(ground, mira, "I prefer the quiet coach.", session="running")
    tell(ground, mira, "I live in Porto.")
    tell(ground, mira, "My password is correct-horse-7!")
    item = conclude(ground, mira, "Mira likes canary-conclusions.")
    grant_right(ground, mira, "Two free canary-changes a year.")
    by = ground.as_hub
    now = timezone.now()
    with acting_for(by, subjects=ALL_SUBJECTS):
        subjects.describe(external_id="crew", kind="team", members=["mira"], by=by, now=now)
        subjects.describe(external_id="mira", display_name="Mira Canary", timezone="Europe/Lisbon", by=by, now=now)
        access.make_page_link(subject=mira, by=by, now=now)
        crew = Subject.objects.get(organisation=ground.organisation, external_id="crew")
    with acting_for(ground.as_record, subjects=ALL_SUBJECTS):
        pushing.push(subject=mira, values={"plan": "canary-plan"}, by=ground.as_record, now=now)
    with acting_for(ground.as_cal, subjects=ALL_SUBJECTS):
        review_notes.add(item_id=item.pk, text="canary-note", by=ground.as_cal, now=now)
        decisions.ask_person(item_id=item.pk, question="Is it canary-asked?", by=ground.as_cal, now=now)
    tell(ground, crew, "We prefer canary-stand-ups at nine.", speaker=mira)
    with acting_for(by, subjects=ALL_SUBJECTS):
        session = Session.objects.get(subject=mira, external_id="running")
        incognito.begin(session_id=session.pk, subject=mira, forget=False, by=by, now=now)
        mira.refresh_from_db()
    ask(visitors)
    return visitors


def told_of(visitors: Visitors) -> dict[str, Any]:
    by = visitors.ground.as_hub
    with acting_for(by, subjects=ALL_SUBJECTS):
        told = export.export_subject(subject=visitors.mira, by=by, now=timezone.now())
    again: dict[str, Any] = json.loads(json.dumps(told, allow_nan=False))  # as it is sent
    return again


@pytest.mark.django_db
def test_an_export_of_everything_validates_and_holds_every_word() -> None:
    visitors = filled()
    told = told_of(visitors)
    VALIDATOR.validate(told)
    words = json.dumps(told, ensure_ascii=False)
    for canary in (
        "canary-answer", "canary-action", "canary-signal", "canary-observation", "canary-conclusions", "canary-changes",
        "canary-note", "canary-asked", "canary-stand-ups", "canary-plan", "Mira Canary", "Lisbon", "Porto", "quiet coach",
    ):  # fmt: skip
        assert canary in words, canary
    assert "correct-horse" not in words
    empty = [name for name, rows in told.items() if rows == []]
    assert sorted(empty) == ["evidence", "examples", "files", "forgetting", "readings", "receipts"]
    assert {one["status"] for one in told["entries"]} >= {"accepted", "replaced", "proposed"}
    (running,) = [one for one in told["sessions"] if one["id"] == "running"]
    assert running["off_record_since"] is not None
    assert visitors.cal.email not in words
    other = [one for one in told["entries"] if one["text"].startswith("We prefer")]
    assert other == []


@pytest.mark.django_db
def test_an_export_of_nothing_validates_and_of_somebody_else_holds_nothing() -> None:
    visitors = filled()
    told = told_of(make_visitors())
    VALIDATOR.validate(told)
    assert [name for name, rows in told.items() if isinstance(rows, list) and rows] == ["sign_ins", "not_included"]
    assert "canary" not in json.dumps(told)
    by = visitors.ground.as_hub
    noor = visitors.ground.subject("noor")
    with acting_for(by, subjects=ALL_SUBJECTS):
        theirs = export.export_subject(subject=noor, by=by, now=timezone.now())
    assert "canary" not in json.dumps(theirs)


@pytest.mark.parametrize("path", [("entries", 0, "text"), ("subject", "kind"), ("exported_at",), ("reads",)])
@pytest.mark.django_db
def test_a_file_that_lacks_something_or_holds_more_does_not_validate(path: tuple[str | int, ...]) -> None:
    visitors = make_visitors()
    tell(visitors.ground, visitors.mira, "I live in Lisbon.")
    told = told_of(visitors)
    VALIDATOR.validate(told)
    place: Any = told
    for step in path[:-1]:
        place = place[step]
    del place[path[-1]]
    assert not VALIDATOR.is_valid(told)
    place[path[-1]] = object
    assert not VALIDATOR.is_valid(told | {"more": 1})


@pytest.mark.django_db
def test_the_schema_is_published_and_the_api_s_export_validates() -> None:
    cast = Cast()
    cast.say("I live in Lisbon.")
    published = Client().get("/api/v1/export-schema.json").json()
    assert published == json.loads((settings.BASE_DIR / "docs" / "export-schema.json").read_text())
    body = cast.get("/subjects/nora/export", by="desk").body
    Draft202012Validator(published, format_checker=FormatChecker()).validate(body)
    assert Client().post("/api/v1/export-schema.json").status_code == 405


@pytest.mark.django_db
def test_it_takes_as_many_queries_for_many_rows_as_for_few(django_assert_max_num_queries: Any) -> None:
    visitors = make_visitors()
    for number in range(12):
        post(visitors.ground, visitors.mira, f"I like colour {number}.", session=f"s-{number}")
    with django_assert_max_num_queries(70):
        told_of(visitors)
