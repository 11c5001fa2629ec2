"""Fresh proof for what can't be taken back: asked for when it is older than half an hour, and nothing typed is lost."""

import re
from datetime import timedelta
from html import unescape

import pytest
from django.test import Client
from django.utils import timezone

from accounts import step_up
from accounts.attempts import PAIR_FAILURES
from accounts.models import Key
from curation.urls import urlpatterns
from memoryhub.governance import access, policy_versions
from memoryhub.models import Entry
from memoryhub.tenancy import ALL_SUBJECTS, acting_for
from tests.factories.second_factors import code_of, give_app
from tests.factories.turns import all_of
from tests.factories.visitors import PASSWORD, Visitors, tell
from tests.integration.pages.conftest import SignedIn

#: Everything that asks for it: which view, and how it is asked.
GUARDED = {
    "subject-erase", "subject-export", "agent-key-make", "agent-key-rotate", "agent-key-revoke", "agent-policy",
    "policy-change", "my-memory-forget-everything", "my-archive-ask", "my-archive", "subject-link", "account-app", "account-passkey",
    "account-factor-remove", "account-codes", "member-add", "member-second-factor", "member-role-give",
    "member-role-end", "member-end", "member-sessions-end", "member-link", "webhook-list", "webhook-change", "member-second-factor-end",
    "account-close", "member-account-close",
}  # fmt: skip


def grow_old(client: Client, *, minutes: float = 31) -> None:
    """Let so many minutes pass since it was proved."""
    session = client.session
    session[step_up.PROVED] = (timezone.now() - timedelta(minutes=minutes)).isoformat()
    session.save()


def hidden(page: str) -> dict[str, str]:
    """What the first form of a page would send along."""
    found = re.findall(r'<input type="hidden" name="(\w+)" value="([^"]*)">', page)
    return {name: unescape(value) for name, value in found}


def keys_of(visitors: Visitors) -> int:
    with all_of(visitors.ground):
        return Key.objects.filter(agent=visitors.ground.agent).count()


@pytest.fixture
def olu(visitors: Visitors, signed_in: SignedIn) -> Client:
    client = signed_in(visitors.olu)
    grow_old(client)
    return client


def test_whoever_signed_in_lately_is_not_asked(visitors: Visitors, signed_in: SignedIn) -> None:
    client = signed_in(visitors.olu)
    grow_old(client, minutes=29)
    assert client.get("/policy/change/").status_code == 200


@pytest.mark.parametrize("name", sorted(GUARDED))
def test_what_opens_doors_or_can_t_be_taken_back_asks_first(visitors: Visitors, olu: Client, name: str) -> None:
    (pattern,) = [one for one in urlpatterns if one.name == name]
    kinds = pattern.pattern.converters
    nobody = "0192f0c8-0000-7000-8000-000000000001"
    path = "/" + re.sub(r"<\w+:(\w+)>", lambda found: "7" if "Int" in type(kinds[found[1]]).__name__ else nobody,
                        str(pattern.pattern))  # fmt: skip
    answer = olu.post(path, {"reason": "because"})
    if answer.status_code == 405:
        answer = olu.get(path)
    assert answer.status_code in (302, 401), (path, answer.status_code)
    assert answer.status_code == 401 or answer["Location"].startswith("/prove/?next=")


def test_a_form_is_asked_about_and_goes_on_with_all_that_it_held(visitors: Visitors, olu: Client) -> None:
    path, form = f"/agents/{visitors.ground.agent.pk}/keys/", {"lifetime": "0", "subject": 'm"i<r>a', "relay": "on"}
    asked = olu.post(path, form)
    page = asked.content.decode()
    assert (asked.status_code, keys_of(visitors)) == (401, 0)
    assert "Nothing was done yet." in page
    assert hidden(page).items() >= form.items()
    assert f'action="{path}"' in page
    wrong = olu.post(path, hidden(page) | {"proof_password": "not this"})
    assert (wrong.status_code, keys_of(visitors)) == (422, 0)
    assert "not this" not in wrong.content.decode()
    made = olu.post(path, hidden(wrong.content.decode()) | {"proof_password": PASSWORD})
    assert (made.status_code, keys_of(visitors)) == (201, 1)
    assert PASSWORD not in made.content.decode()
    assert olu.post(path, {"lifetime": "0"}).status_code == 201  # half an hour begins


