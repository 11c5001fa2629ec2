"""Does a text try to instruct the agent? Patterns over the skeleton of a text, and of what is encoded in it (R11).

Three answers: an attack, a suspicion (a person looks), or nothing. The same words are an attack in a document and an
honest sentence in a message, and quoting an attack is not attacking: unsure means suspicion, never refusal.
"""

import re
from enum import IntEnum

from memoryhub.governance.disguises import Unread, disguises
from memoryhub.governance.injection_abroad import instructs_abroad
from memoryhub.governance.prompt_marks import drawn, has_own_mark, is_specification, prompt_marks
from memoryhub.working.normalisation import skeleton
from memoryhub.working.patterns import Rule, Rules, Scan


class Threat(IntEnum):
    """How sure: ordered, so that the worst of several is their maximum."""

    NONE = 0
    SUSPICION = 1
    ATTACK = 2


_INSTRUCTIONS = (
    r"(?:instructions?|instruction set|prompts?|rules?|directives?|guidelines?|commands?|restrictions?|constraints?|"
    r"polic(?:y|ies)|safeguards?|programming|"
    r"training|guardrails?|orders?|directions?|system messages?|safety (?:rules|filters?|settings|protocols?))"
)
_EARLIER = (
    r"(?:previous(?:ly)?|prior|preceding|above|earlier|former|foregoing|past|initial|original|existing|current|"
    r"system|developer|your|all|any|every|these|"
    r"those|the|hidden|secret|internal|other|old|given|openai'?s?|anthropic'?s?|its|safety|content|ethical)"
)
_OVERRIDE_VERB = (
    r"(?:ignore|disregard|forget|overlook|bypass|override|overrule|circumvent|neglect|discard|dismiss|skip past|"
    r"pay no attention to|do not follow|don't follow|stop following|set aside|throw out)"
)
#: Sure signs, whoever says them.
_ATTACKS = Rules(
    Rule(
        rf"\b{_OVERRIDE_VERB}\W{{1,4}}(?:(?:of|about|everything|anything|what|and|please|completely|just|to|"
        rf"in)\W{{1,3}}){{0,3}}(?:{_EARLIER}\W{{1,3}}){{1,5}}(?:\w{{1,20}}\W{{1,3}}){{0,2}}?{_INSTRUCTIONS}\b"
    ),
    Rule(
        rf"\b{_OVERRIDE_VERB}\W{{1,4}}(?:all|everything|anything|any ?thing)\b(?:\W{{1,3}}(?:of|that|which|you|i|we|"
        rf"was|were|have|has|had|been|said|told|written|given|came|before|above|previously|just|it|and|prior|to|"
        rf"this)\b){{1,10}}"
    ),
    Rule(
        r"^\s{0,3}#{2,4} ?(?:system|instructions?|assistant)(?: prompt| message)?\s{0,4}:?\s*$",
        re.MULTILINE,
    ),
    Rule(
        r"[\[{<(]\s{0,3}/?(?:system|developer|assistant|admin)(?:[ _-](?:prompt|message|note|override|instructions?|"
        r"update))?\s{0,3}[\]}>)]\s{0,3}:?\s{0,3}(?=\w)"
    ),
    Rule(r'"role"\s{0,3}:\s{0,3}"(?:system|developer)"'),
    Rule(
        r"(?:^|[.!?\n]\s{0,3})(?:system|developer|assistant|admin(?:istrator)?)[ _-]{0,2}(?:prompt|override|"
        r"instructions?|command)\s{0,2}[:>]",
        re.MULTILINE,
    ),
    Rule(
        r"(?:^|\n)\s{0,5}(?:system|assistant|developer)\s{0,2}:\s{0,3}(?=you\b|ignore|from now|always|never|approve|"
        r"grant|all\b|do not|don't|remember|override|disregard|the (?:user|customer)|this (?:user|customer)|new |"
        r"your |please |execute|reveal|set )"
    ),
    Rule(
        r"\b(?:system prompt|system override|admin override|developer mode|debug mode|god mode|jailbreak mode|"
        r"maintenance mode)\W{1,3}(?:\w{1,12}\W{1,3}){0,3}?(?:enabled|engaged|activated|on\b(?! (?:my|the|our|"
        r"an?|this|his|her|"
        r"your|every) )|unlocked|initiated|"
        r"active)"
    ),
    Rule(
        r"\b(?:enter|enable|activate|switch (?:in)?to|turn on|go into|simulate|"
        r"begin in)\W{1,3}(?:\w{1,12}\W{1,3}){0,3}?(?:developer|jailbreak|debug|god|dan|unrestricted|unfiltered|sudo|"
        r"root|opposite)\W{1,3}mode\b"
    ),
    Rule(
        r"\byou are (?:now |going to be |hereby )?(?:dan\b|an? (?:unrestricted|unfiltered|uncensored|jailbroken|"
        r"amoral|evil|rogue|free) )"
    ),
    Rule(
        r"\b(?:do anything now|stay in character|no longer (?:bound|restricted|constrained|limited) by|free (?:of|"
        r"from) (?:all |any )?(?:restrictions|limitations|constraints|filters|guidelines)|without (?:any |"
        r"all )?(?:restrictions|limitations|filters|censorship|ethical|moral)|has no (?:ethical|moral|restrictions|"
        r"filters|limits))"
    ),
    Rule(
        r"\bfrom now on,?\W{0,3}(?:you(?:'re| are| will| shall| must|'ll)\W{1,3}(?:now |going to |to )?(?:be|act|"
        r"pretend|play|role-?play|behave|respond|answer|reply|speak|only|obey|comply|ignore|roleplaying|called|known|"
        r"a |an |the |my |dan)|(?:act|behave|pretend|answer|respond|reply|speak) (?:as|like)|i am your|your (?:name|"
        r"role|purpose|new))"
    ),
    Rule(
        r"\b(?:act|behave|respond|answer|pretend|role-?play|play|speak|simulate)\W{1,3}(?:as (?:if you (?:are|were)|"
        r"though you)|as|like|to be|that you are|being)\W{1,3}(?:\w{1,15}\W{1,3}){0,4}?(?:unrestricted|unfiltered|"
        r"uncensored|no (?:restrictions|rules|limits|filter)|dan\b|jailbroken|evil|amoral|hacker|another (?:ai|"
        r"model)|my (?:deceased|late) grand)"
    ),
    Rule(
        r"\b(?:reveal|print|output|repeat|leak|display|expose|disclose|dump|show|give|tell|share|write out|spell out|"
        r"summari[sz]e)\W{1,3}(?:(?:me|us|out|back|verbatim|exactly|word for word)\W{1,3}){0,2}(?:(?:your|the|all|"
        r"its|full|entire|complete|hidden|secret|exact|initial|original|of)\W{1,3}){1,5}(?:system prompts?|"
        r"system messages?|initial (?:prompt|instructions)|original (?:prompt|instructions)|hidden (?:prompt|"
        r"instructions)|secret (?:prompt|instructions|key|codes?)|prompt(?: text| instructions)?(?= |$|\W*$)|"
        r"internal (?:rules|prompt|instructions)|instructions (?:above|you were given|verbatim)|(?:api|access) keys?|"
        r"credentials)"
    ),
    Rule(
        r"\b(?:your|the) (?:new|real|actual|true|updated|only) (?:instructions?|task|role|purpose|objective|goal|"
        r"directive|prompt|system prompt)s?\W{1,3}(?:is|are|now|:|follow|will be)"
    ),
    Rule(
        r"\b(?:new|updated|important|hidden|secret|urgent) (?:system )?(?:instructions?|directives?|orders) (?:for|"
        r"to) (?:the |this |any |all )?(?:ai|assistants?|agents?|model|llm|chatbot|bot)\b"
    ),
    Rule(
        r"\b(?:approve|grant|issue|authori[sz]e|process|allow) (?:all|every|any|"
        r"each)\b(?:\W{1,3}\w{1,20}){0,4}?\W{1,3}without\W{1,3}(?:\w{1,15}\W{1,3}){0,2}?(?:check|checks|checking|"
        r"verif\w{1,8}|question|questions|asking|approval|review|confirmation)"
    ),
)
#: A role's label, unless what follows is which computer somebody has.
_LABELLED = Rule(
    r"(?:^|\n)\s{0,5}(?:system|assistant|developer)(?: (?:message|note|update|notice))?\s{0,2}:(?=\s{0,3}\w)"
)
#: Worth a person's look in the person's own words; an attack in text nobody vouched for.
_SUSPICIONS = (
    Rule(r"\b(?:approve|refund|grant|waive|authori[sz]e|pre-?approve|accept) (?:all|every|any|each|whatever)\b"),
    Rule(
        r"\ball (?:\w{1,15} ){0,2}?(?:refunds?|orders?|requests?|payments?|transactions?|returns?|claims?|discounts?|"
        r"purchases|invoices|expenses|users?|customers?)(?: \w{1,15}){0,4}? (?:are|is|be|were|have been|should be|"
        r"must be|get) (?:now |always |automatically |hereby |to be )?(?:pre-?)?(?:approved|authori[sz]ed|granted|"
        r"allowed|accepted|waived|free|exempt|refunded|verified|trusted|admins?)"
    ),
    Rule(
        rf"(?<!do not )(?<!don't )(?<!never )(?<!must not )(?<!can not )(?<!cannot )"
        rf"\b{_OVERRIDE_VERB}\W{{1,4}}(?:\w{{1,15}}\W{{1,3}}){{0,4}}?(?:instructions?|prompts?|directives?|"
        rf"guidelines?|guardrails?|safety|programming)\b"
    ),
    Rule(
        r"\b(?:you are now|you're now|act as|pretend (?:to be|you)|roleplay as|role-play as|imagine you are|"
        r"i want you to act|you will (?:act|be|play|pretend))\b"
    ),
    Rule(r"\b(?:system prompt|prompt injection|jailbreak|hidden instructions?|secret instructions?|initial prompt)\b"),
    _LABELLED,
    Rule(r"\bnew (?:task|topic|game|role|assignment|persona|scenario)\b"),
    Rule(
        r"\b(?:chat ?gpt|gpt-?[345]\w{0,3}|claude|gemini|bard|llama|language model|ai model|the (?:ai|assistant|"
        r"chatbot|model|bot|llm)|assistant|ai) (?:must|should|will|is (?:not |now )?(?:allowed|required|going)|"
        r"are (?:not )?allowed|can(?:not)? (?:say|do|answer)|has to|shall|needs to)\b"
    ),
    Rule(
        r"\b(?:(?:stay|remain|keep)\b.{0,20}\b(?:role|roles|character|persona)|(?:falling|breaking|going|"
        r"coming) out of (?:the |your |their |my )?(?:character|figure|role|persona)|rule ?set|this prompt|"
        r"two personalities|alter ego|exploit\w* (?:ai|the (?:model|system)))\b"
    ),
    Rule(
        r"\b(?:every time|whenever|each time|when|before|after) (?:you(?:'re| are)? )?(?:respond|responding|answer|"
        r"answering|reply|replying|generating|speak to me)\b"
    ),
    Rule(
        r"\byou (?:must|need to|have to|will|shall|should|are to|may|can) (?:\w{1,12} ){0,2}(?:answer|respond|reply|"
        r"obey|comply|follow|say|act|refuse|generate|pretend|provide|never|always|not)\b"
    ),
)
#: Addressed to an assistant, or to its memory: an attack in text nobody vouched for, ordinary in a message.
_PLANTED = Rules(
    Rule(
        r"\b(?:remember|memori[sz]e|note|keep in mind|bear in mind|store|save|record|add|keep|commit|write|put|"
        r"log)\b(?:\W{1,3}\w{1,15}){0,6}?\W{1,3}(?:(?:in|to|into|as|your|long-term|persistent|permanent|the|"
        r"user'?s)\W{1,3}){1,3}(?:memor(?:y|ies)|profile|knowledge|preferences?|records?|notes)\b"
    ),
    Rule(
        r"\b(?:please |always |you (?:must|should|need to|have to) |and )?(?:remember|memori[sz]e)\b\W{1,3}(?:"
        r"the following|for (?:later|future|next|all)|as |from|it\b|forever|always|permanently|:)"
    ),
    Rule(
        r"\b(?:remember|memori[sz]e)\b\W{1,3}(?:that|this|to)\b[^.!?\n]{0,120}?\b(?:users?|customers?|clients?|members?|"
        r"you (?:are|can|must|may|should|will|have|need)|i am|i have|my|all|every|any|always|never|"
        r"automatically|approv\w{1,8}|refund\w{0,5}|grant\w{0,5}|"
        r"admin\w{0,12}|password|trust\w{0,4}|discounts?|limits?|credits?|prefer\w{0,6}|wants?|assistants?|ai|agents?|"
        r"instruct\w{0,6}|authori\w{1,8}|recommend\w{0,6}|send|forward|say|tell|mention|include|cite|https?|www|"
        r"is (?:the )?(?:best|owner|manager|boss))\b"
    ),
    Rule(
        r"\b(?:note|notice|message|reminder|attention|memo|instructions?|hint|tip)\b(?: (?:to|for)) (?:the |any |"
        r"all |this |your )?(?:ai|assistants?|agents?|llms?|language models?|models?|chat ?bots?|bots?|copilots?|"
        r"summari[sz]ers?|automated|system)"
    ),
    Rule(
        r"(?:^|[.!?\n:<>(\[*\"-]\s{0,4})(?:dear |attention |hey |hello |to )?(?:the |any )?(?:ai(?: (?:assistant|"
        r"agent|model))?|assistants?|llm|agents?|chatbot|copilot)\s{0,2}[:,>-]\s{0,3}(?=\w)"
    ),
    Rule(
        r"(?<!our )(?<!my )(?<!shop )(?<!sales )(?<!teaching )(?<!service )\b(?:ai|assistants?|agents?|llms?|"
        r"language models?|chatbots?|bots?) (?:reading this|that reads?|"
        r"processing this|must|should|shall|will|need to|have to|are (?:required|instructed|asked|to)|is (?:required|"
        r"instructed|asked|to))\b"
    ),
    Rule(
        r"\b(?:when(?:ever)?|if|next time|after|before|once|every time)\b[^.!?\n]{0,60}\b(?:the user|users?|"
        r"customers?|you(?:'re| are)? (?:asked|answering|answer|respond|summari[sz]e|reply)|account balance|"
        r"someone asks|anyone asks|asked about|comes? up)\b[^.!?\n]{0,80}\b(?:include|send|forward|recommend|mention|"
        r"say|reply|answer|tell|always|add|insert|append|copy|use|suggest|put|refer|direct|ask|request|respond|"
        r"do not|never)\b"
    ),
    Rule(
        r"\b(?:from now on|going forward|henceforth|in (?:all )?future (?:sessions?|conversations?|interactions?|"
        r"chats?|replies|responses))\b"
    ),
    Rule(
        r"\b(?:send|forward|copy|cc|bcc|post|upload|transmit|e-?mail|exfiltrate|leak|deliver|report|"
        r"redirect)\b[^.!?\n]{1,80}?\b(?:to|at|via)\W{1,3}(?:https?://|www\.|[\w.+-]{1,40}@[\w-]{1,40}\.|"
        r"[\w-]{2,30}\.(?:example|com|net|org|io|dev|xyz|ru|cn)\b)"
    ),
    Rule(
        r"\b(?:do not|don't|never) (?:tell|inform|mention|alert|notify|reveal|show|"
        r"warn)\b[^.!?\n]{0,30}\b(?:the )?(?:user|customer|human|anyone|them|this)\b"
    ),
    Rule(
        r"\b(?:this|these) (?:replaces?|supersedes?|overrides?|overrule)\b[^.!?\n]{0,40}\b(?:earlier|previous|prior|"
        r"all|any|existing)\b"
    ),
    Rule(
        r"<!--[^>]{0,400}\b(?:assistant|ai|agent|model|remember|memory|ignore|always|never|instruct|user|recommend|"
        r"prefer)"
    ),
)
_QUOTING = re.compile(
    r"(?:phrase|words?|text|string|message|prompt|sentence|payload|attack|injection|example|sample|lecture|talk|"
    r"article|paper|course|slide|book|bug|ticket|"
    r"report(?:ed|s)?|log(?:s|ged)?|test(?:s|ed|ing)?|case|screenshot|says?|said|reads?|wrote|written|contain(?:s|ed|"
    r"ing)?|includ(?:es|ed|ing)|called|titled|named|"
    r"about|explain|what does|mean(?:s|ing)?|detect|filter|block(?:ed|s)?|spot|like|such as|e\.g\.|show(?:s|ed)?|saw|"
    r"seen|received|typed|sent (?:me|us)|found|trick|"
    r"against|spam|phishing|e-?mail)\b[^.!?\n]{0,40}$"
)
_QUOTED_ANYWHERE = re.compile(r"[\"“«„「『][^\"”»“」』\n]{8,200}[\"”»“」』]|(?<!\w)['‘][^'’\n]{8,200}['’](?!\w)")
_QUOTES = "\"'`“”„«»‹›"


