"""The audit trail on a page: filters, the chain verified, a file that streams, and nothing of what was said (R103)."""

import json
from collections.abc import Iterable
from typing import Any
from urllib.parse import urlencode

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from accounts.ids import new_id
from accounts.models import User
from memoryhub.governance import audit, audit_trail
from memoryhub.models import AuditEvent, Entry
from tests.factories.ground import NOW
from tests.factories.turns import all_of
from tests.factories.visitors import Visitors, join, make_visitors, tell
from tests.integration.pages.conftest import SignedIn

HOME = "/audit/"
HOSTILE = "<script>alert(1)</script>\u202eevil"


@pytest.fixture
def kurt(visitors: Visitors) -> User:
    """An auditor, and nothing else."""
    user = User.objects.create_user(f"kurt-{new_id().hex}@example.org")
    join(visitors.ground, user, "auditor")
    return user


def rows(client: Client, **asked: str) -> list[AuditEvent]:
    response = client.get(f"{HOME}?{urlencode(asked)}")
    assert response.status_code == 200
    return [one["row"] for one in response.context["rows"]]


def lines(response: Any) -> list[dict[str, Any]]:
    parts: Iterable[bytes] = response.streaming_content
    return [json.loads(line) for line in b"".join(parts).decode().splitlines()]


def test_an_auditor_reads_what_was_done_and_not_what_was_said(
    visitors: Visitors, signed_in: SignedIn, kurt: User
) -> None:
    tell(visitors.ground, visitors.mira, "I live in Lisbon.")
    client = signed_in(kurt)
    page = client.get(HOME).content.decode()
    assert "memory.add" in page
    assert "Lisbon" not in page
    with all_of(visitors.ground):
        entry = Entry.objects.get()
    link = f'href="/memories/{entry.pk}/"'
    assert link not in page, "an auditor may not open it"
    assert link in signed_in(visitors.olu).get(HOME).content.decode()


def test_filters_find_what_they_ask_for(visitors: Visitors, signed_in: SignedIn) -> None:
    ground = visitors.ground
    tell(ground, visitors.mira, "I live in Lisbon.")
    tell(ground, ground.subject("noor"), "I live in Turin.")
    with all_of(ground):
        entry = Entry.objects.get(subject=visitors.mira)
        audit.record(by=ground.as_cal, now=NOW, action="note.add", object_kind="note", object_id="7")
    client = signed_in(visitors.olu)
    assert {row.subject for row in rows(client, subject="mira")} == {str(visitors.mira.pk)}
    assert rows(client, subject=str(visitors.mira.pk)) == rows(client, subject="mira")
    assert {row.action for row in rows(client, action="memory.add")} == {"memory.add"}
    assert {row.object_id for row in rows(client, object=str(entry.pk))} == {str(entry.pk)}
    assert [row.action for row in rows(client, actor=visitors.cal.email)] == ["note.add"]
    assert {row.actor for row in rows(client, actor="agent:help")} == {"agent:helper"}
    assert [row.object_id for row in rows(client, object_kind="note")] == ["7"]
    day = f"{NOW:%Y-%m-%d}"
    assert "note.add" in {row.action for row in rows(client, since=day, until=day)}
    assert not rows(client, until="2020-01-01")
    assert not rows(client, subject="nobody", action="memory.add")
    assert "No link fits." in client.get(f"{HOME}?subject=nobody").content.decode()


@pytest.mark.parametrize(
    "asked",
    [
        {"since": "yesterday"}, {"since": "2026-13-40"}, {"since": "2026-11-30", "until": "2026-11-01"},
        {"until": "9999-12-31"}, {"since": "0001-01-01"}, {"actor": "a" * 200}, {"subject": "a\x00b"}, {"before": "x"},
        {"before": "9" * 30}, {"action": "a" * 41},
    ],
)  # fmt: skip
def test_a_filter_that_can_t_be_is_said_and_stays_typed(
    visitors: Visitors, signed_in: SignedIn, asked: dict[str, str]
) -> None:
    response = signed_in(visitors.olu).get(f"{HOME}?{urlencode(asked)}")
    assert response.status_code == 422
    assert response.context["fault"]
    assert not response.context["rows"]
    name, value = next(iter(asked.items()))
    assert name == "before" or response.context["chosen"][name] == value


def test_pages_follow_one_another_without_a_gap(visitors: Visitors, signed_in: SignedIn) -> None:
    ground = visitors.ground
    with all_of(ground):
        many = [audit.Row("note.add", "note", str(number)) for number in range(120)]
        audit.record_all(by=ground.as_hub, now=NOW, rows=many)
    client = signed_in(visitors.olu)
    seen, before = [], ""
    while True:
        response = client.get(f"{HOME}?{urlencode({'action': 'note.add', 'before': before})}")
        seen += [int(one["row"].object_id) for one in response.context["rows"]]
        before = response.context["before"]
        if not before:
            break
    assert seen == list(range(119, -1, -1))


