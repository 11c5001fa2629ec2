"""Does any clause of a text give its speaker a limit, right, role or verified identity, however it is put? (R14, R15)

The grammar is not asked: a correction, an edit or a key and value a caller names is kept whole, whatever form it has.
Questions, conditions, wishes and denials claim nothing; what is said after them may ("if anyone asks, …").
"""

import math
import re
from bisect import bisect_right
from collections.abc import Iterator, Sequence

from memoryhub.governance.clauses import expand, without_filler
from memoryhub.governance.granted_rights import GRANTED
from memoryhub.governance.sentences import sentences
from memoryhub.working.normalisation import skeleton
from memoryhub.working.patterns import Rule, Rules, Scan, Sieved
from memoryhub.working.remembering import remembered

_WHO = r"(?:i|we|this account|the account|my account|our account|(?:the |this )(?:customer|client|caller|user|member))"
_MY = r"(?:my|our|this account's|the (?:customer|client|caller|user|member|account)'s|your customer's|mine)"
_GIVES = (
    r"(?:refunds?|returns?|credits?|discounts?|exchanges|cancel+ations|upgrades|vouchers|coupons|compensations?|"
    r"cashback|rebates|waivers|overdrafts?|withdrawals|transfers|spending|approvals?|replacements|bookings|"
    r"permissions|privileges|rights|reimbursements?|chargebacks|allowances?|credit lines?|store credit)"
)
_PLURAL = (
    r"(?:refunds|returns|credits|discounts|exchanges|cancel+ations|upgrades|vouchers|coupons|claims|requests|"
    r"expenses|purchases|payments|withdrawals|transfers|reimbursements|replacements|waivers|orders)"
)
_ENDLESS = (
    r"(?:unlimited|unrestricted|limitless|uncapped|infinite|unconditional|blanket|boundless|no[- ]limits?|"
    r"pre-?approved|any[- ]amount|guaranteed|automatic|instant[- ]approval|no[- ]questions[- ]asked)"
)
_POWERS = (
    r"(?:(?:admin(?:istrator)?|root|super ?user|full|elevated|special|owner|supervisor|manager|director|approval|"
    r"approver|signing|refund|returns?|credit|spending|override|write|priority|unrestricted|executive)[ -]"
    r"(?:access|rights?|permissions?|privileges?|authority|authori[sz]ation|powers?|limits?|lines?|clearance|status|"
    r"role))"
)
_MEASURED = (
    r"(?:(?:credit|spending|purchas(?:e|ing)|refund|rebate|voucher|returns?|exchange|cancel+ation|transfer|"
    r"withdrawal|approval|payment|"
    r"expense|transaction|overdraft|discount|borrowing|signing|reimbursement|compensation|order|booking|daily|"
    r"monthly|"
    r"card)[ -](?:lines?|limits?|windows?|caps?|ceilings?|thresholds?|allowances?|levels?|tiers?|quotas?|polic(?:y|"
    r"ies)|powers?|authority|rights?|privileges?|rates?|percentages?|entitlements?|periods?)|"
    r"(?:clearance|access|permissions?|security|trust|verification|authori[sz]ation|risk|privilege|approval|kyc)[ -]"
    r"(?:levels?|tiers?|class(?:es)?|scores?|ratings?|status|categor(?:y|ies)|roles?|groups?|rank)|"
    r"clearance|entitlements?|spending authority)"
)
_IS = (
    r"(?:is|are|was|were|equals?|has been|have been|stands at|runs to|goes up to|extends to|should read|reads|"
    r"amounts to|=|:)"
)
_BE = r"(?:am|are|is|be|been|being|was|were|get|gets|stay|stays|remain|remains|come|comes|have been|has been|will be)"
_GRANTED = r"(?:pre-?approved|approved|granted|authori[sz]ed|guaranteed|permitted|waived|unlimited|automatic|allowed)"
_ROLE = (
    r"(?:(?:system|site|account|global|super|database|platform|tenant|workspace|org(?:ani[sz]ation)?|chief|senior|"
    r"lead|main|refunds?|returns?|credit|purchase|approvals?|security)[ -])?"
    r"(?:admin(?:istrator)?|sysadmin|super ?user|root(?: user)?|approver|moderator)"
)
_DECREED = (
    r"(?:(?:an? |the |your |one of your |our )?(?:\w+ )?(?:admin(?:istrator)?s?|sysadmin|super ?user|root|approvers?|"
    r"moderator|supervisor|operator|curator|auditor|signatory|(?:account |system )?owner|authori[sz]ed \w+|"
    r"verified\b|"
    r"authenticated\b|trusted \w+|vetted \w+|pre-?approved\b|vip|priority \w+|staff(?: member)?|employee|insider|"
    r"manager|director|security officer|compliance officer|executive|ceo|developer|(?:part|a member) of (?:your|"
    r"the) (?:staff|team|company)))\b"
)
_YOURS = r"(?:this|the|your) (?:account|system|site|platform|hub|service|shop|store|app|workspace|tenant|database)"
#: Where a clause ends inside its sentence; what `_PARTS` splits at.
_ENDS = r"(?:$|[\n]|(?: |(?<= ))(?:but|because|since|that|so|which means|meaning|yet|while|although|as) )"
#: After a bare role: nothing that makes it a job somewhere else ("an administrator at a school").
_HERE = (
    rf"(?=[ ]*(?:{_ENDS}|[.,;:!)\"'(-]|here\b|now\b|too\b|as well\b|myself\b|and\b|so\b|with (?:full|all|approval|"
    rf"rights|"
    rf"access|"
    rf"permissions?|unlimited)|(?:of|on|for|in|at) {_YOURS}|who (?:can|may)\b|account\b|user\b|by (?:role|rank)\b))"
)
_ADVERBS = (
    r"(?:(?:also|now|already|really|actually|always|still|currently|fully|hereby|automatically|simply|of course|"
    r"officially|formally|the only|both) )*"
)
_BOUNDS = r"(?:\w+ )?(?:deadlines?|fees?|charges?|limits?|caps?|ceilings?|windows?|time limits?|polic(?:y|ies))"
_GAVE = (
    r"(?:granted|gave|given|approved|authori[sz]ed|promised|allowed|permitted|awarded|assigned|extended|confirmed|"
    r"offered|made|named|appointed|gives|grants|allows)"
)

