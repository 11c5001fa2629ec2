"""Was this form sent before? A form that makes something new each time carries a token that is good for one time.

Its row is written in the transaction of what the form makes: of two presses the second waits for the first, in whatever
process either is served, and what is refused leaves the token as it was.
"""

import hashlib
import secrets
from datetime import datetime

from memoryhub import conf
from memoryhub.governance import opening
from memoryhub.models import SentForm
from memoryhub.tenancy import Principal


def token() -> str:
    """A new one, for a form that is about to be shown."""
    return secrets.token_urlsafe(16)


def spend(token: str, *, by: Principal, now: datetime) -> bool:
    """Spend a token in the caller's transaction: whether that was its first time."""
    person = opening.named(by)
    mine = SentForm.objects.filter(organisation_id=by.organisation, user=person)
    mine.filter(created_at__lt=now - conf.SENT_FORMS_KEPT).delete()
    digest = hashlib.sha256(token.encode("utf-8", "surrogatepass")).hexdigest()
    row = SentForm(organisation_id=by.organisation, user_id=person, token=digest, created_at=now)
    SentForm.objects.bulk_create([row], ignore_conflicts=True)
    return mine.get(token=digest).pk == row.pk
