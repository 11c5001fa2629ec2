"""Which characters are a secret by where they stand: a key block, a URL, a header, a cookie, an assignment? (R12)"""

import re
from collections.abc import Iterator

from memoryhub.working.patterns import Rule, Scan
from memoryhub.working.secret_words import NO_PASSWORD, PLACEHOLDERS, PLAIN_WORD, TRAIL, mixed

_BEGIN = re.compile(r"-----BEGIN [A-Z0-9 ]{0,40}(?:PRIVATE KEY|PGP MESSAGE)[A-Z ]{0,10}-----")
_SSH2 = re.compile(r"---- BEGIN SSH2 ENCRYPTED PRIVATE KEY ----|PuTTY-User-Key-File-\d")
_SSH2_END = re.compile(r"---- END SSH2 ENCRYPTED PRIVATE KEY ----|Private-(?:MAC|Hash): ?[0-9a-fA-F]{10,128}")
#: A DER structure that begins with a version number is a key or a key store; a certificate begins with another.
_BARE_KEY = Rule(r"(?<![A-Za-z0-9+/])(?:MII[A-Za-z0-9+/]{3}IB[A-D]|MHcCAQEE|MIGHAgEA|MC4CAQAw)[A-Za-z0-9+/]{16,80}")
_MORE_OF_IT = re.compile(r"(?:[A-Za-z0-9+/]{1,100}\s{0,4}){1,400}={0,2}")
_WIREGUARD = Rule(r"(?i)\b(?:private|preshared)[ _-]?key[ \t]{0,3}[=:][ \t]{0,3}([A-Za-z0-9+/]{42,43}=)")
_URL_PASSWORD = Rule(r"(?<=://)[^\s:/@?#]{0,80}:((?!\d{1,5}/)[^\s@]{1,150}(?:@[^\s@/:.]{1,40}(?=@))?)@")
_URL_USER = Rule(r"(?<=://)([A-Za-z0-9_-]{20,120})(?=@)")
_HEADER = Rule(r"(?i)\b(?:Bearer|Basic|Token|ApiKey|Digest|Negotiate|NTLM)[ \t]+([A-Za-z0-9._~+/=-]{12,1000})")
_AUTHORIZATION = Rule(
    r"(?i)\b(?:proxy-)?authorization[\"']?[ \t]{0,3}[:=][ \t]{0,3}[\"']?(?:[A-Za-z0-9-]{3,20}[ \t]+)"
    r"?([A-Za-z0-9._~+/=-]{12,1000})"
)
_API_HEADER = Rule(
    r"(?i)\bx-[a-z-]{0,30}(?:key|token|auth|secret|session)[\"']?[ \t]{0,3}:[ \t]{0,3}[\"']?([^\s\"']{8,400})"
)
_COOKIE_HEADER = Rule(r"(?i)\b(?:set-)?cookie[\"']?[ \t]{0,3}:[ \t]{0,3}[\"']?([\w.-]{1,60}=[^\n\"']{6,1000})")
_PARAMETER = Rule(
    r"(?i)(?<![a-z0-9])(?:x-amz-signature|x-amz-security-token|x-amz-credential|x-goog-signature|signature|sig|"
    r"hmac|hdnts|policy|"
    r"access_token|id_token|refresh_token|auth_token|remember_token|csrf_?token|xsrf-token|token|api_?key|jwt|"
    r"auth|code|key|secret|"
    r"session_?id|session_?key|sid|sess|session|[a-z0-9_]{2,20}sess(?:ion|id)?|connect\.sid|asp\.net_sessionid|"
    r"__(?:host|secure)-[a-z0-9_-]{2,30})=([A-Za-z0-9._~+/%:|-]{16,1000})"
)  # fmt: skip
_SESSION = Rule(
    r"(?i)\b(?:session|cookie)(?:[ _-]?(?:id|key|token|cookie|value))?(?:[ \t]+(?:is|was)[ \t:]+|"
    r"[ \t]{0,2}[:=][ \t]{0,2})[\"'`]?([A-Za-z0-9._~+/%:|-]{12,400})"
)
_NAMES = (
    r"passwords?|passwd|passphrase|passwort|pwd|secret(?:_?key)?|token|api[_-]?key|access[_-]?key|private[_-]?key|"
    r"account[_-]?key|auth[_-]?key|client[_-]?secret|credentials?|encryption[_-]?key|master[_-]?key|[_-]key|"
    r"[_-]pass|[_-]pw|"
    r"contrase[ñn]a|mot_?de_?passe|senha|wachtwoord|haslo|parola|sifre"
)
_ASSIGNED = Rule(
    rf"(?i)(?P<name>(?:{_NAMES})[a-z0-9_-]{{0,20}})[\"'`]?[ \t]{{0,3}}(?:=>|:=|=|:)\s{{0,3}}"
    r"(?P<value>\"[^\"\n]{3,400}\"|'[^'\n]{3,400}'|`[^`\n]{3,400}`|[^\s\"'`,;]{4,400})"
)
_NAME_BEFORE = re.compile(r"(?<![a-z0-9])[a-z0-9_.-]{1,40}+$", re.IGNORECASE)
_TAGGED = Rule(
    r"(?i)<(?P<name>[a-z0-9_.:-]{0,30}(?:password|passwd|pwd|secret|token|api-?key|"
    r"passphrase))>\s{0,3}(?P<value>[^<>\s]{3,400})\s{0,3}</"
)
_OPTION = Rule(r"(?i)(?<!\S)--?(?:password|passwd|pass|pwd|token|api-?key|secret)(?:=|[ \t]+)[\"']?([^\s\"']{4,200})")
_CURL_USER = Rule(r"(?<!\S)(?:-u|--user)[ \t]+[\"']?[^\s:\"']{1,80}:([^\s\"']{3,200})")
_NETRC = Rule(r"(?i)\bmachine[ \t]+\S{1,100}\s+login[ \t]+\S{1,100}\s+password[ \t]+(\S{3,200})")
_NO_KEY = re.compile(
    r"(?i)(?:idempotency|primary|foreign|public|partition|cache|sort|unique|object|row|order|sorting|answer|"
    r"translation)[ -]?$"
)


