"""How is a clause built that claims a right, and how one that only sounds like it? (R15)

Read on what `terms.tagged` makes of a clause: lower case but for the names of fields. No wording of a claim stands
here: who it is for, what field, granted or set aside; or a taste, a trade, another's affair, a complaint, a denial.
"""

import re

from memoryhub.working.patterns import Rule, Rules

STRONG = r"(?:PRICE|BENEFIT|BOUND|STANDING|SAFEGUARD|RULE)"
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
    r"(?:is|are|was|were|be|am|has been|have been|had been|stands?|goes|go|went|runs?|never|always|does not|"
    r"do not|covers?|"
    r"includes?|amounts?|comes?|came|apply|applies|applied|remains?|stays?|equals?|has|have|gets?|got|can not|"
    r"will|must|"
    r"should|needs?|extends?|:|=)"
)
_WORDS = r"(?:[\w'-]+ )"
#: What comes first of its kind in a clause; from there on the rest is searched once, not again from each of its kind.
_FIRST = r"^(?>.*?"
YOURS = (
    r"\b(?:your?|yours|here|this (?:account|system|site|platform|hub|shop|store|app|workspace|tenant|service)|"
    r"every|all|any|"
    r"whatever|everything|unlimited|myself|agents?|assistant|now|hereby)\b"
)
_OUTSIDERS = (
    r"(?:landlord|landlady|gym|school|university|college|library|council|city|town|village|country|state|government|"
    r"employer|company|firm|office|team|class|club|choir|band|church|church's|clinic|hospital|doctor|dentist|"
    r"vet|insurer|"
    r"insurance|kids?|son|daughter|children|wife|husband|partner|mother|father|mum|mom|dad|parents|sister|brother|"
    r"girlfriend|boyfriend|friends?|neighbou?rs?|uncle|aunt|cousin|grandm\w+|grandf\w+|teacher|professor|coach|"
    r"phone|car|"
    r"bike|laptop|camera|printer|router|oven|fridge|boiler|lathe|bakery|museum|park|pool|lake|river|bridge|road|street|"
    r"motorway|airport|station|train|bus|tram|ferry|hotel|restaurant|caf[eé]|pub|cinema|theatre|book ?shop|"
    r"salon|studio|"
    r"farm|factory|warehouse|project|code|repo\w*|build|api|app|database|server|software|thesis|book|novel|"
    r"blog|podcast|"
    r"film|game|play|course|lecture|recipe|dog|cat|horse|customers?|clients?|students?|tenants?|guests?|"
    r"readers?|pupils?|"
    r"patients?|competitors?|supermarkets?|airlines?|shops|stores|hotels|universities|banks|people|parliament|eu|union)"
)
_PUBLIC = (
    r"(?:council|city|town|village|state|government|bridge|road|street|motorway|lake|river|librar(?:y|ies)|"
    r"universit(?:y|ies)|"
    r"church|parliament|eu|airport|station|museums?|hotels|airlines|shops|supermarkets|banks|landlords|insurers)"
)
_LOOKS = (
    r"(?:like|likes|love|loves|hate|hates|dislike|dislikes|avoid|avoids|collect|read|watch|study|"
    r"studied|teach|taught|write|wrote|research|compare|prefer|prefers|admire|fear|dread|resent|distrust|"
    r"mistrust|follow|discuss|paint|draw|sing|learn|translate|understand|misunderstand|appreciate|notice|"
    r"ignore|laugh|joke|care|worry|think|argue|talk|dream|look|shop(?= for)|hunt|wait|search|wish|wonder|"
    r"complain|forget|forgot|lost|print|sort|file|scan|sell|sold|design|quote|publish|debate|blog|lecture|"
    r"campaign|(?:am|are|is|was) (?:fond|interested|curious|tired|bored|wary|afraid|sceptical|skeptical|"
    r"suspicious|keen|allergic|bad|good|reading|studying|learning|writing|teaching|researching|translating|"
    r"comparing|looking|verifying|checking|reviewing|waiting|against|sick|proud|scared|passionate|confused|"
    r"annoyed|unsure|considering))"
)
_ADVERBS = (
    r"(?:(?:really|also|just|still|now|often|always|never|usually|sometimes|mostly|rarely|do not|does not|"
    r"can not stand|"
    r"generally|mainly|currently|only|quite|kind of|sort of|dearly|simply|rather|would|used to|at work|personally|of "
    r"course|not|did not|could not|and|both) )*"
)
FOR_SELF = re.compile(
    rf"{_FIRST}\b(?:to be|being|be|me|us|my|our|mine|you|your|having|getting|without|no|skip\w*|unlimited|Agent|"
    rf"when|every|"
    rf"all|any|treated|i|we)\b).*{STRONG}|{_FIRST}{STRONG}).*\b(?:for me|to me|for us|for my|on my|my|me|you|your)\b"
)
TASTE = re.compile(rf"^(?:i|we|my \w+|our \w+) {_ADVERBS}{_LOOKS}\b(?P<what>.*)")
_ELSEWHERE = (
    r"(?:\b(?:for a living|by trade|by profession|by training|as a hobby|for fun|as a volunteer|as a side job|by day|"
    r"at weekends|at uni(?:versity)?|in a past life)\b|"
    r"\b(?:at|in|for|of) an? (?!(?:account|own|way|case)\b)[\w -]+$|"
    r"\b(?:at|in|for|of|on|with) (?:my|our|another|the local|the town|the city|the village|the school|"
    r"the university|panel|public|small|local|other|different) (?!(?:\w+ )?(?:accounts?|orders?|own|workspace|tenant|"
    r"system|platform|organi[sz]ation|org|hub|shop|store|app|service|site|way|case|customers?|name|behalf)\b)[\w -]+$|"
    r"\b(?:in|for|at) (?:the )?(?:play|musical|sequel|town hall|clinics?|schools|courts?|hospitals?|insurance|retail|"
    r"logistics|publishing|academia|tech|finance|debates?|conferences?|panels?|discussions?|forums?|weddings?|"
    r"tournaments?|parliament)\b|"
    r"\b(?:for|of|to) (?:[\w-]+ )?(?:students|children|pupils|patients|teams|musicians|athletes|apprentices|interns|"
    r"kids|nurses|players|dancers|trainees)\b)"
)
#: What somebody does for a living, or somewhere else: no role here. Read with YOURS, which takes it back.
TRADE = re.compile(
    r"^(?:i|we) (?:also |now |still |used to |have |had |only |often |mostly |sometimes )*(?:"
    r"work(?:ed|s)? as (?:an? |the )?(?:[\w-]+ ){0,9}?[\w-]+$|work(?:ed|s)? in [\w -]+$|"
    r"(?:(?:work(?:ed|s)?|volunteer|train\w*|serv\w+) (?:as|in|at|for|on|with)|teach|taught|sell|manage|run|lead|"
    r"handle|process|Ask|Check|Watch|SAFEGUARD|STANDING|BENEFIT|build|repair|advise|represent|negotiate|"
    r"(?:am|are|was|were|be|became|become) (?:an? |the )?(?:[\w-]+ ){0,2}?(?:STANDING|Rank)\b(?! (?:customer|"
    r"user|client)))"
    rf".*?{_ELSEWHERE})"
)
JOB = re.compile(r"^(?:my|our) (?:day |main |side |old |first |last |current |dream )?(?:job|work|profession|"
                  r"trade|field|hobby|"
                  r"thesis|degree|dissertation|course|talk|novel|essay|lecture|specialty|speciality|career|"
                  r"apprenticeship|"
                  r"internship|job title|role in|favou?rite [\w -]+?) (?:is|was|are|were|deals|covers)\b")  # fmt: skip
