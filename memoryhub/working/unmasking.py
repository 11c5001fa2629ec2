"""Which words that name a secret are spelt so that no pattern knows them? "p4ssw0rd", "pаsswоrd", "p a s s w o r d".

The copy is as long as the text, so that what is found in it can be cut out of the text (R12).
"""

import re

from memoryhub.working.normalisation import LOOK_ALIKES
from memoryhub.working.patterns import Sieved

_MIXED_WORD = re.compile(r"(?<![^\W\d_])[^\W\d_]*(?:[A-Za-z][^\x00-\x7f]|[^\x00-\x7f][A-Za-z])[^\W\d_]*")
_SPELT = re.compile(r"(?i)(?<![a-z0-9])p[a4@][s5$]{2}[ -]?(?:w[o0]rd|phr[a4@][s5$][e3]|c[o0]d[e3])(?![a-z0-9])")
_LETTERS = {"4": "a", "@": "a", "5": "s", "$": "s", "0": "o", "3": "e"}
#: "p a s s w o r d", "p.a.s.s.w.o.r.d"
_APART = "|".join(re.escape(sign).join(word) for sign in " ._*-" for word in ("password", "passcode"))
_SPACED = Sieved(rf"(?i)(?<![a-z0-9])(?:{_APART})(?![a-z0-9])")
_JOINED = Sieved(r"(?i)(?<![a-z0-9])(?:[a-z]{1,12}_){0,4}(?:password|passphrase|passcode|pin|code)_(?:is|was)_")
#: "password (don't tell) => …": what is said in passing between name and value.
_ASIDE = Sieved(r"(?i)\b(pass[ -]?(?:word|phrase|code)s?)([ \t]*\([^()\n]{0,60}\))(?=[ \t]*(?:[:=]|is\b|->|→))")


def unmasked(text: str) -> str:
    """The text with such words in plain letters; every other character stands where it stood."""
    if not text.isascii():
        text = _MIXED_WORD.sub(lambda word: word.group().translate(LOOK_ALIKES), text)
    text = _SPELT.sub(lambda word: "".join(_LETTERS.get(letter, letter) for letter in word.group()), text)
    text = _SPACED.sub(lambda word: _padded(re.sub(r"[ ._*-]", "", word.group()), len(word.group())), text)
    text = _JOINED.sub(lambda words: words.group().replace("_", " "), text)
    return _ASIDE.sub(lambda words: _padded(words.group(1), len(words.group())), text)


def _padded(word: str, length: int) -> str:
    return word.ljust(length)
