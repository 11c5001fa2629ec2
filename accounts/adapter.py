"""How does django-allauth behave here? Nobody signs up, nothing is mailed, and secrets are kept sealed."""

import base64
from typing import Any

from allauth.account.adapter import DefaultAccountAdapter
from allauth.mfa.adapter import DefaultMFAAdapter
from cryptography.fernet import Fernet
from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.hazmat.primitives.kdf.hkdf import HKDF
from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect

from accounts.attempts import caller_of

_SEALED_FOR = b"memoryhub: secrets of second factors"


class SigningIn(DefaultAccountAdapter):
    """Signing in has two steps at most: the password, and a second factor where somebody has one."""

    def is_open_for_signup(self, request: HttpRequest) -> bool:
        return False

    def get_login_stages(self) -> list[str]:
        return ["accounts.stages.SecondStep"]

    def respond_user_inactive(self, request: HttpRequest, user: Any) -> HttpResponse:
        return redirect("accounts:sign-in")

    def get_client_ip(self, request: HttpRequest) -> str:
        return caller_of(request)

    def add_message(self, *args: Any, **kwargs: Any) -> None:
        """Pages say what happened in their own words."""

    def send_notification_mail(self, *args: Any, **kwargs: Any) -> None:
        """The hub sends no mail; the audit trail has what was changed."""


class SecondFactors(DefaultMFAAdapter):
    """Secrets are encrypted with a key of the hub's own, which is in its secrets file and never in the database."""

    def encrypt(self, text: str) -> str:
        return _box().encrypt(text.encode()).decode()

    def decrypt(self, encrypted_text: str) -> str:
        """Raises InvalidToken for what another hub sealed: better no way in than a guessable one."""
        return _box().decrypt(encrypted_text.encode()).decode()

    def get_public_key_credential_rp_entity(self) -> dict[str, str]:
        return {**super().get_public_key_credential_rp_entity(), "name": settings.MFA_TOTP_ISSUER}


def _box() -> Fernet:
    derived = HKDF(algorithm=SHA256(), length=32, salt=None, info=_SEALED_FOR)
    return Fernet(base64.urlsafe_b64encode(derived.derive(settings.MEMORYHUB_KEY_PEPPER.encode())))
