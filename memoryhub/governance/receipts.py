"""What proves that something was forgotten? Counts, what is left, what remains elsewhere and until when; never content
(R91).
"""

import uuid
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Final

from django.conf import settings
from django.db.models import QuerySet

from memoryhub import conf
from memoryhub.governance import audit, erasure_ledger
from memoryhub.governance.words_about import KNOWN_SINCE
from memoryhub.models import Erasure, IdempotentRequest, Subject
from memoryhub.tenancy import Principal
from memoryhub.vocabulary import Ending

#: What every receipt names, also where there was none.
COUNTED: Final = ("entries", "versions", "embeddings", "events", "derived", "sessions", "offloads", "queue")

#: The option of a receipt that names the tables that were too large to be written anew (aftercare.py).
LARGE: Final = "large"
#: The option of a receipt that says that somebody signs in as the subject (closing.py).
ACCOUNT: Final = "account"
SIGNED_IN: Final = "The account they sign in with, and its e-mail address: until it is closed."
#: The option of a receipt that says how many documents name the subject (named_by_staff.py).
DOCUMENTS: Final = "documents"
IN_DOCUMENTS: Final = (
    "Their name, where somebody wrote it into a skill, a profile or a rule that agents run by: it stays as it was "
    "approved until somebody rewords it."
)
IN_FILES: Final = (
    "Bytes that nothing reads any more, in those files of the database that are too large to be written anew at once: "
    "until others take their place, or its administrator writes them anew."
)


@dataclass(frozen=True)
class Remains:
    """Something that outlives an erasure, and until when; None: for good."""

    what: str
    until: datetime | None


@dataclass(frozen=True)
class Done:
    """What was asked for and done: with it the same is done again on restored data."""

    ending: Ending
    target: uuid.UUID
    subject: uuid.UUID
    options: Mapping[str, object]


def write(
    done: Done,
    removed: Mapping[str, int],
    *,
    remaining: int,
    by: Principal,
    now: datetime,
    again: Erasure | None = None,
    asked_by: str = "",
) -> Erasure:
    """Keep a receipt, and say in the audit trail that it happened. `again`: the receipt of what is done once more on
    restored data, which keeps its id, its moment and whoever asked for it."""
    receipt = Erasure.objects.create(
        **({"id": again.pk} if again else {}),
        organisation_id=by.organisation, ending=done.ending, target=done.target, subject_id=done.subject,
        options=dict(done.options), removed=dict(removed),
        remaining=remaining, requested_by=again.requested_by if again else asked_by or by.label[:120],
        erased_at=again.erased_at if again else now,
        backups_until=again.backups_until if again else now + timedelta(days=settings.MEMORYHUB_BACKUP_DAYS),
    )  # fmt: skip
    audit.record(
        by=by, now=now, action=f"erase.{done.ending}", object_kind="erasure", object_id=receipt.pk,
        subject=done.subject, reason="again" if again else "",
    )  # fmt: skip
    erasure_ledger.note(receipt)
    return receipt


def of(subject: Subject) -> QuerySet[Erasure]:
    """The receipts of one subject, newest first. What had lapsed was nobody's wish, and is among them too."""
    return Erasure.objects.filter(organisation_id=subject.organisation_id, subject_id=subject.pk).order_by(
        "-erased_at", "-id"
    )


def remains(receipt: Erasure) -> list[Remains]:
    """What outlives the erasure: a line that says that it happened, and copies that run out by themselves."""
    erased = receipt.erased_at
    backups = receipt.backups_until or erased + timedelta(days=conf.BACKUP_DAYS)
    left = [
        Remains("A line in the audit trail: that it happened, when, and at whose wish; not what it said.", None),
        Remains("Copies in backups, from which it is erased again should one ever be restored.", backups),
    ]
    if receipt.ending == Ending.SUBJECT:  # whose job cuts it off (aftercare.py)
        left.append(Remains("What the database wrote down of its own changes.", erased + conf.LOG_KEPT))
        if receipt.options.get(ACCOUNT):
            left.append(Remains(SIGNED_IN, None))
        if receipt.options.get(DOCUMENTS):
            left.append(Remains(IN_DOCUMENTS, None))
        if receipt.options.get(LARGE):
            left.append(Remains(IN_FILES, None))
    return left


def as_json(receipt: Erasure) -> dict[str, object]:
    """The receipt as api.md gives it, with what remains."""
    return {
        "receipt_id": str(receipt.pk),
        "of": receipt.ending,
        "removed": {**dict.fromkeys(COUNTED, 0), **receipt.removed},
        "remaining": receipt.remaining,
        "erased_at": receipt.erased_at.isoformat(),
        "remains": [
            {"what": one.what, "until": one.until.isoformat() if one.until else None} for one in remains(receipt)
        ],
    }


def left_of(subject: Subject) -> int:
    """How many rows with words about a subject are left, in every table that can hold them; 0 after an erasure."""
    answers = IdempotentRequest.objects.filter(subject=subject, body__isnull=False).count()
    return answers + sum(QuerySet(table).filter(subject=subject).count() for table in KNOWN_SINCE)
