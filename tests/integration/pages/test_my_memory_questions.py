"""A curator asks, the person answers on their page, and the answer is on the curator's item (R77, R92)."""

import pytest
from django.utils import timezone

from memoryhub.governance import decisions
from memoryhub.models import ReviewItem, ReviewQuestion
from memoryhub.tenancy import ALL_SUBJECTS, acting_for
from tests.factories.visitors import Visitors, conclude, make_visitors
from tests.integration.pages.conftest import SignedIn
from tests.integration.pages.test_my_memory import HTMX, JARGON, page_of, words_of


@pytest.fixture
def asked(visitors: Visitors) -> ReviewQuestion:
    item = conclude(visitors.ground, visitors.mira, "Mira travels light.")
    cal = visitors.ground.as_cal
    with acting_for(cal, subjects=ALL_SUBJECTS):
        decisions.ask_person(
            item_id=item.pk, question="Do you <b>usually</b> travel light?", by=cal, now=timezone.now()
        )
        return ReviewQuestion.objects.get()


def item_of(visitors: Visitors) -> ReviewItem:
    with acting_for(visitors.ground.as_hub, subjects=ALL_SUBJECTS):
        return ReviewItem.objects.get()


def test_the_question_stands_first_in_plain_words(
    visitors: Visitors, signed_in: SignedIn, asked: ReviewQuestion
) -> None:
    page = page_of(signed_in(visitors.mira_user))
    assert "Do you &lt;b&gt;usually&lt;/b&gt; travel light?" in page
    words = words_of(page)
    assert words.index("A question for you") < words.index("About you")
    assert JARGON.findall(words) == []


@pytest.mark.parametrize("answer", ["yes", "no"])
def test_an_answer_needs_one_press(visitors: Visitors, signed_in: SignedIn, asked: ReviewQuestion, answer: str) -> None:
    client = signed_in(visitors.mira_user)
    assert client.post(f"/me/questions/{asked.pk}/answer/", {"answer": answer}).status_code == 303
    assert "A question for you" not in words_of(page_of(client))
    item = item_of(visitors)
    with acting_for(visitors.ground.as_hub, subjects=ALL_SUBJECTS):
        assert item.questions.get().answer == answer
    assert (item.asked_at, item.snoozed_until) == (None, None)


def test_words_are_asked_for_where_it_is_otherwise(
    visitors: Visitors, signed_in: SignedIn, asked: ReviewQuestion
) -> None:
    client, url = signed_in(visitors.mira_user), f"/me/questions/{asked.pk}/answer/"
    response = client.post(url, {"answer": "other", "text": " "}, headers=HTMX)
    assert response.status_code == 422
    assert "Write a few words." in response.content.decode()
    client.post(url, {"answer": "other", "text": "Only on short trips."})
    with acting_for(visitors.ground.as_hub, subjects=ALL_SUBJECTS):
        assert ReviewQuestion.objects.get().answer_text == "Only on short trips."
    again = client.post(url, {"answer": "yes"}, follow=True)
    assert "settled meanwhile" in again.content.decode()


def test_nobody_else_answers(visitors: Visitors, signed_in: SignedIn, asked: ReviewQuestion) -> None:
    stranger = make_visitors()
    for user, status in ((visitors.cal, 403), (stranger.mira_user, 404)):
        response = signed_in(user).post(f"/me/questions/{asked.pk}/answer/", {"answer": "yes"})
        assert response.status_code == status
