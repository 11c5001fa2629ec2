"""Many items in one go: what would be decided and what not, then all of it or nothing, and back (R92)."""

import re

import pytest
from django.test import Client
from django.utils import timezone

from memoryhub.governance import decisions
from memoryhub.models import ReviewItem
from memoryhub.tenancy import ALL_SUBJECTS, acting_for
from memoryhub.vocabulary import ReviewState
from tests.factories.visitors import Visitors, conclude, make_visitors, offer_skill
from tests.integration.pages.conftest import SignedIn


def three(visitors: Visitors) -> list[ReviewItem]:
    guests = [visitors.ground.subject(f"guest-{number}") for number in range(3)]
    return [
        conclude(visitors.ground, guest, f"A guest wants room {number}.")
        for number, guest in enumerate(guests, start=5)
    ]


def preview(client: Client, items: list[ReviewItem], verb: str, query: str = ""):
    return client.post(f"/queue/bulk/{query}", {"ids": [str(item.pk) for item in items], "verb": verb})


def etag_in(response) -> str:
    found = re.search(r'name="etag" value="([^"]+)"', response.content.decode())
    assert found is not None
    return found.group(1)


def decide(client: Client, items: list[ReviewItem], verb: str, **sent: str):
    return client.post("/queue/bulk/decide/", {"ids": [str(item.pk) for item in items], "verb": verb, **sent})


def states(visitors: Visitors) -> set[str]:
    with acting_for(visitors.ground.as_hub, subjects=ALL_SUBJECTS):
        return set(ReviewItem.objects.values_list("state", flat=True))


def test_a_preview_counts_what_would_be_decided_and_decides_nothing(visitors: Visitors, signed_in: SignedIn) -> None:
    items = three(visitors)
    page = preview(signed_in(visitors.cal), items, "approve").content.decode()
    assert "Approve: 3 items?" in page
    assert all(f"room {number}" in page for number in (5, 6, 7))
    assert states(visitors) == {ReviewState.WAITING}


def test_what_can_t_be_decided_at_once_is_named_with_its_reason(visitors: Visitors, signed_in: SignedIn) -> None:
    items = [*three(visitors), offer_skill(visitors.ground)]
    page = preview(signed_in(visitors.cal), items, "approve").content.decode()
    assert "Approve: 3 items?" in page
    assert "1 of the selected is left out" in page
    assert "a yes to it is said on its own page" in page


@pytest.mark.parametrize(
    ("verb", "sent", "becomes"),
    [("approve", {}, ReviewState.APPROVED), ("reject", {"canned": "It is not true"}, ReviewState.REJECTED)],
)
def test_all_are_decided_listed_and_taken_back_together(
    visitors: Visitors, signed_in: SignedIn, verb: str, sent: dict[str, str], becomes: str
) -> None:
    items, client = three(visitors), signed_in(visitors.cal)
    etag = etag_in(preview(client, items, verb))
    answer = decide(client, items, verb, etag=etag, **sent)
    assert answer.status_code == 303
    assert states(visitors) == {becomes}
    page = client.get(answer["Location"]).content.decode()
    assert "3 decided at once" in page
    assert all(f"room {number}" in page for number in (5, 6, 7))
    back = client.post(answer["Location"] + "undo/")
    assert back.status_code == 303
    assert states(visitors) == {ReviewState.WAITING}
    assert "Taken back" in client.get(answer["Location"]).content.decode()


def test_when_one_of_them_changed_nothing_is_decided(visitors: Visitors, signed_in: SignedIn) -> None:
    items, client, by = three(visitors), signed_in(visitors.cal), visitors.ground.as_dee
    etag = etag_in(preview(client, items, "approve"))
    with acting_for(by, subjects=ALL_SUBJECTS):
        decisions.approve(item_id=items[0].pk, by=by, now=timezone.now())
    answer = decide(client, items, "approve", etag=etag)
    assert answer.status_code == 412
    page = answer.content.decode()
    assert "Nothing was done" in page
    assert "It is approved already." in page
    with acting_for(visitors.ground.as_hub, subjects=ALL_SUBJECTS):
        assert ReviewItem.objects.filter(state=ReviewState.WAITING).count() == 2


