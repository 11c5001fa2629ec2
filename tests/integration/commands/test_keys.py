"""issue_key, revoke_key, create_user and verify_audit, as outside checks call them."""

from io import StringIO
from typing import Any

import pytest
from django.core.management import CommandError, call_command
from django.db import connection

from accounts import second_factor
from accounts.ids import new_id
from accounts.keys import lookup_of
from accounts.models import Agent, Key, Membership, Organisation, User
from memoryhub.governance import access
from memoryhub.models import AgentPolicy
from memoryhub.tenancy import ALL_SUBJECTS, acting_for, knowing, system_principal
from tests.cast import Cast
from tests.factories.second_factors import give_app


def run(name: str, *arguments: str) -> str:
    out = StringIO()
    call_command(name, *arguments, stdout=out, stderr=StringIO())
    return out.getvalue()


@pytest.fixture
def slug(db: None) -> str:
    return f"harbour-{new_id().hex[-10:]}"


def inside(slug: str) -> Any:
    return acting_for(system_principal(access.organisation_of(slug).pk, "test"), subjects=ALL_SUBJECTS)


def test_a_key_is_printed_alone_and_works(slug: str) -> None:
    printed = run(
        "issue_key", "--organisation", slug, "--name", "desk-bot", "--role", "agent", "--role", "customer_relay"
    )
    assert printed.count("\n") == 1
    key = printed.strip()
    assert lookup_of(key)
    reply = Cast(slug=slug).get("/agents/me", key=key)
    assert (reply.status, reply.body["slug"], reply.body["roles"]) == (200, "desk-bot", ["agent", "customer_relay"])


def test_an_agent_made_by_command_follows_the_rules(slug: str) -> None:
    run("issue_key", "--organisation", slug, "--name", "desk-bot", "--role", "agent")
    with inside(slug):
        policy = AgentPolicy.objects.get()
    assert {policy.episodic, policy.semantic, policy.procedural} == {"rules"}


def test_a_second_call_adds_a_key_to_the_same_agent(slug: str) -> None:
    keys = {run("issue_key", "--organisation", slug, "--name", "desk-bot", "--role", "agent") for _ in range(2)}
    with inside(slug):
        assert (Agent.objects.count(), Key.objects.count()) == (1, len(keys))


def test_a_curators_key_makes_its_person_without_a_password(slug: str) -> None:
    run(
        "issue_key",
        "--organisation",
        slug,
        "--name",
        "any name at all",
        "--role",
        "curator",
        "--user",
        f"Pia@{slug}.example",
    )
    person = User.objects.get(email=f"pia@{slug}.example")
    assert not person.has_usable_password()
    with inside(slug):
        assert Membership.objects.filter(user=person, role="curator").exists()


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (("--name", "x", "--role", "king"), "agent, customer_relay"),
        (("--name", "x", "--role", "agent", "--role", "curator", "--user", "a@b.example"), "own curator"),
        (("--name", "x", "--role", "curator"), "--user"),
        (("--name", "not a slug!", "--role", "agent"), "letters"),
        (("--name", "x", "--role", "curator", "--user", "nobody"), "e-mail"),
        (("--name", " ", "--role", "operator"), "printable"),
        (("--name", "x", "--role", "operator", "--subject", ".."), "'..'"),
    ],
)
def test_what_can_be_no_key_is_said_in_a_sentence(slug: str, arguments: tuple[str, ...], sentence: str) -> None:
    with pytest.raises(CommandError, match=sentence) as refused:
        run("issue_key", "--organisation", slug, *arguments)
    assert refused.value.returncode == 1
    with knowing("slug", slug):
        left = Organisation.objects.filter(slug=slug).first()
    if left is not None:
        with inside(slug):
            assert Key.objects.count() == 0


def test_an_organisation_has_a_slug(db: None) -> None:
    with pytest.raises(CommandError, match="organisation"):
        run("issue_key", "--organisation", "no slug!", "--name", "x", "--role", "operator")


def test_a_key_bound_to_a_subject_says_so(slug: str) -> None:
    key = run(
        "issue_key", "--organisation", slug, "--name", "d", "--role", "customer_relay", "--subject", "team/2"
    ).strip()
    cast = Cast(slug=slug)
    assert cast.post("/subjects/team%2F2/pause", {"paused": True}, key=key).status == 200
    assert cast.post("/subjects/other/pause", {"paused": True}, key=key).status == 404


