"""The story of A3: what a coding agent may believe about a project, and what had to stand behind it (spec 13).

A member's convention, a target that a build file proves, an engine that the project's own settings decide, a fix that was
merged; and one question that nothing answers.
"""

from pathlib import Path
from typing import Any

import pytest
from django.utils import timezone

from memoryhub.governance import access, record_sources
from memoryhub.providers import records as provider
from memoryhub.tenancy import ALL_SUBJECTS, acting_for, system_principal
from tests.cast import Cast

pytestmark = pytest.mark.django_db

PROJECT = "tide-tables"
BUILD_FILE = "lint:\n\truff check .\ncheck-slim: lint\n\tpytest -q -m slim\n"


@pytest.fixture
def cast(tmp_path: Path, settings: Any) -> Cast:
    settings.MEMORYHUB_RECORD_ROOTS = (tmp_path,)
    provider.wake()
    cast = Cast()
    cast.key("bot")
    cast.put(f"/subjects/{PROJECT}", {"kind": "project", "members": ["mirja"]})
    (tmp_path / PROJECT).mkdir()
    (tmp_path / PROJECT / "store.ini").write_text("[store]\nengine = PostgreSQL 16\npool = 5\n")
    by = system_principal(access.organisation_of(cast.slug).pk, "test")
    mapping = {"database": {"source": "file", "path": "{subject}/store.ini", "pattern": r"^engine = (.+)$"}}
    with acting_for(by, subjects=ALL_SUBJECTS):
        record_sources.set_sources(agent=access.agent_of(slug="bot", by=by), mapping=mapping, by=by, now=timezone.now())
    return cast


def propose(cast: Cast, text: str, channel: str = "agent_inference", **fields: Any) -> list[dict[str, Any]]:
    return cast.post("/memories", {"subject": PROJECT, "text": text, "channel": channel, **fields}).results


def known(cast: Cast, **filters: str) -> list[dict[str, Any]]:
    query = "".join(f"&{name}={value}" for name, value in filters.items())
    items: list[dict[str, Any]] = cast.get(f"/memories?subject={PROJECT}{query}").body["items"]
    return items


def test_a_member_s_convention_is_the_project_s_and_a_stranger_s_waits(cast: Cast) -> None:
    said = cast.say("We use uv, not poetry", subject=PROJECT, speaker="mirja")
    assert (said.ops, said.entry["value"], said.entry["scope"]) == (["ADD"], "uv", "team")
    stranger = cast.say("We use conda, not uv", subject=PROJECT, speaker="somebody-else")
    assert stranger.ops == ["QUEUED"]
    assert [item["value"] for item in known(cast, key="package_manager")] == ["uv"]


def test_the_build_file_proves_that_a_target_exists_and_not_how_long_it_takes(cast: Cast) -> None:
    (claim,) = propose(
        cast, "There is a check-slim target, and it takes 25 seconds", category="project_fact", session_id="run-31"
    )
    assert claim["op"] == "QUEUED"
    shown = cast.post(
        "/evidence",
        {"type": "document", "ref": "Makefile", "value": BUILD_FILE, "backs": [claim["entry"]["id"]]},
        by="crm",
    )
    assert shown.ops == ["ADD", "QUEUED"]
    (fact,) = known(cast)
    assert ("check-slim" in fact["text"], "25" in fact["text"]) == (True, False)
    assert (fact["authority"], fact["provenance"]["ref"]) == (1.0, "Makefile")
    (waits,) = cast.waiting()
    assert (waits["reason"], "25 seconds" in waits["entry"]["text"]) == ("unsupported", True)


def test_the_project_s_own_settings_settle_which_engine_it_is(cast: Cast, tmp_path: Path) -> None:
    cast.say("We use PostgreSQL 16", subject=PROJECT, speaker="mirja")
    from_another_service = propose(cast, "database: MySQL 8", "document", source={"ref": "billing/config.yaml"})
    assert [(one["op"], one["reason"]) for one in from_another_service] == [("NOOP", "settled")]
    (fact,) = known(cast, key="database")
    assert (fact["value"], fact["contested"], fact["confirmed_by"]) == ("PostgreSQL 16", False, "system_of_record")
    assert cast.waiting() == []
    history = known(cast, key="database", status="replaced")
    assert [(item["value"], item["valid_from"] == item["valid_to"]) for item in history] == [("MySQL 8", True)]


def test_what_nothing_can_settle_is_kept_beside_what_is_used_and_a_person_is_asked(cast: Cast, tmp_path: Path) -> None:
    (tmp_path / PROJECT / "store.ini").unlink()
    cast.say("We use PostgreSQL 16", subject=PROJECT, speaker="mirja")
    (claim,) = propose(cast, "database: MySQL 8", "document", source={"ref": "billing/config.yaml"})
    assert (claim["op"], claim["entry"]["status"]) == ("QUEUED", "disputed")
    (fact,) = known(cast, key="database")
    assert (fact["value"], fact["contested"]) == ("PostgreSQL 16", False)  # nobody vouched for that file
    (item,) = cast.waiting(type="dispute")
    assert item["rival"] == fact["id"]
    cast.post(f"/queue/{item['id']}/reject", {"reason": "That file is another service's."}, by="rosa")
    assert [(one["value"], one["contested"]) for one in known(cast, key="database")] == [("PostgreSQL 16", False)]


def test_a_fix_is_remembered_once_it_is_merged_and_the_run_s_other_ideas_are_not(cast: Cast) -> None:
    episode = {
        "task": "the tide chart flickered at midnight", "cause": "two time zones were mixed",
        "fix": "compute the chart in UTC", "evidence": ["run 31", "pull request 212"],
    }  # fmt: skip
    propose(cast, "The midnight flicker went away by computing the chart in UTC", episode=episode, session_id="run-31")
    propose(cast, "The chart needs a wider cache", session_id="run-31")
    assert known(cast) == []
    merged = cast.post("/evidence", {"type": "merge", "ref": "PR 212", "session_id": "run-31"}, by="crm")
    assert merged.ops == ["ADD"]
    (fix,) = known(cast)
    assert (fix["kind"], fix["episode"]["fix"], fix["provenance"]["ref"]) == (
        "episodic",
        "compute the chart in UTC",
        "PR 212",
    )
    assert [item["entry"]["text"] for item in cast.waiting()] == ["The chart needs a wider cache"]
    found = cast.post("/recall", {"subject": PROJECT, "query": "tide chart flickers at midnight"}).body["items"]
    assert [item["id"] for item in found] == [fix["id"]]


def test_who_is_on_duty_is_not_made_up(cast: Cast) -> None:
    cast.say("We use uv, not poetry", subject=PROJECT, speaker="mirja")
    answer = cast.post("/recall", {"subject": PROJECT, "query": "Who is on duty for payments this week?"}).body
    assert (answer["items"], answer["nothing_found"]) == ([], True)
