"""A hub from before there were keys is started with this version: its rows are sealed, and say what they said."""

from collections.abc import Iterator
from typing import Any

import pytest
from django.conf import settings
from django.core.management import call_command
from django.db import connection
from django.db.migrations.executor import MigrationExecutor

from accounts.ids import new_id
from memoryhub.api import idempotency
from memoryhub.models import Event, IdempotentRequest, MasterKey, Offload, SubjectKey
from memoryhub.providers.database import connect
from memoryhub.tenancy import ALL_SUBJECTS, acting_for, system_principal
from tests.factories.ground import NOW

pytestmark = pytest.mark.long  # every migration is run, on a database of its own

OLDER = "test_older"
CANARY = "zanzibarian marmalade"


@pytest.fixture
def as_user(django_db_setup: None, django_db_blocker: Any) -> Iterator[Any]:
    """A database of its own on the tests' server; call it with a login to be connected as that."""
    logins = settings.MEMORYHUB_LOGINS
    before = {name: connection.settings_dict[name] for name in ("NAME", "USER", "PASSWORD")}
    with connect(logins.administrator) as administrator:
        administrator.execute(f"DROP DATABASE IF EXISTS {OLDER} WITH (FORCE)")
        administrator.execute(f"CREATE DATABASE {OLDER} OWNER {logins.owner['user']}")
    with connect({**logins.administrator, "dbname": OLDER}) as inside:
        inside.execute("CREATE EXTENSION vector")

    def become(login: dict[str, str]) -> None:
        connection.close()
        connection.settings_dict |= {"NAME": OLDER, "USER": login["user"], "PASSWORD": login.get("password", "")}

    with django_db_blocker.unblock():
        try:
            yield become
        finally:
            connection.close()
            connection.settings_dict |= before
            with connect(logins.administrator) as administrator:
                administrator.execute(f"DROP DATABASE {OLDER} WITH (FORCE)")


def test_what_an_older_version_kept_in_clear_is_sealed_and_nothing_is_lost(as_user: Any) -> None:
    logins = settings.MEMORYHUB_LOGINS
    as_user(logins.owner)
    call_command("migrate", "memoryhub", "0032", interactive=False, verbosity=0)
    as_user(logins.administrator)
    organisation, event, offload, answers = _older_rows()
    as_user(logins.owner)
    call_command("migrate", interactive=False, verbosity=0)
    with acting_for(system_principal(organisation, "test"), subjects=ALL_SUBJECTS):  # as the owner, under its policies
        found = Event.objects.get(pk=event)
        assert (found.user_input, found.assistant_output) == (f"I prefer {CANARY}", "Noted.")
        assert (found.actions, found.observations, found.signals) == ([{"tool": "look"}], [{"value": CANARY}], [])
        assert Offload.objects.get(pk=offload).text == CANARY
        assert [idempotency._unsealed(IdempotentRequest.objects.get(pk=one))["answer"] for one in answers] == [
            {"text": CANARY}, [CANARY],
        ]  # fmt: skip
        assert SubjectKey.objects.count() == 1
    assert MasterKey.objects.count() == 1
    with connection.cursor() as cursor:
        cursor.execute("VACUUM FULL memoryhub_event, memoryhub_offload, memoryhub_idempotentrequest")
    as_user(logins.administrator)
    with connection.cursor() as cursor:
        for table in ("memoryhub_event", "memoryhub_offload", "memoryhub_idempotentrequest"):
            cursor.execute(f"SELECT string_agg(t::text, ' ') FROM {table} t")
            assert CANARY not in cursor.fetchone()[0]


def _older_rows() -> tuple[Any, Any, Any, list[Any]]:
    """As the version before wrote them; past its triggers, which ask for a verb's audit row."""
    apps = MigrationExecutor(connection).loader.project_state([("memoryhub", "0032_digests")]).apps

    def make(app: str, name: str, /, **fields: Any) -> Any:
        return apps.get_model(app, name).objects.create(**fields)

    with connection.cursor() as cursor:
        cursor.execute("SET session_replication_role = replica")
    organisation = make("accounts", "Organisation", slug="older", name="Older")
    owner = make("accounts", "User", email="ada@example.org")
    agent = make("accounts", "Agent", organisation=organisation, slug="helper", owner=owner)
    key = make(
        "accounts", "Key", organisation=organisation, name="k", lookup="l", digest=new_id().hex, roles=["operator"]
    )
    subject = make("memoryhub", "Subject", organisation=organisation, external_id="asha")
    session = make(
        "memoryhub", "Session", organisation=organisation, agent=agent, external_id="s", subject=subject,
        started_at=NOW, last_turn_at=NOW, expires_at=NOW,
    )  # fmt: skip
    common = {"organisation": organisation, "subject": subject, "session": session}
    event = make(
        "memoryhub", "Event", agent=agent, external_id="e", user_input=f"I prefer {CANARY}",
        assistant_output="Noted.", actions=[{"tool": "look"}], observations=[{"value": CANARY}], occurred_at=NOW,
        received_at=NOW, **common,
    )  # fmt: skip
    make("memoryhub", "Event", agent=agent, external_id="f", withheld="why", occurred_at=NOW, received_at=NOW, **common)
    offload = make("memoryhub", "Offload", text=CANARY, created_at=NOW, **common)
    answers = [
        make(
            "memoryhub", "IdempotentRequest", organisation=organisation, api_key=key, subject=about, token=token,
            request_digest="d", status=200, body={"answer": answer}, created_at=NOW,
        )
        for token, about, answer in (("a", subject, {"text": CANARY}), ("b", None, [CANARY]))
    ]  # fmt: skip
    return organisation.pk, event.pk, offload.pk, [one.pk for one in answers]