def test_a_revoked_key_is_dead_and_revoking_again_is_no_error(slug: str) -> None:
    key = run("issue_key", "--organisation", slug, "--name", "o", "--role", "operator").strip()
    for prefix in (key[:12], key[4:12]):
        assert key[4:12] in run("revoke_key", prefix)
    assert Cast(slug=slug).get("/subjects", key=key).status == 401


@pytest.mark.parametrize("prefix", ["mhk_00000000", "short", "", "mhk_!!!!!!!!"])
def test_revoking_what_is_not_there_is_an_error(db: None, prefix: str) -> None:
    with pytest.raises(CommandError):
        run("revoke_key", prefix)


def test_a_user_can_sign_in_and_is_a_member(slug: str) -> None:
    arguments = (
        "--organisation",
        slug,
        "--email",
        f"Kim@{slug}.example",
        "--password",
        "north pier 7",
        "--role",
        "operator",
    )
    assert run("create_user", *arguments) == f"kim@{slug}.example\n"
    run("create_user", *arguments)
    person = User.objects.get(email=f"kim@{slug}.example")
    assert person.check_password("north pier 7")
    with inside(slug):
        assert Membership.objects.filter(user=person).count() == 1


@pytest.mark.parametrize(
    ("changes", "sentence"),
    [
        ({"--role": "king"}, "curator, operator, auditor, customer"),
        ({"--role": "customer"}, "--subject"),
        ({"--subject": "nora"}, "customer"),
        ({"--password": " "}, "password"),
        ({"--email": "nobody"}, "e-mail"),
    ],
)
def test_what_can_be_no_user_is_said_in_a_sentence(slug: str, changes: dict[str, str], sentence: str) -> None:
    fields = {
        "--organisation": slug,
        "--email": "k@b.example",
        "--password": "north pier 7",
        "--role": "operator",
        **changes,
    }
    with pytest.raises(CommandError, match=sentence):
        run("create_user", *(part for pair in fields.items() for part in pair))


def test_a_second_factor_is_forgotten_by_whoever_runs_the_hub(slug: str) -> None:
    email = f"kim@{slug}.example"
    run("create_user", "--organisation", slug, "--email", email, "--password", "north pier 7", "--role", "operator")
    person = User.objects.get(email=email)
    give_app(person)
    assert run("forget_second_factor", "--organisation", slug, "--email", email) == f"{email}\n"
    assert not second_factor.has_one(person)
    with pytest.raises(CommandError, match="Nobody with this address"):
        run("forget_second_factor", "--organisation", slug, "--email", "who@x.example")


def test_a_trail_that_holds_is_said(slug: str) -> None:
    run("issue_key", "--organisation", slug, "--name", "o", "--role", "operator")
    assert run("verify_audit", "--organisation", slug) == f"{slug}: holds\n"
    assert f"{slug}: holds\n" in run("verify_audit")
    with pytest.raises(CommandError, match="no organisation"):
        run("verify_audit", "--organisation", "nowhere-at-all")


def test_a_broken_trail_names_its_first_broken_link(slug: str) -> None:
    run("issue_key", "--organisation", slug, "--name", "o", "--role", "operator")
    with inside(slug), connection.cursor() as cursor:
        cursor.execute(
            "INSERT INTO memoryhub_auditevent (organisation_id, seq, at, actor, action, subject, object_kind, object_id, reason, content_hmac,"
            " request_id, previous_hash, row_hash) SELECT organisation_id, seq + 1, now(), 'x', 'x', '', 'x', 'x', '', '', '',"
            " row_hash, repeat('2', 64) FROM memoryhub_audithead"
        )
        cursor.execute("UPDATE memoryhub_audithead SET seq = seq + 1, row_hash = repeat('2', 64)")
    out = StringIO()
    with pytest.raises(CommandError) as refused:
        call_command("verify_audit", "--organisation", slug, stdout=out)
    assert refused.value.returncode == 1
    assert "broken at link" in out.getvalue()
