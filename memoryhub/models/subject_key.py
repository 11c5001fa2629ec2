"""Under which key is kept what nobody searches about a subject? One key each, wrapped by a key outside the database.

AES-256-GCM throughout. What is sealed names the key it was sealed with, and is bound to its organisation, subject,
purpose and row: moved anywhere else it does not open. Destroying the one row here makes everything under it random
bytes, wherever copies of it lie. A subject that comes back has a new key.

An unwrapped key is known to one transaction alone (tenancy.acting_for begins and ends that). One that this transaction
made is known no longer than the savepoint it was looked up in: made and taken back again, it must not seal what stays.
"""

import hashlib
import hmac
import os
import uuid
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, field
from typing import ClassVar, Final, Protocol

from cryptography.exceptions import InvalidTag
from cryptography.hazmat.primitives.ciphers.aead import AESGCM
from django.conf import settings
from django.db import connection, models
from django.utils import timezone

from accounts.ids import new_id
from memoryhub.errors import KeyDestroyed, SealBroken
from memoryhub.models.base import Tenant
from memoryhub.models.subject import Subject

_NONCE: Final = 12
_OF_SUBJECT, _OF_ORGANISATION = b"\x01", b"\x02"  # the first byte of what is sealed: its form and whose key it is
_NO_ROW: Final = uuid.UUID(int=0)


class SubjectKey(Tenant):
    """The key of one subject, wrapped by the key-encryption key `wrapped_by`. Deleted, never emptied."""

    subject = models.OneToOneField("memoryhub.Subject", on_delete=models.CASCADE, related_name="+")
    wrapped = models.BinaryField()
    wrapped_by = models.CharField(max_length=32)
    created_at = models.DateTimeField()

    def __str__(self) -> str:
        return str(self.id)


class MasterKey(models.Model):
    """A key-encryption key that something here is wrapped with, by its id alone: a hub without it must not start."""

    id = models.CharField(max_length=32, primary_key=True)
    first_used_at = models.DateTimeField()

    class Meta:
        constraints: ClassVar = [models.CheckConstraint(condition=~models.Q(id=""), name="master_key_named")]

    def __str__(self) -> str:
        return self.id


class _Keys(Protocol):
    """What settings.MEMORYHUB_MASTER_KEYS is (providers/key_file.py)."""

    def current(self) -> tuple[str, bytes]: ...
    def of(self, key_id: str) -> bytes: ...


@dataclass(frozen=True)
class Opened:
    """An unwrapped key, and the savepoints inside which it is known; `repr` does not show the key."""

    id: uuid.UUID
    organisation: uuid.UUID
    key: bytes = field(repr=False)
    within: tuple[str | None, ...] = ()

    @property
    def holds(self) -> bool:
        return tuple(connection.savepoint_ids[: len(self.within)]) == self.within


@dataclass
class _Known:
    """What one transaction knows: keys by subject, and for whom it made one itself."""

    keys: dict[uuid.UUID, Opened] = field(default_factory=dict)
    made: set[uuid.UUID] = field(default_factory=set)

    def of(self, subject: uuid.UUID) -> Opened | None:
        found = self.keys.get(subject)
        return found if found is not None and found.holds else None

    def learn(self, row: SubjectKey) -> Opened:
        within = tuple(connection.savepoint_ids) if row.subject_id in self.made else ()
        found = self.keys[row.subject_id] = _unwrapped(row, within)
        return found


_opened: ContextVar[_Known | None] = ContextVar("keys of this transaction", default=None)


@contextmanager
def one_transaction() -> Iterator[None]:
    """Keys that are looked up inside are known until it ends; for tenancy's outermost scope, and nobody else."""
    if _opened.get() is not None:
        yield
        return
    token = _opened.set(_Known())
    try:
        yield
    finally:
        _opened.reset(token)


def seal(*, subject: uuid.UUID, data: bytes, purpose: str, row: uuid.UUID | None = None) -> bytes:
    """`data` as only this subject's key opens it, for this purpose and this row alone; the key is made if missing."""
    return sealed_with(_key_of(subject) or _make(subject), subject=subject, data=data, purpose=purpose, row=row)


def sealed_with(found: Opened, *, subject: uuid.UUID, data: bytes, purpose: str, row: uuid.UUID | None) -> bytes:
    """The same with a key that is at hand, for migrations."""
    header = _OF_SUBJECT + found.id.bytes
    bound = _bound(header, found.organisation, subject, purpose, row)
    nonce = os.urandom(_NONCE)
    return header + nonce + AESGCM(found.key).encrypt(nonce, data, bound)


def unseal(*, subject: uuid.UUID, data: bytes, purpose: str, row: uuid.UUID | None = None) -> bytes:
    """What `seal` was given. Raises KeyDestroyed where its key is gone, SealBroken where it was altered or moved."""
    header, rest = data[:17], data[17:]
    found = _key_of(subject)
    if found is None or header != _OF_SUBJECT + found.id.bytes:
        raise KeyDestroyed
    return _open(found.key, rest, _bound(header, found.organisation, subject, purpose, row))


