"""Do words from outside plainly report how something went? Only such are quoted in a summary (R72); pure.

What a tool answers can be written by anybody, and a summary is recalled. So a shape is asked for, not only the absence
of an attack: one short sentence that says what is the case, in which nobody is addressed or told to do anything,
nothing is said for good, and no right, limit, discount or authority is claimed. All else is told without the words.
"""

import re
from typing import Final

from memoryhub.governance import moods
from memoryhub.governance.claimed_rights import claims_a_right

MAX_WORDS: Final = 14
MAX_LENGTH: Final = 120
MAX_KIND: Final = 5  # words of the name of a kind

_ALLOWED = re.compile(r"[\w \t.,:;#/()'’+–-]+")
_NOT_LATIN = re.compile(r"[^\x00-\u024f\u2019\u2013]")
_SENTENCES = re.compile(r"[.!?…](?=\s)")
_QUOTES = re.compile(r"(?:^|[\s(:])['’]|['’](?:$|[\s):,])")
_CLAUSES = re.compile(
    r"[,:;()]|\s[-–/+]+\s|\b(?:but|and|or|so|then|because|since|as|while|although|where|when|unless|until)\b"
)
_JOINTS = re.compile(r"[_]+|(?<=[a-z])(?=[A-Z])|(?<=\w)-(?=[^\W\d])")
_DISGUISED = re.compile(r"\b(?=\w*[a-z])[A-Za-z]+\d+[A-Za-z]\w*|\b\d+[a-z]{3,}\d*\w*")  # gr4nt; an id is in capitals
_LEAD = re.compile(r"^(?:now|also|first|next|finally|instead|just|only|sorry|still|yet)\s+")

