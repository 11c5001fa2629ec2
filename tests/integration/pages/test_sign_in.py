"""Signing in and out: one answer for every way of being wrong, no open redirect, guesses have to wait."""

import pytest
from django.test import Client

from accounts.models import User
from memoryhub.governance import access
from tests.factories.visitors import PASSWORD, Visitors, join, make_visitors
from tests.integration.pages.conftest import SignedIn


def send(client: Client, email: str, password: str = PASSWORD, **more: str):
    return client.post("/sign-in/", {"username": email, "password": password, **more})


@pytest.mark.parametrize(("who", "home"), [("cal", "/queue/"), ("olu", "/dreams/"), ("mira_user", "/me/")])
def test_everybody_lands_on_the_page_their_role_works_with(visitors: Visitors, who: str, home: str) -> None:
    client = Client()
    assert send(client, getattr(visitors, who).email)["Location"] == "/"
    assert client.get("/")["Location"] == home
    assert client.get(home).status_code == 200


def test_capitals_in_the_address_do_not_matter(visitors: Visitors) -> None:
    assert send(Client(), visitors.cal.email.upper()).status_code == 302


def test_an_unknown_address_a_wrong_password_and_a_closed_account_look_the_same(visitors: Visitors) -> None:
    visitors.dee.is_active = False
    visitors.dee.save()
    pages = []
    for email, password in (
        ("nobody@example.org", PASSWORD),
        (visitors.cal.email, "not-the-password"),
        (visitors.dee.email, PASSWORD),
    ):
        response = send(Client(), email, password)
        assert response.status_code == 422
        pages.append(response.content.decode().split('role="alert"')[1].split("</div>")[0])
    assert len(set(pages)) == 1


@pytest.mark.parametrize(
    "away", ["https://elsewhere.example/", "//elsewhere.example", "javascript:alert(1)", "\\\\elsewhere.example"]
)
def test_signing_in_never_leads_to_another_host(visitors: Visitors, away: str) -> None:
    assert send(Client(), visitors.cal.email, next=away)["Location"] == "/"


def test_signing_in_leads_back_to_the_page_that_was_wanted(visitors: Visitors) -> None:
    client = Client()
    asked = client.get("/dreams/?after=")
    assert asked["Location"] == "/sign-in/?next=%2Fdreams%2F%3Fafter%3D"
    assert send(client, visitors.cal.email, next="/dreams/")["Location"] == "/dreams/"


def test_a_part_of_a_page_asked_for_without_a_visit_sends_the_whole_browser_to_sign_in(visitors: Visitors) -> None:
    response = Client().get(
        "/queue/", headers={"HX-Request": "true", "HX-Current-URL": "http://testserver/queue/?type=fact"}
    )
    assert response["HX-Redirect"] == "/sign-in/?next=%2Fqueue%2F%3Ftype%3Dfact"


def test_guessing_has_to_wait_and_a_stranger_s_guesses_do_not_lock_the_owner_out(visitors: Visitors) -> None:
    guesser = Client(REMOTE_ADDR="192.0.2.7")
    for _ in range(8):
        assert send(guesser, visitors.cal.email, "wrong").status_code == 422
    refused = send(guesser, visitors.cal.email)
    assert refused.status_code == 429
    assert int(refused["Retry-After"]) > 0
    assert send(Client(REMOTE_ADDR="192.0.2.8"), visitors.cal.email).status_code == 302


def test_a_nul_byte_in_the_address_is_a_fault_of_the_form(visitors: Visitors) -> None:
    assert send(Client(), "cal\x00@example.org").status_code == 422


def test_signing_out_is_a_form_and_ends_the_visit(visitors: Visitors, signed_in: SignedIn) -> None:
    client = signed_in(visitors.cal)
    assert client.get("/sign-out/").status_code == 405
    assert client.post("/sign-out/")["Location"] == "/sign-in/"
    assert client.get("/queue/").status_code == 302


def test_forms_of_another_site_are_refused_in_plain_words(visitors: Visitors) -> None:
    client = Client(enforce_csrf_checks=True)
    client.force_login(visitors.cal)
    response = client.post("/sign-out/")
    assert response.status_code == 403
    assert "out of date" in response.content.decode()
    assert client.get("/queue/").status_code == 200


def test_an_api_key_never_opens_a_page(visitors: Visitors, settings) -> None:
    issued = access.issue_key(
        organisation=visitors.ground.organisation.slug, name="pages", roles=["curator"], user=visitors.cal.email,
        now=visitors.cal.created_at, pepper=settings.MEMORYHUB_KEY_PEPPER,
    )  # fmt: skip
    response = Client().get("/queue/", headers={"Authorization": f"Bearer {issued.text}"})
    assert response.status_code == 302
    assert response["Location"].startswith("/sign-in/")


def test_a_visit_never_opens_the_api(visitors: Visitors, signed_in: SignedIn) -> None:
    assert signed_in(visitors.cal).get("/api/v1/queue").status_code == 401


def test_somebody_without_a_role_is_told_so(db: None, signed_in: SignedIn) -> None:
    stranger = User.objects.create_user("stranger@example.org", PASSWORD)
    client = signed_in(stranger)
    assert client.get("/queue/")["Location"] == "/no-place/"
    assert client.get("/no-place/").status_code == 403


def test_somebody_with_two_organisations_works_in_the_one_they_chose(visitors: Visitors, signed_in: SignedIn) -> None:
    other = make_visitors()
    join(other.ground, visitors.cal, "operator")
    client = signed_in(visitors.cal)
    assert client.get("/")["Location"] == "/queue/"
    client.post("/organisation/", {"organisation": str(other.ground.organisation.pk)})
    assert client.get("/")["Location"] == "/dreams/"
    assert "Dream now" in client.get("/dreams/").content.decode()


def test_choosing_an_organisation_one_does_not_belong_to_changes_nothing(
    visitors: Visitors, signed_in: SignedIn
) -> None:
    other = make_visitors()
    client = signed_in(visitors.cal)
    client.post("/organisation/", {"organisation": str(other.ground.organisation.pk)})
    assert client.get("/")["Location"] == "/queue/"


@pytest.mark.parametrize("path", ["/queue/", "/dreams/", "/me/", "/sign-in/"])
def test_pages_stay_out_of_every_cache(visitors: Visitors, signed_in: SignedIn, path: str) -> None:
    response = signed_in(visitors.mira_user).get(path)
    assert response["Cache-Control"] == "no-store"
    assert "HX-Request" in response["Vary"]