def test_a_no_to_many_needs_a_reason(visitors: Visitors, signed_in: SignedIn) -> None:
    items, client = three(visitors), signed_in(visitors.cal)
    answer = decide(client, items, "reject", canned="", text="")
    assert answer.status_code == 422
    assert "Choose a reason" in answer.content.decode()
    assert states(visitors) == {ReviewState.WAITING}


@pytest.mark.parametrize(("ids", "verb"), [([], "approve"), (["nonsense"], "approve"), (["x"], "erase"), ([], "")])
def test_nothing_selected_or_nonsense_is_said_on_the_list(
    visitors: Visitors, signed_in: SignedIn, ids: list[str], verb: str
) -> None:
    answer = signed_in(visitors.cal).post("/queue/bulk/?type=fact", {"ids": ids, "verb": verb})
    assert answer.status_code == 422
    assert 'role="alert"' in answer.content.decode()


def test_back_at_the_list_the_same_are_selected(visitors: Visitors, signed_in: SignedIn) -> None:
    items, client = three(visitors), signed_in(visitors.cal)
    page = preview(client, items[:2], "approve", "?type=fact").content.decode()
    back = re.search(r'href="(/queue/\?[^"]+)"', page)
    assert back is not None
    listed = client.get(back.group(1).replace("&amp;", "&")).content.decode()
    assert len(re.findall(r"data-short=\"\w+\" checked", listed)) == 2


def test_who_may_not_decide_decides_nothing_at_once_either(visitors: Visitors, signed_in: SignedIn) -> None:
    items = three(visitors)
    for who in (visitors.olu, visitors.mira_user):
        assert preview(signed_in(who), items, "approve").status_code == 403
        assert decide(signed_in(who), items, "approve").status_code == 403
    own = preview(signed_in(visitors.ada), items, "approve").content.decode()
    assert "Nothing of this can be done at once" in own
    stranger = signed_in(make_visitors().cal)
    assert preview(stranger, items, "approve").status_code == 422
    assert states(visitors) == {ReviewState.WAITING}


def test_another_organisation_s_batch_is_not_there(visitors: Visitors, signed_in: SignedIn) -> None:
    items, client = three(visitors), signed_in(visitors.cal)
    where = decide(client, items, "approve", etag=etag_in(preview(client, items, "approve")))["Location"]
    stranger = signed_in(make_visitors().cal)
    assert stranger.get(where).status_code == 404
    assert stranger.post(f"{where}undo/").status_code == 404


@pytest.mark.parametrize(
    ("verb", "sent", "standing", "back", "said"),
    [
        ("snooze", {"canned": "tomorrow"}, "snoozed", "wake", "Snoozed: 3."),
        ("escalate", {"canned": "It may be an attack"}, "escalated", "lower", "Escalated: 3."),
    ],
)  # fmt: skip
def test_many_are_put_off_or_first_and_back_together(
    visitors: Visitors, signed_in: SignedIn, verb: str, sent: dict[str, str], standing: str, back: str, said: str
) -> None:
    items, client = three(visitors), signed_in(visitors.cal)
    etag = etag_in(preview(client, items, verb))
    assert decide(client, items, verb, canned="", text="", etag=etag).status_code == 422
    answer = decide(client, items, verb, etag=etag, **sent)
    assert answer.status_code == 303
    assert said in client.get(answer["Location"]).content.decode()
    page = client.get(f"/queue/?standing={standing}").content.decode()
    assert all(f"room {number}" in page for number in (5, 6, 7))
    assert f'name="verb" value="{back}"' in page
    again = preview(client, items, back, f"?standing={standing}")
    assert decide(client, items, back, etag=etag_in(again)).status_code == 303
    assert "room 5" not in client.get(f"/queue/?standing={standing}").content.decode()
    assert states(visitors) == {ReviewState.WAITING}
    assert "can&#x27;t be" in decide(client, items, back).content.decode()


def test_what_a_colleague_is_on_is_left_out(visitors: Visitors, signed_in: SignedIn) -> None:
    items = three(visitors)
    with acting_for(visitors.ground.as_dee, subjects=ALL_SUBJECTS):
        decisions.claim(item_id=items[0].pk, by=visitors.ground.as_dee, now=timezone.now())
    for verb in ("approve", "reject", "snooze"):
        page = preview(signed_in(visitors.cal), items, verb).content.decode()
        assert f"{visitors.dee.email} is on it right now; on its own page you can take it over." in page
    assert "left out" not in preview(signed_in(visitors.cal), items, "escalate").content.decode()
