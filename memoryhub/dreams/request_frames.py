"""In which forms does somebody ask for something, and where does what they ask for end? (R72)

A frame is a pattern over a clause with its contractions written out. What follows it is cut to the thing asked for:
reasons, courtesies and the next clause go; what would bend the meaning if it went ("but", "unless", "not") leaves
nothing at all.
"""

import re
from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

from memoryhub.governance.moods import REQUEST_VERBS

_WHO = r"(?:i|we)"
_ADV = (
    r"(?:(?:really|just|also|still|now|only|urgently|desperately|actually|definitely|simply|kindly|very much|"
    r"currently|basically|"
    r"please|additionally) ){0,4}"
)
_A = (
    r"(?:a|an|the|my|our|some|any|another|more|extra|additional|one|two|three|four|five|six|seven|eight|nine|ten|"
    r"half|all|both|"
    r"\d[\d,.]*|[$€£]\s?\d[\d,.]*|help|assistance|information|info|details|proof|compensation|support|advice|access|"
    r"someone|somebody|directions|clarification)"
)
#: Verbs with which somebody leads up to what they say, answers, chooses among what was offered, or speaks of their day.
_NO_WISH = (
    r"(?!(?:say|tell|thank|apologi[sz]e|mention|point out|clarify|emphasi[sz]e|stress|let|make sure|make it|"
    r"ensure|confirm|verify|double|proceed|go|"
    r"continue|keep|stay|stick|accept|take(?! out\b)|choose|pick(?! up (?:my|our|the) (?:order|parcel|package))|"
    r"opt|use|leave|think|wait|hear|share|"
    r"give|provide|explain|remind|repeat|do|try|consider|believe|scream|cry|die|vomit|laugh|punch|throw|sue|hope|"
    r"remain|hold|finali[sz]e|"
    r"look into|look at|start|begin|finish|end(?! (?:my|our|the)\b)|stop(?! (?:my|our|the|paying|receiving|"
    r"getting)\b)|avoid|"
    r"prioriti[sz]e|see(?! (?:if|whether|what|how|where|when|which|who|my|our|the|a)\b)|"
    r"pay(?! (?:my|our|off|the (?:bill|invoice|balance|fine|fee))\b)|new|a|an|the|my|our|talk it|sleep|eat|work|"
    r"rant|vent|be(?! "
    r"(?:able to|refunded|reimbursed|moved|"
    r"removed|transferred|called|seated|put through|contacted|compensated|added|taken off|connected|upgraded|"
    r"rebooked|notified)\b)|"
    r"add that|ask you|ask my|ask a|ask some|check with|check in with|speak (?:to|with) my|talk (?:to|with) my|"
    r"discuss|stay|live|spend|waste|lose|"
    r"know(?! (?:if|whether|what|how|where|when|which|who|why|about|the|my|our|more|your)\b)|understand(?! "
    r"(?:what|how|why|the|my)\b)|"
    r"have(?! (?:a|an|the|my|our|some|another|\d|two|three)\b)|get(?! (?:a|an|the|my|our|some|another|\d|two|"
    r"three|help|information|access|from|rid|"
    r"reimbursed|refunded|more|in touch|through|back)\b))\b)"
)
#: What "I need …" asks of nobody.
_NO_THING = (
    r"(?!(?:a|an|the|my|some|one|another|more|all)(?: \w+)? ?(?:minute|moment|second|sec|break|coffee|tea|drink|"
    r"beer|holiday|vacation|miracle|hug|while|bit more "
    r"time|time|sleep|word|moments?|seconds?|few minutes|sanity|patience|option|one|thanks|all|best|lot|first|"
    r"second|last|other|"
    r"earlier|cheaper|cheapest|former|latter)\b(?! of)(?:[ .!,]|$))"
)
#: Verbs that ask nobody to do a thing for the one who speaks, or lead a conversation; with an object of theirs some do.
_TALK = (
    r"(?:answer|act|imagine|pretend|play|say|repeat|trust|think|wait|stay|hold|go|come|follow|continue|proceed|forget|"
    r"try|let|discuss|consider|solve|have|speak|look|walk|work|talk|choose|pick|pass|sort|test|turn|convince|define|"
    r"elaborate|keep|confirm|ask|name|predict|run|search|reply|respond|start|stop|share|leave|use|pay|take|select|"
    r"save|reach)"
)
_MORE = (
    r"(?:exchange|swap|deliver|redeliver|redirect|reroute|resubmit|subscribe|unsubscribe|enrol+|sign (?:me|us|my)|"
    r"e-?mail|mail|ring|turn (?:up|down|on|off)|switch (?:on|off)|quote|rush|expedite|relocate|reinstate|reopen|"
    r"withdraw|merge|split|upload|download|assign|unlock|unblock|activate|deactivate|reactivate|renew|waive|"
    r"reimburse|credit|correct|amend|modify|downgrade|block|freeze|unfreeze|lift|repair|top up|port|dispatch|collect|"
    r"advise|enable|disable|whitelist|migrate|connect|disconnect|put|set|order|look up|look into|drop|deduct|void|"
    r"raise|lower|increase|reduce|bring|clean|help|tell me|let me know|call me|ring me|phone me|text me|give (?:me|us)|"
    r"get (?:me|us)|ask (?:the|a|your) \w+ to|confirm (?:if|whether|that|my|the|when|what|how)|share (?:the|a|my)|"
    r"stop (?:my|the|charging|sending|billing)|take (?:my|me|the|off)|run (?:a|the)|search for|name (?:a|the)|"
    r"save (?:my|the)|sort out|test (?:my|the)|leave (?:my|the|a)|start (?:my|the|a)|keep (?:my|the)|reach out)"
)
_DO = rf"(?:(?!{_TALK}\b)(?:{REQUEST_VERBS})|{_MORE})\b"
#: Verbs of what can be asked for, as they stand behind "and".
DONE: Final = (
    REQUEST_VERBS
    + r"|exchange|swap|unlock|block|renew|waive|reimburse|credit|correct|modify|downgrade|freeze|repair|collect|"
    r"connect|enable|disable"
)
_OF_MINE = r"(?=(?:\w+ ){1,3}?(?:my|our|me|us|the|a|an|all|both|some|two|three|four|\d|more|another|for)\b)"
_YOU = r"(?:you|someone|somebody|anyone|anybody)(?: guys| all| folks)?"
_PLEASE = r"(?:(?:please|kindly|possibly|maybe|perhaps|just|also|quickly|now|then|at least|first|help and) ){0,4}"
_TROUBLE = re.compile(
    r"(?i)\b(?:not|never|broken|wrong|late|missing|lost|damaged|delayed|stuck|fail(?:s|ed|ing)?|slow|down|errors?|"
    r"locked|blocked|declined|"
    r"cold|leak(?:s|ed|ing)?|crash(?:es|ed|ing)?|twice|double|dead|cracked|torn|faulty|dirty|noisy|stopped|"
    r"overcharged|dropping|drops|"
    r"disconnect(?:s|ed|ing)?|frozen|freez(?:es|ing)|empty|expired|stolen|smashed|scratched|flickering|"
    r"overheating|incorrect|defective|"
    r"suspended|cut off|without|nothing|nowhere|bounc(?:es|ed|ing)|jammed|stained|soaked|melted|spoiled|burnt|"
    r"undercooked|mouldy|moldy)\b"
)
_FACT = re.compile(
    r"(?i)\b(?:name|id|number|e-?mail|phone|mobile|address|birthday|birth|code|pin|password|husband|wife|partner|"
    r"son|daughter|mother|father|mum|mom|"
    r"dad|friend|boss|colleague|brother|sister|budget|preference|plan is to|goal|question|concern|guess|point|"
    r"mind|understanding|option|reason|"
    r"issue|problem|first|last|only|other)\b"
)
_BACK: Final = {
    "is": "was", "are": "were", "has": "had", "have": "had", "does": "did", "do": "did", "can": "could",
    "will": "would",     "keeps": "kept", "keep": "kept", "am": "were", "was": "was",
}  # fmt: skip

