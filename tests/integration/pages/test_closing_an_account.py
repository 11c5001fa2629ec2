"""An account is closed for good: by whoever signs in with it, or by an operator (R91, docs/adr/0024)."""

from django.test import Client

from accounts.models import Membership, User
from memoryhub.governance import erasure
from memoryhub.models import AuditEvent, Erasure
from tests.factories.ground import NOW
from tests.factories.second_factors import give_app
from tests.factories.turns import all_of
from tests.factories.visitors import PASSWORD, Visitors, join, make_visitors, tell
from tests.integration.pages.conftest import SignedIn
from tests.integration.pages.test_account import sign_in
from tests.integration.pages.test_my_memory import jargon_in, page_of, words_of
from tests.integration.pages.test_step_up import grow_old

CLOSE = "/account/close/"


def signs_in(email: str) -> bool:
    return Client().post("/sign-in/", {"username": email, "password": PASSWORD}).status_code == 302


def roles_of(visitors: Visitors, person: User) -> int:
    with all_of(visitors.ground):
        return Membership.objects.filter(user=person).count()


def closed(visitors: Visitors) -> int:
    with all_of(visitors.ground):
        return AuditEvent.objects.filter(action="user.close").count()


def test_a_customer_closes_their_account_and_nothing_of_it_is_left(visitors: Visitors) -> None:
    person, email = visitors.mira_user, visitors.mira_user.email
    there, here = sign_in(person), sign_in(person)
    give_app(person)
    page = page_of(here, CLOSE)
    assert email in page
    assert "forget everything" in words_of(page)
    assert jargon_in(words_of(page)) == []
    refused = here.post(CLOSE, {"word": "no"})
    assert refused.status_code == 422
    assert "Type the word “close” to go on." in refused.content.decode()
    answer = here.post(CLOSE, {"word": " Close "}, follow=True)
    assert answer.redirect_chain == [("/sign-in/", 303)]
    assert "Your account is closed" in answer.content.decode()
    person.refresh_from_db()
    assert (person.is_active, person.has_usable_password(), email in person.email) == (False, False, False)
    assert [client.get("/me/").status_code for client in (here, there)] == [302, 302]
    assert not signs_in(email)
    assert roles_of(visitors, person) == 0
    assert not person.authenticator_set.exists()
    assert closed(visitors) == 1


def test_it_takes_fresh_proof_and_works_from_the_form_that_asks(visitors: Visitors, signed_in: SignedIn) -> None:
    client = signed_in(visitors.mira_user)
    grow_old(client)
    assert client.get(CLOSE).status_code == 200
    assert client.post(CLOSE, {"word": "close"}).status_code == 401
    assert closed(visitors) == 0
    assert client.post(CLOSE, {"word": "close", "proof_password": PASSWORD}).status_code == 303
    assert closed(visitors) == 1


def test_the_last_operator_stays(visitors: Visitors, signed_in: SignedIn) -> None:
    client = signed_in(visitors.olu)
    answer = client.post(CLOSE, {"word": "close"})
    assert answer.status_code == 422
    assert "make somebody else an operator first" in answer.content.decode()
    same = client.post(f"/members/{visitors.olu.pk}/close/")
    assert same.status_code == 422
    assert "make somebody else an operator first" in same.content.decode()
    assert signs_in(visitors.olu.email)
    join(visitors.ground, visitors.dee, "operator")
    assert client.post(CLOSE, {"word": "close"}).status_code == 303
    assert signed_in(visitors.dee).get("/members/").status_code == 200


def test_the_last_operator_of_another_organisation_stays_as_well(visitors: Visitors, signed_in: SignedIn) -> None:
    other = make_visitors()
    join(other.ground, visitors.mira_user, "operator")
    join(visitors.ground, other.olu, "customer", subject="olu")
    assert signed_in(other.olu).post(CLOSE, {"word": "close"}).status_code == 303  # Mira operates there too
    assert roles_of(other, other.olu) == roles_of(visitors, other.olu) == 0
    answer = signed_in(visitors.mira_user).post(CLOSE, {"word": "close"})
    assert answer.status_code == 422
    assert roles_of(visitors, visitors.mira_user) == roles_of(other, visitors.mira_user) == 1


def test_an_operator_closes_the_account_of_who_belongs_nowhere_else(visitors: Visitors, signed_in: SignedIn) -> None:
    client, email = signed_in(visitors.olu), visitors.mira_user.email
    assert signed_in(visitors.cal).post(f"/members/{visitors.mira_user.pk}/close/").status_code == 403
    other = make_visitors()
    join(other.ground, visitors.cal, "curator")
    refused = client.post(f"/members/{visitors.cal.pk}/close/")
    assert (refused.status_code, "another organisation" in refused.content.decode()) == (422, True)
    assert client.post(f"/members/{other.cal.pk}/close/").status_code == 404
    answer = client.post(f"/members/{visitors.mira_user.pk}/close/", follow=True)
    assert "The account is closed" in answer.content.decode()
    assert email not in client.get("/members/").content.decode()
    assert not signs_in(email)


def test_who_came_by_a_link_has_none_to_close(visitors: Visitors) -> None:
    assert Client().get(CLOSE).status_code == 302


def test_forgetting_everything_tells_that_an_account_stays(visitors: Visitors, signed_in: SignedIn) -> None:
    tell(visitors.ground, visitors.mira, "I prefer tea.")
    client = signed_in(visitors.mira_user)
    assert f'href="{CLOSE}"' in page_of(client, "/me/forget-everything/")
    done = client.post("/me/forget-everything/", {"when": "now", "word": "forget"}).content.decode()
    assert f'href="{CLOSE}"' in done
    assert "The account that you sign in with was not part of it." in words_of(page_of(client, "/me/data/"))
    client.post(CLOSE, {"word": "close"})
    with all_of(visitors.ground):
        receipts = [
            Erasure.objects.get(),
            erasure.erase_subject(subject=visitors.mira, by=visitors.ground.as_hub, now=NOW),
        ]
    told = [[one["what"] for one in erasure.as_json(receipt)["remains"]] for receipt in receipts]  # type: ignore[attr-defined]
    assert [any("account they sign in with" in what for what in one) for one in told] == [True, False]
