"""A system of record says what it holds about a subject: each key is kept as a record and goes through the gate (R36).

The record is more trusted than what is remembered (R18): a statement that differs is replaced, one that agrees is
confirmed, and null ends it. What the gate refuses is not kept as a record either.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime

from django.db import transaction

from memoryhub.governance import audit, intake, records
from memoryhub.governance.correction import restated
from memoryhub.governance.proposal import Outcome, Proposal, Source
from memoryhub.governance.reconciliation import lock
from memoryhub.governance.wording import says_more, stated
from memoryhub.models import Entry, Subject
from memoryhub.tenancy import Principal
from memoryhub.vocabulary import Category, Channel, Kind, Op, Role, Status


@dataclass(frozen=True)
class Pushed:
    """What became of one key."""

    key: str
    outcome: Outcome


@transaction.atomic
def push(*, subject: Subject, values: Mapping[str, str | None], by: Principal, now: datetime) -> list[Pushed]:
    """Take what a record says, key by key in the order given; None: that there is none."""
    lock(subject)  # before anything is read: two pushes about one subject follow one another
    pushed: list[Pushed] = []
    rows: list[audit.Row] = []
    for key, value in values.items():
        outcome, kept = _push(subject, key, value, by=by, now=now)
        pushed.append(Pushed(key, outcome))
        rows += kept
    audit.record_all(by=by, now=now, rows=rows)
    return pushed


def _push(
    subject: Subject, key: str, value: str | None, *, by: Principal, now: datetime
) -> tuple[Outcome, list[audit.Row]]:
    """What became of the statement, and what to audit of the record that is kept beside it."""
    held = _in_force(subject, key)
    words = stated(key, value if value is not None else "none")
    if held is not None and value is not None and not says_more(held.content, held.value, key):
        words = restated(held, value)  # its own sentence; what somebody told besides, the record does not vouch for
    proposal = Proposal(
        subject=subject, text=words, key=key, value=value, ends=value is None, channel=Channel.SYSTEM_OF_RECORD,
        role=Role.SYSTEM_OF_RECORD, source=Source(ref=f"record {key}"),
        category=Category(held.category) if held else None,
    )  # fmt: skip
    outcome = intake.propose(proposal=proposal, by=by, now=now)
    if value is None or all(result.op not in (Op.REFUSED, Op.DISCARDED) for result in outcome.results):
        return outcome, records.push(subject=subject, key=key, value=value, by=by, now=now)
    return outcome, []


def _in_force(subject: Subject, key: str) -> Entry | None:
    """What the record speaks about, if something is remembered under its key already."""
    held = Entry.objects.filter(
        subject=subject, status=Status.ACCEPTED, kind=Kind.SEMANTIC, entity="subject", key=key, valid_to__isnull=True
    )
    return held.order_by("-valid_from", "-id").first()
