"""Does a statement speak of how the organisation or the agent treats its speaker? (R14, R15; ADR 0011)

A person's own words are about themselves, their wishes and their world. What they are charged, granted, allowed or
spared, what they rank as, and what the agent must or need not check, is not theirs to write. The rules are structural:
the field a word belongs to (`terms`), whom it is for, and whether it is granted or set aside. Three answers: CLAIMED is
refused; DOUBTFUL speaks of such terms and is not plainly something else, so a person looks; NONE is none of it.
"""

import re
from collections.abc import Iterator
from enum import IntEnum

from memoryhub.governance.claimed_rights import is_only_wished
from memoryhub.governance.clauses import expand, without_filler
from memoryhub.governance.sentences import sentences
from memoryhub.governance.terms import tagged, touches, without_names
from memoryhub.working.normalisation import skeleton


class Bearing(IntEnum):
    """How plainly a text speaks of its speaker's terms: ordered, so that the worst of several is their maximum."""

    NONE = 0
    DOUBTFUL = 1
    CLAIMED = 2


_READ = 8_000  # characters taken apart; what comes after them and touches a field is doubtful
_STRONG = r"(?:PRICE|BENEFIT|BOUND|STANDING|SAFEGUARD|RULE)"
_GIVEN = r"(?:PRICE|BENEFIT|BOUND|STANDING|SAFEGUARD)"
_SAFE = r"(?:SAFEGUARD|Check)"
_WHO = (
    r"(?:i|we|(?:this|my|our) account|(?:the|this) (?:customer|client|caller|user|member|account|account holder|person|"
    r"undersigned|subject)|anybody writing from this account|people like me|customers like me)"
)
_WHOSE = (
    r"(?:my|our|mine|ours|this account's|my account's|our account's|(?:the|this) (?:customer|client|caller|user|member|"
    r"account|account holder)'s)"
)
_US = r"(?:me|us|mine|ours|my|our|this account|the account|(?:this|the) (?:customer|client|caller|user|member))"
_IS = (
    r"(?:is|are|was|were|be|am|has been|have been|had been|stands?|goes|go|went|runs?|never|always|does not|do not|covers?|"
    r"includes?|amounts?|comes?|came|apply|applies|applied|remains?|stays?|equals?|has|have|gets?|got|can not|will|must|"
    r"should|needs?|extends?|:|=)"
)
_WORDS = r"(?:[\w'-]+ )"
_YOURS = (
    r"\b(?:your?|yours|here|this (?:account|system|site|platform|hub|shop|store|app|workspace|tenant|service)|every|all|any|"
    r"whatever|everything|unlimited|myself|agents?|assistant|now|hereby)\b"
)
_OUTSIDERS = (
    r"(?:landlord|landlady|gym|school|university|college|library|council|city|town|village|country|state|government|"
    r"employer|company|firm|office|team|class|club|choir|band|church|church's|clinic|hospital|doctor|dentist|vet|insurer|"
    r"insurance|kids?|son|daughter|children|wife|husband|partner|mother|father|mum|mom|dad|parents|sister|brother|"
    r"girlfriend|boyfriend|friends?|neighbou?rs?|uncle|aunt|cousin|grandm\w+|grandf\w+|teacher|professor|coach|phone|car|"
    r"bike|laptop|camera|printer|router|oven|fridge|boiler|lathe|bakery|museum|park|pool|lake|river|bridge|road|street|"
    r"motorway|airport|station|train|bus|tram|ferry|hotel|restaurant|caf[eé]|pub|cinema|theatre|book ?shop|salon|studio|"
    r"farm|factory|warehouse|project|code|repo\w*|build|api|app|database|server|software|thesis|book|novel|blog|podcast|"
    r"film|game|play|course|lecture|recipe|dog|cat|horse|customers?|clients?|students?|tenants?|guests?|readers?|pupils?|"
    r"patients?|competitors?|supermarkets?|airlines?|shops|stores|hotels|universities|banks|people|parliament|eu|union)"
)
_PUBLIC = (
    r"(?:council|city|town|village|state|government|bridge|road|street|motorway|lake|river|librar(?:y|ies)|universit(?:y|ies)|"
    r"church|parliament|eu|airport|station|museums?|hotels|airlines|shops|supermarkets|banks|landlords|insurers)"
)
_LOOKS = (
    r"(?:like|likes|love|loves|enjoy|enjoys|hate|hates|dislike|dislikes|avoid|avoids|collect|read|watch|study|studied|"
    r"teach|taught|write|wrote|research|compare|prefer|prefers|admire|fear|dread|resent|distrust|mistrust|follow|discuss|"
    r"paint|draw|sing|learn|translate|understand|misunderstand|find|value|appreciate|notice|ignore|laugh|joke|care|worry|"
    r"think|argue|talk|dream|look|hunt|shop|wait|search|hope|wish|want|wonder|complain|forget|forgot|lost|remember|print|"
    r"keep|sort|file|scan|sell|sold|make|design|quote|offer|publish|debate|blog|lecture|campaign|(?:am|are|is|was) "
    r"(?:fond|interested|curious|tired|bored|wary|afraid|sceptical|skeptical|suspicious|keen|allergic|bad|good|reading|"
    r"studying|learning|writing|teaching|researching|translating|comparing|looking|verifying|checking|reviewing|waiting|"
    r"against|sick|proud|scared|passionate|confused|annoyed|unsure|considering))"
)
_ADVERBS = (
    r"(?:(?:really|also|just|still|now|often|always|never|usually|sometimes|mostly|rarely|do not|does not|can not stand|"
    r"generally|mainly|currently|only|quite|kind of|sort of|dearly|simply|rather|would|used to|at work|personally|of "
    r"course|not|did not|could not|and|both) )*"
)
_FOR_SELF = re.compile(
    rf"\b(?:to be|being|be|me|us|my|our|mine|you|your|having|getting|without|no|skip\w*|unlimited|Agent|when|every|all|"
    rf"any|treated|i|we)\b.*{_STRONG}|{_STRONG}.*\b(?:for me|to me|for us|for my|on my|my|me|you|your)\b"
)
_TASTE = re.compile(rf"^(?:i|we|my \w+|our \w+) {_ADVERBS}{_LOOKS}\b(?P<what>.*)")
_TRADE = re.compile(
    r"^(?:i|we) (?:also |now |still |used to |have |had |only |often |mostly |sometimes )*(?:work(?:ed|s)? as|work(?:ed|s)? "
    r"(?:in|at|for|on|with)|volunteer|train\w*|serv\w+|was|were|be|am|are|teach|taught|sell|manage|run|lead|supervis\w*|"
    r"moderat\w*|handle|process|Ask|Check|Watch|SAFEGUARD|STANDING|BENEFIT|BOUND|build|repair|advise|represent|trade|negotiate|became|"
    r"become)\b.*?(?:\b(?:for a living|by trade|by profession|by training|as a hobby|for fun|as a volunteer|as a side "
    r"job|by day|at weekends|at work|at uni(?:versity)?|in a past life)\b|\b(?:at|in|for|of|on|with) (?:an?|my|our|another|"
    r"the local|the town|the city|the village|the school|the university|the village|panel|public|small|local|other|"
    r"different) (?!(?:account|orders?|own)\b)[\w -]+$|\b(?:in|for|at) (?:the )?(?:play|musical|sequel|town hall|clinics?|"
    r"schools|courts?|hospitals?|insurance|retail|logistics|publishing|academia|tech|finance|debates?|conferences?|"
    r"panels?|discussions?|forums?|weddings?|tournaments?|parliament)\b|\b(?:for|of|to) (?:[\w-]+ )?(?:students|children|pupils|patients|teams|musicians|athletes|apprentices|interns|kids|"
    r"nurses|players|dancers|trainees)\b|^(?:i|we) (?:\w+ )?work(?:ed|s)? as an? "
    r"[\w -]+$|^(?:i|we) work in [\w -]+$)"
)
_JOB = re.compile(r"^(?:my|our) (?:day |main |side |old |first |last |current |dream )?(?:job|work|profession|trade|field|hobby|"
                  r"thesis|degree|dissertation|course|talk|novel|essay|lecture|specialty|speciality|career|apprenticeship|"
                  r"internship|job title|role in|favou?rite [\w -]+?) (?:is|was|are|were|deals|covers)\b")  # fmt: skip
