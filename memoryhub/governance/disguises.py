"""What does a text say when decoded? Tag characters, entities, base64, hex, digits for letters, gaps (R11).

The work is bounded by how many characters are decoded, not by how many parts there are: hiding an attack behind many
harmless codes costs its writer the text, and what is left unread is told of, so that a person looks.
"""

import base64
import binascii
import html
import quopri
import re
from collections.abc import Callable, Iterator
from itertools import islice
from urllib.parse import unquote

from memoryhub.working.normalisation import hidden_text, listed, skeleton
from memoryhub.working.patterns import Sieved

_BASE64 = re.compile(r"(?<![A-Za-z0-9+/_-])[A-Za-z0-9+/_-]{16,8192}={0,2}")
_SPLIT_BASE64 = re.compile(r"(?<![A-Za-z0-9+/])(?:[A-Za-z0-9+/]{2,76}+[ \t\n\r]{1,3}){2,64}[A-Za-z0-9+/]{1,76}={0,2}")
_HEX = re.compile(r"(?<![0-9a-fA-F])(?:(?:0x|\\x)?[0-9a-fA-F]{2}[ ,:]{0,2}){10,4096}")
_MIXED = re.compile(r"[a-z][A-Z0-9]|[A-Z]{2}[a-z]|[0-9][a-zA-Z]|[+/]")
_MOST_WORK = 400_000  # characters decoded, all levels together; several times the largest text
_ESCAPES = re.compile(r"\\(?:u\{?([0-9a-fA-F]{4,6})\}?|U([0-9a-fA-F]{8})|x([0-9a-fA-F]{2})|([0-3][0-7]{2}))")
_QUOTED_PRINTABLE = re.compile(r"(?:=[0-9A-F]{2}[^=\n]{0,3}){6}")
_NUMBERS = re.compile(r"(?<![\w.])(?:\d{2,3}[ ,;-]{1,2}){9,2000}\d{2,3}(?![\w.])")
_BINARY = re.compile(r"(?<!\w)(?:[01]{8}[ ,\n]{0,2}){6,2000}(?!\w)")
_ENCODED_AGAIN = re.compile(r"[A-Za-z0-9+/_=%&#;\\-]{16,}")
_BASE32 = re.compile(
    r"(?<![A-Za-z0-9])(?:[A-Z2-7]{24,8192}|[a-z2-7]{24,8192}|[0-9A-V]{24,8192}|[0-9a-v]{24,8192})={0,6}(?![A-Za-z0-9])"
)
#: What markup puts between the letters of a word or around single words, and a word broken at a line's end.
_IN_WORDS = Sieved(
    r"<!--[^<>]{0,80}-->|</?[a-z][^<>]{0,60}>|(?<=\w)(?:\*\*|__|~~)|(?:\*\*|__|~~)(?=\w)|(?<=\w)-[ ]?\n[ ]{0,4}(?=\w)"
)
_LABEL = re.compile(r"\[([^\[\]\n]{1,60})\]\([^()\s]{0,200}\)")
#: A run of letters no word is as long as, and the words an attack is made of.
_RUN_ON = re.compile(r"[a-z]{25,400}")
_ITS_WORDS = re.compile(
    r"(ignore|disregard|forget|overlook|override|bypass|setaside|everything|all|any|every|each|your|the|my|these|"
    r"previous|prior|earlier|above|former|instructions?|rules?|prompts?|guidelines?|orders?|polic(?:y|ies)|system|"
    r"and|treat|approve|grant|refunds?|without|checks?|reveal|print|secret|passwords?|administrator|admin)"
)
_MORSE = re.compile(r"(?:[.-]{1,5}[ /]{1,3}){8,2000}[.-]{1,5}")
_LEET = str.maketrans(
    {"0": "o", "1": "i", "3": "e", "4": "a", "5": "s", "7": "t", "@": "a", "$": "s", "!": "i", "|": "i", "€": "e"}
)
_ROT13 = str.maketrans("abcdefghijklmnopqrstuvwxyz", "nopqrstuvwxyzabcdefghijklm")
_ATBASH = str.maketrans("abcdefghijklmnopqrstuvwxyz", "zyxwvutsrqponmlkjihgfedcba")
_SPACED = re.compile(r"(?:(?<=\s)|^)(?:\w[\s.,_*~-]{1,3}){7,400}\w(?=\s|$|[.!?])")
_MORSE_SIGNS = dict(
    zip(
        [
            ".-",
            "-...",
            "-.-.",
            "-..",
            ".",
            "..-.",
            "--.",
            "....",
            "..",
            ".---",
            "-.-",
            ".-..",
            "--",
            "-.",
            "---",
            ".--.",
            "--.-",
            ".-.",
            "...",
            "-",
            "..-",
            "...-",
            ".--",
            "-..-",
            "-.--",
            "--..",
        ],
        "abcdefghijklmnopqrstuvwxyz",
        strict=True,
    )
)
_WORDS = listed(
    """
    ignor disreg forget instruct prompt system approv remember assist overrid bypass secret refund reveal disclos
    password unrestrict previous
    """
)
_NEEDED = re.compile("|".join(_WORDS))


