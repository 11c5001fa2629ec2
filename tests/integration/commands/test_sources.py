"""manage.py sources: an operator maps keys to records, tries them, and hears in one sentence what can't be."""

import json
from pathlib import Path
from typing import Any

import pytest
from django.core.management import CommandError, call_command

from memoryhub.governance import access
from memoryhub.models import AuditEvent, RecordSource
from memoryhub.tenancy import ALL_SUBJECTS, acting_for, system_principal
from tests.cast import Cast, rows

pytestmark = pytest.mark.django_db


@pytest.fixture
def cast() -> Cast:
    cast = Cast()
    cast.key("bot")
    cast.put("/subjects/ledger", {"kind": "project"})
    return cast


def run(cast: Cast, capsys: pytest.CaptureFixture[str], *more: str, agent: str = "bot") -> list[str]:
    call_command("sources", "--organisation", cast.slug, "--agent", agent, *more)
    return capsys.readouterr().out.splitlines()


def written(tmp_path: Path, mapping: Any) -> str:
    (tmp_path / "sources.json").write_text(mapping if isinstance(mapping, str) else json.dumps(mapping))
    return str(tmp_path / "sources.json")


def test_a_mapping_is_set_shown_and_tried(
    cast: Cast, capsys: pytest.CaptureFixture[str], tmp_path: Path, settings: Any
) -> None:
    assert run(cast, capsys) == ["No key is mapped to a record."]
    settings.MEMORYHUB_RECORD_ROOTS = (tmp_path,)
    (tmp_path / "build.cfg").write_text("runner = ward\n")
    mapping = {
        "runner": {"source": "file", "path": "build.cfg", "pattern": r"^runner = (\w+)$"},
        "cache": {"source": "file", "path": "build.cfg", "pattern": r"^cache = (\w+)$"},
        "owner": {"source": "pushed", "key": "owner"},
        "region": {"source": "file", "path": "none.cfg", "pattern": "(x)", "subject": "somebody-else"},
    }
    shown = [
        "cache: file build.cfg",
        "owner: record owner",
        "region (for somebody-else): file none.cfg",
        "runner: file build.cfg",
    ]
    assert run(cast, capsys, "--set", written(tmp_path, mapping)) == shown
    assert run(cast, capsys, "--check", "ledger") == [
        "cache: file build.cfg → absent: it holds none",
        "owner: record owner → unreachable: nothing was pushed under it yet",
        "region (for somebody-else): file none.cfg",
        "runner: file build.cfg → ward",
    ]
    cast.put("/records/ledger", {"owner": "Platform crew"}, by="crm")
    assert "owner: record owner → Platform crew" in run(cast, capsys, "--check", "ledger")
    by = system_principal(access.organisation_of(cast.slug).pk, "test")
    with acting_for(by, subjects=ALL_SUBJECTS):
        assert AuditEvent.objects.filter(action="agent.sources", reason="4").count() == 1


@pytest.mark.parametrize(
    ("mapping", "sentence"),
    [
        ("{", "is not JSON"),
        ("[]", "It has to be an object"),
        ({"runner": {"source": "file", "path": "x"}}, "runner: It needs pattern."),
        ({"runner": {"source": "http", "url": "http://x/{organisation}", "pointer": ""}}, "only placeholder"),
    ],
)
def test_a_mapping_that_can_t_be_is_one_sentence(cast: Cast, tmp_path: Path, mapping: Any, sentence: str) -> None:
    with pytest.raises(CommandError, match=sentence):
        call_command("sources", "--organisation", cast.slug, "--agent", "bot", "--set", written(tmp_path, mapping))
    assert rows(cast, RecordSource) == 0


def test_what_is_not_there_is_said(cast: Cast, tmp_path: Path) -> None:
    for more in (("--set", str(tmp_path / "none.json")), ("--check", "nobody-yet")):
        with pytest.raises(CommandError):
            call_command("sources", "--organisation", cast.slug, "--agent", "bot", *more)
    with pytest.raises(CommandError):
        call_command("sources", "--organisation", cast.slug, "--agent", "no-such-agent")
    with pytest.raises(CommandError):
        call_command("sources", "--organisation", "no-such-org", "--agent", "bot")


def test_no_call_of_the_api_sets_a_source(cast: Cast) -> None:
    """An agent that could would have the hub call any address for it."""
    document = cast.get("/openapi.json").body
    assert not [path for path in document["paths"] if "source" in path]