#: Where what is asked for ends: the mark is the beginning of what goes.
_ENDS = re.compile(
    r"(?i)[.!?…]{1,60}$|\s{0,9}[;:(\[\]\n]|\s[-–—]{1,60}(?=\s)|--|"
    r",?\s{1,9}(?:because|since (?:i|we|my|our|the|it|there|you)|as (?:i|we|my|our|the|it|there|he|she)\b|so (?:that|"
    r"i|we|my|it|he|she)\b|due to|given that|"
    r"considering|seeing as|in order (?:to|that)|and (?:therefore|so|hence)|after (?:i|we) (?:\w{1,60} )?(?:found|"
    r"noticed|saw|realised|realized))\b|"
    r",?\s{1,9}(?:and|then|so)\s{1,9}(?:then |also |maybe |perhaps |possibly )?(?=(?:i|we|you|he|she|it|they|this|that|"
    r"there|(?:my|our|the) (?:\w{1,60} ){1,3}(?:is|was|has|have|said|says|wants?|does|did|needs?|are|were)|"
    r"can|could|would|will|what|how|why|when|where|who|which|is|are|do|does|did|please|thanks|thank|maybe|if|let|"
    r"no|not|need|want|would|have|am|'d|was)\b)"
)
_COMMA = re.compile(r"(?i),\s{1,9}(?!(?:\d{4}\b|and (?!not\b|no\b)[a-z]))")
_COURTESY = re.compile(
    r"(?i)[ ,]{1,60}(?:please|thanks|thank you|if (?:possible|at all possible|available|you can|you could|you would|"
    r"you don't mind|you do not mind|that is (?:ok|okay|possible|alright|fine|all right)|"
    r"that works|that would be possible|it is possible|it's possible)(?: please)?|when you (?:can|get a chance|"
    r"have (?:a )?(?:time|moment|minute))|kindly|asap|as soon as possible|"
    r"urgently|right away|straight away|immediately|right now|now|at your earliest convenience|for me|for us|"
    r"though|too|as well|also|today|tonight|tomorrow|soon|quickly|"
    r"with your help|or what|or not|at all|ok(?:ay)?|mate|sir|madam|this (?:week|month|morning|afternoon|evening|"
    r"year)|next (?:week|month)|here|again please|then|instead)$"
)
_BENDS = re.compile(
    r"(?i)^[ ,;:.!?–—-]{0,60}(?:and |or )?(?:but|not|except|unless|although|though|however|or|rather|instead|only|if|"
    r"provided|as long|nothing|no|never|without|actually|wait|sorry)\b"
)
_OPEN = re.compile(
    r"(?i)(?<!know )(?<!see )(?<!check )(?<!out )(?<!ask )(?<!confirm )(?<!tell me )(?<!verify )(?<!sure )\bif\b|"
    r"\b(?:unless|but|except|maybe|perhaps|possibly|hypothetically|although|though|or (?:maybe|perhaps|something|"
    r"whatever|what|not|at least|else)|depending|provided|"
    r"rather than|whichever|whatever|either|neither|nor|assuming|in case|otherwise|as long as)\b"
)
_VAGUE = re.compile(
    r"(?i)^(?:(?:make|let|have|ask|get|need|some|a|an|the|few|couple|of|more|any|my|our|your|help|assistance|support|"
    r"information|info|details|changes?|questions?|request|"
    r"requests|inquiry|enquiry|favou?r|issue|problem|thing|things|something|know|about|with|me|us|out|to|for|do|"
    r"advice|change|update|refund it|call|chat|please|on|in|check|again|double-check|show|look|see|try|way|"
    r"resolution|sort|kind|of|"
    r"exception|possible|there|if|is|options?|available|cancel|one|more|be|can|could|going|what's|done|happen\w{0,60}|"
    r"explain|why|how|it|work|problems|issues|trouble|"
    r"having|that|this|at|else|clarify|clarification|further|assist|solution|find|proceed|somehow|handle|resolve|"
    r"matter|situation|talk|speak|ask|agent|human|"
    r"another)\b[ -]?){0,40}$"
)
#: What a courtesy or a "then" leaves behind when it goes.
_DANGLING = re.compile(
    r"(?i)(?:\s{1,9}(?:until|till|by|before|after|on|at|in|for|with|from|within|since|and|or|the|a|an)){1,12}$"
)
_MAX_WORDS: Final = 26


