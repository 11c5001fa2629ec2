"""Which words speak of how an organisation treats somebody: prices, benefits, bounds, standing, safeguards, rules?
(R14, R15)

A clause is rewritten with each such word replaced by the name of its field, so that the rules of `bearing` are about
who, what field and how, and never about wording. A field in capitals speaks of terms of service by itself ("refund",
"verification"); one with a capital only beside somebody it is for ("my price", "no check").
"""

import re
from collections.abc import Iterator

from memoryhub.governance.terms_abroad import ABROAD, ABROAD_WITHIN
from memoryhub.word_caches import holds_words
from memoryhub.working.normalisation import listed, skeleton
from memoryhub.working.patterns import Sieved
from memoryhub.working.remembering import remembered

#: Field → words; a `*` stands for any ending. Strong fields first.
_WORDS = {
    "PRICE": """
        fee fees feeless surcharge* discount* rebate* gratis complimentary surcharges overcharge* markup
        """,
    "BENEFIT": """
        refund* voucher* coupon* cashback compensat* reimburs* payout* waive* waiver* exempt* entitle* eligib* perk*
        upgrade* chargeback* unlimited unrestricted uncapped limitless unconditional* goodwill entitlement* immunity
        lifelong bonus bonuses buyback unfiltered uncensored
        """,
    "BOUND": """
        limit limits overdraft* quota quotas capped ceiling* threshold* credit credits creditworth*
        """,
    "STANDING": """
        vip vips administrator* admin admins superuser* sysadmin* approver* supervisor* signator* clearance moderator*
        whitelist* allowlist* permission* privilege* permitted tier tiers authority authorities superadmin* insider*
        blocklist* blacklist* prioriti* backoffice impersonat*
        """,
    "SAFEGUARD": """
        verif* authenticat* kyc 2fa mfa otp totp captcha* approval* authori?ation* authoris* authoriz* preauthori*
        preapprov* guardrail* safeguard* oversight complian* moderation vetting vetted underwriting
        """,
    "RULE": """
        policy policies directive* guideline* reprogram* bylaw* decree* mandate* ordinance*
        """,
    "Price": """
        price prices pricing priced rate rates fare fares charge charges charged cost costs postage shipping deposit
        deposits penalt* wholesale toll
        """,
    "Pay": """
        pay pays paid paying bill bills invoice* tariff* money interest fine fines
        """,
    "Benefit": """
        warrant* guarantee* replacement* exception* cover covered coverage right rights subscription* contract*
        licence* license* membership* package* lounge repair* return returns
        """,
    "Bound": """
        cap caps allowance* maximum max minimum window windows deadline* restriction* restrict* constraint*
        restraint*
        """,
    "Rank": """
        staff employee* employees manager* director* owner* board boss head priority rank ranks role roles status level
        levels class partner* executive* ceo officer* trusted insider internal cleared reseller* operator* auditor*
        curator* developer* representative* colleague* desk committee legal headoffice
        """,
    "Check": """
        check checks checking checked confirmation* receipt* proof* proofs signature* review reviews reviewing audit
        audits caution safety validat* consent id identity factor factors passcode* code codes pin pins password*
        permission okay ok
        """,
    "Ask": """
        ask asks asking asked confirm confirms confirming confirmed question questions questioning challenge demand
        demanding require requires approve approves approving approved okayed ok'd doublecheck
        """,
    "Watch": """
        log logs logging logged escalat* report reports reporting reported record recording monitor* inspect* warn*
        auditors moderate moderating flagging trace scrutin* human humans
        """,
    "Rule": """
        rule rules instruction* protocol* terms procedure* provision* prompt regulation*
        """,
    "Deal": """
        complaint* claim claims request requests order orders transfer transfers withdrawal* application applications
        dispute* transaction* purchase* expense* exchange exchanges booking* payment* cancellation* case cases
        loan loans
        """,
    "Free": """
        free
        """,
    "Spend": """
        spend spends withdraw withdraws borrow borrows overdraw
        """,
    "Agent": """
        agent agents assistant assistants bot bots chatbot chatbots model llm ai support helpdesk callers
        """,
}
#: Words of the longer terms below that are no term by themselves.
_PARTS = frozenset(
    listed(
        """
        % access agree attorney back behalf believe biometric comply count ended established favor favour
        front gold hand house incur line low nothing obey obeying off open-ended owe owed owes paid pay
        people percent platform platinum position premium proven queue queues rating score sent sign silver
        skip sky speak tenant treat trust up validated who word workspace yes you your
        """
    )
)

