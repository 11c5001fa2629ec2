"""Does a sentence in another language tell of somebody's health? (R12)

Such texts wait for a curator, and health data may not even do that. Conditions and treatments by the beginnings of
words, one line a language or family of languages; a first or third person somewhere near ties them to somebody.
"""

import re
from collections.abc import Iterator

from memoryhub.working.normalisation import listed
from memoryhub.working.patterns import Rule, Scan

#: Words much alike in most European languages.
_COMMON = (
    r"diab[eéè]t|astm|asthm|asma(?!\w)|epilep|epiless|leuk[aäeé]m|leuc[eé]m|hepatit|schi[zs]o|depress|depresj|d[eé]press|bipol[aä]r|"
    r"autis[mt]|migr[aäeé]|arthrit|artrit|reumat|rheuma|parkinson|"
    r"alzheimer|demen[zctsj]|d[eé]men[cz]|skleros|scl[eé]ros|escleros|chem?[io]+th?[eéè]r[aá]?p|quimioterap|"
    r"kimoterap|kemoter|dial[iyí][sz]|insulin|anti-?d[eé]pr[eé]ss|antidepresi|antibioti[ckq]|"
    r"hipertens|hypertens|hypertoni|ipertens|nadci[śs]nie|tumou?r|tumeur|kanker|cancer|c[aá]nc[eè]r|cancr|krebs|"
    r"\braka\b|nowotw|psych?iat|psicot|psychoter|psihoter|"
    r"pacemaker|herzschrittmacher|marcapasos|stimulateur cardiaque|hiv[ -]?(?:positi|pozyt)|seropositi|"
    r"an[oe]re[kxs]+i|bulimi|c[oe]?eliac|z[oö]liak|c[œe]liaque|celiac|celiak|glutenintoleran"
)
_WORDS = tuple(
    word
    for line in listed(
        r"""
    brustkrebs|lungenkrebs|darmkrebs|hautkrebs|prostatakrebs|blutkrebs
    schwanger|im \w{1,12} monat|allergi|bluthochdruck|blutdruck|herzinfarkt|schlaganfall|behindert|behinderung
    krankgeschrieben|reha\b|operiert|tabletten|medikament|depressionen|burnout|entzug
    drogensucht|alkoholsucht|spielsucht|s[uü]chtig
    enceinte|grossesse|allergique|maladie|handicap|op[eé]r[eé]e? d[eu]|m[eé]dicament|avc\b|infarctus|cardiaque
    sous traitement|fausse couche
    embarazad|embarazo|al[eé]rgic|enfermedad|discapacid|operaron|medicaci[oó]n|pastillas para|infarto
    derrame cerebral|ansiedad|padezco|presi[oó]n alta
    incinta|allergic[oa]|malattia|invalid[io]t[aà]|operat[oa] a[l ]|farmac|ictus|ansia\b|celiac
    gr[aá]vida|gravidez|doen[cç]a|deficiente|operad[oa] d[oae]|rem[eé]dio|press[aã]o alta|avc\b|ansiedade
    zwanger|allergisch|ziekte|gehandicapt|geopereerd|medicijn|beroerte|hartaanval|bloeddruk|suikerziekte|slik
    w ci[aą][zż]y|ci[aą][zż]|uczulon|alergi|choruj|chorob|cukrzyc|niepe[lł]nospraw|operacj|leki na|zawa[lł]|udar
    nadci[sś]nieni
    hamile|gebeyim|gebelik|alerji|[sş]eker hasta|hastal[ıi][gğ]|hastas[ıi]y|tansiyon|engelli|ameliyat
    ila[cç] kullan|kalp krizi
    gravid|allergisk|sjukdom|sygdom|sykdom|sjuk i|handikapp|opererad|opereret|medicin mot|h[oö]gt blodtryck
    raskaana|allergi|sairaus|diabeet|verenpaine
    t[eě]hotn|alergick|cukrovk|nemoc|terhes|v[aá]rand[oó]s|cukorbeteg|rakovin|[iî]ns[aă]rcinat|alergic[aă]|boal[aă]
    диабет|астм|эпилепс|рак[аеу]?\b|онколог|беремен|вагітн|аллерги|алергі|антидепресс|химиотерап|хіміотерап
    инвалид|інвалід|депресс|депресі|инсульт|инфаркт|давлени|тиск|болезн|хвороб|болею|хворію|операци[яюи] на
    инсулин|шизофрен|вич\b
    διαβήτ|άσθμα|καρκίν|έγκυος|αλλεργ|κατάθλιψ|επιληψ|υπέρταση
    糖尿病|癌症|癌|哮喘|怀孕|懷孕|过敏|過敏|抑郁|憂鬱|高血压|高血壓|癫痫|癲癇|艾滋|残疾|殘疾|化疗|化療|胰岛素
    手术|手術|心脏病|心臟病|中风|肿瘤|腫瘤
    妊娠|喘息|うつ病|アレルギー|てんかん|がん(?:です|に|を|の)|障害者|透析|インスリン|持病|統合失調|乳がん
    胃がん|肺がん
    당뇨|임신|천식|우울증|알레르기|알러지|고혈압|간질|뇌전증|암에|암을|암 |장애가|수술|투석|인슐린|백혈병
    السكري|حامل|الربو|السرطان|سرطان|حساسية|الاكتئاب|اكتئاب|الصرع|ضغط الدم|الضغط|الأنسولين|إعاقة|عملية جراحية|مرض
    मधुमेह|डायबिटीज|गर्भवती|अस्थमा|दमा|कैंसर|एलर्जी|अवसाद|डिप्रेशन|मिर्गी|उच्च रक्तचाप|विकलांग|बीमारी|इंसुलिन
    sugar ki bimari|pregnant ho|diabetes hai
    סוכרת|אסתמה|סרטן|בהיריון|בהריון|אלרג|דיכאון|אפילפסיה|לחץ דם|נכה
        """,
        by="\n",
    )
    for word in re.split(r"\|(?![^(\[]*[)\]])", line)
)
#: A person: first or third, a possessive, or a verb form that has one in it.
_PERSON = (
    r"(?<!\w)(?:ich|mein\w{0,2}|mir|mich|er|sie|wir|je|m[ao]n?|mes|il|elle|nous|yo|tengo|soy|estoy|padezco|"
    r"sufro|tomo|me|mi|mis|él|ella|tiene|su|io|ho|sono|soffro|prendo|mio|mia|lui|lei|ha|"
    r"eu|tenho|sou|estou|sofro|meu|minha|ele|ela|tem|ik|mijn|hij|zij|heeft|mam|jestem|choruj[eę]|bior[eę]|m[oó]j|"
    r"moja|on|ona|jag|jeg|min|mitt|har|hun|han|olen|minulla|m[aá]m|jsem|vagyok|sunt|am|ben|benim|bende|"
    r"я|мне|меня|у меня|мой|моя|мене|мені|у него|у неё|он|она|έχω|είμαι|μου|main|mujhe|mera|meri|mere)(?!\w)|"
    r"(?:ım|im|um|üm)(?!\w)|我|私|僕|俺|저는|저|나는|제|내|أنا|عندي|لدي|أعاني|मुझे|मैं|मेरी|मेरा|मेरे|אני|"
    r"לי|שלי|患|有|です|ます|"
    r"입니다|어요|에요|아요|(?<!\w)[jm]['’](?=\w)"
)
#: A short word of an alphabet that parts its words must begin one: "udar", and not "budara".
_SHORT_WORD, _PARTED = 7, "\u0590"


