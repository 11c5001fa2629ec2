"""Which characters open a door, end an alarm or unlock a thing, by what a sentence says they do? (R12)

No word for "code" is needed: "the shed opens with 2264", "punch in 7305 to get past the gate".
"""

from collections.abc import Iterator

from memoryhub.working.patterns import Rule, Scan
from memoryhub.working.secret_words import NO_PASSWORD, PLACEHOLDERS, TRAIL

_THING = (
    r"(?:door|gate|alarm|safe|lock|padlock|lock ?box|strong ?box|key ?box|key safe|entrance|garage|keypad|barrier|"
    r"locker|cabinet|shed|attic|cellar|basement|pantry|building|flat|apartment|office|meeting room|stairwell|"
    r"lobby|lift|"
    r"elevator|vault|suitcase|gym|storage|warehouse|bike room|car park|intercom|phone|watch|tablet|laptop|ipad|sim|"
    r"house|cottage|cupboard|till|mail ?box|letter ?box|yard|boathouse|hut|cabin)s?"
)
_CODE = r"([#*]?[a-z]?\d(?:[ -]?\d){3,7}[a-z]?[#*]?)"
_ENDS = r"(?=[.,;:!?)\"'”]|\s*$|\s*\n|\s+(?:and|then|to|now|please|is it|or)\b)"
_STOP = r"[^.\n?!\d]"
_RULES = (
    Rule(
        rf"(?i)\b(?:unlock|open|opens|opened|unlocks|enter|disarm|disarms|switch(?:ed|es)? off|turn(?:ed|s)? off|"
        rf"shut off|get in(?:to)?|"
        rf"get past|get through|let yourself in|deactivate[sd]?)\b{_STOP}{{0,40}}?\b(?:with|by|using|"
        rf"via)[ ]+(?:the number |code )?{_CODE}{_ENDS}"
    ),
    Rule(
        rf"(?i)\b{_THING}\b{_STOP}{{0,25}}?\b(?:takes|wants|needs|expects|asks for|set to|reads|"
        rf"goes with|works with|opens with|"
        rf"opens on|you need|you enter|enter|press|dial|type|use)\b{_STOP}{{0,12}}?{_CODE}{_ENDS}"
    ),
    Rule(
        rf"(?i)\b(?:punch(?: in)?|enter|type(?: in)?|dial|key in|press|tap(?: in)?|use|try)[ ]+{_CODE}[ ]+(?:to|"
        rf"and|for|at|on)\b{_STOP}{{0,40}}?\b"
        rf"(?:{_THING}|get in|get past|let yourself in|unlock|open)\b"
    ),
    Rule(
        rf"(?i)(?<![\w.,-]){_CODE}[ ]+(?:opens|unlocks|disarms|gets you (?:in|into|through|past)|lets you in(?:to)?)\b"
    ),
    Rule(
        rf"(?i)\b(?:verification|security|login|sign-in|access|confirmation|one-time|sms|"
        rf"text)[ -]code\b{_STOP}{{0,30}}?\b(?:is|was|reads|:)[ ]*{_CODE}{_ENDS}"
    ),
    Rule(
        r"(?i)\b(?:safe|strong ?box|vault|lock|locker|combination)\b[^.\n?!\d]{0,20}((?:(?:left|right|clockwise|"
        r"anticlockwise)[ ]\d{1,2}[, ]{0,3}(?:then )?){2,6})"
    ),
    Rule(rf"(?i)\b(?:key safe|safe|lock|lock ?box|keypad|alarm)(?:['’]s)? number is[ ]*{_CODE}{_ENDS}"),
    Rule(rf"(?i)\b(?:safe|strong ?box|vault|lock|locker)\b{_STOP}{{0,30}}?(\d{{1,2}}-\d{{1,2}}-\d{{1,2}}){_ENDS}"),
    Rule(
        r"(?i)\b(?:recovery|backup|unlock|bitlocker|filevault|product|activation|licen[cs]e|serial|"
        r"registration)\b[^.\n?!]{0,30}?(?:key|codes?|pattern|"
        r"for (?:the|my|our) \w+|editor|windows|office)\b[^.\n?!]{0,25}?(?<![\w-])((?=[^\s]{0,40}\d)(?:[A-Za-z0-9]"
        r"{1,8}-){1,9}[A-Za-z0-9]{1,8})(?![\w-])"
    ),
    Rule(
        r"(?i)\bsecurity (?:question|answer|word|phrase)\b[^.\n?!]{0,20}?(?:\bis\b|\bat the \w+ is\b|"
        r"[:=])[ ]*[\"'“]?([^\s.,;!?\"'”]{3,40})"
    ),
    Rule(
        r"(?i)\b(?:answer to (?:my|the|our) security question|"
        r"maiden name, the security answer,)[^.\n?!]{0,15}?\bis\b[ ]*[\"'“]?([^\s.,;!?\"'”]{3,40})"
    ),
)
#: Letters with figures and signs, or signs inside: what people choose for passwords and seldom write otherwise.
_CHOSEN = r"((?=[^\s]{0,60}[^\W\d_])(?=[^\s]{0,60}\d)(?=[^\s]{0,60}[^\w\s,;:)]|[^\s]{0,60}[A-Z])[^\s\"'`,;]{5,80})"
_CHOICES = (
    Rule(
        rf"(?i:\b(?:use|used|using|picked|chose|choose|chosen|type|typed|typing|took|"
        rf"entered)\b)[ ]+{_CHOSEN}[ ]+(?i:(?:for|as|when|to|at)\b[^.\n?!]{{0,40}}?"
        r"\b(?:log(?:s|ged|ging)?[ -]?(?:in|on)|sign(?:ing)?[ -]?in|password|login|site|account|prompt|wi-?fi|"
        r"admin|new one|router|vpn|portal)\b)"
    ),
    Rule(
        rf"(?i:\b(?:mail|inbox|account|portal|vpn|router|laptop|wallet|wi-?fi|server|box|site|login|"
        rf"it)\b[^.\n?!]{{0,15}}?\b(?:opens|unlocks|logs in|lets me in)[ ]+(?:with|on)[ ]+){_CHOSEN}"
    ),
    Rule(rf"(?i:\bwhat (?:you|i|we) (?:type|enter|put)\b[^.\n?!]{{0,30}}?\bis[ ]+){_CHOSEN}"),
    Rule(rf"(?i:\bpass[ -]?(?:word|phrase|code)\b,[ ]+){_CHOSEN}"),
    Rule(r"(?i)\bpass[ -]?phrase[ ]+((?:[a-z]{3,12}[ ]){1,6}[a-z]{0,12}\d{1,6})(?!\w)"),
    Rule(r"(?<![\w.-])([A-Za-z0-9_-]{23,28}\.[A-Za-z0-9_-]{6}\.[A-Za-z0-9_-]{27,40})(?![\w.-])"),
    Rule(r"(?i:\bshared secret\b[^.\n?!]{0,40}?\b(?:is|was)[ ]+)([^\s\"'`,;]{6,80})"),
    Rule(
        r"(?i)(?<![a-z0-9])(?:requirepass|masterauth|psk|smtp_pass|wpa_passphrase|(?:^|"
        r"(?<=[\s;&?]))pass)[ \t]{0,2}[=: ][ \t]{0,2}((?=[^\s]{0,40}[\d!@#$%^&*+])[^\s\"'`,;]{5,80})"
    ),
    Rule(r"(?i)(?<![a-z0-9])(?:[a-z]{2,12}_pass(?:word)?|requirepass)[ \t]+([^\s\"'`,;]{8,80})"),
    Rule(
        r"(?i)\bpass[ -]?(?:word|phrase)\b[^.\n?!]{0,30}?\b(?:is|was|"
        r":)[ ]+((?:[A-Za-z]{2,12}[ ]){1,6}[^\s\"'`,;]{0,20}\d[^\s\"'`,;.!?]{0,20})"
    ),
    Rule(r"(?i)\b(?:azure devops|personal access token|pat)\b[^.\n?!]{0,40}?(?<!\w)([a-z0-9]{40,90})(?!\w)"),
)
_THING_ABROAD = (
    r"(?:tür|tor|garagentor|tresor|alarm\w{0,12}|schloss|zahlenschloss|porta|cancello|cassaforte|allarme|puerta|alarma|"
    r"caja fuerte|porte|portail|coffre|alarme|immeuble|deur|poort|kluis|drzwi|"
    r"bram\w|sejf\w{0,2}|kap[ıi]\w{0,3}|kasa\w{0,3}|kart[ıi]m\w{0,3}|dør\w{0,2}|dörr\w{0,2}|larm\w{0,2}|ovi|oven|"
    r"portão|cofre|ușă|ușa|poart[ăa]|двер\w{1,2}|ворот\w{0,2}|сейф\w{0,2}|домофон\w{0,2}|сигнализаци\w|"
    r"門|门|ドア|玄関|金庫|문|금고|الباب|البوابة|الخزنة|השער|הדלת|האזעקה|הכניסה)"
)
_CODE_ABROAD = r"([#*]?[A-Za-zА-Я]?\d(?:[ -]?\d){3,7}[A-Za-zА-Я]?[#*]?|\d{2}-\d{2}-\d{2}|\d{1,2}[A-ZА-Я]\d{3,5})"
_NAME_ABROAD = (
    r"(?:(?:der|den|le|du|het|de|il) code|kod\w{0,2}|koden|codul|codice|koodi|код\w{0,2}|kode\w?|[sş]ifresi|"
    r"digicode|código|codigo|קוד|הקוד|"
    r"الرمز|رمز|कोड)"
)
_RULES_ABROAD = (
    Rule(
        rf"(?i)(?<![^\W\d_]){_THING_ABROAD}(?![^\W\d_])[^.\n!?\d]{{0,30}}?(?<![\w.,]){_CODE_ABROAD}(?=[.,;!?。]|"
        rf"\s*$|\s*\n| auf\b| zu\b)"
    ),
    Rule(
        rf"(?i)(?<![^\W\d_]){_NAME_ABROAD}(?![^\W\d_])[^.\n!?\d]{{0,40}}?(?<![\w.,]){_CODE_ABROAD}(?=[.。]?(?:\s*$|"
        rf"\s*\n))"
    ),
)  # fmt: skip


def find_spoken_codes(scan: Scan) -> Iterator[tuple[int, int, str]]:
    """Every code or chosen word that a sentence says opens something; spans may overlap."""
    for rule in (*_RULES, *_CHOICES, *_RULES_ABROAD):
        for match in rule.finditer(scan):
            value = match.group(1).rstrip(TRAIL)
            first = value.partition(" ")[0].lower()
            if first in NO_PASSWORD or first.endswith("ed") or "://" in value:
                continue
            if len(value) >= 3 and not value.startswith(PLACEHOLDERS):
                yield match.start(1), match.start(1) + len(value), "code"
