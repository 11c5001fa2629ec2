"""What is a person asked about themselves, and how does the answer come back to the item? (R77, R92)

The person's page asks what a curator wants to know; the item rests for conf.ASKED_FOR, or until the answer. The answer
decides nothing: it stands on the item, and a curator goes by it.
"""

from datetime import datetime
from typing import Final

from django.db.models import QuerySet

from memoryhub import conf
from memoryhub.errors import Invalid, Stale
from memoryhub.governance import opening, staff_words
from memoryhub.models import Entry, ReviewItem, ReviewQuestion, Subject
from memoryhub.permissions import AUTHORITY_CATEGORIES
from memoryhub.tenancy import Principal
from memoryhub.vocabulary import Answer, Channel, ReviewState, SubjectKind

MAX_QUESTION: Final = 300
MAX_ANSWER: Final = 1000
USUAL: Final = "Is this so?"


def put(item: ReviewItem, text: str | None, *, by: Principal, now: datetime) -> ReviewQuestion:
    """Put a question about an item that is open already. Raises Invalid where nobody can be asked, Stale while one
    waits for its answer."""
    if item.entry is None or item.subject is None or item.subject.kind != SubjectKind.PERSON:
        raise Invalid(errors={"question": ["Only what is about one person can be asked of them."]})
    if item.entry.category in AUTHORITY_CATEGORIES:
        raise Invalid(errors={"question": ["What somebody may, or who they are, is not theirs to say."]})
    if ReviewQuestion.objects.filter(item=item, answered_at__isnull=True).exists():
        raise Stale("They were asked already and have not answered yet.")
    words = staff_words.kept(text, field="question", most=MAX_QUESTION, by=by) if text and text.strip() else USUAL
    question = ReviewQuestion.objects.create(
        organisation_id=by.organisation, item=item, subject=item.subject, text=words, asked_by_id=opening.named(by),
        asked_at=now,
    )  # fmt: skip
    item.asked_at, item.snoozed_until = now, now + conf.ASKED_FOR
    item.version += 1
    item.save(update_fields=["asked_at", "snoozed_until", "version"])
    opening.noted("ask", item, by=by, now=now)
    return question


def open_for(subject: Subject) -> QuerySet[ReviewQuestion]:
    """What a person is asked and has not answered, about items that still wait; the oldest question first."""
    rows = ReviewQuestion.objects.filter(subject=subject, answered_at__isnull=True, item__state=ReviewState.WAITING)
    return rows.select_related("item__entry__provenance", "item__entry__subject").order_by("asked_at", "id")


def open_about(entry: Entry) -> ReviewQuestion | None:
    """The question about an entry that has no answer yet, locked."""
    rows = ReviewQuestion.objects.select_for_update(of=("self",)).select_related("item")
    return rows.filter(item__entry=entry, item__state=ReviewState.WAITING, answered_at__isnull=True).first()


def take(question: ReviewQuestion, answer: Answer, text: str, *, by: Principal, now: datetime) -> None:
    """Write the answer down and bring the item back to the curators. Raises Invalid for words that can't be kept."""
    if answer == Answer.OTHER or text.strip():
        question.answer_text = staff_words.kept(
            text, field="text", most=MAX_ANSWER, by=by, channel=Channel.USER_PAGE
        )  # fmt: skip
    question.answer, question.answered_at = answer, now
    question.save(update_fields=["answer", "answer_text", "answered_at"])
    item = ReviewItem.objects.select_for_update(of=("self",)).get(pk=question.item_id)
    item.asked_at, item.snoozed_until = None, None
    item.version += 1
    item.save(update_fields=["asked_at", "snoozed_until", "version"])
    opening.noted("answer", item, by=by, now=now)
