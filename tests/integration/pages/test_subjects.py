"""Subjects on pages: who is known, one of them at a glance, and what an operator does on their behalf."""

import json
import re
from typing import Any
from urllib.parse import urlencode

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from memoryhub.governance.subjects import describe
from memoryhub.models import AuditEvent, Entry, Erasure, Recall, Subject
from memoryhub.recall import read_log
from memoryhub.tenancy import ALL_SUBJECTS, acting_for
from memoryhub.vocabulary import Channel, Role
from tests.factories.turns import night, post
from tests.factories.visitors import Visitors, ask, conclude, make_visitors, tell
from tests.integration.pages.conftest import SignedIn

VERBS = ("pause", "page-link", "export", "erase")


def text(client: Client, path: str, status: int = 200) -> str:
    response = client.get(path)
    assert response.status_code == status
    return response.content.decode()


def act(client: Client, subject: Subject, verb: str, **data: str) -> Any:
    return client.post(f"/subjects/{subject.pk}/{verb}/", data)


def now_in(visitors: Visitors, subject: Subject) -> Subject:
    with acting_for(visitors.ground.as_hub, subjects=ALL_SUBJECTS):
        return Subject.objects.get(pk=subject.pk)


def audited(visitors: Visitors, action: str) -> list[str]:
    with acting_for(visitors.ground.as_hub, subjects=ALL_SUBJECTS):
        organisation = visitors.ground.organisation.pk
        rows = AuditEvent.objects.filter(organisation_id=organisation, action=action)
        return list(rows.values_list("actor", flat=True))


@pytest.fixture
def curator(visitors: Visitors, signed_in: SignedIn) -> Client:
    return signed_in(visitors.cal)


@pytest.fixture
def operator(visitors: Visitors, signed_in: SignedIn) -> Client:
    return signed_in(visitors.olu)


def test_the_list_says_how_much_is_known_and_is_searched(visitors: Visitors, curator: Client) -> None:
    ground = visitors.ground
    tell(ground, visitors.mira, "I moved to Lisbon")
    conclude(ground, visitors.mira, "Mira likes window seats.")
    ground.subject("pier-3", "site")
    with acting_for(ground.as_hub, subjects=ALL_SUBJECTS):
        describe(external_id="noor", display_name="Noor Aziz", account="aziz", by=ground.as_hub, now=timezone.now())
    page = text(curator, "/subjects/")
    for words in ("mira", "1 in use, 1 waiting", "pier-3", "Noor Aziz", "Of aziz", "0 in use"):
        assert words in page
    for query, found in (
        ({"q": "aziz"}, (False, False, True)), ({"q": "PIER"}, (False, True, False)),
        ({"kind": "site"}, (False, True, False)), ({"state": "paused"}, (False, False, False)),
        ({"q": "nobody at all"}, (False, False, False)), ({"kind": "nonsense"}, (True, True, True)),
    ):  # fmt: skip
        page = text(curator, f"/subjects/?{urlencode(query)}").split("<main")[1]
        assert tuple(f">{words}</a>" in page for words in ("mira", "pier-3", "Noor Aziz")) == found
    for typed in ("\x00", "<script>alert(1)</script>", "%", "9" * 400):
        page = text(curator, f"/subjects/?{urlencode({'q': typed, 'kind': typed, 'state': typed})}")
        assert "<script>alert" not in page
    assert curator.get("/subjects/?after=nonsense").status_code == 422


def test_an_operator_sees_what_is_known_and_what_goes_on(visitors: Visitors, operator: Client) -> None:
    ground, mira = visitors.ground, visitors.mira
    with acting_for(ground.as_hub, subjects=ALL_SUBJECTS):
        now = timezone.now()
        describe(external_id="pier", kind="project", members=["mira"], by=ground.as_hub, now=now)
        describe(external_id="mira", account="the-millers", by=ground.as_hub, now=now)
    tell(ground, mira, "I moved to Lisbon")
    conclude(ground, mira, "Mira likes window seats.")
    post(ground, mira, "Is the bus late?", session="s-old")
    night(ground)
    post(ground, mira, "And the next one?", session="s-new", state={"route": "<b>14</b>"})
    recalled = ask(visitors)
    page = text(operator, f"/subjects/{mira.pk}/")
    for words in (
        "1 in use", "1 waiting for a person", "I moved to Lisbon", "s-old", "s-new", "route", "&lt;b&gt;14&lt;/b&gt;",
        "the-millers", "pier", f"/recalls/{recalled.recall_id}/", "Turns a dream has not read</dt><dd>1<",
        f"/memories/?subject={mira.external_id}&amp;kind=semantic&amp;status=accepted",
    ):  # fmt: skip
        assert words in page
    project = text(operator, f"/subjects/{now_of(visitors, 'pier').pk}/")
    assert f'href="/subjects/{mira.pk}/"' in project
    assert f'href="/subjects/{mira.pk}/"' in text(operator, f"/subjects/{now_of(visitors, 'the-millers').pk}/")


