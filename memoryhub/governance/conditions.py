"""What holds whenever something is the case? "If it rains I take the bus", "If I'm out, leave parcels with the porter"
(R11, R13).

A condition that returns with a habit or a wish is a standing statement as a whole; one that supposes ("if I had …"), or
that speaks of the matter at hand, is none.
"""

import re

from memoryhub.governance.claims import Reading
from memoryhub.governance.declaratives import read_declarative
from memoryhub.governance.grammar import read
from memoryhub.governance.lexicon import TRANSACTION
from memoryhub.governance.moods import REQUEST_VERBS
from memoryhub.governance.places import PLACE_THING
from memoryhub.vocabulary import Category, Form

_CONDITION = re.compile(
    r"(?i)^(?:if|when|whenever|unless|in case|once|as long as|while)[ ](?P<when>[^,]{3,100}?)(?:,[ ](?:then )?|"
    r"[ ](?=(?:i|we|please|"
    r"do not|never|always) ))(?P<then>.+)"
)
_SUPPOSED = re.compile(
    r"(?i)\b(?:were|was|had|could|would|did|possible|that (?:works|helps|is)|this|ok(?:ay)?|you|your|wrong|need be|"
    r"any|necessary|"
    r"not mistaken|i am honest|i may|i might|i remember|i understand|i recall|it helps|it matters|available|allowed|"
    r"anything|"
    r"i (?:do not )?(?:cancel|book|pay|order|return|change|upgrade|get a refund)\w*)\b"
)
#: Whose condition it is: the speaker's, or the weather's and the hour's.
_OURS = re.compile(
    r"(?i)\b(?:i|we|my|our|us|me|nobody|no one|no-one|rain\w*|snow\w*|freez\w*|icy|cold|hot|sunny|dark|late|busy|"
    r"closed|locked|full|empty)\b"
)
_MATTER = re.compile(rf"(?i)\b(?:{TRANSACTION}|refund\w*|cancel\w*)\b")
_DO = re.compile(
    rf"(?i)^(?:please |just |kindly |do not |never |always )*(?:{REQUEST_VERBS}|ring|text|phone|knock|deliver|park|"
    rf"e-?mail|message)\b"
)
#: "When you book restaurants for me, pick one with a terrace."
_WHEN_YOU = re.compile(
    r"(?i)^when(?:ever)? you (?:book|send|write|call|choose|pick|order|buy|answer|reply|summari[sz]e|draft|schedule|"
    r"plan|suggest|recommend|explain|"
    r"quote|deliver|report|format|cite)\b(?! (?:the|my|this|that|it)\b)[^,]{2,60},"
)


def read_conditional(words: str) -> Reading | None:
    """A standing statement with its condition, kept whole and without a key."""
    match = _CONDITION.match(words)
    if not match:
        return None
    when, then = match.group("when"), match.group("then")
    if _WHEN_YOU.match(words) and _DO.match(then) and not _MATTER.search(then):
        return Reading(category_hint=Category.PREFERENCE)
    if _SUPPOSED.search(when) or _MATTER.search(words) or not (_OURS.search(when) or PLACE_THING.search(when)):
        return None
    if _DO.match(then):
        if (
            re.match(
                r"(?i)(?:when|once|if)\b.{0,30}\b(?:ready|done|finished|arrives?|"
                r"complete\w*)\b",
                words,
            )
            or len(then.split()) < 2
        ):
            return None
        whenever = re.match(r"(?i)whenever\b", words)
        return Reading(form=None if whenever else Form.IMPLIED, category_hint=Category.PREFERENCE)
    if not re.match(r"(?i)(?:i|we|my|our)\b", then) or re.match(
        r"(?i)(?:i|we) (?:will|would|could|might|may|must|"
        r"have to)\b",
        then,
    ):
        return None
    told = read(then) or read_declarative(then)
    return Reading(category_hint=told.category_hint) if told and told.durable else None
