"""Where one is signed in, ended from elsewhere; a new password; and whose page that is."""

from datetime import timedelta

import pytest
import time_machine
from allauth.usersessions.models import UserSession
from django.test import Client
from django.utils import timezone

from accounts.models import User
from tests.conftest import BEGINS
from tests.factories.visitors import PASSWORD, Visitors
from tests.integration.pages.conftest import SignedIn
from tests.integration.pages.test_my_memory import jargon_in, page_of, words_of

FIREFOX = "Mozilla/5.0 (X11; Linux x86_64; rv:145.0) Gecko/20100101 Firefox/145.0"
NEW = "three grey herons by the weir"


def sign_in(person: User, password: str = PASSWORD, **more: str) -> Client:
    client = Client(**more)
    assert client.post("/sign-in/", {"username": person.email, "password": password}).status_code == 302
    return client


def test_sessions_are_listed_and_ended_one_by_one_and_all_others(visitors: Visitors) -> None:
    here = sign_in(visitors.cal, HTTP_USER_AGENT=FIREFOX, REMOTE_ADDR="192.0.2.7")
    there, elsewhere = sign_in(visitors.cal), sign_in(visitors.cal, HTTP_USER_AGENT="<b>evil</b> Chrome/1")
    stranger = sign_in(visitors.olu)
    page = here.get("/account/").content.decode()
    assert "Firefox on Linux" in page
    assert "from 192.0.2.7" in page
    assert "evil" not in page
    assert page.count("End it<") == 2
    row = UserSession.objects.get(session_key=there.session.session_key)
    assert stranger.post(f"/account/sessions/{row.pk}/end/").status_code == 404
    assert there.get("/queue/").status_code == 200
    assert here.post(f"/account/sessions/{row.pk}/end/").status_code == 303
    assert there.get("/queue/").status_code == 302
    assert here.post(f"/account/sessions/{row.pk}/end/").status_code == 404
    assert here.post("/account/sessions/end-others/").status_code == 303
    assert elsewhere.get("/queue/").status_code == 302
    assert here.get("/queue/").status_code == 200
    assert stranger.get("/dreams/").status_code == 200


def test_a_session_ends_twelve_hours_after_it_began_whatever_is_done_in_it(visitors: Visitors) -> None:
    with time_machine.travel(BEGINS, tick=False) as clock:
        client = sign_in(visitors.cal)
        for hour in (4, 8, 11):
            clock.move_to(BEGINS + timedelta(hours=hour))
            assert client.get("/queue/").status_code == 200
        assert UserSession.objects.get(user=visitors.cal).last_seen_at == BEGINS + timedelta(hours=11)
        clock.move_to(BEGINS + timedelta(hours=12, seconds=1))
        assert client.get("/queue/").status_code == 302


def test_that_somebody_is_there_is_noted_every_few_minutes_and_not_at_every_page(
    visitors: Visitors, django_assert_num_queries
) -> None:
    with time_machine.travel(timezone.now(), tick=False) as clock:
        client = sign_in(visitors.cal)
        begun = timezone.now()
        clock.shift(timedelta(minutes=4))
        client.get("/queue/")
        assert UserSession.objects.get(user=visitors.cal).last_seen_at == begun
        clock.shift(timedelta(minutes=2))
        client.get("/queue/")
        assert UserSession.objects.get(user=visitors.cal).last_seen_at == timezone.now()


def test_a_new_password_ends_every_other_session(visitors: Visitors) -> None:
    here, there = sign_in(visitors.cal), sign_in(visitors.cal)
    answer = here.post("/account/password/", {"old": PASSWORD, "password": NEW, "again": NEW})
    assert answer["Location"] == "/account/"
    assert here.get("/queue/").status_code == 200
    assert here.get("/account/").content.decode().count("This one") == 1
    assert there.get("/queue/").status_code == 302
    sign_in(visitors.cal, NEW)


@pytest.mark.parametrize(
    ("fields", "sentence"),
    [
        ({"old": "wrong"}, "not the password you have now"),
        ({"again": "another"}, "not the same"),
        ({"password": "short", "again": "short"}, "too short"),
        ({"password": "password1234", "again": "password1234"}, "too common"),
        ({"password": "x" * 2000, "again": "x" * 2000}, "at most 1000"),
        ({"old": ""}, "Type the password you have now"),
    ],
)
def test_a_password_that_can_t_be_is_said_in_words(visitors: Visitors, fields: dict[str, str], sentence: str) -> None:
    client = sign_in(visitors.cal)
    answer = client.post("/account/password/", {"old": PASSWORD, "password": NEW, "again": NEW} | fields)
    page = answer.content.decode()
    assert answer.status_code == 422
    assert sentence in page
    assert NEW not in page
    sign_in(visitors.cal)


def test_a_customer_who_signs_in_has_an_account_and_somebody_by_a_link_has_none(
    visitors: Visitors, signed_in: SignedIn
) -> None:
    client = signed_in(visitors.mira_user)
    assert 'href="/account/"' in client.get("/me/").content.decode()
    for path in ("/account/", "/account/password/", "/account/app/", "/account/passkey/", "/prove/"):
        assert jargon_in(words_of(page_of(client, path))) == []
    session = Client()
    store = session.session
    store["link"] = {
        "organisation": str(visitors.ground.organisation.pk), "subject": "mira", "id": "x",
        "until": (timezone.now() + timedelta(hours=1)).isoformat(),
    }  # fmt: skip
    store.save()
    for path in ("/account/", "/account/password/"):
        assert session.get(path).status_code == 403
