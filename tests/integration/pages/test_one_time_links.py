"""A one-time link that does not work says what to do, and nothing else: why it does not is told nobody (R90, S6)."""

import re
from datetime import timedelta

import pytest
import time_machine
from django.test import Client
from django.utils import timezone

from memoryhub.governance import access, members
from memoryhub.tenancy import ALL_SUBJECTS, Principal, acting_for
from memoryhub.vocabulary import KeyRole
from tests.factories.visitors import Visitors, tell

NEW = "three grey herons by the weir"


def page_link(visitors: Visitors) -> str:
    by = visitors.ground.as_agent
    with acting_for(by, subjects=ALL_SUBJECTS):
        token, _ = access.make_page_link(subject=visitors.mira, by=by, now=timezone.now())
    return f"/me/enter/{token}/"


def password_link(visitors: Visitors) -> str:
    by = Principal(visitors.ground.organisation.pk, "user:x", frozenset({KeyRole.OPERATOR}), user=visitors.olu.pk)
    with acting_for(by, subjects=ALL_SUBJECTS):
        return f"/welcome/{members.new_link(person=visitors.cal, by=by, now=timezone.now())}/"


@pytest.mark.parametrize(
    ("make", "form", "lasts"),
    [(page_link, {}, timedelta(minutes=15)), (password_link, {"password": NEW, "again": NEW}, timedelta(days=3))],
)
def test_used_expired_altered_and_invented_links_look_the_same(visitors: Visitors, make, form, lasts) -> None:
    tell(visitors.ground, visitors.mira, "I live in Lisbon.")
    used, late, good = make(visitors), make(visitors), make(visitors)
    altered = f"{good[:-3]}{'A' if good[-3] != 'A' else 'B'}{good[-2:]}"
    place = good[: good.index("/", 2) + 1] if make is password_link else "/me/enter/"
    answers = [Client().get(path) for path in (altered, f"{place}invented/", f"{place}%00/", f"{place}{'x' * 3000}/")]
    answers += [Client().post(altered, form)]
    assert Client().post(used, form).status_code in (302, 303)
    answers += [Client().get(used), Client().post(used, form)]
    with time_machine.travel(timezone.now() + lasts + timedelta(seconds=2), tick=False):
        answers += [Client().get(late), Client().post(late, form)]
    assert {answer.status_code for answer in answers} == {404}
    pages = {re.sub(r'content="[^"]*"', "", answer.content.decode()) for answer in answers}
    assert len(pages) == 1
    (page,) = pages
    assert "This link does not work any more" in page
    assert re.search(r"Ask whoever (sent it to you|gave it to you) for a new one", page)
    for word in ("mira", "Lisbon", visitors.cal.email, visitors.ground.organisation.name, "Traceback"):
        assert word not in page


def test_a_link_opens_the_page_of_its_subject_whoever_opens_it(visitors: Visitors) -> None:
    """Somebody else's link is no way to one's own page, nor the other way round: one visit, one subject."""
    tell(visitors.ground, visitors.mira, "I live in Lisbon.")
    other = visitors.ground.subject("otto")
    (entry,) = tell(visitors.ground, other, "I live in Porto.")
    client = Client()
    client.force_login(visitors.mira_user)
    by = visitors.ground.as_agent
    with acting_for(by, subjects=ALL_SUBJECTS):
        token, _ = access.make_page_link(subject=other, by=by, now=timezone.now())
    assert client.get(f"/me/memories/{entry.pk}/reads/").status_code == 404
    client.post(f"/me/enter/{token}/")
    page = client.get("/me/").content.decode()
    assert "Porto" in page
    assert "Lisbon" not in page
    assert client.get("/account/").status_code == 403