#: Several words that are one term; or a word that is one only in such company.
_TOGETHER = (
    (
        "PRICE",
        (
r"(?:for|quite|totally|entirely|completely|always|all) free(?= ?(?:$|[.,;!]| of\b| each\b| every\b|"
        r" for\b))(?: of "
        r"(?:any )?(?:charge|cost))?|free of (?:any )?(?:charge|cost)s?|(?:at|for|with) (?:no|zero|any) (?:extra |"
        r"additional |further )?(?:cost|charge|expense|money)s?(?: whatsoever)?|without (?:any |ever |having to )?"
        r"(?:paying|pay|charge|costs?)|free (?:\w+ )?(?:deliver(?:y|ies)|shipping|post(?:age)?|returns?|"
        r"replacements?|repairs?|"
        r"nights?|bags?|baggage|luggage|months?|entry|admission|cover|extensions?|cancellations?|support|storage|"
        r"refills?|services?|premium|seats?|trial|access|rebooking|changes?|meals?|drinks?|breakfasts?|parking|wifi|"
        r"installation|delivery)|on the house|half[- ]price|(?:buy|sell|purchase|order|shop|get \w+|have \w+|bought|"
        r"billed|charged|invoiced)(?: \w+)? at cost(?: price)?|cost price|(?:pay|pays|paying|owe|"
        r"charged) (?:absolutely )?"
        r"nothing|(?:minus|less) [\w-]+ ?(?:percent|per cent|%)|(?:\d+|\w+) ?(?:%|percent|per cent) (?:off|"
        r"less|cheaper)|"
        r"(?:a |one )?(?:third|quarter|half|tenth|fifth) off|(?:trade|staff|employee|wholesale|insider|"
        r"corporate|friends"
        r"(?: and |-and-)family|reseller|member|loyalty|charity|crew|partner|student|senior|dealer|family|"
        r"internal)(?:s|"
        r"s')? (?:prices?|rates?|fares?|pricing|terms|tariff)|interest[- ]free|(?:no|zero|nil) interest"
        ),
    ),
    (
        "BOUND",
        (
r"(?:credit|trading|borrowing|lending|spending)[- ](?:lines?|windows?|powers?|caps?|frames?)|(?:no|"
        r"without(?: any)?|"
        r"not any|any) (?:caps?|maximum|upper bounds?|bounds)|open[- ]ended|sky is the|(?:blocks?|holds?|"
        r"flags?|restrictions?|bar|marks?|stops?) on (?:my|our|this|the) (?:account|card|profile|orders?|"
        r"withdrawals?|transfers?|payments?|purchases?)|(?:risk|trust|fraud|security|clearance|loyalty|account|"
        r"kyc)(?: \w+)? (?:ratings?|scores?|levels?|class|flags?|tiers?|grades?)"
        ),
    ),
    (
        "STANDING",
        (
r"(?:gold|silver|platinum|diamond|elite|premium|priority|inner|executive|top)(?:-| )(?:tier|member|"
        r"members|status|"
        r"level|list|circle|customer|customers|client|guest|class)|(?:front|head|top) of (?:the|every|any|"
        r"your) (?:queue|"
        r"line|list)|(?:skips?|jumps?|cuts?|bypass(?:es)?) (?:the |any |every |all )?(?:queues?|lines?)|"
        r"power of attorney|"
        r"(?:speak|sign|answer|act|decide|vouch)s? (?:here )?(?:for|on behalf of) (?:the |your )?(?:whole |entire )?"
        r"(?:board|company|compliance|management|firm|organi[sz]ation|bank|department|account holder|director|team|"
        r"security|head office|owner|ceo)|my (?:say-so|word is (?:final|enough|law))|business class|(?:everyone|"
        r"everybody|anyone|anybody|other (?:people|customer|client|user|member)|all (?:customer|client|user|member))"
        r"(?:s|'s|s')? (?:\w+ )?(?:orders?|records?|accounts?|data|files|details|tickets|messages|invoices|statements|"
        r"history|purchases)|(?:staff|employee|admin|crew) (?:badge|card|number|portal|login)|back office|"
        r"(?:internal|your) (?:support )?(?:staff|team|employees?|crew|personnel)|priority (?:support|service|access|"
        r"boarding|handling|treatment|queue|lane|customer)|(?:low|no|zero)[- ]risk|(?:full|root|write|owner|"
        r"complete|unrestricted|elevated|special|backend|master|global|unlimited|privileged) (?:rights|access|"
        r"powers?|control)|(?:confirmed|trusted|known|special|preferred|privileged|proven) (?:customers?|"
        r"clients?|users?|persons?|members?|contacts?|partners?)|(?:people|persons|few|ones|those) who "
        r"(?:may|can|are allowed)|account owner|in my favou?r"
        ),
    ),
    (
        "SAFEGUARD",
        (
r"(?:second|two|multi|extra|another)[- ]factors?|(?:security|identity|id|compliance|background|credit|"
        r"fraud|age|"
        r"safety|risk|biometric|plausibility|sanctions|manual|quality|access)[ -](?:checks?|questions?|proofs?|steps?|"
        r"match|screening|controls?|reviews?|filters?|codes?|limits|prompts?|gates?)|proof of (?:identity|purchase|"
        r"address|payment|age|ownership)|(?:second|counter)[- ]?signatures?|four[- ]eyes|(?<!my )sign-?offs?|"
        r"guard rails?|who i am|"
        r"audit (?:trail|log)s?|cooling[- ]off|human (?:review|oversight|approval|in the loop)"
        ),
    ),
    (
        "BENEFIT",
        (
r"(?:(?:have|has|hold|holds|got|with|keep|gets?|receive|my|our|there is|is) (?:an? |the |every |full )?|"
r"the )rights? to(?= (?!roam)\w)|[\w-]{1,40} right (?=never|"
        r"applies|remains|expires|does|is|lasts|holds)|(?:pay|pays|paid|paying) (?:\w+ ){0,2}out|(?:gets?|be|"
        r"is|are) paid back"
        ),
    ),
    (
        "RULE",
        (
r"as (?:a |the )?standing orders?|standing orders?(?=:)|(?:rules?|policy) (?:update|change|amendment)"
        ),
    ),
    (
        "PRICE",
        (
r"my fine|fines? (?:is|are|was) (?:cancelled|dropped|lifted)"
        ),
    ),
)  # fmt: skip