def find_structured_secrets(scan: Scan) -> Iterator[tuple[int, int, str]]:
    """Every secret that a structure shows; spans may overlap."""
    yield from _key_blocks(scan)
    for rule in (_URL_PASSWORD, _CURL_USER, _NETRC, _WIREGUARD):
        for match in rule.finditer(scan):
            yield match.start(1), match.end(1), "password"
    for rule in (_URL_USER, _HEADER, _AUTHORIZATION, _API_HEADER, _PARAMETER, _SESSION):
        for match in rule.finditer(scan):
            if mixed(match.group(1)):
                yield match.start(1), match.end(1), "token"
    for match in _COOKIE_HEADER.finditer(scan):
        yield match.start(1), match.end(1), "token"
    for match in _OPTION.finditer(scan):
        if not match.group(1).startswith(PLACEHOLDERS):
            yield match.start(1), match.end(1), "password"
    for rule in (_ASSIGNED, _TAGGED):
        for match in rule.finditer(scan):
            yield from _assigned(scan.text, match)


def _key_blocks(scan: Scan) -> Iterator[tuple[int, int, str]]:
    text, position = scan.text, 0
    while "-----BEGIN" in text and (begin := _BEGIN.search(text, position)):
        end_mark = text.find("-----END", begin.end())
        end = len(text) if end_mark < 0 else text.find("-----", end_mark + 8)
        end = len(text) if end < 0 or end_mark < 0 else end + 5
        yield begin.start(), end, "private key"
        position = end
    if "PuTTY-User" in text or "BEGIN SSH2" in text:
        for begin in _SSH2.finditer(text):
            ended = _SSH2_END.search(text, begin.end())
            yield begin.start(), ended.end() if ended else len(text), "private key"
            if not ended:
                break
    for match in _BARE_KEY.finditer(scan):
        more = _MORE_OF_IT.match(text, match.end())
        yield match.start(), more.end() if more else match.end(), "private key"


def _assigned(text: str, match: re.Match[str]) -> Iterator[tuple[int, int, str]]:
    start, said = match.start("value"), match.group("value")
    quoted = said[0] in "\"'`" and said[-1] == said[0]
    if quoted:
        start, said = start + 1, said[1:-1]
    value = said if quoted else said.rstrip(TRAIL)
    before = _NAME_BEFORE.search(text, max(0, match.start() - 40), match.start())
    name = (before.group() if before else "") + match.group("name")
    if _is_secret(name.lower(), value, quoted=quoted, outright="=" in match.group()[: start - match.start()]):
        yield start, start + len(value), "token"


def _is_secret(name: str, value: str, *, quoted: bool, outright: bool) -> bool:
    if not value or value.startswith(PLACEHOLDERS) or value.lower() in NO_PASSWORD:
        return False
    words = re.split(r"[_.-]", name)
    if any(
        word.startswith(
            ("pass", "pwd", "pw", "secret", "credential", "contrase", "senha", "wachtwoord", "haslo", "parola", "sifre")
        )
        or word.endswith(("secret", "password", "pwd", "passe"))
        for word in words
    ):
        return len(value) >= 3 and (quoted or outright or not PLAIN_WORD.match(value))
    return len(value) >= 12 and mixed(value) and not _NO_KEY.search(name[: -len(words[-1])].replace("_", " "))
