"""Did the person ask not to keep what they say? Then nothing of it is kept, whatever it is (R12)."""

from memoryhub.working.patterns import Rule, Scan

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
_ENGLISH = Rule(
    r"(?i)\b(?:off the record|(?:strictly |just |(?<=[.,;:!?] )|(?<![\s\S]))between (?:us|you and me|"
    r"ourselves)(?! and\b)|stays? between us|"
    r"not for the record|"
    r"keep (?:this|that|it) (?:to yourself|between us|off (?:the )?record)|"
    rf"(?:do not|don'?t|never|please not|not to) (?:\w+ )?{_KEEP}(?: down)? {_WHAT_I_SAY}{_ELSEWHERE}|"
    rf"(?:rather|prefer|like it if|better if) (?:that )?you (?:did not|didn'?t|do not|don'?t|would not|wouldn'?t|not|"
    rf"never) {_KEEP}(?:e?d)?\b|"
    r"(?:forget|unsee|erase) (?:that )?(?:i (?:just |ever |)(?:said|told|mentioned)|what i (?:just |)(?:said|told|"
    r"mentioned|wrote)|"
    r"you (?:heard|saw|read) (?:this|that))|"
    r"(?:without|no need for) (?:saving|storing|remembering|recording|keeping) (?:this|that|it)|"
    r"this (?:is|isn'?t|is not|should not be|must not be|shouldn'?t be|mustn'?t be) (?:not )?(?:to be |for )?"
    r"(?:kept|saved|stored|recorded|remembered|keeping|saving|the record|memory))\b"
)
_MEMORY = r"(?:memory|file|record|records|profile|notes?|log|database|history|books)"
#: Looser ways of saying so.
_MORE_ENGLISH = Rule(
    r"(?i)(?:\b(?:leave|keep|make) no (?:trace|record|note)s?\b|\bnot (?:for|in|into|on) (?:your|the|my|our) "
    rf"{_MEMORY}\b|(?<![\w])unrecorded\b|\bunsaved\b|\btreat (?:this |that |it )?as (?:unsaid|unheard)\b|"
    r"\b(?:not|never) (?:be |to be |being )(?:written (?:down|anywhere)?|recorded|saved|stored|remembered|kept|"
    r"noted|logged|on file)\b|"
    r"\b(?:not|do not|don'?t|doesn'?t|wouldn'?t) (?:want|like|wish) (?:this|it|that|any of (?:this|"
    r"it)) (?:to be )?(?:written|recorded|saved|stored|remembered|kept|noted|logged|on file)\b|"
    r"\b(?:you )?(?:need not|needn'?t|don'?t (?:need|have) to|do not (?:need|have) to) (?:keep|save|store|"
    r"remember|record|note|write down) (?:this|that|it)\b|"
    r"\bno need to (?:keep|save|store|remember|record|note)\b|\b(?:don'?t|do not) hold on to (?:this|that|it)\b|"
    r"\b(?:forget|delete|erase|wipe|drop|discard) (?:it|this|that|what i (?:just )?(?:said|wrote|"
    r"told you)[^.!?\n]{0,40}) ?(?:after(?:wards)?|again|after answering|once|when|from|immediately|please)\b|"
    r"\b(?:please )?(?:delete|erase|forget|remove|strike) (?:what i (?:just )?(?:said|wrote|told you)|"
    r"my last (?:message|sentence|words))\b|"
    r"(?:^|[.!?] )(?:please )?strike that\b|\b(?:remember|record|save|store|keep|note) nothing (?:of|"
    r"about) (?:this|that|it)\b|"
    rf"\bkeep (?:this|that|it) (?:out of|off) (?:my|the|your) {_MEMORY}\b|\bkeep (?:this|that|it) (?:private|"
    rf"secret|confidential|unsaved)\b|"
    r"(?:^|[.!?,;] )(?:strictly )?(?:confidential|in confidence)[,:;]|\bjust for (?:this|today's) (?:chat|"
    r"conversation|session|call)\b|\bforget (?:it|this) (?:afterwards|again|after)\b|"
    r"\bin strict(?:est)? confidence\b|\b(?:don'?t|do not|never) (?:put|write|enter|add) (?:this|that|it) (?:down|"
    r"anywhere|on file|in (?:my|the|your) \w+)\b)"
)
#: The same in languages whose texts would wait for a curator: verbs of keeping, denied; or "between us".
_ABROAD = Rule(
    r"(?i)(?:(?<!\w)(?:nicht|nichts|niemals) (?:\w+ )?(?:speicher|merk|notier|aufzeichn|aufschreib|behalt|"
    r"festhalt)|unter uns(?! (?:wohn|leb|arbeit))|(?:speicher|merk|notier)\w* (?:dir )?(?:das|dies|"
    r"es) (?:bitte )?nicht|"
    r"ne (?:pas )?(?:l['’ae]+ ?)?(?:note|notez|retiens|retenez|garde|gardez|enregistre|enregistrez|"
    r"m[ée]morise)\w* (?:pas|rien)|ne pas (?:le |la |l['’])?(?:enregistrer|noter|garder|conserver|m[ée]moriser|"
    r"retenir)|entre nous(?! deux pays)|"
    r"no (?:lo |la |me )?(?:guardes?|guarden|registres?|anotes?|apuntes?|memorices|recuerdes)\b|entre nosotros|"
    r"no (?:hace falta|quiero) (?:que )?(?:guard|record|anot|registr)|"
    r"non (?:lo |la )?(?:salvare|memorizzare|registrare|annotare|ricordare|conservare|salvi|segnare)\b|(?:resti?|"
    r"rimanga|sia) tra noi|tra (?:di )?noi\b|"
    r"n[ãa]o (?:o |a )?(?:guarde|salve|registre|anote|memorize|grave|guardes|armazene)\b|(?:fica|fique) entre n[óo]s|"
    r"niet (?:opslaan|bewaren|onthouden|noteren|vastleggen)|onder ons\b|(?:sla|bewaar|onthoud|"
    r"noteer) (?:dit|dat) niet|"
    r"nie (?:zapisuj|zapami[ęe]tuj|notuj|zachowuj)|mi[ęe]dzy nami|kaydetme|haf[ıi]zana alma|aram[ıi]zda kals[ıi]n|"
    r"spara inte|kom inte ih[åa]g|mellan oss|ikke (?:lagre|gem|husk)|"
    r"не (?:запоминай|записывай|сохраняй|запоминайте|сохраняйте|записывайте)|между нами|не (?:зберігай|запам)|"
    r"不要(?:记录|保存|记住|存|記錄|記住)|别(?:记|保存|存)|請勿(?:記|保存)|保存しないで|覚えないで|"
    r"記録しないで|ここだけの話|저장하지 ?마|기억하지 ?마|기록하지 ?마|우리끼리|"
    r"لا (?:تحفظ|تسجل|تتذكر)|بيننا|(?:याद|सेव|रिकॉर्ड) (?:मत|न) |yaad mat rakh|save mat kar|note mat kar|"
    r"אל (?:תשמור|תזכור|תרשום)|בינינו)"
)


def is_off_the_record(text: str) -> bool:
    """Whether the words ask that they, or the others, not be kept."""
    scan = Scan(text)
    return any(rule.search(scan) for rule in (_ENGLISH, _MORE_ENGLISH, _ABROAD))
