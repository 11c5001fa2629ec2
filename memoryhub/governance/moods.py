"""Does a sentence assert anything of its speaker? Questions, requests, hypotheticals, irony, quotation and hearsay do
not (R11, R13).
"""

import re
from enum import Enum

from memoryhub.governance.coming import COMING
from memoryhub.working.patterns import Sieved


class Mood(Enum):
    """How a sentence is meant."""

    ASSERTION = "assertion"
    HEDGED = "hedged"
    EMPTY = "empty"
    QUESTION = "question"
    HYPOTHETICAL = "hypothetical"
    IRONY = "irony"
    REPORTED = "reported"
    REQUEST = "request"
    TASK_WITH_TEXT = "task with text"
    INTENTION = "intention"


_AUXILIARY = (
    r"(?:is|are|was|were|am|do|does|did|can|could|will|would|should|shall|may|might|has|have|had|must|isn'?t|aren'?t|"
    r"don'?t|doesn'?t|didn'?t|can'?t|couldn'?t|won'?t|wouldn'?t|shouldn'?t|haven'?t|hasn'?t)"
)
_SUBJECT = (
    r"(?:i|you|we|they|he|she|it|this|that|there|my|our|your|the|a|an|any|these|those|someone|anyone|one|his|her|"
    r"their|its)"
)
_QUESTION_START = re.compile(
    rf"(?i)^(?:(?:and|but|so|ok(?:ay)?|well|hey|hi|hello|sorry|also|then|or|please|um+|uh+|just|quick question|"
    rf"question)[ ,:!-]+){{0,3}}"
    rf"(?:{_AUXILIARY}[ ]+{_SUBJECT}\b|(?:what|why|how|where|who|whom|whose|which|when)(?:'s|'re|'d|'ll)?[ ]+(?!i\b|"
    rf"we\b|my\b|our\b)(?:\w+[ ]+){{0,3}}?{_AUXILIARY}\b(?=[ ]+{_SUBJECT}\b|[ ]*[?.!]{{0,40}}$)|what(?:'s| is|"
    rf" are) (?:the|"
    rf"my|your|our)\b|what(?:'s| about| if| else)|how (?:about|come|much|many|long|to)\b|any (?:chance|idea|news|"
    rf"update)|why not\b)"
)
_QUESTION_INSIDE = Sieved(
    r"(?i)\b(?:i(?:'m| am| was|'d| would)?(?: just| really| also)? (?:wonder(?:ing)?|curious|asking|unsure|"
    r"not (?:sure|certain)|like to know|love to know|want to know|need to know|unclear|confused)"
    r"(?: about)? (?:if|whether|what|how|why|when|where|which|who|about)\b|(?:tell|remind|show) me\b|let me know\b|"
    r"do you (?:know|remember|recall)|can you|could you|would you|will you|i have a question|"
    r"i forgot (?:what|which|where|my|the)|i (?:do not|don'?t|can'?t|cannot|can not) (?:remember|recall|know|"
    r"think of|find)|i can'?t tell (?:if|whether)|i(?:'m| am) trying to (?:find|figure|work out|remember|"
    r"understand))\b"
)
_TAG = Sieved(
    rf"(?i),\s*(?:(?:is|isn'?t) (?:that|this|it) (?:right|correct|so|true|ok(?:ay)?|not so)|right|correct|yes|no|"
    rf"ok(?:ay)?|eh|huh|{_AUXILIARY}(?:n'?t)? (?:i|it|you|we|they|he|she|"
    rf"that))\s*\?*$"
)
_HYPOTHETICAL = Sieved(
    r"(?i)\b(?:if (?:only )?(?:i|we|my|our|it) (?:were|was|had|lived|worked|moved|ever|became|could|would|didn'?t|"
    r"did not|hadn'?t|wanted|switched|used|liked|ate|drank|owned|got|went|did|needed|preferred)\b|"
    r"suppose|supposing|imagine|let'?s (?:say|assume|pretend|imagine)|say,? i\b(?! (?:what|that) )|pretend|"
    r"hypothetical(?:ly)?|what if|"
    r"in theory|assum(?:e|ing)|as if|as though|i wish|if only|"
    r"i (?:would|could|might|may)(?:'ve| have)\b|had i\b|were i\b|should i (?:ever|move|want|need|decide)|(?:in|"
    r"for) (?:a|the|my) (?:story|novel|game|dream|film|movie|play|song|role-?play|example|scenario|exercise|essay)|"
    r"my character|someone (?:who|like)|a person who|in another life|one day i(?:'ll| will| might| may)|(?:if|"
    r"when) i (?:grow up|retire|win))"
)
_IRONY = Sieved(
    r"(?i)(?:^|[\s(])/s\b|\b(?:yeah,? right|as if|oh,? (?:great|sure|yes|yeah|wonderful|perfect|joy|fantastic|"
    r"brilliant|lovely)|just what i (?:needed|wanted)|how (?:lovely|wonderful|nice) of|"
    r"sure,? because|obviously i|because (?:who|everyone) (?:doesn'?t|does not|loves)|(?:just|kid|jok)(?:ding|ing)|"
    r"not!|lol|lmao|rofl|haha+|said no one|thanks for nothing)\b|🙄|🙃|😏|😒"
)
_IRONIC_LOVE = Sieved(
    r"(?i)\bi (?:just |really |absolutely |simply |totally |do )*(?:love|adore|enjoy|"
    r"like)\b.{0,30}\b(?:wait(?:ing)? (?:on hold|for (?:ages|hours|weeks|days|an hour|\w+ hours)|in (?:line|"
    r"queues?))|on hold|queu(?:es|ing|e)|being (?:ignored|charged|billed|lied|put|passed|"
    r"kept|told|hung|overcharged)|pay(?:ing)? (?:twice|double|extra|more)|when (?:you|it|things|everything|nothing|"
    r"my (?:order|parcel|package|app|screen|internet|train|flight))|late (?:deliver|parcel|fee|train)|"
    r"wait(?:ing)? (?:\w+ )?(?:minutes|hours|days|weeks|months|forever|ages)|bugs?\b|"
    r"crash\w*|"
    r"broken|error|spam|delays?\b|losing|repeating myself|explain\w* (?:it |this |myself )?(?:again|twice|\w+ times)|"
    r"getting (?:up at [1-5]\b|nowhere|ignored|charged)|(?:getting|having|seeing|finding) (?:my|"
    r"our) \w+(?: \w+)? (?:\w*(?:smashed|crushed|lost|broken|stolen|ruined|damaged|rejected|denied|cancel+ed|delayed|"
    r"deleted|dented|soaked|torn|late)))"
)
_SAYING = (
    r"(?:said|says|say|told|tells|claims?|claimed|thinks|thought|believes?|believed|wrote|writes|mentioned|mentions|"
    r"insists?|insisted|reports?|reported|suggested|suggests|argued|asked|asks|states?|stated|heard|read|announced|"
    r"replied)"
)
_REPORTED = Sieved(
    rf"(?i)^(?:(?:and|but|so|then|because)[ ,]+)?(?!(?:i|we|whatever|no matter)\b)(?:(?:my|our|his|her|their|the|your|"
    rf"a|an|some|"
    rf"one of)[ ]+)?(?:[\w'’-]+[ ]+){{0,4}}?(?:(?:has|have|just|also|always|once|"
    rf"already)[ ]+)?{_SAYING}\b(?![ ]+(?:me|us)[ ]+(?:by|on|at)\b)"
    r"|^(?!(?:i|we|my (?:notes|preferences)) )[^.!?:]{3,70}\b(?i:says|said|reads|writes|wrote|states|goes|went)\s*:"
    r"|(?i:\baccording to\b|\brumou?r has it\b|\bapparently\b.{0,20}\bsaid\b|\bas (?:he|she|they) (?:put|said)\b|"
    r"\bquote\b[:,]|\b(?:it|the (?:page|sign|label|mail|e-?mail|letter|ad|article|website|book|form|note)) (?:says|"
    r"said|reads|states)\b)"
)
_OWN_SAYING = re.compile(
    r"(?i)^(?:as )?(?:i|we)(?:'ve| have)? (?:already |just |once |told you |)?(?:said|told|mentioned|"
    r"wrote)\b(?: (?:you|before|earlier|already|last time|that))*[ ,:]*"
)
_HEARD = re.compile(r"(?i)^(?:i|we)(?:'ve| have)? (?:heard|read|was told|were told|saw|been told)\b")
_GREETING = re.compile(
    r"(?i)^(?!(?>.*?\bfor\b){4})(?:(?:hi|hello|hey|hiya|yo|good (?:morning|afternoon|evening|day|night)|"
    r"greetings|dear \w{1,40}|thanks?|"
    r"thank you|thx|ty|cheers|many thanks|much appreciated|ok(?:ay)?|k|yes|no|yep|yeah|nope|sure|"
    r"great|perfect|fine|cool|nice|awesome|wonderful|excellent|good|got it|understood|i see|alright|all right|right|"
    r"sounds good|will do|no problem|no worries|bye|goodbye|see you|take care|have a (?:nice|good|great|lovely) "
    r"\w{1,40}|welcome|sorry|never ?mind|please|lol|haha|hmm{1,40}|oh|wow|ah|indeed|exactly|correct|agreed|"
    r"noted|done|anyway|"
    r"well|so|there|all|everyone|team|again|very much|so much|a lot|for (?:your|the|all|that|this)(?: \w{1,40}){1,3}|"
    r"and|but|then|too|that'?s (?:all|it|fine|great|right|correct|ok|okay|perfect|good))[\s,.!…-]*+)+$"
)
_TASK_WITH_TEXT = re.compile(
    r"(?i)^(?:(?:please|can you|could you|would you|kindly|help me(?: to)?|i (?:want|need|would like|'d like) you to|"
    r"and|now|just|hi|hello|hey)[ ,!]+){0,4}(?:translate|summari[sz]e|paraphrase|rephrase|rewrite|reword|proof-?read|"
    r"spell-?check|edit|"
    r"correct|fix|improve|polish|shorten|analy[sz]e|classify|annotate|complete|continue|review|parse|extract|"
    r"repeat after me|echo|transcribe|say in|turn (?:this|the following)|convert)\b"
    r"(?:[^.!?\n]{0,60}(?::|\b(?:the )?following\b|\bbelow\b|\bthis (?:text|sentence|paragraph|message|e-?mail|"
    r"letter|note|phrase|line|passage|review|quote|statement|post)\b|[\"“'‘`]))"
)
_WRITE_AS = re.compile(
    r"(?i)^(?:(?:please|can you|could you|would you|kindly|help me(?: to)?)[ ,]+){0,3}(?:write|draft|compose|"
    r"generate|create|make up|invent|tell|give me|prepare|send|reply|answer|respond|say|post|tweet|print|type|"
    r"output)\b[^.!?\n]{0,80}"
    r"(?:\b(?:saying|that says|which says|that reads|in which|where|about (?:a|an|someone)|as (?:a|an)\b|"
    r"from the (?:perspective|point of view)|like a\b|story|poem|song|joke|dialog(?:ue)?|script|essay|sentence|"
    r"character|bio|sample|example)|[:\"“])"
)
REQUEST_VERBS = (
    r"add|adjust|analy[sz]e|answer|apply|arrange|ask|assign|assist|book|bring|build|buy|calculate|cancel|change|"
    r"charge|check|choose|click|clear|close|come|compare|compute|confirm|connect|continue|convert|copy|create|"
    r"deliver|describe|design|draft|double-check|download|draw|escalate|email|ensure|estimate|explain|expedite|"
    r"export|extend|fetch|file|fill|find|finish|fix|follow|forget|forward|generate|get|give|go|guide|have|help|hold|"
    r"identify|imagine|include|inform|install|investigate|issue|keep|leave|let|list|locate|look|make|mark|move|name|"
    r"notify|offer|open|order|pass|pay|pick|place|plan|play|point|post|predict|prepare|print|proceed|"
    r"process|produce|provide|pull|put|reach|read|rebook|recommend|refund|register|release|remind|remove|rename|"
    r"replace|reply|report|request|reschedule|reserve|reset|resend|resolve|respond|restart|restore|return|review|"
    r"revert|"
    r"rewrite|run|save|say|schedule|search|see|select|send|set|share|ship|show|sign|skip|solve|sort|speak|start|stay|"
    r"stop|submit|suggest|summari[sz]e|switch|take|talk|teach|tell|test|think|track|transfer|"
    r"translate|trust|try|turn|update|upgrade|upload|use|verify|view|visit|wait|walk|work|write|act|pretend|convince|"
    r"discuss|complete|act|solve|enumerate|elaborate|outline|brainstorm|evaluate|assess|consider|define"
)
_REQUEST = re.compile(
    rf"(?i)^(?:(?:please|pls|plz|kindly|now|then|and|so|just|also|but|ok(?:ay)?|yes|great|perfect|alright|first|next|"
    rf"finally|in that case|hi|hello|hey|sure|could you|can you|would you|will you|you (?:can|may|could|should|must)|"
    rf"go ahead and|let'?s|let us)[ ,!.-]+)*(?:{REQUEST_VERBS})\b(?!:)"
)
_WANT = re.compile(
    r"(?i)^(?:(?:and|but|so|also|then|well|ok(?:ay)?|yes|no|hi|hello|hey|sorry|actually|please|now|for now|"
    r"in that case|instead|if possible|since|because|thanks?)[ ,!.-]+)*"
    r"(?:i|we)(?:'d| would|'ll| will|'m| am|'re| are)?(?: just| really| also| only| still| now| actually| definitely|"
    r" kindly)* "
    r"(?:like (?:to|you)\b|(?:(?<=would )|(?<='d ))like (?:a|an|the|it|this|that|my|some|help|assistance|both of|"
    r"both (?:options|flights|of)|all of|"
    r"all (?:the|those)|more|\d)|love (?:to|it if)|want|need|"
    r"wish|require|request|demand|hope|hoping|expect|trying|looking|aim|calling|writing|contacting|reaching out|"
    r"asking|requesting|here (?:to|about)|"
    r"interested in (?:booking|buying|upgrading|changing|cancel+ing|knowing|getting)|wanting|ready|happy to|"
    r"willing|prefer you|appreciate|be (?:glad|grateful|happy)|have to|got to|must|should|can (?:proceed|pay|wait|"
    r"confirm|provide|go)|go (?:with|ahead)|take (?:the|that|it|this)|choose|pick|opt|use (?:the|my|this|"
    r"that) (?:\w+ )?(?:card|certificate|voucher|points|credit|miles)|pay(?= (?:for|with|by|using|the|my|it|now|\d|"
    r"extra|more)\b|[.! ]{0,40}$)|proceed)\b"
)
_INTENTION = Sieved(
    r"(?i)\b(?:i|we)(?:'ll| will|'m going to| am going to|'re going to| are going to| plan to| intend to| hope to|"
    r" (?:might|may|could) (?!not (?:eat|drink))|'m thinking (?:of|about)| am thinking (?:of|about)| am planning|"
    r"'m planning| am considering|'m considering| are planning| would like to (?!be )| want to (?!be ))"
)
#: What is told for a day named ("I'll be in Leeds this week") is more than an intention.
_ANNOUNCED = Sieved(
    r"(?i)\b(?:i|we)(?:'ll| will|'m going to| am going to|'re going to| are going to) (?:also |then |only |"
    r"not )*(?:be (?!happy|glad|"
    r"able|sure|back to|in touch|waiting|looking|paying|using|sending|needing|there\b|going to)|work|live|stay|move|"
    r"relocate|study|"
    r"switch|migrate|start (?:at|as|working)|join)\b"
)
#: "I'll eat anything but fish", "I won't eat meat": how somebody is, whatever day it is.
_WILL_NOT = Sieved(
    r"(?i)\b(?:i|we)(?:'ll| will)(?: only| never| not| happily| gladly)* (?:eat|drink|wear|use|drive|fly) (?:anything|"
    r"everything|any \w+|only|no |"
    r"meat|fish)"
)
#: What somebody hopes to do "in the future" or "always" is no standing wish.
_HOPE = re.compile(
    r"(?i)^(?:(?:and|but|so|well|also|hi|hello|hey)[ ,]+)*(?:i|we)(?:'m| am|'re| are|'d| would)?(?: just| really|"
    r" also| still)* (?:hop(?:e|ing)|plan(?:ning)?|"
    r"intend(?:ing)?|dream(?:ing)?|going|aim(?:ing)?|want|like|love|wish|looking forward) (?:to (?!be (?:called|"
    r"contacted|reached|addressed|"
    r"phoned|e-?mailed|notified|informed|reminded))|of )(?=.*\b(?:in (?:the )?future|always|one day|some ?day|ever)\b)"
)
_HEDGE = Sieved(
    r"(?i)\b(?:i (?:think(?! in\b)|guess|believe|suppose|reckon|assume|imagine|feel like)|maybe|perhaps|possibly|"
    r"probably|"
    r"presumably|apparently|seemingly|it seems|seems (?:that|like)|i seem to|not (?:entirely |quite |really |"
    r"100% )?(?:sure|certain)|"
    r"might (?:be|have)|may be|could be|kind of|sort of|more or less|as far as i (?:know|remember|recall)|"
    r"if i (?:remember|recall) (?:right|correctly|well)|afaik|iirc|i'?m (?:fairly|pretty|almost|quite|not) sure|"
    r"or so i think|unless i'?m mistaken|"
    r"something like|supposedly|likely)\b"
)
STANDING = Sieved(
    r"(?i)\b(?:from (?:now|here|today|this point|tomorrow|next \w+) on(?:wards?)?|from now|going forward|"
    r"moving forward|in (?:the )?future|henceforth|as of (?:now|today|tomorrow)|starting (?:now|today|tomorrow|"
    r"next \w+|\w+day)|from today|until further notice|"
    r"as a rule|by default|by convention|house rule|(?:that'?s|that is|this is) how we (?:do|work|roll)\b[^.]{0,400}|"
    r"every time|each time|whenever|any ?time|always|never|at all times|in general|generally|"
    r"without exception|for good|permanently)\b"
)
#: "From now on" and its like: words that make a request stand.
LASTING = Sieved(
    r"(?i)\b(?:from (?:now|today|here|this point|tomorrow|next \w+)(?: on(?:wards?)?)?|going forward|moving forward|"
    r"in (?:the )?future|henceforth|as of (?:now|today|tomorrow|next \w+)|starting (?:now|today|tomorrow|next \w+|"
    r"\w+day)|until further notice|by default|every time|each time|as a rule|always|never)\b"
)
_POLITE_WISH = re.compile(
    r"(?i)^(?:(?:and|so|also|please|hi|hello|hey)[ ,]+)*(?:from now on|in (?:the )?future|"
    r"going forward)?[ ,]{0,4}(?:(?:could|can|would|will) you\b|i(?:'d| would) (?:appreciate it|be (?:grateful|glad|"
    r"happy)|like it|prefer it|love it) if you\b)"
)
_QUOTED_WHOLE = re.compile(r"^[\"“”«][^\"“”«»]{3,}[\"“”»][.!?]?$")
TAKEOVER = Sieved(
    r"(?i)\b(?:(?:this is|it'?s|it is|here is) (?:(?:his|her|their|\w+'s) )(?:wife|husband|son|daughter|assistant|"
    r"mother|father|sister|brother|"
    r"friend|partner|colleague|secretary|roommate|flatmate|neighbou?r|boss|mum|mom|dad|kid)\b(?! (?:birthday|fault|"
    r"idea|car|phone|house|turn|"
    r"favourite|name))|(?:this is|it'?s|it is|i'?m|i am|here is) (?!my\b|the\b|a\b|an\b|not\b|ok|"
    r"fine)[A-Z]?\w+(?: here)?,? .{0,40}\b(?:borrow\w*|on (?:his|her|their|\w+'s) (?:phone|account|behalf|laptop|"
    r"computer)|using (?:his|her|their|\w+'s|the) (?:phone|account|laptop)|(?:writing|typing|speaking|"
    r"chatting) (?:for|instead of|on behalf)|"
    r"filling in|(?:his|her|their) (?:wife|husband|son|daughter|assistant|mother|father|sister|brother|friend|"
    r"partner|colleague|secretary|roommate))|(?:borrow\w*|using|on) (?:my |his |her |their )?(?:\w+'s|his|her|"
    r"their) (?:phone|account|laptop|computer)|"
    r"on behalf of (?!the (?:team|company))|(?:writing|typing|speaking|asking|answering) (?:this )?(?:for|"
    r"instead of) (?:my|his|her|a|the)|i'?m not (?:the )?(?:account (?:owner|holder)|owner of this)|(?:not me|"
    r"somebody else|someone else) (?:typing|writing|here))"
)