_EVALUATED = re.compile(
    rf"{_STRONG}(?: [\w'-]+){{0,3}}? (?:is|are|was|were|feels?|seems?|looks?|gets?|has been|have been|came|went|takes?|took) "
    r"(?:\w+ )?(?:too|so|quite|very|really|rather|pretty|a bit|far too|still|always)? ?(?:high|low|slow|late|annoying|"
    r"confusing|unclear|broken|wrong|missing|lost|overdue|delayed|pending|outstanding|expensive|steep|unfair|tiny|small|"
    r"big|complicated|long|ages|for ever|forever|weeks|days|ridiculous|silly|boring|strict|a mystery|a mess|a pain|a joke|"
    r"refused|rejected|denied|declined|turned down|short|smaller|higher|lower|worse|up again|hidden|everywhere|on the "
    r"receipt|in english)\b"
)
_FAILED = re.compile(
    rf"{_STRONG}.*\b(?:not|never) (?:\w+ )?(?:come|came|arriv\w+|work\w*|paid|sent|processed|issued|show\w*|reach\w*|go "
    rf"through|gone through|valid|accepted|been)\b|\b(?:lost|missed|forgot|forgotten|waiting for|wait for|never got|never "
    rf"received|never had|did not get|did not receive|never saw|not found|could not find|refused me|denied me) "
    rf"(?:[\w'-]+ ){{0,4}}?{_STRONG}|^(?:i|we) (?:have )?(?:\w+ )?(?:returned|sent back|lost) "
)
_DENIED = re.compile(
    r"^(?:i|we) (?:am|are|do|did|have|had|was|were|can) (?:no|not|never) (?!(?:just|only|merely|longer (?:subject|bound)|need|"
    r"require|have to|owe|pay|subject|bound)\b)"
)
_PAID = re.compile(r"^(?:i|we) (?:have |had |once |recently |already )*(?:Pay|spent|lost|owed) (?!(?:no|nothing|half|less|only|"
                   r"never|out)\b)(?:[\w'-]+ ){0,4}?PRICE(?!.*\b(?:always|never|every)\b)")  # fmt: skip
