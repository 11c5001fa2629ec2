"""Is it a standing wish or a convention? "From now on …", "never ring before nine", "no calls on Sundays" stand;
"cancel it" does not (R11, R13).
"""

import re

from memoryhub.governance.claims import Reading
from memoryhub.governance.grammar import read
from memoryhub.governance.moods import LASTING, REQUEST_VERBS, STANDING
from memoryhub.vocabulary import Category, Form

#: Verbs that ask somebody to do something; "always full of joy" asks nothing.
_IMPERATIVE = (
    rf"(?:{REQUEST_VERBS}|ring|text|phone|visit|disturb|wake|knock|interrupt|bother|address|invoice|bill|knock|mix|"
    rf"round|assume|abbreviate|"
    r"shorten|touch|push|merge|commit|deploy|edit|mail|format|sound|mock|log|mention|call|do|drop|put|end|begin|"
    r"quote|expect|charge|"
    r"contact|message|wrap|pack|block|prefer|fill|store|keep|enter|park|smoke|deliver|leave|be)"
)
_NOT_A_WISH = re.compile(
    r"(?i)^(?:please )?(?:never ?mind|never (?:again|heard|ever)\b|always (?:a pleasure|nice|great|good|happy)|"
    r"do not (?:worry|bother|know|mind|get me wrong|panic|apologi[sz]e|be (?:sorry|silly|rude))|no (?:worries|"
    r"problem|thanks|thank|need|idea|way|rush|hurry|one|longer|more|matter|wonder|doubt)|(?:never|do not) (?:give up|"
    r"be afraid|be shy|lose|settle|quit|underestimate|look back|hesitate|stop (?:believ|dream|be|learn)\w*|let (?:it|"
    r"them|anyone)))\b"
)
_REACH = (
    r"(?:call|ring|phone|text|e-?mail|contact|disturb|wake|visit|message|write to|knock|interrupt|bother|remind|"
    r"notify|address|invoice|bill|reach|deliver to|come|send (?:me|us)|leave)"
)
_NEGATIVE = re.compile(rf"(?i)^(?:please )?(?:do not|never) (?:ever )?(?P<what>(?!\w{{3,}}ing\b){_IMPERATIVE}\b.*)")
_WHEN = re.compile(
    r"(?i)\b(?:before|after|between|during|until|at (?:weekends|night|lunch|work)|on (?:\w+days|weekends|weekdays|"
    r"public holidays|school days)|in the (?:mornings?|afternoons?|evenings?)|outside|\w+days|weekends?|weekdays|"
    r"nights|"
    r"past (?:\d|\w+ o'clock)|by (?:phone|e-?mail|text|post|letter|sms)|over the phone|without (?:asking|warning|"
    r"notice)|unless)\b"
)
_ME = re.compile(r"(?i)\b(?:me|us|my|our)\b")
_STYLE = re.compile(
    r"(?i)^(?:use|include|add|put|write|format|abbreviate|shorten|assume|suggest|recommend|mention|show|share|offer|"
    r"repeat|translate|explain|be|sound|say|call|start|end|begin|commit|push|deploy|merge|touch|edit|run|install|"
    r"mock|log)\b"
)
_ONE_OFF = re.compile(
    r"(?i)\b(?:this|that|it|them|these|those|the (?:order|flight|booking|reservation|refund|payment|parcel|package|"
    r"ticket|card|subscription|appointment))\b"
)
_POSITIVE = re.compile(
    rf"(?i)^(?:please )?(?:always|only|please only|whenever possible|by default|"
    rf"never)[ ,]+(?P<what>(?!\w{{3,}}ing\b){_IMPERATIVE}\b.*)"
)
_NO_THINGS = re.compile(
    r"(?i)^(?:please )?no (?P<what>(?:more )?(?:calls?|phone calls?|e-?mails?|texts?|visits?|deliver(?:y|ies)|"
    r"letters|newsletters?|reminders|meetings|messages|ads|advertising|marketing|small talk|emojis?|jargon|"
    r"abbreviations|bullet points|paper|plastic|cutlery|noise|parking|smoking|pets|shoes)\b.*)"
)
_WHENEVER = re.compile(
    rf"(?i)^(?:whenever|every time|each time|any ?time|always when|if ever)\b(?! (?:you (?:need|want|feel|like|have|"
    rf"get|are)|i (?:think|hear|see|"
    rf"feel)))[^,]{{3,120}}?,? (?:(?:please |then |just |always |do not |never )+|(?<=, )){_IMPERATIVE}\b"
)
_STOP = re.compile(
    r"(?i)^(?:please )?stop (?P<what>(?:call|ring|phon|text|e-?mail|contact|send|using|add|put|address|remind|"
    r"interrupt|includ|suggest|ask|tell|writ)\w*\b.*)"
)
_TIMED_REACH = re.compile(rf"(?i)^(?:please )?(?:only )?{_REACH}\b.*")
_LASTING_LEAD = re.compile(
    r"(?i)^(?:from (?:now|today|here) on|going forward|in (?:the )?future|as of (?:now|today)|"
    r"henceforth)[ ,]+(?:please )?(?:you can )?"
)
#: "Never doubt yourself" is advice to the listener, no wish of the speaker.
_ADVICE = re.compile(
    r"(?i)\b(?:yourself|your (?:ego|self|dreams?|heart|life|mind|future|health|time|friends?|family|goals?|passion|"
    r"feelings?|own|best|path|"
    r"potential|worth|head|hopes?))\b"
)
_POLITE = re.compile(
    r"(?i)^(?:(?:from now on|in (?:the )?future|going forward)[ ,]+)?(?:(?:could|can|would|will) you (?:please )?|"
    r"i would (?:appreciate it|be (?:grateful|glad|happy)|like it|prefer it|love it) if you (?:would |could )?)"
)
#: Things of the person that are to go somewhere, without "I": "deliveries should go to the back door".
_THINGS_SHOULD = re.compile(
    r"(?i)^(?:all |any |my |our |the )*(?:deliver(?:y|ies)|invoices?|letters?|parcels?|packages?|mail|post|reports?|"
    r"calls?|bills?|statements?|returns?|visitors?|notifications?|e-?mails?|replies|answers|reminders|documents|keys|"
    r"guests|meetings|visits?|shipments?|orders|payments|newsletters?)\b"
    r"[^.?!]{0,30}? (?:should|must|need to|needs to|have to|are to|is to|can only|may only|always|never|"
    r"only)\b (?!have\b|not have\b).{3,}"
)
_BREVITY = re.compile(
    r"(?i)^(?:please )?(?:keep|make|write|format|give|send) (?:me |us )?(?:your |the |all |any )?(?:answers?|replies|"
    r"responses?|messages?|explanations?|summaries|reports?|e-?mails?|it)\b.+|^(?:please )?be (?:brief|concise|short|"
    r"direct|formal|informal|polite|blunt|gentle|quick|precise)\b"
)
_TO_YOURSELF = re.compile(
    r"(?i)\b(?:you|your|yourself)\b.{0,80}\b(?:are|act|be|pretend|answer as|respond as|role|character|persona|obey|"
    r"comply)\b|\b(?:act|pretend|behave|respond|answer|speak) (?:as|like)\b|\bapprov|\brefund|\bpassword|"
    r"\binstructions\b"
)