def seal_for_organisation(*, organisation: uuid.UUID, data: bytes, purpose: str, row: uuid.UUID) -> bytes:
    """`data` that is about no one subject, under a key that the key-encryption key gives the organisation."""
    master, key = _masters().current()
    header = _OF_ORGANISATION + bytes.fromhex(master).ljust(16, b"\0")
    nonce = os.urandom(_NONCE)
    bound = _bound(header, organisation, _NO_ROW, purpose, row)
    return header + nonce + AESGCM(_derived(key, organisation)).encrypt(nonce, data, bound)


def unseal_for_organisation(*, organisation: uuid.UUID, data: bytes, purpose: str, row: uuid.UUID) -> bytes:
    """What `seal_for_organisation` was given. Raises SealBroken."""
    header, rest = data[:17], data[17:]
    if header[:1] != _OF_ORGANISATION:
        raise SealBroken
    key = _derived(_masters().of(header[1:9].hex()), organisation)
    return _open(key, rest, _bound(header, organisation, _NO_ROW, purpose, row))


def fingerprint(*, subject: uuid.UUID, data: bytes, purpose: str, make: bool = True) -> str:
    """A keyed hash of `data` that says nothing to whoever lacks this subject's key, nor to anybody once it is gone.

    `make` False: raises KeyDestroyed where there is no key, instead of making one.
    """
    found = _key_of(subject)
    if found is None:
        if not make:
            raise KeyDestroyed
        found = _make(subject)
    key = hmac.digest(found.key, b"memoryhub fingerprint\0" + purpose.encode(), hashlib.sha256)
    return hmac.digest(key, data, hashlib.sha256).hex()


def look_up(subjects: Iterable[uuid.UUID]) -> None:
    """Know the keys of all these in one query, for reading what is about many."""
    known = _opened.get()
    wanted = {one for one in subjects if known is not None and known.of(one) is None}
    if known is not None and wanted:
        for row in SubjectKey.objects.filter(subject_id__in=wanted):
            known.learn(row)


def destroy(subject: uuid.UUID) -> bool:
    """Delete a subject's key; whether it had one. What was sealed under it is random bytes from then on."""
    known = _opened.get()
    if known is not None:
        known.keys.pop(subject, None)
    return SubjectKey.objects.filter(subject_id=subject).delete()[0] > 0


def rewrap(key: SubjectKey) -> None:
    """Wrap a key with the current key-encryption key; what is sealed under it stays as it is."""
    key.wrapped_by, key.wrapped = wrapped(_unwrapped(key).key, key)
    key.save(update_fields=["wrapped", "wrapped_by"])


def _key_of(subject: uuid.UUID) -> Opened | None:
    known = _opened.get()
    if known is not None and (found := known.of(subject)) is not None:
        return found
    row = SubjectKey.objects.filter(subject_id=subject).first()
    if row is None:
        return None
    return _unwrapped(row) if known is None else known.learn(row)


def _make(subject: uuid.UUID) -> Opened:
    if (known := _opened.get()) is not None:
        known.made.add(subject)
    organisation = Subject.objects.values_list("organisation_id", flat=True).get(pk=subject)
    row = SubjectKey(id=new_id(), organisation_id=organisation, subject_id=subject, created_at=timezone.now())
    row.wrapped_by, row.wrapped = wrapped(AESGCM.generate_key(256), row)
    MasterKey.objects.bulk_create([MasterKey(id=row.wrapped_by, first_used_at=row.created_at)], ignore_conflicts=True)
    SubjectKey.objects.bulk_create([row], ignore_conflicts=True)  # somebody else may have made one this moment
    found = _key_of(subject)
    if found is None:
        raise KeyDestroyed
    return found


def wrapped(key: bytes, row: SubjectKey) -> tuple[str, bytes]:
    """A key as the row keeps it: what it is wrapped with, and the bytes. The row needs its own ids already."""
    master_id, master = _masters().current()
    nonce = os.urandom(_NONCE)
    return master_id, nonce + AESGCM(master).encrypt(nonce, key, _wrapping(row, master_id))


def _unwrapped(row: SubjectKey, within: tuple[str | None, ...] = ()) -> Opened:
    key = _open(_masters().of(row.wrapped_by), bytes(row.wrapped), _wrapping(row, row.wrapped_by))
    return Opened(row.id, row.organisation_id, key, within)


def _wrapping(row: SubjectKey, master_id: str) -> bytes:
    ids = row.id.bytes + row.organisation_id.bytes + row.subject_id.bytes
    return b"memoryhub subject key\0" + ids + master_id.encode()


def _bound(header: bytes, organisation: uuid.UUID, subject: uuid.UUID, purpose: str, row: uuid.UUID | None) -> bytes:
    return header + organisation.bytes + subject.bytes + (row or _NO_ROW).bytes + purpose.encode()


def _open(key: bytes, sealed: bytes, bound: bytes) -> bytes:
    try:
        return AESGCM(key).decrypt(sealed[:_NONCE], sealed[_NONCE:], bound)
    except (InvalidTag, ValueError) as error:
        raise SealBroken from error


def _derived(master: bytes, organisation: uuid.UUID) -> bytes:
    return hmac.digest(master, b"memoryhub organisation\0" + organisation.bytes, hashlib.sha256)


def _masters() -> _Keys:
    keys: _Keys = settings.MEMORYHUB_MASTER_KEYS
    return keys
