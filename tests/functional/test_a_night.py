"""The point of it all, in a browser: three refusals, a dream, one candidate, a yes, and the next turn carries it (A1)."""

from collections.abc import Iterator

import httpx
import pytest
from django.conf import settings
from django.utils import timezone
from playwright.sync_api import Page, expect

from accounts.models import User
from memoryhub import jobs
from memoryhub.governance import access
from memoryhub.management import demo
from memoryhub.management import demo_content as content
from memoryhub.providers.embeddings import HashingEmbedder, using

pytestmark = pytest.mark.browser


@pytest.fixture(autouse=True)
def _no_meaning_needed() -> Iterator[None]:
    with using(HashingEmbedder()):
        yield


@pytest.fixture
def passwords(committed_db: None, tmp_path) -> Iterator[dict[str, str]]:
    text = demo.fill(folder=tmp_path, now=timezone.now())
    yield {line.split()[1]: line.split()[2] for line in text.splitlines() if "@" in line}
    demo.drop(folder=tmp_path, now=timezone.now())
    assert not User.objects.filter(email=content.CURATOR).exists()


def sign_in(page: Page, email: str, passwords: dict[str, str]) -> None:
    page.goto("/sign-in/")
    page.get_by_label("E-mail address").fill(email)
    page.get_by_label("Password").fill(passwords[email])
    page.get_by_role("button", name="Sign in").click()
    page.wait_for_url(lambda url: "sign-in" not in url)


def next_turn(hub: str, key: str) -> dict:
    answer = httpx.post(
        f"{hub}/api/v1/context",
        headers={"Authorization": f"Bearer {key}"},
        json={
            "subject": content.CUSTOMER_ID, "session_id": "chat-next", "query": "I want my money back for order 20999",
            "signals": [content.REFUND_SCOPE],
        },
    )  # fmt: skip
    assert answer.status_code == 200
    return answer.json()


def test_three_refusals_a_dream_a_yes_and_the_next_turn_carries_the_skill(
    page: Page, live_hub: str, passwords: dict[str, str]
) -> None:
    key = access.issue_key(
        organisation=content.ORGANISATION, name=content.AGENT, roles=["agent"], now=timezone.now(),
        pepper=settings.MEMORYHUB_KEY_PEPPER,
    ).text  # fmt: skip
    assert [skill["name"] for skill in next_turn(live_hub, key)["skills"]] == [content.REFUND_SKILL.name]

    sign_in(page, content.OPERATOR, passwords)
    page.get_by_role("button", name="Dream now").click()
    expect(page.get_by_text("It waits for its turn")).to_be_visible()
    jobs.wake()
    expect(page.get_by_text("What it did")).to_be_visible()
    expect(page.get_by_text("from 3 sessions")).to_be_visible()
    page.get_by_role("button", name="Sign out").click()

    sign_in(page, content.CURATOR, passwords)
    page.get_by_role("link", name="Skill 1").click()
    page.get_by_role("link", name="refused-").click()
    expect(page.get_by_text("is already shipped").first).to_be_visible()
    page.get_by_role("button", name="Approve", exact=True).click()
    expect(page.get_by_role("heading", name="Approved")).to_be_focused()

    carried = {skill["name"]: skill for skill in next_turn(live_hub, key)["skills"]}
    assert len(carried) == 2
    (learnt,) = (skill for name, skill in carried.items() if name != content.REFUND_SKILL.name)
    assert (learnt["reason"], learnt["prefetch"]) == ("trigger", ["get_order_status"])