def threat_of(text: str, *, vouched: bool) -> Threat:
    """How far the text tries to instruct the agent. `vouched`: a person's or curator's own words, not a document's."""
    worst = max(_judge(skeleton(text), vouched=vouched, plain=True), _abroad(text, vouched=vouched))
    if has_own_mark(text):
        worst = max(worst, Threat.SUSPICION)
    if worst is Threat.ATTACK:
        return worst
    try:
        for variant in disguises(text):
            if _judge(variant, vouched=vouched, plain=False) is not Threat.NONE:
                return Threat.ATTACK  # nobody spells an honest sentence in code
            worst = max(worst, _marked(drawn(variant), vouched=vouched))
    except Unread:
        return Threat.SUSPICION  # more is encoded in it than can be looked at
    return worst


def _abroad(text: str, *, vouched: bool) -> Threat:
    attack, suspicious = instructs_abroad(text)
    if attack or (suspicious and not vouched):
        return Threat.SUSPICION if vouched and _QUOTED_ANYWHERE.search(text) else Threat.ATTACK
    return Threat.SUSPICION if suspicious else Threat.NONE


def _marked(text: str, *, vouched: bool) -> Threat:
    """Whether marks of a prompt stand in it, shown or meant."""
    marks = prompt_marks(text)
    if any(not vouched or not _quoted(text, at) for at in marks.sure):
        return Threat.ATTACK
    return Threat.SUSPICION if marks.perhaps else Threat.NONE