def mood_of(sentence: str) -> Mood:
    """How one sentence is meant; only ASSERTION and HEDGED can make a claim of their speaker."""
    plain = sentence.replace("’", "'").strip()
    if not re.search(r"[^\W_]", plain) or _GREETING.match(plain):
        return Mood.EMPTY
    if _QUOTED_WHOLE.match(plain):
        return Mood.REPORTED
    if _TASK_WITH_TEXT.match(plain):
        return Mood.TASK_WITH_TEXT
    if _POLITE_WISH.match(plain) and LASTING.search(plain):
        return Mood.ASSERTION
    if plain.endswith(("?", "？")) or _QUESTION_START.match(plain) or _TAG.search(plain):
        return Mood.QUESTION
    if _WRITE_AS.match(plain) and not STANDING.search(plain):
        return Mood.TASK_WITH_TEXT
    if _HYPOTHETICAL.search(plain):
        return Mood.HYPOTHETICAL
    if _IRONY.search(plain) or _IRONIC_LOVE.search(plain):
        return Mood.IRONY
    own = _OWN_SAYING.match(plain)
    if _HEARD.match(plain) or (not own and _REPORTED.search(plain)):
        return Mood.REPORTED
    if _QUESTION_INSIDE.search(plain):
        return Mood.QUESTION
    if _HOPE.match(plain):
        return Mood.INTENTION
    if not STANDING.search(plain):
        if _WANT.match(plain) and not _KEPT_WANT.search(plain):
            return Mood.REQUEST
        if (
            _INTENTION.search(plain)
            and not re.search(r"(?i)\bbecause\b.*\bi\b", plain)
            and not (_ANNOUNCED.search(plain) and COMING.search(plain))
            and not _WILL_NOT.search(plain)
        ):
            return Mood.INTENTION
    return Mood.HEDGED if _HEDGE.search(plain) else Mood.ASSERTION


