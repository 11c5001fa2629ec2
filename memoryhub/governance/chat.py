"""How is it meant that is typed in a hurry? "im", "dont", "b4" and emoji, written out for the grammar to read (R13).

Only the copy that is read is written out; what is kept stays as it was typed.
"""

import re

from memoryhub.working.patterns import Sieved
from memoryhub.working.remembering import remembered

_SPELLINGS = {
    "im": "i'm", "ive": "i've", "dont": "don't", "cant": "can't", "wont": "won't", "didnt": "didn't",
    "doesnt": "doesn't", "isnt": "isn't", "arent": "aren't", "wasnt": "wasn't", "werent": "weren't",
    "havent": "haven't", "hasnt": "hasn't", "shouldnt": "shouldn't", "wouldnt": "wouldn't", "couldnt": "couldn't",
    "weve": "we've", "youre": "you're", "theyre": "they're", "thats": "that's", "pls": "please", "plz": "please",
    "thx": "thanks", "thnx": "thanks", "b4": "before", "luv": "love", "fav": "favourite", "fave": "favourite",
    "wanna": "want to", "gonna": "going to", "gotta": "have to", "cuz": "because", "coz": "because",
    "tmrw": "tomorrow", "tmr": "tomorrow", "2moro": "tomorrow", "2morrow": "tomorrow", "atm": "at the moment",
    "txt": "text", "txts": "texts", "msg": "message", "msgs": "messages", "ppl": "people", "prolly": "probably",
    "kinda": "kind of", "sorta": "sort of", "dunno": "do not know", "gimme": "give me", "lemme": "let me",
    "bday": "birthday", "yrs": "years", "hrs": "hours", "nite": "night", "u": "you", "ur": "your", "w/": "with",
    "w/o": "without", "anymore": "any more", "rn": "right now", "deffo": "definitely", "cos": "because",
    "evry": "every", "evryday": "every day", "no1": "nobody", "sum1": "somebody",
}  # fmt: skip
_SPELLING = re.compile(
    r"(?<![\w'’@./:#&-])(?:"
    + "|"
    r"".join(map(re.escape, sorted(_SPELLINGS, key=len, reverse=True)))
    + r")(?![\w'’@/:#&-])",
    re.IGNORECASE,
)
_RUN = re.compile(r"[\w/]+")  # whatever is spelt so stands between signs that these are not
_TO = re.compile(
    r"(?i)\b(moved|moving|relocated|switched|changed|going|need|want|like|have|up|reply|talk|write) 2 (?=[a-z])"
)
_FOR = re.compile(r"(?i)\b(?:4)(?= (?:me|us|you|u|my|now|ever)\b)")
_SYMBOLS = "\u2190-\u21ff\u2600-\u27bf\u2b00-\u2bff\ufe0f\u200d\u20e3\U0001f000-\U0001faff"
#: A run of emoji, with what joins them.
EMOJI = re.compile(f"[{_SYMBOLS}]+")
_SMILEY = Sieved(r"(?:(?<=\s)|(?<=[.!?])|^)(?:[:;=]['’]?-?[)(DPpOo3/|*]|<3|\^\^|xD|XD)(?=\s|$|[.!])")


@remembered
def written_out(sentence: str) -> str:
    """The sentence with the spellings of a chat written out and without emoji, for reading only."""
    if not sentence.isascii():
        sentence = EMOJI.sub(" ", sentence)
    sentence = _SMILEY.sub(" ", sentence)
    if not _SPELLINGS.keys().isdisjoint(_RUN.findall(sentence.lower())):
        sentence = _SPELLING.sub(_spelled, sentence)
    if " 2 " in sentence:
        sentence = _TO.sub(r"\1 to ", sentence)
    if "4 " in sentence:
        sentence = _FOR.sub("for", sentence)
    return sentence.strip()


def _spelled(match: re.Match[str]) -> str:
    word = match.group()
    if word in ("U", "UR", "IM", "CANT", "FAV", "COS", "RN", "B4"):  # letters of a name, or a word in capitals
        return word
    plain = _SPELLINGS[word.lower()]
    return plain[:1].upper() + plain[1:] if word[0].isupper() else plain
