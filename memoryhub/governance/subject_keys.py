"""Whose key is it kept under? The door to a subject's own key for whatever keeps something about them (R91).

One key per subject seals what nobody searches: event payloads, offloads, stored answers, archives. It also keys the
hash of the words that an audit row is about. `destroy` makes all of that random bytes at once, in every copy; what is
searched (statements, their words and vectors, working memory) is deleted instead. Inside acting_for.
"""

import uuid
from datetime import datetime

from django.conf import settings

from memoryhub.governance import access, audit
from memoryhub.models import MasterKey, Subject, SubjectKey, subject_key
from memoryhub.tenancy import ALL_SUBJECTS, Principal, acting_for, system_principal


def seal(*, subject: Subject | uuid.UUID, data: bytes, purpose: str, row: uuid.UUID | None = None) -> bytes:
    """`data` as only this subject's key opens it, for this purpose (and this row, where it belongs to one).

    The key is made if the subject has none. Raises KeysUnusable when the key-encryption key is not there.
    """
    return subject_key.seal(subject=_id_of(subject), data=data, purpose=purpose, row=row)


def unseal(*, subject: Subject | uuid.UUID, data: bytes, purpose: str, row: uuid.UUID | None = None) -> bytes:
    """What `seal` was given. Raises KeyDestroyed when its key is gone, also where the subject came back and has a new
    one; SealBroken when it was altered, or belongs to another subject, purpose or row."""
    return subject_key.unseal(subject=_id_of(subject), data=data, purpose=purpose, row=row)


def destroy(*, subject: Subject | uuid.UUID, by: Principal, now: datetime) -> bool:
    """Destroy the subject's key for good; whether there was one. Audited; a subject that comes back has another."""
    found = _id_of(subject)
    destroyed = subject_key.destroy(found)
    if destroyed:
        audit.record(
            by=by, now=now, action="subject.key_destroyed", object_kind="subject", object_id=found, subject=found
        )
    return destroyed


def rewrap_all(*, now: datetime) -> int:
    """Wrap every key that another key-encryption key than the current one wraps anew; how many. Called outside
    acting_for: each organisation is done in a transaction of its own, and a run cut short goes on with the next.
    """
    current, _ = settings.MEMORYHUB_MASTER_KEYS.current()
    done = 0
    for organisation, _ in access.organisations():
        by = system_principal(organisation, "rotate_keys")
        with acting_for(by, subjects=ALL_SUBJECTS):
            MasterKey.objects.bulk_create([MasterKey(id=current, first_used_at=now)], ignore_conflicts=True)
            rows = SubjectKey.objects.filter(organisation_id=organisation).exclude(wrapped_by=current)
            for row in rows.select_for_update().order_by("id"):
                subject_key.rewrap(row)
                done += 1
            audit.record(by=by, now=now, action="keys.rotate", object_kind="organisation", object_id=organisation)
    MasterKey.objects.exclude(id=current).delete()
    return done


def _id_of(subject: Subject | uuid.UUID) -> uuid.UUID:
    return subject.pk if isinstance(subject, Subject) else subject
