"""How does what a customer says of themselves read when somebody else tells it? "I", "my flight" become "they", "their
flight" (R72).

Only pronouns and the verbs right behind them change; every other word is copied. Where a copy would not be safe ("you",
"it" without the thing it stands for), there is no answer.
"""

import re
from typing import Final

#: Whom the words speak of, first person to third.
_PRONOUNS: Final = {
    "i": "they", "me": "them", "my": "their", "mine": "theirs", "myself": "themselves",
    "we": "they", "us": "them", "our": "their", "ours": "theirs", "ourselves": "themselves",
}  # fmt: skip
_AGREEMENT = re.compile(r"\b(they|They) (am|was)\b")
_AGREES: Final = {"am": "are", "was": "were"}
_WORD = re.compile(r"[A-Za-z]+(?:['’][A-Za-z]+)?")
#: Words that stand for something said elsewhere: a copy would leave the reader without it.
_POINTS = re.compile(
    r"(?i)\b(?:this|these|those|here|there(?! (?:is|are|was|were|might|may|has|have|could|will|would)\b)|above|"
    r"below|following|aforementioned|ones|one(?!-)(?= (?:in|from|to|with|for|on|that|which|at|and|or|but|is|was|"
    r"already|please|as|because|by|under|i|we|my)\b|[,.;!?]|$)|"
    r"same(?! (?:day|time|address|size|colou?r|date|price|week|month))|so|either|neither|such|former|latter|else|"
    r"instead|"
    r"(?:first|second|third|last|other|latter|cheaper|cheapest|earlier|next|suggested|available|proposed|listed|"
    r"new) (?:option|one|choice|"
    r"alternative)s?|options? \d|option [a-d]|the option|(?:the|my) others?|something|anything|everything|stuff|"
    r"things?|"
    r"whatever|(?:the|my) (?:situation|circumstances)|both (?:issues|problems|requests|changes)|do that|do it|he|"
    r"she|him|hers?|his|they|them(?!selves)|their|theirs)\b"
)
_THAT = re.compile(r"(?i)\bthat\b")
_THAT_JOINS = re.compile(
    r"(?i)(?<![,;]) (?:(?:a|an|the|my|our|any|some|one|of) )?(?!(?:with|for|about|on|at|to|in|of|from|by|like|and|"
    r"or|do|cancel|"
    r"change|want|need|get|return|is|was|if|whether|when|because|confirm|see|know|check|sure|say|tell|me|so|"
    r"now)\b)[a-z]+ that (?=(?:i|we|my|our|is|are|was|were|has|have|had|can|will|"
    r"would|does|did|"
    r"do|came|arrived|got|goes|leaves?|left|departs?|says?|said|starts?|ends?|runs?|fits?|works?|needs?|includes?|"
    r"allows?|takes?|"
    r"serves?|covers?|accepts?|stopped|broke|failed|never|[a-z]+ed)\b)"
)
_IT = re.compile(r"(?i)\b(?:it|its|itself|them|they|their)\b")
_THING = re.compile(r"(?i)\b(?:a|an|the|my|our|\d+) (?:[a-z-]+ ){0,3}?[a-z-]{3,}\b")


def third_person(words: str) -> str | None:
    """The words with their speaker in the third person; None where they address somebody or point at what is not told.

    >>> third_person("change my flight to May 21st")
    'change their flight to May 21st'
    """
    if re.search(r"(?i)\b(?:you|your|yours|yourself|yourselves)\b", words) or points_elsewhere(words):
        return None
    told = _WORD.sub(_third, words)
    return _AGREEMENT.sub(lambda match: f"{match.group(1)} {_AGREES[match.group(2).lower()]}", told)


def points_elsewhere(words: str) -> bool:
    """Whether a word stands for something that is not among the words ("cancel it", "the second option")."""
    for match in _IT.finditer(words):
        before = words[: match.start()]
        if not (
            _THING.search(before)
            and re.search(r"(?i)\b(?:and|to|before|after|because|when|while|as|if|that)\b", before)
        ):
            return True
    without_it = _IT.sub("", words)
    if _POINTS.search(without_it):
        return True
    joined = _THAT_JOINS.sub(" ", f" {words}")
    return bool(_THAT.search(joined))


def _third(match: re.Match[str]) -> str:
    word = match.group()
    told = _PRONOUNS.get(word.lower())
    return word if told is None or word == "US" else told