class Unread(Exception):
    """There was more to decode than anybody writes."""


def disguises(text: str) -> Iterator[str]:
    """Skeletons of what the text says when decoded: tag characters, entities, escapes, base64, hex, spacing, digits for
    letters, letters moved or turned round. Raises Unread, last of all, when not everything could be looked at.
    """
    if not text.isascii():
        hidden = hidden_text(text)
        if hidden:
            yield skeleton(hidden)
        if any(mark in text for mark in "\u202e\u202d\u2067"):
            yield skeleton(text)[::-1]
    work = _Work()
    for decoded in _decoded(text, work, depth=3):
        yield skeleton(decoded)
    yield from _respelt(skeleton(text))
    if work.exhausted:
        raise Unread


def _respelt(plain: str) -> Iterator[str]:
    said = _needed_in(plain)
    letters = plain.translate(_LEET)
    if letters != plain:
        respelt = re.sub(r"[\s_*.~-]+", " ", letters)
        if _says_more(respelt, said):
            yield respelt
    elif "_" in plain or "*" in plain or "." in plain:
        respelt = re.sub(r"[\s_*.~-]+", " ", plain.rstrip(".!? "))
        if _says_more(respelt, said) or (_NEEDED.search(respelt) and respelt.count(" ") > plain.count(" ") + 1):
            yield respelt
    if _SPACED.search(plain):
        yield _close_up(plain)
    closed = _LABEL.sub(r"\1", _IN_WORDS.sub("", plain))
    if closed != plain and (_says_more(closed, said) or closed.count("[") < plain.count("[") - 2):
        yield closed
    for run in _RUN_ON.findall(plain):
        if _NEEDED.search(run):
            yield " ".join(_ITS_WORDS.sub(r" \1 ", run).replace("setaside", "set aside").split())
    for turned in (plain.translate(_ROT13), plain.translate(_ATBASH), plain[::-1], plain.replace("-", "")):
        if _says_more(turned, said):
            yield turned
    words_turned = " ".join(word[::-1] for word in plain.split())
    if _says_more(words_turned, said):
        yield words_turned


class _Work:
    """How much was decoded so far."""

    def __init__(self) -> None:
        self.left = _MOST_WORK

    def take(self, characters: int) -> bool:
        """Whether so many more may be decoded."""
        self.left -= characters
        return self.left >= 0

    @property
    def exhausted(self) -> bool:
        return self.left < 0


def _needed_in(text: str) -> frozenset[str]:
    return frozenset(word for word in _WORDS if word in text)


def _says_more(respelt: str, said: frozenset[str]) -> bool:
    """Whether words that matter appear only once it is respelt; `said`: those that did before."""
    return not _needed_in(respelt) <= said


def _close_up(text: str) -> str:
    """Letters spaced out are put together again; where two spaces or more stood, a word ended."""
    words = re.split(r"\s{2,}|[.!?]\s", text)
    if len(words) > 1:
        return " ".join(re.sub(r"(?<=\b\w)[\s.,_*~-](?=\w\b)", "", word) for word in words)
    joined = re.sub(r"(?<=\b\w)[\s.,_*~-]+(?=\w\b)", "", text)
    return re.sub(
        r"(ignore|disregard|forget|all|previous|prior|above|instructions?|system|prompt|your|the)", r"\1 ", joined
    )


def _decoded(text: str, work: _Work, *, depth: int) -> Iterator[str]:
    """What the encoded parts of a text say, and in those, so many levels deep."""
    for decoded in _each_decoded(text, work):
        if decoded != text and decoded.strip():
            yield decoded
            if depth > 1:
                yield from _decoded(decoded, work, depth=depth - 1)


