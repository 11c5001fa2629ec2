"""Who gets in: keys, and nothing else."""

from datetime import timedelta
from types import SimpleNamespace

import pytest
from django.test import Client
from django.utils import timezone

from accounts.keys import lookup_of, new_text
from accounts.models import Key
from memoryhub.errors import TooMany
from memoryhub.governance import access, audit
from memoryhub.operations import throttling
from memoryhub.operations.throttling import check_rate
from memoryhub.tenancy import ALL_SUBJECTS, acting_for, knowing, system_principal
from tests.cast import Cast


def test_without_a_key_nothing_is_answered(cast: Cast) -> None:
    reply = cast.get("/subjects", by=None)
    assert (reply.status, reply.code) == (401, "not_authenticated")
    assert reply.headers["WWW-Authenticate"].startswith("Bearer")


@pytest.mark.parametrize(
    "header",
    [
        "",
        "Bearer",
        "Bearer ",
        "Bearer nonsense",
        "Basic bm9yYTpub3Jh",
        "Bearer " + "x" * 5000,
        "mhk_abc",
        "Bearer mhk_ä",
    ],
)
def test_a_header_that_is_no_key_is_refused(cast: Cast, header: str) -> None:
    assert cast.get("/subjects", by=None, Authorization=header).status == 401


def test_an_invented_key_costs_no_query(cast: Cast, django_assert_num_queries) -> None:
    with django_assert_num_queries(0):
        assert cast.get("/subjects", key="mhk_" + "a" * 46).status == 401


def test_a_well_formed_key_that_nobody_issued_is_refused(cast: Cast) -> None:
    assert cast.get("/subjects", key=new_text()).status == 401


def test_a_key_with_the_right_prefix_and_other_secret_is_refused(cast: Cast) -> None:
    key = cast.key("bot")
    other = next(text for text in iter(new_text, "") if True)
    forged = key[:12] + other[12:]
    assert cast.get("/subjects", key=forged).status == 401


def test_a_revoked_key_is_refused_at_once(cast: Cast) -> None:
    key = cast.key("bot")
    assert cast.get("/subjects", key=key).status == 200
    access.revoke_key(prefix=key[:12], now=timezone.now())
    assert cast.get("/subjects", key=key).status == 401


def test_an_expired_key_is_refused(cast: Cast) -> None:
    key = cast.key("bot")
    hub = system_principal(access.organisation_of(cast.slug).pk, "test")
    with acting_for(hub, subjects=ALL_SUBJECTS):  # audited, or the database keeps its end as it is
        row, now = Key.objects.get(lookup=lookup_of(key)), timezone.now()
        Key.objects.filter(pk=row.pk).update(expires_at=now - timedelta(seconds=1))
        audit.record(by=hub, now=now, action="key.revoke", object_kind="key", object_id=row.pk)
    assert cast.get("/subjects", key=key).status == 401


def test_use_is_noted_in_buckets(cast: Cast) -> None:
    lookup = lookup_of(cast.key("bot")) or ""
    for _ in range(2):
        cast.get("/subjects")
    with knowing("key", lookup):
        first = Key.objects.get().last_used_at
    cast.get("/subjects")
    with knowing("key", lookup):
        assert Key.objects.get().last_used_at == first is not None


def test_the_key_itself_is_stored_nowhere(cast: Cast) -> None:
    text = cast.key("bot")
    with knowing("key", lookup_of(text) or ""):
        row = Key.objects.values().get()
    assert text[12:] not in str(row)


def test_a_browsers_session_opens_nothing_here(cast: Cast) -> None:
    person = access.create_user(
        organisation=cast.slug, email="o@x.example", password="a long pass phrase", role="operator", now=timezone.now()
    )
    client = Client()
    client.force_login(person)
    assert client.get("/api/v1/subjects").status_code == 401


def test_a_key_opens_no_page(cast: Cast) -> None:
    answer = Client().get("/queue/", headers={"Authorization": f"Bearer {cast.key('rosa')}"})
    assert answer.status_code in (302, 401, 403)


def test_a_rate_holds_a_key_back_until_the_next_minute(settings, cast: Cast, monkeypatch: pytest.MonkeyPatch) -> None:
    settings.MEMORYHUB_RATE = 2
    monkeypatch.setattr(throttling, "time", SimpleNamespace(time=lambda: 60_050.0))  # ten seconds before the next
    replies = [cast.get("/subjects") for _ in range(4)]
    assert [reply.status for reply in replies] == [200, 200, 429, 429]
    assert replies[2].headers["Retry-After"] == "10"
    assert cast.get("/subjects", by="olga").status == 200  # another key has its own count


def test_a_rate_is_counted_by_the_minute(settings) -> None:
    settings.MEMORYHUB_RATE = 1
    key = Key().pk
    check_rate(key, at=60_000.0)
    with pytest.raises(TooMany) as refused:
        check_rate(key, at=60_045.0)
    assert refused.value.retry_after == 15
    check_rate(key, at=60_060.0)
