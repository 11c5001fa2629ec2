"""Which words of a text count when skills are chosen, and in which common form? (R41)

Small on purpose: descriptions and keywords are short and written by the agent's owner. English endings are folded so
that "refunded" meets "refund"; scripts without spaces are cut into pairs of characters; other words stay as they are.
"""

import re
import unicodedata
from typing import Final

_WORD = re.compile(r"[^\W_]+")
_UNSPACED = re.compile(r"[\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\U00020000-\U0003ffff]+")
_ENDINGS: Final = ("ings", "ing", "ies", "ed", "es", "s")
_SHORTEST_STEM: Final = 3

# Words that say nothing about a task: function words and the courtesies of a conversation.
_STOP_WORDS: Final = """
    a about after again all also am an and any are as at be because been before being but by can could did do does
    doing done down for from get go got had has have having he hello help her here hers hey hi him his how i if in
    into is it its just know let like ll m make may me might mine more most must my need no nor not now of off on
    once one only or other our ours out over own please re really s same shall she should so some such t tell than
    thank thanks that the their theirs them then there these they thing this those through to too under until up us
    use using ve very want was way we were what when where which while who whom whose why will with would yes yet you
    your yours
"""
STOP_WORDS: Final = frozenset(_STOP_WORDS.split())


def words(text: str) -> list[str]:
    """The words of a text in reading order, in their common form, stop words left out."""
    found: list[str] = []
    for word in _WORD.findall(unicodedata.normalize("NFKC", text).casefold()):
        if _UNSPACED.search(word):
            found += _pieces(word)
        elif word not in STOP_WORDS:
            found.append(_stem(word))
    return found


def _pieces(word: str) -> list[str]:
    """A run of a script without spaces as overlapping pairs; what stands around it as it is."""
    pieces: list[str] = []
    end = 0
    for run in _UNSPACED.finditer(word):
        pieces += [word[end : run.start()]] if run.start() > end else []
        text = run.group()
        pieces += [text[i : i + 2] for i in range(len(text) - 1)] or [text]
        end = run.end()
    return pieces + ([word[end:]] if end < len(word) else [])


def _stem(word: str) -> str:
    """Drop an English ending; the rest need not be a word, only the same for every form."""
    if not word.isascii() or not word.isalpha():
        return word
    for ending in _ENDINGS:
        if (
            word.endswith(ending)
            and len(word) - len(ending) >= _SHORTEST_STEM
            and not word.endswith(("ss", "us", "is"))
        ):
            word = word.removesuffix(ending) + ("y" if ending == "ies" else "")
            break
    if len(word) > _SHORTEST_STEM and word[-1] == word[-2]:
        word = word[:-1]
    return word.removesuffix("e") if len(word) > _SHORTEST_STEM else word