def _each_decoded(text: str, work: _Work) -> Iterator[str]:
    for applies, decode in _WHOLE:
        if applies(text) and work.take(len(text)):
            yield decode(text)
    blocks: list[str] = []  # of one kind, put together again: an attack may be cut into pieces
    for pattern in (_BASE64, _SPLIT_BASE64) if _is_mixed(text) else ():
        for match in pattern.finditer(text):
            if (
                _looks_encoded(match.group())
                and work.take(len(match.group()))
                and (words := _from_base64(match.group()))
            ):
                blocks.append(words)
                yield words
    for pattern, decode in _PARTS:
        for match in pattern.finditer(text):
            if work.take(len(match.group())) and (words := decode(match.group())):
                blocks.append(words)
                yield words
    if len(blocks) > 1:
        yield " ".join(blocks)


def _unescape(text: str) -> str:
    def letter(match: re.Match[str]) -> str:
        digits = match.group(1) or match.group(2) or match.group(3)
        code = int(digits, 16) if digits else int(match.group(4), 8)
        return chr(code) if code < 0x110000 else ""

    return _ESCAPES.sub(letter, text)


def _from_quoted_printable(text: str) -> str:
    return quopri.decodestring(text.encode("utf-8", "replace")).decode("utf-8", "replace")


def _from_numbers(block: str) -> str:
    """Character codes, in decimal or in octal."""
    codes = re.findall(r"\d+", block)
    said = _readable(bytes(code for code in map(int, codes) if code < 256))
    if any("8" in code or "9" in code for code in codes):
        return said
    return said or _readable(bytes(code for code in (int(code, 8) for code in codes) if code < 256))


def _from_binary(block: str) -> str:
    digits = re.sub(r"[^01]", "", block)
    return _readable(bytes(int(digits[place : place + 8], 2) for place in range(0, len(digits) // 8 * 8, 8)))


def _from_base32(block: str) -> str:
    compact = block.rstrip("=").upper()
    padded = compact + "=" * (-len(compact) % 8)
    for decode in (base64.b32decode, base64.b32hexdecode):
        try:
            said = _readable(decode(padded))
        except (binascii.Error, ValueError):
            continue
        if said:
            return said
    return ""


def _from_morse(block: str) -> str:
    words = re.split(r" ?/ ?| {3}", block)
    said = " ".join("".join(_MORSE_SIGNS.get(sign, "") for sign in word.split()) for word in words)
    return said if len(said) >= 8 else ""


def _looks_encoded(block: str) -> bool:
    """Whether letters change case or meet digits inside words, as they do in base64 and hardly in prose."""
    return _is_mixed(block[:400])


def _is_mixed(text: str) -> bool:
    return next(islice(_MIXED.finditer(text), 1, None), None) is not None


def _from_base64(block: str) -> str:
    compact = re.sub(r"\s+", "", block).rstrip("=").replace("-", "+").replace("_", "/")
    for offset in range(4 if any(character.isspace() for character in block) else 1):
        piece = compact[offset:]
        try:
            decoded = base64.b64decode(
                piece[: len(piece) - (len(piece) % 4 == 1)] + "=" * (-(len(piece) - (len(piece) % 4 == 1)) % 4)
            )
        except (binascii.Error, ValueError):
            continue
        if words := _readable(decoded):
            return words
    return ""


def _from_hex(block: str) -> str:
    digits = re.sub(r"0x|\\x|[ ,:]", "", block)
    return _readable(bytes.fromhex(digits[: len(digits) // 2 * 2]))


def _readable(raw: bytes) -> str:
    """The bytes as text when they are text: printable, with spaces; else ""."""
    try:
        words = raw.decode("utf-8")
    except UnicodeDecodeError:
        try:
            words = raw[: len(raw) - 3].decode("utf-8")
        except UnicodeDecodeError:
            return ""
    printable = sum(character.isprintable() or character.isspace() for character in words)
    if len(words) < 8 or printable < 0.95 * len(words):
        return ""
    return words if " " in words.strip() or _ENCODED_AGAIN.fullmatch(words.strip()) else ""


#: Ways of writing that a whole text may have: whether it does, and what it says.
_WHOLE: tuple[tuple[Callable[[str], bool], Callable[[str], str]], ...] = (
    (lambda text: "&" in text and ";" in text, html.unescape),
    (lambda text: text.count("%") >= 5, lambda text: unquote(text, errors="replace")),
    (lambda text: text.count("=") >= 8 and _QUOTED_PRINTABLE.search(text) is not None, _from_quoted_printable),
    (lambda text: text.count("\\") >= 4, _unescape),
)
#: Ways of writing that parts of a text may have.
_PARTS: tuple[tuple[re.Pattern[str], Callable[[str], str]], ...] = (
    (_HEX, _from_hex),
    (_NUMBERS, _from_numbers),
    (_BINARY, _from_binary),
    (_BASE32, _from_base32),
    (_MORSE, _from_morse),
)
