"""What has a person besides their password? Codes of an app, passkeys, and recovery codes for the day both are lost.

django-allauth keeps and judges them; here is all that the pages need of it. Secrets are sealed (adapter.py), also while
an app is being set up: they travel in the form, never in the session. Guesses are counted (attempts.py).
"""

import json
import uuid
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import timedelta
from typing import Any, Final

import qrcode
from allauth.core.internal.cryptokit import compare_user_code
from allauth.mfa.adapter import get_adapter
from allauth.mfa.models import Authenticator
from allauth.mfa.recovery_codes.internal.auth import RecoveryCodes
from allauth.mfa.totp.internal.auth import (
    TOTP,
    format_hotp_value,
    generate_totp_secret,
    hotp_value,
    yield_hotp_counters_from_time,
)
from allauth.mfa.webauthn.forms import AddWebAuthnForm, AuthenticateWebAuthnForm
from allauth.mfa.webauthn.internal import auth as webauthn
from allauth.mfa.webauthn.internal.auth import WebAuthn
from cryptography.fernet import InvalidToken
from django.core import signing
from django.db import transaction

from accounts import attempts
from accounts.models import User

APP, PASSKEY, CODES = Authenticator.Type.TOTP, Authenticator.Type.WEBAUTHN, Authenticator.Type.RECOVERY_CODES
FACTORS: Final = (APP, PASSKEY)  # recovery codes stand in for one of them, and are none by themselves
PASSKEYS: Final = 10  # of one person
SET_UP_WITHIN: Final = timedelta(minutes=30)
MOST: Final = 20_000  # characters of what a browser says of a passkey; some 2,000 in truth
MAX_NAME: Final = 60
_OFFER: Final = "accounts.second-factor.app"
_USED: Final = "used_steps"  # beside an app's secret


@dataclass(frozen=True)
class Held:
    """What somebody has: their app, their passkeys by name, and how many recovery codes are left."""

    app: Authenticator | None
    passkeys: tuple[Authenticator, ...]
    codes_left: int

    @property
    def any(self) -> bool:
        return self.app is not None or bool(self.passkeys)

    @property
    def takes_codes(self) -> bool:
        """Whether there is a code that they could type."""
        return self.app is not None or self.codes_left > 0


@dataclass(frozen=True)
class Offer:
    """An app about to be set up: the secret as text and as a picture, and the sealed form of it that comes back."""

    sealed: str
    secret: str
    url: str
    size: int
    path: str

    @property
    def in_groups(self) -> str:
        """The secret as it is typed: four letters and a space."""
        return " ".join(self.secret[place : place + 4] for place in range(0, len(self.secret), 4))


def has_one(user: User) -> bool:
    """Whether signing in asks this person for more than the password."""
    return has_one_of(user.pk)


def has_one_of(user_id: uuid.UUID) -> bool:
    """The same, by their id."""
    return Authenticator.objects.filter(user_id=user_id, type__in=FACTORS).exists()


def with_one(users: Iterable[User]) -> set[uuid.UUID]:
    """Which of these people have one, in one query."""
    found = Authenticator.objects.filter(user__in=list(users), type__in=FACTORS)
    return set(found.values_list("user_id", flat=True))


def of(user: User) -> Held:
    """All that this person has."""
    found = list(Authenticator.objects.filter(user_id=user.pk).order_by("created_at", "pk"))
    codes = next((one for one in found if one.type == CODES), None)
    return Held(
        app=next((one for one in found if one.type == APP), None),
        passkeys=tuple(one for one in found if one.type == PASSKEY),
        codes_left=len(codes.wrap().get_unused_codes()) if codes is not None else 0,
    )


def question(user: User) -> str:
    """What a browser needs to ask for a passkey, as JSON; empty for somebody without one. It is good for one answer."""
    if not Authenticator.objects.filter(user_id=user.pk, type=PASSKEY).exists():
        return ""
    return json.dumps(webauthn.begin_authentication(user))


def answers(user: User, given: Mapping[str, Any]) -> bool | None:
    """Whether `given` (code, or credential) is a second factor of this person; None: too many tries, wait. A recovery
    code is used up by it, and so is a code of an app.
    """
    if not attempts.may_try_code(account=user.pk):
        return None
    found = _by_passkey(user, str(given.get("credential") or "")) or _by_code(user, str(given.get("code") or ""))
    if found is None:
        return False
    attempts.forget_codes(account=user.pk)
    found.record_usage()
    return True


def offer(user: User) -> Offer:
    """A new secret for an app, bound to this person; nothing is kept until a code of it came back."""
    return _offer(user, generate_totp_secret())


def offered(user: User, sealed: str) -> Offer | None:
    """The offer that came back with a form; None when it is another's, altered, or too old."""
    try:
        said = signing.loads(
            get_adapter().decrypt(sealed), salt=_OFFER, max_age=SET_UP_WITHIN
        )  # sealed and dated: neither reads nor outlives its page
    except (signing.BadSignature, InvalidToken):
        return None
    return _offer(user, said["secret"], sealed) if said["user"] == str(user.pk) else None


@transaction.atomic
def accept(user: User, offered: Offer, code: str) -> bool | None:
    """Keep the app, in place of an earlier one, if `code` is one of its codes; None: too many tries, wait."""
    if not attempts.may_try_code(account=user.pk):
        return None
    User.objects.select_for_update().get(pk=user.pk)  # two pages at once: one app
    app = Authenticator.objects.filter(user_id=user.pk, type=APP).first()
    if app is not None and _is_of(app, offered.secret):  # the same page again: what was used stays used
        kept = _spend(app, code)
    else:
        kept = _replace(app, user, offered.secret, code)
    if kept:
        attempts.forget_codes(account=user.pk)
    return kept


