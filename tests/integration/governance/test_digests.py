"""A curator hears what waits: one mail, at their hour or when something is late, with numbers and links alone (R92)."""

from datetime import datetime, time, timedelta
from typing import Any

import pytest
from django.conf import settings
from django.core import mail
from django.utils import timezone

from memoryhub import jobs
from memoryhub.governance import digests, webhooks
from memoryhub.models import Notice, NoticeKind
from memoryhub.tenancy import ALL_SUBJECTS, acting_for
from tests.factories.ground import Ground
from tests.factories.turns import all_of
from tests.factories.visitors import Visitors, conclude, make_visitors, offer_skill
from tests.integration.pages.conftest import SignedIn, signed_in  # noqa: F401

ZONE_HOUR = time(8, 0)  # the organisation counts in UTC


@pytest.fixture
def visitors(db: None) -> Visitors:
    return make_visitors()


@pytest.fixture(autouse=True)
def _mail_is_set_up(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(settings, "DEFAULT_FROM_EMAIL", "hub@memory.example")
    monkeypatch.setattr(settings, "MEMORYHUB_PUBLIC_URL", "https://memory.example")


def morning() -> datetime:
    """Today, before the hour."""
    return timezone.now().replace(hour=7, minute=0, second=0, microsecond=0)


def choose(ground: Ground, *, at: time | None = ZONE_HOUR, when_late: bool = False, who: Any = None) -> None:
    by = who or ground.as_cal
    with acting_for(by, subjects=()):
        digests.choose(by=by, at=at, when_late=when_late, now=morning())


def tick(now: datetime) -> list[mail.EmailMessage]:
    """What a worker does at this moment; the mails that came of it."""
    before = len(mail.outbox)
    digests.seek(now=now)
    while jobs.run_one(now=timezone.now() + timedelta(days=9), kinds=frozenset({"digest"})):
        pass
    return list(mail.outbox[before:])


def test_one_mail_a_day_at_their_hour_with_numbers_and_links(visitors: Visitors) -> None:
    ground = visitors.ground
    for text in ("Mira admires vermilion.", "Mira walks to work.", "Mira plays the cello."):
        conclude(ground, visitors.mira, text, hours_ago=50)
    offer_skill(ground)
    choose(ground)
    assert tick(morning()) == []  # not before the hour
    (sent,) = tick(morning() + timedelta(hours=1, minutes=1))
    assert sent.to == [visitors.cal.email]
    assert sent.from_email == "hub@memory.example"
    assert sent.subject == "Memory Hub: 4 items wait for you"
    assert "3 facts, 1 skill" in sent.body
    assert "https://memory.example/queue/" in sent.body
    assert "The oldest waits for 2 d." in sent.body
    for word in ("vermilion", "cello", "mira", "change-a-booking"):
        assert word not in (sent.subject + sent.body).lower()
    assert tick(morning() + timedelta(hours=5)) == []  # never one for each item
    conclude(ground, visitors.mira, "Mira likes rain.")
    assert tick(morning() + timedelta(hours=6)) == []
    (next_day,) = tick(morning() + timedelta(days=1, hours=1, minutes=1))
    assert next_day.subject.startswith("Memory Hub: 5 items wait for you")


def test_a_clock_that_jumps_writes_once(visitors: Visitors) -> None:
    conclude(visitors.ground, visitors.mira, "Mira walks to work.")
    choose(visitors.ground)
    assert len(tick(morning() + timedelta(days=40, hours=2))) == 1
    assert tick(morning() + timedelta(days=40, hours=3)) == []


def test_where_nothing_waits_nobody_is_written_to(visitors: Visitors) -> None:
    choose(visitors.ground)
    assert tick(morning() + timedelta(hours=2)) == []


def test_what_they_or_their_agent_proposed_does_not_wait_for_them(visitors: Visitors) -> None:
    ground = visitors.ground
    conclude(ground, visitors.mira, "Mira walks to work.")
    choose(ground, who=ground.as_ada)  # who owns the agent
    choose(ground)
    sent = tick(morning() + timedelta(hours=2))
    assert [one.to for one in sent] == [[visitors.cal.email]]


def test_what_is_late_is_told_once_a_day(visitors: Visitors) -> None:
    ground = visitors.ground
    due = conclude(ground, visitors.mira, "Mira walks to work.").place_at
    choose(ground, at=None, when_late=True)
    assert tick(due - timedelta(hours=1)) == []
    (sent,) = tick(due + timedelta(hours=1))
    assert sent.subject.startswith("Memory Hub: 1 item waits for you")
    assert tick(due + timedelta(hours=20)) == []
    assert len(tick(due + timedelta(hours=26))) == 1


def test_it_says_how_much_is_late_and_where(visitors: Visitors) -> None:
    conclude(visitors.ground, visitors.mira, "Mira walks to work.", hours_ago=24 * 9)
    choose(visitors.ground, at=None, when_late=True)
    (sent,) = tick(timezone.now())
    assert sent.subject == "Memory Hub: 1 item waits for you, 1 late"
    assert "https://memory.example/queue/?standing=late" in sent.body


def test_off_unless_mail_is_set_up_and_it_was_chosen(visitors: Visitors, monkeypatch: pytest.MonkeyPatch) -> None:
    conclude(visitors.ground, visitors.mira, "Mira walks to work.", hours_ago=24 * 9)
    assert tick(morning() + timedelta(hours=2)) == []
    choose(visitors.ground, when_late=True)
    monkeypatch.setattr(settings, "DEFAULT_FROM_EMAIL", "")
    assert tick(morning() + timedelta(hours=2)) == []


def test_who_is_no_curator_any_more_is_not_written_to(visitors: Visitors) -> None:
    conclude(visitors.ground, visitors.mira, "Mira walks to work.")
    choose(visitors.ground)
    with all_of(visitors.ground):
        visitors.cal.is_active = False
        visitors.cal.save()
    assert tick(morning() + timedelta(hours=2)) == []


def test_a_webhook_that_wants_it_hears_which_are_late_once_a_day(visitors: Visitors) -> None:
    ground = visitors.ground
    item = conclude(ground, visitors.mira, "Mira walks to work.", hours_ago=24 * 9)
    with acting_for(ground.as_operator, subjects=ALL_SUBJECTS):
        webhooks.add(
            url="https://chat.example/hook", kinds=[NoticeKind.LATE], agent=None, by=ground.as_operator, now=morning()
        )
    for hours in (1, 2, 20):
        tick(morning() + timedelta(hours=hours))
    with all_of(ground):
        (notice,) = Notice.objects.filter(kind="queue.late")
        assert (notice.ids, notice.subject_id) == ([item.pk], None)
    tick(morning() + timedelta(hours=26))
    with all_of(ground):
        assert Notice.objects.filter(kind="queue.late").count() == 2


def test_it_is_chosen_on_the_preferences(visitors: Visitors, signed_in: SignedIn) -> None:  # noqa: F811
    client = signed_in(visitors.cal)
    assert "Mail about the queue" in client.get("/preferences/").content.decode()
    answer = client.post("/preferences/digest/", {"digest_at": "08:00", "digest_late": "on"})
    assert answer.status_code == 303
    page = client.get("/preferences/").content.decode()
    assert 'value="08:00"' in page
    assert 'name="digest_late" checked' in page
    wrong = client.post("/preferences/digest/", {"digest_at": "soon"})
    assert wrong.status_code == 422
    assert "A time such as 08:00" in wrong.content.decode()
    client.post("/preferences/digest/", {})
    assert 'value="08:00"' not in client.get("/preferences/").content.decode()
    assert "Mail about the queue" not in signed_in(visitors.olu).get("/preferences/").content.decode()
    assert signed_in(visitors.olu).post("/preferences/digest/", {}).status_code == 403
