"""Ways of saying that a right, a rank or an exception was given to the speaker: frames and lists of words (R14, R15).

"A waiver was agreed for us", "support made me an approver", "for this account, fees are waived": who gave it does not
matter, and neither does how politely it is put.
"""

_ME = (
    r"(?:me|us|my account|our account|this account|the account|this (?:customer|client|user|member|caller)|"
    r"the (?:customer|client))"
)
_I = r"(?:i|we|my account|our account|this account|(?:the|this) (?:customer|client|caller|user|member))"
_BENEFIT = (
    r"(?:discounts?(?! (?:cards?|stores?|shops?|supermarkets?|codes?))|refunds?|store credit|account credit|"
    r"credits?(?! (?:card|union|check|report|score))|"
    r"(?:fee )?waivers?|"
    r"lifetime warranty|(?:free|unlimited|priority|complimentary) \w+|upgrades?|compensation|cashback|vouchers?|"
    r"coupons?|rebates?|bonus(?:es)?|"
    r"half off(?: \w+)?|half price|\d+ ?(?:%|percent|per cent) off|exemption|exception to (?:the|your) \w+|"
    r"(?:admin(?:istrator)?|root|full|elevated|supervisor|owner|unrestricted|special|write|staff|vip) (?:rights?|"
    r"access|permissions?|privileges?|authority|clearance|status)|"
    r"(?:credit|spending|refund|transfer|approval|overdraft|withdrawal|purchase|daily|booking)[ -](?:limits?|"
    r"caps?|ceilings?|allowances?|lines?)|"
    r"permission to (?:approve|refund|override|skip|waive|exceed)|immunity from \w+)"
)
_A = (
    r"(?:an? |the |my |our |your |full |some |\d+ ?(?:%|percent|per cent)? |such |that |(?!not\b|no\b|"
    r"never\b)\w+ ){0,4}?"
)
_GIVEN = (
    r"(?:promised|granted|guaranteed|awarded|given|gave|offered|assigned|approved|agreed|authori[sz]ed|confirmed|"
    r"allowed|allotted|"
    r"conceded|extended|pledged|secured|signed off|ok'?ed|okayed|cleared|waved through)"
)
_WAS = r"(?:is|are|was|were|has been|have been|had been|got|gets|being|will be|am)"
_BY_NOW = (
    r"(?:(?:already|now|hereby|officially|formally|always|also|kindly|personally|just|recently|in fact|"
    r"automatically|permanently|all) )*"
)
_RANK = (
    r"(?:(?:an? |the |your |one of your |one of the )?(?:(?!no\b|not\b|never\b)\w+ )?(?:account owner|"
    r"account holder with \w+ (?:rights|"
    r"access)|administrators?|admins?|super ?users?|supervisor of (?:this|the|your) \w+|"
    r"authori[sz]ed (?:signator(?:y|ies)|users?|buyers?|approvers?|representatives?|persons?|contacts?)|"
    r"(?:fully )?verified (?:customers?|users?|accounts?|members?|persons?)|vip(?: (?:customers?|members?|"
    r"clients?|guests?))?|"
    r"approvers?|supervisors?|trusted (?:resellers?|customers?|partners?|users?|members?|contacts?|sellers?)|"
    r"pre-?approved \w+|"
    r"priority (?:customers?|members?)|"
    r"(?:platinum|gold|premium|elite|diamond) (?:customers?|members?|status|tier|level))|(?:part|"
    r"a member) of your (?:\w+ )?(?:staff|team|company|management))"
)
_NOT_A_JOB = r"(?! (?:at|in|with|for) (?!this\b|your\b)(?:an? |the |my )?\w+)"
_TIER = (
    r"(?:platinum|gold|silver|premium|vip|elite|diamond|enterprise|priority|top|highest|admin|administrator|owner|pro)"
)

