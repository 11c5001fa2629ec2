"""Which characters of a text are a secret? Keys, tokens, passwords, pins and door codes (R12).

Three ways to know one: a vendor's own shape (ours and those of bc-detect-secrets), a structure (key block, JWT,
connection string, header, assignment), or prose that names it ("the gate code is …"). Every pattern is bounded, so time
grows with length only.
"""

import re
from collections.abc import Iterator

from detect_secrets.plugins.artifactory import ArtifactoryDetector
from detect_secrets.plugins.azure_storage_key import AzureStorageKeyDetector
from detect_secrets.plugins.discord import DiscordBotTokenDetector
from detect_secrets.plugins.mailchimp import MailchimpDetector
from detect_secrets.plugins.npm import NpmDetector
from detect_secrets.plugins.sendgrid import SendGridDetector
from detect_secrets.plugins.slack import SlackDetector
from detect_secrets.plugins.square_oauth import SquareOAuthDetector

from memoryhub.working.normalisation import listed

#: (start, end, kind) in the text that was searched.
Span = tuple[int, int, str]

_KEEP_OUT = r"(?<![A-Za-z0-9])"
#: Shapes of vendors: a literal that has to be there, then the pattern. Looking for the literal first keeps long texts
#: cheap.
_VENDORS: tuple[tuple[str, str], ...] = (
    ("mhk_", r"mhk_[A-Za-z0-9_]{16,80}"),
    ("sk-", _KEEP_OUT + r"sk-[A-Za-z0-9][A-Za-z0-9_-]{15,250}"),
    ("sk-", _KEEP_OUT + r"sk-(?:proj|ant|svcacct|admin|live|test|or)-[A-Za-z0-9_-]{6,250}"),
    ("k_live_", r"[srp]k_live_[A-Za-z0-9]{10,250}"),
    ("k_test_", r"[srp]k_test_[A-Za-z0-9]{10,250}"),
    ("whsec_", r"whsec_[A-Za-z0-9+/=]{16,100}"),
    ("gh", r"gh[pousr]_[A-Za-z0-9_]{20,255}"),
    ("github_pat_", r"github_pat_[A-Za-z0-9_]{20,255}"),
    ("glpat-", r"gl(?:pat|dt|rt|ft|soat|cbt)-[A-Za-z0-9_-]{16,100}"),
    ("AKIA", _KEEP_OUT + r"AKIA[A-Z0-9]{16}(?![A-Za-z0-9])"),
    ("ASIA", _KEEP_OUT + r"ASIA[A-Z0-9]{16}(?![A-Za-z0-9])"),
    ("AIza", r"AIza[A-Za-z0-9_-]{30,60}"),
    ("ya29.", r"ya29\.[A-Za-z0-9_-]{20,400}"),
    ("GOCSPX-", r"GOCSPX-[A-Za-z0-9_-]{20,60}"),
    ("xox", r"xox[abeoprs]-[A-Za-z0-9-]{10,250}"),
    ("xapp-", r"xapp-[A-Za-z0-9-]{20,250}"),
    ("hooks.slack.com", r"hooks\.slack\.com/services/[A-Za-z0-9/_-]{20,120}"),
    ("SG.", r"SG\.[A-Za-z0-9_-]{16,32}\.[A-Za-z0-9_-]{16,64}"),
    ("npm_", r"npm_[A-Za-z0-9]{30,60}"),
    ("pypi-", r"pypi-[A-Za-z0-9_-]{30,250}"),
    ("hf_", _KEEP_OUT + r"hf_[A-Za-z0-9]{25,60}"),
    ("shp", r"shp(?:at|ca|pa|ss)_[A-Fa-f0-9]{32}"),
    ("dop_v1_", r"dop_v1_[a-f0-9]{64}"),
    ("hvs.", r"hvs\.[A-Za-z0-9_-]{20,200}"),
    ("dckr_pat_", r"dckr_pat_[A-Za-z0-9_-]{20,60}"),
    ("sq0", r"sq0(?:atp|csp|idp)-[A-Za-z0-9_-]{20,60}"),
    ("EAA", _KEEP_OUT + r"EAA[A-Za-z0-9]{60,250}"),
    ("AGE-SECRET-KEY", r"AGE-SECRET-KEY-1[A-Z0-9]{50,70}"),
    ("eyJ", r"eyJ[A-Za-z0-9_-]{6,4000}\.[A-Za-z0-9_-]{4,4000}(?:\.[A-Za-z0-9_-]{0,2000})?"),
    ("SK", _KEEP_OUT + r"SK[a-f0-9]{32}(?![A-Za-z0-9])"),
    ("bot", r"(?<=bot)\d{8,10}:[A-Za-z0-9_-]{35}"),
)
_VENDOR_PATTERNS = tuple((literal, re.compile(pattern)) for literal, pattern in _VENDORS)
_NAMED_PLUGINS = (
    ArtifactoryDetector,
    AzureStorageKeyDetector,
    DiscordBotTokenDetector,
    MailchimpDetector,
    NpmDetector,
    SendGridDetector,
    SlackDetector,
    SquareOAuthDetector,
)
_PLUGIN_PATTERNS = tuple(pattern for plugin in _NAMED_PLUGINS for pattern in plugin().denylist)
_PLUGIN_LITERALS = ("AKC", "AP", "AccountKey", "-us", "_authToken", "SG.", "xox", "hooks.slack", "sq0", "M", "N", "O")

