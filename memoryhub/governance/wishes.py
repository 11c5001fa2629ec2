"""Is it a standing wish or a convention? "From now on …", "never ring before nine", "no calls on Sundays" stand;
"cancel it" does not (R11, R13).
"""

import re
from dataclasses import replace

from memoryhub.governance.claims import Reading
from memoryhub.governance.grammar import read
from memoryhub.governance.keys import trim
from memoryhub.governance.lexicon import PAST, REASON
from memoryhub.governance.moods import LASTING, REQUEST_VERBS, STANDING
from memoryhub.governance.standing_requests import read_standing
from memoryhub.vocabulary import Category, Form
from memoryhub.working.patterns import Sieved

#: Verbs that ask somebody to do something; "always full of joy" asks nothing.
_IMPERATIVE = (
    rf"(?:{REQUEST_VERBS}|ring|text|phone|visit|disturb|wake|knock|interrupt|bother|address|invoice|bill|knock|mix|"
    rf"round|assume|abbreviate|"
    r"shorten|touch|push|merge|commit|deploy|edit|mail|format|sound|mock|log|mention|call|do|drop|put|end|begin|"
    r"quote|expect|charge|"
    r"contact|message|cc|bcc|copy|seat|greet|sign|spell|pronounce|forward|wrap|pack|block|prefer|fill|store|keep|"
    r"enter|park|smoke|deliver|leave|be)"
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
_NOT_TO_ME = re.compile(r"(?i)^(?:please )?do not (?:ever )?[a-z]+ (?:me|us|my|our)\b.+")
#: "Never force-push to a shared branch": whatever the verb, said to whom it concerns.
_NEVER_DO = re.compile(
    r"(?i)^(?:please )?never (?P<what>(?!(?:ever|again|mind|been|had|was|were|is|are|have|has|heard|saw|seen|knew|"
    r"thought|went|in|on|"
    r"at|the|a|an|too|so|to|not|before|enough|once|fails?|gets?|works?|felt|did|got|give|let|lose|settle|quit|say|"
    r"doubt|underestimate|stop)\b|"
    r"\w+(?:ed|ing|s)\b)[a-z][a-z-]+ [^.!?]{3,}[.! ]{0,40})$"
)
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
    r"(?i)\b(?:(?:here|instead)(?=[.! ]{0,40}$)|this|that(?! is how)|it(?! here)|them|these|those|the (?:order|flight|"
    r"booking|reservation|refund|payment|parcel|package|"
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
_ADVICE = Sieved(
    r"(?i)\b(?:yourself|your (?:ego|self|dreams?|heart|life|mind|future|health|time|friends?|family|goals?|passion|"
    r"feelings?|own|best|path|"
    r"potential|worth|head|hopes?))\b"
)
_POLITE = re.compile(
    r"(?i)^(?:(?:from now on|in (?:the )?future|going forward)[ ,]+)?(?:(?:could|can|would|will) you (?:please )?|"
    r"i would (?:appreciate it|be (?:grateful|glad|happy)|like it|prefer it|love it) if you (?:would |could )?)"
)
#: What befalls a thing: "the parcels never arrive" tells of them and asks nothing.
_BEFALLS = (
    rf"(?:even |really |once |yet )?(?:\w+ed|\w+s|{'|'.join(sorted(PAST))}|come|arrive|appear|turn up|"
    r"show up|get|reach|fail|vanish|work|fit|match|contain|take|cost|exist|happen|seem|stop|last|end up)"
)
#: Things of the person that are to go somewhere, without "I": "deliveries should go to the back door".
_THINGS_SHOULD = re.compile(
    r"(?i)^(?:all |any |my |our |the )*(?:deliver(?:y|ies)|invoices?|letters?|parcels?|packages?|mail|post|reports?|"
    r"calls?|bills?|statements?|returns?|visitors?|notifications?|e-?mails?|replies|answers|reminders|documents|keys|"
    r"guests|meetings|visits?|shipments?|orders|payments|newsletters?)\b"
    r"[^.?!]{0,30}? (?:should|must|need to|needs to|have to|are to|is to|can only|may only|always|never|"
    rf"only)\b (?!have\b|not have\b|(?<=(?:always|.never) ){_BEFALLS}\b).{{3,}}"
)
#: What comes again and again: said of these without "the" or "this", an imperative stands ("leave parcels with …").
_RECURRING = (
    r"(?:(?:all|any|my|our|future|larger?|small|heavy|urgent|important) )*(?:parcels|packages|deliveries|letters|"
    r"invoices|bills|"
    r"mail|post|documents|dates|times|prices|numbers|amounts|names|units|distances|temperatures|answers|replies|"
    r"responses|reports|"
    r"statements|notifications|receipts|e-?mails|newsletters|groceries|flowers|visitors|calls|reminders|updates|"
    r"orders|samples|"
    r"quotes|drafts|code|comments|summaries|messages|contracts|spare parts|goods|supplies|keys|results|minutes|"
    r"agendas|slides)\b"
)
_GENERIC = re.compile(
    rf"(?i)^(?:please |kindly )*(?:(?:leave|put|send|deliver|drop|forward|address|e-?mail|mail|post|ship|bill|hand|"
    rf"keep|store|route|"
    rf"write|format|quote|spell|show|round|express|give|state|label|file|sign)(?: me| us)? {_RECURRING}(?! (?:you|we|"
    rf"i|for order|from (?:order|yesterday|last)|that)\b).{{3,}}|"
    r"(?:use|come to|come through|come in through|enter (?:by|through)|deliver to|knock at|park (?:at|in|behind|on|"
    r"by)|ring at|"
    r"go (?:to|round|through)) (?:the|our|my) (?:\w+ )?(?:doors?|entrances?|gates?|bells?|buzzer|yard|drive(?:way)?|"
    r"lift|stairs|ramp|"
    r"dock|bay|reception|desk|intercom|car park|side street|alley|street|porch|garage|shed|annexe?)\b.*|"
    r"use (?:metric|imperial|celsius|fahrenheit|kilomet(?:re|er)s|miles|kilos|pounds|the metric system|"
    r"(?:the )?24[- ]hour|"
    r"(?:british|american|formal|plain|simple|short|gender-neutral|informal) \w+)\b.*|"
    r"(?:speak|talk|write|reply|respond|answer)(?: to me| to us| me| back)? (?:only )?in (?-i:[A-Z][a-z]+)\b.*|"
    r"(?:address|greet) (?:me|us) .+|(?:only )?(?:call|text|e-?mail|ring|phone|message|contact) me only\b.*)"
)
#: "For distances, use kilometres", "in all future answers, number your points".
_FOR_A_KIND = re.compile(
    rf"(?i)^(?:for|in|on|with) (?:all |any |every |future |all future |my |urgent |big |small |long |"
    rf"short )*[\w-]{{1,40}}(?:s|th|things|work|mail|post)\b(?: [\w-]+)?, "
    rf"(?:please |always |only )*(?P<do>{_IMPERATIVE})\b(?! (?:it|this|that|them)\b).{{3,}}"
)
_NEXT_TIME = re.compile(rf"(?i)^(?:next time|another time|in (?:the )?future)[ ,]+(?:please )?{_IMPERATIVE}\b.{{3,}}")
_TIMED_CALL = re.compile(
    r"(?i)^(?:please )?(?:only )?(?:call|ring|phone|text|e-?mail|contact|visit|come|deliver|message)(?: me|"
    r" us)? (?:only )?(?:between|after|"
    r"before|from|not before|not after|no later than|no earlier than|any ?time (?:after|before)|on (?:\w+days|"
    r"weekdays|weekends)|at weekends)\b"
    r"(?!.*\b(?:today|tomorrow|tonight|(?:my|the|this) (?:flight|trip|order)|you)\b).+"
)
_NO_ITEM = (
    r"no (?!problem|worries|idea|luck|response|answer|reply|change|thanks|need|way|one|rush|doubt|refund|more|longer)"
    r"[\w-]{1,40}(?: [\w-]{1,40})?"
)
_NO_LIST = re.compile(
    rf"(?i)^(?:please )?{_NO_ITEM}(?:(?:,| and|,? or|;) {_NO_ITEM}){{1,12}}(?:,? (?:please|thanks|for me|for us|at all|"
    rf"ever)){{0,4}}[.! ]{{0,40}}$|"
    rf"^(?:please,? )?{_NO_ITEM},? (?:please|for me|for us|ever)[.! ]{{0,40}}$"
)
_IN_LANGUAGE = re.compile(
    r"(?i)^(?:from now on,? |please |always |only )*(?:speak|talk|write|reply|respond|answer)(?: to me| to us| me|"
    r" back)? (?:only )?in "
    r"(?P<language>(?-i:[A-Z])[a-z]+)(?: only| from now on| please| always|,)*[.! ]{0,40}$"
)
_EVERY = Sieved(
    r"(?i)\b(?:every|each) (?!(?:of|one|other|single one)\b)\w+|\bwhenever possible\b|\bwhere possible\b|\bfor (?:all|"
    r"any) (?:my|our|future)\b|\b(?:daily|weekly|"
    r"monthly)\b|\b(?:on|at) (?:\w+days|weekends|weekdays)\b"
)
_AT_THE_END = Sieved(
    r"(?i)(?:,? (?:always|from now on|by default|going forward|in (?:the )?future|every time|please always|as a rule|"
    r"by convention|house rule|"
    r"that is how we (?:do|work)\b[^\n]{0,400}))[.! ]{0,40}$"
)
_HERE = re.compile(
    r"(?i)\bin (?:this|the) (?:repo\w*|project|team|code ?base|house|office|company|workspace|thread|chat|channel)\b"
)
_SIMPLE_DO = re.compile(rf"(?i)^(?:please |always |from now on,? |in future,? )*{_IMPERATIVE}\b(?! you\b).{{4,}}")
#: "Window seats for me, always", "only halal meals for me please": a wish without a verb.
_FOR_ME = re.compile(
    r"(?i)^(?:(?:always|only|no|please) (?:the |an? )?[\w' -]{3,40} for (?:me|us)(?:,? (?:please|thanks|always))*|"
    r"[\w' -]{3,50} for (?:me|us),? (?:please,? )?always|"
    r"(?:all |my |the )?[\w' -]{3,40} (?:in|by|with|without|as|over) [\w' -]{2,30}(?: please)?,? always)[.! ]{0,40}$"
)
#: "No mocks in integration tests", "nothing with perfume, ever": what is not to be, where or at all.
_NO_KIND = re.compile(
    r"(?i)^(?:please,? )?no (?:[\w]+-[\w-]+|early|late|long|short|overnight|budget|smoking|shared|cold|spicy|plastic|"
    r"paper|night|weekend|morning) (?:flights|hotels|rooms|"
    r"seats|meetings|calls|connections|layovers|food|drinks|meals|trains|shifts|visits|deliveries|bags|"
    r"cups)[.! ]{0,40}$"
)
_HOUSE_RULE = re.compile(
    rf"(?i)^(?:please,? )?(?:{_NO_ITEM}(?: [\w-]+)?|nothing (?:with|made of|containing|from|spicy|before|"
    rf"after)(?: [\w-]+){{1,3}}) ?(?:"
    r"(?:in|on|inside|at|before|after|under) (?:(?:this|the|our|my|any|all|every) )?[\w -]{3,40}|ever|, ever|at all|"
    r",? (?:house rule|please|full stop|period)){1,6}[.!, \w]{0,200}$"
)
_USE = re.compile(
    r"(?i)^(?:please )?use (?!(?:the |an? |my )?(?:\w+ ){0,2}(?:card|certificates?|vouchers?|payment|points|miles|"
    r"balance|option)\b|the (?:card|option|link|same|other|first|second|voucher|code|points|gift|money)\b|this|"
    r"that|it\b|my |your|these|"
    r"those|both|all\b|(?:an? )?(?:gift|card|credit|voucher|visa|paypal|certificate|travel)|"
    r"only the)[\w-]+(?: [\w/.-]+){0,7}[.! ]{0,40}$"
)
_USE_IN = re.compile(
    r"(?i)\b(?:in|for|across|throughout) (?:(?:this|the|our|my|all|every) )?(?:repo\w*|project|code ?base|code|team|"
    r"docs|documentation|tests?|commits?|"
    r"branches|identifiers|names|comments|messages|reports|invoices|letters|answers|replies|e-?mails|summaries|tables|"
    r"headings|files|modules|\w+s)\b"
)
_BREVITY = re.compile(
    r"(?i)^(?:please )?(?:keep|make|write|format|give|send) (?:me |us )?(?:your |the |all |any )?(?:answers?|replies|"
    r"responses?|messages?|explanations?|summaries|reports?|e-?mails?|it)\b.+|^(?:please )?be (?:brief|concise|short|"
    r"direct|formal|informal|polite|blunt|gentle|quick|precise)\b"
)
_TO_YOURSELF = Sieved(
    r"(?i)\b(?:you|your|yourself)\b.{0,80}\b(?:are|act|be|pretend|answer as|respond as|role|character|persona|obey|"
    r"comply)\b|\b(?:act|pretend|behave|respond|answer|speak) (?:as|like)\b|\bapprov|\brefund|\bpassword|"
    r"\binstructions\b|\bprompts?\b|\brefus\w+|\b(?:every|any|each|all) (?:request|question|command|order|user|"
    r"response|message)s?\b(?! in\b)|"
    r"\bmode\b(?<!dark mode)(?<!light mode)|\bchat ?gpt|\bai\b|\bconfirmation\b|\bpay(?:ing)? out\b|\bcensor\w*|"
    r"\bunfiltered"
    r"|\b(?:take|knock|deduct|subtract) .{1,30}\boff\b|\bwaiv\w*|\bdiscounts?\b|\bfree of charge\b|\b(?:charge|"
    r"bill) (?:me|us) (?:less|half|nothing|only)\b"
)


def read_wish(words: str) -> Reading | None:
    """What a clause asks to be done from now on; None where it asks for one thing only, or for nothing."""
    asked = None if _NOT_A_WISH.match(words) else _asked(words, _WISH)
    if asked is None or asked.key != _WISH.key:
        return asked
    said = _canonical(words)
    return replace(asked, value=said, closes=_turned(said))


#: A standing wish before its words are put to it.
_WISH = Reading("wishes", single=False, category_hint=Category.PREFERENCE)


def _asked(words: str, wish: Reading) -> Reading | None:
    """`wish`, perhaps as an implied one, where the clause holds a standing wish; what else it states; or None."""
    if language := _IN_LANGUAGE.match(words):
        return Reading("preferred_language", language.group("language"), category_hint=Category.PREFERENCE)
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
    if _NOT_TO_ME.match(words) and (_WHEN.search(words) or STANDING.search(words)):
        return wish
    if _NEVER_DO.match(words) and not re.search(r"(?i)\b(?:i|we)\b", words):
        return wish
    if _BREVITY.match(words):
        return replace(wish, form=Form.IMPLIED) if not re.search(r"(?i)\b(?:it|this|that|these)\b", words) else None
    if _THINGS_SHOULD.match(words) or _NO_THINGS.match(words) or _POSITIVE.match(words) or _WHENEVER.match(words):
        return wish
    if lasting or (STANDING.search(words) and _declares(words)):
        return wish
    every = _EVERY.search(words) or _AT_THE_END.search(words) or _LASTING_LEAD.match(words)
    if _SIMPLE_DO.match(words) and every and not _ONE_OFF.search(_HERE.sub("", words)):
        return wish
    if _FOR_ME.match(REASON.sub("", words)) or _HOUSE_RULE.match(words) or _NO_KIND.match(words):
        return wish
    if (
        _GENERIC.match(words)
        or _NO_LIST.match(words)
        or _FOR_A_KIND.match(words)
        or _NEXT_TIME.match(words)
        or _TIMED_CALL.match(words)
    ):
        return wish if every else replace(wish, form=Form.IMPLIED)
    if _USE.match(words) and not _ONE_OFF.search(_HERE.sub("", words)):
        return wish if _USE_IN.search(words) or every else replace(wish, form=Form.IMPLIED)
    if _TIMED_REACH.match(words) and _ME.search(words) and _WHEN.search(words):
        return wish
    return read_standing(words, wish)


_LEADS_UP = re.compile(
    r"(?i)^(?:(?:please|always|from (?:now|today) on|going forward|in (?:the )?future|as a rule|by default|kindly|"
    r"henceforth|next time|from now)[ ,]+)+"
)
_TRAILS = Sieved(
    r"(?i)(?<![ ,])(?:[ ,]+(?:please|always|from now on|going forward|in (?:the )?future|as a rule|by default|"
    r"any ?more|"
    r"any longer|ever|again|at all|every time)){1,8}[.! ]{0,40}$"
)


def _canonical(words: str) -> str:
    """What is wished, with its polarity, without what only says that it stands: the same wish in other words is one."""
    said = _TRAILS.sub("", _LEADS_UP.sub("", words))
    if refused := re.match(r"(?i)(?:do not|never|no)[ ](?:ever )?(?P<what>.+)", said):
        return f"not {trim(refused.group('what'))}"
    if stopped := re.match(r"(?i)stop (?P<what>\w+)ing (?P<rest>.+)", said):
        return f"not {stopped.group('what')} {trim(stopped.group('rest'))}"
    return trim(said) or trim(words)


def _turned(said: str) -> tuple[str, ...]:
    """What it ends: the opposite wish, and for one that is no longer wished also how often it was."""
    if not said.startswith("not "):
        return (f"not {said}",)
    plain = said.removeprefix("not ")
    often = ("every day", "every week", "every month", "every time", "daily", "weekly", "monthly")
    return (plain, *(f"{plain} {how}" for how in often))


def _declares(words: str) -> bool:
    """Whether a sentence with "from now on" and the like says how things are to be, rather than tells a story."""
    if re.search(r"(?i)\b(?:was|were|had|did|been)\b|^(?:i|we) \w+ed\b", words):
        return False
    if re.match(r"(?i)(?:every|each|any) ?time\b", words):
        return False  # what happens then is a complaint; what is to be done then was read before
    lasting = LASTING.search(words)
    return (
        bool(lasting)
        and not re.fullmatch(r"(?i)always|never", lasting.group() if lasting else "")
        and len(words.split()) >= 4
    )
