"""Which requests stand by what they ask of? "Gift wrap all my orders", "Keep the heating at 21 at night", "Keep
functions under 40 lines" (R11, R13).

A request stands that names all of a kind, a time that comes round, or how a thing is to be set for good. "Set it to
21", "keep the refund under 40 euros" and "cancel all my orders" are for now.
"""

import re
from dataclasses import replace

from memoryhub.governance.claims import Reading
from memoryhub.governance.lexicon import TRANSACTION
from memoryhub.vocabulary import Form

_LEAD = r"(?:please |kindly |just |also )*"
#: All of a kind of the speaker's.
_ALL_OF_MINE = (
    r"(?:all|each|every one|any) (?:of )?(?:(?:my|our) )?(?:future |coming |new )?(?!the\b|these|those|this|that|you)"
    r"[\w-]+s\b|every (?:single )?(?!time\b|one\b)[\w-]+|(?:my|our) (?:future|coming) [\w-]+s\b"
)
#: "I'd like a window seat on every flight".
_WANTED = re.compile(
    rf"(?i)^(?:i|we) (?:would (?:also |always )?(?:like|love|prefer|appreciate)|(?:also |always )?(?:want|need))[ ]"
    rf"(?!to\b|you\b|it\b|this\b|that\b|refund|some (?:info|help)|information|help\b|details\b)[\w' -]{{3,60}}? "
    rf"(?:on|in|with|for|at|around|inside|under) (?:{_ALL_OF_MINE})[\w ,'-]{{0,40}}[.! ]{{0,40}}$"
)
#: "I'd like all my shirts ironed".
_WANTED_DONE = re.compile(
    rf"(?i)^(?:i|we) (?:would (?:like|love|prefer)|want|need)[ ](?:to have |to get )?(?:{_ALL_OF_MINE}) (?:to be )?"
    r"(?!cancel|refund|chang|mov|upgrad|book|check|return|delet|remov|fix|list|clos|open|approv)"
    r"(?:[\w-]+ )?(?:[\w-]+ed|sent|cut|kept|left|in|on|with|without|by)\b[\w ,'-]{0,40}$"
)
#: What is done to goods as they come, whenever they come.
_TREAT = (
    r"gift[- ]?wrap|wrap|giftwrap|pack|bag|box|label|insure|iron|steam|slice|season|chill|number|lint|squash|"
    r"double[- ][a-z]+|cross-?check|spell-?check|encrypt|hyphenate|capitali[sz]e|initial|stamp|print|bubble[- ]wrap"
)
_TREATED = re.compile(rf"(?i)^{_LEAD}(?:{_TREAT})[ ](?:up )?(?:{_ALL_OF_MINE}).{{0,60}}$")
#: A time that comes round.
_ROUND = re.compile(
    r"(?i)\b(?:at night|overnight|(?:during|by) (?:the )?(?:day|night|week|winter|summer|meals|lessons|working hours|"
    r"office hours)|in (?:the )?(?:daytime|mornings?|afternoons?|evenings?|winter|summer|spring|autumn)|"
    r"on (?:\w+days|week-?ends|weekdays|week-?nights)|at (?:weekends|bedtime|meal ?times)|after (?:dark|hours|sunset|"
    r"bedtime)|when(?:ever)? (?:i am|we are|i|we|nobody|no one|everyone|everybody|the (?:kids|children|baby))\b|"
    r"while (?:i am|we are|i|we|nobody|no one|the (?:kids|children|baby))\b|every (?:day|night|morning|evening|"
    r"week|month|\w+day)|daily|(?:before|after|from|until|between) \d{1,2}(?::\d\d)?(?: ?[ap]m)? (?:and|to|every|"
    r"each|on \w+days)\b)"
)
_SET = re.compile(
    rf"(?i)^{_LEAD}(?:keep|set|turn|switch|dim|hold|leave|put|run|lower|raise|close|open|lock|mute)[ ](?:(?:up|down|"
    rf"off|on) )?(?P<what>(?:the |my |our |all |both )?[\w-]+(?: [\w-]+){{0,3}}?) (?P<how>(?:at|to|on|off|under|"
    rf"below|above|over|between|within|up|down|open|closed|shut|locked|low|high|dark|quiet)\b.+)$"
)
#: How a thing is set, in a measure.
_MEASURE = re.compile(
    r"(?i)^(?:at|under|below|above|over|between|within|up to|at most|at least) (?:about |around |roughly |most |"
    r"least )?(?:\d|(?:two|three|four|five|six|eight|ten|twelve|twenty|thirty|forty|fifty|eighty|a hundred)\b)"
)
#: Things that stay as they are set.
_SETTING = re.compile(
    r"(?i)\b(?:heating|heaters?|thermostats?|temperature|humidity|radiators?|boiler|fridge|freezer|oven|lights?|"
    r"lamps?|volume|brightness|blinds|shutters|fan|pump|aquarium|pool|greenhouse|air[- ]?con\w*|ventilation|"
    r"coverage|line length)\b"
)
#: Things in the plural, without an article: whatever of them comes.
_WHATEVER_COMES = re.compile(r"(?i)^(?:all |our |my )?(?!the\b|these|those|this)(?:[\w-]+ ){0,2}[\w-]*[a-z](?<!s)s$")
_FOR_NOW = re.compile(
    rf"(?i)\b(?:it|this|that|them|these|those|you|your|yourself|now|today|tonight|tomorrow|until|refund\w*|costs?|"
    rf"price|fare|fees?|{TRANSACTION})\b(?<!\bat night)|[$€£]|\b(?:euros?|dollars?|pounds?|bucks|kroner)\b"
)


def read_standing(words: str, wish: Reading) -> Reading | None:
    """`wish` where the clause asks for something to be so from now on; None where it asks for this once."""
    plain = words.rstrip(".! ")
    if _WANTED.match(plain) or _WANTED_DONE.match(plain):
        return wish
    if _TREATED.match(plain):
        return wish
    match = _SET.match(plain)
    if not match or _FOR_NOW.search(plain):
        return None
    what, how = match.group("what"), match.group("how")
    if _ROUND.search(how) and (_SETTING.search(what) or re.search(r"\d|\b(?:on|off|open|closed|shut|locked)\b", how)):
        return wish
    if re.match(r"(?i)(?:please |kindly )*(?:keep|hold)\b", plain) and _MEASURE.match(how):
        if _WHATEVER_COMES.match(what):
            return wish
        if _SETTING.search(what):
            return replace(wish, form=Form.IMPLIED)
    return None
