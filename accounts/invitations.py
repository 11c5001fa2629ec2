"""How does somebody set a password without anybody else knowing it? By a link that works once, signed and kept nowhere.

It names the person, the organisation that gave it out, and the password they had then (as a hash of its hash): once
there is another password the link is used up, whoever comes second.
"""

import uuid
from dataclasses import dataclass
from datetime import timedelta
from typing import Any, Final

from django.core import signing
from django.utils.crypto import constant_time_compare, salted_hmac

from accounts.models import User

LIFETIME: Final = timedelta(days=3)
_SALT: Final = "accounts.invitation"


@dataclass(frozen=True)
class Invitation:
    """Who may set a password, and where they were asked in."""

    person: uuid.UUID
    organisation: uuid.UUID
    mark: str

    def is_for(self, person: User) -> bool:
        """Whether the person's password is still the one from when it was given out."""
        return person.pk == self.person and person.is_active and constant_time_compare(_mark(person), self.mark)


def make(person: User, *, organisation: uuid.UUID) -> str:
    """The token of a link."""
    return signing.dumps({"u": str(person.pk), "o": str(organisation), "m": _mark(person)}, salt=_SALT)


def read(token: str) -> Invitation | None:
    """What a token says; None when it is altered or too old: the two look the same."""
    try:
        said: dict[str, Any] = signing.loads(token, salt=_SALT, max_age=LIFETIME)
        return Invitation(uuid.UUID(said["u"]), uuid.UUID(said["o"]), str(said["m"]))
    except (signing.BadSignature, LookupError, TypeError, ValueError):
        return None


def _mark(person: User) -> str:
    return salted_hmac(_SALT, person.password, algorithm="sha256").hexdigest()[:32]
