"""How is stored text shown to a model so that it stays data? (R34)

Content may come from anywhere. Whatever it holds, one piece of content becomes one line in curly quotes: it can't end
the line or the quotation, can't write anything that looks like the block's tags or the mark of a note, and hides
nothing. Words and their order stay; only characters that could deceive are replaced.
"""

import re
import unicodedata
from functools import lru_cache
from typing import Final

#: Begins every note; stored text can't hold it, so text that does was quoted from the hub (R13).
MARK: Final = "‹note›"
BLOCK: Final = "memory-notes"

_SPACES = re.compile(r"\s+")
_BLOCK_NAME = re.compile(r"(memory)[\W_]{0,4}(notes)", re.IGNORECASE)
_ENTITY = re.compile(r"&(?=#?\w{2,31};)")

# Characters that are drawn as nothing although they count as letters or marks.
_BLANK: Final = frozenset("\u034f\u115f\u1160\u17b4\u17b5\u2800\u3164\uffa0")

# What is drawn like < or >, by name where a family has many members. Angle brackets and quotation marks go by category.
_LESS = re.compile(r"LESS-THAN|PRECEDES|LEFT(WARDS)? ARROWHEAD|LEFT[- ]POINTING .{0,60}(TRIANGLE|POINTER)")
_GREATER = re.compile(r"GREATER-THAN|SUCCEEDS|RIGHT(WARDS)? ARROWHEAD|RIGHT[- ]POINTING .{0,60}(TRIANGLE|POINTER)")
_LESS_ALONE: Final = frozenset("<\U0001d236")
_GREATER_ALONE: Final = frozenset(">\U0001d237\U00016f3f")
_LONE_SYLLABIC = re.compile(
    r"(?<![\u1400-\u167f])[\u1433\u1438]+(?![\u1400-\u167f])"
)  # letters only in their own words


def quoted(text: str, *, limit: int | None = None) -> str:
    """The text as one line between curly quotes, cut to `limit` characters if given (R34)."""
    return f"“{plain(text, limit=limit)}”"


def plain(text: str, *, limit: int | None = None) -> str:
    """The text as one harmless line; nothing in it is taken for the block, the mark or the closing quote (R34)."""
    composed = _LONE_SYLLABIC.sub(
        lambda found: found.group().replace("\u1438", "<").replace("\u1433", ">"), unicodedata.normalize("NFC", text)
    )
    line = "".join(map(_shown, _ENTITY.sub("&amp;", composed)))
    line = _BLOCK_NAME.sub(r"\1 \2", _SPACES.sub(" ", line)).strip()
    if limit is not None and len(line) > limit:
        line = line[: max(0, limit - 1)].rstrip() + "…"
    return line


def angled(text: str) -> str:
    """The text with < and > for whatever is drawn like them, « and » for what is drawn like two of them."""
    return text if text.isascii() else "".join(map(_angle, text))


@lru_cache(maxsize=8192)
def _angle(character: str) -> str:
    if character < "\x80":
        return character
    name = unicodedata.name(character, "")
    category = unicodedata.category(character)
    opening, closing = category in ("Ps", "Pi"), category in ("Pe", "Pf")
    if "ANGLE" in name and (opening or closing):
        if "DOUBLE" in name:
            return "«" if opening else "»"
        return "<" if opening else ">"
    return {"\u1438": "<", "\u1433": ">"}.get(character) or _drawn_like(character, name) or character


def _drawn_like(character: str, name: str) -> str:
    """Which of < and > a character is drawn like by itself; "": neither."""
    if character in _LESS_ALONE or _LESS.search(name):
        return "<"
    return ">" if character in _GREATER_ALONE or _GREATER.search(name) else ""


@lru_cache(maxsize=8192)
def _shown(character: str) -> str:
    """What stands for one character: itself, a space, nothing, or a look-alike that can't deceive."""
    if " " <= character <= "~" and character not in "<>":
        return character
    category = unicodedata.category(character)
    name = unicodedata.name(character, "")
    if character in _BLANK or "VARIATION SELECTOR" in name or category in ("Cf", "Cs", "Co"):
        return ""
    if ord(character) & 0xFFFE == 0xFFFE or 0xFDD0 <= ord(character) <= 0xFDEF:  # no characters at all
        return ""
    if category in ("Cc", "Zl", "Zp", "Zs"):
        return " "
    if category in ("Pi", "Pf") or "QUOTATION MARK" in name:
        return "'" if "SINGLE" in name and "ANGLE" not in name else '"'
    if angle := _drawn_like(character, name):
        return "&lt;" if angle == "<" else "&gt;"
    if category in ("Ps", "Pe"):
        return _bracket(name, opening=category == "Ps")
    return _folded(character)


def _bracket(name: str, *, opening: bool) -> str:
    """Brackets of every script as the plain ones of their kind."""
    if "CORNER BRACKET" in name or "ANGLE BRACKET" in name:  # they quote titles and speech in East Asia
        return '"'
    if "SQUARE" in name:
        return "[" if opening else "]"
    if "CURLY" in name:
        return "{" if opening else "}"
    return "(" if opening else ")"


def _folded(character: str) -> str:
    """A compatibility form (full width, mathematical) as the plain character where that one had to be replaced."""
    folded = unicodedata.normalize("NFKC", character)
    return "".join(map(_shown, folded)) if folded != character and set(folded) & set("<>‹›“”\"'") else character
