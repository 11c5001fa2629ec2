"""How does a key become a caller? Minting, recognising and revoking API keys (security.md section 3).

`mhk_` + 8 characters to look it up + 32 secret characters + 6 characters of checksum, all base 62. The checksum
rejects typos and invented keys before any query; only an HMAC of the whole key is stored, so that a stolen table
opens nothing. A slow password hash would cost 100 ms a request and adds nothing to 190 random bits.
"""

import hashlib
import hmac
import re
import secrets
import string
import zlib
from datetime import datetime
from typing import Final

from django.db import connection

from accounts.models import Key

ALPHABET = string.digits + string.ascii_uppercase + string.ascii_lowercase
PATTERN = re.compile(r"mhk_([0-9A-Za-z]{8})([0-9A-Za-z]{32})([0-9A-Za-z]{6})")
_COLUMNS: Final = [field.attname for field in Key._meta.concrete_fields]
_FIND: Final = f"SELECT {', '.join(_COLUMNS)} FROM hub_key(%s)"
LOOKUP_LENGTH, SECRET_LENGTH, CHECKSUM_LENGTH = 8, 32, 6


def checksum(body: str) -> str:
    """Six base-62 characters of the CRC-32 of `body`."""
    number, digits = zlib.crc32(body.encode()), ""
    for _ in range(CHECKSUM_LENGTH):
        number, digit = divmod(number, len(ALPHABET))
        digits = ALPHABET[digit] + digits
    return digits


def new_text() -> str:
    """A fresh key in clear; shown once, never stored."""
    body = "".join(secrets.choice(ALPHABET) for _ in range(LOOKUP_LENGTH + SECRET_LENGTH))
    return f"mhk_{body}{checksum(body)}"


def lookup_of(text: str) -> str | None:
    """The lookup part of a well-formed key, or None when form or checksum is wrong (no query needed)."""
    match = PATTERN.fullmatch(text)
    if match is None or not hmac.compare_digest(checksum(match[1] + match[2]), match[3]):
        return None
    return match[1]


def find(lookup: str) -> Key | None:
    """The key of that lookup part, in one round trip and outside any transaction (accounts migration 0004)."""
    with connection.cursor() as cursor:
        cursor.execute(_FIND, [lookup])
        row = cursor.fetchone()
    return Key.from_db(connection.alias, _COLUMNS, row) if row is not None else None


def digest_of(text: str, *, pepper: str) -> str:
    """The keyed hash under which a key is stored."""
    return hmac.new(pepper.encode(), text.encode(), hashlib.sha256).hexdigest()


def matches(key: Key, text: str, *, pepper: str, now: datetime) -> bool:
    """Whether `text` is this key, and it is neither revoked nor expired."""
    same = hmac.compare_digest(key.digest, digest_of(text, pepper=pepper))
    return same and key.revoked_at is None and (key.expires_at is None or key.expires_at > now)
