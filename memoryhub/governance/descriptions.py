"""What does a statement about the subject say? "Prefers gate 4.", "Project uses pnpm", "Plan: basic" as key and value
(R13).

The third person is turned into the first, so that the one grammar reads both; what it does not read may still be "X is
Y".
"""

import re

from memoryhub.governance.claims import Reading
from memoryhub.governance.grammar import read
from memoryhub.governance.keys import snake, trim, value_for
from memoryhub.governance.moods import REQUEST_VERBS
from memoryhub.vocabulary import Category, Form

_SUBJECT = (
    r"(?:the |this |our |your |my )?(?:user|customer|client|subject|person|caller|member|guest|account|project|team|"
    r"site|repo|repository|service|organisation|organization|company|codebase)"
)
_VERBS = {
    "prefers": "prefer",
    "likes": "like",
    "loves": "love",
    "hates": "hate",
    "dislikes": "dislike",
    "enjoys": "enjoy",
    "lives": "live",
    "works": "work",
    "uses": "use",
    "wants": "want",
    "has": "have",
    "owns": "own",
    "speaks": "speak",
    "eats": "eat",
    "drinks": "drink",
    "drives": "drive",
    "moved": "moved",
    "relocated": "relocated",
    "switched": "switched",
    "joined": "joined",
    "is": "am",
    "was": "was",
    "avoids": "avoid",
    "needs": "need",
    "can": "can",
    "never": "never",
    "always": "always",
    "runs": "run",
    "ships": "ship",
    "stores": "store",
    "keeps": "keep",
    "goes": "go",
    "reads": "read",
    "plays": "play",
    "pays": "pay",
    "deploys": "deploy",
    "changed": "changed",
    "does": "do",
    "detests": "detest",
    "rents": "rent",
    "leases": "lease",
    "commutes": "commute",
    "travels": "travel",
    "receives": "receive",
    "accepts": "accept",
    "writes": "write",
    "tests": "test",
    "builds": "build",
    "starts": "start",
}
_THIRD = re.compile(
    rf"(?i)^(?:{_SUBJECT}|he|she|they)[ ](?P<adverb>(?:now|also|currently|usually|generally|always|never|only|often|"
    rf"strongly|really|no longer)[ ])?(?P<verb>{'|'.join(_VERBS)})\b(?P<rest>.*)"
)
_BARE = re.compile(
    rf"(?i)^(?P<adverb>(?:now|also|currently|usually|generally|always|never|only|often|strongly|really|"
    rf"no longer)[ ])?(?P<verb>{'|'.join(verb for verb in _VERBS if verb not in ('is', 'was', 'can', 'does'))})"
    rf"\b(?P<rest> .*)"
)
_OWNED = re.compile(rf"(?i)^(?:{_SUBJECT}'s|his|her|their|its)[ ](?P<rest>.+)")
_IS = re.compile(
    r"(?i)^(?:the |our |this |its )?(?P<what>[\w'’/&.-]+(?:[ ][\w'’/&.-]+){0,4}?) (?P<verb>is now|are now|is called|"
    r"is named|is|are|equals)(?P<not>[ ](?:not|no longer|never))?[ ](?P<value>.+)"
)
_DOES = re.compile(
    r"(?i)^(?:the |our |this |its |all )?(?P<what>[\w'’/&.-]+(?:[ ][\w'’/&.-]+){0,3}?) (?P<verb>uses?|lives? in|"
    r"lives? on|runs? on|runs?|listens? on|opens? at|closes? at|starts? at|ends? at|happens? on|goes? to|belongs? to|"
    r"costs?|seats|holds?|stays? at|lasts|weighs?|measures|requires?|needs?|accepts?|prefers?|has|have|takes?|"
    r"stays? in|"
    r"ships? from|ships? to|"
    r"must|depends? on|comes? from|expires? on|expires?|expired)[ ](?P<value>.+)"
)
_LABEL = re.compile(
    r"^(?P<label>[A-Za-z][\w'’/&-]*(?:[ ][\w'’/&-]+){0,4})[ ]?(?P<mark>:|=|->|→)(?P<gap>[ ]*)(?P<value>\S.*)$"
)
_SHORT_VALUE = re.compile(r"^[\w€$£%.,'’\"/@+&:()\u200c\u200d –-]+$")
#: One-word labels that name something of a person or a project; any other word before a colon is only implied to.
_KNOWN_LABEL = re.compile(
    r"(?i)^(?:plan|subscription|city|town|country|address|e-?mail|phone|mobile|tel|name|nickname|diet|role|job|"
    r"occupation|profession|employer|company|department|language|languages|timezone|birthday|age|seat|contact|branch|"
    r"site|"
    r"team|office|pronouns|hobby|hobbies|interests?|likes|dislikes|prefers|preference|preferences|carrier|warehouse|"
    r"gate|floor|room|size|shoe|colou?r|editor|database|framework|browser|os|shell|stack|formatter|linter|port|"
    r"risk|limit|discount|credit|currency|units|theme|tone|style|website|handle|budget|pet|dog|cat|car|bike|"
    r"allergies|database|server|host|repo|repository|version|deploys?|tests?|hours|availability|delivery|supplier)$"
)
_NO_LABEL = re.compile(
    r"(?i)^(?:note|notes|fyi|ps|p\.s|warning|question|q|a|answer|re|fwd?|subject|from|to|cc|bcc|date|sent|hint|tip|"
    r"todo|fixme|http|https|reminder|attention|important|example|e\.g|i\.e|edit|update|system|assistant|user|human|"
    r"ai|developer|memory|summary|step|"
    r"conclusion|\w*(?:error|exception|warning)|result|output|input|error|info|debug|trace|reference|ref|context|task|instructions?|prompt|title|"
    r"section|chapter|page|figure|table|source|see|also|however|remember|correction|off the record|confidential|"
    r"testing|test|hello|hi|thanks|sorry|yes|no|ok|one|"
    r"first|second|third|finally|next|then|so|but|and|because|that is|this|it|i|we|you|my question|my problem|"
    r"the problem|the question|the issue|issue|problem|request|quick question|well|please|data|javascript|file|"
    r"mailto|tel|ftp|disclaimer|quote|tl;dr|tldr|here|namely|option|options|"
    r"keep this for later|do|do not|don't|never|always|save this|store this|remember this|.* (?:says|said|asked|"
    r"wrote|reads?|is|are|was|were|me|"
    r"following|below|below|this|that))$"
)


