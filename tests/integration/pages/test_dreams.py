"""Dreams on a page: who may look and start, live progress that ends, and a report that leads on."""

from datetime import timedelta

import pytest
from django.db import connection
from django.db.models import CharField, Value
from django.db.models.functions import Cast, Concat
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from memoryhub import conf
from memoryhub.models import Dream, DreamOperation, Entry, Event, Session, Skill
from memoryhub.tenancy import ALL_SUBJECTS, acting_for
from memoryhub.vocabulary import DreamStatus
from tests.factories.turns import all_of, night, post, refused_in
from tests.factories.visitors import Visitors, make_visitors
from tests.integration.pages.conftest import SignedIn

HTMX = {"HX-Request": "true"}


def text(client: Client, path: str) -> str:
    response = client.get(path)
    assert response.status_code == 200
    return response.content.decode()


@pytest.fixture
def dreamt(visitors: Visitors) -> Dream:
    refused_in(visitors.ground, "a", "b", "c")
    post(visitors.ground, visitors.mira, "I live in Lisbon.", session="d")
    return night(visitors.ground)


def test_an_operator_sees_what_waits_and_starts_a_dream(visitors: Visitors, signed_in: SignedIn) -> None:
    post(visitors.ground, visitors.mira, "I live in Lisbon.", session="a")
    client = signed_in(visitors.olu)
    page = text(client, "/dreams/")
    assert "Dream now" in page
    (inbox,) = client.get("/dreams/").context["inbox"]
    assert (inbox.name, inbox.events, inbox.sessions, inbox.set_aside) == ("Helper", 1, 1, 0)
    response = client.post("/dreams/")
    assert response.status_code == 303
    with acting_for(visitors.ground.as_hub, subjects=ALL_SUBJECTS):
        dream = Dream.objects.get(organisation=visitors.ground.organisation)
    assert response["Location"] == f"/dreams/{dream.pk}/"
    assert dream.status == DreamStatus.QUEUED


def test_a_curator_looks_and_does_not_start_one(visitors: Visitors, signed_in: SignedIn) -> None:
    client = signed_in(visitors.cal)
    assert "Dream now" not in text(client, "/dreams/")
    assert client.post("/dreams/").status_code == 403


def test_a_customer_sees_no_dreams(visitors: Visitors, signed_in: SignedIn, dreamt: Dream) -> None:
    client = signed_in(visitors.mira_user)
    for path in ("/dreams/", f"/dreams/{dreamt.pk}/"):
        assert client.get(path).status_code == 403


def test_progress_asks_again_until_it_is_done(visitors: Visitors, signed_in: SignedIn) -> None:
    refused_in(visitors.ground, "a", "b", "c")
    client = signed_in(visitors.olu)
    path = client.post("/dreams/")["Location"]
    page = text(client, path)
    assert 'hx-trigger="every 2s"' in page
    assert "Refresh it yourself" in page
    part = client.get(f"{path}?following=yes", headers=HTMX)
    assert part.status_code == 200
    assert "<html" not in part.content.decode()
    with acting_for(visitors.ground.as_hub, subjects=ALL_SUBJECTS):
        Dream.objects.filter(organisation=visitors.ground.organisation).update(status=DreamStatus.DONE)
    assert 'id="run-place"' in part.content.decode()
    last = client.get(f"{path}?following=yes", headers=HTMX)
    assert 'id="run-place"' in last.content.decode(), "who is at the link then goes on at the heading"
    assert last.status_code == 286
    assert "hx-trigger" not in last.content.decode()


def test_progress_is_asked_for_ever_less_often(visitors: Visitors, signed_in: SignedIn) -> None:
    client = signed_in(visitors.olu)
    path = client.post("/dreams/")["Location"]
    for minutes, seconds in ((1, 5), (5, 15), (60, 30)):
        with all_of(visitors.ground):
            Dream.objects.update(created_at=timezone.now() - timedelta(minutes=minutes))
        assert f'hx-trigger="every {seconds}s"' in text(client, path)


def test_what_was_decided_since_no_longer_waits_in_the_report(
    visitors: Visitors, signed_in: SignedIn, dreamt: Dream
) -> None:
    client = signed_in(visitors.cal)
    assert "1 still waits" in text(client, f"/dreams/{dreamt.pk}/")
    with all_of(visitors.ground):
        item = Skill.objects.get(agent=visitors.ground.agent).review_items.get()
    assert client.post(f"/queue/{item.pk}/approve/").status_code == 303
    page = text(client, f"/dreams/{dreamt.pk}/?store=procedural")
    assert "all decided" in page
    assert ">Waiting<" not in page
    assert f'href="/skills/{item.skill_id}/"' in page
    assert ">Active<" in page