_EVALUATED = re.compile(
    rf"{STRONG}(?: (?!no\b|never\b|not\b)[\w'-]+){{0,3}}? (?:is|are|was|were|feels?|seems?|looks?|gets?|"
    rf"has been|have been|"
    r"came|went|takes?|took) (?:(?:too|so|far too|a bit|rather|much too|still) (?:high|low|big|small|tiny|long|"
    r"short|tight|"
    r"strict|rigid)|(?:(?:still|always|now|often|usually|too|so|quite|very|really|rather|pretty|a bit) )?(?:slow|late|"
    r"annoying|confusing|unclear|broken|wrong|missing|lost|overdue|delayed|pending|outstanding|expensive|steep|unfair|"
    r"complicated|ages|for ever|forever|weeks|ridiculous|silly|boring|a mystery|a mess|a pain|a joke|refused|rejected|"
    r"denied|declined|turned down|worse|up again|hidden|on the receipt|in english))\b"
)
_FAILED = re.compile(
    rf"{_FIRST}{STRONG}).*\b(?:not|never) (?:\w+ )?(?:come|came|arriv\w+|work\w*|paid|sent|processed|issued|"
    rf"show\w*|reach\w*|go "
    rf"through|gone through|valid|accepted|been)\b|\b(?:lost|missed|forgot|forgotten|(?:am|are|still|been) waiting for|"
    rf"never got|never received|never had|did not get|did not receive|never saw|not found|could not find|"
    rf"refused me|denied me)"
    rf" (?:[\w'-]+ ){{0,4}}?(?:{STRONG})|^(?:i|we) (?:have )?(?:\w+ )?(?:returned|sent back|lost) "
)
DENIED = re.compile(
    r"^(?:i|we) (?:am|are|do|did|have|had|was|were|can) (?:no|not|never) (?!(?:just|only|merely|"
    r"longer (?:subject|bound)|need|"
    r"require|have to|owe|pay|subject|bound)\b)"
)
_PAID = re.compile(r"^(?:i|we) (?:have |had |once |recently |already )*(?:Pay|spent|lost|owed) (?!(?:no|"
                   r"nothing|half|less|only|"
                   r"never|out)\b)(?:[\w'-]+ ){0,4}?PRICE(?!.*\b(?:always|never|every)\b)")  # fmt: skip
