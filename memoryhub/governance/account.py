"""What may somebody change about how they sign in? Their password, second factor and sessions, each with its audit row.

The rows are in the organisation that they work in at the moment; they name the person and what was changed, never a
secret. Mechanics are in accounts/second_factor.py and accounts/sessions.py.
"""

from datetime import datetime
from typing import Final

from django.contrib.auth.password_validation import validate_password
from django.core.exceptions import ValidationError
from django.db import transaction

from accounts import attempts, second_factor, sessions
from accounts.models import User
from accounts.second_factor import Offer
from memoryhub.errors import Invalid, NotFound
from memoryhub.governance import audit
from memoryhub.tenancy import Principal

MAX_PASSWORD: Final = 1000  # characters


@transaction.atomic
def keep_app(*, person: User, offer: Offer, code: str, by: Principal, now: datetime) -> list[str]:
    """Sign in with this app from now on, if `code` is one of its codes. Returns new recovery codes, where there were
    none, in clear. Raises Invalid for a code that does not match, and after too many.
    """
    if not _matched(second_factor.accept(person, offer, code)):
        raise Invalid(errors={"code": ["That did not match. Wait for the next code; does the phone's clock go right?"]})
    _record("user.app_add", person, by=by, now=now)
    return _first_codes(person, by=by, now=now)


@transaction.atomic
def keep_passkey(*, person: User, credential: str, name: str, by: Principal, now: datetime) -> list[str]:
    """Sign in with this passkey from now on. Returns new recovery codes, where there were none. Raises Invalid."""
    if not second_factor.keep_passkey(person, credential=credential, name=name):
        raise Invalid(errors={"credential": ["The passkey was not made. Try again, or use an app."]})
    _record("user.passkey_add", person, by=by, now=now)
    return _first_codes(person, by=by, now=now)


@transaction.atomic
def new_codes(*, person: User, by: Principal, now: datetime) -> list[str]:
    """New recovery codes in place of the earlier ones. Raises Invalid for somebody whom nothing asks for a code."""
    if not second_factor.has_one(person):
        raise Invalid("Set up an app or a passkey first; recovery codes stand in for one.")
    codes = second_factor.new_codes(person)
    _record("user.codes_new", person, by=by, now=now)
    return codes


@transaction.atomic
def remove_factor(*, person: User, pk: int, by: Principal, now: datetime) -> None:
    """Sign in without this app or passkey. Raises NotFound for none of theirs."""
    if not second_factor.remove(person, pk=pk):
        raise NotFound
    _record("user.factor_remove", person, by=by, now=now)


@transaction.atomic
def set_password(*, person: User, password: str, by: Principal, now: datetime, keep: str | None = None) -> None:
    """A new password, which ends every session but the one with the key `keep`. Raises Invalid for a weak one."""
    check_password(password, person)
    person.set_password(password)
    person.save(update_fields=["password"])
    sessions.end_all(person, but=keep)
    _record("user.password", person, by=by, now=now)


@transaction.atomic
def end_session(*, person: User, pk: int, by: Principal, now: datetime) -> None:
    """End one session of a person. Raises NotFound for none of theirs."""
    if not sessions.end(person, pk=pk):
        raise NotFound
    _record("user.session_end", person, by=by, now=now)


@transaction.atomic
def end_sessions(*, person: User, by: Principal, now: datetime, keep: str | None = None) -> int:
    """End every session of a person but the one with the key `keep`; how many."""
    ended = sessions.end_all(person, but=keep)
    _record("user.session_end", person, by=by, now=now)
    return ended


def check_password(password: str, person: User) -> None:
    """Raise Invalid with a sentence for each way in which a password is too weak."""
    try:
        if len(password) > MAX_PASSWORD:
            raise ValidationError(f"It may have {MAX_PASSWORD} characters at most.")
        validate_password(password, person)
    except ValidationError as error:
        raise Invalid(errors={"password": error.messages}) from error


def _matched(found: bool | None) -> bool:
    if found is None:
        raise Invalid(errors={"code": [attempts.WAIT]})
    return found


def _first_codes(person: User, *, by: Principal, now: datetime) -> list[str]:
    if second_factor.of(person).codes_left:
        return []
    return new_codes(person=person, by=by, now=now)


def _record(action: str, person: User, *, by: Principal, now: datetime) -> None:
    audit.record(by=by, now=now, action=action, object_kind="user", object_id=person.pk)
