"""Each reference agent works end to end, from the story that ships with the hub, over the API alone (spec 13).

`manage.py play` plays the same stories against a running hub.
"""

import json
from pathlib import Path
from typing import Any

import pytest
from django.utils import timezone

from memoryhub.dreams import dreamer, reports
from memoryhub.errors import Invalid
from memoryhub.governance import access
from memoryhub.management import reference, story
from memoryhub.providers import records as provider
from memoryhub.tenancy import ALL_SUBJECTS, acting_for, system_principal
from tests.cast import Cast

pytestmark = pytest.mark.django_db


def stage_of(told: story.Story, folder: Path | None, cast: Cast) -> story.Stage:
    """Where the tests play: through Django's client, every answer held against the OpenAPI document."""
    keys = reference.prepare(told, organisation=cast.slug, files=folder is not None, now=timezone.now())

    def call(part: str, method: str, path: str, body: Any) -> story.Answer:
        reply = cast.call(method, path, body, by=None, key=keys[part])
        return reply.status, reply.body

    def dream() -> dict[str, Any]:
        organisation = access.organisation_of(cast.slug)
        done = dreamer.dream_now(organisation=organisation.pk, now=timezone.now())
        with acting_for(system_principal(organisation.pk, "test"), subjects=ALL_SUBJECTS):
            report: dict[str, Any] = json.loads(json.dumps(reports.report(done), default=str))
        return report

    return story.Stage(call, dream, folder, "x-", lambda _: None)


@pytest.mark.parametrize("name", story.names())
def test_a_reference_agent_works_as_its_story_tells(name: str, tmp_path: Path, settings: Any) -> None:
    settings.MEMORYHUB_RECORD_ROOTS, settings.MEMORYHUB_RECORD_FRESH = (tmp_path,), 0
    provider.wake()
    told = story.load(name)
    assert story.play(told, stage_of(told, tmp_path, Cast())) == len(told.steps)


def test_without_a_folder_for_files_the_rest_of_a_story_is_played() -> None:
    (told,) = (each for each in map(story.load, story.names()) if each.needs_files)
    played = story.play(told, stage_of(told, None, Cast()))
    assert 0 < played < len(told.steps)


def test_a_story_is_played_once_in_an_organisation() -> None:
    cast, told = Cast(), story.load("a4-assistant")
    stage_of(told, None, cast)
    with pytest.raises(Invalid):
        stage_of(told, None, cast)


def test_an_agent_of_every_kind_that_the_design_names_has_a_story() -> None:
    assert [name[:2] for name in story.names()] == ["a1", "a2", "a3", "a4", "a5"]
