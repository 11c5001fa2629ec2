"""Was this form sent before? A form that makes something new each time carries a token that is good for one time.

A double press or a reload sends the same token again; only the first does something. The tokens spent are in the cache.
"""

import secrets
from typing import Final

from django.core.cache import cache
from django.http import HttpRequest

FIELD: Final = "once"
LIFETIME: Final = 24 * 3600  # seconds: longer than anybody keeps such a page open
MOST: Final = 64  # characters


def token() -> str:
    """A new one, for a form that is about to be shown."""
    return secrets.token_urlsafe(16)


def is_spent(request: HttpRequest) -> bool:
    """Spend the token that came with the form: whether it was spent before. A form without one is no page's own."""
    given = request.POST.get(FIELD, "")[:MOST]
    return bool(given) and not cache.add(f"once:{request.user.pk}:{given.encode().hex()}", True, LIFETIME)
