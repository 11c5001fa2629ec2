"""One call of an operation: who asks, what for, in which transaction, and what it is answered (R30).

The transaction sees every subject of the organisation only to find the one that is named; the domain call runs inside
`call.about(subject)`, where the database shows that subject's rows and no other's.
"""

import logging
import uuid
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any, Final

from django.db import OperationalError
from rest_framework.request import Request

from accounts.models import Agent
from memoryhub.errors import AuditUnavailable, NotFound
from memoryhub.governance import reconciliation, subjects
from memoryhub.models import Subject
from memoryhub.recall.filters import readers
from memoryhub.tenancy import ALL_SUBJECTS, Principal, acting_for

log = logging.getLogger(__name__)

ATTEMPTS: Final = 3  # of a transaction that PostgreSQL ended because two waited for each other
_ENDED_BY_DATABASE: Final = frozenset({"40P01", "40001"})  # deadlock_detected, serialization_failure


@dataclass(frozen=True)
class Answer:
    """What a handler gives back: JSON, or text with its own media type. `about`: the one subject it holds words of."""

    body: Any
    status: int = 200
    about: uuid.UUID | None = None
    headers: Mapping[str, str] = field(default_factory=dict)
    media_type: str = "application/json"
    keep: bool = True  # False: a dry run, whose transaction is rolled back whole


@dataclass
class Call:
    """One authenticated request with its validated body and query, inside its transaction."""

    request: Request
    by: Principal
    now: datetime
    body: Any
    query: dict[str, Any]
    begun: Any = None  # what the operation has under way since before the transaction

    def if_match(self, current: str) -> str | None:
        """The etag to hold a change to: the current one when it is among those the caller read, else one of theirs.

        None when the caller doesn't say, or takes any (a star).
        """
        header = self.request.META.get("HTTP_IF_MATCH", "")
        read = [etag.strip().removeprefix("W/") for etag in header.split(",") if etag.strip()]
        if not read or "*" in read:
            return None
        return current if current in read else read[0]

    def agent(self) -> Agent:
        """The agent behind the key. Raises NotFound for a key without one."""
        found = Agent.objects.select_related("owner").filter(pk=self.by.agent).first() if self.by.agent else None
        if found is None:
            raise NotFound
        return found

    def named(self, external_id: str) -> Subject:
        """The subject of that id. Raises NotFound."""
        return subjects.find(external_id=subjects.check_external_id(external_id), by=self.by)

    def mentioned(self, external_id: str) -> Subject:
        """The subject of that id, made a person when it is named for the first time in a write."""
        return subjects.ensure(external_id=external_id, by=self.by, now=self.now)

    def speaking(self, external_id: str | None, *, about: Subject) -> Subject | None:
        """The person whose words are passed on, if one is named. A new one is put on record, and who waits for the end
        of the record must not hold what others need first: so the lock on whom it is about is taken before.
        """
        if not external_id:
            return None
        reconciliation.lock(about)
        return self.mentioned(external_id)

    @contextmanager
    def about(self, *named: Subject) -> Iterator[frozenset[uuid.UUID]]:
        """Act for these subjects alone: what is theirs, their accounts' and their groups'; gives those audiences."""
        readable = readers(named)
        with acting_for(self.by, subjects=readable, savepoint=False):  # a refusal ends the whole call
            yield readable

    @contextmanager
    def anywhere(self) -> Iterator[None]:
        """Act where no subject is named: in the whole organisation, or for the one subject the key is bound to."""
        if not self.by.bound_subject:
            yield
            return
        try:
            mine = [subjects.find(external_id=self.by.bound_subject, by=self.by).pk]
        except NotFound:
            mine = []
        with acting_for(self.by, subjects=mine):
            yield

    def attempt(self, run: Callable[[], "Answer"]) -> "Answer":
        """Run a piece of work in a transaction of its own; for the views that keep none around them."""
        return _attempts(lambda: _in_transaction(self.by, run))


class _NothingKept(Exception):
    """Takes a dry run's answer out of the transaction that is rolled back."""

    def __init__(self, answer: Answer) -> None:
        self.answer = answer


def _in_transaction(by: Principal, run: Callable[[], Answer]) -> Answer:
    try:
        with acting_for(by, subjects=ALL_SUBJECTS):
            answer = run()
            if not answer.keep:
                raise _NothingKept(answer)
            return answer
    except _NothingKept as undone:
        return undone.answer


def _attempts(run: Callable[[], Answer]) -> Answer:
    """Do it again when the database ended the transaction because two waited for each other: nothing was done then."""
    for attempt in range(1, ATTEMPTS + 1):
        try:
            return run()
        except (OperationalError, AuditUnavailable) as error:
            state = _state_of(error)
            if state not in _ENDED_BY_DATABASE or attempt == ATTEMPTS:
                raise
            log.warning("transaction ended by the database (%s), attempt %s", state, attempt)
    raise AssertionError("unreachable")


def _state_of(error: BaseException) -> str | None:
    """The SQLSTATE behind an error, however it was wrapped."""
    cause: BaseException | None = error
    while cause is not None:
        if state := getattr(cause, "sqlstate", None):
            return str(state)
        cause = cause.__cause__
    return None
