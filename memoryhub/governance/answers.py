"""A person answers what a curator asked them (R77, R90, R92). Yes to what is in force confirms it, as on their page."""

import uuid
from datetime import datetime

from django.db import transaction

from memoryhub.errors import AlreadyDecided, Invalid, NotFound
from memoryhub.governance import confirmation, questions
from memoryhub.governance.announcement import announce
from memoryhub.governance.reconciliation import lock
from memoryhub.models import Entry, ReviewQuestion
from memoryhub.tenancy import Principal
from memoryhub.vocabulary import Answer, ReviewState, Status


@transaction.atomic
def answer(
    *, question_id: uuid.UUID | str, answer: str, by: Principal, now: datetime, text: str = ""
) -> ReviewQuestion:
    """Say whether it is so; `text` says how it is otherwise. Raises NotFound for anybody else's question,
    AlreadyDecided once it is answered or the item decided, Invalid for an unknown answer or words that can't be kept.
    """
    if answer not in Answer.values:
        raise Invalid(errors={"answer": [f"One of: {', '.join(Answer.values)}."]})
    rows = ReviewQuestion.objects.filter(organisation_id=by.organisation, subject__external_id=by.bound_subject)
    about = rows.filter(pk=question_id).values_list("subject", flat=True).first() if by.bound_subject else None
    if about is None:
        raise NotFound
    lock(about)
    announce()
    question = rows.select_for_update(of=("self",)).select_related("item__entry").get(pk=question_id)
    if question.answered_at is not None or question.item.state != ReviewState.WAITING:
        raise AlreadyDecided("That was settled meanwhile; thank you all the same.")
    entry: Entry | None = question.item.entry
    questions.take(question, Answer(answer), text, by=by, now=now)
    if answer == Answer.YES and entry is not None and entry.status == Status.ACCEPTED:
        confirmation.confirm(entry=entry, by=by, now=now)
    return question
