"""What does a text say once tricks of spelling are taken away? Folded copies for matching; the original is never
changed.

`align` keeps, for each character of the copy, where it came from, so that what is found in the copy can be cut out of
the original. `skeleton` goes further (look-alike letters, accents) and is for matching alone (R11).
"""

import re
import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

from memoryhub.working.remembering import remembered

#: Characters nobody sees: zero-width, bidi controls, soft hyphens, variation selectors, fillers and tags.
INVISIBLE = re.compile(
    "[\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b-\u200f\u202a-\u202e\u2060-\u206f\u3164"
    "\ufe00-\ufe0f\ufeff\uffa0\ufff9-\ufffb\U000e0000-\U000e0fff]"
)
CONTROLS = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f]")
NEVER_NEEDED = re.compile("[\u00ad\u200b\u2060\ufeff\u202a-\u202e\u2066-\u2069]")
ACCENTS = re.compile("[\u0300-\u036f]")
#: Variation selectors in a row: each can carry a byte, and none does anything there.
_SELECTORS = re.compile("[\ufe00-\ufe0f\U000e0100-\U000e01ef]{6,}")
TAGS = re.compile("[\U000e0020-\U000e007e]+")
FLAG = "\U0001f3f4"

#: Letters of other alphabets that look like Latin ones; pairs "seen, meant".
LOOK_ALIKES = str.maketrans(
    dict(
        zip(
            "аеорсухіјѕԁһԛԝьАВЕКМНОРСТХУІЈЅѴѵгпклνοαρτυικχηωΑΒΕΖΗΙΚΜΝΟΡΤΥΧɑɡıƖℓɩӏӀօսոհցդԍԌɴʀʙʟʏɪᴀᴄᴅᴇᴊᴋᴍᴏᴘᴛᴜᴠᴡᴢꓲⅼ",
            "aeopcyxijsdhqwbABEKMHOPCTXYIJSVvrnknvoaptuikxnwABEZHIKMNOPTYXagillillounhgqGGNRBLYIACDEJKMOPTUVWZIl",
            strict=True,
        )
    )
)
_DASHES = re.compile("[\u2010-\u2015\u2212\u00ad\ufe58\ufe63\uff0d]")
_QUOTES = str.maketrans(
    {"\u2018": "'", "\u2019": "'", "\u201b": "'", "\u2032": "'", "\u02bc": "'", "\u201c": '"', "\u201d": '"'}
)


def listed(words: str, *, by: str | None = None) -> tuple[str, ...]:
    """The words of a list written as running text; `by`: what stands between them, else white space."""
    return tuple(word.strip() for word in words.split(by) if word.strip())


@dataclass(frozen=True)
class Aligned:
    """A folded copy; `origin[i]` is where its i-th character stood in the original (one more entry for the end)."""

    text: str
    origin: Sequence[int]

    def span(self, start: int, end: int) -> tuple[int, int]:
        """The span of the original that the span of the copy came from, hidden characters inside it included."""
        if end <= start:
            return self.origin[start], self.origin[start]
        return self.origin[start], self.origin[end - 1] + 1


def align(text: str) -> Aligned:
    """Fold compatibility forms, digits of every script, dashes, quotes and spaces; drop what nobody sees."""
    if text.isascii():
        return Aligned(text, range(len(text) + 1))
    pieces: list[str] = []
    origin: list[int] = []
    for index, character in enumerate(text):
        folded = character if character < "\x80" else _fold(character)
        if folded:
            pieces.append(folded)
            origin.extend([index] * len(folded))
    origin.append(len(text))
    return Aligned("".join(pieces), origin)


@lru_cache(maxsize=8192)
def _fold(character: str) -> str:
    if INVISIBLE.match(character):
        return ""
    digit = unicodedata.decimal(character, None)
    if digit is not None:
        return str(digit)
    if _DASHES.match(character):
        return "-"
    if character.isspace():
        return "\n" if character in "\x85\u2028\u2029" else " "
    return unicodedata.normalize("NFKC", character).translate(_QUOTES)


@remembered
def skeleton(text: str) -> str:
    """What the eye reads: NFKC, nothing hidden, no accents, look-alike letters made Latin, lower case (R11)."""
    if not text.isascii():
        text = unicodedata.normalize("NFKC", INVISIBLE.sub("", text)).translate(_QUOTES)
        text = ACCENTS.sub("", unicodedata.normalize("NFD", text)).translate(LOOK_ALIKES)
        text = _DASHES.sub("-", text)
    return text.lower()


def tidy(text: str) -> str:
    """The text to keep: composed (NFC), without controls, stray zero-width spaces and half surrogates; joiners of a
    script stay.
    """
    cleaned = NEVER_NEEDED.sub("", CONTROLS.sub("", text.encode("utf-8", "ignore").decode("utf-8")))
    return unicodedata.normalize("NFC", cleaned)


def hidden_text(text: str) -> str:
    """What is written in tag characters, flag emoji left out; "" where nothing hides (R11)."""
    runs = (run for run in TAGS.finditer(text) if run.start() == 0 or text[run.start() - 1] != FLAG)
    tags = ["".join(chr(ord(character) - 0xE0000) for character in run.group()) for run in runs]
    return " ".join([*tags, *(_from_selectors(run.group()) for run in _SELECTORS.finditer(text))])


def _from_selectors(run: str) -> str:
    codes = (ord(character) for character in run)
    return bytes(code - 0xFE00 if code < 0xFE10 else code - 0xE0100 + 16 for code in codes).decode("utf-8", "replace")
