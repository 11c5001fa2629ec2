"""A second step: set up, asked for, used up, lost, taken away, and required of who works here."""

import json
import re
from html import unescape

import pytest
from allauth.mfa.models import Authenticator
from django.contrib.sessions.models import Session
from django.core.cache import cache
from django.test import Client

from accounts.attempts import PAIR_FAILURES
from memoryhub.governance import members
from memoryhub.models import AuditEvent
from memoryhub.tenancy import acting_for
from tests.factories.ground import NOW
from tests.factories.second_factors import SECRET, code_of, give_app, secret_of
from tests.factories.turns import all_of
from tests.factories.visitors import PASSWORD, Visitors, make_visitors
from tests.integration.pages.conftest import SignedIn

STEP = "/sign-in/second-step/"


def send(client: Client, email: str, **more: str):
    return client.post("/sign-in/", {"username": email, "password": PASSWORD, **more})


def setting_up(client: Client) -> tuple[str, str]:
    """The sealed offer of the page, and the secret that it shows."""
    page = client.get("/account/app/").content.decode()
    sealed = unescape(re.search(r'name="sealed" value="([^"]+)"', page)[1])
    return sealed, re.search(r'<dd class="mono anywhere">([A-Z2-7 =]+)</dd>', page)[1].replace(" ", "")


def actions(visitors: Visitors) -> list[str]:
    with all_of(visitors.ground):
        return list(AuditEvent.objects.order_by("seq").values_list("action", flat=True))


def test_an_app_is_set_up_with_a_code_and_asked_for_from_then_on(visitors: Visitors, signed_in: SignedIn) -> None:
    client = signed_in(visitors.cal)
    sealed, secret = setting_up(client)
    wrong = client.post("/account/app/", {"sealed": sealed, "code": "000000"})
    assert wrong.status_code == 422
    assert "That did not match" in wrong.content.decode()
    assert sealed in unescape(wrong.content.decode())  # the same secret: the app need not be set up again
    kept = client.post("/account/app/", {"sealed": sealed, "code": code_of(secret)})
    assert kept.status_code == 201
    codes = re.findall(r"<li>(\d{8})</li>", kept.content.decode())
    assert len(codes) == 10
    assert actions(visitors)[-2:] == ["user.app_add", "user.codes_new"]
    row = json.dumps(list(Authenticator.objects.filter(user=visitors.cal).values_list("data", flat=True)))
    assert secret not in row
    assert secret_of(visitors.cal) == secret
    assert not any(secret in str(session.get_decoded()) for session in Session.objects.all())
    assert "<strong>App with codes</strong>" in client.get("/account/").content.decode()


def test_the_second_step_comes_after_the_password_and_nothing_is_open_before(visitors: Visitors) -> None:
    codes = give_app(visitors.cal)
    client = Client()
    assert send(client, visitors.cal.email, next="/dreams/")["Location"] == STEP
    assert client.get("/queue/").status_code == 302
    assert "Code from your app" in client.get(STEP).content.decode()
    assert client.post(STEP, {"code": "000000"}).status_code == 422
    code = code_of()
    assert client.post(STEP, {"code": f"{code[:3]} {code[3:]}"})["Location"] == "/dreams/"
    assert client.get("/queue/").status_code == 200
    other = Client()
    send(other, visitors.cal.email)
    assert other.post(STEP, {"code": code}).status_code == 422  # a code is good for one time
    assert other.post(STEP, {"code": codes[0]})["Location"] == "/"
    third = Client()
    send(third, visitors.cal.email)
    assert third.post(STEP, {"code": codes[0]}).status_code == 422
    assert third.get("/queue/").status_code == 302


def test_nobody_reaches_the_second_step_without_the_first(visitors: Visitors) -> None:
    give_app(visitors.cal)
    client = Client()
    for answer in (client.get(STEP), client.post(STEP, {"code": code_of()})):
        assert answer["Location"] == "/sign-in/"
    assert client.get("/queue/").status_code == 302


