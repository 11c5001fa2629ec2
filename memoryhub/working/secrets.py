"""Which characters of a text are a secret? Keys, tokens, passwords, pins and door codes (R12).

Three ways to know one: its issuer's own shape, a structure around it (a key block, a URL, a header, an assignment), or
words that name it ("the gate code is …"), in English and in other languages. Every pattern is bounded, so time grows
with length only.
"""

from collections.abc import Iterator

from memoryhub.working.patterns import Scan
from memoryhub.working.secret_structures import find_structured_secrets
from memoryhub.working.secrets_abroad import find_secrets_abroad
from memoryhub.working.spoken_codes import find_spoken_codes
from memoryhub.working.spoken_secrets import find_spoken_secrets
from memoryhub.working.vendor_keys import find_vendor_keys

#: (start, end, kind) in the text that was searched.
Span = tuple[int, int, str]


def find_secrets(scan: Scan) -> Iterator[Span]:
    """Every secret in the text; spans may overlap."""
    for start, end in find_vendor_keys(scan):
        yield start, end, "key"
    yield from find_structured_secrets(scan)
    yield from find_spoken_secrets(scan)
    yield from find_spoken_codes(scan)
    yield from find_secrets_abroad(scan)
