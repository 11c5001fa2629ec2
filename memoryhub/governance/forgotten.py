"""What did a person have forgotten, that nobody else may bring back? Remembered as keyed hashes alone (R91, ADR 0023).

A mark stands for one value under one key of one subject, for one statement's words, or for the id of a turn that was
forgotten with it. From a mark nothing can be read, and without the hub's secret nothing can be tried. Whoever else says
the same is refused; the person who says it again, later than they had it forgotten, is welcome, and lifts the mark.

After everything about a subject was forgotten there are no marks, for they would tell of it: one moment stands for all
of them. What was said before it is refused, whoever sends it late; what others say after it is judged like anything.
"""

import hashlib
import hmac
import uuid
from collections.abc import Collection, Mapping
from datetime import datetime
from typing import Final

from django.conf import settings

from memoryhub.governance import audit
from memoryhub.governance.claims import Claim, Classification
from memoryhub.governance.proposal import Proposal
from memoryhub.governance.reach import Reach
from memoryhub.governance.sameness import normalised
from memoryhub.models import Entry, Erasure, Event, ForgottenMark
from memoryhub.permissions import AUTHORITY_CATEGORIES
from memoryhub.recall import planned
from memoryhub.tenancy import Principal
from memoryhub.vocabulary import Channel, Kind, Reason, Role, SubjectKind

#: Stands for everything that was said until then.
ALL: Final = ""

Marks = Mapping[str, datetime]

_HELD: Final = planned.statement(
    "SELECT mark, forgotten_at FROM memoryhub_forgottenmark"
    " WHERE subject_id = %(subject)s AND mark = ANY (%(marks)s::text[])"
)
_OWN_CHANNELS: Final = frozenset({Channel.USER_MESSAGE, Channel.USER_PAGE})


def marks_of(found: Reach, *, subject: uuid.UUID) -> set[str]:
    """The marks of what is about to be forgotten; what gives a right or sets a limit leaves none, since the person
    could not bring it back.
    """
    named = Entry.objects.filter(pk__in=found.named, subject=subject).exclude(category__in=AUTHORITY_CATEGORIES)
    marks: set[str] = set()
    for entity, key, value, content in named.values_list("entity", "key", "value", "content").iterator():
        marks |= _marks(subject, entity, key, value, content)
    turns = Event.objects.filter(pk__in=found.events, subject=subject).values_list("agent_id", "external_id")
    return marks | {_turn(subject, agent, external_id) for agent, external_id in turns}


def keep(marks: Collection[str], *, subject: uuid.UUID, receipt: Erasure, by: Principal) -> None:
    """Remember the marks of what a receipt says was forgotten."""
    if marks:
        ForgottenMark.objects.filter(subject=subject, mark__in=marks).delete()
        _keep(marks, subject, receipt, by)


def keep_all(*, subject: uuid.UUID, receipt: Erasure, by: Principal) -> None:
    """Remember that everything was forgotten, and when; the marks go."""
    ForgottenMark.objects.filter(subject=subject).delete()
    _keep([ALL], subject, receipt, by)


def held(claim: Claim, proposal: Proposal) -> Marks:
    """Which marks a claim meets, and since when they stand; none in most calls."""
    subject = proposal.subject.pk
    marks = [ALL, *_marks(subject, claim.entity if claim.key else "", claim.key or "", claim.value or "", claim.text)]
    return dict(planned.ask(_HELD, {"subject": subject, "marks": marks}))


def why_refused(
    marks: Marks, classification: Classification, proposal: Proposal, *, said_at: datetime
) -> Reason | None:
    """Why what meets these marks may not be kept: somebody else says it, or it was said before it was forgotten."""
    if not marks or classification.category in AUTHORITY_CATEGORIES or proposal.ends:
        return None
    if any(said_at < since for mark, since in marks.items() if mark == ALL or _is_their_own(proposal)):
        return Reason.FORGOTTEN
    if proposal.restores is not None and not proposal.restores.vouched:
        return Reason.FORGOTTEN  # nobody answers for when the file says it was said
    brought_back = any(mark != ALL for mark in marks) and not _is_their_own(proposal)
    return Reason.FORGOTTEN if brought_back else None


def lift(marks: Marks, proposal: Proposal, *, by: Principal, now: datetime) -> None:
    """The person said it again and it was kept: from now on others may say it too."""
    lifted = [mark for mark in marks if mark != ALL]
    if lifted:
        subject = proposal.subject.pk
        ForgottenMark.objects.filter(subject=subject, mark__in=lifted).delete()
        audit.record(
            by=by, now=now, action="subject.say_again", object_kind="subject", object_id=subject, subject=subject
        )


def is_forgotten_turn(*, subject: uuid.UUID, agent: uuid.UUID, external_id: str, occurred_at: datetime) -> bool:
    """Whether a turn was forgotten: sent once more it is not new, nor is one from before everything was forgotten."""
    found = dict(planned.ask(_HELD, {"subject": subject, "marks": [ALL, _turn(subject, agent, external_id)]}))
    return any(mark != ALL or occurred_at < since for mark, since in found.items())


def _is_their_own(proposal: Proposal) -> bool:
    """Whether the subject says it, now or in turns that a dream reads; for a group, whoever speaks for it. A file says
    what it likes about who said a thing and when: that somebody vouches for it or nobody is the same to what is gone.
    """
    if proposal.restores is not None:
        return False
    themselves = proposal.speaker is None or proposal.speaker.pk == proposal.subject.pk
    themselves = themselves or proposal.subject.kind != SubjectKind.PERSON
    if proposal.role == Role.DREAMER:
        return themselves and proposal.kind != Kind.EPISODIC and bool(proposal.events)
    return themselves and proposal.role == Role.CUSTOMER and proposal.channel in _OWN_CHANNELS


def _marks(subject: uuid.UUID, entity: str, key: str, value: str, words: str) -> set[str]:
    marks = {_mark(subject, "words", normalised(words))}
    return marks | {_mark(subject, "value", entity, key, normalised(value))} if key and value else marks


def _turn(subject: uuid.UUID, agent: uuid.UUID, external_id: str) -> str:
    return _mark(subject, "turn", str(agent), external_id)


def _mark(subject: uuid.UUID, *said: str) -> str:
    secret = settings.MEMORYHUB_KEY_PEPPER.encode()
    text = "\x1f".join(("forgotten", str(subject), *said)).encode("utf-8", "surrogatepass")
    return hmac.new(secret, text, hashlib.sha256).hexdigest()


def _keep(marks: Collection[str], subject: uuid.UUID, receipt: Erasure, by: Principal) -> None:
    ForgottenMark.objects.bulk_create(
        ForgottenMark(
            organisation_id=receipt.organisation_id, subject_id=subject, mark=mark, forgotten_at=receipt.erased_at,
        )
        for mark in sorted(marks)
    )  # fmt: skip
    audit.record(
        by=by, now=receipt.erased_at, action="subject.forget", object_kind="subject", object_id=subject, subject=subject
    )
