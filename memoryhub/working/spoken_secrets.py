"""Which characters does an English sentence name as a password, a pin, a code or a recovery phrase? (R12)"""

import itertools
import re
from collections.abc import Iterator

from memoryhub.working.normalisation import listed
from memoryhub.working.patterns import Rule, Scan
from memoryhub.working.secret_words import MAY_BEGIN_A_PHRASE, NO_PASSWORD, PLACEHOLDERS, PLAIN_WORD, TRAIL, mixed

_STRONG = (
    r"pass[ -]?words?|pass[ -]?phrases?|passwd|pass[ -]?codes?|seed phrase|recovery phrase|secret answer|"
    r"security answer|secret word|safe word|pass ?key"
)
_CODES = (
    r"(?:sim |card |bank |phone |sms |app )?pin(?:[ -](?:code|number))?|pass[ -]?codes?|puk(?:[ -]code)?|(?:door|"
    r"gate|alarm|entry|entrance|"
    r"access|key|safe|lock|lock ?box|key ?box|garage|keypad|building|disarm|unlock|room|house|flat|apartment|"
    r"office|lift|elevator|vault|"
    r"gym|bike|locker|intercom|security|recovery|backup|one[- ]time|verification|verify|confirmation sms|2fa|mfa|"
    r"authenticator|otp|"
    r"login|sign[- ]in|auth(?:entication)?)[ -](?:codes?|combinations?|combo|pin)|keycode|otp|"
    r"one[- ]time pass(?:word|code)"
)
_OPAQUE = (
    r"api[ -]?keys?|access keys?|secret keys?|secrets?|(?:[a-z]{2,12} )?tokens?|credentials?|log[ -]?ins?|"
    r"licen[cs]e keys?|keys?|bearer|webhook secret|signing secret"
)
_LINK = (
    r"(?:[ \t]+(?:for|to|of|on|at|from|in|into)[ \t]+(?:[\w'’&/.-]{1,30}[ \t]+){0,4}?[\w'’&/.-]{1,30})?"
    r"(?:[ \t]+(?:now|still|currently|again|today|always))?[ \t]*(?:[ \t](?:is|was|are|will be|becomes|to|equals|"
    r"reads|starts with|goes)\b|"
    r"[’'](?:s|re)\b|=>|[:=→]|->|-(?=[ \t]))[ \t:]*"
    r"(?:(?:now|still|set to|simply|just|always|also|currently|called|literally|actually|the word|this|as follows|"
    r"the following)[\s:]{1,6})?"
)
_SAID_PASSWORD = Rule(rf"(?i)\b(?:{_STRONG})\b{_LINK}[\"'`(“‘]?([^\s\"'`“”]{{3,120}})")
_BARE_PASSWORD = Rule(
    rf"(?i)\b(?:{_STRONG}|pwd|pass)[ \t]+[\"'`]?(?=[^\s]{{0,119}}[\d!@#$%^&*_+])([^\s\"'`,;]{{5,120}})"
)
_QUOTED = Rule(
    rf"(?i)\b(?:{_STRONG}|pwd)\b[^.\n?!\"“«`]{{0,40}}(?<=[\s(:=])[\"“«`]([^\s\"”»`\[](?:[^\"”»`\n]{{1,118}}[^\s\"”»`])?)[\"”»`](?!\w)"
)
#: A word of letters and figures, as passwords are and ordinary words are not.
_LIKE_ONE = r"(?=[^\s\"'`,;]{0,80}\d)(?=[^\s\"'`,;]{0,80}[^\W\d_])[^\s\"'`,;]{5,120}"
_BY_NAME = (
    r"(?:pass[ -]?words?|pass[ -]?phrases?|pass[ -]?codes?|passwd|pwd|pw|(?<=my )pass|(?<=the )pass|(?<=her )pass|"
    r"(?<=his )pass)"
)
_NOT_A_NAME = r"(?<![a-z0-9])"
#: Looser ways of saying so, for words that look like one: across lines, in an identifier, after a change, turned round.
_SAID_LOOSELY = Rule(
    rf"(?i){_NOT_A_NAME}{_BY_NAME}(?:['’]s[ \t]+|[ \t]{{0,2}}\?[ \t]{{1,3}}|[ \t](?:still|now|really|again)[ \t]|"
    rf"[ \t](?:used to be|has always been|remains|stays)[ \t]|[ \t](?:isn['’]t|is not|was not|"
    rf"wasn['’]t)[ \t][^\s,]{{1,40}},[ \t]"
    rf"(?:but[ \t])?(?:it['’]s|it is|it was)?[ \t]?|\s{{0,3}}(?:=|:|→|⇒|=>|->)\s{{0,3}}|"
    rf"[\s_-]{{1,3}}(?:is|was|are)[\s_-]{{1,3}}|[ \t](?:was|is|has been|got|to)[ \t](?:now[ \t])?(?:changed|"
    rf"set|reset|updated|rotated|switched)[ \t]to[ \t]|[ \t](?:for|to|of|at)[ \t][^.,\n?!]{{1,40}}[ \t](?:to|as|"
    rf"with|is|was|=)[ \t]|"
    rf"[ \t](?:hai|hain|tha|ho gaya)[ \t])"
    rf"[\"'`(]?({_LIKE_ONE})"
)
_CHANGED_TO = Rule(
    rf"(?i)\b(?:chang|set|reset|updat|rotat|switch|us)(?:e|ed|ing|es|s|ting|"
    rf"ched)?\b[^.\n?!]{{0,30}}{_BY_NAME}\b[^.\n?!]{{0,40}}?\b(?:to|as|with)[ \t]+[\"'`(]?({_LIKE_ONE})"
)
_TURNED_ROUND = Rule(
    rf"(?i)(?<![^\s\"'`(])({_LIKE_ONE})[\"'`)]?(?:[ \t,]+(?:is|was|are|as|works as|being)|,)[ \t]+(?:the|my|our|"
    rf"her|his|"
    rf"their|its|your|an?|"
    rf"\w{{1,30}}['’]s)[ \t]+(?:[\w-]{{1,20}}[ \t]+){{0,3}}(?:pass[ -]?word|pass[ -]?phrase|passwd|pwd|"
    rf"pass[ -]?code|secret(?![ \t]\w)|api[ -]?key|login)\b"
)
_LOG_IN_WITH = Rule(
    rf"(?i)\b(?:log[ -]?in|sign[ -]?in|logs? on|get in|authenticate|connect|ssh|unlock(?: it|"
    rf" the \w{{1,20}})?)\b[^.\n?!]{{0,60}}?\b(?:with|using|by|as \S{{2,30}}(?: and|,| with|/))[ \t]+"
    rf"(?:the[ \t]+)?(?:pass\w{{0,8}}[ \t]+)?[\"'`(]?({_LIKE_ONE})"
)
_HINGLISH = Rule(
    r"(?i)\b(?:mera|meri|mere|iska|uska|hamara)[ \t][^.\n?!]{0,40}?\b(?:pass ?word|pin|code|"
    r"otp)[ \t]+(?:hai[ \t]+)?[\"'`]?((?=[^\s]{0,60}\d)[^\s\"'`,;]{4,80})"
)
_SAID_CODE = Rule(
    rf"(?i)\b(?:{_CODES})\b(?:{_LINK}|[ \t]+|[ \t]*\()[\"'`(#]?([#*]?[a-z]?\d(?:[ \t-]{{0,2}}\d){{2,9}}[a-z]?[#*]"
    rf"?)(?![\d.,]?\d)"
)
_CODE_FIRST = Rule(
    r"(?i)(?<![\w.,-])((?:[A-Z]{1,2}-)?\d{3}[ -]?\d{1,5}|[#*]?\d{4,8}[#*]?)[ \t]+(?:is|was|will be|opens|unlocks|"
    r"disarms|works (?:for|on)|gets you (?:in|into|through)|lets you (?:in|into))[ \t]+"
    r"(?:(?:the|our|my|your|his|her|a|to)[ \t]+)?(?:[\w'’-]{1,20}[ \t]+){0,3}?"
    r"(?:(?<!post )(?<!zip )(?<!area )(?<!country )(?<!error )(?<!product )(?<!discount )code|pin|otp|pass ?code|"
    r"combination|combo|door|gate|alarm|safe|lock|lockbox|garage|vault|locker|building|phone)\b"
)
_USE_CODE = Rule(
    r"(?i)\b(?:use|enter|type(?: in)?|punch in|key in|dial|press|input)[ \t]+(?:the[ \t]+)?(?:code[ \t]+|"
    r"pin[ \t]+)?([#*]?\d(?:[ -]?\d){3,7}[#*]?)[ \t]+(?:to|for|at|on|as)[ \t]+"
    r"(?:(?:the|our|my|your)[ \t]+)?(?:[\w-]{1,15}[ \t]+){0,2}?(?:log|sign|verify|confirm|unlock|open|disarm|"
    r"get in|enter|door|gate|keypad|alarm|lock|code|pin)"
)
_DOOR = (
    r"(?:door|gate|alarm|safe|lock|padlock|lockbox|key ?box|entrance|garage|keypad|barrier|locker|cabinet|shed|"
    r"building|flat|apartment|"
    r"office|stairwell|lobby|lift|elevator|vault|suitcase|gym|storage|warehouse|bike room|car park|intercom|phone|"
    r"tablet|laptop|ipad|sim|room|house|cottage|cupboard|till)"
)
_DOOR_CODE = Rule(
    rf"(?i)\b(?:{_DOOR}\b[^.\n?!\d]{{0,40}}\b(?:code|combination|pin|combo)|(?:code|combination|pin|"
    rf"combo)\b[^.\n?!\d]{{0,30}}\b{_DOOR})\b"
    r"[^.\n?!\d]{0,25}?([#*]?\d(?:[ \t-]?\d){2,7}[#*]?)(?![\d.,]?\d)"
)
_OPENS_WITH = Rule(
    rf"(?i)\b{_DOOR}\b[^.\n?!\d]{{0,25}}\b(?:opens?|unlocks?|disarms?|disarmed|is opened|"
    rf"is unlocked)\b(?![ \t]+(?:at|from|until|on|in|every|between)\b)"
    rf"[^.\n?!\d]{{0,20}}?([#*]?\d{{4,8}}[#*]?)(?![\d.,:]?\d)"
)
_SAID_OPAQUE = Rule(rf"(?i)\b(?:{_OPAQUE})\b(?:{_LINK}|[ \t]+)[\"'`(]?([^\s\"'`,;()]{{8,400}})")
_LOGIN_PAIR = Rule(
    r"(?i)\b(?:log[ -]?in|sign[ -]?in|credentials?|creds|account)\b(?:[ \t]+(?:details?|data|info))?[ \t]*(?::|is|"
    r"are|=|-)[ \t]*[\"'`]?[\w.@+-]{2,60}[\"'`]?[ \t]*(?:/|\||:|,|and|with)[ \t]*"
    r"[\"'`]?((?=[^\s\"'`]{0,60}[\d!@#$%^&*_+])[^\s\"'`]{5,100})"
)
#: Spoken letter by letter: "capital W, a, l, seven, dash, two".
_SIGN = (
    r"(?:(?:capital|upper ?case|lower ?case|small|big|letter|number|digit|double|triple)[ \t]+)?(?:[A-Za-z0-9]|"
    r"zero|oh|nought|one|two|three|four|five|six|"
    r"seven|eight|nine|dash|hyphen|underscore|dot|hash|pound|star|asterisk|at sign|dollar(?: sign)?|"
    r"exclamation mark|ampersand|plus|"
    r"alpha|bravo|charlie|delta|echo|foxtrot|golf|hotel|india|juliet|kilo|lima|mike|november|oscar|papa|quebec|"
    r"romeo|sierra|tango|uniform|"
    r"victor|whiskey|x-?ray|yankee|zulu)"
)
_SPELT = Rule(
    rf"(?i)\b(?:{_STRONG}|{_CODES}|code|combination)\b{_LINK}[\"'`(]?({_SIGN}(?:[ \t,.-]{{1,3}}{_SIGN}){{3,40}})"
    rf"(?![\w'’])"
)
_PHRASE = Rule(
    r"(?i)\b(?:pass[ -]?phrase|(?:seed|recovery|wallet|backup|secret|mnemonic)[ -](?:phrase|words?|sentence)|"
    r"mnemonic|seed)\b[^\n:]{0,60}?"
    r"(?:[ \t](?:is|are|was|were|reads|goes)\b|[:=-])[ \t:]*[\"'`]?([a-z]{2,12}(?:[ \t]+[a-z]{2,12}){2,24})"
)
#: Twelve to twenty-four short words in a row, as wallets give them: numbered, one a line, or side by side.
_WORD_LIST = Rule(
    r"(?i)(?:wallet|seed|recovery|mnemonic|ledger|trezor|metamask|phantom|coinbase|bitcoin|crypto|backup|"
    r"12[ -]words?|24[ -]words?|twelve words|twenty[- ]four words)"
    r"[^\n]{0,120}?[:.\n-]?\s{0,4}(?:\d{1,2}[.):]?[ \t]?)?((?<![a-z])[a-z]{3,8}(?:[\s,]{1,3}(?:\d{1,2}[.):]?[ \t]"
    r"?)?[a-z]{3,8}){11,23})(?![\w'’])"
)
_ORDINARY = frozenset(
    listed(
        """
    the and for that with this are was not you have from they will our your but all can when what she his her has had
    were been their which there about would into
    """
    )
)
_FEWEST_WORDS = 12
_A_WORD = re.compile(r"[A-Za-z]+")
_NO_KEY = re.compile(
    r"(?i)(?:idempotency|primary|foreign|public|partition|cache|sort|unique|object|row|order|sorting|answer|"
    r"translation)[ -]?$"
)
_REST = re.compile(r"^(?:[ \t]+(?:[A-Za-z]+|\d{1,6})){0,6}(?=[ \t]*(?:[.,;!?)\n\"']|$))")


