"""Notices reach a webhook at least once, signed and in order, whatever the receiver does (R113, S20).

Receivers are real servers on this machine. Time that passes between tries is told, not waited for.
"""

import json
import socket
import uuid
from collections.abc import Iterator
from contextlib import ExitStack
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import Any

import pytest
from django.conf import settings
from django.utils import timezone

from memoryhub import conf, jobs
from memoryhub.errors import Invalid
from memoryhub.governance import delivering, erasure, notices, webhooks
from memoryhub.models import Delivery, DeliveryState, Job, Notice, NoticeKind, Webhook
from memoryhub.providers import addresses
from memoryhub.tenancy import ALL_SUBJECTS, acting_for
from memoryhub.vocabulary import JobState
from tests.factories.ground import NOW, Ground, make_ground
from tests.factories.turns import all_of, post
from tests.receiver import Receiver, broken, dies, hangs, moved, ok, receiving, told

pytestmark = pytest.mark.usefixtures("committed_db")

EVERY = [kind.value for kind in NoticeKind]


@pytest.fixture(autouse=True)
def _local_receivers(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(settings, "MEMORYHUB_WEBHOOK_HOSTS", frozenset({"127.0.0.1"}))
    monkeypatch.setattr(conf, "WEBHOOK_SECONDS", 5.0)


@dataclass
class Post:
    """One organisation with a webhook, and a clock that is moved by hand."""

    ground: Ground
    receiver: Receiver
    now: datetime = field(default_factory=timezone.now)
    secret: str = ""
    hook: uuid.UUID = field(default_factory=uuid.uuid4)

    def set_up(self, *, agent: str | None = None, kinds: list[str] = EVERY) -> None:
        with acting_for(self.ground.as_operator, subjects=ALL_SUBJECTS):
            made = webhooks.add(
                url=self.receiver.url, kinds=kinds, agent=agent, by=self.ground.as_operator, now=self.now
            )
        self.hook, self.secret = made.webhook.pk, made.secret

    def tell(self, *, ids: int = 1, subject: str = "guest", kind: str = "memory.erased") -> list[str]:
        """Something happened; the ids that are told."""
        named = [uuid.uuid4() for _ in range(ids)]
        about = self.ground.subject(subject)
        with all_of(self.ground):
            notices.tell(
                kind=kind, ids=named, subject=about, agents=[self.ground.agent.pk], by=self.ground.as_hub, now=self.now
            )
        return [str(one) for one in named]

    def send(self) -> None:
        """What a worker does at this moment of the clock."""
        delivering.send_due(hook=self.hook, by=self.ground.as_hub, within=timedelta(minutes=5), now=self.now)

    def later(self, **by: int) -> None:
        self.now += timedelta(**by)
        self.send()

    def states(self) -> list[str]:
        with all_of(self.ground):
            rows = Delivery.objects.filter(webhook=self.hook)
            return list(rows.order_by("notice__place").values_list("state", flat=True))

    def look(self) -> Webhook:
        with all_of(self.ground):
            return Webhook.objects.get(pk=self.hook)


@pytest.fixture
def stack() -> Iterator[ExitStack]:
    with ExitStack() as every:
        yield every


def at(stack: ExitStack, *hows: Any, **options: Any) -> Post:
    box = Post(make_ground(), stack.enter_context(receiving(*hows)))
    box.set_up(**options)
    return box


def test_a_worker_delivers_it_signed_and_of_ids_alone(stack: ExitStack) -> None:
    box = at(stack)
    guest = box.ground.subject("guest/7")
    post(box.ground, guest, "What time is it?")
    erasure.erase_subject(subject=guest, by=box.ground.as_operator, now=timezone.now())
    while jobs.run_one(now=timezone.now(), kinds=frozenset({"notify"})):
        pass
    (got,) = box.receiver.got
    with all_of(box.ground):
        notice = Notice.objects.get()
    assert got.headers["webhook-id"] == str(notice.pk)
    assert got.is_signed_with(box.secret)
    assert not got.is_signed_with("whsec_" + "A" * 43 + "=")
    assert abs(int(got.headers["webhook-timestamp"]) - timezone.now().timestamp()) < 120
    assert got.body == {
        "type": "memory.erased",
        "timestamp": notice.created_at.isoformat().replace("+00:00", "Z"),
        "data": {"id": str(notice.pk), "subject": "guest/7", "ids": []},
    }
    assert box.states() == ["delivered"]


def test_no_table_holds_the_secret(stack: ExitStack) -> None:
    box = at(stack)
    with all_of(box.ground):
        row = json.dumps([str(value) for value in Webhook.objects.values_list().get(pk=box.hook)])
    assert box.secret not in row
    assert box.secret.removeprefix("whsec_") not in row


@pytest.mark.parametrize("how", [broken, moved, dies, hangs])
def test_what_a_receiver_did_not_take_is_sent_again(stack: ExitStack, how: Any, monkeypatch: Any) -> None:
    if how is hangs:
        monkeypatch.setattr(conf, "WEBHOOK_SECONDS", 0.4)
    box = at(stack, how, ok)
    ids = box.tell()
    box.send()
    assert box.states() == ["waiting"]
    assert box.look().last_error
    box.later(seconds=5)
    assert len(box.receiver.got) == 1  # it is given time
    monkeypatch.setattr(conf, "WEBHOOK_SECONDS", 5.0)
    box.later(seconds=30)
    assert box.states() == ["delivered"]
    first, second = box.receiver.got
    assert told([first, second]) == ids * 2
    assert first.headers["webhook-id"] == second.headers["webhook-id"]
    assert box.look().failures == 0


def test_a_redirect_is_not_followed(stack: ExitStack) -> None:
    box = at(stack, moved)
    box.tell()
    box.send()
    assert box.look().last_error == "it redirects, which is not followed"
    assert len(box.receiver.got) == 1


def test_killed_between_sending_and_writing_it_down_it_comes_again(stack: ExitStack) -> None:
    box = at(stack)
    ids = box.tell()
    sending = delivering.take(hook=box.hook, by=box.ground.as_hub, now=box.now)
    assert sending is not None
    assert delivering.send(sending) == ("", True)  # and here the process is gone
    box.send()
    assert len(box.receiver.got) == 1  # somebody may still be at it
    box.later(seconds=61)
    assert told(box.receiver.got) == ids * 2
    assert box.states() == ["delivered"]
    delivering.note(sending, hook=box.hook, fault="late", reached=True, by=box.ground.as_hub, now=box.now)
    assert box.states() == ["delivered"]  # whose try it is no longer changes nothing


def test_of_one_subject_all_comes_in_order_and_nobody_waits_for_another_s(stack: ExitStack) -> None:
    box = at(stack, broken, ok)
    first, second = box.tell(subject="a"), box.tell(subject="a")
    other = box.tell(subject="b")
    box.send()
    assert told(box.receiver.got) == first + other  # the first failed, so the second waits behind it
    box.later(seconds=30)
    assert told(box.receiver.got)[2:] == first + second


def test_who_can_t_be_reached_rests_and_is_tried_less_and_less_often(stack: ExitStack) -> None:
    box = at(stack)
    nobody = stack.enter_context(socket.socket())
    nobody.bind(("127.0.0.1", 0))  # a port on which nobody listens
    with all_of(box.ground):
        Webhook.objects.filter(pk=box.hook).update(url=f"http://127.0.0.1:{nobody.getsockname()[1]}/hook")
    for number in range(3):
        box.tell(subject=f"s-{number}")
    box.send()
    with all_of(box.ground):
        tried = Delivery.objects.filter(webhook=box.hook, attempts__gt=0).count()
    assert tried == 1
    pauses = [delivering.pause_after(tries) for tries in range(1, conf.DELIVERY_TRIES)]
    assert pauses == sorted(pauses)
    assert pauses[-1] == conf.DELIVERY_AGAIN_AT_MOST
    assert timedelta(hours=20) < sum(pauses, timedelta()) < conf.NOTICES_KEPT


def test_it_is_given_up_at_last_and_an_operator_sends_it_again(stack: ExitStack) -> None:
    box = at(stack, *[broken] * conf.DELIVERY_TRIES, ok)
    ids, behind = box.tell(subject="a"), box.tell(subject="a")
    box.send()
    for _ in range(conf.DELIVERY_TRIES - 1):
        assert box.states() == ["waiting", "waiting"]
        box.later(hours=6)
    assert box.states() == ["parked", "delivered"]
    assert told(box.receiver.got) == ids * conf.DELIVERY_TRIES + behind
    with acting_for(box.ground.as_operator, subjects=ALL_SUBJECTS):
        (glance,) = webhooks.glances(by=box.ground.as_operator)
        assert (glance.waiting, glance.parked) == (0, 1)
        webhooks.resume(webhook_id=box.hook, by=box.ground.as_operator, now=box.now)
    box.send()
    assert box.states() == ["delivered", "delivered"]


def test_a_stopped_one_is_sent_nothing_and_catches_up_later(stack: ExitStack) -> None:
    box = at(stack)
    with acting_for(box.ground.as_operator, subjects=ALL_SUBJECTS):
        webhooks.stop(webhook_id=box.hook, by=box.ground.as_operator, now=box.now)
    ids = box.tell()
    box.send()
    assert box.receiver.got == []
    with acting_for(box.ground.as_operator, subjects=ALL_SUBJECTS):
        webhooks.resume(webhook_id=box.hook, by=box.ground.as_operator, now=box.now)
    box.send()
    assert told(box.receiver.got) == ids


def test_a_new_secret_signs_from_then_on(stack: ExitStack) -> None:
    box = at(stack)
    with acting_for(box.ground.as_operator, subjects=ALL_SUBJECTS):
        made = webhooks.renew(webhook_id=box.hook, by=box.ground.as_operator, now=box.now)
    box.tell()
    box.send()
    (got,) = box.receiver.got
    assert (got.is_signed_with(made.secret), got.is_signed_with(box.secret)) == (True, False)


def test_only_what_it_asked_for_and_of_its_agent(stack: ExitStack) -> None:
    box = at(stack, agent="helper", kinds=["memory.erased"])
    box.tell(kind="memory.queued")
    with all_of(box.ground):
        notices.tell(
            kind="memory.erased", ids=[uuid.uuid4()], subject=box.ground.subject("x"), agents=[], by=box.ground.as_hub,
            now=box.now,
        )  # fmt: skip
    ids = box.tell()
    box.send()
    assert told(box.receiver.got) == ids


@pytest.mark.parametrize(
    "url",
    [
        "https://10.0.0.7/hook", "https://[::1]/hook", "http://crm.example/hook", "ftp://crm.example/",
        "https://user:word@crm.example/", "https://169.254.169.254/latest/", "https://[::ffff:10.0.0.7]/", "crm.example",
        "https:///hook", "https://crm.example/a b", "https://crm.example:99999/", "https://" + "a" * 600,
    ],
)  # fmt: skip
def test_an_address_that_may_not_be_called_is_refused_at_once(url: str) -> None:
    ground = make_ground()
    with pytest.raises(Invalid) as refusal, acting_for(ground.as_operator, subjects=ALL_SUBJECTS):
        webhooks.add(url=url, kinds=EVERY, agent=None, by=ground.as_operator, now=NOW)
    assert list(refusal.value.errors) == ["url"]


def test_a_name_that_leads_inside_is_called_only_where_it_is_listed(stack: ExitStack, monkeypatch: Any) -> None:
    box = at(stack)
    inner = addresses.ipaddress.ip_address("127.0.0.1")
    monkeypatch.setattr(addresses, "_look_up", lambda *_, **__: [inner])
    with all_of(box.ground):
        Webhook.objects.filter(pk=box.hook).update(url=f"https://crm.example:{box.receiver.port}/hook")
    box.tell()
    box.send()
    assert box.receiver.got == []
    assert "MEMORYHUB_WEBHOOK_HOSTS" in box.look().last_error


def test_a_worker_finds_by_itself_what_is_due_again_and_forgets_what_is_old(stack: ExitStack) -> None:
    box = at(stack, broken, ok)
    box.now = timezone.now() - timedelta(minutes=5)
    box.tell()
    with all_of(box.ground):
        Job.objects.filter(kind="notify").update(state=JobState.PARKED)  # its worker was killed again and again
    delivering.seek(now=timezone.now())
    while jobs.run_one(now=timezone.now(), kinds=frozenset({"notify"})):
        pass
    assert box.states() == ["waiting"]
    delivering.seek(now=timezone.now())
    assert not jobs.run_one(now=timezone.now(), kinds=frozenset({"notify"}))  # not before its time
    delivering.seek(now=timezone.now() + timedelta(days=31))
    with all_of(box.ground):
        assert not Notice.objects.exists()


@pytest.mark.parametrize("number", [30, pytest.param(200, marks=pytest.mark.long)])
def test_every_erasure_reaches_a_flapping_receiver_and_the_feed(
    stack: ExitStack, monkeypatch: Any, number: int
) -> None:
    """S20: delivered at least once, 100 %: it answers, fails, breaks off, redirects and dies in turn."""
    monkeypatch.setattr(conf, "DELIVERY_TRIES", 60)  # five of eight tries fail; nobody is to be given up on
    box = at(stack, *([broken, dies, ok, moved, dies, broken, ok, ok] * 400))
    ground, erased = box.ground, set()
    for guest in (ground.subject(f"guest-{place}") for place in range(number)):
        post(ground, guest, "What time is it?", session=guest.external_id)
        erasure.erase_subject(subject=guest, by=ground.as_operator, now=box.now)
        erased.add(guest.external_id)
        if len(erased) % 20 == 0:
            box.later(seconds=45)
    for _ in range(2 * number):
        if set(box.states()) == {DeliveryState.DELIVERED}:
            break
        box.later(minutes=20)
    assert {one.body["data"]["subject"] for one in box.receiver.got} == erased
    assert box.states() == ["delivered"] * number
    with acting_for(ground.as_agent, subjects=ALL_SUBJECTS):
        feed = list(notices.feed(by=ground.as_agent))
    assert {notice.subject.external_id for notice in feed if notice.subject} == erased
    assert [notice.place for notice in feed] == sorted(notice.place or 0 for notice in feed)
