"""Did the person ask not to keep what they say? Then nothing of it is kept, whatever it is (R12)."""

from memoryhub.working.patterns import Rule, Rules, Scan

_KEEP = (
    r"(?:save|store|remember|record|retain|memori[sz]e|log|note(?: down)?|write down|keep|persist|put|take a note of)"
)
_WHAT_I_SAY = (
    r"(?:this|that|it|any of (?:this|that|it)|what (?:i|follows)|anything i|these words|the following|the next|"
    r"my (?:next|last)|"
    r"(?:this|our) (?:message|chat|conversation)|(?:my|our) (?:card|address|number|details|data|name|e-?mail|phone|"
    r"passwords?|"
    r"payment \w+|(?:personal )?info(?:rmation)?|messages?|chats?|conversations?|history|answers?|credentials)\b)"
)
#: A thing is kept somewhere, or for somebody: the person speaks of their house, not of memory.
_ELSEWHERE = (
    r"(?: down)?(?! (?:in the (?:shed|garage|hall|kitchen|box|fridge|garden)|for (?:me|too long)|too |"
    r"on (?:the )?(?:ice|porch|step|"
    r"doorstep)|at (?:the )?(?:door|gate|neighbour))\b)"
)
_DONT = r"(?:do not|don'?t|never)"
_THIS = r"(?:this|that|it)"
_MEMORY = r"(?:memory|file|record|records|profile|notes?|log|database|history|books)"
#: One pattern a way of saying so: each is looked for only where its own words stand.
_ENGLISH = (
    r"\boff the record\b",
    r"(?:\b(?:strictly |just )|(?<=[.,;:!?] )|(?<![\s\S]))between (?:us|you and me|ourselves)(?! and\b)\b",
    r"\bstays? between us\b",
    r"\bnot for the record\b",
    rf"\bkeep {_THIS} (?:to yourself|between us|off (?:the )?record)\b",
    (
        rf"(?<!\bi )(?<!\bwe )(?<!\bthey )\b(?:{_DONT}|please not|"
        rf"not to) (?:\w{{1,20}} )?{_KEEP}(?: down)? {_WHAT_I_SAY}{_ELSEWHERE}\b"
    ),
    (
        rf"\b(?:rather|prefer|like it if|better if) (?:that )?you (?:did not|didn'?t|do not|don'?t|would not|"
        rf"wouldn'?t|not|"
        rf"never) {_KEEP}(?:e?d)?\b"
    ),
    (
        r"\b(?:forget|unsee|erase) (?:that )?(?:i (?:just |ever |)(?:said|told|mentioned)|what i (?:just |"
        r")(?:said|told|"
        r"mentioned|wrote)|you (?:heard|saw|read) (?:this|that))\b"
    ),
    rf"\b(?:without|no need for) (?:saving|storing|remembering|recording|keeping) {_THIS}\b",
    (
        r"\bthis (?:is|isn'?t|is not|should not be|must not be|shouldn'?t be|mustn'?t be) (?:not )?(?:to be |for )?"
        r"(?:kept|saved|stored|recorded|remembered|keeping|saving|the record|memory)\b"
    ),
    r"\b(?:leave|keep|make) no (?:trace|record|note)s?\b",
    rf"\bnot (?:for|in|into|on) (?:your|the|my|our) {_MEMORY}\b",
    r"(?<!\w)unrecorded\b|\bunsaved\b",
    rf"\btreat (?:{_THIS} )?as (?:unsaid|unheard)\b",
    (
        r"\b(?:not|never) (?:be |to be |being )(?:written (?:down|anywhere)?|recorded|saved|stored|remembered|"
        r"kept|noted|"
        r"logged|on file)\b"
    ),
    (
        r"\b(?:not|do not|don'?t|doesn'?t|wouldn'?t) (?:want|like|wish) (?:this|it|that|any of (?:this|it)) (?:to be )?"
        r"(?:written|recorded|saved|stored|remembered|kept|noted|logged|on file)\b"
    ),
    (
        r"\b(?:need not|needn'?t|don'?t (?:need|have) to|do not (?:need|have) to) (?:keep|save|store|remember|"
        r"record|note|"
        rf"write down) {_THIS}\b"
    ),
    r"\bno need to (?:keep|save|store|remember|record|note)\b",
    rf"\b(?:don'?t|do not) hold on to {_THIS}\b",
    (
        r"\b(?:forget|delete|erase|wipe|drop|discard) (?:it|this|that|what i (?:just )?(?:said|wrote|told you)[^.!?\n]"
        r"{0,40}) ?(?:after(?:wards)?|again|after answering|once|when|from|immediately|please)\b"
    ),
    (
        r"\b(?:delete|erase|forget|remove|strike) (?:what i (?:just )?(?:said|wrote|told you)|"
        r"my last (?:message|sentence|"
        r"words))\b"
    ),
    r"(?:^|[.!?] )(?:please )?strike that\b",
    rf"\b(?:remember|record|save|store|keep|note) nothing (?:of|about) {_THIS}\b",
    rf"\bkeep {_THIS} (?:out of|off) (?:my|the|your) {_MEMORY}\b",
    rf"\bkeep {_THIS} (?:private|secret|confidential|unsaved)\b",
    r"(?:^|[.!?,;] )(?:strictly )?(?:confidential|in confidence)[,:;]",
    r"\bjust for (?:this|today's) (?:chat|conversation|session|call)\b",
    r"\bforget (?:it|this) (?:afterwards|again|after)\b",
    r"\bin strict(?:est)? confidence\b",
    rf"\b{_DONT} (?:put|write|enter|add) {_THIS} (?:down|anywhere|on file|in(?:to)? (?:my|the|your) {_MEMORY})\b",
)
#: The same in languages whose texts would wait for a curator: verbs of keeping, denied; or "between us".
_ABROAD = (
    r"(?<!\w)(?:nicht|nichts|niemals) (?:\w{1,20} )?(?:speicher|merk|notier|aufzeichn|aufschreib|behalt|festhalt)",
    r"unter uns(?! (?:wohn|leb|arbeit))",
    r"(?:speicher|merk|notier)\w{0,4} (?:dir )?(?:das|dies|es) (?:bitte )?nicht",
    (
        r"ne (?:pas )?(?:l['’ae]{1,2} ?)?(?:note|notez|retiens|retenez|garde|gardez|enregistre|enregistrez|m[ée]morise)"
        r"\w{0,4} (?:pas|rien)"
    ),
    r"ne pas (?:le |la |l['’])?(?:enregistrer|noter|garder|conserver|m[ée]moriser|retenir)",
    r"entre nous(?! deux pays)",
    r"no (?:lo |la |me )?(?:guardes?|guarden|registres?|anotes?|apuntes?|memorices|recuerdes)\b",
    r"entre nosotros|no (?:hace falta|quiero) (?:que )?(?:guard|record|anot|registr)",
    r"non (?:lo |la )?(?:salvare|memorizzare|registrare|annotare|ricordare|conservare|salvi|segnare)\b",
    r"(?:resti?|rimanga|sia) tra noi|tra (?:di )?noi\b",
    r"n[ãa]o (?:o |a )?(?:guarde|salve|registre|anote|memorize|grave|guardes|armazene)\b|(?:fica|fique) entre n[óo]s",
    r"niet (?:opslaan|bewaren|onthouden|noteren|vastleggen)|onder ons\b",
    r"(?:sla|bewaar|onthoud|noteer) (?:dit|dat) niet",
    r"nie (?:zapisuj|zapami[ęe]tuj|notuj|zachowuj)|mi[ęe]dzy nami",
    r"kaydetme|haf[ıi]zana alma|aram[ıi]zda kals[ıi]n",
    r"spara inte|kom inte ih[åa]g|mellan oss|ikke (?:lagre|gem|husk)",
    r"не (?:запоминай|записывай|сохраняй|запоминайте|сохраняйте|записывайте)|между нами|не (?:зберігай|запам)",
    r"不要(?:记录|保存|记住|存|記錄|記住)|别(?:记|保存|存)|[請请]勿(?:[記记]|保存)",
    r"保存しないで|覚えないで|記録しないで|ここだけの話",
    r"저장하지 ?마|기억하지 ?마|기록하지 ?마|우리끼리",
    r"لا (?:تحفظ|تسجل|تتذكر)|بيننا",
    r"(?:याद|सेव|रिकॉर्ड) (?:मत|न) |yaad mat rakh|save mat kar|note mat kar",
    r"אל (?:תשמור|תזכור|תרשום)|בינינו",
)
_RULES = Rules(*(Rule(f"(?i){pattern}") for pattern in (*_ENGLISH, *_ABROAD)))


def is_off_the_record(text: str) -> bool:
    """Whether the words ask that they, or the others, not be kept."""
    return _RULES.any_matches(Scan(text).prose)
