"""manage.py policy: print the policy in force, its versions, and sign another."""

import json
from io import StringIO
from pathlib import Path
from typing import Any

import pytest
from django.core.management import CommandError, call_command

from memoryhub.governance.policy import SHIPPED
from memoryhub.governance.policy_document import written
from tests.cast import Cast

OPERATOR = "olga@harbour.example"
SIGNED = ("--signed-by", OPERATOR, "--reason", "A quarter of misreadings")


def run(*arguments: str) -> str:
    out = StringIO()
    call_command("policy", *arguments, stdout=out, stderr=StringIO())
    return out.getvalue()


@pytest.fixture
def cast(db: None) -> Cast:
    cast = Cast()
    cast.key("bot")
    call_command(
        "create_user",
        organisation=cast.slug,
        email=OPERATOR,
        password="wide-harbour-9",
        role="operator",
        stdout=StringIO(),
    )
    return cast


@pytest.fixture
def there(cast: Cast) -> tuple[str, str]:
    return ("--organisation", cast.slug)


@pytest.fixture
def strict(tmp_path: Path) -> str:
    path = tmp_path / "strict.toml"
    path.write_text('commit_at = 0.95\n[treatments]\ncontact = "refuse"\n')
    return str(path)


def shown(*arguments: str) -> Any:
    return json.loads(run(*arguments, "--json"))


def test_it_prints_the_policy_in_force(there: tuple[str, str]) -> None:
    assert shown(*there) == {
        "version": 0, "signed_by": None, "signed_at": None, "reason": None, "document": written(SHIPPED),
    }  # fmt: skip
    page = run(*there)
    assert page == run(*there, "--markdown")
    assert "| `preference` | 365 days |" in page
    assert "As shipped" in page


def test_a_dry_run_shows_the_difference_and_signs_nothing(there: tuple[str, str], strict: str) -> None:
    said = run(*there, "--set", strict, "--dry-run")
    assert said.splitlines() == ["treatments.contact: keep → refuse", "commit_at: 0.8 → 0.95"]
    assert shown(*there)["version"] == 0


def test_signing_puts_a_version_in_force_for_the_next_write(cast: Cast, there: tuple[str, str], strict: str) -> None:
    said = run(*there, "--set", strict, *SIGNED)
    assert "commit_at: 0.8 → 0.95" in said
    assert f"version 1 is in force: Signed by {OPERATOR}" in said
    facts = shown(*there)
    assert (facts["version"], facts["reason"], facts["document"]["commit_at"]) == (1, "A quarter of misreadings", 0.95)
    reply = cast.say("I prefer tea")
    assert reply.results[0]["reason"] == "low_confidence"
    assert cast.get(f"/decisions/{reply.body['decision_id']}").body["policy_version"] == 1
    assert shown(*there, "--version", "0")["document"] == written(SHIPPED)


def test_what_it_prints_can_be_set_again(there: tuple[str, str], strict: str, tmp_path: Path) -> None:
    run(*there, "--set", strict, *SIGNED)
    back = tmp_path / "back.json"
    back.write_text(json.dumps(shown(*there, "--version", "0")["document"]))
    run(*there, "--set", str(back), *SIGNED)
    facts = shown(*there)
    assert (facts["version"], facts["document"]) == (2, written(SHIPPED))


def test_the_history_says_what_each_version_changed(there: tuple[str, str], strict: str) -> None:
    run(*there, "--set", strict, *SIGNED)
    lines = run(*there, "--history").splitlines()
    assert lines[0].startswith("version 0: As shipped")
    assert lines[1].startswith(f"version 1: Signed by {OPERATOR}")
    assert lines[2:] == ["    treatments.contact: keep → refuse", "    commit_at: 0.8 → 0.95"]
    assert [one["version"] for one in shown(*there, "--history")] == [0, 1]


@pytest.mark.parametrize(
    ("more", "sentence"),
    [
        (("--reason", "x"), "signed-by"),
        (("--signed-by", OPERATOR), "Say why"),
        (("--signed-by", "rosa@harbour.example", "--reason", "x"), "no operator of this organisation"),
        ((*SIGNED, "--based-on", "4"), "meanwhile"),
    ],
)
def test_nobody_signs_without_a_name_a_reason_and_the_version_they_saw(
    there: tuple[str, str], strict: str, more: tuple[str, ...], sentence: str
) -> None:
    with pytest.raises(CommandError, match=sentence):
        run(*there, "--set", strict, *more)
    assert shown(*there)["version"] == 0