_BEGIN = re.compile(r"-----BEGIN [A-Z0-9 ]{0,40}(?:PRIVATE KEY|PGP MESSAGE)[A-Z ]{0,10}-----")
_URL_PASSWORD = re.compile(r"(?<=://)[^\s:/@?#]{0,80}:([^\s@/]{1,120})@")
_HEADER = re.compile(r"\b(?:Bearer|Basic|Token|ApiKey)[ \t]+([A-Za-z0-9._~+/=-]{12,4000})")
_COOKIE = re.compile(
    r"\b(?:session(?:_?id)?|sid|csrftoken|auth|jwt|sig|signature)=([A-Za-z0-9._~+/%-]{16,1000})", re.IGNORECASE
)
_ASSIGNED = re.compile(
    r"""(?ix)
    (?<![a-z0-9]) ["']? (?P<name>[a-z0-9_.-]{0,40}?
      (?: passwords?|passwd|passphrase|pwd|secret(?:_?key)?|token|api[_-]?key|access[_-]?key|private[_-]?key
        |auth[_-]?key|client[_-]?secret|credentials?|encryption[_-]?key|[_-]key|[_-]pass )
      [a-z0-9_-]{0,20}) ["']? [ \t]{0,3} (?: = | : | => | := ) [ \t]{0,3}
    (?P<quote>["'`]?) (?P<value>[^\s"'`,;]{4,400})
    """
)