#: The same words where they speak of something else: things, places, trades, habits, idioms.
_ELSEWHERE = Sieved(
    r"\b(?:credit (?:cards?|unions?|notes?|scores?|reports?|analysts?|hours?|crunch|ratings?(?= agency))|(?:college|"
    r"course|university|study|film|movie|opening|closing|end|photo|ect?s) credits?|(?:speed|age|height|weight|word|"
    r"character|page|calorie|sugar|salt|coffee|caffeine|alcohol|wine|screen[- ]?time|time|memory|file|file size|upload "
    r"size|hand luggage|temperature|noise|city|snow|tree|phone bill|stack|recursion|timeout|heap|cpu|disk|line length|"
    r"cholesterol|depth|hunting|fishing|bag|catch) (?:limits?|quotas?|ceilings?|thresholds?|allowances?)|limits? "
    r"(?:switch(?:es)?|of (?:growth|physics|my patience|the law)|order)|off[- ]limits|"
    r"(?:cost (?:centres?|centers?|accounting|of living)|(?:heart|pulse|birth|growth|frame|bit|refresh|sample|"
    r"sampling|exchange|inflation|tax|vat|mortgage|hourly|day|"
    r"daily|weekly|interest|response|churn|conversion|error|success|failure|divorce) rates?|at any rate|"
    r"first-rate|rates? "
    r"(?:films?|books?|of climb|limit\w*)|rate[- ]limit\w*)|exempt from (?:vat|tax|taxes|income tax|"
    r"military service|jury duty|gym|pe|school|the draft|swimming)|(?:discount|refunds?|price|priced?|credit|"
    r"voucher|coupon|"
    r"admin|policy|access|approval|permission|quota|supervisor|moderator|limits?|upgrade|fee|"
    r"verification)(?: codes?)? (?:shops?|"
    r"stores?|supermarkets?|stickers?|tags?|books?|bookshops?|groceries|grocery|videos?|games?|courses?|papers?|"
    r"articles?|analysts?|panels?|pages?|forms?|columns?|themes?|screens?|signs?|tables?|boards?|roads?|cards?|switch|"
    r"switches|leaflets?|websites?|sites?|apps?|emails?|e-mails?|mails?|newsletters?|adverts?|ads|hunting|hunters?|"
    r"brands?|airlines?|outlets?|aisles?|bins?|racks?|chains?|comparisons?|history|researcher?s?|makers?|"
    r"debates?|nerds?|"
    r"experts?|consultants?|advis[eo]rs?|scholars?)|"
    r"(?:insurance|privacy|foreign|public|housing|energy|climate|economic|fiscal|monetary|trade|transport|education|"
    r"password|cookie|branching|naming|merge|retention|travel|dress|honesty is the best) polic(?:y|ies)|"
    r"(?:step-free|wheelchair|internet|road|beach|sea|lift|remote|random|open|lake|river|garden) access|"
    r"access to (?:a|the|our|my) (?:garden|river|beach|lake|roof|roof garden|car|park|sea|lift|balcony|cellar|attic|"
    r"courtyard|pool|kitchen|shed)|(?:planning|parental) permission|(?:my|our) (?:top |main |first |only )?priority is|"
    r"priorities|role (?:models?|plays?|playing)|roles? in (?:the|a|our|my) (?:play|musical|film|band|choir|show)|log "
    r"(?:cabins?|fires?|in|out|off|on)|(?:in|take|takes) charge|(?:ring|word|stamp|seal|nod) of approval|"
    r"(?:credits?|refunds?|discounts?|limits?|polic(?:y|ies)|approvals?|permissions?|moderation|exemptions?|"
    r"compliance|verification|authority|privileges?|upgrades?|vouchers?) (?:in|and) (?:roman|english|european|"
    r"contract|history|literature|art|music|poetry|drinking|eating|medieval|ancient)\b|"
    r"(?:gold|silver|diamond|platinum) (?:rings?|medals?|jewel\w+|earrings?|necklaces?)|"
    r"(?:local|port|health|tax|city|harbour|transport|planning) authorit(?:y|ies)|bonus (?:track|episode|"
    r"chapter|level)s?|"
    r"ceiling (?:fans?|lamps?|lights?|tiles?)|(?:high|low|kitchen|bedroom|white|our|vaulted|wooden) ceilings?|"
    r"ceilings? "
    r"(?:is|are) (?:high|low|white|cracked|leaking|\w+ met(?:re|er)s)|pain thresholds?|thresholds? of (?:pain|hearing)|"
    r"tier (?:list|lists|cake)|(?:three|two|four)[- ]tier\w*|limited (?:edition|company|to)|with the times|"
    r"unlimited (?:patience|curiosity|energy|imagination|love)|fine with|fine by|order of)\b"
)
#: Words in a quotation after these are a name.
_NAMED = Sieved(
    r"(?<=[ ,])(?:(?:dog|cat|horse|pet|boat|band|book|talk|song|film|game|street|village|pub|rabbit|parrot|"
    r"hamster) (?:is|was) )"
    r"(?:called|named) [\w' -]{1,40}|"
    r"(?<=[ ,])(?:called|titled|entitled|named|title is|title:|says|reads|saying|book|song|film|series|podcast|game|"
    r"column|album|play|band)[ :]+(?:[\"'“‘«][^\"”’»]{1,60}?[\"'”’»](?!\w)|the [\w]+$)"
)
_FIELD = Sieved("|".join(rf"(?P<{field}{number}>\b(?:{words})(?!\w))" for number, (field, words) in
                             enumerate(_TOGETHER)))  # fmt: skip