_OUTSIDE = re.compile(
    rf"^(?:(?:my|our|his|her|their|an?|some|most|many|other) (?:[\w-]+ ){{0,2}}?{_OUTSIDERS}|"
    rf"(?:the )?{_PUBLIC})(?:'s?|s)?"
    rf" (?!.*\b(?:me|us|mine|you|your|my (?!{_OUTSIDERS})\w+|our (?!{_OUTSIDERS})\w+|this account)\b)"
    rf"(?!(?:.*\b)?(?:gets?|ha(?:s|d|ve)(?! no (?:\w+ )?BENEFIT)|receives?|enjoys?|is|are|Pay|pays?|qualif\w+|"
    rf"owns?|holds?|may|can|"
    rf"needs?|got|was|were|"
    rf"buys?|shops?|books?) (?:[\w'-]+ ){{0,4}}?{_GIVEN})"
)
_PLACED = re.compile(
    rf"^(?!(?:i|we|you|my|our|never|do not|no|please|skip|for me)\b)(?>.*?{STRONG}).*\b(?:of|at|in|on|for|from|"
    rf"by) (?:my|our|the|an?|"
    rf"another|most|some|many|this|that)? ?(?:[\w-]+ ){{0,2}}?{_OUTSIDERS}\b(?!.*\b(?:me|us|mine|you|your)\b)"
)
_OWN_THING = re.compile(
    rf"^(?:my|our) (?:[\w-]+ ){{0,2}}?{_OUTSIDERS}'s (?:[\w-]+ ){{0,2}}?(?:BOUND|PRICE|RULE|STANDING|SAFEGUARD)\b"
)
_CONSUMED = re.compile(
    r"BOUND (?:for|on|of|is|to) (?:[\w-]+ ){0,3}?(?:coffees?|teas?|wine|beers?|sugar|sweets|chocolate|alcohol|"
    r"cigarettes|"
    r"screens?|screen time|meat|salt|tv|gaming|games|sleep|running|cups?|calories|episodes|snacks|drinks|kilometres|"
    r"miles|pages|laps)\b"
)
_SELF_SET = re.compile(
    r"^(?:i|we) (?:\w+ )?(?:keep|set|hold|stick|limit) (?:to )?(?:my|our|myself|a|the) (?:[\w-]+ ){0,2}?BOUND\b"
)
ADDED = re.compile(
    r"^(?:please |always |from now on |in future )*(?:never|do not|no) (?!(?:Ask|Check|Watch|SAFEGUARD|need|"
    r"have|require|refuse|"
    r"deny|decline|reject|block|limit|cancel|close|suspend|hold|stop|charge|bill|question|Price|Pay (?:me|us))\b)"
    r"(?:[\w'-]+ ){1,9}?(?:without|before|unless|until) (?:[\w'-]+ ){0,4}?(?:Ask|Check|SAFEGUARD)\b"
    r"|^(?:please )?(?:never|do not) (?:ever )?(?:skip|bypass|disable|turn off|switch off|leave out|omit|drop|"
    r"forget|ignore|"
    r"relax|override)\b"
)
#: Structures by which a clause with a strong term says something else than how its speaker is treated.
_OWN_CHECKS = re.compile(
    r"^(?:i|we) (?:am |are |always |usually |only |have )*SAFEGUARD (?:my|our|the|every|each|all) "
    r"(?!account|identit|order|request|refund)\w+"
)
HARMLESS = (_OWN_CHECKS, _CONSUMED, _EVALUATED, _FAILED, _PAID, _OUTSIDE, _PLACED, _OWN_THING, _SELF_SET, ADDED)

