"""What one source proposed is one line of the queue that opens, and can be declined as a whole (R15, R92)."""

import re

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from memoryhub.errors import NotFound, NotGranted, Stale
from memoryhub.governance import decisions, review_queue
from memoryhub.governance.proposal import Source
from memoryhub.models import AuditEvent, Entry, ReviewItem
from memoryhub.tenancy import ALL_SUBJECTS, acting_for
from memoryhub.vocabulary import Channel, ReviewState, Role, Status
from tests.factories.visitors import Visitors, conclude, make_visitors, tell
from tests.integration.pages.conftest import SignedIn

SHEET = "data sheet 4 <b>& more</b>"
STATEMENTS = ("The warranty is 2 years.", "The voltage is 230.", "The coating is zinc.")
REASON = {"canned": "Nothing shows that it is true"}


def read(visitors: Visitors, *texts: str, ref: str = SHEET) -> list[ReviewItem]:
    """What the agent passed on of a document about Mira's pump."""
    pump = visitors.ground.subject("pump-7")
    for text in texts or STATEMENTS:
        tell(visitors.ground, pump, text, channel=Channel.DOCUMENT, role=Role.AGENT, source=Source(ref=ref))
    with acting_for(visitors.ground.as_hub, subjects=ALL_SUBJECTS):
        return list(ReviewItem.objects.filter(group_source=ref, state=ReviewState.WAITING).order_by("turn_at"))


def waiting(visitors: Visitors) -> int:
    with acting_for(visitors.ground.as_hub, subjects=ALL_SUBJECTS):
        return ReviewItem.objects.filter(state=ReviewState.WAITING).count()


def decline(client: Client, item: ReviewItem, **sent: str):
    return client.post(f"/queue/groups/{item.group}/reject/", sent)


def test_a_group_is_one_line_and_its_statements_are_under_it(visitors: Visitors, signed_in: SignedIn) -> None:
    items = read(visitors)
    conclude(visitors.ground, visitors.mira, "Mira likes window seats.")
    page = signed_in(visitors.cal).get("/queue/").content.decode()
    assert len(re.findall(r"<details class=\"fold bundle\">", page)) == 1
    assert "3 statements from one source" in page
    assert "data sheet 4 &lt;b&gt;&amp; more&lt;/b&gt;" in page
    for item in items:
        assert f"/queue/{item.pk}/" in page
    assert "Decline all 3" in page
    assert page.index("3 statements") < page.index("window seats")


def test_one_alone_is_a_line_like_any_other(visitors: Visitors, signed_in: SignedIn) -> None:
    read(visitors, STATEMENTS[0])
    page = signed_in(visitors.cal).get("/queue/").content.decode()
    assert STATEMENTS[0] in page
    assert 'class="fold bundle"' not in page


def test_all_of_it_is_declined_with_one_reason(visitors: Visitors, signed_in: SignedIn) -> None:
    (first, *_) = read(visitors)
    response = decline(signed_in(visitors.cal), first, **REASON)
    assert (response.status_code, response["Location"]) == (303, "/queue/")
    assert waiting(visitors) == 0
    with acting_for(visitors.ground.as_hub, subjects=ALL_SUBJECTS):
        assert set(ReviewItem.objects.values_list("state", "decided_reason")) == {("rejected", REASON["canned"])}
        assert set(Entry.objects.values_list("status", flat=True)) == {Status.REJECTED}
        assert AuditEvent.objects.filter(action="queue.reject").count() == 3
    assert read(visitors) == [], "what was declined does not come back"


def test_a_reason_is_needed_and_the_line_stays_open_to_give_it(visitors: Visitors, signed_in: SignedIn) -> None:
    (first, *_) = read(visitors)
    conclude(visitors.ground, visitors.mira, "Mira likes window seats.")
    response = decline(signed_in(visitors.cal), first)
    page = response.content.decode()
    assert response.status_code == 422
    assert "Choose a reason" in page
    assert '<details class="fold bundle" open>' in page
    assert waiting(visitors) == 4


def test_what_came_meanwhile_is_not_declined_unseen(visitors: Visitors, signed_in: SignedIn) -> None:
    (first, *_) = read(visitors)
    client = signed_in(visitors.cal)
    (etag,) = re.findall(r'name="etag" value="(\w+)"', client.get("/queue/").content.decode())
    read(visitors, "The supplier is Juniper.")
    response = decline(client, first, etag=etag, **REASON)
    assert response.status_code == 412
    assert "Nothing was declined" in response.content.decode()
    assert waiting(visitors) == 4


def test_nobody_declines_what_their_own_agent_read(visitors: Visitors, signed_in: SignedIn) -> None:
    (first, *_) = read(visitors)
    client = signed_in(visitors.ada)
    page = client.get("/queue/").content.decode()
    assert "somebody else has to decide" in page
    assert "Decline all" not in page
    assert decline(client, first, **REASON).status_code == 403
    assert waiting(visitors) == 3


def test_operators_look_and_decline_nothing(visitors: Visitors, signed_in: SignedIn) -> None:
    (first, *_) = read(visitors)
    client = signed_in(visitors.olu)
    assert "Decline all" not in client.get("/queue/").content.decode()
    assert decline(client, first, **REASON).status_code == 403


def test_another_organisation_s_group_is_not_there(visitors: Visitors, signed_in: SignedIn) -> None:
    (first, *_) = read(visitors)
    assert decline(signed_in(make_visitors().cal), first, **REASON).status_code == 404
    assert waiting(visitors) == 3


def test_it_is_all_or_nothing(visitors: Visitors) -> None:
    """One of them was proposed by the curator as well: then none is declined."""
    (first, second, _) = read(visitors)
    by, now = visitors.ground.as_cal, timezone.now()
    with acting_for(by, subjects=ALL_SUBJECTS):
        assert second.entry is not None
        review_queue.propose_again(second.entry, by=by)
        visitors.ground.vouch("memory.noop", "entry", second.entry.pk)
        with pytest.raises(NotGranted):
            decisions.reject_group(group=first.group, reason="no", by=by, now=now)
        assert ReviewItem.objects.filter(state=ReviewState.WAITING).count() == 3
        with pytest.raises(Stale):
            decisions.reject_group(group=first.group, reason="no", by=by, now=now, etag="seen before")
        with pytest.raises(NotFound):
            decisions.reject_group(group=second.pk, reason="no", by=by, now=now)


def test_the_address_can_name_one_group(visitors: Visitors, signed_in: SignedIn) -> None:
    (first, *_) = read(visitors)
    conclude(visitors.ground, visitors.mira, "Mira likes window seats.")
    client = signed_in(visitors.cal)
    page = client.get(f"/queue/?group={first.group}").content.decode()
    assert "3 statements from one source" in page
    assert "window seats" not in page
    assert "window seats" in client.get("/queue/?group=nonsense").content.decode()


def test_queries_do_not_grow_with_the_groups(visitors: Visitors, signed_in: SignedIn) -> None:
    client = signed_in(visitors.cal)

    def queries() -> int:
        with CaptureQueriesContext(connection) as captured:
            assert client.get("/queue/").status_code == 200
        return len(captured)

    read(visitors)
    few = queries()
    for number in range(4):
        read(visitors, f"The torque is {number + 40}.", f"The thread is M{number + 4}.", ref=f"sheet {number}")
    assert queries() == few