def test_a_curator_signs_nothing(cast: Cast, there: tuple[str, str], strict: str) -> None:
    cast.key("rosa")
    with pytest.raises(CommandError, match="create_user --role operator"):
        run(*there, "--set", strict, "--signed-by", f"rosa@{cast.slug}.example", "--reason", "x")


@pytest.mark.parametrize(
    ("name", "text", "sentence"),
    [
        ("a.json", '{"commit_at": 0.1}', "commit_at: It is 0.5 to 1.0"),
        ("a.json", '{"treatments": {"secret": "keep"}}', "treatments.secret: At least 'redact'"),
        ("a.json", "{", "no JSON"),
        ("a.json", '{"commit_at": 0.9, "commit_at": 0.8}', "named twice"),
        ("a.json", "[" * 100_000, "no JSON"),
        ("a.toml", "commit_at 0.9", "no TOML"),
        ("missing.toml", None, "can't be read"),
    ],
)
def test_a_file_that_can_t_be_read_is_said_in_a_sentence(
    there: tuple[str, str], tmp_path: Path, name: str, text: str | None, sentence: str
) -> None:
    path = tmp_path / name
    if text is not None:
        path.write_text(text)
    with pytest.raises(CommandError, match=sentence):
        run(*there, "--set", str(path), *SIGNED)


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (("--organisation", "nowhere-at-all"), "There is no organisation"),
        (("--version", "9"), "no version 9"),
        (("--agent", "nobody"), "nothing here"),
        (("--mode", "semantic=off"), "--agent SLUG"),
        (("--agent", "bot", "--mode", "semantic=sometimes", *SIGNED), "KIND=MODE"),
        (("--agent", "bot", "--commit-at", "0.2", *SIGNED), "commit_at"),
        (("--agent", "bot", "--commit-at", "0.9"), "signed-by"),
        (("--agent", "bot", "--commit-at", "0.9", "--inherit-thresholds", *SIGNED), "not both"),
    ],
)
def test_what_can_t_be_asked_is_said_in_a_sentence(
    there: tuple[str, str], arguments: tuple[str, ...], sentence: str
) -> None:
    with pytest.raises(CommandError, match=sentence):
        run(*(() if "--organisation" in arguments else there), *arguments)


def test_an_agent_s_own_policy_is_printed_and_signed(cast: Cast, there: tuple[str, str]) -> None:
    agent = (*there, "--agent", "bot")
    facts = shown(*agent)
    assert (facts["modes"]["semantic"], facts["commit_at"], facts["own_thresholds"], facts["signed_by"]) == (
        "rules", 0.8, False, None,
    )  # fmt: skip
    run(*agent, "--mode", "semantic=propose_only", "--commit-at", "0.9", "--improves", "which berth to offer", *SIGNED)
    facts = shown(*agent)
    assert (facts["modes"]["semantic"], facts["commit_at"], facts["discard_below"]) == ("propose_only", 0.9, 0.3)
    assert (facts["improves"], facts["signed_by"]) == ("which berth to offer", OPERATOR)
    assert "improves: which berth to offer" in run(*agent)
    assert cast.say("I prefer tea").results[0]["reason"] == "propose_only"
    policy = cast.get("/agents/me").body["policy"]
    assert (policy["semantic"], policy["commit_at"], policy["signed_by"]) == ("propose_only", 0.9, OPERATOR)
    run(*agent, "--inherit-thresholds", *SIGNED)
    assert shown(*agent)["own_thresholds"] is False


def test_an_agent_inherits_what_the_organisation_changes(cast: Cast, there: tuple[str, str], strict: str) -> None:
    run(*there, "--set", strict, *SIGNED)
    facts = shown(*there, "--agent", "bot")
    assert (facts["commit_at"], facts["organisation_version"]) == (0.95, 1)
    assert cast.get("/agents/me").body["policy"]["organisation_version"] == 1