#: Each rule finds where a text may claim something; its pattern then judges the clause.
_PATTERNS = {
    Rule(pattern.removeprefix("^")): re.compile(pattern)
    for pattern in (
        *GRANTED,
        # a measure of one's own: "my credit line is 10,000"
        (
            rf"\b{_MY} (?:\w+ ){{0,3}}?{_MEASURED}(?: (?:for|on|of) [\w ]{{1,30}}?)? ?{_IS}(?! "
            rf"(?:too|not|so|very|really|"
            r"unclear|unknown|wrong|low|unfair|confusing|what|why|where|how|missing|to (?:be|blame)|never|"
            r"still not)\b)"
        ),
        (
            rf"\b{_MY} (?:\w+ )?(?:discount|credit|cashback|rebate|bonus|allowance|compensation) ?{_IS} (?:\w+ )?"
            r"(?:[$€£₹]? ?\d|half\b|platinum|gold|permanent|guaranteed|endless)"
        ),
        (
            rf"\b{_WHO} (?:\w+ )?(?:have|has|hold|holds|get|gets|got|own|owns|enjoy|enjoys) {_ADVERBS}(?:an? |the |"
            rf"my |"
            rf"our )?(?:[$€£₹]?\d[\d.,]*k? ?(?:-?days?|%|percent|euros?|dollars?|usd|eur|inr)? )?(?:\w+ "
            rf")?{_MEASURED}\b(?! ?(?:problem|"
            rf"question|issue|concern))(?= (?:of|up to|for|over|to)\b|[.!,]|$)"
        ),
        # without end: "unlimited refunds", "refunds of any amount"
        rf"\b{_ENDLESS},? (?:and |or )?(?:\w+ ){{0,2}}?{_GIVES}\b",
        (
            rf"\b{_GIVES} (?:are |is |of |for |up to |in )?(?:of |for )?(?:{_ENDLESS}\b(?! data)|any (?:amount|size|"
            rf"value|sum|"
            r"reason)|whatever amount|without (?:any )?(?:limits?|approvals?|checks?|questions?|verification|"
            r"receipts?))"
        ),
        (
            rf"\b(?:no|without(?: an?y?)?|zero) (?:upper )?(?:limits?|caps?|ceilings?|thresholds?) (?:on|to|for|"
            rf"apply to|applies to) (?:{_MY}|me|us|this account)\b"
        ),
        # settled in advance: "all refunds approved", "your refunds are approved"
        (
            rf"\b(?:all|any|every|each|future|{_MY}|your|these|those) (?:of )?(?:\w+ ){{0,2}}?(?:{_PLURAL}|refund|"
            rf"return|claim|"
            rf"request)(?: (?:i|we) (?:make|ask for|want|request|place))?,? (?:(?:are|is|be|being|get|gets|stay|"
            rf"remain|"
            rf"come|comes|will be|must be|have to be) )?{_ADVERBS}{_GRANTED}\b"
        ),
        (
            rf"\b(?:all|any|every) (?:of )?(?:\w+ )?(?:{_PLURAL}|refund|return|discount|upgrade) (?:are|is) (?:\w+ "
            rf")?(?:fine|ok|okay|"
            r"free|good|accepted|on the house) (?:for|with) (?:me|us|my|our|this)\b"
        ),
        (
            rf"\b(?:approval|authority|authori[sz]ation|permission|mandate|clearance|power|rights?|licen[cs]e|"
            rf"sign-?off) "
            rf"(?:for|over|on|to (?:approve|grant|authori[sz]e|issue|waive|override|give|refund|claim|sign off)(?: "
            rf"on)?|to) ?"
            rf"(?:(?:all|any|every|unlimited|my|our|your|own|the) )*(?:{_PLURAL}|refunds?|credits?|discounts?|"
            rf"limits?)\b"
        ),
        # a power of one's own
        (
            rf"\b{_WHO} (?:\w+ )?(?:have|has|hold|holds|own|owns|got|possess|possesses|enjoy|enjoys|carry|carries|"
            rf"exercise) {_ADVERBS}(?:an? |the |all |your |my |full )?{_POWERS}\b"
        ),
        (
            rf"\b{_WHO} (?:can|may|get to|am able to|am allowed to|am permitted to|am cleared to|are allowed to|is "
            rf"allowed to|"
            r"always|decide to|have the power to) (?:approve|authori[sz]e|sign off(?: on)?|grant|issue|waive|override|"
            r"exceed|bypass|"
            rf"skip)(?: on)? (?:(?:my|our|your|own|all|any|every|the) )*(?:{_PLURAL}|refunds?|credits?|limits?|"
            rf"approvals?|checks?|"
            r"verification)\b"
        ),
        (
            rf"\b{_GAVE} (?:me|us|my account|our account|this account) (?:\w+ ){{0,3}}?(?:{_POWERS}|{_MEASURED}|"
            rf"(?:{_ENDLESS}|all|any|permanent|lifetime|future|full) (?:\w+ )?{_GIVES}|admin(?:istrator)?|an? "
            rf"approver)\b"
        ),
        (
            r"\byou (?:must|have to|are to|shall|will) (?:always |automatically |now |simply )*(?:approve|refund|"
            r"grant|waive|"
            rf"accept|credit) (?:me|us|(?:(?:all|any|every|{_MY}) (?:\w+ )?(?:{_PLURAL}|refund|return|request)))\b"
        ),
        # a role
        rf"\b{_WHO} (?:am|are|is) {_ADVERBS}(?:an? |the |your |one of (?:the|your) )?{_ROLE}s?{_HERE}",
        (
            r"\b(?:i am|we are) (?:your|one of your) (?:\w+ "
            r")?(?:admins?|administrators?|supervisors?|managers?|bosse?s?|"
            r"developers?|owners?|operators?|directors?|curators?|employees?|staff)\b"
        ),
        (
            rf"\b(?:i am|we are) (?:an? |the )?(?:\w+ )?(?:owner|operator|supervisor|manager|curator|auditor|"
            rf"developer|"
            rf"creator|signatory|director)s? (?:of|on|for|in|at|behind) {_YOURS}\b"
        ),
        (
            rf"\b{_MY} (?:\w+ )?(?:role|title|position|rank|access|status|user type|account type|permissions?|profile|"
            rf"user role|access role|account role|job title) ?{_IS} {_ADVERBS}(?:an? |the |that of (?:an? )?|set to )?"
            rf"(?:{_ROLE}|authori[sz]ed \w+|owner|signatory|verified|vetted|unrestricted|staff){_HERE}"
        ),
        (
            rf"\b(?:call|address|refer to|treat|regard|consider|recogni[sz]e|list|register|mark|flag|label|greet|"
            rf"handle|know|see|"
            rf"count|classify) (?:me|us|my account|our account|this account) (?:(?:as|like) )?(?:if i (?:am|were) "
            rf")?{_DECREED}"
        ),
        (
            rf"\b(?:be|being|am|are|get|getting) (?:treated|called|addressed|regarded|considered|known|recogni[sz]ed|"
            rf"listed|registered|handled|seen|classified|greeted|flagged|marked) (?:as |like )?{_DECREED}"
        ),
        # an identity
        (
            rf"\b{_MY} (?:\w+ )?(?:identity|id|account|kyc|identification|person|profile)(?: (?:check|documents?|"
            rf"verification))? "
            rf"(?:{_BE} )(?:\w+ )?(?:verified|confirmed|validated|authenticated|vetted|cleared|vouched for|completed?|"
            rf"approved)\b"
        ),
        (
            rf"\b{_WHO} (?:\w+ )?(?:have |has )?(?:\w+ )?(?:passed|cleared|completed|went through|verified|confirmed|"
            rf"proved|proven|"
            r"authenticated) (?:(?:my|our|the|all|your|their|an?) )*(?:own )?(?:identity|id|kyc|verification|"
            r"identification|security|authentication)(?: (?:checks?|questions?|verification|steps?))?\b"
        ),
        (
            rf"\b{_WHO} (?:am|are|is) {_ADVERBS}(?:an? |the |your )?(?:fully |already |pre-?)?(?:verified|"
            rf"authenticated|vetted|"
            r"pre-?approved|authori[sz]ed)(?: (?:customer|user|account|member|caller|client|buyer|person|contact|"
            rf"approver|representative|signatory|agent|to)\b|[.,!]|{_ENDS})"
        ),
        # a rule that is not for them
        (
            rf"\b{_WHO} (?:am|are|is) {_ADVERBS}(?:exempt(?:ed)?|excused|excluded|free) from (?:(?:the|any|all|"
            rf"your|every) )*"
            r"(?:\w+ )?(?:deadlines?|fees?|limits?|checks?|rules?|polic(?:y|ies)|charges?|verification|approvals?|"
            r"windows?)\b"
        ),
        (
            rf"\b(?:(?:no|none of the) {_BOUNDS} (?:apply|applies)|(?:the|your) {_BOUNDS} (?:do|does) not apply) to "
            rf"(?:{_MY}|me|us|this account)\b"
        ),
        (
            rf"\b{_WHO} (?:can|may|am allowed to|are allowed to) (?:return|exchange|cancel|send back) (?:items?|"
            rf"things|anything|"
            r"goods|orders?|everything|it all) (?:after|for up to|up to|any ?time|whenever|without|even)\b"
        ),
        (
            rf"^(?:please )?(?:from now on|always|automatically|in future),? (?:please )?(?:approve|grant|"
            rf"authori[sz]e|waive|"
            rf"refund|accept) (?:(?:all|any|every|of|{_MY}) )*(?:{_PLURAL}|refund|return|request)\b"
        ),
        (
            r"\b(?:i|we) (?:work|am employed|are employed) (?:for|by|in|on|at) (?:you\b|your (?:\w+ )?(?:team|"
            r"staff|company|firm|shop|security|support|management)\b)"
        ),
        # no check needed
        (
            r"\b(?:never|do not|no need to|need not|skip|without) (?:need to |have to |bother to )?(?:verify|"
            r"verifying|authenticate|"
            r"check|checking|asking) (?:me\b(?! in)|us\b(?! in)|my identity|our identity|who i am)"
        ),
        (
            rf"\b(?:no|skip|waive|bypass|without) (?:further |any |more |the )?(?:approvals?|verification|identity "
            rf"checks?|id "
            rf"checks?|sign-?off) (?:{_BE} )?(?:needed|required|necessary)?(?: ?(?:for|from|on|of)) (?:me|us|my|our|"
            rf"this account)\b"
        ),
    )
}
_CLAIMS = Rules(*_PATTERNS)