_DONE = (
    r"declined|refused|rejected|denied|failed|expired|closed|blocked|locked|taken|gone|begun|started|ended|exceeded|"
    r"reached|queued|scheduled|submitted|shipped|sent|booked|cancel+ed|refunded|delivered|returned|updated|"
    r"created|saved|"
    r"done|completed|succeeded|moved|changed|paid|charged|processed|confirmed|received|held|delayed|lost|damaged|"
    r"broken|aborted|bounced|crashed|dropped|interrupted|disconnected|accepted|found|made|met|used|sold|"
    r"removed|deleted|passed|reset"
)
_NEGATED = r"not|no|none|nothing|cannot|(?:ca|could|did|does|is|was|has|have|wo|are|were)n['’]?t"
#: What is the case with an attempt, or with what it was made on.
_STATE = re.compile(
    rf"\b(?:{_DONE}|{_NEGATED}|unable|invalid|insufficient|unknown|missing|already|failure|errors?|full|busy|"
    rf"down|offline|"
    r"unavailable|unreachable|unsupported|unauthori[sz]ed|forbidden|overdue|late|timed out|time-?out|"
    r"duplicate|conflict|wrong|"
    r"incorrect|incomplete|mismatch|out of stock|pending|waiting|partial|partly|partially|complete|ok|okay|success|"
    r"successful|unsuccessful|empty|too \w+|without|processing|in progress|exceeds|\d+ of \d+|\d+ \w+ left)\b"
)
#: Somebody is addressed or spoken of as one to be served, or told what to do.
_ADDRESSED = (
    r"you|your|yours|yourself|u|we|us|our|ours|i|me|my|mine|he|she|him|her|his|they|them|their|"
    r"(?:this|that|these|such) (?:customer|client|caller|user|member|person|guest|account|man|woman|buyer|"
    r"one)s?|agents?|"
    r"assistants?|bots?|ai|staff|reps?|operators?|everyone|everybody|anyone|whoever|somebody|someone"
)
_DEONTIC = (
    r"must|should|shall|ought|have to|has to|had to|need|needs|needed|needn|required?|requires|requirement|"
    r"supposed|may|might|"
    r"can|could(?! not)|will|would|let|lets|please|pls|kindly|remember|ensure|beware|aware|attention|important|"
    r"urgent(?:ly)?|instructions?|instructed|instructs|recommended|advised|suggested|(?:is|are|was|were|be) to|"
    r"better|mandatory|optional|unnecessary|necessary|obliged|expected|just"
)
_FOR_GOOD = (
    r"always|never|every|each|any|all|anytime|whenever|henceforth|future|next|onwards?|anymore|forever|"
    r"permanent(?:ly)?|"
    r"automatic(?:ally)?|default|rules?|polic(?:y|ies)|usual(?:ly)?|normally|general(?:ly)?|standing|again and again|"
    r"until further|no matter|regardless|without (?:asking|checking|question|identification|verif\w+|proof|approval)"
)
_TOPIC = (
    r"limits?|caps?|ceiling|thresholds?|discounts?|overrides?|overrid\w+|admin\w*|managers?|supervisors?|boss|"
    r"owner|root|"
    r"vip|premium|privileg\w+|priority|trusted|verified|verif\w+|exempt\w*|waive\w*|unlimited|entitle\w*|eligib\w+|"
    r"authorit\w+|authori[sz]\w+|approv\w+|pre ?approved|permissions?|permit\w*|allow\w*|access|rights?|"
    r"roles?|clearance|"
    r"identit\w+|identif\w+|security|guarantee\w*|promis\w+|bypass\w*|codes?|iban|bic|passwords?|passcodes?|grant\w*|"
    r"owe[sd]?|due|deserv\w+|bonus|complimentary|gratis|compensat\w+|free of|for free|in full|exceptions?|benefits?|"
    r"raised|increased|lifted|extended|upgraded"
)
_TELLING = re.compile(
    r"\b(?:refus(?:e|ing)|declin(?:e|ing)|deny|denying|reject|rejecting|asking|checking|requesting|"
    r"bank (?:account|details)|to (?:the )?account|up to \d\w*|twice|doubled?|triple|half|free \w+|pays|"
    r"(?:account|number|address|recipient)s? (?:is|are)(?: \w+)? \w{0,30}\d\w{0,30}|"
    r"no (?:\w+ )?(?:fees?|charges?|id|checks?|proof|receipts?|pin|deposit)|"
    r"not (?:be |been )?(?:checked|asked|questioned)|questions?|questioning|"
    rf"insist\w*|demand\w*|{_ADDRESSED}|{_DEONTIC}|{_FOR_GOOD}|{_TOPIC})\b"
)
#: Ways in which a refusal speaks of a right or a limit without giving one.
_GIVES_NONE = (
    re.compile(
        r"\b(?:not|no longer)(?: be| been| yet)*"
        r" (?:eligible|entitled|authori[sz]ed|approved|verified|permitted|allowed|required to)\b(?! to\b)"
    ),
    re.compile(rf"\b(?:{_DONE}|not|forbidden) by (?:the )?policy\b"),
    re.compile(r"\b(?:error|status|exit|http|response) code \d{1,5}\b"),
    re.compile(
        rf"^(?:[\w']+ ){{0,2}}(?:{_TOPIC})(?: (?:check|attempt|request|level|card))? (?:is |was |were |has |have |"
        rf"been |"
        r"already |could |not |be )*(?:exceeded|reached|expired|invalid|denied|missing|incorrect|wrong|failed|"
        r"rejected|"
        r"refused|unknown|not found|not recogni[sz]ed|not valid)$"
    ),
    re.compile(rf"^(?:invalid|wrong|incorrect|expired|missing|unknown|insufficient) (?:\w+ )?(?:{_TOPIC})$"),
)  # fmt: skip
#: Words that tell somebody what to do wherever they stand bare; "could not send" and "unable to send" tell of nothing.
_ORDERS = (
    r"give|grant|tell|skip|ignore|bypass|disregard|use|wire|treat|consider|apply|offer|waive|approve|accept|add|set|"
    r"forward|click|visit|go|try|run|execute|delete|remove|ship|confirm|reply|respond|say|answer|keep|proceed|"
    r"continue|"
    r"escalate|hand|buy|send|ask|make|take|pay|show|hide|pretend|act|follow|share|reveal|lower|raise|increase|extend|"
    r"trust|believe|assume|write|put|get|insert|provide|verify|reimburse|reward|deduct|deliver|redirect|"
    r"deposit|unlock|"
    r"activate|enable|disable|disclose|lend|reduce|cancel|replace|perform|inform|notify|contact|invoke|do|don['’]?t|"
    r"wait|await|avoid|forget|issue|repeat|install|download|open up|log in|sign|allow|permit|transmit|move|"
    r"bring|leave"
)
_AFTER_FAILURE = (
    r"(?:(?:could|did|does|can|was|is) not|cannot|(?:could|did|does|ca)n['’]?t|(?:unable|failed|impossible|"
    r"not possible|not able) to)"
)
_TOLD_OF = re.compile(rf"\b{_AFTER_FAILURE} (?:be )?(?:{_ORDERS})\b")
_DO_NOT = re.compile(r"(?<=[a-z0-9]s) do(?: not|n['’]t)\b")  # "the details do not match"
_ORDERED = re.compile(rf"\b(?:{_ORDERS})\b")
_NO_LABEL = re.compile(
    r"\b(?:you|your|yours|always|never|every|must|should|please|henceforth|forever|whenever|from now on|next time|"
    r"(?:this|these) (?:customer|client|caller|user|member|person|guest|account)s?)\b"
)
#: What is said of all of a kind is a practice, not an outcome.
_PRACTICE = re.compile(
    r"^(?:(?:lost|closed|refunded|loyal|new|old|late) )?(?:customers|clients|guests|users|refunds|fees|charges|"
    r"returns|credits|orders|payments|vouchers|members|callers|exchanges)\b"
    r"(?! (?:is |are |was |were )?not (?:allowed|found|available))"
)
#: A clause that begins with a word that may be an order or a thing: a thing has soon something said of it.
_VERB_FIRST = re.compile(
    rf"^(?:{moods.REQUEST_VERBS}|credit|call|transfer|retry|refund|return|mail|log|block|lock|claim|record|pay|debit|"
    rf"top up)\b"
)
_A_THING = re.compile(
    r"^\w+(?: (?!(?:the|a|an|this|that|to|for|customers?|clients?|guests?|users?|money|dollars?|euros?|pounds?|"
    rf"usd|eur|gbp|double|twice|half|it|now)\b)[\w'#.]+){{0,5}}? (?:is|are|was|were|has|have|had|does|did|"
    rf"{_DONE}|{_NEGATED}|"
    r"(?:unavailable|invalid|error|failure|timed out|timeout|pending|missing|busy|full)$|already)\b"
)
_AN_ORDER_AFTER = re.compile(
    rf"\b(?:{_DONE}) (?:refund|transfer|credit|charge|book|order|call|pay|debit|release|process|change|update|"
    rf"return|mail)\b"
)


