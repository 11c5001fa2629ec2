"""The policy on a page: what is in force, its versions, and signing another in two steps, floors in words (R16, R93)."""

import re
from typing import Any

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from memoryhub.governance import policy_versions, record_sources
from memoryhub.governance.policy import SHIPPED
from memoryhub.governance.policy_document import written
from memoryhub.models import AuditEvent, PolicyVersion
from memoryhub.vocabulary import FourEyes, Role
from tests.factories.ground import NOW
from tests.factories.turns import all_of
from tests.factories.visitors import Visitors, make_visitors
from tests.integration.pages.conftest import SignedIn

HOME = "/policy/"
CHANGE = "/policy/change/"
HOSTILE = "<script>alert(1)</script>\u202eevil"


def text(client: Client, path: str) -> str:
    response = client.get(path)
    assert response.status_code == 200
    return response.content.decode()


def typed(**changes: Any) -> dict[str, Any]:
    """The form as it is before anything is signed, with some fields changed (`table__name` for `table.name`)."""
    document = written(SHIPPED)
    sent: dict[str, Any] = {"based_on": "0", "reason": "After the audit"}
    for field, value in document.items():
        if field == "grants":
            sent |= {f"grants.{role}": "\r\n".join(patterns) for role, patterns in value.items()}
        elif isinstance(value, dict):
            sent |= {f"{field}.{name}": one for name, one in value.items()}
        else:
            sent[field] = value
    return sent | {name.replace("__", "."): value for name, value in changes.items()}


def sign(visitors: Visitors, *documents: dict[str, Any], reason: str = "Why not") -> None:
    with all_of(visitors.ground):
        for document in documents:
            policy_versions.change(document=document, reason=reason, by=visitors.ground.as_operator, now=NOW)


def versions(visitors: Visitors) -> int:
    with all_of(visitors.ground):
        return PolicyVersion.objects.count()


def test_what_is_shipped_is_shown_in_tables(visitors: Visitors, signed_in: SignedIn) -> None:
    page = text(signed_in(visitors.cal), HOME)
    assert "as shipped" in page
    assert "365 days" in page
    assert "A card number in a memory is a card number in every prompt." in page
    for role in Role:
        assert role.label.capitalize() in page
    assert "Change it" not in page


def test_a_change_is_looked_at_and_then_signed(visitors: Visitors, signed_in: SignedIn) -> None:
    client = signed_in(visitors.olu)
    sent = typed(commit_at="0.9", lifetimes__preference="26 weeks", member_may_add=["preference"])
    looked = client.post(CHANGE, sent | {"step": "look"})
    page = looked.content.decode()
    assert looked.status_code == 200
    assert [one.label.partition(":")[0] for one in looked.context["changes"]] == [
        "How long it is kept", "How sure it has to be", "Who may write what"
    ]  # fmt: skip
    assert not re.search(r"<dt[^>]*>[^<]*\w_\w", page)
    assert "<del>365 days</del>" in page
    assert 'value="26 weeks"' in page
    assert versions(visitors) == 0
    assert client.post(CHANGE, sent | {"step": "sign"}).status_code == 303
    with all_of(visitors.ground):
        policy = policy_versions.in_force(visitors.ground.organisation.pk)
        assert (policy.version, policy.commit_at, policy.signed_by) == (1, 0.9, visitors.olu.email)
        assert AuditEvent.objects.filter(action="policy.change").count() == 1
    assert "After the audit" in text(client, HOME)
    detail = text(client, "/policy/versions/1/")
    assert "<ins>182 days</ins>" in detail


@pytest.mark.parametrize(
    ("changes", "word"),
    [
        ({"treatments__payment": "keep"}, "A card number in a memory is a card number in every prompt."),
        ({"commit_at": "0.1"}, "a guess is not a fact"),
        ({"commit_at": "much"}, "It is a number."),
        ({"commit_at": "1e999"}, "It is a number."),
        ({"discard_below": "0.95"}, "between the two a person is asked"),
        ({"untrusted_claims_per_call": "2.5"}, "It is a whole number."),
        ({"untrusted_claims_per_call": "900"}, "would flood the queue"),
        ({"lifetimes__lesson": "for ever"}, "a number of hours, days or weeks"),
        ({"lifetimes__lesson": "900000 weeks"}, "what nobody confirmed for ten years is none"),
        ({"modes__semantic": "whatever"}, "It is one of: off, propose_only, rules."),
        ({"grants__agent": "memory:semantic:add:entitlement"}, "only a curator or a system of record"),
        ({"grants__agent": "everything"}, "is no grant"),
        ({"member_may_add": ["identity"]}, "give their own group a right or a limit"),
        ({"reason": " "}, "Say why"),
    ],
)
@pytest.mark.parametrize("step", ["look", "sign"])
def test_what_goes_under_a_floor_is_refused_in_words_and_stays_typed(
    visitors: Visitors, signed_in: SignedIn, changes: dict[str, Any], word: str, step: str
) -> None:
    sent = typed(**{"lifetimes__contact": "27 weeks", **changes})
    response = signed_in(visitors.olu).post(CHANGE, sent | {"step": step})
    page = response.content.decode()
    assert response.status_code == 422
    assert word in page
    assert 'value="27 weeks"' in page
    for value in changes.values():
        if isinstance(value, str) and "whatever" not in value:
            assert value in page
    assert versions(visitors) == 0