def test_a_session_of_somebody_else_is_gone_by_the_second_step(visitors: Visitors, signed_in: SignedIn) -> None:
    give_app(visitors.cal)
    client = signed_in(visitors.olu)
    client.post("/sign-out/")
    before = client.cookies.get("hub")
    send(client, visitors.cal.email)
    assert client.cookies["hub"].value != (before.value if before else "")
    between = client.cookies["hub"].value
    client.post(STEP, {"code": code_of()})
    assert client.cookies["hub"].value != between


def test_codes_are_counted_for_the_account_from_wherever_they_come(visitors: Visitors) -> None:
    codes = give_app(visitors.cal)
    for number in range(PAIR_FAILURES):
        client = Client(REMOTE_ADDR=f"192.0.2.{number}")
        send(client, visitors.cal.email)
        assert client.post(STEP, {"code": "000000"}).status_code == 422
    client = Client(REMOTE_ADDR="192.0.2.99")
    send(client, visitors.cal.email)
    refused = client.post(STEP, {"code": codes[0]})
    assert (refused.status_code, int(refused["Retry-After"])) == (429, 900)


@pytest.mark.parametrize("credential", ["", "x", "[]", "5", "null", "{}", '{"response": 1}', '{"id": {}, "rawId": []}',
                                        "[" * 5000, '{"response": {"clientDataJSON": "!"}}', "\x00"])  # fmt: skip
def test_what_is_no_passkey_is_refused_in_words(visitors: Visitors, signed_in: SignedIn, credential: str) -> None:
    give_app(visitors.cal)
    client = Client()
    send(client, visitors.cal.email)
    assert client.post(STEP, {"credential": credential}).status_code == 422
    adding = signed_in(visitors.olu)
    adding.get("/account/passkey/")
    assert adding.post("/account/passkey/", {"name": "x", "credential": credential}).status_code == 422


def test_an_offer_is_one_person_s_and_not_to_be_altered(visitors: Visitors, signed_in: SignedIn) -> None:
    sealed, secret = setting_up(signed_in(visitors.cal))
    olu = signed_in(visitors.olu)
    for given in (sealed, sealed[:-8] + "AAAAAAAA", "", "nonsense", SECRET):
        answer = olu.post("/account/app/", {"sealed": given, "code": code_of(secret)})
        assert answer.status_code == 303
    assert not Authenticator.objects.exists()


def test_the_last_factor_takes_the_recovery_codes_along(visitors: Visitors, signed_in: SignedIn) -> None:
    give_app(visitors.cal)
    app = Authenticator.objects.get(type="totp")
    assert signed_in(visitors.olu).post(f"/account/factors/{app.pk}/remove/").status_code == 404
    client = signed_in(visitors.cal)
    assert client.post(f"/account/factors/{app.pk}/remove/").status_code == 303
    assert not Authenticator.objects.exists()
    assert actions(visitors)[-1] == "user.factor_remove"
    assert client.post("/account/codes/").status_code == 422  # they stand in for one, and there is none


def test_new_codes_end_the_old_ones(visitors: Visitors, signed_in: SignedIn) -> None:
    (old, *_) = give_app(visitors.cal)
    client = signed_in(visitors.cal)
    shown = re.findall(r"<li>(\d{8})</li>", client.post("/account/codes/").content.decode())
    assert len(shown) == 10
    assert old not in shown
    late = Client()
    send(late, visitors.cal.email)
    assert late.post(STEP, {"code": old}).status_code == 422
    assert late.post(STEP, {"code": shown[3]})["Location"] == "/"