_WORD = re.compile(r"[^\W_]+(?:[-'][^\W_]+)*|%")


def _table() -> tuple[dict[str, str], dict[str, str]]:
    exact: dict[str, str] = {}
    prefixes: dict[str, str] = {}
    for field, words in (*ABROAD.items(), *_WORDS.items()):
        for word in listed(words):
            if word.endswith("*"):
                prefixes.setdefault(skeleton(word[:-1]), field)
            else:
                exact.setdefault(skeleton(word), field)
    return exact, prefixes


_EXACT, _PREFIXES = _table()
_LENGTHS = sorted({len(prefix) for prefix in _PREFIXES}, reverse=True)


@holds_words(most=20_000)
def field_of(word: str) -> str | None:
    """The field of one word of a skeleton, or None."""
    word = word.replace("-", "")
    if field := _EXACT.get(word):
        return field
    for length in _LENGTHS:
        if len(word) >= length and (field := _PREFIXES.get(word[:length])):
            return field
    return None


@remembered
def touches(words: str) -> bool:
    """Whether a text, in its skeleton, holds any word of any field: what is asked first of a long text."""
    return any(word in _PARTS or field_of(word) for word in _pieces(words)) or bool(ABROAD_WITHIN.search(words))


def _pieces(words: str) -> Iterator[str]:
    for word in set(_WORD.findall(words)):
        yield word
        if "-" in word:
            yield from word.split("-")


def without_names(sentence: str) -> str:
    """The sentence without the quoted names of books, talks, animals: they say nothing about anybody."""
    return _NAMED.sub("called thing", sentence)


@remembered
def tagged(clause: str) -> str:
    """A lower-case clause, contractions written out, with its terms replaced by the names of their fields."""
    plain = _ELSEWHERE.sub("thing", clause)
    joined = _FIELD.sub(lambda match: match.lastgroup.rstrip("0123456789") if match.lastgroup else "", plain)
    told = _WORD.sub(lambda match: field_of(match.group()) or match.group(), joined)
    return ABROAD_WITHIN.sub(" BENEFIT ", told)