def is_plain_report(text: str) -> bool:
    """Whether words say how something went and nothing else."""
    line = " ".join(text.split()).rstrip(".!")
    if not line or len(line) > MAX_LENGTH or len(line.split()) > MAX_WORDS:
        return False
    if not _ALLOWED.fullmatch(line) or _NOT_LATIN.search(line) or _SENTENCES.search(line) or _QUOTES.search(line):
        return False
    if "//" in line or "www." in line or _DISGUISED.search(line):
        return False
    if moods.STANDING.search(line) or moods.LASTING.search(line) or claims_a_right(line):
        return False
    clauses = [each.strip() for each in _CLAUSES.split(_JOINTS.sub(" ", line).casefold()) if each and each.strip()]
    if not any(_STATE.search(each) for each in clauses) and not re.fullmatch(r"[^\W\d_]+", line):  # one word is a word
        return False
    return all(_says_little(each) and not _tells(each) for each in clauses)


def reads_as_order(text: str) -> bool:
    """Whether words, of whatever length, plainly order, stand for good or claim a right: nothing to learn from."""
    if (
        _NO_LABEL.search(text.casefold())
        or moods.STANDING.search(text)
        or moods.LASTING.search(text)
        or claims_a_right(text)
    ):
        return True
    parts = (_LEAD.sub("", each.strip()) for each in re.split(r"[.,:;!?]\s", text.casefold()))
    return any(re.match(rf"(?:{_ORDERS})\b ", each) for each in parts)


def _says_little(clause: str) -> bool:
    """Whether a clause says what is the case, or is no more than a name or a sum."""
    return bool(_STATE.search(clause)) or len(clause.split()) <= 4


def is_label(text: str) -> bool:
    """Whether the name of a tool, or of what it acted on, orders nothing; a tool's own is a verb ("send letter")."""
    words = _JOINTS.sub(" ", text).casefold()
    return len(words.split()) <= 1 or not _NO_LABEL.search(words)


def is_kind(text: str) -> bool:
    """Whether the name of a kind of finding or observation is one: a few words that order nothing."""
    words = _JOINTS.sub(" ", text).casefold()
    return is_label(text) and len(words.split()) <= MAX_KIND and not re.match(rf"(?:{_ORDERS})\b ", words)


def _tells(clause: str) -> bool:
    """Whether a clause tells somebody what to do, or claims something that is not a plain state."""
    plain = _LEAD.sub("", clause)
    for form in _GIVES_NONE:
        plain = form.sub("is refused", plain)
    if _PRACTICE.match(plain) or (_VERB_FIRST.match(plain) and not _A_THING.match(plain)):
        return True
    plain = _TOLD_OF.sub("was not so", _DO_NOT.sub(" was not", plain))
    return bool(_TELLING.search(plain) or _ORDERED.search(plain) or _AN_ORDER_AFTER.search(plain))