def now_of(visitors: Visitors, external_id: str) -> Subject:
    with acting_for(visitors.ground.as_hub, subjects=ALL_SUBJECTS):
        return Subject.objects.get(organisation=visitors.ground.organisation, external_id=external_id)


def test_a_curator_sees_no_working_memory_and_no_way_to_act(visitors: Visitors, curator: Client) -> None:
    post(visitors.ground, visitors.mira, "Is the bus late?", session="s-new", state={"route": "14"})
    page = text(curator, f"/subjects/{visitors.mira.pk}/")
    for words in ("s-new", "Conversations that go on", "Turns a dream has not read", "What you can do"):
        assert words not in page
    for verb in VERBS:
        assert act(curator, visitors.mira, verb, paused="yes", typed="mira").status_code == 403
    assert now_in(visitors, visitors.mira).paused_at is None


def test_customers_and_strangers_see_nothing(visitors: Visitors, signed_in: SignedIn) -> None:
    customer, others = signed_in(visitors.mira_user), make_visitors()
    stranger, path = signed_in(others.olu), f"/subjects/{visitors.mira.pk}/"
    for closed in ("/subjects/", path):
        assert customer.get(closed).status_code == 403
        assert Client().get(closed).status_code == 302
    assert stranger.get(path).status_code == 404
    assert f'href="{path}"' not in text(stranger, "/subjects/")
    for verb in VERBS:
        assert act(stranger, visitors.mira, verb, paused="yes", typed="mira").status_code == 404
        assert act(customer, visitors.mira, verb, paused="yes", typed="mira").status_code == 403


def test_writing_is_never_a_link(visitors: Visitors, operator: Client) -> None:
    strict = Client(enforce_csrf_checks=True)
    strict.force_login(visitors.olu)
    for verb in VERBS:
        assert operator.get(f"/subjects/{visitors.mira.pk}/{verb}/").status_code == (200 if verb == "erase" else 405)
        assert strict.post(f"/subjects/{visitors.mira.pk}/{verb}/", {}).status_code == 403


@pytest.mark.parametrize("use", ["yes", "no"])
def test_remembering_is_paused_and_goes_on(visitors: Visitors, operator: Client, use: str) -> None:
    mira = visitors.mira
    response = act(operator, mira, "pause", paused="yes", use_existing=use)
    assert (response.status_code, response["Location"]) == (303, f"/subjects/{mira.pk}/")
    paused = now_in(visitors, mira)
    assert (paused.paused_at is not None, paused.use_existing) == (True, use == "yes")
    page = text(operator, f"/subjects/{mira.pk}/")
    assert ("what is known is still used" in page) == (use == "yes")
    assert ">mira</a>" in text(operator, "/subjects/?state=paused")
    act(operator, mira, "pause", paused="no")
    assert now_in(visitors, mira).paused_at is None
    assert audited(visitors, "subject.pause") == audited(visitors, "subject.resume") == [f"user:{visitors.olu.pk}"]
    wrong = act(operator, mira, "pause", paused="perhaps")
    assert (wrong.status_code, "Nothing was changed." in wrong.content.decode()) == (422, True)


def test_a_link_to_their_page_is_shown_once_and_opens_it(visitors: Visitors, operator: Client) -> None:
    response = act(operator, visitors.mira, "page-link")
    page = response.content.decode()
    (url,) = re.findall(r'value="http://testserver(/me/enter/[^"]+)"', page)
    assert (response.status_code, response["Cache-Control"]) == (201, "no-store")
    assert audited(visitors, "page_link.make") == [f"user:{visitors.olu.pk}"]
    assert url not in text(operator, f"/subjects/{visitors.mira.pk}/")
    person = Client()
    assert person.post(url).status_code == 302
    assert person.get("/me/").status_code == 200
    assert Client().post(url).status_code == 404
    site = visitors.ground.subject("pier-3", "site")
    refused = act(operator, site, "page-link")
    assert (refused.status_code, "Only a person has a page" in refused.content.decode()) == (422, True)