_OUTSIDE = re.compile(
    rf"^(?:(?:my|our|his|her|their|an?|some|most|many|other) (?:[\w-]+ ){{0,2}}?{_OUTSIDERS}|(?:the )?{_PUBLIC})(?:'s?|s)?"
    rf" (?!.*\b(?:me|us|mine|you|your|my (?!{_OUTSIDERS})\w+|our (?!{_OUTSIDERS})\w+|this account)\b)"
)
_PLACED = re.compile(
    rf"^(?!(?:i|we|you|my|our|never|do not|no|please|skip|for me)\b).*{_STRONG}.*\b(?:of|at|in|on|for|from|by) (?:my|our|the|an?|"
    rf"another|most|some|many|this|that)? ?(?:[\w-]+ ){{0,2}}?{_OUTSIDERS}\b(?!.*\b(?:me|us|mine|you|your)\b)"
)
_OWN_THING = re.compile(
    rf"^(?:my|our) (?:[\w-]+ ){{0,2}}?{_OUTSIDERS}(?:'s)? (?:[\w-]+ ){{0,2}}?(?:BOUND|PRICE|RULE|STANDING|SAFEGUARD)\b"
)
_SELF_SET = re.compile(
    r"^(?:i|we) (?:\w+ )?(?:keep|set|hold|stick|limit) (?:to )?(?:my|our|myself|a|the) (?:[\w-]+ ){0,2}?BOUND\b"
)
_ADDED = re.compile(
    r"^(?:please |always |from now on |in future )*(?:never|do not|no) (?!(?:Ask|Check|Watch|SAFEGUARD|need|have|require)\b)"
    r"(?:[\w'-]+ ){1,9}?(?:without|before|unless|until) (?:[\w'-]+ ){0,4}?(?:Ask|Check|SAFEGUARD)\b"
    r"|^(?:please )?(?:never|do not) (?:ever )?(?:skip|bypass|disable|turn off|switch off|leave out|omit|drop|forget|ignore|"
    r"relax|override)\b"
)
#: Structures by which a clause with a strong term says something else than how its speaker is treated.
_OWN_CHECKS = re.compile(
    r"^(?:i|we) (?:am |are |always |usually |only |have )*SAFEGUARD (?:my|our|the|every|each|all) "
    r"(?!account|identit|order|request|refund)\w+"
)
_HARMLESS = (_OWN_CHECKS, _EVALUATED, _FAILED, _PAID, _OUTSIDE, _PLACED, _OWN_THING, _SELF_SET, _ADDED)

