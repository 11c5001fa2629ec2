"""Who calls? An API key becomes a Principal; nothing else does, and nothing in the body changes it (api.md, R110).

The key's checksum is judged before any query. Organisation, agent, person and roles come from the key's row alone.
A browser's session is never looked at here, so a page can't be tricked into calling in a person's name.
"""

import uuid
from datetime import datetime, timedelta
from typing import Final

from django.conf import settings
from django.http import HttpRequest

from accounts import keys
from accounts.models import Key
from memoryhub.errors import NotAuthenticated
from memoryhub.tenancy import Principal, knowing

CHALLENGE: Final = 'Bearer realm="memoryhub"'  # what an answer with 401 asks for
USED_BUCKET: Final = timedelta(minutes=5)  # last use is noted no finer, so that calls do not rewrite one row
MAX_HEADER: Final = 200  # characters; a key with its scheme has 57


def caller_of(request: HttpRequest, *, now: datetime) -> Principal:
    """The principal behind a request's key. Raises NotAuthenticated."""
    header = request.META.get("HTTP_AUTHORIZATION", "")
    scheme, _, text = header.partition(" ")
    if len(header) > MAX_HEADER or scheme.lower() != "bearer":
        raise NotAuthenticated
    principal = principal_of(text.strip(), now=now)
    if principal is None:
        raise NotAuthenticated
    return principal.with_request(str(getattr(request, "request_id", ""))[:64])


def principal_of(text: str, *, now: datetime) -> Principal | None:
    """The principal behind a key in clear, or None when it is malformed, unknown, revoked or expired."""
    lookup = keys.lookup_of(text)
    if lookup is None:
        return None
    key = keys.find(lookup)
    if key is None or not keys.matches(key, text, pepper=settings.MEMORYHUB_KEY_PEPPER, now=now):
        return None
    if key.last_used_at is None or now - key.last_used_at > USED_BUCKET:
        with knowing("key", lookup):
            Key.objects.filter(pk=key.pk).update(last_used_at=now)
    return Principal(
        organisation=key.organisation_id,
        label=label_of(key),
        roles=frozenset(key.roles),
        agent=_uuid(key.agent_id),
        user=_uuid(key.user_id),
        key=key.pk,
        bound_subject=key.subject,
    )


def label_of(key: Key) -> str:
    """How a key is named in audit rows and in what it confirms; at most 100 characters."""
    return f"key:{key.name[:80]} ({key.lookup})"


def _uuid(value: object) -> uuid.UUID | None:
    return value if isinstance(value, uuid.UUID) else None
