"""How are secrets and refused words taken out of nested JSON? For actions, observations, signals and state (R50, R61).

Every string is cleaned where it stands; a name such as "password" condemns its value whatever that looks like. Refused
words are masked by whole strings: what is left of a half-masked one could still say it.
"""

import re
import unicodedata
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Final

from memoryhub.errors import Invalid
from memoryhub.working.redaction import redact

WITHHELD: Final = "[withheld]"
REMOVED: Final = "[secret removed]"
MAX_DEPTH: Final = 20  # security.md: depth of a body
COPIED_WORDS: Final = 4  # so many words in a row, taken from a withheld message, are a copy of it and no coincidence

_CONDEMNED = re.compile(
    r"(?i)(?:^|[_\-. ])(?:password|passwd|passphrase|passcode|pwd|secret|api[_-]?key|access[_-]?key|private[_-]?key|"
    r"(?:access|auth|refresh|bearer|id|session)[_-]?token|token|authorization|cookie|credentials?|pin|pin[_-]?code|otp|cvv|cvc|"
    r"card[_-]?number|iban|ssn)$"
)
#: Nothing to find in these: short words and identifiers without a digit, and plain short numbers.
_HARMLESS = re.compile(r"[A-Za-z][a-z]{0,14}(?:[_ ][a-z]{1,14}){0,3}|\d{1,5}(?:\.\d{1,2})?|\d{4}-\d\d-\d\d")
_CURRENCY = re.compile(r"[$€£¥₹]|(?<=\d),(?=\d{3})")


@dataclass(frozen=True)
class Refused:
    """What may not reappear anywhere in a turn: exact values, and (where its words are withheld) the message itself."""

    values: tuple[str, ...] = field(default=(), repr=False)
    message: str = field(default="", repr=False)

    def __bool__(self) -> bool:
        return bool(self.values or self.message)

    def stands_in(self, text: str) -> bool:
        """Whether a string gives away a refused value or copies the withheld message, however it is spelt."""
        folded = _fold(text)
        if not folded:
            return False
        if any(pattern.search(folded) for pattern in self._patterns):
            return True
        message = self._folded_message
        return bool(message) and (message in folded or (folded.count(" ") + 1 >= COPIED_WORDS and folded in message))

    @cached_property
    def _patterns(self) -> tuple[re.Pattern[str], ...]:
        wanted = {folded for value in self.values if (folded := _fold(value))}
        return tuple(re.compile(rf"(?<!\w){re.escape(folded)}(?!\w)") for folded in sorted(wanted))

    @cached_property
    def _folded_message(self) -> str:
        return _fold(self.message)


NOTHING_REFUSED: Final = Refused()


def cleaned(value: object, refused: Refused = NOTHING_REFUSED) -> object:
    """The same JSON without secrets, personal data and refused words. Raises Invalid when it is nested too deeply."""
    return _clean(value, refused, name="", depth=0)


def _clean(value: object, refused: Refused, *, name: str, depth: int) -> object:
    if depth > MAX_DEPTH:
        raise Invalid("The JSON is nested too deeply.", code="too_deep")
    if isinstance(value, Mapping):
        return {
            _clean_name(key): _clean(inner, refused, name=str(key), depth=depth + 1) for key, inner in value.items()
        }
    if isinstance(value, Sequence) and not isinstance(value, str | bytes):
        return [_clean(inner, refused, name=name, depth=depth + 1) for inner in value]
    if value is None or isinstance(value, bool):
        return value
    if isinstance(value, int | float):
        return _clean_number(value, refused, name=name)
    return clean_text(str(value), refused, name=name)


def clean_text(text: str, refused: Refused, *, name: str = "") -> str:
    """One string: removed under a condemning name, masked when it gives refused words away, else redacted."""
    if text and _CONDEMNED.search(name):
        return REMOVED
    if refused and refused.stands_in(text):
        return WITHHELD
    if len(text) < 4 or _HARMLESS.fullmatch(text):
        return text
    return redact(text).text


def _clean_number(number: int | float, refused: Refused, *, name: str) -> object:
    text = str(number)
    clean = clean_text(text, refused, name=name)
    return number if clean == text else clean


def _clean_name(name: object) -> str:
    text = str(name)
    return text if len(text) < 4 or _HARMLESS.fullmatch(text) else redact(text).text


def _fold(text: str) -> str:
    """Spelling taken away: width, case, spaces, currency signs, thousands separators."""
    folded = unicodedata.normalize("NFKC", text).casefold()
    return " ".join(_CURRENCY.sub("", folded).split())
