"""What is so of the place a person speaks of? "The fuse box is on the left.", "There is a step at the back door."
(R13, R14).

Doors, yards, hours and ways are told to be used again. What goes wrong with an app or an order, the weather, a
judgement and the knowledge of all the world are not.
"""

import re
from dataclasses import replace

from memoryhub.governance.claims import Reading
from memoryhub.governance.descriptions import read_description
from memoryhub.governance.keys import TOOL_DOMAINS
from memoryhub.governance.lexicon import LOGIN, TRANSACTION
from memoryhub.governance.places import DIGITAL, EVALUATION, NOW, PLACE_THING, PROBLEM, SETTING
from memoryhub.vocabulary import Category, Form
from memoryhub.working.patterns import Sieved

_DEFECT = (
    r"sticks?|squeaks?|creaks?|leaks?|drips?|jams?|wobbles?|rattles?|hums?|buzzes|floods?|freezes over|slams?|"
    r"swings?|opens?|closes?|shuts?|locks?|flickers?|beeps?|rings?|hangs?|stands?|sits|lies|leads?|faces?|needs?|"
    r"takes?|"
    r"holds?|fits?|stops?|starts?|runs?|ends?|begins?|arrives?|leaves?|works?|barks?|bites?|blocks?|comes?|goes|go|"
    r"gets?|"
    r"turns?|points?|slopes?|narrows|splits|sinks?|warps?|scrapes?|trips?|costs?|belongs?|reaches?|echoes|overheats?|"
    r"overlooks?|belongs?|parks?|begins?|uses?|lives?|happens?|indents?|seats?|stays?|lasts?|ships?|requires?|"
    r"depends? on|accepts?|deploys?|"
    r"listens?|returns? from|expires?|renews?|has to|have to|has|have|is|are|can only|can not|does not|do not|"
    r"carry|carries|weighs?|measures?|supports?|bears?|charges|refills?|reopens?|serves?|allows?|dims?|"
    r"will not|must|may only|should"
)
_SUBJECT = (
    r"(?:(?:the|our|my|this) )?(?P<what>[\w'’-]+(?:[ ][\w'’-]+){0,4}?(?:[ ](?:at|in|of|to|from|on|near|behind|for|"
    r"with|"
    r"between|opposite|outside|beside|round|around) (?:(?:the|our|my) )?[\w'’-]+(?:[ ][\w'’-]+){0,2}?)?)"
)
_BEHAVES = re.compile(
    rf"(?i)^{_SUBJECT}[ ](?P<adverb>(?:(?:usually|normally|often|always|only|also|still|never|sometimes|both|"
    rf"all)[ ])*)"
    rf"(?P<verb>{_DEFECT})\b(?:[ ](?P<rest>.*?))?[.! ]{{0,40}}$"
)
_LOCATED = re.compile(
    r"(?i)^(?:right |just |directly |immediately |straight |located |on the way |round |down |up |through |"
    r"out )*(?:on|at|in|"
    r"behind|under|underneath|next to|opposite|near|between|above|below|beneath|inside|outside|across|upstairs|"
    r"downstairs|beside|around|round|past|along|to the (?:left|right|rear|side)|left|right|in front)\b"
)
_NOT_IN_PLACE = re.compile(
    r"(?i)^(?:on|in|at) (?:time|fire|order|hold|sale|stock|danger|trouble|question|error|fact|general|progress|"
    r"my (?:mind|opinion|way)|the (?:way|rise|move|news|world|sky|universe|past|future|end|same))\b"
)
_THERE = re.compile(
    r"(?i)^there (?:is|are)[ ](?P<adverb>(?:also|only|always|usually|often|now|still)[ ])*(?P<what>(?:no|an?|one|two|"
    r"three|four|five|six|"
    r"several|\d{1,3}|some)[ ].+?)[.! ]{0,40}$"
)
_THERE_PLACE = re.compile(
    r"(?i)\b(?:at|in|on|behind|under|next to|opposite|near|between|above|below|inside|outside|by|beside|around|to) "
    r"(?:the|our|my|each|every|both)\b"
)
#: What everybody knows, or what somebody says of the world.
_WORLD = re.compile(
    r"(?i)\b(?:sun|moon|earth|sky|world|universe|weather|rain|snow|wind|capital of|president|government|king|queen|"
    r"population|country|countries|continent|planet|ocean|sea|economy|market|people|humans?|life|love|time|answer|"
    r"question|point|idea|thing|truth|fact|reason|problem|movie|film|book|song|game|story|food|meal|party|concert|"
    r"article|text|sentence|word|number|result|solution|method|theory|equation|algorithm|species|atoms?|cells?|fox|"
    r"it|this|that|these|those|what|which|who|he|she|they|you|i|we|everything|nothing|there|where|when)\b"
)
#: What makes a plain sentence a convention rather than talk: a number, a name, a time, a path.
_CONCRETE = re.compile(
    rf"\d|[a-z]/|/[a-z]|\.[a-z]{2, 4}\b|[a-z][A-Z]|`|_|(?<=\s)[A-Z][\w+#.-]+|(?i:\b(?:half past|o'clock|noon|midnight|"
    rf"monday|tuesday|wednesday|thursday|"
    rf"friday|saturday|sunday|flags?|branch|main|master|protected|camel ?case|snake ?case|kebab-case|utf-8|docker|one|"
    rf"two|three|four|five|six|"
    rf"seven|eight|nine|ten|eleven|twelve|twenty|thirty|forty|fifty|hundred|approve|percent|degrees|weekly|daily|"
    rf"monthly|tabs|spaces|{'|'.join(sorted(name for _, names in TOOL_DOMAINS for name in names))})\b)|^[A-Z][\w+#.-]+"
)
#: "Paris is the capital …", "Kim has broken free …": what is told of a name is told of somebody or something else.
_TELLS_WHAT = re.compile(
    r"(?i)^(?:(?:is|are) (?:an?|the|also|not|one|extremely|very|now)\b|(?:is|are) (?!one|two|three|four|five|six|seven|"
    r"eight|nine|ten|eleven|twelve|noon|midnight|\d)\w+$|(?:has(?! to)|have(?! to)|does not|do not|will not|can not|"
    r"can only|may only|should)\b(?! .*\d))"
)
_LIVING = re.compile(
    r"(?i)(?:the |our |my )?(?:cats?|dogs?|horses?|visitors?|couriers?|parcels?|vans?|trucks?|bus(?:es)?|keys?)$"
)
_KEPT = re.compile(
    r"(?i)(?:always |never |only |usually )?(?:kept|stored|defined|written|done|reported|handled|built|deployed|"
    r"served|collected|delivered|posted|"
    r"sold|billed|paid|sent|managed|hosted|tested|reviewed|founded|made|parked|filed|logged|cleaned|emptied|watered|"
    r"locked|owned|run|card only|"
    r"cash only) (?:in|at|on|by|with|to|from|via|under|behind|through|every|each|twice|once|daily|weekly|monthly)\b"
)
_BELONGS = re.compile(
    r"(?i)(?:belongs? (?:in|to|on|under)|go(?:es)? (?:in|into|to|on|through|behind|under)|lives? (?:in|on|under|at)|"
    r"parks? (?:at|in|on|behind)|"
    r"gets? (?:\w+ed|two|three|one)|begins? with|starts? with|ends? with|comes? (?:from|through|by|via))\b"
)
#: A path or an identifier: nobody says that in small talk.
_CODED = re.compile(
    r"[a-z_]/|/[a-z_]|`[^`]+`|\b[a-z]+[A-Z]|\b\w+\.(?:toml|ya?ml|json|py|js|ts|md|cfg|ini|txt|sh|go|rs|env)\b"
)
#: "Payments", "Test data", "Room Birch", "closing time": a subject without an article.
_BARE_SUBJECT = re.compile(
    r"(?i)^(?!i\b|we\b|you\b|my\b|your\b|what|who|how|why|when|where|that|this|it\b|there|here|so\b|and\b|but\b|to\b|"
    r"for\b|in\b|at\b|"
    r"on\b|not\b|no\b|yes\b|he\b|she\b|they\b|\w+ly\b|\w+ed\b|\w+ing (?:the|a|an|my|our|to)\b)[\w'’/.-]{3,}"
)
_AS_A_FACT = re.compile(
    r"(?i)^(?:the|our|my|all|every|this (?:repo|project|team|site|house|office|building|service|codebase)|parking|"
    r"deliveries|parcels|visitors|access|entry|smoking|post|mail|couriers|suppliers)\b"
)