_STRONG = (
    r"pass[ -]?words?|pass[ -]?phrases?|passwd|pass[ -]?codes?|seed phrase|recovery phrase|secret answer|"
    r"security answer"
)
_CODES = (
    r"pin(?:[ -](?:code|number))?|pass[ -]?codes?|(?:door|gate|alarm|entry|entrance|access|key|safe|lock|"
    r"lock ?box|key ?box|"
    r"garage|keypad|building|disarm|unlock|"
    r"security|recovery|backup|one[- ]time|verification|2fa|otp|login|sign[- ]in)[ -](?:codes?|combinations?|pin)|"
    r"keycode|otp"
)
_OPAQUE = (
    r"api[ -]?keys?|access keys?|secret keys?|secrets?|(?:[a-z]{2,12} )?tokens?|credentials?|log[ -]?ins?|"
    r"license keys?|keys?|bearer"
)
_LINK = (
    r"(?:[ \t]+(?:for|to|of|on|at|from|in)[ \t]+(?:[\w'&/.-]{1,30}[ \t]+){0,4}?[\w'&/.-]{1,30})?"
    r"(?:[ \t]+(?:now|still|currently|again))?[ \t]*(?:[ \t](?:is|was|are|will be|becomes|to|equals|reads)\b|[:=]|->|"
    r"-(?=[ \t]))[ \t:]*"
    r"(?:(?:now|still|set to|simply|just|always|also)[ \t]+)?"
)
_SAID_PASSWORD = re.compile(rf"(?i)\b(?:{_STRONG})\b{_LINK}[\"'`(]?([^\s\"'`]{{3,120}})")
_BARE_PASSWORD = re.compile(rf"(?i)\b(?:{_STRONG}|pwd|pass)[ \t]+[\"'`]?(?=[^\s]*[\d!@#$%^&*_+])([^\s\"'`,;]{{5,120}})")
#: A word of letters and figures, as passwords are and ordinary words are not.
_LIKE_ONE = r"(?=[^\s\"'`,;]{0,80}\d)(?=[^\s\"'`,;]{0,80}[^\W\d_])[^\s\"'`,;]{5,120}"
_BY_NAME = r"(?:pass[ -]?words?|pass[ -]?phrases?|passwd|pwd|pw|(?<=my )pass|(?<=the )pass|(?<=her )pass|(?<=his )pass)"
#: Looser ways of saying so, for words that look like one: across lines, in an identifier, after a change, turned round.
_SAID_LOOSELY = re.compile(
    rf"(?i)(?<![a-z0-9]){_BY_NAME}(?:['’]s[ \t]+|\s{{0,3}}(?:=|:|→|⇒|=>|->)\s{{0,3}}|"
    rf"[\s_-]{{1,3}}(?:is|was|are)[\s_-]{{1,3}}|[ \t](?:was|is|has been|got)[ \t](?:now[ \t])?(?:changed|"
    rf"set|reset|updated|rotated)[ \t]to[ \t])"
    rf"[\"'`(]?({_LIKE_ONE})"
)
_TURNED_ROUND = re.compile(
    rf"(?i)(?<![^\s\"'`(])({_LIKE_ONE})[\"'`)]?[ \t]+(?:is|was|are|as)[ \t]+(?:the|my|our|her|his|their|its|your|an?|"
    rf"\w{{1,30}}['’]s)[ \t]+(?:[\w-]{{1,20}}[ \t]+){{0,2}}(?:pass[ -]?word|pass[ -]?phrase|passwd|pwd|"
    rf"pass[ -]?code|"
    r"secret(?![ \t]\w)|api[ -]?key)\b"
)
#: The same in languages the grammar does not read: their texts are queued, and no secret in them may be stored either.
_SAID_ABROAD = re.compile(
    r"(?i)(?:passwort|kennwort|contrase[ñn]a|clave (?:de acceso|secreta)|mot de passe|palavra[- ]passe|senha|"
    r"wachtwoord|l[öo]senord|"
    r"has[łl]o|heslo|salasana|adgangskode|passord|parol[aeă]|şifre|jelszó|пароль|密码|密碼|口令|パスワード|暗証番号|비밀번호|पासवर्ड|"
    r"كلمة (?:المرور|السر)|"
    r"סיסמה|κωδικός)[^\S\n]{0,3}(?:(?:lautet|ist|es|est|é|è|är|er|jest|je|on|is|adalah|是|为|為|は|가|는|هي|है|:|：|"
    r"=)[^\S\n]{0,3}){1,2}[\"'`「]?"
    r"([^\s\"'`「」，。、]{3,80})"
)
_SAID_CODE = re.compile(
    rf"(?i)\b(?:{_CODES})\b(?:{_LINK}|[ \t]+)[\"'`(]?([#*]?[a-z]?\d(?:[ \t-]?\d){{2,9}}[a-z]?[#*]?)(?![\d.,]?\d)"
)
_SAID_OPAQUE = re.compile(rf"(?i)\b(?:{_OPAQUE})\b(?:{_LINK}|[ \t]+)[\"'`(]?([^\s\"'`,;()]{{8,400}})")
_DOOR = r"(?:door|gate|alarm|safe|lock|lockbox|key ?box|entrance|garage|keypad|barrier|locker|cabinet|shed|building)"
_DOOR_CODE = re.compile(
    rf"(?i)\b(?:{_DOOR}\b[^.\n?!\d]{{0,40}}\b(?:code|combination|pin|combo)|(?:code|combination|pin|"
    rf"combo)\b[^.\n?!\d]{{0,30}}\b{_DOOR})\b"
    r"[^.\n?!\d]{0,25}?([#*]?\d(?:[ \t-]?\d){2,7}[#*]?)(?![\d.,]?\d)"
)
_OPENS_WITH = re.compile(
    rf"(?i)\b{_DOOR}\b[^.\n?!\d]{{0,25}}\b(?:opens?|unlocks?|disarms?|is opened|is unlocked)\b(?![ \t]+(?:at|from|"
    rf"until)\b)[^.\n?!\d]{{0,20}}?([#*]?\d{{4,8}}[#*]?)(?![\d.,:]?\d)"
)
_PHRASE = re.compile(
    r"(?i)\b(?:pass[ -]?phrase|seed phrase|recovery phrase|mnemonic)\b"
    + _LINK
    + r"[\"'`]?([a-z]{2,12}(?:[ \t]+[a-z]{2,12}){2,24})"
)

