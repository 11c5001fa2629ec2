"""May this be an id? A caller's own ids are kept for ever and shown everywhere, so none may be a secret itself (R12).

Judged by shape alone: the words of an id ("reset-password-7") say nothing. Addresses and telephone numbers are what
people are called by in many systems, so they pass; so does whatever is merely random.
"""

import re
import unicodedata
from typing import Final

from stdnum import luhn

from memoryhub.word_caches import holds_words
from memoryhub.working.normalisation import INVISIBLE, align
from memoryhub.working.patterns import Scan
from memoryhub.working.payments import find_payments
from memoryhub.working.secret_structures import find_structured_secrets
from memoryhub.working.vendor_keys import find_vendor_keys

_SHORTEST: Final = 12  # nothing that is a key or a number of an account is shorter
_ASSIGNED: Final = re.compile(
    r"(?i)(?:passw(?:or)?d|passwort|pwd|passphrase|secret|token|api[_-]?key|access[_-]?key|credentials?)[ ]?=[ ]?\S{4}"
)
#: Of the networks that most cards are of; where digits stand in groups, any network's.
_CARD: Final = re.compile(
    r"4\d{15}|5[1-5]\d{14}|2(?:22[1-9]|2[3-9]\d|[3-6]\d\d|7[01]\d|720)\d{12}|3[47]\d{13}|6011\d{12}"
)
_LOGIN: Final = re.compile(r"://[^\s:/@?#]{0,80}:[^\s@]{1,150}@")
#: Signs that stand over numbers and words in Arabic, Syriac and Kaithi: format characters, but drawn.
_DRAWN: Final = frozenset("\u0600\u0601\u0602\u0603\u0604\u0605\u06dd\u070f\u0890\u0891\u08e2\U000110bd\U000110cd")
_JOINING: Final = (
    "ARABIC", "SYRIAC", "MANDAIC", "NKO", "MONGOLIAN", "DEVANAGARI", "BENGALI", "GURMUKHI", "GUJARATI", "ORIYA",
    "TAMIL", "TELUGU", "KANNADA", "MALAYALAM", "SINHALA", "KHMER", "MYANMAR", "TIBETAN", "BALINESE", "JAVANESE",
)  # fmt: skip
_JOINERS: Final = frozenset("\u200c\u200d")
_VARIANT: Final = frozenset("\ufe0e\ufe0f")


def hides_something(text: str) -> bool:
    """Whether a character of it is seen by nobody, or turns the direction of others: two ids that look the same would
    be two people. Joiners may stand where a script or an emoji is written with them, and forms after a symbol.
    """
    return not text.isascii() and any(
        _is_hidden(character) and not _is_needed(character, text[max(0, at - 1) : at], text[at + 1 : at + 2])
        for at, character in enumerate(text)
    )


def _is_hidden(character: str) -> bool:
    category = unicodedata.category(character)
    return (
        category in ("Zl", "Zp")
        or (category == "Cf" and character not in _DRAWN)
        or INVISIBLE.match(character) is not None
    )


def _is_needed(character: str, before: str, after: str) -> bool:
    if character in _VARIANT:
        return bool(before) and unicodedata.category(before) == "So"
    if character not in _JOINERS or not before or not after:
        return False
    return (_joins(before) and _joins(after)) or (
        character == "\u200d" and unicodedata.category(after) == "So" and (before in _VARIANT or _is_symbol(before))
    )


def _joins(character: str) -> bool:
    """Whether it is a letter, or a sign of one, in a script that joins its letters, as Arabic does."""
    name = unicodedata.name(character, "")
    return unicodedata.category(character)[0] in "LM" and name.startswith(_JOINING)


def _is_symbol(character: str) -> bool:
    return unicodedata.category(character) in ("So", "Sk")  # a colour of skin is a modifier


@holds_words(most=4096)
def may_be_an_id(text: str) -> bool:
    """Whether a text holds no vendor's key, private key, password, card or account number."""
    plain = align(text).text
    if _ASSIGNED.search(plain) or _LOGIN.search(plain):
        return False
    if len(plain) < _SHORTEST:
        return True
    scan = Scan(plain)
    if next(find_vendor_keys(scan), None) is not None:
        return False
    if any(kind == "private key" for _, _, kind in find_structured_secrets(scan)):
        return False
    return not any(
        kind == "IBAN" or (kind == "card number" and _is_a_card(plain[start:end]))
        for start, end, kind in find_payments(scan)
    )


def _is_a_card(found: str) -> bool:
    """Whether it is a card's number, and not one of the many long ids that happen to have a check digit."""
    digits = re.sub(r"\D", "", found)
    return luhn.is_valid(digits) and (digits != found or _CARD.fullmatch(digits) is not None)