def test_where_it_is_required_who_has_none_sets_it_up_first(visitors: Visitors, signed_in: SignedIn) -> None:
    operator = signed_in(visitors.olu)
    operator.post("/members/second-factor/", {"second_factor": "required"})
    client = signed_in(visitors.cal)
    for path in ("/queue/", "/", "/members/", "/account/password/"):
        assert client.get(path)["Location"] == "/account/", path
    assert client.get("/queue/", headers={"HX-Request": "true"})["HX-Redirect"] == "/account/"
    assert "asks everybody who works here for a second step" in client.get("/account/").content.decode()
    sealed, secret = setting_up(client)
    assert client.post("/account/app/", {"sealed": sealed, "code": code_of(secret)}).status_code == 201
    assert client.get("/queue/").status_code == 200
    assert signed_in(visitors.mira_user).get("/me/").status_code == 200  # customers are never made to
    other = make_visitors()
    assert signed_in(other.cal).get("/queue/").status_code == 200


def test_an_operator_and_the_machine_take_a_lost_one_away(visitors: Visitors, signed_in: SignedIn) -> None:
    give_app(visitors.cal)
    signed_in(visitors.olu).post(f"/members/{visitors.cal.pk}/second-factor/end/")
    assert send(Client(), visitors.cal.email)["Location"] == "/"
    give_app(visitors.olu)
    members.forget_second_factor(
        organisation=visitors.ground.organisation.slug, email=visitors.olu.email.upper(), now=NOW
    )
    assert send(Client(), visitors.olu.email)["Location"] == "/"
    assert actions(visitors).count("user.factor_remove") == 2


def test_health_says_how_many_sign_in_without_a_second_step(visitors: Visitors, signed_in: SignedIn) -> None:
    client = signed_in(visitors.olu)
    assert "4 people who decide or operate sign in without a second step." in client.get("/health/").content.decode()
    for one in (visitors.cal, visitors.dee, visitors.ada, visitors.olu):
        give_app(one)
    with acting_for(visitors.ground.as_hub, subjects=()):
        assert members.without_second_factor(visitors.ground.organisation.pk) == 0


def test_the_code_that_set_the_app_up_is_used_up_by_it_in_every_process(
    visitors: Visitors, signed_in: SignedIn
) -> None:
    client = signed_in(visitors.cal)
    sealed, secret = setting_up(client)
    code = code_of(secret)
    assert client.post("/account/app/", {"sealed": sealed, "code": code}).status_code == 201
    cache.clear()  # what another process knows, and one that was started anew
    thief = Client()
    send(thief, visitors.cal.email)
    assert thief.post(STEP, {"code": code}).status_code == 422
    assert client.post("/account/app/", {"sealed": sealed, "code": code}).status_code == 422  # nor sets it up again
    assert thief.post(STEP, {"code": code}).status_code == 422
    assert thief.post(STEP, {"code": code_of(secret, later=1)})["Location"] == "/"


@pytest.mark.parametrize("signing_in_first", [True, False])
def test_a_code_is_good_once_for_signing_in_and_for_proof(
    visitors: Visitors, signed_in: SignedIn, signing_in_first: bool
) -> None:
    inside = signed_in(visitors.cal)
    codes = give_app(visitors.cal)
    for good in (code_of(later=1), codes[0]):
        outside = Client()
        send(outside, visitors.cal.email)
        uses = [(outside, STEP, "code"), (inside, "/prove/", "proof_code")]
        first, then = uses if signing_in_first else reversed(uses)
        assert first[0].post(first[1], {first[2]: good}).status_code == 302
        cache.clear()  # what another process knows
        assert then[0].post(then[1], {then[2]: f"{good[:3]} {good[3:]}"}).status_code == 422


def test_an_app_sealed_by_another_hub_is_replaced(visitors: Visitors, signed_in: SignedIn) -> None:
    client = signed_in(visitors.cal)
    sealed, secret = setting_up(client)
    give_app(visitors.cal)
    Authenticator.objects.filter(type="totp").update(data={"secret": "of another hub"})
    assert client.post("/account/app/", {"sealed": sealed, "code": code_of(secret)}).status_code == 303
    assert secret_of(visitors.cal) == secret