#: Words that may follow "the password is" without being one.
_NO_PASSWORD = frozenset(
    listed(
        """
    a about again all almost already also always an and another any as at available back bad been being blank
    broken by changed correct different due easy empty enough entered enter expired expiring failing false fine
    for forgotten from gone good handled hard hashed her hidden here his how ignored important in incorrect
    insecure invalid it its kept known locked long lost managed mine missing more my needed never new no not now
    obvious off ok okay old on one only or our out outdated over owned pending protected quite rejected required
    reset right rotated safe same saved secret secure set shared short simple so somewhere still stored strong
    stuck supposed that the their them there this to too true unchanged under unique unknown unsafe up updated
    used useless valid very weak what where which with without working wrong yours your they we you i he she who
    why when if but just really
    """
    )
)
_MAY_BEGIN_A_PHRASE = frozenset(
    {"correct", "right", "strong", "simple", "safe", "hidden", "old", "new", "good", "short", "long", "hard"}
)
_NO_KEY = re.compile(
    r"(?i)(?:idempotency|primary|foreign|public|partition|cache|sort|unique|object|row|order|sorting|answer|"
    r"translation)[ -]?$"
)
_PLAIN_WORD = re.compile(r"[A-Za-z][a-z]*(?:['-][a-z]+)*$")
#: Where a value only stands for one.
_PLACEHOLDERS = ("$", "<", "{{", "[", "***", "os.", "process.")
_DIGIT = re.compile(r"\d")
_TRAIL = ".,;:!?)]}\"'`"


def find_secrets(text: str) -> Iterator[Span]:
    """Every secret in the text; spans may overlap."""
    yield from _shapes(text)
    yield from _structures(text)
    yield from _prose(text)


def _shapes(text: str) -> Iterator[Span]:
    for literal, pattern in _VENDOR_PATTERNS:
        if literal in text:
            for match in pattern.finditer(text):
                yield match.start(), match.end(), "key"
    if len(text) >= 20 and any(literal in text for literal in _PLUGIN_LITERALS):
        for pattern in _PLUGIN_PATTERNS:
            for match in pattern.finditer(text):
                start, end = _widest_group(match)
                yield start, end, "key"


def _widest_group(match: re.Match[str]) -> tuple[int, int]:
    spans = [match.span(index) for index in range(1, (match.re.groups or 0) + 1) if match.group(index)]
    return max(spans, key=lambda span: span[1] - span[0], default=match.span())


def _structures(text: str) -> Iterator[Span]:
    lowered = text.lower()
    yield from _key_blocks(text)
    if "://" in text:
        for match in _URL_PASSWORD.finditer(text):
            yield match.start(1), match.end(1), "password"
    for match in _HEADER.finditer(text):
        if _mixed(match.group(1)):
            yield match.start(1), match.end(1), "token"
    if "=" in text and any(word in lowered for word in ("session", "sid", "csrf", "auth", "jwt", "sig")):
        for match in _COOKIE.finditer(text):
            if _mixed(match.group(1)):
                yield match.start(1), match.end(1), "token"
    if ("=" in text or ":" in text) and any(
        word in lowered for word in ("pass", "pwd", "secret", "token", "key", "credential")
    ):
        for match in _ASSIGNED.finditer(text):
            if _assigned_secret(match):
                yield match.start("value"), match.start("value") + len(match.group("value").rstrip(_TRAIL)), "token"


def _key_blocks(text: str) -> Iterator[Span]:
    position = 0
    while begin := _BEGIN.search(text, position):
        end_mark = text.find("-----END", begin.end())
        end = len(text) if end_mark < 0 else text.find("-----", end_mark + 8)
        end = len(text) if end < 0 or end_mark < 0 else end + 5
        yield begin.start(), end, "private key"
        position = end


def _assigned_secret(match: re.Match[str]) -> bool:
    name, value = match.group("name").lower(), match.group("value").rstrip(_TRAIL)
    if value.startswith(_PLACEHOLDERS) or value.lower() in _NO_PASSWORD:
        return False
    words = re.split(r"[_.-]", name)
    if any(
        word.startswith(("pass", "pwd", "secret", "credential")) or word.endswith(("secret", "password"))
        for word in words
    ):
        return len(value) >= 4 and (not _PLAIN_WORD.match(value) or bool(match.group("quote")) or "=" in match.group())
    return len(value) >= 12 and _mixed(value) and not _NO_KEY.search(name[: -len(words[-1])].replace("_", " "))