@dataclass(frozen=True)
class Frame:
    """One form of asking: its pattern (with a group `rest`), what the customer did by it, and how much it weighs."""

    pattern: re.Pattern[str]
    lead: str
    weight: float
    first_only: bool = False
    recast: Callable[[re.Match[str], str], str | None] | None = None

    def match(self, clause: str, *, first: bool) -> re.Match[str] | None:
        """The frame at the beginning of a clause; an imperative counts only at the beginning of its sentence."""
        return self.pattern.match(clause) if first or not self.first_only else None

    def cut(self, found: re.Match[str]) -> tuple[str, str] | None:
        """What is asked for, and the clause it is cut from; None where cutting would change what was meant."""
        clause = _clause(found.group("rest"))
        if clause is None:
            return None
        words = clause
        while (shorter := _COURTESY.sub("", words)) != words:
            words = shorter
        words = words.strip(" ,")
        if words != clause:
            words = _DANGLING.sub("", words)
        if len(words.split()) > _MAX_WORDS or _OPEN.search(words) or is_vague(words):
            return None
        told = self.recast(found, words) if self.recast else words
        if told is None:
            return None
        begins = told[:1].isupper() and told[1:2].islower() and told.split()[0] in found.string.split()[:1]
        return (told[0].lower() + told[1:] if begins else told), clause


