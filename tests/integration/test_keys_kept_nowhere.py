"""A key in clear is in the answer that made it and nowhere else: no table, log, error page or trace (S24)."""

import logging
import threading
from collections.abc import Iterator

import pytest
from django.conf import settings
from django.db import connections
from django.test import Client
from django.utils import timezone

from accounts.keys import checksum, lookup_of, new_text
from accounts.models import Key
from memoryhub.api import subjects as subjects_api
from memoryhub.governance import access, audit
from memoryhub.logs import WithoutValues
from memoryhub.providers.embeddings import HashingEmbedder, using
from memoryhub.tenancy import ALL_SUBJECTS, acting_for, system_principal
from tests.cast import Cast
from tests.integration.test_canaries import _dump


@pytest.fixture
def cast(committed_db: None) -> Iterator[Cast]:
    with using(HashingEmbedder()):
        yield Cast()


def test_a_key_is_in_no_table_log_or_error_page(
    cast: Cast, caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    caplog.set_level(logging.DEBUG)
    operator = access.create_user(
        organisation=cast.slug, email=f"o@{cast.slug}.example", password="a quiet harbour", role="operator",
        now=timezone.now(),
    )  # fmt: skip
    issued = cast.issue(name="plain-bot", roles=("agent",))
    client = Client(raise_request_exception=False)
    client.force_login(operator)
    tenant = access.organisation_of(cast.slug)
    with acting_for(system_principal(tenant.pk, "test"), subjects=ALL_SUBJECTS):
        row = Key.objects.get(lookup=lookup_of(issued))
    made = client.post(f"/agents/{row.agent_id}/keys/", {"lifetime": "0"}).content.decode()
    replaced = client.post(f"/agents/{row.agent_id}/keys/{row.pk}/rotate/", {"overlap": "3600"}).content.decode()
    from_pages = ["mhk_" + page.split(">mhk_", 1)[1].split("<", 1)[0] for page in (made, replaced)]
    texts = [issued, *from_pages]
    assert all(lookup_of(text) for text in texts)

    answers = []
    for text in texts:
        answers += [cast.get("/subjects", key=text), cast.get("/nowhere", key=text), cast.post("/recall", 7, key=text)]
        answers += [cast.get(f"/memories?subject={text}", key=text), cast.say(f"My key is {text}", key=text)]
    pages = [client.get(f"/nowhere/{issued}/"), client.get("/agents/"), client.get(f"/agents/{row.agent_id}/")]
    with monkeypatch.context() as broken:  # an accident in the middle of a call: its trace holds the request
        broken.setattr(subjects_api.subjects, "find", _accident)
        plain = Client(raise_request_exception=False)
        answers_500 = [
            plain.get(f"/api/v1/subjects/{text}", headers={"Authorization": f"Bearer {text}"}) for text in texts
        ]

    everything = _dump()
    formatter = WithoutValues("%(name)s %(message)s")
    logged = "\n".join(formatter.format(record) for record in caplog.records)
    secrets = [text[12:44] for text in texts]
    assert [text for text in secrets if text in everything] == []
    assert [text for text in secrets if text in logged] == []
    assert [text for text in secrets for reply in answers if text in str(reply.body) + str(reply.headers)] == []
    assert [text for text in secrets for page in (*pages, *answers_500) if text in page.content.decode()] == []


def _accident(*args: object, **kwargs: object) -> None:
    raise RuntimeError(f"an accident with {args} {kwargs}")


def test_every_way_of_being_no_key_hears_the_same_and_costs_the_same(cast: Cast, django_assert_num_queries) -> None:
    live, dead = cast.issue(name="one", roles=("agent",)), cast.issue(name="two", roles=("agent",))
    access.revoke_key(prefix=dead[:12], now=timezone.now())
    other = new_text()
    forged = f"{live[:12]}{other[12:44]}000000"
    replies = []
    with django_assert_num_queries(0):
        replies += [cast.get("/subjects", key=text) for text in (forged, live[:-1] + "!", live[:-1], "mhk_")]
    for text in (other, dead, _with_checksum(live[:12] + other[12:44])):
        with django_assert_num_queries(1):
            replies.append(cast.get("/subjects", key=text))
    assert {(reply.status, reply.code) for reply in replies} == {(401, "not_authenticated")}
    assert len({str(reply.body.get("detail")) for reply in replies}) == 1
    assert settings.MEMORYHUB_KEY_PEPPER not in _dump()


@pytest.mark.parametrize("how", ["revoked", "expired"])
def test_a_key_that_ended_is_refused_by_the_next_call_of_whoever_serves_it(cast: Cast, how: str) -> None:
    """Nothing about a key is kept in a process, so a worker that never heard of the end refuses it all the same."""
    text = cast.issue(name="one", roles=("agent",))
    begun, ended, heard = threading.Event(), threading.Event(), list[int]()

    def worker() -> None:
        try:
            heard.append(cast.get("/agents/me", key=text).status)
            begun.set()
            ended.wait(timeout=60)
            heard.append(cast.get("/agents/me", key=text).status)
        finally:
            begun.set()
            connections.close_all()

    other = threading.Thread(target=worker)
    other.start()
    begun.wait(timeout=60)
    hub = system_principal(access.organisation_of(cast.slug).pk, "test")
    with acting_for(hub, subjects=ALL_SUBJECTS):
        row, now = Key.objects.get(lookup=lookup_of(text)), timezone.now()
        Key.objects.filter(pk=row.pk).update(**{f"{'revoked' if how == 'revoked' else 'expires'}_at": now})
        audit.record(by=hub, now=now, action="key.revoke", object_kind="key", object_id=row.pk)
    ended.set()
    other.join(timeout=60)
    assert heard == [200, 401]


def _with_checksum(body: str) -> str:
    return body + checksum(body.removeprefix("mhk_"))