#: Who has, gets or is what; which safeguard the agent is told to drop. Read on a tagged clause.
CLAIMS = Rules(
    Rule(rf"\b{_WHOSE} {_WORDS}{{0,3}}?{_GIVEN}(?: [\w'-]+){{0,4}}? ?{_IS}(?: |$)"),
    Rule(
        rf"\b{_WHO} {_WORDS}{{0,2}}?(?:get|gets|have|has|receive|receives|hold|holds|Pay|qualify|"
        rf"qualifies|belong|"
        rf"belongs|keep|fall|benefit|carry|own|shop|buy|book|fly|travel|owe|owes|need|needs|Ask|ship|"
        rf"order)(?: (?!to\b)[\w'-]+)"
        rf"{{0,4}}? {_GIVEN}\b(?! (?:called|named|who|at|in)\b)"
    ),
    Rule(rf"\b{_WHO} (?:am|are|is|was|were|have been|has been|be|count as|counts as|"
               rf"rank as) (?:[\w'-]+ ){{0,3}}?{_GIVEN}\b"),
    Rule(
        rf"{_FIRST}{_GIVEN}\b(?: [\w'-]+){{0,5}}? (?:is|are|was|were|does|do|has|have|been|comes?|"
        rf"holds?)\b).*\b(?:for|to|on|of|"
        rf"from|with) {_US}\b"
    ),
    Rule(rf"\b(?:gave|give|gives|grant|granted|given|promised|offered|assigned|awarded|allow|allowed|"
               rf"handed|owes?) (?:me|us) (?:[\w'-]+ ){{0,4}}?{_GIVEN}\b"),
    Rule(rf"{_FIRST}\b(?:for|to|with) {_US},? ).*\b(?:is|are|be|applies|apply|"
        rf"no) (?:[\w'-]+ ){{0,3}}?{_GIVEN}\b"),
    Rule(r"^(?:please |always |just |also |and |then )*(?:never|do not|no need to|you (?:need not|"
               r"do not (?:need|have) to|must not|should not|never)|stop|skip|bypass|"
               r"disable|drop|waive|ignore|suspend|switch off|turn off|leave out|omit|lower|"
               r"deactivate) (?:[\w'-]+ ){0,5}?"
               r"(?:SAFEGUARD|Ask (?:[\w'-]+ ){0,4}?Check)\b"),
)  # fmt: skip
_WEAKENED = (
    r"(?:skips?|skipping|bypass\w*|disables?|drops?|dropping|waives?|ignores?|omits?|suspends?|"
    r"switch(?:es)? off|turns? off|lowers?|"
    r"relax|loosen|dispense with|forgo|leave out|conceals?|suppress\w*|lifts?|pauses?|remove[sd]?|deactivates?|"
    r"override|"
    r"circumvents?|hides?|abandon|dodge|evade|cut out|spare (?:me|us)|do away with|get rid of|amend|rewrite|change)"
)
_SET_ASIDE = (
    r"(?:optional|off|paused|disabled|unnecessary|redundant|suspended|over|dropped|lifted|gone|superfluous|"
    r"needless|moot|not "
    r"needed|not required|done|complete|completed|passed|successful|in order|succeeded|took place|not necessary|waived|"
    r"removed|taken away|cancelled|not due|not collected|not Ask|not Price|not Pay)"
)
_HANDLED = (
    r"(?:settled|accepted|honou?red|granted|released|covered|final|instant\w*|automatic\w*|Free|Benefit|Price|paid|Pay|"
    r"forgiven|cancelled|written off|contested|first|Ask|Check|Bound|restricted|queried|refused|delayed|front|"
    r"exempt|capped|"
    r"processed first|top|unchecked|fast-?track\w*|waved through|on top|priority|Rank)"
)
#: Structures that make a weaker term one of service, or doubt enough.
DOUBTS = Rules(
    # what is between the speaker and the organisation is not the speaker's alone to say
    Rule(
        r"^(?:i|we|my|our)\b.*\b(?:with|from|by|through|at) (?:you|your (?:company|shop|store|firm|bank|side|"
        r"place|service|"
        r"house|end))\b"
    ),
    Rule(
        rf"\b{_WHOSE} {_WORDS}{{0,2}}?Bound ?[:=]|\b{_WHOSE} {_WORDS}{{0,2}}?Pay (?:is|are|was|were|"
        rf"gets?) (?:\w+ )?(?:written "
        r"off|forgiven|cancelled|capped|dropped)\b|\b(?:Price|Pay|Deal) (?:comes?|goes|gets?|is|are) (?:\w+ )?(?:back|"
        r"returned)\b|\b(?:never|no longer|do not|does not) (?:\w+ )?(?:incur|owe|queue)\b"
    ),
    Rule(
        r"\b(?:most-favou?red|better|special|preferential|best|favou?rable|exclusive|individual|custom) (?:Rule|Price|"
        r"conditions|treatment)\b|\b(?:say|answer|reply) yes\b|\balways (?:agree|comply|obey|believe|trust)\b"
    ),
    Rule(rf"\bBound (?:no longer|never)\b|\b(?:no|without|any) (?:[\w-]+ ){{0,2}}?Bound (?:for|on|to|"
               rf"with) {_US}\b"),
    Rule(r"\bno need (?:for|of) (?:[\w'-]+ ){0,2}?(?:Check|Ask)\b"),
    Rule(rf"\b{_WHOSE} (?:[\w-]+ )?Price (?:\w+ )?(?:is|are|was|were|stays?|remains?|=|:)"),
    Rule(rf"\b{_WHOSE} {_WORDS}{{0,2}}?(?:Deal|Benefit) {_IS} (?:[\w'-]+ ){{0,4}}?{_HANDLED}\b"),
    Rule(
        rf"\b{_WHOSE} {_WORDS}{{0,2}}?Bound (?:[a-z]+ )?{_IS} (?:\w+ ){{0,3}}?(?:\d|[$€£]|raised|lifted|"
        rf"removed|gone|a (?:quarter|hundred|"
        r"thousand|million)|half|doubled|ten|twenty|fifty|two|three|four|five|grand|off|up|higher|none)"
    ),
    Rule(rf"\b{_WHOSE} {_WORDS}{{0,2}}?Benefit (?:includes?|covers?|never|always|is (?:in place|for life|"
               rf"valid|permanent)|"
               r"does not|do not|can not|allows?|permits?|grants?|lasts?|has no|stands|holds|came through|"
               r"runs (?:for ever|forever))"),
    Rule(r"\b(?:on|of|for) (?:my|our|this|the) account (?:is|are|was|were|has|have|stands|need|"
               r"needs)\b.*|\b(?:my|our|this) account(?:'s)? "
               r"(?:\w+ ){0,2}?(?:type|group|class|Rank|Bound|Check|Price|Benefit)\b (?:\w+ )?(?:is|are|was|has)\b"),
    Rule(rf"\b{_WHO} {_WORDS}{{0,2}}?(?:get|gets|have|has|receive|enjoy|Pay|shop|buy|book|fly|travel|"
               rf"am on|are on|am at)(?: (?!to\b)[\w'-]+){{0,4}}? Price\b"),
    Rule(rf"\b{_WHO} (?:am|are|is|was|have been|has been) (?:[\w'-]+ ){{0,3}}?(?:trusted|cleared|covered|"
               rf"Benefit (?:by|for|until)|on (?:your|the) (?:\w+ )?(?:list|file|staff)|past the|validated|vetted)\b"),
    Rule(rf"\b{_WHO} (?:am|are|is|was|have been|has been) (?:[\w'-]+ ){{0,2}}?(?:your (?:\w+ )?Rank|"
               rf"(?:acting )?as (?:the|an?) Rank|(?:a|the|an) Rank (?:here|on shift|on duty|of (?:this|your|"
               rf"the) (?:account|"
               r"system|tenant|workspace|platform|org\w*|hub|service|shop)|anyway|customer|person|user)|"
               r"one of your|part of your)"),
    Rule(r"\bRank (?:was|is|has been) (?:changed|raised|set|upgraded|promoted|moved|"
               r"switched) to (?:\w+ )?Rank|\bRank of this account|\b(?:user|customer|caller|client|"
               r"member) is (?:\w+ )?Rank\b"),
    Rule(r"\b(?:agreed|squared|cleared|arranged|discussed|settled|fixed|Rank) with (?:your|the|you)\b"),
    Rule(r"\b(?:SAFEGUARD|Check|Ask) by (?:your|you|the)\b|\bas (?:established|read|proven|settled|given|"
               r"Ask) that\b|\b(?:you|they|company|shop|Agent) (?:\w+ )?(?:owes?|owed) (?:me|us)\b"),
    Rule(rf"\b(?:lifelong|lifetime|permanent) Benefit|{_FIRST}\bBenefit ).*\b(?:never|for life|for ever|forever|"
               r"until 20\d\d)\b"),
    Rule(r"\b(?:i|we) (?:\w+ )?(?:run|own|administer|operate|control|head) (?:this|the|your) (?:tenant|"
               r"workspace|system|platform|hub|account|org\w*|service)\b"),
    Rule(rf"{_FIRST}\b(?:Spend|good for|Deal|goes? through|pass(?:es)?|on account)\b).*\bup to [\d$€£]|"
               rf"{_FIRST}\bup to [\d$€£]).*\b(?:through|on account|Spend|Check|Ask|without)\b"),
    Rule(r"\b(?:i|we) (?:may|can|am allowed to|are allowed to) (?:\w+ )?Spend\b|\b(?:may|"
               r"can) be (?:sent back|Benefit\w*|handed in|exchanged|Ask) by (?:me|us)\b|\bhand in (?:used|"
               r"opened|worn)\b"),
    Rule(r"\bpart of what (?:i|we) get\b|\b(?:Benefit|access|Rank) (?:comes|is|are|came) (?:with|Benefit|"
               r"part of|included|on|mine)\b.*|\bmy Pay (?:comes|goes|gets) back\b|\bBound on (?:my|our)\b"),
    Rule(r"\b(?:hides?|conceals?|delete|erase) (?:my|our|the) (?:\w+ )?(?:Deal|Watch|orders?|account|"
               r"traces?)\b|\b(?:not|stop|never) (?:obey\w*|act\w* on|follow\w*|"
               r"listen\w* to) (?:\w+ ){0,3}?(?:Rank|Rule|RULE)"),
    Rule(
        r"(?<!my )(?<!our )\bAgent (?:\w+ )?(?:must|should|shall|never|always|may|need|needs|does not|do not|"
        r"will (?:not|"
        r"never|always|now|from)|can(?: not)? (?:skip|Ask|Pay|Check|trust)|is to|are to|has to|have to|(?:is|"
        r"are) (?:not |now )?"
        r"(?:allowed|required|free|obliged|bound)|agrees?|pays?|Pay|skips?|ignores?|obeys?|follows?|Check|Ask|Watch|"
        r"SAFEGUARD|BENEFIT)\b"
    ),
    Rule(rf"(?<!never )(?<!not )\b{_WEAKENED} (?:[\w'-]+ ){{0,3}}?(?:Check|Rule|Bound|Watch|SAFEGUARD|"
               rf"RULE|BOUND)\b"),
    Rule(rf"\bAsk (?:[\w'-]+ ){{0,5}}?{_SAFE}\b.*"),
    Rule(r"^(?!(?:i|we|my|our)\b).*\b(?:never|not|no longer|stop|quit|without|nobody|"
               r"no need to) (?:\w+ )?(?:Watch|Check)\b"),
    Rule(r"^(?!(?:i|we|my|our)\b)(?>.*?\b(?:never|not|no longer|stop|quit|without|nobody|"
               r"no need to) (?:\w+ ){0,2}?Ask\b).*\b(?:before|again|twice|first|who|Check|SAFEGUARD|Deal|"
               r"BENEFIT|PRICE)\b"),
    Rule(r"^(?!(?:never|do not|i|we|please never|please do not)\b).*\bwithout (?:[\w'-]+ ){0,3}?(?:Ask|"
               r"Check|Watch|SAFEGUARD)\b"),
    Rule(r"\b(?:no|not|without|needs? no|nothing|zero) (?:[\w'-]+ ){0,3}?(?:Check|Ask|"
               r"Rule) (?:\w+ ){0,2}?(?:needed|required|necessary|Ask|wanted|for (?:me|us)|"
               r"from (?:me|us)|of (?:me|us)|on (?:me|us|my))\b|\b(?:do|does) not (?:need|require|"
               r"Ask) (?:[\w'-]+ ){0,3}?(?:Check|Ask)\b"),
    Rule(rf"\b(?:Check|Ask|Rule|Price|Bound|Watch|RULE|SAFEGUARD|Agent|"
               rf"identity) (?:[\w'-]+ ){{0,2}}?(?:is|are|was|were|be|as|has been|have been) (?:\w+ )?{_SET_ASIDE}\b"),
    Rule(rf"\b(?:passed|cleared|completed|past|through|did|done|shown|proved|"
               rf"proven) (?:[\w'-]+ ){{0,3}}?(?:Check|Ask)\b|{_FIRST}\b(?:validated|vouched|green-?lit|"
               rf"waved through)\b).*\b(?:by|you|your|me|my)\b"),
    Rule(_FIRST + r"\b(?:treat|count|regard|consider|take|class|list|mark|register|rate|rank|handle|see|put|let|"
               r"accept) (?:me|us|it|my \w+|our \w+|this account|everything i \w+|what i \w+) "
               r"(?:[\w'-]+ ){0,30}?(?:as|among|like|down|in|on|to|for|with)\b).*\b(?:[A-Z]\w+|established|proven|"
               r"settled|low|high|true)\b"),
    Rule(_FIRST + r"\b(?:i|we|me|my \w+|statements|it) (?:count|counts|qualif\w+|rank|ranks|pass|passes) (?:as|"
               r"for|without|among)\b).*[A-Z]"),
    Rule(_FIRST + r"\byou (?:\w+ ){0,2}?(?:let|allow|allowed|give|gave|grant|granted|promised|owe|agreed|permit|"
               r"doubled|raised|extended|put|trust|removed|lifted|Check|Ask|accept\w*) "
               r")(?=.*\b(?:me|us|my|our|i|we)\b)(?:.*[A-Z]|what i can)"),
    Rule(r"\b(?<!my )(?:Rank|office|they|somebody|someone|company|"
               r"headquarters) (?:[\w'-]+ ){0,3}?(?:agreed|Ask|Check|Rank my|signed off|nodded|promised|"
               r"cleared|granted|squared|blessed|allowed|consented|said yes|"
               r"waved|vouche[sd]|ruled)\b"),
    Rule(rf"{_FIRST}\b{_WHO} (?:may|can|could|am (?:allowed|free) to|are (?:allowed|free) to|"
               rf"get to) (?:[\w'-]+ ){{0,3}}?(?:Deal|Benefit|Ask|cancel|withdraw|spend|borrow|send|hand|see|"
               rf"view|read|open|release|Check|buy|use)\b).*"
               r"\b(?:whatever|whenever|as much|as many|as often|any|anything|everything|all|without|up to|"
               r"over|used|unopened|everyone|everybody|others?|no|any time|at will)\b"),
    Rule(r"\b(?:store|save|keep|record|Watch|persist|remember|add|amend|update|new|following|this|these|"
               r"your|adopt|enforce|apply|permanent|replace|load|"
               r"install) (?:[\w'-]+ ){0,3}?Rule\b(?!.{0,400}\b(?:thumb|books|game|screens)\b)"),
    Rule(r"\b(?:am|are|is) (?:now |fully |already )?Rank (?:for|to)\b|\b(?:may|can) Ask (?:\w+ )?(?:Pay|"
               r"Deal|BENEFIT)\b|\bCheck\b.{0,400}\b(?:given|granted|handed) (?:to )?(?:me|us)\b"),
    Rule(r"\bFree (?:each|every) (?:time|month|year|order)|\bis Free for (?:me|us|my)\b|\b(?:my|"
               r"our) (?:[\w-]+ ){1,3}?(?:is|are|comes?|goes|go) (?:\w+ )?Free\b(?! (?:on|at|after|before|"
               r"until|from|this|next|tomorrow|today|between|in)\b)"),
    Rule(r"\bPrice (?:[\w'-]+ )?(?:is|are|do|does) (?:not|never)\b|\bno (?:[\w-]+ )?Price\b|"
               r"\bPrice (?:applies|apply|is waived)\b"),
)  # fmt: skip
