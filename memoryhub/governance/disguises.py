"""What does a text say when decoded? Tag characters, entities, base64, hex, digits for letters, gaps (R11)."""

import base64
import binascii
import html
import re
from collections.abc import Iterator
from urllib.parse import unquote

from memoryhub.working.normalisation import hidden_text, skeleton

_BASE64 = re.compile(r"(?<![A-Za-z0-9+/_-])[A-Za-z0-9+/_-]{16,8192}={0,2}")
_SPLIT_BASE64 = re.compile(r"(?:[A-Za-z0-9+/]{2,76}[ \t\n\r]{1,3}){2,64}[A-Za-z0-9+/]{1,76}={0,2}")
_HEX = re.compile(r"(?<![0-9a-fA-F])(?:(?:0x|\\x)?[0-9a-fA-F]{2}[ ,:]{0,2}){10,4096}")
_MIXED = re.compile(r"[a-z][A-Z0-9]|[A-Z]{2}[a-z]|[0-9][a-zA-Z]|[+/]")
_MOST_PARTS = 64  # decoded parts looked at; more of them is no message
_ESCAPES = re.compile(r"\\u([0-9a-fA-F]{4})")
_LEET = str.maketrans(
    {"0": "o", "1": "i", "3": "e", "4": "a", "5": "s", "7": "t", "@": "a", "$": "s", "!": "i", "|": "i", "€": "e"}
)
_ROT13 = str.maketrans("abcdefghijklmnopqrstuvwxyz", "nopqrstuvwxyzabcdefghijklm")
_SPACED = re.compile(r"(?:(?<=\s)|^)(?:\w[\s.,_*~-]{1,3}){7,400}\w(?=\s|$|[.!?])")
_NEEDED = re.compile(
    r"ignor|disreg|forget|instruct|prompt|system|approv|remember|assist|overrid|bypass|secret|refund|reveal"
)


def disguises(text: str) -> Iterator[str]:
    """Skeletons of what the text says when decoded: tag characters, entities, escapes, base64, hex, spacing, digits for
    letters.
    """
    if not text.isascii():
        hidden = hidden_text(text)
        if hidden:
            yield skeleton(hidden)
        if any(mark in text for mark in "\u202e\u202d\u2067"):
            yield skeleton(text)[::-1]
    for decoded in _decoded(text, depth=2):
        yield skeleton(decoded)
    plain = skeleton(text)
    letters = plain.translate(_LEET)
    if letters != plain:
        respelt = re.sub(r"[\s_*.~-]+", " ", letters)
        if _says_more(respelt, plain):
            yield respelt
    elif "_" in plain or "*" in plain or "." in plain:
        respelt = re.sub(r"[\s_*.~-]+", " ", plain)
        if _says_more(respelt, plain) or (_NEEDED.search(respelt) and respelt.count(" ") > plain.count(" ") + 1):
            yield respelt
    if _SPACED.search(plain):
        yield _close_up(plain)
    turned = plain.translate(_ROT13)
    if _says_more(turned, plain):
        yield turned


def _says_more(respelt: str, plain: str) -> bool:
    """Whether words that matter appear only once it is respelt."""
    return bool(set(_NEEDED.findall(respelt)) - set(_NEEDED.findall(plain)))


def _close_up(text: str) -> str:
    """Letters spaced out are put together again; where two spaces or more stood, a word ended."""
    words = re.split(r"\s{2,}|[.!?]\s", text)
    if len(words) > 1:
        return " ".join(re.sub(r"(?<=\b\w)[\s.,_*~-](?=\w\b)", "", word) for word in words)
    joined = re.sub(r"(?<=\b\w)[\s.,_*~-]+(?=\w\b)", "", text)
    return re.sub(
        r"(ignore|disregard|forget|all|previous|prior|above|instructions?|system|prompt|your|the)", r"\1 ", joined
    )


def _decoded(text: str, *, depth: int) -> Iterator[str]:
    """What the encoded parts of a text say, and in those; `depth` levels and _MOST_PARTS parts at most."""
    found: list[str] = []
    if "&" in text and ";" in text:
        found.append(html.unescape(text))
    if text.count("%") >= 5:
        found.append(unquote(text, errors="replace"))
    if "\\u" in text:
        found.append(_ESCAPES.sub(lambda match: chr(int(match.group(1), 16)), text))
    budget = _MOST_PARTS
    for pattern in (_BASE64, _SPLIT_BASE64):
        for match in pattern.finditer(text):
            if budget and _looks_encoded(match.group()) and (decoded := _from_base64(match.group())):
                budget -= 1
                found.append(decoded)
    for match in _HEX.finditer(text):
        if budget and (decoded := _from_hex(match.group())):
            budget -= 1
            found.append(decoded)
    for decoded in found:
        if decoded != text and decoded.strip():
            yield decoded
            if depth > 1:
                yield from _decoded(decoded, depth=depth - 1)


def _looks_encoded(block: str) -> bool:
    """Whether letters change case or meet digits inside words, as they do in base64 and hardly in prose."""
    return len(_MIXED.findall(block[:400])) >= 2


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
    return words if len(words) >= 8 and printable >= 0.95 * len(words) and " " in words.strip() else ""