def find_spoken_secrets(scan: Scan) -> Iterator[tuple[int, int, str]]:
    """Every secret that a sentence names; spans may overlap."""
    for match in _SAID_PASSWORD.finditer(scan):
        yield from _password_words(scan.text, match)
    for rule in (_BARE_PASSWORD, _SAID_LOOSELY, _CHANGED_TO, _TURNED_ROUND, _LOG_IN_WITH, _LOGIN_PAIR, _HINGLISH):
        for match in rule.finditer(scan):
            if not match.group(1).startswith(PLACEHOLDERS):
                yield match.start(1), match.start(1) + len(match.group(1).rstrip(TRAIL)), "password"
    for match in _QUOTED.finditer(scan):
        if not match.group(1).startswith(PLACEHOLDERS) and " is " not in match.group(1):
            yield match.start(1), match.end(1), "password"
    for match in _SPELT.finditer(scan):
        yield match.start(1), match.end(1), "password"
    for match in _PHRASE.finditer(scan):
        if match.group(1).lower().split()[0] not in NO_PASSWORD:
            yield match.start(1), match.end(1), "password"
    for match in _WORD_LIST.finditer(scan):
        yield from _wallet_words(match)
    for rule in (_SAID_CODE, _DOOR_CODE, _OPENS_WITH, _CODE_FIRST, _USE_CODE):
        for match in rule.finditer(scan):
            yield match.start(1), match.end(1), "code"
    yield from _opaque(scan)


