"""Webhooks on a page: set up with a secret that is shown once, how they fare, stopped, sent again, removed (R113)."""

from typing import Any

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from accounts.ids import new_id
from memoryhub.governance import notices
from memoryhub.models import AuditEvent, Delivery, Webhook
from tests.factories.turns import all_of
from tests.factories.visitors import Visitors
from tests.integration.pages.conftest import SignedIn

LIST = "/webhooks/"
WANTED = {"url": "https://crm.example/memory", "kinds": ["memory.erased"], "agent": "helper"}


def hooks(visitors: Visitors) -> list[Webhook]:
    with all_of(visitors.ground):
        return list(Webhook.objects.order_by("created_at", "id"))


def tell(visitors: Visitors, many: int = 1) -> None:
    ground = visitors.ground
    with all_of(ground):
        for _ in range(many):
            notices.tell(
                kind="memory.erased", ids=[new_id()], subject=visitors.mira, agents=[ground.agent.pk],
                by=ground.as_hub, now=timezone.now(),
            )  # fmt: skip


def test_one_is_set_up_and_its_secret_shown_once(visitors: Visitors, signed_in: SignedIn) -> None:
    client = signed_in(visitors.olu)
    assert b"No webhook yet" in client.get(LIST).content
    response = client.post(LIST, {**WANTED, "once": "t-1"})
    assert response.status_code == 201
    secret = response.content.decode().split(">whsec_", 1)[1].split("<", 1)[0]
    (hook,) = hooks(visitors)
    assert (hook.url, hook.kinds, hook.agent_id) == (WANTED["url"], ["memory.erased"], visitors.ground.agent.pk)
    for address in (LIST, f"{LIST}{hook.pk}/"):
        page = client.get(address)
        assert page.status_code == 200
        assert secret not in page.content.decode()
        assert "https://crm.example/memory" in page.content.decode()
    assert client.post(LIST, {**WANTED, "once": "t-1"}).status_code == 303  # pressed twice
    assert len(hooks(visitors)) == 1


@pytest.mark.parametrize(
    ("sent", "word"),
    [
        ({**WANTED, "url": ""}, "Give it an address."),
        ({**WANTED, "url": "https://10.0.0.7/"}, "MEMORYHUB_WEBHOOK_HOSTS"),
        ({**WANTED, "url": "https://2130706433/"}, "An address in numbers has four"),
        ({**WANTED, "url": "https://[v1.x]/"}, "IPv6 address"),
        ({**WANTED, "kinds": []}, "Choose what it is told."),
        ({**WANTED, "agent": "nobody"}, "no such agent"),
    ],
)
def test_what_is_wrong_is_said_and_what_was_typed_stays(
    visitors: Visitors, signed_in: SignedIn, sent: dict[str, Any], word: str
) -> None:
    response = signed_in(visitors.olu).post(LIST, sent)
    assert response.status_code == 422
    assert word in response.content.decode()
    assert f'value="{sent["url"]}"' in response.content.decode() or not sent["url"]
    assert hooks(visitors) == []


def test_what_was_given_up_is_shown_and_sent_again(visitors: Visitors, signed_in: SignedIn) -> None:
    client = signed_in(visitors.olu)
    client.post(LIST, WANTED)
    (hook,) = hooks(visitors)
    tell(visitors)
    with all_of(visitors.ground):
        Delivery.objects.update(state="parked", attempts=16, last_error="it answered with status 500")
        Webhook.objects.update(failures=12, last_error="it answered with status 500")
    page = client.get(f"{LIST}{hook.pk}/").content.decode()
    assert "Given up" in page
    assert "it answered with status 500" in page
    assert "16 of 16 tries" in page
    assert "Given up on 1" in client.get(LIST).content.decode()
    assert client.post(f"{LIST}{hook.pk}/resume/").status_code == 303
    with all_of(visitors.ground):
        assert Delivery.objects.get().state == "waiting"


def test_it_is_stopped_renewed_and_removed_each_with_its_audit_row(visitors: Visitors, signed_in: SignedIn) -> None:
    client = signed_in(visitors.olu)
    client.post(LIST, WANTED)
    home = f"{LIST}{hooks(visitors)[0].pk}/"
    assert client.post(f"{home}stop/").status_code == 303
    assert "Stopped" in client.get(home).content.decode()
    assert b"whsec_" in client.post(f"{home}renew/").content
    assert client.get(f"{home}remove/").status_code == 405
    assert client.post(f"{home}remove/").status_code == 303
    assert client.post(f"{home}nothing/").status_code == 404
    assert client.get(home).status_code == 404
    with all_of(visitors.ground):
        done = AuditEvent.objects.filter(object_kind="webhook").order_by("seq").values_list("action", flat=True)
        assert list(done) == ["webhook.add", "webhook.stop", "webhook.renew", "webhook.remove"]


def test_others_than_operators_are_refused(visitors: Visitors, signed_in: SignedIn) -> None:
    for user in (visitors.cal, visitors.mira_user):
        assert signed_in(user).get(LIST).status_code == 403
        assert signed_in(user).post(LIST, WANTED).status_code == 403


def test_more_rows_ask_no_more_of_the_database(visitors: Visitors, signed_in: SignedIn) -> None:
    client = signed_in(visitors.olu)
    client.post(LIST, WANTED)
    counts = []
    for many in (2, 20):
        tell(visitors, many)
        client.post(LIST, {**WANTED, "url": f"https://crm.example/{many}"})
        with CaptureQueriesContext(connection) as list_asked:
            client.get(LIST)
        with CaptureQueriesContext(connection) as item_asked:
            client.get(f"{LIST}{hooks(visitors)[0].pk}/")
        counts.append((len(list_asked), len(item_asked)))
    assert counts[0] == counts[1]