def test_a_reason_that_is_too_long_is_refused_when_it_is_signed(visitors: Visitors, signed_in: SignedIn) -> None:
    sent = typed(commit_at="0.9", reason="w" * 501, step="sign")
    response = signed_in(visitors.olu).post(CHANGE, sent)
    assert response.status_code == 422
    assert "At most 500 characters." in response.content.decode()


def test_two_curators_are_asked_for_what_a_policy_says(visitors: Visitors, signed_in: SignedIn) -> None:
    client = signed_in(visitors.olu)
    assert "say yes to: nothing." in text(client, HOME)
    assert client.post(CHANGE, typed(four_eyes=[FourEyes.SKILLS], step="sign")).status_code == 303
    assert f"say yes to: {FourEyes.SKILLS.label}." in text(client, HOME)


def test_nothing_to_change_is_said(visitors: Visitors, signed_in: SignedIn) -> None:
    client = signed_in(visitors.olu)
    assert "the policy in force says all of it" in client.post(CHANGE, typed(step="look")).content.decode()
    refused = client.post(CHANGE, typed(step="sign"))
    assert refused.status_code == 422
    assert "It changes nothing" in refused.content.decode()


def test_who_signs_upon_a_version_that_is_no_longer_in_force_is_told(visitors: Visitors, signed_in: SignedIn) -> None:
    client = signed_in(visitors.olu)
    sent = typed(commit_at="0.9", step="sign")
    sign(visitors, {"commit_at": 0.7})
    response = client.post(CHANGE, sent)
    assert response.status_code == 412
    page = response.content.decode()
    assert "Somebody changed the policy meanwhile" in page
    assert 'value="0.9"' in page
    assert versions(visitors) == 1


def test_missing_and_strange_fields_are_no_error_of_the_hub(visitors: Visitors, signed_in: SignedIn) -> None:
    client = signed_in(visitors.olu)
    for sent in (
        {},
        {"step": "sign"},
        {"based_on": "x" * 99, "step": "sign"},
        typed(based_on="\u0661", commit_at="\x00"),
    ):
        assert client.post(CHANGE, sent).status_code == 422
    for path in ("/policy/versions/7/", "/policy/versions/99999999999999999999/", "/policy/?below=x"):
        assert client.get(path).status_code == 404


def test_versions_are_told_newest_first_with_what_each_changed(visitors: Visitors, signed_in: SignedIn) -> None:
    sign(visitors, *({"commit_at": 0.7 + number / 100} for number in range(12)))
    client = signed_in(visitors.cal)
    response = client.get(HOME)
    assert [one.version for one, _ in response.context["versions"]] == list(range(12, 2, -1))
    older = client.get(f"{HOME}?below={response.context['below']}")
    assert [(one.version, len(changes)) for one, changes in older.context["versions"]] == [
        (3, 1),
        (2, 1),
        (1, 1),
        (0, 0),
    ]


def test_curators_read_and_sign_nothing_and_others_do_not_read(visitors: Visitors, signed_in: SignedIn) -> None:
    curator = signed_in(visitors.cal)
    assert curator.get(CHANGE).status_code == 403
    assert curator.post(CHANGE, typed(commit_at="0.9", step="sign")).status_code == 403
    assert versions(visitors) == 0
    for path in (HOME, "/policy/versions/0/", CHANGE):
        assert signed_in(visitors.mira_user).get(path).status_code == 403


def test_versions_of_others_are_not_there(visitors: Visitors, signed_in: SignedIn) -> None:
    elsewhere = make_visitors()
    sign(elsewhere, {"commit_at": 0.9}, reason="Theirs alone")
    client = signed_in(visitors.olu)
    assert client.get("/policy/versions/1/").status_code == 404
    assert "Theirs alone" not in text(client, HOME)


def test_the_records_that_have_the_last_word_are_named(visitors: Visitors, signed_in: SignedIn) -> None:
    ground = visitors.ground
    with all_of(ground):
        mapping = {"plan": {"source": "http", "url": "https://crm.example/{subject}", "pointer": "/plan"}}
        record_sources.set_sources(agent=ground.agent, mapping=mapping, by=ground.as_operator, now=NOW)
    page = text(signed_in(visitors.cal), HOME)
    assert "record https://crm.example/{subject}#/plan" in page
    assert "record https://crm.example/{subject}#/plan" in text(signed_in(visitors.cal), f"/agents/{ground.agent.pk}/")


def test_hostile_words_of_a_signer_are_shown_and_do_nothing(visitors: Visitors, signed_in: SignedIn) -> None:
    sign(visitors, {"commit_at": 0.9}, reason=HOSTILE)
    client = signed_in(visitors.olu)
    typed_in = client.post(CHANGE, typed(based_on="1", commit_at="0.8", reason=HOSTILE, step="look")).content.decode()
    for page in (text(client, HOME), text(client, "/policy/versions/1/"), typed_in):
        assert "<script>alert" not in page
        assert "U+202E" in page


def test_queries_do_not_grow_with_versions(visitors: Visitors, signed_in: SignedIn) -> None:
    client = signed_in(visitors.cal)
    counts = []
    for number in range(2):
        sign(visitors, *({"commit_at": 0.7 + number / 10 + one / 100} for one in range(4)))
        text(client, HOME)
        with CaptureQueriesContext(connection) as queries:
            text(client, HOME)
        counts.append(len(queries))
    assert counts[0] == counts[1]