def test_the_report_is_read_a_screen_at_a_time_and_by_conversation(
    visitors: Visitors, signed_in: SignedIn, dreamt: Dream
) -> None:
    with all_of(visitors.ground):
        one = DreamOperation.objects.filter(dream=dreamt, entry__isnull=False).first()
        assert one is not None
        for _ in range(30):
            DreamOperation.objects.create(
                organisation=visitors.ground.organisation, dream=dreamt, subject=one.subject, store=one.store, op=one.op,
                reason=one.reason, entry=one.entry, session_ref="z",
            )  # fmt: skip
    client = signed_in(visitors.cal)
    first = client.get(f"/dreams/{dreamt.pk}/")
    assert len(first.context["operations"]) == 25
    rest = client.get(f"/dreams/{dreamt.pk}/?after={first.context['after']}")
    assert rest.context["operations"]
    of_one = client.get(f"/dreams/{dreamt.pk}/?session=a").context["operations"]
    assert {found.session_ref for found, _ in of_one} == {"a"}
    assert client.get(f"/dreams/{dreamt.pk}/?session=%00").status_code == 200


def test_hostile_words_in_a_report_are_shown_and_do_nothing(
    visitors: Visitors, signed_in: SignedIn, dreamt: Dream
) -> None:
    hostile = "<script>alert(1)</script>\u202eevil"
    with all_of(visitors.ground):
        DreamOperation.objects.filter(dream=dreamt).update(session_ref=hostile)
        Session.objects.update(
            dream_failures=conf.SESSION_TRIES, dream_failed_at=timezone.now(), dream_error="<i>\u202e",
            external_id=Concat(Value(hostile), Cast("pk", CharField())),
        )  # fmt: skip
        Event.objects.update(consolidated_at=None)
    client = signed_in(visitors.olu)
    for page in (text(client, f"/dreams/{dreamt.pk}/"), text(client, "/dreams/")):
        assert "<script>alert" not in page
        assert "<i>" not in page
        assert "U+202E" in page


def test_the_report_leads_to_the_memories_the_skill_and_the_decision(
    visitors: Visitors, signed_in: SignedIn, dreamt: Dream
) -> None:
    client = signed_in(visitors.cal)
    page = text(client, f"/dreams/{dreamt.pk}/")
    with acting_for(visitors.ground.as_hub, subjects=ALL_SUBJECTS):
        skill = Skill.objects.get(agent=visitors.ground.agent)
        entries = list(Entry.objects.filter(organisation=visitors.ground.organisation))
        item = skill.review_items.get()
    assert f'href="/queue/{item.pk}/">{skill.name}</a>, from 3 sessions' in page
    for path in [f"/skills/{skill.pk}/", *(f"/memories/{entry.pk}/" for entry in entries)]:
        assert f'href="{path}"' in page
        text(client, path)
    assert "from 3 sessions" in page


def test_the_report_can_be_narrowed_to_one_kind_and_outcome(
    visitors: Visitors, signed_in: SignedIn, dreamt: Dream
) -> None:
    client = signed_in(visitors.cal)
    response = client.get(f"/dreams/{dreamt.pk}/?store=procedural&op=QUEUED")
    assert [one.skill is not None for one, _ in response.context["operations"]] == [True]
    assert len(client.get(f"/dreams/{dreamt.pk}/?store=x&op=%00").context["operations"]) > 1
    assert client.get(f"/dreams/{dreamt.pk}/?after=x").status_code == 404


def test_a_failed_dream_says_so_and_that_nothing_is_lost(
    visitors: Visitors, signed_in: SignedIn, dreamt: Dream
) -> None:
    with acting_for(visitors.ground.as_hub, subjects=ALL_SUBJECTS):
        Dream.objects.filter(pk=dreamt.pk).update(status=DreamStatus.FAILED, failure="OperationalError")
    assert "nothing is lost or doubled" in text(signed_in(visitors.olu), f"/dreams/{dreamt.pk}/")


def test_the_number_of_queries_does_not_grow_with_the_report(
    visitors: Visitors, signed_in: SignedIn, dreamt: Dream
) -> None:
    client = signed_in(visitors.cal)
    with CaptureQueriesContext(connection) as few:
        client.get(f"/dreams/{dreamt.pk}/")
    with acting_for(visitors.ground.as_hub, subjects=ALL_SUBJECTS):
        one = DreamOperation.objects.filter(dream=dreamt, entry__isnull=False).first()
        assert one is not None
        for _ in range(20):
            DreamOperation.objects.create(
                organisation=visitors.ground.organisation, dream=dreamt, subject=one.subject, store=one.store, op=one.op,
                reason=one.reason, entry=one.entry,
            )  # fmt: skip
    with CaptureQueriesContext(connection) as many:
        client.get(f"/dreams/{dreamt.pk}/")
    assert len(many) == len(few)


def test_dreams_memories_and_skills_of_others_are_not_there(
    visitors: Visitors, signed_in: SignedIn, dreamt: Dream
) -> None:
    with acting_for(visitors.ground.as_hub, subjects=ALL_SUBJECTS):
        skill = Skill.objects.get(agent=visitors.ground.agent)
        entry = Entry.objects.filter(organisation=visitors.ground.organisation).first()
    assert entry is not None
    client = signed_in(make_visitors().cal)
    for path in (f"/dreams/{dreamt.pk}/", f"/skills/{skill.pk}/", f"/memories/{entry.pk}/"):
        assert client.get(path).status_code == 404
