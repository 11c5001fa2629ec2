"""What did an agent do with working memory and with what it was given? The verbs of working memory and reads, audited.

`working/session.py` and `recall/read_log.py` do the work and know no audit trail; here each write gets its row (R103).
"""

import uuid
from collections.abc import Mapping, Sequence
from datetime import datetime

from django.db import transaction

from memoryhub.governance import audit
from memoryhub.models import Offload, Recall, Session
from memoryhub.recall import read_log
from memoryhub.tenancy import Principal
from memoryhub.working import session as working


@transaction.atomic
def set_state(*, session: Session, values: Mapping[str, object], by: Principal, now: datetime) -> Session:
    """Pin a few key-values (working.set_state)."""
    changed = working.set_state(session=session, values=values, now=now)
    _record("session.state", changed, by=by, now=now)
    return changed


@transaction.atomic
def add_to_current(
    *, session: Session, actions: Sequence[object], observations: Sequence[object], by: Principal, now: datetime
) -> Session:
    """Note what the running turn did and saw (working.add_to_current)."""
    changed = working.add_to_current(session=session, actions=actions, observations=observations, now=now)
    _record("session.current", changed, by=by, now=now)
    return changed


@transaction.atomic
def offload(*, session: Session, text: str, by: Principal, now: datetime) -> Offload:
    """Move a passage out of the window (working.offload)."""
    passage = working.offload(session=session, text=text, now=now)
    _record("session.offload", session, by=by, now=now)
    return passage


@transaction.atomic
def end(*, session: Session, by: Principal, now: datetime) -> Session:
    """End the session (working.end)."""
    ended = working.end(session=session, now=now)
    _record("session.end", ended, by=by, now=now)
    return ended


@transaction.atomic
def report_used(*, recall_id: uuid.UUID, ids: Sequence[str], by: Principal, now: datetime) -> Recall:
    """Note which of the entries given helped (read_log.report_used)."""
    read = read_log.report_used(recall_id=recall_id, ids=ids, by=by, now=now)
    audit.record(by=by, now=now, action="recall.used", object_kind="recall", object_id=read.pk, subject=read.subject_id)
    return read


def _record(action: str, session: Session, *, by: Principal, now: datetime) -> None:
    audit.record(by=by, now=now, action=action, object_kind="session", object_id=session.pk, subject=session.subject_id)