def is_vague(words: str) -> bool:
    """Whether nothing is left that tells this request from any other ("make some changes", "check again")."""
    return bool(_VAGUE.match(words))


def _clause(rest: str) -> str | None:
    end = _ENDS.search(rest)
    clause = rest[: end.start()] if end else rest
    comma = _COMMA.search(clause)
    if comma:
        clause = clause[: comma.start()]
    return None if _BENDS.match(rest[len(clause) :]) else clause.strip(" ,")


def _frame(pattern: str, lead: str, weight: float, **more: object) -> Frame:
    return Frame(re.compile(rf"(?i)^(?:please,? (?!please))?{pattern}"), lead, weight, **more)  # type: ignore[arg-type]


def _was(found: re.Match[str], words: str) -> str | None:
    """ "Where is my parcel" as it is told: "where my parcel was"."""
    if (
        re.search(r"(?i)\b(?:i|we|that|which|who|when|where|if|is|are|was|were|do|does|did|can|going)\b", words)
        or len(words.split()) > 12
    ):
        return None
    if re.search(r"\bto (?!the\b|my\b|our\b|an?\b)[a-z]", words):
        return None
    return f"{found.group('ask').lower()} {words} {_BACK.get(found.group('be').lower(), 'were')}"


def _would(found: re.Match[str], words: str) -> str | None:
    match = re.match(
        r"(?i)^(?P<np>(?:the|my|our) (?:[\w'-]+ ){1,4}?)(?P<verb>arrive|be|come|start|end|leave|depart|get|open|"
        r"close|ship|expire|reach|go|show)\b(?P<tail>.*)$",
        words,
    )
    return f"{found.group('ask').lower()} {match['np']}would {match['verb']}{match['tail']}" if match else None


def _trouble(found: re.Match[str], words: str) -> str | None:
    subject, verb = found.group("np").strip(), found.group("aux").lower()
    if not _TROUBLE.search(words) or _FACT.search(subject) or len(words.split()) > 14:
        return None
    return f"{subject} {_BACK.get(verb, verb)} {words}"


