"""How does a one-time link open one person's memory page? Minting its token, and the hash that is stored (R90)."""

import hashlib


def digest_of(token: str) -> str:
    """The hash under which a link is stored and found (tenancy.knowing("link", …)); random input needs no salt."""
    return hashlib.sha256(token.encode("utf-8", "replace")).hexdigest()