def test_the_chain_is_verified_and_the_first_broken_link_named(
    visitors: Visitors, signed_in: SignedIn, monkeypatch: pytest.MonkeyPatch
) -> None:
    client = signed_in(visitors.olu)
    page = client.get(f"{HOME}verify/").content.decode()
    assert "It holds." in page
    part = client.get(f"{HOME}verify/", headers={"HX-Request": "true"}).content.decode()
    assert "It holds." in part
    assert "<html" not in part
    monkeypatch.setattr(audit, "first_broken_link", lambda _: audit.Broken(3, "its content was altered"))
    page = client.get(f"{HOME}verify/").content.decode()
    assert "It is broken at link 3: its content was altered." in page


def test_a_file_has_what_the_filters_ask_for_and_that_it_was_taken_is_a_link(
    visitors: Visitors, signed_in: SignedIn, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(audit_trail, "EXPORTED_AT_ONCE", 3)
    tell(visitors.ground, visitors.mira, "I live in Lisbon.")
    client = signed_in(visitors.olu)
    with all_of(visitors.ground):
        there = list(AuditEvent.objects.order_by("seq"))
    response = client.post(f"{HOME}export/")
    assert response.status_code == 200
    assert response["Content-Type"].startswith("application/x-ndjson")
    assert 'filename="audit-' in response["Content-Disposition"]
    assert response["Cache-Control"] == "no-store"
    found = lines(response)
    assert found == [audit_trail.as_document(row) for row in there]
    assert "Lisbon" not in str(found)
    some = lines(client.post(f"{HOME}export/", {"subject": "mira", "action": "memory.add"}))
    assert {(one["subject"], one["action"]) for one in some} == {(str(visitors.mira.pk), "memory.add")}
    with all_of(visitors.ground):
        noted = AuditEvent.objects.filter(action="audit.export").order_by("seq")
        assert [(row.actor, row.reason) for row in noted] == [
            (f"user:{visitors.olu.pk}", "all"), (f"user:{visitors.olu.pk}", "filtered"),
        ]  # fmt: skip
    assert client.post(f"{HOME}export/", {"since": "never"}).status_code == 422
    assert client.get(f"{HOME}export/").status_code == 405


def test_that_a_file_was_taken_is_noted_before_its_first_line(visitors: Visitors, signed_in: SignedIn) -> None:
    assert signed_in(visitors.olu).post(f"{HOME}export/").status_code == 200  # and nothing of it is read
    with all_of(visitors.ground):
        assert AuditEvent.objects.filter(action="audit.export").count() == 1


def test_curators_and_customers_do_not_read_it(visitors: Visitors, signed_in: SignedIn) -> None:
    for user in (visitors.cal, visitors.mira_user):
        client = signed_in(user)
        assert client.get(HOME).status_code == 403
        assert client.get(f"{HOME}verify/").status_code == 403
        assert client.post(f"{HOME}export/").status_code == 403
    with all_of(visitors.ground):
        assert not AuditEvent.objects.filter(action="audit.export").exists()


def test_the_trail_of_others_is_not_there(visitors: Visitors, signed_in: SignedIn) -> None:
    elsewhere = make_visitors()
    with all_of(elsewhere.ground):
        audit.record(by=elsewhere.ground.as_hub, now=NOW, action="note.add", object_kind="note", object_id="theirs")
    client = signed_in(visitors.olu)
    assert not rows(client, object="theirs")
    assert not rows(client, subject=str(elsewhere.mira.pk))
    assert "theirs" not in str(lines(client.post(f"{HOME}export/")))


def test_hostile_words_are_shown_and_do_nothing(visitors: Visitors, signed_in: SignedIn) -> None:
    ground = visitors.ground
    about = ground.subject(HOSTILE.replace("\u202e", ""))
    with all_of(ground):
        audit.record(
            by=ground.as_hub, now=NOW, action="note.add", object_kind="note", object_id=HOSTILE, reason=HOSTILE,
            subject=about.pk,
        )  # fmt: skip
    page = signed_in(visitors.olu).get(f"{HOME}?{urlencode({'actor': HOSTILE})}").content.decode()
    page += signed_in(visitors.olu).get(HOME).content.decode()
    assert "<script>alert" not in page
    assert "U+202E" in page


def test_queries_do_not_grow_with_links(visitors: Visitors, signed_in: SignedIn) -> None:
    ground, client = visitors.ground, signed_in(visitors.olu)

    def asked() -> int:
        with CaptureQueriesContext(connection) as queries:
            rows(client)
        return len(queries)

    tell(ground, visitors.mira, "I live in Lisbon.")
    with all_of(ground):
        audit.record(by=ground.as_cal, now=NOW, action="note.add", object_kind="note", object_id="1")
    before = asked()
    for number in range(8):
        tell(ground, ground.subject(f"guest-{number}"), "I live in Turin.")
        with all_of(ground):
            audit.record(by=ground.as_dee, now=NOW, action="note.add", object_kind="note", object_id="1")
    assert asked() == before
