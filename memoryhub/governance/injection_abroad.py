"""Does a text in another language try to instruct the agent? By frames of words, language by language (R11).

Texts the grammar does not read wait for a curator anyway; what is plainly an attack shall not even do that. A frame is
verbs ("ignore"), the things they aim at ("instructions") and words that make it all of them or earlier ones: all three
together are an attack, the first two a suspicion.
"""

import unicodedata
from dataclasses import dataclass

from memoryhub.working.normalisation import ACCENTS, align
from memoryhub.working.patterns import Rule, Rules, Scan


@dataclass(frozen=True)
class _Tongue:
    """Word beginnings in lower case, accents taken away where the script has them."""

    ignore: str
    orders: str
    earlier: str
    reveal: str
    prompt: str
    you_are_now: str
    remember: str


_TONGUES = {
    "es": _Tongue(
        r"ignor[ae]|olvid[ae]|descart[ae]|omit[ae]|no (?:hagas|haga) caso|pasa por alto|desobedec",
        r"instruccion|ordenes|reglas|indicaciones|directrices|restriccion|politicas",
        r"anterior|previas|tod[ao]s|tus|sus|del sistema|de seguridad",
        r"revela|muestra|imprime|dime|ensena|filtra",
        (
            r"prompt (?:del )?sistema|system prompt|instrucciones (?:ocultas|internas|iniciales)|"
            r"mensaje del sistema"
        ),
        r"a partir de ahora (?:eres|seras|actua)|ahora eres|actua como si no|finge (?:ser|que)",
        r"recuerda (?:para siempre|siempre|que tod[ao]s)|guarda en (?:tu|la) memoria",
    ),
    "fr": _Tongue(
        r"ignore[rz]?|oublie[rz]?|neglige[rz]?|ne tiens? pas compte|ne tenez pas compte|fais abstraction|contourne",
        r"instruction|consigne|ordres|regles|directives|restriction",
        r"precedent|anterieur|toutes|tous|tes|vos|du systeme|de securite|ci-dessus",
        r"revele|montre|affiche|donne-moi|dis-moi|divulgue",
        r"prompt systeme|invite systeme|instructions (?:cachees|internes|initiales)|message systeme",
        r"a partir de maintenant,? (?:tu es|vous etes|agis)|tu es (?:desormais|maintenant)|"
        r"fais comme si tu n'avais",
        r"souviens-toi (?:que|toujours|pour toujours)|retiens que tou|enregistre dans ta memoire",
    ),
    "de": _Tongue(
        r"ignorier|vergiss|vergessen sie|missachte|umgeh|uberge?h|beachte nicht|setz\w{0,6} dich hinweg",
        r"anweisung|anleitung|befehle|regeln|vorgaben|richtlinien|instruktion|einschrankung|beschrankung",
        r"vorherig|vorig|bisherig|fruher|alle|deine|ihre|obig|system|sicherheit",
        r"zeig|verrat|gib|nenne|offenbar|drucke",
        r"system-?prompt|systemnachricht|versteckten? anweisung|urspruglichen? anweisung|internen? anweisung",
        r"ab (?:jetzt|sofort) (?:bist du|sind sie|verhalte)|du bist (?:jetzt|nun|ab sofort)|tu so,? als",
        r"merke? dir,? dass all|merk dir fur immer|speicher\w{0,6} (?:das )?(?:dauerhaft )?in deinem gedachtnis",
    ),
    "it": _Tongue(
        r"ignora|dimentica|trascura|non (?:seguire|considerare)|aggira|scavalca",
        r"istruzion|ordini|regole|direttive|indicazioni|restrizion",
        r"precedent|anterior|tutte|tutti|tue|del sistema|di sicurezza",
        r"rivela|mostra|stampa|dimmi|svela",
        r"prompt di sistema|istruzioni (?:nascoste|interne|iniziali)|messaggio di sistema",
        r"d'ora in (?:poi|avanti) (?:sei|agisci|sarai)|ora sei|fai finta di|fingi di",
        r"ricorda (?:che tutt|per sempre)|salva nella (?:tua )?memoria",
    ),
    "pt": _Tongue(
        r"ignor[ae]|esquec[ae]|desconsider[ae]|desrespeit[ae]|nao siga|contorn[ae]",
        r"instruc|ordens|regras|diretrizes|restric|comandos",
        r"anterior|previas|tod[ao]s|suas|tuas|do sistema|de seguranca",
        r"revel[ae]|mostr[ae]|imprim[ae]|diga|exib[ae]",
        r"prompt do sistema|instrucoes (?:ocultas|internas|iniciais)|mensagem do sistema",
        r"a partir de agora,? (?:voce e|tu es|aja|seja)|agora voce e|finja (?:ser|que)",
        r"lembre-se (?:para sempre|de que tod)|guarde na (?:sua )?memoria",
    ),
    "nl": _Tongue(
        r"negeer|vergeet|sla .{0,20}over|omzeil|houd geen rekening",
        r"instructie|opdrachten|regels|richtlijnen|aanwijzing|beperking",
        r"vorige|eerdere|voorgaande|alle|je|jouw|uw|systeem|bovenstaande",
        r"toon|onthul|geef|laat .{0,10}zien|druk",
        r"systeemprompt|system prompt|verborgen instructies|oorspronkelijke instructies",
        r"vanaf nu (?:ben je|bent u|gedraag)|je bent (?:nu|voortaan)|doe alsof",
        r"onthoud (?:voor altijd|dat alle)|sla .{0,20}op in je geheugen",
    ),
    "pl": _Tongue(
        r"zignoruj|ignoruj|zapomnij|pomin|omin|nie (?:zwazaj|stosuj)",
        r"instrukcj|polece|rozkaz|zasad|regul|wytyczn|ogranicze",
        r"poprzedni|wczesniejsz|wszystki|swoje|swoich|twoje|twoich|systemow|powyzsz",
        r"ujawnij|pokaz|wypisz|podaj|zdradz",
        r"prompt systemowy|instrukcje (?:ukryte|systemowe|poczatkowe)|ukryte instrukcje",
        r"od teraz (?:jestes|zachowuj|bedziesz)|jestes teraz|udawaj,? ze",
        r"zapamietaj (?:na zawsze|ze wszystk)|zapisz w (?:swojej )?pamieci",
    ),
    "tr": _Tongue(
        r"yok say|gormezden gel|unut|dikkate alma|goz ardi et|atla",
        r"talimat|kural|emir|yonerge|kisitlama",
        r"onceki|tum|butun|yukaridaki|sistem|guvenlik|eski",
        r"goster|acikla|yazdir|soyle|ifsa",
        r"sistem (?:istem|komut|prompt)|gizli talimat|ilk talimat",
        r"bundan (?:sonra|boyle) (?:sen|bir)|artik sen|gibi davran|rolu yap",
        r"(?:sonsuza kadar|her zaman) hatirla|hafizana kaydet",
    ),
    "ru": _Tongue(
        r"игнорируи|проигнорируи|забуд|не обращаи внимания|отмени|обоиди|пренебреги",
        r"инструкци|указани|правил|команд|распоряжени|ограничени|директив",
        r"предыдущ|прежн|прошл|все|всех|свои|твои|ваши|системн|выше",
        r"покажи|раскрои|выведи|сообщи|напечатаи",
        r"системн\w{0,4} (?:промпт|подсказк|сообщени|инструкц)|скрыт\w{0,3} инструкц|исходн\w{0,3} инструкц",
        r"(?:отныне|теперь|с этого момента),? ты|ты теперь|притворись|веди себя как",
        r"запомни (?:навсегда|,? что все)|сохрани в (?:своеи )?памят",
    ),
    "zh": _Tongue(
        r"忽略|无视|無視|忘记|忘掉|忘記|不要理会|不要遵守|绕过|繞過|跳过",
        r"指令|指示|规则|規則|提示|命令|限制|要求|设定",
        r"之前|以前|先前|以上|上述|上面|所有|全部|一切|你的|系统|系統",
        r"显示|顯示|透露|输出|輸出|告诉|告訴|打印|泄露|展示",
        r"系统提示|系統提示|系统指令|隐藏(?:的)?指令|初始(?:的)?(?:指令|提示)",
        r"从现在(?:开始|起).{0,6}你|從現在開始.{0,6}你|你现在是|你現在是|假装(?:你|成)|扮演",
        r"永远记住|请记住所有|记住所有.{0,10}批准|保存到.{0,4}记忆",
    ),
    "ja": _Tongue(
        r"無視|忘れ|従わな|破棄|スキップ",
        r"指示|命令|ルール|規則|プロンプト|制限|ガイドライン",
        r"以前|これまで|前の|上記|すべて|全て|あなたの|システム|先ほど",
        r"表示|見せ|教え|出力|公開|明かし",
        r"システムプロンプト|システムメッセージ|隠された指示|初期(?:の)?(?:指示|プロンプト)|内部(?:の)?指示",
        r"今から(?:あなたは|君は)|これから(?:は)?あなたは|のふりをし|になりきって",
        r"永久に覚え|すべて承認.{0,10}覚え|記憶に保存",
    ),
    "ko": _Tongue(
        r"무시|잊어|따르지 마|건너뛰|우회",
        r"지시|명령|규칙|지침|프롬프트|제한",
        r"이전|앞선|위의|모든|너의|당신의|시스템|기존",
        r"보여|알려|출력|공개|말해",
        r"시스템 ?프롬프트|시스템 ?메시지|숨겨진 ?지시|초기 ?(?:지시|프롬프트)",
        r"지금부터 ?(?:너는|당신은)|이제 ?(?:너는|당신은)|인 ?척|처럼 행동",
        r"영원히 기억|모든.{0,10}승인.{0,10}기억|메모리에 저장",
    ),
    "ar": _Tongue(
        r"تجاهل|انس |انسى|تغاض|لا تتبع|تخط",
        r"التعليمات|تعليمات|الاوامر|الأوامر|القواعد|التوجيهات|القيود",
        r"السابقة|السابقه|جميع|كل |كافة|النظام|أعلاه|الخاصة بك",
        r"اظهر|أظهر|اكشف|اطبع|أخبرني|اعرض",
        r"موجه النظام|رسالة النظام|تعليمات النظام|التعليمات (?:المخفية|الداخلية|الأصلية)",
        r"من ال[آا]ن.{0,10}أنت|أنت ال[آا]ن|تظاهر|تصرف ك",
        r"تذكر (?:دائما|إلى الأبد|أن جميع)|احفظ في ذاكرتك",
    ),
    "hi": _Tongue(
        r"अनदेखा|नजरअंदाज|नज़रअंदाज़|भूल जा|उपेक्षा|मत मानो|ignore kar|bhool ja|bhul ja|nazarandaz|chhod do|mat maan",
        r"निर्देश|आदेश|नियम|हिदायत|प्रतिबंध|instructions?|nirdesh|niyam|rules?|aadesh|guidelines?|prompt|restrictions?",
        r"पिछले|पहले|सभी|सारे|अपने|ऊपर|सिस्टम|pichhle|pichle|pehle|pahle|sabhi|saare|sare|apne|upar|system|purane|"
        r"safety",
        r"दिखा|बता|प्रकट|dikha|bata|batao|reveal kar|print kar|leak kar",
        r"सिस्टम प्रॉम्प्ट|छिपे निर्देश|system prompt|system message|hidden instructions|chhupe|"
        r"internal instructions|secret (?:key|prompt)",
        (
            r"अब से (?:तुम|आप)|अब (?:तुम|आप) एक|ab se (?:tum|aap)|ab (?:tum|aap) (?:ek|ho|dan)|ban ja[ao]|"
            r"ki tarah (?:act|behave)"
        ),
        r"हमेशा याद रख|याद रखो कि सभी|hamesha yaad rakh|yaad rakho ki sab|memory m(?:ein|e) save",
    ),
}