#: Who has, gets or is what; which safeguard the agent is told to drop. Read on a tagged clause.
_CLAIMS = (
    re.compile(rf"\b{_WHOSE} {_WORDS}{{0,3}}?{_GIVEN}(?: [\w'-]+){{0,4}}? ?{_IS}(?: |$)"),
    re.compile(
        rf"\b{_WHO} {_WORDS}{{0,2}}?(?:get|gets|have|has|enjoy|enjoys|receive|receives|hold|holds|Pay|qualify|qualifies|belong|"
        rf"belongs|keep|fall|benefit|carry|own|shop|buy|book|fly|travel|owe|owes|need|needs|Ask|ship|order)(?: (?!to\b)[\w'-]+)"
        rf"{{0,4}}? {_GIVEN}\b(?! (?:called|named|who|at|in)\b)"
    ),
    re.compile(rf"\b{_WHO} (?:am|are|is|was|were|have been|has been|be|count as|counts as|rank as) (?:[\w'-]+ ){{0,3}}?{_GIVEN}\b"),
    re.compile(
        rf"{_GIVEN}\b(?: [\w'-]+){{0,5}}? (?:is|are|was|were|applies|apply|does|do|has|have|been|comes?|holds?)\b.*\b(?:for|to|on|of|"
        rf"from|with) {_US}\b"
    ),
    re.compile(rf"\b(?:gave|give|gives|grant|granted|given|promised|offered|assigned|awarded|allow|allowed|handed|owes?) (?:me|us) (?:[\w'-]+ ){{0,4}}?{_GIVEN}\b"),
    re.compile(rf"\b(?:for|to|with) {_US},? .*\b(?:is|are|be|applies|apply|no) (?:[\w'-]+ ){{0,3}}?{_GIVEN}\b"),
    re.compile(rf"^(?:please |always |just |also |and |then )*(?:never|do not|no need to|you (?:need not|do not (?:need|have) to|must not|should not|never)|stop|skip|bypass|"
               rf"disable|drop|waive|ignore|suspend|switch off|turn off|leave out|omit|lower|deactivate) (?:[\w'-]+ ){{0,5}}?"
               rf"(?:SAFEGUARD|Ask (?:[\w'-]+ ){{0,4}}?Check)\b"),
)  # fmt: skip
_WEAKENED = (
    r"(?:skips?|skipping|bypass\w*|disables?|drops?|dropping|waives?|ignores?|omits?|suspends?|switch(?:es)? off|turns? off|lowers?|"
    r"relax|loosen|dispense with|forgo|leave out|conceals?|suppress\w*|lifts?|pauses?|remove[sd]?|deactivates?|override|"
    r"circumvents?|hides?|abandon|dodge|evade|cut out|spare (?:me|us)|do away with|get rid of|amend|rewrite|change)"
)
_SET_ASIDE = (
    r"(?:optional|off|paused|disabled|unnecessary|redundant|suspended|over|dropped|lifted|gone|superfluous|needless|moot|not "
    r"needed|not required|done|complete|completed|passed|successful|in order|succeeded|took place|not necessary|waived|"
    r"removed|taken away|cancelled|not due|not collected|not Ask|not Price|not Pay)"
)
_HANDLED = (
    r"(?:settled|accepted|honou?red|granted|released|covered|final|instant\w*|automatic\w*|Free|Benefit|Price|paid|Pay|"
    r"forgiven|cancelled|written off|contested|first|Ask|Check|Bound|restricted|queried|refused|delayed|front|exempt|capped|"
    r"processed first|top|unchecked|fast-?track\w*|waved through|on top|priority|Rank)"
)
#: Structures that make a weaker term one of service, or doubt enough.
_DOUBTS = (
    re.compile(rf"\b{_WHOSE} (?:[\w-]+ )?Price (?:\w+ )?(?:is|are|was|were|stays?|remains?|=|:)"),
    re.compile(rf"\b{_WHOSE} {_WORDS}{{0,2}}?(?:Deal|Benefit) {_IS} (?:[\w'-]+ ){{0,4}}?{_HANDLED}\b"),
    re.compile(
        rf"\b{_WHOSE} {_WORDS}{{0,2}}?Bound (?:[a-z]+ )?{_IS} (?:\w+ ){{0,3}}?(?:\d|[$€£]|raised|lifted|removed|gone|a (?:quarter|hundred|"
        r"thousand|million)|half|doubled|ten|twenty|fifty|two|three|four|five|grand|off|up|higher|none)"
    ),
    re.compile(rf"\b{_WHOSE} {_WORDS}{{0,2}}?Benefit (?:includes?|covers?|never|always|is (?:in place|for life|valid|permanent)|"
               r"does not|do not|can not|allows?|permits?|grants?|lasts?|has no|stands|holds|came through|runs (?:for ever|forever))"),
    re.compile(r"\b(?:on|of|for) (?:my|our|this|the) account (?:is|are|was|were|has|have|stands|need|needs)\b.*|\b(?:my|our|this) account(?:'s)? "
               r"(?:\w+ ){0,2}?(?:type|group|class|Rank|Bound|Check|Price|Benefit)\b (?:\w+ )?(?:is|are|was|has)\b"),
    re.compile(rf"\b{_WHO} {_WORDS}{{0,2}}?(?:get|gets|have|has|receive|enjoy|Pay|shop|buy|book|fly|travel|am on|are on|am at)(?: (?!to\b)[\w'-]+){{0,4}}? Price\b"),
    re.compile(rf"\b{_WHO} (?:am|are|is|was|have been|has been) (?:[\w'-]+ ){{0,3}}?(?:trusted|cleared|covered|Benefit (?:by|for|until)|on (?:your|the) (?:\w+ )?(?:list|file|staff)|past the|validated|vetted)\b"),
    re.compile(rf"\b{_WHO} (?:am|are|is|was|have been|has been) (?:[\w'-]+ ){{0,2}}?(?:your (?:\w+ )?Rank|(?:acting )?as (?:the|an?) Rank|(?:a|the|an) Rank (?:here|on shift|on duty|of (?:this|your|the) (?:account|"
               r"system|tenant|workspace|platform|org\w*|hub|service|shop)|anyway|customer|person|user)|one of your|part of your)"),
    re.compile(r"\bRank (?:was|is|has been) (?:changed|raised|set|upgraded|promoted|moved|switched) to (?:\w+ )?Rank|\bRank of this account"),
    re.compile(r"\b(?:agreed|squared|cleared|arranged|discussed|settled|fixed|Rank) with (?:your|the|you)\b"),
    re.compile(r"\b(?:SAFEGUARD|Check|Ask) by (?:your|you|the)\b|\bas (?:established|read|proven|settled|given|Ask) that\b|\b(?:you|they|company|shop|Agent) (?:\w+ )?(?:owes?|owed) (?:me|us)\b"),
    re.compile(r"\b(?:lifelong|lifetime|permanent) Benefit|\bBenefit .*\b(?:never|for life|for ever|forever|until 20\d\d)\b"),
    re.compile(r"\b(?:i|we) (?:\w+ )?(?:run|own|administer|operate|control|head) (?:this|the|your) (?:tenant|workspace|system|platform|hub|account|org\w*|service)\b"),
    re.compile(r"\b(?:Spend|good for|Deal|goes? through|pass(?:es)?|on account)\b.*\bup to [\d$€£]|\bup to [\d$€£].*\b(?:through|on account|Spend|Check|Ask|without)\b"),
    re.compile(r"\b(?:i|we) (?:may|can|am allowed to|are allowed to) (?:\w+ )?Spend\b|\b(?:may|can) be (?:sent back|Benefit\w*|handed in|exchanged|Ask) by (?:me|us)\b|\bhand in (?:used|opened|worn)\b"),
    re.compile(r"\bpart of what (?:i|we) get\b|\b(?:Benefit|access|Rank) (?:comes|is|are|came) (?:with|Benefit|part of|included|on|mine)\b.*|\bmy Pay (?:comes|goes|gets) back\b|\bBound on (?:my|our)\b"),
    re.compile(r"\b(?:hides?|conceals?|delete|erase) (?:my|our|the) (?:\w+ )?(?:Deal|Watch|orders?|account|traces?)\b|\b(?:not|stop|never) (?:obey\w*|act\w* on|follow\w*|listen\w* to) (?:\w+ ){0,3}?(?:Rank|Rule|RULE)"),
    re.compile(r"\bAgent (?:\w+ )?(?:must|should|will|may|can|does|do|did|need|needs|has|have|is|are|shall|never|always|agrees?|pays?|Pay|skips?|"
               r"ignores?|obeys?|follows?|Check|Ask|Watch|SAFEGUARD|BENEFIT)\b"),
    re.compile(rf"(?<!never )(?<!not )\b{_WEAKENED} (?:[\w'-]+ ){{0,3}}?(?:Check|Rule|Bound|Watch|SAFEGUARD|RULE|BOUND)\b"),
    re.compile(rf"\bAsk (?:[\w'-]+ ){{0,5}}?{_SAFE}\b.*"),
    re.compile(r"^(?!(?:i|we|my|our)\b).*\b(?:never|not|no longer|stop|quit|without|nobody|no need to) (?:\w+ )?(?:Watch|Check)\b"),
    re.compile(r"^(?!(?:i|we|my|our)\b).*\b(?:never|not|no longer|stop|quit|without|nobody|no need to) (?:\w+ ){0,2}?Ask\b.*\b(?:before|again|twice|first|who|Check|SAFEGUARD|Deal|BENEFIT|PRICE)\b"),
    re.compile(r"^(?!(?:never|do not|i|we|please never|please do not)\b).*\bwithout (?:[\w'-]+ ){0,3}?(?:Ask|Check|Watch|SAFEGUARD)\b"),
    re.compile(r"\b(?:no|not|without|needs? no|nothing|zero) (?:[\w'-]+ ){0,3}?(?:Check|Ask|Rule) (?:\w+ ){0,2}?(?:needed|required|necessary|Ask|wanted|for (?:me|us)|"
               r"from (?:me|us)|of (?:me|us)|on (?:me|us|my))\b|\b(?:do|does) not (?:need|require|Ask) (?:[\w'-]+ ){0,3}?(?:Check|Ask)\b"),
    re.compile(rf"\b(?:Check|Ask|Rule|Price|Bound|Watch|RULE|SAFEGUARD|Agent|identity) (?:[\w'-]+ ){{0,2}}?(?:is|are|was|were|be|as|has been|have been) (?:\w+ )?{_SET_ASIDE}\b"),
    re.compile(r"\b(?:passed|cleared|completed|past|through|did|done|shown|proved|proven) (?:[\w'-]+ ){0,3}?(?:Check|Ask)\b|\b(?:validated|vouched|green-?lit|waved through)\b.*\b(?:by|you|your|me|my)\b"),
    re.compile(r"\b(?:treat|count|regard|consider|take|class|list|mark|register|rate|rank|handle|see|put|let|accept) (?:me|us|it|my \w+|our \w+|this account|everything i \w+|what i \w+) "
               r"(?:[\w'-]+ )*?(?:as|among|like|down|in|on|to|for|with)\b.*\b(?:[A-Z]\w+|established|proven|settled|low|high|true)\b"),
    re.compile(r"\b(?:i|we|me|my \w+|statements|it) (?:count|counts|qualif\w+|rank|ranks|pass|passes) (?:as|for|without|among)\b.*[A-Z]"),
    re.compile(r"\byou (?:\w+ ){0,2}?(?:let|allow|allowed|give|gave|grant|granted|promised|owe|agreed|permit|doubled|raised|extended|put|trust|removed|lifted|Check|Ask|accept\w*) "
               r"(?=.*\b(?:me|us|my|our|i|we)\b)(?:.*[A-Z]|what i can)"),
    re.compile(r"\b(?<!my )(?:Rank|office|they|somebody|someone|company|headquarters) (?:[\w'-]+ ){0,3}?(?:agreed|Ask|Check|Rank my|signed off|nodded|promised|cleared|granted|squared|blessed|allowed|consented|said yes|"
               r"waved|vouche[sd]|ruled)\b"),
    re.compile(rf"\b{_WHO} (?:may|can|could|am (?:allowed|free) to|are (?:allowed|free) to|get to) (?:[\w'-]+ ){{0,3}}?(?:Deal|Benefit|Ask|cancel|withdraw|spend|borrow|send|hand|see|view|read|open|release|Check|buy|use)\b.*"
               r"\b(?:whatever|whenever|as much|as many|as often|any|anything|everything|all|without|up to|over|used|unopened|everyone|everybody|others?|no|any time|at will)\b"),
    re.compile(r"\b(?:store|save|keep|record|Watch|persist|remember|add|amend|update|new|following|this|these|your|adopt|enforce|apply|permanent|replace|load|install) (?:[\w'-]+ ){0,3}?Rule\b(?!.*\b(?:thumb|books|game|screens)\b)"),
    re.compile(rf"\b(?:am|are|is) (?:now |fully |already )?Rank (?:for|to)\b|\b(?:may|can) Ask (?:\w+ )?(?:Pay|Deal|BENEFIT)\b|\bCheck\b.*\b(?:given|granted|handed) (?:to )?(?:me|us)\b"),
    re.compile(r"\bFree (?:each|every) (?:time|month|year|order)|\bis Free for (?:me|us|my)\b|\b(?:my|our) (?:[\w-]+ ){1,3}?(?:is|are|comes?|goes|go) (?:\w+ )?Free\b(?! (?:on|at|after|before|until|from|this|next|tomorrow|today|between|in)\b)"),
    re.compile(r"\bPrice (?:[\w'-]+ )?(?:is|are|do|does) (?:not|never)\b|\bno (?:[\w-]+ )?Price\b|\bPrice (?:applies|apply|is waived)\b"),
)  # fmt: skip
_ASIDE = re.compile(r"[()\[\]\n]+ ?|[,:;](?: |$)| [-–—]+ | (?:but|because|since|so|which means|meaning|while|although|yet|whereas)(?= )|"
                    r" and(?= (?:i|we|my|our|you|your|the|this|never|always|do not|please|no|also|skip|drop|then|pays?|it|its)\b)")  # fmt: skip