def _prose(text: str) -> Iterator[Span]:
    lowered = text.lower()
    if "pass" in lowered or "pwd" in lowered or "phrase" in lowered or "answer" in lowered or "mnemonic" in lowered:
        for match in _SAID_PASSWORD.finditer(text):
            yield from _password_words(text, match)
        for match in _BARE_PASSWORD.finditer(text):
            yield match.start(1), match.start(1) + len(match.group(1).rstrip(_TRAIL)), "password"
    if "pass" in lowered or "pw" in lowered or "secret" in lowered or "key" in lowered:
        for pattern in (_SAID_LOOSELY, _TURNED_ROUND):
            for match in pattern.finditer(text):
                if not match.group(1).startswith(_PLACEHOLDERS):
                    yield match.start(1), match.start(1) + len(match.group(1).rstrip(_TRAIL)), "password"
    for match in _SAID_ABROAD.finditer(text):
        yield match.start(1), match.start(1) + len(match.group(1).rstrip(_TRAIL)), "password"
    if "phrase" in lowered or "mnemonic" in lowered:
        for match in _PHRASE.finditer(text):
            if match.group(1).split()[0].lower() not in _NO_PASSWORD:
                yield match.start(1), match.end(1), "password"
    digits = bool(_DIGIT.search(text))
    if digits and any(word in lowered for word in ("pin", "code", "comb", "otp")):
        for pattern in (_SAID_CODE, _DOOR_CODE):
            for match in pattern.finditer(text):
                yield match.start(1), match.end(1), "code"
    if digits and any(word in lowered for word in ("open", "lock", "disarm")):
        for match in _OPENS_WITH.finditer(text):
            yield match.start(1), match.end(1), "code"
    if not any(word in lowered for word in ("key", "secret", "token", "credential", "log", "bearer")):
        return
    for match in _SAID_OPAQUE.finditer(text):
        value = match.group(1).rstrip(_TRAIL)
        login = match.group().lower().startswith(("log", "cred"))
        telling = _mixed(value) or (
            login and value.lower() != value and any(character.isdigit() for character in value)
        )
        named = _NO_KEY.search(text[max(0, match.start() - 14) : match.start()])
        if len(value) >= (6 if login else 12) and telling and not named:
            yield match.start(1), match.start(1) + len(value), "token"


def _password_words(text: str, match: re.Match[str]) -> Iterator[Span]:
    value = match.group(1).rstrip(_TRAIL)
    start, end = match.start(1), match.start(1) + len(value)
    word = value.lower()
    if len(value) < 3 or value.startswith(_PLACEHOLDERS) or (word in _NO_PASSWORD and word not in _MAY_BEGIN_A_PHRASE):
        return
    if not _PLAIN_WORD.match(value):
        yield start, end, "password"
        return
    rest = re.match(r"(?:[ \t]+[a-z]+){0,6}(?=[ \t]*(?:[.,;!?)\n\"']|$))", text[end : end + 90])
    following = rest.group().split() if rest else None
    if word in _MAY_BEGIN_A_PHRASE and len(following or ()) < 3:
        return
    participle = word.endswith(("ed", "ing")) and following
    if following is not None and not participle and not _NO_PASSWORD.intersection(following):
        yield start, end + (rest.end() if rest else 0), "password"


def _mixed(value: str) -> bool:
    """Letters and digits in one word, or many kinds of characters: unlike a word, unlike a number."""
    letters = any(character.isalpha() for character in value)
    digits = any(character.isdigit() for character in value)
    if (
        not letters
        or value.startswith(("http://", "https://", "./", "/"))
        or re.fullmatch(r"\d{4}-\d\d-\d\d[T\d:.Z+-]*", value)
    ):
        return False
    if digits:
        return not re.fullmatch(r"(?:[A-Za-z]+[-_./])*[A-Za-z]+\d{0,3}", value)
    return (
        len(value) >= 20
        and value.lower() != value != value.upper()
        and not re.fullmatch(r"(?:[A-Z]?[a-z]+[-_./]?)+", value[:60])
    )