#: Wishes that stand although they begin like a request: "I want to be called after six", "I'd like my letters
#: in large print".
_KEPT_WANT = Sieved(
    r"(?i)\b(?:(?:want|like|need|prefer|wish)(?: you)? to be (?:called|contacted|reached|addressed|reminded|phoned|"
    r"e-?mailed|notified|informed)|(?:want|like|need) (?:my|our|all|only) (?:\w+ )?(?:letters|invoices|bills|answers|"
    r"replies|reports|mail|"
    r"deliveries|parcels|receipts|statements|updates|reminders|newsletters?|notifications)|(?:do not|don'?t) (?:want|"
    r"need|like|wish)|need (?:\w+ )?(?:notice|a ramp|wheelchair access|step-free)|only want|expect (?:\w+ )?notice|"
    r"(?:in|on|for|at|with) (?:all|every|each)\b|every (?:day|week|month|year|morning|"
    r"evening|night|(?:mon|tues|wednes|thurs|fri|satur|sun)day)|(?:large|braille|plain) (?:print|text)|want no\b|"
    r"need (?:everything|all of it) in\b)\b"
)


def is_reported(clause: str) -> bool:
    """Whether a clause passes on somebody else's words ("my doctor said …")."""
    return not _OWN_SAYING.match(clause) and bool(_REPORTED.search(clause))


def is_tag_question(sentence: str) -> bool:
    """ "I live in zone 2, is that correct?" asks what it says."""
    return bool(_TAG.search(sentence.replace("’", "'")))


def is_request(sentence: str) -> bool:
    """Whether it asks for one thing to be done now ("cancel order 5"), without standing."""
    plain = sentence.replace("’", "'").strip()
    return bool(_REQUEST.match(plain)) and not STANDING.search(plain)


def without_own_saying(clause: str) -> str:
    """ "As I told you, …" and "I said that …" introduce the speaker's own words and are left out."""
    return _OWN_SAYING.sub("", clause)


def speaks_for_somebody_else(text: str) -> bool:
    """Whether somebody else says they are typing: nothing in the message is the subject's own then (R13)."""
    return bool(TAKEOVER.search(text.replace("’", "'")))
