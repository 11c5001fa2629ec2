"""How does a one-time link open one person's memory page? The hash that is stored, and using a link up (R90)."""

import hashlib
from datetime import datetime

from accounts.models import PageLink


def digest_of(token: str) -> str:
    """The hash under which a link is stored and found (tenancy.knowing("link", …)); random input needs no salt."""
    return hashlib.sha256(token.encode("utf-8", "replace")).hexdigest()


def usable(digest: str, *, now: datetime) -> PageLink | None:
    """The link, while it may still be opened; None when unknown, used or too old: the three look the same."""
    return PageLink.objects.filter(digest=digest, used_at__isnull=True, expires_at__gt=now).first()


def use(link: PageLink, *, now: datetime) -> bool:
    """Use the link up; False when somebody else did first."""
    return PageLink.objects.filter(pk=link.pk, used_at__isnull=True, expires_at__gt=now).update(used_at=now) == 1