def test_a_page_is_led_to_the_question_and_back(visitors: Visitors, olu: Client) -> None:
    asked = olu.get("/policy/change/?x=1")
    assert asked["Location"] == "/prove/?next=%2Fpolicy%2Fchange%2F%3Fx%3D1"
    assert olu.get(asked["Location"]).status_code == 200
    assert olu.post(asked["Location"], {"proof_password": PASSWORD})["Location"] == "/policy/change/?x=1"
    assert olu.get("/policy/change/").status_code == 200


def test_the_question_never_leads_to_another_host(visitors: Visitors, olu: Client) -> None:
    for away in ("https://elsewhere.example/", "//elsewhere.example", "javascript:alert(1)"):
        assert olu.post(f"/prove/?next={away}", {"proof_password": PASSWORD})["Location"] == "/"


def test_with_htmx_the_question_takes_the_place_of_the_page(visitors: Visitors, olu: Client) -> None:
    path = f"/agents/{visitors.ground.agent.pk}/keys/"
    asked = olu.post(path, {"lifetime": "0"}, headers={"HX-Request": "true"})
    assert (asked.status_code, asked["HX-Retarget"]) == (422, "#content")
    assert "<html" not in asked.content.decode()
    assert hidden(asked.content.decode())["lifetime"] == "0"
    assert olu.get("/policy/change/", headers={"HX-Request": "true"})["HX-Redirect"].startswith("/prove/")


def test_whoever_has_a_second_factor_is_asked_for_that_and_the_password_is_not_enough(
    visitors: Visitors, olu: Client
) -> None:
    (first, *_) = give_app(visitors.olu)
    page = olu.get("/prove/").content.decode()
    assert "Code from your app" in page
    assert "Your password" not in page
    assert olu.post("/prove/", {"proof_password": PASSWORD}).status_code == 422
    assert olu.post("/prove/", {"proof_code": code_of()})["Location"] == "/"
    assert olu.post("/prove/", {"proof_code": code_of()}).status_code == 422  # used up
    assert olu.post("/prove/", {"proof_code": first})["Location"] == "/"
    assert olu.post("/prove/", {"proof_code": first}).status_code == 422


def test_guessing_has_to_wait(visitors: Visitors, olu: Client) -> None:
    for _ in range(PAIR_FAILURES):
        assert olu.post("/prove/", {"proof_password": "x"}).status_code == 422
    assert olu.post("/prove/", {"proof_password": PASSWORD}).status_code == 429
    give_app(visitors.olu)
    for _ in range(PAIR_FAILURES):
        assert olu.post("/prove/", {"proof_code": "000000"}).status_code == 422
    assert olu.post("/prove/", {"proof_code": code_of()}).status_code == 429


def test_a_visit_by_a_link_is_fresh_for_half_an_hour_and_then_needs_a_new_link(visitors: Visitors) -> None:
    tell(visitors.ground, visitors.mira, "I live in Lisbon.")
    by, client = visitors.ground.as_agent, Client()
    with acting_for(by, subjects=ALL_SUBJECTS):
        token, _ = access.make_page_link(subject=visitors.mira, by=by, now=timezone.now())
    client.post(f"/me/enter/{token}/")
    assert client.get("/me/forget-everything/").status_code == 200
    grow_old(client)
    for answer in (
        client.get("/me/forget-everything/"), client.post("/me/forget-everything/", {"word": "forget"}),
        client.post("/me/forget-everything/", {"word": "forget", "proof_password": "x"}), client.post("/me/download/"),
    ):  # fmt: skip
        assert answer.status_code == 403
        assert "Ask for a new link" in answer.content.decode()
    assert client.get("/me/").status_code == 200
    with all_of(visitors.ground):
        assert Entry.objects.count() == 1


def test_looking_at_a_page_whose_form_asks_for_it_needs_none(visitors: Visitors, olu: Client) -> None:
    assert olu.get("/webhooks/").status_code == 200
    assert olu.post("/webhooks/", {"url": "https://x.example/"}).status_code == 401


def test_the_policy_is_not_signed_without_it(visitors: Visitors, olu: Client) -> None:
    with all_of(visitors.ground):
        before = policy_versions.in_force(visitors.ground.organisation.pk).version
    assert olu.post("/policy/change/", {"step": "sign", "commit_at": "0.9", "reason": "x"}).status_code == 401
    with all_of(visitors.ground):
        assert policy_versions.in_force(visitors.ground.organisation.pk).version == before
