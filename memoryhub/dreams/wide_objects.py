"""Would a wish reach further than what was said, because what restricts its object is left out? (R72); pure.

"Cancel my booking for Friday" without its end is less and still true; "cancel all bookings" is more than was asked.
"""

import re

from memoryhub.dreams.copied_words import stem

_WORD = re.compile(r"[^\W_]+(?:['’-][^\W_]+)*")
_UNIVERSAL = re.compile(r"(?i)\b(?:all|every|each|both|any|entire|whole|everyone|everything|none|no)\b")
_MASS = re.compile(
    r"(?i)\b(?:data|mail|post|history|luggage|baggage|money|content|footage|traffic|correspondence|furniture|"
    r"equipment|"
    r"stock|people|children|men|women|staff|media|music|software|information|access)\b"
)
_COUNT = (
    r"\d[\d,.]{0,20}|one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|dozen|couple of|few|some|several|"
    r"hundred"
)
_COUNTED = re.compile(rf"(?i)\b(?:{_COUNT})(?:[ -](?:[a-z]{{1,40}}))?[ -][a-z]{{1,40}}s\b")
_PLURAL = re.compile(
    r"\b(?!(?:bus|gas|address|class|access|business|express|news|process|status|plus|this|was|has|"
    r"its|is|as|us|yes|always|days|nights|pass|chess|glass|lens|bonus|campus|virus|basis|"
    r"does|miss|press|discuss|cross|canvas|mattress|dress|illness|loss|boss|bass|mess|fitness|perhaps|"
    r"versus|thus|plans? to)\b)[a-z-]{3,40}(?<!s)s\b(?!['’])"
)
#: What narrows the thing named before it; "for me", "for free" narrow nothing.
_NARROWS = re.compile(
    r"(?i)^[\s,;:(–—.-]{0,9}(?:and |but |or )?(?:(?:only |just )?(?:of|from|for(?! (?:me|us|free|personal|now|"
    r"good|my sake)\b)|to|with(?! (?:you|"
    r"your)\b)|in|on|at|by|before|after|between|since|until|till|under|over|above|below|near|via|within|without|"
    r"during|starting|dated|made|placed|booked|sent|named|called|containing|older|newer|worth|that|which|who|"
    r"whose|where|"
    r"when)|(?:only|just|namely|meaning|except|excluding|apart|other than|not|i\.?e\.?|specifically|the ones?|"
    r"those|these|"
    r"tomorrow\w*|today\w*|tonight|yesterday\w*|(?:this|next|last) \w+))\b"
)


def is_wide(words: str) -> bool:
    """Whether what is named may be many things: a universal, a plural that is not counted, or a mass."""
    return bool(_UNIVERSAL.search(words) or _MASS.search(words) or _PLURAL.search(_COUNTED.sub(" ", words)))


def widened(told: str, said: str, rest: str) -> bool:
    """Whether a wide object is told without the words that narrowed it in the clause or right behind it."""
    if not is_wide(re.sub(r"^\w+ (?:to |the agent to )?", "", told)):
        return False
    whole = f"{said} {rest}"
    last = stem(told.rsplit(maxsplit=1)[-1].strip(".,"))
    ends = [match.end() for match in _WORD.finditer(whole) if stem(match.group()) == last]
    ends = [end for end in ends if end >= _earliest(told, whole)]
    return any(_NARROWS.match(whole[end:]) for end in ends[:1])


def _earliest(told: str, whole: str) -> int:
    """Where the word before the last one of the telling stands: the last word is looked for behind it."""
    words = told.strip(" .").split()
    before = stem(words[-2]) if len(words) > 1 else ""
    return next((match.end() for match in _WORD.finditer(whole) if stem(match.group()) == before), 0)