def read_wish(words: str) -> Reading | None:
    """What a clause asks to be done from now on; None where it asks for one thing only, or for nothing."""
    if _NOT_A_WISH.match(words):
        return None
    wish = Reading(category_hint=Category.PREFERENCE)
    lasting = bool(_POLITE.match(words) and LASTING.search(words))
    words = _POLITE.sub("", words)
    if _TO_YOURSELF.search(words):
        return None
    if (lead := _LASTING_LEAD.match(words)) and (reading := read(words[lead.end() :])) and reading.durable:
        return reading
    if match := _STOP.match(words):
        return wish if _ME.search(words) or _STYLE.match(match.group("what")) else None
    if _ADVICE.search(words):
        return None
    if match := _NEGATIVE.match(words):
        what = match.group("what")
        standing = (
            STANDING.search(words) or _WHEN.search(what) or (re.match(rf"(?i){_REACH}\b", what) and _ME.search(what))
        )
        if standing or (_STYLE.match(what) and not _ONE_OFF.search(what)):
            return wish
        return Reading(durable=False)
    if _BREVITY.match(words):
        return (
            Reading(form=Form.IMPLIED, category_hint=Category.PREFERENCE)
            if not re.search(r"(?i)\b(?:it|this|that|these)\b", words)
            else None
        )
    if _THINGS_SHOULD.match(words) or _NO_THINGS.match(words) or _POSITIVE.match(words) or _WHENEVER.match(words):
        return wish
    if lasting or (STANDING.search(words) and _declares(words)):
        return wish
    if _TIMED_REACH.match(words) and _ME.search(words) and _WHEN.search(words):
        return wish
    return None


def _declares(words: str) -> bool:
    """Whether a sentence with "from now on" and the like says how things are to be, rather than tells a story."""
    if re.search(r"(?i)\b(?:was|were|had|did|been)\b|^(?:i|we) \w+ed\b", words):
        return False
    lasting = LASTING.search(words)
    return (
        bool(lasting)
        and not re.fullmatch(r"(?i)always|never", lasting.group() if lasting else "")
        and len(words.split()) >= 4
    )