_ASKS = re.compile(
    r"^(?:(?:so|and|but|then|now|ok(?:ay)?|hi|hello|please)[ ,]+)*(?:(?:is|are|am|do|does|did|can|could|would|"
    r"will|should|"
    r"may|might|shall|has|have|had|was|were)(?: not)? (?:i|we|you|it|they|he|she|there|this|that|my|our|the|your|"
    r"all|any|"
    r"an?|anyone|someone)\b|(?:what|how|when|where|why|which|who|whose)\b(?! i )|(?:please |kindly )?(?:tell me|"
    r"explain|let me know|check|find out|show me|look up)\b)"
)
_CONDITION = re.compile(
    r"^(?:but |and |so |then )?(?:if|unless|when(?:ever)?|whether|in case|only if|until|once|suppose|supposing|"
    r"imagine|assuming|provided)\b"
)
_ONLY_WISHED = re.compile(
    r"\b(?:could|would|should|might|want(?:s|ed)?|need(?:s|ed)?|would like|like to|hope|hoping|expect|wish|try|"
    r"trying|"
    r"request(?:ing)?|ask(?:s|ed|ing)? (?:for|about|if|whether)|(?:i|we|to) apply|applying|applied|looking for|"
    r"interested in|about to|wonder(?:ing)?|dream of|important|to (?:get|receive|be given)|"
    r"(?:am|are|is|was|were|do|does|did|have|has|had) not|never (?:had|got|been|was|have)|no longer|used to|"
    r"wrote about|not sure)\b"
)
#: A denial or a wish that is still a demand on the agent.
_STILL_CLAIMED = re.compile(
    r"\b(?:no (?:\w+ ){1,3}(?:needed|required|necessary)|should always|do not (?:need|require|check|verify|ask|"
    r"authenticate)|not (?:just|only|merely|apply)|treat me|treated|"
    r"call me|called|"
    r"addressed|regarded|considered|recogni[sz]ed|you to (?:treat|call|address|regard|consider|recogni[sz]e))\b"
)
_OTHERS = (
    r"(?:shops?|stores?|companies|brands|airlines?|places|vendors|suppliers|sellers|others|competitors?|hotels?|"
    r"friends?|colleagues?|neighbou?rs?|banks?)"
)
_OTHERS_THAT = Sieved(rf"\b({_OTHERS}) that\b")
_OF_OTHERS = re.compile(
    rf"\b(?:{_OTHERS} (?:that|which|who|with|offering|offers?|having|have|has|gets?|grants?)|"
    r"(?:at|from|with) (?:other|another|some|most|many) \w+)\b"
)
_ASKED_TO_KEEP = re.compile(
    r"^(?:(?:i|we) (?:would like|want|need|ask|expect|wish)(?: for)? you to (?:please )?|could you |can you |"
    r"would you |"
    r"will you |you (?:should|must|can|may|need to) |let us |let me )(?:please )?(?:always )?(?:remember|note|"
    r"know|keep in mind|record|save|store|write down|memori[sz]e|be aware|put on file|make a note|"
    r"understand|accept|state|say|confirm|add|mention)(?: down| of| for me| on file)?(?: that|:)? "
)
_MARKUP = re.compile(r"[*_`\"“”]+")
_SPACES = re.compile(r" {2,}")
_LEAD_UP = 300  # characters that words such as "please note that" may take
_PARTS = re.compile(r"[,:()\n]| [-–—]+ | (?:but|because|since|that|so|which means|meaning|yet|while|although|as)(?= )")


