"""Whom is this about, and who may read it? Subjects by their external ids, their members, and pausing."""

import unicodedata
import uuid
import zoneinfo
from collections.abc import Sequence
from datetime import datetime
from typing import Final

from django.db import IntegrityError, connection, transaction
from django.db.models import Q

from accounts.models import Organisation
from memoryhub import conf
from memoryhub.errors import Invalid, NotFound
from memoryhub.governance import audit
from memoryhub.governance.reconciliation import lock
from memoryhub.models import Entry, PendingErasure, Session, Subject, SubjectMember
from memoryhub.recall import planned
from memoryhub.recall.filters import readers
from memoryhub.tenancy import Principal
from memoryhub.vocabulary import Reason, SubjectKind
from memoryhub.working.identifiers import hides_something, may_be_an_id
from memoryhub.working.redaction import NEVER_KEPT, redact

NO_ID: Final = (
    "It looks like a key, a password, or the number of a card or account, and ids are kept as they are. Send another; "
    "one that only looks like it passes with a name in front, as in 'customer-…'."
)

_OF_SUBJECT: Final = [field.attname for field in Subject._meta.concrete_fields]
_OF_ORGANISATION: Final = [field.attname for field in Organisation._meta.concrete_fields]
_COLUMNS: Final = [*(f"s.{name}" for name in _OF_SUBJECT), *(f"o.{name}" for name in _OF_ORGANISATION)]
_BY_EXTERNAL_ID: Final = planned.statement(
    f"SELECT ARRAY(SELECT group_id FROM memoryhub_subjectmember WHERE person_id = s.id), {', '.join(_COLUMNS)}"
    " FROM memoryhub_subject s JOIN accounts_organisation o ON o.id = s.organisation_id"
    " WHERE s.organisation_id = %(organisation)s AND s.external_id = %(name)s"
)


def check_external_id(text: object, field: str = "subject") -> str:
    """A caller's own id, if it can be one: 1–200 characters, not blank, no dots alone, no control characters, nothing
    unseen that makes another id of it, and no secret: it would be kept for ever (R12).
    """
    if not isinstance(text, str):
        raise Invalid(errors={field: ["It has to be a string."]})
    if not text.strip() or text in (".", ".."):
        raise Invalid(errors={field: ["It may not be blank, '.' or '..'."]})
    if len(text) > conf.MAX_EXTERNAL_ID:
        raise Invalid(errors={field: [f"It may have at most {conf.MAX_EXTERNAL_ID} characters."]})
    if any(unicodedata.category(character) in ("Cc", "Cs") for character in text):
        raise Invalid(errors={field: ["It may not hold control characters."]})
    if hides_something(text):
        raise Invalid(
            errors={field: ["It may not hold characters that nobody sees, or that turn the direction of text."]}
        )
    if text != text.strip():
        raise Invalid(errors={field: ["It may not begin or end with white space: that would be another id."]})
    if not may_be_an_id(text):
        raise Invalid(errors={field: [NO_ID]}, code=Reason.SECRET)
    return text


def find(*, external_id: str, by: Principal) -> Subject:
    """The subject of that id. Raises NotFound when absent, or not the one the key is bound to."""
    _check_bound(by, external_id)
    subject = _by_external_id(external_id, by=by)
    if subject is None:
        raise NotFound
    return subject


def ensure(*, external_id: str, by: Principal, now: datetime, kind: str = SubjectKind.PERSON) -> Subject:
    """The subject of that id, made at its first mention (api.md, subjects)."""
    check_external_id(external_id)
    _check_bound(by, external_id)
    subject = _by_external_id(external_id, by=by)
    return subject or _make(external_id, by=by, now=now, kind=kind)


@transaction.atomic
def describe(
    *,
    external_id: str,
    by: Principal,
    now: datetime,
    kind: str | None = None,
    display_name: str | None = None,
    account: str | None = None,
    timezone: str | None = None,
    members: Sequence[str] | None = None,
) -> tuple[Subject, bool]:
    """Say what a subject is; fields left out stay, also the kind (a new one is a person then).

    Returns the subject and whether it was made now.
    """
    check_external_id(external_id)
    if timezone is not None and timezone and timezone not in zoneinfo.available_timezones():
        raise Invalid(errors={"timezone": ["It has to be a name such as 'Europe/Lisbon'."]})
    before = _by_external_id(external_id, by=by)
    kind = kind or (before.kind if before is not None else SubjectKind.PERSON)
    subject = ensure(external_id=external_id, by=by, now=now, kind=kind)
    lock(subject)
    subject.refresh_from_db()
    if before is not None and before.kind != kind and _is_remembered(before):
        # Another kind has other readers: what was private to a person would be open to members.
        raise Invalid(errors={"kind": [f"Things are remembered about this {before.kind}; its kind can't change."]})
    if display_name and redact(display_name, families=NEVER_KEPT).findings:
        raise Invalid(errors={"display_name": ["Secrets and numbers of cards, accounts or ids can't be kept."]})
    if members and kind == SubjectKind.PERSON:
        raise Invalid(errors={"members": ["A person has no members."]})
    subject.kind = kind
    if display_name is not None:
        subject.display_name = display_name
    if timezone is not None:
        subject.timezone = timezone
    if account is not None:
        subject.account = _account(account, of=subject, by=by, now=now) if account else None
    subject.save()
    if members is not None:
        _set_members(subject, members, by=by, now=now)
    audit.record(
        by=by, now=now, action="subject.describe", object_kind="subject", object_id=subject.pk, subject=subject.pk
    )
    return subject, before is None