def _wallet_words(match: re.Match[str]) -> Iterator[tuple[int, int, str]]:
    """Words in a row none of which is too usual for a wallet to give; twelve of them at least."""
    found = _A_WORD.finditer(match.group(1))
    for usual, words in itertools.groupby(found, key=lambda word: word.group().lower() in _ORDINARY):
        row = list(words)
        if not usual and len(row) >= _FEWEST_WORDS:
            yield match.start(1) + row[0].start(), match.start(1) + row[-1].end(), "password"


def _opaque(scan: Scan) -> Iterator[tuple[int, int, str]]:
    for match in _SAID_OPAQUE.finditer(scan):
        value = match.group(1).rstrip(TRAIL)
        login = match.group().lower().startswith(("log", "cred"))
        telling = mixed(value) or (login and value.lower() != value and any(character.isdigit() for character in value))
        named = _NO_KEY.search(scan.text[max(0, match.start() - 14) : match.start()])
        if len(value) >= (6 if login else 12) and telling and not named:
            yield match.start(1), match.start(1) + len(value), "token"


def _password_words(text: str, match: re.Match[str]) -> Iterator[tuple[int, int, str]]:
    value = match.group(1).rstrip(TRAIL)
    start, end = match.start(1), match.start(1) + len(value)
    word = value.lower()
    if len(value) < 3 or value.startswith(PLACEHOLDERS) or (word in NO_PASSWORD and word not in MAY_BEGIN_A_PHRASE):
        return
    if not PLAIN_WORD.match(value):
        yield start, end, "password"
        return
    rest = _REST.match(text[end : end + 90])
    following = rest.group().split() if rest else None
    if word in MAY_BEGIN_A_PHRASE and len(following or ()) < 3:
        return
    participle = word.endswith(("ed", "ing")) and following
    if following is not None and not participle and not NO_PASSWORD.intersection(following):
        yield start, end + (rest.end() if rest else 0), "password"