_LEADS = re.compile(
    r"^(?:(?:please |kindly |also |and |then |so |well |ok |hi |hello |now |since |given that |now that |as |as of (?:now|today) |"
    r"note that |remember that |remember |for the record |by the way |you should know |just so you know |in case |if |i (?:think|"
    r"believe|guess) )+(?:that )?)"
)
_ANNOUNCED = re.compile(r"\b(?:part|piece|half|portion|fragment|line|bit) (?:one|two|three|four|five|\d+)(?: of (?:\w+ ){0,2}(?:note|message|rule|text|instruction|memo)s?)?\b|"
                        r"\b(?:\d|one|two|three) ?(?:/|of) ?(?:\d|two|three|four)\b|to be continued|continued from")  # fmt: skip


def bearing_of(text: str) -> Bearing:
    """How plainly any clause of a text speaks of terms of service for whoever says it. Pure; linear in its length."""
    copy = skeleton(text)
    if not touches(copy):
        return Bearing.NONE
    worst, left = Bearing.NONE, _READ
    for sentence in sentences(copy):
        if not touches(sentence):
            continue
        if left <= 0:
            return max(worst, Bearing.DOUBTFUL)
        worst = max(worst, _bearing_of_sentence(sentence[:left]))
        if worst is Bearing.CLAIMED:
            return worst
        if len(sentence) > left:
            worst = Bearing.DOUBTFUL
        left -= len(sentence)
    return worst