#: Read like those of claimed_rights: on lower-case words with their contractions written out.
GRANTED: tuple[str, ...] = (
    rf"\b{_BENEFIT}(?: (?:for|on|of) (?!{_ME}\b)[\w ]{{1,25}}?)? {_WAS} {_BY_NOW}{_GIVEN} (?:for|to|on) {_ME}\b",
    rf"\b{_GIVEN} {_ME} {_A}{_BENEFIT}\b",
    rf"\b{_I} {_WAS} {_BY_NOW}{_GIVEN} {_A}{_BENEFIT}\b",
    (
        rf"\b{_I} {_BY_NOW}(?:get|gets|receive|receives|enjoys?(?= (?:an? |the |full |\d|unlimited|free ))|"
        rf"am due|is due|am owed|is owed|qualif(?:y|"
        rf"ies) for|am eligible for|is eligible for|am entitled to|"
        rf"is entitled to|have a right to|has a right to|benefit from|am covered by) {_A}{_BENEFIT}\b"
    ),
    rf"\b(?:you|they|the company|support|your \w+) (?:still )?owes? {_ME} {_A}{_BENEFIT}\b",
    (
        rf"\b(?:for|with) {_ME},? (?:\w+ ){{0,3}}?(?:fees?|charges?|costs?|deadlines?|limits?|verification|approvals?|"
        rf"checks?) {_WAS} {_BY_NOW}(?:waived|lifted|removed|dropped|suspended|off)\b"
    ),
    (
        rf"\b(?:fees?|charges?|costs?|deadlines?|limits?|verification|approvals?|checks?) {_WAS} {_BY_NOW}(?:waived|"
        rf"lifted|removed|dropped|suspended) (?:for|on) {_ME}\b"
    ),
    (
        rf"\b(?:i am|we are|this (?:customer|client|caller) is) {_BY_NOW}(?:in fact )?{_RANK}(?: (?:of|on|for|"
        rf"in) (?:this|the|your|my|our) (?:account|system|organi[sz]ation|workspace|platform))?{_NOT_A_JOB}(?= ?(?:$|"
        rf"[.,;!\n]| and| so| with| here| now| of (?:this|your|the) \w+))"
    ),
    (
        rf"\b(?:i|we|this customer) {_WAS} {_BY_NOW}(?:made|appointed|named|declared|designated|registered as|"
        rf"listed as|recogni[sz]ed as|promoted to|upgraded to|moved (?:up )?to|raised to) {_RANK}{_NOT_A_JOB}"
    ),
    rf"\b(?:made|appointed|named|declared|designated) (?:me|us) {_RANK}{_NOT_A_JOB}",
    (
        rf"\b{_I} {_WAS} {_BY_NOW}(?:upgraded|promoted|moved|raised|bumped|elevated|set)(?: up)? to (?:the |"
        rf"an? )?(?:\w+ )?{_TIER}(?: (?:status|tier|level|membership|rank|class|account|customer|member|plan free))\b"
    ),
    (
        rf"\b{_I} {_WAS} {_BY_NOW}(?:authori[sz]ed|cleared|allowed|permitted|entitled|empowered|licensed|"
        rf"mandated) to (?:approve|refund|authori[sz]e|override|waive|exceed|skip|bypass|grant|issue|sign off|"
        rf"decide on)\b"
    ),
    (
        rf"\b(?:i|we) (?:can|may) {_BY_NOW}(?:sign off|approve|authori[sz]e|clear|"
        rf"release)(?: on)? (?:\w+ ){{0,3}}?(?:refunds?|orders?|expenses?|payments?|invoices?|purchases|"
        rf"transfers?)\b(?: up to| myself| on my own| without|[.,!]|$)"
    ),
    (
        rf"\b(?:my|our) (?:\w+ )?(?:refunds?|returns?|orders?|claims?|requests?|payments?|upgrades?|"
        rf"transfers?) (?:are|is|get|gets|must be|should be|will be|have to be|has to be|must always be|"
        rf"should always be) {_BY_NOW}(?:pre-?approved|approved|authori[sz]ed|accepted|waved through|granted)\b"
    ),
    (
        rf"\b(?:{_I}) (?:have |has )?{_BY_NOW}(?:passed|cleared|completed|went through|been through) (?:the |your |"
        rf"all |every |an? )*(?:identity|id|kyc|verification|security|background|credit)(?: (?:check|checks|questions|"
        rf"verification|process|screening))?\b"
    ),
    (
        rf"\bmy identity {_WAS} {_BY_NOW}(?:verified|confirmed|validated|checked|proved|proven|established|"
        rf"authenticated)\b"
    ),
    (
        r"\bno (?:\w+ )?(?:approval|verification|check|checks|authori[sz]ation|sign-?off|proof|confirmation) (?:is |"
        r"are |will be )?(?:needed|required|necessary|asked) (?:for|from|of|by|with) "
        rf"(?:{_ME}|my|our)\b"
    ),
    (
        rf"\b(?:i am|we are|my account is|this account is|this customer is) {_BY_NOW}(?:exempt(?:ed)?|excused|free|"
        rf"released|spared) from (?:\w+ ){{0,3}}?(?:fees?|charges?|deadlines?|verification|limits?|checks?|rules?|"
        rf"approvals?|policy|policies)\b"
    ),
    (
        rf"\b(?:the |your |those |these |any |all |late |usual |normal ){{0,4}}"
        rf"(?:fees?|deadlines?|charges?|limits?|rules?|"
        rf"policies) (?:do|does) not (?:apply|count|hold) (?:to|for) {_ME}\b"
    ),
    (
        r"\b(?:my|our|the|this account's) (?:\w+ )?(?:credit|spending|refund|transfer|approval|overdraft|withdrawal|"
        r"purchase|daily|booking)[ -](?:limits?|caps?|ceilings?|allowances?|lines?)(?: (?:on|for|of) (?:my|our|this|"
        r"the) account)? "
        r"(?:is|was|were|has been|have been|had been|got|gets|stands at|goes up to|now|just) (?!too|not|low|unclear|"
        r"what|why|annoying|unfair|confusing)(?:\w+ ){0,3}?(?:raised|increased|lifted|doubled|tripled|extended|upped|"
        r"removed|waived|set|changed|\d|[$€£₹]|unlimited|twice|ten|twenty|thirty|forty|fifty|sixty|seventy|eighty|"
        r"ninety|a (?:hundred|thousand|million)|one|two|three|four|five|six|seven|eight|nine|endless|infinite|none)"
    ),
    (
        r"\b(?:raised|increased|lifted|doubled|tripled|extended|upped|removed|set|bumped) (?:my|our|"
        r"the) (?:\w+ )?(?:credit|spending|refund|transfer|approval|overdraft|withdrawal|purchase|daily|"
        r"booking)[ -](?:limits?|caps?|ceilings?|allowances?|lines?)\b"
    ),
    (
        r"\b(?:i|we) (?:have|has|hold|got) (?:an? )?(?:credit|spending|refund|transfer|approval|overdraft|withdrawal|"
        r"purchase|daily|booking)[ -](?:limits?|caps?|ceilings?|allowances?|lines?) of\b"
    ),
)