def read_label(words: str, *, strict: bool) -> Reading | None:
    """ "Preferred carrier: Kestrel." `strict`: a short value only, as in a message or in text nobody vouched for."""
    match = _LABEL.match(words.strip())
    if (
        match
        and strict
        and (match.group("mark") != ":" or not match.group("gap") or not _SHORT_VALUE.match(match.group("value")))
    ):
        return None
    if not match or _NO_LABEL.match(match.group("label")) or re.match(r"\d+[:.]\d\d|//", match.group("value")):
        return None
    label, value = match.group("label"), match.group("value")
    if strict and (
        len(value) > 80 or len(value.split()) > 10 or value.endswith("?") or re.search(r"(?i)\b(?:i|you|we)\b", value)
    ):
        return None
    key = snake(re.sub(rf"(?i)^(?:{_SUBJECT}(?:'s)?|my|our|the) ", "", label))
    clean = value_for(key, value)
    if re.match(
        rf"(?i)(?:{REQUEST_VERBS})\b(?! (?:policy|limit|score|number|code|name|date|size|style|type))", label
    ) and not _KNOWN_LABEL.match(label):
        return None
    hint = Category.PREFERENCE if key.startswith(("preferred", "favourite", "prefers", "likes")) else None
    form = None if not strict or " " in label or _KNOWN_LABEL.match(label) else Form.IMPLIED
    return Reading(key, clean, form=form, category_hint=hint) if key and clean else None


def read_description(words: str) -> Reading | None:
    """What a statement in the third person, or without a subject, says of the subject."""
    if match := _THIRD.match(words):
        return read(_first_person(match))
    if match := _OWNED.match(words):
        return read(f"my {match.group('rest')}") or read_description(match.group("rest"))
    if (match := _BARE.match(words)) and (reading := read(_first_person(match))):
        return reading
    if reading := read(words):
        return reading
    if match := _IS.match(words):
        key = snake(match.group("what"))
        value = value_for(key, match.group("value"))
        negative = bool(match.group("not"))
        if (
            value
            and key
            and not re.match(
                r"(?i)(?:it|this|that|there|here|what|which|who|he|she|they|you|i|we|everything|nothing|all)$",
                match.group("what"),
            )
        ):
            return Reading(key, f"not {value}" if negative else value, closes=(value,) if negative else ())
        return None
    if match := _DOES.match(words):
        if re.match(r"(?i)(?:it|this|that|there|what|which|who|you|i|we)$", match.group("what")):
            return None
        verb = re.sub(r"(?i)^has$|^have$", "has", match.group("verb").lower())
        return Reading(
            f"{snake(match.group('what'))}_{verb.replace(' ', '_')}"[:64],
            trim(match.group("value")),
            single=not verb.startswith(("use", "has", "accept", "need", "require")),
        )
    return None


def _first_person(match: re.Match[str]) -> str:
    verb = match.group("verb").lower()
    rest = match.group("rest")
    if verb == "does" and rest.strip().lower().startswith("not"):
        return f"I do{rest}"
    if verb in ("never", "always", "can") and (following := re.match(r"[ ](\w+)(.*)", rest)):
        plain = _VERBS.get(following.group(1).lower(), following.group(1))
        return f"I {verb} {plain}{following.group(2)}"
    return f"I {match.group('adverb') or ''}{_VERBS[verb]}{rest}"