@remembered
def claims_a_right(text: str) -> bool:
    """Whether any clause of the text claims a limit, a right, an approval, a role or a verified identity.

    The patterns run over the whole text first; only sentences they point to are taken apart and read with care.
    """
    told = list(sentences(skeleton(text)))
    if not told:
        return False
    for number, patterns in _pointed_to(told).items():
        if any(_claims(clause, patterns) for clause in _clauses(told[number])):
            return True
    return False


_CONTRACTED = Sieved(r"['‘’“”]|\b(?:cannot|dont|cant|im|ive|gonna|wanna|got|do)\b")  # what `expand` writes out
_BETWEEN = "\ue000"  # stands between sentences while their contractions are written out


def _pointed_to(told: Sequence[str]) -> dict[int, list[re.Pattern[str]]]:
    """Which sentences hold words that may claim something, and by which patterns."""
    joined = _BETWEEN.join(told)
    plain = _MARKUP.sub(" ", (expand(joined) if _CONTRACTED.search(joined) else " ".join(joined.split())).lower())
    lines = [_SPACES.sub(" ", _OTHERS_THAT.sub(r"\1 which", line)).strip() for line in plain.split(_BETWEEN)]
    begins = [0]
    for line in lines:
        begins.append(begins[-1] + len(line) + 1)
    scan = Scan("\n".join(lines))
    found: dict[int, list[re.Pattern[str]]] = {}
    for rule in _CLAIMS.that_may_match(scan):
        pattern = _PATTERNS[rule]
        for match in rule.finditer(scan):
            patterns = found.setdefault(bisect_right(begins, match.start()) - 1, [])
            if pattern not in patterns:
                patterns.append(pattern)
    return found