def _begun(word: str) -> str:
    return rf"(?<![^\W\d_]){word}" if len(word) < _SHORT_WORD and word < _PARTED else word


_NAMED = (Rule(rf"(?i)(?:{'|'.join(map(_begun, _WORDS))})"), Rule(rf"(?i)(?<!\w)(?:{_COMMON})\w{{0,14}}"))
_SOMEBODY = re.compile(rf"(?i)(?:{_PERSON})")
_END = re.compile(r"[\n.!?。！？;]")
_ENGLISH = Rule(
    r"(?i)\b(?:the|and|my|is|are|have|has|with|for|of|to|on|in the|this|that|was|"
    r"it)\b(?! ?[’'])[^\n]{0,80}\b(?:the|and|my|is|are|have|has|with|for|of|to|this|that|was|it)\b"
)
_AROUND = (60, 30)  # characters before and after, within the sentence, in which a person is named


def find_health_abroad(scan: Scan) -> Iterator[tuple[int, int]]:
    """Every phrase that ties somebody to a condition or a treatment; spans may overlap."""
    if scan.text.isascii() and _ENGLISH.search(scan):
        return  # find_health reads English, with more care
    for rule in _NAMED:
        for match in rule.finditer(scan):
            before = scan.text[max(0, match.start() - _AROUND[0]) : match.start()]
            begin = max((end.end() for end in _END.finditer(before)), default=0)
            if who := _SOMEBODY.search(before, begin):
                yield match.start() - len(before) + who.start(), match.end()
                continue
            after = scan.text[match.end() : match.end() + _AROUND[1]]
            stop = _END.search(after)
            if who := _SOMEBODY.search(after, 0, stop.start() if stop else len(after)):
                yield match.start(), match.end() + who.end()