def test_everything_is_downloaded_and_that_is_audited(visitors: Visitors, operator: Client) -> None:
    tell(visitors.ground, visitors.mira, "I moved to Lisbon")
    response = act(operator, visitors.mira, "export")
    everything = json.loads(response.content)
    assert [entry["text"] for entry in everything["entries"]] == ["I moved to Lisbon"]
    assert response["Content-Disposition"].startswith("attachment")
    assert audited(visitors, "subject.export") == [f"user:{visitors.olu.pk}"]


def test_erasing_everything_names_what_goes_and_asks_for_the_id(visitors: Visitors, operator: Client) -> None:
    mira = visitors.mira
    tell(visitors.ground, mira, "I moved to Lisbon")
    conclude(visitors.ground, mira, "Mira likes window seats.")
    page = text(operator, f"/subjects/{mira.pk}/erase/")
    for words in ("Erase everything about mira?", "2 things remembered", "1 thing that waited"):
        assert words in page
    for typed in ("", "yes", "mir"):
        wrong = act(operator, mira, "erase", typed=typed)
        assert (wrong.status_code, "Nothing was erased." in wrong.content.decode()) == (422, True)
    done = act(operator, mira, "erase", typed=" mira ")
    with acting_for(visitors.ground.as_hub, subjects=ALL_SUBJECTS):
        receipt = Erasure.objects.get(target=mira.pk)
        assert not Entry.objects.filter(subject=mira).exists()
    assert done.status_code == 200
    assert (str(receipt.pk) in done.content.decode(), "nothing is left" in done.content.decode()) == (True, True)
    assert "Nothing is kept." in text(operator, f"/subjects/{mira.pk}/")


def test_hostile_names_ids_and_words_stay_words(visitors: Visitors, operator: Client) -> None:
    ground = visitors.ground
    name = "<img src=x onerror=alert(1)>"
    with acting_for(ground.as_hub, subjects=ALL_SUBJECTS):
        now = timezone.now()
        subject, _ = describe(
            external_id=f"{name}/1?a=b&c", display_name=f"{name} \u202eflip", by=ground.as_hub, now=now
        )
        describe(
            external_id="p", kind="project", display_name=name, members=[subject.external_id], by=ground.as_hub, now=now
        )
    tell(
        ground,
        subject,
        f"{name} \u200bjumps",
        channel=Channel.CURATOR,
        role=Role.CURATOR,
        by=ground.as_dee,
        session_ref="<i>s</i>",
    )
    post(ground, subject, f"{name} is late", session="<i>s</i>", state={"<i>k</i>": ["<i>v</i>", "\u202e"]})
    for path in ("/subjects/", f"/subjects/{subject.pk}/", f"/subjects/{subject.pk}/erase/"):
        page = text(operator, path)
        for active in ("<img src=x", "<i>", "\u202e", "\u200b"):
            assert active not in page
    page = text(operator, f"/subjects/{subject.pk}/")
    (address,) = set(re.findall(r'href="(/memories/\?subject=[^"&]+)"', page))
    assert "jumps" in text(operator, address)
    assert act(operator, subject, "page-link").status_code == 201


def test_words_that_are_shown_are_a_read(visitors: Visitors, curator: Client) -> None:
    text(curator, f"/subjects/{visitors.mira.pk}/")  # nothing to read yet
    (entry,) = tell(visitors.ground, visitors.mira, "I moved to Lisbon")
    text(curator, f"/subjects/{visitors.mira.pk}/")
    with acting_for(visitors.ground.as_hub, subjects=ALL_SUBJECTS):
        (read,) = Recall.objects.filter(purpose=read_log.PAGE)
    assert (read.user_id, [one["id"] for one in read.items]) == (visitors.cal.pk, [str(entry.pk)])


def test_more_of_everything_costs_no_more_queries(visitors: Visitors, operator: Client) -> None:
    ground, mira = visitors.ground, visitors.mira

    def grow(times: int, start: int) -> None:
        for number in range(start, start + times):
            ground.subject(f"guest-{number}")
            tell(ground, mira, f"I prefer the number {number} bus", hours_ago=99 - number)
            post(ground, mira, "Is the bus late?", session=f"s-{number}")
            ask(visitors)
            with acting_for(ground.as_hub, subjects=ALL_SUBJECTS):
                describe(
                    external_id=f"p-{number}", kind="project", members=["mira"], by=ground.as_hub, now=timezone.now()
                )

    def queries(path: str) -> int:
        with CaptureQueriesContext(connection) as caught:
            text(operator, path)
        return len(caught)

    paths = ("/subjects/", f"/subjects/{mira.pk}/")
    grow(2, 0)
    few = [queries(path) for path in paths]
    grow(6, 2)
    assert [queries(path) for path in paths] == few