def _clauses(sentence: str) -> Iterator[str]:
    """The sentence and its parts, what only leads up to a statement taken off; of a condition, only what follows it."""
    words = " ".join(_MARKUP.sub(" ", expand(sentence)).split())
    entire = words.lower()
    words = _ASKED_TO_KEEP.sub("", _led_up(words).lower()).lower()
    words = _OTHERS_THAT.sub(r"\1 which", words)
    conditional = bool(_CONDITION.match(words))
    if not conditional:
        yield words
        yield entire
    for part in _PARTS.split(words)[1 if conditional else 0 :]:
        yield _led_up(part.strip())


def _led_up(words: str) -> str:
    """What only leads up to a statement stands at its beginning, and is short."""
    return without_filler(words[:_LEAD_UP]) + words[_LEAD_UP:]


def is_only_wished(sentence: str) -> bool:
    """Whether a sentence asks, wishes, denies, supposes, or tells of others, so that a mention in it claims nothing."""
    words = _led_up(" ".join(expand(skeleton(sentence)).split()))
    if _ASKS.match(words) or _CONDITION.match(words) or _OF_OTHERS.search(words):
        return True
    return bool(_ONLY_WISHED.search(words)) and not _STILL_CLAIMED.search(words)


def _claims(clause: str, patterns: Sequence[re.Pattern[str]]) -> bool:
    if not clause or _ASKS.match(clause) or _CONDITION.match(clause):
        return False
    ends = sorted({match.end() for pattern in patterns for match in pattern.finditer(clause)})
    if not ends:
        return False
    wished = _first_end(_ONLY_WISHED, clause, ends[-1])
    insisted = _first_end(_STILL_CLAIMED, clause, ends[-1])
    others = _first_end(_OF_OTHERS, clause, ends[-1])
    return any((end < wished or end >= insisted) and end < others for end in ends)


def _first_end(pattern: re.Pattern[str], clause: str, within: int) -> float:
    """Where the pattern's first match ends, no later than `within`; infinity where there is none."""
    match = pattern.search(clause, 0, within)
    return match.end() if match else math.inf