@transaction.atomic
def pause(*, subject: Subject, paused: bool, use_existing: bool, by: Principal, now: datetime) -> Subject:
    """Stop or resume remembering; while paused, `use_existing` says whether what is known may still be used (R90).

    Raises Invalid while everything is going to be forgotten: until then nothing is used or kept (grace.py).
    """
    lock(subject)
    if not (paused and not use_existing) and PendingErasure.objects.filter(subject=subject).exists():
        raise Invalid("Everything is going to be forgotten; take that back first.")
    subject.paused_at, subject.paused_by = (now, by.label[:100]) if paused else (None, "")
    subject.use_existing = use_existing
    subject.save(update_fields=["paused_at", "paused_by", "use_existing"])
    action = "subject.pause" if paused else "subject.resume"
    audit.record(by=by, now=now, action=action, object_kind="subject", object_id=subject.pk, subject=subject.pk)
    return subject


def pause_as_before(pending: PendingErasure, *, by: Principal, now: datetime) -> Subject:
    """Nothing is going to be forgotten any more: the pause for that time ends; one that was there before goes on."""
    use = pending.used_before or not pending.paused_before
    return pause(subject=pending.subject, paused=pending.paused_before, use_existing=use, by=by, now=now)


def _is_remembered(subject: Subject) -> bool:
    return Entry.objects.filter(subject=subject).exists() or Session.objects.filter(subject=subject).exists()


def readable(subject: Subject) -> list[uuid.UUID]:
    """Whose entries are in reach when acting for this subject: its own, its account's, its groups' (R30)."""
    return list(readers([subject]))


def _by_external_id(external_id: str, *, by: Principal) -> Subject | None:
    """Asked at the beginning of nearly every call, so planned once: with its organisation and its groups."""
    for groups, *row in planned.ask(_BY_EXTERNAL_ID, {"organisation": by.organisation, "name": external_id}):
        subject = Subject.from_db(connection.alias, _OF_SUBJECT, row[: len(_OF_SUBJECT)])
        subject.organisation = Organisation.from_db(connection.alias, _OF_ORGANISATION, row[len(_OF_SUBJECT) :])
        subject.known_groups = groups
        return subject
    return None


def _check_bound(by: Principal, external_id: str) -> None:
    if by.bound_subject and by.bound_subject != external_id:
        raise NotFound


def _make(external_id: str, *, by: Principal, now: datetime, kind: str) -> Subject:
    try:
        with transaction.atomic():
            subject = Subject.objects.create(organisation_id=by.organisation, external_id=external_id, kind=kind)
    except IntegrityError:  # somebody else mentioned it first
        return Subject.objects.get(organisation_id=by.organisation, external_id=external_id)
    audit.record(by=by, now=now, action="subject.add", object_kind="subject", object_id=subject.pk, subject=subject.pk)
    return subject


def _account(external_id: str, *, of: Subject, by: Principal, now: datetime) -> Subject:
    account = ensure(external_id=external_id, by=by, now=now, kind=SubjectKind.ACCOUNT)
    if account.kind != SubjectKind.ACCOUNT or account.pk == of.pk:
        raise Invalid(errors={"account": ["It has to name a subject of the kind account."]})
    return account


def _set_members(group: Subject, members: Sequence[str], *, by: Principal, now: datetime) -> None:
    people = [
        ensure(external_id=check_external_id(member, "members"), by=by, now=now) for member in dict.fromkeys(members)
    ]
    if any(person.kind != SubjectKind.PERSON for person in people):
        raise Invalid(errors={"members": ["Only people can be members."]})
    SubjectMember.objects.filter(group=group).exclude(Q(person__in=people)).delete()
    SubjectMember.objects.bulk_create(
        [SubjectMember(organisation_id=by.organisation, group=group, person=person) for person in people],
        ignore_conflicts=True,
    )