_GAP = r"[^\n.!?。！？]{0,50}?"
_APART = r"(?<![a-z0-9])"


def _both(first: str, second: str) -> str:
    """Both in one sentence, in either order."""
    return rf"(?:{_APART}(?:{first}){_GAP}(?:{second})|(?:{second}){_GAP}{_APART}(?:{first}))"


_ATTACKS = Rules(
    *(
        Rule(pattern)
        for tongue in _TONGUES.values()
        for pattern in (
            rf"{_APART}(?:{tongue.ignore}){_GAP}(?:{tongue.earlier}){_GAP}(?:{tongue.orders})",
            rf"{_APART}(?:{tongue.ignore}){_GAP}(?:{tongue.orders}){_GAP}(?:{tongue.earlier})",
            rf"(?:{tongue.earlier}){_GAP}(?:{tongue.orders}){_GAP}{_APART}(?:{tongue.ignore})",
            rf"(?:{tongue.orders}){_GAP}(?:{tongue.earlier}){_GAP}{_APART}(?:{tongue.ignore})",
            _both(tongue.reveal, tongue.prompt),
        )
    )
)
_SUSPICIONS = Rules(
    *(
        Rule(pattern)
        for tongue in _TONGUES.values()
        for pattern in (
            _both(tongue.ignore, tongue.orders),
            rf"{_APART}(?:{tongue.you_are_now})",
            rf"{_APART}(?:{tongue.remember})",
        )
    )
)


def instructs_abroad(text: str) -> tuple[bool, bool]:
    """Whether the text is an attack in one of these languages, and whether it may be one."""
    scan = Scan(_plain(text))
    attack = _ATTACKS.any_matches(scan)
    return attack, attack or _SUSPICIONS.any_matches(scan)


def _plain(text: str) -> str:
    """Lower case without accents; letters of other scripts as they are."""
    folded = align(text).text.lower()
    if folded.isascii():
        return folded
    return unicodedata.normalize("NFC", ACCENTS.sub("", unicodedata.normalize("NFD", folded)))