def _replace(app: Authenticator | None, user: User, secret: str, code: str) -> bool:
    """An app with this secret in place of the one before, its first code used up; False: it is no code of it."""
    steps = _steps_of(secret, code)
    if not steps:
        return False
    if app is not None:
        app.delete()
    new = TOTP.activate(user, secret).instance
    _mark(new, steps)
    return True


def new_passkey(user: User) -> str:
    """What a browser needs to make a passkey, as JSON."""
    return json.dumps(webauthn.begin_registration(user, False))


def keep_passkey(user: User, *, credential: str, name: str) -> bool:
    """Keep what the browser made, under a name; False when it is no answer to what it was asked."""
    if len(credential) > MOST or Authenticator.objects.filter(user_id=user.pk, type=PASSKEY).count() >= PASSKEYS:
        return False
    form = AddWebAuthnForm(user=user, data={"name": name, "credential": credential})
    if not _is_valid(form):
        return False
    WebAuthn.add(user, name.strip()[:MAX_NAME] or "Passkey", form.cleaned_data["credential"])
    return True


@transaction.atomic
def new_codes(user: User) -> list[str]:
    """New recovery codes in place of all earlier ones, in clear: shown once."""
    User.objects.select_for_update().get(pk=user.pk)
    Authenticator.objects.filter(user_id=user.pk, type=CODES).delete()
    return list(RecoveryCodes.activate(user).generate_codes())


@transaction.atomic
def remove(user: User, *, pk: int | None = None) -> bool:
    """Take away one of them, or (None) all; recovery codes go with the last. False: there was none."""
    mine = Authenticator.objects.filter(user_id=user.pk)
    gone, _ = mine.filter(pk=pk, type__in=FACTORS).delete() if pk is not None else mine.delete()
    if not mine.filter(type__in=FACTORS).exists():
        mine.delete()
    return bool(gone)


def _offer(user: User, secret: str, sealed: str = "") -> Offer:
    adapter = get_adapter()
    url = adapter.build_totp_url(user, secret)
    drawn = qrcode.QRCode(border=2, error_correction=qrcode.constants.ERROR_CORRECT_M)
    drawn.add_data(url)
    rows = drawn.get_matrix()
    path = "".join(f"M{x} {y}h1v1h-1z" for y, row in enumerate(rows) for x, dark in enumerate(row) if dark)
    sealed = sealed or adapter.encrypt(signing.dumps({"user": str(user.pk), "secret": secret}, salt=_OFFER))
    return Offer(sealed=sealed, secret=secret, url=url, size=len(rows), path=path)


def _by_code(user: User, code: str) -> Authenticator | None:
    code = "".join(code.split())
    if not code or len(code) > MAX_NAME:
        return None
    held = Authenticator.objects.filter(user_id=user.pk, type__in=(APP, CODES)).order_by("-type")
    return next((one for one in held if _takes(one, code)), None)


def _takes(one: Authenticator, code: str) -> bool:
    """Whether it is a code of this app, or of these recovery codes, for the first time."""
    return _spend(one, code) if one.type == APP else bool(one.wrap().validate_code(code))


@transaction.atomic
def _spend(app: Authenticator, code: str) -> bool:
    """Use up a code of the app: it is good once, for whatever it is given and whichever process is asked (RFC 6238,
    5.2). Kept beside the secret are the steps whose codes were used, as long as such a code would match.
    """
    held = Authenticator.objects.select_for_update().filter(pk=app.pk).first()
    if held is None:  # taken away meanwhile
        return False
    used = set(yield_hotp_counters_from_time()).intersection(held.data.get(_USED, ()))
    steps = _steps_of(get_adapter().decrypt(held.data["secret"]), code)
    if not steps or steps & used:
        return False
    _mark(held, used | steps)
    return True


def _mark(app: Authenticator, used: set[int]) -> None:
    Authenticator.objects.filter(pk=app.pk).update(data={**app.data, _USED: sorted(used)})


def _steps_of(secret: str, code: str) -> set[int]:
    """The steps whose code this is, among those that a phone's clock may be at by now."""
    return {
        step
        for step in yield_hotp_counters_from_time()
        if compare_user_code(actual=code, expected=format_hotp_value(hotp_value(secret, step)))
    }


def _is_of(app: Authenticator, secret: str) -> bool:
    """Whether the app has this secret; of one that another hub sealed nobody can tell."""
    try:
        return bool(get_adapter().decrypt(app.data["secret"]) == secret)
    except InvalidToken:
        return False


def _by_passkey(user: User, credential: str) -> Authenticator | None:
    if not credential or len(credential) > MOST:
        return None
    form = AuthenticateWebAuthnForm(user=user, data={"credential": credential})
    return form.cleaned_data["credential"] if _is_valid(form) else None


def _is_valid(form: AddWebAuthnForm | AuthenticateWebAuthnForm) -> bool:
    """What a browser sends may be anything: the library raises whatever its parsers do."""
    try:
        return bool(form.is_valid())
    except (ArithmeticError, AttributeError, LookupError, TypeError, ValueError, RecursionError):
        return False
