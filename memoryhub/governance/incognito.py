"""Is this conversation not to be remembered? Its person says so while it goes on, and takes it back (R90).

From then on every call of it is as if it had been sent with `memory: off`: a turn leaves nothing, nothing that is known
is given, what is proposed in it is refused. The wish holds as long as the session is known, also where it begins anew.
"""

import uuid
from datetime import datetime
from typing import Final

from django.db import transaction

from memoryhub.errors import NotFound
from memoryhub.governance import audit, erasure
from memoryhub.governance.reconciliation import lock
from memoryhub.models import Session, Subject
from memoryhub.tenancy import Principal
from memoryhub.working import session as working

SHOWN: Final = 20  # conversations at once, newest first


def going_on(subject: Subject, *, now: datetime) -> list[Session]:
    """The person's conversations that have not ended, newest first."""
    rows = Session.objects.filter(subject=subject, ended_at__isnull=True, expires_at__gt=now)
    return list(rows.select_related("agent").order_by("-last_turn_at", "-id")[:SHOWN])


@transaction.atomic
def begin(*, session_id: uuid.UUID, subject: Subject, forget: bool, by: Principal, now: datetime) -> Session:
    """From now on nothing of it is kept or used; with `forget`, what was kept of it so far goes too, and what was
    learned from it. Again: nothing changes. Raises NotFound for anybody else's.
    """
    session = _own(session_id, subject)
    if forget:
        agent, name = session.agent, session.external_id
        erasure.erase_conversation(session=session, keep_facts=False, by=by, now=now)
        session = working.open_session(agent=agent, external_id=name, subject=subject, by=by, now=now)
    if session.off_record_at is None:
        session.off_record_at = now
        session.save(update_fields=["off_record_at"])
        _noted("session.off_record", session, by=by, now=now)
    return session


@transaction.atomic
def end(*, session_id: uuid.UUID, subject: Subject, by: Principal, now: datetime) -> Session:
    """It may be remembered again from now on; what was said meanwhile is not known. Raises NotFound."""
    session = _own(session_id, subject)
    if session.off_record_at is not None:
        session.off_record_at = None
        session.save(update_fields=["off_record_at"])
        _noted("session.on_record", session, by=by, now=now)
    return session


def _own(session_id: uuid.UUID, subject: Subject) -> Session:
    """The conversation, while nobody adds to it."""
    lock(subject)
    rows = Session.objects.select_for_update(of=("self",)).select_related("agent")
    session = rows.filter(pk=session_id, subject=subject).first()
    if session is None:
        raise NotFound
    return session


def _noted(action: str, session: Session, *, by: Principal, now: datetime) -> None:
    audit.record(by=by, now=now, action=action, object_kind="session", object_id=session.pk, subject=session.subject_id)
