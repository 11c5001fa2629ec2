"""What stops a hub from starting."""

from typing import Any

import pytest

from memoryhub import checks, jobs


def test_every_job_that_there_is_can_run() -> None:
    assert checks.jobs_can_run() == []


def test_a_path_that_leads_nowhere_stops_the_start(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(jobs.HANDLERS, "dream", "memoryhub.dreams.dreamer.no_such_function")
    (problem,) = checks.jobs_can_run()
    assert problem.id == "memoryhub.E001"


def test_a_job_has_to_be_a_function(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(jobs.HANDLERS, "dream", "memoryhub.conf.COMMIT_AT")
    assert [problem.id for problem in checks.jobs_can_run()] == ["memoryhub.E001"]


def test_a_retry_before_the_timeout_stops_the_start(settings: Any) -> None:
    assert checks.retries_come_after_timeouts() == []
    settings.Q_CLUSTER = {"retry": 60, "timeout": 60}
    assert [problem.id for problem in checks.retries_come_after_timeouts()] == ["memoryhub.E002"]


def test_the_web_role_is_held_by_row_level_security(db: None) -> None:
    assert checks.role_is_held_by_row_level_security(databases=["default"]) == []


def test_a_seeker_that_leads_nowhere_stops_the_start(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(jobs, "SEEKERS", ("memoryhub.governance.embedding.no_such_function",))
    (problem,) = checks.jobs_can_run()
    assert problem.id == "memoryhub.E001"