#: "on Wednesday evening", said of a thing of the place in the present: every week.
_WEEKLY = re.compile(r"(?i)\bon \w+day (?=(?:morning|evening|night)s?\b)")


_ROUND = re.compile(r"(?i)\b(?:go|goes|come|comes|gets?)\b.{0,200}\bon (?:mon|tues|wednes|thurs|fri|satur|sun)day\b")


def behaves(words: str, habit: Sieved) -> Reading | None:
    """A sentence about a thing of the speaker's place; implied, since they are not its subject. "The bins go out on
    Wednesday evening" is taken for every week, and a curator looks.
    """
    told = _behaves(words, habit)
    return replace(told, recurring=True, form=Form.IMPLIED) if told and _ROUND.search(words) else told


def _behaves(words: str, habit: Sieved) -> Reading | None:
    found = Reading(category_hint=Category.GENERAL)
    if match := _THERE.match(words):
        what = match.group("what")
        if PROBLEM.search(what) or DIGITAL.search(what) or NOW.search(words) or EVALUATION.match(what):
            return None
        first = re.split(rf"{_THERE_PLACE.pattern}", what, maxsplit=1)[0]
        return found if PLACE_THING.search(first) or (_THERE_PLACE.search(what) and PLACE_THING.search(what)) else None
    match = _BEHAVES.match(words)
    if not match:
        return None
    what, verb, rest = match.group("what"), match.group("verb").lower(), match.group("rest") or ""
    if (
        " - " in words
        or DIGITAL.search(what)
        or NOW.search(_WEEKLY.sub("", words))
        or _WORLD.search(what)
        or EVALUATION.match(rest)
    ):
        return None
    ours = bool(SETTING.search(words))
    of_place = bool(PLACE_THING.search(what))
    if (
        re.search(r"(?i)^(?-i:[A-Z])\w*'s\b|\b(?:he|she|him|his|her)\b", words)
        or LOGIN.search(what)
        or len(words.split()) > 16
    ):
        return None
    bare = (
        bool(_BARE_SUBJECT.match(words))
        and not _TELLS_WHAT.match(f"{verb} {rest}")
        and bool(
            _CONCRETE.search(rest)
            or habit.search(rest)
            or ours
            or _BELONGS.match(f"{verb} {rest}")
            or _KEPT.match(rest)
        )
    )
    if not (_AS_A_FACT.match(words) or PLACE_THING.match(words) or bare) or (PROBLEM.search(words) and not of_place):
        return None
    if re.search(rf"(?i)\b(?:{TRANSACTION})\b", what) or (verb in ("should", "may only") and not of_place):
        return None
    if re.search(r"(?i)\b(?:was|were|has been|have been|had|did)\b", words) or " - " in words:
        return None
    be = verb in ("is", "are")
    if be and _LIVING.match(what) and not habit.search(words):
        return None  # where it is just now
    if be and _KEPT.match(rest):
        return replace(_keyed(words, found), form=None if of_place or ours or _CODED.search(rest) else Form.IMPLIED)
    if bare and _BELONGS.match(f"{verb} {rest}"):
        return replace(_keyed(words, found), form=Form.IMPLIED)
    located = be and bool(_LOCATED.match(rest)) and not _NOT_IN_PLACE.match(rest)
    physical = not be and verb not in (
        "has",
        "have",
        "must",
        "should",
        "gets",
        "get",
        "goes",
        "go",
        "works",
        "work",
        "takes",
        "take",
    )
    if of_place or ours:
        return _keyed(words, found) if rest or physical else None
    if (
        bare
        and (_CODED.search(rest) or re.search(r"(?i)\btime\b|\bdue\b", f"{what} {rest}"))
        and _CONCRETE.search(rest)
    ):
        return _keyed(words, found)
    if rest and not bare and _CONCRETE.search(rest) and not re.match(r"(?i)(?:an?|the|one|also|like)\b", rest):
        return _keyed(words, found)
    if located or (physical and not rest) or (habit.search(words) and not be) or (rest and _CONCRETE.search(rest)):
        return replace(_keyed(words, found), form=Form.IMPLIED)
    return None


def _keyed(words: str, found: Reading) -> Reading:
    """Under the key that a note about the subject would have, so that a new value takes the place of the old one."""
    told = read_description(words)
    return replace(told, category_hint=Category.GENERAL) if told and told.durable and told.key and told.value else found