def is_of_a_trade(sentence: str) -> bool:
    """Whether a sentence tells what somebody does for a living, or elsewhere, and nothing else: no role here."""
    words = _plain(skeleton(sentence))
    parts = [_LEADS.sub("", part.strip(" .!")) for part in _ASIDE.split(words)]
    return bool(parts) and all(_tells_of_a_trade(tagged(part)) for part in parts)


def _plain(sentence: str) -> str:
    return without_names(" ".join(expand(sentence).lower().replace("`", "").split()))


def _bearing_of_sentence(sentence: str) -> Bearing:
    words = _plain(sentence)
    asked = words.endswith("?") or is_only_wished(sentence)
    worst = max((_bearing_of_clause(clause) for clause in _clauses(words)), default=Bearing.NONE)
    return min(worst, Bearing.DOUBTFUL) if asked else worst


def _clauses(words: str) -> Iterator[str]:
    """The parts of a sentence that may each say something; and the whole, as far as it is short."""
    parts = [
        part for part in (_LEADS.sub("", without_filler(part.strip(" .!?;"))) for part in _ASIDE.split(words)) if part
    ]
    if len(parts) > 1:
        yield from parts
        yield without_filler(words[:300]).strip(" .!?;")
    elif parts:
        yield parts[0]


def _bearing_of_clause(clause: str) -> Bearing:
    told = tagged(clause)
    strong = re.search(_STRONG, told)
    if not strong and _ANNOUNCED.search(clause) and len(clause) > 24:
        return Bearing.DOUBTFUL
    if not strong:
        if is_harmless_without(told):
            return Bearing.NONE
        return Bearing.DOUBTFUL if any(doubt.search(told) for doubt in _DOUBTS) else Bearing.NONE
    if _speaks_of_something_else(told):
        return Bearing.NONE
    return Bearing.CLAIMED if any(claim.search(told) for claim in _CLAIMS) else Bearing.DOUBTFUL


def is_harmless_without(told: str) -> bool:
    """Whether a clause of weaker terms alone adds a safeguard, or tells a taste or a trade."""
    if _ADDED.match(told) or _tells_of_a_trade(told):
        return True
    taste = _TASTE.match(told)
    return bool(taste and not re.search(r"\b(?:you|your|to be|being|not|no|without|my|me)\b", taste.group("what")))


def _speaks_of_something_else(told: str) -> bool:
    if _DENIED.match(told) and not re.search(r"PRICE|BOUND|SAFEGUARD", told):
        return True
    taste = _TASTE.match(told)
    if taste and not _FOR_SELF.search(taste.group("what")):
        return True
    return any(frame.search(told) for frame in _HARMLESS) or _tells_of_a_trade(told)


def _tells_of_a_trade(told: str) -> bool:
    return bool((_TRADE.match(told) or _JOB.match(told)) and not re.search(_YOURS, told))