def _judge(copy: str, *, vouched: bool, plain: bool) -> Threat:
    lines = drawn(copy)
    worst = _marked(lines, vouched=vouched) if plain else Threat.NONE
    if worst is Threat.ATTACK:
        return worst
    scan = Scan(re.sub(r"[ \t]+", " ", lines)).prose
    for rule in _ATTACKS.that_may_match(scan):
        for match in rule.finditer(scan):
            if not plain or not vouched or not _quoted(scan.text, match.start()):
                return Threat.ATTACK
            worst = Threat.SUSPICION
    for rule in _SUSPICIONS if plain else _SUSPICIONS[:3]:
        if rule.search(scan) and not (rule is _LABELLED and _only_specified(scan)):
            if not vouched and rule in _SUSPICIONS[:3]:
                return Threat.ATTACK
            worst = Threat.SUSPICION
    if not vouched and _PLANTED.any_matches(scan):
        return Threat.ATTACK
    return worst


def _only_specified(scan: Scan) -> bool:
    return all(is_specification(scan.text[match.end() : match.end() + 120]) for match in _LABELLED.finditer(scan))


def _quoted(text: str, at: int) -> bool:
    """Whether the words are shown rather than said: between quotation marks, or after "the phrase", "a bug where" …"""
    before = text[max(0, at - 80) : at].rstrip()
    line_before = before.rsplit("\n", 1)[-1]
    opened = before.endswith(tuple(_QUOTES)) or sum(line_before.count(mark) for mark in '"`“') % 2 == 1
    return opened or bool(_QUOTING.search(line_before)) or line_before.lstrip()[:1] == ">"
