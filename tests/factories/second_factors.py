"""People with a second factor, and the codes their app shows at the moment."""

import time

from allauth.mfa.models import Authenticator
from allauth.mfa.totp.internal.auth import TOTP, format_hotp_value, hotp_value
from allauth.mfa.utils import decrypt

from accounts import second_factor
from accounts.models import User

SECRET = "JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP"


def give_app(user: User) -> list[str]:
    """An app for this person; its recovery codes."""
    TOTP.activate(user, SECRET)
    return second_factor.new_codes(user)


def code_of(secret: str = SECRET, *, later: int = 0) -> str:
    """What the app shows now, or so many steps of half a minute later."""
    return format_hotp_value(hotp_value(secret, int(time.time()) // 30 + later))


def secret_of(user: User) -> str:
    """The secret that is kept, in clear."""
    return str(decrypt(Authenticator.objects.get(user=user, type=second_factor.APP).data["secret"]))
