"""What happened to an item, from when it came to now? (R92) Read from its audit rows, notes, questions and looks."""

import uuid
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime
from typing import Final

from accounts.models import User
from memoryhub.governance import edits
from memoryhub.models import AuditEvent, ReviewItem, ReviewLook, ReviewNote, ReviewQuestion

#: Verb of the audit trail → what it is called on a page.
WHAT: Final = {
    "claim": "took it on", "take_over": "took it over", "release": "let go of it", "snooze": "snoozed it",
    "wake": "brought it back", "escalate": "put it first", "lower": "put it back in its turn",
    "ask": "asked the person", "answer": "answered",
    "note": "noted", "first_yes": "said yes, as the first of two", "approve": "approved it", "reject": "declined it",
    "merge": "merged it", "undo": "took the decision back", "withdraw": "withdrew it",
    "reverse": "reversed an earlier decision", "look": "looked at it", "create": "put it here",
}  # fmt: skip
SHOWN: Final = 200  # of the newest audit rows, notes and looks, each


@dataclass(frozen=True)
class Moment:
    """One thing that happened. `verb` is the machine's word, `what` the page's; `detail`: words, if any."""

    at: datetime
    who: str
    verb: str
    what: str
    detail: str = ""


def of(item: ReviewItem, *, looks: bool = True) -> list[Moment]:
    """Everything that happened to the item, oldest first, in five queries. `looks`: also who only looked at it."""
    events = list(AuditEvent.objects.filter(
        organisation_id=item.organisation_id, object_kind="review_item", object_id=str(item.pk),
        action__startswith="queue.",
    ).order_by("-seq")[:SHOWN])  # fmt: skip
    notes = list(ReviewNote.objects.filter(item=item).order_by("-created_at", "-id")[:SHOWN])
    questions = list(ReviewQuestion.objects.filter(item=item).order_by("-asked_at")[:SHOWN])
    seen = list(ReviewLook.objects.filter(item=item).order_by("-began_at")[:SHOWN]) if looks else []
    names = _names(
        [*(_person(event.actor) for event in events), *(_person(event.reason) for event in events)],
        [note.author_id for note in notes], [one.asked_by_id for one in questions], [one.person_id for one in seen],
    )  # fmt: skip
    said = {(note.created_at, note.author_id, note.escalates): note.text for note in notes}
    asked = {one.asked_at: one.text for one in questions}
    answered = {
        one.answered_at: ": ".join(filter(None, (one.get_answer_display(), one.answer_text))) for one in questions
    }
    moments = [Moment(item.waiting_since, _proposer(item), "create", WHAT["create"], item.get_reason_display())]
    for event in reversed(events):  # those of one moment stay in the order of the chain
        verb = event.action.removeprefix("queue.")
        person = _person(event.actor)
        detail = ""
        if verb in ("note", "escalate"):
            detail = said.get((event.at, person, verb == "escalate"), "")
        elif verb == "ask":
            detail = asked.get(event.at, "")
        elif verb == "answer":
            detail = answered.get(event.at, "")
        elif verb == "take_over":
            detail = f"from {names.get(_person(event.reason), 'somebody')}"
        elif verb in ("approve", "reject", "merge") and event.at == item.decided_at:
            detail = item.decided_reason
        what = WHAT.get(verb, verb)
        if verb in ("approve", "merge") and event.at == item.decided_at:
            what = f"{_edited(item)}{what}"
        moments.append(Moment(event.at, _who(event.actor, names), verb, what, detail))
    moments += [
        Moment(look.began_at, names.get(look.person_id, "somebody"), "look", WHAT["look"]) for look in seen
    ]  # fmt: skip
    return sorted(moments, key=lambda moment: moment.at)


def _edited(item: ReviewItem) -> str:
    """What comes before "approved it", where the decision gave the statement other words."""
    edit = edits.by(item)
    if edit is None:
        return ""
    return (
        f"edited it, which took it from under the key {edit.lost_key}, then " if edit.lost_key else "edited it, then "
    )


def _names(*people: Iterable[uuid.UUID | None]) -> dict[uuid.UUID | None, str]:
    wanted = {person for some in people for person in some if person is not None}
    return dict(User.objects.filter(pk__in=wanted).values_list("pk", "email"))


def _person(label: str) -> uuid.UUID | None:
    """The person a label of the audit trail names ("user:<id>"), or an id itself."""
    try:
        return uuid.UUID(label.removeprefix("user:"))
    except ValueError:
        return None


def _who(label: str, names: dict[uuid.UUID | None, str]) -> str:
    kind, _, rest = label.partition(":")
    if (person := _person(label)) is not None:
        return names.get(person, "somebody who left")
    return {"system": "Memory Hub", "link": "the person"}.get(kind) or (rest if kind == "agent" else label)


def _proposer(item: ReviewItem) -> str:
    if item.proposer is not None:
        return item.proposer.email
    return item.agent.name if item.agent else "Memory Hub"