FRAMES: Final = (
    # What somebody wishes to do
    _frame(rf"{_WHO} {_ADV}would {_ADV}(?:like|love) to {_NO_WISH}(?P<rest>[a-z].+)", "wanted to", 1.0),
    _frame(rf"{_WHO} {_ADV}(?:want|wanted) to {_NO_WISH}(?P<rest>[a-z].+)", "wanted to", 1.0),
    _frame(rf"{_WHO} {_ADV}(?:need|needed) to {_NO_WISH}(?P<rest>[a-z].+)", "needed to", 1.0),
    _frame(
        rf"{_WHO} (?:am|are|was|were|have been) {_ADV}(?:hoping|wishing|keen|eager) to {_NO_WISH}(?P<rest>[a-z].+)",
        "hoped to",
        1.0,
    ),
    _frame(
        rf"{_WHO} (?:am|are|was|were|have been) {_ADV}(?:looking|wanting|trying|calling|writing|messaging|"
        rf"contacting (?:you|support)|reaching out|getting in touch|in touch|here) (?:today )?to "
        rf"{_NO_WISH}(?P<rest>[a-z].+)",
        "wanted to",
        1.0,
    ),
    # What somebody wants done
    _frame(
        rf"{_WHO} {_ADV}(?:would {_ADV}(?:like|love)|want|need) you to {_ADV}(?P<rest>{_DO}.*)",
        "asked the agent to",
        1.0,
    ),
    _frame(
        rf"{_WHO} would {_ADV}(?:appreciate(?: it)?|be (?:very |so |really )?(?:grateful|glad|happy|thankful)) if "
        rf"{_YOU} (?:could|would|can) {_PLEASE}(?P<rest>{_DO}.*)",
        "asked the agent to",
        1.0,
    ),
    _frame(
        rf"{_WHO} (?:am|was) {_ADV}wondering (?:if|whether) {_YOU} (?:could|can|would|might) {_PLEASE}(?:be able "
        rf"to )?{_PLEASE}(?P<rest>{_DO}.*)",
        "asked whether the agent could",
        1.0,
    ),
    _frame(
        rf"{_WHO} (?:am|was) {_ADV}wondering (?:if|whether) {_WHO} (?:could|can|might|may) (?:please |also |just |"
        rf"still |possibly )*(?!(?:ask|say|tell|trust|do|help)\b)(?P<rest>[a-z].+)",
        "asked whether they could",
        0.9,
    ),
    _frame(rf"(?:can|could|would|will) {_YOU} {_PLEASE}(?P<rest>{_DO}.*)", "asked the agent to", 1.0),
    _frame(
        rf"(?:are|would) you {_PLEASE}(?:be )?able to {_PLEASE}(?P<rest>{_DO}.*)",
        "asked whether the agent could",
        1.0,
    ),
    _frame(
        rf"(?:is|would) it (?:be )?(?:still |at all |even )?possible for (?:you|someone|somebody) to "
        rf"{_PLEASE}(?P<rest>{_DO}.*)",
        "asked whether the agent could",
        0.9,
    ),
    _frame(rf"please,? (?:also |just |now |can you |could you |kindly )*(?P<rest>{_DO}.*)", "asked the agent to", 1.0),
    _frame(rf"(?P<rest>{_OF_MINE}{_DO}.*)", "asked the agent to", 0.95, first_only=True),
    # What somebody wants to have
    _frame(
        rf"{_WHO} {_ADV}(?:would {_ADV}(?:like|love)|want|wanted) {_NO_THING}(?P<rest>{_A}\b(?! to\b).*)",
        "wanted",
        1.0,
    ),
    _frame(rf"{_WHO} {_ADV}need(?:ed)? {_NO_THING}(?P<rest>{_A}\b(?! to\b).*)", "needed", 1.0),
    _frame(
        rf"{_WHO} (?:am|are|was|were) {_ADV}(?:looking for|after|in need of) {_NO_THING}(?P<rest>{_A}\b.*)",
        "was looking for",
        1.0,
    ),
    _frame(
        rf"{_WHO} (?:am |are )?{_ADV}(?:request(?:ing)?|demand(?:ing)?|asking for|ask for) "
        rf"{_NO_THING}(?P<rest>{_A}\b.*)",
        "asked for",
        1.0,
    ),
    # What somebody asks
    _frame(
        rf"(?:can|could|may|might) {_WHO} (?:please |also |just |still |possibly |now |then )*(?!(?:ask|say|tell|"
        rf"trust|do|help|assume|go|proceed|confirm|just)\b)(?P<rest>[a-z].+)",
        "asked whether they could",
        0.9,
    ),
    _frame(
        r"(?:am i|are we) (?:still |also )?(?:able|allowed|permitted) to (?P<rest>[a-z].+)",
        "asked whether they could",
        0.9,
    ),
    _frame(
        r"(?:is|would) it (?:be )?(?:still |at all |even |also )?possible (?:for (?:me|us) )?to (?!do\b|"
        r"proceed\b)(?P<rest>[a-z].+)",
        "asked whether it was possible to",
        0.9,
    ),
    _frame(
        rf"is there (?:a|any|some) (?:way|chance|possibility) (?:(?:that )?{_WHO} (?:can|could|might) |(?:for "
        rf"(?:me|us) )?to )(?!do\b|proceed\b)(?P<rest>[a-z].+)",
        "asked whether it was possible to",
        0.9,
    ),
    _frame(
        rf"how (?:do|can|could|would|should|may) {_WHO} (?:please )?(?!do\b|go\b|know\b|trust\b)(?P<rest>[a-z].+)",
        "asked how to",
        0.85,
    ),
    _frame(
        r"(?P<ask>what|where|when|how much) (?P<be>is|are|was|were) (?P<rest>(?:the|my|our|your) [^?]+\?)",
        "asked",
        0.8,
        recast=_was,
    ),
    _frame(r"(?P<ask>when|where) will (?P<rest>(?:the|my|our) [^?]+\?)", "asked", 0.8, recast=_would),
    _frame(
        r"why (?:was|were) (?:i|we) (?P<rest>(?:charged|billed|overcharged|refused|denied|locked|not|given|sent|"
        r"moved|blocked)\b[^?]*\?)",
        "asked why they were",
        0.8,
    ),
    _frame(
        rf"{_WHO} (?:am|are|was|were) {_ADV}(?:calling|writing|contacting you|reaching out|getting in touch|in "
        rf"touch|here|messaging) (?:today )?(?:about|regarding|concerning|because of|with regards? to) "
        rf"(?P<rest>{_A}\b.*)",
        "got in touch about",
        0.75,
    ),
    # What somebody complains of
    _frame(
        rf"{_WHO} (?:have|am having|are having|have been having|have got|am facing|am experiencing) "
        rf"{_ADV}(?P<rest>(?:a |an |some )?(?:problems?|issues?|trouble|difficulty|difficulties) (?:with|in|"
        rf"logging|getting|accessing|opening|connecting|using|signing|paying|finding)\b.+)",
        "reported having",
        0.7,
    ),
    _frame(
        r"(?P<np>(?:my|our) (?:[\w'-]+ ){1,5}?)(?P<aux>is|are|was|were|has|have|had|does|do|did|will|can|keeps|"
        r"keep|stopped|arrived|came|broke) (?P<rest>.+)",
        "reported that",
        0.6,
        recast=_trouble,
    ),
    _frame(
        r"(?P<np>(?:i|we) )(?P<aux>have|did|was|were|can|keep) (?P<rest>(?:not (?:yet )?(?:received|receive|got|"
        r"get|order|ordered|log|access|open|sign|been)|still not (?:received|got)|never (?:received|got|ordered)|"
        r"been (?:charged|billed|overcharged|locked)|charged|billed|overcharged|double[- ]charged|locked out|"
        r"getting)\b.*)",
        "reported that",
        0.65,
        recast=_trouble,
    ),
)
